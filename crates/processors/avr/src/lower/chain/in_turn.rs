//! Addition and subtraction with two pointers, where the convention keeps Y for itself.
//!
//! Some words of A are loaded, those of B added, the sums stored: then a pointer that serves several arrays
//! changes once for so many words. Each array that is not on X has a pair of its own, its home, that
//! holds its pointer; MOVW copies the home to Z, and back if Z has moved, without touching the carry. With
//! 64 words or less homes stay where they are, and displacements reach the words.

use super::super::count::Count;
use super::super::pick::Pick;
use super::super::{Kernel, LowerError, frame, times};
use super::{REACH, finish, step};
use crate::assembler::{Assembler, X, Z};
use crate::conventions::Convention;
use crate::cores::Core;
use rhomb_kernel::Form;

/// The arrays, in the order of the arguments.
const RESULT: usize = 0;
const A: usize = 1;
const B: usize = 2;

/// What is computed.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) subtract: bool,
    pub(super) words: usize,
    pub(super) form: Form,
}

/// The fastest routine.
pub(super) fn chain(wanted: Wanted, core: &Core, convention: &Convention) -> Result<Kernel, LowerError> {
    let times = times(core);
    let mut best: Option<(u64, Kernel)> = None;
    let mut fault = None;
    for on_x in [None, Some(RESULT), Some(A), Some(B)] {
        for chunk in 1..=wanted.words {
            match (Writer { wanted, convention, on_x, chunk, homes: convention.arguments }).routine(&times) {
                Ok((cycles, kernel)) => {
                    if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
                        best = Some((cycles, kernel));
                    }
                }
                Err(error) => {
                    fault = fault.or(Some(error));
                    break;
                }
            }
        }
    }
    let none = LowerError::Registers { needed: 0, available: 0 };
    best.map(|(_, kernel)| kernel).ok_or(fault.unwrap_or(none))
}

struct Writer<'a> {
    wanted: Wanted,
    convention: &'a Convention,
    /// The array that has X.
    on_x: Option<usize>,
    /// Words that are added at once.
    chunk: usize,
    /// Low registers of the pairs that hold the pointers of the arrays that are not on X.
    homes: [u8; 3],
}

/// Registers of the data.
struct Data {
    words: Vec<u8>,
    right: u8,
    /// Whether pointers move with the words.
    moving: bool,
    looped: bool,
}

impl Writer<'_> {
    /// The routine and what a call takes, up to the same amount for all.
    fn routine(mut self, times: &[u64]) -> Result<(u64, Kernel), LowerError> {
        let Wanted { words, form, .. } = self.wanted;
        let convention = self.convention;
        let mut asm = Assembler::default();
        let cheap = |low: u8| convention.saved & (3 << low) == 0;
        let mut free = Pick::new(&[[X, Z].as_slice(), &convention.arguments].concat(), convention);
        let mut taken = vec![Z];
        if let Some(arrived) = convention.arguments.iter().position(|argument| *argument == X)
            && self.on_x != Some(arrived)
        {
            self.homes[arrived] = free.pair(cheap).ok_or(LowerError::Pointers)?;
            asm.movw(self.homes[arrived], X);
        }
        let parked = self.on_x.filter(|_| !cheap(X)).and_then(|_| free.pair(cheap));
        if let Some(home) = parked {
            asm.movw(home, X);
            taken.push(home);
        }
        if let Some(array) = self.on_x {
            taken.push(X);
            if convention.arguments[array] != X {
                asm.movw(X, convention.arguments[array]);
            }
        }
        taken.extend((0..3).filter(|array| self.on_x != Some(*array)).map(|array| self.homes[array]));

        // from here on the arguments' registers are free, too
        let mut free = Pick::new(&taken, convention);
        let looped = form == Form::Looped && words > self.chunk;
        let count = if looped { Some(Count::new(words / self.chunk, &mut free)?) } else { None };
        // the zero register is cleared at the end
        let right = convention.zero.map_or_else(|| free.one(|_| true), Ok)?;
        // loops are to be small
        let fits = |register: u8| form == Form::Unrolled || cheap(register & !1);
        let data = Data {
            words: free.some(self.chunk.min(words), fits)?,
            right,
            moving: looped || words > REACH,
            looped,
        };
        let spent = |asm: &Assembler| asm.instructions().map(|one| times[one.op as usize]).sum::<u64>();
        let mut again = 0;
        match count {
            None => {
                for start in (0..words).step_by(self.chunk) {
                    self.words(&mut asm, &data, start..words.min(start + self.chunk), start == 0);
                }
            }
            Some(count) => {
                let (turns, partial) = (words / self.chunk, words % self.chunk);
                if partial > 0 {
                    self.words(&mut asm, &data, 0..partial, true);
                } else {
                    asm.clc();
                }
                count.set(&mut asm, turns);
                let top = asm.here();
                let before = spent(&asm);
                self.words(&mut asm, &data, 0..self.chunk, false);
                count.back(&mut asm, top);
                // a branch that is taken takes a cycle more
                again = (turns as u64 - 1) * (spent(&asm) - before + 1);
            }
        }
        finish(&mut asm, convention);
        if let Some(home) = parked {
            asm.movw(X, home);
        }
        let restored = parked.map_or(0, |_| 3 << X);
        let kernel = frame::enclose(asm, restored, convention);
        let cycles = super::static_cycles(&kernel.program, times) + again;
        Ok((cycles, kernel))
    }

    /// Some words of the chain; the first ones take no carry in.
    fn words(&self, asm: &mut Assembler, data: &Data, range: std::ops::Range<usize>, first: bool) {
        let sums = &data.words[..range.len()];
        let back = data.moving && (data.looped || range.end < self.wanted.words);
        self.access(asm, A, back, |asm, pointer| {
            for (index, sum) in range.clone().zip(sums) {
                self.load(asm, data, *sum, pointer, index);
            }
        });
        self.access(asm, B, back, |asm, pointer| {
            for (index, sum) in range.clone().zip(sums) {
                self.load(asm, data, data.right, pointer, index);
                step(asm, self.wanted.subtract, first && index == range.start, *sum, data.right);
            }
        });
        self.access(asm, RESULT, back, |asm, pointer| {
            for (index, sum) in range.clone().zip(sums) {
                if data.moving || pointer == X {
                    asm.store(pointer, *sum);
                } else {
                    asm.store_at(pointer, index, *sum);
                }
            }
        });
    }

    fn load(&self, asm: &mut Assembler, data: &Data, d: u8, pointer: u8, index: usize) {
        if data.moving || pointer == X {
            asm.load(d, pointer);
        } else {
            asm.load_at(d, pointer, index);
        }
    }

    /// Brings an array's pointer, and takes it `back` to its home.
    fn access(&self, asm: &mut Assembler, array: usize, back: bool, write: impl FnOnce(&mut Assembler, u8)) {
        if self.on_x == Some(array) {
            return write(asm, X);
        }
        asm.movw(Z, self.homes[array]);
        write(asm, Z);
        if back {
            asm.movw(self.homes[array], Z);
        }
    }
}
