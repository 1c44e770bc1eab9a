//! The instruction set as one table: a row an instruction, with its bit pattern, its operands and
//! what it reads and writes.
//!
//! Source: Microchip DS40002198, "AVR Instruction Set Manual", section 6 (one subsection an
//! instruction: bit pattern and operand ranges) and section 5 (summary). What an instruction computes
//! stands in `meaning`, how long it takes in `cores`.

/// Names an operand of an instruction and says how its bits stand in the opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Register `d`, R0 to R31.
    D,
    /// Register `d`, R16 to R31.
    DHigh,
    /// Register `d`, R16 to R23.
    DMid,
    /// Even register `d` of a pair, R0 to R30.
    DPair,
    /// Even register `d` of a pair, R24 to R30.
    DWord,
    /// Register `r`, R0 to R31.
    R,
    /// Register `r`, R16 to R31.
    RHigh,
    /// Register `r`, R16 to R23.
    RMid,
    /// Even register `r` of a pair, R0 to R30.
    RPair,
    /// Constant of 8 bits in `k`.
    K8,
    /// Constant of 6 bits in `k`.
    K6,
    /// Bit number of a register in `b`.
    Bit,
    /// Number of a status flag in `b`.
    Flag,
    /// I/O address in `k` (5 or 6 bits).
    Io,
    /// Data address of 16 bits in `k`.
    Data,
    /// Signed distance in words in `k`, counted from the next instruction.
    Relative,
    /// Program address in words in `k`.
    Absolute,
    /// `X`, unchanged.
    X,
    /// `X`, incremented after the access.
    XInc,
    /// `X`, decremented before the access.
    XDec,
    /// `Y`, incremented after the access.
    YInc,
    /// `Y`, decremented before the access.
    YDec,
    /// `Y` plus the displacement in `k`, 0 to 63.
    YDisp,
    /// `Z`, unchanged.
    Z,
    /// `Z`, incremented after the access.
    ZInc,
    /// `Z`, decremented before the access.
    ZDec,
    /// `Z` plus the displacement in `k`, 0 to 63.
    ZDisp,
}

/// Whether the explicit register operands are read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// No such operand.
    None,
    /// Read only.
    Read,
    /// Written only.
    Write,
    /// Read and written.
    ReadWrite,
}

pub use rhomb_machine::Class;
use rhomb_machine::pattern::BitPattern;

/// Bits of [`Row::flags_read`] and [`Row::flags_written`], as they stand in SREG.
pub mod flag {
    /// Carry.
    pub const C: usize = 0;
    /// Zero.
    pub const Z: usize = 1;
    /// Negative.
    pub const N: usize = 2;
    /// Two's complement overflow.
    pub const V: usize = 3;
    /// Sign, N xor V.
    pub const S: usize = 4;
    /// Half carry.
    pub const H: usize = 5;
    /// Transfer bit.
    pub const T: usize = 6;
    /// Interrupt enable.
    pub const I: usize = 7;
    /// Their letters, lowest bit first.
    pub const LETTERS: &str = "CZNVSHTI";
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Which instruction.
    pub op: Op,
    /// Mnemonic in lower case.
    pub mnemonic: &'static str,
    /// 16 or 32 places, high bit first: 0, 1, or the letter of a field. `d` and `r` are registers,
    /// `b` a bit or flag number, `k` everything else. Blanks only group.
    pub pattern: BitPattern,
    /// Operands in the order of the assembler.
    pub operands: &'static [Operand],
    /// What happens to register `d`.
    pub d: Role,
    /// What happens to register `r`.
    pub r: Role,
    /// Registers read without being named (bit n is Rn), pointers of operands not included.
    pub also_read: u32,
    /// Registers written without being named.
    pub also_written: u32,
    /// SREG bits read.
    pub flags_read: u8,
    /// SREG bits written.
    pub flags_written: u8,
    /// Class in the counts.
    pub class: Class,
}

impl Row {
    /// Length in 16-bit words.
    pub const fn words(&self) -> usize {
        self.pattern.places as usize / 16
    }

