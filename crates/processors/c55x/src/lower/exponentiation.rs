//! Modular exponentiation as a whole program: from plain numbers to a plain number.
//!
//! n' by Newton's iteration; R mod n = R - n, as n has its highest bit set; R^2 mod n from that by doublings and Montgomery
//! squarings (from `2^k R` to `2^(2k) R`); a table of powers; the exponent from its highest bit on; back by a reduction of
//! the plain number; one last subtraction of n.
//!
//! Three ways through the exponent: bit by bit with multiplications only, as Hwang, Huang and Su count (1.5 multiplications
//! a bit); sliding windows with squarings; fixed windows with squarings, in constant time: every entry of the table is read
//! for every window, and masks pick one.

use super::code::{Code, amov, point};
mod forms;
mod ladders;

use super::doubles::{self, Differences, OFFSET, minus, plus, point_double};
use super::integrated;
use super::karatsuba::Leaves;
use super::linear::clear;
use super::location::Location;
use super::montgomery::{BLOCK, Correction, Workspace, fits, multiply, plus_complement, reduce, square};
use super::squaring::copied;
use crate::instructions::{
    AddressOp, AddressSource, Compare, Condition, Ind, Instruction, Mode, Reg, Smem, Ta,
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
    /// Whether products are reduced row by row (CIOS); splits are not used then.
    pub integrated: bool,
}

impl Exponentiation {
    fn work(&self) -> Workspace {
        Workspace::in_blocks(self.words)
    }

    fn bits(&self) -> usize {
        16 * self.words
    }

    /// The base, later its square; from word 256 on 1 in Montgomery's form, or what was picked from the table.
    fn base(&self) -> Location {
        self.work().free()
    }

    /// Digits of the exponent, the lowest first; a few words more than there are digits.
    fn digits(&self) -> Location {
        self.base().plus(512)
    }

    /// Each entry's words, one entry after the other, in a block of its own.
    fn table(&self) -> Location {
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
        if self.integrated {
            code.define("square");
            work.x().point(code, 6);
            code.define("multiply");
            work.x().point(code, 1);
            integrated::cios(code, work, work.x());
            // AR6 went along
            code.push(amov(self.words as u16, Ta::T(0)));
            let by = AddressSource::Ta(Ta::T(0));
            code.push(Instruction::Address { op: AddressOp::Sub, src: by, dst: Ta::Ar(6) });
            code.push(Instruction::Return);
        } else {
            code.define("multiply");
            multiply(code, leaves, work, self.product_levels, Location::of(6));
        }
        code.define("reduce");
        reduce(code, work, work.x(), correction, "reduce");
        code.push(Instruction::Return);
        if !self.integrated {
            code.define("square");
            square(code, leaves, work, self.square_levels);
            code.to(Instruction::Branch { to: 0 }, "reduce");
        }
    }

    /// Executes `body`, which may call, T3 times.
    fn times(&self, code: &mut Code, label: &str, body: impl FnOnce(&mut Code)) {
        code.define(label);
        body(code);
        code.push(Instruction::AddK4 { subtract: true, value: 1, dst: Reg::Ta(Ta::T(3)) });
        let condition = Condition::Zero(Reg::Ta(Ta::T(3)), Compare::Ne);
        code.to(Instruction::BranchIf { to: 0, condition }, label);
    }

    fn save_x(&self, code: &mut Code, to: Location) {
        self.work().x().point(code, 1);
        to.point(code, 2);
        copied(code, self.words, 1, 2);
    }

    fn load_x(&self, code: &mut Code, from: Location) {
        from.point(code, 1);
        self.work().x().point(code, 2);
        copied(code, self.words, 1, 2);
    }

    fn one_in_form(&self) -> Location {
        match self.ladder {
            Ladder::Constant(_) => self.table(),
            Ladder::Binary | Ladder::Sliding(_) => self.base().plus(256),
        }
    }

    fn base_in_form(&self) -> Location {
        match self.ladder {
            Ladder::Constant(_) => self.table().plus(self.words),
            Ladder::Binary | Ladder::Sliding(_) => self.table(),
        }
    }

    /// x doubled, R - n in the place of R where it is reached, twice: below R again.
    fn double(&self, code: &mut Code) {
        let work = self.work();
        for ar in [0, 1, 4] {
            point_double(code, work.x(), ar);
        }
        code.push(clear(0));
        doubles::sum(code, self.words, &[0, 1], 4);
        let mut carrier = 0;
        for _ in 0..2 {
            plus_complement(code, work, work.x(), work.x(), carrier);
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
        for (ar, at) in [(0, work.x()), (1, work.modulus()), (4, work.product())] {
            point_double(code, at, ar);
        }
        let mut chain = Differences::new(code, 4);
        chain.section(code, self.words, &[plus(0), minus(1)], None);
        let left = chain.finish(code);
        // 1 where nothing is borrowed
        code.push(Instruction::AddK4 { subtract: true, value: OFFSET as u8 - 1, dst: Reg::Ac(left) });
        plus_complement(code, work, work.x(), work.x(), left);
    }
}
