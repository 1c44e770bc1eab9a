//! Splits: parts multiplied in turn, in one straight line with a frame on the stack.
//!
//! The three pointers wait at the lowest addresses of the frame, in the order in which LDM brings them back. Above
//! them each level has its words: differences or sums, their product, and the flags. A product along a walk, below,
//! finds its pointers in R0 to R2 and keeps no register, and so does a level; what it keeps on the stack lies below
//! the frame. All of this remains there, below the stack pointer, after the return.
//!
//! Two halves whose pair is a difference are put together block by block ([`blocks`]), other parts by the steps of
//! their plan ([`steps`]), which takes longer.
//!
//! Row by row, a product below is made by strips of the width that suits it, whatever its walk.
//!
//! No instruction depends on data but by the time of a multiplication: signs are masks.

mod blocks;
mod difference;
mod steps;

use super::{Accumulation, Kernel, LowerError, code, columns, cycles, frame, rows, tied};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Action, BlockMode, DataOp, Instruction, Register, SP, Shifter};
use rhomb_kernel::split::Node;
use rhomb_kernel::split::plan::Flag;
use rhomb_kernel::{Operation, Parameters, Squaring, Walk, method};
use rhomb_lower::split::{Level, Location as _, Numbers, frame_words, product};
use std::collections::HashMap;

/// Registers that hold pointers and words: all but SP and PC, ascending.
const ALL: [Register; 14] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14];

/// Pointers in the frame, and their registers (bit n is Rn).
const POINTERS: usize = 3;
/// Those of a square, and of a product.
const ARGUMENTS: [u16; 2] = [0b11, 0b111];

/// The most bytes of a frame that LDR reaches across.
const FARTHEST: usize = 4095;

/// How products below are made.
pub(super) struct Below {
    pub(super) accumulation: Accumulation,
    /// Most registers beside those that hold pointers.
    pub(super) registers: usize,
    /// Whether products take equally long.
    pub(super) constant_time: bool,
}

/// Lowers a tree of splits.
pub(super) fn multiplication(
    node: &Node,
    core: &Core,
    convention: &Convention,
    below: &Below,
) -> Result<Kernel, LowerError> {
    match node {
        Node::Walk(walk) => return along(walk, core, convention, below),
        Node::Square(squaring) => return squared(squaring, core, convention, below),
        Node::Split(_) => {}
    }
    let registers = &ALL[..ALL.len().min(below.registers.saturating_add(POINTERS))];
    if registers.len() < blocks::FEWEST {
        let pointers = |count: usize| count.saturating_sub(POINTERS);
        return Err(LowerError::Registers {
            needed: pointers(blocks::FEWEST),
            available: pointers(registers.len()),
        });
    }
    let mut tree = Tree {
        core,
        inner: Convention { saved: 0, ..*convention },
        below,
        registers,
        known: HashMap::new(),
        code: Vec::new(),
        deepest: 0,
    };
    let words = POINTERS + frame_words::<Tree>(node);
    let bytes = 4 * words;
    if bytes > FARTHEST {
        return Err(LowerError::Frame { bytes, most: FARTHEST });
    }
    let bytes = bytes as i32;
    code::advance(&mut tree.code, SP, -bytes);
    let arguments = ARGUMENTS[usize::from(!node.is_square())];
    tree.code.push(code::block(false, SP, false, BlockMode::Ia, arguments));
    product(&mut tree, node, &OUTER)?;
    code::advance(&mut tree.code, SP, bytes);
    let stack_bytes = 4 * words as u32 + tree.deepest;
    let kernel = frame::enclose(tree.code, convention.saved, stack_bytes);
    Ok(Kernel { cycles: cycles(&kernel.program, core), ..kernel })
}

/// A multiplication along a walk.
fn along(walk: &Walk, core: &Core, convention: &Convention, below: &Below) -> Result<Kernel, LowerError> {
    let Below { accumulation, registers, constant_time } = *below;
    match accumulation {
        Accumulation::Columns => return columns::multiplication(walk, core, convention, registers),
        Accumulation::Tied => return tied::routine(false, walk.words, None, core, convention, registers),
        Accumulation::Rows => {}
    }
    let widest = Parameters { rows: Some(rows::WIDEST), ..Parameters::default() };
    let strips = method(Operation::Mul, "hybrid").and_then(|hybrid| hybrid.walk(walk.words, &widest));
    rows::multiplication(strips.as_ref().unwrap_or(walk), core, convention, registers, constant_time)
}

