//! The instructions of ARM state.
//!
//! Source: ARM DDI 0100, "ARM Architecture Reference Manual", chapter A3 (encodings), A4 (one section an
//! instruction), A5 (addressing modes), for architecture version 4T. What an instruction computes stands in
//! `meaning`, how long it takes in `cores`, its bits in `decode` and `encode`.

pub use crate::later::Later;

/// A register, 0 to 15.
pub type Register = u8;

/// Stack pointer.
pub const SP: Register = 13;
/// The register that a linker's code between caller and called may change.
pub const IP: Register = 12;
/// Link register: where a routine returns to.
pub const LR: Register = 14;
/// Program counter.
pub const PC: Register = 15;

/// The flags as bits of a set, in their order in the status register.
pub mod flag {
    /// Negative.
    pub const N: u8 = 8;
    /// Zero.
    pub const Z: u8 = 4;
    /// Carry; after a subtraction, no borrow.
    pub const C: u8 = 2;
    /// Overflow of signed numbers.
    pub const V: u8 = 1;
    /// All four.
    pub const ALL: u8 = 15;
}

/// When an instruction is executed, in the order of the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Condition {
    /// Z set.
    Eq,
    /// Z clear.
    Ne,
    /// C set.
    Cs,
    /// C clear.
    Cc,
    /// N set.
    Mi,
    /// N clear.
    Pl,
    /// V set.
    Vs,
    /// V clear.
    Vc,
    /// C set and Z clear.
    Hi,
    /// C clear or Z set.
    Ls,
    /// N and V equal.
    Ge,
    /// N and V different.
    Lt,
    /// Z clear, N and V equal.
    Gt,
    /// Z set, or N and V different.
    Le,
    /// Always.
    Al,
}

/// An instruction with its condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// When it is executed.
    pub condition: Condition,
    /// What it does.
    pub action: Action,
}

/// The data processing operations, in the order of the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum DataOp {
    /// `rd = rn & operand`.
    And,
    /// `rd = rn ^ operand`.
    Eor,
    /// `rd = rn - operand`.
    Sub,
    /// `rd = operand - rn`.
    Rsb,
    /// `rd = rn + operand`.
    Add,
    /// `rd = rn + operand + C`.
    Adc,
    /// `rd = rn - operand - !C`.
    Sbc,
    /// `rd = operand - rn - !C`.
    Rsc,
    /// Flags of `rn & operand`.
    Tst,
    /// Flags of `rn ^ operand`.
    Teq,
    /// Flags of `rn - operand`.
    Cmp,
    /// Flags of `rn + operand`.
    Cmn,
    /// `rd = rn | operand`.
    Orr,
    /// `rd = operand`.
    Mov,
    /// `rd = rn & !operand`.
    Bic,
    /// `rd = !operand`.
    Mvn,
}

/// How a register is shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ShiftKind {
    /// To the left.
    Lsl,
    /// To the right, zeros entering.
    Lsr,
    /// To the right, the sign entering.
    Asr,
    /// Rotated to the right.
    Ror,
}

/// The last operand of data processing (DDI 0100, A5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shifter {
    /// `value` rotated to the right by `2 * rotation` places. The rotation matters to the carry.
    Immediate {
        /// 8 bits.
        value: u8,
        /// 0 to 15.
        rotation: u8,
    },
    /// A register as it is, or shifted by a number of places: 0 to 31 for LSL, 1 to 32 for LSR and ASR, 1 to 31
    /// for ROR. LSL by 0 is the register as it is.
    Register {
        /// The register.
        rm: Register,
        /// How.
        kind: ShiftKind,
        /// By how many places.
        amount: u8,
    },
    /// A register rotated by one place through the carry.
    Rrx {
        /// The register.
        rm: Register,
    },
    /// A register shifted by the low byte of another one.
    ByRegister {
        /// The register.
        rm: Register,
        /// How.
        kind: ShiftKind,
        /// Register that holds the number of places.
        rs: Register,
    },
    /// A number that no rotation of 8 bits gives, in Thumb state: C becomes its bit 31 where it is one of 8 bits by a rotation
    /// of an odd number of places, and stays where it repeats a byte (DDI 0403E, A5.3.2), or where no flag is set.
    Number(u32),
}

/// What is added to or subtracted from a base register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Offset {
    /// A number: up to 4095, or up to 255 for halfwords and signed bytes.
    Immediate(u16),
    /// A register, for words and bytes shifted by a number of places as in [`Shifter::Register`].
    Register {
        /// The register.
        rm: Register,
        /// How.
        kind: ShiftKind,
        /// By how many places.
        amount: u8,
    },
    /// A register rotated by one place through the carry.
    Rrx {
        /// The register.
        rm: Register,
    },
}

