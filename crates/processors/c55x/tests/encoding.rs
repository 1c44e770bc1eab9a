//! Codes against listings of another disassembler, and the rules of parallelism.
//!
//! The bytes are single lines of a public listing (IDA's disassembly of random bytes, in the test data of c55xde), with
//! bits that do not matter, and the enable bit of instructions in parallel, set to 0.

use rhomb_c55x::Program;
use rhomb_c55x::cores::core;
use rhomb_c55x::encode::{encode, encode_line};
use rhomb_c55x::rules::{Illegal, check};
use rhomb_c55x::syntax::parse;

fn bytes(text: &str) -> Vec<u8> {
    let lines = parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).lines;
    encode_line(&lines[0], [0, 0]).unwrap().to_vec()
}

#[test]
fn codes_are_those_of_other_disassemblers() {
    let table: &[(&str, &[u8])] = &[
        ("MOV AR3, *SP(#0x44)", &[0xcb, 0x88]),
        ("ADD #5, T1", &[0x40, 0x55]),
        ("MOV AR4, *+AR4(#-0x6569)", &[0xcc, 0x8f, 0x9a, 0x97]),
        ("AADD #0x3e, T3", &[0x14, 0x3e, 0x74]),
        ("SUB #3, T0", &[0x42, 0x34]),
        ("MOV T1, *AR3-", &[0xc5, 0x65]),
        ("AMOV #0x3a, AR2", &[0x14, 0x3a, 0xa5]),
        ("AMOV T1, T0", &[0x14, 0x50, 0x41]),
        ("AND T0, T2", &[0x28, 0x46]),
        ("NEG T1, AR7", &[0x34, 0x5f]),
        ("MOV #15, AR1", &[0x3c, 0xf9]),
        ("MOV #-8, AR2", &[0x3e, 0x8a]),
        ("MOV HI(AC2), *CDP", &[0xbe, 0x71]),
        ("MOV dbl(*(AR5-T1)), dbl(*AR7)", &[0x80, 0xbb, 0x80]),
        ("AMOV #51000, T3", &[0x77, 0xc7, 0x38, 0x70]),
        ("AND #0x8909, AR3, AR5", &[0x7d, 0x89, 0x09, 0xdb]),
        ("MOV AC0, AR2", &[0x22, 0x0a]),
        ("MOV AC2, *AR3(#0x317c)", &[0xc2, 0x6d, 0x31, 0x7c]),
        ("MOV AR2, *(AR7-T1)", &[0xca, 0xf5]),
        ("MOV AC3, *(AR6+T0)", &[0xc3, 0xc7]),
        ("MOV AR5, *AR3(T0)", &[0xcd, 0x6b]),
        ("RPT #0xbb4f", &[0x0c, 0xbb, 0x4f]),
        ("PSH dbl(AC2)", &[0x50, 0x27]),
        ("OR AC2, AC2", &[0x2a, 0x22]),
        ("SUB AC0, AC1", &[0x26, 0x01]),
        ("MAS uns(*(AR0+T0)), *CDP+, AC0 :: MPY uns(*AR3(T0)), *CDP+, AC2", &[0x82, 0x0d, 0xf9, 0x88]),
    ];
    for (text, wanted) in table {
        assert_eq!(&bytes(text), wanted, "{text}");
    }
    // the listing's rounding bit apart
    let shifted = bytes("MPY *AR2+, *CDP+, AC2 :: MAC *(AR6+T1), *CDP+, AC3 >> #16");
    assert_eq!(shifted, [0x84, 0x47, 0x49, 0x2c]);
    let branch = parse("L: BCC L, AR0 != #0").unwrap().lines[0].first;
    assert_eq!(encode(&branch, 0x603).unwrap().to_vec(), [0x6d, 0x18, 0x06, 0x03]);
}

/// CALL L16 reaches 32767 bytes, CALL P24 everything.
#[test]
fn calls_are_as_short_as_they_can_be() {
    for (between, code) in [(32_767, vec![0x08, 0x7f, 0xff]), (32_768, vec![0x6c, 0x01, 0x80, 0x04])] {
        let nops = "NOP\n".repeat(between);
        let lines = parse(&format!("CALL far\n{nops}far:\nRET\n")).unwrap().lines;
        let program = Program::new(core("tms320vc5510").unwrap(), 0x1_0000, lines).unwrap();
        assert_eq!(program.code()[..code.len()], code);
    }
}

/// The second instruction has its enable bit set, as in the listing.
#[test]
fn pairs_are_marked() {
    assert_eq!(bytes("MOV AR3, *SP(#0x44) || AMOV T1, T0"), [0xcb, 0x88, 0x15, 0x50, 0x41]);
    let rpt = "MAC uns(*AR1-), uns(*CDP+), AC0 :: MAC uns(*AR3-), uns(*CDP+), AC1 || RPT #3";
    assert_eq!(bytes(rpt).len(), 6);
    assert_eq!(bytes(rpt)[4..], [0x4d, 3]);
}

#[test]
fn illegal_pairs_are_refused() {
    let judge = |text: &str| check(&parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).lines[0]);
    let cases = [
        ("MOV AC0, *AR0+ || MOV AC1, *AR1+", Illegal::Enable),
        ("MAC *AR1, *CDP, AC0 :: MAC *AR2, *CDP, AC1 || SFTL AC2, #3, AC2", Illegal::Length(7)),
        ("ADD AC0, AC1 || SUB AC2, AC3", Illegal::Unit("D-unit ALU")),
        ("SFTL AC0, #1 || SFTL AC1, #1", Illegal::Unit("D-unit shifter")),
        ("MOV AC0, *AR1+ || AADD #1, AR1", Illegal::Write),
        ("MOV AC0, AC1 || MOV AC1, T0", Illegal::Order),
        // the cell may be the one that is pushed
        ("PSH T1 || MOV *AR3, T0", Illegal::Memory),
        (
            "MAC *AR1, *CDP, AC0 :: MAC *AR2, *CDP, AC0",
            Illegal::Operand("both products go to one accumulator"),
        ),
        (
            "MAC *AR1+, *CDP, AC0 :: MAC *AR1-, *CDP, AC1",
            Illegal::Operand("one address register changes twice"),
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(judge(text), Err(wanted), "{text}");
    }
    for text in [
        "MOV AC0, *AR0+ || ADD AC0 << #-16, AC1",
        "ADD AC0, AC2 || SFTL AC1, #1",
        "MAC *AR1, *CDP, AC0 :: MAC *AR2, *CDP, AC1 || RPTADD CSR, #2",
        "MOV AC0, *AR0+ || AADD #2, T1",
    ] {
        assert!(judge(text).is_ok(), "{text}");
    }
    let combinations = check(&parse("MPY *AR1, *CDP, AC0 :: MAC *AR2, *CDP, AC1").unwrap().lines[0]);
    assert!(matches!(combinations, Err(Illegal::Encode(_))));
}

#[test]
fn texts_that_are_no_code_are_refused() {
    for (text, what) in [
        ("FOO AC0", "'FOO AC0' is no instruction that is modelled"),
        ("MOV AC4, *AR0", "'MOV AC4, *AR0' is no instruction that is modelled"),
        ("B nowhere", "label 'nowhere' is nowhere"),
        ("x: NOP\nx: NOP", "label 'x' is there twice"),
        (
            ".word 1",
            "directive '.word' is not read; valid: .align, .def, .end, .global, .mmregs, .sect, .text",
        ),
        ("NOP || NOP || NOP", "more than two instructions in parallel"),
    ] {
        assert_eq!(parse(text).unwrap_err().fault, what);
    }
}
