//! Assembler text in the place of an object file: what the assembler would make something else of is refused, by a line
//! that names it.

use rhomb::targets::find;
use rhomb::{Error, Interrupts, Proof, Question, verify};
use std::fs;
use std::process::Command;

/// The sum of two words on MIPS32.
const ADD: &str = "\t.text
\t.globl f
\t.type f, @function
\t.set noreorder
\t.ent f
f:\tlw $8, 0($5)
\tlw $9, 0($6)
\taddu $8, $8, $9
\tsltu $2, $8, $9
\tjr $31
\tsw $8, 0($4)
\t.end f
";

/// The same on the C55x.
const TI: &str = "\t.def _f
\t.text
_f:
\tMOV uns(*AR1), AC0
\tADD uns(*AR2), AC0
\tMOV AC0, *AR0
\tSFTL AC0, #-16, AC0
\tMOV AC0, T0
\tRET
";

fn proof(file: &[u8], target: &str, contract: &str) -> Result<Proof, Error> {
    let target = find(target).unwrap();
    let question = Question { file, symbol: "f", target, convention: None, interrupts: Interrupts::Any };
    verify(&question, &contract.parse().unwrap()).map(|found| found.proof)
}

fn changed(from: &str, to: &str) -> String {
    assert_eq!(ADD.matches(from).count(), 1, "{from}");
    ADD.replace(from, to)
}

/// Texts of MIPS32, and what is said of them. With what `true` stands beside, the assembler makes code of them that
/// computes something else.
fn wrong() -> Vec<(String, &'static str, bool)> {
    let between = |line: &str| changed("\taddu", &format!("{line}\n\taddu"));
    let around = |first: &str, second: &str| {
        changed("\taddu $8, $8, $9\n", &format!("{first}\n\taddu $8, $8, $9\n{second}\n"))
    };
    vec![
        (changed("\t.set noreorder\n", ""), "line 5: an instruction under .set reorder", true),
        (changed("\tjr", "\t.set reorder\n\tjr"), "line 11: an instruction under .set reorder", true),
        (changed("\tjr", ".SET reorder;jr"), "line 10: an instruction under .set reorder", true),
        (format!("#define addu subu\n{ADD}"), "line 1: '#define' is for the C preprocessor", true),
        (around("#if 0", "#endif"), "line 8: '#if' is for the C preprocessor", true),
        (around("# if 0", "# endif"), "line 8: '#if' is for the C preprocessor", true),
        (around(".section .text.other", ".text"), "code in two sections, '.text' and '.text.other'", true),
        (
            changed("$8, $8, $9\n", "$8, $8, $9 # see /*\n\tsubu $8, $8, $9\n\tnop # */\n"),
            "line 8: '/*' behind '#' begins a comment for the C preprocessor only",
            true,
        ),
        (
            changed("\tjr", ".set reorder /*\n*/ .set noreorder\n\tjr"),
            "line 11: '.set reorder   .set noreorder' is not read",
            false,
        ),
        (between("# 1 \"x\" ; xor $8, $8, $8"), "line 8: a line marker with more than", true),
        (between("# joined \\"), "line 8: a backslash at the end joins two lines", true),
        (around(".text 1", ".text"), "line 8: '.text' does not take '1'", true),
        (around(".if 0", ".endif"), "line 8: '.if' is no directive that is read; valid: .align", true),
        (around(".macro m", ".endm"), "line 8: '.macro' is no directive", true),
        (around(".rept 2", ".endr"), "line 8: '.rept' is no directive", true),
        (between("\t.space 8\n\t.word 0x01284023"), "line 8: '.space' is no directive", true),
        (between("\t.set sum, $8"), "line 8: '.set' does not take 'sum, $8'", false),
        (
            between("\t.set at=$8"),
            "line 8: '.set at=$8' is not read; valid: noreorder, reorder, push, pop",
            false,
        ),
        (between("\t.set mips16"), "line 8: '.set mips16' is not read", false),
        (between("\t.set micromips"), "line 8: '.set micromips' is not read", false),
        (between("\t.align 4"), "line 8: '.align 4' fills up with instructions; valid: .align 2", false),
        (between("sum = 5"), "line 8: 'sum' is neither an instruction nor a directive", false),
        (between("\t.include \"x\""), "line 8: '.include' is no directive", false),
        (between("\tli $3, 5"), "line 8: 'li' is neither", false),
        (between("\tlw $3, 0x8000($5)"), "line 8: lw: operand 32768 is out of range", false),
        (between("\tj 8"), "line 8: a jump to an address", false),
        (between("\t.insn\n\t.word 0x08000002"), "line 9: a jump to an address", false),
        (between("mips: nop"), "line 8: the C preprocessor puts a number in the place of 'mips'", false),
        (format!("{ADD}\t.weak f\n"), "line 13: a weak symbol", false),
        (format!("#NO_APP\n{ADD}"), "line 1: #NO_APP", false),
        (ADD.replace('\n', "\r"), "line 1: a control character", false),
    ]
}

