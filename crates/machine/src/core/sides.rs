//! Conditions that a domain does not know: both sides are executed, and joined where they meet again. So is an access to one
//! of two addresses.

use super::join::{Apart, By, Saved, join};
use super::line::{LONGEST_SIDE, line};
use super::merge;
use super::paths;
use super::{Code, Machine, ProgramPoint};
use crate::{Control, Cycles, Domain, Fault, Hidden, SecretBranch};

/// Most instructions of all sides.
pub(super) const MOST: u64 = 1 << 20;
/// Most conditions inside each other: two for each byte of two numbers of 256 bits that are compared from the top.
pub(super) const DEEPEST: usize = 72;

/// One step; an instruction whose condition is not known counts as one up to the point where its sides meet. Afterwards
/// the processor has the cycles of either side, the least and the most.
///
/// # Errors
/// Those of steps. Where a condition is not known and its sides cannot be followed, execution stands at its instruction.
pub(super) fn step_joining<P: Machine>(
    processor: &mut P,
    branches: &mut Vec<SecretBranch>,
) -> Result<Control, Fault> {
    step_nested(processor, branches, 0)
}

/// One instruction. Of a machine over a domain that joins this is the one copy of all that instructions mean.
#[inline(never)]
pub(super) fn step<P: Machine>(processor: &mut P) -> Result<Control, Fault> {
    processor.step()
}

fn step_nested<P: Machine>(
    processor: &mut P,
    branches: &mut Vec<SecretBranch>,
    depth: usize,
) -> Result<Control, Fault> {
    let place = (**processor).place();
    let refused = match step(processor) {
        Err(fault) if processor.domain.joins() => fault,
        other => return other,
    };
    let Some(unknown) = Unknown::of(processor) else { return Err(refused) };
    let both = Both::<P> { unknown, place, depth };
    let sides =
        if depth == DEEPEST { Err(Failed::Here(refused)) } else { both.run(processor, branches, refused) };
    sides.map_err(|failed| failed.stop(processor, place))
}

/// Why sides could not be followed.
pub(super) enum Failed {
    /// Because of the condition's own instruction.
    Here(Fault),
    /// Because of the instruction where execution stands.
    Inside(Fault),
}

impl Failed {
    /// The fault, with execution at the instruction that it is of; the condition's own stands at this place.
    pub(super) fn stop<M: Machine>(self, machine: &mut M, place: ProgramPoint) -> Fault {
        match self {
            Failed::Inside(fault) => fault,
            Failed::Here(fault) => {
                ProgramPoint { pc: machine.pc, slot: machine.slot } = place;
                fault
            }
        }
    }
}

/// What an instruction was refused for.
pub(super) enum Unknown<D: Domain> {
    /// Its condition.
    Condition(D::Bit),
    /// An address, which is one of two: a register, and what it holds where a bit is 1 and where it is 0.
    Address { bit: D::Bit, register: u8, words: [D::Word; 2] },
}

impl<D: Domain> Unknown<D> {
    pub(super) fn of<M: Machine<Domain = D>>(machine: &mut M) -> Option<Self> {
        let (condition, registers) =
            (machine.fork.condition.take(), std::mem::take(&mut machine.fork.address));
        if let Some(condition) = condition {
            return Some(Unknown::Condition(condition));
        }
        registers.into_iter().find_map(|register| {
            let word = machine.register(register).clone();
            let (bits, words) = machine.domain.cases(&word)?;
            let [bit] = <[D::Bit; 1]>::try_from(bits).ok()?;
            let [unset, set] = <[D::Word; 2]>::try_from(words).ok()?;
            Some(Unknown::Address { bit, register, words: [set, unset] })
        })
    }

    /// By which bit the sides are told apart.
    pub(super) fn bit(&self) -> &D::Bit {
        match self {
            Unknown::Condition(bit) | Unknown::Address { bit, .. } => bit,
        }
    }

    pub(super) fn by(&self) -> By {
        match self {
            Unknown::Condition(_) => By::Condition,
            Unknown::Address { .. } => By::Address,
        }
    }

