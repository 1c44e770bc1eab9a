//! Sums and differences of multiples of long numbers, two words at once; [`super::doubles`] has those of the numbers
//! themselves.
//!
//! A dual multiplication by 1 adds a word to each of two columns; `k` addends take `k + 2` lines for two words. The
//! address register of an addend serves both columns: `*ARn(T0)` with T0 = 1 is the odd word, `*(ARn+T1)` with T1 = 2 the
//! even one. CDP is at a word 1, or at another factor that all words of an addend share.

use super::code::{Code, amov, dual, factor, shifted, store};
use crate::instructions::{Half, Instruction, Mode, Reg, ShiftOp, Ta};

/// A number to be added or subtracted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Addend {
    /// Its address register.
    pub(super) ar: u8,
    /// Whether it is subtracted; not the first one.
    pub(super) subtract: bool,
    /// How CDP goes on from this addend's factor to that of the next one.
    pub(super) factor: Mode,
}

/// An addend with the factor that the next one has, too.
pub(super) fn plus(ar: u8) -> Addend {
    Addend { ar, subtract: false, factor: Mode::Plain }
}

/// An addend after which CDP goes on.
pub(super) fn then(addend: Addend, factor: Mode) -> Addend {
    Addend { factor, ..addend }
}

/// The same, subtracted.
pub(super) fn minus(ar: u8) -> Addend {
    Addend { subtract: true, ..plus(ar) }
}

/// T0 and T1 for [`linear_in_turn`].
pub(super) fn steps(code: &mut Code) {
    code.push(amov(1, Ta::T(0)));
    code.push(amov(2, Ta::T(1)));
}

/// The sum of `words` words of all addends and of what accumulator `carrier` holds, stored through `out`: the addends in
/// one order for a pair of words and in another order for the next pair, so that CDP comes back to where it began. Gives
/// the accumulator, AC0 or AC1, that holds what is left above. With `signed`, columns may be negative: then SXMD is 1.
pub(super) fn linear_in_turn(
    code: &mut Code,
    words: usize,
    orders: [&[Addend]; 2],
    out: u8,
    carrier: u8,
    signed: bool,
) -> u8 {
    let [addends, others] = orders;
    let fours = words / 4;
    let four = |code: &mut Code| {
        two_columns(code, addends, out, (carrier, 1 - carrier), signed);
        two_columns(code, others, out, (1 - carrier, carrier), signed);
    };
    match fours {
        0 => {}
        1 => four(code),
        _ => code.block(fours, four),
    }
    let mut carrier = carrier;
    if words % 4 >= 2 {
        two_columns(code, addends, out, (carrier, 1 - carrier), signed);
        carrier = 1 - carrier;
    }
    if words % 2 == 1 {
        for addend in addends {
            let half = if addend.subtract { Half::Mas } else { Half::Mac };
            let even = factor(half, addend.ar, Mode::Up, carrier);
            let none = factor(Half::Amar, addend.ar, Mode::Plain, carrier);
            code.push(dual(none, even, addend.factor));
        }
        code.push(store(carrier, out));
        code.beside(down(carrier, signed));
    }
    carrier
}

fn down(ac: u8, signed: bool) -> Instruction {
    shifted(if signed { ShiftOp::Sfts } else { ShiftOp::Sftl }, ac, -16, ac)
}

fn two_columns(code: &mut Code, addends: &[Addend], out: u8, (even, odd): (u8, u8), signed: bool) {
    for (number, addend) in addends.iter().enumerate() {
        let half = if addend.subtract { Half::Mas } else { Half::Mac };
        let fresh = if number == 0 { Half::Mpy } else { half };
        let one = factor(half, addend.ar, Mode::PlusT1, even);
        let two = factor(fresh, addend.ar, Mode::IndexT0, odd);
        code.push(dual(one, two, addend.factor));
    }
    code.push(store(even, out));
    code.beside(shifted(ShiftOp::Add, even, -16, odd));
    code.push(store(odd, out));
    code.beside(down(odd, signed));
}

/// An accumulator set to 0.
pub(super) fn clear(ac: u8) -> Instruction {
    Instruction::MovK4 { value: 0, dst: Reg::Ac(ac) }
}
