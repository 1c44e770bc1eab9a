//! Which instructions wait for which results.

use super::Core;
use crate::instructions::{Action, Instruction, PC, Register, Size};

/// Cycles from the end of an instruction until its result can be read.
#[derive(Debug)]
pub struct Interlocks {
    /// A loaded word; of LDM the last, if it is not the only one.
    pub word: u8,
    /// A loaded byte or halfword.
    pub narrow: u8,
    /// A product of a multiplication that sets no flags. As the accumulator of the next multiplication it can be
    /// read at once.
    pub product: u8,
    /// Whether a load of one register overlaps with the load of one before it, whose result it does not need: a load takes a cycle
    /// then, and what follows the last of them waits for one.
    pub pairs: bool,
}

/// What an instruction reads when, and which of its results come late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Registers read as it starts.
    at_once: u16,
    /// Registers read a cycle later: the second that STM stores. Those after it are never waited for.
    second: u16,
    /// Registers to which a multiplication adds.
    accumulators: u16,
    /// Registers that it writes.
    writes: u16,
    /// Those of them that come late.
    late: u16,
    /// By this many cycles.
    by: u8,
    /// Whether they are products.
    product: bool,
    /// Whether it is a load that overlaps with others.
    overlaps: bool,
}

const fn bit(register: Register) -> u16 {
    1 << (register & 15)
}

impl Core {
    /// What an instruction waits for; `None` on a core that never waits.
    pub(crate) fn needs(&self, instruction: &Instruction) -> Option<Needs> {
        let locks = self.timing.interlocks?;
        let all = Needs {
            at_once: instruction.registers_read(),
            writes: instruction.registers_written(),
            ..Needs::default()
        };
        Some(match instruction.action {
            Action::Multiply { set, rd, rm, rs, rn } => {
                let late = if set { 0 } else { bit(rd) };
                let accumulators = rn.map_or(0, bit);
                let at_once = bit(rm) | bit(rs);
                Needs { at_once, accumulators, late, by: locks.product, product: true, ..all }
            }
            Action::LongMultiply { set, accumulate, low, high, rm, rs, .. } => {
                let results = bit(low) | bit(high);
                let accumulators = if accumulate { results } else { 0 };
                let late = if set { 0 } else { results };
                let at_once = bit(rm) | bit(rs);
                Needs { at_once, accumulators, late, by: locks.product, product: true, ..all }
            }
            Action::DoubleAccumulate { low, high, rm, rs } => {
                let (accumulators, at_once) = (bit(low) | bit(high), bit(rm) | bit(rs));
                Needs { at_once, accumulators, late: accumulators, by: locks.product, product: true, ..all }
            }
            Action::Transfer { load: true, size, rd, .. } => {
                let by = if size == Size::Word { locks.word } else { locks.narrow };
                Needs { late: bit(rd), by, overlaps: locks.pairs && rd != PC, ..all }
            }
            Action::Swap { byte, rd, .. } => {
                Needs { late: bit(rd), by: if byte { locks.narrow } else { locks.word }, ..all }
            }
            Action::Block { load: true, registers, .. } if registers.count_ones() > 1 => {
                Needs { late: 1 << registers.ilog2(), by: locks.word, ..all }
            }
            Action::Block { load: false, rn, registers, .. } => {
                let first = registers & registers.wrapping_neg();
                let rest = registers & !first;
                Needs { at_once: bit(rn) | first, second: rest & rest.wrapping_neg(), ..all }
            }
            _ => all,
        })
    }

    /// The most cycles of instructions that are executed one after the other, waits among them; `None` where the
    /// model has no time for one of them.
    pub fn straight(&self, instructions: &[Instruction]) -> Option<u64> {
        let mut pipeline = Pipeline::default();
        for instruction in instructions {
            let cycles = self.most(instruction)?;
            pipeline.issue(&self.needs(instruction).unwrap_or_default(), cycles);
        }
        Some(pipeline.now)
    }
}

/// When each instruction starts: one after the other, each as soon as what it reads is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pipeline {
    /// When the next instruction can start at the earliest, in cycles since some start.
    now: u64,
    /// From when on registers can be read.
    ready: [u64; 16],
    /// Those of them that are products.
    products: u16,
    /// What the load right before wrote, if it overlaps with another one.
    load: Option<u16>,
}

/// The numbers of the registers of a set.
fn members(mut set: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let number = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (number < 16).then_some(number)
    })
}

impl Pipeline {
    /// Cycles that have passed.
    pub(crate) fn cycles(&self) -> u64 {
        self.now
    }

    /// Cycles that an instruction would wait now.
    pub(crate) fn wait(&self, needs: &Needs) -> u64 {
        let now = self.now;
        let latest = |set, from: u64| {
            members(set).map(|number| self.ready[number].saturating_sub(from)).max().unwrap_or(0)
        };
        let loads = match self.load {
            Some(written) => u64::from(!needs.overlaps || needs.at_once & written != 0),
            None => 0,
        };
        latest(needs.at_once | needs.accumulators & !self.products, now)
            .max(latest(needs.second, now + 1))
            .max(loads)
    }

    /// An instruction that takes this many cycles after its wait.
    pub(crate) fn issue(&mut self, needs: &Needs, cycles: u64) {
        self.skip(needs, cycles);
        for number in members(needs.writes) {
            self.ready[number] = self.now;
        }
        for number in members(needs.late) {
            self.ready[number] = self.now + u64::from(needs.by);
        }
        self.products &= !needs.writes;
        if needs.product {
            self.products |= needs.late;
        }
        self.load = needs.overlaps.then_some(needs.writes);
    }

    /// An instruction whose condition fails. It waits as if it held: what it lacks is found out as it is decoded.
    pub(crate) fn skip(&mut self, needs: &Needs, cycles: u64) {
        self.now += self.wait(needs) + cycles;
        self.load = None;
    }

    /// It takes longer than was counted.
    pub(crate) fn lengthen(&mut self, cycles: u64) {
        self.now += cycles;
        self.ready.iter_mut().for_each(|ready| *ready += cycles);
    }

    /// Whether both wait equally long for each register.
    pub(crate) fn waits_like(&self, other: &Pipeline) -> bool {
        let wait = |own: &Pipeline, number: usize| own.ready[number].saturating_sub(own.now);
        self.load == other.load
            && (0..16).all(|number| {
                let product = |own: &Pipeline| own.products >> number & 1;
                let (first, second) = (wait(self, number), wait(other, number));
                first == second && (first == 0 || product(self) == product(other))
            })
    }

    /// A pipeline that has come as far as one of two, by `pick`, and waits by it, too.
    pub(crate) fn either(&self, other: &Pipeline, pick: fn(u64, u64) -> u64) -> Pipeline {
        let now = pick(self.now, other.now);
        let wait = |number: usize| {
            let own = self.ready[number].saturating_sub(self.now);
            now + pick(own, other.ready[number].saturating_sub(other.now))
        };
        // of what is a product on one side only, a multiplication may have to wait
        let products = match pick(0, 1) {
            0 => self.products | other.products,
            _ => self.products & other.products,
        };
        // after a load nothing waits less than what does not overlap with it
        let load = match pick(0, 1) {
            0 => self.load.and(other.load),
            _ => self.load.or(other.load).map(|_| u16::MAX),
        };
        Pipeline { now, ready: std::array::from_fn(wait), products, load }
    }
}
