//! What a dialect writes is read back to the same instructions: every instruction with every kind of operand
//! and branches by labels. What is no text of the dialect is an error with its line.

use proptest::prelude::*;
use rhomb_arm::decode::decode;
use rhomb_arm::encode::encode;
use rhomb_arm::instructions::{
    Action, Address, BlockMode, Condition, DataOp, Indexing, Instruction, Offset, ShiftKind, Shifter, Size,
};
use rhomb_arm::syntax::{DIALECTS, Dialect, SyntaxError, dialect, function, parse};

fn round_trip(dialect: &Dialect, origin: u32, program: &[Instruction]) -> String {
    let text = function(dialect, "routine", origin, program).unwrap_or_else(|error| panic!("{error}"));
    let parsed = parse(dialect, origin, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(parsed.instructions, program, "{text}");
    assert_eq!(parsed.public, ["routine"]);
    text
}

/// The words that decode among a share of all, without branches, whose target is elsewhere.
fn words(count: u32) -> impl Iterator<Item = Instruction> {
    let mut seed = 7u64;
    (0..count).filter_map(move |_| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let one = decode((seed >> 32) as u32).ok()?;
        (!matches!(one.action, Action::Branch { .. })).then_some(one)
    })
}

#[test]
fn instructions_of_random_words() {
    let all: Vec<Instruction> = words(200_000).collect();
    assert!(all.len() > 40_000, "{}", all.len());
    for dialect in DIALECTS {
        let mut said = 0;
        let program: Vec<Instruction> = match dialect.name {
            // some forms cannot be said there
            "iar" => all.iter().copied().filter(|one| function(dialect, "f", 0, &[*one]).is_ok()).collect(),
            _ => all.clone(),
        };
        for part in program.chunks(1000) {
            // with a word of data behind it
            let literal = Action::Literal(0xe12f_ff1e).into();
            round_trip(dialect, 0x8000, &[part, &[literal]].concat());
            said += part.len();
        }
        println!("{}: {said} instructions", dialect.name);
        assert!(said > all.len() / 3);
    }
}

/// Branches of each condition from each place of a program to each other.
#[test]
fn every_place_that_can_be_named() {
    let origin = 0x100;
    for dialect in DIALECTS {
        for condition in Condition::ALL {
            for at in 0..6 {
                for goal in 0..6 {
                    let plain = Action::BranchExchange { rm: 14 };
                    let mut program = vec![Instruction::from(plain); 6];
                    let action = Action::Branch { link: at % 2 == 0, distance: 4 * (goal - at) };
                    program[at as usize] = Instruction { condition, action };
                    let text = round_trip(dialect, origin, &program);
                    assert!(!text.contains(" .+") && !text.contains(" .-"), "{text}");
                }
            }
        }
    }
}

#[test]
fn places_outside_are_distances_or_errors() {
    let branch = |link, distance| Instruction::from(Action::Branch { link, distance });
    let program = [branch(false, 8), branch(true, -0x1000), branch(false, 12)];
    let gnu = round_trip(dialect("gnu").unwrap(), 0x40, &program);
    assert!(gnu.contains("\tb .Lroutine_1\n\tbl .-4096\n.Lroutine_1:\n\tb .+12\n"), "{gnu}");
    for name in ["armasm", "iar"] {
        let dialect = dialect(name).unwrap();
        let error = function(dialect, "f", 0x40, &program).unwrap_err();
        assert_eq!(error, SyntaxError::Outside { address: 0x44, dialect: dialect.name });
    }
    // into the middle of an instruction there is no branch
    let middle = function(dialect("gnu").unwrap(), "f", 0, &[branch(false, 2)]).unwrap_err();
    assert!(middle.to_string().starts_with("the instruction at 0x00000000 cannot be encoded: "), "{middle}");
}

