//! Encodings whose effect the architecture leaves open.
//!
//! Source: ARM DDI 0100, the operand restrictions and the notes on R15 in A4.1 (instructions by name) and A5
//! (addressing modes); each rule names its place.

use crate::instructions::{Action, Address, Indexing, Offset, PC, Register, Shifter, Size};

/// Why the effect of an instruction is UNPREDICTABLE on ARMv4T.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Unpredictable {
    /// A5.1.6, A5.1.8, A5.1.10, A5.1.12.
    #[error("pc in a data operation with a shift by register")]
    ShiftWithPc,
    /// A4.1: MUL, MLA, UMULL, UMLAL, SMULL, SMLAL, UMAAL.
    #[error("pc in a multiplication")]
    MultiplyPc,
    /// A4.1: MUL, MLA, the restriction of versions before 6.
    #[error("a product into its first factor")]
    MultiplyOverlap,
    /// A4.1: UMULL, UMLAL, SMULL, SMLAL, UMAAL.
    #[error("low and high word of a product into one register")]
    LongSame,
    /// A4.1: UMULL, UMLAL, SMULL, SMLAL, the restriction of versions before 6.
    #[error("a long product into its first factor")]
    LongOverlap,
    /// A4.1: LDRB, LDRBT, LDRH, LDRSB, LDRSH, STRB, STRBT, STRH.
    #[error("pc loaded or stored as byte or halfword")]
    NarrowPc,
    /// A4.1: LDRT.
    #[error("pc loaded as user")]
    UserPc,
    /// A4.1: LDR, R15 from an address that is no multiple of 4, which the PC as base makes sure of.
    #[error("pc loaded from an address that is no multiple of 4")]
    UnalignedPc,
    /// A5.2.5 to A5.2.10, A5.3.4 to A5.3.7.
    #[error("pc as base that is written back")]
    PcWriteBack,
    /// A4.1: all loads and stores of one register.
    #[error("base written back and transferred at once")]
    BaseTransferred,
    /// A5.2.3, A5.2.4, A5.3.3.
    #[error("pc as offset")]
    PcOffset,
    /// A5.2.6, A5.2.7, A5.2.9, A5.2.10, A5.3.5, A5.3.7.
    #[error("offset register that is the written base")]
    OffsetIsBase,
    /// A5.3.1: P clear and W set.
    #[error("halfword or signed byte transferred as user")]
    NarrowAsUser,
    /// A5.4.1.
    #[error("block transfer of no register")]
    NoRegisters,
    /// A4.1: LDM, STM.
    #[error("pc as base of a block transfer")]
    BlockPcBase,
    /// A4.1: LDM; STM when the base is not the lowest register of the list.
    #[error("base written back and in the list")]
    BaseInList,
    /// A4.1: LDM (2), STM (2).
    #[error("base written back in a transfer of user registers")]
    UserWriteBack,
    /// A4.1: SWP, SWPB.
    #[error("pc in a swap")]
    SwapPc,
    /// A4.1: SWP, SWPB.
    #[error("base of a swap is also swapped")]
    SwapBase,
    /// A4.1: MRS, MSR.
    #[error("pc exchanged with a status register")]
    StatusPc,
    /// A4.1: MSR.
    #[error("status register written in no field")]
    NoFields,
    /// A5.5.3, A5.5.4: LDC, STC.
    #[error("pc as written base of a coprocessor transfer")]
    CoprocessorPc,
}

