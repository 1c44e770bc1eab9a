//! Changes of texts.

use rhomb_machine::Random;

/// What stands in any text.
const COMMON: [&str; 16] =
    ["\n", "\t", " ", "  ", ", ", "0", "1", "8", "-1", "31", "32768", "65536", "4294967296", "0x", "#", "é"];

/// Words of contracts.
const CONTRACT: &str = "mul sqr add sub 160 32768 32769";

/// Words of ARM's assembler text.
const ARM: &str = "adds umull umlals ldr strh ldmia stmdb push pop movs msr mrs swp cmp bl bx svc eq ne r0 r10 sp lr \
    pc cpsr_f [ ] { } ! ^ - = lsl rrx 255 0xff000000 -4096 .+8 f: L1 .inst DCI DCD END @ ; /* */";

/// Words of MIPS32's assembler text.
const MIPS: &str = "addu addiu multu maddu mflo mthi lw swl lui sll srav beq bgezal jal jr break sync nop b beqz $0 \
    $31 $t0 $zero $ra ( ) 0x7fff -32768 65535 .+8 f: .L1 .word .set m2addu maddp";

/// Words of descriptions of MIPS32's instructions.
const EXTENSION: &str = "accumulator 72 instruction x rd, rs, rt { } encoding \"011100 sssss ttttt ddddd 00000 \
    010101\" meaning unit mdu integer issue occupies latency counts gnu rd rt rs sa imm acc lo hi guard = ; + - * ~ \
    << >> & ^ | == < ? : ( ) [ ] [31:0] [31] signed( clmul( 63 64 0x3f 0b1 18446744073709551616";

/// Words of the C55x's assembler text.
const C55X: &str = "|| :: MOV MPYM MACM MAS ADD SUB SFTL AND AMAR AADD PSH POP PSHBOTH RPT RPTB RPTBLOCAL RPTADD BCC \
    CALL RET NOP BSET B AC0 AC3 T0 T3 AR0 AR7 XAR1 XCDP *CDP+ *AR2+ *AR3- *(AR4+T0) *AR5(#3) *SP(#1) uns( dbl( HI( \
    LO( pair( ) -32768 CARRY BORROW M40 BRC0 CSR SP L1 L1: L1-1 != .def _f";

/// What the texts of a target are made of; `None` where it reads none.
pub(crate) fn words(target: &str) -> Option<Vec<&'static str>> {
    let words = match target {
        "contract" => CONTRACT,
        "arm-text" => ARM,
        "mips-text" => MIPS,
        "mips-extension" => EXTENSION,
        "c55x-text" => C55X,
        _ => return None,
    };
    Some(words.split(' ').collect())
}

/// One change: a piece of text is put in, or takes the place of some.
pub(crate) fn change(bytes: &mut Vec<u8>, words: &[&str], random: &mut Random) {
    let piece = if random.index(3) == 0 { *random.pick(&COMMON) } else { *random.pick(words) };
    let at = random.index(bytes.len() + 1);
    let end = match random.index(4) {
        0 | 1 => at,
        2 => bytes.len().min(at + random.index(12)),
        _ => at + random.index(bytes.len() + 1 - at),
    };
    bytes.splice(at..end, piece.bytes());
}
