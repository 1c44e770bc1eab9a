//! The forms, one row each.

use super::Level;
use crate::extension::{Extension, Singles};
use crate::instructions::{
    Action, Address, BlockMode, Condition, DataOp, Indexing, Instruction, LR, Offset, PC, Register, SP,
    ShiftKind, Shifter, Size,
};
use crate::later::{Bits, Later, Nothing, Unary};
use crate::unpredictable::unaligned_pc;
use rhomb_machine::pattern::BitPattern;

/// The last operand of data processing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// Register m as it is.
    Plain,
    /// Register m, shifted in this way by a number.
    Shift(ShiftKind),
    /// Register m, shifted by a number in the way of field k.
    Shifted,
    /// Register n, shifted in this way by register m.
    By(ShiftKind),
    /// The same in the way of field k.
    ByShift,
    /// The number.
    Number,
    /// A number that is made of 12 bits (A5.3.2).
    Modified,
}
use Last::{By, ByShift, Modified, Number, Plain, Shift, Shifted};

/// When data processing sets flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// Outside of IT blocks.
    Outside,
    /// As field f says.
    Field,
    Always,
    Never,
}
use Set::{Always, Field, Never, Outside};

/// What a form is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Data(DataOp, Set, Last),
    /// `d = n * m [+ s]`.
    Multiply(Set, bool),
    Subtract,
    /// `s:d = n * m`, signed, accumulated.
    Long(bool, bool),
    Umaal,
    /// A load or not, and how much.
    Transfer(bool, Size),
    Double(bool),
    Block(bool, BlockMode),
    /// Of the stack: a load or not.
    Stack(bool),
    Branch,
    Call,
    Exchange,
    CallExchange,
    Compare(bool),
    Top,
    Field(Bits),
    Unary(Unary),
    /// Of a rotated register; added to another one or not.
    Extend(Unary, bool),
    /// The upper or the lower halfword stays.
    Pack(bool),
    /// Products of halfwords; added to another register or not.
    Halves(bool),
    If,
    Nothing(Nothing),
    /// Words to the core or from it, by pairs or one by one.
    Words(bool, bool),
    /// A load or not, by pairs or one by one.
    Extended(bool, bool),
    /// The same of several.
    Several(bool, bool, BlockMode),
}

/// A row of the table. In the pattern, `d`, `n`, `m` and `s` are registers, `b` is d and n, `e` is d and m; `k` a kind of
/// shift, `f` whether flags are set, `c` a condition, `r` a list of registers, `x` LR or PC in it, `p`, `u` and `v` the bits
/// P, U and W of an address, `w` a width or a mask; of the extension's registers
/// `q` is the number and `h` its bit 0 or, where they are taken in pairs, `q` the pair.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) pattern: BitPattern,
    op: Op,
    pub(super) level: Level,
    pub(super) wide: bool,
    /// Fields that must be neither SP nor PC; those in capitals must not be PC.
    but: &'static str,
}

const fn row(pattern: &'static str, op: Op, level: Level, but: &'static str) -> Row {
    let pattern = BitPattern::of(pattern);
    Row { pattern, op, level, wide: pattern.places == 32, but }
}

/// A form of ARMv6-M with 16 bits.
const fn low(pattern: &'static str, op: Op) -> Row {
    row(pattern, op, Level::V6m, "")
}

const fn data(pattern: &'static str, op: DataOp, set: Set, last: Last) -> Row {
    low(pattern, Op::Data(op, set, last))
}

/// A form of ARMv7-M with 32 bits.
const fn main(pattern: &'static str, op: Op, but: &'static str) -> Row {
    row(pattern, op, Level::V7m, but)
}

/// A form of the floating-point extension.
const fn extension(pattern: &'static str, op: Op, but: &'static str) -> Row {
    row(pattern, op, Level::V7emFp, but)
}

macro_rules! rows {
    (wide $($op:ident $code:literal)*; compare $($test:ident $number:literal $but:literal)*;
     copy $($copy:ident $bits:literal)*; memory $($load:literal $size:ident $sign:literal $kind:literal)*;
     $($row:expr;)*) => {
        pub(super) static ROWS: &[Row] = &[
            $($row,)*
            $(main(concat!("11110 L 0", $code, "f nnnn 0 KJI dddd HGFEDCBA"), Op::Data(DataOp::$op, Field, Modified), "dn"),
              main(concat!("1110101", $code, "f nnnn 0 EDC dddd BA kk mmmm"), Op::Data(DataOp::$op, Field, Shifted), "dnm"),)*
            $(main(concat!("11110 L 0", $number, "1 nnnn 0 KJI 1111 HGFEDCBA"), Op::Data(DataOp::$test, Always, Modified), $but),
              main(concat!("1110101", $number, "1 nnnn 0 EDC 1111 BA kk mmmm"), Op::Data(DataOp::$test, Always, Shifted),
                   concat!($but, "m")),)*
            $(main(concat!("11110 L 0", $bits, "f 1111 0 KJI dddd HGFEDCBA"), Op::Data(DataOp::$copy, Field, Modified), "d"),
              main(concat!("1110101", $bits, "f 1111 0 EDC dddd BA kk mmmm"), Op::Data(DataOp::$copy, Field, Shifted), "dm"),)*
            $(main(concat!("1111100", $sign, "1", $kind, "nnnn dddd LKJIHGFEDCBA"), Op::Transfer($load, Size::$size), "N"),
              main(concat!("1111100", $sign, "0", $kind, "nnnn dddd 1 puv HGFEDCBA"), Op::Transfer($load, Size::$size), "N"),
              main(concat!("1111100", $sign, "0", $kind, "nnnn dddd 000000 BA mmmm"), Op::Transfer($load, Size::$size), "Nm"),
              main(concat!("1111100", $sign, "u", $kind, "1111 dddd LKJIHGFEDCBA"), Op::Transfer($load, Size::$size), ""),)*
            // A5.3.3: numbers that have no shorter name
            main("11110 L 100000 nnnn 0 KJI dddd HGFEDCBA", Op::Data(DataOp::Add, Never, Number), "d"),
            main("11110 L 101010 nnnn 0 KJI dddd HGFEDCBA", Op::Data(DataOp::Sub, Never, Number), "d"),
            row("11110 L 100100 PONM 0 KJI dddd HGFEDCBA", Op::Data(DataOp::Mov, Never, Number), Level::V8mBaseline, "d"),
        ];
    };
}