impl Unpredictable {
    /// The first rule that an action breaks. Its registers must be below 16.
    pub(crate) fn of(action: &Action) -> Option<Self> {
        match *action {
            Action::Data { op, rd, rn, operand: Shifter::ByRegister { rm, rs, .. }, .. } => {
                let written = op.keeps_result() && rd == PC;
                let read = op.has_first() && rn == PC;
                first(&[(written || read || rm == PC || rs == PC, Unpredictable::ShiftWithPc)])
            }
            Action::Multiply { rd, rm, rs, rn, .. } => first(&[
                ([rd, rm, rs].contains(&PC) || rn == Some(PC), Unpredictable::MultiplyPc),
                (rd == rm, Unpredictable::MultiplyOverlap),
            ]),
            Action::LongMultiply { low, high, rm, rs, .. } => first(&[
                ([low, high, rm, rs].contains(&PC), Unpredictable::MultiplyPc),
                (low == high, Unpredictable::LongSame),
                (rm == low || rm == high, Unpredictable::LongOverlap),
            ]),
            Action::DoubleAccumulate { low, high, rm, rs } => first(&[
                ([low, high, rm, rs].contains(&PC), Unpredictable::MultiplyPc),
                (low == high, Unpredictable::LongSame),
            ]),
            Action::Transfer { load, size, rd, address } => transfer(load, size, rd, &address),
            Action::Block { load, rn, write_back, registers, user, .. } => {
                let listed = registers >> rn & 1 != 0;
                let lower = registers & ((1 << rn) - 1) != 0;
                let restores = load && registers >> PC != 0;
                first(&[
                    (registers == 0, Unpredictable::NoRegisters),
                    (rn == PC, Unpredictable::BlockPcBase),
                    (write_back && listed && (load || lower), Unpredictable::BaseInList),
                    (user && write_back && !restores, Unpredictable::UserWriteBack),
                ])
            }
            Action::Swap { rd, rm, rn, .. } => first(&[
                ([rd, rm, rn].contains(&PC), Unpredictable::SwapPc),
                (rn == rd || rn == rm, Unpredictable::SwapBase),
            ]),
            Action::ReadStatus { rd, .. } => first(&[(rd == PC, Unpredictable::StatusPc)]),
            Action::WriteStatus { fields, operand, .. } => first(&[
                (fields == 0, Unpredictable::NoFields),
                (operand == Shifter::plain(PC), Unpredictable::StatusPc),
            ]),
            Action::Coprocessor { word } => {
                let transfer = word >> 25 & 7 == 0b110;
                let written = word >> 21 & 1 != 0 && word >> 16 & 0xf == u32::from(PC);
                first(&[(transfer && written, Unpredictable::CoprocessorPc)])
            }
            Action::Data { .. }
            | Action::Branch { .. }
            | Action::BranchExchange { .. }
            | Action::SoftwareInterrupt { .. }
            | Action::Literal(_)
            | Action::Later(_) => None,
        }
    }
}

fn first(rules: &[(bool, Unpredictable)]) -> Option<Unpredictable> {
    rules.iter().find(|(broken, _)| *broken).map(|(_, rule)| *rule)
}

/// The PC transferred, at a distance from itself that is no multiple of 4.
pub(crate) fn unaligned_pc(rd: Register, address: &Address) -> bool {
    let unaligned = matches!(address.offset, Offset::Immediate(offset) if offset % 4 != 0);
    rd == PC && address.rn == PC && unaligned
}

fn transfer(load: bool, size: Size, rd: Register, address: &Address) -> Option<Unpredictable> {
    let Address { rn, offset, indexing, .. } = *address;
    let written = indexing != Indexing::Offset;
    let as_user = indexing == Indexing::AfterAsUser;
    let rm = match offset {
        Offset::Immediate(_) => None,
        Offset::Register { rm, .. } | Offset::Rrx { rm } => Some(rm),
    };
    let wide = matches!(size, Size::Word | Size::Byte);
    first(&[
        (size != Size::Word && rd == PC, Unpredictable::NarrowPc),
        (as_user && load && rd == PC, Unpredictable::UserPc),
        (load && unaligned_pc(rd, address), Unpredictable::UnalignedPc),
        (as_user && !wide, Unpredictable::NarrowAsUser),
        (written && rn == PC, Unpredictable::PcWriteBack),
        (written && rn == rd, Unpredictable::BaseTransferred),
        (rm == Some(PC), Unpredictable::PcOffset),
        (written && rm == Some(rn), Unpredictable::OffsetIsBase),
    ])
}
