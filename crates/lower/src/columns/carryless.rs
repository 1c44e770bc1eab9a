//! Columns over GF(2) by multiplications of numbers. A word is the sum of four that have three zeros between their bits: in a
//! product of two of these at most four bits meet in a place, so that the carries stay below the next one, and every fourth
//! bit is that of the product over GF(2).

use super::Unmade;
use super::act::{Act, Reg, Sum, With};
use super::cells::{Access, Cell, Step};
use super::state::Select;
use rhomb_line::{Logic, Value};

/// Parts of a word, of every fourth bit, and those of a product.
const PARTS: usize = 4;
const PART: u64 = 0x1111;
const PRODUCT: u64 = 0x1111_1111;

/// What is added up, and the accumulators for it.
const SUM: u8 = 2;
const OWN: u8 = 0;
const TERM: u8 = 1;
const MASK: u8 = 3;

impl Select<'_> {
    /// A product is added to the column.
    pub(super) fn carryless_product(&mut self, x: Value, y: Value, at: usize) -> Result<(), Unmade> {
        let pair = [self.parts(x, at)?, self.parts(y, at)?];
        self.carryless.pairs.push(pair);
        Ok(())
    }

    fn parts(&mut self, word: Value, at: usize) -> Result<[Cell; PARTS], Unmade> {
        if let Some(known) = self.carryless.parts.get(&word) {
            return Ok(*known);
        }
        let src = self.register(word, at)?;
        let dst = Reg::Temporary(self.values.temporary(at, at)?);
        let parts = std::array::from_fn(|part| {
            let cell = self.values.spill(at, usize::MAX);
            self.push(Act::Mask(PART << part, src, dst));
            self.store(dst, cell);
            cell
        });
        self.carryless.parts.insert(word, parts);
        Ok(parts)
    }

    /// The column's low word; what is above it stays.
    pub(super) fn carryless_word(&mut self, to: Option<Value>, at: usize) -> Result<(), Unmade> {
        let pairs = std::mem::take(&mut self.carryless.pairs);
        let mut is_open = self.carryless.is_carried;
        let registers = [self.values.temporary(at, at)?, self.values.temporary(at, at)?];
        if !pairs.is_empty() {
            match is_open {
                true => self.push(Act::Shifted(Sum::Set, MASK, 1 - PARTS as i8, MASK)),
                false => self.number(MASK, PRODUCT),
            }
            for part in 0..PARTS {
                self.part(&pairs, part, registers);
                self.both(With::Logic(Logic::And), MASK, OWN);
                match is_open {
                    true => self.both(With::Logic(Logic::Xor), OWN, SUM),
                    false => self.both(With::Copy, OWN, SUM),
                }
                is_open = true;
                if part + 1 < PARTS {
                    self.push(Act::Shifted(Sum::Set, MASK, 1, MASK));
                }
            }
        }
        self.carryless.is_carried = true;
        if let Some(to) = to {
            let cell = self.values.place(to, at);
            self.store(Reg::Accumulator(SUM), cell);
        }
        self.push(Act::Shifted(Sum::Set, SUM, -16, SUM));
        Ok(())
    }

    /// Every fourth bit of the pairs' products from this one on; between them stands anything.
    fn part(&mut self, pairs: &[[[Cell; PARTS]; 2]], part: usize, registers: [u8; 2]) {
        let factors = |[x, y]: &[[Cell; PARTS]; 2]| {
            let (x, y) = (*x, *y);
            (0..PARTS).map(move |own| (x[own], y[(PARTS + part - own) % PARTS]))
        };
        let all: Vec<(Cell, Cell)> = pairs.iter().flat_map(factors).collect();
        // a factor is loaded beside what is added before
        let load = |turn: usize| Act::Load(Reg::Temporary(registers[turn % 2]));
        let access = |one, cell| Step { one, accesses: vec![Access { cell, double: false }] };
        self.steps.push(access(load(0), all[0].1));
        for (turn, (x, _)) in all.iter().enumerate() {
            let dst = if turn == 0 { OWN } else { TERM };
            let t = registers[turn % 2];
            self.steps.push(access(Act::Times(t, dst), *x));
            if let Some((_, next)) = all.get(turn + 1) {
                self.steps.push(access(load(turn + 1), *next));
            }
            if turn > 0 {
                self.both(With::Logic(Logic::Xor), TERM, OWN);
            }
        }
    }

    fn both(&mut self, with: With, src: u8, dst: u8) {
        self.push(Act::With(with, Reg::Accumulator(src), Reg::Accumulator(dst)));
    }
}