#[test]
fn text_that_the_assembler_takes_otherwise_is_refused() {
    assert_eq!(proof(ADD.as_bytes(), "mips32-4km", "add 32").unwrap(), Proof::Proved);
    for (text, fault, _) in wrong() {
        let Error { fault: error, hint, .. } = proof(text.as_bytes(), "mips32-4km", "add 32").unwrap_err();
        assert!(error.contains(fault), "{fault}\n{error}\n{text}");
        assert!(hint.contains("mipsel-linux-gnu-as"), "{hint}");
    }
}

#[test]
fn text_that_means_the_same_is_proved() {
    let octal = changed("sltu", ".word 0110044045 # or $9, $9, $0, octal\n\tsltu");
    for text in [
        format!("/* several\n # lines */\n# 1 \"a.S\" 1\n{ADD}"),
        changed("\taddu $8, $8, $9\n", "; addu $8 ,$8,\t$9;# 9 is b\n"),
        changed("\tjr", "\t.align 2\n\t.set push\n\t.set reorder ; .set pop\n\tjr"),
        changed("\tjr", "\tbeqz $0, 1f\n\tnop\n\tor $8, $0, $0\n1:\tb 2f\n2:\tnop\n\tjr"),
        changed("\t.text\n", "\t.section .text.f, \"ax\", @progbits\n\t.align 4\n"),
        ADD.replace('\n', "\r\n"),
        octal,
    ] {
        assert_eq!(proof(text.as_bytes(), "mips32-4km", "add 32").unwrap(), Proof::Proved, "{text}");
    }
}

#[cfg(feature = "oracles")]
#[test]
fn what_the_assembler_makes_of_refused_text_is_refuted() {
    let gnu = rhomb_oracles::MipsGnu { march: "mips32" };
    let object = |text: &str| {
        let text = if text.contains("see /*") { text.to_owned() } else { gnu.preprocess(text).unwrap() };
        gnu.object_in_spite_of_warnings(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    };
    assert_eq!(proof(&object(ADD), "mips32-4km", "add 32").unwrap(), Proof::Proved);
    for (text, ..) in wrong().into_iter().filter(|(.., is_other)| *is_other) {
        assert_eq!(proof(&object(&text), "mips32-4km", "add 32").unwrap(), Proof::Refuted, "{text}");
    }
}

#[test]
fn text_of_the_c55x_is_read_as_its_assembler_reads_it() {
    assert_eq!(proof(TI.as_bytes(), "tms320vc5510", "add 16").unwrap(), Proof::Proved);
    let between = |line: &str| TI.replace("\tMOV AC0, *AR0\n", &format!("{line}\n\tMOV AC0, *AR0\n"));
    for (text, fault) in [
        (between("\t.sect \"x\""), "line 7: code in two sections, '.text' and 'x'"),
        (between("\t.sect x"), "line 6: .sect does not take 'x'"),
        (between("\t.align 4"), "line 6: .align fills up among instructions"),
        (between("\t.end"), "line 7: text behind .end"),
        (between("\t.if 0"), "line 6: directive '.if' is not read; valid: .align, .def"),
        (between("\t.arms_on"), "line 6: directive '.arms_on' is not read"),
        (between("\t.asg AC1, AC0"), "line 6: directive '.asg' is not read"),
        (between("NOP"), "line 6: 'NOP' stands in the wrong column"),
        (between("X .set 5"), "line 6: 'X .set 5' stands in the wrong column"),
        (between("\tL1: NOP"), "line 6: 'L1: NOP' stands in the wrong column"),
        (between("AC1: NOP"), "line 6: label 'AC1' is a register's name"),
        (between("\t|| NOP"), "line 6: '||' in front of a line"),
        (between("\tMOV #010, AC1"), "line 6: 'MOV #010, AC1' is no instruction"),
        (between("\tMOV #10h, AC1"), "line 6: 'MOV #10h, AC1' is no instruction"),
        (between("\tMOV #--5, AC1"), "line 6: 'MOV #--5, AC1' is no instruction"),
        (between("\tRPTB L1\n\tNOP\nL1:"), "line 6: a block ends in front of a label; valid: RPTB L1-1"),
        (between("; joined \\"), "line 6: a backslash at the end"),
        (between(&format!("{}NOP", " ".repeat(200))), "line 6: more than 200 characters"),
        (TI.replace("_f:\n", "\tNOP\n_f:\n"), "line 1: instructions in front of '_f'"),
        (TI.replace("_f:\n", ""), "line 1: symbol '_f' is nowhere"),
    ] {
        let error = proof(text.as_bytes(), "tms320vc5510", "add 16").unwrap_err().to_string();
        assert!(error.contains(fault), "{fault}\n{error}\n{text}");
    }
}

/// Exit status 2, one line with a hint, and no file.
#[test]
fn refusals_write_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (reordered, split) =
        (ADD.replace("\t.set noreorder\n", ""), TI.replace("\tRET", "\t.sect \"x\"\n\tRET"));
    for (text, target, contract) in [(reordered, "mips32-4km", "add 32"), (split, "tms320vc5510", "add 16")] {
        fs::write(folder.path().join("f.s"), text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_rhomb"))
            .args(["verify", "f.s", "--symbol", "f", "--contract", contract, "--target", target])
            .args(["--certificate", "f.json"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("valid: ") && message.contains("hint: "), "{message}");
        assert_eq!(message.lines().count(), 2, "{message}");
        assert!(output.stdout.is_empty());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
