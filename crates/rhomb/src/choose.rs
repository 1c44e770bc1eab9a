//! Fills in what a request leaves open: the method and its parameters.
//!
//! Candidates are made in full and the fewest function cycles win, then the fewest body cycles, then
//! the earlier candidate. No routine branches on its operands, and a target counts the iterations of each
//! loop, so that these cycles are exact.

use crate::error::Error;
use crate::request::options;
use crate::target::{Code, LowerFault, Routine, Target, all};
use rhomb_kernel::{Form, Method, Operation, Parameter, Parameters, Schedule, Shape, methods};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is wanted; what is `None` is chosen.
pub(crate) struct Wanted<'a> {
    pub(crate) operation: Operation,
    pub(crate) words: usize,
    pub(crate) form: Option<Form>,
    pub(crate) convention: &'a str,
    pub(crate) method: Option<&'static Method>,
    pub(crate) parameters: &'a Parameters,
}

/// The answer to a request.
pub(crate) struct Choice {
    pub(crate) method: &'static Method,
    pub(crate) form: Form,
    pub(crate) parameters: Parameters,
    pub(crate) code: Code,
    pub(crate) schedule: Option<Arc<Schedule>>,
}

#[derive(Clone, Copy)]
struct Candidate {
    method: &'static Method,
    form: Form,
    parameters: Parameters,
}

impl Candidate {
    fn routine(&self, target: &dyn Target, wanted: &Wanted) -> Result<Routine, LowerFault> {
        let shape = Shape { form: self.form, words: wanted.words, parameters: &self.parameters };
        let none = || LowerFault::Other(format!("{} has no {} form", self.method.name, self.form.name()));
        target.routine(&self.method.task(&shape).ok_or_else(none)?, wanted.convention)
    }
}

/// Up to this number of words every cache and every initial block is tried.
const EVERY: usize = 16;
/// Caches of squaring, which has one operand less to point to, may be this much larger.
const MORE_FOR_SQUARING: usize = 1;

/// The largest cache of looped code that the registers of any target have room for.
const LARGEST_LOOPED_CACHE: usize = 10;
/// The most rows of the hybrid method that the registers of any target have room for.
const MOST_ROWS: usize = 7;

/// The widest strip that the registers of any target have room for.
const WIDEST_STRIP: usize = 12;

/// Methods that never win, left out where another one will do. Strips are for cores without multiplier.
const SELDOM: [&str; 4] = ["operand-scanning", "hybrid", "software-products", "strip"];

/// The most products of an iteration that are worth a try in a loop of products.
const MOST_UNROLLED: usize = 8;
/// The most intermediates at once that are worth a try in a loop.
const MOST_AT_ONCE: usize = 12;

/// Values of a parameter of looped code that are worth a try when it is open. Making it takes no longer for
/// large sizes.
fn looped_values(parameter: Parameter, method: &Method, words: usize, set: &Parameters) -> Vec<usize> {
    let rest = words % set.cache.unwrap_or(words).max(1);
    match (parameter, method.name) {
        (Parameter::Cache, "strip") => (1..=WIDEST_STRIP).collect(),
        (Parameter::Cache, "operand-scanning") => vec![1],
        (Parameter::Cache, "product-scanning") => (1..=MOST_UNROLLED).collect(),
        (Parameter::Cache, _) => (1..=LARGEST_LOOPED_CACHE).collect(),
        (Parameter::CarryOnce, "operand-scanning") => (1..=MOST_AT_ONCE).collect(),
        (Parameter::CarryOnce, _) => vec![2],
        (Parameter::Rows, _) => (1..=MOST_ROWS).collect(),
        (Parameter::Batch, _) => vec![1],
        // what a larger one saves, it takes in code
        (Parameter::InitialBlock, _) => vec![rest],
    }
}

/// Above this a value means the same as this.
fn most(parameter: Parameter, method: &Method, form: Form, words: usize) -> usize {
    match parameter {
        // runs along rows that may be longer than the operands
        Parameter::CarryOnce => usize::MAX,
        // a row starts anew
        Parameter::Cache if form == Form::Looped && method.name == "operand-scanning" => 1,
        _ => words,
    }
}

