//! What lies below the stack pointer, where the stack pointer may stand, and what interrupts do to code that forgets it.
#![cfg(feature = "oracles")]

use rhomb::{
    Interrupts, Measurement, Parameters, Proof, Question, Request, Verification, files, generate,
    measure_object, replay, targets, verify,
};
use rhomb_object::ObjectFile;
use rhomb_oracles::{Job, Run, SimAvr, Stop};
use std::fs;
use std::path::Path;
use std::process::Command;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/stack");

/// Runs a tool in a folder, which must succeed without a word.
fn run(folder: &Path, tool: &str, arguments: &[&str]) {
    let output = Command::new(tool).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{tool}: {error}; run tests/oracles/setup"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{tool} {arguments:?}: {said}");
}

/// The functions of one processor, assembled.
struct Functions {
    object: Vec<u8>,
    target: &'static str,
    contract: &'static str,
}

impl Functions {
    fn assembled(
        tool: &str,
        options: &[&str],
        file: &str,
        target: &'static str,
        contract: &'static str,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let source = format!("{DATA}/{file}");
        run(folder.path(), tool, &[options, &["-o", "f.o", &source]].concat());
        Functions { object: fs::read(folder.path().join("f.o")).unwrap(), target, contract }
    }

    fn avr() -> Self {
        Self::assembled("avr-gcc", &["-mmcu=atmega128", "-c"], "avr.S", "atmega128", "add 16")
    }

    fn arm() -> Self {
        Self::assembled("arm-none-eabi-as", &["-mcpu=arm7tdmi"], "arm.s", "arm7tdmi", "add 64")
    }

    fn mips() -> Self {
        Self::assembled(
            "mipsel-linux-gnu-as",
            &["-march=mips32", "-mabi=32"],
            "mips.s",
            "mips32-4km",
            "add 32",
        )
    }

    fn question<'a>(&'a self, symbol: &'a str, interrupts: Interrupts) -> Question<'a> {
        let target = targets::find(self.target).unwrap();
        Question { file: &self.object, symbol, target, convention: None, interrupts }
    }

    fn verify(&self, symbol: &str, interrupts: Interrupts) -> Verification {
        let found = verify(&self.question(symbol, interrupts), &self.contract.parse().unwrap()).unwrap();
        assert_eq!(found.interrupts, interrupts);
        found
    }

    fn measure(&self, symbol: &str, interrupts: Interrupts) -> Measurement {
        measure_object(&self.question(symbol, interrupts), &self.contract.parse().unwrap()).unwrap()
    }

    /// It is refuted with these words, with interrupts at least.
    fn refuted(&self, symbol: &str, why: &str) -> Verification {
        let found = self.verify(symbol, Interrupts::Any);
        assert_eq!(found.proof, Proof::Refuted, "{symbol}: {:?}", found.reasons);
        let text = &found.counterexample.as_ref().unwrap().text;
        assert!(text.contains(why), "{symbol}: {text}");
        found
    }

    fn proved(&self, symbol: &str, interrupts: Interrupts) -> Verification {
        let found = self.verify(symbol, interrupts);
        assert_eq!(found.proof, Proof::Proved, "{symbol}: {:?} {:?}", found.counterexample, found.reasons);
        found
    }
}

const REVIVED: &str = "which lay below the stack pointer since it was written, where interrupts write";
const BELOW: &str = "below the stack pointer, where interrupts write";
const HALVES: &str = "the stack pointer is written while an interrupt may come between its bytes";

#[test]
fn what_lay_below_the_stack_pointer_is_undefined() {
    for functions in [Functions::avr(), Functions::arm(), Functions::mips()] {
        functions.refuted("revived", REVIVED);
        functions.proved("revived", Interrupts::Off);
    }
    for functions in [Functions::avr(), Functions::arm()] {
        functions.refuted("below", BELOW);
        functions.proved("below", Interrupts::Off);
    }
}

