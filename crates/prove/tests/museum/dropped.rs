//! Routines of all processors with one instruction left out: those that are wrong are refuted after few calls, however
//! rare the operands are that show it, and the others are proved. Among them are sums of a split's middle whose last carry
//! is lost, which only operands such as 2^(n-1) bring, differences of parts that are wrong where a word between is all
//! zeros or ones, and squares whose doubled terms lose their highest bit.

use num_bigint::BigUint;
use rhomb_arm::lower::{Accumulation, Making};
use rhomb_certificate::{Contract, Expression};
use rhomb_kernel::{Form, Operation, Parameters, Shape, Task};
use rhomb_machine::{Concrete, Limb, Random, Routine};
use rhomb_oracles::sample;
use rhomb_prove::{prove_within, refute};
use rhomb_samples::karatsuba::{karatsuba, shape};
use rhomb_samples::squaring;
use std::sync::Arc;

/// What became of the mutants of a routine.
#[derive(Debug, Default)]
struct Tally {
    proved: usize,
    refuted: usize,
    /// Refuted, and right in a thousand calls with uniform operands.
    rare: usize,
    /// Neither, as they depend on what the contract does not say, or on what is not modelled.
    stopped: usize,
    unknown: Vec<usize>,
    /// Calls until the one that shows it, at most.
    calls: u64,
}

/// Instructions that the search may execute, and terms of a proof.
const BUDGET: u64 = 20_000_000;
const EFFORT: u64 = 20_000_000;
/// No search that finds something makes more calls.
const MOST_CALLS: u64 = 1_500;

fn tally<R: Routine>(
    name: &str,
    contract: &str,
    count: usize,
    without: impl Fn(usize) -> Option<R>,
) -> Tally {
    let contract: Contract = contract.parse().unwrap();
    let mut tally = Tally::default();
    for at in (0..count).step_by(sample(5, 1)) {
        let Some(routine) = without(at) else { continue };
        let search = refute(&routine, &contract, BUDGET);
        match search.found {
            Some(_) => {
                tally.refuted += 1;
                // where only an interrupt shows it, the search went on to its end
                if search.found != search.interrupted {
                    tally.calls = tally.calls.max(search.calls);
                }
                tally.rare += usize::from(search.calls > 8 && is_right_at_random(&routine, &contract));
            }
            None if search.stopped.is_some() => tally.stopped += 1,
            None => match prove_within(&routine, &contract, EFFORT) {
                Ok(_) => tally.proved += 1,
                Err(_) => tally.unknown.push(at),
            },
        }
    }
    println!("{name}: {tally:?}");
    assert!(tally.calls <= MOST_CALLS, "{name}: {tally:?}");
    tally
}

/// A product or a square of uniform operands.
fn is_right_at_random<R: Routine>(routine: &R, contract: &Contract) -> bool {
    let (bits, pattern) = (routine.word_bits(), &contract.patterns()[0]);
    let mut random = Random::new(5);
    let number = |words: &[R::Limb]| {
        words.iter().rev().fold(BigUint::ZERO, |sum, word| (sum << bits as usize) + word.to_u64())
    };
    (0..1000).all(|place| {
        let mut words = |length: &u32| (0..*length).map(|_| R::Limb::truncate(random.bits() >> 16)).collect();
        let operands: Vec<Vec<R::Limb>> = contract.operands(bits).iter().map(&mut words).collect();
        let buffers = contract.buffers(bits, pattern, &operands);
        let finished = routine.call_at(Concrete::new(), &buffers, 2 * place).unwrap();
        let result: Vec<R::Limb> = finished.buffers[0].iter().map(|word| word.unwrap()).collect();
        let other = usize::from(contract.expression() == Expression::Product);
        number(&result) == number(&operands[0]) * number(&operands[other])
    })
}

fn task(operation: Operation, method: &str, words: usize) -> Task {
    let parameters = Parameters { levels: Some(1), cache: Some(2), ..Parameters::default() };
    let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
    rhomb_kernel::method(operation, method).and_then(|method| method.task(&shape)).unwrap()
}

