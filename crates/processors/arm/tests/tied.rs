//! Products and squares by UMAAL, in ARM state on a core that has it, against big integers.

use num_bigint::BigUint;
use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::{Array, Core, Timing, core};
use rhomb_arm::instructions::{Action, Instruction, PC};
use rhomb_arm::lower::{Accumulation, Kernel, LowerError, Making, routine_by};
use rhomb_arm::thumb::{Level, encode};
use rhomb_arm::{Function, Program};
use rhomb_kernel::{Form, Operation, Parameters, Shape, method};
use rhomb_machine::{Access, Buffer, Concrete, Random, Routine};
use rhomb_oracles::{sample, stand_in};
use std::fmt::Write;
use std::sync::{Arc, LazyLock};

/// Times of the Cortex-M4 without pairs of loads and stores: ARM DDI 0439B, table 3.1.
static TIMING: Timing = Timing {
    name: "Cortex-M4",
    source: "ARM DDI 0439B, table 3.1",
    skipped: 1,
    skips_leak: false,
    data: 1,
    register_shift: 0,
    to_pc: 2,
    shifted_to_pc: 0,
    load: 2,
    loaded_to_pc: 2,
    scaled: 0,
    store: 2,
    block_load: 1,
    block_store: 1,
    block_words: 1,
    block_least: 2,
    moved: 1,
    swap: None,
    status: None,
    branch: 3,
    call: 0,
    multiply: 0,
    accumulate: 0,
    long: 0,
    multiply_flags: 0,
    array: Array::Fixed(1),
    interlocks: None,
};

/// ARM state with UMAAL and these times.
static CORE: LazyLock<Core> = LazyLock::new(|| {
    let like = core("arm9ej-s").unwrap();
    Core { name: "umaal", umaal: true, timing: &TIMING, ram: like.ram.clone(), ..*like }
});

fn kernel(core: &Core, operation: Operation, words: usize, registers: usize) -> Result<Kernel, LowerError> {
    let name = if operation == Operation::Sqr { "product-scanning" } else { "hybrid" };
    let parameters = Parameters::default();
    let task = method(operation, name).unwrap().task(&Shape {
        form: Form::Unrolled,
        words,
        parameters: &parameters,
    });
    let making = Making { accumulation: Some(Accumulation::Tied), registers, ..Making::default() };
    routine_by(&task.unwrap(), core, &AAPCS, &making)
}

/// A load right after a load whose register is not its address takes one cycle, a store one: what the manual's pairs save.
fn saved_by_pairs(program: &[Instruction]) -> u64 {
    let mut loaded = None;
    let mut saved = 0;
    for one in program {
        let next = match one.action {
            Action::Transfer { load: true, rd, address, .. } => {
                saved += u64::from(loaded.is_some_and(|before| before != address.rn));
                Some(rd)
            }
            Action::Transfer { load: false, .. } => {
                saved += 1;
                None
            }
            _ => None,
        };
        loaded = next;
    }
    saved
}

/// Calls it with numbers of all kinds; cycles of the function, with pairs and without.
fn check(kernel: &Kernel, operation: Operation, words: usize) -> (u64, u64) {
    let program = Program::assemble(&CORE, 0, &kernel.program).unwrap();
    let function = Function {
        program: Arc::new(program),
        entry: 0,
        convention: &AAPCS,
        stack_limit: 1024,
        step_limit: 1_000_000,
    };
    let operand = |name, content: &[u32]| Buffer {
        name,
        length: content.len() as u32,
        content: Some(content.to_vec()),
        access: Access::Load,
        shares: None,
    };
    let mut random = Random::new(words as u64);
    let mut cycles = None;
    for call in 0..60 {
        let mut number = || match call {
            0 => vec![u32::MAX; words],
            1 => vec![0; words],
            _ if call % 3 == 0 => random.extreme_words(words),
            _ => random.words(words),
        };
        let a = number();
        let b = if operation == Operation::Sqr { a.clone() } else { number() };
        let length = 2 * words as u32;
        let mut buffers = vec![
            Buffer { name: "r", length, content: None, access: Access::Store, shares: None },
            operand("a", &a),
        ];
        if operation == Operation::Mul {
            buffers.push(operand("b", &b));
        }
        let finished = function.call_at(Concrete::new(), &buffers, call).unwrap();
        assert_eq!(finished.breaches, []);
        assert_eq!(finished.stack_bytes, kernel.stack_bytes);
        let result = finished.buffers[0].iter().map(|word| word.unwrap()).collect();
        assert_eq!(BigUint::new(result), BigUint::new(a) * BigUint::new(b), "{words} words");
        let own = finished.tally.cycles.max;
        assert_eq!(*cycles.get_or_insert(own), own);
    }
    let flat = cycles.unwrap();
    (flat - saved_by_pairs(&kernel.program), flat)
}

#[test]
fn products_and_squares_of_all_sizes() {
    let mut text = "words   product paired/flat   square paired/flat\n".to_owned();
    for words in (1..=8).chain([12, 16]).step_by(sample(3, 1)) {
        let figures = [Operation::Mul, Operation::Sqr].map(|operation| {
            let kernel = kernel(&CORE, operation, words, usize::MAX).unwrap();
            assert_eq!(kernel.accumulation, Some(Accumulation::Tied));
            let returns = kernel.program.iter().filter(|one| one.registers_written() >> PC & 1 == 1).count();
            assert_eq!(returns, 1);
            // there is nothing in it that the cores with these times lack
            assert!(kernel.program.iter().all(|one| encode(Level::V7em, one).is_ok()));
            let (paired, flat) = check(&kernel, operation, words);
            format!("{paired}/{flat}")
        });
        writeln!(text, "{words:5}   {:>19}   {:>18}", figures[0], figures[1]).unwrap();
    }
    if sample(0, 1) == 1 {
        insta::assert_snapshot!(text);
    } else {
        stand_in(&text, include_str!("snapshots/all__tied__products_and_squares_of_all_sizes.snap"));
    }
}

/// Where registers are few words go to the stack, or there is no way.
#[test]
fn few_registers() {
    for registers in [5, 7] {
        check(&kernel(&CORE, Operation::Mul, 6, registers).unwrap(), Operation::Mul, 6);
        check(&kernel(&CORE, Operation::Sqr, 6, registers).unwrap(), Operation::Sqr, 6);
    }
    assert!(matches!(kernel(&CORE, Operation::Mul, 4, 0), Err(LowerError::Tied { .. })));
    let lacking = core("arm7tdmi").unwrap();
    let refused = kernel(lacking, Operation::Mul, 4, usize::MAX);
    assert!(matches!(refused, Err(LowerError::Umaal { core: "arm7tdmi" })), "{refused:?}");
}
