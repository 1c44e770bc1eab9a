//! Registers for the values of a straight line, and instructions.
//!
//! A value's register is free after its last use, and that of an array's pointer after the array's last access.
//! Of two factors it is the one used for the last time that UMULL takes as Rs: its register may take a word of
//! the product, that of Rm may not (ARM DDI 0100, A4.1, UMULL).

use super::accesses::Accesses;
use super::line::{Line, Op, Value};
use crate::cores::Core;
use crate::instructions::{DataOp, Instruction, Register, Shifter};
use crate::lower::code;
use rhomb_line::Array;

/// The instructions of a line whose values need no more than the registers of `order`, those first that are
/// to be used first. `pointers` are the registers of the result and the operands.
pub(super) fn allocate(
    line: &Line,
    core: &Core,
    order: &[Register],
    pointers: [Register; 3],
) -> Vec<Instruction> {
    let free = order.iter().fold(0, |set, register| set | 1 << register);
    let mut allocator = Allocator {
        order: order.to_vec(),
        free,
        zeros: 0,
        registers: vec![NONE; line.values],
        last: line.last_reads(),
        mates: mates(line),
        accesses: Accesses::new(line, core, pointers),
        code: Vec::with_capacity(line.ops.len()),
    };
    let ends = line.last_accesses();
    for (at, op) in line.ops.iter().enumerate() {
        allocator.one(at, op);
        for array in [Array::A, Array::B] {
            if ends[array as usize] == Some(at) {
                let pointer = pointers[array as usize];
                allocator.free |= 1 << pointer;
                allocator.order.push(pointer);
            }
        }
    }
    allocator.code
}

const NONE: Register = Register::MAX;

/// For each value that is stored together with others, these, by ascending addresses.
fn mates(line: &Line) -> Vec<Option<(usize, usize)>> {
    let mut mates = vec![None; line.values];
    for (at, op) in line.ops.iter().enumerate() {
        if let Op::Store { from, .. } = op
            && from.len() > 1
        {
            from.iter().enumerate().for_each(|(rank, value)| mates[*value] = Some((at, rank)));
        }
    }
    mates
}

struct Allocator<'a> {
    order: Vec<Register>,
    /// Registers without a value (bit n is Rn).
    free: u16,
    /// Those among them that hold zero.
    zeros: u16,
    registers: Vec<Register>,
    last: Vec<usize>,
    mates: Vec<Option<(usize, usize)>>,
    accesses: Accesses<'a>,
    code: Vec<Instruction>,
}

