//! Pictures of routines.

use crate::error::Error;
use crate::generate::own_fault;
use crate::plan::Plan;
use crate::request::Request;
use crate::subject::Subject;
use crate::targets::Target;
use crate::targets::trace::{Row, START, Trace};
use crate::whole::MOST_STEPS;
use crate::{contract, modular, scheme};
use rhomb_draw::{Band, Call, Caption, Crossing, MOST_WORDS, call, rhombus};
use rhomb_kernel::Product;
use std::collections::BTreeMap;

/// Of longer calls the beginning is shown once more.
const CLOSER: u64 = 4;
/// Which operands are drawn: any would do.
const SEED: u64 = 1;

/// A routine as SVG. Where it follows a schedule, the rhombus that this walks through, with its loads and stores; else, and for whole
/// programs, a call of its machine code: the products as it makes them, and memory over time. It is not proved.
///
/// # Errors
/// A request that cannot be met.
pub fn draw(request: &Request) -> Result<String, Error> {
    if let Some(operation) = modular::of(request) {
        return modular::draw(request, operation);
    }
    if scheme::is_one(request) {
        return scheme::draw(request);
    }
    draw_planned(&request.plan()?)
}

/// The same of a routine whose choices are made.
///
/// # Errors
/// Machine code that cannot be looked into.
pub fn draw_planned(plan: &Plan) -> Result<String, Error> {
    let word_bits = plan.target.description().word_bits;
    let words = plan.contract.bits().div_ceil(word_bits) as usize;
    let mut parts = vec![plan.way.name().to_owned()];
    parts.extend(plan.way.parameters().iter().map(|(name, value)| format!("{name} {value}")));
    parts.extend(plan.accumulation.map(|way| format!("by {way}")));
    parts.push(plan.form.name().to_owned());
    let operation = plan.contract.operation();
    let caption = Caption {
        title: format!("{}-bit {} for {}", plan.contract.bits(), operation.noun(), plan.target.name()),
        subtitle: parts.join(", "),
    };
    if let Some(schedule) = plan.schedule.as_ref().filter(|_| words <= MOST_WORDS) {
        return Ok(rhombus(schedule, &caption));
    }
    let subject = plan.target.subject_within(&plan.code, plan.convention, MOST_STEPS).map_err(own_fault)?;
    let trace = subject.trace(&plan.contract, SEED).map_err(|fault| no_picture(plan.target, &fault))?;
    Ok(call(&of_trace(&trace, words), &caption))
}

/// A call of a whole program with these arguments, the result first.
pub(crate) fn draw_whole(
    subject: &dyn Subject,
    target: &dyn Target,
    given: &[crate::subject::Given],
    (operation, bits, method): (&str, usize, &str),
) -> Result<String, Error> {
    let words = bits.div_ceil(target.description().word_bits as usize);
    let trace = subject.trace_given(given).map_err(|fault| no_picture(target, &fault))?;
    let title = format!("{bits}-bit {} for {}", contract::noun(operation), target.name());
    // what it multiplies is hardly ever a word of an argument
    let made: usize = trace.products.iter().map(|made| made.times).sum();
    let drawn = Call { products: Vec::new(), others: trace.others + made, ..of_trace(&trace, words) };
    Ok(call(&drawn, &Caption { title, subtitle: method.to_owned() }))
}

fn no_picture(target: &dyn Target, fault: &str) -> Error {
    Error::request(
        format_args!("no call of it on {} can be drawn: {fault}", target.name()),
        "--chart sizes draws cycles; another core has a picture of it",
    )
}

/// A call, as it is drawn.
fn of_trace(trace: &Trace, words: usize) -> Call {
    let products = trace.products.iter().map(|made| Crossing {
        product: Product { i: made.i as usize, j: made.j as usize },
        mixed: made.mixed,
        times: made.times,
    });
    let products: Vec<Crossing> = products.filter(|one| one.product.i.max(one.product.j) < words).collect();
    let mut bands: BTreeMap<u32, Band> = BTreeMap::new();
    // code from the top, words and cells of memory with the highest address on top
    let mut code: Vec<Vec<u8>> = Vec::new();
    let mut other: Vec<Vec<u8>> = Vec::new();
    for (row, columns) in &trace.raster.rows {
        match row {
            Row::Code(at) => {
                code.resize(*at as usize, Vec::new());
                code.push(columns.clone());
            }
            Row::Word(buffer, word) => {
                let (name, words) = &trace.buffers[*buffer as usize];
                let empty =
                    || Band { name: name.clone(), rows: vec![Vec::new(); *words as usize], cycles: None };
                let rows = &mut bands.entry(*buffer).or_insert_with(empty).rows;
                let place = rows.len() - 1 - *word as usize;
                rows[place].clone_from(columns);
            }
            Row::Other(_) => other.insert(0, columns.clone()),
        }
    }
    let mut all = vec![Band { name: "code".to_owned(), rows: code, cycles: None }];
    if trace.cycles > CLOSER * START {
        all.push(beginning(trace));
    }
    all.extend(bands.into_values());
    if !other.is_empty() {
        all.push(Band { name: "stack".to_owned(), rows: other, cycles: None });
    }
    Call {
        words,
        square: !trace.products.is_empty() && trace.products.iter().all(|made| made.square),
        products,
        others: trace.others,
        cycles: trace.cycles,
        column: trace.raster.width,
        bands: all,
    }
}

/// Where execution stands at the beginning.
fn beginning(trace: &Trace) -> Band {
    let mut rows: Vec<Vec<u8>> = Vec::new();
    for (row, columns) in &trace.start.rows {
        if let Row::Code(at) = row {
            rows.resize(*at as usize, Vec::new());
            rows.push(columns.clone());
        }
    }
    Band { name: "code at first".to_owned(), rows, cycles: Some((START, trace.start.width)) }
}
