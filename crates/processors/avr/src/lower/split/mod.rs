//! Splits: halves multiplied by subroutines, Karatsuba and Ofman's method.
//!
//! `a b = L + w (L + H - (al - ah)(bl - bh)) + w^2 H`, with `L = al bl`, `H = ah bh` and `w` the weight of the
//! high halves. Every multiplication of the tree is a subroutine that takes r, a and b in R25:R24, R23:R22 and
//! R21:R20 and keeps nothing; equal ones are the same. A level ([`halves`]) has
//! its products in memory: those of the halves in r, that of the differences in a stack frame ([`stack`]). One or two
//! levels of equal parts are one piece, by phases with the registers that a search found ([`super::phases`]) where there are such,
//! and otherwise, at one level, with the words in registers ([`fused`]). All other splits follow their plan step by step, in loops ([`general`]).
//!
//! Squares are the same with one operand: three squares, and no sign.
//!
//! No branch depends on data: the sign of the differences is a mask, with which their product is negated.

mod fused;
mod general;
mod halves;
pub(super) mod stack;

use super::phases::{Parts, Trail};
use super::squaring::{self, Sink, Words};
use super::{Kernel, Limits, LowerError, frame, multiplication_within};
use crate::assembler::{Assembler, Label, Y};
use crate::conventions::{AVR_GCC, Convention};
use crate::cores::Core;
use crate::instructions::{Instruction, Op};
use halves::{Halves, Products};
use rhomb_kernel::Squaring;
use rhomb_kernel::split::{Node, Split, plan};

/// How subroutines are called: nothing is preserved, no register is zero.
pub(super) static INNER: Convention = Convention { saved: 0, zero: None, ..AVR_GCC };

/// Low registers of the pairs in which r, a and b arrive.
const R: u8 = 24;
const A: u8 = 22;
const B: u8 = 20;

/// Lowers a tree of splits. Its product by phases follows the trail, if one is given.
pub(super) fn multiplication(
    node: &Node,
    core: &Core,
    convention: &Convention,
    (registers, trail): (usize, Option<&Trail>),
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
    let trail = match trail {
        Some(trail) => {
            let parts =
                by_phases(node).ok_or(LowerError::Unmade { what: "a trail of what has no phases" })?;
            Some((parts, parts.code(trail)?))
        }
        None => None,
    };
    let split = match node {
        Node::Walk(walk) => {
            return multiplication_within(walk, core, convention, &Limits { registers, ..Limits::NONE });
        }
        Node::Square(task) => return squaring::squaring(task, core, convention, registers),
        Node::Split(split) => split,
    };
    if registers < super::general_registers(convention) {
        return Err(LowerError::Registers {
            needed: super::general_registers(convention),
            available: registers,
        });
    }
    let mut routines = Routines { core, asm: Assembler::default(), known: Vec::new(), trail };
    routines.split(split, convention)?;
    let mut next = 0;
    while let Some((node, label)) = routines.known.get(next).cloned() {
        routines.routine(&node, label)?;
        next += 1;
    }
    Ok(frame::enclose(routines.asm, 0, convention))
}

/// The parts where all are halves of the same length down to walks.
fn equal_parts(split: &Split) -> Option<Parts> {
    fn levels(split: &Split) -> Option<usize> {
        let halves = split.halves().filter(|[low, high]| low == high);
        halves.filter(|_| !split.is_square())?;
        let of = |node: &Node| match node {
            Node::Walk(_) => Some(0),
            Node::Square(_) => None,
            Node::Split(inner) => levels(inner),
        };
        let mut nodes = split.own.iter().chain(&split.crossed).map(of);
        let inner = nodes.next()??;
        nodes.all(|own| own == Some(inner)).then_some(inner + 1)
    }
    Parts::of(split.words(), levels(split)?)
}

/// The product by phases of a tree: the first one, from the root on, of which there may be a trail.
pub(super) fn by_phases(node: &Node) -> Option<Parts> {
    let Node::Split(split) = node else { return None };
    equal_parts(split).or_else(|| split.own.iter().chain(&split.crossed).find_map(by_phases))
}

/// The function and its subroutines.
struct Routines<'a> {
    core: &'a Core,
    asm: Assembler,
    /// Multiplications in the order in which they will stand, so that callers are near to what they call.
    known: Vec<(Node, Label)>,
    /// A product by phases, and its code along a trail that was given.
    trail: Option<(Parts, Vec<Instruction>)>,
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
            Node::Walk(walk) => {
                self.whole(multiplication_within(walk, self.core, &INNER, &Limits::NONE)?)?;
            }
            Node::Square(task) => {
                self.whole(squaring::squaring(task, self.core, &INNER, usize::MAX)?)?;
            }
            Node::Split(split) => self.split(split, &INNER)?,
        }
        self.asm.emit(Instruction::new(Op::Ret));
        self.asm.end_aside(outer);
        Ok(())
    }

    /// A product or square in one, which ends behind.
    fn whole(&mut self, kernel: Kernel) -> Result<(), LowerError> {
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
            return general::level(&mut self.asm, (&plan, split.is_square()), |asm, node| {
                let known = self.known.iter().find(|(known, _)| known == node).map(|(_, label)| *label);
                known.unwrap_or_else(|| {
                    let label = asm.label();
                    self.known.push((node.clone(), label));
                    label
                })
            });
        };
        let phases = equal_parts(split).and_then(|parts| match &self.trail {
            Some((own, code)) if *own == parts => Some(code.clone()),
            _ => parts.code(&parts.known()?).ok(),
        });
        let walks = [own_low, own_high, middle].iter().all(|node| matches!(node, Node::Walk(_)));
        if let Some(code) = phases {
            code.into_iter().for_each(|one| self.asm.emit(one));
            return Ok(());
        }
        if walks && low == high && (2..=fused::MOST).contains(&low) {
            let code = fused::multiplication(low, self.core, convention)?;
            code.into_iter().for_each(|one| self.asm.emit(one));
            return Ok(());
        }
        if low > halves::MOST {
            return Err(LowerError::Count { what: "words of a half, by eights,", count: low / 8 });
        }
        let squares = match (middle, own_low) {
            (Node::Square(own), Node::Square(_)) if low == high => self.squares(own, own_low),
            _ => None,
        };
        let products = squares.unwrap_or_else(|| {
            let middle = self.label(middle);
            Products::Called([own_low, own_high].map(|node| self.label(node)), middle)
        });
        Halves { low, high, square: split.is_square() }.level(&mut self.asm, &products);
        Ok(())
    }

    /// Three squares in a line, where r is in reach; else that of the difference, and calls for those of the halves.
    fn squares(&mut self, task: &Squaring, half: &Node) -> Option<Products> {
        let core = self.core;
        let words = task.words;
        if words > halves::STRAIGHT {
            let code = squaring::in_registers(task, core, (Words::OfDifference, false), Sink::At(0))?;
            return Some(Products::Inline([self.label(half); 2], code));
        }
        let line = [
            ((Words::At(0), true), Sink::At(0)),
            ((Words::OfDifference, true), Sink::Stack),
            ((Words::At(words), false), Sink::At(2 * words)),
        ];
        let codes = line.map(|(from, to)| squaring::in_registers(task, core, from, to));
        let codes: Option<Vec<_>> = codes.into_iter().collect();
        Some(Products::Straight(codes?.concat()))
    }
}
