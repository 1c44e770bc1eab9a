//! Modular exponentiation as a whole program: from plain numbers to a plain number.
//!
//! n' by Newton's iteration; R mod n = R - n, as n has its highest bit set; R^2 mod n from that by doublings and Montgomery
//! squarings (from `2^k R` to `2^(2k) R`); a table of powers; the exponent from its highest bit on; back by a reduction of
//! the plain number; one last subtraction of n.
//!
//! Three ways through the exponent: bit by bit with multiplications only, as Hwang, Huang and Su count (1.5 multiplications
//! a bit); sliding windows with squarings; fixed windows with squarings, in constant time: every entry of the table is read
//! for every window, and masks pick one.

use super::code::{Code, amov, copy, dual, factor, point, shifted, store};
use super::karatsuba::Leaves;
use super::linear::{clear, linear, minus, plus, steps};
use super::montgomery::{
    BLOCK, Correction, Workspace, copy_x, fits, less_modulus, multiply, one, reduce, square,
};
use super::place::Place;
use super::squaring::copied;
use crate::instructions::{
    AddressOp, AddressSource, Compare, Condition, Half, Ind, Instruction, Mode, Reg, RegOp, ShiftOp, Single,
    Smem, StatusBit, Ta,
};

/// How the exponent is gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ladder {
    /// Bit by bit: squarings are multiplications. What is done, and the time, tells the exponent.
    Binary,
    /// Windows of so many bits that begin and end with a 1; real squarings. What is done, and the time, tells the
    /// exponent.
    Sliding(u32),
    /// Windows of so many bits, all alike; real squarings. Neither time nor addresses depend on the numbers.
    Constant(u32),
}

/// Sizes and ways of an exponentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exponentiation {
    /// Words of base, exponent, modulus and result: a multiple of 4, at most 256.
    pub words: usize,
    /// Splits of a multiplication.
    pub product_levels: u32,
    /// Splits of a squaring.
    pub square_levels: u32,
    /// The way through the exponent.
    pub ladder: Ladder,
}

impl Exponentiation {
    fn work(&self) -> Workspace {
        Workspace::in_blocks(self.words)
    }

    fn bits(&self) -> usize {
        16 * self.words
    }

    /// The base, later its square; from word 256 on 1 in Montgomery's form, or what was picked from the table.
    fn base(&self) -> Place {
        self.work().free()
    }

    /// Digits of the exponent, the lowest first; a few words more than there are digits.
    fn digits(&self) -> Place {
        self.base().plus(512)
    }

    /// Each entry's words, one entry after the other, in a block of its own.
    fn table(&self) -> Place {
        self.digits().plus((self.bits() + 64).next_multiple_of(BLOCK))
    }

    /// Words of the workspace.
    pub fn workspace_words(&self) -> usize {
        let entries = match self.ladder {
            Ladder::Binary => 1,
            Ladder::Sliding(width) => 1 << (width - 1),
            Ladder::Constant(width) => 1 << width,
        };
        self.table().plus(entries * self.words).offset as usize
    }

    /// The program, a function `r = b^e mod n`: r, b, e, n in XAR0 to XAR3, the workspace of
    /// [`Exponentiation::workspace_words`] words in XAR4, at the beginning of a block of memory. The highest bit of n is
    /// set and n is odd. `None` for sizes that it is not made for: see the fields; windows have 2 to 8 bits.
    pub fn program(&self) -> Option<Code> {
        let fits = fits(self.words, self.product_levels) && fits(self.words, self.square_levels);
        let windows = match self.ladder {
            Ladder::Binary => true,
            Ladder::Sliding(width) | Ladder::Constant(width) => (2..=8).contains(&width),
        };
        (fits && windows && self.words >= 4).then(|| self.emit())
    }

    fn emit(&self) -> Code {
        let mut code = Code::new();
        let mut leaves = Leaves::default();
        for ar in [5, 6, 7] {
            code.push(Instruction::PushBoth { ar });
        }
        for register in [Ta::T(2), Ta::T(3), Ta::Ar(0)] {
            code.push(Instruction::Push { src: register });
        }
        code.push(point(7, 4, 0));
        self.inputs(&mut code);
        self.inverse(&mut code);
        self.montgomery_form(&mut code);
        self.powers(&mut code);
        match self.ladder {
            Ladder::Binary => self.binary(&mut code),
            Ladder::Sliding(_) => self.sliding(&mut code),
            Ladder::Constant(width) => self.constant(&mut code, width),
        }
        self.back(&mut code);
        code.push(Instruction::Pop { dst: Ta::Ar(0) });
        self.work().x().point(&mut code, 1);
        copied(&mut code, self.words, 1, 0);
        for register in [Ta::T(3), Ta::T(2)] {
            code.push(Instruction::Pop { dst: register });
        }
        for ar in [7, 6, 5] {
            code.push(Instruction::PopBoth { ar });
        }
        code.push(Instruction::Return);
        self.routines(&mut code, &mut leaves);
        leaves.emit(&mut code);
        code
    }

