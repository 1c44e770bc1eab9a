//! A small assembler: instructions with labels, saved registers from their use.

use rhomb_avr::conventions::AVR_GCC;
use rhomb_avr::instructions::{Instruction, Op, flag};

/// Low register of a pointer pair.
pub(crate) const X: u8 = 26;
pub(crate) const Y: u8 = 28;
pub(crate) const Z: u8 = 30;

/// Low registers of the arguments `r`, `a` and `b`.
pub(crate) const R: u8 = AVR_GCC.arguments[0];
pub(crate) const A: u8 = AVR_GCC.arguments[1];
pub(crate) const B: u8 = AVR_GCC.arguments[2];

const SPL: i32 = 0x3d;
const SPH: i32 = 0x3e;
const SREG: i32 = 0x3f;

/// A place in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label(usize);

#[derive(Clone, Copy, Debug)]
enum Item {
    Plain(Instruction),
    To(Instruction, Label),
    Here(Label),
}

/// A function under construction.
#[derive(Debug, Default)]
pub(crate) struct Assembler {
    body: Vec<Item>,
    routines: Vec<Item>,
    labels: usize,
}

macro_rules! two_registers {
    ($($name:ident $op:ident)*) => {
        impl Assembler {
            $(pub(crate) fn $name(&mut self, d: u8, r: u8) {
                self.emit(Instruction::dr(Op::$op, d, r));
            })*
        }
    };
}
two_registers! {
    add Add adc Adc sub Sub sbc Sbc and And eor Eor mov Mov movw Movw cp Cp mul Mul
}

macro_rules! one_register {
    ($($name:ident $op:ident)*) => {
        impl Assembler {
            $(pub(crate) fn $name(&mut self, d: u8) {
                self.emit(Instruction::dk(Op::$op, d, 0));
            })*
        }
    };
}
one_register! { com Com neg Neg inc Inc dec Dec lsr Lsr ror Ror asr Asr pop Pop }

macro_rules! with_constant {
    ($($name:ident $op:ident)*) => {
        impl Assembler {
            $(pub(crate) fn $name(&mut self, d: u8, k: usize) {
                self.emit(Instruction::dk(Op::$op, d, k as i32));
            })*
        }
    };
}
with_constant! { ldi Ldi subi Subi sbci Sbci cpi Cpi adiw Adiw sbiw Sbiw }

impl Assembler {
    pub(crate) fn emit(&mut self, instruction: Instruction) {
        self.body.push(Item::Plain(instruction));
    }
    pub(crate) fn clr(&mut self, d: u8) {
        self.eor(d, d);
    }
    pub(crate) fn lsl(&mut self, d: u8) {
        self.add(d, d);
    }
    pub(crate) fn rol(&mut self, d: u8) {
        self.adc(d, d);
    }
    pub(crate) fn push(&mut self, r: u8) {
        self.emit(Instruction::rk(Op::Push, r, 0));
    }
    pub(crate) fn nop(&mut self, count: usize) {
        (0..count).for_each(|_| self.emit(Instruction::new(Op::Nop)));
    }
    pub(crate) fn bst(&mut self, r: u8, b: u8) {
        self.emit(Instruction { r, b, ..Instruction::new(Op::Bst) });
    }
    pub(crate) fn bld(&mut self, d: u8, b: u8) {
        self.emit(Instruction { d, b, ..Instruction::new(Op::Bld) });
    }
    pub(crate) fn sbrc(&mut self, r: u8, b: u8) {
        self.emit(Instruction { r, b, ..Instruction::new(Op::Sbrc) });
    }
    pub(crate) fn clc(&mut self) {
        self.emit(Instruction { b: flag::C as u8, ..Instruction::new(Op::Bclr) });
    }

