//! Registers for the values of a script, and what its operations become.
//!
//! A value's register is free after its last use, and that of an array's pointer after the array's last access.
//! Of two factors it is the one used for the last time that UMULL takes as Rs: its register may take a word of
//! the product, that of Rm may not (ARM DDI 0100, A4.1, UMULL).

use super::script::{Op, Script, Value};
use crate::file::Register;
use crate::item::{Access, Item};
use crate::placed::Operand;
use rhomb_line::Array;

/// Gives registers to a script whose values need no more than those of `order`, those first that are to be used first.
/// Those of `pointers` to A and B join them when their arrays are done with. `calculation` gives instructions. `None` where
/// registers do not last.
pub fn allocate<I>(
    script: &Script,
    order: &[Register],
    pointers: [Register; 3],
    calculation: impl Fn(Calculation) -> I,
) -> Option<Vec<Item<I>>> {
    let mut allocator = Allocator {
        reuses_zeros: true,
        mates: mates(script),
        ..Allocator::new(script, order.to_vec(), calculation)
    };
    let ends = script.last_accesses();
    for (at, op) in script.ops.iter().enumerate() {
        allocator.one(at, op)?;
        for array in [Array::A, Array::B] {
            if ends[array as usize] == Some(at) {
                let pointer = pointers[array as usize];
                allocator.free |= 1 << pointer;
                allocator.order.push(pointer);
            }
        }
    }
    Some(allocator.items)
}

/// For each value that is stored together with others, these, by ascending addresses.
fn mates(script: &Script) -> Vec<Option<(usize, usize)>> {
    let mut mates = vec![None; script.values];
    for (at, op) in script.ops.iter().enumerate() {
        if let Op::Store { from, .. } = op
            && from.len() > 1
        {
            from.iter().enumerate().for_each(|(rank, value)| mates[*value] = Some((at, rank)));
        }
    }
    mates
}

/// What an operation becomes that accesses no array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are those of the operations")]
pub enum Calculation {
    /// `high:low = x * y`. Where a processor has it so, `y` may be in the place of a word of the product, `x` may not.
    Multiply { low: Register, high: Register, x: Register, y: Register },
    /// `to = x + y`.
    Add { to: Register, x: Register, y: Operand, carry_in: bool, set: bool },
    /// `to = 0`; the carry stays.
    Zero { to: Register },
    /// `to` is the carry less one, made from any register.
    CatchLess { to: Register, any: Register },
    /// The carry is what such a register holds, and one.
    Release { from: Register },
    /// `to = from`; the carry stays.
    Copy { to: Register, from: Register },
}

/// Registers, operation by operation.
pub(super) struct Allocator<'a, I, F> {
    script: &'a Script,
    order: Vec<Register>,
    /// Registers without a value (bit n is Rn).
    free: u32,
    /// Those among them that hold zero.
    zeros: u32,
    registers: Vec<Option<Register>>,
    /// The operation that uses each value last.
    pub(super) last: Vec<usize>,
    /// Registers that are wanted at the end; none for the values that are missing.
    pub(super) wants: Vec<Option<Register>>,
    /// Operation and rank of values that are stored together with others, likewise.
    mates: Vec<Option<(usize, usize)>>,
    /// Whether a word that begins as zero takes a register that holds it.
    reuses_zeros: bool,
    /// What the operations become, `calculation` of what accesses no array.
    pub(super) items: Vec<Item<I>>,
    calculation: F,
}

impl<'a, I, F: Fn(Calculation) -> I> Allocator<'a, I, F> {
    pub(super) fn new(script: &'a Script, order: Vec<Register>, calculation: F) -> Self {
        Allocator {
            script,
            free: order.iter().fold(0, |set, register| set | 1 << register),
            order,
            zeros: 0,
            registers: vec![None; script.values],
            last: script.last_reads(),
            wants: Vec::new(),
            mates: Vec::new(),
            reuses_zeros: false,
            items: Vec::with_capacity(script.ops.len()),
            calculation,
        }
    }

    pub(super) fn of(&self, value: Value) -> Option<Register> {
        self.registers[value]
    }

    fn is_free(&self, register: Register) -> bool {
        self.free & 1 << register != 0
    }

    fn is_zero(&self, register: Register) -> bool {
        self.zeros & 1 << register != 0
    }

