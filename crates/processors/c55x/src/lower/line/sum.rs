//! What is added up in an accumulator.

use super::cells::{Base, Cell, Rep};
use super::select::Select;
use super::{Access, LineError, Step};
use crate::instructions::{Dual, Half, Ind, Instruction, Mode, Reg, RegOp, ShiftOp, Smem, Ta};
use crate::lower::code::{copy, dual, factor, shifted};

/// An operand whose address is not known yet.
const NONE: Ind = Ind { ar: 0, mode: Mode::Plain };
const NOWHERE: Smem = Smem::Ind(NONE);

/// A sum that begins, in an accumulator that holds nothing yet, or with what another one holds.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    pub(super) ac: u8,
    pub(super) fresh: bool,
    /// The accumulator that it begins with.
    pub(super) from: Option<u8>,
}

impl Sum {
    pub(super) fn on(ac: u8) -> Sum {
        Sum { ac, fresh: false, from: None }
    }

    pub(super) fn fresh(ac: u8) -> Sum {
        Sum { ac, fresh: true, from: None }
    }
}

impl Select<'_> {
    pub(super) fn push(&mut self, one: Instruction) {
        self.steps.push(Step { one, accesses: Vec::new() });
    }

    pub(super) fn access(&mut self, one: Instruction, cell: Cell, double: bool) {
        self.steps.push(Step { one, accesses: vec![Access { cell, double }] });
    }

    pub(super) fn store(&mut self, src: Reg, cell: Cell) {
        self.access(Instruction::Store { src, smem: NOWHERE }, cell, false);
    }

    pub(super) fn store_double(&mut self, src: u8, cell: Cell) {
        self.access(Instruction::StoreDouble { src, lmem: NOWHERE }, cell, true);
    }

    pub(super) fn store_high(&mut self, src: u8, cell: Cell) {
        self.access(Instruction::StoreHigh { src, smem: NOWHERE }, cell, false);
    }

    pub(super) fn load_temporary(&mut self, cell: Cell, dst: Ta) {
        self.access(Instruction::LoadTa { smem: NOWHERE, dst }, cell, false);
    }

    /// `dst = cell * T`.
    pub(super) fn product_with(&mut self, cell: Cell, t: u8, dst: u8) {
        self.access(Instruction::ProductT { smem: NOWHERE, t, unsigned: true, dst }, cell, false);
    }

    /// What the sum begins with comes into its accumulator.
    fn begun(&mut self, sum: &mut Sum) {
        if let Some(from) = sum.from.take() {
            self.push(copy(Reg::Ac(from), Reg::Ac(sum.ac)));
            sum.fresh = false;
        }
    }

    /// A word, or two.
    pub(super) fn add_cell(&mut self, sum: &mut Sum, minus: bool, cell: Cell, double: bool) {
        if minus && sum.fresh && sum.from.is_none() {
            self.push(Instruction::MovK4 { value: 0, dst: Reg::Ac(sum.ac) });
            sum.fresh = false;
        }
        let (src, dst) = (sum.from.take().unwrap_or(sum.ac), sum.ac);
        let is_load = sum.fresh && src == dst;
        sum.fresh = false;
        let one = match (is_load, double) {
            (true, false) => Instruction::LoadAc { smem: NOWHERE, unsigned: true, dst },
            (true, true) => Instruction::LoadDouble { lmem: NOWHERE, dst },
            (false, true) => Instruction::AddDouble { subtract: minus, lmem: NOWHERE, src, dst },
            (false, false) => Instruction::AddMemory {
                subtract: minus,
                carry: false,
                smem: NOWHERE,
                unsigned: true,
                src,
                dst,
            },
        };
        self.access(one, cell, double);
    }

    /// An accumulator times `2^places`, 0 or more.
    pub(super) fn add_accumulator(&mut self, sum: &mut Sum, minus: bool, src: u8, places: i8) {
        self.begun(sum);
        let dst = sum.ac;
        if sum.fresh && minus {
            self.push(Instruction::MovK4 { value: 0, dst: Reg::Ac(dst) });
        }
        let one = match (sum.fresh && !minus, places) {
            (true, places) => shifted(ShiftOp::Sftl, src, places, dst),
            (false, 0) => {
                let op = if minus { RegOp::Sub } else { RegOp::Add };
                Instruction::Registers { op, src: Reg::Ac(src), dst: Reg::Ac(dst) }
            }
            (false, places) => shifted(if minus { ShiftOp::Sub } else { ShiftOp::Add }, src, places, dst),
        };
        sum.fresh = false;
        self.push(one);
    }

    /// A number.
    pub(super) fn add_number(&mut self, sum: &mut Sum, number: u64) -> Result<(), LineError> {
        match u16::try_from(number) {
            Ok(0) => {}
            _ if sum.fresh && sum.from.is_none() => {
                self.number(sum.ac, number);
                sum.fresh = false;
            }
            Ok(value) => {
                let (src, dst) = (Reg::Ac(sum.from.take().unwrap_or(sum.ac)), Reg::Ac(sum.ac));
                sum.fresh = false;
                self.push(match u8::try_from(value) {
                    Ok(value @ ..16) if src == dst => Instruction::AddK4 { subtract: false, value, dst },
                    _ => Instruction::AddK16 { value: value as i16, src, dst },
                });
            }
            Err(_) => {
                let other = self.free(&[sum.ac])?;
                self.number(other, number);
                self.add_accumulator(sum, false, other, 0);
            }
        }
        Ok(())
    }

    /// An accumulator becomes a number.
    pub(super) fn number(&mut self, ac: u8, number: u64) {
        let dst = Reg::Ac(ac);
        match (u16::try_from(number), i8::try_from(number as u16 as i16)) {
            (Ok(0..16), Ok(value)) => self.push(Instruction::MovK4 { value, dst }),
            // what the text has for these is a number below zero
            (Ok(_), Ok(value @ -15..0)) => {
                self.push(Instruction::MovK4 { value, dst });
                self.push(Instruction::AndK16 { value: u16::MAX, src: dst, dst });
            }
            (Ok(value), _) => self.push(Instruction::MovK16 { value: value as i16, dst }),
            (Err(_), _) => {
                self.number(ac, number >> 16);
                self.push(shifted(ShiftOp::Sftl, ac, 16, ac));
                let value = number as u16 as i16;
                if value != 0 {
                    self.push(Instruction::AddK16 { value, src: dst, dst });
                }
            }
        }
    }

    /// What a value is, times 1 or `2^16`; a word in memory only times 1.
    pub(super) fn add_rep(
        &mut self,
        sum: &mut Sum,
        minus: bool,
        rep: Rep,
        places: i8,
    ) -> Result<(), LineError> {
        match rep {
            Rep::Number(number) if !minus => self.add_number(sum, number << places)?,
            Rep::Number(_) => return Err(LineError::Order),
            Rep::Cell(cell) if places == 0 => self.add_cell(sum, minus, cell, false),
            Rep::Low(_) => return Err(LineError::Order),
            _ => {
                // into the sum itself where it begins here
                let begins = sum.fresh && sum.from.is_none() && !minus;
                if let (Rep::Temporary(t), 0, false) = (rep, places, begins) {
                    self.begun(sum);
                    let op = if minus { RegOp::Sub } else { RegOp::Add };
                    self.push(Instruction::Registers { op, src: Reg::Ta(Ta::T(t)), dst: Reg::Ac(sum.ac) });
                    return Ok(());
                }
                let to = if begins { sum.ac } else { self.free(&[sum.ac])? };
                self.fetch(rep, to)?;
                match (begins, places) {
                    (true, 0) => sum.fresh = false,
                    _ => self.add_accumulator(sum, minus, to, places),
                }
            }
        }
        Ok(())
    }

    /// A value in an accumulator.
    fn fetch(&mut self, rep: Rep, to: u8) -> Result<(), LineError> {
        let temporary = |number: u8| Reg::Ta(Ta::T(number));
        match rep {
            Rep::Number(number) => self.number(to, number),
            Rep::Cell(cell) => {
                self.access(Instruction::LoadAc { smem: NOWHERE, unsigned: true, dst: to }, cell, false)
            }
            Rep::Temporary(t) => self.push(copy(temporary(t), Reg::Ac(to))),
            Rep::Low(_) => return Err(LineError::Order),
            Rep::Masked(mask, bits) => {
                let Rep::Temporary(t) = self.values.rep(mask)? else { return Err(LineError::Order) };
                self.push(Instruction::AndK16 { value: bits as u16, src: temporary(t), dst: Reg::Ac(to) });
            }
        }
        Ok(())
    }

    /// The product of two words, and that of the first one with a third, which goes to another sum.
    pub(super) fn add_products(
        &mut self,
        word: Cell,
        minus: bool,
        one: (&mut Sum, Cell),
        two: Option<(&mut Sum, Cell)>,
    ) {
        let half = |sum: &mut Sum| match (std::mem::replace(&mut sum.fresh, false), minus) {
            (true, false) => Half::Mpy,
            (_, false) => Half::Mac,
            (_, true) => Half::Mas,
        };
        let (sum, by) = one;
        let own = factor(half(sum), 0, Mode::Plain, sum.ac);
        let at = |cell: Cell| Access { cell, double: false };
        let (made, accesses) = match two {
            Some((sum, other)) => {
                let second = factor(half(sum), 1, Mode::Plain, sum.ac);
                let made = dual(own, second, Mode::Plain);
                let turned = matches!(made, Instruction::Dual(Dual { xmem: Ind { ar: 1, .. }, .. }));
                (
                    made,
                    if turned {
                        vec![at(other), at(by), at(word)]
                    } else {
                        vec![at(by), at(other), at(word)]
                    },
                )
            }
            None => {
                (dual(factor(Half::Amar, 0, Mode::Plain, sum.ac), own, Mode::Plain), vec![at(by), at(word)])
            }
        };
        self.steps.push(Step { one: made, accesses });
    }

    pub(super) fn in_pool(index: usize) -> Cell {
        Cell { base: Base::Pool, index }
    }
}
