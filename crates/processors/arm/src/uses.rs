//! What instructions read and write, and how they are counted.

use crate::extension::Extension;
use crate::instructions::{
    Action, Condition, DataOp, Indexing, Instruction, LR, Later, Offset, PC, Register, ShiftKind, Shifter,
    flag,
};
pub use rhomb_machine::Class;

const fn bit(register: Register) -> u64 {
    1 << (register & 0xf)
}

impl Instruction {
    /// How it is counted; a block transfer is one instruction.
    pub const fn class(&self) -> Class {
        match self.action {
            Action::Data { op, .. } if op.is_arithmetic() => Class::Add,
            Action::Multiply { .. }
            | Action::LongMultiply { .. }
            | Action::DoubleAccumulate { .. }
            | Action::Later(Later::MultiplySubtract { .. } | Later::Halves { .. }) => Class::Multiply,
            Action::Later(Later::Double { load: true, .. }) => Class::Load,
            Action::Later(Later::Double { load: false, .. }) => Class::Store,
            Action::Later(Later::Extension(
                Extension::Transfer { load, .. } | Extension::Block { load, .. },
            )) => {
                if load {
                    Class::Load
                } else {
                    Class::Store
                }
            }
            Action::Later(_) => Class::Other,
            Action::Transfer { load: true, .. } | Action::Block { load: true, .. } | Action::Swap { .. } => {
                Class::Load
            }
            Action::Transfer { load: false, .. } | Action::Block { load: false, .. } => Class::Store,
            Action::Data { .. }
            | Action::Branch { .. }
            | Action::BranchExchange { .. }
            | Action::ReadStatus { .. }
            | Action::WriteStatus { .. }
            | Action::SoftwareInterrupt { .. }
            | Action::Coprocessor { .. }
            | Action::Literal(_) => Class::Other,
        }
    }

    /// The registers that it names as sources (bit n is register n), the PC among them. That a branch counts
    /// from its own address is no such use. SWI: what its handler reads is not known here.
    pub fn registers_read(&self) -> u64 {
        match self.action {
            Action::Data { op, rn, operand, .. } => {
                operand.registers() | if op.has_first() { bit(rn) } else { 0 }
            }
            Action::Multiply { rm, rs, rn, .. } => bit(rm) | bit(rs) | rn.map_or(0, bit),
            Action::LongMultiply { accumulate, low, high, rm, rs, .. } => {
                bit(rm) | bit(rs) | if accumulate { bit(low) | bit(high) } else { 0 }
            }
            Action::DoubleAccumulate { low, high, rm, rs } => bit(low) | bit(high) | bit(rm) | bit(rs),
            Action::Later(later) => later.registers_read(),
            Action::Transfer { load, rd, address, .. } => {
                bit(address.rn) | address.offset.registers() | if load { 0 } else { bit(rd) }
            }
            Action::Block { load, rn, registers, .. } => bit(rn) | if load { 0 } else { registers.into() },
            Action::Swap { rm, rn, .. } => bit(rm) | bit(rn),
            Action::BranchExchange { rm } => bit(rm),
            Action::WriteStatus { operand, .. } => operand.registers(),
            Action::Coprocessor { word } => match coprocessor(word) {
                Coprocessor::Memory { rn, .. } => bit(rn),
                Coprocessor::Into { rd } => bit(rd),
                Coprocessor::From { .. } | Coprocessor::Inner => 0,
            },
            Action::Branch { .. }
            | Action::ReadStatus { .. }
            | Action::SoftwareInterrupt { .. }
            | Action::Literal(_) => 0,
        }
    }

