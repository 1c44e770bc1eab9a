//! Registers for a straight line, step by step, with choices by chance.

use super::step::{FIXED, HIGH, LOW, Name, Step, low_is_free};
use crate::assembler::{Assembler, X, Y, Z};
use crate::conventions::AVR_GCC;
use crate::instructions::{Instruction, Op};
use rhomb_machine::Random;
use smallvec::SmallVec;

/// Content of a register that is none's.
const FREE: Name = Name::MAX;
/// Content of one of a pointer.
const TAKEN: Name = Name::MAX - 1;
/// No register, or no word of the result.
const NONE: u8 = u8::MAX;
/// Registers that words get.
const FIRST: u8 = 2;
const LAST: u8 = 29;

/// A line with what is to be known of it.
pub(super) struct Line {
    steps: Vec<Step>,
    /// By name the steps that read it.
    uses: Vec<Vec<u16>>,
    /// By word of the result the steps that write it.
    stores: Vec<Vec<u16>>,
    /// By register the steps that take it for a pointer.
    claims: Vec<Vec<u16>>,
    /// Whether R0 may be lost.
    low_is_free: Vec<bool>,
}

impl Line {
    /// A line whose result has so many words.
    pub(super) fn new(steps: Vec<Step>, names: usize, length: usize) -> Self {
        let mut uses = vec![Vec::new(); names];
        let mut stores = vec![Vec::new(); length];
        let mut claims = vec![Vec::new(); 32];
        for (at, step) in steps.iter().enumerate() {
            for name in step.reads() {
                let own = &mut uses[name as usize];
                if own.last() != Some(&(at as u16)) {
                    own.push(at as u16);
                }
            }
            match *step {
                Step::Store { at: word, .. } | Step::Sum { at: word, .. } => {
                    stores[word as usize].push(at as u16);
                }
                Step::Claim { pair } => {
                    [pair, pair + 1].iter().for_each(|own| claims[*own as usize].push(at as u16))
                }
                _ => {}
            }
        }
        let low_is_free = low_is_free(&steps);
        Line { steps, uses, stores, claims, low_is_free }
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The first use of a name from a step on.
    fn next_use(&self, name: Name, from: usize) -> Option<usize> {
        let own = &self.uses[name as usize];
        own.get(own.partition_point(|at| (*at as usize) < from)).map(|at| *at as usize)
    }

    fn last_use(&self, name: Name) -> usize {
        self.uses[name as usize].last().map_or(0, |at| *at as usize)
    }

    fn next_store(&self, word: usize, from: usize) -> Option<usize> {
        let own = &self.stores[word];
        own.get(own.partition_point(|at| (*at as usize) < from)).map(|at| *at as usize)
    }

    /// Whether a pointer takes a register before a step.
    fn is_claimed(&self, register: u8, from: usize, to: usize) -> bool {
        self.claims[register as usize].iter().any(|at| (from..to).contains(&(*at as usize)))
    }
}

/// How much counts what, in the choices of a few steps.
struct Taste {
    /// A free pair of registers.
    pair: f64,
    /// Registers of a pair that end at different times.
    apart: f64,
    /// A register that is taken for a pointer before the word ends.
    claimed: f64,
    /// A register that would have to be saved.
    unused: f64,
    /// Whether such are taken only where there is no other.
    is_sparing: bool,
    chance: f64,
    /// Words that stand in memory are given up first.
    written: f64,
    spread: f64,
}

impl Taste {
    fn new(random: &mut Random) -> Self {
        Taste {
            pair: 3.0 + 12.0 * random.fraction(),
            apart: 2.0 * random.fraction(),
            claimed: 20.0 + 20.0 * random.fraction(),
            unused: 20.0 * random.fraction(),
            is_sparing: random.index(2) == 0,
            chance: 1.0 + 6.0 * random.fraction(),
            written: 0.5 + 0.5 * random.fraction(),
            spread: 0.4 * random.fraction(),
        }
    }
}

/// What is known before a step.
#[derive(Clone)]
pub(super) struct State {
    pub(super) cycles: u32,
    /// By register its word.
    words: [Name; 32],
    /// By name its register.
    registers: Vec<u8>,
    /// By name the word of the result that has its value.
    homes: Vec<u8>,
    /// By word of the result whose value it has.
    owners: Vec<Name>,
    /// Words of the result that have pointers.
    held: u64,
    /// Registers that need not be saved, or must be already.
    used: u32,
    /// A step could not be done.
    pub(super) is_stuck: bool,
}

/// Cycles of a save and its restore.
const SAVE: u32 = 4;
/// Registers that need not be saved, and those of Y, which always are.
const FIRST_USED: u32 = !AVR_GCC.saved | 3 << Y;

impl State {
    pub(super) fn new(names: usize, length: usize) -> Self {
        let mut words = [FREE; 32];
        for register in [0, 1, X, X + 1, Y, Y + 1, Z, Z + 1] {
            words[register as usize] = TAKEN;
        }
        let mut registers = vec![NONE; names];
        registers[LOW as usize] = 0;
        registers[HIGH as usize] = 1;
        State {
            cycles: 0,
            words,
            registers,
            homes: vec![NONE; names],
            owners: vec![FREE; length],
            held: 0,
            used: FIRST_USED,
            is_stuck: false,
        }
    }

