//! Routines that are no straight line along a walk: additions, subtractions, and multiplications without
//! MUL. Each is called on our own simulator with edge cases, random operands and, where it may be, with the
//! result in the place of an operand.

use crate::matrix::case::{GUARD, product};
use crate::matrix::routine::decoded;
use num_bigint::BigUint;
use rhomb_avr::conventions::{AVR_GCC, CONVENTIONS, CROSSWORKS, Convention, IAR};
use rhomb_avr::cores::{Core, core};
use rhomb_avr::encode::encode;
use rhomb_avr::lower::routine;
use rhomb_avr::syntax::gnu;
use rhomb_avr::{Machine, Program};
use rhomb_kernel::{Form, Operation, Parameters, Shape, Task, method};
use rhomb_machine::{Access, Concrete, Tally};
use rhomb_oracles::parallel;
use rhomb_oracles::{Random, sample};
use std::sync::Arc;

/// What is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) operation: Operation,
    pub(crate) form: Form,
    pub(crate) words: usize,
    pub(crate) cache: Option<usize>,
    pub(crate) convention: &'static Convention,
}

/// A routine as machine code.
pub(crate) struct Made {
    pub(crate) wanted: Wanted,
    pub(crate) program: Arc<Program>,
    /// Most bytes of stack below the return address.
    pub(crate) stack: u32,
    text: String,
}

/// A call. Arrays in the same place are the same array.
pub(crate) struct Call {
    /// Contents of `a` and `b`.
    pub(crate) operands: [Vec<u8>; 2],
    /// Addresses of `r`, `a` and `b`.
    pub(crate) at: [u32; 3],
    pub(crate) sp: u16,
    pub(crate) registers: [u8; 32],
    convention: &'static Convention,
}

impl Wanted {
    pub(crate) fn chain(operation: Operation, form: Form, words: usize) -> Wanted {
        Wanted { operation, form, words, cache: None, convention: &AVR_GCC }
    }

    pub(crate) fn strip(words: usize, cache: usize) -> Wanted {
        Wanted {
            operation: Operation::Mul,
            form: Form::Looped,
            words,
            cache: Some(cache),
            convention: &AVR_GCC,
        }
    }

    pub(crate) fn software(words: usize) -> Wanted {
        Wanted { operation: Operation::Mul, form: Form::Looped, words, cache: None, convention: &AVR_GCC }
    }

    pub(crate) fn make(&self, core: &'static Core) -> Made {
        let name = match (self.operation, self.cache) {
            (Operation::Mul, Some(_)) => "strip",
            (Operation::Mul, None) => "software-products",
            _ => "carry-chain",
        };
        let parameters = Parameters { cache: self.cache, ..Default::default() };
        let shape = Shape { form: self.form, words: self.words, parameters: &parameters };
        let task = method(self.operation, name).and_then(|method| method.task(&shape)).expect("a task");
        let kernel =
            routine(&task, core, self.convention).unwrap_or_else(|error| panic!("{self:?}: {error}"));
        let mut words = Vec::new();
        for instruction in &kernel.program {
            let (first, second) = encode(instruction).unwrap_or_else(|error| panic!("{error}"));
            words.push(first);
            words.extend(second);
        }
        // the relative jumps of a routine with 22-bit return addresses work anywhere
        let origin = if core.return_bytes == 3 { 0x1_0000 } else { 0x40 };
        let program = Program::strict(core, origin, &words).unwrap_or_else(|error| panic!("{error}"));
        let text = kernel.program.iter().map(|one| gnu::instruction(one) + "\n").collect();
        // the pointer to A and a counter, or two return addresses
        Made { wanted: *self, program: Arc::new(program), stack: kernel.saves.len() as u32 + 6, text }
    }

    /// Bytes of the result.
    pub(crate) fn result(&self) -> usize {
        self.operation.result_words(self.words)
    }

    /// The result, and the carry where one is returned.
    pub(crate) fn expected(&self, [a, b]: &[Vec<u8>; 2]) -> (Vec<u8>, Option<u8>) {
        if self.operation == Operation::Mul {
            return (product(a, b), None);
        }
        let [x, y] = [a, b].map(|bytes| BigUint::from_bytes_le(bytes));
        let whole = BigUint::from(1u8) << (8 * self.words);
        let (number, carry) = match self.operation {
            Operation::Add if &x + &y >= whole => (x + y - whole, 1),
            Operation::Add => (x + y, 0),
            _ if x < y => (x + whole - y, 1),
            _ => (x - y, 0),
        };
        let mut bytes = number.to_bytes_le();
        bytes.resize(self.words, 0);
        (bytes, Some(carry))
    }

