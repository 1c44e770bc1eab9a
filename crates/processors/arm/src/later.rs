//! What instruction sets after version 4T have beside the instructions of ARM state.
//!
//! Source: ARM DDI 0403E.e, "ARMv7-M Architecture Reference Manual", A7.7 (one section an instruction).

use crate::extension::Extension;
use crate::instructions::{Address, Condition, Indexing, LR, Offset, PC, Register};

/// An operation of one register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// The low halfword with its sign above.
    Sxth,
    /// The low byte with its sign above.
    Sxtb,
    /// The low halfword with zeros above.
    Uxth,
    /// The low byte with zeros above.
    Uxtb,
    /// The four bytes in the opposite order.
    Rev,
    /// The bytes of both halfwords exchanged.
    Rev16,
    /// The bytes of the low halfword exchanged, with the sign above.
    Revsh,
    /// How many of the highest bits are zero.
    Clz,
}

/// What is done to a run of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bits {
    /// UBFX: the bits of `rn`, with zeros above.
    Unsigned,
    /// SBFX: the bits of `rn`, with their sign above.
    Signed,
    /// BFI: the low bits of `rn` in place of those of `rd`.
    Insert,
    /// BFC: zeros in place of those of `rd`.
    Clear,
}

/// What does nothing to registers, flags and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nothing {
    /// NOP.
    Nop,
    /// DMB.
    Dmb,
    /// DSB.
    Dsb,
    /// ISB.
    Isb,
}

/// What an instruction does that version 4T lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Later {
    /// MOVT: a number into the upper half.
    MoveTop {
        /// Destination.
        rd: Register,
        /// The upper half.
        number: u16,
    },
    /// UBFX, SBFX, BFI, BFC.
    BitField {
        /// Which.
        op: Bits,
        /// Destination.
        rd: Register,
        /// Source; 0 for BFC.
        rn: Register,
        /// The lowest bit.
        low: u8,
        /// How many bits.
        width: u8,
    },
    /// An operation of one register.
    Unary {
        /// Which.
        op: Unary,
        /// Destination.
        rd: Register,
        /// Source.
        rm: Register,
    },
    /// SXTH, UXTH, SXTB, UXTB of a rotated register; SXTAH, UXTAH, SXTAB, UXTAB, which add it to another one.
    Extend {
        /// What is taken: one of the first four.
        op: Unary,
        /// Destination.
        rd: Register,
        /// What is added to.
        rn: Option<Register>,
        /// Source.
        rm: Register,
        /// By how many places it is rotated to the right first: 0, 8, 16, 24.
        rotation: u8,
    },
    /// PKHBT and PKHTB: a halfword of a register in its place, and the other one of a shifted register.
    Pack {
        /// Whether the upper halfword stays.
        top: bool,
        /// Destination.
        rd: Register,
        /// Whose halfword stays.
        rn: Register,
        /// What is shifted.
        rm: Register,
        /// By how many places: 0 to 31 to the left, or 1 to 32 to the right with its sign where the upper halfword stays.
        amount: u8,
    },
    /// SMULBB to SMULTT and SMLABB to SMLATT: the product of two signed halfwords, and a sum. That the sum overflows would set the
    /// flag Q, which nothing here reads.
    Halves {
        /// Destination.
        rd: Register,
        /// Factor.
        rn: Register,
        /// Factor.
        rm: Register,
        /// Of each factor, whether its upper halfword is taken.
        tops: [bool; 2],
        /// What is added.
        ra: Option<Register>,
    },
    /// MLS: `rd = ra - rn * rm`.
    MultiplySubtract {
        /// Destination.
        rd: Register,
        /// Factor.
        rn: Register,
        /// Factor.
        rm: Register,
        /// From which the product is taken.
        ra: Register,
    },
    /// LDRD, STRD: two words.
    Double {
        /// Whether it is a load.
        load: bool,
        /// The register of the lower word.
        rd: Register,
        /// The register of the upper word.
        second: Register,
        /// Where.
        address: Address,
    },
    /// CBZ, CBNZ.
    CompareBranch {
        /// Whether it branches where the register is not 0.
        nonzero: bool,
        /// The register.
        rn: Register,
        /// Distance in bytes from this instruction to the target.
        distance: i32,
    },
    /// BLX with a register.
    CallExchange {
        /// Register with the target.
        rm: Register,
    },
    /// IT: the next one to four instructions are executed under a condition.
    If {
        /// The condition of the first one.
        first: Condition,
        /// Four bits: how many, and which of them have the opposite condition.
        mask: u8,
    },
    /// What does nothing.
    Nothing(Nothing),
    /// Of the floating-point extension.
    Extension(Extension),
}

impl Unary {
    const fn name(self) -> &'static str {
        match self {
            Unary::Sxth => "sxth",
            Unary::Sxtb => "sxtb",
            Unary::Uxth => "uxth",
            Unary::Uxtb => "uxtb",
            Unary::Rev => "rev",
            Unary::Rev16 => "rev16",
            Unary::Revsh => "revsh",
            Unary::Clz => "clz",
        }
    }
}

const fn bit(register: Register) -> u64 {
    1 << (register & 0xf)
}

