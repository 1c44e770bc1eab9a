//! Where values are at a step, and what may be done about it.

use super::content::{Content, Slot};
use super::draft::{Draft, Home, Op};
use super::{Address, Base, Look, One, Placed, Register, Setting, Two, Value, Weights};
use smallvec::SmallVec;

/// The most low registers.
pub const LOW: usize = 13;
/// The most registers of a bank.
pub const BANK: usize = 6;
/// Where a routine returns a word.
const RETURNED: Register = 0;
/// How far an address reaches, in words, and in short codes.
const REACH: u16 = 1023;
const SHORT_REACH: u16 = 31;
const NEVER: usize = usize::MAX;
/// Where a value has more uses than so many, they are not looked through one by one.
const MANY: usize = 8;

/// Registers that do not cost more than others to be freed.
const CHOICES: usize = 3;

/// The registers of a set, ascending.
fn registers(set: u16) -> impl Iterator<Item = Register> {
    let mut left = set;
    std::iter::from_fn(move || {
        let first = (left != 0).then(|| left.trailing_zeros() as Register)?;
        left &= left - 1;
        Some(first)
    })
}

/// Cycles of a number of a byte, or of its complement.
fn cost(number: u32) -> u32 {
    if number >> 8 == 0 { 1 } else { 2 }
}

/// Where values are.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct State<const LOW: usize> {
    pub(super) low: [Slot; LOW],
    pub(super) bank: [Slot; BANK],
    /// Values in words of the frame that are for such.
    spilled: SmallVec<[(Value, u16); 4]>,
    /// Values that were not stored where they might have been.
    absent: SmallVec<[Value; 16]>,
}

impl<const LOW: usize> State<LOW> {
    pub(super) fn new(arguments: usize) -> Self {
        let mut state = State {
            low: [Slot::FREE; LOW],
            bank: [Slot::FREE; BANK],
            spilled: SmallVec::new(),
            absent: SmallVec::new(),
        };
        for number in 0..arguments {
            state.low[number] = Slot::address(Address { base: Base::Argument(number as u8), word: 0 });
        }
        state
    }
}

impl<const LOW: usize> Clone for State<LOW> {
    fn clone(&self) -> Self {
        State {
            low: self.low,
            bank: self.bank,
            // by memory, not one by one
            spilled: SmallVec::from_slice(&self.spilled),
            absent: SmallVec::from_slice(&self.absent),
        }
    }
}

/// What is known of a draft.
pub(super) struct Known<'a> {
    pub(super) draft: &'a Draft,
    pub(super) bank: &'a [Register],
    low: u16,
    tied: bool,
    apart: bool,
    /// The steps that read a value.
    uses: Vec<SmallVec<[u32; 4]>>,
    /// Steps up to the last of them.
    until: Vec<usize>,
    /// The step that stores it.
    stored: Vec<usize>,
    /// Whether a step must keep the carry.
    keeps_carry: Vec<bool>,
    /// The store that comes next.
    stores: Vec<Option<usize>>,
    /// The last step that has to do with words behind each argument.
    last: Vec<usize>,
    /// With which step a value, or what takes its register, is stored, as which of its words.
    ranks: Vec<Option<(usize, usize)>>,
}