/// When the base register changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Indexing {
    /// Never: `[rn, offset]`.
    Offset,
    /// Before the access: `[rn, offset]!`.
    Before,
    /// After the access: `[rn], offset`.
    After,
    /// After the access, which is made as in user mode (LDRT, STRT).
    AfterAsUser,
}

/// An address in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// Base register.
    pub rn: Register,
    /// Whether the offset is added; else it is subtracted.
    pub up: bool,
    /// Offset.
    pub offset: Offset,
    /// When the base changes.
    pub indexing: Indexing,
}

/// What a load or store transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// 32 bits.
    Word,
    /// 8 bits, loaded with zeros above.
    Byte,
    /// 16 bits, loaded with zeros above.
    Half,
    /// 8 bits, loaded with the sign above.
    SignedByte,
    /// 16 bits, loaded with the sign above.
    SignedHalf,
}

/// Where a block of registers lies: increasing or decreasing addresses, the base moved after or before each
/// access. The lowest register always lies at the lowest address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockMode {
    /// Decrement after.
    Da,
    /// Increment after.
    Ia,
    /// Decrement before.
    Db,
    /// Increment before.
    Ib,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Data processing.
    Data {
        /// Operation.
        op: DataOp,
        /// Whether the flags are set; true for TST, TEQ, CMP and CMN.
        set: bool,
        /// Destination; 0 for TST, TEQ, CMP and CMN.
        rd: Register,
        /// First operand; 0 for MOV and MVN.
        rn: Register,
        /// Last operand.
        operand: Shifter,
    },
    /// `rd = rm * rs [+ rn]`, 32 bits: MUL, MLA.
    Multiply {
        /// Whether N and Z are set (C is then unpredictable on ARMv4).
        set: bool,
        /// Destination.
        rd: Register,
        /// Factor.
        rm: Register,
        /// Factor that decides the time.
        rs: Register,
        /// What is added, for MLA.
        rn: Option<Register>,
    },
    /// `high:low = rm * rs [+ high:low]`, 64 bits: UMULL, UMLAL, SMULL, SMLAL.
    LongMultiply {
        /// Signed factors.
        signed: bool,
        /// Whether the old value is added.
        accumulate: bool,
        /// Whether N and Z are set (C and V are then unpredictable on ARMv4).
        set: bool,
        /// Destination of the low word.
        low: Register,
        /// Destination of the high word.
        high: Register,
        /// Factor.
        rm: Register,
        /// Factor that decides the time.
        rs: Register,
    },
    /// `high:low = rm * rs + low + high`, 64 bits, which they always hold: UMAAL, of version 6 (DDI 0100I, A4.1.109).
    DoubleAccumulate {
        /// Added; destination of the low word.
        low: Register,
        /// Added; destination of the high word.
        high: Register,
        /// Factor.
        rm: Register,
        /// Factor.
        rs: Register,
    },
    /// One register from memory or into it.
    Transfer {
        /// Whether it is a load.
        load: bool,
        /// How much.
        size: Size,
        /// The register.
        rd: Register,
        /// Where.
        address: Address,
    },
    /// Several registers from memory or into it: LDM, STM.
    Block {
        /// Whether it is a load.
        load: bool,
        /// Base register.
        rn: Register,
        /// Whether the base is moved.
        write_back: bool,
        /// Where.
        mode: BlockMode,
        /// Bit n is register n.
        registers: u16,
        /// The `^` of the text: user registers, or SPSR restored.
        user: bool,
    },
    /// A register and memory exchanged: SWP, SWPB.
    Swap {
        /// Whether a byte is exchanged.
        byte: bool,
        /// Destination.
        rd: Register,
        /// What is stored.
        rm: Register,
        /// Where.
        rn: Register,
    },
    /// B, BL.
    Branch {
        /// Whether LR is set.
        link: bool,
        /// Distance in bytes from this instruction to the target.
        distance: i32,
    },
    /// BX.
    BranchExchange {
        /// Register with the target.
        rm: Register,
    },
    /// MRS.
    ReadStatus {
        /// SPSR instead of CPSR.
        saved: bool,
        /// Destination.
        rd: Register,
    },
    /// MSR.
    WriteStatus {
        /// SPSR instead of CPSR.
        saved: bool,
        /// Fields, a bit each: c, x, s, f.
        fields: u8,
        /// [`Shifter::Immediate`], or a register as it is.
        operand: Shifter,
    },
    /// SWI.
    SoftwareInterrupt {
        /// 24 bits.
        number: u32,
    },
    /// CDP, LDC, STC, MCR, MRC: the word as it is. No core here has a coprocessor.
    Coprocessor {
        /// The encoding, condition included.
        word: u32,
    },
    /// What version 4T lacks.
    Later(Later),
    /// No instruction, but a word among the code that is read ([`crate::lower`]): nobody executes it.
    Literal(u32),
}

