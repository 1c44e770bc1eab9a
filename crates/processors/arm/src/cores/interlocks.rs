//! Which instructions wait for which results.

use super::Core;
use crate::instructions::{
    Action, Condition, DataOp, Indexing, Instruction, Later, Offset, PC, Register, ShiftKind, Shifter, Size,
};

/// What an instruction reads a register for, which decides when it must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// What data processing takes as it is, and flags.
    Operand,
    /// A base, or what is added to it.
    Address,
    /// What passes the shifter.
    Shifted,
    /// A factor.
    Factor,
    /// What is added to a product.
    Sum,
    /// What is stored, of several registers the first.
    Stored,
    /// The second register that is stored; those after it are never waited for.
    Second,
}

/// How many [`Reads`] there are.
const WAYS: usize = Reads::Second as usize + 1;

/// Cycles from the end of an instruction until its result can be read, by [`Reads`]. With -1 an instruction beside it can.
pub type Delays = [i8; WAYS];

/// Which instructions wait for which results.
#[derive(Debug)]
pub struct Interlocks {
    /// A loaded word; of LDM the last, if it is not the only one.
    pub word: Delays,
    /// A loaded byte or halfword.
    pub narrow: Delays,
    /// A product of a multiplication that sets no flags.
    pub product: Delays,
    /// What an operation with a shifted operand gives.
    pub shifted: Delays,
    /// ADD, SUB and moves, shifts by a number among them.
    pub simple: Delays,
    /// All other data processing.
    pub data: Delays,
    /// Whether a load of one register overlaps with the load of one before it, whose result it does not need: a load takes a cycle
    /// then, and what follows the last of them waits for one.
    pub pairs: bool,
    /// Whether two instructions are issued in a cycle, as far as [`Unit`] lets them.
    pub two: bool,
}

/// Results that are there as their instruction ends.
pub(super) const AT_ONCE: Delays = [0; WAYS];

impl Interlocks {
    /// Nothing waits.
    pub(super) const NONE: Interlocks = Interlocks {
        word: AT_ONCE,
        narrow: AT_ONCE,
        product: AT_ONCE,
        shifted: AT_ONCE,
        simple: AT_ONCE,
        data: AT_ONCE,
        pairs: false,
        two: false,
    };
}

/// What of a core with two instructions a cycle an instruction takes up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Unit {
    /// All: nothing is issued beside it.
    #[default]
    All,
    /// One of two for data processing.
    Plain,
    /// The shifter, or what works on fields of bits.
    Shifter,
    /// The multiplier.
    Multiplier,
    /// A load of one register: its base and whether it is an odd word behind that, if it is known.
    Load(Option<(Register, bool)>),
    /// A store of one register.
    Store,
}

impl Unit {
    /// Whether an instruction is issued beside another one. Loads of words behind the same register, of which one is odd, are in
    /// two banks of memory.
    fn beside(self, older: Unit) -> bool {
        match (older, self) {
            (Unit::All, _) | (_, Unit::All) => false,
            (Unit::Load(one), Unit::Load(other)) => match (one, other) {
                (Some((base, odd)), Some((own_base, own_odd))) => base == own_base && odd != own_odd,
                _ => false,
            },
            (Unit::Store | Unit::Multiplier, Unit::Store | Unit::Multiplier) => false,
            (older, own) => older != own || own == Unit::Plain,
        }
    }
}

/// What an instruction reads when, and when its results can be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Registers by what they are read for, and the flags as one more.
    reads: [u32; WAYS],
    /// Registers that it writes, and the flags.
    writes: u32,
    /// Those of them that come at another time than it ends.
    late: u32,
    /// When.
    by: Delays,
    /// What it takes up.
    unit: Unit,
    /// Whether it is a load that overlaps with others.
    overlaps: bool,
}

/// The flags, beside the registers.
const FLAGS: u32 = 1 << 16;

/// Registers of a set but those of the extension, which nothing waits for.
const fn core(set: u64) -> u32 {
    set as u32 & 0xffff
}

const fn bit(register: Register) -> u32 {
    1 << (register & 15)
}

