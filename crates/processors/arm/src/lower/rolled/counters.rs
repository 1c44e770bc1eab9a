//! Loop counters, which count down to zero, and numbers made of them.

use crate::instructions::{DataOp, Instruction, Register, ShiftKind, Shifter};
use crate::lower::code;

/// The end of an iteration; Z is set after the last one.
pub(super) fn count_down(counter: Register) -> Instruction {
    code::sub(false, true, counter, counter, Shifter::Immediate { value: 1, rotation: 0 })
}

/// `counter = number`.
pub(super) fn set(code: &mut Vec<Instruction>, counter: Register, number: isize) {
    let number = number as u32;
    // eight bits from an even place, then the others
    let place = number.trailing_zeros().min(30) & !1;
    let part = number & 0xff << place;
    code.extend(Shifter::number(part).map(|part| code::mov(counter, part)));
    code::advance(code, counter, number.wrapping_sub(part) as i32);
}

/// `to = times * from + number`; `times` is not 0. `None` where that takes another register.
pub(super) fn set_from(
    code: &mut Vec<Instruction>,
    to: Register,
    from: Register,
    times: isize,
    number: isize,
) -> Option<()> {
    let start = code.len();
    let mut bits = bits(times);
    if let Some(first) = bits.next()
        && (to != from || first != 0)
    {
        code.push(code::mov(to, shifted(from, first)));
    }
    for bit in bits {
        // the number is gone where it is in its own place
        if to == from {
            return None;
        }
        code.push(code::add(false, false, to, to, shifted(from, bit)));
    }
    if times < 0 {
        // number - times * from, from the first part of the number
        let place = (number as u32).trailing_zeros().min(30) & !1;
        let part = if number > 0 { number as u32 & 0xff << place } else { 0 };
        let operand = Shifter::number(part).unwrap_or(code::ZERO);
        code.push(code::data(DataOp::Rsb, false, to, to, operand));
        code::advance(code, to, number as i32 - part as i32);
    } else {
        code::advance(code, to, number as i32);
    }
    // a plain copy goes into the next instruction
    if code.get(start) == Some(&code::mov(to, Shifter::plain(from)))
        && let Some(Instruction { action: crate::instructions::Action::Data { rn, .. }, .. }) =
            code.get_mut(start + 1)
        && *rn == to
    {
        *rn = from;
        code.remove(start);
    }
    Some(())
}

/// `to = to + times * from`.
pub(super) fn add_multiple(code: &mut Vec<Instruction>, to: Register, from: Register, times: isize) {
    for bit in bits(times) {
        let step = if times < 0 { code::sub } else { code::add };
        code.push(step(false, false, to, to, shifted(from, bit)));
    }
}

/// The places of the bits of a number's amount.
fn bits(number: isize) -> impl Iterator<Item = u8> {
    let amount = number.unsigned_abs();
    (0..32).filter(move |bit| amount >> bit & 1 == 1)
}

fn shifted(rm: Register, amount: u8) -> Shifter {
    Shifter::Register { rm, kind: ShiftKind::Lsl, amount }
}