rows! {
    // A5.3.1, A5.3.11
    wide And "0000" Bic "0001" Orr "0010" Eor "0100" Add "1000" Adc "1010" Sbc "1011" Sub "1101" Rsb "1110";
    compare Tst "0000" "n" Teq "0100" "n" Cmn "1000" "N" Cmp "1101" "N";
    copy Mov "0010" Mvn "0011";
    // A5.3.7 to A5.3.10
    memory
        false Byte "0" "000" true Byte "0" "001" false Half "0" "010" true Half "0" "011" false Word "0" "100"
        true Word "0" "101" true SignedByte "1" "001" true SignedHalf "1" "011";
    // DDI 0403E, A5.2.1
    data("00000 EDCBA mmm ddd", DataOp::Mov, Outside, Shift(ShiftKind::Lsl));
    data("00001 EDCBA mmm ddd", DataOp::Mov, Outside, Shift(ShiftKind::Lsr));
    data("00010 EDCBA mmm ddd", DataOp::Mov, Outside, Shift(ShiftKind::Asr));
    data("0001100 mmm nnn ddd", DataOp::Add, Outside, Plain);
    data("0001101 mmm nnn ddd", DataOp::Sub, Outside, Plain);
    data("00100 ddd HGFEDCBA", DataOp::Mov, Outside, Number);
    data("00101 nnn HGFEDCBA", DataOp::Cmp, Always, Number);
    data("00110 bbb HGFEDCBA", DataOp::Add, Outside, Number);
    data("00111 bbb HGFEDCBA", DataOp::Sub, Outside, Number);
    data("0001110 CBA nnn ddd", DataOp::Add, Outside, Number);
    data("0001111 CBA nnn ddd", DataOp::Sub, Outside, Number);
    // A5.2.2
    data("0100000000 mmm bbb", DataOp::And, Outside, Plain);
    data("0100000001 mmm bbb", DataOp::Eor, Outside, Plain);
    data("0100000010 mmm bbb", DataOp::Mov, Outside, By(ShiftKind::Lsl));
    data("0100000011 mmm bbb", DataOp::Mov, Outside, By(ShiftKind::Lsr));
    data("0100000100 mmm bbb", DataOp::Mov, Outside, By(ShiftKind::Asr));
    data("0100000101 mmm bbb", DataOp::Adc, Outside, Plain);
    data("0100000110 mmm bbb", DataOp::Sbc, Outside, Plain);
    data("0100000111 mmm bbb", DataOp::Mov, Outside, By(ShiftKind::Ror));
    data("0100001000 mmm nnn", DataOp::Tst, Always, Plain);
    data("0100001001 nnn ddd", DataOp::Rsb, Outside, Number);
    data("0100001010 mmm nnn", DataOp::Cmp, Always, Plain);
    data("0100001011 mmm nnn", DataOp::Cmn, Always, Plain);
    data("0100001100 mmm bbb", DataOp::Orr, Outside, Plain);
    low("0100001101 nnn eee", Op::Multiply(Outside, false));
    data("0100001110 mmm bbb", DataOp::Bic, Outside, Plain);
    data("0100001111 mmm ddd", DataOp::Mvn, Outside, Plain);
    // A5.2.3
    data("01000100 b mmmm bbb", DataOp::Add, Never, Plain);
    row("01000101 n mmmm nnn", Op::Data(DataOp::Cmp, Always, Plain), Level::V6m, "NM");
    data("01000110 d mmmm ddd", DataOp::Mov, Never, Plain);
    row("010001110 mmmm 000", Op::Exchange, Level::V6m, "M");
    row("010001111 mmmm 000", Op::CallExchange, Level::V6m, "M");
    // A7.7.43, and A5.2.4; PC and SP as bases
    low("01001 ddd JIHGFEDC", Op::Transfer(true, Size::Word));
    low("0101000 mmm nnn ddd", Op::Transfer(false, Size::Word));
    low("0101001 mmm nnn ddd", Op::Transfer(false, Size::Half));
    low("0101010 mmm nnn ddd", Op::Transfer(false, Size::Byte));
    low("0101011 mmm nnn ddd", Op::Transfer(true, Size::SignedByte));
    low("0101100 mmm nnn ddd", Op::Transfer(true, Size::Word));
    low("0101101 mmm nnn ddd", Op::Transfer(true, Size::Half));
    low("0101110 mmm nnn ddd", Op::Transfer(true, Size::Byte));
    low("0101111 mmm nnn ddd", Op::Transfer(true, Size::SignedHalf));
    low("01100 GFEDC nnn ddd", Op::Transfer(false, Size::Word));
    low("01101 GFEDC nnn ddd", Op::Transfer(true, Size::Word));
    low("01110 EDCBA nnn ddd", Op::Transfer(false, Size::Byte));
    low("01111 EDCBA nnn ddd", Op::Transfer(true, Size::Byte));
    low("10000 FEDCB nnn ddd", Op::Transfer(false, Size::Half));
    low("10001 FEDCB nnn ddd", Op::Transfer(true, Size::Half));
    low("10010 ddd JIHGFEDC", Op::Transfer(false, Size::Word));
    low("10011 ddd JIHGFEDC", Op::Transfer(true, Size::Word));
    data("10100 ddd JIHGFEDC", DataOp::Add, Never, Number);
    data("10101 ddd JIHGFEDC", DataOp::Add, Never, Number);
    // A5.2.5
    data("101100000 IHGFEDC", DataOp::Add, Never, Number);
    data("101100001 IHGFEDC", DataOp::Sub, Never, Number);
    row("10110 0 G 1 FEDCB nnn", Op::Compare(false), Level::V8mBaseline, "");
    row("10111 0 G 1 FEDCB nnn", Op::Compare(true), Level::V8mBaseline, "");
    low("1011001000 mmm ddd", Op::Unary(Unary::Sxth));
    low("1011001001 mmm ddd", Op::Unary(Unary::Sxtb));
    low("1011001010 mmm ddd", Op::Unary(Unary::Uxth));
    low("1011001011 mmm ddd", Op::Unary(Unary::Uxtb));
    low("1011101000 mmm ddd", Op::Unary(Unary::Rev));
    low("1011101001 mmm ddd", Op::Unary(Unary::Rev16));
    low("1011101011 mmm ddd", Op::Unary(Unary::Revsh));
    low("1011010 x rrrrrrrr", Op::Stack(false));
    low("1011110 x rrrrrrrr", Op::Stack(true));
    low("1011111100000000", Op::Nothing(Nothing::Nop));
    row("10111111 cccc wwww", Op::If, Level::V7m, "");
    low("11000 nnn rrrrrrrr", Op::Block(false, BlockMode::Ia));
    low("11001 nnn rrrrrrrr", Op::Block(true, BlockMode::Ia));
    low("1101 cccc IHGFEDCB", Op::Branch);
    low("11100 LKJIHGFEDCB", Op::Branch);
    // A5.3.4: 32 bits
    row("11110 X UTSRQPONML 11 W 1 V KJIHGFEDCBA", Op::Call, Level::V6m, "");
    row("11110 X UTSRQPONML 10 W 1 V KJIHGFEDCBA", Op::Branch, Level::V8mBaseline, "");
    main("11110 T cccc QPONML 10 R 0 S KJIHGFEDCBA", Op::Branch, "");
    low("111100111011 1111 1000 1111 0100 1111", Op::Nothing(Nothing::Dsb));
    low("111100111011 1111 1000 1111 0101 1111", Op::Nothing(Nothing::Dmb));
    low("111100111011 1111 1000 1111 0110 1111", Op::Nothing(Nothing::Isb));
    main("111100111010 1111 1000 0000 0000 0000", Op::Nothing(Nothing::Nop), "");
    // A5.3.5, A5.3.6
    main("1110100010 v 0 nnnn 0x0 rrrrrrrrrrrrr", Op::Block(false, BlockMode::Ia), "N");
    main("1110100010 v 1 nnnn xx0 rrrrrrrrrrrrr", Op::Block(true, BlockMode::Ia), "N");
    main("1110100100 v 0 nnnn 0x0 rrrrrrrrrrrrr", Op::Block(false, BlockMode::Db), "N");
    main("1110100100 v 1 nnnn xx0 rrrrrrrrrrrrr", Op::Block(true, BlockMode::Db), "N");
    main("1110100 p u 1 v 0 nnnn dddd ssss JIHGFEDC", Op::Double(false), "Nds");
    main("1110100 p u 1 v 1 nnnn dddd ssss JIHGFEDC", Op::Double(true), "ds");
    // A5.3.3
    row("11110 L 101100 PONM 0 KJI dddd HGFEDCBA", Op::Top, Level::V8mBaseline, "d");
    main("11110 0 110100 nnnn 0 EDC dddd BA 0 wwwww", Op::Field(Bits::Signed), "dn");
    main("11110 0 111100 nnnn 0 EDC dddd BA 0 wwwww", Op::Field(Bits::Unsigned), "dn");
    main("11110 0 110110 1111 0 EDC dddd BA 0 wwwww", Op::Field(Bits::Clear), "d");
    main("11110 0 110110 nnnn 0 EDC dddd BA 0 wwwww", Op::Field(Bits::Insert), "dn");
    // A5.3.12, A5.3.15
    main("11111010 0kkf nnnn 1111 dddd 0000 mmmm", Op::Data(DataOp::Mov, Field, ByShift), "dnm");
    main("11111010 0000 1111 1111 dddd 1000 mmmm", Op::Unary(Unary::Sxth), "dm");
    main("11111010 0001 1111 1111 dddd 1000 mmmm", Op::Unary(Unary::Uxth), "dm");
    main("11111010 0100 1111 1111 dddd 1000 mmmm", Op::Unary(Unary::Sxtb), "dm");
    main("11111010 0101 1111 1111 dddd 1000 mmmm", Op::Unary(Unary::Uxtb), "dm");
    main("11111010 1001 mmmm 1111 dddd 1000 ssss", Op::Unary(Unary::Rev), "dm");
    main("11111010 1001 mmmm 1111 dddd 1001 ssss", Op::Unary(Unary::Rev16), "dm");
    main("11111010 1001 mmmm 1111 dddd 1011 ssss", Op::Unary(Unary::Revsh), "dm");
    main("11111010 1011 mmmm 1111 dddd 1000 ssss", Op::Unary(Unary::Clz), "dm");
    main("11111010 0000 1111 1111 dddd 10 BA mmmm", Op::Extend(Unary::Sxth, false), "dm");
    main("11111010 0001 1111 1111 dddd 10 BA mmmm", Op::Extend(Unary::Uxth, false), "dm");
    main("11111010 0100 1111 1111 dddd 10 BA mmmm", Op::Extend(Unary::Sxtb, false), "dm");
    main("11111010 0101 1111 1111 dddd 10 BA mmmm", Op::Extend(Unary::Uxtb, false), "dm");
    row("11111010 0000 nnnn 1111 dddd 10 BA mmmm", Op::Extend(Unary::Sxth, true), Level::V7em, "dnm");
    row("11111010 0001 nnnn 1111 dddd 10 BA mmmm", Op::Extend(Unary::Uxth, true), Level::V7em, "dnm");
    row("11111010 0100 nnnn 1111 dddd 10 BA mmmm", Op::Extend(Unary::Sxtb, true), Level::V7em, "dnm");
    row("11111010 0101 nnnn 1111 dddd 10 BA mmmm", Op::Extend(Unary::Uxtb, true), Level::V7em, "dnm");
    // A5.3.11
    row("11101010110 0 nnnn 0 EDC dddd BA 00 mmmm", Op::Pack(false), Level::V7em, "dnm");
    row("11101010110 0 nnnn 0 EDC dddd BA 10 mmmm", Op::Pack(true), Level::V7em, "dnm");
    // A5.3.16, A5.3.17
    row("11111011 0001 nnnn 1111 dddd 00 BA mmmm", Op::Halves(false), Level::V7em, "dnm");
    row("11111011 0001 nnnn ssss dddd 00 BA mmmm", Op::Halves(true), Level::V7em, "dnms");
    main("11111011 0000 nnnn 1111 dddd 0000 mmmm", Op::Multiply(Never, false), "dnm");
    main("11111011 0000 nnnn ssss dddd 0000 mmmm", Op::Multiply(Never, true), "dnms");
    main("11111011 0000 nnnn ssss dddd 0001 mmmm", Op::Subtract, "dnms");
    main("11111011 1000 nnnn dddd ssss 0000 mmmm", Op::Long(true, false), "dnms");
    main("11111011 1010 nnnn dddd ssss 0000 mmmm", Op::Long(false, false), "dnms");
    main("11111011 1100 nnnn dddd ssss 0000 mmmm", Op::Long(true, true), "dnms");
    main("11111011 1110 nnnn dddd ssss 0000 mmmm", Op::Long(false, true), "dnms");
    row("11111011 1110 nnnn dddd ssss 0110 mmmm", Op::Umaal, Level::V7em, "dnms");
    // A6.7, A6.8
    extension("111011100000 qqqq dddd 1010 h 0010000", Op::Words(false, false), "d");
    extension("111011100001 qqqq dddd 1010 h 0010000", Op::Words(true, false), "d");
    extension("111011000100 ssss dddd 101000 h 1 qqqq", Op::Words(false, false), "ds");
    extension("111011000101 ssss dddd 101000 h 1 qqqq", Op::Words(true, false), "ds");
    extension("111011000100 ssss dddd 10110001 qqqq", Op::Words(false, true), "ds");
    extension("111011000101 ssss dddd 10110001 qqqq", Op::Words(true, true), "ds");
    // A6.6
    extension("11101101 u h 00 nnnn qqqq 1010 JIHGFEDC", Op::Extended(false, false), "N");
    extension("11101101 u h 01 nnnn qqqq 1010 JIHGFEDC", Op::Extended(true, false), "");
    extension("11101101 u 000 nnnn qqqq 1011 JIHGFEDC", Op::Extended(false, true), "N");
    extension("11101101 u 001 nnnn qqqq 1011 JIHGFEDC", Op::Extended(true, true), "");
    extension("111011001 h v 0 nnnn qqqq 1010 HGFEDCBA", Op::Several(false, false, BlockMode::Ia), "N");
    extension("111011001 h v 1 nnnn qqqq 1010 HGFEDCBA", Op::Several(true, false, BlockMode::Ia), "N");
    extension("111011010 h 10 nnnn qqqq 1010 HGFEDCBA", Op::Several(false, false, BlockMode::Db), "N");
    extension("111011010 h 11 nnnn qqqq 1010 HGFEDCBA", Op::Several(true, false, BlockMode::Db), "N");
    extension("1110110010 v 0 nnnn qqqq 1011 HGFEDCB0", Op::Several(false, true, BlockMode::Ia), "N");
    extension("1110110010 v 1 nnnn qqqq 1011 HGFEDCB0", Op::Several(true, true, BlockMode::Ia), "N");
    extension("111011010010 nnnn qqqq 1011 HGFEDCB0", Op::Several(false, true, BlockMode::Db), "N");
    extension("111011010011 nnnn qqqq 1011 HGFEDCB0", Op::Several(true, true, BlockMode::Db), "N");
}

