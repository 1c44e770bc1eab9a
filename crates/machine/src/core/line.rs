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
    /// Where else it may go, where something is decided: the goal of a branch, what is behind an instruction that is skipped.
    pub or: Option<u32>,
}

/// The places that come after each other as long as nothing is decided, delay slots left out: what follows a delay slot
/// is not known from its place.
pub(super) fn line(program: &impl Code, start: ProgramPoint, link: Option<u32>) -> impl Iterator<Item = u32> {
    let mut line = Straight { program, point: Some(start), link, last: None };
    std::iter::from_fn(move || line.advance()).take(LONGEST_SIDE)
}

struct Straight<'a, C> {
    program: &'a C,
    /// Where execution comes to next; `None` where nobody knows.
    point: Option<ProgramPoint>,
    link: Option<u32>,
    last: Option<u32>,
}

impl<C: Code> Straight<'_, C> {
    /// The next place that is no delay slot.
    fn advance(&mut self) -> Option<u32> {
        loop {
            let point = self.point?;
            if point.slot.is_none() {
                self.last = Some(point.pc);
            }
            self.point = self.after(point);
            if point.slot.is_none() {
                return self.last;
            }
        }
    }

    fn after(&mut self, ProgramPoint { pc, slot }: ProgramPoint) -> Option<ProgramPoint> {
        let Way { flow, next, delayed, .. } = self.program.way(pc)?;
        let after = slot.unwrap_or(next);
        let goal = match flow {
            Flow::Next if delayed => Some(after.wrapping_add(next.wrapping_sub(pc))),
            Flow::Next => None,
            Flow::To(goal) => Some(goal),
            // of the caller's return nothing is known
            Flow::Back => Some(self.link.take()?),
            Flow::Away => return None,
        };
        let (pc, slot) = match (goal, delayed) {
            (Some(goal), true) => (after, Some(goal)),
            (Some(goal), false) => (goal, None),
            (None, _) => (after, None),
        };
        // a delay slot whose branch goes back to itself is a loop without end
        (slot.is_none() || self.last != slot).then_some(ProgramPoint { pc, slot })
    }
}
