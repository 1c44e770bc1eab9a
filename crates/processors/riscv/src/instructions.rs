//! The instruction set as one table: a row an instruction, with its fixed bits, its format and what kind of work it is.
//!
//! Source: "The RISC-V Instruction Set Manual, Volume I: Unprivileged Architecture", chapters "RV32I Base Integer
//! Instruction Set", "M", "B" (Zba, Zbb, Zbc, Zbs), "Zbkb" and "Zicond", and "RV32/64G Instruction Set Listings". The instructions
//! of the operating system, fences and counters are not here. Short forms stand in [`compressed`](crate::compressed). What
//! an instruction reads and writes follows from its format.

use crate::compressed::Short;
pub use rhomb_machine::Class;
use rhomb_machine::pattern::BitPattern;

/// A register, 0 to 31.
pub type Register = u8;
/// Where a routine returns to.
pub const RA: Register = 1;
/// Stack pointer.
pub const SP: Register = 2;
/// Global pointer.
pub const GP: Register = 3;
/// Thread pointer.
pub const TP: Register = 4;

/// Where operands stand, and how they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Two registers into a third.
    R,
    /// A register and a number of 12 bits with a sign.
    I,
    /// A register and a number of 5 bits.
    Shift,
    /// A register into another.
    Unary,
    /// A number of 20 bits for the top of a register.
    U,
    /// From memory, and jumps to a register: `offset(rs1)`.
    Load,
    /// Into memory.
    Store,
    /// Branches by a distance in bytes.
    Branch,
    /// Jumps by a distance in bytes.
    Jump,
}

impl Format {
    /// Pattern with the low bits of funct7 or funct12 (`g`), funct3 (`f`) and opcode (`o`).
    pub(crate) const fn pattern(self) -> &'static BitPattern {
        match self {
            Format::R => const { &BitPattern::of("ggggggg ttttt sssss fff ddddd ooooooo") },
            Format::I | Format::Load => const { &BitPattern::of("LKJIHGFEDCBA sssss fff ddddd ooooooo") },
            Format::Shift => const { &BitPattern::of("ggggggg EDCBA sssss fff ddddd ooooooo") },
            Format::Unary => const { &BitPattern::of("gggggggggggg sssss fff ddddd ooooooo") },
            Format::U => const { &BitPattern::of("TSRQPONMLKJIHGFEDCBA ddddd ooooooo") },
            Format::Store => const { &BitPattern::of("LKJIHGF ttttt sssss fff EDCBA ooooooo") },
            Format::Branch => const { &BitPattern::of("MKJIHGF ttttt sssss fff EDCBL ooooooo") },
            Format::Jump => const { &BitPattern::of("UKJIHGFEDCBLTSRQPONM ddddd ooooooo") },
        }
    }

    /// Operands in the order of the assembler: registers `d`, `s` and `t`, a number `i`, a target `p`.
    pub const fn operands(self) -> &'static str {
        match self {
            Format::R => "d,s,t",
            Format::I | Format::Shift => "d,s,i",
            Format::Unary => "d,s",
            Format::U => "d,i",
            Format::Load => "d,i(s)",
            Format::Store => "t,i(s)",
            Format::Branch => "s,t,p",
            Format::Jump => "d,p",
        }
    }

    /// Whether the number has a sign.
    pub(crate) const fn is_signed(self) -> bool {
        !matches!(self, Format::U | Format::Shift)
    }

    /// Whether it has the register of a letter.
    pub(crate) fn has(self, letter: char) -> bool {
        self.operands().contains(letter)
    }
}

/// The value of the fixed bits, and which bits are fixed.
const fn fixed(format: Format, opcode: u32, low: u32, high: u32) -> (u32, u32) {
    match format {
        Format::R | Format::Shift => (high << 25 | low << 12 | opcode, 0xfe00_707f),
        Format::Unary => (high << 20 | low << 12 | opcode, 0xfff0_707f),
        Format::U | Format::Jump => (opcode, 0x7f),
        _ => (low << 12 | opcode, 0x707f),
    }
}