/// A square in one.
fn squared(
    squaring: &Squaring,
    core: &Core,
    convention: &Convention,
    below: &Below,
) -> Result<Kernel, LowerError> {
    let Below { accumulation, registers, constant_time } = *below;
    match accumulation {
        Accumulation::Columns => columns::squaring(squaring, core, convention, registers),
        Accumulation::Tied => tied::routine(true, squaring.words, None, core, convention, registers),
        Accumulation::Rows => rows::squaring(squaring, core, convention, registers, constant_time),
    }
}

/// A place in memory: so many words behind a pointer, or in the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Location {
    /// Behind the pointer of this number.
    Argument(usize, usize),
    /// Behind the stack pointer.
    Frame(usize),
}

impl rhomb_lower::split::Location for Location {
    fn plus(self, words: usize) -> Location {
        match self {
            Location::Argument(number, at) => Location::Argument(number, at + words),
            Location::Frame(at) => Location::Frame(at + words),
        }
    }
}

/// The whole product.
const OUTER: Numbers<Location> = Numbers {
    result: Location::Argument(0, 0),
    a: Location::Argument(1, 0),
    b: Location::Argument(2, 0),
    frame: Location::Frame(POINTERS),
};

struct Tree<'a> {
    core: &'a Core,
    /// How products below are called: nothing is preserved.
    inner: Convention,
    below: &'a Below,
    registers: &'a [Register],
    /// Products along walks, by their words: code without a return.
    known: HashMap<usize, Vec<Instruction>>,
    code: Vec<Instruction>,
    /// Bytes of stack below the frame.
    deepest: u32,
}

impl Tree<'_> {
    /// A product along a walk or a square in one, of so many words, with its pointers.
    fn whole<const PLACES: usize>(
        &mut self,
        words: usize,
        places: [Location; PLACES],
        make: impl FnOnce(&Self) -> Result<Kernel, LowerError>,
    ) -> Result<(), LowerError> {
        if !self.known.contains_key(&words) {
            let kernel = make(self)?;
            self.deepest = self.deepest.max(kernel.stack_bytes - 4 * kernel.saves.len() as u32);
            // what saves LR and nothing else pushes it first and pops it last
            let body = if kernel.saves.is_empty() { 0 } else { 1 }..kernel.program.len() - 1;
            self.known.insert(words, kernel.program[body].to_vec());
        }
        let is_own = |(number, place): (usize, &Location)| matches!(place, Location::Argument(own, _) if *own == number);
        if places.iter().enumerate().all(is_own) {
            self.code.push(code::block(true, SP, false, BlockMode::Ia, ARGUMENTS[PLACES - 2]));
            for (register, place) in places.into_iter().enumerate() {
                if let Location::Argument(_, at) = place {
                    code::advance(&mut self.code, register as Register, 4 * at as i32);
                }
            }
        } else {
            for (register, place) in places.into_iter().enumerate() {
                self.point(register as Register, place);
            }
        }
        let body = self.known[&words].clone();
        self.code.extend(body);
        Ok(())
    }

    /// The address of a place into a register; flags stay.
    fn point(&mut self, register: Register, place: Location) {
        match place {
            Location::Argument(number, at) => {
                self.code.push(code::ldr(register, SP, 4 * number as i32));
                code::advance(&mut self.code, register, 4 * at as i32);
            }
            Location::Frame(at) => {
                let from = self.code.len();
                code::advance(&mut self.code, register, 4 * at as i32);
                match self.code.get_mut(from) {
                    // the first addition is to the stack pointer
                    Some(Instruction { action: Action::Data { rn, .. }, .. }) => *rn = SP,
                    _ => self.code.push(code::mov(register, Shifter::plain(SP))),
                }
            }
        }
    }

    fn data(&mut self, op: DataOp, set: bool, rd: Register, rn: Register, operand: Shifter) {
        self.code.push(code::data(op, set, rd, rn, operand));
    }
}

/// Where a flag is, in bytes behind the stack pointer.
fn flag(level: &Level<Location>, flag: Flag) -> i32 {
    match level.flags.plus(flag) {
        Location::Frame(at) | Location::Argument(_, at) => 4 * at as i32,
    }
}
