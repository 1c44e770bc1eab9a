//! What kernels written by hand want beside the assembler of the processor's crate: constants of any size, frames on the stack,
//! the whole function.

pub(crate) use rhomb_avr::assembler::{Assembler, Label, X, Y, Z};
use rhomb_avr::conventions::AVR_GCC;
use rhomb_avr::instructions::{Instruction, Op, flag};

/// Low registers of the arguments `r`, `a` and `b`.
pub(crate) const R: u8 = AVR_GCC.arguments[0];
pub(crate) const A: u8 = AVR_GCC.arguments[1];
pub(crate) const B: u8 = AVR_GCC.arguments[2];

pub(crate) trait ByHand {
    /// An instruction with a constant.
    fn with(&mut self, op: Op, d: u8, k: usize);
    /// An instruction on a bit of a register that it reads.
    fn on_bit(&mut self, op: Op, r: u8, b: u8);
    fn lsl(&mut self, d: u8);
    fn nop(&mut self, count: usize);
    fn bld(&mut self, d: u8, b: u8);
    /// Store below a pointer, which moves down first.
    fn store_below(&mut self, pointer: u8, r: u8);
    /// Moves a pointer by steps of up to 63; the carry is lost.
    fn walk(&mut self, pointer: u8, by: i32);
    /// The end of a loop that counts down to zero.
    fn count_down(&mut self, counter: u8, label: Label);
    /// Makes room on the stack. Afterwards R25:R24 is the stack pointer, and the room lies above it.
    fn open_frame(&mut self, bytes: usize);
    /// Gives the room back. R25:R24 is lost.
    fn close_frame(&mut self, bytes: usize);
    /// The function.
    fn by_gcc(self) -> Vec<Instruction>;
}

impl ByHand for Assembler {
    fn with(&mut self, op: Op, d: u8, k: usize) {
        self.emit(Instruction::dk(op, d, k as i32));
    }

    fn on_bit(&mut self, op: Op, r: u8, b: u8) {
        self.emit(Instruction { r, b, ..Instruction::new(op) });
    }

    fn lsl(&mut self, d: u8) {
        self.add(d, d);
    }

    fn nop(&mut self, count: usize) {
        (0..count).for_each(|_| self.emit(Instruction::new(Op::Nop)));
    }

    fn bld(&mut self, d: u8, b: u8) {
        self.emit(Instruction { d, b, ..Instruction::new(Op::Bld) });
    }

    fn store_below(&mut self, pointer: u8, r: u8) {
        let op = [Op::StXDec, Op::StYDec, Op::StZDec][usize::from(pointer - X) / 2];
        self.emit(Instruction::rk(op, r, 0));
    }

    fn walk(&mut self, pointer: u8, mut by: i32) {
        while by != 0 {
            let step = by.clamp(-63, 63);
            self.advance(pointer, step);
            by -= step;
        }
    }

    fn count_down(&mut self, counter: u8, label: Label) {
        self.dec(counter);
        self.back_where(flag::Z, false, label);
    }

    fn open_frame(&mut self, bytes: usize) {
        self.read_sp(24);
        self.walk(24, -(bytes as i32));
        self.write_sp(24);
    }

    fn close_frame(&mut self, bytes: usize) {
        self.read_sp(24);
        self.walk(24, bytes as i32);
        self.write_sp(24);
    }

    fn by_gcc(self) -> Vec<Instruction> {
        self.function(0, &AVR_GCC).0
    }
}
