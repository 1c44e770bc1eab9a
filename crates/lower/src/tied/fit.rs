//! Registers by the furthest next use, weighed by what losing a word costs.

use super::columns::{Draft, Home, Op, Word};
use super::group::{cycles, group};
use super::{Place, Placed, Routine, Setting};
use crate::file::Register;

/// What a candidate chooses beside order and columns. Weights are tenths: how many times as far away the next use of a word must
/// be, than that of one which is made again for nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tuning {
    pub(super) operand: u32,
    pub(super) pointer: u32,
    pub(super) spill: u32,
    /// Words that are loaded beside one that must be.
    pub(super) ahead: usize,
    /// Registers that stay free then.
    pub(super) margin: usize,
    /// Reads for which a word of an operand goes to the bank, so many or more; with 0 none does.
    pub(super) keep: usize,
    /// Adds noise, if it is not 0.
    pub(super) seed: u32,
}

const NONE: u8 = u8::MAX;
const NEVER: usize = usize::MAX;
/// Arguments are words behind those of the draft.
const ARGUMENTS: usize = 3;

struct Fit<'a> {
    draft: &'a Draft,
    setting: &'a Setting,
    tuning: Tuning,
    /// Positions of the reads of word `w`: `reads[starts[w]..starts[w + 1]]`.
    reads: Vec<u16>,
    starts: Vec<u16>,
    next: Vec<u16>,
    at: usize,
    register: Vec<u8>,
    content: [Option<Word>; 16],
    /// Where a word was put that left its register.
    spilled: Vec<Option<Place>>,
    /// When a word of the result is stored, and until when it holds something else.
    stored: Vec<u16>,
    held: Vec<usize>,
    frame: Vec<usize>,
    bank: Vec<usize>,
    saved: [bool; ARGUMENTS],
    /// Operands whose address is lost.
    lost: [bool; ARGUMENTS],
    noise: u32,
    code: Vec<Placed>,
}

/// The routine of a draft; nothing where registers are too few.
pub(super) fn fit(draft: &Draft, setting: &Setting, tuning: Tuning) -> Option<Routine> {
    let mut fit = Fit::new(draft, setting, tuning);
    for at in 0..draft.ops.len() {
        fit.at = at;
        fit.step(draft.ops[at])?;
    }
    let Fit { mut code, saved, frame, .. } = fit;
    group(&mut code, draft.shared);
    let written = code.iter().fold(0, |all, one| all | one.writes());
    let used = setting.preserved.iter().copied().filter(|register| written >> register & 1 == 1);
    let mut saves: Vec<Register> = used.collect();
    let arguments: Vec<usize> = (0..ARGUMENTS).filter(|argument| saved[*argument]).collect();
    if !(saves.is_empty() && arguments.is_empty() || saves.contains(&setting.link)) {
        saves.push(setting.link);
    }
    let frame = frame.len();
    let enclosing = match (arguments.len(), frame) {
        (0, 0) => 0,
        (some, 0) => some as u64 * setting.times.saved / 2 + 1,
        (some, _) => some as u64 * setting.times.saved / 2 + 2,
    };
    let call = match saves.len() as u64 {
        0 => setting.times.leaf,
        some => setting.times.call + setting.times.saved * some,
    };
    let cycles = cycles(&code, setting) + call + enclosing;
    Some(Routine { code, saved: saves, arguments, frame, cycles })
}

impl<'a> Fit<'a> {
    fn new(draft: &'a Draft, setting: &'a Setting, tuning: Tuning) -> Self {
        let words = draft.homes.len();
        let mut starts = vec![0u16; words + 2];
        let mut stored = Vec::new();
        for (at, op) in draft.ops.iter().enumerate() {
            let (reads, count) = op.reads();
            reads[..count].iter().for_each(|word| starts[usize::from(*word) + 2] += 1);
            if let Op::Store { index, .. } = op {
                stored.resize(stored.len().max(usize::from(*index) + 1), 0);
                stored[usize::from(*index)] = at as u16;
            }
        }
        (1..starts.len()).for_each(|word| starts[word] += starts[word - 1]);
        let mut reads = vec![0; usize::from(starts[words + 1])];
        for (at, op) in draft.ops.iter().enumerate() {
            let (own, count) = op.reads();
            for word in &own[..count] {
                let place = &mut starts[usize::from(*word) + 1];
                reads[usize::from(*place)] = at as u16;
                *place += 1;
            }
        }
        let next = starts[..=words].to_vec();
        let held = vec![0; stored.len()];
        let mut fit = Fit {
            draft,
            setting,
            tuning,
            reads,
            starts,
            next,
            at: 0,
            register: vec![NONE; words + ARGUMENTS],
            content: [None; 16],
            spilled: vec![None; words + ARGUMENTS],
            stored,
            held,
            frame: Vec::new(),
            bank: vec![0; setting.bank],
            saved: [false; ARGUMENTS],
            lost: [false; ARGUMENTS],
            noise: tuning.seed,
            code: Vec::with_capacity(2 * draft.ops.len()),
        };
        for argument in 0..ARGUMENTS {
            // a square has one operand
            let is_read = draft
                .homes
                .iter()
                .any(|home| matches!(home, Home::Operand(own, _) if usize::from(*own) == argument));
            if argument == 0 || is_read {
                fit.put(fit.pointer(argument), setting.arguments[argument]);
            }
        }
        fit
    }