/// The fields of a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fields {
    d: Register,
    n: Register,
    m: Register,
    s: Register,
    number: u32,
    kind: u32,
    flags: bool,
    condition: u32,
    list: u32,
    /// P, U and W.
    indexing: [bool; 3],
    width: u32,
    /// The first register of the extension.
    first: u8,
}

/// A number made of 12 bits (A5.3.2); `None` for what is unpredictable.
fn expanded(bits: u32) -> Option<u32> {
    let byte = bits & 0xff;
    let repeated = [byte, byte * 0x1_0001, byte * 0x100_0100, byte * 0x101_0101];
    match bits >> 8 {
        0 => Some(byte),
        kind @ 1..=3 => (byte != 0).then_some(repeated[kind as usize]),
        _ => Some((0x80 | bits & 0x7f).rotate_right(bits >> 7)),
    }
}

/// The 12 bits of a number.
fn packed(value: u32) -> Option<u32> {
    let byte = value & 0xff;
    let simple = [byte, 0x100 | byte, 0x200 | value >> 8 & 0xff, 0x300 | byte];
    let rotated = (8..32).map(|places| places << 7 | value.rotate_left(places) & 0x7f);
    simple.into_iter().chain(rotated).find(|bits| expanded(*bits) == Some(value))
}

fn signed(value: u32, bits: u32) -> i32 {
    (value << (32 - bits)) as i32 >> (32 - bits)
}