impl Core {
    /// What an instruction waits for; `None` on a core that never waits.
    pub(crate) fn needs(&self, instruction: &Instruction) -> Option<Needs> {
        let locks = self.timing.interlocks?;
        let flags = |set: u8| if set == 0 { 0 } else { FLAGS };
        let writes = core(instruction.registers_written()) | flags(instruction.flags_written());
        let read = core(instruction.registers_read()) | flags(instruction.flags_read());
        let mut needs = Needs { writes, ..Needs::default() };
        let mut reads = |way: Reads, set: u32| needs.reads[way as usize] |= set;
        let product = |set| if set { AT_ONCE } else { locks.product };
        // where the condition fails, what it leaves
        reads(Reads::Operand, read & FLAGS);
        let read = read & !FLAGS;
        let (unit, late, by) = match instruction.action {
            Action::Multiply { set, rm, rs, rn, .. } => {
                reads(Reads::Factor, bit(rm) | bit(rs));
                reads(Reads::Sum, rn.map_or(0, bit));
                (Unit::Multiplier, writes, product(set))
            }
            Action::LongMultiply { set, accumulate, low, high, rm, rs, .. } => {
                reads(Reads::Factor, bit(rm) | bit(rs));
                reads(Reads::Sum, if accumulate { bit(low) | bit(high) } else { 0 });
                (Unit::Multiplier, writes, product(set))
            }
            Action::DoubleAccumulate { low, high, rm, rs } => {
                reads(Reads::Factor, bit(rm) | bit(rs));
                reads(Reads::Sum, bit(low) | bit(high));
                (Unit::Multiplier, writes, locks.product)
            }
            Action::Later(Later::MultiplySubtract { rn, rm, ra, .. }) => {
                reads(Reads::Factor, bit(rn) | bit(rm));
                reads(Reads::Sum, bit(ra));
                (Unit::Multiplier, writes, locks.product)
            }
            Action::Later(Later::Halves { rn, rm, ra, .. }) => {
                reads(Reads::Factor, bit(rn) | bit(rm));
                reads(Reads::Sum, ra.map_or(0, bit));
                (Unit::Multiplier, writes, locks.product)
            }
            Action::Transfer { load: true, size, rd, address } => {
                reads(Reads::Address, read);
                let after = matches!(address.indexing, Indexing::After | Indexing::AfterAsUser);
                let bank = match address.offset {
                    Offset::Immediate(by) if size == Size::Word && by % 4 == 0 => {
                        Some((address.rn, !after && by % 8 != 0))
                    }
                    _ => None,
                };
                let unit = if rd == PC { Unit::All } else { Unit::Load(bank) };
                (unit, bit(rd), if size == Size::Word { locks.word } else { locks.narrow })
            }
            Action::Transfer { load: false, rd, address, .. } => {
                reads(Reads::Address, bit(address.rn) | core(address.offset.registers()));
                reads(Reads::Stored, bit(rd));
                (Unit::Store, 0, AT_ONCE)
            }
            Action::Swap { byte, rd, .. } => {
                reads(Reads::Address, read);
                (Unit::All, bit(rd), if byte { locks.narrow } else { locks.word })
            }
            Action::Block { load: true, registers, .. } => {
                reads(Reads::Address, read);
                let last = if registers.count_ones() > 1 { 1 << registers.ilog2() } else { 0 };
                (Unit::All, last, locks.word)
            }
            Action::Block { load: false, rn, registers, .. } => {
                let first = registers & registers.wrapping_neg();
                let rest = registers & !first;
                reads(Reads::Address, bit(rn));
                reads(Reads::Stored, first.into());
                reads(Reads::Second, (rest & rest.wrapping_neg()).into());
                (Unit::All, 0, AT_ONCE)
            }
            Action::Later(Later::Double { load: true, second, .. }) => {
                reads(Reads::Address, read);
                (Unit::All, bit(second), locks.word)
            }
            Action::Later(Later::Double { load: false, rd, second, address }) => {
                reads(Reads::Address, bit(address.rn));
                reads(Reads::Stored, bit(rd));
                reads(Reads::Second, bit(second));
                (Unit::All, 0, AT_ONCE)
            }
            Action::Data { op, operand, .. } => {
                let moves = op == DataOp::Mov;
                let simple = moves || matches!(op, DataOp::Add | DataOp::Sub);
                let (shifted, late, by) = match operand {
                    Shifter::Register { rm, kind, amount } if (kind, amount) != (ShiftKind::Lsl, 0) => {
                        let by = if moves { locks.simple } else { locks.shifted };
                        (bit(rm), writes, by)
                    }
                    Shifter::Rrx { rm } | Shifter::ByRegister { rm, .. } => (bit(rm), writes, locks.shifted),
                    // flags are late by shifts only
                    _ => (0, writes & !FLAGS, if simple { locks.simple } else { locks.data }),
                };
                reads(Reads::Shifted, shifted);
                reads(Reads::Operand, read & !shifted);
                let unit = match (writes & bit(PC), shifted) {
                    (0, 0) => Unit::Plain,
                    (0, _) => Unit::Shifter,
                    _ => Unit::All,
                };
                (unit, late, by)
            }
            Action::Later(Later::MoveTop { .. }) => {
                reads(Reads::Operand, read);
                (Unit::Plain, writes, locks.data)
            }
            Action::Later(
                Later::BitField { .. } | Later::Unary { .. } | Later::Extend { .. } | Later::Pack { .. },
            ) => {
                reads(Reads::Shifted, read);
                (Unit::Shifter, writes, locks.data)
            }
            _ => {
                reads(Reads::Operand, read);
                (Unit::All, 0, AT_ONCE)
            }
        };
        let overlaps =
            locks.pairs && matches!(instruction.action, Action::Transfer { load: true, rd, .. } if rd != PC);
        let alone = !locks.two || instruction.condition != Condition::Al;
        needs = Needs { late, by, overlaps, unit: if alone { Unit::All } else { unit }, ..needs };
        Some(needs)
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

/// When each instruction starts: in their order, each as soon as what it reads is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pipeline {
    /// When the next instruction can start at the earliest, in cycles since some start, if it starts alone.
    now: u64,
    /// From when on registers and the flags can be read, by what for.
    ready: [[u64; 17]; WAYS],
    /// What the load right before wrote, if it overlaps with another one.
    load: Option<u32>,
    /// What the instruction takes up that was started last, beside which another one can be.
    beside: Unit,
}

/// The numbers of the registers of a set, the flags as one more.
fn members(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let number = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (number < 17).then_some(number)
    })
}