#[test]
fn what_a_dialect_cannot_say() {
    let cases = [
        (Action::Coprocessor { word: 0xee07_0f9a }, ".inst 0xee070f9a", Some("DCI 0xee070f9a")),
        (
            Action::Data {
                op: DataOp::Mov,
                set: true,
                rd: 0,
                rn: 0,
                operand: Shifter::Immediate { value: 4, rotation: 1 },
            },
            "movs r0, #4, 2",
            Some("DCI 0xe3b00104"),
        ),
        (
            Action::WriteStatus {
                saved: false,
                fields: 8,
                operand: Shifter::Immediate { value: 0, rotation: 3 },
            },
            ".inst 0xe328f300",
            Some("DCI 0xe328f300"),
        ),
        (
            Action::Transfer {
                load: true,
                size: Size::Word,
                rd: 1,
                address: Address {
                    rn: 2,
                    up: false,
                    offset: Offset::Immediate(0),
                    indexing: Indexing::Offset,
                },
            },
            "ldr r1, [r2, #-0]",
            Some("DCI 0xe5121000"),
        ),
    ];
    for (action, gnu, armasm) in cases {
        for (name, expected) in [("gnu", Some(gnu)), ("armasm", armasm), ("iar", None)] {
            let dialect = dialect(name).unwrap();
            match expected {
                Some(expected) => {
                    let text = round_trip(dialect, 0x40, &[action.into()]);
                    assert!(text.contains(&format!("\t{expected}\n")), "{text}");
                }
                None => {
                    let error = function(dialect, "f", 0x40, &[action.into()]).unwrap_err();
                    assert_eq!(error, SyntaxError::Form { address: 0x40, dialect: dialect.name });
                }
            }
        }
    }
}

#[test]
fn spellings() {
    let data = |op, set, rd, rn, operand| Action::Data { op, set, rd, rn, operand };
    let block = |load, rn, write_back, mode, registers, user| Action::Block {
        load,
        rn,
        write_back,
        mode,
        registers,
        user,
    };
    let transfer = |load, size, rd, rn, up, offset, indexing| Action::Transfer {
        load,
        size,
        rd,
        address: Address { rn, up, offset, indexing },
    };
    let shifted = Offset::Register { rm: 3, kind: ShiftKind::Lsl, amount: 2 };
    let plain = Offset::Register { rm: 3, kind: ShiftKind::Lsl, amount: 0 };
    let actions = [
        block(false, 13, true, BlockMode::Db, 0x4ff0, false),
        block(true, 0, true, BlockMode::Ia, 0b1_1010, false),
        transfer(true, Size::Word, 4, 1, true, Offset::Immediate(0), Indexing::Offset),
        transfer(false, Size::Byte, 4, 1, true, Offset::Immediate(256), Indexing::Before),
        transfer(true, Size::SignedHalf, 4, 1, false, Offset::Immediate(2), Indexing::After),
        transfer(true, Size::Half, 4, 1, false, plain, Indexing::Offset),
        transfer(true, Size::Word, 4, 1, false, shifted, Indexing::AfterAsUser),
        transfer(true, Size::Word, 4, 15, true, Offset::Rrx { rm: 2 }, Indexing::Offset),
        Action::LongMultiply { signed: false, accumulate: true, set: false, low: 6, high: 7, rm: 4, rs: 5 },
        Action::Multiply { set: true, rd: 6, rm: 7, rs: 4, rn: Some(5) },
        data(DataOp::Add, true, 3, 3, Shifter::plain(6)),
        data(DataOp::Adc, true, 4, 4, Shifter::Immediate { value: 255, rotation: 12 }),
        data(DataOp::Mov, false, 12, 0, Shifter::Register { rm: 3, kind: ShiftKind::Asr, amount: 32 }),
        data(DataOp::Mvn, false, 12, 0, Shifter::ByRegister { rm: 3, kind: ShiftKind::Ror, rs: 2 }),
        data(DataOp::Cmp, true, 0, 12, Shifter::Rrx { rm: 11 }),
        Action::Swap { byte: true, rd: 0, rm: 1, rn: 2 },
        Action::ReadStatus { saved: false, rd: 0 },
        Action::WriteStatus { saved: true, fields: 9, operand: Shifter::plain(0) },
        Action::SoftwareInterrupt { number: 0x123 },
        Action::Branch { link: false, distance: -40 },
        Action::Branch { link: true, distance: -80 },
        block(true, 13, false, BlockMode::Ib, 0x8001, true),
        block(true, 13, true, BlockMode::Ia, 0x8ff0, false),
        block(true, 13, true, BlockMode::Ia, 0x10, false),
        Action::BranchExchange { rm: 14 },
    ];
    let conditions = [Condition::Al, Condition::Al, Condition::Cs, Condition::Ls];
    let program: Vec<Instruction> = actions
        .into_iter()
        .zip(conditions.into_iter().cycle())
        .map(|(action, condition)| Instruction { condition, action })
        .collect();
    for dialect in DIALECTS {
        insta::assert_snapshot!(format!("spellings_{}", dialect.name), round_trip(dialect, 0x40, &program));
    }
}

