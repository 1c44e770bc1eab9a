//! Several paths at once: those that come to one place go on as one.
//!
//! Where a condition stands on a side of another, and the sides of both meet at the same place, all sides are paths from one to the
//! other. The one that is furthest back is followed first; so those that come to one place, in the same round of the loops around it,
//! are known when one of them goes on, and are joined there. Which of two a path is, is told by the conditions at which they parted.

use super::join::{By, join};
use super::line::Flow;
use super::order::{Order, Progress};
use super::paths::Paths;
use super::sides::{Both, DEEPEST, Failed, MOST, Side, Split, Unknown, step};
use super::{Code, Machine, ProgramPoint};
use crate::{Control, Domain, Fault, SecretBranch};
use std::sync::Arc;

/// Most paths at once.
const MOST_PATHS: usize = 256;

/// The bit of a machine's domain.
type Bit<M> = <<M as Machine>::Domain as Domain>::Bit;

/// Conditions at which paths part, the taken side first, and the paths behind them; one that was joined with another is the same.
enum Tree<B> {
    Path(usize),
    Fork(B, Box<[Tree<B>; 2]>),
}

impl<B: Clone> Tree<B> {
    fn count(&self, path: usize) -> usize {
        match self {
            Tree::Path(own) => usize::from(*own == path),
            Tree::Fork(_, sides) => sides.iter().map(|side| side.count(path)).sum(),
        }
    }

    /// Puts something else in the place of a path.
    fn replace(&mut self, path: usize, by: &mut dyn FnMut() -> Tree<B>) {
        match self {
            Tree::Path(own) if *own == path => *self = by(),
            Tree::Path(_) => {}
            Tree::Fork(_, sides) => {
                sides.iter_mut().for_each(|side| side.replace(path, by));
                if let [Tree::Path(taken), Tree::Path(other)] = **sides
                    && taken == other
                {
                    *self = Tree::Path(taken);
                }
            }
        }
    }

    /// Which paths of these to join, those first that parted last: each into the one before it.
    fn pairs(&self, paths: &[usize], pairs: &mut Vec<(usize, usize)>) -> Option<usize> {
        match self {
            Tree::Path(own) => Some(*own).filter(|own| paths.contains(own)),
            Tree::Fork(_, sides) => match [0, 1].map(|side| sides[side].pairs(paths, pairs)) {
                [Some(taken), Some(other)] => {
                    pairs.push((taken, other));
                    Some(taken)
                }
                [taken, other] => taken.or(other),
            },
        }
    }

    /// 1 where it is the one path, and 0 where it is the other; `None` where it is neither.
    fn tells<D: Domain<Bit = B>>(&self, domain: &mut D, one: usize, other: usize) -> Option<D::Word> {
        match self {
            Tree::Path(own) if *own == one => Some(domain.word(1)),
            Tree::Path(own) if *own == other => Some(domain.word(0)),
            Tree::Path(_) => None,
            Tree::Fork(bit, sides) => match [0, 1].map(|side| sides[side].tells(domain, one, other)) {
                [Some(taken), Some(other)] => Some(domain.select(bit, &taken, &other)),
                [taken, other] => taken.or(other),
            },
        }
    }
}

/// A path, and how far it has come.
struct Path<M: Machine> {
    side: Side<M>,
    progress: Progress,
    /// Whether it could not be joined with another.
    is_alone: bool,
    /// Whether it has left the function in which the sides begin.
    has_left: bool,
}

/// All paths from where two sides begin to where they meet.
struct Several<'a, M: Machine> {
    both: &'a Both<M>,
    order: Arc<Order>,
    tree: Tree<Bit<M>>,
    paths: Vec<Option<Path<M>>>,
    /// Where all meet; `None` where that is behind the function's return.
    meeting: Option<u32>,
    sp: Option<u32>,
    /// Whether they go on until the routine returns, because they left the function for different places.
    is_last: bool,
}