impl Pipeline {
    /// Cycles that have passed.
    pub(crate) fn cycles(&self) -> u64 {
        self.now
    }

    /// When an instruction would start now.
    pub(crate) fn start(&self, needs: &Needs) -> u64 {
        let by_way = needs.reads.iter().zip(&self.ready);
        let ready = by_way.flat_map(|(set, ready)| members(*set).map(|number| ready[number]));
        let ready = ready.max().unwrap_or(0);
        let addresses = needs.reads[Reads::Address as usize];
        let first = match self.load {
            Some(written) => self.now + u64::from(!needs.overlaps || addresses & written != 0),
            None if needs.unit.beside(self.beside) => self.now.saturating_sub(1),
            None => self.now,
        };
        ready.max(first)
    }

    /// An instruction that takes this many cycles from its start.
    pub(crate) fn issue(&mut self, needs: &Needs, cycles: u64) {
        let end = self.pass(needs, cycles);
        for (ready, by) in self.ready.iter_mut().zip(needs.by) {
            for number in members(needs.writes) {
                let by = if needs.late >> number & 1 == 0 { 0 } else { by };
                ready[number] = end.saturating_add_signed(by.into());
            }
        }
        self.load = needs.overlaps.then_some(needs.writes);
    }

    /// An instruction whose condition fails. It waits as if it held: what it lacks is found out as it is decoded.
    pub(crate) fn skip(&mut self, needs: &Needs, cycles: u64) {
        self.pass(needs, cycles);
    }

    /// When the instruction ends.
    fn pass(&mut self, needs: &Needs, cycles: u64) -> u64 {
        let start = self.start(needs);
        // the third of three has a cycle of its own
        self.beside = if start < self.now || cycles != 1 { Unit::All } else { needs.unit };
        let end = start + cycles;
        self.now = self.now.max(end);
        self.load = None;
        end
    }

    /// It takes longer than was counted.
    pub(crate) fn lengthen(&mut self, cycles: u64) {
        self.now += cycles;
        self.ready.iter_mut().flatten().for_each(|ready| *ready += cycles);
    }

    /// Whether both wait equally long for each register.
    pub(crate) fn waits_like(&self, other: &Pipeline) -> bool {
        let waits = |own: &Pipeline| {
            let now = own.now.saturating_sub(1);
            own.ready.map(|ready| ready.map(|ready| ready.saturating_sub(now)))
        };
        (self.load, self.beside) == (other.load, other.beside) && waits(self) == waits(other)
    }

    /// A pipeline that has come as far as one of two, by `pick`, and waits by it, too.
    pub(crate) fn either(&self, other: &Pipeline, pick: fn(u64, u64) -> u64) -> Pipeline {
        let now = pick(self.now, other.now);
        let wait = |way: usize, number: usize| {
            let wait = |own: &Pipeline| (own.ready[way][number] + 1).saturating_sub(own.now);
            (now + pick(wait(self), wait(other))).saturating_sub(1)
        };
        let ready = std::array::from_fn(|way| std::array::from_fn(|number| wait(way, number)));
        // after a load nothing waits less than what does not overlap with it
        let load = match pick(0, 1) {
            0 => self.load.and(other.load),
            _ => self.load.or(other.load).map(|_| u32::MAX),
        };
        // less than beside one side nothing takes that is issued beside either
        let beside = match pick(0, 1) {
            _ if self.beside == other.beside => self.beside,
            0 => Unit::Plain,
            _ => Unit::All,
        };
        Pipeline { now, ready, load, beside }
    }
}
