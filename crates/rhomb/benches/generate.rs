//! From a request to files, every choice of the tool's own: candidates made, the best one simulated.

use rhomb::{Request, generate, measure};

fn main() {
    divan::main();
}

fn request(bits: usize) -> Request {
    Request { operation: "mul".into(), bits, target: "atmega128".into(), ..Default::default() }
}

#[divan::bench(args = [160, 256, 512])]
fn generate_best(bits: usize) -> usize {
    generate(&request(bits)).expect("a routine").assembly.len()
}

#[divan::bench(args = [160, 256, 512])]
fn generate_as_told(bits: usize) -> usize {
    let mut request = request(bits);
    request.method = Some("operand-caching".into());
    request.parameters.cache = Some(10);
    request.parameters.initial_block = Some(bits / 8 % 10);
    generate(&request).expect("a routine").assembly.len()
}

/// Larger than any core's program memory: measured only.
#[divan::bench(args = [1024, 2048], max_time = 10)]
fn measure_best(bits: usize) -> u64 {
    measure(&request(bits)).expect("a routine").report.cycles.body
}
