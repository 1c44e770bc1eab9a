//! What a file can have wrong, and where the message says it is.

use super::*;
use proptest::prelude::*;
use rhomb_mips::extension::Extension;

const GOOD: &str = r#"# a comment
accumulator 72
instruction madd4 rs, rt {
    encoding "011100 sssss ttttt 00000 00000 010100"
    meaning  { acc = acc + 4 * rs * rt }
    unit mdu  issue 1  occupies 2  latency 2
    counts multiply
}
"#;

/// The message for the good text with one part replaced.
fn message(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    let text = GOOD.replacen(from, to, 1);
    Extension::parse(&text, 64, &[]).map(drop).unwrap_err().to_string()
}

#[test]
fn messages_say_where_and_what_would_do() {
    assert!(Extension::parse(GOOD, 64, &[]).is_ok());
    let cases = [
        ("# a comment", "hello", "line 1, column 1: expected 'instruction', found 'hello'"),
        ("72", "50", "line 2, column 13: the accumulator has 64 to 96 bits"),
        ("72", "7_2x", "line 2, column 13: '7_2x' is not a number; valid: 12, 0x3f, 0b101"),
        ("madd4", "maddu", "line 3, column 13: there is an instruction 'maddu' already"),
        ("madd4", "beqz", "line 3, column 13: there is an instruction 'beqz' already"),
        (
            "counts multiply",
            "counts add gnu \"lw\"",
            "line 7, column 20: there is an instruction 'lw' already",
        ),
        (
            "counts multiply",
            "counts add gnu \".set\"",
            "line 7, column 20: a mnemonic has small letters, digits and dots only",
        ),
        (
            "counts multiply",
            "counts add gnu \"maddp\"",
            "line 7, column 20: GNU as has no 'maddp' with this encoding and these operands; valid: multp, maddp, \
             pperm, mflhxu, mtlhx, ror, rorv, or leave gnu out",
        ),
        (
            "011100 sssss",
            "010000 sssss",
            "line 4, column 14: this encoding is also that of coprocessor 0; hint: 011100 in front",
        ),
        ("madd4", "Madd4", "line 3, column 13: mnemonic 'Madd4' is written in lower case"),
        ("rs, rt", "rs, rx", "line 3, column 23: 'rx' is no operand; valid: rs, rt, rd, sa, imm"),
        (
            "rs, rt",
            "rs rt",
            "line 3, column 22: expected ',' after an operand; a list of operands ends with '{', found 'rt'",
        ),
        ("rs, rt", "rs, rs", "line 3, column 23: operand 'rs' stands twice"),
        ("rs, rt", "rs, rt, rd", "line 4, column 14: operand rd has no place 'd' in the encoding"),
        ("rs, rt", "rs", "line 5, column 37: this is not among the instruction's operands"),
        ("sssss", "ssss0", "line 4, column 14: field 's' has 4 bits; operand rs has 5"),
        ("sssss", "sssssss", "line 4, column 14: an encoding has 32 places; this one has 34"),
        ("sssss", "xxxxx", "line 4, column 14: an encoding has 0, 1, s, t, d, a, i and blanks; 'x' is none"),
        ("00000 00000", "ddddd 00000", "line 4, column 14: field 'd' belongs to no operand; hint: name rd"),
        (
            "010100",
            "000001",
            "line 4, column 14: this encoding is also that of maddu; hint: 011100 in front and 010000 to 011111 at the end is free for users",
        ),
        (
            "\"011100 sssss ttttt 00000 00000 010100\"",
            "011100",
            "line 4, column 14: expected 32 places of 0, 1, s, t, d, a and i in quotation marks, found '11100'",
        ),
        ("010100\"", "010100", "line 4, column 14: the text has no closing quotation mark on its line"),
        ("* rt }", "* }", "line 5, column 37: expected a number, a register or '(', found '}'"),
        ("* rt }", "* rt", "line 6, column 5: expected ';' after what is assigned, found 'unit'"),
        ("acc =", "foo =", "line 5, column 16: expected a target (rd, rt, acc, lo, hi, guard), found 'foo'"),
        ("acc =", "acc +", "line 5, column 20: expected '=' after a target, found '+'"),
        ("acc =", "rd =", "line 5, column 21: 72 bits do not fit"),
        (
            "acc +",
            "acx +",
            "line 5, column 22: 'acx' is unknown; valid: rs, rt, rd, sa, imm, acc, lo, hi, guard, signed(x), clmul(x, y)",
        ),
        ("4 * rs * rt", "4 * rs", "line 3, column 23: the meaning does not use this operand"),
        (
            "4 * rs * rt",
            "rs[32] * rt",
            "line 5, column 31: there is no bit 32: this number has the bits 31 to 0",
        ),
        (
            "4 * rs * rt",
            "rs[0:3] * rt",
            "line 5, column 31: bits [0:3] are written the highest first, as in [3:0]",
        ),
        (
            "4 * rs * rt",
            "(rs ? rt : 0)",
            "line 5, column 32: a condition has one bit, and this one has 32; hint: compare, as in x != 0",
        ),
        (
            "4 * rs * rt",
            "(rs << rt)",
            "line 5, column 32: the number of places may have up to 32 bits; at most 6 are possible, as in rs[4:0]",
        ),
        ("4 * rs * rt", "clmul(rs - 1, rt)", "line 5, column 28: clmul() needs a number without a sign"),
        (
            "4 * rs * rt",
            "(rs * rt",
            "line 5, column 37: expected ')' after the expression in parentheses, found '}'",
        ),
        ("4 * rs * rt", "rs @ rt", "line 5, column 31: '@' has no meaning here"),
        (
            "rt }",
            "rt; acc = rs }",
            "line 5, column 41: this target is written already; all targets are written at once",
        ),
        ("rt }", "rt; lo = rs }", "line 5, column 41: this target is written already"),
        ("unit mdu", "unit fpu", "line 6, column 10: expected one of integer, mdu, found 'fpu'"),
        ("unit mdu", "", "line 3, column 13: 'madd4' has no unit"),
        ("issue 1", "issue 0", "line 6, column 21: a number of cycles is 1 to 255"),
        ("issue 1", "issue 1 issue 1", "line 6, column 23: 'issue' stands twice"),
        (
            "counts multiply\n",
            "counts multiply\n colour red\n",
            "line 8, column 2: expected a property: encoding, meaning, unit, issue, occupies, latency, counts, gnu; or '}', found 'colour'",
        ),
        ("multiply\n}\n", "multiply\n", "line 8, column 1: expected a property"),
    ];
    for (from, to, expected) in cases {
        let message = message(from, to);
        assert!(message.starts_with(expected), "{from} -> {to}: {message}");
        assert!(!message.contains('\n'));
    }
    let narrow = message("accumulator 72", "accumulator 64");
    assert!(narrow.starts_with("line 5, column 22: "), "{narrow}");
    let guard = message("accumulator 72", "").replace("line 5, column 22: ", "");
    assert!(guard.contains("bits do not fit into acc, which has 64"), "{guard}");
    let deep = format!("{}rs{}", "(".repeat(5000), ")".repeat(5000));
    assert!(message("rs * rt", &deep).contains("inside each other"));
    let long = "rs + ".repeat(5000) + "rt";
    assert!(
        message("rs * rt", &long).contains("operators in one expression")
            || message("rs * rt", &long).contains("at most")
    );
}

