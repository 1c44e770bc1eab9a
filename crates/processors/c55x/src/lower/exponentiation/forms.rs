//! From plain numbers to Montgomery's form.

use super::super::code::{Code, amov, point, shifted, store};
use super::super::linear::clear;
use super::super::montgomery::one;
use super::super::squaring::copied;
use super::{Exponentiation, Ladder};
use crate::instructions::{
    AddressOp, AddressSource, Ind, Instruction, Mode, Reg, RegOp, ShiftOp, Single, Smem, StatusBit, Ta,
};

impl Exponentiation {
    /// Copies n and the base, writes the exponent's digits, and the cell that is 1.
    pub(super) fn inputs(&self, code: &mut Code) {
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
    pub(super) fn load_word(&self, code: &mut Code, word: usize, ac: u8) {
        let smem = match word {
            0 => Smem::Ind(Ind { ar: 6, mode: Mode::Plain }),
            word => Smem::Offset(6, word as i16),
        };
        code.push(Instruction::LoadAc { smem, unsigned: true, dst: ac });
    }

    /// The cell n': `x (2 - n x)` doubles the bits that are right, from the 5 of `3 n xor 2`.
    pub(super) fn inverse(&self, code: &mut Code) {
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
    pub(super) fn montgomery_form(&self, code: &mut Code) {
        let work = self.work();
        // R - n: 0 less n, the borrow being R
        work.modulus().point(code, 1);
        work.complement().point(code, 0);
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
        self.load_x(code, work.complement());
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
}
