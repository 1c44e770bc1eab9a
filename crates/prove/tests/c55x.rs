//! C55x routines, made from their printed text: sums of 40 bits are three words of an equation, the highest of 8 bits.

use num_bigint::BigUint;
use rhomb_c55x::conventions::TI;
use rhomb_c55x::cores::core;
use rhomb_c55x::lower::{
    Code, Leaf, Montgomery, chain, line, montgomery, montgomery_fixed, multiplication,
    multiplication_unchecked, split_multiplication, split_squaring, squaring, workspace_words,
};
use rhomb_c55x::{Function, Program, syntax};
use rhomb_certificate::{Contract, check};
use rhomb_contract::Expression;
use rhomb_field::reduce::{Way, ways};
use rhomb_oracles::modular::{MODULI, OPERATIONS};
use rhomb_prove::{Failure, Unproved, prove, refute};
use std::sync::Arc;

fn function(code: Code) -> Function {
    read(&syntax::function("f", &code.into_lines()))
}

fn read(text: &str) -> Function {
    let lines = syntax::parse(text).unwrap_or_else(|error| panic!("{error}")).lines;
    let program = Program::new(core("tms320vc5510").unwrap(), 0x100, lines).unwrap();
    Function {
        program: Arc::new(program),
        entry: 0,
        convention: &TI,
        stack_limit: 512,
        step_limit: 10_000_000,
    }
}

fn proved(what: &str, routine: &Function, contract: &str) {
    let contract: Contract = contract.parse().unwrap();
    match prove(routine, &contract) {
        Ok(certificate) => assert_eq!(check(routine, &certificate), Ok(contract), "{what}"),
        Err(Unproved::Open(open)) => {
            panic!("{what}, {contract}: {} open, {:?}", open.len(), &open[..open.len().min(3)])
        }
        Err(error) => panic!("{what}, {contract}: {error}"),
    }
}

#[test]
fn products_and_squares() {
    for bits in [16, 128, 256, 512, 1024] {
        let words = bits / 16;
        let product = function(multiplication(words).unwrap());
        assert_eq!(refute(&product, &format!("mul {bits}").parse().unwrap(), 10_000).found, None);
        proved("product", &product, &format!("mul {bits}"));
        proved("square", &function(squaring(words).unwrap()), &format!("sqr {bits}"));
    }
}

/// Of one level and of two.
#[test]
fn splits() {
    for bits in [64, 256, 512, 128, 1024].into_iter().take(rhomb_oracles::sample(3, 5)) {
        let words = bits / 16;
        for levels in 1..=2.min(bits / 64) as u32 {
            let product = split_multiplication(words, levels, Leaf::Columns).unwrap();
            proved(&format!("split of {levels} levels"), &function(product), &format!("mul {bits}"));
            let square = split_squaring(words, levels).unwrap();
            proved(&format!("split of {levels} levels"), &function(square), &format!("sqr {bits}"));
        }
    }
}

#[test]
fn splits_of_three_levels() {
    for bits in [256, 1024].into_iter().take(rhomb_oracles::sample(1, 2)) {
        let product = split_multiplication(bits / 16, 3, Leaf::Columns).unwrap();
        proved("split", &function(product), &format!("mul {bits}"));
    }
    proved("split", &function(split_squaring(16, 3).unwrap()), "sqr 256");
}

#[test]
fn sums_and_differences() {
    for bits in [16, 48, 128, 160, 512] {
        proved("sum", &function(chain(bits / 16, false).unwrap()), &format!("add {bits}"));
        proved("difference", &function(chain(bits / 16, true).unwrap()), &format!("sub {bits}"));
    }
}

/// A column of 257 products is more than 40 bits hold. The same text with `ACx >> #16`, which sees bit 39 as a sign, is
/// wrong from 129 products on.
#[test]
fn sums_that_do_not_fit_are_refuted() {
    let refuted = |routine: &Function, contract: &str| {
        let found = refute(routine, &contract.parse().unwrap(), 10_000_000).found;
        let found = found.unwrap_or_else(|| panic!("{contract} is not refuted"));
        assert!(matches!(found.failure, Failure::Wrong { .. }), "{:?}", found.failure);
    };
    refuted(&function(multiplication_unchecked(257)), "mul 4112");
    let kept = refute(&function(multiplication_unchecked(256)), &"mul 4096".parse().unwrap(), 1_000_000);
    assert_eq!(kept.found, None);
}

/// A line left out, or a mode changed, is found.
#[test]
fn changed_lines_are_refuted() {
    let text = syntax::function("f", &multiplication(8).unwrap().into_lines());
    let contract: Contract = "mul 128".parse().unwrap();
    let changes = [
        ("ADD AC0 << #-16, AC1", "ADD AC0 << #-15, AC1"),
        ("SFTL AC1, #-16, AC1", "SFTL AC1, #-17, AC1"),
        ("uns(*(AR1+T0))", "uns(*AR1+)"),
        ("|| RPT #1", ""),
    ];
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        let found = refute(&read(&text.replacen(from, to, 1)), &contract, 100_000).found;
        assert!(found.is_some(), "{from} -> {to}");
    }
}