#[test]
fn avr() {
    use rhomb_avr::instructions::{Instruction, Op};
    let kernels =
        [("split", "mul 128", karatsuba(16, shape(1)), 4), ("square", "sqr 80", squaring::sqr(10, 2), 1)];
    for (name, contract, code, unknown) in kernels {
        let tally = tally(name, contract, code.len(), |at| {
            let mut code = code.clone();
            code[at] = Instruction::new(Op::Nop);
            Some(super::function(&code))
        });
        // what has no effect, and is not proved
        assert!(tally.unknown.len() <= unknown, "{tally:?}");
    }
}

#[test]
fn arm() {
    use rhomb_arm::{Function, Program, conventions::AAPCS, cores::core, lower};
    let core = core("arm7tdmi").unwrap();
    for (name, operation, words) in [("split", Operation::Mul, 8), ("product-scanning", Operation::Sqr, 6)] {
        let making = Making { accumulation: Some(Accumulation::Columns), ..Making::default() };
        let kernel = lower::routine_by(&task(operation, name, words), core, &AAPCS, &making).unwrap();
        let program = Program::assemble(core, 0x100, &kernel.program).unwrap();
        let contract = format!("{} {}", operation.name(), 32 * words);
        let tally = tally(name, &contract, program.words().len() / 2, |at| {
            let mut words = rhomb_arm::words(program.words());
            // mov r0, r0
            words[at] = 0xe1a0_0000;
            let program = Arc::new(Program::new(core, 0x100, &rhomb_arm::halves(&words)));
            let (stack_limit, step_limit) = (kernel.stack_bytes, 1 << 16);
            Some(Function { program, entry: 0x100, convention: &AAPCS, stack_limit, step_limit })
        });
        assert!(tally.unknown.is_empty(), "{tally:?}");
    }
}

#[test]
fn mips() {
    use rhomb_mips::{Function, Model, Program, conventions::O32, cores::core, lower};
    let model = Arc::new(Model::of(core("mips32-4km").unwrap()));
    for (name, operation, words) in [("split", Operation::Mul, 8), ("product-scanning", Operation::Sqr, 6)] {
        let kernel = lower::routine(&task(operation, name, words), &model, &O32).unwrap();
        let program = Program::assemble(model.clone(), 0x100, &kernel.program).unwrap();
        let contract = format!("{} {}", operation.name(), 32 * words);
        let tally = tally(name, &contract, program.words().len(), |at| {
            let mut words = program.words().to_vec();
            words[at] = 0;
            let program = Arc::new(Program::new(model.clone(), 0x100, &words));
            let (stack_limit, step_limit) = (kernel.stack_bytes, 1 << 16);
            Some(Function { program, entry: 0x100, convention: &O32, stack_limit, step_limit })
        });
        assert!(tally.unknown.is_empty(), "{tally:?}");
    }
}

#[test]
fn c55x() {
    use rhomb_c55x::lower::{Leaf, split_multiplication, split_squaring};
    use rhomb_c55x::{Function, Program, conventions::TI, cores::core, syntax};
    let made = [
        ("split", "mul 128", split_multiplication(8, 1, Leaf::Columns).unwrap()),
        ("split square", "sqr 128", split_squaring(8, 1).unwrap()),
    ];
    for (name, contract, code) in made {
        let text = syntax::function("f", &code.into_lines());
        let lines: Vec<&str> = text.lines().collect();
        let tally = tally(name, contract, lines.len(), |at| {
            let mut lines = lines.clone();
            lines.remove(at);
            let lines = syntax::parse(&lines.join("\n")).ok()?.lines;
            let program = Arc::new(Program::new(core("tms320vc5510").unwrap(), 0x100, lines).ok()?);
            let (stack_limit, step_limit) = (512, 1 << 16);
            Some(Function { program, entry: 0, convention: &TI, stack_limit, step_limit })
        });
        assert!(tally.unknown.is_empty(), "{tally:?}");
    }
}
