//! The instruction set as one table: a row an instruction, with its bit pattern, its operands and what it
//! reads and writes.
//!
//! Source: MIPS Technologies MD00086, "MIPS32 Architecture for Programmers, Volume II: The MIPS32
//! Instruction Set", release 1: chapter 3 has one section an instruction with its format. The integer
//! instructions of user mode are here; coprocessors are not. What an instruction computes stands in
//! `meaning`, how long it takes in `cores`. Instructions that an [extension](crate::extension) adds are
//! rows of their own, made from its file.

use rhomb_machine::pattern::BitPattern;
use std::borrow::Cow;

/// Letters of fields in patterns: the registers rs, rt and rd, the shift amount, and everything else.
pub(crate) const LETTERS: [u8; 5] = *b"stdai";

/// A register, 0 to 31.
pub type Register = u8;

/// Registers of the exception handler, k0 and k1, as a set.
pub(crate) const KERNEL: u64 = 3 << 26;
/// Global pointer.
pub const GP: Register = 28;
/// Stack pointer.
pub const SP: Register = 29;
/// Frame pointer, or a ninth saved register.
pub const FP: Register = 30;
/// Where a routine returns to.
pub const RA: Register = 31;

/// An operand, as the assembler has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// Register rs.
    Rs,
    /// Register rt.
    Rt,
    /// Register rd.
    Rd,
    /// A number of 5 bits.
    Sa,
    /// A number of 16 bits with a sign.
    Signed,
    /// A number without a sign, as wide as its field.
    Unsigned,
    /// A number of 16 bits with a sign, and register rs as the base: `offset(rs)`.
    Memory,
    /// Distance to the target in instructions, counted from the delay slot.
    Branch,
    /// Target within 256 MB, in instructions from the start of these.
    Jump,
    /// The two halves of a number of 20 bits, the low one left out where it is 0.
    Halves,
    /// A number that is left out where it is 0.
    Code,
    /// Register 0, as the assembler wants it in front of a division's operands.
    Zero,
}

/// What kind of work an instruction is, for the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Arithmetic, logic, shifts, comparisons.
    Plain,
    /// From memory into a register.
    Load,
    /// From a register into memory.
    Store,
    /// Branches and jumps.
    Branch,
    /// Products into the accumulator, added or not.
    Product,
    /// A product into a register.
    ProductToRegister,
    /// Signed division.
    Divide,
    /// Unsigned division.
    DivideUnsigned,
    /// From the accumulator into a register.
    FromAccumulator,
    /// From a register into the accumulator.
    ToAccumulator,
    /// For the operating system, debuggers and caches.
    System,
    /// Added by an extension, whose file has its time.
    Extension,
}

pub use rhomb_machine::Class;

/// What an instruction reads or writes: rs, rt, rd, or one of the fixed registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles(u8);

impl Roles {
    /// By letters: `s`, `t`, `d` for the named registers, `L` and `H` for LO and HI, `G` for the guard bits
    /// above HI, `R` for register 31.
    pub(crate) const fn of(letters: &str) -> Self {
        let (letters, all) = (letters.as_bytes(), b"stdLHGR");
        let (mut at, mut set) = (0, 0);
        while at < letters.len() {
            let mut bit = 0;
            while all[bit] != letters[at] {
                bit += 1;
            }
            set |= 1 << bit;
            at += 1;
        }
        Roles(set)
    }

    /// Adds one by its letter.
    pub(crate) fn add(&mut self, letter: &str) {
        self.0 |= Roles::of(letter).0;
    }

    /// The registers that these are in an instruction, as in [`LO`], [`HI`] and [`GUARD`]; register 0 is none.
    fn set(self, instruction: &Instruction) -> u64 {
        let bit = |place: u32, register: u64| if self.0 >> place & 1 == 1 { register } else { 0 };
        let named = bit(0, 1 << instruction.rs) | bit(1, 1 << instruction.rt) | bit(2, 1 << instruction.rd);
        (named | bit(3, LO) | bit(4, HI) | bit(5, GUARD) | bit(6, 1 << RA)) & !1
    }
}

/// Bit of LO in a set of registers, whose bit n is register n.
pub const LO: u64 = 1 << 32;
/// Bit of HI.
pub const HI: u64 = 1 << 33;
/// Bit of the guard bits above HI.
pub const GUARD: u64 = 1 << 34;

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which instruction.
    pub op: Op,
    /// Mnemonic in lower case.
    pub mnemonic: Cow<'static, str>,
    /// 32 places, high bit first: 0, 1, or the letter of a field. `s`, `t` and `d` are the registers rs, rt and
    /// rd, `a` the shift amount, `i` everything else. Blanks only group.
    pub pattern: BitPattern,
    /// Operands in the order of the assembler.
    pub operands: Cow<'static, [Operand]>,
    /// What it reads.
    pub reads: Roles,
    /// What it writes.
    pub writes: Roles,
    /// Kind of work.
    pub kind: Kind,
    /// Class in the counts.
    pub class: Class,
}