/// An odd number of so many bits; `kind` 0 is the largest, 1 the smallest above half of the radix, 2 one
/// without a pattern, others are small.
fn modulus(bits: u32, kind: u32) -> BigUint {
    let radix = BigUint::from(1u32) << bits;
    match kind {
        0 => radix - 1u32,
        1 => (radix >> 1u32) + 1u32,
        2 => BigUint::from(3u32).modpow(&BigUint::from(1_234_567u32), &radix),
        _ => (BigUint::from(1u32) << (bits - 12)) + 7u32,
    }
}

fn words(number: &BigUint, count: usize) -> Vec<u16> {
    let digits = number.to_u32_digits();
    let words = digits.iter().flat_map(|digit| [*digit as u16, (*digit >> 16) as u16]);
    words.chain(std::iter::repeat(0)).take(count).collect()
}

fn fixed(operation: &str, bits: u32, kind: u32) {
    let p = modulus(bits, kind);
    let code = montgomery_fixed(&words(&p, bits as usize / 16), operation == "montsqr");
    proved(operation, &function(code.unwrap()), &format!("{operation} {p:#x}"));
}

/// Below the radix for all operands below it; any odd modulus.
#[test]
fn montgomery_products_and_squares() {
    for bits in [64, 256, 128, 192].into_iter().take(rhomb_oracles::sample(1, 4)) {
        for kind in 0..4 {
            fixed("montmul", bits, kind);
            fixed("montsqr", bits, kind);
        }
    }
    fixed("montsqr", 512, 2);
    if rhomb_oracles::sample(0, 1) > 0 {
        fixed("montmul", 1024, 2);
    }
}

/// A Montgomery product with a line less is refuted, or right without it; never proved wrongly.
fn with_a_line_less(code: Code, contract: &Contract) -> (usize, usize) {
    let text = syntax::function("f", &code.into_lines());
    let lines: Vec<&str> = text.lines().collect();
    let (mut refuted, mut proved_right) = (0, 0);
    for left_out in (0..lines.len()).step_by(rhomb_oracles::sample(19, 1)) {
        let kept: Vec<&str> =
            lines.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, line)| *line).collect();
        let Ok(parsed) = syntax::parse(&kept.join("\n")) else { continue };
        let Ok(program) = Program::new(core("tms320vc5510").unwrap(), 0x100, parsed.lines) else { continue };
        let routine = Function {
            program: Arc::new(program),
            entry: 0,
            convention: &TI,
            stack_limit: 512,
            step_limit: 100_000,
        };
        let found = refute(&routine, contract, 20_000).found.is_some();
        refuted += usize::from(found);
        if prove(&routine, contract).is_ok() {
            assert!(!found, "{}", lines[left_out]);
            proved_right += 1;
        }
    }
    println!("{contract}: {refuted} refuted, {proved_right} proved right without a line");
    (refuted, proved_right)
}

#[test]
fn montgomery_products_with_a_line_less() {
    let p = modulus(64, 2);
    let contract = format!("montmul {p:#x}").parse().unwrap();
    let (refuted, proved) = with_a_line_less(montgomery_fixed(&words(&p, 4), false).unwrap(), &contract);
    assert!(refuted >= rhomb_oracles::sample(4, 80) && proved <= 6, "{refuted} {proved}");
    let way = Montgomery::Separated(0);
    let contract = any("montmul", 4, way, [18, 4096]);
    let (refuted, proved) = with_a_line_less(montgomery(4, way, false).unwrap(), &contract);
    assert!(refuted >= rhomb_oracles::sample(4, 80) && proved <= 6, "{refuted} {proved}");
}

/// The contract of an operation whose workspace holds R - n and -1/n at these words.
fn any(operation: &str, words: usize, way: Montgomery, [complement, inverse]: [usize; 2]) -> Contract {
    let (bits, workspace) = (16 * words, workspace_words(words, way));
    let text =
        format!("{operation} any {bits} workspace {workspace} complement {complement} inverse {inverse}");
    text.parse().unwrap()
}

