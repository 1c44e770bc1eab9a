//! x
use rhomb_avr::conventions::AVR_GCC;
use rhomb_avr::cores::core;
use rhomb_avr::{Function, Program};
use rhomb_certificate::{Contract, check};
use rhomb_prove::prove;
use std::sync::Arc;
fn main() {
    for arg in std::env::args().skip(1) {
        let contract: Contract = arg.parse().unwrap();
        let modular = contract.modular().unwrap();
        for way in rhomb_field::reduce::ways(modular.operation, &modular.modulus.number(), 8) {
            let core1 = core("atmega128").unwrap();
            use rhomb_contract::ModularOperation as M;
            let op = match modular.operation {
                M::Mul | M::MontgomeryMul => Some(rhomb_kernel::Operation::Mul),
                M::Sqr | M::MontgomerySqr => Some(rhomb_kernel::Operation::Sqr),
                _ => None,
            };
            let made = match op {
                None => rhomb_avr::lower::line(&way.line, core1, &AVR_GCC),
                Some(op) => {
                    let name = if std::env::var("SPLIT").is_ok() { "split" } else { "operand-caching" };
                    let words = modular.modulus.words(8) as usize;
                    let params = rhomb_kernel::Parameters { levels: if name == "split" { Some(1) } else { None }, ..rhomb_kernel::Parameters::default() };
                    let task = rhomb_kernel::method(op, name)
                        .unwrap()
                        .task(&rhomb_kernel::Shape {
                            form: rhomb_kernel::Form::Unrolled,
                            words,
                            parameters: &params,
                        })
                        .unwrap();
                    rhomb_avr::lower::after_product(
                        &way.line,
                        |inner| rhomb_avr::lower::routine(&task, core1, inner),
                        core1,
                        &AVR_GCC,
                    )
                }
            };
            let kernel = match made {
                Ok(k) => k,
                Err(e) => {
                    println!("{arg} {} {e}", way.method);
                    continue;
                }
            };
            if std::env::var("SHOW").is_ok() {
                for (n, i) in kernel.program.iter().enumerate() {
                    println!("{n}: {i:?}");
                }
            }
            let program = Program::assemble(core("atmega128").unwrap(), 0, &kernel.program).unwrap();
            let function = Function {
                program: Arc::new(program),
                entry: 0,
                convention: &AVR_GCC,
                stack_limit: 2000,
                step_limit: 1000000,
            };
            let start = std::time::Instant::now();
            match prove(&function, &contract) {
                Ok(c) => println!(
                    "{arg} {} {:?} proved {:?} {:?}",
                    way.method,
                    kernel.cycles,
                    check(&function, &c).is_ok(),
                    start.elapsed()
                ),
                Err(e) => println!(
                    "{arg} {} {:?} {e} {} {:?}",
                    way.method,
                    kernel.cycles,
                    format!("{e:?}").chars().take(1500).collect::<String>(),
                    start.elapsed()
                ),
            }
        }
    }
}