    /// (value, mask) of the fixed bits in the first word.
    pub(crate) const fn first(&self) -> (u16, u16) {
        let BitPattern { value, mask, places, .. } = self.pattern;
        ((value >> (places - 16)) as u16, (mask >> (places - 16)) as u16)
    }
}

const fn flags(letters: &str) -> u8 {
    let (letters, all) = (letters.as_bytes(), flag::LETTERS.as_bytes());
    let (mut at, mut set) = (0, 0);
    while at < letters.len() {
        let mut bit = 0;
        while all[bit] != letters[at] {
            bit += 1;
        }
        set |= 1 << bit;
        at += 1;
    }
    set
}

const R0: u32 = 1;
const R1R0: u32 = 3;
const Z_PAIR: u32 = 3 << 30;

macro_rules! instructions {
    ($($op:ident $mnemonic:literal $pattern:literal [$($operand:ident),*] $d:ident $r:ident
       ($also_read:expr, $also_written:expr) $flags_read:literal $flags_written:literal $class:ident;)*) => {
        /// An instruction without its operands. Aliases (`clr`, `lsl`, `rol`, `tst`, `ser`, `sbr`,
        /// `cbr`, `breq`, `sec` ...) are no instructions of their own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs)] // each variant is its mnemonic and addressing mode
        pub enum Op { $($op),* }

        /// The table, indexed by `Op as usize`.
        pub static ROWS: &[Row] = &[$(Row {
            op: Op::$op,
            mnemonic: $mnemonic,
            pattern: BitPattern::of($pattern),
            operands: &[$(Operand::$operand),*],
            d: Role::$d,
            r: Role::$r,
            also_read: $also_read,
            also_written: $also_written,
            flags_read: flags($flags_read),
            flags_written: flags($flags_written),
            class: Class::$class,
        }),*];
    };
}

