//! What the methods make for the MIPS32 cores: all of it is proved.

use rhomb_certificate::{Contract, check};
use rhomb_kernel::split::Pairs;
use rhomb_kernel::{Form, Operation, Parameters, Shape};
use rhomb_machine::MachineCode;
use rhomb_mips::conventions::O32;
use rhomb_mips::cores::core;
use rhomb_mips::{Function, Model, Program, lower};
use rhomb_prove::{prove, refute};
use std::collections::HashSet;
use std::sync::Arc;

/// The kernels of all methods of an operation with these parameters in every form, each once, with their names.
fn kernels(
    core_name: &str,
    operation: Operation,
    words: usize,
    parameters: &Parameters,
) -> Vec<(String, Function)> {
    let model = Arc::new(Model::of(core(core_name).unwrap()));
    let mut seen = HashSet::new();
    let mut kernels = Vec::new();
    // splits have tests of their own
    let walks = rhomb_kernel::methods(operation).filter(|method| method.name != "split");
    for (method, form) in walks.flat_map(|method| Form::ALL.map(|form| (method, form))) {
        let Some(task) = method.task(&Shape { form, words, parameters }) else { continue };
        let Ok(kernel) = lower::routine(&task, &model, &O32) else { continue };
        let function = Function {
            program: Arc::new(Program::assemble(model.clone(), 0x100, &kernel.program).unwrap()),
            entry: 0x100,
            convention: &O32,
            stack_limit: kernel.stack_bytes,
            step_limit: 1 << 22,
        };
        if seen.insert(function.code()) {
            let name = format!("{core_name} {} {} of {words} words", form.name(), method.name);
            kernels.push((name, function));
        }
    }
    kernels
}

const CORES: [&str; 3] = ["mips32-4km", "mips32-ise", "smartmips"];

