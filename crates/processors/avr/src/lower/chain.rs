//! Addition and subtraction: a chain of ADC or SBC from the lowest byte.
//!
//! Each byte costs two loads, an addition and a store; what differs is how the three arrays are reached.
//! With a pointer for each there are no limits. Where the convention wants a pointer back, it waits in a
//! free pair of registers, which takes two MOVW instead of two PUSH and two POP. Few words need two pointers
//! only: all of A is loaded, then its pointer goes on with the result.

mod in_turn;

use super::count::Count;
use super::pick::Pick;
use super::{Kernel, LowerError, frame, static_cycles, times};
use crate::assembler::{Assembler, X, Y, Z};
use crate::conventions::Convention;
use crate::cores::Core;
use rhomb_kernel::Form;

/// Reach of a displacement.
const REACH: usize = 64;

/// The fastest routine.
pub(super) fn chain(
    subtract: bool,
    words: usize,
    form: Form,
    core: &Core,
    convention: &Convention,
) -> Result<Kernel, LowerError> {
    if convention.untouched & 1 << Y != 0 {
        return in_turn::chain(in_turn::Wanted { subtract, words, form }, core, convention);
    }
    let general = three_pointers(subtract, words, form, convention)?;
    if form == Form::Looped {
        return Ok(general);
    }
    let times = times(core);
    let cycles = |kernel: &Kernel| static_cycles(&kernel.program, &times);
    let short = two_pointers(subtract, words, convention);
    Ok(short.filter(|short| cycles(short) <= cycles(&general)).unwrap_or(general))
}

/// `d := d + r + C`, or `d := d - r - C`; the first of a chain without C.
fn step(asm: &mut Assembler, subtract: bool, first: bool, d: u8, r: u8) {
    match (subtract, first) {
        (false, true) => asm.add(d, r),
        (false, false) => asm.adc(d, r),
        (true, true) => asm.sub(d, r),
        (true, false) => asm.sbc(d, r),
    }
}

/// The carry or borrow, as a number.
fn finish(asm: &mut Assembler, convention: &Convention) {
    // EOR leaves the carry alone
    asm.clr(convention.returned);
    asm.rol(convention.returned);
}

fn three_pointers(
    subtract: bool,
    words: usize,
    form: Form,
    convention: &Convention,
) -> Result<Kernel, LowerError> {
    let pointers = [Z, X, Y];
    let mut asm = Assembler::default();
    let saved = |low: u8| convention.saved & (3 << low) != 0;
    let mut free = Pick::new(&[pointers.as_slice(), &convention.arguments].concat(), convention);
    let mut parked = Vec::new();
    for pointer in pointers.into_iter().filter(|pointer| saved(*pointer)) {
        if let Some(home) = free.pair(|low| !saved(low)) {
            asm.movw(home, pointer);
            parked.push((pointer, home));
        }
    }
    for (pointer, argument) in pointers.into_iter().zip(convention.arguments) {
        asm.movw(pointer, argument);
    }
    // from here on the arguments' registers are free, too
    let homes: Vec<u8> = parked.iter().map(|(_, home)| *home).collect();
    let mut free = Pick::new(&[pointers.as_slice(), &homes].concat(), convention);
    let count = if form == Form::Looped { Some(Count::new(words, &mut free)?) } else { None };
    let (left, right) = (free.one(|_| true)?, free.one(|_| true)?);
    let byte = |asm: &mut Assembler, first: bool| {
        asm.load(left, X);
        asm.load(right, Y);
        step(asm, subtract, first, left, right);
        asm.store(Z, left);
    };
    match count {
        None => (0..words).for_each(|index| byte(&mut asm, index == 0)),
        Some(count) => {
            count.set(&mut asm, words);
            asm.clc();
            let top = asm.here();
            byte(&mut asm, false);
            count.back(&mut asm, top);
        }
    }
    finish(&mut asm, convention);
    parked.iter().for_each(|(pointer, home)| asm.movw(*pointer, *home));
    let restored = parked.iter().fold(0, |set, (pointer, _)| set | 3 << pointer);
    Ok(frame::enclose(asm, restored, convention))
}

/// All of A in registers; `None` where that takes registers which need saving.
fn two_pointers(subtract: bool, words: usize, convention: &Convention) -> Option<Kernel> {
    let [result, a, b] = convention.arguments;
    let mut free = Pick::new(&[X, Z, result], convention);
    let cheap = |register: u8| convention.saved & (1 << register) == 0;
    if !cheap(X) || !cheap(Z) || words > REACH {
        return None;
    }
    // the zero register may be used, too, and is cleared at the end
    let all = free.some(words, cheap).ok();
    let last = |zero| Some([free.some(words - 1, cheap).ok()?, vec![zero]].concat());
    let sum = all.or_else(|| convention.zero.and_then(last))?;
    let mut asm = Assembler::default();
    asm.movw(X, a);
    asm.movw(Z, b);
    sum.iter().for_each(|register| asm.load(*register, X));
    asm.movw(X, result);
    for (index, register) in sum.iter().enumerate() {
        asm.load_at(result, Z, index);
        step(&mut asm, subtract, index == 0, *register, result);
        asm.store(X, *register);
    }
    finish(&mut asm, convention);
    Some(frame::enclose(asm, 0, convention))
}