    /// Cycles so far, but for those of saves and restores.
    pub(super) fn without_saves(&self) -> u32 {
        self.cycles - SAVE * (self.used & !FIRST_USED).count_ones()
    }

    /// Free registers whose partner is not.
    pub(super) fn single(&self) -> usize {
        (FIRST..LAST).step_by(2).filter(|low| self.is_free(*low) != self.is_free(low + 1)).count()
    }

    /// The same for states from which the same follows.
    pub(super) fn key(&self) -> (u64, u64) {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        self.words.hash(&mut hasher);
        let words = hasher.finish();
        self.homes.hash(&mut hasher);
        self.used.hash(&mut hasher);
        (words, hasher.finish())
    }

    fn is_free(&self, register: u8) -> bool {
        self.words[register as usize] == FREE
    }

    fn register(&self, name: Name) -> Option<u8> {
        Some(self.registers[name as usize]).filter(|own| *own != NONE)
    }

    fn home(&self, name: Name) -> Option<u8> {
        Some(self.homes[name as usize]).filter(|own| *own != NONE)
    }
}

/// Steps from a state on, with choices of a seed.
pub(super) struct Run<'a> {
    line: &'a Line,
    state: &'a mut State,
    random: Random,
    taste: Taste,
    /// The step.
    at: usize,
    code: Option<&'a mut Assembler>,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        line: &'a Line,
        state: &'a mut State,
        seed: u64,
        code: Option<&'a mut Assembler>,
    ) -> Self {
        let mut random = Random::new(seed);
        let taste = Taste::new(&mut random);
        Run { line, state, random, taste, at: 0, code }
    }

    pub(super) fn steps(&mut self, range: std::ops::Range<usize>, mut after: impl FnMut(&State)) {
        for at in range {
            self.at = at;
            self.step(self.line.steps[at]);
            after(self.state);
        }
    }

    fn write(&mut self, cycles: u32, write: impl FnOnce(&mut Assembler)) {
        self.state.cycles += cycles;
        if let Some(code) = self.code.as_deref_mut() {
            write(code);
        }
    }

    fn fault(&mut self) {
        self.state.is_stuck = true;
    }

    fn next_use(&self, name: Name) -> Option<usize> {
        self.line.next_use(name, self.at)
    }

    /// Whether a word is read after this step.
    fn is_read_later(&self, name: Name) -> bool {
        self.line.next_use(name, self.at + 1).is_some()
    }

    fn is_own(name: Name) -> bool {
        usize::from(name) >= FIXED
    }

    /// A register gets a word.
    fn put(&mut self, name: Name, register: u8) {
        if self.state.used >> register & 1 == 0 {
            self.state.used |= 1 << register;
            self.state.cycles += SAVE;
        }
        self.state.words[register as usize] = name;
        self.state.registers[name as usize] = register;
    }

    /// A word that is not read any more leaves its register.
    fn end(&mut self, name: Name) {
        if Self::is_own(name) && !self.is_read_later(name) {
            self.leave(name);
        }
    }

    fn leave(&mut self, name: Name) {
        if let Some(register) = self.state.register(name) {
            self.state.words[register as usize] = FREE;
            self.state.registers[name as usize] = NONE;
        }
    }

    /// A word gets another value: what memory has is old.
    fn changed(&mut self, name: Name) {
        self.state.homes[name as usize] = NONE;
    }

    /// Whether a word of the result may have a value until it is read, for the last time or, if it comes back before, next. What is in a
    /// register, too, gives up its word where that is said.
    fn is_place(&self, word: usize, name: Name, until: usize, gives_up: bool) -> bool {
        if self.state.held >> word & 1 == 1 {
            return false;
        }
        let owner = self.state.owners[word];
        let is_another = owner != FREE
            && owner != name
            && usize::from(self.state.homes[owner as usize]) == word
            && !(gives_up && self.state.register(owner).is_some())
            && self.line.next_use(owner, self.at).is_some();
        !is_another && self.line.next_store(word, self.at).is_some_and(|store| store >= until)
    }

    /// A word's register becomes free; its value stays in memory if it is needed.
    fn evict(&mut self, name: Name) -> bool {
        let next = self.next_use(name);
        if let (Some(next), None, Some(register)) = (next, self.state.home(name), self.state.register(name)) {
            let length = self.state.owners.len();
            let last = self.line.last_use(name);
            let mut found = None;
            let mut tried = 0;
            for word in (0..length).rev() {
                if self.is_place(word, name, last, false) {
                    tried += 1;
                    if found.is_none() || self.random.fraction() < 0.15 {
                        found = Some(word);
                    }
                    if tried > 6 {
                        break;
                    }
                }
            }
            // it may come back into a register when the word is written
            let found = found.or_else(|| {
                let mut ways =
                    [false, true].into_iter().flat_map(|way| (0..length).rev().map(move |word| (word, way)));
                ways.find(|(word, way)| self.is_place(*word, name, next, *way)).map(|(word, _)| word)
            });
            let Some(word) = found else { return false };
            self.give(word, name);
            self.write(2, |code| code.store_at(Z, word, register));
        }
        self.leave(name);
        true
    }

    /// A word of the result has the value of a name from now on.
    fn give(&mut self, word: usize, name: Name) {
        let owner = self.state.owners[word];
        if owner != FREE && owner != name && usize::from(self.state.homes[owner as usize]) == word {
            self.state.homes[owner as usize] = NONE;
        }
        self.state.owners[word] = name;
        self.state.homes[name as usize] = word as u8;
    }

    /// A word that also stands in memory leaves its register, that which is read last.
    fn forget(&mut self, locked: &[Name]) -> bool {
        let words = self.state.words[usize::from(FIRST)..=usize::from(LAST)].iter().copied();
        let written =
            words.filter(|name| *name < TAKEN && !locked.contains(name) && self.state.home(*name).is_some());
        let last = written.max_by_key(|name| self.next_use(*name));
        last.into_iter().for_each(|name| self.leave(name));
        last.is_some()
    }

    /// Makes a register free, of those that hold none of some words.
    fn spill(&mut self, locked: &[Name]) -> bool {
        let mut all: SmallVec<[(f64, Name); 32]> = SmallVec::new();
        for register in FIRST..=LAST {
            let name = self.state.words[register as usize];
            if name >= TAKEN || locked.contains(&name) {
                continue;
            }
            let mut worth = self.next_use(name).map_or(1e9, |next| (next - self.at) as f64);
            if self.state.home(name).is_none() {
                worth *= self.taste.written;
            }
            worth *= 1.0 + self.taste.spread * (self.random.fraction() - 0.5);
            all.push((worth, name));
        }
        while let Some(best) = (0..all.len()).max_by(|one, other| all[*one].0.total_cmp(&all[*other].0)) {
            let (_, name) = all.swap_remove(best);
            if self.evict(name) {
                return true;
            }
        }
        false
    }

    /// Whether a register may get a word.
    fn is_open(&self, register: u8) -> bool {
        self.state.is_free(register) && (!self.taste.is_sparing || self.state.used >> register & 1 == 1)
    }

    /// Whether there is a free register that is not taken for it would have to be saved.
    fn has_unused(&self) -> bool {
        (FIRST..=LAST).any(|register| self.state.is_free(register) && !self.is_open(register))
    }

    /// The same with any register.
    fn lavish<T>(&mut self, take: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.taste.is_sparing, false);
        let taken = take(self);
        self.taste.is_sparing = before;
        taken
    }

    /// How good a free register is for a word that ends at a step.
    fn rank(&mut self, register: u8, end: usize, with_pair: bool) -> f64 {
        let partner = self.state.words[usize::from(register ^ 1)];
        let mut rank = self.taste.chance * self.random.fraction();
        if with_pair {
            if partner == FREE {
                rank -= self.taste.pair;
            } else if partner < TAKEN {
                let apart = self.line.last_use(partner).abs_diff(end);
                rank -= self.taste.apart * (1.0 + apart as f64).ln();
            }
        }
        if self.line.is_claimed(register, self.at, end) {
            rank -= self.taste.claimed;
        }
        if self.state.used >> register & 1 == 0 {
            rank -= self.taste.unused;
        }
        rank
    }

    /// The best of some free registers.
    fn best(&mut self, end: usize, with_pair: bool, is_allowed: impl Fn(u8) -> bool) -> Option<u8> {
        let mut best: Option<(f64, u8)> = None;
        for register in FIRST..=LAST {
            if self.is_open(register) && is_allowed(register) {
                let rank = self.rank(register, end, with_pair);
                if best.is_none_or(|(most, _)| rank > most) {
                    best = Some((rank, register));
                }
            }
        }
        best.map(|(_, register)| register)
    }

    /// A free register for a word.
    fn free(&mut self, name: Name, locked: &[Name]) -> Option<u8> {
        let end = self.line.last_use(name);
        if let Some(register) = self.best(end, true, |_| true) {
            return Some(register);
        }
        if self.has_unused() {
            return match self.forget(locked) {
                true => self.free(name, locked),
                false => self.lavish(|run| run.free(name, locked)),
            };
        }
        self.spill(locked).then_some(())?;
        self.best(end, true, |_| true)
    }

    /// A register for a word that is made here.
    fn fresh(&mut self, name: Name, locked: &[Name]) -> u8 {
        if let Some(register) = self.state.register(name) {
            return register;
        }
        match self.free(name, locked) {
            Some(register) => {
                self.put(name, register);
                self.changed(name);
                register
            }
            None => {
                self.fault();
                FIRST
            }
        }
    }

    /// The register of a word, which is loaded if it is in memory.
    fn need(&mut self, name: Name, locked: &[Name]) -> u8 {
        if let Some(register) = self.state.register(name) {
            return register;
        }
        let Some(home) = self.state.home(name) else {
            self.fault();
            return FIRST;
        };
        let Some(register) = self.free(name, locked) else {
            self.fault();
            return FIRST;
        };
        self.put(name, register);
        self.write(2, |code| code.load_at(register, Z, home.into()));
        register
    }

    /// The same for a word that is only read, which may pass through R0: where it is not read any more, or only much later.
    fn read(&mut self, name: Name, locked: &[Name], is_seldom: bool) -> u8 {
        match self.state.home(name) {
            Some(home)
                if self.state.register(name).is_none()
                    && self.line.low_is_free[self.at]
                    && (is_seldom || !self.is_read_later(name)) =>
            {
                self.write(2, |code| code.load_at(0, Z, home.into()));
                0
            }
            _ => self.need(name, locked),
        }
    }

    /// What a word of the result has is needed elsewhere before another comes there.
    fn save(&mut self, word: usize, locked: &[Name]) {
        let owner = self.state.owners[word];
        if owner != FREE
            && !locked.contains(&owner)
            && usize::from(self.state.homes[owner as usize]) == word
            && self.state.register(owner).is_none()
            && self.is_read_later(owner)
        {
            self.need(owner, &[locked, &[owner]].concat());
        }
    }

    fn two(&mut self, op: Op, to: u8, from: u8) {
        self.write(1, |code| code.emit(Instruction::dr(op, to, from)));
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Plain(instruction) => {
                let cycles =
                    if matches!(instruction.op, Op::Movw | Op::In | Op::Out | Op::Bclr) { 1 } else { 2 };
                self.write(cycles, |code| code.emit(instruction));
            }
            Step::Hold { at, count, held } => {
                let bits = ((1 << count) - 1) << at;
                self.state.held = if held { self.state.held | bits } else { self.state.held & !bits };
            }
            Step::Claim { pair } => self.claim(pair),
            Step::Release { pair } => self.release(pair),
            Step::Load { to, pointer, at, last } => {
                if last {
                    self.release(pointer);
                }
                let register = self.fresh(to, &[to]);
                self.write(2, |code| match (pointer, last) {
                    (X, false) => code.load(register, X),
                    (X, true) => code.load_at(register, X, 0),
                    _ => code.load_at(register, pointer, at.into()),
                });
                self.end(to);
            }
            Step::Store { at, from } => {
                let register = self.need(from, &[from]);
                self.save(at.into(), &[from]);
                self.write(2, |code| code.store_at(Z, at.into(), register));
                self.give(at.into(), from);
                self.end(from);
            }
            Step::Mul { x, y } => {
                let locked = [x, y];
                let [x_register, y_register] = [self.need(x, &locked), self.need(y, &locked)];
                self.write(2, |code| code.mul(x_register, y_register));
                self.end(x);
                self.end(y);
            }
            Step::Move { low, high } => self.product(low, high),
            Step::Two { op, to, from } => {
                let locked = [to, from];
                let to_register = self.need(to, &locked);
                let from_register = if to == from { to_register } else { self.read(from, &locked, false) };
                self.two(op, to_register, from_register);
                if op != Op::Cp {
                    self.changed(to);
                }
                self.end(from);
                self.end(to);
            }
            Step::Sum { op, x, y, to, at } => {
                let locked = [x, y];
                let y_register = self.need(y, &locked);
                let x_register = self.read(x, &locked, false);
                self.save(at.into(), &locked);
                self.two(op, x_register, y_register);
                self.write(2, |code| code.store_at(Z, at.into(), x_register));
                self.changed(x);
                self.give(at.into(), to);
                self.leave(x);
                self.end(y);
            }
            Step::One { op, to } => {
                let register = self.need(to, &[to]);
                self.write(1, |code| code.emit(Instruction::dk(op, register, 0)));
                self.changed(to);
                self.end(to);
            }
            Step::Clear { to } => {
                let register = self.fresh(to, &[to]);
                self.two(Op::Eor, register, register);
                self.end(to);
            }
            Step::Mask { to } => {
                let register = self.fresh(to, &[to]);
                self.two(Op::Sbc, register, register);
                self.end(to);
            }
            Step::Copy { to, from } => self.copy(to, from),
            Step::Carry { from } => {
                // a shift that keeps the sign leaves a mask as it is
                let register = self.read(from, &[from], true);
                self.write(1, |code| code.emit(Instruction::dk(Op::Asr, register, 0)));
                self.end(from);
            }
            Step::Keep { from } => {
                let register = self.need(from, &[from]);
                self.write(1, |code| code.emit(Instruction::rk(Op::Bst, register, 0)));
                self.end(from);
            }
            Step::Kept { to } => {
                let register = self.need(to, &[to]);
                self.write(1, |code| code.emit(Instruction::dk(Op::Bld, register, 0)));
                self.changed(to);
            }
            Step::Push { from } => {
                let register = self.need(from, &[from]);
                self.write(2, |code| code.push(register));
                self.end(from);
            }
            Step::Pop { to } => {
                let register = self.fresh(to, &[to]);
                self.write(2, |code| code.pop(register));
                self.end(to);
            }
        }
    }

    fn release(&mut self, pair: u8) {
        [pair, pair + 1].iter().for_each(|own| self.state.words[*own as usize] = FREE);
    }

    fn claim(&mut self, pair: u8) {
        for register in [pair, pair + 1] {
            let name = self.state.words[register as usize];
            if name < TAKEN {
                let end = self.line.last_use(name);
                match self.best(end, true, |own| own & !1 != pair) {
                    Some(to) => self.carry(name, to),
                    None => {
                        if !self.evict(name) {
                            self.fault();
                        }
                    }
                }
            }
            self.state.words[register as usize] = TAKEN;
        }
    }

    /// A word moves to another register.
    fn carry(&mut self, name: Name, to: u8) {
        if let Some(from) = self.state.register(name) {
            self.write(1, |code| code.mov(to, from));
            self.leave(name);
            self.put(name, to);
        }
    }

    fn copy(&mut self, to: Name, from: Name) {
        let is_last = Self::is_own(from) && Self::is_own(to) && !self.is_read_later(from);
        match (self.state.register(from), self.state.home(from)) {
            (Some(register), _) if is_last => {
                self.leave(from);
                self.put(to, register);
                self.changed(to);
                return;
            }
            (None, Some(home)) if is_last || to == LOW => {
                let register = self.fresh(to, &[to, from]);
                return self.write(2, |code| code.load_at(register, Z, home.into()));
            }
            _ => {}
        }
        let register = self.need(from, &[to, from]);
        let own = self.fresh(to, &[to, from]);
        self.write(1, |code| code.mov(own, register));
        self.end(from);
        self.end(to);
    }

    /// The product moves to an even register and the next one, which become free if that is not dear.
    fn product(&mut self, low: Name, high: Name) {
        let locked = [low, high];
        let mut pair = self.free_pair([low, high]);
        if pair.is_none() {
            let free = (FIRST..=LAST).filter(|own| self.is_open(*own)).count();
            if free < 2 && self.has_unused() {
                return match self.forget(&locked) {
                    true => self.product(low, high),
                    false => self.lavish(|run| run.product(low, high)),
                };
            }
            for _ in free..2 {
                if !self.spill(&locked) {
                    return self.fault();
                }
            }
            pair = self.free_pair([low, high]);
            if pair.is_none() && self.random.fraction() < 0.6 {
                pair = self.pair_by_move([low, high]);
            }
        }
        match pair {
            Some(pair) => {
                self.put(low, pair);
                self.put(high, pair + 1);
                self.write(1, |code| code.movw(pair, 0));
            }
            None => {
                for (name, from) in [(low, 0), (high, 1)] {
                    let register = self.fresh(name, &locked);
                    self.write(1, |code| code.mov(register, from));
                }
            }
        }
        for name in locked {
            self.changed(name);
            self.end(name);
        }
    }

    fn claimed(&self, pair: u8, names: [Name; 2]) -> f64 {
        let own = [pair, pair + 1].into_iter().zip(names);
        let count = own
            .filter(|(register, name)| self.line.is_claimed(*register, self.at, self.line.last_use(*name)));
        let unused = (!self.state.used >> pair & 3).count_ones();
        count.count() as f64 * self.taste.claimed + f64::from(unused) * self.taste.unused
    }

    fn free_pair(&mut self, names: [Name; 2]) -> Option<u8> {
        let mut best: Option<(f64, u8)> = None;
        for pair in (FIRST..LAST).step_by(2) {
            if self.is_open(pair) && self.is_open(pair + 1) {
                let rank = self.taste.chance * self.random.fraction() - self.claimed(pair, names);
                if best.is_none_or(|(most, _)| rank > most) {
                    best = Some((rank, pair));
                }
            }
        }
        best.map(|(_, pair)| pair)
    }

    /// A pair of which one register is free, and whose other word moves to a third.
    fn pair_by_move(&mut self, names: [Name; 2]) -> Option<u8> {
        let mut best: Option<(f64, u8, Name)> = None;
        for pair in (FIRST..LAST).step_by(2) {
            let own = [pair, pair + 1].map(|register| self.state.words[register as usize]);
            let word = match own {
                [FREE, word] if word < TAKEN && self.is_open(pair) => word,
                [word, FREE] if word < TAKEN && self.is_open(pair + 1) => word,
                _ => continue,
            };
            let rank = self.taste.chance * self.random.fraction() - self.claimed(pair, names);
            if best.is_none_or(|(most, ..)| rank > most) {
                best = Some((rank, pair, word));
            }
        }
        let (_, pair, word) = best?;
        let to = self.best(self.line.last_use(word), false, |own| own & !1 != pair)?;
        self.carry(word, to);
        Some(pair)
    }
}
