//! Words leave their registers where these are too few, that which is read last first, and come back when they are read.
//!
//! A word that was loaded is loaded again, and a number is made again, for nothing else than that. Other words are stored
//! once: in words of the result that nobody has stored yet, or in the stack. Pointers are words like others, and are done
//! with when nothing is loaded by them any more.

use super::form::{Act, Draft, Made, Memory, Name, Step, ZERO};
use super::numbers::made;
use crate::file::Register;
use smallvec::SmallVec;
use std::collections::HashMap;

/// What words may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Registers.
    pub(super) registers: usize,
    /// How many times as far away the next read of a word must be that is to be stored before.
    pub(super) weight: usize,
    /// The stack pointer.
    pub(super) stack: Register,
    /// Words of the stack from there on that have another use.
    pub(super) used: usize,
}

impl Draft {
    /// The same with no more words at a time than there are registers, and how many words of the stack are used then.
    /// Nothing where an instruction reads more than there are.
    pub(super) fn fitted(&self, room: Room) -> Option<(Draft, usize)> {
        let mut fit = Fit::new(self, room);
        for at in 0..self.steps.len() {
            fit.step(at)?;
        }
        if let Some((value, register)) = self.returned {
            fit.bring(value, self.steps.len(), &[])?;
            fit.draft.returned = Some((fit.held[value.0]?, register));
        }
        let stack = fit.slots.len().max(room.used);
        Some((fit.draft, stack))
    }
}

/// Where a word is beside its register.
#[derive(Clone, Copy, Debug)]
enum Home {
    Nowhere,
    /// Where an access to memory finds it, and since when.
    Memory {
        base: Name,
        place: (usize, i32),
        since: usize,
    },
    /// Nowhere, but a step makes it of nothing.
    Number(Act),
}

struct Fit<'a> {
    old: &'a Draft,
    room: Room,
    draft: Draft,
    /// When each word is read, the last time first.
    uses: Vec<Vec<usize>>,
    held: Vec<Option<Made>>,
    live: Vec<Made>,
    homes: Vec<Home>,
    /// When a word of memory is stored.
    stores: HashMap<(usize, i32), Vec<usize>>,
    /// Words of the result by index: until when they have a use, and when the draft stores them first.
    spare: Vec<(i32, usize, usize)>,
    /// Until when the words of the stack have a use.
    slots: Vec<usize>,
    stack: Memory,
}

/// A time after all others.
const ALWAYS: usize = usize::MAX;

impl<'a> Fit<'a> {
    fn new(old: &'a Draft, room: Room) -> Self {
        let mut uses = vec![Vec::new(); old.words];
        let mut stores: HashMap<(usize, i32), Vec<usize>> = HashMap::new();
        let mut accessed: HashMap<(usize, i32), usize> = HashMap::new();
        for (at, step) in old.steps.iter().enumerate().rev() {
            for value in reads(step) {
                uses[value.0].push(at);
            }
            if let Some(place) = step.place {
                if step.to.is_none() {
                    stores.entry(place).or_default().push(at);
                }
                accessed.insert(place, at);
            }
        }
        if let Some((value, _)) = old.returned {
            uses[value.0].insert(0, ALWAYS);
        }
        let spare = old.spare.map_or_else(Vec::new, |memory| {
            let own = accessed.iter().filter(|((number, _), _)| *number == memory.number);
            let mut own: Vec<_> = own.map(|((_, index), first)| (*index, 0, *first)).collect();
            own.sort_unstable();
            own
        });
        let mut draft =
            Draft { steps: Vec::new(), words: 0, arguments: Vec::new(), spare: None, ..old.clone() };
        let mut held = vec![None; old.words];
        let mut live = Vec::new();
        for (value, register) in &old.arguments {
            let own = draft.argument(*register);
            if !uses[value.0].is_empty() {
                held[value.0] = Some(own);
                live.push(*value);
            }
        }
        let stack = draft.memory(Name::Register(room.stack));
        let (homes, slots) = (vec![Home::Nowhere; old.words], vec![ALWAYS; room.used]);
        Fit { old, room, draft, uses, held, live, homes, stores, spare, slots, stack }
    }

    fn step(&mut self, at: usize) -> Option<()> {
        let step = self.old.steps[at];
        let own = reads(&step);
        for value in &own {
            self.bring(*value, at, &own)?;
        }
        let [x, y] = [step.x, step.y].map(|name| self.name(name));
        for value in &own {
            self.uses[value.0].pop();
            if self.uses[value.0].is_empty() {
                self.live.retain(|live| live != value);
                self.held[value.0] = None;
            }
        }
        let to = match step.to {
            Some(Name::Made(value)) => {
                self.room_for_one(at, &[])?;
                let new = self.draft.made();
                self.homes[value.0] = match (step.act, step.place) {
                    (Act::Load(_), Some(place)) => Home::Memory { base: step.x, place, since: at },
                    (Act::Word(_) | Act::Number(..), _) if step.x == ZERO => Home::Number(step.act),
                    _ => Home::Nowhere,
                };
                if !self.uses[value.0].is_empty() {
                    self.held[value.0] = Some(new);
                    self.live.push(value);
                }
                Some(new.into())
            }
            other => other,
        };
        if let (None, Some(place), Some(value)) = (step.to, step.place, made(step.y))
            && matches!(self.homes[value.0], Home::Nowhere)
        {
            self.homes[value.0] = Home::Memory { base: step.x, place, since: at };
        }
        self.draft.steps.push(Step { x: x?, y: y?, to, ..step });
        Some(())
    }

