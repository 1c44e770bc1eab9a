//! Polynomials over GF(2): products and squares, reduction by the shape of the polynomial, Montgomery's.

use rhomb_certificate::{Contract, check};
use rhomb_field::montgomery::Montgomery;
use rhomb_kernel::{Form, METHODS, Operation, Parameters, Shape, method};
use rhomb_mips::conventions::O32;
use rhomb_mips::cores::core;
use rhomb_mips::field::{FieldError, binary, plain, rolled};
use rhomb_mips::lower::{Ring, routine_within};
use rhomb_mips::syntax::parse;
use rhomb_mips::{Function, Model, Program};
use rhomb_prove::{Budget, Unproved, Verdict, decide, prove, refute};
use std::sync::Arc;

fn assembled(core_name: &str, words: impl FnOnce(Arc<Model>) -> Program) -> Function {
    let model = Arc::new(Model::of(core(core_name).unwrap()));
    let program = Arc::new(words(model));
    Function { program, entry: 0x400, convention: &O32, stack_limit: 1024, step_limit: 100_000 }
}

fn function(core_name: &str, text: &str) -> Function {
    assembled(core_name, |model| {
        let parsed = parse(&model, 0x400, text).unwrap_or_else(|error| panic!("{error}"));
        Program::assemble(model, 0x400, &parsed.instructions).unwrap()
    })
}

fn holds(routine: &Function, contract: &str) {
    let contract: Contract = contract.parse().unwrap();
    if let Some(found) = refute(routine, &contract, 50_000).found {
        panic!("{contract} refuted: {found:x?}");
    }
    let certificate = prove(routine, &contract).unwrap_or_else(|error| panic!("{contract}: {error}"));
    assert_eq!(check(routine, &certificate), Ok(contract));
}

fn proved(core_name: &str, contract: &str, text: &str) {
    holds(&function(core_name, text), contract);
}

fn refuted(core_name: &str, contract: &str, text: &str) {
    let routine = function(core_name, text);
    let contract: Contract = contract.parse().unwrap();
    assert!(matches!(prove(&routine, &contract), Err(Unproved::Coefficients { .. })), "{contract}");
    let verdict = decide(&routine, &contract, Budget::default());
    assert!(matches!(verdict, Verdict::Refuted(..)), "{contract}: {verdict:?}");
}

const T191: &str = "x^191+x^9+1";

#[test]
fn straight_lines_for_one_field() {
    let model = Model::of(core("mips32-ise").unwrap());
    proved("mips32-ise", &format!("gf2modmul {T191}"), &binary::multiply(&model, "f").unwrap());
    proved("mips32-ise", &format!("gf2modsqr {T191}"), &binary::square(&model, "f").unwrap());
    proved("mips32-ise", &format!("gf2modreduce {T191}"), &binary::reduction(&model, "f").unwrap());
    proved("mips32-ise", "gf2add 191", &binary::add(&model, "f").unwrap());
}

#[test]
fn a_comb_on_plain_mips32() {
    let model = Model::of(core("mips32-4km").unwrap());
    proved("mips32-4km", "gf2mul 192", &plain::comb(&model, "f").unwrap());
}

#[test]
fn loops() {
    for d in [2, 3, 6, 8] {
        proved("mips32-ise", &format!("gf2add {}", 32 * d), &rolled::xor("f", d));
    }
}

/// Walks of the kernel crate over the other ring.
#[test]
fn walks() {
    let parameters = Parameters::OPEN;
    let mut made = 0;
    for core_name in ["mips32-ise", "smartmips"] {
        for (method, words) in METHODS.iter().flat_map(|method| [1, 2, 3, 6].map(|words| (method, words))) {
            let contract = match method.operation {
                Operation::Mul => format!("gf2mul {}", 32 * words),
                Operation::Sqr => format!("gf2sqr {}", 32 * words),
                // sums of polynomials carry nothing
                _ => continue,
            };
            for form in method.forms {
                let Some(task) = method.task(&Shape { form: *form, words, parameters: &parameters }) else {
                    continue;
                };
                let model = Model::of(core(core_name).unwrap());
                let lowered = routine_within(&task, &model, &O32, Ring::BinaryPolynomials, usize::MAX);
                let Ok(kernel) = lowered else { continue };
                made += 1;
                let routine =
                    assembled(core_name, |model| Program::assemble(model, 0x400, &kernel.program).unwrap());
                holds(&routine, &contract);
                let looped = *form == Form::Looped;
                assert!(!looped || kernel.cycles.is_none());
            }
        }
    }
    assert!(made > 60, "{made}");
}

/// A call of a Montgomery routine with the context of this modulus, which the code writes into its stack.
fn with_context(text: &str, modulus: &[u32]) -> String {
    let d = modulus.len();
    let factor = Montgomery::new(rolled::Ring::Polynomials, modulus).unwrap().factor();
    let mut head = String::from("f: addiu $sp, $sp, -128\n sw $ra, 124($sp)\n addiu $a3, $sp, 16\n");
    for (place, word) in (3 * d..).zip(modulus.iter().chain([&factor])) {
        head += &format!(" lui $t0, {}\n ori $t0, $t0, {}\n", word >> 16, word & 0xffff);
        head += &format!(" sw $t0, {}($a3)\n", 4 * place);
    }
    head + " jal g\n nop\n lw $ra, 124($sp)\n nop\n jr $ra\n addiu $sp, $sp, 128\n" + text
}

