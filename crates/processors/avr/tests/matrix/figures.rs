//! Body cycles: floors that must hold, and a table of all figures that shows every change in review.

use crate::matrix::kernels::Request;
use crate::matrix::routine::{body, decoded, static_cycles};
use crate::matrix::simulate::check;
use rhomb_avr::cores::core;
use rhomb_avr::instructions::{Class, Instruction};
use rhomb_kernel::{Operation, Parameter, Parameters};
use rhomb_oracles::{sample, stand_in};
use std::fmt::Write;

const OPEN: Parameters = Parameters::OPEN;

/// What a routine costs.
struct Figures {
    body: u64,
    function: u64,
    load: usize,
    store: usize,
    multiply: usize,
    add: usize,
    other: usize,
    code_bytes: usize,
    stack_bytes: u32,
}

/// Figures on atmega128, of the decoded bytes; `None` where the registers do not last.
fn figures(request: &Request) -> Option<Figures> {
    let core = core("atmega128").unwrap();
    let routine = request.routine(core, &request.fits(core)?);
    let instructions = decoded(&routine.program);
    let body: &[Instruction] = body(&instructions);
    let count = |class| body.iter().filter(|instruction| instruction.op.row().class == class).count();
    Some(Figures {
        body: static_cycles(core, body),
        function: routine.cycles,
        load: count(Class::Load),
        store: count(Class::Store),
        multiply: count(Class::Multiply),
        add: count(Class::Add),
        other: count(Class::Other),
        code_bytes: 2 * routine.program.words().len(),
        stack_bytes: routine.stack_bytes,
    })
}

fn caching(cache: usize, bits: usize) -> Request {
    let parameters = Parameters { cache: Some(cache), carry_once: Some(2), ..OPEN };
    Request::new("operand-caching", bits / 8, parameters)
}

/// Kernels and the body cycles that a prototype reached.
pub(crate) fn floors() -> Vec<(Request, u64)> {
    let by_cache = [
        (10, [2340, 3395, 6007, 24035, 96005]),
        (8, [2445, 3501, 6224, 24886, 99468]),
        (4, [2851, 4106, 7300, 29216, 116_846]),
        (2, [3688, 5314, 9454, 37894, 151_654]),
    ];
    let mut floors = Vec::new();
    for (cache, cycles) in by_cache {
        for (bits, floor) in [160, 192, 256, 512, 1024].into_iter().zip(cycles) {
            let mut request = caching(cache, bits);
            if (cache, bits) == (10, 256) {
                request.parameters.initial_block = Some(12);
            }
            floors.push((request, floor));
        }
    }
    let others = [
        ("hybrid", Parameters { rows: Some(4), ..OPEN }, 2629),
        ("product-scanning", Parameters { cache: Some(1), ..OPEN }, 3677),
        ("product-scanning", Parameters { cache: Some(10), ..OPEN }, 2635),
        ("operand-scanning", Parameters { cache: Some(1), carry_once: Some(2), ..OPEN }, 5163),
    ];
    floors.extend(others.map(|(name, parameters, floor)| (Request::new(name, 20, parameters), floor)));
    floors
}

#[test]
fn kernels_take_no_more_cycles_than_the_prototype() {
    for (request, floor) in floors() {
        let body = figures(&request).unwrap().body;
        assert!(body <= floor, "{request}: {body} cycles, {floor} were possible");
    }
}

#[test]
fn operand_caching_at_160_bits_takes_70_loads_and_60_stores() {
    let figures = figures(&caching(10, 160)).unwrap();
    assert!(figures.load <= 70, "{} loads", figures.load);
    assert!(figures.store <= 60, "{} stores", figures.store);
}

/// The parameters whose figures are written down.
fn choices() -> Vec<(&'static str, Parameters)> {
    let cached = |cache| Parameters { cache: Some(cache), ..OPEN };
    let mut choices = Vec::new();
    for cache in [1, 2, 4, 10] {
        for carry_once in [1, 2, 3, 4, 8, 14, 19] {
            let parameters = Parameters { carry_once: Some(carry_once), ..cached(cache) };
            choices.push(("operand-scanning", parameters));
        }
    }
    choices.extend((1..=10).map(|cache| ("product-scanning", cached(cache))));
    choices.extend((1..=7).map(|rows| ("hybrid", Parameters { rows: Some(rows), ..OPEN })));
    for cache in 1..=10 {
        for carry_once in 1..=4 {
            let parameters = Parameters { carry_once: Some(carry_once), ..cached(cache) };
            choices.push(("operand-caching", parameters));
        }
    }
    for block in [0, 2, 4, 6, 8, 10, 11, 12, 13, 14, 16] {
        choices.push(("operand-caching", Parameters { initial_block: Some(block), ..cached(10) }));
    }
    choices
}

fn label(name: &str, parameters: &Parameters) -> String {
    let mut label = format!("{name:16}");
    for parameter in Parameter::ALL {
        if let Some(value) = parameter.of(parameters) {
            let _ = write!(label, " {}={value}", parameter.name());
        }
    }
    label
}

fn squaring(name: &str, bits: usize, parameters: Parameters) -> Request {
    Request::of(Operation::Sqr, name, bits / 8, parameters)
}

