//! What is worth a try where a request leaves something open.

use crate::error::Error;
use crate::targets::Target;
use crate::wanted::{Wanted, no_multiplier};
use rhomb_kernel::split::{Cut, levels};
use rhomb_kernel::{Form, Method, Operation, Parameter, Parameters, method, methods};
use std::collections::HashSet;

/// A method with its parameters.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) method: &'static Method,
    pub(crate) form: Form,
    pub(crate) parameters: Parameters,
    /// How products are added up; `None` leaves it to the processor.
    pub(crate) accumulation: Option<&'static str>,
    /// The array that the pointer X points to; likewise.
    pub(crate) on_x: Option<&'static str>,
}

/// Up to this number of words a thorough search takes seconds.
pub(crate) const MOST_THOROUGH: usize = 64;

/// Up to this number of words every cache and every initial block is tried.
const EVERY: usize = 16;
/// Caches of squaring, which has one operand less to point to, may be this much larger.
const MORE_FOR_SQUARING: usize = 1;

/// The largest cache of looped code that the registers of any target have room for.
const LARGEST_LOOPED_CACHE: usize = 10;
/// The smallest cache of a looped squaring that wins where the registers have room for at least as large a cache.
const LEAST_LOOPED_CACHE_OF_SQUARING: usize = 5;
/// The fewest strips of consecutive operand caching of which rows are the same.
const FEWEST_STRIPS: usize = 4;
/// The most rows of the hybrid method that the registers of any target have room for.
const MOST_ROWS: usize = 9;

/// The most candidates of a method that are tried with a way of adding up products that takes long to make.
const MOST_SLOW: usize = 3;
/// The most words of a window that the registers of any target have room for.
const WIDEST_WINDOW: usize = 5;

/// The fewest words of a part that a split is worth a try for.
const LEAST_PART: usize = 4;

/// The widest strip that the registers of any target have room for.
const WIDEST_STRIP: usize = 12;

/// Methods that are left out where another one will do: those that never win, and strips, which are for cores
/// without multiplier.
const SELDOM: [&str; 4] = ["operand-scanning", "hybrid", "software-products", "strip"];

/// The fewest rows that are worth a try where columns wait in registers.
const WAITING_ROWS: usize = 3;

/// Methods of products whose columns wait in registers.
const OF_WAITING: [&str; 2] = ["hybrid", "split"];

/// Only a thorough search tries it.
pub(crate) const MIXED: &str = "mixed-operand-caching";

/// The most products of an iteration that are worth a try in a loop of products.
const MOST_UNROLLED: usize = 8;
/// The most intermediates at once that are worth a try in a loop.
const MOST_AT_ONCE: usize = 12;

/// Values of a parameter of looped code that are worth a try when it is open; `largest` is the largest cache of a
/// straight line. Making it takes no longer for large sizes.
fn looped_values(
    parameter: Parameter,
    method: &Method,
    wanted: &Wanted,
    set: &Parameters,
    largest: usize,
) -> Vec<usize> {
    let rest = wanted.words % set.cache.unwrap_or(wanted.words).max(1);
    match (parameter, method.name) {
        (Parameter::Cache, "strip") => (1..=WIDEST_STRIP).collect(),
        (Parameter::Cache, "operand-scanning") => vec![1],
        (Parameter::Cache, "product-scanning") => (1..=MOST_UNROLLED).collect(),
        // fewer strips make no loop
        (Parameter::Cache, "consecutive-operand-caching") => (1..=LARGEST_LOOPED_CACHE)
            .filter(|cache| *cache == 1 || wanted.words / cache >= FEWEST_STRIPS)
            .collect(),
        // what must fit may be any
        (Parameter::Cache, _) if method.operation == Operation::Sqr && !wanted.bounds.is_set() => {
            // with few registers a loop has room for less than a straight line
            let least =
                if largest < LEAST_LOOPED_CACHE_OF_SQUARING { 1 } else { LEAST_LOOPED_CACHE_OF_SQUARING };
            (least..=LARGEST_LOOPED_CACHE).collect()
        }
        (Parameter::Cache, _) => (1..=LARGEST_LOOPED_CACHE).collect(),
        (Parameter::CarryOnce, "operand-scanning") => (1..=MOST_AT_ONCE).collect(),
        (Parameter::CarryOnce, _) => vec![2],
        (Parameter::Rows, _) => (1..=MOST_ROWS).collect(),
        (Parameter::Batch, _) => vec![1, 2],
        // splits have no looped form
        (Parameter::Levels | Parameter::Parts | Parameter::Pairs, _) => Vec::new(),
        // what a larger one saves, it takes in code
        (Parameter::InitialBlock, _) => vec![rest],
        // with loops its place is fixed
        (Parameter::NarrowStrip, _) => vec![0],
    }
}

