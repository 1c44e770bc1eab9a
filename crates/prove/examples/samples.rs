//! Prints what the prover says of each hand-written kernel whose name begins with the argument, with the
//! time for proof and check: `cargo run --release -p rhomb-prove --example samples -- karatsuba`.

use rhomb_certificate::check;
use rhomb_prove::{Unproved, prove};
use rhomb_samples::{Sample, catalogue};
use std::time::Instant;

fn main() {
    let prefix = std::env::args().nth(1).unwrap_or_default();
    for sample in catalogue().iter().filter(|sample| sample.name.starts_with(&prefix)) {
        let start = Instant::now();
        let text = match verdict(sample) {
            Ok(()) => "proved".to_owned(),
            Err(Unproved::Open(open)) => format!("{} terms open", open.len()),
            Err(failure) => failure.to_string(),
        };
        println!("{:62} {:8.3} s  {text}", sample.name, start.elapsed().as_secs_f64());
    }
}

fn verdict(sample: &Sample) -> Result<(), Unproved> {
    let function = sample.function();
    let contract = sample.contract.parse().map_err(|error| Unproved::Breach(format!("{error}")))?;
    let certificate = prove(&function, &contract)?;
    check(&function, &certificate).map_err(|error| Unproved::Breach(format!("not checked: {error}")))?;
    Ok(())
}