impl Row {
    pub(super) fn matches(&self, code: u32) -> bool {
        self.pattern.fits(code)
    }

    fn has(&self, letter: u8) -> bool {
        self.pattern.has(letter)
    }

    fn fields(&self, code: u32) -> Fields {
        let field = |letter| self.pattern.extract(letter, code);
        let register = |letters: [u8; 2]| {
            letters.into_iter().find(|letter| self.has(*letter)).map_or(0, |letter| field(letter) as Register)
        };
        let (m, both) = (register([b'm', b'e']), register([b'b', b'e']));
        Fields {
            d: if self.has(b'd') { register([b'd', b'd']) } else { both },
            n: register([b'n', b'b']),
            m,
            s: register([b's', b's']),
            number: self.pattern.number(code),
            kind: field(b'k'),
            flags: field(b'f') != 0,
            condition: field(b'c'),
            list: self.list(code),
            indexing: [b'p', b'u', b'v'].map(|letter| field(letter) != 0),
            width: field(b'w'),
            first: if self.is_double() { 2 * field(b'q') } else { 2 * field(b'q') + field(b'h') } as u8,
        }
    }

    /// The registers of a list: `x` is LR in a store of 16 bits, PC in a load of 16 bits, LR and PC in 32 bits.
    fn list(&self, code: u32) -> u32 {
        if self.wide && self.has(b'r') {
            return code & 0xffff;
        }
        let more = if self.op == Op::Stack(true) { PC } else { LR };
        self.pattern.extract(b'r', code) | self.pattern.extract(b'x', code) << more
    }

