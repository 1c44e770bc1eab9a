//! Straight lines of words, as they are written for all processors, become lines of MIPS32.
//!
//! Columns and chains of carries are added up in the accumulator or in registers ([`adder`]). Words of operands are kept
//! or loaded again, words on the way stay in registers or wait in memory ([`waits`]). All these ways are tried, and the
//! routine with the fewest cycles is taken.

mod adder;
mod arrays;
mod values;
mod waits;
mod writer;

use super::abilities::Abilities;
use super::finish::{Around, finish_around};
use super::line;
use super::{Kernel, LowerError, code};
use crate::conventions::Convention;
use crate::instructions::{Instruction, Op, SP};
use crate::model::Model;
use arrays::Frame;
use rhomb_line::Line;
use writer::Writer;

/// Where sums are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the accumulator.
    Accumulator,
    /// In registers, where there are no products.
    Registers,
    /// Where that takes fewer instructions.
    Shorter,
}

/// How a line is written.
#[derive(Clone, Copy, Debug)]
struct Way {
    place: Place,
    /// Whether words are loaded once.
    keep: bool,
    /// Words on the way that are read more operations later than these wait in memory.
    patience: usize,
}

impl Way {
    fn all() -> impl Iterator<Item = Way> {
        let places = [Place::Accumulator, Place::Registers, Place::Shorter].into_iter();
        let loads = places.flat_map(|place| [true, false].map(|keep| (place, keep)));
        loads.flat_map(|(place, keep)| PATIENCE.map(|patience| Way { place, keep, patience }))
    }
}

/// How long words on the way stay in registers.
const PATIENCE: [usize; 5] = [usize::MAX, 64, 24, 8, 0];

/// The routine of a line, or of a product whose reduction the line is.
///
/// # Errors
/// Where registers are too few, or an instruction is missing.
pub fn words(
    line: &Line,
    product: Option<&Kernel>,
    model: &Model,
    convention: &Convention,
) -> Result<Kernel, LowerError> {
    let abilities = Abilities::of(model);
    let line = line.clone().with_early_stores();
    let mut best: Option<Kernel> = None;
    let mut fault = LowerError::Instruction;
    for way in Way::all() {
        let kernel = Writer::new(&line, product.is_some(), way, &abilities, convention)
            .and_then(Writer::written)
            .and_then(|(own, frame)| finished(&own, frame, product, model, convention));
        match kernel {
            Ok(kernel) if best.as_ref().is_none_or(|best| kernel.rank() < best.rank()) => best = Some(kernel),
            Ok(_) => {}
            Err(error) => fault = error,
        }
    }
    best.ok_or(fault)
}

/// The routine, with the call of the product, which stands behind.
fn finished(
    own: &line::Line,
    frame: Frame,
    product: Option<&Kernel>,
    model: &Model,
    convention: &Convention,
) -> Result<Kernel, LowerError> {
    let around = Around { stack_bytes: 4 * frame.words as u32, knowing: true, ..Around::default() };
    let Some(product) = product else {
        return finish_around(own, model, convention, usize::MAX, &around);
    };
    let [r, ..] = convention.arguments;
    let first = [
        code::sw(r, SP, 4 * frame.pointer as i32),
        Instruction::new(Op::Bgezal),
        code::addiu(r, SP, 4 * frame.product as i32),
    ];
    let mut kernel = finish_around(own, model, convention, usize::MAX, &Around { first: &first, ..around })?;
    let length = kernel.program.len();
    let call = kernel.program.iter().position(|one| one.op == Op::Bgezal).ok_or(LowerError::Instruction)?;
    let distance = length - call - 1;
    kernel.program[call].immediate = i16::try_from(distance).map_err(|_| LowerError::Displacement)?.into();
    kernel.program.extend(&product.program);
    kernel.stack_bytes += product.stack_bytes;
    Ok(kernel)
}