    fn pointer(&self, argument: usize) -> Word {
        (self.draft.homes.len() + argument) as Word
    }

    fn argument(&self, word: Word) -> Option<usize> {
        usize::from(word).checked_sub(self.draft.homes.len())
    }

    fn put(&mut self, word: Word, register: Register) {
        self.content[usize::from(register)] = Some(word);
        self.register[usize::from(word)] = register;
    }

    fn drop(&mut self, word: Word) -> Register {
        let register = std::mem::replace(&mut self.register[usize::from(word)], NONE);
        self.content[usize::from(register)] = None;
        register
    }

    fn is_there(&self, word: Word) -> bool {
        self.register[usize::from(word)] != NONE
    }

    /// When a word of the draft is read next, from a position on.
    fn read(&mut self, word: Word, from: usize) -> usize {
        let own = usize::from(word);
        let end = self.starts[own + 1];
        while self.next[own] < end && usize::from(self.reads[usize::from(self.next[own])]) < self.at {
            self.next[own] += 1;
        }
        let reads = &self.reads[usize::from(self.next[own])..usize::from(end)];
        reads.iter().map(|at| usize::from(*at)).find(|at| *at >= from).unwrap_or(NEVER)
    }

    fn last_read(&self, word: Word) -> usize {
        let own = usize::from(word);
        match self.starts[own + 1] > self.starts[own] {
            true => usize::from(self.reads[usize::from(self.starts[own + 1]) - 1]),
            false => 0,
        }
    }

    /// When an address is needed next, from a position on.
    fn needed(&mut self, argument: usize, from: usize) -> usize {
        if argument == 0 {
            return self
                .stored
                .iter()
                .map(|at| usize::from(*at))
                .filter(|at| *at >= from)
                .min()
                .unwrap_or(NEVER);
        }
        let mut soonest = NEVER;
        for word in 0..self.draft.homes.len() {
            match self.draft.homes[word] {
                Home::Operand(own, _) if usize::from(own) == argument => {
                    if !self.is_there(word as Word) && self.spilled[word].is_none() {
                        soonest = soonest.min(self.read(word as Word, from));
                    }
                }
                Home::Operand(..) => {}
                // operands are the first words
                Home::Nowhere | Home::Number(_) => break,
            }
        }
        soonest
    }

    fn wanted(&mut self, word: Word, from: usize) -> usize {
        match self.argument(word) {
            Some(argument) => self.needed(argument, from),
            None => self.read(word, from),
        }
    }

    /// Whether a word that leaves its register comes back without a store.
    fn has_home(&self, word: Word) -> bool {
        match self.draft.homes.get(usize::from(word)) {
            Some(Home::Operand(argument, _)) => !self.lost[usize::from(*argument)],
            Some(Home::Number(_)) => true,
            Some(Home::Nowhere) | None => false,
        }
    }

    /// A word leaves its register, which has no use before `from`.
    fn evict(&mut self, word: Word, from: usize) -> Option<Register> {
        let wanted = self.wanted(word, from);
        let register = self.register[usize::from(word)];
        if let Some(argument) = self.argument(word) {
            if wanted == NEVER {
                self.lost[argument] = true;
            } else if self.spilled[usize::from(word)].is_none() {
                let place = self.banked(NEVER - 1).unwrap_or(Place::Argument(argument));
                self.saved[argument] = place == Place::Argument(argument);
                self.spilled[usize::from(word)] = Some(place);
                if !self.saved[argument] {
                    self.code.push(Placed::Store { from: register, place });
                }
            }
        } else if wanted != NEVER && self.spilled[usize::from(word)].is_none() {
            let last = self.last_read(word);
            let left = self.starts[usize::from(word) + 1] - self.next[usize::from(word)];
            let place = match self.has_home(word) {
                false => Some(self.slot(last)),
                true if self.tuning.keep > 0 && usize::from(left) >= self.tuning.keep => {
                    self.kept(word, last)
                }
                true => None,
            };
            if let Some(place) = place {
                self.spilled[usize::from(word)] = Some(place);
                self.code.push(Placed::Store { from: register, place });
            }
        }
        Some(self.drop(word))
    }

