//! Inversions, and products over GF(2), as programs that call the routines of straight lines.

use super::{Made, check, entry, product, task};
use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::{Core, core};
use rhomb_arm::instructions::Instruction;
use rhomb_arm::lower::{Accumulation, Making, halves, is_in_halves, line, placed, program, routine_by};
use rhomb_arm::{Function, Program};
use rhomb_contract::{Contract, Operation};
use rhomb_field::polynomial::composed;
use rhomb_field::program::{Argument, Place, Routine, Step, inversion, montgomery};
#[cfg(feature = "oracles")]
use rhomb_field::program::{Blocks, Exponent, Exponentiation, Products, exponentiation};
use rhomb_field::reduce::ways;
use rhomb_kernel::{Form, Parameters, Shape, method};
use rhomb_line::Line;
use rhomb_oracles::modular::{ARGUMENTS, PRODUCTS, argument, lines};
use std::sync::Arc;

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
    let way = ways(modular.operation, &modular.modulus.number(), 32).remove(0);
    let kernel = if core.is_small() {
        halves::line(&way.line, task(contract).as_ref(), core, &AAPCS)
    } else {
        line(&way.line, product(contract, core).as_ref(), core, &AAPCS)
    };
    placed(core, &kernel.unwrap().program).unwrap()
}