    /// The registers that it writes, if its condition holds (bit n is register n), the PC among them where it
    /// does not go on with the next instruction. SWI: what its handler writes is not known here.
    pub fn registers_written(&self) -> u64 {
        match self.action {
            Action::Data { op, rd, .. } if op.keeps_result() => bit(rd),
            Action::Data { .. } => 0,
            Action::Multiply { rd, .. } | Action::Swap { rd, .. } | Action::ReadStatus { rd, .. } => bit(rd),
            Action::LongMultiply { low, high, .. } | Action::DoubleAccumulate { low, high, .. } => {
                bit(low) | bit(high)
            }
            Action::Later(later) => later.registers_written(),
            Action::Transfer { load, rd, address, .. } => {
                let base = if address.indexing == Indexing::Offset { 0 } else { bit(address.rn) };
                base | if load { bit(rd) } else { 0 }
            }
            Action::Block { load, rn, write_back, registers, .. } => {
                let base = if write_back { bit(rn) } else { 0 };
                base | if load { registers.into() } else { 0 }
            }
            Action::Branch { link, .. } => bit(PC) | if link { bit(LR) } else { 0 },
            Action::BranchExchange { .. } | Action::SoftwareInterrupt { .. } => bit(PC),
            Action::Coprocessor { word } => match coprocessor(word) {
                Coprocessor::Memory { rn, written } if written => bit(rn),
                // into the PC means: into the flags
                Coprocessor::From { rd } if rd != PC => bit(rd),
                Coprocessor::Memory { .. }
                | Coprocessor::From { .. }
                | Coprocessor::Into { .. }
                | Coprocessor::Inner => 0,
            },
            Action::WriteStatus { .. } | Action::Literal(_) => 0,
        }
    }

    /// Whether it reads a flag, its condition included.
    pub fn reads_flags(&self) -> bool {
        self.flags_read() != 0
    }

    /// Whether it may write a flag.
    pub fn writes_flags(&self) -> bool {
        self.flags_written() != 0
    }

    /// The flags that it reads, by the bits of [`flag`], its condition included.
    pub fn flags_read(&self) -> u8 {
        let rotated = |through_carry: bool| if through_carry { flag::C } else { 0 };
        let read = match self.action {
            Action::Data { op, operand, .. } => {
                let carried = matches!(op, DataOp::Adc | DataOp::Sbc | DataOp::Rsc);
                rotated(carried || matches!(operand, Shifter::Rrx { .. }))
            }
            Action::Transfer { address, .. } => rotated(matches!(address.offset, Offset::Rrx { .. })),
            Action::ReadStatus { saved: false, .. } => flag::ALL,
            Action::ReadStatus { saved: true, .. }
            | Action::Multiply { .. }
            | Action::LongMultiply { .. }
            | Action::DoubleAccumulate { .. }
            | Action::Later(_)
            | Action::Block { .. }
            | Action::Swap { .. }
            | Action::Branch { .. }
            | Action::BranchExchange { .. }
            | Action::WriteStatus { .. }
            | Action::SoftwareInterrupt { .. }
            | Action::Coprocessor { .. }
            | Action::Literal(_) => 0,
        };
        read | self.condition.flags()
    }

    /// The flags that it may write, by the bits of [`flag`]; those that become unpredictable count. SWI: what
    /// its handler writes is not known here.
    pub fn flags_written(&self) -> u8 {
        match self.action {
            Action::Data { set: false, .. } => 0,
            // with the PC as destination the CPSR is restored
            Action::Data { op, rd: PC, .. } if op.keeps_result() => flag::ALL,
            Action::Data { op, operand, .. } if !op.is_arithmetic() => {
                flag::N | flag::Z | if operand.carries_out() { flag::C } else { 0 }
            }
            Action::Data { .. } => flag::ALL,
            // C is unpredictable afterwards on ARMv4, for long products V too (DDI 0100, A4.1)
            Action::Multiply { set: true, .. } => flag::N | flag::Z | flag::C,
            Action::LongMultiply { set: true, .. } => flag::ALL,
            Action::Block { load: true, user: true, registers, .. } if registers >> PC != 0 => flag::ALL,
            Action::WriteStatus { saved: false, fields, .. } if fields & 8 != 0 => flag::ALL,
            Action::Coprocessor { word } => match coprocessor(word) {
                Coprocessor::From { rd: PC } => flag::ALL,
                Coprocessor::From { .. }
                | Coprocessor::Into { .. }
                | Coprocessor::Memory { .. }
                | Coprocessor::Inner => 0,
            },
            Action::Multiply { set: false, .. }
            | Action::LongMultiply { set: false, .. }
            | Action::DoubleAccumulate { .. }
            | Action::Later(_)
            | Action::Transfer { .. }
            | Action::Block { .. }
            | Action::Swap { .. }
            | Action::Branch { .. }
            | Action::BranchExchange { .. }
            | Action::ReadStatus { .. }
            | Action::Literal(_)
            | Action::WriteStatus { .. }
            | Action::SoftwareInterrupt { .. } => 0,
        }
    }
}