#[test]
fn the_stack_pointer_stays_in_the_stack() {
    let (avr, arm, mips) = (Functions::avr(), Functions::arm(), Functions::mips());
    for interrupts in [Interrupts::Any, Interrupts::Off] {
        let text = |functions: &Functions, symbol: &str| {
            let found = functions.verify(symbol, interrupts);
            assert_eq!(found.proof, Proof::Refuted, "{symbol}: {:?}", found.reasons);
            found.counterexample.unwrap().text
        };
        let raised = |bytes: u32| {
            format!("the stack pointer is raised to {bytes} bytes above where it stood at the call")
        };
        assert!(text(&avr, "raised").contains(&raised(4)));
        assert!(text(&arm, "raised").contains(&raised(16)));
        assert!(text(&mips, "raised").contains(&raised(8)));
        assert!(text(&avr, "lowered").contains("lowered by 8192 bytes, where there is stack for 4"));
        assert!(text(&arm, "lowered").contains("lowered by 1073741824 bytes, where there is stack for"));
    }
    // the stack pointer for another purpose: what it holds is no address in the stack
    assert_ne!(arm.verify("borrowed", Interrupts::Any).proof, Proof::Proved);
}

#[test]
fn a_stack_pointer_is_not_written_in_halves() {
    let avr = Functions::avr();
    for symbol in ["halves", "open", "again"] {
        avr.refuted(symbol, HALVES);
        avr.proved(symbol, Interrupts::Off);
    }
}

/// With interrupts off for the time, all is well; and a frame below which one side of a branch pushes.
#[test]
fn what_no_interrupt_reaches_is_proved() {
    let avr = Functions::avr();
    for symbol in ["closed", "framed"] {
        avr.proved(symbol, Interrupts::Any);
    }
    assert_eq!(avr.proved("closed", Interrupts::Any).stack_bytes, Some(1));
    assert_eq!(avr.proved("framed", Interrupts::Any).stack_bytes, Some(5));
}

/// Stack is what the stack pointer passed, written or not.
#[test]
fn stack_is_counted_from_the_stack_pointer() {
    let found = Functions::arm().proved("framed", Interrupts::Any);
    assert_eq!(found.stack_bytes, Some(64));
    let found = Functions::arm().proved("below", Interrupts::Off);
    assert_eq!(found.stack_bytes, Some(4));
}

#[test]
fn the_exception_handlers_registers_hold_nothing() {
    let mips = Functions::mips();
    for symbol in ["kernel", "copied"] {
        let found = mips.verify(symbol, Interrupts::Any);
        assert_eq!(found.proof, Proof::Refuted, "{symbol}: {:?}", found.reasons);
        mips.proved(symbol, Interrupts::Off);
    }
    mips.refuted("kernel", "read of $26, which the exception handler writes any time");
    mips.proved("harmless", Interrupts::Any);
    mips.proved("home", Interrupts::Any);
}

/// A proof under an assumption is none without it.
#[test]
fn a_certificate_says_what_was_assumed() {
    let avr = Functions::avr();
    let off = avr.proved("revived", Interrupts::Off).written.unwrap();
    assert!(off.text.contains("interrupts off"), "{}", off.text);
    replay(&avr.question("revived", Interrupts::Off), off.text.as_bytes()).unwrap();
    let error = replay(&avr.question("revived", Interrupts::Any), off.text.as_bytes()).unwrap_err();
    assert!(error.fault.contains("does not hold"), "{}", error.fault);
    // nor the other way round: the identity is another
    let any = avr.proved("framed", Interrupts::Any).written.unwrap();
    replay(&avr.question("framed", Interrupts::Any), any.text.as_bytes()).unwrap();
    replay(&avr.question("framed", Interrupts::Off), any.text.as_bytes()).unwrap_err();
    // forged
    let forged = off.text.replace(" interrupts off", "");
    replay(&avr.question("revived", Interrupts::Any), forged.as_bytes()).unwrap_err();
}

/// A wrong result is found though interrupts would spoil it, too, and both are told.
#[test]
fn a_wrong_result_is_told_beside_the_interrupts() {
    let found = Functions::avr().refuted("wrong", "wrong result");
    assert!(found.reasons.iter().any(|reason| reason.text.contains(BELOW)), "{:?}", found.reasons);
}

