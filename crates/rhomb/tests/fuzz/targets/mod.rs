//! What is given inputs: each target takes any bytes, checks what must hold of its answer, and tells
//! in one line what the answer was.

mod certificate;
mod code;
mod contract;
mod object;
mod verify;

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
];