instructions! {
    // op     mnemonic  pattern                operands       d         r     also     flags read, written, class
    Add       "add"     "0000 11rd dddd rrrr"  [D, R]         ReadWrite Read  (0, 0)   ""  "HSVNZC"  Add;
    Adc       "adc"     "0001 11rd dddd rrrr"  [D, R]         ReadWrite Read  (0, 0)   "C" "HSVNZC"  Add;
    Adiw      "adiw"    "1001 0110 kkdd kkkk"  [DWord, K6]    ReadWrite None  (0, 0)   ""  "SVNZC"   Add;
    Sub       "sub"     "0001 10rd dddd rrrr"  [D, R]         ReadWrite Read  (0, 0)   ""  "HSVNZC"  Add;
    Subi      "subi"    "0101 kkkk dddd kkkk"  [DHigh, K8]    ReadWrite None  (0, 0)   ""  "HSVNZC"  Add;
    Sbc       "sbc"     "0000 10rd dddd rrrr"  [D, R]         ReadWrite Read  (0, 0)   "CZ" "HSVNZC" Add;
    Sbci      "sbci"    "0100 kkkk dddd kkkk"  [DHigh, K8]    ReadWrite None  (0, 0)   "CZ" "HSVNZC" Add;
    Sbiw      "sbiw"    "1001 0111 kkdd kkkk"  [DWord, K6]    ReadWrite None  (0, 0)   ""  "SVNZC"   Add;
    And       "and"     "0010 00rd dddd rrrr"  [D, R]         ReadWrite Read  (0, 0)   ""  "SVNZ"    Other;
    Andi      "andi"    "0111 kkkk dddd kkkk"  [DHigh, K8]    ReadWrite None  (0, 0)   ""  "SVNZ"    Other;
    Or        "or"      "0010 10rd dddd rrrr"  [D, R]         ReadWrite Read  (0, 0)   ""  "SVNZ"    Other;
    Ori       "ori"     "0110 kkkk dddd kkkk"  [DHigh, K8]    ReadWrite None  (0, 0)   ""  "SVNZ"    Other;
    Eor       "eor"     "0010 01rd dddd rrrr"  [D, R]         ReadWrite Read  (0, 0)   ""  "SVNZ"    Other;
    Com       "com"     "1001 010d dddd 0000"  [D]            ReadWrite None  (0, 0)   ""  "SVNZC"   Other;
    Neg       "neg"     "1001 010d dddd 0001"  [D]            ReadWrite None  (0, 0)   ""  "HSVNZC"  Add;
    Inc       "inc"     "1001 010d dddd 0011"  [D]            ReadWrite None  (0, 0)   ""  "SVNZ"    Add;
    Dec       "dec"     "1001 010d dddd 1010"  [D]            ReadWrite None  (0, 0)   ""  "SVNZ"    Add;
    Mul       "mul"     "1001 11rd dddd rrrr"  [D, R]         Read      Read  (0, R1R0) "" "ZC"      Multiply;
    Muls      "muls"    "0000 0010 dddd rrrr"  [DHigh, RHigh] Read      Read  (0, R1R0) "" "ZC"      Multiply;
    Mulsu     "mulsu"   "0000 0011 0ddd 0rrr"  [DMid, RMid]   Read      Read  (0, R1R0) "" "ZC"      Multiply;
    Fmul      "fmul"    "0000 0011 0ddd 1rrr"  [DMid, RMid]   Read      Read  (0, R1R0) "" "ZC"      Multiply;
    Fmuls     "fmuls"   "0000 0011 1ddd 0rrr"  [DMid, RMid]   Read      Read  (0, R1R0) "" "ZC"      Multiply;
    Fmulsu    "fmulsu"  "0000 0011 1ddd 1rrr"  [DMid, RMid]   Read      Read  (0, R1R0) "" "ZC"      Multiply;

    Rjmp      "rjmp"    "1100 kkkk kkkk kkkk"  [Relative]     None      None  (0, 0)   ""  ""        Other;
    Ijmp      "ijmp"    "1001 0100 0000 1001"  []             None      None  (Z_PAIR, 0) "" ""      Other;
    Eijmp     "eijmp"   "1001 0100 0001 1001"  []             None      None  (Z_PAIR, 0) "" ""      Other;
    Jmp       "jmp"     "1001 010k kkkk 110k kkkk kkkk kkkk kkkk" [Absolute] None None (0, 0) "" ""  Other;
    Rcall     "rcall"   "1101 kkkk kkkk kkkk"  [Relative]     None      None  (0, 0)   ""  ""        Other;
    Icall     "icall"   "1001 0101 0000 1001"  []             None      None  (Z_PAIR, 0) "" ""      Other;
    Eicall    "eicall"  "1001 0101 0001 1001"  []             None      None  (Z_PAIR, 0) "" ""      Other;
    Call      "call"    "1001 010k kkkk 111k kkkk kkkk kkkk kkkk" [Absolute] None None (0, 0) "" ""  Other;
    Ret       "ret"     "1001 0101 0000 1000"  []             None      None  (0, 0)   ""  ""        Other;
    Reti      "reti"    "1001 0101 0001 1000"  []             None      None  (0, 0)   ""  "I"       Other;
    Cpse      "cpse"    "0001 00rd dddd rrrr"  [D, R]         Read      Read  (0, 0)   ""  ""        Other;
    Cp        "cp"      "0001 01rd dddd rrrr"  [D, R]         Read      Read  (0, 0)   ""  "HSVNZC"  Other;
    Cpc       "cpc"     "0000 01rd dddd rrrr"  [D, R]         Read      Read  (0, 0)   "CZ" "HSVNZC" Other;
    Cpi       "cpi"     "0011 kkkk dddd kkkk"  [DHigh, K8]    Read      None  (0, 0)   ""  "HSVNZC"  Other;
    Sbrc      "sbrc"    "1111 110r rrrr 0bbb"  [R, Bit]       None      Read  (0, 0)   ""  ""        Other;
    Sbrs      "sbrs"    "1111 111r rrrr 0bbb"  [R, Bit]       None      Read  (0, 0)   ""  ""        Other;
    Sbic      "sbic"    "1001 1001 kkkk kbbb"  [Io, Bit]      None      None  (0, 0)   ""  ""        Other;
    Sbis      "sbis"    "1001 1011 kkkk kbbb"  [Io, Bit]      None      None  (0, 0)   ""  ""        Other;
    // The flag that a branch reads is operand `b`: see `Instruction::flags_read`.
    Brbs      "brbs"    "1111 00kk kkkk kbbb"  [Flag, Relative] None    None  (0, 0)   ""  ""        Other;
    Brbc      "brbc"    "1111 01kk kkkk kbbb"  [Flag, Relative] None    None  (0, 0)   ""  ""        Other;

    Mov       "mov"     "0010 11rd dddd rrrr"  [D, R]         Write     Read  (0, 0)   ""  ""        Other;
    Movw      "movw"    "0000 0001 dddd rrrr"  [DPair, RPair] Write     Read  (0, 0)   ""  ""        Other;
    Ldi       "ldi"     "1110 kkkk dddd kkkk"  [DHigh, K8]    Write     None  (0, 0)   ""  ""        Other;
    Lds       "lds"     "1001 000d dddd 0000 kkkk kkkk kkkk kkkk" [D, Data] Write None (0, 0) "" "" Load;
    LdX       "ld"      "1001 000d dddd 1100"  [D, X]         Write     None  (0, 0)   ""  ""        Load;
    LdXInc    "ld"      "1001 000d dddd 1101"  [D, XInc]      Write     None  (0, 0)   ""  ""        Load;
    LdXDec    "ld"      "1001 000d dddd 1110"  [D, XDec]      Write     None  (0, 0)   ""  ""        Load;
    LdYInc    "ld"      "1001 000d dddd 1001"  [D, YInc]      Write     None  (0, 0)   ""  ""        Load;
    LdYDec    "ld"      "1001 000d dddd 1010"  [D, YDec]      Write     None  (0, 0)   ""  ""        Load;
    LddY      "ldd"     "10k0 kk0d dddd 1kkk"  [D, YDisp]     Write     None  (0, 0)   ""  ""        Load;
    LdZInc    "ld"      "1001 000d dddd 0001"  [D, ZInc]      Write     None  (0, 0)   ""  ""        Load;
    LdZDec    "ld"      "1001 000d dddd 0010"  [D, ZDec]      Write     None  (0, 0)   ""  ""        Load;
    LddZ      "ldd"     "10k0 kk0d dddd 0kkk"  [D, ZDisp]     Write     None  (0, 0)   ""  ""        Load;
    Sts       "sts"     "1001 001r rrrr 0000 kkkk kkkk kkkk kkkk" [Data, R] None Read (0, 0) "" "" Store;
    StX       "st"      "1001 001r rrrr 1100"  [X, R]         None      Read  (0, 0)   ""  ""        Store;
    StXInc    "st"      "1001 001r rrrr 1101"  [XInc, R]      None      Read  (0, 0)   ""  ""        Store;
    StXDec    "st"      "1001 001r rrrr 1110"  [XDec, R]      None      Read  (0, 0)   ""  ""        Store;
    StYInc    "st"      "1001 001r rrrr 1001"  [YInc, R]      None      Read  (0, 0)   ""  ""        Store;
    StYDec    "st"      "1001 001r rrrr 1010"  [YDec, R]      None      Read  (0, 0)   ""  ""        Store;
    StdY      "std"     "10k0 kk1r rrrr 1kkk"  [YDisp, R]     None      Read  (0, 0)   ""  ""        Store;
    StZInc    "st"      "1001 001r rrrr 0001"  [ZInc, R]      None      Read  (0, 0)   ""  ""        Store;
    StZDec    "st"      "1001 001r rrrr 0010"  [ZDec, R]      None      Read  (0, 0)   ""  ""        Store;
    StdZ      "std"     "10k0 kk1r rrrr 0kkk"  [ZDisp, R]     None      Read  (0, 0)   ""  ""        Store;
    Lpm       "lpm"     "1001 0101 1100 1000"  []             None      None  (Z_PAIR, R0) "" ""     Other;
    LpmZ      "lpm"     "1001 000d dddd 0100"  [D, Z]         Write     None  (0, 0)   ""  ""        Other;
    LpmZInc   "lpm"     "1001 000d dddd 0101"  [D, ZInc]      Write     None  (0, 0)   ""  ""        Other;
    Elpm      "elpm"    "1001 0101 1101 1000"  []             None      None  (Z_PAIR, R0) "" ""     Other;
    ElpmZ     "elpm"    "1001 000d dddd 0110"  [D, Z]         Write     None  (0, 0)   ""  ""        Other;
    ElpmZInc  "elpm"    "1001 000d dddd 0111"  [D, ZInc]      Write     None  (0, 0)   ""  ""        Other;
    Spm       "spm"     "1001 0101 1110 1000"  []             None      None  (R1R0 | Z_PAIR, 0) "" "" Other;
    SpmZInc   "spm"     "1001 0101 1111 1000"  [ZInc]         None      None  (R1R0, 0) "" ""        Other;
    In        "in"      "1011 0kkd dddd kkkk"  [D, Io]        Write     None  (0, 0)   ""  ""        Other;
    Out       "out"     "1011 1kkr rrrr kkkk"  [Io, R]        None      Read  (0, 0)   ""  ""        Other;
    Push      "push"    "1001 001r rrrr 1111"  [R]            None      Read  (0, 0)   ""  ""        Store;
    Pop       "pop"     "1001 000d dddd 1111"  [D]            Write     None  (0, 0)   ""  ""        Load;

    Lsr       "lsr"     "1001 010d dddd 0110"  [D]            ReadWrite None  (0, 0)   ""  "SVNZC"   Other;
    Ror       "ror"     "1001 010d dddd 0111"  [D]            ReadWrite None  (0, 0)   "C" "SVNZC"   Other;
    Asr       "asr"     "1001 010d dddd 0101"  [D]            ReadWrite None  (0, 0)   ""  "SVNZC"   Other;
    Swap      "swap"    "1001 010d dddd 0010"  [D]            ReadWrite None  (0, 0)   ""  ""        Other;
    // The flag that these two write is operand `b`: see `Instruction::flags_written`.
    Bset      "bset"    "1001 0100 0bbb 1000"  [Flag]         None      None  (0, 0)   ""  ""        Other;
    Bclr      "bclr"    "1001 0100 1bbb 1000"  [Flag]         None      None  (0, 0)   ""  ""        Other;
    Sbi       "sbi"     "1001 1010 kkkk kbbb"  [Io, Bit]      None      None  (0, 0)   ""  ""        Other;
    Cbi       "cbi"     "1001 1000 kkkk kbbb"  [Io, Bit]      None      None  (0, 0)   ""  ""        Other;
    Bst       "bst"     "1111 101r rrrr 0bbb"  [R, Bit]       None      Read  (0, 0)   ""  "T"       Other;
    Bld       "bld"     "1111 100d dddd 0bbb"  [D, Bit]       ReadWrite None  (0, 0)   "T" ""        Other;

    Break     "break"   "1001 0101 1001 1000"  []             None      None  (0, 0)   ""  ""        Other;
    Nop       "nop"     "0000 0000 0000 0000"  []             None      None  (0, 0)   ""  ""        Other;
    Sleep     "sleep"   "1001 0101 1000 1000"  []             None      None  (0, 0)   ""  ""        Other;
    Wdr       "wdr"     "1001 0101 1010 1000"  []             None      None  (0, 0)   ""  ""        Other;
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
    /// Register `d` (0 to 31).
    pub d: u8,
    /// Register `r` (0 to 31).
    pub r: u8,
    /// Bit or flag number (0 to 7).
    pub b: u8,
    /// Constant, displacement, I/O or data address, or distance or address in words.
    pub k: i32,
}