impl Later {
    /// Registers that it reads (bit n is register n).
    pub(crate) const fn registers_read(&self) -> u64 {
        match *self {
            Later::MoveTop { rd, .. } | Later::BitField { op: Bits::Clear, rd, .. } => bit(rd),
            Later::BitField { op: Bits::Insert, rd, rn, .. } => bit(rd) | bit(rn),
            Later::BitField { rn, .. } | Later::CompareBranch { rn, .. } => bit(rn),
            Later::Unary { rm, .. } | Later::CallExchange { rm } => bit(rm),
            Later::MultiplySubtract { rn, rm, ra, .. } | Later::Halves { rn, rm, ra: Some(ra), .. } => {
                bit(rn) | bit(rm) | bit(ra)
            }
            Later::Halves { rn, rm, ra: None, .. }
            | Later::Extend { rn: Some(rn), rm, .. }
            | Later::Pack { rn, rm, .. } => bit(rn) | bit(rm),
            Later::Extend { rm, .. } => bit(rm),
            Later::Double { load, rd, second, address } => {
                bit(address.rn) | if load { 0 } else { bit(rd) | bit(second) }
            }
            Later::If { .. } | Later::Nothing(_) => 0,
            Later::Extension(extension) => extension.registers_read(),
        }
    }

    /// Registers that it writes.
    pub(crate) fn registers_written(&self) -> u64 {
        match *self {
            Later::MoveTop { rd, .. }
            | Later::BitField { rd, .. }
            | Later::Unary { rd, .. }
            | Later::Extend { rd, .. }
            | Later::Pack { rd, .. }
            | Later::Halves { rd, .. }
            | Later::MultiplySubtract { rd, .. } => bit(rd),
            Later::Double { load, rd, second, address } => {
                let base = if address.indexing == Indexing::Offset { 0 } else { bit(address.rn) };
                base | if load { bit(rd) | bit(second) } else { 0 }
            }
            Later::CompareBranch { .. } => bit(PC),
            Later::CallExchange { .. } => bit(PC) | bit(LR),
            Later::If { .. } | Later::Nothing(_) => 0,
            Later::Extension(extension) => extension.registers_written(),
        }
    }
}

impl Later {
    /// One of each name but IT, its operands still to be filled in.
    pub(crate) fn samples() -> impl Iterator<Item = Later> {
        let address = Address { rn: 0, up: true, offset: Offset::Immediate(0), indexing: Indexing::Offset };
        let bits = [Bits::Unsigned, Bits::Signed, Bits::Insert, Bits::Clear];
        let extended = [Unary::Sxth, Unary::Sxtb, Unary::Uxth, Unary::Uxtb];
        let reversed = [Unary::Rev, Unary::Rev16, Unary::Revsh, Unary::Clz];
        let extend = |op| Later::Extend { op, rd: 0, rn: Some(0), rm: 0, rotation: 0 };
        let halves = (0..8).map(|own| {
            let (tops, ra) = ([own & 1 != 0, own & 2 != 0], (own & 4 != 0).then_some(0));
            Later::Halves { rd: 0, rn: 0, rm: 0, tops, ra }
        });
        let pack = |top: bool| Later::Pack { top, rd: 0, rn: 0, rm: 0, amount: u8::from(top) };
        let nothing = [Nothing::Nop, Nothing::Dmb, Nothing::Dsb, Nothing::Isb];
        let both = [false, true].into_iter();
        [Later::MoveTop { rd: 0, number: 0 }, Later::MultiplySubtract { rd: 0, rn: 0, rm: 0, ra: 0 }]
            .into_iter()
            .chain([Later::CallExchange { rm: 0 }])
            .chain(bits.map(|op| Later::BitField { op, rd: 0, rn: 0, low: 0, width: 1 }))
            .chain(extended.into_iter().chain(reversed).map(|op| Later::Unary { op, rd: 0, rm: 0 }))
            .chain(extended.map(extend))
            .chain(halves)
            .chain(nothing.map(Later::Nothing))
            .chain(both.clone().map(pack))
            .chain(both.clone().map(move |load| Later::Double { load, rd: 0, second: 0, address }))
            .chain(both.map(|nonzero| Later::CompareBranch { nonzero, rn: 0, distance: 0 }))
            .chain(Extension::samples().map(Later::Extension))
    }

    /// The mnemonic, in lower case.
    pub(crate) fn name(&self) -> String {
        let name = match *self {
            Later::MoveTop { .. } => "movt",
            Later::BitField { op, .. } => match op {
                Bits::Unsigned => "ubfx",
                Bits::Signed => "sbfx",
                Bits::Insert => "bfi",
                Bits::Clear => "bfc",
            },
            Later::Unary { op, .. } | Later::Extend { op, rn: None, .. } => op.name(),
            Later::Extend { op, rn: Some(_), .. } => {
                let (sign, size) = op.name().split_at(3);
                return format!("{sign}a{size}");
            }
            Later::Halves { tops, ra, .. } => {
                let name = if ra.is_some() { "smla" } else { "smul" };
                return tops.iter().fold(name.to_owned(), |name, top| name + if *top { "t" } else { "b" });
            }
            Later::Pack { top: false, .. } => "pkhbt",
            Later::Pack { top: true, .. } => "pkhtb",
            Later::MultiplySubtract { .. } => "mls",
            Later::Double { load: true, .. } => "ldrd",
            Later::Double { load: false, .. } => "strd",
            Later::CompareBranch { nonzero: false, .. } => "cbz",
            Later::CompareBranch { nonzero: true, .. } => "cbnz",
            Later::CallExchange { .. } => "blx",
            Later::Extension(extension) => extension.name(),
            Later::If { first, mask } => {
                // below the condition's lowest bit, down to the last bit that is set
                let others = (mask.trailing_zeros() + 1..4).rev();
                let same = |bit: u32| mask >> bit & 1 == first.bits() & 1;
                return others.fold("it".to_owned(), |name, bit| name + if same(bit) { "t" } else { "e" });
            }
            Later::Nothing(nothing) => match nothing {
                Nothing::Nop => "nop",
                Nothing::Dmb => "dmb",
                Nothing::Dsb => "dsb",
                Nothing::Isb => "isb",
            },
        };
        name.to_owned()
    }
}
