//! Straight lines of operations modulo numbers and over GF(2), from their bytes: against big integers, the contract kept, and
//! with the feature `oracles` on unicorn, and on the ARMulator or rp2040js with the cycles that they must take.

#[cfg(feature = "oracles")]
mod oracles;
mod programs;

use rhomb_arm::conventions::{AAPCS, Convention};
use rhomb_arm::cores::{Core, core};
use rhomb_arm::lower::{
    Accumulation, Kernel, LowerError, Making, halves, is_in_halves, line, line_by_products, placed, reduced,
    routine_by,
};
use rhomb_arm::{Function, Program};
use rhomb_contract::{Contract, Expression};
use rhomb_field::reduce::{self, Way, ways_by_blocks};
use rhomb_field::ways;
use rhomb_kernel::{Form, Operation, Parameters, Shape, Task, method};
use rhomb_oracles::modular::{contracts, most_cycles};
use rhomb_oracles::{Rp2040js, parallel};
use std::sync::{Arc, LazyLock};

/// A routine, and what it promises.
struct Made {
    name: String,
    contract: Contract,
    function: Function,
}

/// All routines on a core.
fn all(core: &'static Core) -> Vec<Made> {
    contracts().iter().flat_map(|contract| all_of(contract, core)).collect()
}

/// Those of a contract.
fn all_of(contract: &Contract, core: &'static Core) -> Vec<Made> {
    let product = product(contract, core);
    let all = ways(contract, 32).into_iter();
    all.map(|Way { method, line: own }| {
        made(contract, method, core, line(&own, product.as_ref(), core, &AAPCS))
    })
    .collect()
}

/// Where it lies; in Thumb state that is RAM on rp2040js.
fn entry(core: &Core) -> u32 {
    if core.thumb.is_some() { Rp2040js::CODE } else { 0x8000 }
}

fn made(contract: &Contract, method: &str, core: &'static Core, kernel: Result<Kernel, LowerError>) -> Made {
    let name = format!("{} {contract} by {method}", core.name);
    let kernel = kernel.unwrap_or_else(|error| panic!("{name}: {error}"));
    let code = placed(core, &kernel.program).unwrap();
    let function = Function {
        program: Arc::new(Program::assemble(core, entry(core), &code).unwrap()),
        entry: entry(core),
        convention: &AAPCS,
        stack_limit: kernel.stack_bytes,
        step_limit: 1 << 24,
    };
    Made { name, contract: *contract, function }
}

/// Moduli of which all operations are made of products of half words here; of others, what needs no product.
const MULTIPLIED: [&str; 2] = ["2^255-19", "0xfffb"];

/// Routines of products of half words on a core.
fn of_halves(core: &'static Core) -> Vec<Made> {
    let is_wanted = |contract: &Contract| {
        task(contract).is_none() || MULTIPLIED.iter().any(|own| contract.to_string().ends_with(own))
    };
    let contracts = contracts().into_iter().filter(is_wanted);
    let wanted =
        contracts.flat_map(|contract| ways(&contract, 32).into_iter().map(move |way| (contract, way)));
    let made = |(contract, Way { method, line }): &(Contract, Way)| {
        let product = task(contract);
        let own = is_in_halves(line, product.is_some(), core).then(|| {
            let kernel = halves::line(line, product.as_ref(), core, &AAPCS);
            made(contract, method, core, kernel)
        })?;
        Some(Made { name: own.name.clone() + if core.is_small() { "" } else { ", constant" }, ..own })
    };
    // it takes long to search for them
    parallel::each(&wanted.collect::<Vec<_>>(), made).into_iter().flatten().collect()
}

/// Those of ARMv6-M, and of the Cortex-M3 where nothing takes a time of its own.
static OF_HALVES: LazyLock<[(&str, &Core, Vec<Made>); 2]> = LazyLock::new(|| {
    let [plus, three] = ["cortex-m0plus", "cortex-m3"].map(|name| core(name).unwrap());
    [("M0", plus), ("M3", three.constant.unwrap())].map(|(model, core)| (model, core, of_halves(core)))
});