impl<'a> Known<'a> {
    pub(super) fn new(draft: &'a Draft, setting: &'a Setting) -> Self {
        let mut uses: Vec<SmallVec<[u32; 4]>> = vec![SmallVec::new(); draft.homes.len()];
        let mut stored = vec![0; draft.homes.len()];
        for (at, op) in draft.ops.iter().enumerate() {
            op.reads().iter().for_each(|word| uses[usize::from(*word)].push(at as u32));
            if let Op::Store { words, at: place, .. } = op {
                for (index, word) in words.iter().enumerate() {
                    if draft.homes[usize::from(*word)] == Home::Memory(place.plus(index)) {
                        stored[usize::from(*word)] = at + 1;
                    }
                }
            }
        }
        let until = uses.iter().map(|own| own.last().map_or(0, |at| *at as usize + 1)).collect();
        let mut keeps_carry = vec![false; draft.ops.len()];
        let mut stores = vec![None; draft.ops.len()];
        let (mut wanted, mut store) = (false, None);
        for (at, op) in draft.ops.iter().enumerate().rev() {
            wanted = op.takes_carry() || wanted && !op.changes_carry();
            keeps_carry[at] = wanted;
            stores[at] = store;
            if matches!(op, Op::Store { .. }) {
                store = Some(at);
            }
        }
        let mut last = vec![0; draft.arguments];
        for (at, op) in draft.ops.iter().enumerate() {
            let homes = op.reads().into_iter().map(|word| draft.homes[usize::from(word)]);
            let place = match op {
                Op::Store { at, .. } => Some(Home::Memory(*at)),
                _ => None,
            };
            for home in homes.chain(place) {
                if let Home::Memory(Address { base: Base::Argument(number), .. }) = home {
                    last[usize::from(number)] = at;
                }
            }
        }
        let mut ranks = vec![None; draft.homes.len()];
        for (at, op) in draft.ops.iter().enumerate().rev() {
            match op {
                Op::Store { words, .. } => {
                    for (index, word) in words.iter().enumerate() {
                        ranks[usize::from(*word)] = Some((at, index));
                    }
                }
                Op::Two { two, to, x, y, .. } if two.destroys() => {
                    let is_number =
                        |value: &Value| matches!(draft.homes[usize::from(*value)], Home::Number(_));
                    let own = if is_number(x) && two.commutes() { *y } else { *x };
                    if ranks[usize::from(own)].is_none() {
                        ranks[usize::from(own)] = ranks[usize::from(*to)];
                    }
                }
                _ => {}
            }
        }
        let Setting { low, tied, look: Look { apart, .. }, .. } = *setting;
        Known {
            draft,
            bank: &setting.bank,
            low,
            tied,
            apart,
            uses,
            until,
            stored,
            keeps_carry,
            stores,
            last,
            ranks,
        }
    }

    /// Whether no step from this one on reads a value.
    fn is_over(&self, value: Value, from: usize) -> bool {
        self.until[usize::from(value)] <= from
    }

    /// The first step from this one on that reads a value.
    fn next(&self, value: Value, from: usize) -> usize {
        let uses = &self.uses[usize::from(value)];
        // most have few
        let first = match uses.len() {
            ..=MANY => uses.iter().position(|at| *at as usize >= from),
            _ => Some(uses.partition_point(|at| (*at as usize) < from)),
        };
        first.and_then(|first| uses.get(first)).map_or(NEVER, |at| *at as usize)
    }

    /// Whether a step was taken before and the value is in its place, but for what a state knows.
    fn home(&self, value: Value, at: usize) -> Home {
        match self.draft.homes[usize::from(value)] {
            Home::Memory(_) if self.stored[usize::from(value)] > at => Home::Nowhere,
            home => home,
        }
    }
}

/// All decisions of a step in turn.
#[derive(Default)]
pub(super) struct Picks {
    path: SmallVec<[u8; 8]>,
    /// From how many each was chosen, as far as that is known.
    counts: SmallVec<[u8; 8]>,
    at: usize,
}

impl Picks {
    /// These decisions, as far as there are as many to choose from, and then the first ones.
    pub(super) fn of(decisions: &[u8]) -> Self {
        Picks { path: SmallVec::from_slice(decisions), counts: SmallVec::new(), at: 0 }
    }

    /// What was decided.
    pub(super) fn decisions(&self) -> SmallVec<[u8; 8]> {
        SmallVec::from_slice(&self.path[..self.at])
    }

    fn pick(&mut self, count: usize) -> usize {
        if count < 2 {
            return 0;
        }
        if self.at == self.path.len() {
            self.path.push(0);
        }
        let own = self.path[self.at] % count as u8;
        self.path[self.at] = own;
        self.counts.truncate(self.at);
        self.counts.push(count as u8);
        self.at += 1;
        usize::from(own)
    }

