//! The search for a faster routine, as long as one likes.

use crate::error::Error;
use crate::generate::measure_planned;
use crate::plan::{Plan, Way};
use crate::report;
use crate::request::Request;
use crate::suite::Shard;
use crate::targets::{self, LowerFault, Making, Target};
use crate::trails::{self, SEARCHED};
use crate::work::{Progress, Work};
use rhomb_kernel::{Shape, Task};
use serde::Serialize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Searches of a seed are numbered from here on.
const APART: u64 = 1_000_000;

/// How long is searched, and where.
pub struct Tuning<'a> {
    /// Which numbers the searches have.
    pub seed: u32,
    /// Which of these are done here.
    pub shard: Shard,
    /// The most searches.
    pub searches: Option<usize>,
    /// Whether there is time for another search.
    pub goes_on: &'a (dyn Fn() -> bool + Sync),
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tuned {
    /// Such as `mul`.
    pub operation: String,
    /// Size of each operand.
    pub bits: usize,
    /// The core.
    pub target: &'static str,
    /// Function cycles of the routine with which the search began.
    pub before: u64,
    /// Those of the best one.
    pub now: u64,
    /// Searches that were done.
    pub searches: usize,
    /// The trail of the best one; nothing where it has none.
    pub trail: Option<String>,
    /// The command line that makes its files.
    pub command: String,
}

impl Tuned {
    /// A line for people, and for `sort -n`.
    pub fn text(&self) -> String {
        let Tuned { before, now, command, .. } = self;
        format!("{now} function cycles, {before} before: {command}\n")
    }

    /// One line of JSON.
    pub fn json(&self) -> String {
        report::versioned("rhomb tuning 1", self)
    }
}

/// Searches near the trail of a request, or near the one that is known, for a faster product.
///
/// Each search is by a number, from the seed, and begins with the best trail so far. So on one thread a number of searches leads to the same
/// trail each time; on several it depends on which ends first.
///
/// # Errors
/// A request that cannot be met, or one of what is not searched for.
pub fn tune(request: &Request, tuning: &Tuning<'_>) -> Result<Tuned, Error> {
    trails::has_trails(&request.operation, targets::find(&request.target)?)?;
    let request = Request { method: Some(SEARCHED.to_owned()), ..request.clone() };
    let plan = request.plan()?;
    let Way::Walk(method, parameters, _) = plan.way else {
        unreachable!("products are no operations of fields")
    };
    let words = request.bits.div_ceil(plan.target.description().word_bits as usize);
    let shape = Shape { form: plan.form, words, parameters: &parameters };
    let task = method.task(&shape).unwrap_or_else(|| unreachable!("a plan has a task"));
    let refused = |fault| trails::none(plan.target, words, fault);
    let first = plan.target.trail(&task).map_err(refused)?;
    let search = Search { task, target: plan.target, convention: plan.convention };
    let from = request.trail.clone().unwrap_or(first);
    let (trail, searches) = search.run(from, tuning, &request.work).map_err(refused)?;
    let (begun, before) = measured(plan)?;
    // where no trail is known, other code may be faster than all that were found
    let trail = search.cycles(&trail).filter(|cycles| *cycles <= before).map(|_| trail);
    let (command, now) = match &trail {
        Some(_) => measured(Request { parameters, trail: trail.clone(), ..request.clone() }.plan()?)?,
        None => (begun, before),
    };
    let target = search.target.name();
    Ok(Tuned {
        operation: request.operation,
        bits: request.bits,
        target,
        before,
        now,
        searches,
        trail,
        command,
    })
}

/// The command line of a plan, and its function cycles.
fn measured(plan: Plan) -> Result<(String, u64), Error> {
    let command = plan.command_line();
    Ok((command, measure_planned(plan)?.report.cycles.function))
}

/// What is searched for.
struct Search {
    task: Task,
    target: &'static dyn Target,
    convention: &'static str,
}

/// The best so far.
struct Best {
    cycles: Option<u64>,
    trail: String,
}

impl Search {
    /// Function cycles along a trail; nothing for one that leads nowhere.
    fn cycles(&self, trail: &str) -> Option<u64> {
        let making = Making {
            convention: self.convention,
            registers: None,
            accumulation: None,
            constant_time: false,
            on_x: None,
            trail: Some(trail),
        };
        self.target.routine(&self.task, &making).ok().map(|routine| routine.function_cycles)
    }

    /// The best trail, and how many searches it took.
    fn run(&self, trail: String, tuning: &Tuning<'_>, work: &Work) -> Result<(String, usize), LowerFault> {
        let best = Mutex::new(Best { cycles: self.cycles(&trail), trail });
        let best = || best.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, done) = (AtomicU64::new(0), AtomicUsize::new(0));
        let run = || -> Result<(), LowerFault> {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if tuning.searches.is_some_and(|all| index >= all as u64) || !(tuning.goes_on)() {
                    return Ok(());
                }
                // trails have seeds of 32 bits; which of them are used twice does not matter
                let number = u64::from(tuning.seed) * APART + tuning.shard.nth(index);
                let from = best().trail.clone();
                let found = self.target.search(&self.task, &from, number as u32)?;
                let found = found.and_then(|trail| Some((self.cycles(&trail)?, trail)));
                let mut best = best();
                if let Some((cycles, trail)) = found
                    && best.cycles.is_none_or(|least| cycles <= least)
                {
                    *best = Best { cycles: Some(cycles), trail };
                }
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                let steps = tuning.searches.map(|all| (done, all));
                work.told(Progress { phase: "searching", steps, best: best.cycles });
            }
        };
        std::thread::scope(|scope| {
            let threads = work.threads(tuning.searches.unwrap_or(usize::MAX));
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
            let join = |other: std::thread::ScopedJoinHandle<'_, _>| {
                other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            let own = run();
            others.into_iter().map(join).fold(own, Result::and)
        })?;
        let trail = best().trail.clone();
        Ok((trail, done.into_inner()))
    }
}