/// A part of the instruction set that a core has or lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extension {
    /// RV32I.
    I,
    /// Products and quotients.
    M,
    /// Short forms.
    C,
    /// Sums with a shifted operand.
    Zba,
    /// Bit manipulation.
    Zbb,
    /// Bit manipulation for cryptography, without what it shares with Zbb.
    Zbkb,
    /// Products of polynomials over GF(2).
    Zbc,
    /// Single bits.
    Zbs,
    /// Conditional zero.
    Zicond,
}

impl Extension {
    /// All parts, each with its name in lower case.
    pub const ALL: [(Extension, &'static str); 9] = [
        (Extension::I, "i"),
        (Extension::M, "m"),
        (Extension::C, "c"),
        (Extension::Zba, "zba"),
        (Extension::Zbb, "zbb"),
        (Extension::Zbkb, "zbkb"),
        (Extension::Zbc, "zbc"),
        (Extension::Zbs, "zbs"),
        (Extension::Zicond, "zicond"),
    ];
}

/// What kind of work an instruction is, for the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Arithmetic, logic, comparisons.
    Plain,
    /// Shifts.
    Shift,
    /// Rotations.
    Rotate,
    /// The low word of a product.
    Product,
    /// The high word of a product.
    High,
    /// Quotients and remainders.
    Divide,
    /// Products of polynomials.
    Carryless,
    /// A word from memory into a register.
    Load,
    /// A byte or halfword from memory into a register.
    Part,
    /// From a register into memory.
    Store,
    /// Conditional branches.
    Branch,
    /// Jumps by a distance.
    Jump,
    /// Jumps to a register.
    JumpRegister,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Which instruction.
    pub op: Op,
    /// Mnemonic in lower case.
    pub mnemonic: &'static str,
    /// Where its operands stand.
    pub format: Format,
    /// Which part of the instruction set has it.
    pub extension: Extension,
    /// Kind of work.
    pub kind: Kind,
    /// Class in the counts.
    pub class: Class,
    /// Fixed bits and which bits are fixed.
    pub(crate) fixed: (u32, u32),
}

macro_rules! instructions {
    ($($op:ident $mnemonic:literal $format:ident $opcode:literal $low:literal $high:literal $extension:ident $kind:ident
       $class:ident;)*) => {
        /// An instruction without its operands. Aliases (`nop`, `mv`, `ret` ...) are no instructions of their own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs)] // each variant is its mnemonic
        pub enum Op { $($op),* }

        /// The table, indexed by `Op as usize`.
        pub static ROWS: &[Row] = &[$(Row {
            op: Op::$op,
            mnemonic: $mnemonic,
            format: Format::$format,
            extension: Extension::$extension,
            kind: Kind::$kind,
            class: Class::$class,
            fixed: fixed(Format::$format, $opcode, $low, $high),
        }),*];
    };
}