#[test]
fn measuring_counts_and_warns() {
    let avr = Functions::avr();
    let any = avr.measure("below", Interrupts::Any);
    assert!(any.warnings.iter().any(|warning| warning.contains(BELOW)), "{:?}", any.warnings);
    let off = avr.measure("below", Interrupts::Off);
    assert!(off.warnings.is_empty(), "{:?}", off.warnings);
    // what no call can be followed through is seen, not known
    let cycles = |report: &rhomb::Report| (report.cycles.body, report.cycles.function);
    assert_eq!(cycles(&any.report), cycles(&off.report));
    assert!(off.report.json().contains(r#""interrupts":"off""#));
}

/// What became of so many calls under a timer's interrupts.
#[derive(Debug, PartialEq)]
enum Disturbed {
    Wrong(u16),
    Lost,
}

const CALLS: u16 = 400;

/// Calls `f` of a source file on libsimavr.
fn under_interrupts(source: &Path, renamed: &str, more: &[&str], period: u32, sp: u16) -> Disturbed {
    let folder = tempfile::tempdir().unwrap();
    let (driver, period) = (format!("{DATA}/driver.c"), format!("-DPERIOD={period}"));
    let options = ["-mmcu=atmega128", "-Os", "-Wall", &period, &driver, &source.display().to_string()];
    let name = format!("-Wl,--defsym=f={renamed}");
    run(folder.path(), "avr-gcc", &[&options[..], more, &[&*name, "-o", "main.elf"]].concat());
    run(folder.path(), "avr-objcopy", &["-O", "binary", "-j", ".text", "main.elf", "main.bin"]);
    let words = fs::read(folder.path().join("main.bin")).unwrap();
    let words = words.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let elf = fs::read(folder.path().join("main.elf")).unwrap();
    let trial = ObjectFile::parse(&elf).unwrap().function("trial").unwrap().address;
    let mut registers = [0; 32];
    [registers[24], registers[25]] = CALLS.to_le_bytes();
    let outcome = SimAvr::with_interrupts("atmega128").run(&Job {
        origin: 0,
        words,
        registers,
        sreg: 0,
        sp,
        pc: (trial / 2) as u32,
        run: Run::Call { return_to: 0xff00, limit: 100_000_000 },
        memory: Vec::new(),
        watch: Vec::new(),
    });
    match outcome.stop {
        Stop::Done => Disturbed::Wrong(u16::from_le_bytes([outcome.registers[24], outcome.registers[25]])),
        Stop::Limit | Stop::Crashed => Disturbed::Lost,
    }
}

/// The refusals above are right: interrupts spoil these functions, and spoil no other.
#[test]
fn interrupts_spoil_what_is_refused() {
    let source = format!("{DATA}/avr.S");
    let spoiled = |symbol: &str, sp| {
        let once = |period| under_interrupts(Path::new(&source), symbol, &["-DWORDS=2"], period, sp);
        [101, 151, 199].map(once).into_iter().any(|found| found != Disturbed::Wrong(0))
    };
    for symbol in ["revived", "below", "raised", "lowered"] {
        assert!(spoiled(symbol, 0x10ff), "{symbol}");
    }
    for symbol in ["closed", "framed"] {
        assert!(!spoiled(symbol, 0x10ff), "{symbol}");
    }
    // where the upper byte changes, and what is written half points into the caller's stack
    let crossing = |symbol| [0x10e7, 0x10ef].into_iter().any(|sp| spoiled(symbol, sp));
    assert!(crossing("halves"));
    assert!(crossing("open"));
    assert!(!crossing("framed"));
}

/// A generated routine with a frame keeps its results under the same interrupts.
#[test]
fn interrupts_do_not_disturb_a_split() {
    let request = Request {
        operation: "mul".into(),
        bits: 256,
        target: "atmega128".into(),
        method: Some("split".into()),
        parameters: Parameters { levels: Some(1), ..Default::default() },
        ..Default::default()
    };
    let kernel = generate(&request).unwrap();
    assert!(kernel.report.stack_bytes > 18, "a frame beside the saved registers");
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("f.S");
    files::write_all(&[(source.clone(), &*kernel.assembly)]).unwrap();
    for (period, sp) in [(101, 0x10ff), (199, 0x10f7), (173, 0x10e7)] {
        let found = under_interrupts(&source, &kernel.name, &["-DWORDS=32", "-DPRODUCT"], period, sp);
        assert_eq!(found, Disturbed::Wrong(0), "{period} {sp:#x}");
    }
}