    /// Lets the next instruction be executed on a side.
    fn take<M: Machine<Domain = D>>(&self, machine: &mut M, side: bool) {
        match self {
            Unknown::Condition(_) => machine.fork.forced = Some(side),
            Unknown::Address { register, words, .. } => {
                machine.set_register(*register, words[usize::from(!side)].clone());
            }
        }
    }
}

/// Both sides of what is not known.
pub(super) struct Both<M: Machine> {
    pub(super) unknown: Unknown<M::Domain>,
    pub(super) place: ProgramPoint,
    pub(super) depth: usize,
}

/// A side behind its first instruction.
pub(super) struct Side<M: Machine> {
    pub(super) state: Saved<M::Set, M::Domain>,
    pub(super) goes: Control,
    pub(super) sp: Option<u32>,
}

/// The sides, the taken one first, and where they meet.
pub(super) struct Split<M: Machine> {
    pub(super) sides: [Side<M>; 2],
    pub(super) meeting: Option<u32>,
}

impl<M: Machine> Both<M> {
    /// The first instruction of either side.
    pub(super) fn split(&self, processor: &mut M) -> Result<Split<M>, Failed> {
        let start = processor.save();
        let first = |processor: &mut M, side| {
            self.unknown.take(processor, side);
            let goes = step(processor).map_err(Failed::Inside)?;
            Ok(Side { state: processor.save(), goes, sp: processor.pointer() })
        };
        let taken = first(processor, true)?;
        processor.restore(start);
        let other = first(processor, false)?;
        let meeting = match (taken.goes, other.goes) {
            // where the sides begin decides where they meet
            (Control::Continue, Control::Continue) => meeting_point(processor, taken.state.place()),
            // one side has left the routine
            _ => None,
        };
        Ok(Split { sides: [taken, other], meeting })
    }

    fn run(
        &self,
        processor: &mut M,
        branches: &mut Vec<SecretBranch>,
        refused: Fault,
    ) -> Result<Control, Failed> {
        let (before, sp) = (processor.cycles().max, processor.pointer());
        let split = self.split(processor)?;
        self.follow(processor, split, branches, (before, sp, refused))
    }

    /// Follows both sides from where they split, at so many cycles and with such a stack pointer, until they meet.
    pub(super) fn follow(
        &self,
        processor: &mut M,
        split: Split<M>,
        branches: &mut Vec<SecretBranch>,
        (before, sp, refused): (u64, Option<u32>, Fault),
    ) -> Result<Control, Failed> {
        if self.unknown.by() == By::Condition && processor.domain.merges() {
            return merge::follow(self, processor, split, branches, (before, sp, refused));
        }
        let Split { sides: [taken, other], meeting } = split;
        let (taken_goes, taken, other_goes) = (taken.goes, taken.state, other.goes);
        processor.restore(other.state);
        let other_goes = self.run_to(processor, other_goes, (meeting, sp), branches)?;
        let (mut other, mut other_cycles) = (processor.save(), processor.cycles());
        processor.restore(taken);
        // where one side leaves the routine, the other one goes on until it does
        let meeting = meeting.filter(|_| other_goes != Control::Return);
        let control = self.run_to(processor, taken_goes, (meeting, sp), branches)?;
        if control == Control::Return && other_goes != Control::Return {
            let left = processor.save();
            processor.restore(other);
            self.run_to(processor, other_goes, (None, sp), branches)?;
            (other, other_cycles) = (processor.save(), processor.cycles());
            processor.restore(left);
        }
        let since = |cycles: Cycles| cycles.max - before;
        let branch = SecretBranch {
            address: processor.program.address(self.place.pc),
            hidden: processor.domain.hidden_bit(self.unknown.bit()),
            taken: since(processor.cycles()),
            other: since(other_cycles),
            alike: processor.waits_like(&other),
        };
        join(processor, (self.unknown.bit(), self.unknown.by()), &mut other)
            .map_err(|Apart| Failed::Here(refused))?;
        if self.unknown.by() == By::Condition {
            branch.note(branches);
        }
        Ok(control)
    }

