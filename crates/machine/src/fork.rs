//! Conditions that a domain does not know: both sides are executed, and joined where they meet again.

use crate::{Control, Cycles, Domain, Fault, Hidden, Processor, SecretBranch};

/// Most instructions of a side.
pub const LONGEST_SIDE: usize = 4096;
/// Most instructions of all sides.
const MOST: u64 = 1 << 24;
/// Most conditions inside each other.
const DEEPEST: usize = 8;

/// What a processor remembers of conditions that are not known.
#[derive(Clone, Debug)]
pub struct Fork<B> {
    /// The condition of an instruction that was refused because it is not known.
    condition: Option<B>,
    /// What the next condition that is not known is taken for.
    forced: Option<bool>,
    /// Instructions executed on sides.
    steps: u64,
}

impl<B> Default for Fork<B> {
    fn default() -> Self {
        Fork { condition: None, forced: None, steps: 0 }
    }
}

impl<B: Clone> Fork<B> {
    /// Whether a condition holds, or what it is taken for.
    ///
    /// # Errors
    /// It is not known: then the fault names `what` the condition is of.
    #[inline(always)]
    pub fn decide<D: Domain<Bit = B>>(
        &mut self,
        domain: &D,
        bit: &B,
        what: impl FnOnce() -> String,
    ) -> Result<bool, Fault> {
        match domain.known_bit(bit).or_else(|| self.forced.take()) {
            Some(holds) => Ok(holds),
            None => {
                self.condition = Some(bit.clone());
                Err(domain.hidden_bit(bit).fault(what()))
            }
        }
    }
}

/// A processor whose state can be put aside and joined with another one. An instruction that is refused because its
/// condition is not known must have changed nothing.
pub trait Forks: Processor {
    /// The domain.
    type Domain: Domain;
    /// The state but for the domain.
    type State;
    /// Where execution stands.
    type Place: Copy;

    /// The domain.
    fn domain(&mut self) -> &mut Self::Domain;
    /// What is remembered of conditions.
    fn fork(&mut self) -> &mut Fork<<Self::Domain as Domain>::Bit>;
    /// A copy of the state.
    fn save(&self) -> Self::State;
    /// Goes back to a state.
    fn restore(&mut self, state: Self::State);
    /// Where execution stands.
    fn place(&self) -> Self::Place;
    /// Goes on at a place.
    fn set_place(&mut self, place: Self::Place);
    /// The byte address of the instruction there.
    fn address(&self, place: Self::Place) -> u64;
    /// The stack pointer, where the domain knows an address.
    fn stack_pointer(&self) -> Option<u32>;
    /// The nearest place, as a program counter, where straight lines from two places meet. Sides for which there is none
    /// meet at the return.
    fn meeting_point(&self, first: Self::Place, second: Self::Place) -> Option<u32>;
    /// Whether execution stands at such a place, and nothing is left to do before it.
    fn is_at(&self, meeting: u32) -> bool;
    /// Whether what will be waited for is what will be in another state.
    fn waits_like(&self, other: &Self::State) -> bool;
    /// Joins another state into this one, that of the side whose condition holds: its cycles, too, so that there are the
    /// least and the most of both.
    ///
    /// # Errors
    /// They cannot be joined.
    fn join(&mut self, condition: &<Self::Domain as Domain>::Bit, other: Self::State) -> Result<(), Apart>;
}

/// Two states that cannot be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apart;

/// One step; an instruction whose condition is not known counts as one up to the point where its sides meet. Afterwards
/// the processor has the cycles of either side, the least and the most.
///
/// # Errors
/// Those of steps. Where a condition is not known and its sides cannot be followed, execution stands at its instruction.
pub fn step_joining<P: Forks>(processor: &mut P, branches: &mut Vec<SecretBranch>) -> Result<Control, Fault> {
    step_nested(processor, branches, 0)
}

