//! From a good walk to a better one nearby.
//!
//! A walk's neighbours differ from it in one thing: the order within the columns of a row, a word that moves from one
//! strip to another, the array that X points to, the size of the cache, or the number of intermediates that are added
//! at once. The best of them takes its place as long as it is better. So the answer depends on where the search
//! begins, but on nothing else.

use crate::candidates::{Candidate, MIXED};
use crate::targets::Target;
use crate::wanted::Wanted;
use rhomb_kernel::{Form, List, Order, Parameters, Walk, strips_of};

/// The most steps.
pub(crate) const MOST_STEPS: usize = 24;

/// Numbers of intermediates at once that are worth a try.
const CARRY_ONCE: [usize; 3] = [1, 2, 3];

/// Whether there is anything to search.
pub(crate) fn has_neighbours(candidate: &Candidate, target: &dyn Target) -> bool {
    candidate.method.free_rows && candidate.form == Form::Unrolled && !target.description().on_x.is_empty()
}

/// All walks that differ in one thing that the request leaves open.
pub(crate) fn neighbours(
    candidate: &Candidate,
    target: &dyn Target,
    wanted: &Wanted,
    largest: usize,
) -> Vec<Candidate> {
    let Candidate { method, parameters, .. } = *candidate;
    let Some(walk) = method.walk(wanted.words, &parameters) else { return Vec::new() };
    let mut sets = Vec::new();
    if wanted.parameters.orders.is_none() {
        sets.extend(orders(&parameters, walk.rows.len()));
    }
    let open = wanted.parameters;
    if open.strips.is_none() && open.initial_block.is_none() && open.narrow_strip.is_none() {
        sets.extend(strips(&parameters, &walk, method.name == MIXED));
    }
    if let (None, Some(own)) = (open.cache, parameters.cache) {
        let caches =
            [own + 1, own.saturating_sub(1)].into_iter().filter(|cache| (1..=largest).contains(cache));
        sets.extend(caches.map(|cache| Parameters { cache: Some(cache), ..fixed(&parameters, &walk) }));
    }
    if open.carry_once.is_none() {
        let others = CARRY_ONCE.into_iter().filter(|value| Some(*value) != parameters.carry_once);
        sets.extend(others.map(|value| Parameters { carry_once: Some(value), ..parameters }));
    }
    let mut all: Vec<Candidate> =
        sets.into_iter().map(|parameters| Candidate { parameters, ..*candidate }).collect();
    if wanted.on_x.is_none() {
        let others = target
            .description()
            .on_x
            .iter()
            .map(|array| Some(array.name))
            .filter(|on_x| *on_x != candidate.on_x);
        all.extend(others.map(|on_x| Candidate { on_x, ..*candidate }));
    }
    all
}

/// Another order in one row.
fn orders(parameters: &Parameters, rows: usize) -> Vec<Parameters> {
    let of_row = |row: usize| match parameters.orders {
        Some(orders) => *orders.get(row).or(orders.last()).unwrap_or(&Order::Own),
        None => Order::Own,
    };
    let own: Vec<Order> = (0..rows).map(of_row).collect();
    let mut all = Vec::new();
    for row in 0..rows {
        for order in Order::ALL.into_iter().filter(|order| *order != own[row]) {
            let mut orders = own.clone();
            orders[row] = order;
            let changed = orders.iter().any(|order| *order != Order::Own);
            all.push(Parameters { orders: List::of(&orders).filter(|_| changed), ..*parameters });
        }
    }
    all
}

/// The same strips whatever the cache.
fn fixed(parameters: &Parameters, walk: &Walk) -> Parameters {
    match parameters.strips {
        Some(_) => *parameters,
        None => with_strips(parameters, parameters.initial_block, strips_of(walk).as_deref().unwrap_or(&[])),
    }
}

fn with_strips(parameters: &Parameters, square: Option<usize>, widths: &[u8]) -> Parameters {
    Parameters { strips: List::of(widths), initial_block: square, narrow_strip: None, ..*parameters }
}

/// A word more in one strip and less in another.
fn strips(parameters: &Parameters, walk: &Walk, has_square: bool) -> Vec<Parameters> {
    let Some(own) = strips_of(walk) else { return Vec::new() };
    let square = parameters.initial_block.filter(|_| has_square);
    let side: Vec<usize> = own
        .iter()
        .scan(0, |end, width| {
            *end += usize::from(*width);
            Some(*end)
        })
        .collect();
    // whether a strip belongs to the square
    let inside = |strip: usize| square.is_some_and(|square| side[strip] <= square);
    let mut all = Vec::new();
    for (more, less) in (0..own.len()).flat_map(|more| (0..own.len()).map(move |less| (more, less))) {
        if more != less && own[less] > 1 {
            let mut widths = own.to_vec();
            widths[more] += 1;
            widths[less] -= 1;
            let square = square.map(|square| square + usize::from(inside(more)) - usize::from(inside(less)));
            all.push(with_strips(parameters, square, &widths));
        }
    }
    all
}