    fn is_double(&self) -> bool {
        matches!(self.op, Op::Words(_, true) | Op::Extended(_, true) | Op::Several(_, true, _))
    }

    /// The registers of the extension that a form names.
    fn singles(&self, f: &Fields) -> Singles {
        let count = match self.op {
            Op::Several(..) => f.number as u8,
            _ if self.is_double() || matches!(self.op, Op::Words(..)) && self.has(b's') => 2,
            _ => 1,
        };
        Singles { first: f.first, count, double: self.is_double() }
    }

    /// The base that a form has without naming it.
    fn base(&self) -> Option<Register> {
        let first =
            |bits: u32| !self.wide && self.pattern.mask >> 11 == 31 && self.pattern.value >> 11 == bits;
        match self.op {
            _ if first(0b01001) || first(0b10100) => Some(PC),
            _ if first(0b10010) || first(0b10011) || first(0b10101) => Some(SP),
            Op::Data(..) if first(0b10110) => Some(SP),
            _ if matches!(self.op, Op::Transfer(..)) && !self.has(b'n') => Some(PC),
            _ => None,
        }
    }

    pub(super) fn condition(&self, code: u32) -> Condition {
        let own = self.op == Op::Branch && self.has(b'c');
        let bits = if own { self.pattern.extract(b'c', code) as u8 } else { 14 };
        Condition::from_bits(bits).unwrap_or(Condition::Al)
    }

    /// The target of a branch less the address of the instruction.
    fn distance(&self, number: u32) -> i32 {
        let bits = 32 - self.pattern.number_mask.leading_zeros();
        4 + match (self.wide, self.has(b'c')) {
            (false, _) if matches!(self.op, Op::Compare(_)) => number as i32,
            (false, _) => signed(number, bits),
            (true, true) => signed(number, 20) << 1,
            // S, J1 and J2 (A7.7.12)
            (true, false) => {
                let sign = number >> 23 & 1;
                signed(number ^ ((1 - sign) * 0x60_0000), 24) << 1
            }
        }
    }

    fn distance_bits(&self, distance: i32) -> u32 {
        let by = distance.wrapping_sub(4);
        match (self.wide, self.has(b'c')) {
            (false, _) => by as u32,
            (true, true) => (by >> 1) as u32 & 0xf_ffff,
            (true, false) => {
                let number = (by >> 1) as u32 & 0xff_ffff;
                number ^ ((1 - (number >> 23 & 1)) * 0x60_0000)
            }
        }
    }

    fn address(&self, f: &Fields) -> Option<Address> {
        let rn = self.base().unwrap_or(f.n);
        let indexing = match f.indexing {
            _ if !self.has(b'p') => Indexing::Offset,
            // as user, or another instruction
            [true, true, false] if !matches!(self.op, Op::Double(_)) => return None,
            [true, _, false] => Indexing::Offset,
            [true, _, true] => Indexing::Before,
            [false, _, true] => Indexing::After,
            [false, _, false] => return None,
        };
        let offset = match self.has(b'm') {
            true => Offset::Register { rm: f.m, kind: ShiftKind::Lsl, amount: f.number as u8 },
            false => Offset::Immediate(f.number as u16),
        };
        Some(Address { rn, up: !self.has(b'u') || f.indexing[1], offset, indexing })
    }