impl Allocator<'_> {
    fn of(&self, value: Value) -> Register {
        self.registers[value]
    }

    fn put(&mut self, value: Value, register: Register) {
        self.free &= !(1 << register);
        self.zeros &= !(1 << register);
        self.registers[value] = register;
    }

    /// The free register that fits a value best. Words that are stored together should ascend with their
    /// addresses, with room for those that have no register yet; one that holds zero is the last choice.
    fn choose(&self, value: Value) -> Register {
        let rank = |register: &Register| (self.misfit(value, *register), self.zeros & 1 << register != 0);
        let free = self.order.iter().filter(|register| self.free & 1 << **register != 0);
        let best = free.min_by_key(|register| rank(register)).copied();
        debug_assert!(best.is_some(), "no register is free");
        best.unwrap_or(NONE)
    }

    /// How badly a register suits a word that is stored together with others; 0 if well.
    fn misfit(&self, value: Value, register: Register) -> usize {
        let Some((store, rank)) = self.mates[value] else { return 0 };
        let mates = self.accesses.stored(store);
        let known = |value: &&Value| self.registers[**value] != NONE;
        let low = mates[..rank].iter().rev().position(|value| known(&value)).map(|at| rank - 1 - at);
        let high = mates[rank + 1..].iter().position(|value| known(&value)).map(|at| rank + 1 + at);
        // mates without registers between this one and those next to it
        let (below, above) = (rank - low.map_or(0, |at| at + 1), high.unwrap_or(mates.len()) - rank - 1);
        let floor = low.map_or(0, |at| self.registers[mates[at]] + 1);
        let ceiling = high.map_or(16, |at| self.registers[mates[at]]);
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

    fn take(&mut self, value: Value) -> Register {
        let register = self.choose(value);
        self.put(value, register);
        register
    }

    /// Frees a value's register after its last use.
    fn done(&mut self, value: Value, at: usize) {
        if self.last[value] <= at {
            self.free |= 1 << self.of(value);
        }
    }

    fn emit(&mut self, instruction: Instruction) {
        self.code.push(instruction);
    }

    /// A free register that holds zero, but not `other`; there must be a free one.
    fn zero(&mut self, other: Option<Register>) -> Option<Register> {
        let outside = |register: &Register| Some(*register) != other;
        let ready = |register: &Register| self.zeros & 1 << register != 0 && outside(register);
        let free = |register: &Register| self.free & 1 << register != 0 && outside(register);
        if let Some(register) = self.order.iter().copied().find(ready) {
            return Some(register);
        }
        let register = self.order.iter().copied().rev().find(free)?;
        self.zeros |= 1 << register;
        self.emit(code::mov(register, code::ZERO));
        Some(register)
    }

    fn one(&mut self, at: usize, op: &Op) {
        match op {
            Op::Load { to, .. } => {
                self.load(to);
                let registers: Vec<Register> = to.iter().map(|value| self.of(*value)).collect();
                self.accesses.write(at, &registers, &mut self.code);
                to.iter().for_each(|value| self.done(*value, at));
            }
            Op::Store { from, .. } => {
                let registers: Vec<Register> = from.iter().map(|value| self.of(*value)).collect();
                self.accesses.write(at, &registers, &mut self.code);
                from.iter().for_each(|value| self.done(*value, at));
            }
            Op::StoreZero { .. } => {
                let zero = self.zero(None);
                self.accesses.write(at, zero.as_slice(), &mut self.code);
            }
            Op::Multiply { low, high, a, b } => self.multiply(at, [*low, *high], [*a, *b]),
            Op::Add { to, value, carry_in, set } => {
                let (rd, rm) = (self.of(*to), self.of(*value));
                self.emit(code::add(*carry_in, *set, rd, rd, Shifter::plain(rm)));
                self.done(*value, at);
                self.done(*to, at);
            }
            Op::AddNumber { to, number, carry_in, set } => {
                let rd = self.of(*to);
                let number = Shifter::Immediate { value: *number, rotation: 0 };
                self.emit(code::add(*carry_in, *set, rd, rd, number));
                self.done(*to, at);
            }
            Op::Clear { to } => {
                let fits = |register: Register| self.misfit(*to, register) != usize::MAX;
                let ready = |register: &Register| self.zeros & 1 << register != 0 && fits(*register);
                match self.order.iter().copied().find(ready) {
                    Some(register) => self.put(*to, register),
                    None => {
                        let register = self.take(*to);
                        self.emit(code::mov(register, code::ZERO));
                    }
                }
                self.done(*to, at);
            }
            Op::Catch { to } => {
                let register = self.choose(*to);
                let zero = self.zero(Some(register));
                if zero.is_none() {
                    self.emit(code::mov(register, code::ZERO));
                }
                self.put(*to, register);
                self.emit(code::add(true, false, register, zero.unwrap_or(register), code::ZERO));
                self.done(*to, at);
            }
            Op::CatchLess { to, any } => {
                let any_register = self.of(*any);
                self.done(*any, at);
                let register = self.take(*to);
                self.emit(code::sub(true, false, register, any_register, Shifter::plain(any_register)));
                self.done(*to, at);
            }
            // 0 - (C - 1) borrows nothing if C is set
            Op::Release { from } => {
                let register = self.of(*from);
                self.emit(code::data(DataOp::Rsb, true, register, register, code::ZERO));
                self.done(*from, at);
            }
            Op::Moved => {}
        }
    }

    /// Registers for words that are loaded together: they ascend.
    fn load(&mut self, to: &[Value]) {
        if let [value] = to {
            self.take(*value);
            return;
        }
        let mut order: Vec<Register> =
            self.order.iter().copied().filter(|register| self.free & 1 << register != 0).collect();
        order.sort_by_key(|register| self.zeros & 1 << register != 0);
        order.truncate(to.len());
        order.sort_unstable();
        to.iter().zip(order).for_each(|(value, register)| self.put(*value, register));
    }

    fn multiply(&mut self, at: usize, [low, high]: [Value; 2], [a, b]: [Value; 2]) {
        let ends = |value: Value| self.last[value] <= at;
        let (rm, rs) = if ends(a) && !ends(b) { (b, a) } else { (a, b) };
        let (rm_register, rs_register) = (self.of(rm), self.of(rs));
        if rs != rm {
            self.done(rs, at);
        }
        let low_register = self.take(low);
        let high_register = self.take(high);
        self.done(rm, at);
        self.emit(code::umull(low_register, high_register, rm_register, rs_register));
        // a word that is known to be zero is not read
        self.done(low, at);
        self.done(high, at);
    }
}
