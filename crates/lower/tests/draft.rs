//! Routines for a core that exists nowhere: without a carry flag, without an accumulator, whose loads take two cycles, and of
//! whose registers none is saved.

use num_bigint::BigUint;
use rhomb_contract::Contract;
use rhomb_field::ways;
use rhomb_kernel::{Form, METHODS, Operation, Parameters, Shape};
use rhomb_lower::draft::{
    Abilities, Act, Clock, Core, Facts, Fault, Frame, Kernel, Pair, Registers, Ring, Routines, Setting,
    routine, words,
};
use smallvec::{SmallVec, smallvec};

/// With so many registers beside those of the arguments.
struct Plain {
    registers: usize,
    ring: Ring,
}

#[derive(Default)]
struct Ticks {
    now: u64,
    ready: [u64; 32],
}

impl Clock<u64> for Ticks {
    fn earliest(&self, reads: u64, _: &u64) -> u64 {
        let reads = (0..32).filter(|register| reads >> register & 1 == 1);
        reads.map(|register| self.ready[register]).max().unwrap_or(0).max(self.now)
    }

    fn issue(&mut self, reads: u64, writes: u64, latency: &u64) {
        let start = self.earliest(reads, latency);
        self.now = start + 1;
        (0..32)
            .filter(|register| writes >> register & 1 == 1)
            .for_each(|own| self.ready[own] = start + latency);
    }
}

impl Core for Plain {
    type Instruction = (Act, u8, [u8; 2]);
    type Time = u64;
    type Clock = Ticks;

    fn facts(&self, act: Act, _: bool) -> Result<Facts<u64>, Fault> {
        let latency = match act {
            Act::Change(_) | Act::Part(_) => return Err(Fault::Instruction),
            Act::Load(_) => 2,
            _ => 1,
        };
        Ok(Facts { time: latency, latency, length: 1, reads: 0, writes: 0 })
    }

    fn is_small(&self, _: Act, _: bool) -> bool {
        false
    }

    fn number(&self, number: u32) -> SmallVec<[Act; 2]> {
        smallvec![Act::Upper(number >> 16), Act::Number(Pair::Or, (number & 0xffff) as i32)]
    }

    fn has_number(&self, _: Pair, number: i32) -> bool {
        (0..1 << 16).contains(&number)
    }

    fn instruction(&self, act: Act, to: u8, reads: [u8; 2]) -> Self::Instruction {
        (act, to, reads)
    }
}

impl Routines for Plain {
    fn setting(&self) -> Setting {
        let abilities = Abilities {
            word: 32,
            accumulator: 0,
            sets_high: false,
            shift: false,
            take: false,
            twice: false,
            words: false,
            carryless: true,
        };
        let ring = self.ring;
        Setting { abilities, ring, arguments: [4, 5, 6], returned: 4, stack: 29, home: 0 }
    }

    fn over(&self, ring: Ring) -> Self {
        Plain { ring, ..*self }
    }

    fn registers(&self) -> Registers {
        let all: Vec<u8> = (8..28).take(self.registers).collect();
        Registers { free: all.len(), most: all.len(), all, stack: Some(29) }
    }

    fn enclose(&self, body: Vec<Self::Instruction>, stack_bytes: u32) -> Kernel<Self::Instruction> {
        Kernel { program: body, saves: Vec::new(), before: 0, cycles: None, schedule: None, stack_bytes }
    }

    fn cycles(&self, program: &[Self::Instruction], _: bool) -> Option<u64> {
        Some(program.len() as u64)
    }

    fn call(&self, _: &Frame, _: usize) -> Result<Vec<Self::Instruction>, Fault> {
        Err(Fault::Instruction)
    }
}

fn clmul(x: u32, y: u32) -> u64 {
    (0..32).filter(|bit| y >> bit & 1 == 1).fold(0, |sum, bit| sum ^ u64::from(x) << bit)
}

fn pair(pair: Pair, x: u32, y: u32) -> u32 {
    match pair {
        Pair::Add => x.wrapping_add(y),
        Pair::Subtract => x.wrapping_sub(y),
        Pair::Below => (x < y).into(),
        Pair::And => x & y,
        Pair::Or => x | y,
        Pair::Xor => x ^ y,
        Pair::Nor => !(x | y),
        Pair::Low => x.wrapping_mul(y),
        Pair::High => ((u64::from(x) * u64::from(y)) >> 32) as u32,
        Pair::CarrylessLow => clmul(x, y) as u32,
        Pair::CarrylessHigh => (clmul(x, y) >> 32) as u32,
    }
}

/// Where the arrays and the stack are in memory, by words.
const BASES: [u32; 4] = [0, 100, 200, 300];

type Code = [(Act, u8, [u8; 2])];