    /// Load from a pointer, which moves on.
    pub(crate) fn load(&mut self, d: u8, pointer: u8) {
        let op = [Op::LdXInc, Op::LdYInc, Op::LdZInc][index(pointer)];
        self.emit(Instruction::dk(op, d, 0));
    }
    /// Load from below a pointer, which moves down first.
    pub(crate) fn load_below(&mut self, d: u8, pointer: u8) {
        let op = [Op::LdXDec, Op::LdYDec, Op::LdZDec][index(pointer)];
        self.emit(Instruction::dk(op, d, 0));
    }
    /// Load from a distance; X has none.
    pub(crate) fn load_at(&mut self, d: u8, pointer: u8, distance: usize) {
        assert!(pointer != X || distance == 0);
        let op = [Op::LdX, Op::LddY, Op::LddZ][index(pointer)];
        self.emit(Instruction::dk(op, d, distance as i32));
    }
    /// Store to a pointer, which moves on.
    pub(crate) fn store(&mut self, pointer: u8, r: u8) {
        let op = [Op::StXInc, Op::StYInc, Op::StZInc][index(pointer)];
        self.emit(Instruction::rk(op, r, 0));
    }
    /// Store below a pointer, which moves down first.
    pub(crate) fn store_below(&mut self, pointer: u8, r: u8) {
        let op = [Op::StXDec, Op::StYDec, Op::StZDec][index(pointer)];
        self.emit(Instruction::rk(op, r, 0));
    }
    /// Store to a distance; X has none.
    pub(crate) fn store_at(&mut self, pointer: u8, distance: usize, r: u8) {
        assert!(pointer != X || distance == 0);
        let op = [Op::StX, Op::StdY, Op::StdZ][index(pointer)];
        self.emit(Instruction::rk(op, r, distance as i32));
    }
    /// Moves a pointer; the carry is lost.
    pub(crate) fn advance(&mut self, pointer: u8, mut by: i32) {
        while by != 0 {
            let step = by.abs().min(63);
            if by > 0 {
                self.adiw(pointer, step as usize);
            } else {
                self.sbiw(pointer, step as usize);
            }
            by -= by.signum() * step;
        }
    }

    /// `d += r`, with the carry except for the first.
    pub(crate) fn add_chain(&mut self, first: bool, d: u8, r: u8) {
        if first { self.add(d, r) } else { self.adc(d, r) }
    }
    /// `d -= r`, with the borrow except for the first.
    pub(crate) fn sub_chain(&mut self, first: bool, d: u8, r: u8) {
        if first { self.sub(d, r) } else { self.sbc(d, r) }
    }
    /// The carry as a mask: all ones or zero.
    pub(crate) fn park(&mut self, d: u8) {
        self.sbc(d, d);
    }
    /// The carry from a mask, which is thereby lost.
    pub(crate) fn unpark(&mut self, d: u8) {
        self.add(d, d);
    }