impl Condition {
    /// The flags that it looks at, by the bits of [`flag`].
    pub const fn flags(self) -> u8 {
        match self {
            Condition::Eq | Condition::Ne => flag::Z,
            Condition::Cs | Condition::Cc => flag::C,
            Condition::Mi | Condition::Pl => flag::N,
            Condition::Vs | Condition::Vc => flag::V,
            Condition::Hi | Condition::Ls => flag::C | flag::Z,
            Condition::Ge | Condition::Lt => flag::N | flag::V,
            Condition::Gt | Condition::Le => flag::N | flag::Z | flag::V,
            Condition::Al => 0,
        }
    }
}

impl Shifter {
    /// The registers that it reads.
    pub(crate) fn registers(&self) -> u64 {
        match *self {
            Shifter::Immediate { .. } | Shifter::Number(_) => 0,
            Shifter::Register { rm, .. } | Shifter::Rrx { rm } => bit(rm),
            Shifter::ByRegister { rm, rs, .. } => bit(rm) | bit(rs),
        }
    }

    /// Whether its carry may differ from the C flag (A5.1.3 to A5.1.13).
    pub(crate) const fn carries_out(&self) -> bool {
        if let Shifter::Number(number) = *self {
            let (low, high) = (number & 0xffff, number >> 16);
            return low != high || low >> 8 != 0 && low & 0xff != 0 && low >> 8 != low & 0xff;
        }
        !matches!(
            self,
            Shifter::Immediate { rotation: 0, .. }
                | Shifter::Register { kind: ShiftKind::Lsl, amount: 0, .. }
        )
    }
}

impl Offset {
    /// The registers that it reads.
    pub(crate) fn registers(&self) -> u64 {
        match *self {
            Offset::Immediate(_) => 0,
            Offset::Register { rm, .. } | Offset::Rrx { rm } => bit(rm),
        }
    }
}

/// What a coprocessor's instruction has to do with registers.
enum Coprocessor {
    /// LDC, STC: a base, and whether it is moved.
    Memory { rn: Register, written: bool },
    /// MRC: a destination.
    From { rd: Register },
    /// MCR: a source.
    Into { rd: Register },
    /// CDP: nothing.
    Inner,
}