fn function(core: &'static Core, code: &[Instruction]) -> Function {
    Function {
        program: Arc::new(Program::assemble(core, entry(core), &placed(core, code).unwrap()).unwrap()),
        entry: entry(core),
        convention: &AAPCS,
        stack_limit: 1 << 12,
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
    let code = program(&own.program(32, has_squares).unwrap(), &routines, core, (&AAPCS, false)).unwrap();
    let squares = if has_squares { "" } else { " without squares" };
    let name = format!("{} {contract} by {}{squares}", core.name, own.method);
    Made { name, contract, function: function(core, &code) }
}

/// All inversions on a core.
pub(crate) fn inversions(core: &'static Core) -> Vec<Made> {
    let all = INVERSIONS.iter().map(|text| made(text, core, true));
    all.chain([made("modinv 2^192-2^64-1", core, false)]).collect()
}

/// Inversions on a core of ARMv6-M.
#[cfg(feature = "oracles")]
pub(crate) fn inversions_of_halves() -> Vec<Made> {
    let core = core("cortex-m0plus").unwrap();
    ["modinv 2^255-19", "montinv 0xfff1"].map(|text| made(text, core, true)).into()
}

/// Words of a comb whose operands stay in registers, and of one whose operands do not.
const COMBS: [usize; 2] = [3, 6];

/// Products over GF(2) on a core.
pub(crate) fn products(core: &'static Core) -> Vec<Made> {
    let product = |(most, text): (usize, &&str)| {
        let contract: Contract = text.parse().unwrap();
        let own = composed(contract.binary().unwrap(), 32, most).unwrap();
        let shortest = |routine| {
            let all =
                lines(routine, 32).into_iter().filter_map(|way| line(&way.line, None, core, &AAPCS).ok());
            all.map(|kernel| kernel.program).min_by_key(Vec::len).unwrap()
        };
        let routines: Vec<Vec<Instruction>> = own.routines.iter().map(shortest).collect();
        let routines: Vec<&[Instruction]> = routines.iter().map(Vec::as_slice).collect();
        let code = program(&own.program, &routines, core, (&AAPCS, false)).unwrap();
        let name = format!("{} {contract} by {}", core.name, own.method);
        Made { name, contract, function: function(core, &code) }
    };
    let long = PRODUCTS.iter().filter(|text| text.contains("x^191")).map(|text| (COMBS[1], text));
    PRODUCTS.iter().map(|text| (COMBS[0], text)).chain(long).map(product).collect()
}

/// The code of a routine of a program.
fn routine(own: &Routine, core: &'static Core) -> Vec<Instruction> {
    match own {
        Routine::Lines(lines) => {
            let of_line = |own: &Line| match is_in_halves(own, false, core) {
                true => halves::line(own, None, core, &AAPCS),
                false => line(own, None, core, &AAPCS),
            };
            let all = lines.iter().filter_map(|own| of_line(own).ok());
            all.map(|kernel| kernel.program).min_by_key(Vec::len).unwrap()
        }
        Routine::Kept(contract) => {
            let words = contract.operands(32)[0] as usize;
            let (name, cache, accumulation) = match contract.operation() {
                Operation::Sub => ("carry-chain", None, None),
                _ => ("product-scanning", Some(1), Some(Accumulation::Columns)),
            };
            let parameters = Parameters { cache, ..Parameters::default() };
            let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
            let task = method(contract.operation(), name).and_then(|method| method.task(&shape));
            let making = Making { accumulation, ..Making::default() };
            routine_by(&task.unwrap(), core, &AAPCS, &making).unwrap().program
        }
        Routine::Called(called) => {
            let made = |own: &Routine| placed(core, &routine(own, core)).unwrap();
            let routines: Vec<Vec<Instruction>> = called.routines.iter().map(made).collect();
            let routines: Vec<&[Instruction]> = routines.iter().map(Vec::as_slice).collect();
            program(&called.program, &routines, core, (&AAPCS, false)).unwrap()
        }
    }
}

/// b^e mod n of numbers of so many words, all arguments, by blocks of so many words or in straight lines.
#[cfg(feature = "oracles")]
pub(crate) fn power(words: usize, block: Option<usize>, core: &'static Core) -> Made {
    let blocks = block.map(|block| Blocks { words, bits: 32, block, products: Products::Apart });
    let argument = Argument { words, bits: 32, division: blocks, product: blocks };
    let exponent = Exponent::Argument { window: 3 };
    let own = exponentiation(&Exponentiation { argument, is_double: false, exponent }).unwrap();
    let code = routine(&Routine::Called(Box::new(own)), core);
    // that of another operation with such a result
    let contract = rhomb_oracles::modular::argument((Operation::MontMul, 32 * words as u32), 32);
    Made { name: format!("{} modexp of {words} words", core.name), contract, function: function(core, &code) }
}

/// Operations modulo a number that is an argument, on a core.
pub(crate) fn arguments(core: &'static Core) -> Vec<Made> {
    let made = |own: (Operation, u32)| {
        let contract = argument(own, 32);
        let words = contract.result(32) as usize;
        let way = Argument { words, bits: 32, division: None, product: None };
        let code = routine(&montgomery(own.0, &way).unwrap(), core);
        Made { name: format!("{} {contract}", core.name), contract, function: function(core, &code) }
    };
    ARGUMENTS.into_iter().map(made).collect()
}

#[test]
fn moduli_that_are_arguments() {
    for name in ["arm7tdmi", "arm9ej-s"] {
        arguments(core(name).unwrap()).iter().for_each(|made| _ = check(made));
    }
}

#[test]
fn products_keep_their_contracts() {
    for name in ["arm7tdmi", "arm9ej-s"] {
        products(core(name).unwrap()).iter().for_each(|made| _ = check(made));
    }
}

#[test]
fn inversions_keep_their_contracts() {
    for name in ["arm7tdmi", "arm9ej-s"] {
        for made in inversions(core(name).unwrap()) {
            check(&made);
        }
    }
}

/// Loops in loops, and more turns than a counter counts: a power of two, of which only the exponent is large.
#[test]
fn loops_in_loops() {
    let core = core("arm7tdmi").unwrap();
    let contract: Contract = "montinv 0xfff1".parse().unwrap();
    let mut own = inversion(&contract).unwrap().program(32, true).unwrap();
    let square = |to, from| Step::Call { routine: 1, to, operands: vec![from] };
    let (one, other) = (Place::Slot(0), Place::Slot(1));
    let there_and_back = vec![square(other, one), square(one, other)];
    let inner = Step::Repeat { times: 3, steps: there_and_back };
    let outer = Step::Repeat { times: 600, steps: vec![inner] };
    own.steps = vec![square(one, Place::Operand(0)), outer, square(Place::Result, one)];
    assert_eq!(own.calls(), [0, 2 + 3600]);
    let (mul, sqr) = ("modmul 0xfff1".parse().unwrap(), "modsqr 0xfff1".parse().unwrap());
    let routines = [code_of(&mul, core), code_of(&sqr, core)];
    let routines: Vec<&[Instruction]> = routines.iter().map(Vec::as_slice).collect();
    let function = function(core, &program(&own, &routines, core, (&AAPCS, false)).unwrap());
    for operand in [0u32, 1, 2, 0xfff0, 0xfff1, 0x1234_5678] {
        let buffers = contract.buffers(32, &contract.patterns()[0], &[vec![operand]]);
        let finished =
            rhomb_machine::Routine::call(&function, rhomb_machine::Concrete::<u32>::new(), &buffers);
        let result = finished.unwrap().buffers[0].iter().map(|word| word.unwrap()).next().unwrap();
        let mut wanted = u64::from(operand) % 0xfff1;
        (0..3602).for_each(|_| wanted = wanted * wanted % 0xfff1);
        assert_eq!(u64::from(result) % 0xfff1, wanted, "{operand}");
    }
}