/// Products and squares in one with what reduces them, where a core has UMAAL, those whose orders were searched for.
fn in_one(core: &'static Core) -> Vec<Made> {
    let by = [
        ("modmul 2^255-19", "top-fold"),
        ("modsqr 2^255-19", "top-fold"),
        ("modmul 2^256-2^32-977", "column-fold"),
        ("modsqr 2^256-2^32-977", "column-fold"),
        ("montmul 2^256-2^224+2^192+2^96-1", "next-division"),
        ("montsqr 2^256-2^224+2^192+2^96-1", "next-division"),
        ("modmul 2^192-2^64-1", "highest-first"),
        ("modsqr 2^192-2^64-1", "highest-first"),
        ("montmul 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", "column-fold"),
        ("montsqr 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", "column-fold"),
    ];
    let made_by = |(contract, method): (&str, &str)| {
        let contract: Contract = contract.parse().unwrap();
        let task = task(&contract).unwrap();
        let modular = contract.modular().unwrap();
        let own =
            [reduce::ways, ways_by_blocks].map(|ways| ways(modular.operation, &modular.modulus.number(), 32));
        let kernels = own.into_iter().flatten().filter(|way| way.method == method);
        let kernel =
            kernels.filter_map(|way| reduced(&task, &way.line, core, &AAPCS)).min_by_key(|own| own.cycles);
        made(&contract, method, core, kernel.ok_or(LowerError::Tied { registers: 14 }))
    };
    by.map(made_by).into()
}

/// Lines that no product stands before, by products that take two words, where a core has UMAAL.
fn by_products(core: &'static Core) -> Vec<Made> {
    let texts = [
        "modadd 2^255-19",
        "modadd 2^255-19 b*121665",
        "modadd 2^255-19 a*3",
        "modaddsub 2^255-19",
        "modreduce 2^255-19",
        "modreduce 2^256-2^32-977",
        "montreduce 2^256-2^224+2^192+2^96-1",
    ];
    let made_by = |text: &str| {
        let contract: Contract = text.parse().unwrap();
        let modular = contract.modular().unwrap();
        let more = match modular.is_plain() {
            true => ways_by_blocks(modular.operation, &modular.modulus.number(), 32),
            false => Vec::new(),
        };
        let kernels = ways(&contract, 32).into_iter().chain(more);
        let kernels = kernels.filter_map(|way| line_by_products(&way.line, core, &AAPCS));
        let kernel = kernels.min_by_key(|own| own.cycles);
        made(&contract, "products", core, kernel.ok_or(LowerError::Tied { registers: 14 }))
    };
    texts.map(made_by).into()
}

/// The product that comes first, by columns, which are made quickly.
fn product(contract: &Contract, core: &'static Core) -> Option<Kernel> {
    let task = task(contract)?;
    let making = Making { accumulation: Some(Accumulation::Columns), ..Making::default() };
    let inner = Convention { saved: 0, ..AAPCS };
    Some(routine_by(&task, core, &inner, &making).unwrap())
}

fn task(contract: &Contract) -> Option<Task> {
    let operation = match contract.expression() {
        _ if contract.binary().is_some() => return None,
        Expression::Product => Operation::Mul,
        Expression::Square => Operation::Sqr,
        _ => return None,
    };
    let words = contract.operands(32)[0] as usize;
    let parameters = Parameters { cache: Some(1), ..Parameters::default() };
    let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
    method(operation, "product-scanning").and_then(|method| method.task(&shape))
}

/// Calls it with all operands, the result apart and in the place of operands; the most cycles.
fn check(made: &Made) -> u64 {
    let Made { name, contract, function } = made;
    let cycles = most_cycles(name, contract, function, 8);
    let code: Vec<u8> = function.program.words().iter().flat_map(|half| half.to_le_bytes()).collect();
    crate::LEDGER.check(name, cycles, &code);
    cycles
}

#[test]
fn every_operation_keeps_its_contract() {
    for name in ["arm7tdmi", "arm9ej-s"].into_iter().take(rhomb_oracles::sample(1, 2)) {
        for made in all(core(name).unwrap()) {
            check(&made);
        }
    }
    OF_HALVES.iter().flat_map(|(.., all)| all).for_each(|made| _ = check(made));
    for name in ["cortex-m4", "cortex-m4f"] {
        let core = core(name).unwrap();
        in_one(core).iter().chain(&by_products(core)).for_each(|made| _ = check(made));
    }
}

/// Cycles that these operations must not exceed.
#[test]
fn figures() {
    for (contract, most) in [("modadd 2^192-2^64-1", 85), ("modreduce 2^192-2^64-1", 114)] {
        let contract: Contract = contract.parse().unwrap();
        let least = all_of(&contract, core("arm7tdmi").unwrap()).iter().map(check).min().unwrap();
        assert!(least <= most, "{contract}: {least}");
    }
}
