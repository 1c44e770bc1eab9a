//! Splits are proved, take the same time for all operands, and the proofs pass the checker.

use rhomb_avr::conventions::AVR_GCC;
use rhomb_avr::lower::{after_product, routine};
use rhomb_avr::{Function, Program, cores::core, syntax};
use rhomb_certificate::{Certificate, Contract, check, sha256};
use rhomb_field::ways;
use rhomb_kernel::split::{Cut, Node, Pairs};
use rhomb_kernel::{Form, Operation, Parameters, Shape, Task, method};
use rhomb_machine::{MachineCode, Random};
use rhomb_prove::{
    Budget, Timing, Verdict, decide, prove, prove_by_products, prove_with_calls, refute, timing,
};
use std::sync::Arc;

const EFFORT: u64 = 1_000_000_000;

fn function(task: &Task) -> Function {
    let core = core("atmega128").unwrap();
    let kernel = routine(task, core, &AVR_GCC).unwrap();
    let program = Arc::new(Program::assemble(core, 0, &kernel.program).unwrap());
    Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 1024, step_limit: 1 << 24 }
}

const OPERATIONS: [Operation; 2] = [Operation::Mul, Operation::Sqr];

fn check_one(words: usize, levels: usize) {
    for operation in OPERATIONS {
        let what = format!("{} of {words} words, {levels} levels", operation.name());
        check_task(&what, &split_of(operation, words, levels));
    }
}

fn contract_of(task: &Task) -> Contract {
    format!("{} {}", task.operation().name(), 8 * task.words()).parse().unwrap()
}

fn check_task(what: &str, task: &Task) {
    let function = function(task);
    let contract = contract_of(task);
    let certificate = match prove(&function, &contract) {
        Ok(certificate) => certificate,
        Err(error) => panic!("{what}: {error} {error:?}"),
    };
    assert_eq!(check(&function, &certificate), Ok(contract));
    assert_eq!(timing(&function, &contract), Timing::Constant);
}

#[test]
fn one_level_of_2_to_20_words() {
    (2..=20).for_each(|words| check_one(words, 1));
}

/// In a straight line and with loops, halves equal and not.
#[test]
fn levels_in_memory() {
    for (words, levels) in [(24, 1), (34, 1), (37, 1), (12, 2), (16, 2), (19, 2), (32, 2), (64, 1)] {
        check_one(words, levels);
    }
}

/// Halves by calls, which preserve no registers: each call is taken for what its contract says.
#[test]
fn halves_by_calls_are_composed() {
    let products = [(32, 3), (64, 3), (48, 3), (96, 4), (66, 3)].map(|size| (Operation::Mul, size));
    let squares =
        [(34, 1), (48, 1), (45, 1), (64, 2), (96, 2), (66, 2), (128, 3)].map(|size| (Operation::Sqr, size));
    for (operation, (words, levels)) in
        products.into_iter().chain(squares).step_by(rhomb_oracles::sample(2, 1))
    {
        let task = split_of(operation, words, levels);
        let routine = function(&task);
        let certificate = prove_by_products(&routine, &contract_of(&task), EFFORT).unwrap();
        assert!(!certificate.calls.is_empty(), "{words} words");
        assert!(are_inner(&certificate), "{words} words");
        assert_eq!(check(&routine, &certificate), Ok(contract_of(&task)), "{words} words");
    }
}

/// Whether all routines that are called are told nothing of other registers.
fn are_inner(certificate: &Certificate) -> bool {
    certificate.calls.iter().all(|called| called.inner && called.certificate.routine.contains(" inner "))
}

/// A square of two words by a square of each word and their product, twice. What it calls preserves no register, not even the zero
/// register.
const SQUARE: &str = "
	push r28
	push r29
	movw r28, r22
	movw r30, r24
	push r30
	push r31
	push r28
	push r29
	movw r20, r22
	rcall mul
	pop r29
	pop r28
	pop r25
	pop r24
	push r24
	push r25
	push r28
	push r29
	adiw r24, 2
	adiw r28, 1
	movw r22, r28
	movw r20, r28
	rcall mul
	pop r29
	pop r28
	pop r31
	pop r30
	ld r18, Y
	ldd r19, Y+1
	mul r18, r19
	clr r20
	lsl r0
	rol r1
	rol r20
	ldd r18, Z+1
	add r18, r0
	std Z+1, r18
	ldd r18, Z+2
	adc r18, r1
	std Z+2, r18
	ldd r18, Z+3
	adc r18, r20
	std Z+3, r18
	clr r1
	pop r29
	pop r28
	ret