/// A value that a method's parameter cannot have with these numbers of words.
pub(crate) struct OutOfRange {
    method: &'static Method,
    parameter: Parameter,
    value: usize,
    most: usize,
    words: usize,
}

impl OutOfRange {
    pub(crate) fn refusal(&self) -> Error {
        let OutOfRange { method, parameter, value, most, words } = *self;
        let (name, least, method) = (parameter.name(), parameter.least(), method.name);
        let valid = match parameter {
            Parameter::Parts => format!("up to {words} parts"),
            _ if least == most => most.to_string(),
            _ => format!("{least} to {most}"),
        };
        let value = parameter.text(value);
        let fault = format!("--{name} {value} for {method} with operands of {words} words; valid: {valid}");
        Error::request(fault, format_args!("leave --{name} out and a good value is chosen"))
    }
}

/// Above this a value would mean the same as this; `set` has the parameters that stand before it in the method's list.
fn most(parameter: Parameter, method: &Method, form: Form, wanted: &Wanted, set: &Parameters) -> usize {
    let words = wanted.words;
    let cache = set.cache.unwrap_or(words).max(1);
    let consecutive = method.name == "consecutive-operand-caching";
    match parameter {
        Parameter::CarryOnce if method.name == "operand-scanning" => words,
        // runs along rows that may be as long as the result
        Parameter::CarryOnce => 2 * words,
        Parameter::Levels => {
            let cut = wanted.parameters.parts.and_then(Cut::of_digits).unwrap_or(Cut::Balanced(2));
            cut.depth(words).min(levels::most(words, 1))
        }
        // names of cuts, not numbers of words
        Parameter::Parts => match wanted.parameters.parts.and_then(Cut::of_digits) {
            Some(cut) if cut.lengths(words).is_none() => 0,
            _ => usize::MAX,
        },
        Parameter::Pairs => usize::MAX,
        // no strip is wider than the cache
        Parameter::InitialBlock if consecutive => cache.min(words),
        // the narrow strip of loops stands around the others
        Parameter::NarrowStrip if form == Form::Looped => 0,
        Parameter::NarrowStrip => {
            let (side, narrow) = match set.initial_block.unwrap_or(words) {
                narrow if consecutive => (words, narrow),
                square => (square, square % cache),
            };
            if narrow == 0 { 0 } else { (side - narrow).div_ceil(cache) }
        }
        // a row starts anew
        Parameter::Cache if form == Form::Looped && method.name == "operand-scanning" => 1,
        Parameter::Cache | Parameter::Rows | Parameter::Batch | Parameter::InitialBlock => words,
    }
}

/// Values of a parameter that are worth a try when it is open; `largest` is the largest cache, at least 1.
fn values(parameter: Parameter, method: &Method, wanted: &Wanted, largest: usize) -> Vec<usize> {
    // what must fit may be any
    let small = wanted.words <= EVERY || wanted.bounds.is_set();
    let thorough = wanted.thorough && wanted.words <= MOST_THOROUGH;
    match (parameter, method.name) {
        (Parameter::Levels, _) => {
            let mut most = levels::most(wanted.words, LEAST_PART);
            if wanted.columns_wait {
                // of processors whose products may take long a product of words is a part, too
                most = most.max(levels::most(wanted.words, 1).min(wanted.unasked_levels));
            }
            match wanted.method {
                Some(_) => (0..=most).collect(),
                // without levels it is a walk, which others make; calls of what a level more is made of take less code
                None => {
                    let more = usize::from(wanted.bounds.code.is_some());
                    (1..=most.min(wanted.unasked_levels + more)).collect()
                }
            }
        }
        // halves are never slower
        (Parameter::Parts, _) => vec![2],
        (Parameter::Pairs, _) => vec![wanted.pairs as usize],
        (Parameter::Cache, "strip") => (1..=WIDEST_STRIP).collect(),
        (Parameter::Cache, "split") => vec![largest],
        (Parameter::Cache, _) if method.operation == Operation::Sqr => {
            // up to twice the cache is a single row, whatever the cache
            let least = if small { 1 } else { largest };
            (least..=largest + MORE_FOR_SQUARING).collect()
        }
        (Parameter::Cache, _) if small => (1..=largest).collect(),
        (Parameter::Cache, "operand-caching" | "consecutive-operand-caching" | MIXED) if thorough => {
            (largest.saturating_sub(2).max(1)..=largest).rev().collect()
        }
        (Parameter::Cache, "operand-caching") => vec![largest, (largest - 1).max(1)],
        // a large group of intermediates leaves no room for a cache
        (Parameter::Cache, "operand-scanning") => vec![largest, 4, 1],
        (Parameter::Cache, _) => vec![largest],
        (Parameter::Rows, _) if wanted.columns_wait && !small => vec![MOST_ROWS - 1],
        (Parameter::Rows, _) if wanted.columns_wait => (WAITING_ROWS.min(wanted.words)..=MOST_ROWS).collect(),
        (Parameter::Rows, _) if small => (1..=MOST_ROWS).collect(),
        (Parameter::Rows, _) => vec![4],
        (Parameter::CarryOnce, _) if thorough => vec![2, 1, 3],
        (Parameter::CarryOnce, _) => vec![2, 3],
        (Parameter::NarrowStrip, MIXED) if thorough => vec![0, 1],
        // first is best: the tests of AVR's figures compare all places
        (Parameter::NarrowStrip, _) => vec![0],
        (Parameter::Batch, _) if small => vec![1, 2, 3],
        // an operand word that must be loaded again costs as much as a larger batch saves
        (Parameter::Batch, _) => vec![1],
        // depends on the cache: see `blocks`
        (Parameter::InitialBlock, _) => Vec::new(),
    }
}

