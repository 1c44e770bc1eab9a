//! Two calls that show a leak: they differ in nothing but the operands, and do something else at one instruction.

use crate::calls::arguments;
use crate::inputs::Inputs;
use crate::provable::Provable;
use crate::right::number;
use num_bigint::BigUint;
use rhomb_certificate::{Contract, Pattern};
use rhomb_machine::{Cycles, Watch};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Two calls in which an instruction does not do the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// How result and operands share memory.
    pub pattern: &'static str,
    /// Byte address of the instruction.
    pub address: u64,
    /// What differs there.
    pub differs: Difference,
    /// The calls.
    pub calls: [WitnessCall; 2],
}

/// A call with what an instruction does in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessCall {
    /// The operands' words, lowest first.
    pub operands: Vec<Vec<u64>>,
    /// Cycles of the call, the most of them where the core leaves them open; `None` where it does not return.
    pub cycles: Option<u64>,
    /// What the instruction does where it first differs: see [`Difference`].
    pub value: u64,
}

impl WitnessCall {
    /// The operands as numbers.
    pub fn numbers(&self, word_bits: u32) -> Vec<BigUint> {
        self.operands.iter().map(|words| number(words, word_bits)).collect()
    }
}

/// What differs between two calls at an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The address of the next instruction.
    Way,
    /// The address that it accesses.
    Access,
    /// Its cycles.
    Time,
    /// How often it is executed.
    Visits,
    /// The operand that decides how long it takes: the cycles are spent by those that wait for its result.
    Wait,
    /// The operands that decide how long it takes, in a way that is not published: no cycles of either call are known.
    Operands,
}

/// Operands that are tried whatever it takes.
const FEWEST: u64 = 24;
/// Instructions of all calls, above which no further one is made; setting up a call counts as some.
const BUDGET: u64 = 500_000;
/// The same, whatever the number of calls. No call is written down any further.
const LONGEST: u64 = 4_000_000;
/// Instructions that take as long as the setting up of a call.
const SET_UP: u64 = 1000;

/// What an instruction did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Step {
    address: u64,
    /// The first address that it accessed.
    access: u64,
    /// Of all of them.
    accesses: u64,
    /// Of the words that decided something.
    words: u64,
    cycles: u64,
}

/// What a call did.
#[derive(Clone, Debug, Default)]
struct Steps {
    steps: Vec<Step>,
    before: u64,
}

/// Writes down what a call does: where each instruction stands, what it accesses and decides by, and its cycles.
#[derive(Clone, Debug, Default)]
pub struct Recorder(Rc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    done: RefCell<Steps>,
    access: Cell<u64>,
    accesses: Cell<u64>,
    words: Cell<u64>,
}

fn mixed(sum: u64, number: u64) -> u64 {
    (sum.rotate_left(5) ^ number.wrapping_add(1)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Shared {
    /// Gives the last step what was seen since it began.
    fn settle(&self, done: &mut Steps) {
        let (access, accesses, words) = (self.access.take(), self.accesses.take(), self.words.take());
        if let Some(step) = done.steps.last_mut() {
            (step.access, step.accesses, step.words) = (access, accesses, words);
        }
    }
}

impl Watch for Recorder {
    fn located(&mut self, address: u64) {
        let mut done = self.0.done.borrow_mut();
        self.0.settle(&mut done);
        if done.steps.len() as u64 >= LONGEST {
            return;
        }
        done.steps.push(Step { address, ..Step::default() });
    }
    fn decided(&self, number: u64) {
        self.0.words.set(mixed(self.0.words.get(), number));
    }
    fn accessed(&self, address: u64) {
        if self.0.accesses.get() == 0 {
            self.0.access.set(address);
        }
        self.0.accesses.set(mixed(self.0.accesses.get(), address));
    }
    fn passed(&mut self, cycles: Cycles) {
        let mut done = self.0.done.borrow_mut();
        let since = cycles.max - done.before;
        done.before = cycles.max;
        if let Some(step) = done.steps.last_mut() {
            step.cycles = since;
        }
    }
}

/// A call that was recorded.
struct Recorded {
    operands: Vec<Vec<u64>>,
    cycles: Option<u64>,
    steps: Vec<Step>,
}

/// Where two calls may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    /// At an instruction.
    At(u64),
    /// At an instruction whose operands decide how long it takes, in a way that is not published.
    Operands(u64),
    /// At any instruction.
    Anywhere,
}

/// Looks for two calls that differ in one of these places, all else being the same, with the number of the place. Two
/// calls whose ways or times differ must differ in their cycles, too, as far as these are known. The number of calls that were made where none show
/// it.
pub(crate) fn witness(
    routine: &dyn Provable,
    contract: &Contract,
    pattern: &Pattern,
    places: &[Where],
) -> Result<(usize, Witness), u64> {
    let mut first: Option<Recorded> = None;
    let (mut calls, mut effort) = (0, 0);
    for operands in Inputs::of(contract, routine.word_bits()) {
        if calls >= FEWEST && effort >= BUDGET || effort >= LONGEST {
            break;
        }
        let operands = contract.fitting(routine.word_bits(), pattern, &operands);
        let call = recorded(routine, contract, pattern, operands);
        calls += 1;
        effort += SET_UP + call.steps.len() as u64;
        let Some(before) = &first else {
            first = Some(call);
            continue;
        };
        let found = places.iter().enumerate().find_map(|(number, place)| {
            let found = match place {
                Where::At(address) => at(*address, before, &call),
                Where::Operands(address) => operands_at(*address, before, &call),
                Where::Anywhere => anywhere(before, &call),
            };
            Some((number, found?))
        });
        if let Some((number, (address, differs, values))) = found {
            let of = |call: &Recorded, value| WitnessCall {
                operands: call.operands.clone(),
                cycles: call.cycles,
                value,
            };
            let calls = [of(before, values[0]), of(&call, values[1])];
            return Ok((number, Witness { pattern: pattern.name, address, differs, calls }));
        }
    }
    Err(calls)
}

type Found = (u64, Difference, [u64; 2]);

/// The steps at an address, each with the address of the next one.
fn visits(call: &Recorded, address: u64) -> impl Iterator<Item = (Step, u64)> + '_ {
    let next = call.steps.iter().skip(1).map(|step| step.address).chain([0]);
    call.steps.iter().copied().zip(next).filter(move |(step, _)| step.address == address)
}

