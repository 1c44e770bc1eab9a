//! The instructions as types.
//!
//! Names and operands are those of SPRU374 and SWPU067E (mnemonic instruction set). Data memory is addressed in words of
//! 16 bits.

/// A 16-bit register of the A unit: T0 to T3, then AR0 to AR7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ta {
    /// T0 to T3.
    T(u8),
    /// AR0 to AR7.
    Ar(u8),
}

impl Ta {
    /// Its number in sets of registers: T0 to T3 from 4 on, AR0 to AR7 from 8 on.
    pub fn number(self) -> u32 {
        match self {
            Ta::T(n) => 4 + u32::from(n & 3),
            Ta::Ar(n) => 8 + u32::from(n & 7),
        }
    }
}

/// A register of 16 or 40 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reg {
    /// AC0 to AC3.
    Ac(u8),
    /// T0 to T3, AR0 to AR7.
    Ta(Ta),
}

/// How an address register is used, and changed afterwards (SPRU371, chapter 6). T1 as an index wants the status
/// bit ARMS to be 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// `*ARn`
    Plain,
    /// `*ARn+`: by 1, or by 2 in a double-word access.
    Up,
    /// `*ARn-`
    Down,
    /// `*(ARn+T0)`: T0 is added afterwards.
    PlusT0,
    /// `*(ARn+T1)`
    PlusT1,
    /// `*(ARn-T0)`
    MinusT0,
    /// `*(ARn-T1)`
    MinusT1,
    /// `*ARn(T0)`: T0 is added for the address only.
    IndexT0,
}

/// An operand of a dual access: an address register with its mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ind {
    /// Number of the address register.
    pub ar: u8,
    /// Its mode.
    pub mode: Mode,
}

/// An operand of a coefficient access, by CDP: [`Mode::Plain`], `Up`, `Down` or `PlusT0`.
pub type Cmem = Mode;

/// An operand of a single access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Smem {
    /// Through an address register.
    Ind(Ind),
    /// `*ARn(#K16)`: the constant is added for the address only. Two bytes more.
    Offset(u8, i16),
    /// `*+ARn(#K16)`: the constant is added before. Two bytes more.
    PreOffset(u8, i16),
    /// Through CDP.
    Cdp(Cmem),
    /// `*SP(#k7)`, with the status bit CPL 1.
    Sp(u8),
}

/// One half of a dual multiplication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// The product replaces the accumulator.
    Mpy,
    /// It is added.
    Mac,
    /// It is added to the accumulator moved down by 16 places with its sign.
    MacShifted,
    /// It is subtracted.
    Mas,
    /// No product: only the address register changes. For the first half.
    Amar,
}

/// A dual multiplication with a shared coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dual {
    /// What the first half does.
    pub x: Half,
    /// What the second half does.
    pub y: Half,
    /// Operand of the first half.
    pub xmem: Ind,
    /// Operand of the second half.
    pub ymem: Ind,
    /// Shared operand.
    pub cmem: Cmem,
    /// Whether the first operands are unsigned.
    pub unsigned_xy: bool,
    /// Whether the shared operand is.
    pub unsigned_c: bool,
    /// Accumulator of the first half; the same as `acy` where that only moves an address register.
    pub acx: u8,
    /// Accumulator of the second half.
    pub acy: u8,
}

/// Operations with a shifted accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShiftOp {
    /// `ADD ACx << #SHIFTW, ACy`
    Add,
    /// `SUB ACx << #SHIFTW, ACy`
    Sub,
    /// `AND ACx << #SHIFTW, ACy`
    And,
    /// `OR ACx << #SHIFTW, ACy`
    Or,
    /// `XOR ACx << #SHIFTW, ACy`
    Xor,
    /// `SFTL ACx, #SHIFTW, ACy`: zeros enter.
    Sftl,
    /// `SFTS ACx, #SHIFTW, ACy`: the sign enters, as SXMD says.
    Sfts,
}

/// Operations of two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegOp {
    /// `MOV src, dst`
    Mov,
    /// `ADD src, dst`
    Add,
    /// `SUB src, dst`
    Sub,
    /// `AND src, dst`
    And,
    /// `OR src, dst`
    Or,
    /// `XOR src, dst`
    Xor,
    /// `NEG src, dst`
    Neg,
    /// `NOT src, dst`
    Not,
}

/// What address arithmetic does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressOp {
    /// `AADD`
    Add,
    /// `AMOV`
    Mov,
    /// `ASUB`
    Sub,
}

/// A source of address arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressSource {
    /// A register.
    Ta(Ta),
    /// A constant of 8 bits, unsigned.
    P8(u8),
    /// A constant of 16 bits; only of AMOV.
    D16(u16),
}

/// What a single product does with its accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Single {
    /// `MPYM`
    Mpy,
    /// `MACM`
    Mac,
    /// `MACM ... ACx >> #16`
    MacShifted,
    /// `MASM`
    Mas,
}

/// Loop counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counter {
    /// Of `RPT CSR`.
    Csr,
    /// Of the outer block repeat.
    Brc0,
    /// Of the inner block repeat.
    Brc1,
}

/// How an instruction is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repeat {
    /// `RPT #k`: once more than this.
    Times(u16),
    /// `RPT CSR`
    Csr,
    /// `RPTADD CSR, #k4`
    Add(u8),
    /// `RPTSUB CSR, #k4`
    Sub(u8),
    /// `RPTADD CSR, TAx`
    AddTa(Ta),
}

/// Comparisons with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// `== #0`
    Eq,
    /// `!= #0`
    Ne,
    /// `< #0`
    Lt,
    /// `<= #0`
    Le,
    /// `> #0`
    Gt,
    /// `>= #0`
    Ge,
}

/// Conditions of branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// A register against zero.
    Zero(Reg, Compare),
    /// `CARRY`, or `!CARRY` with false.
    Carry(bool),
    /// `TC1`
    Tc1(bool),
    /// `TC2`
    Tc2(bool),
}

/// Status bits that instructions here can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatusBit {
    /// ST0_55, 11.
    Carry,
    /// ST1_55, 10: 40-bit arithmetic of accumulators.
    M40,
    /// ST1_55, 8: sign extension.
    Sxmd,
    /// ST2_55, 15: the compiler's addressing modes.
    Arms,
}

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
pub struct Line {
    /// The instruction.
    pub first: Instruction,
    /// What is executed beside it (`||`).
    pub second: Option<Instruction>,
}

impl From<Instruction> for Line {
    fn from(first: Instruction) -> Self {
        Line { first, second: None }
    }
}

impl Instruction {
    /// With another one in parallel.
    pub fn with(self, second: Instruction) -> Line {
        Line { first: self, second: Some(second) }
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

impl Line {
    /// Its instructions.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        std::iter::once(&self.first).chain(&self.second)
    }
}
