//! Calls that a proof takes over, on the processors for which no inversion is generated: modulo 5 the inverse is the third
//! power, a square and a product, each of one word. What it is folded by, 2^8, 2^16 or 2^32, is 1 modulo 5.

use rhomb_arm::syntax as arm;
use rhomb_avr::syntax as avr;
use rhomb_certificate::Contract;
use rhomb_composition::check_composition;
use rhomb_machine::Routine;
use rhomb_prove::{Budget, Unproved, Verdict, decide, prove_composition, refute};
use std::sync::Arc;

const EFFORT: u64 = 100_000_000;

const AVR: &str = "
	push r14
	push r15
	push r16
	push r17
	push r28
	push r29
	movw r16, r24
	movw r14, r22
	push r1
	in r28, 61
	in r29, 62
	adiw r28, 1
	movw r24, r28
	rcall sqr
	movw r24, r16
	movw r22, r28
	movw r20, r14
	rcall mul
	pop r0
	pop r29
	pop r28
	pop r17
	pop r16
	pop r15
	pop r14
	ret
sqr:
	movw r20, r22
mul:
	movw r30, r22
	ld r18, Z
	movw r30, r20
	ld r19, Z
	mul r18, r19
	add r0, r1
	ldi r18, 0
	adc r0, r18
	movw r30, r24
	st Z, r0
	eor r1, r1
	ret
";

const ARM: &str = "
	push {r4, r5, r6, lr}
	sub sp, sp, #8
	mov r4, r0
	mov r5, r1
	mov r0, sp
	bl sqr
	mov r0, r4
	mov r1, sp
	mov r2, r5
	bl mul
	add sp, sp, #8
	pop {r4, r5, r6, pc}
sqr:
	mov r2, r1
mul:
	ldr r3, [r1]
	ldr r12, [r2]
	umull r1, r2, r3, r12
	adds r1, r1, r2
	adc r1, r1, #0
	str r1, [r0]
	bx lr
";

