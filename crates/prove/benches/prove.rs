//! How long a proof takes, and its check, on one thread: kernels that `generate` makes at the defaults of
//! operand caching, and larger ones written by hand.

use divan::Bencher;
use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core, lower::multiplication};
use rhomb_certificate::{Certificate, Contract, check};
use rhomb_kernel::{Operation, Parameters, method};
use rhomb_prove::prove;
use rhomb_samples::catalogue;
use std::sync::Arc;

fn main() {
    divan::main();
}

/// Operand caching of that many bits.
const SIZES: [u32; 5] = [160, 256, 512, 1024, 2048];
/// Names of samples: two levels of Karatsuba over 256 bits, and loops over 1024 and 2048 bits.
const SAMPLES: [&str; 3] = ["karatsuba 2 32", "looped operand caching 8 128", "looped operand caching 8 256"];

fn generated(bits: &u32) -> (Function, Contract) {
    let core = core("atmega128").expect("a core");
    let walk = method(Operation::Mul, "operand-caching").expect("a method");
    let walk = walk.walk(*bits as usize / 8, &Parameters::default()).expect("a walk");
    let kernel = multiplication(&walk, core, &AVR_GCC).expect("a kernel");
    let program = Arc::new(Program::assemble(core, 0, &kernel.program).expect("code"));
    let function = Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 18, step_limit: 1 << 20 };
    (function, Contract::whole(Operation::Mul, *bits))
}

fn sample(name: &&str) -> (Function, Contract) {
    let samples = catalogue();
    let sample = samples.iter().find(|sample| sample.name.starts_with(name)).expect("a sample");
    (sample.function(), sample.contract.parse().expect("a contract"))
}

fn proof(function: &Function, contract: &Contract) -> Certificate {
    prove(function, contract).expect("a proof")
}

fn bench_prove(bencher: Bencher, (function, contract): (Function, Contract)) {
    bencher.bench_local(|| proof(&function, &contract));
}

fn bench_check(bencher: Bencher, (function, contract): (Function, Contract)) {
    let certificate = proof(&function, &contract);
    bencher.bench_local(|| check(&function, &certificate).expect("a certificate"));
}

fn bench_both(bencher: Bencher, (function, contract): (Function, Contract)) {
    bencher.bench_local(|| check(&function, &proof(&function, &contract)).expect("a certificate"));
}

#[divan::bench(args = SIZES, max_time = 5)]
fn generated_prove(bencher: Bencher, bits: &u32) {
    bench_prove(bencher, generated(bits));
}

#[divan::bench(args = SIZES, max_time = 5)]
fn generated_check(bencher: Bencher, bits: &u32) {
    bench_check(bencher, generated(bits));
}

#[divan::bench(args = SIZES, max_time = 5)]
fn generated_both(bencher: Bencher, bits: &u32) {
    bench_both(bencher, generated(bits));
}

#[divan::bench(args = SAMPLES, max_time = 5)]
fn sample_prove(bencher: Bencher, name: &&str) {
    bench_prove(bencher, sample(name));
}

#[divan::bench(args = SAMPLES, max_time = 5)]
fn sample_check(bencher: Bencher, name: &&str) {
    bench_check(bencher, sample(name));
}

#[divan::bench(args = SAMPLES, max_time = 5)]
fn sample_both(bencher: Bencher, name: &&str) {
    bench_both(bencher, sample(name));
}