impl Instruction {
    /// An instruction without operands; set the fields it has.
    pub const fn new(op: Op) -> Self {
        Instruction { op, d: 0, r: 0, b: 0, k: 0 }
    }
    /// With destination and source register.
    pub const fn dr(op: Op, d: u8, r: u8) -> Self {
        Instruction { op, d, r, b: 0, k: 0 }
    }
    /// With register `d` and a constant.
    pub const fn dk(op: Op, d: u8, k: i32) -> Self {
        Instruction { op, d, r: 0, b: 0, k }
    }
    /// With register `r` and a constant.
    pub const fn rk(op: Op, r: u8, k: i32) -> Self {
        Instruction { op, d: 0, r, b: 0, k }
    }

    /// The SREG bits that it reads.
    pub fn flags_read(&self) -> u8 {
        match self.op {
            Op::Brbs | Op::Brbc => 1 << self.b,
            op => op.row().flags_read,
        }
    }

    /// The SREG bits that it writes.
    pub fn flags_written(&self) -> u8 {
        match self.op {
            Op::Bset | Op::Bclr => 1 << self.b,
            op => op.row().flags_written,
        }
    }

    /// The registers that it reads (bit n is Rn).
    pub fn registers_read(&self) -> u32 {
        self.registers(|role| matches!(role, Role::Read | Role::ReadWrite), |row| row.also_read)
            | self.op.row().operands.iter().map(|operand| operand.pointer().0).sum::<u32>()
    }

