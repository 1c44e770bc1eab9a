//! Instructions with their registers, and loops of them.

use super::LowerError;
use crate::cores::Time;
use crate::instructions::{Instruction, Op, Register};
use crate::model::Model;

/// `op rt, rs, number`.
pub(super) fn immediate(op: Op, rt: Register, rs: Register, number: i32) -> Instruction {
    Instruction::rt_rs_immediate(op, rt, rs, number)
}

/// `addiu rt, rs, number`.
pub(super) fn addiu(rt: Register, rs: Register, number: i32) -> Instruction {
    immediate(Op::Addiu, rt, rs, number)
}

/// `lw rt, offset(rs)`.
pub(super) fn lw(rt: Register, rs: Register, offset: i32) -> Instruction {
    immediate(Op::Lw, rt, rs, offset)
}

/// `sw rt, offset(rs)`.
pub(super) fn sw(rt: Register, rs: Register, offset: i32) -> Instruction {
    immediate(Op::Sw, rt, rs, offset)
}

/// `op rd, rs, rt`.
pub(super) fn compute(op: Op, rd: Register, rs: Register, rt: Register) -> Instruction {
    Instruction::rd_rs_rt(op, rd, rs, rt)
}

/// `or rd, rs, $0`.
pub(super) fn copy(rd: Register, rs: Register) -> Instruction {
    compute(Op::Or, rd, rs, 0)
}

/// An instruction with registers rs and rt.
pub(super) fn of(instruction: Instruction, rs: Register, rt: Register) -> Instruction {
    Instruction { rs, rt, ..instruction }
}

/// An instruction with register rd.
pub(super) fn into(instruction: Instruction, rd: Register) -> Instruction {
    Instruction { rd, ..instruction }
}

/// Whether what an instruction writes is less than 2^15 whatever it reads: a product by such a word may take less time.
pub(super) fn is_small(one: &Instruction) -> bool {
    let own = 0..0x8000;
    match one.op {
        Op::Andi => own.contains(&one.immediate),
        Op::Ori | Op::Addiu => one.rs == 0 && own.contains(&one.immediate),
        Op::Sltu | Op::Sltiu => true,
        Op::Srl => one.sa > 16,
        _ => false,
    }
}

/// What an instruction takes at most, if rt is known to be small or is not.
pub(super) fn time(model: &Model, one: &Instruction, small: bool) -> Option<Time> {
    let times = model.times(one)?;
    Some(times.narrow.filter(|_| small).unwrap_or(times.most))
}

/// A place that branches go back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label(usize);

/// Code with loops.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) instructions: Vec<Instruction>,
}

impl Code {
    pub(super) fn push(&mut self, instruction: Instruction) {
        self.instructions.push(instruction);
    }

    /// Here.
    pub(super) fn label(&self) -> Label {
        Label(self.instructions.len())
    }

    /// Back to a label while two registers differ; `slot` stands behind the branch.
    ///
    /// # Errors
    /// Where the branch does not reach.
    pub(super) fn repeat(
        &mut self,
        label: Label,
        one: Register,
        other: Register,
        slot: Instruction,
    ) -> Result<(), LowerError> {
        let distance = label.0 as i64 - self.instructions.len() as i64 - 1;
        let distance = i16::try_from(distance).map_err(|_| LowerError::Displacement)?;
        let branch = Instruction::rs_rt(Op::Bne, one, other);
        self.push(Instruction { immediate: distance.into(), ..branch });
        self.push(slot);
        Ok(())
    }
}