    pub(crate) fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels)
    }
    pub(crate) fn bind(&mut self, label: Label) {
        self.body.push(Item::Here(label));
    }
    /// A new label, here.
    pub(crate) fn here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }
    pub(crate) fn rjmp(&mut self, label: Label) {
        self.body.push(Item::To(Instruction::new(Op::Rjmp), label));
    }
    pub(crate) fn rcall(&mut self, label: Label) {
        self.body.push(Item::To(Instruction::new(Op::Rcall), label));
    }
    /// Branches where a flag is set, or where it is clear.
    pub(crate) fn branch(&mut self, flag: usize, set: bool, label: Label) {
        let op = if set { Op::Brbs } else { Op::Brbc };
        self.body.push(Item::To(Instruction { b: flag as u8, ..Instruction::new(op) }, label));
    }
    /// Back to a label where a flag is set, or where it is clear; over any distance.
    pub(crate) fn branch_back(&mut self, flag: usize, set: bool, label: Label) {
        let at = self.body.iter().position(|item| matches!(item, Item::Here(own) if *own == label));
        let words: usize = self.body[at.expect("a label before")..].iter().map(size).sum();
        if words < 63 {
            return self.branch(flag, set, label);
        }
        let over = self.label();
        self.branch(flag, !set, over);
        self.rjmp(label);
        self.bind(over);
    }
    /// The end of a loop that counts down to zero.
    pub(crate) fn count_down(&mut self, counter: u8, label: Label) {
        self.dec(counter);
        self.branch_back(flag::Z, false, label);
    }

    /// Makes room on the stack. Afterwards R25:R24 is the stack pointer, and the room lies above it. An
    /// interrupt between the two halves of the write would use a wrong stack: there is none.
    pub(crate) fn open_frame(&mut self, bytes: usize) {
        self.emit(Instruction::dk(Op::In, 24, SPL));
        self.emit(Instruction::dk(Op::In, 25, SPH));
        self.advance(24, -(bytes as i32));
        self.write_sp();
    }
    /// Gives the room back. R25:R24 is lost.
    pub(crate) fn close_frame(&mut self, bytes: usize) {
        self.read_sp(24);
        self.advance(24, bytes as i32);
        self.write_sp();
    }
    /// The stack pointer into a pair.
    pub(crate) fn read_sp(&mut self, pair: u8) {
        self.emit(Instruction::dk(Op::In, pair, SPL));
        self.emit(Instruction::dk(Op::In, pair + 1, SPH));
    }
    fn write_sp(&mut self) {
        self.emit(Instruction::dk(Op::In, 0, SREG));
        self.emit(Instruction { b: flag::I as u8, ..Instruction::new(Op::Bclr) });
        self.emit(Instruction::rk(Op::Out, 25, SPH));
        self.emit(Instruction::rk(Op::Out, 0, SREG));
        self.emit(Instruction::rk(Op::Out, 24, SPL));
    }

    /// A subroutine, which ends up behind the function.
    pub(crate) fn routine(&mut self, write: impl FnOnce(&mut Self)) -> Label {
        let outer = std::mem::take(&mut self.body);
        let label = self.here();
        write(self);
        self.emit(Instruction::new(Op::Ret));
        let routine = std::mem::replace(&mut self.body, outer);
        self.routines.extend(routine);
        label
    }

    /// The function: pushes what the convention wants kept, then the body, pops, subroutines.
    pub(crate) fn function(mut self) -> Vec<Instruction> {
        let written = self.body.iter().chain(&self.routines).fold(0, |set, item| match item {
            Item::Plain(instruction) => set | instruction.registers_written(),
            Item::To(..) | Item::Here(_) => set,
        });
        let kept: Vec<u8> =
            (0..32).filter(|register| AVR_GCC.saved & written & (1 << register) != 0).collect();
        let body = std::mem::take(&mut self.body);
        kept.iter().for_each(|register| self.push(*register));
        self.body.extend(body);
        if written & 2 != 0 {
            self.clr(1);
        }
        kept.iter().rev().for_each(|register| self.pop(*register));
        self.emit(Instruction::new(Op::Ret));
        self.body.append(&mut self.routines);
        self.resolve()
    }

    fn resolve(self) -> Vec<Instruction> {
        let mut places = vec![0; self.labels + 1];
        let mut at = 0;
        for item in &self.body {
            if let Item::Here(label) = item {
                places[label.0] = at;
            }
            at += size(item) as i32;
        }
        let mut code = Vec::with_capacity(self.body.len());
        for item in &self.body {
            match item {
                Item::Plain(instruction) => code.push(*instruction),
                // all instructions here have one word
                Item::To(instruction, label) => {
                    let next = code.len() as i32 + 1;
                    code.push(Instruction { k: places[label.0] - next, ..*instruction });
                }
                Item::Here(_) => {}
            }
        }
        assert_eq!(code.len(), at as usize);
        code
    }
}

fn size(item: &Item) -> usize {
    match item {
        Item::Plain(instruction) | Item::To(instruction, _) => instruction.op.row().words(),
        Item::Here(_) => 0,
    }
}

fn index(pointer: u8) -> usize {
    usize::from(pointer - X) / 2
}