/// Candidates of one method, in the order in which equals win; where there is none, the parameter that leaves none.
pub(crate) fn of_method(
    method: &'static Method,
    wanted: &Wanted,
    largest: usize,
) -> Result<Vec<Candidate>, OutOfRange> {
    let Wanted { words, parameters: given, .. } = *wanted;
    let form = wanted.form.unwrap_or(method.forms[0]);
    let mut sets = vec![Parameters { strips: given.strips, orders: given.orders, ..Parameters::OPEN }];
    let said = |parameter: &&Parameter| {
        // strips say it; the side of a square of strips may be said beside them
        let width = matches!(parameter, Parameter::InitialBlock | Parameter::NarrowStrip);
        given.strips.is_some() && width && parameter.of(given).is_none()
    };
    for parameter in method.parameters.iter().filter(|parameter| !said(parameter)) {
        let bound = |set: &Parameters| most(*parameter, method, form, wanted, set);
        if let Some(value) = parameter.of(given) {
            let widest = sets.iter().map(bound).max().unwrap_or(0);
            sets.retain(|set| value <= bound(set));
            if sets.is_empty() {
                return Err(OutOfRange { method, parameter: *parameter, value, most: widest, words });
            }
        }
        let extend = |set: Parameters| {
            let cache = set.cache.unwrap_or(words);
            let open = || match parameter {
                _ if form == Form::Looped => looped_values(*parameter, method, wanted, &set, largest),
                Parameter::InitialBlock => blocks(method, wanted, cache, largest),
                _ => values(*parameter, method, wanted, largest),
            };
            let values = parameter.of(given).map_or_else(open, |value| vec![value]);
            values.into_iter().map(move |value| {
                let (most, mut set) = (bound(&set), set);
                parameter.set(&mut set, Some(value.min(most)));
                set
            })
        };
        sets = sets.into_iter().flat_map(extend).collect();
    }
    let mut seen = HashSet::new();
    sets.retain(|set| seen.insert(*set));
    let of = |parameters| Candidate { method, form, parameters, accumulation: None, on_x: wanted.on_x };
    Ok(sets.into_iter().map(of).collect())
}

/// The way to add up products that searches their order by itself.
const OWN_ORDER: &str = "tied";