    /// The registers that it writes.
    pub fn registers_written(&self) -> u32 {
        self.registers(|role| matches!(role, Role::Write | Role::ReadWrite), |row| row.also_written)
            | self.op.row().operands.iter().map(|operand| operand.pointer().1).sum::<u32>()
    }

    fn registers(&self, wanted: impl Fn(Role) -> bool, also: impl Fn(&Row) -> u32) -> u32 {
        let row = self.op.row();
        let wide = |pair: &[Operand]| {
            if row.operands.iter().any(|operand| pair.contains(operand)) { 3u32 } else { 1 }
        };
        let mut set = also(row);
        if wanted(row.d) {
            set |= wide(&[Operand::DPair, Operand::DWord]) << self.d;
        }
        if wanted(row.r) {
            set |= wide(&[Operand::RPair]) << self.r;
        }
        set
    }
}

impl Operand {
    /// Pointer registers that the operand reads, and those that it changes.
    pub fn pointer(self) -> (u32, u32) {
        let (x, y, z) = (3 << 26, 3 << 28, Z_PAIR);
        match self {
            Operand::X => (x, 0),
            Operand::XInc | Operand::XDec => (x, x),
            Operand::YDisp => (y, 0),
            Operand::YInc | Operand::YDec => (y, y),
            Operand::Z | Operand::ZDisp => (z, 0),
            Operand::ZInc | Operand::ZDec => (z, z),
            _ => (0, 0),
        }
    }