    /// A word of the bank that has no other use until then.
    fn banked(&mut self, last: usize) -> Option<Place> {
        let at = self.at;
        let slot = self.bank.iter().position(|until| *until <= at)?;
        self.bank[slot] = last + 1;
        Some(Place::Bank(slot))
    }

    /// The same for a word of an operand.
    fn kept(&mut self, word: Word, last: usize) -> Option<Place> {
        let operand = matches!(self.draft.homes[usize::from(word)], Home::Operand(..));
        if operand { self.banked(last) } else { None }
    }

    /// A word that has no other use until then: of the bank, of the result before it is stored, or of the stack.
    fn slot(&mut self, last: usize) -> Place {
        if let Some(place) = self.banked(last) {
            return place;
        }
        let base = self.register[usize::from(self.pointer(0))];
        let at = self.at;
        if base != NONE && !self.draft.shared && self.bank.is_empty() {
            let free = (0..self.stored.len())
                .find(|index| usize::from(self.stored[*index]) > last && self.held[*index] <= at);
            if let Some(index) = free {
                self.held[index] = last + 1;
                return Place::Behind(base, index);
            }
        }
        let slot = match self.frame.iter().position(|until| *until <= at) {
            Some(slot) => slot,
            None => {
                self.frame.push(0);
                self.frame.len() - 1
            }
        };
        self.frame[slot] = last + 1;
        Place::Frame(slot)
    }

