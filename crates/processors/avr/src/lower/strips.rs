//! Multiplication without MUL: strips of A, bit by bit of B.
//!
//! X walks over B, Z over the result. A turn of the inner loop takes the byte y of B, adds the strip
//! to the accumulator where a bit of y is set, and moves accumulator and y one bit to the right, eight
//! times. Both sides of each test take equally long: waiting makes up for additions.
//!
//! From the second strip on, y, now a byte of the product, is added to the byte that is stored there. The
//! carry stays in C over store, count, branch and load until the first addition of the next turn takes it
//! in. So the other side of that first test adds zero and the carry, and needs no waiting; the jump back to
//! the top of the loop is part of the test.

use super::count::Count;
use super::pick::{Pick, result_home};
use super::{Kernel, LowerError, frame};
use crate::assembler::{Assembler, X, Z};
use crate::conventions::Convention;
use crate::instructions::flag;

const BITS: usize = 8;
/// Cycles of SBRC and SBRS that do not skip and that do, of RJMP, and of CLC.
const TEST: usize = 1;
const SKIP: usize = 2;
const JUMP: usize = 2;
const CLEAR: usize = 1;

/// Lowers [`rhomb_kernel::Task::Strips`].
pub(super) fn strips(words: usize, width: usize, convention: &Convention) -> Result<Kernel, LowerError> {
    let narrow = words % width;
    let full = words / width;
    if full > usize::from(u8::MAX) {
        return Err(LowerError::Count { what: "strips", count: full });
    }
    let registers = Registers::new(words, width, convention)?;
    let [result, a, b] = convention.arguments;
    let mut asm = Assembler::default();
    // the pointer to the result waits until the first strip is loaded
    if result != registers.byte {
        asm.movw(registers.byte, result);
    }
    asm.movw(X, b);
    asm.movw(Z, a);
    let single = full == 1 && narrow == 0;
    let first = if narrow == 0 { width } else { narrow };
    registers.a.iter().take(first).for_each(|register| asm.load(*register, Z));
    if !single {
        registers.keep_pointer(&mut asm);
    }
    asm.movw(Z, registers.byte);
    if convention.zero.is_none() {
        asm.clr(registers.zero);
    }
    // the first strip finds nothing stored, and has code of its own if it is narrow or alone
    if single || narrow > 0 {
        strip(&mut asm, &registers, words, first, false);
    } else {
        clear(&mut asm, &registers, words);
    }
    if !single {
        more(&mut asm, &registers, words, width);
    }
    Ok(frame::enclose(asm, 0, convention))
}

/// Which registers hold what.
struct Registers {
    /// Low register of a pair: the byte of B that becomes one of the product, and what was stored in
    /// its place. Between strips the pair holds the pointer to the result.
    byte: u8,
    zero: u8,
    /// Bytes of B that are left.
    count: Count,
    /// Words of the strip.
    a: Vec<u8>,
    sum: Vec<u8>,
    /// Pair for the pointer to A between strips; the stack where there is none.
    home: Option<u8>,
    /// Strips that are left; between strips in the counter and then on the stack where there is none.
    strips: Option<u8>,
}

impl Registers {
    fn new(words: usize, width: usize, convention: &Convention) -> Result<Registers, LowerError> {
        let byte = result_home(convention)?;
        let mut pick = Pick::new(&[X, Z, byte], convention);
        let zero = convention.zero.map_or_else(|| pick.one(|_| true), Ok)?;
        let count = Count::new(words, &mut pick)?;
        let a = pick.some(width, |_| true)?;
        let sum = pick.some(width, |_| true)?;
        let home = pick.pair(|_| true);
        let strips = pick.high().ok();
        Ok(Registers { byte, zero, count, a, sum, home, strips })
    }

    fn old(&self) -> u8 {
        self.byte + 1
    }

    fn strips(&self) -> u8 {
        self.strips.unwrap_or(self.count.low())
    }

    /// The pointer to A goes from Z to its place between strips.
    fn keep_pointer(&self, asm: &mut Assembler) {
        match self.home {
            Some(home) => asm.movw(home, Z),
            None => {
                asm.push(Z);
                asm.push(Z + 1);
            }
        }
    }

    fn take_pointer(&self, asm: &mut Assembler) {
        match self.home {
            Some(home) => asm.movw(Z, home),
            None => {
                asm.pop(Z + 1);
                asm.pop(Z);
            }
        }
    }

    fn keep_strips(&self, asm: &mut Assembler) {
        if self.strips.is_none() {
            asm.push(self.count.low());
        }
    }

    fn take_strips(&self, asm: &mut Assembler) {
        if self.strips.is_none() {
            asm.pop(self.count.low());
        }
    }
}