/// Cores, sizes in words, caches; at least so many kernels of each.
fn all(
    operation: Operation,
    cores: &[&str],
    sizes: impl IntoIterator<Item = usize>,
    caches: &[usize],
    fewest: usize,
) {
    let mut failures = Vec::new();
    for words in sizes {
        for core_name in cores {
            for cache in caches {
                let parameters =
                    Parameters { cache: Some(*cache), rows: Some(*cache), ..Parameters::default() };
                let kernels = kernels(core_name, operation, words, &parameters);
                assert!(kernels.len() >= fewest, "{core_name} {words}: {}", kernels.len());
                for (name, function) in kernels {
                    let contract: Contract = format!("{} {}", operation.name(), 32 * words).parse().unwrap();
                    match prove(&function, &contract) {
                        Ok(certificate) => assert_eq!(check(&function, &certificate), Ok(contract)),
                        Err(error) => {
                            let found = refute(&function, &contract, 100_000).found;
                            failures.push(format!("{name}: {error}; {found:x?}"));
                        }
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn multiplications() {
    all(Operation::Mul, &CORES, 1..=12, &[3], 2);
    all(Operation::Mul, &CORES, [4, 6], &[1, 6], 2);
}

#[test]
fn large_multiplications() {
    all(Operation::Mul, &["mips32-ise"], [32, 64], &[4], 3);
    all(Operation::Mul, &["mips32-4km"], [32], &[4], 3);
}

#[test]
fn squarings() {
    all(Operation::Sqr, &CORES, (1..=12).chain([32]), &[2], 1);
    // M2ADDU makes long columns slow to prove
    all(Operation::Sqr, &["mips32-4km", "smartmips"], [64], &[2], 1);
}

#[test]
fn sums_and_differences() {
    for operation in [Operation::Add, Operation::Sub] {
        all(operation, &CORES, (1..=12).chain([32, 64]), &[1], 2);
    }
}

/// A split into halves of so many levels.
fn split(core_name: &str, words: usize, levels: usize) -> Function {
    let parameters = Parameters { levels: Some(levels), ..Parameters::default() };
    split_by(core_name, words, parameters)
}

fn split_by(core_name: &str, words: usize, parameters: Parameters) -> Function {
    let model = Arc::new(Model::of(core(core_name).unwrap()));
    let parameters = Parameters { cache: Some(6), ..parameters };
    let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
    let task = rhomb_kernel::method(Operation::Mul, "split").and_then(|split| split.task(&shape)).unwrap();
    let kernel = lower::routine(&task, &model, &O32).unwrap();
    Function {
        program: Arc::new(Program::assemble(model, 0x100, &kernel.program).unwrap()),
        entry: 0x100,
        convention: &O32,
        stack_limit: kernel.stack_bytes,
        step_limit: 1 << 22,
    }
}

fn wrong(what: &str, words: usize, function: &Function) -> Option<String> {
    let contract: Contract = format!("mul {}", 32 * words).parse().unwrap();
    match prove(function, &contract) {
        Ok(certificate) => {
            assert_eq!(check(function, &certificate), Ok(contract));
            None
        }
        Err(error) => {
            let found = refute(function, &contract, 100_000).found;
            Some(format!("{what}: {error}; {found:x?}"))
        }
    }
}

/// Of one level, and of two where halves are equal; what a longer effort shows of larger sizes is not tried here.
#[test]
fn splits() {
    let mut failures = Vec::new();
    for core_name in CORES {
        for (words, levels) in [(2, 1), (3, 1), (4, 1), (5, 1), (8, 1), (9, 1), (13, 1), (16, 1), (4, 2)] {
            let what = format!("{core_name} {words} {levels}");
            failures.extend(wrong(&what, words, &split(core_name, words, levels)));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn splits_of_two_levels_by_sums() {
    let mut failures = Vec::new();
    for (core_name, words) in [("mips32-4km", 4), ("mips32-ise", 4), ("smartmips", 8), ("mips32-ise", 16)] {
        let pairs = Some(Pairs::Additive as usize);
        let parameters = Parameters { levels: Some(2), pairs, ..Parameters::default() };
        let function = split_by(core_name, words, parameters);
        failures.extend(wrong(&format!("{core_name} {words}"), words, &function));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Into parts equal and not, by differences and by sums.
#[test]
fn splits_into_any_parts() {
    let mut failures = Vec::new();
    for (core_name, pairs) in CORES.into_iter().flat_map(|name| Pairs::ALL.map(|pairs| (name, pairs))) {
        for (parts, words) in [(2, 2), (2, 7), (3, 3), (3, 8), (4, 8), (112, 4), (112, 9), (31, 8)] {
            let (number, parts) = (Some(pairs as usize), Some(parts));
            let parameters = Parameters { levels: Some(1), pairs: number, parts, ..Parameters::default() };
            let what = format!("{core_name} {words} into {parts:?} by {}", pairs.name());
            failures.extend(wrong(&what, words, &split_by(core_name, words, parameters)));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A split with any one instruction left out is not proved, but where nothing comes of that.
#[test]
fn no_split_without_an_instruction_is_proved_and_wrong() {
    let (model, kernel) = (Arc::new(Model::of(core("mips32-ise").unwrap())), split("mips32-ise", 4, 1));
    let contract: Contract = "mul 128".parse().unwrap();
    let words = kernel.program.words().to_vec();
    let mut refuted = 0;
    let every = rhomb_oracles::sample(8, 1);
    for at in (0..words.len()).step_by(every) {
        let mut words = words.clone();
        words[at] = 0;
        let program = Arc::new(Program::new(model.clone(), 0x100, &words));
        let mutant = Function { program, ..kernel.clone() };
        let found = refute(&mutant, &contract, 50_000).found.is_some();
        refuted += usize::from(found);
        if rhomb_prove::prove_within(&mutant, &contract, 2_000_000).is_ok() {
            assert!(!found && refute(&mutant, &contract, 2_000_000).found.is_none(), "without {at}");
        }
    }
    assert!(refuted > 100 / every, "{refuted} of {}", words.len());
}