    /// What is called: a Montgomery product of x and the number at XAR6, a Montgomery square of x, a reduction.
    fn routines(&self, code: &mut Code, leaves: &mut Leaves) {
        let work = self.work();
        let correction = match self.ladder {
            Ladder::Constant(_) => Correction::Always,
            Ladder::Binary | Ladder::Sliding(_) => Correction::Branch,
        };
        code.define("multiply");
        multiply(code, leaves, work, self.product_levels, Place::of(6));
        code.define("reduce");
        reduce(code, work, work.x(), correction, "reduce");
        code.push(Instruction::Return);
        code.define("square");
        square(code, leaves, work, self.square_levels);
        code.to(Instruction::Branch { to: 0 }, "reduce");
    }

    /// Copies n and the base, writes the exponent's digits, and the cell that is 1.
    fn inputs(&self, code: &mut Code) {
        let work = self.work();
        code.push(point(6, 2, 0));
        work.modulus().point(code, 2);
        copied(code, self.words, 3, 2);
        self.base().point(code, 2);
        copied(code, self.words, 1, 2);
        one(code, work);
        let width = match self.ladder {
            Ladder::Constant(width) => width as usize,
            Ladder::Binary | Ladder::Sliding(_) => 1,
        };
        // AR6 at the exponent
        self.digits().point(code, 1);
        let groups = self.words / width;
        let group = |code: &mut Code, words: usize| {
            for digit in 0..(16 * words).div_ceil(width) {
                let (word, place) = (digit * width / 16, digit * width % 16);
                self.load_word(code, word, 0);
                if place + width > 16 && word + 1 < words {
                    self.load_word(code, word + 1, 1);
                    code.push(shifted(ShiftOp::Add, 1, 16, 0));
                }
                if place > 0 {
                    code.push(shifted(ShiftOp::Sftl, 0, -(place as i8), 0));
                }
                code.push(Instruction::AndK16 { value: (1 << width) - 1, src: Reg::Ac(0), dst: Reg::Ac(0) });
                code.push(store(0, 1));
            }
        };
        if groups > 0 {
            code.block(groups, |code| {
                group(code, width);
                let step = AddressSource::P8(width as u8);
                code.push(Instruction::Address { op: AddressOp::Add, src: step, dst: Ta::Ar(6) });
            });
        }
        group(code, self.words % width);
        if self.ladder == Ladder::Binary {
            return;
        }
        // zeros above, where a window reaches beyond the highest bit
        for _ in 0..8 {
            code.push(Instruction::StoreConstant {
                value: 0,
                smem: Smem::Ind(Ind { ar: 1, mode: Mode::Up }),
            });
        }
    }

    /// `MOV uns(word of the exponent), ACx`
    fn load_word(&self, code: &mut Code, word: usize, ac: u8) {
        let smem = match word {
            0 => Smem::Ind(Ind { ar: 6, mode: Mode::Plain }),
            word => Smem::Offset(6, word as i16),
        };
        code.push(Instruction::LoadAc { smem, unsigned: true, dst: ac });
    }