macro_rules! instructions {
    ($($op:ident $mnemonic:literal $pattern:literal [$($operand:ident),*] $reads:literal $writes:literal
       $kind:ident $class:ident;)*) => {
        /// An instruction without its operands. Aliases (`nop`, `move`, `b`, `li` ...) are no instructions
        /// of their own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs)] // each variant is its mnemonic
        pub enum Op {
            $($op,)*
            /// Number `custom` of the instructions that extensions add.
            Custom,
        }

        /// The table, indexed by `Op as usize`.
        pub static ROWS: &[Row] = &[$(Row {
            op: Op::$op,
            mnemonic: Cow::Borrowed($mnemonic),
            pattern: BitPattern::of($pattern),
            operands: Cow::Borrowed(&[$(Operand::$operand),*]),
            reads: Roles::of($reads),
            writes: Roles::of($writes),
            kind: Kind::$kind,
            class: Class::$class,
        }),*];
    };
}

instructions! {
    // op   mnemonic  pattern                                 operands         reads  writes kind   class
    Sll     "sll"     "000000 00000 ttttt ddddd aaaaa 000000" [Rd, Rt, Sa]     "t"    "d"    Plain  Other;
    Srl     "srl"     "000000 00000 ttttt ddddd aaaaa 000010" [Rd, Rt, Sa]     "t"    "d"    Plain  Other;
    Sra     "sra"     "000000 00000 ttttt ddddd aaaaa 000011" [Rd, Rt, Sa]     "t"    "d"    Plain  Other;
    Sllv    "sllv"    "000000 sssss ttttt ddddd 00000 000100" [Rd, Rt, Rs]     "st"   "d"    Plain  Other;
    Srlv    "srlv"    "000000 sssss ttttt ddddd 00000 000110" [Rd, Rt, Rs]     "st"   "d"    Plain  Other;
    Srav    "srav"    "000000 sssss ttttt ddddd 00000 000111" [Rd, Rt, Rs]     "st"   "d"    Plain  Other;
    Add     "add"     "000000 sssss ttttt ddddd 00000 100000" [Rd, Rs, Rt]     "st"   "d"    Plain  Add;
    Addu    "addu"    "000000 sssss ttttt ddddd 00000 100001" [Rd, Rs, Rt]     "st"   "d"    Plain  Add;
    Sub     "sub"     "000000 sssss ttttt ddddd 00000 100010" [Rd, Rs, Rt]     "st"   "d"    Plain  Add;
    Subu    "subu"    "000000 sssss ttttt ddddd 00000 100011" [Rd, Rs, Rt]     "st"   "d"    Plain  Add;
    And     "and"     "000000 sssss ttttt ddddd 00000 100100" [Rd, Rs, Rt]     "st"   "d"    Plain  Other;
    Or      "or"      "000000 sssss ttttt ddddd 00000 100101" [Rd, Rs, Rt]     "st"   "d"    Plain  Other;
    Xor     "xor"     "000000 sssss ttttt ddddd 00000 100110" [Rd, Rs, Rt]     "st"   "d"    Plain  Other;
    Nor     "nor"     "000000 sssss ttttt ddddd 00000 100111" [Rd, Rs, Rt]     "st"   "d"    Plain  Other;
    Slt     "slt"     "000000 sssss ttttt ddddd 00000 101010" [Rd, Rs, Rt]     "st"   "d"    Plain  Other;
    Sltu    "sltu"    "000000 sssss ttttt ddddd 00000 101011" [Rd, Rs, Rt]     "st"   "d"    Plain  Other;
    // these two keep rd where they do not move
    Movz    "movz"    "000000 sssss ttttt ddddd 00000 001010" [Rd, Rs, Rt]     "std"  "d"    Plain  Other;
    Movn    "movn"    "000000 sssss ttttt ddddd 00000 001011" [Rd, Rs, Rt]     "std"  "d"    Plain  Other;
    Addi    "addi"    "001000 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Rs, Signed] "s"    "t"    Plain  Add;
    Addiu   "addiu"   "001001 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Rs, Signed] "s"    "t"    Plain  Add;
    Slti    "slti"    "001010 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Rs, Signed] "s"    "t"    Plain  Other;
    Sltiu   "sltiu"   "001011 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Rs, Signed] "s"    "t"    Plain  Other;
    Andi    "andi"    "001100 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Rs, Unsigned] "s"  "t"    Plain  Other;
    Ori     "ori"     "001101 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Rs, Unsigned] "s"  "t"    Plain  Other;
    Xori    "xori"    "001110 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Rs, Unsigned] "s"  "t"    Plain  Other;
    Lui     "lui"     "001111 00000 ttttt iiiiiiiiiiiiiiii"   [Rt, Unsigned]   ""     "t"    Plain  Other;
    // rt and rd are the same register here (MD00086, CLO and CLZ)
    Clz     "clz"     "011100 sssss ttttt ddddd 00000 100000" [Rd, Rs]         "s"    "d"    Plain  Other;
    Clo     "clo"     "011100 sssss ttttt ddddd 00000 100001" [Rd, Rs]         "s"    "d"    Plain  Other;

    Mult    "mult"    "000000 sssss ttttt 00000 00000 011000" [Rs, Rt]         "st"   "LHG"  Product Multiply;
    Multu   "multu"   "000000 sssss ttttt 00000 00000 011001" [Rs, Rt]         "st"   "LHG"  Product Multiply;
    Madd    "madd"    "011100 sssss ttttt 00000 00000 000000" [Rs, Rt]         "stLH" "LHG"  Product Multiply;
    Maddu   "maddu"   "011100 sssss ttttt 00000 00000 000001" [Rs, Rt]         "stLH" "LHG"  Product Multiply;
    Msub    "msub"    "011100 sssss ttttt 00000 00000 000100" [Rs, Rt]         "stLH" "LHG"  Product Multiply;
    Msubu   "msubu"   "011100 sssss ttttt 00000 00000 000101" [Rs, Rt]         "stLH" "LHG"  Product Multiply;
    Mul     "mul"     "011100 sssss ttttt ddddd 00000 000010" [Rd, Rs, Rt]     "st"   "dLHG" ProductToRegister Multiply;
    Div     "div"     "000000 sssss ttttt 00000 00000 011010" [Zero, Rs, Rt]   "st"   "LHG"  Divide Other;
    Divu    "divu"    "000000 sssss ttttt 00000 00000 011011" [Zero, Rs, Rt]   "st"   "LHG"  DivideUnsigned Other;
    Mfhi    "mfhi"    "000000 00000 00000 ddddd 00000 010000" [Rd]             "H"    "d"    FromAccumulator Other;
    Mflo    "mflo"    "000000 00000 00000 ddddd 00000 010010" [Rd]             "L"    "d"    FromAccumulator Other;
    Mthi    "mthi"    "000000 sssss 00000 00000 00000 010001" [Rs]             "s"    "HG"   ToAccumulator Other;
    Mtlo    "mtlo"    "000000 sssss 00000 00000 00000 010011" [Rs]             "s"    "L"    ToAccumulator Other;

    Lb      "lb"      "100000 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Memory]     "s"    "t"    Load   Load;
    Lh      "lh"      "100001 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Memory]     "s"    "t"    Load   Load;
    // these two keep a part of rt
    Lwl     "lwl"     "100010 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Memory]     "st"   "t"    Load   Load;
    Lwr     "lwr"     "100110 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Memory]     "st"   "t"    Load   Load;
    Lw      "lw"      "100011 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Memory]     "s"    "t"    Load   Load;
    Lbu     "lbu"     "100100 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Memory]     "s"    "t"    Load   Load;
    Lhu     "lhu"     "100101 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Memory]     "s"    "t"    Load   Load;
    Sb      "sb"      "101000 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Memory]     "st"   ""     Store  Store;
    Sh      "sh"      "101001 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Memory]     "st"   ""     Store  Store;
    Swl     "swl"     "101010 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Memory]     "st"   ""     Store  Store;
    Sw      "sw"      "101011 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Memory]     "st"   ""     Store  Store;
    Swr     "swr"     "101110 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Memory]     "st"   ""     Store  Store;
    Ll      "ll"      "110000 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Memory]     "s"    "t"    Load   Load;
    Sc      "sc"      "111000 sssss ttttt iiiiiiiiiiiiiiii"   [Rt, Memory]     "st"   "t"    Store  Store;

    J       "j"       "000010 iiiiiiiiiiiiiiiiiiiiiiiiii"     [Jump]           ""     ""     Branch Other;
    Jal     "jal"     "000011 iiiiiiiiiiiiiiiiiiiiiiiiii"     [Jump]           ""     "R"    Branch Other;
    Jr      "jr"      "000000 sssss 00000 00000 00000 001000" [Rs]             "s"    ""     Branch Other;
    Jalr    "jalr"    "000000 sssss 00000 ddddd 00000 001001" [Rd, Rs]         "s"    "d"    Branch Other;
    Beq     "beq"     "000100 sssss ttttt iiiiiiiiiiiiiiii"   [Rs, Rt, Branch] "st"   ""     Branch Other;
    Bne     "bne"     "000101 sssss ttttt iiiiiiiiiiiiiiii"   [Rs, Rt, Branch] "st"   ""     Branch Other;
    Blez    "blez"    "000110 sssss 00000 iiiiiiiiiiiiiiii"   [Rs, Branch]     "s"    ""     Branch Other;
    Bgtz    "bgtz"    "000111 sssss 00000 iiiiiiiiiiiiiiii"   [Rs, Branch]     "s"    ""     Branch Other;
    Bltz    "bltz"    "000001 sssss 00000 iiiiiiiiiiiiiiii"   [Rs, Branch]     "s"    ""     Branch Other;
    Bgez    "bgez"    "000001 sssss 00001 iiiiiiiiiiiiiiii"   [Rs, Branch]     "s"    ""     Branch Other;
    Bltzal  "bltzal"  "000001 sssss 10000 iiiiiiiiiiiiiiii"   [Rs, Branch]     "s"    "R"    Branch Other;
    Bgezal  "bgezal"  "000001 sssss 10001 iiiiiiiiiiiiiiii"   [Rs, Branch]     "s"    "R"    Branch Other;
    Beql    "beql"    "010100 sssss ttttt iiiiiiiiiiiiiiii"   [Rs, Rt, Branch] "st"   ""     Branch Other;
    Bnel    "bnel"    "010101 sssss ttttt iiiiiiiiiiiiiiii"   [Rs, Rt, Branch] "st"   ""     Branch Other;
    Blezl   "blezl"   "010110 sssss 00000 iiiiiiiiiiiiiiii"   [Rs, Branch]     "s"    ""     Branch Other;
    Bgtzl   "bgtzl"   "010111 sssss 00000 iiiiiiiiiiiiiiii"   [Rs, Branch]     "s"    ""     Branch Other;
    Bltzl   "bltzl"   "000001 sssss 00010 iiiiiiiiiiiiiiii"   [Rs, Branch]     "s"    ""     Branch Other;
    Bgezl   "bgezl"   "000001 sssss 00011 iiiiiiiiiiiiiiii"   [Rs, Branch]     "s"    ""     Branch Other;
    Bltzall "bltzall" "000001 sssss 10010 iiiiiiiiiiiiiiii"   [Rs, Branch]     "s"    "R"    Branch Other;
    Bgezall "bgezall" "000001 sssss 10011 iiiiiiiiiiiiiiii"   [Rs, Branch]     "s"    "R"    Branch Other;

    Tge     "tge"     "000000 sssss ttttt iiiiiiiiii 110000"  [Rs, Rt, Code]   "st"   ""     Plain  Other;
    Tgeu    "tgeu"    "000000 sssss ttttt iiiiiiiiii 110001"  [Rs, Rt, Code]   "st"   ""     Plain  Other;
    Tlt     "tlt"     "000000 sssss ttttt iiiiiiiiii 110010"  [Rs, Rt, Code]   "st"   ""     Plain  Other;
    Tltu    "tltu"    "000000 sssss ttttt iiiiiiiiii 110011"  [Rs, Rt, Code]   "st"   ""     Plain  Other;
    Teq     "teq"     "000000 sssss ttttt iiiiiiiiii 110100"  [Rs, Rt, Code]   "st"   ""     Plain  Other;
    Tne     "tne"     "000000 sssss ttttt iiiiiiiiii 110110"  [Rs, Rt, Code]   "st"   ""     Plain  Other;
    Tgei    "tgei"    "000001 sssss 01000 iiiiiiiiiiiiiiii"   [Rs, Signed]     "s"    ""     Plain  Other;
    Tgeiu   "tgeiu"   "000001 sssss 01001 iiiiiiiiiiiiiiii"   [Rs, Signed]     "s"    ""     Plain  Other;
    Tlti    "tlti"    "000001 sssss 01010 iiiiiiiiiiiiiiii"   [Rs, Signed]     "s"    ""     Plain  Other;
    Tltiu   "tltiu"   "000001 sssss 01011 iiiiiiiiiiiiiiii"   [Rs, Signed]     "s"    ""     Plain  Other;
    Teqi    "teqi"    "000001 sssss 01100 iiiiiiiiiiiiiiii"   [Rs, Signed]     "s"    ""     Plain  Other;
    Tnei    "tnei"    "000001 sssss 01110 iiiiiiiiiiiiiiii"   [Rs, Signed]     "s"    ""     Plain  Other;
    Syscall "syscall" "000000 iiiiiiiiiiiiiiiiiiii 001100"    [Code]           ""     ""     System Other;
    Break   "break"   "000000 iiiiiiiiiiiiiiiiiiii 001101"    [Halves]         ""     ""     System Other;
    Sdbbp   "sdbbp"   "011100 iiiiiiiiiiiiiiiiiiii 111111"    [Code]           ""     ""     System Other;
    Sync    "sync"    "000000 00000 00000 00000 00000 001111" []               ""     ""     System Other;
    Pref    "pref"    "110011 sssss aaaaa iiiiiiiiiiiiiiii"   [Sa, Memory]     "s"    ""     Plain  Other;
    Cache   "cache"   "101111 sssss aaaaa iiiiiiiiiiiiiiii"   [Sa, Memory]     "s"    ""     System Other;
}