    fn name(&self, name: Name) -> Option<Name> {
        match name {
            Name::Made(value) => self.held[value.0].map(Name::from),
            register => Some(register),
        }
    }

    /// A word comes into a register, beside those that are wanted with it.
    fn bring(&mut self, value: Made, at: usize, beside: &[Made]) -> Option<()> {
        if self.held[value.0].is_some() {
            return Some(());
        }
        let mut kept: SmallVec<[Made; 4]> = beside.iter().copied().collect();
        let step = match self.homes[value.0] {
            Home::Nowhere => return None,
            Home::Number(act) => {
                self.room_for_one(at, &kept)?;
                Step { act, x: ZERO, y: ZERO, to: None, place: None }
            }
            Home::Memory { base, place, .. } => {
                if let Some(base) = made(base) {
                    self.bring(base, at, &kept)?;
                    kept.push(base);
                    self.unread(base, at);
                }
                self.room_for_one(at, &kept)?;
                let x = self.name(base)?;
                if let Some(base) = made(base).filter(|base| self.uses[base.0].is_empty()) {
                    self.live.retain(|live| *live != base);
                    self.held[base.0] = None;
                }
                Step { act: Act::Load(place.1), x, y: ZERO, to: None, place: Some(place) }
            }
        };
        let new = self.draft.made();
        self.draft.steps.push(Step { to: Some(new.into()), ..step });
        self.held[value.0] = Some(new);
        self.live.push(value);
        Some(())
    }

    /// A base was read for a word that came back.
    fn unread(&mut self, base: Made, at: usize) {
        let uses = &mut self.uses[base.0];
        if let Some(own) = uses.iter().rposition(|time| *time == at) {
            uses.remove(own);
        }
    }

    /// Makes room for one more word; those that are kept stay.
    fn room_for_one(&mut self, at: usize, kept: &[Made]) -> Option<()> {
        while self.live.len() >= self.room.registers {
            let others = self.live.iter().filter(|value| !kept.contains(value));
            let victim = *others.max_by_key(|value| (self.distance(**value, at), value.0))?;
            self.leave(victim, at)?;
        }
        Some(())
    }

    fn next(&self, value: Made) -> usize {
        self.uses[value.0].last().copied().unwrap_or(ALWAYS)
    }

    /// How far away the next read is, the nearer the more it costs to be away so long.
    fn distance(&self, value: Made, at: usize) -> usize {
        let far = self.next(value).min(self.old.steps.len()).saturating_sub(at);
        if self.is_home(value) { far * self.room.weight } else { far }
    }

    /// Whether it is found again until its next read.
    fn is_home(&self, value: Made) -> bool {
        match self.homes[value.0] {
            Home::Nowhere => false,
            Home::Number(_) => true,
            Home::Memory { base, place, since } => {
                // a pointer that is done with is gone
                let is_there = made(base).is_none_or(|base| self.next(base) < ALWAYS);
                let until = since + 1..self.next(value);
                let is_over = |stores: &Vec<usize>| stores.iter().any(|store| until.contains(store));
                is_there && !self.stores.get(&place).is_some_and(is_over)
            }
        }
    }

    /// A word leaves its register.
    fn leave(&mut self, value: Made, at: usize) -> Option<()> {
        if !self.is_home(value) {
            let (base, place) = self.place(value, at);
            let from = self.held[value.0]?;
            let x = self.name(base)?;
            let act = Act::Store(place.1);
            self.draft.steps.push(Step { act, x, y: from.into(), to: None, place: Some(place) });
            self.homes[value.0] = Home::Memory { base, place, since: at };
        }
        if let Home::Memory { base: Name::Made(base), .. } = self.homes[value.0] {
            let next = self.next(value);
            let uses = &mut self.uses[base.0];
            let own = uses.iter().position(|time| *time <= next).unwrap_or(uses.len());
            uses.insert(own, next);
        }
        self.live.retain(|live| *live != value);
        self.held[value.0] = None;
        Some(())
    }

    /// A place for a word until it is read for the last time.
    fn place(&mut self, value: Made, at: usize) -> (Name, (usize, i32)) {
        // what a pointer points to may come back later than it is read now
        let is_pointer =
            self.old.steps.iter().any(|step| step.place.is_some() && made(step.x) == Some(value));
        let last = if is_pointer { ALWAYS } else { self.uses[value.0].first().copied().unwrap_or(at) };
        if let Some(memory) = self.old.spare
            && made(memory.base).is_some_and(|base| self.held[base.0].is_some())
            && let Some((index, until, _)) =
                self.spare.iter_mut().find(|(_, until, first)| *until <= at && last < *first)
        {
            *until = last + 1;
            return (memory.base, (memory.number, *index));
        }
        let slot = self.slots.iter().position(|until| *until <= at);
        let slot = slot.unwrap_or_else(|| {
            self.slots.push(0);
            self.slots.len() - 1
        });
        self.slots[slot] = last.saturating_add(1);
        (self.stack.base, (self.stack.number, slot as i32))
    }
}

/// The words that a step reads.
fn reads(step: &Step) -> SmallVec<[Made; 2]> {
    let mut all: SmallVec<[Made; 2]> = SmallVec::new();
    for value in [step.x, step.y].into_iter().filter_map(made) {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all
}