const C55X: &str = "
	PSHBOTH XAR5
	PSHBOTH XAR6
	AADD #-1, SP
	AMAR *AR0, XAR5
	AMAR *AR1, XAR6
	AMAR *SP(#0), XAR0
	CALL sqr
	AMAR *AR5, XAR0
	AMAR *SP(#0), XAR1
	AMAR *AR6, XAR2
	CALL mul
	AADD #1, SP
	POPBOTH XAR6
	POPBOTH XAR5
	RET
sqr:
	AMAR *AR1, XAR2
mul:
	MPYM uns(*AR1), uns(*AR2), AC0
	SFTL AC0, #-16, AC1
	AND #65535, AC0, AC0
	ADD AC1, AC0
	SFTL AC0, #-16, AC1
	ADD AC1, AC0
	MOV AC0, *AR0
	RET
";

fn avr(text: &str) -> rhomb_avr::Function {
    let code = avr::parse(avr::dialect("gnu").unwrap(), 0x40, text).unwrap().instructions;
    let core = rhomb_avr::cores::core("atmega128").unwrap();
    let program = Arc::new(rhomb_avr::Program::assemble(core, 0x40, &code).unwrap());
    let convention = &rhomb_avr::conventions::AVR_GCC;
    rhomb_avr::Function { program, entry: 0x40, convention, stack_limit: 64, step_limit: 1000 }
}

fn arm(text: &str) -> rhomb_arm::Function {
    let code = arm::parse(arm::dialect("gnu").unwrap(), 0x400, text).unwrap().instructions;
    let core = rhomb_arm::cores::core("arm7tdmi").unwrap();
    let program = Arc::new(rhomb_arm::Program::assemble(core, 0x400, &code).unwrap());
    let convention = &rhomb_arm::conventions::AAPCS;
    rhomb_arm::Function { program, entry: 0x400, convention, stack_limit: 64, step_limit: 1000 }
}

fn c55x(text: &str) -> rhomb_c55x::Function {
    let lines = rhomb_c55x::syntax::parse(text).unwrap_or_else(|error| panic!("{error}")).lines;
    let core = rhomb_c55x::cores::core("tms320vc5510").unwrap();
    let program = Arc::new(rhomb_c55x::Program::new(core, 0x100, lines).unwrap());
    let convention = &rhomb_c55x::conventions::TI;
    rhomb_c55x::Function { program, entry: 0, convention, stack_limit: 64, step_limit: 1000 }
}

fn contract() -> Contract {
    "modinv 0x5".parse().unwrap()
}

fn is_proved(routine: &impl Routine) {
    assert_eq!(refute(routine, &contract(), 1_000_000).found, None);
    match decide(routine, &contract(), Budget::default()) {
        Verdict::Composed(composition) => {
            assert_eq!(check_composition(routine, &composition), Ok(contract().into()));
            let calls = composition.calls.into_iter();
            let mut names: Vec<String> = calls.map(|called| called.certificate.contract).collect();
            names.sort();
            assert_eq!(names.len(), 2);
            assert!(names[0].starts_with("modmul ") && names[1].starts_with("modsqr "), "{names:?}");
        }
        other => panic!("{other:?}"),
    }
}

/// Why a routine is not proved.
fn refusal(routine: &impl Routine) -> String {
    prove_composition(routine, contract(), EFFORT).unwrap_err().to_string()
}

/// The text with a line replaced, which must be there.
fn with(text: &str, line: &str, other: &str) -> String {
    assert_eq!(text.matches(line).count(), 1, "{line}");
    text.replace(line, other)
}

#[test]
fn third_powers_are_compositions() {
    is_proved(&avr(AVR));
    is_proved(&arm(ARM));
    is_proved(&c55x(C55X));
}

/// A square, and a product with the square itself.
#[test]
fn other_powers_are_refused() {
    let fourth = [
        refusal(&avr(&with(AVR, "movw r20, r14", "movw r20, r28"))),
        refusal(&arm(&with(ARM, "mov r2, r5", "mov r2, r1"))),
        refusal(&c55x(&with(C55X, "AMAR *AR6, XAR2", "AMAR *AR1, XAR2"))),
    ];
    for text in fourth {
        assert!(text.contains("to the power 0x4"), "{text}");
    }
}

/// What the convention does not keep holds nothing after a call.
#[test]
fn other_registers_are_lost() {
    let lost = [
        (refusal(&avr(&with(AVR, "movw r20, r14", "movw r20, r26"))), "r20"),
        (refusal(&avr(&with(AVR, "\tmovw r24, r16\n", ""))), "r24"),
        (refusal(&arm(&with(ARM, "\tmov r0, r4\n", ""))), "r0"),
        (refusal(&arm(&with(ARM, "mov r2, r5", "mov r2, r12"))), "r2"),
        (refusal(&c55x(&with(C55X, "\tAMAR *AR5, XAR0\n", ""))), "AR0"),
        (refusal(&c55x(&with(C55X, "AMAR *AR6, XAR2", "AMAR *AR3, XAR2"))), "AR3"),
    ];
    for (text, register) in lost {
        assert!(text.contains(register), "{register}: {text}");
    }
    // nor do flags
    let text = refusal(&arm(&with(ARM, "mov r2, r5", "moveq r2, r5")));
    assert!(text.contains("flag Z"), "{text}");
    let text = refusal(&avr(&with(AVR, "movw r20, r14", "movw r20, r14\n\tadc r20, r2")));
    assert!(text.contains("flag C"), "{text}");
}

/// A call of another place is that of another routine, and a jump is no call: what it goes to is executed.
#[test]
fn callees_are_entered_at_their_beginning() {
    let late = [
        refusal(&avr(&with(AVR, "mul:\n\tmovw r30, r22", "\tmovw r30, r22\nmul:"))),
        refusal(&arm(&with(ARM, "mul:\n\tldr r3, [r1]", "\tldr r3, [r1]\nmul:"))),
        refusal(&c55x(&with(
            C55X,
            "mul:\n\tMPYM uns(*AR1), uns(*AR2), AC0",
            "\tMPYM uns(*AR1), uns(*AR2), AC0\nmul:",
        ))),
    ];
    for text in late {
        assert!(text.contains("which is not shown to be one of"), "{text}");
    }
    let jumps = [
        refusal(&avr(&with(AVR, "rcall mul\n\tpop r0", "rjmp mul\n\tpop r0"))),
        refusal(&arm(&with(ARM, "bl mul", "b mul"))),
        refusal(&c55x(&with(C55X, "CALL mul", "B mul"))),
    ];
    for text in jumps {
        assert!(!text.contains("not shown to be"), "{text}");
    }
}

/// The convention's state at a call: an aligned stack, a zero register, status bits.
#[test]
fn calls_by_another_convention_are_refused() {
    let text = refusal(&arm(&with(
        &with(ARM, "sub sp, sp, #8", "sub sp, sp, #4"),
        "add sp, sp, #8",
        "add sp, sp, #4",
    )));
    assert!(text.contains("not aligned"), "{text}");
    let text = refusal(&avr(&with(AVR, "movw r24, r28\n", "movw r24, r28\n\tinc r1\n")));
    assert!(text.contains("zero register"), "{text}");
    let even = with(&with(C55X, "AADD #-1, SP", "AADD #-2, SP"), "AADD #1, SP", "AADD #2, SP");
    let text = refusal(&c55x(&even));
    assert!(text.contains("not even"), "{text}");
    let text = refusal(&c55x(&with(C55X, "CALL sqr", "BCLR M40\n\tCALL sqr\n\tBSET M40")));
    assert!(text.contains("status bits"), "{text}");
}

/// Contracts say nothing of a result that lies on an operand.
#[test]
fn a_result_on_an_operand_is_refused() {
    let same = [
        refusal(&avr(&with(AVR, "movw r24, r28", "movw r24, r28\n\tmovw r22, r28"))),
        refusal(&arm(&with(ARM, "mov r0, sp", "mov r0, sp\n\tmov r1, sp"))),
        refusal(&c55x(&with(C55X, "AMAR *SP(#0), XAR0", "AMAR *SP(#0), XAR0\n\tAMAR *SP(#0), XAR1"))),
    ];
    for text in same {
        assert!(text.contains("lies on an operand"), "{text}");
    }
    assert!(matches!(
        prove_composition(&arm(ARM), "modmul 0x5".parse::<Contract>().unwrap(), EFFORT),
        Err(Unproved::Composition(_))
    ));
}