    /// Calls on a core, the same in every run.
    pub(crate) fn calls(&self, core: &Core, random: usize) -> Vec<Call> {
        let n = self.words;
        let mut source = Random::new((n as u64) << 8 | self.cache.unwrap_or(0) as u64);
        let fill = |byte: u8| vec![byte; n];
        let by_turns =
            |first: u8| (0..n).map(|i| if i % 2 == 0 { first } else { !first }).collect::<Vec<u8>>();
        let mut one = fill(0);
        one[0] = 1;
        let mut pairs = vec![
            [fill(0), fill(0)],
            [fill(0xff), fill(0xff)],
            [fill(0xff), one.clone()],
            [fill(0), one.clone()],
            [one, fill(0xff)],
            [by_turns(0), by_turns(0xff)],
            [by_turns(0xff), by_turns(0xff)],
            [fill(0xff), fill(0)],
        ];
        let edges: [&[u8]; 3] = [&[0, 0xff], &[0, 1, 0x7f, 0x80, 0xfe, 0xff, 0xff, 0xff], &[]];
        for index in 0..random {
            let palette = edges[index % 3];
            let mut byte = || if palette.is_empty() { source.byte() } else { *source.pick(palette) };
            pairs.push([(0..n).map(|_| byte()).collect(), (0..n).map(|_| byte()).collect()]);
        }
        let mut calls = Vec::new();
        for (index, pair) in pairs.into_iter().enumerate() {
            calls.push(self.place(core, pair.clone(), index, &mut source));
            let [a, b] = pair;
            let mut shared = |operands: [Vec<u8>; 2], from: usize, to: usize| {
                let mut call = self.place(core, operands, index, &mut source);
                call.at[to] = call.at[from];
                call.set_arguments();
                calls.push(call);
            };
            // b is a; then r is a, r is b, all are one
            shared([a.clone(), a.clone()], 1, 2);
            if self.operation != Operation::Mul {
                shared([a.clone(), b.clone()], 1, 0);
                shared([a.clone(), b], 2, 0);
                let mut call = self.place(core, [a.clone(), a], index, &mut source);
                call.at = [call.at[0]; 3];
                call.set_arguments();
                calls.push(call);
            }
        }
        calls
    }

    /// Places the arrays apart, in an order that varies.
    fn place(&self, core: &Core, operands: [Vec<u8>; 2], index: usize, source: &mut Random) -> Call {
        let lengths = [self.result(), self.words, self.words];
        let mut at = [0; 3];
        let mut free = core.sram.start + GUARD;
        for step in 0..3 {
            let array = (step + index) % 3;
            at[array] = free + source.below(16) as u32;
            free = at[array] + lengths[array] as u32 + GUARD;
        }
        let sp = core.sram.end - 1 - source.below(8) as u32;
        assert!(free + GUARD + 32 < sp, "too large for {}", core.name);
        let mut registers: [u8; 32] = std::array::from_fn(|_| source.byte());
        if let Some(zero) = self.convention.zero {
            registers[usize::from(zero)] = 0;
        }
        let mut call = Call { operands, at, sp: sp as u16, registers, convention: self.convention };
        call.set_arguments();
        call
    }
}

impl Call {
    fn set_arguments(&mut self) {
        for (low, address) in self.convention.arguments.into_iter().zip(self.at) {
            self.registers[usize::from(low)..][..2].copy_from_slice(&(address as u16).to_le_bytes());
        }
    }
}

impl Made {
    /// Calls it with nothing defined or owned but what the contract gives, checks all that must hold
    /// afterwards, and gives instructions and cycles.
    pub(crate) fn call(&self, call: &Call) -> Tally {
        let wanted = &self.wanted;
        let what =
            || format!("{} {wanted:?} at {:x?}: {:x?}", self.program.core().name, call.at, call.operands);
        let mut machine = Machine::new(self.program.clone(), Concrete::<u8>::new());
        let memory = &mut machine.memory;
        let [r, a, b] = call.at;
        let length = wanted.words as u32;
        memory.own("r", r..r + wanted.result() as u32, Access::Store).expect("inside memory");
        for (name, at, bytes) in [("a", a, &call.operands[0]), ("b", b, &call.operands[1])] {
            if at != r {
                memory.own(name, at..at + length, Access::Load).expect("inside memory");
            }
            memory.fill(at, bytes).expect("inside memory");
        }
        let core = self.program.core();
        let top = u32::from(call.sp) + 1 - core.return_bytes;
        memory.own("stack", top - self.stack..top, Access::Store).expect("inside memory");
        machine.set_sp(call.sp);
        let convention = wanted.convention;
        let arguments = convention.arguments.iter().fold(0, |mask, low| mask | 3 << low);
        let kept = convention.saved | convention.zero.map_or(0, |zero| 1 << zero);
        for number in (0..32).filter(|number| (kept | arguments) & 1 << number != 0) {
            machine.set_register(number, call.registers[usize::from(number)]);
        }
        machine.enter(self.program.origin()).expect("an address");
        let tally =
            rhomb_machine::run(&mut machine, 1 << 24).unwrap_or_else(|fault| panic!("{}: {fault}", what()));
        let (expected, carry) = wanted.expected(&call.operands);
        let found: Vec<_> = (r..).take(expected.len()).map(|at| machine.memory.peek(at).copied()).collect();
        let expected: Vec<_> = expected.into_iter().map(Some).collect();
        assert_eq!(found, expected, "{}", what());
        if carry.is_some() {
            assert_eq!(Some(*machine.register(convention.returned)), carry, "{}", what());
        }
        for number in (0..32).filter(|number| kept & 1 << number != 0) {
            let value = *machine.register(number);
            assert_eq!(value, call.registers[usize::from(number)], "r{number} {}", what());
        }
        assert_eq!(machine.sp(), call.sp, "{}", what());
        tally
    }
}

