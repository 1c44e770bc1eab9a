//! What is given inputs: each target takes any bytes, checks what must hold of its answer, and tells
//! in one line what the answer was.

mod arm;
mod c55x;
mod certificate;
mod code;
mod contract;
mod mips;
mod object;
mod verify;
mod walk;

use rhomb_machine::{Control, Processor};

/// A reader under test.
pub(crate) struct Target {
    /// Name of the target and of its folder in the corpus.
    pub(crate) name: &'static str,
    /// Gives it an input; panics where something does not hold.
    pub(crate) run: fn(&[u8]) -> String,
}

/// All of them.
pub(crate) const TARGETS: &[Target] = &[
    Target { name: "object", run: object::run },
    Target { name: "code", run: code::run },
    Target { name: "contract", run: contract::run },
    Target { name: "certificate", run: certificate::run },
    Target { name: "verify", run: verify::run },
    Target { name: "arm-code", run: arm::code },
    Target { name: "arm-text", run: arm::text },
    Target { name: "mips-code", run: mips::code },
    Target { name: "mips-text", run: mips::text },
    Target { name: "mips-extension", run: mips::extension },
    Target { name: "c55x-text", run: c55x::text },
    Target { name: "walk", run: walk::run },
];

/// Steps that what was read is executed for.
const STEPS: usize = 2000;

/// How a run ends.
fn end(machine: &mut impl Processor) -> String {
    for _ in 0..STEPS {
        match machine.step() {
            Ok(Control::Continue) => {}
            Ok(Control::Return) => return "return".to_owned(),
            Err(fault) => return fault.to_string(),
        }
    }
    format!("{STEPS} steps")
}

/// A fault, which is one line, for the answer.
fn shown(error: impl std::fmt::Display) -> String {
    let text = error.to_string();
    assert!(!text.contains('\n'), "{text}");
    text
}

/// The words of code in an input.
fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}