/// The candidates with every way to add up products that the target has. Those ways that take long to make are
/// tried with few of them: what they make of a method hardly depends on its parameters.
pub(crate) fn with_accumulations(
    candidates: Vec<Candidate>,
    target: &dyn Target,
    wanted: &Wanted,
) -> Vec<Candidate> {
    let ways = target.description().accumulations;
    let Some((quick, slow)) = ways.split_last().filter(|_| wanted.accumulation.is_none()) else {
        let of_wanted = |candidate| Candidate { accumulation: wanted.accumulation, ..candidate };
        return candidates.into_iter().map(of_wanted).collect();
    };
    let mut all = Vec::new();
    // who writes rows wants these, unless they ask for another order
    for way in slow.iter().filter(|way| wanted.rows.is_none() || way.name != OWN_ORDER) {
        // blocks of rows are what windows are made for
        if let Some(hybrid) = method(wanted.operation, "hybrid").filter(|_| wanted.method.is_none()) {
            for rows in (1..=WIDEST_WINDOW.min(wanted.words)).rev().take(MOST_SLOW) {
                let parameters = Parameters { rows: Some(rows), ..Parameters::default() };
                let fits = Parameter::ALL
                    .iter()
                    .all(|one| one.of(wanted.parameters).is_none_or(|set| one.of(&parameters) == Some(set)));
                if fits && wanted.form != Some(Form::Looped) {
                    let (form, accumulation) = (Form::Unrolled, Some(way.name));
                    all.push(Candidate { method: hybrid, form, parameters, accumulation, on_x: None });
                }
            }
        }
        let mut seen: Vec<(&str, usize)> = Vec::new();
        for candidate in candidates.iter().filter(|candidate| candidate.form == Form::Unrolled) {
            let name = candidate.method.name;
            let most = if wanted.method.is_some() { MOST_SLOW } else { 1 };
            // each number of levels has other products below, the smaller ones made sooner
            if candidate.parameters.levels.is_some() {
                all.push(Candidate { accumulation: Some(way.name), ..*candidate });
                continue;
            }
            match seen.iter_mut().find(|(method, _)| *method == name) {
                Some((_, times)) if *times == most => continue,
                Some((_, times)) => *times += 1,
                None => seen.push((name, 1)),
            }
            all.push(Candidate { accumulation: Some(way.name), ..*candidate });
        }
    }
    all.extend(
        candidates.into_iter().map(|candidate| Candidate { accumulation: Some(quick.name), ..candidate }),
    );
    all
}

/// Sides of the initial block of operand caching that are worth a try. A block of the remainder makes all
/// rows full. For large sizes these few are enough: the test below compares them with all.
fn blocks(method: &Method, wanted: &Wanted, cache: usize, largest: usize) -> Vec<usize> {
    let words = wanted.words;
    // a cache of 0 is refused
    let cache = cache.max(1);
    let least = words % cache;
    if method.name == MIXED {
        // those with narrow rows never win: see docs/best-walk.md
        return (least..=words).step_by(cache).collect();
    }
    let most = (least + cache).min(words);
    if words <= EVERY || wanted.thorough && words <= MOST_THOROUGH {
        return (0..=most).collect();
    }
    let mut sides = vec![least, least + 1, 0];
    if cache + 1 != largest {
        sides.push(most);
    }
    sides
}

/// Candidates when the method is open.
pub(crate) fn of_any(target: &dyn Target, wanted: &Wanted, largest: usize) -> Result<Vec<Candidate>, Error> {
    let given = wanted.parameters;
    let form = |method: &&'static Method| wanted.form.is_none_or(|form| method.forms.contains(&form));
    let formed: Vec<&Method> = methods(wanted.operation).filter(form).collect();
    let able: Vec<&Method> = formed
        .into_iter()
        .filter(|method| target.description().has_multiplier || !method.multiplier)
        .collect();
    if able.is_empty() {
        return Err(no_multiplier(target, wanted.operation));
    }
    let fits = |method: &&Method| {
        let has = |parameter: &Parameter| method.parameters.contains(parameter);
        let rows = given.strips.is_some() || given.orders.is_some();
        Parameter::ALL.iter().all(|parameter| parameter.of(given).is_none() || has(parameter))
            && (method.free_rows || !rows)
    };
    let fitting: Vec<&Method> = able.into_iter().filter(fits).collect();
    // what must be small may be any
    let usual = |method: &&Method| match method.name {
        // products made without the multiplier are no smaller, and take long to time
        _ if target.description().has_multiplier && !method.multiplier => false,
        _ if wanted.bounds.is_set() => true,
        name if wanted.columns_wait && method.operation == Operation::Mul => OF_WAITING.contains(&name),
        MIXED => wanted.thorough && wanted.words <= MOST_THOROUGH,
        // twice the code for a few cycles
        "consecutive-operand-caching" => wanted.form != Some(Form::Looped),
        name => !SELDOM.contains(&name),
    };
    let asked = |method: &&Method| !wanted.walks_only || !method.parameters.contains(&Parameter::Levels);
    let usual = fitting.iter().copied().filter(usual).filter(asked);
    let mut chosen: Vec<&Method> = usual.collect();
    if chosen.is_empty() {
        chosen = fitting;
    }
    if chosen.is_empty() {
        let set: Vec<Parameter> =
            Parameter::ALL.into_iter().filter(|parameter| parameter.of(given).is_some()).collect();
        let fault = format!("no method has all of {}; valid: those of one method", options(&set));
        return Err(Error::request(fault, "`rhomb list methods` names each method's parameters"));
    }
    // of equals, the method that stands last in the list
    let mut all = Vec::new();
    let mut refused: Option<OutOfRange> = None;
    for method in chosen.into_iter().rev() {
        let own = of_method(method, wanted, largest);
        // looped code is smaller
        let small =
            wanted.form.is_none() && wanted.bounds.code.is_some() && method.forms.contains(&Form::Looped);
        let looped =
            small.then(|| of_method(method, &Wanted { form: Some(Form::Looped), ..*wanted }, largest));
        for found in [Some(own), looped].into_iter().flatten() {
            match found {
                Ok(candidates) => all.extend(candidates),
                Err(other) if refused.as_ref().is_some_and(|one| one.most >= other.most) => {}
                Err(other) => refused = Some(other),
            }
        }
    }
    match refused {
        Some(refused) if all.is_empty() => Err(refused.refusal()),
        _ => Ok(all),
    }
}

