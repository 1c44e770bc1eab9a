//! x
use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core, lower::multiplication};
use rhomb_certificate::{Contract, check};
use rhomb_kernel::{Parameters, method};
use std::{sync::Arc, time::Instant};
fn main() {
    let core = core("atmega128").unwrap();
    let args: Vec<String> = std::env::args().collect();
    let bits: Vec<usize> = args[2..].iter().map(|b| b.parse().unwrap()).collect();
    for bits in bits {
        let walk = method(&args[1]).unwrap().walk(bits / 8, &Parameters::default());
        let kernel = multiplication(&walk, core, &AVR_GCC).unwrap();
        let program = Arc::new(Program::assemble(core, 0, &kernel.program).unwrap());
        let function =
            Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 64, step_limit: 10_000_000 };
        let contract = Contract::Mul { a: bits as u32, b: bits as u32 };
        let t = Instant::now();
        let e = rhomb_certificate::execute(&function, &contract, &contract.patterns()[0])
            .map(|e| e.facts.graph.len());
        println!("{bits} execute {:?} {:?}", t.elapsed(), e);
        let t = Instant::now();
        let proof = rhomb_prove::prove(&function, &contract);
        println!("{bits} prove {:?}", t.elapsed());
        match proof {
            Ok(c) => {
                println!("claims {} {:?}", c.patterns[0].steps.len(), "");
                let t = Instant::now();
                println!("check {:?} {:?}", check(&function, &c), t.elapsed());
            }
            Err(e) => {
                for (i, x) in kernel.program.iter().enumerate().take(if bits == 160 { 700 } else { 45 }) {
                    println!("{:#x} {}", i * 2, rhomb_avr::syntax::gnu::instruction(x));
                }
                println!("{e}: {}", format!("{e:?}").chars().take(600).collect::<String>())
            }
        }
    }
}