/// Follows all paths from where two sides split until they meet. Of the conditions inside, only the first one is noted among the
/// branches: a domain that tells the time does not merge.
pub(super) fn follow<M: Machine>(
    both: &Both<M>,
    processor: &mut M,
    split: Split<M>,
    branches: &mut Vec<SecretBranch>,
    (before, sp, refused): (u64, Option<u32>, Fault),
) -> Result<Control, Failed> {
    // from the condition on: a side may begin inside of the loop that both are in
    let start = both.place.pc;
    let known = processor.fork.orders.get(&start).cloned();
    let order = known.unwrap_or_else(|| {
        let order = Paths::from(&*processor.program, [start; 2]).map(|paths| Arc::new(Order::of(&paths)));
        processor.fork.orders.insert(start, order.clone());
        order
    });
    let Some(order) = order else { return Err(Failed::Here(refused)) };
    let tree = Tree::Path(0);
    let mut several =
        Several { both, order, tree, paths: vec![None], meeting: split.meeting, sp, is_last: false };
    several.part(0, both.unknown.bit(), Progress::default(), split);
    let control = several.run(processor, branches, refused)?;
    // each side is one of several paths: the slowest and the fastest of all
    let cycles = processor.cycles();
    let branch = SecretBranch {
        address: processor.program.address(both.place.pc),
        hidden: processor.domain.hidden_bit(both.unknown.bit()),
        taken: cycles.max.saturating_sub(before),
        other: cycles.min.saturating_sub(before),
        alike: cycles.is_exact(),
    };
    branch.note(branches);
    Ok(control)
}