    pub(super) fn put(&mut self, value: Value, register: Register) {
        self.free &= !(1 << register);
        self.zeros &= !(1 << register);
        self.registers[value] = Some(register);
    }

    pub(super) fn release(&mut self, value: Value) {
        if let Some(register) = self.registers[value] {
            self.free |= 1 << register;
        }
    }

    /// Frees a value's register after its last use.
    fn done(&mut self, value: Value, at: usize) {
        if self.last[value] <= at {
            self.release(value);
        }
    }

    /// The free register that fits a value best: the one that is wanted for it, else one that nobody wants. Words that are
    /// stored together should ascend with their addresses, with room for those that have no register yet; one that holds
    /// zero is the last choice.
    fn choose(&self, value: Value) -> Option<Register> {
        let wanted = self.wants.get(value).copied().flatten().filter(|register| self.is_free(*register));
        let rank = |register: &Register| {
            let others = self.wants.contains(&Some(*register));
            (others, self.misfit(value, *register), self.is_zero(*register))
        };
        let free = self.order.iter().copied().filter(|register| self.is_free(*register));
        wanted.or_else(|| free.min_by_key(rank))
    }

    /// How badly a register suits a word that is stored together with others; 0 if well.
    fn misfit(&self, value: Value, register: Register) -> usize {
        let Some((store, rank)) = self.mates.get(value).copied().flatten() else { return 0 };
        let mates = self.script.stored(store);
        let known = |value: &Value| self.of(*value);
        let low = mates[..rank].iter().rev().position(|value| known(value).is_some()).map(|at| rank - 1 - at);
        let high = mates[rank + 1..].iter().position(|value| known(value).is_some()).map(|at| rank + 1 + at);
        // mates without registers between this one and those next to it
        let (below, above) = (rank - low.map_or(0, |at| at + 1), high.unwrap_or(mates.len()) - rank - 1);
        let floor = low.and_then(|at| known(&mates[at])).map_or(0, |own| own + 1);
        let ceiling = high.and_then(|at| known(&mates[at])).unwrap_or(16);
        if !(floor..ceiling).contains(&register) {
            return usize::MAX;
        }
        let count = |range: std::ops::Range<Register>| {
            self.order.iter().filter(|register| range.contains(register)).count()
        };
        // room in proportion to those who need it
        let (under, over) = (count(floor..register), count(register + 1..ceiling));
        let lack = below.saturating_sub(under) + above.saturating_sub(over);
        1000 * lack + (under * (above + 1)).abs_diff(over * (below + 1))
    }

    fn take(&mut self, value: Value) -> Option<Register> {
        let register = self.choose(value)?;
        self.put(value, register);
        Some(register)
    }

    fn of_or_take(&mut self, value: Value) -> Option<Register> {
        self.of(value).or_else(|| self.take(value))
    }

    pub(super) fn emit(&mut self, one: Calculation) {
        self.items.push(Item::Code((self.calculation)(one)));
    }

    /// Where the sum goes that a word becomes.
    fn target(&mut self, value: Value) -> Option<Register> {
        let old = self.of(value)?;
        match self.wants.get(value).copied().flatten() {
            Some(wanted) if wanted != old && self.is_free(wanted) => {
                self.release(value);
                self.put(value, wanted);
                Some(wanted)
            }
            _ => Some(old),
        }
    }

    /// A free register other than `other` that holds zero, if there is one to be had.
    fn zero(&mut self, other: Option<Register>) -> Option<Register> {
        let free = |register: &Register| self.is_free(*register) && Some(*register) != other;
        let ready = |register: &Register| self.is_zero(*register) && free(register);
        if let Some(register) = self.order.iter().copied().find(ready) {
            return Some(register);
        }
        let register = self.order.iter().copied().rev().find(free)?;
        self.zeros |= 1 << register;
        self.emit(Calculation::Zero { to: register });
        Some(register)
    }