impl Op {
    /// The instruction's row; `None` for what extensions add.
    pub fn row(self) -> Option<&'static Row> {
        ROWS.get(self as usize)
    }
}

/// An instruction with its operands; fields that it lacks are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// Which instruction.
    pub op: Op,
    /// Register rs, 0 to 31.
    pub rs: Register,
    /// Register rt, 0 to 31.
    pub rt: Register,
    /// Register rd, 0 to 31.
    pub rd: Register,
    /// Shift amount, or what stands in its place: 0 to 31.
    pub sa: u8,
    /// Which instruction among those that extensions add, for [`Op::Custom`].
    pub custom: u8,
    /// Every other operand: a number, a distance in instructions from the delay slot, a jump's target.
    pub immediate: i32,
}

impl Instruction {
    /// `sll $0, $0, 0`.
    pub const NOP: Instruction = Instruction::new(Op::Sll);

    /// An instruction without operands; set the fields it has.
    pub const fn new(op: Op) -> Self {
        Instruction { op, rs: 0, rt: 0, rd: 0, sa: 0, custom: 0, immediate: 0 }
    }
    /// With registers rd, rs and rt.
    pub const fn rd_rs_rt(op: Op, rd: Register, rs: Register, rt: Register) -> Self {
        Instruction { rd, rs, rt, ..Instruction::new(op) }
    }
    /// With registers rs and rt.
    pub const fn rs_rt(op: Op, rs: Register, rt: Register) -> Self {
        Instruction { rs, rt, ..Instruction::new(op) }
    }
    /// With registers rt and rs and a number: immediates, loads and stores.
    pub const fn rt_rs_immediate(op: Op, rt: Register, rs: Register, immediate: i32) -> Self {
        Instruction { rt, rs, immediate, ..Instruction::new(op) }
    }