impl<M: Machine> Several<'_, M> {
    /// Lets a path part at a condition.
    fn part(&mut self, path: usize, bit: &Bit<M>, progress: Progress, split: Split<M>) {
        let new = self.paths.len();
        self.tree
            .replace(path, &mut || Tree::Fork(bit.clone(), Box::new([Tree::Path(path), Tree::Path(new)])));
        let [taken, other] = split.sides.map(|side| {
            let (mut progress, start) = (progress.clone(), side.state.place());
            if start.slot.is_none() {
                self.order.advance(&mut progress, start.pc);
            }
            Some(Path { side, progress, is_alone: false, has_left: false })
        });
        self.paths[path] = taken;
        self.paths.push(other);
    }

    /// Follows the paths until all meet.
    fn run(
        &mut self,
        processor: &mut M,
        branches: &mut Vec<SecretBranch>,
        refused: Fault,
    ) -> Result<Control, Failed> {
        loop {
            let all: Vec<usize> = (0..self.paths.len()).filter(|path| self.paths[*path].is_some()).collect();
            let mut open: Vec<usize> = all.iter().copied().filter(|path| !self.is_done(*path)).collect();
            open.sort_by(|one, other| self.progress(*one).cmp(&self.progress(*other)));
            let Some(first) = open.first().copied() else {
                let is_apart = |path: &usize| self.place(*path) != self.place(all[0]);
                if !self.is_last && all.iter().any(is_apart) {
                    self.is_last = true;
                    continue;
                }
                let control = self.goes(all[0]);
                if !self.gather(processor, &all) {
                    return Err(Failed::Here(refused));
                }
                let last = self.paths.iter_mut().find_map(Option::take);
                last.into_iter().for_each(|last| processor.restore(last.side.state));
                return Ok(control);
            };
            let is_beside = |path: &usize| {
                let (own, other) = (self.paths[*path].as_ref(), self.paths[first].as_ref());
                own.zip(other).is_some_and(|(own, other)| {
                    let is_there =
                        own.side.state.place() == other.side.state.place() && own.side.sp == other.side.sp;
                    own.progress == other.progress && !own.is_alone && is_there
                })
            };
            let beside: Vec<usize> = open.iter().copied().filter(is_beside).collect();
            if beside.len() > 1 && self.gather(processor, &beside) {
                continue;
            }
            let next = open.iter().find(|path| !beside.contains(path) && **path != first);
            let next = next.and_then(|path| self.progress(*path).cloned());
            self.go_on(processor, first, next, branches)?;
        }
    }

    fn progress(&self, path: usize) -> Option<&Progress> {
        self.paths[path].as_ref().map(|path| &path.progress)
    }

    fn place(&self, path: usize) -> Option<(ProgramPoint, Option<u32>, Control)> {
        self.paths[path].as_ref().map(|path| (path.side.state.place(), path.side.sp, path.side.goes))
    }

    fn goes(&self, path: usize) -> Control {
        self.paths[path].as_ref().map_or(Control::Continue, |path| path.side.goes)
    }

    /// Whether a path has come to where all meet.
    fn is_done(&self, path: usize) -> bool {
        self.paths[path].as_ref().is_none_or(|path| {
            let place = path.side.state.place();
            let is_there = match self.meeting {
                Some(meeting) => place == ProgramPoint { pc: meeting, slot: None } && path.side.sp == self.sp,
                None => path.has_left,
            };
            path.side.goes == Control::Return || !self.is_last && is_there
        })
    }

    /// Follows a path until it parts, is done, or has come to where another one is.
    fn go_on(
        &mut self,
        processor: &mut M,
        path: usize,
        next: Option<Progress>,
        branches: &mut Vec<SecretBranch>,
    ) -> Result<(), Failed> {
        let Some(Path { side, mut progress, is_alone, .. }) = self.paths[path].take() else { return Ok(()) };
        let mut leaves = false;
        processor.restore(side.state);
        loop {
            processor.fork.steps += 1;
            if processor.fork.steps > MOST {
                return Err(Failed::Here(self.both.apart(processor)));
            }
            let place = (**processor).place();
            let goes = match step(processor) {
                Ok(goes) => goes,
                Err(refused) => {
                    let unknown = Unknown::of(processor).filter(|_| processor.domain.joins());
                    let Some(unknown) = unknown else { return Err(Failed::Inside(refused)) };
                    let depth = self.both.depth + 1;
                    if depth == DEEPEST || self.paths.iter().flatten().count() == MOST_PATHS {
                        return Err(Failed::Inside(refused));
                    }
                    let inner = Both::<M> { unknown, place, depth };
                    let (before, sp) = (processor.cycles().max, processor.pointer());
                    let split = inner.split(processor)?;
                    let goes_on = split.sides.iter().all(|side| side.goes == Control::Continue);
                    let is_between =
                        goes_on && split.meeting == self.meeting && self.order.contains(place.pc);
                    if inner.unknown.by() == By::Condition && is_between && !self.is_last {
                        processor.domain.note_merged();
                        self.part(path, inner.unknown.bit(), progress, split);
                        return Ok(());
                    }
                    let inside = inner.follow(processor, split, branches, (before, sp, refused));
                    inside.map_err(|failed| Failed::Inside(failed.stop(processor, place)))?
                }
            };
            let is_own = processor.slot.is_none() && processor.pointer() == self.sp;
            if is_own {
                self.order.advance(&mut progress, processor.pc);
            }
            leaves |= self.order.contains(place.pc)
                && processor
                    .program
                    .way(place.pc)
                    .is_some_and(|way| matches!(way.flow, Flow::Back | Flow::Away));
            let has_left = leaves && processor.slot.is_none();
            let side = |processor: &M| Side { state: processor.save(), goes, sp: processor.pointer() };
            let is_there = match self.meeting {
                Some(meeting) => is_own && processor.pc == meeting,
                None => has_left,
            };
            let waits = is_own && !is_alone && next.as_ref().is_some_and(|next| progress >= *next);
            if goes == Control::Return || !self.is_last && (is_there || waits) {
                self.paths[path] = Some(Path { side: side(processor), progress, is_alone, has_left });
                return Ok(());
            }
        }
    }

    /// Joins paths; whether all of them could be.
    fn gather(&mut self, processor: &mut M, paths: &[usize]) -> bool {
        let (once, others): (Vec<usize>, Vec<usize>) =
            paths.iter().copied().partition(|path| self.tree.count(*path) == 1);
        let mut pairs = Vec::new();
        let first = self.tree.pairs(&once, &mut pairs);
        let mut chain = first.into_iter().chain(others);
        if let Some(first) = chain.next() {
            pairs.extend(chain.map(|other| (first, other)));
        }
        for (one, other) in pairs {
            let (Some(own), Some(mut joined)) = (self.paths[one].take(), self.paths[other].take()) else {
                return false;
            };
            processor.restore(own.side.state);
            let before = processor.save();
            let told = self.tree.tells(&mut processor.domain, one, other);
            let bit = told.map(|told| processor.domain.bit_of(&told, 0));
            let is_joined =
                bit.is_some_and(|bit| join(processor, (&bit, By::Condition), &mut joined.side.state).is_ok());
            let state = if is_joined { processor.save() } else { before };
            let side = Side { state, goes: own.side.goes, sp: own.side.sp };
            self.paths[one] = Some(Path { side, is_alone: !is_joined, ..own });
            if !is_joined {
                self.paths[other] = Some(joined);
                return false;
            }
            self.tree.replace(other, &mut || Tree::Path(one));
        }
        true
    }
}