fn coprocessor(word: u32) -> Coprocessor {
    let rd = (word >> 12 & 0xf) as Register;
    if word >> 25 & 7 == 0b110 {
        return Coprocessor::Memory { rn: (word >> 16 & 0xf) as Register, written: word >> 21 & 1 != 0 };
    }
    match (word >> 4 & 1, word >> 20 & 1) {
        (0, _) => Coprocessor::Inner,
        (_, 0) => Coprocessor::Into { rd },
        (_, _) => Coprocessor::From { rd },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::decode;

    /// Registers read and written, flags read and written.
    fn uses(word: u32) -> (u64, u64, u8, u8) {
        let i = decode(word).unwrap();
        (i.registers_read(), i.registers_written(), i.flags_read(), i.flags_written())
    }

    #[test]
    fn uses_of_chosen_words() {
        use flag::{ALL, C, N, Z};
        let cases = [
            // adcs r1, r2, r3, lsl r4; movs r1, r2; movs r1, r2, lsr #1; mvnseq r1, r2, rrx
            (0xe0b2_1413, (0b1_1100, 2, C, ALL)),
            (0xe1b0_1002, (4, 2, 0, N | Z)),
            (0xe1b0_10a2, (4, 2, 0, N | Z | C)),
            (0x01f0_1062, (4, 2, C | Z, N | Z | C)),
            // cmp r1, #4; tst r1, #4; tst r1, #0x40000000; movs pc, lr
            (0xe351_0004, (2, 0, 0, ALL)),
            (0xe311_0004, (2, 0, 0, N | Z)),
            (0xe311_0101, (2, 0, 0, N | Z | C)),
            (0xe1b0_f00e, (1 << 14, 1 << 15, 0, ALL)),
            // muls r1, r2, r3; mla r1, r2, r3, r4; umull r1, r2, r3, r4; smlals r1, r2, r3, r4
            (0xe011_0392, (0b1100, 2, 0, N | Z | C)),
            (0xe021_4392, (0b1_1100, 2, 0, 0)),
            (0xe082_1493, (0b1_1000, 6, 0, 0)),
            (0xe0f2_1493, (0b1_1110, 6, 0, ALL)),
            // ldr r1, [r2, r3, rrx]!; str r1, [r2], #4; ldmia r0!, {r1, pc}; stmdb sp!, {r4, lr}
            (0xe7b2_1063, (0b1100, 6, C, 0)),
            (0xe482_1004, (6, 4, 0, 0)),
            (0xe8b0_8002, (1, 0x8003, 0, 0)),
            (0xe92d_4010, (1 << 13 | 1 << 14 | 1 << 4, 1 << 13, 0, 0)),
            // ldmia r0, {pc}^; swp r1, r2, [r3]; bl; bxne lr
            (0xe8d0_8000, (1, 1 << 15, 0, ALL)),
            (0xe103_1092, (0b1100, 2, 0, 0)),
            (0xeb00_0000, (0, 0xc000, 0, 0)),
            (0x112f_ff1e, (1 << 14, 1 << 15, Z, 0)),
            // mrs r1, cpsr; msr cpsr_f, r1; msr cpsr_c, #0; msr spsr_f, r1; swi 0
            (0xe10f_1000, (0, 2, ALL, 0)),
            (0xe128_f001, (2, 0, 0, ALL)),
            (0xe321_f000, (0, 0, 0, 0)),
            (0xe168_f001, (2, 0, 0, 0)),
            (0xef00_0000, (0, 1 << 15, 0, 0)),
            // cdp; ldc p0, c0, [r1, #4]!; mcr p0, 0, r1, c0, c0, 0; mrc the same; mrc of the flags
            (0xee00_0000, (0, 0, 0, 0)),
            (0xedb1_0001, (2, 2, 0, 0)),
            (0xee00_1010, (2, 0, 0, 0)),
            (0xee10_1010, (0, 2, 0, 0)),
            (0xee10_f010, (0, 0, 0, ALL)),
        ];
        for (word, expected) in cases {
            assert_eq!(uses(word), expected, "{word:#010x}");
            let instruction = decode(word).unwrap();
            assert_eq!(instruction.reads_flags(), expected.2 != 0);
            assert_eq!(instruction.writes_flags(), expected.3 != 0);
        }
    }

    #[test]
    fn classes() {
        let class = |word| decode(word).unwrap().class();
        assert_eq!(class(0xe0b2_1413), Class::Add);
        assert_eq!(class(0xe351_0004), Class::Add);
        assert_eq!([class(0xe311_0004), class(0xe1b0_1002), class(0xeb00_0000)], [Class::Other; 3]);
        assert_eq!([class(0xe011_0392), class(0xe0f2_1493)], [Class::Multiply; 2]);
        assert_eq!([class(0xe7b2_1063), class(0xe8b0_8002), class(0xe103_1092)], [Class::Load; 3]);
        assert_eq!([class(0xe482_1004), class(0xe92d_4010)], [Class::Store; 2]);
    }
}
