//! Inversions, and products over GF(2), as programs that call the routines of straight lines.

use super::{Made, check, line_routine};
use rhomb_avr::conventions::{AVR_GCC, IAR};
use rhomb_avr::cores::{Core, core};
use rhomb_avr::instructions::{Instruction, Op};
use rhomb_avr::lower::{LowerError, line, program, routine as walk};
use rhomb_avr::{Function, Program};
use rhomb_contract::{Contract, Operation};
use rhomb_field::polynomial::composed;
use rhomb_field::program::{Argument, Routine, inversion, montgomery};
use rhomb_field::reduce::{by_argument, ways};
use rhomb_kernel::{Form, Parameters, Shape, method};
use rhomb_machine::Routine as _;
use rhomb_oracles::modular::{ARGUMENTS, PRODUCTS, argument, lines};
use std::sync::Arc;

/// The last one has routines out of the reach of RCALL from everywhere.
const INVERSIONS: [&str; 7] = [
    "modinv 2^192-2^64-1",
    "montinv 2^192-2^64-1",
    "modinv 2^255-19",
    "modinv 2^256-2^32-977",
    "modinv 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
    "montinv 0xfff1",
    "modinv 2^521-1",
];

fn code_of(contract: &Contract, core: &'static Core) -> Vec<Instruction> {
    let modular = contract.modular().unwrap();
    let all = ways(modular.operation, &modular.modulus.number(), 8).into_iter();
    let kernels = all.map(|way| line_routine(contract, &way.line, core).unwrap());
    kernels.min_by_key(|kernel| kernel.cycles).unwrap().program
}

fn function(core: &'static Core, code: &[Instruction]) -> Function {
    Function {
        program: Arc::new(Program::assemble(core, 0, code).unwrap()),
        entry: 0,
        convention: &AVR_GCC,
        stack_limit: core.sram.len() as u32,
        step_limit: 1 << 24,
    }
}

fn made(text: &str, core: &'static Core, has_squares: bool) -> Made {
    let contract: Contract = text.parse().unwrap();
    let own = inversion(&contract).unwrap();
    let routines: Vec<Vec<Instruction>> = own
        .routines
        .iter()
        .take(1 + usize::from(has_squares))
        .map(|routine| code_of(routine, core))
        .collect();
    let routines: Vec<&[Instruction]> = routines.iter().map(Vec::as_slice).collect();
    let code = program(&own.program(8, has_squares).unwrap(), &routines, core, &AVR_GCC).unwrap();
    let function = function(core, &code);
    let squares = if has_squares { "" } else { " without squares" };
    Made { name: format!("{} {contract} by {}{squares}", core.name, own.method), contract, function }
}

/// All inversions on a core.
pub(crate) fn inversions(core: &'static Core) -> Vec<Made> {
    let all = INVERSIONS.iter().map(|text| made(text, core, true));
    all.chain([made("modinv 2^192-2^64-1", core, false)]).collect()
}

/// Words of a comb.
const COMB: usize = 6;

/// Products over GF(2) on a core.
pub(crate) fn products(core: &'static Core) -> Vec<Made> {
    let product = |text: &&str| {
        let contract: Contract = text.parse().unwrap();
        let own = composed(contract.binary().unwrap(), 8, COMB).unwrap();
        let shortest = |routine| {
            let all = lines(routine, 8).into_iter().filter_map(|way| line(&way.line, core, &AVR_GCC).ok());
            all.map(|kernel| kernel.program).min_by_key(Vec::len).unwrap()
        };
        let routines: Vec<Vec<Instruction>> = own.routines.iter().map(shortest).collect();
        let routines: Vec<&[Instruction]> = routines.iter().map(Vec::as_slice).collect();
        let code = program(&own.program, &routines, core, &AVR_GCC).unwrap();
        let name = format!("{} {contract} by {}", core.name, own.method);
        Made { name, contract, function: function(core, &code) }
    };
    PRODUCTS.iter().map(product).collect()
}

