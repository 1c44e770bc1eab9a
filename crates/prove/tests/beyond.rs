//! What a contract does not say refutes nothing: arguments beyond those that it gives, constants of the file, and
//! reads of what nobody has set, as long as nothing depends on them.

use rhomb_certificate::{Contract, check};
use rhomb_machine::{Fault, Routine};
use rhomb_prove::{Budget, Failure, Timing, Verdict, decide, refute, timing};
use std::sync::Arc;

const BUDGET: Budget = Budget { first: 200_000, second: 1_000_000, effort: 1_000_000, whole: 1_000_000 };

/// What is said of a sum of one word with more instructions in it.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Proved,
    /// It reads this argument beyond those of the contract.
    Argument(String),
    Constant,
    Undefined(String),
    Uninitialised,
    ReadOnly,
    Other(String),
}

fn said<R: Routine>(routine: &R, contract: &str) -> Said {
    let contract: Contract = contract.parse().unwrap();
    let verdict = decide(routine, &contract, BUDGET);
    match (verdict, refute(routine, &contract, BUDGET.first).stopped.map(|stopped| stopped.fault)) {
        (Verdict::Proved(certificate), None) => {
            assert_eq!(check(routine, &certificate), Ok(contract));
            assert_eq!(timing(routine, &contract), Timing::Constant);
            Said::Proved
        }
        (Verdict::Unknown(reasons), Some(Fault::Argument { what })) => {
            assert!(reasons[0].text.contains("more arguments, or wider ones, than"), "{reasons:?}");
            assert!(!reasons[0].addresses.is_empty());
            Said::Argument(what)
        }
        (Verdict::Unknown(_), Some(Fault::Constant { .. })) => Said::Constant,
        (Verdict::Refuted(example, _), None) => match example.failure {
            Failure::Stopped(stopped) => match stopped.fault {
                Fault::Undefined { what } => Said::Undefined(what),
                Fault::Uninitialised { .. } => Said::Uninitialised,
                Fault::ReadOnly { .. } => Said::ReadOnly,
                other => Said::Other(other.to_string()),
            },
            other => Said::Other(format!("{other:?}")),
        },
        other => Said::Other(format!("{other:?}")),
    }
}

fn argument(what: &str) -> Said {
    Said::Argument(what.to_owned())
}

fn undefined(what: &str) -> Said {
    Said::Undefined(what.to_owned())
}

#[test]
fn avr() {
    use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core, syntax};
    let said = |first: &str, then: &str| {
        let text = format!(
            "{first}\n movw r26, r22\n ld r0, X\n movw r26, r20\n ld r22, X\n movw r26, r24\n {then}\n ldi r24, 0\n \
             add r0, r22\n adc r24, r1\n st X, r0\n ret\n"
        );
        let dialect = syntax::dialect("gnu").unwrap();
        let parsed = syntax::parse(dialect, 0, &text).unwrap();
        let program = Program::assemble(core("atmega128").unwrap(), 0, &parsed.instructions).unwrap();
        let program = Arc::new(program);
        let routine =
            Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 64, step_limit: 10_000 };
        said(&routine, "add 8")
    };
    assert_eq!(said("", ""), Said::Proved);
    assert_eq!(said("", "add r0, r18"), argument("r18"));
    assert_eq!(said("", "add r0, r19"), argument("r19"));
    assert_eq!(said("", "add r0, r16"), argument("r16"));
    // copied first, and a pointer
    assert_eq!(said("movw r30, r18", "add r0, r31"), argument("r19"));
    assert_eq!(said("movw r30, r18", "ldd r23, Z+2\n add r0, r23"), argument("r18"));
    assert_eq!(
        said("", "in r30, 0x3d\n in r31, 0x3e\n ldd r23, Z+3\n add r0, r23"),
        argument("data address 0x1100, in the caller's stack")
    );
    // a length: a loop that ends at once where there is none
    assert_eq!(said("", "mov r23, r18\nloop: inc r0\n dec r23\n brne loop"), argument("r18"));
    assert_eq!(said("", "lds r23, 0x0800\n add r0, r23"), Said::Constant);
    // nobody uses it
    assert_eq!(said("add r31, r30\n adc r30, r18", ""), Said::Proved);
    assert_eq!(said("", "ld r23, X"), Said::Proved);
    // it decides the result, a branch, a register to preserve
    assert_eq!(said("", "add r0, r31"), undefined("r31"));
    assert_eq!(said("", "sbrc r31, 0\n inc r0"), undefined("r31"));
    assert_eq!(said("mov r2, r30\n inc r2", ""), undefined("r2"));
    assert_eq!(said("", "ld r23, X\n add r0, r23"), Said::Uninitialised);
    assert_eq!(said("movw r30, r20", "st Z, r0"), Said::ReadOnly);
}

