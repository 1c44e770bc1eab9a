//! What holds for routines of all kinds: no way depends on a secret, and no register too many is used.

use crate::matrix::requests::{OPEN, Request, arm7tdmi};
use crate::matrix::run::{call_secretly, check_as};
use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::core;
use rhomb_arm::lower::{Accumulation, Kernel, LowerError, Making, general_registers, routine, routine_by};
use rhomb_kernel::{Form, Operation, Parameters, methods};

/// A few routines of every method that is made for the processor.
fn requests() -> Vec<Request> {
    let small = Parameters { cache: Some(1), rows: Some(2), carry_once: Some(2), ..OPEN };
    let mut all = Vec::new();
    for &operation in Operation::ALL {
        let is_made = |name: &str| !["strip", "software-products", "split"].contains(&name);
        for method in methods(operation).filter(|method| is_made(method.name)) {
            // a squaring has no loops over columns here: see below
            let scanned = |form: &Form| {
                (operation, method.name, *form) == (Operation::Sqr, "product-scanning", Form::Looped)
            };
            for form in method.forms.iter().filter(|form| !scanned(form)) {
                for words in [1, 3, 6, 12] {
                    all.push(Request { method, words, parameters: small, form: *form });
                }
            }
        }
    }
    all
}

#[test]
fn routines_take_the_same_way_for_all_operands() {
    for request in requests() {
        let columns = Making { accumulation: Some(Accumulation::Columns), ..Making::default() };
        let kernel = routine_by(&request.task(), arm7tdmi(), &AAPCS, &columns)
            .unwrap_or_else(|error| panic!("{request}: {error}"));
        call_secretly(arm7tdmi(), &request, &kernel);
    }
}

/// Registers beside the pointers that a routine changes.
fn used(kernel: &Kernel, operands: usize) -> usize {
    let written = kernel.program.iter().fold(0, |set, one| set | one.registers_written());
    let pointers = 1 << 13 | 1 << 15 | AAPCS.arguments[..=operands].iter().fold(0, |set, it| set | 1 << it);
    // LR is saved with the others and holds nothing where no other code writes it
    (written & !pointers).count_ones() as usize
}

#[test]
fn columns_use_no_more_registers_than_allowed() {
    let (mut made, mut refused) = (0, 0);
    for request in requests() {
        for registers in 2..=general_registers(&AAPCS) {
            let columns =
                Making { accumulation: Some(Accumulation::Columns), registers, ..Making::default() };
            match routine_by(&request.task(), arm7tdmi(), &AAPCS, &columns) {
                Ok(kernel) => {
                    made += 1;
                    let operands = request.method.operation.operands().len();
                    assert!(used(&kernel, operands) <= registers, "{request}: {registers}");
                    if registers % 4 == 3 {
                        check_as(&format!(" in {registers}"), arm7tdmi(), &request, &kernel, 2);
                    }
                }
                Err(LowerError::Registers { needed, available }) => {
                    refused += 1;
                    assert!(needed > available && available <= registers, "{request}: {needed} {available}");
                }
                Err(error) => panic!("{request}: {error}"),
            }
        }
    }
    assert!(made > 300 && refused > 100, "{made} {refused}");
}

#[test]
fn squarings_with_loops_over_columns_are_refused() {
    let request = Request { form: Form::Looped, ..Request::of(Operation::Sqr, "product-scanning", 4, OPEN) };
    let refused = routine(&request.task(), arm7tdmi(), &AAPCS);
    assert!(matches!(refused, Err(LowerError::ScannedSquaring)), "{refused:?}");
}

#[test]
fn methods_without_multiplier_are_refused() {
    for name in ["strip", "software-products"] {
        let request = Request { form: Form::Looped, ..Request::of(Operation::Mul, name, 4, OPEN) };
        let refused = routine(&request.task(), arm7tdmi(), &AAPCS);
        assert!(matches!(refused, Err(LowerError::Multiplier { .. })), "{refused:?}");
    }
}

/// What is not made with a constant time is refused, where it would not be constant anyway.
#[test]
fn constant_time_is_for_straight_lines_by_rows() {
    let few = Parameters { cache: Some(2), ..OPEN };
    let straight = Request::of(Operation::Mul, "product-scanning", 4, few);
    let looped = Request { form: Form::Looped, ..straight };
    let columns = Some(Accumulation::Columns);
    for (request, accumulation, what) in [(looped, None, "loops"), (straight, columns, "columns")] {
        let making = Making { accumulation, constant_time: true, ..Making::default() };
        let refused = routine_by(&request.task(), arm7tdmi(), &AAPCS, &making);
        assert_eq!(refused, Err(LowerError::ConstantTime { what }));
        let paper = core("arm7tdmi-paper").unwrap();
        let free = Making { constant_time: false, ..making };
        let made = [making, free].map(|making| routine_by(&request.task(), paper, &AAPCS, &making).unwrap());
        assert_eq!(made[0], made[1]);
    }
}