/// Also modulo a polynomial with many terms, where the quotients are sums of many products.
#[test]
fn montgomery_with_loops() {
    let t191 = [0x201, 0, 0, 0, 0, 1 << 31];
    let dense = [0x9e37_79b9, 0x7f4a_7c15, 0xbf58_476d];
    let text =
        |words: &[u32]| words.iter().rev().fold("0x".to_owned(), |text, word| format!("{text}{word:08x}"));
    for modulus in [&t191[..], &dense] {
        let ring = rolled::Ring::Polynomials;
        let (d, modulo) = (modulus.len(), text(modulus));
        let multiply = with_context(&rolled::montgomery_multiply("g", ring, d), modulus);
        proved("mips32-ise", &format!("gf2montmul {modulo}"), &multiply);
        let square = with_context(&rolled::montgomery_square("g", ring, d), modulus);
        proved("mips32-ise", &format!("gf2montsqr {modulo}"), &square);
        refuted("mips32-ise", &format!("gf2modmul {modulo}"), &multiply);
    }
}

/// Wrong in one coefficient, or for another polynomial.
#[test]
fn what_is_wrong_is_refuted() {
    let model = Model::of(core("mips32-ise").unwrap());
    let reduction = binary::reduction(&model, "f").unwrap();
    let other = reduction.replacen(" 1026", " 1030", 1);
    assert_ne!(reduction, other);
    refuted("mips32-ise", &format!("gf2modreduce {T191}"), &other);
    refuted("mips32-ise", "gf2modreduce x^191+x^8+1", &reduction);
    refuted("mips32-ise", "gf2modmul x^191+x^10+1", &binary::multiply(&model, "f").unwrap());
    // the highest digit's top bit is lost
    let comb = plain::comb(&Model::of(core("mips32-4km").unwrap()), "f").unwrap();
    let lost = comb.replacen(", 480\n", ", 224\n", 1);
    assert_ne!(comb, lost);
    refuted("mips32-4km", "gf2mul 192", &lost);
}

/// Sums of numbers have forms that grow with every carry.
#[test]
fn what_is_not_followed_is_unknown() {
    // (a + b - b) ^ b is right, whatever the carries
    let text = "f: lw $t0, 0($a1)\n lw $t1, 0($a2)\n addu $t0, $t0, $t1\n subu $t0, $t0, $t1\n xor $t0, $t0, $t1\n jr $ra\n sw $t0, 0($a0)\n";
    let routine = function("mips32-4km", text);
    let contract: Contract = "gf2add 32".parse().unwrap();
    assert!(refute(&routine, &contract, 200_000).found.is_none());
    assert!(matches!(prove(&routine, &contract), Err(Unproved::Coefficients { .. })));
}

/// A product or square of two words with loops.
fn by_columns(operation: Operation) -> Function {
    let (form, parameters) = (Form::Looped, Parameters::default());
    let task = method(operation, "product-scanning").unwrap();
    let task = task.task(&Shape { form, words: 2, parameters: &parameters }).unwrap();
    assembled("mips32-ise", |model| {
        let kernel = routine_within(&task, &model, &O32, Ring::BinaryPolynomials, usize::MAX).unwrap();
        Program::assemble(model, 0x400, &kernel.program).unwrap()
    })
}

fn assembled_text(text: Result<String, FieldError>) -> Function {
    function("mips32-ise", &text.unwrap())
}

/// Every instruction left out, and every single bit of every word turned over: what is proved is right in all calls.
#[test]
fn mutants() {
    let model = Model::of(core("mips32-ise").unwrap());
    let kernels = [
        ("mips32-ise", "gf2mul 64", by_columns(Operation::Mul), 1),
        ("mips32-ise", "gf2sqr 64", by_columns(Operation::Sqr), 1),
        ("mips32-ise", "gf2modreduce x^191+x^9+1", assembled_text(binary::reduction(&model, "f")), 5),
        ("mips32-ise", "gf2modsqr x^191+x^9+1", assembled_text(binary::square(&model, "f")), 11),
    ];
    let (mut tried, mut same) = (0, 0);
    for (core_name, contract, right, every) in kernels {
        let contract: Contract = contract.parse().unwrap();
        let words = right.program.words().to_vec();
        let flips =
            (0..32 * words.len()).step_by(every).map(|bit| (bit / 32, words[bit / 32] ^ 1 << (bit % 32)));
        let deletions = (0..words.len()).map(|at| (at, 0));
        for (at, word) in flips.chain(deletions).filter(|(at, word)| words[*at] != *word) {
            let mut mutant = words.clone();
            mutant[at] = word;
            let routine = assembled(core_name, |model| Program::new(model, 0x400, &mutant));
            tried += 1;
            if prove(&routine, &contract).is_ok() {
                same += 1;
                let found = refute(&routine, &contract, 1_000_000).found;
                assert!(found.is_none(), "{contract}, word {at}, {word:#010x}: {found:x?}");
            }
        }
    }
    eprintln!("{tried} mutants, {same} proved");
    // orders, hints and unused operands make no difference; most mutants do
    assert!(tried > 2000 && same * 8 < tried, "{tried} mutants, {same} proved");
}