/// Pieces from which texts are put together that come close to being right.
const PIECES: [&str; 48] = [
    "accumulator",
    "72",
    "instruction",
    "x",
    "rs",
    "rt",
    "rd",
    "sa",
    "imm",
    ",",
    "{",
    "}",
    "encoding",
    "\"011100 sssss ttttt ddddd aaaaa 011111\"",
    "\"011100 iiiii iiiii iiiii 00000 011110\"",
    "meaning",
    "=",
    "+",
    "-",
    "*",
    "<<",
    ">>",
    "&",
    "|",
    "^",
    "~",
    "==",
    "<",
    ">=",
    "?",
    ":",
    "(",
    ")",
    "[",
    "]",
    "31",
    "0",
    "acc",
    "lo",
    "guard",
    "signed",
    "clmul",
    ";",
    "unit mdu issue 1 occupies 1 latency 1 counts other",
    "gnu \"x\"",
    "# \n",
    "0xffffffffffffffff",
    "é",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        check(&text);
    }

    #[test]
    fn any_row_of_pieces_is_read_or_refused(pieces in prop::collection::vec(0..PIECES.len(), 0..60)) {
        check(&pieces.iter().map(|piece| PIECES[*piece]).collect::<Vec<_>>().join(" "));
    }

    #[test]
    fn a_good_text_with_a_piece_in_the_wrong_place_is_read_or_refused(
        at in 0..GOOD.len(), length in 0..30usize, piece in 0..PIECES.len(),
    ) {
        let end = (at + length).min(GOOD.len());
        check(&format!("{}{}{}", &GOOD[..at], PIECES[piece], &GOOD[end..]));
    }

    #[test]
    fn any_expression_of_pieces_is_read_or_refused(pieces in prop::collection::vec(4..PIECES.len(), 0..20)) {
        let expression = pieces.iter().map(|piece| PIECES[*piece]).collect::<Vec<_>>().join(" ");
        check(&GOOD.replace("acc + 4 * rs * rt", &expression));
    }
}

/// Reads a text; what is accepted can be executed, too.
fn check(text: &str) {
    let Ok(model) = Model::of(core("mips32-4km").unwrap()).with(text) else { return };
    let model = Arc::new(model);
    for number in 0..model.custom().len() as u8 {
        let mut machine = machine(&model, custom(&model, number), [1, 2, 3], [4, 5, 6]);
        machine.step().unwrap();
    }
}
