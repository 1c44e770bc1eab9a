//! Every check of `run` notices the fault that it is there for.

use crate::matrix::case::{Case, cases};
use crate::matrix::mutants::{
    Mutant, Through, access, adds_high_half, after_set_up, originals, slow_if_carry, store_past_the_end,
    stores,
};
use crate::matrix::routine::{Routine, static_cycles};
use crate::matrix::run::{Failure, call};
use crate::matrix::simulate::random_cases;
use rhomb_avr::cores::core;
use rhomb_avr::instructions::{Instruction, Op};
use rhomb_machine::{Access, Fault};

fn routine(mutant: &Mutant) -> Routine {
    let core = core("atmega128").unwrap();
    Routine::raw(core, mutant.words, &mutant.instructions, mutant.stack_bytes).unwrap()
}

/// The inputs that the matrix would take.
fn inputs(routine: &Routine) -> Vec<Case> {
    cases(routine, 1, random_cases(routine.words))
}

/// The first failure that the matrix would report.
fn failure(mutant: &Mutant) -> Option<Failure> {
    let routine = routine(mutant);
    inputs(&routine).iter().find_map(|case| call(&routine, case).err())
}

/// Breaks all kernels in one way and expects that failure.
fn check(what: &str, change: impl Fn(&Mutant, &mut Vec<Instruction>), expected: impl Fn(&Failure) -> bool) {
    for original in originals() {
        let mutant = original.with(what, |code| change(&original, code));
        match failure(&mutant) {
            Some(failure) => assert!(expected(&failure), "{}: {failure:?}", mutant.what),
            None => panic!("{} is not noticed", mutant.what),
        }
    }
}

fn fault(failure: &Failure) -> Option<&Fault> {
    match failure {
        Failure::Fault(fault) => Some(fault),
        _ => None,
    }
}

#[test]
fn the_kernels_are_right_before_they_are_broken() {
    for original in originals() {
        assert_eq!(failure(&original), None, "{}", original.what);
    }
}

#[test]
fn a_wrong_product_is_noticed() {
    let product = |failure: &Failure| matches!(failure, Failure::Product { .. });
    check("carry lost", |kernel, code| code[kernel.last(adds_high_half)].op = Op::Add, product);
    let twice = |kernel: &Mutant, code: &mut Vec<Instruction>| {
        let at = kernel.last(adds_high_half);
        code.insert(at, code[at]);
    };
    check("a half added twice", twice, product);
}

#[test]
fn a_saved_register_that_is_not_restored_is_noticed() {
    let saved = |failure: &Failure| matches!(failure, Failure::Saved(_));
    check(
        "neither saved nor restored",
        |kernel, code| {
            code.remove(kernel.last(|it| it.op == Op::Pop));
            code.remove(kernel.first(|it| it.op == Op::Push));
        },
        saved,
    );
    check(
        "restored in the order of saving",
        |kernel, code| {
            let pushes = kernel.last(|it| it.op == Op::Push) + 1;
            code[..pushes].reverse();
        },
        saved,
    );
}

#[test]
fn an_unbalanced_stack_is_noticed() {
    check(
        "saved, not restored",
        |kernel, code| {
            code.remove(kernel.last(|it| it.op == Op::Pop));
        },
        |failure| matches!(fault(failure), Some(Fault::BadReturn { .. } | Fault::NoInstruction { .. })),
    );
    check(
        "no return",
        |_, code| {
            code.pop();
        },
        |failure| matches!(fault(failure), Some(Fault::NoInstruction { .. })),
    );
}

#[test]
fn more_stack_than_stated_is_noticed() {
    let beyond =
        |failure: &Failure| matches!(fault(failure), Some(Fault::NotOwned { access: Access::Store, .. }));
    check(
        "one more register saved",
        |kernel, code| {
            code.insert(kernel.first(|it| it.op == Op::Pop), Instruction::dk(Op::Pop, 18, 0));
            code.insert(0, Instruction::rk(Op::Push, 18, 0));
        },
        beyond,
    );
}