#[test]
fn arm() {
    use rhomb_arm::{Function, Program, conventions::AAPCS, cores::core, syntax};
    let said = |first: &str, then: &str| {
        let text = format!(
            "{first}\n ldr r12, [r1]\n ldr r2, [r2]\n {then}\n adds r12, r12, r2\n str r12, [r0]\n mov r0, #0\n \
             adc r0, r0, #0\n bx lr\n"
        );
        let core = core("arm7tdmi").unwrap();
        let parsed = syntax::parse(syntax::dialect("gnu").unwrap(), 0x100, &text).unwrap();
        let program = Arc::new(Program::assemble(core, 0x100, &parsed.instructions).unwrap());
        let routine =
            Function { program, entry: 0x100, convention: &AAPCS, stack_limit: 64, step_limit: 10_000 };
        said(&routine, "add 32")
    };
    assert_eq!(said("", ""), Said::Proved);
    assert_eq!(said("", "add r12, r12, r3"), argument("r3"));
    assert_eq!(said("", "ldr r3, [r3, #4]\n add r12, r12, r3"), argument("r3"));
    assert_eq!(said("mov r1, r1\n mov r12, r3", "mov r3, r3\n add r12, r12, r3"), argument("r3"));
    assert!(matches!(said("", "ldr r3, [sp]\n add r12, r12, r3"), Said::Argument(_)));
    // what was saved in the stack is above it
    assert!(matches!(said("push {r3, r4}", "ldr r3, [sp, #8]\n add r12, r12, r3"), Said::Argument(_)));
    assert_eq!(said("", "mov r3, #0x8000\n ldr r3, [r3]\n add r12, r12, r3"), Said::Constant);
    assert_eq!(said("add r3, r12, r3", "ldr r3, [r0]"), Said::Proved);
    assert_eq!(said("", "ldrb r3, [r0, #1]"), Said::Proved);
    // a word of which a part is written first
    assert_eq!(said("", "strb r12, [r0, #1]\n ldr r3, [r0]"), Said::Proved);
    assert_eq!(said("add r1, r1, r12", ""), undefined("r12"));
    assert_eq!(said("", "ldr r3, [r0]\n add r12, r12, r3"), Said::Uninitialised);
    assert_eq!(said("", "strb r12, [r0, #1]\n ldr r3, [r0]\n add r12, r12, r3"), Said::Uninitialised);
    assert_eq!(said("", "str r12, [r1]"), Said::ReadOnly);
    // flags that a product leaves open
    assert_eq!(said("", "muls r3, r2, r1\n addcs r12, r12, #1"), undefined("flag C"));
    // too many words taken from the stack are no arguments
    assert!(matches!(said("", "ldr r3, [sp], #4"), Said::Other(_)));
}

#[test]
fn mips() {
    use rhomb_mips::{Function, Model, Program, conventions::O32, cores::core, syntax};
    let model = Arc::new(Model::of(core("mips32-4km").unwrap()));
    let said = |first: &str, then: &str| {
        let text = format!(
            ".set noreorder\n {first}\n lw $8, 0($5)\n lw $9, 0($6)\n {then}\n addu $8, $8, $9\n sltu $2, $8, $9\n \
             jr $31\n sw $8, 0($4)\n"
        );
        let parsed = syntax::parse(&model, 0x100, &text).unwrap();
        let program = Arc::new(Program::assemble(model.clone(), 0x100, &parsed.instructions).unwrap());
        let routine =
            Function { program, entry: 0x100, convention: &O32, stack_limit: 64, step_limit: 10_000 };
        said(&routine, "add 32")
    };
    assert_eq!(said("", ""), Said::Proved);
    assert_eq!(said("", "addu $8, $8, $7"), argument("$7"));
    assert_eq!(said("addu $10, $7, $0", "lw $10, 8($10)\n addu $8, $8, $10"), argument("$7"));
    assert!(matches!(said("", "lw $10, 16($29)\n addu $8, $8, $10"), Said::Argument(_)));
    assert_eq!(said("", "lui $10, 0x9000\n lw $10, 0($10)\n addu $8, $8, $10"), Said::Constant);
    assert_eq!(said("addu $10, $11, $7", "lw $10, 0($4)"), Said::Proved);
    assert_eq!(said("mflo $10", "sb $8, 1($4)\n lw $10, 0($4)\n lbu $10, 3($4)"), Said::Proved);
    assert_eq!(said("", "addu $8, $8, $11"), undefined("$11"));
    assert_eq!(said("", "lw $10, 0($4)\n addu $8, $8, $10"), Said::Uninitialised);
    assert_eq!(said("", "mul $10, $8, $9\n mflo $10\n addu $8, $8, $10"), undefined("LO"));
    assert_eq!(said("", "sw $8, 0($6)"), Said::ReadOnly);
}

#[test]
fn c55x() {
    use rhomb_c55x::{Function, Program, conventions::TI, cores::core, lower::chain, syntax};
    let sum = syntax::function("f", &chain(1, false).unwrap().into_lines());
    let said = |then: &str| {
        let store = "MOV AC0, *AR0(#-1)";
        let text = sum.replacen(store, &format!("{then}\n {store}"), 1);
        let lines = syntax::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}")).lines;
        let program = Arc::new(Program::new(core("tms320vc5510").unwrap(), 0x100, lines).unwrap());
        let routine = Function { program, entry: 0, convention: &TI, stack_limit: 64, step_limit: 10_000 };
        said(&routine, "add 16")
    };
    assert_eq!(said("NOP"), Said::Proved);
    assert_eq!(said("ADD T0, AC0"), argument("T0"));
    assert_eq!(said("ADD uns(*AR3), AC0"), argument("AR3"));
    assert!(matches!(said("ADD uns(*SP(#1)), AC0"), Said::Argument(_)));
    assert_eq!(said("ADD AC2, AC1\n ADD T1, AC1"), Said::Proved);
    assert_eq!(said("MOV *AR0(#-1), T1"), Said::Proved);
    assert_eq!(said("ADD AC2, AC0"), undefined("AC2"));
    assert_eq!(said("ADD uns(*AR0(#-1)), AC0"), Said::Uninitialised);
    assert_eq!(said("MOV AC0, *AR2(#-1)"), Said::ReadOnly);
}