    /// The registers that it reads, by its row: bit n is register n, see also [`LO`], [`HI`] and [`GUARD`].
    pub fn reads(&self, row: &Row) -> u64 {
        row.reads.set(self)
    }

    /// The registers that it writes, by its row.
    pub fn writes(&self, row: &Row) -> u64 {
        row.writes.set(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_their_operations() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.op as usize, index);
            assert_eq!(row.pattern.places, 32, "{}", row.mnemonic);
        }
        assert!(Op::Custom.row().is_none());
    }

    #[test]
    fn no_two_rows_claim_one_word() {
        for (index, row) in ROWS.iter().enumerate() {
            for other in &ROWS[index + 1..] {
                assert!(!row.pattern.meets(&other.pattern), "{:?} {:?}", row.op, other.op);
            }
        }
    }

    #[test]
    fn roles() {
        let maddu = Instruction::rs_rt(Op::Maddu, 4, 9);
        let row = Op::Maddu.row().unwrap();
        assert_eq!(maddu.reads(row), 1 << 4 | 1 << 9 | LO | HI);
        assert_eq!(maddu.writes(row), LO | HI | GUARD);
        // register 0 is no register
        let nop = Instruction::NOP;
        assert_eq!((nop.reads(&ROWS[0]), nop.writes(&ROWS[0])), (0, 0));
        let jal = Instruction::new(Op::Jal);
        assert_eq!(jal.writes(Op::Jal.row().unwrap()), 1 << RA);
    }
}