    /// The instructions of an operation; `None` where registers do not last.
    pub(super) fn one(&mut self, at: usize, op: &Op) -> Option<()> {
        match op {
            Op::Load { to, .. } => {
                self.load(to)?;
                self.access(at, op, to)?;
            }
            Op::Store { from, .. } => self.access(at, op, from)?,
            Op::StoreZero { .. } => {
                let zero = self.zero(None)?;
                self.transfer(op, &[zero]);
            }
            Op::Multiply { low, high, a, b } => self.multiply(at, [*low, *high], [*a, *b])?,
            Op::Add { to, value, carry_in, set } => {
                let (old, other) = (self.of(*to)?, self.of(*value)?);
                self.done(*value, at);
                let rd = self.target(*to)?;
                let y = Operand::Register(other);
                self.emit(Calculation::Add { to: rd, x: old, y, carry_in: *carry_in, set: *set });
                self.done(*to, at);
            }
            Op::AddNumber { to, number, carry_in, set } => {
                let old = self.of(*to)?;
                let rd = self.target(*to)?;
                let y = Operand::Number((*number).into());
                self.emit(Calculation::Add { to: rd, x: old, y, carry_in: *carry_in, set: *set });
                self.done(*to, at);
            }
            Op::Clear { to } => {
                let fits = |register: Register| self.misfit(*to, register) != usize::MAX;
                let ready = |register: &Register| self.is_zero(*register) && fits(*register);
                match self.order.iter().copied().find(ready).filter(|_| self.reuses_zeros) {
                    Some(register) => self.put(*to, register),
                    None => {
                        let register = self.take(*to)?;
                        self.emit(Calculation::Zero { to: register });
                    }
                }
                self.done(*to, at);
            }
            Op::Catch { to } => {
                let register = self.take(*to)?;
                let zero = self.zero(Some(register));
                if zero.is_none() {
                    self.emit(Calculation::Zero { to: register });
                }
                let x = zero.unwrap_or(register);
                let y = Operand::Number(0);
                self.emit(Calculation::Add { to: register, x, y, carry_in: true, set: false });
                self.done(*to, at);
            }
            Op::CatchLess { to, any } => {
                let any_register = self.of(*any)?;
                self.done(*any, at);
                let register = self.of_or_take(*to)?;
                self.emit(Calculation::CatchLess { to: register, any: any_register });
                self.done(*to, at);
            }
            Op::Release { from } => {
                let register = self.of(*from)?;
                self.emit(Calculation::Release { from: register });
                self.done(*from, at);
            }
            Op::Moved => {}
        }
        Some(())
    }

    fn access(&mut self, at: usize, op: &Op, values: &[Value]) -> Option<()> {
        let registers = values.iter().map(|value| self.of(*value)).collect::<Option<Vec<Register>>>()?;
        self.transfer(op, &registers);
        values.iter().for_each(|value| self.done(*value, at));
        Some(())
    }

    /// The accesses of an operation, with the registers of its words.
    fn transfer(&mut self, op: &Op, registers: &[Register]) {
        let (array, index, store) = match op {
            Op::Load { array, index, .. } => (*array, *index, false),
            Op::Store { index, .. } | Op::StoreZero { index } => (Array::Result, *index, true),
            _ => return,
        };
        let words = (index..).zip(registers);
        let access =
            |(index, register): (usize, &Register)| Access { array, index, register: *register, store };
        self.items.extend(words.map(access).map(Item::Access));
    }

    /// Registers for words that are loaded together: they ascend.
    fn load(&mut self, to: &[Value]) -> Option<()> {
        if let [value] = to {
            return self.of_or_take(*value).map(drop);
        }
        let mut order: Vec<Register> =
            self.order.iter().copied().filter(|register| self.is_free(*register)).collect();
        order.sort_by_key(|register| self.is_zero(*register));
        order.truncate(to.len());
        order.sort_unstable();
        to.iter().zip(order).for_each(|(value, register)| self.put(*value, register));
        Some(())
    }

    fn multiply(&mut self, at: usize, [low, high]: [Value; 2], [a, b]: [Value; 2]) -> Option<()> {
        let ends = |value: Value| self.last[value] <= at;
        let (rm, rs) = if ends(a) && !ends(b) { (b, a) } else { (a, b) };
        let (rm_register, rs_register) = (self.of(rm)?, self.of(rs)?);
        if rs != rm {
            self.done(rs, at);
        }
        let (low_register, high_register) = (self.take(low)?, self.take(high)?);
        self.done(rm, at);
        self.emit(Calculation::Multiply {
            low: low_register,
            high: high_register,
            x: rm_register,
            y: rs_register,
        });
        // a word that is known to be zero is not read
        self.done(low, at);
        self.done(high, at);
        Some(())
    }
}