#[test]
fn errors_name_the_line() {
    let check = |name: &str, text: &str, line: usize, fault: &str| {
        let error = parse(dialect(name).unwrap(), 0, text).unwrap_err();
        assert_eq!((error.line, error.fault.as_str()), (line, fault), "{text}");
    };
    check("gnu", "f:\n\tbx lr\n\tfoo r1\n", 3, "'foo' is neither an instruction nor a directive");
    check("gnu", "\tadd r1, r2\n", 1, "'add' does not take the operands 'r1, r2'");
    check("gnu", "\tadd r1, r2, r16\n", 1, "'add' does not take the operands 'r1, r2, r16'");
    check("gnu", "\tadd r1, r2, #257\n", 1, "'add' does not take the operands 'r1, r2, #257'");
    check("gnu", "\tADD R1, R2, R3\n", 1, "'add' does not take the operands 'R1, R2, R3'");
    check("gnu", "\tmov r1, r2, lsl #32\n", 1, "'mov' does not take the operands 'r1, r2, lsl #32'");
    check("gnu", "\tmul r1, r1, r2\n", 1, "unpredictable: a product into its first factor");
    check("gnu", "\tldr r1, [r2, #4096]\n", 1, "offset 4096 is out of range; valid: 0 to 4095");
    check(
        "gnu",
        "\tldrh r1, [r2, r3, lsl #1]\n",
        1,
        "'ldrh' does not take the operands 'r1, [r2, r3, lsl #1]'",
    );
    check("gnu", "\tldrt r1, [r2, #4]\n", 1, "'ldrt' does not take the operands 'r1, [r2, #4]'");
    check("gnu", "\tpush {r4}\n", 1, "'push' does not take the operands '{r4}'");
    check("gnu", "\tldmia r0!, {r1, r0}\n", 1, "'ldmia' does not take the operands 'r0!, {r1, r0}'");
    check("gnu", "\tldmia r0!, {r0-r3}\n", 1, "unpredictable: base written back and in the list");
    check("gnu", "\t.inst 0xffffffff\n", 1, "word 0xffffffff has the condition NV");
    check("gnu", "\t.word -1\n", 1, "'-1' is no number");
    check("gnu", "\t.inst 5x\n", 1, "'5x' is no instruction as a number");
    check("gnu", "\tbne .Lx\n", 1, "there is no label '.Lx'");
    check(
        "gnu",
        "\tb .+3\n",
        1,
        "there is no instruction for a branch by a distance that is no multiple of 4",
    );
    check("gnu", "a:\na:\n", 2, "label 'a' stands twice");
    check("gnu", "/* never\nends", 2, "a comment does not end");
    check(
        "gnu",
        "\t.global f\n\tbx lr\nf:\n",
        1,
        "public symbol 'f' does not stand at the first instruction",
    );
    check("armasm", "\tBX lr\n", 1, "the text has no end directive");
    check("armasm", "\tEND\n\n\tBX lr\n", 3, "text after the end");
    check("armasm", "BX lr\n\tEND\n", 1, "'lr' is neither an instruction nor a directive");
    check("armasm", "1f\tBX lr\n\tEND\n", 1, "'1f' is no label");
    check("armasm", "\tB .+8\n\tEND\n", 1, "'b' does not take the operands '.+8'");
    check("iar", "\tBX lr\n\tEND\n", 1, "'bx' does not take the operands 'lr'");
    check("iar", "\tLDR R0, [R1, #-0]\n\tEND\n", 1, "'ldr' does not take the operands 'R0, [R1, #-0]'");
    check("iar", "\tDCI 0xe12fff1e\n\tEND\n", 1, "'dci' is neither an instruction nor a directive");
}

#[test]
fn comments_are_no_text() {
    let held = vec![Instruction::from(Action::BranchExchange { rm: 14 }); 2];
    let gnu = "/* a\n add r1, r2\n */ bx lr /* b */ @ c\n@ d\n bx lr";
    assert_eq!(parse(dialect("gnu").unwrap(), 0, gnu).unwrap().instructions, held);
    let armasm = "; a\n BX lr ; /* b\nhere BX lr\n END";
    assert_eq!(parse(dialect("armasm").unwrap(), 0, armasm).unwrap().instructions, held);
}