/// Values of a parameter that are worth a try when it is open; `largest` is the largest cache.
fn values(parameter: Parameter, method: &Method, words: usize, largest: usize) -> Vec<usize> {
    let small = words <= EVERY;
    match (parameter, method.name) {
        (Parameter::Cache, "strip") => (1..=WIDEST_STRIP).collect(),
        (Parameter::Cache, _) if method.operation == Operation::Sqr => {
            // up to twice the cache is a single row, whatever the cache
            let least = if small { 1 } else { largest };
            (least..=largest + MORE_FOR_SQUARING).collect()
        }
        (Parameter::Cache, _) if small => (1..=largest).collect(),
        (Parameter::Cache, "operand-caching") => vec![largest, largest - 1],
        // a large group of intermediates leaves no room for a cache
        (Parameter::Cache, "operand-scanning") => vec![largest, 4, 1],
        (Parameter::Cache, _) => vec![largest],
        (Parameter::Rows, _) if small => (1..=MOST_ROWS).collect(),
        (Parameter::Rows, _) => vec![4],
        (Parameter::CarryOnce, _) => vec![2],
        (Parameter::Batch, _) if small => vec![1, 2, 3],
        // an operand word that must be loaded again costs as much as a larger batch saves
        (Parameter::Batch, _) => vec![1],
        // depends on the cache: see `blocks`
        (Parameter::InitialBlock, _) => Vec::new(),
    }
}

/// The best routine among those that the request allows.
pub(crate) fn choose(target: &'static dyn Target, wanted: &Wanted) -> Result<Choice, Error> {
    let largest = target.largest_cache(wanted.convention);
    let candidates = match wanted.method {
        Some(method) if method.multiplier && !target.has_multiplier() => {
            return Err(no_multiplier(target, wanted.operation));
        }
        Some(method) => of_method(method, wanted, largest),
        None => of_any(target, wanted, largest)?,
    };
    match best_of(&candidates, |candidate| candidate.routine(target, wanted)) {
        Ok((index, routine)) => {
            let Candidate { method, form, parameters } = candidates[index];
            Ok(Choice { method, form, parameters, code: routine.code, schedule: routine.schedule })
        }
        Err(Some((index, fault))) => Err(refusal(target, wanted, candidates[index], fault)),
        Err(None) => Err(Error::request("no method to choose from", "`rhomb list methods`")),
    }
}

/// Makes all candidates, on all of the machine's threads, and gives the best with its index; if none can
/// be made, the first one's fault. The answer does not depend on the number of threads.
fn best_of(
    candidates: &[Candidate],
    make: impl Fn(&Candidate) -> Result<Routine, LowerFault> + Sync,
) -> Result<(usize, Routine), Option<(usize, LowerFault)>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(candidates.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut best: Option<((u64, u64, usize), Routine)> = None;
        let mut fault: Option<(usize, LowerFault)> = None;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(candidate) = candidates.get(index) else { return (best, fault) };
            match make(candidate) {
                Ok(routine) => {
                    let key = (routine.function_cycles, routine.body_cycles, index);
                    if best.as_ref().is_none_or(|(least, _)| key < *least) {
                        best = Some((key, routine));
                    }
                }
                Err(error) => fault = fault.or(Some((index, error))),
            }
        }
    };
    let found: Vec<_> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let join = |other: std::thread::ScopedJoinHandle<'_, _>| {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        std::iter::once(own).chain(others.into_iter().map(join)).collect()
    });
    let (bests, faults): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let best = bests.into_iter().flatten().min_by_key(|(key, _)| *key);
    let fault = faults.into_iter().flatten().min_by_key(|(index, _)| *index);
    best.map(|((.., index), routine)| (index, routine)).ok_or(fault)
}

/// Candidates of one method, in the order in which equals win.
fn of_method(method: &'static Method, wanted: &Wanted, largest: usize) -> Vec<Candidate> {
    let Wanted { words, parameters: given, .. } = *wanted;
    let form = wanted.form.unwrap_or(method.forms[0]);
    let mut sets = vec![Parameters::default()];
    for parameter in method.parameters {
        let extend = |set: Parameters| {
            let cache = set.cache.unwrap_or(words);
            let open = || match parameter {
                _ if form == Form::Looped => looped_values(*parameter, method, words, &set),
                Parameter::InitialBlock => blocks(words, cache, largest),
                _ => values(*parameter, method, words, largest),
            };
            let values = parameter.of(given).map_or_else(open, |value| vec![value]);
            values.into_iter().map(move |value| {
                let mut set = set;
                parameter.set(&mut set, Some(value.min(most(*parameter, method, form, words))));
                set
            })
        };
        sets = sets.into_iter().flat_map(extend).collect();
    }
    let mut seen = HashSet::new();
    sets.retain(|set| seen.insert(*set));
    sets.into_iter().map(|parameters| Candidate { method, form, parameters }).collect()
}

/// Sides of the initial block of operand caching that are worth a try. A block of the remainder makes all
/// rows full. For large sizes these few are enough: the test below compares them with all.
fn blocks(words: usize, cache: usize, largest: usize) -> Vec<usize> {
    let least = words % cache;
    let most = (least + cache).min(words);
    if words <= EVERY {
        return (0..=most).collect();
    }
    let mut sides = vec![least, least + 1];
    if cache + 1 != largest {
        sides.push(most);
    }
    sides
}