mul:
	movw r30, r22
	ld r18, Z
	movw r30, r20
	ld r19, Z
	mul r18, r19
	movw r30, r24
	st Z, r0
	std Z+1, r1
	ldi r28, 255
	ret
";

/// What the called routine leaves in registers is nobody's: neither a preserved register of the convention nor the zero register
/// is what it was.
#[test]
fn callers_rely_on_no_register_of_an_inner_call() {
    // what it calls may change them
    let each = |name: &str, numbers: &[u8]| {
        numbers.iter().map(|own| format!("\t{name} r{own}\n")).collect::<String>()
    };
    let kept: Vec<u8> = (2..18).collect();
    let back: Vec<u8> = (2..18).rev().collect();
    let square = each("push", &kept) + &SQUARE.replacen("\tret\n", &(each("pop", &back) + "\tret\n"), 1);
    let of = |text: &str| {
        let instructions = syntax::parse(&syntax::gnu::GNU, 0, text).unwrap().instructions;
        let program = Program::assemble(core("atmega128").unwrap(), 0, &instructions).unwrap();
        let (program, stack_limit) = (Arc::new(program), 64);
        Function { program, entry: 0, convention: &AVR_GCC, stack_limit, step_limit: 10_000 }
    };
    let contract = Contract::whole(Operation::Sqr, 16);
    let certificate = prove_by_products(&of(&square), &contract, EFFORT).unwrap();
    assert!(are_inner(&certificate), "{certificate:?}");
    for (line, other) in [
        // Y as it was left
        ("	rcall mul\n	pop r29\n	pop r28", "	rcall mul\n	pop r18\n	pop r18"),
        ("	clr r20\n", "	mov r20, r17\n"),
        ("	clr r1\n", ""),
        ("	ld r19, Z\n	mul", "	mov r19, r1\n	mul"),
        ("	pop r9\n", "	pop r0\n"),
    ] {
        assert!(square.contains(line), "{line}");
        assert!(prove_by_products(&of(&square.replace(line, other)), &contract, EFFORT).is_err(), "{other}");
    }
}

/// The product of two numbers of words by a split.
fn split(words: usize, levels: usize) -> Task {
    split_of(Operation::Mul, words, levels)
}

fn split_of(operation: Operation, words: usize, levels: usize) -> Task {
    let parameters = Parameters { levels: Some(levels), ..Parameters::default() };
    let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
    method(operation, "split").and_then(|method| method.task(&shape)).unwrap()
}

/// A product modulo a number, whose product of whole numbers is called.
fn modular(contract: &Contract, task: &Task) -> Function {
    let core = core("atmega128").unwrap();
    let way = ways(contract, 8).into_iter().next().unwrap();
    let product = |inner: &_| routine(task, core, inner);
    let kernel = after_product(&way.line, (product, false), core, &AVR_GCC).unwrap();
    let program = Arc::new(Program::assemble(core, 0, &kernel.program).unwrap());
    Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 1024, step_limit: 1 << 24 }
}

/// The contracts of routines that are called and call nothing.
fn innermost(certificate: &Certificate) -> Vec<&str> {
    match &certificate.calls[..] {
        [] => vec![&certificate.contract],
        calls => calls.iter().flat_map(|called| innermost(&called.certificate)).collect(),
    }
}

/// The product that is called has as many words, and halves by calls inside.
#[test]
fn products_before_reductions_are_composed() {
    for (contract, words, levels, called) in
        [("modmul 2^384-2^128-2^96+2^32-1", 48, 3, "mul 192"), ("montmul 2^255-19", 32, 3, "mul 128")]
    {
        let contract = contract.parse().unwrap();
        let routine = modular(&contract, &split(words, levels));
        let certificate = prove_by_products(&routine, &contract, EFFORT).unwrap();
        assert_eq!(innermost(&certificate), [called], "{contract}");
        match decide(&routine, &contract, Budget { whole: 0, ..Budget::default() }) {
            Verdict::Proved(own) => assert!(own == certificate, "{contract}"),
            _ => panic!("{contract}"),
        }
    }
}

