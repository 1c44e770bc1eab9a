//! What an execution collects is bounded by the effort, as what is searched in it is.

use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core, syntax};
use rhomb_certificate::{CheckError, Contract, EFFORT, check, check_within};
use rhomb_prove::{Budget, Unproved, Verdict, decide, prove, prove_within};
use std::sync::Arc;

/// `add 16` after `turns` times 65,536 products of unknown words, which nobody uses.
fn detour(turns: u32) -> Function {
    let text = format!(
        "    movw r26, r24
    movw r30, r22
    ldd r18, Z+0
    ldd r19, Z+1
    movw r30, r20
    ldd r20, Z+0
    ldd r21, Z+1
    ldi r22, 0
    ldi r23, 0
    ldi r24, {turns}
    mul r18, r20
    subi r22, 1
    sbci r23, 0
    sbci r24, 0
    brne .-10
    clr r1
    add r18, r20
    adc r19, r21
    adc r24, r1
    st X+, r18
    st X, r19
    ret
"
    );
    let code = syntax::parse(&syntax::gnu::GNU, 0, &text).unwrap().instructions;
    let program = Arc::new(Program::assemble(core("atmega128").unwrap(), 0, &code).unwrap());
    Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 16, step_limit: 50_000_000 }
}

/// More steps than there is memory for: seven million, each of which would take a place in a graph.
#[test]
fn millions_of_steps_exhaust_a_small_effort() {
    let contract: Contract = "add 16".parse().unwrap();
    let budget = Budget { first: 0, second: 0, effort: 1_000_000, whole: 1_000_000 };
    let Verdict::Unknown(reasons) = decide(&detour(9), &contract, budget) else { panic!() };
    assert_eq!(reasons[0].text, "effort exhausted after 1000000 terms");
    assert_eq!(prove_within(&detour(9), &contract, 1), Err(Unproved::Effort(1)));
}

#[test]
fn the_default_effort_is_enough_for_what_is_of_use() {
    let contract: Contract = "add 16".parse().unwrap();
    let function = detour(1);
    let certificate = prove(&function, &contract).unwrap();
    assert_eq!(check(&function, &certificate), Ok(contract));
    // each product makes two variables, in each of the patterns
    let little = 65_536 * 2 * 64;
    assert_eq!(check_within(&function, &certificate, little), Err(CheckError::Effort(little)));
    assert!(little * contract.patterns().len() as u64 * 2 < EFFORT);
}