    /// Goes on to the next decisions, if there are any.
    pub(super) fn next(&mut self) -> bool {
        self.at = 0;
        while let (Some(own), Some(count)) = (self.path.pop(), self.counts.pop()) {
            if own + 1 < count {
                self.path.push(own + 1);
                self.counts.push(count);
                return true;
            }
        }
        false
    }
}

/// A step being taken.
pub(super) struct Step<'a, const LOW: usize> {
    pub(super) known: &'a Known<'a>,
    pub(super) at: usize,
    pub(super) state: &'a mut State<LOW>,
    pub(super) picks: &'a mut Picks,
    pub(super) code: SmallVec<[Placed; 4]>,
    pub(super) cycles: u32,
    locked: u16,
}

impl<'a, const LOW: usize> Step<'a, LOW> {
    pub(super) fn new(
        known: &'a Known<'a>,
        at: usize,
        state: &'a mut State<LOW>,
        picks: &'a mut Picks,
    ) -> Self {
        Step { known, at, state, picks, code: SmallVec::new(), cycles: 0, locked: 0 }
    }

    /// Takes the step; nothing where registers do not suffice.
    pub(super) fn take(&mut self) -> Option<()> {
        match &self.known.draft.ops[self.at] {
            Op::One { one, to, x } => self.one(*one, *to, *x),
            Op::Two { two, to, x, y, moved } => self.two((*two, *moved), *to, *x, *y),
            Op::Spread { to } => {
                let register = self.free()?;
                self.emit(Placed::Spread { to: register }, 1);
                self.put(register, *to);
                Some(())
            }
            Op::Fetch(words) => self.fetch(words),
            Op::Store { words, at, must } => self.store(words, *at, *must),
            Op::Return(value) => {
                let from = self.need(*value)?;
                if from != RETURNED {
                    self.emit(Placed::Copy { to: RETURNED, from }, 1);
                }
                Some(())
            }
        }
    }

    fn emit(&mut self, placed: Placed, cycles: u32) {
        self.code.push(placed);
        self.cycles += cycles;
    }

    fn lock(&mut self, register: Register) {
        self.locked |= 1 << register;
    }

    fn put(&mut self, register: Register, value: Value) {
        self.state.low[usize::from(register)] = Slot::value(value);
        if self.known.is_over(value, self.at + 1) {
            self.kill(value);
        }
    }

    fn low(&self, value: Value) -> Option<Register> {
        let own = Slot::value(value);
        self.state.low.iter().position(|other| *other == own).map(|at| at as Register)
    }

    fn banked(&self, value: Value) -> Option<usize> {
        let own = Slot::value(value);
        self.state.bank.iter().position(|other| *other == own)
    }

    fn in_memory(&self, value: Value) -> Option<Address> {
        match self.known.home(value, self.at) {
            Home::Memory(at) if !self.state.absent.contains(&value) => Some(at),
            _ => None,
        }
    }

    fn spilled(&self, value: Value) -> Option<u16> {
        self.state.spilled.iter().find(|(own, _)| *own == value).map(|(_, slot)| *slot)
    }

    /// What it costs to have it in a low register once it has left this one; nothing where that is lost.
    fn again(&self, value: Value) -> Option<u32> {
        if self.banked(value).is_some() {
            return Some(1);
        }
        if let Home::Number(number) = self.known.draft.homes[usize::from(value)] {
            return Some(cost(number));
        }
        (self.in_memory(value).is_some() || self.spilled(value).is_some()).then_some(2)
    }

    /// Forgets a value that nothing reads any more.
    fn kill(&mut self, value: Value) {
        for own in self.state.low.iter_mut().chain(&mut self.state.bank) {
            if *own == Slot::value(value) {
                *own = Slot::FREE;
            }
        }
        self.state.spilled.retain(|(own, _)| *own != value);
        self.state.absent.retain(|own| *own != value);
    }

    fn done(&mut self, value: Value) {
        if self.known.is_over(value, self.at + 1) {
            self.kill(value);
        }
    }