    /// The word whose register is given up, none of those that are busy.
    fn victim(&mut self, busy: &[Word], from: usize) -> Option<Word> {
        let mut best: Option<(u64, Word)> = None;
        for register in 0..16 {
            let Some(word) = self.content[register] else { continue };
            // the result's address stays where words are put behind it
            if busy.contains(&word)
                || self.argument(word) == Some(0) && !self.draft.shared && self.bank.is_empty()
            {
                continue;
            }
            let wanted = self.wanted(word, from);
            if wanted == NEVER {
                return Some(word);
            }
            let weight = match self.draft.homes.get(usize::from(word)) {
                Some(Home::Number(number)) => 10 * (self.setting.number)(*number) as u32,
                None => self.tuning.pointer,
                _ if self.has_home(word) || self.spilled[usize::from(word)].is_some() => self.tuning.operand,
                Some(_) => self.tuning.spill,
            };
            let mut score = (wanted - self.at + 1) as u64 * 4096 / u64::from(weight);
            if self.tuning.seed != 0 {
                score = score * u64::from(90 + self.random() % 32) / 100;
            }
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, word));
            }
        }
        best.map(|(_, word)| word)
    }

    fn random(&mut self) -> u32 {
        self.noise = self.noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.noise >> 16
    }

    fn free(&self) -> impl Iterator<Item = Register> {
        let all = self.setting.scratch.iter().chain(&self.setting.preserved).copied();
        all.filter(|register| self.content[usize::from(*register)].is_none())
    }

    /// A register for a word.
    fn room(&mut self, busy: &[Word], from: usize) -> Option<Register> {
        if let Some(register) = self.free().next() {
            return Some(register);
        }
        let victim = self.victim(busy, from)?;
        self.evict(victim, from)
    }

    /// Brings a word into a register; `busy` stay in theirs.
    fn bring(&mut self, word: Word, busy: &[Word]) -> Option<Register> {
        let own = usize::from(word);
        if self.is_there(word) {
            return Some(self.register[own]);
        }
        let at = self.at;
        if let Some(place) = self.spilled[own] {
            let to = self.room(busy, at)?;
            self.code.push(Placed::Load { to, place });
            self.put(word, to);
            if self.argument(word).is_none() && !matches!(place, Place::Bank(_)) {
                self.look_ahead(busy);
            }
            return Some(to);
        }
        match self.draft.homes[own] {
            Home::Nowhere => None,
            Home::Number(number) => {
                let to = self.room(busy, at)?;
                self.code.push(Placed::Number { to, number });
                self.put(word, to);
                Some(to)
            }
            Home::Operand(argument, index) => {
                let argument = usize::from(argument);
                if self.lost[argument] {
                    return None;
                }
                let pointer = self.pointer(argument);
                let mut all: Vec<Word> = busy.to_vec();
                all.extend([word, pointer]);
                let base = self.bring(pointer, &all)?;
                // into the address's own register, if nothing else is loaded by it
                self.register[own] = 0;
                let last = self.free().next().is_none() && self.needed(argument, at) == NEVER;
                self.register[own] = NONE;
                let to = if last {
                    self.lost[argument] = true;
                    self.drop(pointer)
                } else {
                    self.room(&all, at)?
                };
                self.code.push(Placed::Load { to, place: Place::Behind(base, index.into()) });
                self.put(word, to);
                self.look_ahead(busy);
                Some(to)
            }
        }
    }

    /// Loads words that are read soon into registers that are free.
    fn look_ahead(&mut self, busy: &[Word]) {
        let mut more = self.tuning.ahead;
        let end = self.draft.ops.len().min(self.at + 40);
        let ahead = std::mem::take(&mut self.tuning.ahead);
        'all: for at in self.at..end {
            if more == 0 {
                break;
            }
            let (reads, count) = self.draft.ops[at].reads();
            for word in &reads[..count] {
                let own = usize::from(*word);
                let there = match self.draft.homes[own] {
                    Home::Operand(argument, _) => {
                        let argument = usize::from(argument);
                        match self.spilled[own] {
                            Some(place) => !matches!(place, Place::Bank(_)),
                            None => !self.lost[argument] && self.is_there(self.pointer(argument)),
                        }
                    }
                    _ => self.spilled[own].is_some_and(|place| !matches!(place, Place::Bank(_))),
                };
                if self.is_there(*word) || !there {
                    continue;
                }
                if more == 0 || self.free().count() <= self.tuning.margin || self.bring(*word, busy).is_none()
                {
                    break 'all;
                }
                more -= 1;
            }
        }
        self.tuning.ahead = ahead;
    }

    /// The words that are not read after this step leave.
    fn done(&mut self, words: &[Word]) {
        for word in words {
            if self.is_there(*word) && self.read(*word, self.at + 1) == NEVER {
                self.drop(*word);
            }
        }
    }

    fn step(&mut self, op: Op) -> Option<()> {
        let (reads, count) = op.reads();
        let reads = &reads[..count];
        for word in reads {
            self.bring(*word, reads)?;
        }
        let of = |fit: &Self, word: Word| fit.register[usize::from(word)];
        match op {
            Op::Store { word, index } => {
                let base = self.bring(self.pointer(0), &[word, self.pointer(0)])?;
                let from = of(self, word);
                self.code.push(Placed::Store { from, place: Place::Behind(base, index.into()) });
                self.done(reads);
            }
            Op::Spread { to } => {
                let register = self.room(&[], self.at + 1)?;
                self.put(to, register);
                self.code.push(Placed::Spread { to: register });
            }
            Op::Sum { to, .. }
            | Op::Difference { to, .. }
            | Op::And { to, .. }
            | Op::Mask { to, .. }
            | Op::Negate { to, .. }
            | Op::Not { to, .. }
            | Op::Shift { to, .. } => {
                let x = of(self, reads[0]);
                let last = of(self, reads[count - 1]);
                self.done(reads);
                let register = self.room(reads, self.at + 1)?;
                self.put(to, register);
                let to = register;
                self.code.push(match op {
                    Op::And { .. } => Placed::And { to, x, y: last },
                    Op::Mask { bits, .. } => Placed::Mask { to, x, bits },
                    Op::Negate { .. } => Placed::Negate { to, x },
                    Op::Not { .. } => Placed::Not { to, x },
                    Op::Shift { up, by, .. } => Placed::Shift { to, x, up, by },
                    Op::Sum { y, carry_in, carry_out, .. } => {
                        Placed::Sum { to, x, y: y.map(|_| last), carry_in, carry_out }
                    }
                    Op::Difference { y, borrow_in, borrow_out, .. } => {
                        Placed::Difference { to, x, y: y.map(|_| last), borrow_in, borrow_out }
                    }
                    _ => return None,
                });
            }
            Op::Low { factors, to } => {
                let own = factors.map(|word| of(self, word));
                let register = self.room(&factors, self.at + 1)?;
                self.put(to, register);
                self.done(&factors);
                self.code.push(Placed::Low { to: register, factors: own });
            }
            Op::Accumulate { factors, words, to } => {
                let own = factors.map(|word| of(self, word));
                let registers = words.map(|word| self.drop(word));
                self.done(&factors);
                for (word, register) in to.into_iter().zip(registers) {
                    self.put(word, register);
                }
                self.code.push(Placed::Accumulate { factors: own, to: registers });
            }
            Op::Product { factors, to } => {
                let own = factors.map(|word| of(self, word));
                let [x, y] = factors;
                // no more than one word into the register of a factor, and not of both
                if x != y {
                    self.done(&[x]);
                }
                let low = self.room(&[x, y], self.at + 1)?;
                self.put(to[0], low);
                if x != y && low != own[0] {
                    self.done(&[y]);
                }
                let high = self.room(&[to[0], x, y], self.at + 1)?;
                self.put(to[1], high);
                self.done(&factors);
                self.code.push(Placed::Product { factors: own, to: [low, high] });
            }
        }
        Some(())
    }
}
