use super::{Code, ProgramPoint};

/// Most instructions of a side.
pub(super) const LONGEST_SIDE: usize = 4096;

/// Where execution goes after an instruction, as far as nothing is decided there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// On: a call comes back, and at a decision the sides may still meet after it.
    Next,
    /// To a place, always.
    To(u32),
    /// Where the link register points.
    Back,
    /// Nobody knows where.
    Away,
}

/// How execution passes an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Where it goes.
    pub flow: Flow,
    /// The place behind the instruction.
    pub next: u32,
    /// Whether the instruction behind it, in the delay slot, is executed first.
    pub delayed: bool,
}

/// The places that come after each other as long as nothing is decided, delay slots left out: what follows a delay slot
/// is not known from its place.
pub(super) fn line(program: &impl Code, start: ProgramPoint, mut link: Option<u32>) -> Vec<u32> {
    let mut places = Vec::new();
    let ProgramPoint { mut pc, mut slot } = start;
    while places.len() < LONGEST_SIDE {
        if slot.is_none() {
            places.push(pc);
        }
        let Some(Way { flow, next, delayed }) = program.way(pc) else { break };
        let after = slot.unwrap_or(next);
        let goal = match flow {
            Flow::Next if delayed => Some(after.wrapping_add(next.wrapping_sub(pc))),
            Flow::Next => None,
            Flow::To(goal) => Some(goal),
            // of the caller's return nothing is known
            Flow::Back => match link.take() {
                Some(link) => Some(link),
                None => break,
            },
            Flow::Away => break,
        };
        (pc, slot) = match (goal, delayed) {
            (Some(goal), true) => (after, Some(goal)),
            (Some(goal), false) => (goal, None),
            (None, _) => (after, None),
        };
        if slot.is_some() && places.last() == slot.as_ref() {
            // a loop without end
            break;
        }
    }
    places
}