    /// What the form does with these bits; `None` where they are those of another instruction.
    pub(super) fn build(&self, code: u32, block: bool) -> Option<Action> {
        let f = self.fields(code);
        let sets = |set| match set {
            Outside => !block,
            Field => f.flags,
            Always => true,
            Never => false,
        };
        Some(match self.op {
            Op::Data(op, set, last) => {
                let shifted = |kind: ShiftKind| match (kind, f.number as u8) {
                    (ShiftKind::Ror, 0) => Shifter::Rrx { rm: f.m },
                    (ShiftKind::Lsr | ShiftKind::Asr, 0) => Shifter::Register { rm: f.m, kind, amount: 32 },
                    (_, amount) => Shifter::Register { rm: f.m, kind, amount },
                };
                let by = |kind| Shifter::ByRegister { rm: f.n, kind, rs: f.m };
                let operand = match last {
                    Plain => Shifter::plain(f.m),
                    Shift(kind) => shifted(kind),
                    Shifted => shifted(ShiftKind::from_bits(f.kind)),
                    By(kind) => by(kind),
                    ByShift => by(ShiftKind::from_bits(f.kind)),
                    Number => Shifter::constant(f.number),
                    Modified => Shifter::constant(expanded(f.number)?),
                };
                let rd = match op.keeps_result() {
                    true if self.has(b'd') || self.has(b'b') => f.d,
                    true => SP,
                    false => 0,
                };
                let rn = if op.has_first() { self.base().unwrap_or(f.n) } else { 0 };
                Action::Data { op, set: sets(set), rd, rn, operand }
            }
            Op::Multiply(set, accumulate) => {
                Action::Multiply { set: sets(set), rd: f.d, rm: f.n, rs: f.m, rn: accumulate.then_some(f.s) }
            }
            Op::Subtract => Action::Later(Later::MultiplySubtract { rd: f.d, rn: f.n, rm: f.m, ra: f.s }),
            Op::Long(signed, accumulate) => {
                let set = false;
                Action::LongMultiply { signed, accumulate, set, low: f.d, high: f.s, rm: f.n, rs: f.m }
            }
            Op::Umaal => Action::DoubleAccumulate { low: f.d, high: f.s, rm: f.n, rs: f.m },
            Op::Transfer(load, size) => Action::Transfer { load, size, rd: f.d, address: self.address(&f)? },
            Op::Double(load) => {
                Action::Later(Later::Double { load, rd: f.d, second: f.s, address: self.address(&f)? })
            }
            Op::Block(load, mode) => {
                let registers = f.list as u16;
                let write_back = if self.wide { f.indexing[2] } else { !load || registers >> f.n & 1 == 0 };
                Action::Block { load, rn: f.n, write_back, mode, registers, user: false }
            }
            Op::Stack(load) => {
                let mode = if load { BlockMode::Ia } else { BlockMode::Db };
                Action::Block { load, rn: SP, write_back: true, mode, registers: f.list as u16, user: false }
            }
            Op::Branch => {
                if self.has(b'c') && f.condition >= 14 {
                    return None;
                }
                Action::Branch { link: false, distance: self.distance(f.number) }
            }
            Op::Call => Action::Branch { link: true, distance: self.distance(f.number) },
            Op::Exchange => Action::BranchExchange { rm: f.m },
            Op::CallExchange => Action::Later(Later::CallExchange { rm: f.m }),
            Op::Compare(nonzero) => {
                let distance = self.distance(f.number);
                Action::Later(Later::CompareBranch { nonzero, rn: f.n, distance })
            }
            Op::Top => Action::Later(Later::MoveTop { rd: f.d, number: f.number as u16 }),
            Op::Field(op) => {
                let (low, last) = (f.number as u8, f.width as u8);
                let width = match op {
                    Bits::Unsigned | Bits::Signed => last + 1,
                    Bits::Insert | Bits::Clear => (last + 1).checked_sub(low)?,
                };
                Action::Later(Later::BitField { op, rd: f.d, rn: f.n, low, width })
            }
            Op::Unary(op) => Action::Later(Later::Unary { op, rd: f.d, rm: f.m }),
            Op::Extend(op, adds) => {
                // without both it has another name
                if !adds && f.number == 0 || adds && f.n == PC {
                    return None;
                }
                let (rn, rotation) = (adds.then_some(f.n), 8 * f.number as u8);
                Action::Later(Later::Extend { op, rd: f.d, rn, rm: f.m, rotation })
            }
            Op::Pack(top) => {
                let amount = if top && f.number == 0 { 32 } else { f.number as u8 };
                Action::Later(Later::Pack { top, rd: f.d, rn: f.n, rm: f.m, amount })
            }
            Op::Halves(adds) => {
                if adds && f.s == PC {
                    return None;
                }
                let (tops, ra) = ([f.number & 2 != 0, f.number & 1 != 0], adds.then_some(f.s));
                Action::Later(Later::Halves { rd: f.d, rn: f.n, rm: f.m, tops, ra })
            }
            Op::If => {
                let first = Condition::from_bits(f.condition as u8)?;
                if f.width == 0 {
                    return None;
                }
                Action::Later(Later::If { first, mask: f.width as u8 })
            }
            Op::Nothing(nothing) => Action::Later(Later::Nothing(nothing)),
            Op::Words(..) | Op::Extended(..) | Op::Several(..) => {
                Action::Later(Later::Extension(self.extension(&f)?))
            }
        })
    }

    fn extension(&self, f: &Fields) -> Option<Extension> {
        let singles = self.singles(f);
        if u32::from(singles.first) + f.number > 32 && matches!(self.op, Op::Several(..))
            || singles.count == 0
        {
            return None;
        }
        Some(match self.op {
            Op::Extended(load, _) => Extension::Transfer { load, singles, address: self.address(f)? },
            Op::Several(load, _, mode) => {
                let write_back = !self.has(b'v') || f.indexing[2];
                Extension::Block { load, rn: f.n, write_back, mode, singles }
            }
            Op::Words(read, _) => {
                Extension::Move { read, rt: f.d, second: self.has(b's').then_some(f.s), singles }
            }
            _ => return None,
        })
    }