    /// A place in the bank: a free one, or that of a value which is in memory, too.
    fn room(&mut self) -> Option<usize> {
        let count = self.known.bank.len();
        let bank = &self.state.bank[..count];
        if let Some(free) = bank.iter().position(|own| *own == Slot::FREE) {
            return Some(free);
        }
        let late = |own: &Slot| match own.content() {
            Content::Value(value) if self.in_memory(value).is_some() => self.known.next(value, self.at),
            _ => 0,
        };
        let place = (0..count).max_by_key(|place| late(&bank[*place]))?;
        (late(&bank[place]) > self.at + 8).then_some(place)
    }

    /// Copies a register to the bank, if there is room.
    fn banks(&mut self, register: Register) -> bool {
        let Some(place) = self.room() else { return false };
        self.state.bank[place] = self.state.low[usize::from(register)];
        self.emit(Placed::Copy { to: self.known.bank[place], from: register }, 1);
        true
    }

    fn spill(&mut self, register: Register, value: Value) {
        let is_free = |slot: &u16| self.state.spilled.iter().all(|(_, own)| own != slot);
        let slot = (0..).find(is_free).unwrap_or(0);
        self.state.spilled.push((value, slot));
        let word = self.known.draft.frame as u16 + slot;
        self.emit(Placed::Store { from: register, to: None, word }, 2);
    }

    /// Makes a register free.
    fn evict(&mut self, register: Register) {
        match self.state.low[usize::from(register)].content() {
            Content::Value(value) if self.again(value).is_none() => {
                let banked = self.banks(register);
                if !banked {
                    self.spill(register, value);
                }
            }
            Content::Address(at @ Address { base: Base::Argument(_), .. }) => {
                let old = self.state.bank.iter().position(|own| own.word_from(at).is_some());
                if self.picks.pick(2) == 1 {
                    match old {
                        Some(old) => {
                            if self.state.bank[old] != Slot::address(at) {
                                self.state.bank[old] = self.state.low[usize::from(register)];
                                self.emit(Placed::Copy { to: self.known.bank[old], from: register }, 1);
                            }
                        }
                        None => {
                            self.banks(register);
                        }
                    }
                }
            }
            _ => {}
        }
        self.state.low[usize::from(register)] = Slot::FREE;
    }

    /// The first or the last register of some.
    fn either(&mut self, set: u16) -> Register {
        let [first, last] = [set.trailing_zeros(), set.ilog2()];
        let count = if first == last { 1 } else { 2 };
        [first, last][self.picks.pick(count)] as Register
    }

    /// A register that is free then, of the few that cost least.
    fn free(&mut self) -> Option<Register> {
        let free = self.all_free();
        if free != 0 {
            return Some(self.either(free));
        }
        let room = self.state.bank[..self.known.bank.len()].contains(&Slot::FREE);
        let weight = |register: Register| match self.state.low[usize::from(register)].content() {
            Content::Value(value) => {
                let away = (self.known.next(value, self.at).min(self.at + 4000) - self.at + 1) as u32;
                let cost = self.again(value).unwrap_or(if room { 2 } else { 4 });
                2000 * away / cost
            }
            Content::Address(Address { base: Base::Frame, .. }) => 40_000,
            _ => 20_000,
        };
        // the best ones, in order
        let mut best = [(u32::MAX, Register::MAX); CHOICES];
        let open = self.known.low & !self.locked;
        for own in registers(open) {
            let mut place = (u32::MAX - weight(own), own);
            for one in &mut best {
                if place < *one {
                    std::mem::swap(one, &mut place);
                }
            }
        }
        if open == 0 {
            return None;
        }
        let (_, register) = best[self.picks.pick((open.count_ones() as usize).min(CHOICES))];
        self.evict(register);
        Some(register)
    }

    /// A value in a low register, which stays there.
    fn need(&mut self, value: Value) -> Option<Register> {
        let register = match self.low(value) {
            Some(register) => register,
            None => {
                let register = self.free_for(value)?;
                self.bring(register, value)?;
                self.state.low[usize::from(register)] = Slot::value(value);
                register
            }
        };
        self.lock(register);
        Some(register)
    }