fn run(code: &Code, operands: [&[u32]; 2]) -> Vec<u32> {
    let mut memory = vec![0u32; 400];
    for (base, operand) in [(100, operands[0]), (200, operands[1])] {
        memory[base..base + operand.len()].copy_from_slice(operand);
    }
    let mut registers = [0u32; 32];
    for (register, base) in [4, 5, 6, 29].into_iter().zip(BASES) {
        registers[register] = base;
    }
    for (act, to, reads) in code {
        let [x, y] = reads.map(|register| registers[usize::from(register)]);
        let place = |index: i32| x.wrapping_add_signed(index) as usize;
        let made = match *act {
            Act::Pair(own) => pair(own, x, y),
            Act::Number(own, number) => pair(own, x, number as u32),
            Act::Upper(number) => number << 16,
            Act::Up(places) => x << places,
            Act::Down(places) => x >> places,
            Act::Sign(places) => ((x as i32) >> places) as u32,
            Act::Load(index) => memory[place(index)],
            Act::Store(index) => {
                memory[place(index)] = y;
                continue;
            }
            Act::Word(_) | Act::Change(_) | Act::Part(_) => unreachable!("{act:?}"),
        };
        registers[usize::from(*to)] = made;
        registers[0] = 0;
    }
    memory
}

/// The words of a number.
fn digits(number: &BigUint, count: usize) -> Vec<u32> {
    let mut digits = number.to_u32_digits();
    digits.resize(count, 0);
    digits
}

#[test]
fn sums_and_differences_modulo_numbers() {
    let core = Plain { registers: 20, ring: Ring::Integers };
    for (operation, modulus) in
        [("modadd", "2^192-2^64-1"), ("modsub", "2^192-2^64-1"), ("modadd", "2^255-19")]
    {
        let contract: Contract = format!("{operation} {modulus}").parse().unwrap();
        let p = contract.modular().unwrap().modulus.number();
        let count = contract.operands(32)[0] as usize;
        let mut routines = 0;
        for way in ways(&contract, 32).iter().filter(|way| way.method != "digit-fold") {
            let Ok(kernel) = words(&way.line, None, &core) else { continue };
            routines += 1;
            let some = [&p - 1u8, BigUint::ZERO, BigUint::from(1u8), &p >> 1, BigUint::from(u64::MAX)];
            for (x, y) in some.iter().flat_map(|x| some.iter().map(move |y| (x, y))) {
                let memory = run(&kernel.program, [&digits(x, count), &digits(y, count)]);
                let result = BigUint::from_slice(&memory[..count]);
                let expected = if operation == "modadd" { x + y } else { x + &p - y };
                assert_eq!(result % &p, expected % &p, "{contract} by {}: {x} {y}", way.method);
            }
        }
        assert!(routines > 0, "{contract}");
    }
}

#[test]
fn products_and_squares_whatever_the_registers() {
    for (words, registers) in (1..=7).flat_map(|words| [3, 5, 8, 14, 20].map(|registers| (words, registers)))
    {
        let core = Plain { registers, ring: Ring::Integers };
        let unrolled =
            METHODS.iter().filter(|method| method.forms.contains(&Form::Unrolled) && method.multiplier);
        for method in unrolled {
            let parameters = Parameters { rows: Some(3), cache: Some(2), ..Parameters::OPEN };
            let task = method.task(&Shape { form: Form::Unrolled, words, parameters: &parameters }).unwrap();
            let name = format!("{} of {words} words in {registers} registers", method.name);
            let kernel = routine(&task, &core).unwrap_or_else(|error| panic!("{name}: {error}"));
            for [x, y] in [[u32::MAX; 2], [u32::MAX, 1], [0x8000_0001, 0xffff_0003], [0, 7]] {
                let [a, b] = [vec![x; words], vec![y; words]];
                let memory = run(&kernel.program, [&a, &b]);
                let [x, y] = [BigUint::from_slice(&a), BigUint::from_slice(&b)];
                let expected = if method.operation == Operation::Sqr { &x * &x } else { &x * &y };
                assert_eq!(BigUint::from_slice(&memory[..2 * words]), expected, "{name}: {a:x?} {b:x?}");
            }
        }
    }
}

#[test]
fn products_over_gf2() {
    for words in 1..=6 {
        let core = Plain { registers: 6, ring: Ring::BinaryPolynomials };
        let method = rhomb_kernel::method(Operation::Mul, "hybrid").unwrap();
        let task =
            method.task(&Shape { form: Form::Unrolled, words, parameters: &Parameters::OPEN }).unwrap();
        let kernel = routine(&task, &core).unwrap();
        let [a, b] = [0x9e37_79b9u32, 0xdead_beef]
            .map(|seed| (1..=words as u32).map(|at| seed.wrapping_mul(at * at + 3)).collect::<Vec<u32>>());
        let mut expected = vec![0u32; 2 * words];
        for (i, j) in (0..words).flat_map(|i| (0..words).map(move |j| (i, j))) {
            let product = clmul(a[i], b[j]);
            expected[i + j] ^= product as u32;
            expected[i + j + 1] ^= (product >> 32) as u32;
        }
        assert_eq!(run(&kernel.program, [&a, &b])[..2 * words], expected, "{words} words");
    }
}