    /// The bits of an instruction, if it may have this form: what does not fit does not come back.
    pub(super) fn code(&self, one: &Instruction) -> Option<u32> {
        let mut f = Fields { condition: one.condition.bits().into(), ..Fields::default() };
        let mut at = |address: &Address| {
            f.n = address.rn;
            match address.offset {
                Offset::Immediate(number) => f.number = number.into(),
                Offset::Register { rm, amount, .. } => (f.m, f.number) = (rm, amount.into()),
                Offset::Rrx { .. } => {}
            }
            f.indexing = match address.indexing {
                Indexing::Offset => [true, address.up, false],
                Indexing::Before => [true, address.up, true],
                Indexing::After | Indexing::AfterAsUser => [false, address.up, true],
            };
        };
        match (self.op, one.action) {
            (Op::Data(own, _, last), Action::Data { op, set, rd, rn, operand }) if own == op => {
                (f.d, f.n, f.flags) = (rd, rn, set);
                match (operand, last) {
                    (Shifter::Immediate { .. } | Shifter::Number(_), Number) => f.number = operand.value()?,
                    (Shifter::Immediate { .. } | Shifter::Number(_), Modified) => {
                        f.number = packed(operand.value()?)?
                    }
                    (Shifter::Register { rm, kind, amount }, Plain | Shift(_) | Shifted) => {
                        (f.m, f.kind, f.number) = (rm, kind as u32, (amount & 31).into());
                    }
                    (Shifter::Rrx { rm }, Shifted) => (f.m, f.kind) = (rm, 3),
                    (Shifter::ByRegister { rm, kind, rs }, By(_) | ByShift) => {
                        (f.n, f.kind, f.m) = (rm, kind as u32, rs);
                    }
                    _ => return None,
                }
            }
            (Op::Multiply(..), Action::Multiply { rd, rm, rs, rn, .. }) => {
                (f.d, f.n, f.m, f.s) = (rd, rm, rs, rn.unwrap_or(0));
            }
            (Op::Subtract, Action::Later(Later::MultiplySubtract { rd, rn, rm, ra })) => {
                (f.d, f.n, f.m, f.s) = (rd, rn, rm, ra);
            }
            (Op::Long(..), Action::LongMultiply { low, high, rm, rs, .. })
            | (Op::Umaal, Action::DoubleAccumulate { low, high, rm, rs }) => {
                (f.d, f.s, f.n, f.m) = (low, high, rm, rs);
            }
            (Op::Transfer(..), Action::Transfer { rd, address, .. }) => {
                at(&address);
                f.d = rd;
            }
            (Op::Double(_), Action::Later(Later::Double { rd, second, address, .. })) => {
                at(&address);
                (f.d, f.s) = (rd, second);
            }
            (Op::Block(..) | Op::Stack(_), Action::Block { rn, write_back, registers, .. }) => {
                (f.n, f.indexing[2], f.list) = (rn, write_back, registers.into());
            }
            (Op::Branch, Action::Branch { link: false, distance })
            | (Op::Call, Action::Branch { link: true, distance })
            | (Op::Compare(_), Action::Later(Later::CompareBranch { distance, .. })) => {
                f.number = self.distance_bits(distance);
                if let Action::Later(Later::CompareBranch { rn, .. }) = one.action {
                    f.n = rn;
                }
            }
            (Op::Exchange, Action::BranchExchange { rm })
            | (Op::CallExchange, Action::Later(Later::CallExchange { rm })) => f.m = rm,
            (Op::Top, Action::Later(Later::MoveTop { rd, number })) => (f.d, f.number) = (rd, number.into()),
            (Op::Field(own), Action::Later(Later::BitField { op, rd, rn, low, width })) if own == op => {
                let from = if matches!(op, Bits::Insert | Bits::Clear) { low } else { 0 };
                (f.d, f.n, f.number) = (rd, rn, low.into());
                f.width = u32::from(from) + u32::from(width.checked_sub(1)?);
            }
            // REV names its register twice
            (Op::Unary(own), Action::Later(Later::Unary { op, rd, rm })) if own == op => {
                (f.d, f.m, f.s) = (rd, rm, rm)
            }
            (Op::Extend(own, adds), Action::Later(Later::Extend { op, rd, rn, rm, rotation }))
                if own == op && adds == rn.is_some() && rotation % 8 == 0 =>
            {
                (f.d, f.n, f.m, f.number) = (rd, rn.unwrap_or(0), rm, u32::from(rotation / 8));
            }
            (Op::Pack(own), Action::Later(Later::Pack { top, rd, rn, rm, amount })) if own == top => {
                (f.d, f.n, f.m, f.number) = (rd, rn, rm, u32::from(amount) % 32);
            }
            (Op::Halves(adds), Action::Later(Later::Halves { rd, rn, rm, tops, ra }))
                if adds == ra.is_some() =>
            {
                (f.d, f.n, f.m, f.s) = (rd, rn, rm, ra.unwrap_or(0));
                f.number = u32::from(tops[0]) << 1 | u32::from(tops[1]);
            }
            (Op::If, Action::Later(Later::If { first, mask })) => {
                (f.condition, f.width) = (first.bits().into(), mask.into());
            }
            (Op::Nothing(own), Action::Later(Later::Nothing(nothing))) if own == nothing => {}
            (Op::Words(..), Action::Later(Later::Extension(Extension::Move { rt, second, singles, .. }))) => {
                (f.d, f.s, f.first) = (rt, second.unwrap_or(0), singles.first);
            }
            (
                Op::Extended(..),
                Action::Later(Later::Extension(Extension::Transfer { singles, address, .. })),
            ) => {
                at(&address);
                f.first = singles.first;
            }
            (
                Op::Several(..),
                Action::Later(Later::Extension(Extension::Block { rn, write_back, singles, .. })),
            ) => {
                (f.n, f.indexing[2], f.first) = (rn, write_back, singles.first);
                f.number = singles.count.into();
            }
            _ => return None,
        }
        Some(self.assembled(&f))
    }

