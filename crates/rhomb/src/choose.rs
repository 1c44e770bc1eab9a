//! Fills in what a request leaves open: the method and its parameters.
//!
//! Candidates are made in full and the fewest function cycles win, then the fewest body cycles, then
//! the earlier candidate. Where time depends on the operands, it is the longest.

use crate::bounds::{Bounds, MOST_REGISTERS};
use crate::candidates::{Candidate, MOST_THOROUGH, of_any, of_method, with_accumulations};
use crate::error::Error;
use crate::search;
use crate::targets::{Code, LowerFault, Making, Routine, Target};
use crate::trails;
use crate::wanted::{Wanted, no_multiplier};
use crate::work::{Progress, Work};
use rhomb_kernel::{Form, Method, Operation, Parameter, Parameters, Schedule, Shape, Task, given, methods};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The answer to a request.
pub(crate) struct Choice {
    pub(crate) method: &'static Method,
    pub(crate) form: Form,
    pub(crate) parameters: Parameters,
    pub(crate) on_x: Option<&'static str>,
    pub(crate) code: Code,
    pub(crate) schedule: Option<Arc<Schedule>>,
    pub(crate) accumulation: Option<&'static str>,
}

/// The least that any routine took, within the bounds or not.
struct Least {
    code: AtomicUsize,
    stack: AtomicUsize,
}

/// How far the choice is.
struct Tried<'a> {
    work: &'a Work,
    phase: &'static str,
    done: AtomicUsize,
    all: usize,
    best: AtomicU64,
}

impl<'a> Tried<'a> {
    fn new(work: &'a Work, phase: &'static str, all: usize) -> Self {
        Tried { work, phase, done: AtomicUsize::new(0), all, best: AtomicU64::new(u64::MAX) }
    }

    /// A candidate was made, with so many function cycles, or could not be.
    fn one(&self, cycles: Option<u64>) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let best = self.best.fetch_min(cycles.unwrap_or(u64::MAX), Ordering::Relaxed);
        let best = Some(best.min(cycles.unwrap_or(u64::MAX))).filter(|best| *best < u64::MAX);
        self.work.told(Progress { phase: self.phase, steps: Some((done, self.all)), best });
    }
}

/// Of more words a split is faster than any walk, where it is made.
const MOST_WALKED: usize = 48;

impl Candidate {
    fn is_split(&self) -> bool {
        self.parameters.levels.is_some()
    }

    /// What it computes, and in which order.
    pub(crate) fn task(&self, wanted: &Wanted) -> Result<Task, LowerFault> {
        let Candidate { form, parameters, .. } = self;
        let shape = Shape { form: *form, words: wanted.words, parameters };
        let none = || LowerFault::Other(format!("{} has no {} form", self.method.name, self.form.name()));
        match wanted.rows {
            Some(rows) => Ok(Task::Multiplication(given(wanted.words, rows.to_vec(), parameters))),
            None => self.method.task(&shape).ok_or_else(none),
        }
    }

    fn routine(&self, target: &dyn Target, wanted: &Wanted) -> Result<Routine, LowerFault> {
        let Wanted { convention, bounds: Bounds { registers, .. }, constant_time, trail, .. } = *wanted;
        let Candidate { accumulation, on_x, .. } = *self;
        let making = Making { convention, registers, accumulation, constant_time, on_x, trail };
        target.routine(&self.task(wanted)?, &making)
    }

    /// The same, if it is within the bounds.
    fn bounded(&self, target: &dyn Target, wanted: &Wanted, least: &Least) -> Result<Routine, LowerFault> {
        let routine = self.routine(target, wanted)?;
        let code = target.code_bytes(&routine.code);
        least.code.fetch_min(code, Ordering::Relaxed);
        least.stack.fetch_min(routine.stack_bytes, Ordering::Relaxed);
        match wanted.bounds.allow(code, routine.stack_bytes) {
            true => Ok(routine),
            false => Err(LowerFault::Other("it takes more than is allowed".to_owned())),
        }
    }
}

