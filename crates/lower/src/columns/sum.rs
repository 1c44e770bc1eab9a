//! What is added up in an accumulator.

use super::Unmade;
use super::act::{self, Act, Product, Reg, With};
use super::cells::{Access, Base, Cell, Rep, Step};
use super::state::Select;

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
    pub(super) fn push(&mut self, one: Act) {
        self.steps.push(Step { one, accesses: Vec::new() });
    }

    pub(super) fn access(&mut self, one: Act, cell: Cell, double: bool) {
        self.steps.push(Step { one, accesses: vec![Access { cell, double }] });
    }

    pub(super) fn store(&mut self, src: Reg, cell: Cell) {
        self.access(Act::Store(src), cell, false);
    }

    pub(super) fn store_double(&mut self, src: u8, cell: Cell) {
        self.access(Act::StoreDouble(src), cell, true);
    }

    pub(super) fn store_high(&mut self, src: u8, cell: Cell) {
        self.access(Act::StoreHigh(src), cell, false);
    }

    /// `dst = cell * T`.
    pub(super) fn product_with(&mut self, cell: Cell, t: u8, dst: u8) {
        self.access(Act::Times(t, dst), cell, false);
    }

    /// What the sum begins with comes into its accumulator.
    fn begun(&mut self, sum: &mut Sum) {
        if let Some(from) = sum.from.take() {
            self.push(Act::With(With::Copy, Reg::Accumulator(from), Reg::Accumulator(sum.ac)));
            sum.fresh = false;
        }
    }

    /// A word, or two.
    pub(super) fn add_cell(&mut self, sum: &mut Sum, minus: bool, cell: Cell, double: bool) {
        if minus && sum.fresh && sum.from.is_none() {
            self.push(Act::Number(0, Reg::Accumulator(sum.ac)));
            sum.fresh = false;
        }
        let (src, dst) = (sum.from.take().unwrap_or(sum.ac), sum.ac);
        let is_load = sum.fresh && src == dst;
        sum.fresh = false;
        let one = match (is_load, double) {
            (true, false) => Act::Load(Reg::Accumulator(dst)),
            (true, true) => Act::LoadDouble(dst),
            (false, _) => Act::Memory { minus, double, src, dst },
        };
        self.access(one, cell, double);
    }

    /// An accumulator times `2^places`, 0 or more.
    pub(super) fn add_accumulator(&mut self, sum: &mut Sum, minus: bool, src: u8, places: i8) {
        self.begun(sum);
        let dst = sum.ac;
        if sum.fresh && minus {
            self.push(Act::Number(0, Reg::Accumulator(dst)));
        }
        let one = match (sum.fresh && !minus, places) {
            (true, places) => Act::Shifted(act::Sum::Set, src, places, dst),
            (false, 0) => {
                let with = if minus { With::Subtract } else { With::Add };
                Act::With(with, Reg::Accumulator(src), Reg::Accumulator(dst))
            }
            (false, places) => {
                Act::Shifted(if minus { act::Sum::Subtract } else { act::Sum::Add }, src, places, dst)
            }
        };
        sum.fresh = false;
        self.push(one);
    }

    /// A number.
    pub(super) fn add_number(&mut self, sum: &mut Sum, number: u64) -> Result<(), Unmade> {
        match u16::try_from(number) {
            Ok(0) => {}
            _ if sum.fresh && sum.from.is_none() => {
                self.number(sum.ac, number);
                sum.fresh = false;
            }
            Ok(value) => {
                let (src, dst) =
                    (Reg::Accumulator(sum.from.take().unwrap_or(sum.ac)), Reg::Accumulator(sum.ac));
                sum.fresh = false;
                self.push(Act::AddNumber(value, src, dst));
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
        self.push(Act::Number(number, Reg::Accumulator(ac)));
    }

    /// What a value is, times 1 or `2^16`; a word in memory only times 1.
    pub(super) fn add_rep(&mut self, sum: &mut Sum, minus: bool, rep: Rep, places: i8) -> Result<(), Unmade> {
        match rep {
            Rep::Number(number) if !minus => self.add_number(sum, number << places)?,
            Rep::Number(_) => return Err(Unmade::Order),
            Rep::Cell(cell) if places == 0 => self.add_cell(sum, minus, cell, false),
            Rep::Low(_) => return Err(Unmade::Order),
            _ => {
                // into the sum itself where it begins here
                let begins = sum.fresh && sum.from.is_none() && !minus;
                if let (Rep::Temporary(t), 0, false) = (rep, places, begins) {
                    self.begun(sum);
                    let with = if minus { With::Subtract } else { With::Add };
                    self.push(Act::With(with, Reg::Temporary(t), Reg::Accumulator(sum.ac)));
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
    fn fetch(&mut self, rep: Rep, to: u8) -> Result<(), Unmade> {
        match rep {
            Rep::Number(number) => self.number(to, number),
            Rep::Cell(cell) => self.access(Act::Load(Reg::Accumulator(to)), cell, false),
            Rep::Temporary(t) => self.push(Act::With(With::Copy, Reg::Temporary(t), Reg::Accumulator(to))),
            Rep::Low(_) => return Err(Unmade::Order),
            Rep::Masked(mask, bits) => {
                let Rep::Temporary(t) = self.values.rep(mask)? else { return Err(Unmade::Order) };
                self.push(Act::Mask(bits, Reg::Temporary(t), Reg::Accumulator(to)));
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
        let product = |sum: &mut Sum| Product {
            sum: match (std::mem::replace(&mut sum.fresh, false), minus) {
                (true, false) => act::Sum::Set,
                (_, false) => act::Sum::Add,
                (_, true) => act::Sum::Subtract,
            },
            ac: sum.ac,
        };
        let (sum, by) = one;
        let own = product(sum);
        let at = |cell: Cell| Access { cell, double: false };
        let step = match two {
            Some((sum, other)) => {
                let second = product(sum);
                let factors = if (self.units.is_turned)(own, second) { [other, by] } else { [by, other] };
                let accesses = factors.into_iter().chain([word]).map(at).collect();
                Step { one: Act::Products(own, Some(second)), accesses }
            }
            None => Step { one: Act::Products(own, None), accesses: vec![at(by), at(word)] },
        };
        self.steps.push(step);
    }

    pub(super) fn in_pool(index: usize) -> Cell {
        Cell { base: Base::Pool, index }
    }
}
