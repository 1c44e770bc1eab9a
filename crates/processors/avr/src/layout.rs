//! Where the saves of an AVR routine end and its restores begin.

use crate::instructions::{Instruction, Op, Operand};
use crate::program::Program;
use rhomb_machine::{Code, framed};
use std::ops::Range;

/// A routine's parts, as indices into its instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Everything but the leading PUSHes, and the trailing RET, POPs and clear of the zero register.
    pub body: Range<usize>,
    /// Registers that are pushed at the start, or copied there and copied back later (bit n is Rn).
    pub saved: u32,
    /// Whether every instruction is executed once, in order, and the stack pointer is only moved by
    /// PUSH and POP.
    pub straight: bool,
    /// Most bytes on the stack along the straight line.
    pub pushed: u32,
}

impl Layout {
    /// The parts of a routine whose instructions stand one after the other; `zero` is the convention's
    /// zero register.
    pub fn of(code: &[Instruction], zero: Option<u8>) -> Layout {
        let leading = code.iter().take_while(|one| one.op == Op::Push);
        let pushed_at_start = leading.clone().fold(0, |saved, one| saved | 1 << one.r);
        let start = leading.count();
        let body = &code[start..];
        let copies = body.iter().enumerate().take_while(|(_, one)| one.op == Op::Movw);
        let parked = copies
            .filter(|(at, one)| comes_back(&body[at + 1..], one))
            .fold(0, |set, (_, one)| set | 3 << one.r);
        let saved = pushed_at_start | parked;
        let mut end = code.len();
        if end > start && code[end - 1].op == Op::Ret {
            end -= 1;
            while end > start && is_restore(&code[end - 1], zero) {
                end -= 1;
            }
        }
        let last = code.len().saturating_sub(1);
        let straight = code.iter().enumerate().all(|(at, one)| !leaves_line(one.op) || at == last);
        let (mut depth, mut pushed) = (0i64, 0);
        for one in code {
            match one.op {
                Op::Push => depth += 1,
                Op::Pop => depth -= 1,
                _ => {}
            }
            pushed = pushed.max(depth);
        }
        Layout { body: start..end, saved, straight, pushed: pushed as u32 }
    }
}

/// Whether the last change of the pair that MOVW copied, in what follows, is the copy back.
fn comes_back(after: &[Instruction], copy: &Instruction) -> bool {
    let last = after.iter().rfind(|one| one.registers_written() & (3 << copy.r) != 0);
    last == Some(&Instruction::dr(Op::Movw, copy.r, copy.d))
}

/// Whether an instruction that stands before the return restores the caller's registers.
fn is_restore(one: &Instruction, zero: Option<u8>) -> bool {
    one.op == Op::Pop || one.op == Op::Eor && one.d == one.r && Some(one.d) == zero
}

/// Cycles of the frame of a function that was executed: the PUSHes at its entry, the return, and the restores before it.
/// `visits` says for each word of the program how often the instruction there was executed; the frame's are taken away.
/// `entry` and `last` are word addresses of the first and the last instruction.
pub(crate) fn take_frame(
    program: &Program,
    visits: &mut [u64],
    (entry, last): (u32, u32),
    zero: Option<u8>,
) -> u64 {
    let count = |address: u32| program.index(address).and_then(|index| visits.get(index));
    let instruction = |address: u32| program.instruction(address).ok().map(|(instruction, _)| instruction);
    let executed =
        |address: u32| count(address).filter(|count| **count > 0).and_then(|_| instruction(address));
    let returns = instruction(last).filter(|one| one.op == Op::Ret).map(|_| last);
    let saves = |address| executed(address).filter(|one| one.op == Op::Push);
    let restores = |address| executed(address).filter(|one| is_restore(one, zero));
    let frame = framed((entry, returns), 1, saves, restores);
    let mut cycles = 0;
    for address in frame.into_iter().map(|(address, _)| address).chain(returns) {
        let Some(count) = program.index(address).and_then(|index| visits.get_mut(index)) else { continue };
        // saves and restores take the same time whenever they are executed
        let plain = program.prepared(address).map_or(0, |one| one.plain);
        cycles += std::mem::take(count) * u64::from(plain);
    }
    cycles
}

/// Whether something else than the next instruction may follow, or the stack pointer may be set.
fn leaves_line(op: Op) -> bool {
    let operands = op.row().operands;
    let jumps = matches!(
        op,
        Op::Ijmp | Op::Eijmp | Op::Icall | Op::Eicall | Op::Ret | Op::Reti | Op::Cpse | Op::Sbrc | Op::Sbrs
    );
    jumps
        || operands.contains(&Operand::Relative)
        || operands.contains(&Operand::Absolute)
        || operands.contains(&Operand::Io)
        || operands.contains(&Operand::Data)
}

/// `r2-r17 r28 r29`; a range stands for three registers or more.
pub fn register_list(set: u32) -> String {
    rhomb_machine::register_list(set, 32, |number| format!("r{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn register_lists() {
        assert_eq!(register_list(0), "none");
        assert_eq!(register_list(0x3003_fffc), "r2-r17 r28 r29");
        assert_eq!(register_list(u32::MAX), "r0-r31");
        assert_eq!(register_list(1 << 31 | 1), "r0 r31");
    }

    #[test]
    fn parts() {
        let push = Instruction::rk(Op::Push, 2, 0);
        let pop = Instruction::dk(Op::Pop, 2, 0);
        let clear = Instruction::dr(Op::Eor, 1, 1);
        let mul = Instruction::dr(Op::Mul, 2, 3);
        let ret = Instruction::new(Op::Ret);
        let layout = Layout::of(&[push, mul, clear, mul, clear, pop, ret], Some(1));
        assert_eq!(layout, Layout { body: 1..4, saved: 4, straight: true, pushed: 1 });
        assert_eq!(Layout::of(&[push, mul, clear, pop, ret], None).body, 1..3);
        // a pair that waits in another one
        let (park, back) = (Instruction::dr(Op::Movw, 18, 28), Instruction::dr(Op::Movw, 28, 18));
        let change = Instruction::dr(Op::Movw, 28, 20);
        assert_eq!(Layout::of(&[push, park, change, back, pop, ret], None).saved, 4 | 3 << 28);
        assert_eq!(Layout::of(&[push, park, back, change, pop, ret], None).saved, 4);
        // a routine without a return at its end has no restores
        assert_eq!(Layout::of(&[push, ret, pop], Some(1)).body, 1..3);
        assert!(!Layout::of(&[push, ret, pop], Some(1)).straight);
        assert_eq!(Layout::of(&[pop, ret], None).body, 0..0);
    }
}