/// The best routine among those that the request allows.
pub(crate) fn choose(target: &'static dyn Target, wanted: &Wanted) -> Result<Choice, Error> {
    let largest = largest_cache(target, wanted);
    let candidates = match wanted.method {
        Some(method) if method.multiplier && !target.description().has_multiplier => {
            return Err(no_multiplier(target, wanted.operation));
        }
        Some(method) => of_method(method, wanted, largest).map_err(|fault| fault.refusal())?,
        None => of_any(target, wanted, largest)?,
    };
    let candidates = trails::fitting(with_accumulations(candidates, target, wanted), target, wanted)?;
    let least = Least { code: AtomicUsize::new(usize::MAX), stack: AtomicUsize::new(usize::MAX) };
    let make = |candidate: &Candidate| candidate.bounded(target, wanted, &least);
    // the best of each method, for what is near it
    let mut found: Vec<(Candidate, Routine)> = Vec::new();
    let mut fault = None;
    let tried = Tried::new(wanted.work, "trying candidates", candidates.len());
    let groups = candidates.chunk_by(|one, other| one.method.name == other.method.name);
    let mut groups: Vec<(usize, &[Candidate])> = groups
        .scan(0, |first, group| {
            *first += group.len();
            Some((*first - group.len(), group))
        })
        .collect();
    // it takes long to see that walks are slower; of squares it is not so
    let is_product = wanted.operation == Operation::Mul;
    let only_splits = is_product && wanted.words > MOST_WALKED && wanted.method.is_none() && !wanted.thorough;
    let only_splits = only_splits && !wanted.bounds.is_set();
    if only_splits {
        groups.sort_by_key(|(_, group)| !group[0].is_split());
    }
    for (first, group) in groups {
        if only_splits && !group[0].is_split() && found.iter().any(|(own, _)| own.is_split()) {
            continue;
        }
        match best_of(group, make, &tried) {
            Ok((index, routine)) => found.push((group[index], routine)),
            Err(own) => fault = telling(fault, own.map(|(index, own)| (first + index, own))),
        }
    }
    if wanted.thorough && wanted.words <= MOST_THOROUGH {
        for (candidate, routine) in &mut found {
            improve((candidate, routine), target, wanted, largest, &make);
        }
    }
    let best = found.into_iter().reduce(|one, other| if key(&other.1) < key(&one.1) { other } else { one });
    match best.ok_or(fault) {
        Ok((candidate, routine)) => {
            let Candidate { method, form, parameters, on_x, .. } = candidate;
            let Routine { code, schedule, accumulation, .. } = routine;
            Ok(Choice { method, form, parameters, on_x, code, schedule, accumulation })
        }
        Err(Some(fault)) => {
            Err(beyond(wanted, &least).unwrap_or_else(|| refusal(target, wanted, &candidates, fault)))
        }
        Err(None) => Err(Error::request("no method to choose from", "`rhomb list methods`")),
    }
}

/// What is compared.
fn key(routine: &Routine) -> (u64, u64) {
    (routine.function_cycles, routine.body_cycles)
}

/// Goes to the best neighbour as long as it is better.
fn improve(
    (candidate, routine): (&mut Candidate, &mut Routine),
    target: &dyn Target,
    wanted: &Wanted,
    largest: usize,
    make: &(impl Fn(&Candidate) -> Result<Routine, LowerFault> + Sync),
) {
    if !search::has_neighbours(candidate, target) {
        return;
    }
    for _ in 0..search::MOST_STEPS {
        let around = search::neighbours(candidate, target, wanted, largest);
        let tried = Tried::new(wanted.work, "searching around the best", around.len());
        tried.best.store(routine.function_cycles, Ordering::Relaxed);
        match best_of(&around, make, &tried) {
            Ok((index, better)) if key(&better) < key(routine) => {
                (*candidate, *routine) = (around[index], better);
            }
            _ => return,
        }
    }
}

/// The most words of an operand that the registers have room for: both operands' words, three words of
/// the accumulator, and a zero.
pub(crate) fn largest_cache(target: &dyn Target, wanted: &Wanted) -> usize {
    let general = target.description().convention(wanted.convention).general_registers;
    let general = general.min(wanted.bounds.registers.unwrap_or(general));
    (general.saturating_sub(4) / 2).max(1)
}

/// What the smallest take, if that is too much.
fn beyond(wanted: &Wanted, least: &Least) -> Option<Error> {
    let [code, stack] = [&least.code, &least.stack].map(|least| least.load(Ordering::Relaxed));
    if code == usize::MAX {
        return None;
    }
    let most = |name: &str, given: Option<usize>, least: usize| {
        given.map(|given| format!("--max-{name} {given} (the least found is {least})"))
    };
    let limits: Vec<String> =
        [most("code", wanted.bounds.code, code), most("stack", wanted.bounds.stack, stack)]
            .into_iter()
            .flatten()
            .collect();
    let fault = format!("no routine keeps {}; valid: more", limits.join(" and "));
    Some(Error::request(fault, "--form looped makes small code, --registers few saves on the stack"))
}

