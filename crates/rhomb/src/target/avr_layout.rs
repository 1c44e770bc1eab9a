//! Where the saves of an AVR routine end and its restores begin.

use rhomb_avr::instructions::{Instruction, Op};
use std::ops::Range;

/// A routine's parts, as indices into its instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Everything but the leading PUSHes, and the trailing RET, POPs and clear of the zero register.
    pub(super) body: Range<usize>,
    /// Registers that are pushed at the start (bit n is Rn).
    pub(super) saved: u32,
    /// Whether every instruction is executed once, in order, and the stack pointer is only moved by
    /// PUSH and POP.
    pub(super) straight: bool,
    /// Most bytes on the stack along the straight line.
    pub(super) pushed: u32,
}

impl Layout {
    pub(super) fn of(code: &[Instruction], zero: Option<u8>) -> Layout {
        let leading = code.iter().take_while(|one| one.op == Op::Push);
        let saved = leading.clone().fold(0, |saved, one| saved | 1 << one.r);
        let start = leading.count();
        let clears = |one: &Instruction| one.op == Op::Eor && one.d == one.r && Some(one.d) == zero;
        let mut end = code.len();
        if end > start && code[end - 1].op == Op::Ret {
            end -= 1;
            while end > start && (code[end - 1].op == Op::Pop || clears(&code[end - 1])) {
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

/// Whether something else than the next instruction may follow, or the stack pointer may be set.
fn leaves_line(op: Op) -> bool {
    let operands = op.row().operands;
    use rhomb_avr::instructions::Operand;
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
pub(super) fn register_list(set: u32) -> String {
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
        // a routine without a return at its end has no restores
        assert_eq!(Layout::of(&[push, ret, pop], Some(1)).body, 1..3);
        assert!(!Layout::of(&[push, ret, pop], Some(1)).straight);
        assert_eq!(Layout::of(&[pop, ret], None).body, 0..0);
    }
}