    /// Smallest and largest value of the field behind the operand, and the step between legal ones.
    pub fn range(self) -> (i32, i32, i32) {
        match self {
            Operand::D | Operand::R => (0, 31, 1),
            Operand::DHigh | Operand::RHigh => (16, 31, 1),
            Operand::DMid | Operand::RMid => (16, 23, 1),
            Operand::DPair | Operand::RPair => (0, 30, 2),
            Operand::DWord => (24, 30, 2),
            Operand::K8 => (0, 255, 1),
            Operand::K6 | Operand::YDisp | Operand::ZDisp => (0, 63, 1),
            Operand::Bit | Operand::Flag => (0, 7, 1),
            // the width of these fields differs from row to row: the encoder checks it
            Operand::Io => (0, 63, 1),
            Operand::Data => (0, 0xffff, 1),
            Operand::Relative => (-2048, 2047, 1),
            Operand::Absolute => (0, 0x3f_ffff, 1),
            _ => (0, 0, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_their_operations() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.op as usize, index);
            assert!([16, 32].contains(&row.pattern.places), "{}", row.mnemonic);
        }
    }

    #[test]
    fn roles_cover_pairs_and_pointers() {
        let movw = Instruction::dr(Op::Movw, 24, 0);
        assert_eq!((movw.registers_read(), movw.registers_written()), (3, 3 << 24));
        let load = Instruction::dk(Op::LdXInc, 5, 0);
        assert_eq!((load.registers_read(), load.registers_written()), (3 << 26, 1 << 5 | 3 << 26));
        let mul = Instruction::dr(Op::Mul, 4, 9);
        assert_eq!((mul.registers_read(), mul.registers_written()), (1 << 4 | 1 << 9, 3));
    }
}