instructions! {
    // op   mnemonic  format opcode funct3 funct7 or funct12, extension, kind, class
    Lui     "lui"     U      0x37 0 0    I Plain Other;
    Auipc   "auipc"   U      0x17 0 0    I Plain Other;
    Jal     "jal"     Jump   0x6f 0 0    I Jump Other;
    Jalr    "jalr"    Load   0x67 0 0    I JumpRegister Other;
    Beq     "beq"     Branch 0x63 0 0    I Branch Other;
    Bne     "bne"     Branch 0x63 1 0    I Branch Other;
    Blt     "blt"     Branch 0x63 4 0    I Branch Other;
    Bge     "bge"     Branch 0x63 5 0    I Branch Other;
    Bltu    "bltu"    Branch 0x63 6 0    I Branch Other;
    Bgeu    "bgeu"    Branch 0x63 7 0    I Branch Other;
    Lb      "lb"      Load   0x03 0 0    I Part Load;
    Lh      "lh"      Load   0x03 1 0    I Part Load;
    Lw      "lw"      Load   0x03 2 0    I Load Load;
    Lbu     "lbu"     Load   0x03 4 0    I Part Load;
    Lhu     "lhu"     Load   0x03 5 0    I Part Load;
    Sb      "sb"      Store  0x23 0 0    I Store Store;
    Sh      "sh"      Store  0x23 1 0    I Store Store;
    Sw      "sw"      Store  0x23 2 0    I Store Store;
    Addi    "addi"    I      0x13 0 0    I Plain Add;
    Slti    "slti"    I      0x13 2 0    I Plain Other;
    Sltiu   "sltiu"   I      0x13 3 0    I Plain Other;
    Xori    "xori"    I      0x13 4 0    I Plain Other;
    Ori     "ori"     I      0x13 6 0    I Plain Other;
    Andi    "andi"    I      0x13 7 0    I Plain Other;
    Slli    "slli"    Shift  0x13 1 0    I Shift Other;
    Srli    "srli"    Shift  0x13 5 0    I Shift Other;
    Srai    "srai"    Shift  0x13 5 0x20 I Shift Other;
    Add     "add"     R      0x33 0 0    I Plain Add;
    Sub     "sub"     R      0x33 0 0x20 I Plain Add;
    Sll     "sll"     R      0x33 1 0    I Shift Other;
    Slt     "slt"     R      0x33 2 0    I Plain Other;
    Sltu    "sltu"    R      0x33 3 0    I Plain Other;
    Xor     "xor"     R      0x33 4 0    I Plain Other;
    Srl     "srl"     R      0x33 5 0    I Shift Other;
    Sra     "sra"     R      0x33 5 0x20 I Shift Other;
    Or      "or"      R      0x33 6 0    I Plain Other;
    And     "and"     R      0x33 7 0    I Plain Other;

    Mul     "mul"     R      0x33 0 1    M Product Multiply;
    Mulh    "mulh"    R      0x33 1 1    M High Multiply;
    Mulhsu  "mulhsu"  R      0x33 2 1    M High Multiply;
    Mulhu   "mulhu"   R      0x33 3 1    M High Multiply;
    Div     "div"     R      0x33 4 1    M Divide Other;
    Divu    "divu"    R      0x33 5 1    M Divide Other;
    Rem     "rem"     R      0x33 6 1    M Divide Other;
    Remu    "remu"    R      0x33 7 1    M Divide Other;

    Sh1add  "sh1add"  R      0x33 2 0x10 Zba Plain Add;
    Sh2add  "sh2add"  R      0x33 4 0x10 Zba Plain Add;
    Sh3add  "sh3add"  R      0x33 6 0x10 Zba Plain Add;

    Xnor    "xnor"    R      0x33 4 0x20 Zbb Plain Other;
    Orn     "orn"     R      0x33 6 0x20 Zbb Plain Other;
    Andn    "andn"    R      0x33 7 0x20 Zbb Plain Other;
    Min     "min"     R      0x33 4 5    Zbb Plain Other;
    Minu    "minu"    R      0x33 5 5    Zbb Plain Other;
    Max     "max"     R      0x33 6 5    Zbb Plain Other;
    Maxu    "maxu"    R      0x33 7 5    Zbb Plain Other;
    Rol     "rol"     R      0x33 1 0x30 Zbb Rotate Other;
    Ror     "ror"     R      0x33 5 0x30 Zbb Rotate Other;
    Rori    "rori"    Shift  0x13 5 0x30 Zbb Rotate Other;
    Clz     "clz"     Unary  0x13 1 0x600 Zbb Plain Other;
    Ctz     "ctz"     Unary  0x13 1 0x601 Zbb Plain Other;
    Cpop    "cpop"    Unary  0x13 1 0x602 Zbb Plain Other;
    Sextb   "sext.b"  Unary  0x13 1 0x604 Zbb Plain Other;
    Sexth   "sext.h"  Unary  0x13 1 0x605 Zbb Plain Other;
    Orcb    "orc.b"   Unary  0x13 5 0x287 Zbb Plain Other;
    Rev8    "rev8"    Unary  0x13 5 0x698 Zbb Plain Other;
    Zexth   "zext.h"  Unary  0x33 4 0x080 Zbb Plain Other;

    // zext.h has the bits of a pack with register 0
    Pack    "pack"    R      0x33 4 4    Zbkb Plain Other;
    Packh   "packh"   R      0x33 7 4    Zbkb Plain Other;
    Brev8   "brev8"   Unary  0x13 5 0x687 Zbkb Plain Other;
    Zip     "zip"     Unary  0x13 1 0x08f Zbkb Plain Other;
    Unzip   "unzip"   Unary  0x13 5 0x08f Zbkb Plain Other;

    Clmul   "clmul"   R      0x33 1 5    Zbc Carryless Multiply;
    Clmulr  "clmulr"  R      0x33 2 5    Zbc Carryless Multiply;
    Clmulh  "clmulh"  R      0x33 3 5    Zbc Carryless Multiply;

    Bset    "bset"    R      0x33 1 0x14 Zbs Plain Other;
    Bclr    "bclr"    R      0x33 1 0x24 Zbs Plain Other;
    Bext    "bext"    R      0x33 5 0x24 Zbs Plain Other;
    Binv    "binv"    R      0x33 1 0x34 Zbs Plain Other;
    Bseti   "bseti"   Shift  0x13 1 0x14 Zbs Plain Other;
    Bclri   "bclri"   Shift  0x13 1 0x24 Zbs Plain Other;
    Bexti   "bexti"   Shift  0x13 5 0x24 Zbs Plain Other;
    Binvi   "binvi"   Shift  0x13 1 0x34 Zbs Plain Other;

    CzeroEqz "czero.eqz" R   0x33 5 7    Zicond Plain Other;
    CzeroNez "czero.nez" R   0x33 7 7    Zicond Plain Other;
}

