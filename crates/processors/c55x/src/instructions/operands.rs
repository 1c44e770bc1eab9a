//! Registers, addresses, and what instructions choose between.

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