#[test]
fn a_dirty_zero_register_is_noticed() {
    let zero = Instruction::dr(Op::Eor, 1, 1);
    check(
        "zero register not restored",
        |kernel, code| {
            code.remove(kernel.last(|it| *it == zero));
        },
        |failure| *failure == Failure::Zero,
    );
}

#[test]
fn a_store_beside_the_result_is_noticed() {
    let beyond =
        |failure: &Failure| matches!(fault(failure), Some(Fault::NotOwned { access: Access::Store, .. }));
    check("a byte stored past the end", store_past_the_end, beyond);
}

#[test]
fn a_byte_that_is_never_stored_is_noticed() {
    check(
        "last byte not stored",
        |kernel, code| {
            code.remove(kernel.last(stores));
        },
        |failure| matches!(failure, Failure::NotStored(_)),
    );
}

#[test]
fn a_store_to_an_operand_and_a_load_beside_one_are_noticed() {
    let insert = |argument: u8, what: Through| {
        move |kernel: &Mutant, code: &mut Vec<Instruction>| {
            code.insert(after_set_up(kernel), access(kernel, argument, what));
        }
    };
    for argument in [20, 22] {
        check("store to an operand", insert(argument, Through::Store), |failure| {
            matches!(fault(failure), Some(Fault::ReadOnly { .. }))
        });
        check("load before an operand", insert(argument, Through::LoadBefore), |failure| {
            matches!(fault(failure), Some(Fault::NotOwned { access: Access::Load, .. }))
        });
    }
    check("load of the result before a store", insert(24, Through::Load), |failure| {
        matches!(fault(failure), Some(Fault::Uninitialised { .. }))
    });
}

#[test]
fn what_the_convention_leaves_undefined_may_not_be_read() {
    let undefined = |failure: &Failure| matches!(fault(failure), Some(Fault::Undefined { .. }));
    for register in [0, 18, 19] {
        check(
            "undefined register read",
            |kernel, code| {
                code.insert(after_set_up(kernel), Instruction::dr(Op::Cp, 1, register));
            },
            undefined,
        );
    }
    check(
        "undefined carry read",
        |kernel, code| {
            code.insert(after_set_up(kernel), Instruction::dr(Op::Adc, 1, 1));
        },
        undefined,
    );
    let zero_cleared = |it: &Instruction| it.op == Op::Eor && it.d != 1;
    check(
        "no zero made",
        |kernel, code| {
            code.remove(kernel.first(zero_cleared));
        },
        |failure| {
            // in a register that comes in undefined, or in one that somebody else's value is in
            matches!(failure, Failure::Fault(Fault::Undefined { .. }) | Failure::Product { .. })
        },
    );
}

#[test]
fn cycles_that_depend_on_data_are_noticed() {
    check(
        "branch on a carry",
        |kernel, code| code.insert(kernel.last(adds_high_half), slow_if_carry()),
        |failure| matches!(failure, Failure::Cycles { .. }),
    );
    let original = &originals()[0];
    let mut wrong = routine(original);
    wrong.cycles = static_cycles(wrong.core(), &original.instructions) + 1;
    let case = &inputs(&wrong)[0];
    assert!(matches!(call(&wrong, case), Err(Failure::Cycles { .. })));
}

#[test]
fn words_that_are_no_instruction_are_noticed() {
    let core = core("atmega128").unwrap();
    assert!(rhomb_avr::Program::strict(core, 0, &[0x0000, 0x0001, 0x9508]).is_err());
}

#[test]
fn no_single_change_of_an_instruction_goes_unnoticed() {
    let (mut count, mut unnoticed) = (0, Vec::new());
    for original in originals() {
        let changes = original
            .without_one()
            .chain(original.with_lost_carry())
            .chain(original.with_one_byte_further())
            .chain(original.with_other_half());
        for mutant in changes {
            count += 1;
            if failure(&mutant).is_none() {
                unnoticed.push(mutant.what);
            }
        }
    }
    println!("{count} mutants");
    assert!(unnoticed.is_empty(), "{} of {count}:\n{}", unnoticed.len(), unnoticed.join("\n"));
}