    /// Runs a side up to an address, or up to its return where there is none, or where it comes first.
    fn run_to(
        &self,
        processor: &mut M,
        mut goes: Control,
        (meeting, sp): (Option<u32>, Option<u32>),
        branches: &mut Vec<SecretBranch>,
    ) -> Result<Control, Failed> {
        for _ in 0..LONGEST_SIDE {
            processor.fork.steps += 1;
            if processor.fork.steps > MOST {
                break;
            }
            let is_at = |processor: &M| processor.slot.is_none() && meeting == Some(processor.pc);
            if goes == Control::Return {
                return Ok(Control::Return);
            }
            if is_at(processor) && processor.pointer() == sp {
                return Ok(Control::Continue);
            }
            goes = step_nested(processor, branches, self.depth + 1).map_err(Failed::Inside)?;
        }
        Err(Failed::Here(self.apart(processor)))
    }

    /// That sides do not meet.
    pub(super) fn apart(&self, processor: &mut M) -> Fault {
        let on = match processor.domain.hidden_bit(self.unknown.bit()) {
            Hidden::Secret => "a secret",
            Hidden::Place => "an address",
        };
        Fault::Apart { on }
    }
}

/// The nearest place to which two straight lines come, one from where execution stands, following jumps, passing over calls;
/// a return goes where the link register points before, if there is one. Where paths pass it by, the first place that none passes
/// by, if there is one. Sides for which there is none meet at the return.
fn meeting_point<M: Machine>(machine: &mut M, other: ProgramPoint) -> Option<u32> {
    let own = (**machine).place();
    let line = |start| line(&*machine.program, start, machine.link());
    let nearest = nearest(line(other), line(own));
    let asked = (other, own, nearest);
    if let Some((_, known)) = machine.fork.meetings.iter().find(|(known, _)| *known == asked) {
        return *known;
    }
    let all = paths::meeting(&*machine.program, [other, own], nearest);
    let meeting = if machine.domain.merges() { all } else { all.or(nearest) };
    machine.fork.meetings.push((asked, meeting));
    meeting
}

/// The first of the places at which two lines meet: the one with the fewest steps to it.
fn nearest(mut first: impl Iterator<Item = u32>, mut second: impl Iterator<Item = u32>) -> Option<u32> {
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    let mut found: Option<(usize, u32)> = None;
    // a place that comes later in one of the lines is further away
    while found.is_none_or(|(steps, _)| steps >= ones.len()) {
        let (one, other) = (first.next(), second.next());
        if one.is_none() && other.is_none() {
            break;
        }
        // each list grows by a step even where its line has ended, so that its length counts the steps
        ones.push(one);
        others.push(other);
        let meets = |place: Option<u32>, line: &[Option<u32>]| {
            let steps = line.iter().position(|there| place.is_some() && *there == place)?;
            Some((steps + line.len() - 1, place?))
        };
        found = [found, meets(one, &others), meets(other, &ones)].into_iter().flatten().min();
    }
    found.map(|(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    fn lines(first: &[u32], second: &[u32]) -> Option<u32> {
        nearest(first.iter().copied(), second.iter().copied())
    }

    #[test]
    fn lines_meet_at_the_place_with_the_fewest_steps() {
        assert_eq!(lines(&[2, 3, 4], &[3, 4]), Some(3));
        assert_eq!(lines(&[9, 8, 7, 1], &[1, 2, 3, 7]), Some(1));
        // two places of as many steps: the lower one
        assert_eq!(lines(&[5, 6], &[6, 5]), Some(5));
        // the first line comes to 7 after four steps, and the second to 4 after five
        assert_eq!(lines(&[4, 1, 2, 3, 7], &[7, 10, 11, 12, 13, 4]), Some(7));
        assert_eq!(lines(&[1, 2], &[3, 4, 5, 6, 2]), Some(2));
        assert_eq!(lines(&[1, 2], &[3]), None);
        assert_eq!(lines(&[], &[]), None);
    }
}