fn step_nested<P: Forks>(
    processor: &mut P,
    branches: &mut Vec<SecretBranch>,
    depth: usize,
) -> Result<Control, Fault> {
    let place = processor.place();
    let refused = match processor.step() {
        Err(fault) if processor.domain().joins() => fault,
        other => return other,
    };
    let Some(condition) = processor.fork().condition.take() else { return Err(refused) };
    let both = Both::<P> { condition, place, depth };
    let sides =
        if depth == DEEPEST { Err(Failed::Here(refused)) } else { both.run(processor, branches, refused) };
    sides.map_err(|failed| match failed {
        Failed::Inside(fault) => fault,
        Failed::Here(fault) => {
            processor.set_place(place);
            fault
        }
    })
}

/// Why sides could not be followed.
enum Failed {
    /// Because of the condition's own instruction.
    Here(Fault),
    /// Because of the instruction where execution stands.
    Inside(Fault),
}

/// Both sides of a condition.
struct Both<M: Forks> {
    condition: <M::Domain as Domain>::Bit,
    place: M::Place,
    depth: usize,
}

impl<M: Forks> Both<M> {
    fn run(
        &self,
        processor: &mut M,
        branches: &mut Vec<SecretBranch>,
        refused: Fault,
    ) -> Result<Control, Failed> {
        let start = processor.save();
        let (before, sp) = (processor.cycles().max, processor.stack_pointer());
        let first = |processor: &mut M, side| {
            processor.fork().forced = Some(side);
            processor.step().map_err(Failed::Inside)
        };
        // where the sides begin decides where they meet
        let taken_goes = first(processor, true)?;
        let (taken_start, taken) = (processor.place(), processor.save());
        processor.restore(start);
        let other_goes = first(processor, false)?;
        let meeting = match (taken_goes, other_goes) {
            (Control::Continue, Control::Continue) => processor.meeting_point(taken_start, processor.place()),
            // one side has left the routine
            _ => None,
        };
        self.run_to(processor, other_goes, (meeting, sp), branches)?;
        let (other, other_cycles) = (processor.save(), processor.cycles());
        processor.restore(taken);
        let control = self.run_to(processor, taken_goes, (meeting, sp), branches)?;
        let since = |cycles: Cycles| cycles.max - before;
        let branch = SecretBranch {
            address: processor.address(self.place),
            hidden: processor.domain().hidden_bit(&self.condition),
            taken: since(processor.cycles()),
            other: since(other_cycles),
            alike: processor.waits_like(&other),
        };
        processor.join(&self.condition, other).map_err(|Apart| Failed::Here(refused))?;
        branch.note(branches);
        Ok(control)
    }

    /// Runs a side, which has gone a step, up to an address, or up to its return where there is none. The address may be
    /// that of the routine's caller.
    fn run_to(
        &self,
        processor: &mut M,
        mut goes: Control,
        (meeting, sp): (Option<u32>, Option<u32>),
        branches: &mut Vec<SecretBranch>,
    ) -> Result<Control, Failed> {
        for _ in 0..LONGEST_SIDE {
            processor.fork().steps += 1;
            if processor.fork().steps > MOST {
                break;
            }
            let is_at = |processor: &M| meeting.is_some_and(|meeting| processor.is_at(meeting));
            if goes == Control::Return {
                match meeting.is_none() || is_at(processor) {
                    true => return Ok(Control::Return),
                    false => break,
                }
            }
            if is_at(processor) && processor.stack_pointer() == sp {
                return Ok(Control::Continue);
            }
            goes = step_nested(processor, branches, self.depth + 1).map_err(Failed::Inside)?;
        }
        let hidden = processor.domain().hidden_bit(&self.condition);
        let on = match hidden {
            Hidden::Secret => "a secret",
            Hidden::Place => "an address",
        };
        Err(Failed::Here(Fault::Apart { on }))
    }
}

/// The first of the places at which two lines meet: the one with the fewest steps to it.
pub fn nearest(first: &[u32], second: &[u32]) -> Option<u32> {
    let meeting = |(steps, place): (usize, &u32)| {
        second.iter().position(|other| other == place).map(|other_steps| (steps + other_steps, *place))
    };
    first.iter().enumerate().filter_map(meeting).min().map(|(_, place)| place)
}