fn at(address: u64, first: &Recorded, second: &Recorded) -> Option<Found> {
    let takes_other = first.cycles.zip(second.cycles).is_some_and(|(own, other)| own != other);
    let mut waits = None;
    let (mut own, mut other) = (visits(first, address), visits(second, address));
    let mut count = 0u64;
    loop {
        let ((x, x_next), (y, y_next)) = match (own.next(), other.next()) {
            (Some(x), Some(y)) => (x, y),
            (None, None) => return waits.filter(|_| takes_other),
            (x, _) if takes_other => {
                let more = [
                    count + u64::from(x.is_some()) + own.count() as u64,
                    count + u64::from(x.is_none()) + other.count() as u64,
                ];
                return Some((address, Difference::Visits, more));
            }
            _ => return None,
        };
        count += 1;
        let elsewhere = x.accesses != y.accesses;
        if elsewhere && x.accesses != 0 && y.accesses != 0 {
            return Some((address, Difference::Access, [x.access, y.access]));
        }
        if takes_other && x_next != y_next {
            return Some((address, Difference::Way, [x_next, y_next]));
        }
        if takes_other && x.cycles != y.cycles {
            return Some((address, Difference::Time, [x.cycles, y.cycles]));
        }
        if elsewhere {
            return Some((address, Difference::Access, [x.access, y.access]));
        }
        if x.words != y.words {
            waits = waits.or(Some((address, Difference::Wait, [x.words, y.words])));
        }
    }
}

/// The first visit of an address with other operands, as long as both calls have gone the same way there.
fn operands_at(address: u64, first: &Recorded, second: &Recorded) -> Option<Found> {
    let steps = || first.steps.iter().zip(&second.steps);
    let together = steps().take_while(|(x, y)| x.address == y.address);
    let (x, y) = together.filter(|(x, _)| x.address == address).find(|(x, y)| x.words != y.words)?;
    Some((address, Difference::Operands, [x.words, y.words]))
}

/// The first instruction that does not do the same in two calls that do not take equally long.
fn anywhere(first: &Recorded, second: &Recorded) -> Option<Found> {
    let (own, other) = (first.cycles?, second.cycles?);
    if own == other {
        return None;
    }
    let mut before = 0;
    for (x, y) in first.steps.iter().zip(&second.steps) {
        if x.address != y.address {
            return Some((before, Difference::Way, [x.address, y.address]));
        }
        if x.cycles != y.cycles {
            return Some((x.address, Difference::Time, [x.cycles, y.cycles]));
        }
        before = x.address;
    }
    None
}

fn recorded(
    routine: &dyn Provable,
    contract: &Contract,
    pattern: &Pattern,
    operands: Vec<Vec<u64>>,
) -> Recorded {
    let given = arguments(contract, routine.word_bits(), pattern, &operands);
    let recorder = Recorder::default();
    let cycles = routine.recorded(given, recorder.clone());
    let mut done = recorder.0.done.take();
    recorder.0.settle(&mut done);
    Recorded { operands, cycles, steps: done.steps }
}