impl Op {
    /// The instruction's row.
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

/// An instruction with its operands; fields that it lacks are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// Which instruction.
    pub op: Op,
    /// Register rd.
    pub rd: Register,
    /// Register rs1.
    pub rs1: Register,
    /// Register rs2.
    pub rs2: Register,
    /// A number, the 20 bits of LUI and AUIPC as they stand, or a distance in bytes from the instruction itself.
    pub immediate: i32,
    /// The form of 16 bits that it has, if it has one.
    pub short: Option<Short>,
}

impl Instruction {
    /// `addi zero, zero, 0`.
    pub const NOP: Instruction = Instruction::new(Op::Addi);

    /// An instruction without operands; set the fields it has.
    pub const fn new(op: Op) -> Self {
        Instruction { op, rd: 0, rs1: 0, rs2: 0, immediate: 0, short: None }
    }
    /// With registers rd, rs1 and rs2.
    pub const fn rd_rs_rs(op: Op, rd: Register, rs1: Register, rs2: Register) -> Self {
        Instruction { rd, rs1, rs2, ..Instruction::new(op) }
    }
    /// With registers rd and rs1 and a number: immediates and loads.
    pub const fn rd_rs_immediate(op: Op, rd: Register, rs1: Register, immediate: i32) -> Self {
        Instruction { rd, rs1, immediate, ..Instruction::new(op) }
    }

    /// Its length in bytes.
    pub fn bytes(&self) -> u32 {
        if self.short.is_some() { 2 } else { 4 }
    }

    /// The registers that it reads: bit n is register n, and register 0 is none.
    pub fn reads(&self) -> u64 {
        let format = self.op.row().format;
        let named = |letter, register: u8| if format.has(letter) { 1u64 << register } else { 0 };
        (named('s', self.rs1) | named('t', self.rs2)) & !1
    }

    /// The registers that it writes.
    pub fn writes(&self) -> u64 {
        if self.op.row().format.has('d') { (1 << self.rd) & !1 } else { 0 }
    }

    /// The byte address that it names, at a byte address.
    pub fn target(&self, address: u32) -> Option<u32> {
        self.op.row().format.has('p').then(|| address.wrapping_add_signed(self.immediate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_rows_claim_one_word() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.op as usize, index);
            assert_eq!(row.fixed.0 & !row.fixed.1, 0, "{}", row.mnemonic);
            for other in &ROWS[index + 1..] {
                let common = row.fixed.1 & other.fixed.1;
                if (row.op, other.op) == (Op::Zexth, Op::Pack) {
                    continue;
                }
                assert_ne!(row.fixed.0 & common, other.fixed.0 & common, "{:?} {:?}", row.op, other.op);
            }
        }
    }

    #[test]
    fn roles() {
        let store = Instruction { rs1: 10, rs2: 5, ..Instruction::new(Op::Sw) };
        assert_eq!((store.reads(), store.writes()), (1 << 10 | 1 << 5, 0));
        assert_eq!((Instruction::NOP.reads(), Instruction::NOP.writes()), (0, 0));
        assert_eq!(Instruction { rd: RA, ..Instruction::new(Op::Jal) }.writes(), 1 << RA);
    }
}