/// Operations modulo a number that is an argument, on a core.
pub(crate) fn arguments(core: &'static Core) -> Vec<Made> {
    let shortest = |lines: &[rhomb_line::Line]| {
        let all = lines.iter().filter_map(|own| line(own, core, &AVR_GCC).ok());
        all.map(|kernel| kernel.program).min_by_key(Vec::len).unwrap()
    };
    let product = |contract: &Contract| {
        let words = contract.operands(8)[0] as usize;
        let parameters = Parameters::default();
        let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
        let task = method(contract.operation(), "operand-caching").and_then(|method| method.task(&shape));
        walk(&task.unwrap(), core, &AVR_GCC).unwrap().program
    };
    let made = |own: (Operation, u32)| {
        let contract = argument(own, 8);
        let words = contract.result(8) as usize;
        let way = Argument { words, bits: 8, division: None, product: None };
        let code = match montgomery(own.0, &way).unwrap() {
            Routine::Lines(lines) => shortest(&lines),
            Routine::Called(called) => {
                let routine = |own: &Routine| match own {
                    Routine::Lines(lines) => shortest(lines),
                    Routine::Kept(contract) => product(contract),
                    Routine::Called(_) => panic!("a program in a program"),
                };
                let routines: Vec<Vec<Instruction>> = called.routines.iter().map(routine).collect();
                let routines: Vec<&[Instruction]> = routines.iter().map(Vec::as_slice).collect();
                program(&called.program, &routines, core, &AVR_GCC).unwrap()
            }
            Routine::Kept(_) => panic!("a product"),
        };
        Made { name: format!("{} {contract}", core.name), contract, function: function(core, &code) }
    };
    ARGUMENTS.into_iter().map(made).collect()
}

#[test]
fn moduli_that_are_arguments_in_constant_time() {
    arguments(core("atmega128").unwrap()).iter().for_each(|made| _ = check(made));
    let lines = by_argument(4, 8);
    assert!(lines.iter().all(|own| line(own, core("attiny85").unwrap(), &AVR_GCC).is_err()));
}

#[test]
fn products_keep_their_contracts_in_constant_time() {
    products(core("atmega128").unwrap()).iter().for_each(|made| _ = check(made));
}

fn count(made: &Made, op: Op) -> usize {
    let program = &made.function.program;
    let end = program.words().len() as u32;
    (0..end).filter(|at| program.instruction(*at).is_ok_and(|(one, _)| one.op == op)).count()
}

#[test]
fn inversions_keep_their_contracts_in_constant_time() {
    let mut most = 0;
    for name in ["atmega128", "avr128da48", "atmega2560"] {
        let core = core(name).unwrap();
        for made in inversions(core) {
            // all cores with some of them
            if name == "atmega128" || made.contract.to_string().contains("192") {
                most = most.max(check(&made));
            }
        }
    }
    assert!(most > 7_000_000, "{most}");
}

/// Routines that are near are called by a distance, and others by an address, where the core can.
#[test]
fn calls_by_distance_and_by_address() {
    let core_with = core("atmega128").unwrap();
    let near = made("montinv 0xfff1", core_with, true);
    assert_eq!(count(&near, Op::Call), 0);
    let far = made("modinv 2^521-1", core_with, true);
    // a product, and in it that before the reduction, and what squares twice in each loop
    assert!(count(&far, Op::Call) > 10 && count(&far, Op::Rcall) > 10);
    let own = inversion(&"modinv 2^192-2^64-1".parse().unwrap()).unwrap();
    let own = own.program(8, false).unwrap();
    let long = vec![Instruction::new(Op::Nop); 3000];
    let tiny = core("attiny85").unwrap();
    assert!(program(&own, &[&long], tiny, &AVR_GCC).is_ok());
    let two = inversion(&"modinv 2^192-2^64-1".parse().unwrap()).unwrap().program(8, true).unwrap();
    let refused = program(&two, &[&long, &long], tiny, &AVR_GCC);
    assert!(matches!(refused, Err(LowerError::Unmade { what }) if what.contains("RCALL")), "{refused:?}");
    assert!(program(&two, &[&long, &long], core_with, &AVR_GCC).is_ok());
    // Y must not change
    assert!(matches!(program(&own, &[&long], core_with, &IAR), Err(LowerError::Unmade { .. })));
}

/// The frame is in what a call takes of the stack, besides what it calls.
#[test]
fn frames_are_counted() {
    let made = made("modinv 2^192-2^64-1", core("atmega128").unwrap(), true);
    let contract = &made.contract;
    let content = vec![vec![3u8; 24]];
    let buffers = contract.buffers(8, &contract.patterns()[0], &content);
    let finished = made.function.call(rhomb_machine::Concrete::<u8>::new(), &buffers).expect("it returns");
    let own = inversion(contract).unwrap().program(8, true).unwrap();
    let frame: usize = own.slots.iter().sum();
    assert!(finished.stack_bytes as usize > frame + 7 + 48, "{} {frame}", finished.stack_bytes);
    assert!((finished.stack_bytes as usize) < frame + 7 + 48 + 64, "{} {frame}", finished.stack_bytes);
}
