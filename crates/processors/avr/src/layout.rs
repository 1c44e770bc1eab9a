//! Where the saves of an AVR routine end and its restores begin.

use crate::instructions::{Class, Instruction, Op, Operand};
use crate::program::Program;
use rhomb_machine::Mix;
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
        let copies = code[start..].iter().take_while(|one| one.op == Op::Movw);
        let parked =
            copies.filter(|one| comes_back(&code[start..], one)).fold(0, |set, one| set | 3 << one.r);
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

/// Whether the last change of the pair that MOVW copies is the copy back.
fn comes_back(code: &[Instruction], copy: &Instruction) -> bool {
    let last = code.iter().rfind(|one| one.registers_written() & (3 << copy.r) != 0);
    last == Some(&Instruction::dr(Op::Movw, copy.r, copy.d))
}

/// Whether an instruction that stands before the return restores the caller's registers.
fn is_restore(one: &Instruction, zero: Option<u8>) -> bool {
    one.op == Op::Pop || one.op == Op::Eor && one.d == one.r && Some(one.d) == zero
}

/// Cycles of the frame and instructions of the body of a function that was executed. The frame is the PUSHes at its
/// entry, the return, and the restores before it; the body is all else. `visits` says for each word of the program how often the
/// instruction there was executed, `entry` and `last` are word addresses of the first and the last one.
pub(crate) fn body(
    program: &Program,
    visits: &mut [u32],
    entry: u32,
    last: u32,
    zero: Option<u8>,
) -> (u64, Mix) {
    let executed =
        |visits: &[u32], address: u32| visits.get(program.index(address)).is_some_and(|count| *count > 0);
    let instruction = |address: u32| program.instruction(address).ok().map(|(instruction, _)| instruction);
    let mut frame = Vec::new();
    let pushes = |address: u32| instruction(address).is_some_and(|one| one.op == Op::Push);
    frame.extend((entry..).take_while(|address| executed(visits, *address) && pushes(*address)));
    if instruction(last).is_some_and(|one| one.op == Op::Ret) {
        frame.push(last);
        let restores = |address: u32| instruction(address).is_some_and(|one| is_restore(&one, zero));
        let before = (0..last).rev();
        frame.extend(before.take_while(|address| executed(visits, *address) && restores(*address)));
    }
    let mut frame_cycles = 0;
    for address in frame {
        let count = std::mem::take(&mut visits[program.index(address)]);
        // saves and restores take the same time whenever they are executed
        frame_cycles += program.decoded(address).map_or(0, |one| u64::from(count) * u64::from(one.plain));
    }
    let mut mix = Mix::default();
    for (address, count) in (program.origin()..).zip(visits.iter()).filter(|(_, count)| **count > 0) {
        let Some(decoded) = program.decoded(address) else { continue };
        let count = u64::from(*count);
        match decoded.op.row().class {
            Class::Load => mix.load += count,
            Class::Store => mix.store += count,
            Class::Multiply => mix.multiply += count,
            Class::Add => mix.add += count,
            Class::Other => mix.other += count,
        }
    }
    (frame_cycles, mix)
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
    let mut parts: Vec<String> = Vec::new();
    let mut number = 0;
    while number < 32 {
        let run = (!(set >> number)).trailing_zeros().min(32 - number);
        match run {
            0 => {
                number += 1;
                continue;
            }
            1 | 2 => parts.extend((number..number + run).map(|one| format!("r{one}"))),
            _ => parts.push(format!("r{number}-r{}", number + run - 1)),
        }
        number += run;
    }
    if parts.is_empty() { "none".to_owned() } else { parts.join(" ") }
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