    fn bring(&mut self, to: Register, value: Value) -> Option<()> {
        if let Some(place) = self.banked(value) {
            self.emit(Placed::Copy { to, from: self.known.bank[place] }, 1);
        } else if let Home::Number(number) = self.known.draft.homes[usize::from(value)] {
            self.emit(Placed::Number { to, number }, cost(number));
        } else if let Some(slot) = self.spilled(value) {
            self.emit(Placed::Load { to, from: None, word: self.known.draft.frame as u16 + slot }, 2);
        } else {
            let at = self.in_memory(value)?;
            let is_apart = self.known.apart && self.lacks_address(at) && self.picks.pick(2) == 1;
            if is_apart {
                self.lock(to);
            }
            let (from, word) = self.reach(at, (!is_apart).then_some(to))?;
            self.emit(Placed::Load { to, from, word }, 2);
        }
        Some(())
    }

    /// An address from which a word is reached, in this register where it is in none.
    fn reach(&mut self, at: Address, spare: Option<Register>) -> Option<(Option<Register>, u16)> {
        let Base::Argument(number) = at.base else { return Some((None, at.word)) };
        let most = if self.known.tied { SHORT_REACH } else { REACH };
        let behind = |own: &Slot| {
            let words = at.word.checked_sub(own.word_from(at)?)?;
            (words <= most).then_some(words)
        };
        let near = (0..LOW).find_map(|own| Some((own, behind(&self.state.low[own])?)));
        if let Some((register, word)) = near {
            return Some((Some(register as Register), word));
        }
        let register = match spare {
            Some(register) => register,
            None => self.free()?,
        };
        let banked = (0..self.known.bank.len()).find_map(|own| Some((own, behind(&self.state.bank[own])?)));
        let word = match banked {
            Some((place, word)) => {
                self.emit(Placed::Copy { to: register, from: self.known.bank[place] }, 1);
                word
            }
            None => {
                self.emit(Placed::Argument { to: register, number }, 2);
                at.word
            }
        };
        if word > most {
            return None;
        }
        if spare.is_none() {
            self.state.low[usize::from(register)] = Slot::address(Address { word: at.word - word, ..at });
        }
        Some((Some(register), word))
    }

    /// Whether no low register has an address from which a word of an argument is reached.
    fn lacks_address(&self, at: Address) -> bool {
        let reaches = |own: &Slot| own.word_from(at).is_some_and(|word| word <= at.word);
        at.base != Base::Frame && !self.state.low.iter().any(reaches)
    }

    /// Exactly this address in a register, which stays there; nothing where the carry is in the way.
    fn address(&mut self, at: Address) -> Option<Register> {
        let exact = Slot::address(at);
        if let Some(register) = self.state.low.iter().position(|own| *own == exact) {
            self.lock(register as Register);
            return Some(register as Register);
        }
        let same = |own: &Slot| own.word_from(at).is_some();
        let register = match at.base {
            Base::Frame => {
                let to = self.free()?;
                self.emit(Placed::Point { to, word: at.word }, 1);
                to
            }
            Base::Argument(number) => {
                let moves = !self.known.tied || !self.known.keeps_carry[self.at];
                let low =
                    self.state.low.iter().position(same).filter(|own| moves && self.locked >> own & 1 == 0);
                let bank = self.state.bank.iter().position(|own| same(own) && (moves || *own == exact));
                let (register, word) = match (low, bank) {
                    (Some(low), _) => (low as Register, self.state.low[low].word_from(at)?),
                    (None, Some(place)) => {
                        let word = self.state.bank[place].word_from(at)?;
                        let to = self.free()?;
                        self.emit(Placed::Copy { to, from: self.known.bank[place] }, 1);
                        (to, word)
                    }
                    (None, None) if moves || at.word == 0 => {
                        let to = self.free()?;
                        self.emit(Placed::Argument { to, number }, 2);
                        (to, 0)
                    }
                    (None, None) => return None,
                };
                if word != at.word {
                    let words = at.word as i16 - word as i16;
                    self.emit(Placed::Advance { pointer: register, words }, 1);
                }
                register
            }
        };
        self.state.low[usize::from(register)] = exact;
        self.lock(register);
        Some(register)
    }