impl From<Action> for Instruction {
    /// Always executed.
    fn from(action: Action) -> Self {
        Instruction { condition: Condition::Al, action }
    }
}

impl Shifter {
    /// A register as it is.
    pub const fn plain(rm: Register) -> Self {
        Shifter::Register { rm, kind: ShiftKind::Lsl, amount: 0 }
    }

    /// A number, in the form with the least rotation; `None` where there is none.
    pub const fn number(number: u32) -> Option<Self> {
        let mut rotation = 0;
        while rotation < 16 {
            let value = number.rotate_left(2 * rotation);
            if value < 256 {
                return Some(Shifter::Immediate { value: value as u8, rotation: rotation as u8 });
            }
            rotation += 1;
        }
        None
    }

    /// A number, whatever it is.
    pub fn constant(number: u32) -> Self {
        Shifter::number(number).unwrap_or(Shifter::Number(number))
    }

    /// The number that it stands for, if it is one.
    pub const fn value(&self) -> Option<u32> {
        match *self {
            Shifter::Number(number) => Some(number),
            Shifter::Immediate { value, rotation } => Some((value as u32).rotate_right(2 * rotation as u32)),
            Shifter::Register { .. } | Shifter::Rrx { .. } | Shifter::ByRegister { .. } => None,
        }
    }
}

impl Condition {
    /// All conditions, in the order of the encoding.
    pub const ALL: [Condition; 15] = [
        Condition::Eq,
        Condition::Ne,
        Condition::Cs,
        Condition::Cc,
        Condition::Mi,
        Condition::Pl,
        Condition::Vs,
        Condition::Vc,
        Condition::Hi,
        Condition::Ls,
        Condition::Ge,
        Condition::Lt,
        Condition::Gt,
        Condition::Le,
        Condition::Al,
    ];

    /// The four bits of the encoding, 0 to 14.
    pub const fn bits(self) -> u8 {
        self as u8
    }

    /// The condition of four bits; `None` for 15 (NV) and above.
    pub fn from_bits(bits: u8) -> Option<Self> {
        Self::ALL.get(usize::from(bits)).copied()
    }
}

impl DataOp {
    /// All operations, in the order of the encoding.
    pub const ALL: [DataOp; 16] = [
        DataOp::And,
        DataOp::Eor,
        DataOp::Sub,
        DataOp::Rsb,
        DataOp::Add,
        DataOp::Adc,
        DataOp::Sbc,
        DataOp::Rsc,
        DataOp::Tst,
        DataOp::Teq,
        DataOp::Cmp,
        DataOp::Cmn,
        DataOp::Orr,
        DataOp::Mov,
        DataOp::Bic,
        DataOp::Mvn,
    ];

    /// Whether there is a destination: not for TST, TEQ, CMP and CMN.
    pub const fn keeps_result(self) -> bool {
        !matches!(self, DataOp::Tst | DataOp::Teq | DataOp::Cmp | DataOp::Cmn)
    }

    /// Whether there is a first operand: not for MOV and MVN.
    pub const fn has_first(self) -> bool {
        !matches!(self, DataOp::Mov | DataOp::Mvn)
    }

    /// Whether it adds or subtracts, so that C and V come from the sum; else C comes from the shifter and V
    /// stays.
    pub const fn is_arithmetic(self) -> bool {
        matches!(
            self,
            DataOp::Sub
                | DataOp::Rsb
                | DataOp::Add
                | DataOp::Adc
                | DataOp::Sbc
                | DataOp::Rsc
                | DataOp::Cmp
                | DataOp::Cmn
        )
    }
}

impl ShiftKind {
    /// All kinds, in the order of the encoding.
    pub const ALL: [ShiftKind; 4] = [ShiftKind::Lsl, ShiftKind::Lsr, ShiftKind::Asr, ShiftKind::Ror];

    /// The kind of the two lowest bits.
    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self::ALL[(bits & 3) as usize]
    }

    /// The least and the most places of a shift by a number.
    pub const fn amounts(self) -> (u8, u8) {
        match self {
            ShiftKind::Lsl => (0, 31),
            ShiftKind::Lsr | ShiftKind::Asr => (1, 32),
            ShiftKind::Ror => (1, 31),
        }
    }
}
