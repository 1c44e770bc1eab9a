//! Proves and checks one multiplication and prints what that takes:
//! `cargo run --release -p rhomb-prove --example memory -- avr operand-caching 256`, or `arm product-scanning 32`.
//! Sizes are in words. The peak of memory is the process's, on Linux.

use rhomb_certificate::{Contract, check};
use rhomb_kernel::{Form, Operation, Parameters, Shape, Task};
use rhomb_machine::Routine;
use rhomb_prove::prove;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words = arguments.get(2).and_then(|words| words.parse().ok());
    let ([processor, method, _], Some(words)) = (&arguments[..], words) else {
        eprintln!("a processor (avr, arm), a method, a size in words");
        return ExitCode::from(2);
    };
    let Some(method) = rhomb_kernel::method(Operation::Mul, method) else {
        eprintln!("no method {method}");
        return ExitCode::from(2);
    };
    // what fits into ARM's registers
    let few = Parameters { cache: Some(3), rows: Some(2), ..Parameters::default() };
    let parameters = if processor == "arm" { few } else { Parameters::default() };
    let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
    let done = match (processor.as_str(), method.task(&shape)) {
        ("avr", Some(Task::Multiplication(walk))) => {
            let core = rhomb_avr::cores::core("atmega128").expect("a core");
            let convention = &rhomb_avr::conventions::AVR_GCC;
            let kernel = rhomb_avr::lower::multiplication(&walk, core, convention).expect("a kernel");
            let program = rhomb_avr::Program::assemble(core, 0, &kernel.program).expect("code");
            let program = Arc::new(program);
            let (stack_limit, step_limit) = (18, 1 << 24);
            report(&rhomb_avr::Function { program, entry: 0, convention, stack_limit, step_limit }, words)
        }
        ("arm", Some(task @ Task::Multiplication(_))) => {
            let core = rhomb_arm::cores::core("arm7tdmi").expect("a core");
            let convention = &rhomb_arm::conventions::AAPCS;
            let accumulation = Some(rhomb_arm::lower::Accumulation::Columns);
            let making = rhomb_arm::lower::Making { accumulation, ..Default::default() };
            let kernel = rhomb_arm::lower::routine_by(&task, core, convention, &making).expect("a kernel");
            let program = rhomb_arm::Program::assemble(core, 0, &kernel.program).expect("code");
            let program = Arc::new(program);
            let (stack_limit, step_limit) = (kernel.stack_bytes, 1 << 24);
            report(&rhomb_arm::Function { program, entry: 0, convention, stack_limit, step_limit }, words)
        }
        _ => Err("no such kernel".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn report<R: Routine>(routine: &R, words: usize) -> Result<(), String> {
    let bits = routine.word_bits() * words as u32;
    let contract = Contract::Mul { a: bits, b: bits };
    println!("{contract}: {} bytes of code; {} before", routine.code().len(), peak());
    let start = Instant::now();
    let certificate = prove(routine, &contract).map_err(|error| error.to_string())?;
    let (proved, memory) = (start.elapsed(), peak());
    check(routine, &certificate).map_err(|error| error.to_string())?;
    let checked = start.elapsed() - proved;
    println!(
        "proved in {:.3} s, {memory}; checked in {:.3} s, {}",
        proved.as_secs_f64(),
        checked.as_secs_f64(),
        peak()
    );
    Ok(())
}

/// The most memory that the process ever had.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.map_or("peak unknown".to_owned(), |kilobytes| format!("peak {} MB", kilobytes / 1000))
}