/// Candidates when the method is open.
fn of_any(target: &dyn Target, wanted: &Wanted, largest: usize) -> Result<Vec<Candidate>, Error> {
    let given = wanted.parameters;
    let form = |method: &&'static Method| wanted.form.is_none_or(|form| method.forms.contains(&form));
    let formed: Vec<&Method> = methods(wanted.operation).filter(form).collect();
    let able: Vec<&Method> =
        formed.into_iter().filter(|method| target.has_multiplier() || !method.multiplier).collect();
    if able.is_empty() {
        return Err(no_multiplier(target, wanted.operation));
    }
    let fits = |method: &&Method| {
        let has = |parameter: &Parameter| method.parameters.contains(parameter);
        Parameter::ALL.iter().all(|parameter| parameter.of(given).is_none() || has(parameter))
    };
    let fitting: Vec<&Method> = able.into_iter().filter(fits).collect();
    let usual = fitting.iter().copied().filter(|method| !SELDOM.contains(&method.name));
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
    Ok(chosen.into_iter().rev().flat_map(|method| of_method(method, wanted, largest)).collect())
}

fn no_multiplier(target: &dyn Target, operation: Operation) -> Error {
    let without: Vec<&str> =
        methods(operation).filter(|method| !method.multiplier).map(|method| method.name).collect();
    let able: Vec<&str> =
        all().filter(|target| target.has_multiplier()).map(|target| target.name()).collect();
    let fault =
        format!("{} has no multiplication instruction (MUL); valid: {}", target.name(), able.join(", "));
    let hint = match without.join(", ") {
        names if names.is_empty() => "every method there is multiplies words in hardware".to_owned(),
        names => format!("methods that need none: {names}"),
    };
    Error::request(fault, hint)
}

/// Says what the request should have been.
fn refusal(target: &'static dyn Target, wanted: &Wanted, candidate: Candidate, fault: LowerFault) -> Error {
    let Candidate { method, parameters, .. } = candidate;
    let message = match fault {
        LowerFault::NoMultiplier => return no_multiplier(target, wanted.operation),
        LowerFault::Other(message) | LowerFault::Registers(message) => message,
    };
    // the initial block does not take registers
    let blamed = [Parameter::Cache, Parameter::Rows, Parameter::CarryOnce, Parameter::Batch];
    for parameter in blamed.into_iter().filter(|parameter| parameter.of(wanted.parameters).is_some()) {
        let Some(value) = parameter.of(&parameters) else { continue };
        // no target has more registers than this
        for smaller in (parameter.least()..value.min(33)).rev() {
            let mut tried = candidate;
            parameter.set(&mut tried.parameters, Some(smaller));
            if tried.routine(target, wanted).is_ok() {
                let name = parameter.name();
                let fault = format!(
                    "--{name} {value} is too large for {} on {}: {message}; valid: {} to {smaller}",
                    method.name,
                    target.name(),
                    parameter.least()
                );
                return Error::request(
                    fault,
                    format_args!("--{name} {smaller} is the largest that works here"),
                );
            }
        }
    }
    let fault = format!("{} on {}: {message}", method.name, target.name());
    Error::request(fault, "leave the parameters out and good values are chosen")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The few candidates of large sizes hold a best one of all initial blocks.
    #[test]
    fn no_initial_block_beats_those_that_are_tried() {
        let target = crate::target::find("atmega128").unwrap();
        let caching = rhomb_kernel::method(Operation::Mul, "operand-caching").unwrap();
        let cycles = |words, parameters: &Parameters| {
            let task = rhomb_kernel::Task::Multiplication(caching.walk(words, parameters).unwrap());
            let routine = target.routine(&task, "avr-gcc");
            routine.ok().map(|routine| (routine.function_cycles, routine.body_cycles))
        };
        for words in EVERY + 1..=64 {
            let wanted = Wanted {
                operation: Operation::Mul,
                words,
                form: None,
                convention: "avr-gcc",
                method: Some(caching),
                parameters: &Parameters::default(),
            };
            let largest = target.largest_cache("avr-gcc");
            let tried = of_method(caching, &wanted, largest);
            assert!(tried.len() <= 5);
            let best = tried.iter().filter_map(|candidate| cycles(words, &candidate.parameters)).min();
            let all = [largest, largest - 1].into_iter().flat_map(|cache| {
                (0..=words % cache + cache).map(move |block| Parameters {
                    cache: Some(cache),
                    carry_once: Some(2),
                    initial_block: Some(block.min(words)),
                    ..Default::default()
                })
            });
            let least = all.filter_map(|parameters| cycles(words, &parameters)).min();
            assert_eq!(best, least, "{words} words");
        }
    }
}
