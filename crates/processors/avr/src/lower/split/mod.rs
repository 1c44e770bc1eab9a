//! Splits: halves multiplied by subroutines, Karatsuba and Ofman's method.
//!
//! `a b = L + w (L + H - (al - ah)(bl - bh)) + w^2 H`, with `L = al bl`, `H = ah bh` and `w` the weight of the
//! high halves. Every multiplication of the tree is a subroutine that takes r, a and b in R25:R24, R23:R22 and
//! R21:R20 and keeps nothing; equal ones are the same. A level ([`straight`], and [`looped`] for large sizes) has
//! its products in memory: those of the halves in r, that of the differences in a stack frame ([`stack`]). Two
//! equal halves of up to ten words, below which is no further level, are multiplied in one piece with their
//! words in registers ([`fused`]). All other splits follow their plan step by step, in loops ([`general`]).
//!
//! No branch depends on data: the sign of the differences is a mask, with which their product is negated.

mod fused;
mod general;
mod looped;
pub(super) mod stack;
mod straight;

use super::{Kernel, Limits, LowerError, frame, multiplication_within};
use crate::assembler::{Assembler, Label, X, Y, Z};
use crate::conventions::{AVR_GCC, Convention};
use crate::cores::Core;
use crate::instructions::{Instruction, Op};
use rhomb_kernel::Walk;
use rhomb_kernel::split::{Node, Split, plan};

/// How subroutines are called: nothing is preserved, no register is zero.
pub(super) static INNER: Convention = Convention { saved: 0, zero: None, ..AVR_GCC };

/// Low registers of the pairs in which r, a and b arrive.
const R: u8 = 24;
const A: u8 = 22;
const B: u8 = 20;

/// Most words of a low half whose level is a straight line: all of r is in the reach of Z, and all of a half
/// in registers.
const STRAIGHT: usize = 16;

/// Lowers a tree of splits.
pub(super) fn multiplication(
    node: &Node,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    if core.cycles(Op::Mul).is_err() {
        return Err(LowerError::NoMultiplier { core: core.name });
    }
    // with no levels, too: a walk that is wanted is asked for by its own name
    if convention.untouched & 3 << Y != 0 || convention.arguments != INNER.arguments {
        return Err(LowerError::Unmade {
            what: "splits, which need Y for their stack frame, by this convention",
        });
    }
    let split = match node {
        Node::Walk(walk) => {
            return multiplication_within(walk, core, convention, &Limits { registers, ..Limits::NONE });
        }
        Node::Split(split) => split,
    };
    if registers < super::general_registers(convention) {
        return Err(LowerError::Registers {
            needed: super::general_registers(convention),
            available: registers,
        });
    }
    let mut routines = Routines { core, asm: Assembler::default(), known: Vec::new() };
    routines.split(split, convention)?;
    let mut next = 0;
    while let Some((node, label)) = routines.known.get(next).cloned() {
        routines.routine(&node, label)?;
        next += 1;
    }
    Ok(frame::enclose(routines.asm, 0, convention))
}

/// The function and its subroutines.
struct Routines<'a> {
    core: &'a Core,
    asm: Assembler,
    /// Multiplications in the order in which they will stand, so that callers are near to what they call.
    known: Vec<(Node, Label)>,
}

impl Routines<'_> {
    /// Where a multiplication is.
    fn label(&mut self, node: &Node) -> Label {
        if let Some((_, label)) = self.known.iter().find(|(known, _)| known == node) {
            return *label;
        }
        let label = self.asm.label();
        self.known.push((node.clone(), label));
        label
    }

    /// A subroutine.
    fn routine(&mut self, node: &Node, label: Label) -> Result<(), LowerError> {
        let outer = self.asm.begin_aside(label);
        match node {
            Node::Walk(walk) => self.walk(walk)?,
            Node::Split(split) => self.split(split, &INNER)?,
        }
        self.asm.emit(Instruction::new(Op::Ret));
        self.asm.end_aside(outer);
        Ok(())
    }

    /// The multiplication along a walk, which ends behind.
    fn walk(&mut self, walk: &Walk) -> Result<(), LowerError> {
        let kernel = multiplication_within(walk, self.core, &INNER, &Limits::NONE)?;
        let Some((Instruction { op: Op::Ret, .. }, body)) = kernel.program.split_last() else {
            return Err(LowerError::Unmade { what: "a walk that does not return at its end" });
        };
        body.iter().for_each(|instruction| self.asm.emit(*instruction));
        Ok(())
    }

    /// A multiplication of halves.
    fn split(&mut self, split: &Split, convention: &Convention) -> Result<(), LowerError> {
        let (Some([low, high]), [own_low, own_high], [middle]) =
            (split.halves(), split.own.as_slice(), split.crossed.as_slice())
        else {
            let plan = plan::plan(split);
            return general::level(&mut self.asm, &plan, |asm, node| {
                let known = self.known.iter().find(|(known, _)| known == node).map(|(_, label)| *label);
                known.unwrap_or_else(|| {
                    let label = asm.label();
                    self.known.push((node.clone(), label));
                    label
                })
            });
        };
        let walks = [own_low, own_high, middle].iter().all(|node| matches!(node, Node::Walk(_)));
        if walks && low == high && (2..=fused::MOST).contains(&low) {
            let code = fused::multiplication(low, self.core, convention)?;
            code.into_iter().for_each(|one| self.asm.emit(one));
            return Ok(());
        }
        if low > looped::MOST {
            return Err(LowerError::Count { what: "words of a half, by eights,", count: low / 8 });
        }
        let calls = [self.label(middle), self.label(own_low), self.label(own_high)];
        // unequal halves have twice as many routines to reach
        let top = self.known.len() <= 3;
        match low <= STRAIGHT && (low == high || top) {
            true => straight::level(&mut self.asm, low, high, calls),
            false => looped::level(&mut self.asm, low, high, calls),
        }
        Ok(())
    }
}

/// The three products of a level, whose pointers lie in the frame at Y: that of the differences, which stand
/// at Z, into the frame, then those of the halves into r.
fn products(asm: &mut Assembler, low: usize, [middle, own_low, own_high]: [Label; 3]) {
    asm.movw(R, Y);
    asm.advance(R, stack::MIDDLE as i32);
    asm.movw(A, Z);
    asm.movw(B, Z);
    asm.advance(B, low as i32);
    asm.rcall(middle);
    stack::find(asm);
    stack::arguments(asm);
    asm.rcall(own_low);
    stack::find(asm);
    stack::arguments(asm);
    asm.advance(R, 2 * low as i32);
    asm.advance(A, low as i32);
    asm.advance(B, low as i32);
    asm.rcall(own_high);
    stack::find(asm);
    asm.movw(X, Y);
    asm.advance(X, stack::MIDDLE as i32);
}

/// The carries of the middle sum, -1 to 1 in all: `negation` less two masks, and the word that extends its
/// sign, which takes the place of one of them.
fn extend(asm: &mut Assembler, negation: u8, masks: [u8; 2]) {
    masks.iter().for_each(|mask| asm.sub(negation, *mask));
    asm.mov(masks[0], negation);
    asm.asr(masks[0]);
}