/// Montgomery multiplication and squaring by any odd modulus, an argument.
#[test]
fn any_modulus() {
    let check = |words: usize, way: Montgomery, is_square: bool| {
        let routine = function(montgomery(words, way, is_square).unwrap());
        let name = if is_square { "montsqr" } else { "montmul" };
        let contract = any(name, words, way, [4 * words + 2, 4096]);
        assert_eq!(refute(&routine, &contract, 100_000).found, None);
        proved("any modulus", &routine, &contract.to_string());
    };
    for words in [8, 16, 4, 32].into_iter().take(rhomb_oracles::sample(2, 4)) {
        check(words, Montgomery::Separated(0), false);
        check(words, Montgomery::Separated(0), true);
    }
    check(8, Montgomery::FinelyIntegrated, false);
    check(16, Montgomery::Separated(1), false);
    if rhomb_oracles::sample(0, 1) == 1 {
        check(64, Montgomery::Separated(0), false);
    }
}

/// What the contract grants is needed: with R - n or -1/n elsewhere nothing is proved, and calls go wrong.
#[test]
fn any_modulus_needs_what_belongs_to_it() {
    let way = Montgomery::Separated(0);
    let routine = function(montgomery(4, way, false).unwrap());
    for places in [[20, 4096], [18, 4095]] {
        let contract = any("montmul", 4, way, places);
        assert!(matches!(prove(&routine, &contract), Err(Unproved::Open(_))), "{contract}");
        assert!(refute(&routine, &contract, 100_000).found.is_some(), "{contract}");
    }
}

/// Functions that add on a model's machine and not on a C55x, or that keep less than a caller wants.
#[test]
fn what_only_a_model_would_do_is_not_proved() {
    let sum = "ADD uns(*AR1+), AC0\nADD uns(*AR2+), AC0\nMOV AC0, *AR0+\nSFTL AC0, #-16, AC0\n";
    let returned = "MOV AC0, T0\nRET";
    let kept = |text: &str, contract: &str| {
        let contract: Contract = contract.parse().unwrap();
        match prove(&read(text), &contract) {
            Ok(_) => panic!("proved: {text}"),
            Err(error) => error,
        }
    };
    // right as they stand here
    proved("sum", &read(&format!("MOV #0, AC0\n{sum}{returned}")), "add 16");
    let saved = format!("PSHBOTH XAR5\nAMAR *AR1, XAR5\nMOV #0, AC0\n{sum}POPBOTH XAR5\n{returned}");
    proved("sum", &read(&saved), "add 16");
    // the second block runs once: its counter is that of the first, counted down
    let blocks = "MOV #1, BRC0\nRPTBLOCAL a-1\nNOP\nNOP\na: MOV #0, AC0\nRPTBLOCAL b-1\n";
    kept(&format!("{blocks}{sum}b: {returned}"), "add 32");
    kept(&format!("MOV #1, BRC0\nMOV #0, AC0\nRPTBLOCAL b-1\nMOV #7, BRC0\n{sum}b: {returned}"), "add 32");
    // the upper bits of XAR5 are lost, or the system stack is
    kept(&saved.replace("PSHBOTH XAR5", "PSH AR5").replace("POPBOTH XAR5", "POP AR5"), "add 16");
    kept(&saved.replace("POPBOTH XAR5", "POP AR5"), "add 16");
    // the stack pointer is odd at the call: the lower word of a double one would lie below it
    let double = "AADD #-2, SP\nMOV #0, AC0\nMOV AC0, dbl(*SP(#0))\nAADD #2, SP\n";
    let below = kept(&format!("{double}{sum}{returned}"), "add 16");
    assert!(matches!(&below, Unproved::Stopped(_)), "{below}");
    let even = double.replace("#-2", "#-3").replace("#2", "#3");
    proved("sum", &read(&format!("{even}{sum}{returned}")), "add 16");
}

/// What is right in all tests, but not proved: that the last carry of these vanishes.
const OPEN: [(&str, &str); 4] = [
    ("modreduce", "2^224-2^96+1"),
    ("modmul", "2^224-2^96+1"),
    ("modsqr", "2^224-2^96+1"),
    ("modsqr", "2^256-2^32-977"),
];

/// Operations modulo numbers, made of straight lines of words.
#[test]
fn straight_lines() {
    let all = OPERATIONS.iter().flat_map(|operation| MODULI.map(|modulus| (*operation, modulus)));
    for (operation, modulus) in all.filter(|both| !OPEN.contains(both)).step_by(rhomb_oracles::sample(7, 1)) {
        let contract: Contract = format!("{operation} {modulus}").parse().unwrap();
        let modular = contract.modular().unwrap();
        let words = contract.operands(16)[0] as usize;
        // the first is the fastest; divisions by signed digits are for processors with a carry flag
        let mut ways = ways(modular.operation, &modular.modulus.number(), 16).into_iter();
        let Way { method, line: own } = ways.find(|way| way.method != "digit-division").unwrap();
        let product = match contract.expression() {
            Expression::Product => multiplication(words),
            Expression::Square => squaring(words),
            _ => None,
        };
        let routine = read(&syntax::function("f", &line(&own, product).unwrap()));
        proved(method, &routine, &contract.to_string());
    }
}