/// Makes all candidates, on all of the machine's threads, and gives the best with its index; if none can
/// be made, the first one's fault. The answer does not depend on the number of threads.
fn best_of(
    candidates: &[Candidate],
    make: impl Fn(&Candidate) -> Result<Routine, LowerFault> + Sync,
    tried: &Tried<'_>,
) -> Result<(usize, Routine), Option<(usize, LowerFault)>> {
    let threads = tried.work.threads(candidates.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut best: Option<((u64, u64, usize), Routine)> = None;
        let mut fault: Option<(usize, LowerFault)> = None;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(candidate) = candidates.get(index) else { return (best, fault) };
            let made = make(candidate);
            tried.one(made.as_ref().ok().map(|routine| routine.function_cycles));
            match made {
                Ok(routine) => {
                    let (function, body) = key(&routine);
                    let key = (function, body, index);
                    if best.as_ref().is_none_or(|(least, _)| key < *least) {
                        best = Some((key, routine));
                    }
                }
                Err(error) => fault = telling(fault, Some((index, error))),
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
    let fault = faults.into_iter().fold(None, telling);
    best.map(|((.., index), routine)| (index, routine)).ok_or(fault)
}

/// The fault that tells more: that of an earlier candidate, and rather of one that could be made otherwise.
fn telling(
    one: Option<(usize, LowerFault)>,
    other: Option<(usize, LowerFault)>,
) -> Option<(usize, LowerFault)> {
    one.into_iter().chain(other).min_by_key(|(index, fault)| (matches!(fault, LowerFault::Unmade(_)), *index))
}

/// What `--registers` should have been.
fn too_few(target: &dyn Target, wanted: &Wanted, candidates: &[Candidate]) -> Option<Error> {
    let given = wanted.bounds.registers?;
    let enough = (given + 1..=MOST_REGISTERS).find(|more| {
        let wanted = Wanted { bounds: Bounds { registers: Some(*more), ..wanted.bounds }, ..*wanted };
        candidates.iter().any(|candidate| candidate.routine(target, &wanted).is_ok())
    })?;
    let fault = format!("--registers {given} are too few on {}; valid: {enough} or more", target.name());
    Some(Error::request(fault, format_args!("--registers {enough} are the fewest that work here")))
}

/// The methods that the target has for an operation, with their forms.
fn made(target: &'static dyn Target, wanted: &Wanted) -> Vec<String> {
    let open = Parameters::default();
    let accumulation = target.description().accumulations.last().map(|quick| quick.name);
    let is_made = |method: &'static Method, form: Form| {
        let (form, bounds) = (Some(form), Bounds::default());
        let wanted = Wanted { form, rows: None, parameters: &open, bounds, trail: None, ..*wanted };
        let first = of_method(method, &wanted, largest_cache(target, &wanted));
        let first = first.into_iter().flatten().next();
        let quick = first.map(|candidate| Candidate { accumulation, ..candidate });
        quick.is_some_and(|candidate| candidate.routine(target, &wanted).is_ok())
    };
    let forms = |method: &'static Method| -> Vec<&str> {
        let made = method.forms.iter().filter(|form| is_made(method, **form));
        made.map(|form| form.name()).collect()
    };
    methods(wanted.operation)
        .map(|method| (method.name, forms(method)))
        .filter(|(_, forms)| !forms.is_empty())
        .map(|(name, forms)| format!("{name} ({})", forms.join(", ")))
        .collect()
}

/// Says what the request should have been.
fn refusal(
    target: &'static dyn Target,
    wanted: &Wanted,
    candidates: &[Candidate],
    (index, fault): (usize, LowerFault),
) -> Error {
    let candidate = candidates[index];
    let Candidate { method, parameters, .. } = candidate;
    let message = match fault {
        LowerFault::NoMultiplier => return no_multiplier(target, wanted.operation),
        LowerFault::Registers(message) => match too_few(target, wanted, candidates) {
            Some(error) => return error,
            None => message,
        },
        LowerFault::Unmade(message) => {
            let fault = format!(
                "{} on {}: {message}; valid: {}",
                method.name,
                target.name(),
                made(target, wanted).join(", ")
            );
            return Error::request(fault, "choose another --method or --form");
        }
        LowerFault::ConstantTime { message, hint } => {
            let fault = format!("--constant-time with {} on {}: {message}", method.name, target.name());
            return Error::request(fault, hint);
        }
        LowerFault::Trail(message) => return trails::refusal(target, wanted, &message),
        LowerFault::Other(message) => message,
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
    match wanted.method.is_none() && *wanted.parameters == Parameters::OPEN {
        true => Error::request(fault, "fewer --bits, or another core"),
        false => Error::request(fault, "leave the parameters out and good values are chosen"),
    }
}