    /// The cell n': `x (2 - n x)` doubles the bits that are right, from the 5 of `3 n xor 2`.
    fn inverse(&self, code: &mut Code) {
        let work = self.work();
        let plain = |ar: u8| Ind { ar, mode: Mode::Plain };
        let put = |ac: u8, ar: u8| Instruction::Store { src: Reg::Ac(ac), smem: Smem::Ind(plain(ar)) };
        work.modulus().point(code, 0);
        work.cells().point(code, 1);
        work.cells().plus(2).point(code, 2);
        code.push(Instruction::LoadAc { smem: Smem::Ind(plain(0)), unsigned: true, dst: 0 });
        code.push(shifted(ShiftOp::Add, 0, 1, 0));
        code.push(Instruction::MovK4 { value: 2, dst: Reg::Ac(1) });
        code.push(Instruction::Registers { op: RegOp::Xor, src: Reg::Ac(1), dst: Reg::Ac(0) });
        code.push(put(0, 1));
        let product = |x: u8, y: u8| Instruction::Product {
            op: Single::Mpy,
            x: plain(x),
            y: plain(y),
            unsigned_x: true,
            unsigned_y: true,
            src: 0,
            dst: 0,
        };
        for _ in 0..2 {
            code.push(product(0, 1));
            code.push(Instruction::Registers { op: RegOp::Neg, src: Reg::Ac(0), dst: Reg::Ac(0) });
            code.push(Instruction::AddK4 { subtract: false, value: 2, dst: Reg::Ac(0) });
            code.push(put(0, 2));
            code.push(product(2, 1));
            code.push(put(0, 1));
        }
        code.push(Instruction::Registers { op: RegOp::Neg, src: Reg::Ac(0), dst: Reg::Ac(0) });
        code.push(put(0, 1));
    }

    /// The base in Montgomery's form at the table's beginning (for fixed windows at its second entry), 1 in x.
    fn montgomery_form(&self, code: &mut Code) {
        let work = self.work();
        // R - n: 0 less n, the borrow being R
        work.modulus().point(code, 1);
        work.x().point(code, 0);
        code.push(Instruction::Status { bit: StatusBit::Sxmd, set: true });
        code.push(clear(0));
        code.block(self.words, |code| {
            code.push(Instruction::AddMemory {
                subtract: true,
                carry: false,
                smem: Smem::Ind(Ind { ar: 1, mode: Mode::Up }),
                unsigned: true,
                src: 0,
                dst: 0,
            });
            code.push(store(0, 0));
            code.beside(shifted(ShiftOp::Sfts, 0, -16, 0));
        });
        code.push(Instruction::Status { bit: StatusBit::Sxmd, set: false });
        self.save_x(code, self.one_in_form());
        let bits = self.bits();
        let squarings = bits.trailing_zeros();
        for _ in 0..bits >> squarings {
            self.double(code);
        }
        code.push(amov(squarings as u16, Ta::T(3)));
        self.times(code, "radix", |code| code.call("square"));
        self.base().point(code, 6);
        code.call("multiply");
        self.save_x(code, self.base_in_form());
        self.load_x(code, self.one_in_form());
    }

    /// Executes `body`, which may call, T3 times.
    fn times(&self, code: &mut Code, label: &str, body: impl FnOnce(&mut Code)) {
        code.define(label);
        body(code);
        code.push(Instruction::AddK4 { subtract: true, value: 1, dst: Reg::Ta(Ta::T(3)) });
        let condition = Condition::Zero(Reg::Ta(Ta::T(3)), Compare::Ne);
        code.to(Instruction::BranchIf { to: 0, condition }, label);
    }

    fn save_x(&self, code: &mut Code, to: Place) {
        self.work().x().point(code, 1);
        to.point(code, 2);
        copied(code, self.words, 1, 2);
    }

    fn load_x(&self, code: &mut Code, from: Place) {
        from.point(code, 1);
        self.work().x().point(code, 2);
        copied(code, self.words, 1, 2);
    }

    fn one_in_form(&self) -> Place {
        match self.ladder {
            Ladder::Constant(_) => self.table(),
            Ladder::Binary | Ladder::Sliding(_) => self.base().plus(256),
        }
    }

    fn base_in_form(&self) -> Place {
        match self.ladder {
            Ladder::Constant(_) => self.table().plus(self.words),
            Ladder::Binary | Ladder::Sliding(_) => self.table(),
        }
    }

    /// x doubled, less n where R is reached, twice: below R again.
    fn double(&self, code: &mut Code) {
        let work = self.work();
        work.cells().plus(1).point(code, 8);
        work.x().point(code, 0);
        work.x().point(code, 1);
        work.x().point(code, 4);
        steps(code);
        code.push(clear(0));
        let mut carrier = linear(code, self.words, &[plus(0), plus(1)], 4, 0, false);
        for _ in 0..2 {
            less_modulus(code, work, work.x(), work.x(), carrier);
            carrier = 0;
        }
    }

