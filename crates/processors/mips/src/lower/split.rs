//! Splits: all of the products, and what makes the result of them, in one straight line with a frame on the stack, which
//! offsets reach.

use super::finish::{Around, finish_around, registers};
use super::{Context, Kernel, LowerError, Ring};
use rhomb_kernel::split::Node;
use rhomb_lower::draft::{split_words, splits};

/// Lowers a tree of splits.
pub(super) fn multiplication(node: &Node, context: &Context<'_>) -> Result<Kernel, LowerError> {
    if let Node::Walk(walk) = node {
        return super::multiplication(walk, context);
    }
    if context.ring != Ring::Integers {
        return Err(LowerError::Splits);
    }
    let stack_bytes = u32::try_from(4 * split_words(node)).map_err(|_| LowerError::Displacement)?;
    let around = Around { stack_bytes, ..Around::default() };
    let available = context.registers.min(registers(context.convention).len());
    let mut fault = LowerError::Instruction;
    for draft in splits(node, available, &context.setting()) {
        match finish_around(&draft?, context, &around) {
            Err(error @ LowerError::Registers { .. }) => fault = error,
            made => return made,
        }
    }
    Err(fault)
}