/// Zeros in the place of the words that a strip before would have stored.
fn clear(asm: &mut Assembler, registers: &Registers, words: usize) {
    let block = [4, 2, 1].into_iter().find(|block| words.is_multiple_of(*block)).unwrap_or(1);
    registers.count.set(asm, words / block);
    let top = asm.here();
    (0..block).for_each(|_| asm.store(Z, registers.zero));
    registers.count.back(asm, top);
    asm.advance(Z, -(words as i32));
}

/// The strips that add to what is stored. A narrow one may stand before them; otherwise the first of them is
/// loaded already.
fn more(asm: &mut Assembler, registers: &Registers, words: usize, width: usize) {
    let (full, narrow) = (words / width, words % width);
    let looped = full > 1;
    // a strip leaves Z as many words behind its first one as B has
    let to_next = |asm: &mut Assembler, width: usize| asm.advance(Z, width as i32 - words as i32);
    if looped {
        asm.ldi(registers.strips(), full as u8);
    }
    if narrow > 0 {
        to_next(asm, narrow);
    } else {
        registers.keep_strips(asm);
    }
    let top = asm.here();
    if narrow > 0 {
        next(asm, registers, words, looped);
    }
    strip(asm, registers, words, width, true);
    if !looped {
        return;
    }
    let done = asm.label();
    registers.take_strips(asm);
    asm.dec(registers.strips());
    asm.branch(flag::Z, true, done);
    to_next(asm, width);
    if narrow == 0 {
        next(asm, registers, words, looped);
    }
    asm.rjmp(top);
    asm.bind(done);
    if registers.home.is_none() {
        // the pointer to A is of no more use
        asm.pop(registers.byte);
        asm.pop(registers.byte);
    }
}

/// Loads a full strip and moves X back to the start of B; `keep` says whether another one follows.
fn next(asm: &mut Assembler, registers: &Registers, words: usize, keep: bool) {
    asm.advance(X, -(words as i32));
    asm.movw(registers.byte, Z);
    registers.take_pointer(asm);
    registers.a.iter().for_each(|register| asm.load(*register, Z));
    if keep {
        registers.keep_pointer(asm);
        registers.keep_strips(asm);
    }
    asm.movw(Z, registers.byte);
}

/// A strip of `width` words times all of B; `adds` says whether to what is stored. Afterwards Z stands
/// behind the last byte that the inner loop has stored.
fn strip(asm: &mut Assembler, registers: &Registers, words: usize, width: usize, adds: bool) {
    let Registers { byte, zero, count, .. } = registers;
    let (byte, zero) = (*byte, *zero);
    let a = &registers.a[..width];
    let sum = &registers.sum[..width];
    let shift = |asm: &mut Assembler| {
        sum.iter().rev().for_each(|register| asm.ror(*register));
        asm.ror(byte);
    };
    let add = |asm: &mut Assembler, carry: bool| {
        for (index, (sum, a)) in sum.iter().zip(a).enumerate() {
            if index == 0 && !carry { asm.add(*sum, *a) } else { asm.adc(*sum, *a) }
        }
    };
    let [load, set, join, exit] = std::array::from_fn(|_| asm.label());
    sum.iter().for_each(|register| asm.clr(*register));
    count.set(asm, words);
    if adds {
        asm.clc();
    }
    asm.rjmp(load);

    // the first bit, see below
    asm.bind(set);
    let omitted = if adds { width } else { CLEAR + width.saturating_sub(JUMP) };
    asm.wait(SKIP + omitted + JUMP - (TEST + JUMP + width));
    add(asm, adds);
    asm.bind(join);
    shift(asm);
    for _ in 1..BITS {
        let (clear, join) = (asm.label(), asm.label());
        asm.skip(byte, 0, true);
        asm.rjmp(clear);
        let waiting = width.saturating_sub(TEST + JUMP + CLEAR + JUMP - SKIP);
        asm.wait(TEST + JUMP + CLEAR + waiting + JUMP - (SKIP + width));
        add(asm, false);
        asm.bind(join);
        shift(asm);
        asm.aside(|asm| {
            asm.bind(clear);
            asm.clc();
            asm.wait(waiting);
            asm.rjmp(join);
        });
    }
    if adds {
        asm.load_at(registers.old(), Z, 0);
        asm.add(byte, registers.old());
    }
    asm.store(Z, byte);
    count.leave(asm, exit);
    asm.bind(load);
    asm.load(byte, X);
    asm.skip(byte, 0, false);
    asm.rjmp(set);
    if adds {
        sum.iter().for_each(|register| asm.adc(*register, zero));
    } else {
        asm.clc();
        asm.wait(omitted - CLEAR);
    }
    asm.rjmp(join);

    asm.bind(exit);
    for (index, register) in sum.iter().enumerate() {
        if adds {
            asm.adc(*register, zero);
        }
        asm.store_at(Z, index, *register);
    }
}
