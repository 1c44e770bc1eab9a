//! What a dialect writes is read back to the same instructions: every instruction with every kind of
//! operand, branches and jumps by labels, and whole kernels. What is no text of the dialect is an error
//! with its line.

use proptest::prelude::*;
use rhomb_avr::conventions::CONVENTIONS;
use rhomb_avr::cores::core;
use rhomb_avr::encode::encode;
use rhomb_avr::instructions::{Instruction, Op, Operand, ROWS};
use rhomb_avr::lower::{multiplication, routine};
use rhomb_avr::syntax::{DIALECTS, Dialect, SyntaxError, dialect, function, parse};
use rhomb_kernel::{Form, METHODS, Operation, Parameters, Shape, walks};

fn round_trip(dialect: &Dialect, origin: u32, program: &[Instruction]) -> String {
    let text = function(dialect, "routine", origin, program).unwrap_or_else(|error| panic!("{error}"));
    let parsed = parse(dialect, origin, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(parsed.instructions, program, "{text}");
    assert!(parsed.public.contains(&"routine".to_owned()));
    text
}

/// Where a field of an operand can stand.
fn values(operand: Operand) -> Vec<i32> {
    let (least, most, step) = operand.range();
    match operand {
        Operand::Data => vec![0, 0x3f, 0x100, 0xffff],
        Operand::Relative | Operand::Absolute => Vec::new(),
        _ => (least..=most).step_by(step as usize).collect(),
    }
}

/// All values of each operand, the others at their first.
fn forms(op: Op) -> Vec<Instruction> {
    let row = op.row();
    let put = |instruction: &mut Instruction, operand: Operand, value: i32| match operand {
        Operand::D | Operand::DHigh | Operand::DMid | Operand::DPair | Operand::DWord => {
            instruction.d = value as u8;
        }
        Operand::R | Operand::RHigh | Operand::RMid | Operand::RPair => instruction.r = value as u8,
        Operand::Bit | Operand::Flag => instruction.b = value as u8,
        Operand::Relative | Operand::Absolute => {}
        _ => instruction.k = value,
    };
    let mut first = Instruction::new(op);
    for operand in row.operands {
        if let Some(value) = values(*operand).first() {
            put(&mut first, *operand, *value);
        }
    }
    let mut all = vec![first];
    for operand in row.operands {
        for value in values(*operand) {
            let mut one = first;
            put(&mut one, *operand, value);
            all.push(one);
        }
    }
    // both registers the same
    if row.operands == [Operand::D, Operand::R] {
        all.extend((0..32).map(|number| Instruction::dr(op, number, number)));
    }
    all.retain(|one| encode(one).is_ok());
    all
}

fn names_a_place(op: Op) -> bool {
    op.row().operands.iter().any(|operand| matches!(operand, Operand::Relative | Operand::Absolute))
}

#[test]
fn every_instruction_with_every_operand() {
    for dialect in DIALECTS {
        let plain = ROWS.iter().filter(|row| !names_a_place(row.op));
        let program: Vec<Instruction> = plain.flat_map(|row| forms(row.op)).collect();
        assert!(program.len() > 3000, "{}", program.len());
        round_trip(dialect, 0x40, &program);
    }
}

/// A program in which each instruction that names a place names each instruction within its reach.
#[test]
fn every_place_that_can_be_named() {
    let origin = 0x100;
    for dialect in DIALECTS {
        for row in ROWS.iter().filter(|row| names_a_place(row.op)) {
            for flag in if row.operands.contains(&Operand::Flag) { 0..8 } else { 0..1 } {
                for at in 0..9 {
                    for goal in 0..9 {
                        let mut program = vec![Instruction::new(Op::Nop); 9];
                        // one of two words on the way
                        program[4] = Instruction::dk(Op::Lds, 2, 0x100);
                        program[at] = Instruction { b: flag, ..Instruction::new(row.op) };
                        let address = |index: usize| {
                            origin
                                + program[..index].iter().map(|one| one.op.row().words() as u32).sum::<u32>()
                        };
                        let next = address(at) + row.words() as u32;
                        let relative = row.operands.contains(&Operand::Relative);
                        let k =
                            if relative { address(goal) as i32 - next as i32 } else { address(goal) as i32 };
                        program[at].k = k;
                        let text = round_trip(dialect, origin, &program);
                        assert!(!text.contains(" .+") && !text.contains(" .-"), "{text}");
                    }
                }
            }
        }
    }
}

#[test]
fn places_outside_are_distances_or_errors() {
    let program = [
        Instruction { k: 5, ..Instruction::new(Op::Rjmp) },
        Instruction { k: 0x1234, ..Instruction::new(Op::Call) },
        Instruction { b: 1, k: -9, ..Instruction::new(Op::Brbc) },
    ];
    let gnu = round_trip(dialect("gnu").unwrap(), 0x40, &program);
    assert!(gnu.contains("\trjmp .+10\n\tcall 0x2468\n\tbrne .-18\n"), "{gnu}");
    for name in ["iar", "crossworks"] {
        let error = function(dialect(name).unwrap(), "f", 0x40, &program[1..]).unwrap_err();
        assert_eq!(error, SyntaxError::Outside { address: 0x80, dialect: dialect(name).unwrap().name });
    }
    // the middle of an instruction is no place
    let middle = [Instruction::dk(Op::Lds, 2, 0x100), Instruction { k: -2, ..Instruction::new(Op::Rjmp) }];
    assert!(function(dialect("iar").unwrap(), "f", 0, &middle).is_err());
}

#[test]
fn kernels_of_every_method_and_convention() {
    let core = core("atmega128").unwrap();
    let small = Parameters { cache: Some(4), carry_once: Some(2), rows: Some(2), ..Parameters::default() };
    let mut count = 0;
    for method in walks() {
        for words in [1, 2, 3, 5, 8, 13, 20, 32, 64] {
            for parameters in [small, Parameters::default()] {
                for convention in CONVENTIONS {
                    let walk = method.walk(words, &parameters).unwrap();
                    let Ok(kernel) = multiplication(&walk, core, convention) else { continue };
                    for dialect in DIALECTS {
                        round_trip(dialect, 0, &kernel.program);
                        count += 1;
                    }
                }
            }
        }
    }
    assert!(count > 500, "{count}");
}

/// Loops, additions and what multiplies without MUL.
#[test]
fn loops_are_read_back() {
    let core = core("atmega128").unwrap();
    let small = Parameters { cache: Some(4), batch: Some(2), ..Parameters::default() };
    let mut count = 0;
    for method in METHODS {
        let scans = (method.operation, method.name) == (Operation::Sqr, "product-scanning");
        let others = method.forms.iter().filter(|form| !scans || **form != Form::Looped);
        let others = others.filter(|form| **form == Form::Looped || !method.multiplier);
        for (form, words) in others.flat_map(|form| [1, 2, 7, 8, 20, 65].map(|words| (*form, words))) {
            for convention in CONVENTIONS {
                let task = method.task(&Shape { form, words, parameters: &small }).unwrap();
                let kernel = routine(&task, core, convention).unwrap();
                for dialect in DIALECTS {
                    round_trip(dialect, 0, &kernel.program);
                    count += 1;
                }
            }
        }
    }
    assert!(count > 500, "{count}");
}

#[test]
fn spellings() {
    let program = [
        Instruction::dr(Op::Movw, 30, 16),
        Instruction::dk(Op::Adiw, 26, 12),
        Instruction::dk(Op::LddY, 0, 1),
        Instruction::rk(Op::StdZ, 7, 0),
        Instruction::rk(Op::StXInc, 7, 0),
        Instruction::dk(Op::In, 0, 0x3f),
        Instruction::dk(Op::Ldi, 24, 255),
        Instruction::dr(Op::Eor, 1, 1),
        Instruction::dk(Op::Dec, 24, 0),
        Instruction { b: 1, k: -3, ..Instruction::new(Op::Brbc) },
        Instruction { k: -11, ..Instruction::new(Op::Rcall) },
        Instruction::new(Op::Ret),
    ];
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
    check("gnu", "f:\n\tnop\n\tfoo r1\n", 3, "'foo' is neither an instruction nor a directive");
    check("gnu", "\tadd r1\n", 1, "'add' does not take the operands 'r1'");
    check("gnu", "\tadd r1, R2\n", 1, "'add' does not take the operands 'r1, R2'");
    check("gnu", "\tadd r1, r32\n", 1, "'add' does not take the operands 'r1, r32'");
    check("gnu", "\tldi r2, 5\n", 1, "ldi: operand -14 is out of range");
    check("gnu", "\tldd r2, Y+64\n", 1, "ldd: operand 64 is out of range");
    check("gnu", "\tld r2, Y+1\n", 1, "'ld' does not take the operands 'r2, Y+1'");
    check("gnu", "\trjmp .Lx\n", 1, "there is no label '.Lx'");
    check("gnu", "\trjmp .+3\n", 1, "'rjmp' does not take the operands '.+3'");
    check("gnu", "\trjmp .+99998\n", 1, "rjmp: operand 49999 is out of range");
    check("gnu", "a:\na:\n", 2, "label 'a' stands twice");
    check("gnu", "/* never\nends", 2, "a comment does not end");
    check("gnu", "\t.global f\n\tnop\nf:\n", 1, "public symbol 'f' does not stand at the first instruction");
    check("gnu", "\tMOVW R31:R30, R1:R0\n", 1, "'movw' does not take the operands 'R31:R30, R1:R0'");
    check("iar", "\tMOVW R30, R0\n\tEND\n", 1, "'movw' does not take the operands 'R30, R0'");
    check("iar", "\tMOVW R31:R29, R1:R0\n\tEND\n", 1, "'movw' does not take the operands 'R31:R29, R1:R0'");
    check("iar", "\tNOP\n", 1, "the text has no end directive");
    check("iar", "\tEND\n\n\tNOP\n", 3, "text after the end");
    check("iar", "\tRJMP .+4\n\tEND\n", 1, "'rjmp' does not take the operands '.+4'");
    check("iar", "\t.section x\n\tEND\n", 1, "'.section' is neither an instruction nor a directive");
    check("crossworks", "\tRSEG CODE\n", 1, "'rseg' is neither an instruction nor a directive");
    check("crossworks", "\tbrne far\n", 1, "there is no label 'far'");
    check(
        "crossworks",
        &format!("\tbrne far\n{}far:\n", "\tnop\n".repeat(64)),
        1,
        "brbc: operand 64 is out of range",
    );
}

#[test]
fn comments_are_no_text() {
    let gnu = "/* a\n add r1, r2\n */ nop /* b */ ; c\n; d\n ret";
    let held = vec![Instruction::new(Op::Nop), Instruction::new(Op::Ret)];
    assert_eq!(parse(dialect("gnu").unwrap(), 0, gnu).unwrap().instructions, held);
    let iar = "; a\n NOP ; /* b\n RET\n END";
    assert_eq!(parse(dialect("iar").unwrap(), 0, iar).unwrap().instructions, held);
}

/// Pieces of which texts are made that are nearly right.
const PIECES: [&str; 44] = [
    "add",
    "ADD",
    "ld",
    "ldd",
    "std",
    "movw",
    "adiw",
    "rjmp",
    "brne",
    "jmp",
    "lpm",
    "in",
    "out",
    "sbi",
    "clr",
    "ser",
    "r1",
    "R24",
    "r31",
    "r99",
    "R31:R30",
    "Y+1",
    "Y+64",
    "X",
    "-X",
    "Z+",
    ".+2",
    ".-1",
    "0x",
    "0x3f",
    "99999999999",
    "-1",
    ",",
    ", ",
    ":",
    "\t",
    " ",
    "\n",
    "\nf:",
    "/*",
    "*/",
    ";",
    ".global f",
    "\tEND\n",
];

proptest! {
    #[test]
    fn no_text_is_a_panic(text in "\\PC*|[ -~\\n\\t]*", origin in any::<u32>()) {
        for dialect in DIALECTS {
            let _ = parse(dialect, origin >> 10, &text);
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
        let program: Vec<Instruction> = ROWS.iter().filter(|row| !names_a_place(row.op)).map(|row| forms(row.op)[0]).collect();
        let mut letters: Vec<char> = function(dialect, "routine", 0, &program).unwrap().chars().collect();
        let at = at.index(letters.len());
        letters[at] = letter;
        let text: String = letters.into_iter().collect();
        if let Ok(parsed) = parse(dialect, 0, &text) {
            prop_assert!(parsed.instructions.len() <= program.len());
        }
    }

    /// Whatever the words are: if they are instructions, their text is read back.
    #[test]
    fn random_programs(words in prop::collection::vec(any::<u16>(), 1..200), origin in 0..0x8000u32) {
        let mut program = Vec::new();
        let mut at = 0;
        while at < words.len() {
            match rhomb_avr::decode::decode(&words[at..]) {
                Ok((instruction, length)) => {
                    program.push(instruction);
                    at += length;
                }
                Err(_) => at += 1,
            }
        }
        for dialect in DIALECTS {
            if let Ok(text) = function(dialect, "f", origin, &program) {
                prop_assert_eq!(&parse(dialect, origin, &text).unwrap().instructions, &program);
            } else {
                prop_assert!(dialect.name != "gnu");
            }
        }
    }
}
