//! The instructions as types.
//!
//! Names and operands are those of SPRU374 and SWPU067E (mnemonic instruction set). Data memory is addressed in words of
//! 16 bits.

mod operands;

pub use operands::{
    AddressOp, AddressSource, Cmem, Compare, Condition, Counter, Dual, Half, Ind, Mode, Reg, RegOp, Repeat,
    ShiftOp, Single, Smem, StatusBit, Ta,
};

/// An instruction; targets of branches are numbers of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Instruction {
    /// Two products with a shared coefficient.
    Dual(Dual),
    /// `MACM uns(Xmem), uns(Ymem), ACx, ACy`.
    Product { op: Single, x: Ind, y: Ind, unsigned_x: bool, unsigned_y: bool, src: u8, dst: u8 },
    /// `MPYM[U] Smem, Tx, ACx`.
    ProductT { smem: Smem, t: u8, unsigned: bool, dst: u8 },
    /// `ADD uns(Smem), ACx, ACy`, with CARRY; or `SUB`, with BORROW.
    AddMemory { subtract: bool, carry: bool, smem: Smem, unsigned: bool, src: u8, dst: u8 },
    /// `ADD dbl(Lmem), ACx, ACy` or `SUB`.
    AddDouble { subtract: bool, lmem: Smem, src: u8, dst: u8 },
    /// `MOV uns(Smem), ACx`.
    LoadAc { smem: Smem, unsigned: bool, dst: u8 },
    /// `MOV Smem, TAx`.
    LoadTa { smem: Smem, dst: Ta },
    /// `MOV dbl(Lmem), ACx`.
    LoadDouble { lmem: Smem, dst: u8 },
    /// `MOV src, Smem`: the low 16 bits.
    Store { src: Reg, smem: Smem },
    /// `MOV HI(ACx), Smem`.
    StoreHigh { src: u8, smem: Smem },
    /// `MOV ACx, dbl(Lmem)`.
    StoreDouble { src: u8, lmem: Smem },
    /// `MOV pair(LO(ACx)), dbl(Lmem)`: ACx to the higher word (the address), ACx+1 to the lower one. ACx is AC0 or AC2.
    StorePair { src: u8, lmem: Smem },
    /// `MOV K16, Smem`.
    StoreConstant { value: i16, smem: Smem },
    /// `MOV Xmem, Ymem`.
    Copy { from: Ind, to: Ind },
    /// `MOV dbl(Xmem), dbl(Ymem)`.
    CopyDouble { from: Ind, to: Ind },
    /// An operation with a shifted accumulator.
    Shifted { op: ShiftOp, src: u8, shift: i8, dst: u8 },
    /// `SFTL dst, #1` or `#-1`.
    ShiftByOne { dst: Reg, left: bool },
    /// An operation of two registers.
    Registers { op: RegOp, src: Reg, dst: Reg },
    /// `MOV #k4, dst` or `MOV #-k4, dst`: -15 to 15.
    MovK4 { value: i8, dst: Reg },
    /// `ADD #k4, dst`, or `SUB`.
    AddK4 { subtract: bool, value: u8, dst: Reg },
    /// `MOV K16, dst`.
    MovK16 { value: i16, dst: Reg },
    /// `ADD K16, src, dst`.
    AddK16 { value: i16, src: Reg, dst: Reg },
    /// `AND k16, src, dst`.
    AndK16 { value: u16, src: Reg, dst: Reg },
    /// Address arithmetic.
    Address { op: AddressOp, src: AddressSource, dst: Ta },
    /// `AMAR Smem`.
    Amar { smem: Smem },
    /// `AMAR Smem, XAdst`: the address of the operand; 8 is CDP.
    AmarTo { smem: Smem, dst: u8 },
    /// `AADD K8, SP`.
    AddSp { value: i8 },
    /// `PSH src`.
    Push { src: Ta },
    /// `POP dst`.
    Pop { dst: Ta },
    /// `PSHBOTH XARn`.
    PushBoth { ar: u8 },
    /// `POPBOTH XARn`.
    PopBoth { ar: u8 },
    /// `PSH dbl(ACx)`.
    PushDouble { src: u8 },
    /// `POP dbl(ACx)`.
    PopDouble { dst: u8 },
    /// `MOV #k12, CSR`, BRC0 or BRC1.
    SetCounter { counter: Counter, value: u16 },
    /// `MOV TAx, CSR`, BRC0 or BRC1.
    MoveCounter { counter: Counter, src: Ta },
    /// `RPT` and its kin.
    Repeat(Repeat),
    /// `RPTB` or `RPTBLOCAL`: up to the line before `end`.
    RepeatBlock { local: bool, end: u32 },
    /// `B L16`.
    Branch { to: u32 },
    /// `BCC L16, cond`.
    BranchIf { to: u32, condition: Condition },
    /// `CALL L16`.
    Call { to: u32 },
    /// `RET`.
    Return,
    /// `BSET` or `BCLR`.
    Status { bit: StatusBit, set: bool },
    /// `NOP`.
    Nop,
}

/// What is executed in one cycle: an instruction, or two in parallel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bundle {
    /// The instruction.
    pub first: Instruction,
    /// What is executed beside it (`||`).
    pub second: Option<Instruction>,
}

impl From<Instruction> for Bundle {
    fn from(first: Instruction) -> Self {
        Bundle { first, second: None }
    }
}

impl Instruction {
    /// With another one in parallel.
    pub fn with(self, second: Instruction) -> Bundle {
        Bundle { first: self, second: Some(second) }
    }

    /// The line that it names, if it names one.
    pub fn target(&self) -> Option<u32> {
        match self {
            Instruction::RepeatBlock { end: to, .. }
            | Instruction::Branch { to }
            | Instruction::BranchIf { to, .. }
            | Instruction::Call { to } => Some(*to),
            _ => None,
        }
    }

    /// The same with another target.
    pub fn with_target(self, line: u32) -> Self {
        match self {
            Instruction::RepeatBlock { local, .. } => Instruction::RepeatBlock { local, end: line },
            Instruction::Branch { .. } => Instruction::Branch { to: line },
            Instruction::BranchIf { condition, .. } => Instruction::BranchIf { to: line, condition },
            Instruction::Call { .. } => Instruction::Call { to: line },
            other => other,
        }
    }
}

impl Bundle {
    /// Its instructions.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        std::iter::once(&self.first).chain(&self.second)
    }
}

/// Status bits that instructions here change. FRCT, SMUL, SATD, SATA, RDM and C54CM are 0 and CPL is 1 always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Whether accumulators are computed with 40 bits.
    pub m40: bool,
    /// Whether operands that are not `uns()` are extended by their sign.
    pub sxmd: bool,
    /// Whether the compiler's addressing modes are on; those with T1 are off then.
    pub arms: bool,
}