/// All that is made, the dearest first.
pub(crate) fn list() -> Vec<Wanted> {
    let mut list = Vec::new();
    for words in 1..=40 {
        for form in Form::ALL {
            list.extend(
                [Operation::Add, Operation::Sub].map(|operation| Wanted::chain(operation, form, words)),
            );
        }
        list.push(Wanted::software(words));
        list.extend((1..=words.min(WIDEST)).map(|cache| Wanted::strip(words, cache)));
    }
    for convention in [&IAR, &CROSSWORKS] {
        let some: Vec<Wanted> = list.iter().filter(|wanted| SOME.contains(&wanted.words)).copied().collect();
        list.extend(some.into_iter().filter(|it| it.convention == &AVR_GCC).filter_map(|wanted| {
            let wanted = Wanted { convention, ..wanted };
            // the counters take more registers that must be saved, no pair may be left for a pointer
            wanted.cache.is_none_or(|cache| cache <= WIDEST_OF_OTHERS).then_some(wanted)
        }));
    }
    list.reverse();
    list
}

/// Sizes for the conventions beside avr-gcc's.
const SOME: [usize; 15] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 20, 31, 32, 40];

/// Where Y is left alone, a strip has less registers.
const WIDEST_OF_OTHERS: usize = 11;

/// Most words of a strip for which there are registers.
const WIDEST: usize = 12;

fn check(core: &'static Core, wanted: &Wanted, random: usize) -> u64 {
    let made = wanted.make(core);
    let tallies: Vec<Tally> = wanted.calls(core, random).iter().map(|call| made.call(call)).collect();
    let cycles = tallies[0].cycles.max;
    assert!(tallies.iter().all(|tally| tally.cycles.max == cycles), "{wanted:?}: the time varies");
    let code: Vec<u8> = made.program.words().iter().flat_map(|word| word.to_le_bytes()).collect();
    let Wanted { operation, form, words, cache, convention } = wanted;
    let (core, convention, operation, form) = (core.name, convention.name, operation.name(), form.name());
    let cache = cache.map_or(String::new(), |cache| format!(", cache {cache}"));
    crate::LEDGER.check(
        &format!("{core} {convention} {form} {operation} of {words} words{cache}"),
        cycles,
        &code,
    );
    cycles
}

#[test]
fn every_size_up_to_40_words_keeps_its_contract_in_constant_time() {
    let core = core("attiny85").unwrap();
    let random = |wanted: &Wanted| if wanted.words <= 8 { 30 } else { 6 };
    parallel::each(&list(), |wanted| check(core, wanted, random(wanted)));
}

#[test]
fn large_sizes_and_other_cores_keep_their_contract() {
    let mut tasks = Vec::new();
    for name in ["atmega128", "atmega2560", "avr128da48"] {
        for words in [1, 7, 8, 33, 63, 64, 65, 255, 256, 257, 300, 512, 513] {
            for form in Form::ALL {
                tasks.push((name, Wanted::chain(Operation::Add, form, words)));
                tasks.push((name, Wanted::chain(Operation::Sub, form, words)));
            }
        }
        for (words, cache) in [(1, 1), (20, 10), (24, 12), (63, 12), (64, 8), (100, 1), (257, 11), (300, 10)]
        {
            tasks.push((name, Wanted::strip(words, cache)));
        }
        for words in [1, 2, 63, 127, 254, 255] {
            tasks.push((name, Wanted::software(words)));
        }
    }
    let of_others = [&IAR, &CROSSWORKS].map(|convention| {
        let narrow = tasks.iter().filter(|(_, wanted)| wanted.cache.is_none_or(|cache| cache <= 10));
        narrow.map(|(name, wanted)| (*name, Wanted { convention, ..*wanted })).collect::<Vec<_>>()
    });
    tasks.extend(of_others.into_iter().flatten());
    let tasks: Vec<_> = tasks.into_iter().step_by(sample(3, 1)).collect();
    parallel::each(&tasks, |(name, wanted)| check(core(name).unwrap(), wanted, 2));
}

