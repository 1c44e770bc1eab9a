//! All kernels in the sizes that tests use.

use crate::add_sub::{Form, add, sub};
use crate::branched::{Sides, branched};
use crate::karatsuba::{Extension, Inner, Recombination, Shape, Sign, karatsuba, shape};
use crate::shift_add::{Scanning, Test, called, strip};
use crate::{frames, looped, squaring};
use rhomb_avr::instructions::Instruction;
use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core};
use std::sync::Arc;

/// A kernel with its contract. All take the same time for all inputs.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Family, parameters and bytes.
    pub name: String,
    /// Operation and size, as the prover reads them.
    pub contract: String,
    /// The core for which it is written.
    pub core: &'static str,
    /// The whole function.
    pub code: Vec<Instruction>,
}

impl Sample {
    /// The kernel as a function that can be called.
    pub fn function(&self) -> Function {
        let core = core(self.core).expect("a core of ours");
        let program = Program::assemble(core, 0, &self.code).expect("instructions of that core");
        Function {
            program: Arc::new(program),
            entry: 0,
            convention: &AVR_GCC,
            stack_limit: 320,
            step_limit: 10_000_000,
        }
    }
}

const MEGA: &str = "atmega128";
const TINY: &str = "attiny85";

/// All kernels.
pub fn catalogue() -> Vec<Sample> {
    let mut all = Vec::new();
    let mut put = |family: String, operation: &str, n: usize, core, code| {
        let name = format!("{family} {n}");
        all.push(Sample { name, contract: format!("{operation} {}", 8 * n), core, code });
    };
    for form in [Form::Unrolled, Form::Looped, Form::Parked] {
        for n in [1, 2, 20, 32, 256] {
            put(format!("add {form:?}"), "add", n, MEGA, add(n, form));
            put(format!("sub {form:?}"), "sub", n, MEGA, sub(n, form));
        }
    }
    for n in [1, 2, 3, 20, 32, 64] {
        put("looped product scanning".into(), "mul", n, MEGA, looped::product_scanning(n));
        put("looped operand scanning".into(), "mul", n, MEGA, looped::operand_scanning(n));
    }
    for (n, e) in [(1, 1), (6, 2), (9, 3), (20, 4), (20, 5), (32, 8), (63, 9), (64, 8), (128, 8), (256, 8)] {
        put(format!("looped operand caching {e}"), "mul", n, MEGA, looped::operand_caching(n, e));
    }
    for (n, batch) in [(1, 2), (4, 2), (8, 4), (10, 6), (16, 4), (20, 2), (20, 4), (24, 6), (32, 4)] {
        put(format!("squaring {batch}"), "sqr", n, MEGA, squaring::sqr(n, batch));
    }
    for n in [1, 2, 10, 20] {
        put("stack frame".into(), "mul", n, MEGA, frames::stack_frame(n));
        put("pushed".into(), "mul", n, MEGA, frames::pushed(n));
        put("T flag".into(), "mul", n, MEGA, frames::t_flag(n));
    }
    for n in (4..=20).step_by(2) {
        put("karatsuba 1".into(), "mul", n, MEGA, karatsuba(n, shape(1)));
    }
    for n in [8, 20] {
        for shape in variants(1) {
            put(format!("karatsuba {}", text(&shape)), "mul", n, MEGA, karatsuba(n, shape));
        }
    }
    for (levels, n) in [(2, 8), (2, 16), (2, 20), (2, 32), (3, 16), (3, 32), (3, 64)] {
        put(format!("karatsuba {levels}"), "mul", n, MEGA, karatsuba(n, shape(levels)));
    }
    for (levels, n) in [(2, 16), (3, 32)] {
        for shape in variants(levels) {
            put(format!("karatsuba {}", text(&shape)), "mul", n, MEGA, karatsuba(n, shape));
        }
    }
    for extension in [Extension::Asr, Extension::Sbc] {
        for (levels, n) in [(1, 4), (1, 8), (1, 10), (2, 8), (2, 16), (2, 20), (3, 32)] {
            let code = branched(n, levels, Sides::Registers, extension);
            put(format!("branched {levels} Registers {extension:?}"), "mul", n, MEGA, code);
        }
        for (levels, n) in [(1, 4), (1, 8), (1, 16), (1, 20), (2, 16), (2, 32), (3, 32)] {
            let code = branched(n, levels, Sides::Memory, extension);
            put(format!("branched {levels} Memory {extension:?}"), "mul", n, MEGA, code);
        }
    }
    for test in [Test::Skip, Test::Mask] {
        for (n, e) in [(1, 1), (4, 2), (5, 3), (8, 8), (20, 5), (20, 9)] {
            put(format!("strip {test:?} {e}"), "mul", n, TINY, strip(n, e, test));
        }
        for scanning in [Scanning::Product, Scanning::Operand] {
            for n in [1, 4, 20] {
                put(format!("called {test:?} {scanning:?}"), "mul", n, TINY, called(n, scanning, test));
            }
        }
    }
    all
}

/// Shapes that differ from the usual one in one respect or two.
fn variants(levels: u32) -> Vec<Shape> {
    let usual = shape(levels);
    let mut all = vec![
        Shape { recombination: Recombination::Plain, ..usual },
        Shape { recombination: Recombination::Fused, ..usual },
        Shape { extension: Extension::Sbc, ..usual },
        Shape { sign: Sign::Corrected, ..usual },
        Shape { sign: Sign::Corrected, recombination: Recombination::Fused, ..usual },
    ];
    if levels == 1 {
        all.push(Shape { sign: Sign::Flag, ..usual });
    } else {
        all.push(Shape { inner: Inner::Called, ..usual });
    }
    all
}

fn text(shape: &Shape) -> String {
    let Shape { levels, sign, recombination, extension, inner } = shape;
    format!("{levels} {sign:?} {recombination:?} {extension:?} {inner:?}")
}
