//! Targets: names, errors, and times of a user's own.

use rhomb_targets::{Error, Target, find};

#[test]
fn the_nearest_name_is_suggested_only_when_near() {
    let error = Error::unknown("target", "Atmega_128", &["attiny85", "atmega128"], "see the list");
    assert_eq!(error.fault, "unknown target 'Atmega_128'; valid: attiny85, atmega128");
    assert_eq!(error.hint, "did you mean 'atmega128'?");
    assert_eq!(Error::unknown("target", "z80", &["atmega128"], "see the list").hint, "see the list");
}

#[test]
fn messages_stay_on_one_line() {
    let error = Error::unknown("target", "a\nb\u{1b}[31m", &["atmega128"], "see the list");
    assert!(!error.fault.chars().any(char::is_control), "{}", error.fault);
}

const TIMES: &str = "extensions = ['m', 'c']\n[cycles]\nplain = 1\nmul = 2\nmulh = 33\nload = 2\nstore = 2\n\
                     branch = 1\ntaken = 3\njal = 2\njalr = 2\n[most]\nmul = 33\n";

fn with_times(text: &str) -> Result<Box<dyn Target>, String> {
    find("rv32im").unwrap().with_times(text).expect("rv32im takes times")
}

/// Instructions whose times are the same for all operands, added up.
#[test]
fn times_of_a_text_are_those_of_a_core() {
    let own = with_times(&format!("unaligned-target = 1\n{TIMES}")).unwrap();
    let known = find("ibex-slow").unwrap();
    // add, mulhu, lw, lbu, sw, jal over an addition, beq over one, ret
    let words: [u32; 10] = [
        0x00b5_0533,
        0x02b5_3533,
        0x0005_a503,
        0x0005_c503,
        0x00a5_a023,
        0x0080_006f,
        0x0015_0513,
        0x0000_0463,
        0x0015_0513,
        0x0000_8067,
    ];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let code = rhomb_targets::Code {
        origin: 0,
        routine: 0..bytes.len(),
        bytes,
        placement: rhomb_machine::Placement::default(),
    };
    let cycles = |target: &dyn Target| {
        let buffer = |name| rhomb_targets::subject::Given {
            name,
            words: 4,
            content: Some(vec![3; 4]),
            writable: true,
            secret: 0..0,
        };
        let subject = target.subject(&code, "ilp32").unwrap();
        subject.call(&[buffer("r"), buffer("a")], 0).unwrap().cycles
    };
    assert_eq!(cycles(&*own), cycles(known));
}

#[test]
fn a_fault_in_a_text_of_times_is_named() {
    let fault = |text: &str| with_times(text).err().expect("a fault");
    assert_eq!(fault(&TIMES.replace("store = 2\n", "")), "the cycles of store are missing");
    assert!(fault(&TIMES.replace("'c'", "'d'")).starts_with("no extension 'd'; valid: i, m, c, zba"));
    assert_eq!(fault(&TIMES.replace("'c'", "'c', 'zbc'")), "the cycles of clmul are missing");
    let few = "mul: valid: 1 to 255 cycles, and no fewer than [cycles] has";
    assert_eq!(fault(&TIMES.replace("[most]\nmul = 33", "[latency]\nmul = 1")), few);
    assert_eq!(fault(&TIMES.replace("mul = 2", "mul = 0")), few);
    let unknown = fault(&TIMES.replace("jal =", "jump ="));
    assert!(unknown.starts_with("line 10: unknown variant `jump`, expected one of `plain`"), "{unknown}");
    assert!(fault("extensions = [").starts_with("line 1: "));
}

/// A word among the code is read, by this routine stored, and not executed: though it would be BX LR twice.
#[test]
fn words_among_the_code_are_data() {
    for target in ["cortex-m0plus", "cortex-m4"] {
        let target = find(target).unwrap();
        let called = |last: &str| {
            let text = format!("f: ldr r3, [pc, #4]\nstr r3, [r0]\n{last}\nnop\n.word 0x47704770\n");
            let assembled = target.assemble(&text, "gnu").unwrap();
            let lines: Vec<u64> = assembled.places.iter().map(|(_, at)| *at).collect();
            assert_eq!(lines, [0, 2, 4, 6, 8]);
            let given = rhomb_targets::subject::Given {
                name: "r",
                words: 1,
                content: Some(vec![0]),
                writable: true,
                secret: 0..0,
            };
            target.subject(&assembled.code, "aapcs").unwrap().call(&[given], 0)
        };
        assert_eq!(called("bx lr").unwrap().result, [0x4770_4770]);
        let fault = called("nop").expect_err("a fault").to_string();
        assert!(fault.contains("data, not code"), "{fault}");
    }
}