/// Function cycles that a prototype or other people's code reached.
#[test]
fn squarings_are_as_fast_as_known() {
    let scanning = [(64, 330), (80, 450), (96, 586), (128, 928), (160, 1356), (192, 1908)];
    for (bits, most) in scanning {
        let figures = figures(&squaring("product-scanning", bits, OPEN)).unwrap();
        assert!(figures.function <= most, "{bits} bits: {} > {most}", figures.function);
    }
    let caching = [(256, 3302), (512, 12695)];
    for (bits, most) in caching {
        let figures = figures(&squaring("operand-caching", bits, OPEN)).unwrap();
        assert!(figures.body <= most, "{bits} bits: {} > {most}", figures.body);
    }
}

#[test]
fn function_cycles_of_squarings_are_the_ones_written_down() {
    const BITS: [usize; 12] = [8, 16, 32, 64, 80, 96, 128, 160, 192, 224, 256, 512];
    let mut table = format!("{:50}", "squaring, function cycles on atmega128, by bits");
    BITS.iter().for_each(|bits| table += &format!("{bits:>7}"));
    table.push('\n');
    let batches = (1..=4).map(|batch| ("product-scanning", Parameters { batch: Some(batch), ..OPEN }));
    let caches = (4..=11).map(|cache| ("operand-caching", Parameters { cache: Some(cache), ..OPEN }));
    for (name, parameters) in batches.chain(caches) {
        let _ = write!(table, "{:50}", label(name, &parameters));
        for bits in BITS {
            let cell = figures(&squaring(name, bits, parameters));
            let cell = cell.map_or("-".to_owned(), |figures| figures.function.to_string());
            let _ = write!(table, "{cell:>7}");
        }
        table.push('\n');
    }
    insta::assert_snapshot!("squaring_cycles", table);
}

#[test]
fn body_cycles_by_size_are_the_ones_written_down() {
    const BITS: [usize; 9] = [8, 16, 32, 64, 128, 160, 192, 256, 512];
    let mut table = format!("{:50}", "body cycles on atmega128, by bits");
    BITS.iter().for_each(|bits| table += &format!("{bits:>7}"));
    table.push('\n');
    for (name, parameters) in choices().into_iter().step_by(sample(4, 1)) {
        let _ = write!(table, "{:50}", label(name, &parameters));
        for bits in BITS {
            let cell = figures(&Request::new(name, bits / 8, parameters));
            let cell = cell.map_or("-".to_owned(), |figures| figures.body.to_string());
            let _ = write!(table, "{cell:>7}");
        }
        table.push('\n');
    }
    if sample(0, 1) == 1 {
        insta::assert_snapshot!("body_cycles", table);
    } else {
        stand_in(&table, include_str!("snapshots/all__matrix__figures__body_cycles.snap"));
    }
}

#[test]
fn all_figures_at_160_bits_are_the_ones_written_down() {
    let heads = ["body", "function", "load", "store", "multiply", "add", "other", "code", "stack"];
    let mut table = format!("{:50}", "160 bits on atmega128; counts of the body");
    heads.iter().for_each(|head| table += &format!("{head:>9}"));
    table.push('\n');
    for (name, parameters) in choices() {
        let Some(it) = figures(&Request::new(name, 20, parameters)) else { continue };
        let _ = write!(table, "{:50}{:>9}{:>9}", label(name, &parameters), it.body, it.function);
        let counts = [it.load, it.store, it.multiply, it.add, it.other, it.code_bytes];
        counts.iter().for_each(|count| table += &format!("{count:>9}"));
        let _ = writeln!(table, "{:>9}", it.stack_bytes);
    }
    insta::assert_snapshot!("figures_160", table);
}

#[test]
fn the_best_initial_blocks_are_the_ones_written_down() {
    let mut table = String::from("operand caching on atmega128: best initial block, body cycles\n");
    for bits in [128, 160, 192, 224, 256, 320, 384, 512, 1024].into_iter().take(sample(3, 9)) {
        for cache in [4, 8, 10] {
            let of = |block| {
                let mut request = caching(cache, bits);
                request.parameters.initial_block = Some(block);
                (figures(&request).unwrap().body, block)
            };
            let (cycles, block) = (0..=2 * cache).map(of).min().unwrap();
            let _ = writeln!(table, "{bits:>5} bits, cache {cache:>2}: block {block:>2} {cycles:>7}");
        }
    }
    if sample(0, 1) == 1 {
        insta::assert_snapshot!("best_initial_blocks", table);
    } else {
        stand_in(&table, include_str!("snapshots/all__matrix__figures__best_initial_blocks.snap"));
    }
}

#[test]
fn the_narrow_strip_of_consecutive_operand_caching_is_best_first() {
    for words in [17, 20, 24, 28, 33].into_iter().take(sample(2, 5)) {
        for cache in [4, 8, 10] {
            let cycles = |block, place| {
                let block = Parameters { cache: Some(cache), initial_block: Some(block), ..OPEN };
                let parameters = Parameters { narrow_strip: Some(place), ..block };
                let request = Request::new("consecutive-operand-caching", words, parameters);
                figures(&request).map(|figures| (figures.body, place))
            };
            let all =
                (0..=cache).flat_map(|block| (0..=words / cache).filter_map(move |at| cycles(block, at)));
            assert_eq!(all.min().expect("some fit").1, 0, "{words} words, cache {cache}");
        }
    }
}

#[test]
fn figures_are_of_routines_that_keep_their_contract() {
    let core = core("atmega128").unwrap();
    for (request, _) in floors() {
        check(core, &request, &request.lower(core).unwrap());
    }
}