    fn one(&mut self, one: One, to: Value, x: Value) -> Option<()> {
        let own = self.need(x)?;
        self.done(x);
        self.locked = 0;
        let register = self.free_for(to)?;
        self.emit(Placed::One { one, to: register, x: own }, 1);
        self.put(register, to);
        Some(())
    }

    /// A number for which a step has room.
    fn byte(&self, two: Two, value: Value) -> Option<u32> {
        match self.known.draft.homes[usize::from(value)] {
            Home::Number(number) if !self.known.tied && two != Two::Multiply && number >> 8 == 0 => {
                Some(number)
            }
            _ => None,
        }
    }

    fn two(&mut self, (two, moved): (Two, Option<One>), to: Value, x: Value, y: Value) -> Option<()> {
        let swaps = two.commutes() && moved.is_none() && self.byte(two, x).is_some();
        let [x, y] = if swaps { [y, x] } else { [x, y] };
        if let (Some(number), None) = (self.byte(two, y), moved) {
            let x_register = self.need(x)?;
            self.done(x);
            self.locked = 0;
            let register = self.free()?;
            self.emit(Placed::With { two, to: register, x: x_register, number }, 1);
            self.put(register, to);
            return Some(());
        }
        let own = [self.need(x)?, self.need(y)?];
        if !two.destroys() || !self.known.tied {
            self.done(x);
            self.done(y);
            self.locked = 0;
            let register = self.free_for(to)?;
            self.emit(Placed::Two { two, to: register, x: own[0], y: own[1], moved }, 1);
            self.put(register, to);
            return Some(());
        }
        let price = |value: Value| match self.known.next(value, self.at + 1) {
            NEVER => 0,
            _ => self.again(value).unwrap_or(1),
        };
        let second = if two.commutes() && x != y {
            let prices = [price(x), price(y)];
            let better = usize::from(prices[1] < prices[0]);
            // one that ends is always destroyed
            if prices.contains(&0) { better } else { [better, 1 - better][self.picks.pick(2)] }
        } else {
            0
        };
        let (tied, register) = ([x, y][second], own[second]);
        let mut result = register;
        if !self.known.is_over(tied, self.at + 1) && self.again(tied).is_none() {
            if self.picks.pick(2) == 1 {
                result = self.free_for(to)?;
                self.emit(Placed::Copy { to: result, from: register }, 1);
            } else if !self.banks(register) {
                self.spill(register, tied);
            }
        }
        let mut read = own;
        read[second] = result;
        self.emit(Placed::Two { two, to: result, x: read[0], y: read[1], moved: None }, 1);
        self.state.low[usize::from(result)] = Slot::FREE;
        self.done(x);
        self.done(y);
        self.put(result, to);
        Some(())
    }

    fn fetch(&mut self, words: &[Value]) -> Option<()> {
        let mut open: SmallVec<[(Value, Address); 8]> = SmallVec::new();
        for word in words {
            let is_there =
                self.low(*word).is_some() || self.banked(*word).is_some() || self.spilled(*word).is_some();
            if let (Some(register), true) = (self.low(*word), true) {
                self.lock(register);
            }
            if let (false, Some(at)) = (is_there, self.in_memory(*word))
                && !self.known.is_over(*word, self.at)
            {
                open.push((*word, at));
            }
        }
        if self.known.draft.manner.sliding {
            // another step fetches what does not follow
            let first = open.first().filter(|(first, _)| words[0] == *first).map(|(_, at)| *at);
            let follows = |index: &usize| Some(open[*index].1) == first.map(|at| at.plus(*index));
            let count = (0..open.len()).take_while(follows).count();
            return if count > 1 { self.group(&open[..count]) } else { Some(()) };
        }
        let kept = self.locked;
        let mut from = 0;
        while from < open.len() {
            let mut to = from + 1;
            while to < open.len() && open[to].1 == open[from].1.plus(to - from) {
                to += 1;
            }
            self.group(&open[from..to])?;
            from = to;
        }
        self.locked = kept;
        Some(())
    }