    /// The table of powers.
    fn powers(&self, code: &mut Code) {
        let entry = |number: usize| self.table().plus(number * self.words);
        match self.ladder {
            Ladder::Binary => {}
            Ladder::Sliding(width) => {
                // odd powers, by the square of the base in the place of its plain form
                self.load_x(code, self.base_in_form());
                code.call("square");
                self.save_x(code, self.base());
                self.base().point(code, 6);
                self.load_x(code, self.base_in_form());
                entry(1).point(code, 5);
                code.push(amov((1 << (width - 1)) - 1, Ta::T(3)));
                self.times(code, "odd_powers", |code| self.next_power(code));
                self.load_x(code, self.one_in_form());
            }
            Ladder::Constant(width) => {
                self.base_in_form().point(code, 6);
                self.load_x(code, self.base_in_form());
                entry(2).point(code, 5);
                code.push(amov((1 << width) - 2, Ta::T(3)));
                self.times(code, "powers", |code| self.next_power(code));
            }
        }
    }

    /// x times the number at XAR6, stored through AR5.
    fn next_power(&self, code: &mut Code) {
        code.call("multiply");
        self.work().x().point(code, 1);
        copied(code, self.words, 1, 5);
    }

    fn binary(&self, code: &mut Code) {
        self.digits().plus(self.bits() - 1).point(code, 5);
        code.push(amov(self.bits() as u16, Ta::T(3)));
        self.times(code, "bits", |code| {
            copy_x(code, self.work());
            self.work().copy().point(code, 6);
            code.call("multiply");
            let smem = Smem::Ind(Ind { ar: 5, mode: Mode::Down });
            code.push(Instruction::LoadAc { smem, unsigned: true, dst: 0 });
            let condition = Condition::Zero(Reg::Ac(0), Compare::Eq);
            code.to(Instruction::BranchIf { to: 0, condition }, "next_bit");
            self.table().point(code, 6);
            code.call("multiply");
            code.define("next_bit");
        });
    }

    /// Digits become windows: at the lowest bit of each its value, zeros above; then as bit by bit.
    fn sliding(&self, code: &mut Code) {
        let Ladder::Sliding(width) = self.ladder else { return };
        let plain = |ar: u8| Smem::Ind(Ind { ar, mode: Mode::Plain });
        // the bits that are still to come in T3, counted down; AR5 at the bit
        self.digits().point(code, 5);
        code.push(amov(self.bits() as u16, Ta::T(3)));
        code.define("window");
        code.push(Instruction::LoadAc { smem: plain(5), unsigned: true, dst: 0 });
        let zero = Condition::Zero(Reg::Ac(0), Compare::Eq);
        code.to(Instruction::BranchIf { to: 0, condition: zero }, "no_window");
        // bits beyond the highest are zero, so that the last window may be shorter
        for place in 1..width {
            let above = Smem::Offset(5, place as i16);
            code.push(Instruction::LoadAc { smem: above, unsigned: true, dst: 1 });
            code.push(shifted(ShiftOp::Add, 1, place as i8, 0));
            code.push(Instruction::StoreConstant { value: 0, smem: above });
        }
        code.push(Instruction::Store { src: Reg::Ac(0), smem: plain(5) });
        code.define("no_window");
        code.push(Instruction::Amar { smem: Smem::Ind(Ind { ar: 5, mode: Mode::Up }) });
        code.push(Instruction::AddK4 { subtract: true, value: 1, dst: Reg::Ta(Ta::T(3)) });
        let more = Condition::Zero(Reg::Ta(Ta::T(3)), Compare::Ne);
        code.to(Instruction::BranchIf { to: 0, condition: more }, "window");
        self.digits().plus(self.bits() - 1).point(code, 5);
        code.push(amov(self.bits() as u16, Ta::T(3)));
        self.times(code, "bits", |code| {
            code.call("square");
            let smem = Smem::Ind(Ind { ar: 5, mode: Mode::Down });
            code.push(Instruction::LoadAc { smem, unsigned: true, dst: 0 });
            code.to(Instruction::BranchIf { to: 0, condition: zero }, "next_bit");
            // entry (v - 1) / 2
            code.push(Instruction::ShiftByOne { dst: Reg::Ac(0), left: false });
            self.cell_product(code);
            self.table().point(code, 6);
            code.push(copy(Reg::Ac(0), Reg::Ta(Ta::T(0))));
            let by = AddressSource::Ta(Ta::T(0));
            code.push(Instruction::Address { op: AddressOp::Add, src: by, dst: Ta::Ar(6) });
            code.call("multiply");
            code.define("next_bit");
        });
    }