/// A byte moved by three places; what leaves it is returned.
const SHIFT: &str = "
shift:
	movw r30, r22
	movw r26, r24
	ld r18, Z
	ldi r19, 8
	mul r18, r19
	st X, r0
	mov r24, r1
	clr r1
	ret
";

/// What a shift returns is no bit: whoever keeps only one of it is not proved.
#[test]
fn what_is_returned_has_its_range() {
    let contract: Contract = "shl 8 3 -> carry".parse().unwrap();
    let of = |caller: &str| {
        let text = format!("{caller}{SHIFT}");
        let instructions = syntax::parse(&syntax::gnu::GNU, 0, &text).unwrap().instructions;
        let program = Program::assemble(core("atmega128").unwrap(), 0, &instructions).unwrap();
        let program = Arc::new(program);
        Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 64, step_limit: 1_000 }
    };
    let right = prove_with_calls(&of("	rcall shift\n	ret\n"), &contract, &[(4, contract)], EFFORT);
    assert_eq!(right.unwrap().calls.len(), 1);
    let wrong = of("	rcall shift\n	andi r24, 1\n	ret\n");
    assert!(prove_with_calls(&wrong, &contract, &[(6, contract)], EFFORT).is_err());
}

/// Writes another hash of the code into a certificate.
fn rename(certificate: &mut Certificate, hash: &str) {
    certificate.code_sha256 = hash.to_owned();
    certificate.calls.iter_mut().for_each(|called| rename(&mut called.certificate, hash));
}

/// An instruction of them, or of what they call, is another one.
#[test]
fn wrong_compositions_are_not_proved() {
    let contract = "modmul 2^127-1".parse().unwrap();
    for (right, contract) in [
        (function(&split(32, 3)), Contract::whole(Operation::Mul, 256)),
        (function(&split_of(Operation::Sqr, 48, 1)), "sqr 384".parse().unwrap()),
        (modular(&contract, &split(16, 1)), contract),
    ] {
        let certificate = prove_by_products(&right, &contract, EFFORT).unwrap();
        assert_eq!(check(&right, &certificate), Ok(contract));
        let mut random = Random::new(7);
        let (mut wrong, length) = (0, right.program.words().len());
        while wrong < rhomb_oracles::sample(2, 60) {
            let mut code = right.program.words().to_vec();
            let at = random.below(length as u64) as usize;
            code[at] ^= 1 << random.below(16);
            let program = Arc::new(Program::new(right.program.core(), 0, &code));
            let routine = Function { program, ..right.clone() };
            let search = refute(&routine, &contract, 3_000_000);
            if search.found.is_none() && search.stopped.is_none() {
                continue;
            }
            wrong += 1;
            assert!(prove_by_products(&routine, &contract, EFFORT).is_err(), "word {at}: {:#06x}", code[at]);
            // as if the certificate were of this code
            let mut forged = certificate.clone();
            rename(&mut forged, &sha256(&routine.code()));
            assert!(check(&routine, &forged).is_err(), "word {at}: {:#06x}", code[at]);
        }
    }
}

/// Step by step, pairs by differences and by sums with their carries.
#[test]
fn parts_by_their_plan() {
    let below = method(Operation::Mul, "operand-caching").unwrap();
    let walk = |words: usize| below.walk(words, &Parameters::default()).unwrap();
    let square = |words: usize| match split_of(Operation::Sqr, words, 0) {
        Task::Split(node) => node,
        other => panic!("{other:?}"),
    };
    for pairs in [Pairs::Subtractive, Pairs::Additive] {
        for cut in [Cut::Balanced(2), Cut::Balanced(3), Cut::Ratio(vec![1, 1, 2])] {
            let node = Node::new(8, 1, &cut, pairs, &walk);
            check_task(&format!("8 words, {cut:?} by {}", pairs.name()), &Task::Split(node));
            let node = Node::new(8, 1, &cut, pairs, &square);
            check_task(&format!("square of 8 words, {cut:?} by {}", pairs.name()), &Task::Split(node));
        }
    }
}
