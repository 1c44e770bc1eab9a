//! Polynomials over GF(2): products and squares, reduction by the shape of the polynomial, Montgomery's.

use crate::made;
use rhomb_certificate::{Contract, check};
use rhomb_kernel::{Form, METHODS, Operation, Parameters, Shape, Task, method};
use rhomb_mips::conventions::O32;
use rhomb_mips::cores::core;
use rhomb_mips::field::looped;
use rhomb_mips::instructions::{Instruction, Op};
use rhomb_mips::lower::{Ring, comb, routine_within};
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

fn proved(core_name: &str, contract: &str, code: &[Instruction]) {
    holds(&made::function(core_name, code), contract);
}

fn refuted(core_name: &str, contract: &str, code: &[Instruction]) {
    let routine = made::function(core_name, code);
    let contract: Contract = contract.parse().unwrap();
    assert!(matches!(prove(&routine, &contract), Err(Unproved::Coefficients { .. })), "{contract}");
    let verdict = decide(&routine, &contract, Budget::default());
    assert!(matches!(verdict, Verdict::Refuted(..)), "{contract}: {verdict:?}");
}

const T191: &str = "x^191+x^9+1";

#[test]
fn lines() {
    for core_name in ["mips32-ise", "smartmips"] {
        for modulus in
            [T191, "x^163+x^7+x^6+x^3+1", "x^233+x^74+1", "x^96+x^10+x^9+x^6+1", "x^61+x^5+x^2+x+1"]
        {
            for operation in ["gf2modmul", "gf2modsqr", "gf2modreduce"] {
                let contract = format!("{operation} {modulus}");
                proved(core_name, &contract, &made::made(core_name, &contract));
            }
        }
        proved(core_name, "gf2add 191", &made::made(core_name, "gf2add 191"));
    }
}

fn by_table() -> Vec<Instruction> {
    comb(6, &made::model("mips32-4km"), &O32).unwrap().program
}

#[test]
fn a_comb_on_plain_mips32() {
    proved("mips32-4km", "gf2mul 192", &by_table());
}

#[test]
fn loops() {
    for words in [1, 2, 3, 6, 8] {
        let task = Task::Chain { subtract: false, words, form: Form::Looped };
        for core_name in ["mips32-ise", "mips32-4km"] {
            let model = made::model(core_name);
            let kernel = routine_within(&task, &model, &O32, Ring::BinaryPolynomials, usize::MAX).unwrap();
            proved(core_name, &format!("gf2add {}", 32 * words), &kernel.program);
        }
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

/// Also modulo a polynomial with many terms, where the quotients are sums of many products.
#[test]
fn montgomery_with_loops() {
    let model = made::model("mips32-ise");
    for modulus in [T191, "0xbf58476d7f4a7c159e3779b9"] {
        let code = |operation: &str| {
            let contract = format!("{operation} {modulus}");
            looped(&contract.parse().unwrap(), &model).unwrap().unwrap()
        };
        proved("mips32-ise", &format!("gf2montmul {modulus}"), &code("gf2montmul"));
        proved("mips32-ise", &format!("gf2montsqr {modulus}"), &code("gf2montsqr"));
        refuted("mips32-ise", &format!("gf2modmul {modulus}"), &code("gf2montmul"));
    }
}

/// The same code with another number in place of one.
fn changed(code: &[Instruction], from: i32, to: i32) -> Vec<Instruction> {
    let mut code = code.to_vec();
    let is_number =
        |one: &&mut Instruction| matches!(one.op, Op::Andi | Op::Ori | Op::Addiu) && one.immediate == from;
    code.iter_mut().find(is_number).unwrap().immediate = to;
    code
}

/// Wrong in one coefficient, or for another polynomial.
#[test]
fn what_is_wrong_is_refuted() {
    let [reduction, product] =
        ["gf2modreduce", "gf2modmul"].map(|name| made::made("mips32-ise", &format!("{name} {T191}")));
    refuted("mips32-ise", &format!("gf2modreduce {T191}"), &changed(&reduction, 0x402, 0x406));
    refuted("mips32-ise", "gf2modreduce x^191+x^8+1", &reduction);
    refuted("mips32-ise", "gf2modmul x^191+x^10+1", &product);
    // the highest digit's top bit is lost
    refuted("mips32-4km", "gf2mul 192", &changed(&by_table(), 480, 224));
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

/// Every instruction left out, and every single bit of every word turned over: what is proved is right in all calls.
#[test]
fn mutants() {
    let routine = |contract: &str| made::function("mips32-ise", &made::made("mips32-ise", contract));
    let kernels = [
        ("mips32-ise", "gf2mul 64", by_columns(Operation::Mul), 1),
        ("mips32-ise", "gf2sqr 64", by_columns(Operation::Sqr), 1),
        ("mips32-ise", "gf2modreduce x^191+x^9+1", routine("gf2modreduce x^191+x^9+1"), 5),
        ("mips32-ise", "gf2modsqr x^191+x^9+1", routine("gf2modsqr x^191+x^9+1"), 11),
    ];
    let (mut tried, mut same) = (0, 0);
    for (core_name, contract, right, every) in kernels {
        let contract: Contract = contract.parse().unwrap();
        let words = right.program.words().to_vec();
        let flips = (0..32 * words.len())
            .step_by(every * rhomb_oracles::sample(3, 1))
            .map(|bit| (bit / 32, words[bit / 32] ^ 1 << (bit % 32)));
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
    assert!(tried > rhomb_oracles::sample(700, 2000) && same * 8 < tried, "{tried} mutants, {same} proved");
}