/// Nothing writes to a register that a convention leaves alone, not even for a while.
#[test]
fn what_is_left_alone_is_never_written() {
    let core = core("attiny85").unwrap();
    for wanted in list() {
        let program = wanted.make(core).program;
        let written = decoded(&program).iter().fold(0, |set, one| set | one.registers_written());
        assert_eq!(written & wanted.convention.untouched, 0, "{wanted:?}");
    }
}

#[test]
fn what_registers_and_counters_do_not_hold_is_refused() {
    let refused = |task| routine(&task, core("atmega128").unwrap(), &AVR_GCC).unwrap_err().to_string();
    let of_others = |width| {
        let task = Task::Strips { words: width, width };
        [&IAR, &CROSSWORKS].map(|convention| routine(&task, core("attiny85").unwrap(), convention).is_ok())
    };
    assert_eq!((of_others(WIDEST_OF_OTHERS), of_others(WIDEST)), ([true; 2], [false; 2]));
    let error = |words, width| refused(Task::Strips { words, width });
    assert!(error(13, 13).contains("registers are needed"), "{}", error(13, 13));
    // 257 are counted in two bytes
    assert!(error(257, 12).contains("registers are needed"), "{}", error(257, 12));
    assert!(error(256, 1).contains("256 strips"), "{}", error(256, 1));
    assert!(refused(Task::SoftwareProducts { words: 256 }).contains("256 words"));
}

#[test]
fn cycles_and_sizes_are_the_ones_written_down() {
    let mut table = format!("{:32}{:>8}{:>8}\n", "function", "cycles", "bytes");
    let mut line = |name: &str, core_name: &str, wanted: &Wanted| {
        let core = core(core_name).unwrap();
        let bytes = 2 * wanted.make(core).program.words().len();
        let cycles = check(core, wanted, 0);
        table += &format!("{name:32}{cycles:>8}{bytes:>8}\n");
    };
    for form in Form::ALL {
        for bits in [8, 32, 64, 128, 160, 192, 256, 512, 1024, 2048, 4096] {
            let wanted = Wanted::chain(Operation::Add, form, bits / 8);
            line(&format!("add {bits} {}", form.name()), "atmega128", &wanted);
        }
    }
    for bits in [8, 32, 64, 96, 128, 160, 192, 256] {
        line(&format!("mul {bits} software"), "attiny85", &Wanted::software(bits / 8));
        for cache in [4, 8, 10, 11, 12] {
            if cache <= bits / 8 {
                line(&format!("mul {bits} strip {cache}"), "attiny85", &Wanted::strip(bits / 8, cache));
            }
        }
    }
    for convention in CONVENTIONS.iter().copied().filter(|convention| **convention != AVR_GCC) {
        let name = convention.name;
        for form in Form::ALL {
            for bits in [8, 64, 160, 256, 512, 4096] {
                let wanted = Wanted { convention, ..Wanted::chain(Operation::Add, form, bits / 8) };
                line(&format!("add {bits} {} {name}", form.name()), "atmega128", &wanted);
            }
        }
        for bits in [64, 160, 256] {
            let software = Wanted { convention, ..Wanted::software(bits / 8) };
            line(&format!("mul {bits} software {name}"), "attiny85", &software);
            let strip = Wanted { convention, ..Wanted::strip(bits / 8, 8) };
            line(&format!("mul {bits} strip 8 {name}"), "attiny85", &strip);
        }
    }
    insta::assert_snapshot!("tasks", table);
}

/// What a prototype took: cycles, and bytes of code.
#[test]
fn strips_are_faster_and_smaller_than_the_prototype() {
    let core = core("attiny85").unwrap();
    for (words, cache, cycles, bytes) in
        [(20, 10, 8539, 720), (20, 5, 9971, 416), (20, 4, 10691, 352), (32, 8, 22451, 608)]
    {
        let wanted = Wanted::strip(words, cache);
        let size = 2 * wanted.make(core).program.words().len();
        let found = check(core, &wanted, 1);
        assert!(found < cycles && size <= bytes, "{wanted:?}: {found} cycles, {size} bytes");
    }
}

#[test]
fn texts() {
    let text = |wanted: Wanted, name| wanted.make(core(name).unwrap()).text;
    insta::assert_snapshot!("add_2", text(Wanted::chain(Operation::Add, Form::Unrolled, 2), "atmega128"));
    insta::assert_snapshot!(
        "sub_9_looped",
        text(Wanted::chain(Operation::Sub, Form::Looped, 9), "atmega128")
    );
    insta::assert_snapshot!("software_3", text(Wanted::software(3), "attiny85"));
    insta::assert_snapshot!("strip_2", text(Wanted::strip(2, 1), "attiny85"));
}