    /// AC0 times the words of a number.
    fn cell_product(&self, code: &mut Code) {
        self.work().cells().plus(3).point(code, 0);
        code.push(copy(Reg::Ac(0), Reg::Ta(Ta::T(0))));
        let smem = Smem::Ind(Ind { ar: 0, mode: Mode::Plain });
        code.push(Instruction::StoreConstant { value: self.words as i16, smem });
        code.push(Instruction::ProductT { smem, t: 0, unsigned: true, dst: 0 });
    }

    fn constant(&self, code: &mut Code, width: u32) {
        let digits = self.bits().div_ceil(width as usize);
        self.digits().plus(digits - 1).point(code, 5);
        self.work().free().plus(256).point(code, 6);
        code.push(amov(digits as u16, Ta::T(3)));
        self.load_x(code, self.one_in_form());
        self.times(code, "digits", |code| {
            for _ in 0..width {
                code.call("square");
            }
            self.pick(code, width);
            self.work().free().plus(256).point(code, 6);
            code.call("multiply");
        });
    }

    /// The entry of the digit at AR5, which goes on down, to word 256 of the free part: the sum of all entries, each times
    /// its mask. The masks lie where squarings copy x.
    fn pick(&self, code: &mut Code, width: u32) {
        let entries = 1usize << width;
        let masks = self.work().copy();
        let smem = Smem::Ind(Ind { ar: 5, mode: Mode::Down });
        code.push(Instruction::LoadAc { smem, unsigned: true, dst: 2 });
        masks.point(code, 0);
        // d xor j is 0 for one j, and only then 1 cannot be taken from it
        code.push(clear(3));
        code.block(entries, |code| {
            code.push(Instruction::Registers { op: RegOp::Mov, src: Reg::Ac(2), dst: Reg::Ac(0) });
            code.push(Instruction::Registers { op: RegOp::Xor, src: Reg::Ac(3), dst: Reg::Ac(0) });
            code.push(Instruction::AddK4 { subtract: true, value: 1, dst: Reg::Ac(0) });
            code.push(shifted(ShiftOp::Sftl, 0, -32, 0));
            code.push(shifted(ShiftOp::Sftl, 0, -7, 0));
            code.push(store(0, 0));
            code.push(Instruction::AddK4 { subtract: false, value: 1, dst: Reg::Ac(3) });
        });
        self.table().point(code, 1);
        self.table().plus(1).point(code, 3);
        self.work().free().plus(256).point(code, 0);
        code.push(amov(self.words as u16, Ta::T(1)));
        code.push(amov(2u16.wrapping_sub((entries * self.words) as u16), Ta::T(0)));
        code.block(self.words / 2, |code| {
            masks.point(code, 8);
            let mac = |half: Half, ar: u8, ac: u8| factor(half, ar, Mode::PlusT1, ac);
            code.push(dual(mac(Half::Mpy, 1, 0), mac(Half::Mpy, 3, 1), Mode::Up));
            code.repeat(dual(mac(Half::Mac, 1, 0), mac(Half::Mac, 3, 1), Mode::Up), entries - 1);
            code.push(store(0, 0));
            let back = |ar: u8| Instruction::Address {
                op: AddressOp::Add,
                src: AddressSource::Ta(Ta::T(0)),
                dst: Ta::Ar(ar),
            };
            code.beside(back(1));
            code.push(store(1, 0));
            code.beside(back(3));
        });
    }

    /// From Montgomery's form, and below n.
    fn back(&self, code: &mut Code) {
        let work = self.work();
        work.x().point(code, 1);
        work.product().point(code, 2);
        copied(code, self.words, 1, 2);
        let zero = Instruction::StoreConstant { value: 0, smem: Smem::Ind(Ind { ar: 2, mode: Mode::Up }) };
        code.repeat(zero, self.words);
        code.call("reduce");
        // what is borrowed from x - n
        work.cells().plus(1).point(code, 8);
        work.x().point(code, 0);
        work.modulus().point(code, 1);
        work.product().point(code, 4);
        steps(code);
        code.push(Instruction::Status { bit: StatusBit::Sxmd, set: true });
        code.push(clear(0));
        let left = linear(code, self.words, &[plus(0), minus(1)], 4, 0, true);
        code.push(Instruction::Status { bit: StatusBit::Sxmd, set: false });
        // 1 where nothing is borrowed
        code.push(Instruction::AddK4 { subtract: false, value: 1, dst: Reg::Ac(left) });
        less_modulus(code, work, work.x(), work.x(), left);
    }
}
