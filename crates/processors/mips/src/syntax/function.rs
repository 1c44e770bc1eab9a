//! A whole routine as a file, with labels where its branches go.

use super::gnu;
use crate::instructions::{Instruction, Operand};
use crate::model::Model;
use std::collections::BTreeMap;

/// The byte address that an instruction at a byte address names.
pub(crate) fn target(model: &Model, address: u32, instruction: &Instruction) -> Option<u32> {
    let operands = &model.row(instruction)?.operands;
    let slot = address.wrapping_add(4);
    if operands.contains(&Operand::Branch) {
        return Some(slot.wrapping_add_signed(instruction.immediate.wrapping_mul(4)));
    }
    operands.contains(&Operand::Jump).then_some(slot & 0xf000_0000 | (instruction.immediate as u32) << 2)
}

/// A global function of instructions that follow each other from byte address `origin` on, in the dialect of GNU
/// as, without comments on top. `name` must be a symbol that the assembler takes unquoted. Branches and jumps
/// inside the routine go to labels.
pub fn function(model: &Model, name: &str, origin: u32, instructions: &[Instruction]) -> String {
    let addressed = || (0..).map(|number: u32| origin.wrapping_add(4 * number)).zip(instructions);
    let end = u64::from(origin) + 4 * instructions.len() as u64;
    let inside =
        |address: &u32| (u64::from(origin)..end).contains(&u64::from(*address)) && address.is_multiple_of(4);
    // by address: the label's text
    let mut labels: BTreeMap<u32, String> = addressed()
        .filter_map(|(address, one)| target(model, address, one))
        .filter(inside)
        .map(|goal| (goal, String::new()))
        .collect();
    for (number, label) in (1..).zip(labels.values_mut()) {
        *label = format!(".L{name}_{number}");
    }
    let (mut text, tail) = gnu::frame(name, model, instructions);
    for (address, one) in addressed() {
        if let Some(label) = labels.get(&address) {
            text.push_str(label);
            text.push_str(":\n");
        }
        let label = target(model, address, one).and_then(|goal| labels.get(&goal)).map(String::as_str);
        gnu::write_line(&mut text, model, one, label);
    }
    text + &tail
}
