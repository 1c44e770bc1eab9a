//! The ways through the exponent.

use super::super::code::{Code, amov, copy, dual, factor, shifted, store};
use super::super::linear::clear;
use super::super::montgomery::copy_x;
use super::{Exponentiation, Ladder};
use crate::instructions::{
    AddressOp, AddressSource, Compare, Condition, Half, Ind, Instruction, Mode, Reg, RegOp, ShiftOp, Smem, Ta,
};

impl Exponentiation {
    pub(super) fn binary(&self, code: &mut Code) {
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
    pub(super) fn sliding(&self, code: &mut Code) {
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
    pub(super) fn cell_product(&self, code: &mut Code) {
        self.work().cells().plus(3).point(code, 0);
        code.push(copy(Reg::Ac(0), Reg::Ta(Ta::T(0))));
        let smem = Smem::Ind(Ind { ar: 0, mode: Mode::Plain });
        code.push(Instruction::StoreConstant { value: self.words as i16, smem });
        code.push(Instruction::ProductT { smem, t: 0, unsigned: true, dst: 0 });
    }

    pub(super) fn constant(&self, code: &mut Code, width: u32) {
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
    pub(super) fn pick(&self, code: &mut Code, width: u32) {
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
}