    /// Words of one run.
    fn group(&mut self, words: &[(Value, Address)]) -> Option<()> {
        let (first, at) = words[0];
        if words.len() < 2 {
            self.need(first)?;
            return Some(());
        }
        let sliding = self.known.draft.manner.sliding;
        let ends = sliding && self.ends(words);
        let is_long = sliding && words.len() > 2;
        let (words, moves) = match (self.picks.pick(if is_long { 4 } else { 3 }), is_long) {
            (0, _) => (words, sliding && !ends),
            (1, _) => (words, !sliding || ends),
            (2, true) => (&words[..2], !ends),
            _ => return Some(()),
        };
        let Some(pointer) = self.address(at) else { return Some(()) };
        let set = self.room_for(words, (!moves).then_some(pointer))?;
        self.emit(Placed::LoadMany { pointer, registers: set }, 1 + words.len() as u32);
        if moves {
            self.state.low[usize::from(pointer)] = Slot::address(at.plus(words.len()));
            self.locked &= !(1 << pointer);
        }
        for (register, (word, _)) in registers(set).zip(words) {
            self.state.low[usize::from(register)] = Slot::value(*word);
        }
        Some(())
    }

    /// Whether nothing is read or stored behind an argument once these words are there.
    fn ends(&self, words: &[(Value, Address)]) -> bool {
        let Base::Argument(number) = words[0].1.base else { return true };
        let next = words.iter().map(|(word, _)| self.known.next(*word, self.at)).max();
        self.known.last[usize::from(number)] <= next.unwrap_or(0)
    }

    /// Registers for words, one of them given, that are free then.
    fn room_for(&mut self, words: &[(Value, Address)], given: Option<Register>) -> Option<u16> {
        let mut set = given.map_or(0, |register| 1 << register);
        if self.known.draft.manner.sliding {
            let wanted = words.len() - usize::from(given.is_some());
            let free = self.all_free();
            let more = (free.count_ones() as usize).saturating_sub(wanted);
            let of =
                |from: usize| registers(free).skip(from).take(wanted).fold(set, |set, own| set | 1 << own);
            let misplaced = |set: u16| {
                words
                    .iter()
                    .zip(registers(set))
                    .map(|((word, _), own)| self.misplaced(*word, own))
                    .sum::<usize>()
            };
            let mut sets: SmallVec<[u16; 8]> = (0..=more).map(of).collect();
            sets.sort_by_key(|set| misplaced(*set));
            set = sets[self.picks.pick(sets.len().min(2))];
            self.locked |= set;
        }
        while (set.count_ones() as usize) < words.len() {
            let register = self.free()?;
            self.lock(register);
            set |= 1 << register;
        }
        Some(set)
    }

    /// How many values that are stored with this one stand on the wrong side of a register.
    fn misplaced(&self, value: Value, register: Register) -> usize {
        let Some((step, index)) = self.known.ranks[usize::from(value)] else { return 0 };
        let is_wrong = |(place, own): (usize, &Slot)| match own.content() {
            Content::Value(other) if other != value => match self.known.ranks[usize::from(other)] {
                Some((other, rank)) if other == step && rank != index => {
                    (rank < index) != (place < usize::from(register))
                }
                _ => false,
            },
            _ => false,
        };
        self.state.low.iter().enumerate().filter(|own| is_wrong(*own)).count()
    }

    /// A register for a value, which is free then.
    fn free_for(&mut self, value: Value) -> Option<Register> {
        if !self.known.draft.manner.sliding || self.known.ranks[usize::from(value)].is_none() {
            return self.free();
        }
        let free = self.all_free();
        if free == 0 {
            return self.free();
        }
        let mut best = 0;
        let mut least = usize::MAX;
        for register in registers(free) {
            let own = self.misplaced(value, register);
            if own < least {
                (best, least) = (0, own);
            }
            best |= u16::from(own == least) << register;
        }
        Some(self.either(best))
    }