    fn assembled(&self, f: &Fields) -> u32 {
        let [p, u, v] = f.indexing.map(u32::from);
        let fields = [
            (b'd', f.d.into()),
            (b'n', f.n.into()),
            (b'm', f.m.into()),
            (b's', f.s.into()),
            (b'b', f.d.into()),
            (b'e', f.d.into()),
            (b'k', f.kind),
            (b'f', f.flags.into()),
            (b'c', f.condition),
            (b'p', p),
            (b'u', u),
            (b'v', v),
            (b'w', f.width),
            (b'q', u32::from(f.first / 2)),
            (b'h', u32::from(f.first % 2)),
        ];
        let code = fields
            .iter()
            .fold(self.pattern.value, |code, (letter, field)| code | self.pattern.insert(*letter, *field));
        let list = match self.wide {
            _ if !self.has(b'r') => 0,
            true => f.list,
            false => {
                let more = if self.op == Op::Stack(true) { PC } else { LR };
                self.pattern.insert(b'r', f.list) | self.pattern.insert(b'x', f.list >> more)
            }
        };
        code | list | self.pattern.spread(f.number)
    }

    /// Why the architecture leaves open what these bits do.
    pub(super) fn forbidden(&self, code: u32, one: &Instruction, block: bool) -> Option<&'static str> {
        let f = self.fields(code);
        let register = |letter: u8| match letter.to_ascii_lowercase() {
            b'd' => f.d,
            b'n' => f.n,
            b'm' => f.m,
            _ => f.s,
        };
        let sum = matches!(self.op, Op::Data(DataOp::Add | DataOp::Sub, ..));
        let bad = |letter: &u8| {
            let number = register(*letter);
            // sums of the stack pointer, into itself, too; moves of it
            let stack = self.wide
                && number == SP
                && match (self.op, *letter) {
                    (Op::Data(..), b'n') => sum,
                    (Op::Data(_, _, Modified | Number), b'd') => sum && f.n == SP,
                    (Op::Data(_, _, Shifted), b'd') if sum => f.n == SP && f.kind == 0 && f.number < 4,
                    (Op::Data(DataOp::Mov, _, Shifted), _) => {
                        !f.flags && f.kind == 0 && f.number == 0 && !(f.d == SP && f.m == SP)
                    }
                    _ => false,
                };
            number == PC || number == SP && letter.is_ascii_lowercase() && !stack
        };
        if self.but.as_bytes().iter().any(bad) {
            return Some("SP or PC where it may not be");
        }
        let ends = one.registers_written() >> PC & 1 != 0;
        let rules = [
            (
                block
                    && (self.op == Op::If
                        || matches!(self.op, Op::Compare(_))
                        || self.op == Op::Branch && self.has(b'c')),
                "a branch or an IT of its own in an IT block",
            ),
            (
                block && self.op == Op::Data(DataOp::Mov, Outside, Shift(ShiftKind::Lsl)) && f.number == 0,
                "MOVS in an IT block",
            ),
            (
                matches!(one.action, Action::LongMultiply { low, high, .. } | Action::DoubleAccumulate { low, high, .. } if low == high),
                "both words of a product into one register",
            ),
            (
                matches!(self.op, Op::Data(DataOp::Cmp, _, Plain))
                    && !self.wide
                    && self.has(b'n')
                    && self.pattern.width(b'n') == 4
                    && f.n < 8
                    && f.m < 8,
                "CMP of low registers in the form for high ones",
            ),
            (ends && self.op == Op::Data(DataOp::Add, Never, Plain) && f.m == PC, "PC added to itself"),
            (
                matches!(self.op, Op::Unary(_)) && self.has(b's') && f.s != f.m,
                "a register that is named in two ways",
            ),
        ];
        if let Some((_, rule)) = rules.iter().find(|(broken, _)| *broken) {
            return Some(rule);
        }
        match one.action {
            Action::Block { load, rn, write_back, registers, .. } => {
                let listed = registers >> rn & 1 != 0;
                let lower = registers & ((1 << rn) - 1) != 0;
                if registers == 0 || self.wide && registers.count_ones() < 2 {
                    Some("a block of too few registers")
                } else if write_back && listed && (load || self.wide || lower) {
                    Some("base written back and in the list")
                } else if registers >> LR == 3 {
                    Some("LR and PC in one list")
                } else {
                    None
                }
            }
            Action::Transfer { load, size, rd, address } => {
                let word = size == Size::Word;
                let written = address.indexing != Indexing::Offset;
                if unaligned_pc(rd, &address) {
                    Some("pc loaded from an address that is no multiple of 4")
                } else if !load && address.rn == PC
                    || rd == PC && !(load && word)
                    || rd == SP && !word && self.wide
                {
                    Some("SP or PC where it may not be")
                } else if written && rd == address.rn {
                    Some("base written back and transferred at once")
                } else {
                    None
                }
            }
            Action::Later(Later::Double { load, rd, second, address }) => {
                let written = address.indexing != Indexing::Offset;
                if load && rd == second
                    || written && (rd == address.rn || second == address.rn || address.rn == PC)
                {
                    Some("a register that is transferred twice")
                } else {
                    None
                }
            }
            Action::Later(Later::Extension(Extension::Move { read, rt, second: Some(second), singles })) => {
                if singles.first == 31 || read && rt == second {
                    Some("a word of two in a register that is not there, or that is both")
                } else {
                    None
                }
            }
            Action::Later(Later::BitField { low, width, .. }) if width == 0 || low + width > 32 => {
                Some("a run of bits that is none")
            }
            Action::Later(Later::If { first, mask }) => (first == Condition::Al && mask.count_ones() != 1)
                .then_some("an IT without a condition that has an else"),
            _ => None,
        }
    }
}