#[test]
fn names_that_cannot_be_symbols() {
    let reserved = |name: &str, symbol: &str| dialect(name).unwrap().is_reserved(symbol);
    for symbol in ["r0", "R15", "sp", "LR", "a1", "v8", "fp", "ip", "sl", "sb", "s31", "c15"] {
        assert!(DIALECTS.iter().all(|dialect| dialect.is_reserved(symbol)), "{symbol}");
    }
    for symbol in ["r16", "r00", "a5", "mul160", "v9", "f8", "x", "mulx", "square"] {
        assert!(DIALECTS.iter().all(|dialect| !dialect.is_reserved(symbol)), "{symbol}");
    }
    for symbol in ["mul", "ADDSEQ", "end", "area", "proc", "b", "ldmia"] {
        assert_eq!((reserved("gnu", symbol), reserved("armasm", symbol)), (false, true), "{symbol}");
    }
    assert!(reserved("iar", "section") && reserved("iar", "UMULL") && !reserved("armasm", "section"));
}

/// Pieces of which texts are made that are nearly right.
const PIECES: [&str; 58] = [
    "add",
    "ADDS",
    "ldr",
    "ldrbt",
    "strh",
    "mul",
    "umull",
    "b",
    "bleq",
    "bx",
    "mrs",
    "msr",
    "svc",
    "swp",
    "push",
    "ldmia",
    "r1",
    "R2",
    "sp",
    "LR",
    "r99",
    "[",
    "]",
    "]!",
    "{",
    "}",
    "}^",
    "-",
    "#",
    "#-",
    "4",
    "256",
    "0xff",
    "4096",
    "99999999999",
    ", ",
    ",",
    "lsl ",
    "LSR ",
    "rrx",
    "CPSR",
    "SPSR_f",
    ".+8",
    ".-2",
    ":",
    "\t",
    " ",
    "\n",
    "\nf:",
    "\nf\t",
    "/*",
    "*/",
    ";",
    "@",
    ".inst ",
    "DCI ",
    ".global f",
    "\tEND\n",
];

proptest! {
    #[test]
    fn no_text_is_a_panic(text in "\\PC*|[ -~\\n\\t]*", origin in any::<u32>()) {
        for dialect in DIALECTS {
            let _ = parse(dialect, origin, &text);
        }
    }

    #[test]
    fn nearly_right_texts_are_read_or_refused(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60),
    ) {
        let text: String = pieces.concat();
        for dialect in DIALECTS {
            match parse(dialect, 0, &text) {
                // what was read can be written and read again
                Ok(parsed) => if let Ok(again) = function(dialect, "f", 0, &parsed.instructions) {
                    prop_assert_eq!(parse(dialect, 0, &again).unwrap().instructions, parsed.instructions);
                },
                Err(error) => prop_assert!(error.line <= text.lines().count() && !error.fault.contains('\n')),
            }
        }
    }

    /// One letter of a right text changed: it is read or refused, and never as a longer program.
    #[test]
    fn damaged_texts_are_no_panic(at in any::<prop::sample::Index>(), letter in any::<char>(), which in 0..3usize) {
        let dialect = DIALECTS[which];
        let all = words(400).filter(|one| function(dialect, "f", 0, &[*one]).is_ok());
        let program: Vec<Instruction> = all.collect();
        let mut letters: Vec<char> = function(dialect, "routine", 0, &program).unwrap().chars().collect();
        let at = at.index(letters.len());
        letters[at] = letter;
        let text: String = letters.into_iter().collect();
        if let Ok(parsed) = parse(dialect, 0, &text) {
            prop_assert!(parsed.instructions.len() <= program.len());
        }
    }

    /// Programs of any instructions, branches included.
    #[test]
    fn random_programs(
        program in prop::collection::vec(crate::support::instruction(), 1..40),
        origin in any::<u32>(),
    ) {
        let program: Vec<Instruction> = program.into_iter().filter(|one| encode(one).is_ok()).collect();
        for dialect in DIALECTS {
            match function(dialect, "f", origin, &program) {
                Ok(text) => {
                    prop_assert_eq!(&parse(dialect, origin, &text).unwrap().instructions, &program);
                }
                Err(error) => prop_assert!(dialect.name != "gnu", "{}", error),
            }
        }
    }
}