/// `--cache, --rows`.
pub(crate) fn options(parameters: &[Parameter]) -> String {
    let names: Vec<String> = parameters.iter().map(|parameter| format!("--{}", parameter.name())).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Bounds;
    use crate::choose::largest_cache;
    use crate::targets::Making;
    use rhomb_kernel::split::Pairs;

    static WORK: &crate::work::Work = &crate::work::Work { jobs: None, told: None };

    fn open<'a>(method: &'static Method, words: usize, parameters: &'a Parameters) -> Wanted<'a> {
        Wanted {
            operation: Operation::Mul,
            words,
            form: None,
            convention: "avr-gcc",
            method: Some(method),
            rows: None,
            parameters,
            bounds: Bounds::default(),
            accumulation: None,
            constant_time: false,
            thorough: false,
            walks_only: false,
            unasked_levels: 0,
            pairs: Pairs::Subtractive,
            columns_wait: false,
            on_x: None,
            trail: None,
            work: WORK,
        }
    }

    /// On a processor with room for a word of each operand only.
    #[test]
    fn the_smallest_cache_has_candidates() {
        let parameters = Parameters::default();
        for name in ["operand-caching", "consecutive-operand-caching", MIXED] {
            let method = rhomb_kernel::method(Operation::Mul, name).unwrap();
            for words in [1, EVERY, EVERY + 1, 100] {
                let tried = of_method(method, &open(method, words, &parameters), 1).ok().unwrap();
                assert!(!tried.is_empty());
                assert!(tried.iter().all(|candidate| candidate.parameters.cache == Some(1)), "{name}");
            }
        }
    }

    /// The few candidates of large sizes hold a best one of all initial blocks.
    #[test]
    fn no_initial_block_beats_those_that_are_tried() {
        let target = crate::targets::find("atmega128").unwrap();
        let caching = rhomb_kernel::method(Operation::Mul, "operand-caching").unwrap();
        let cycles = |words, parameters: &Parameters| {
            let task = rhomb_kernel::Task::Multiplication(caching.walk(words, parameters).unwrap());
            let making = Making {
                convention: "avr-gcc",
                registers: None,
                accumulation: None,
                constant_time: false,
                on_x: None,
                trail: None,
            };
            let routine = target.routine(&task, &making);
            routine.ok().map(|routine| (routine.function_cycles, routine.body_cycles))
        };
        let parameters = Parameters::default();
        for words in (EVERY + 1..=64).step_by(rhomb_oracles::sample(5, 1)) {
            let wanted = open(caching, words, &parameters);
            let largest = largest_cache(target, &wanted);
            let tried = of_method(caching, &wanted, largest).ok().unwrap();
            assert!(tried.len() <= 16);
            let best = tried.iter().filter_map(|candidate| cycles(words, &candidate.parameters)).min();
            let pairs = [largest, largest - 1].into_iter().flat_map(|cache| [(cache, 2), (cache, 3)]);
            let all = pairs.flat_map(|(cache, carry_once)| {
                (0..=words % cache + cache).map(move |block| Parameters {
                    cache: Some(cache),
                    carry_once: Some(carry_once),
                    initial_block: Some(block.min(words)),
                    ..Default::default()
                })
            });
            let least = all.filter_map(|parameters| cycles(words, &parameters)).min();
            assert_eq!(best, least, "{words} words");
        }
    }
}