    /// Registers that are free (bit n is register n).
    fn all_free(&self) -> u16 {
        let free = self.state.low.iter().enumerate();
        let free = free.fold(0, |set, (at, own)| set | u16::from(*own == Slot::FREE) << at);
        free & self.known.low & !self.locked
    }

    fn store(&mut self, words: &[Value], at: Address, must: bool) -> Option<()> {
        let is_live = |word: &Value| !self.known.is_over(*word, self.at + 1);
        if !must && (!words.iter().any(is_live) || self.picks.pick(2) == 1) {
            let open: SmallVec<[Value; 8]> = words.iter().copied().filter(is_live).collect();
            self.state.absent.extend(open);
            return Some(());
        }
        let registers: SmallVec<[Register; 16]> =
            words.iter().map(|word| self.need(*word)).collect::<Option<_>>()?;
        let mut from = 0;
        while from < registers.len() {
            let mut to = from + 1;
            while to < registers.len() && registers[to] > registers[to - 1] {
                to += 1;
            }
            let start = at.plus(from);
            let pointer = if to - from > 1 { self.address(start) } else { None };
            if let Some(pointer) = pointer {
                let set = registers[from..to].iter().fold(0, |set, own| set | 1 << own);
                self.emit(Placed::StoreMany { pointer, registers: set }, 1 + (to - from) as u32);
                self.state.low[usize::from(pointer)] = Slot::address(at.plus(to));
                self.locked &= !(1 << pointer);
            } else {
                for (index, register) in registers.iter().enumerate().take(to).skip(from) {
                    let (to, word) = self.reach(at.plus(index), None)?;
                    self.emit(Placed::Store { from: *register, to, word }, 2);
                }
            }
            from = to;
        }
        words.iter().for_each(|word| self.done(*word));
        Some(())
    }

    /// What its state is worth, in sixteenths of cycles, less being better.
    pub(super) fn weight(&self, weights: &Weights) -> i32 {
        let mut weight = 0;
        for own in self.state.low {
            weight += match own.content() {
                Content::Value(value) if self.in_memory(value).is_some() => weights.low_in_memory,
                Content::Value(value) if self.again(value).is_some() => weights.low_again,
                Content::Address(Address { base: Base::Argument(_), .. }) => weights.argument,
                Content::Address(_) => weights.frame,
                _ => 0,
            };
        }
        for own in self.state.bank {
            weight += match own.content() {
                Content::Value(value) if self.low(value).is_some() => weights.bank_again,
                Content::Value(value) if self.in_memory(value).is_some() => weights.bank_in_memory,
                Content::Value(_) => weights.bank,
                Content::Address(_) => weights.bank_argument,
                Content::Free => 0,
            };
        }
        for (value, _) in &self.state.spilled {
            let is_there = self.low(*value).is_some() || self.banked(*value).is_some();
            weight += if is_there { 0 } else { weights.spilled };
        }
        // what will be stored by one instruction ascends
        if self.known.draft.manner.sliding {
            for (register, own) in self.state.low.iter().enumerate() {
                if let Content::Value(value) = own.content() {
                    weight += weights.ascent.max(4) * self.misplaced(value, register as Register) as i32;
                }
            }
        } else if let Some(Op::Store { words, .. }) =
            self.known.stores[self.at].map(|at| &self.known.draft.ops[at])
        {
            for pair in words.windows(2) {
                if let (Some(one), Some(other)) = (self.low(pair[0]), self.low(pair[1])) {
                    weight += if one < other { -weights.ascent } else { weights.ascent };
                }
            }
        }
        let is_late = |value: &&Value| {
            let away = self.known.next(**value, self.at) - self.at;
            away > weights.far && self.spilled(**value).is_none() && self.banked(**value).is_none()
        };
        weight + weights.late * self.state.absent.iter().filter(is_late).count() as i32
    }
}
