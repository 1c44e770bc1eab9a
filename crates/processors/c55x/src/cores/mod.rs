//! Cores: where memory lies, what it can do in a cycle, and how long instructions take.

mod timing;
mod vc5510;

pub use timing::Timing;

use std::ops::Range;

/// A processor core.
#[derive(Debug)]
pub struct Core {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// Manuals from which the fields were taken.
    pub source: &'static str,
    /// Program memory on the chip, in bytes.
    pub code_bytes: u32,
    /// Memory with two accesses a cycle and block, as word addresses of the first data page.
    pub dual: Range<u32>,
    /// Memory with one access a cycle and block, in the first data page.
    pub single: Range<u32>,
    /// Words of a block, a power of two.
    pub block: u32,
    /// How long instructions take.
    pub timing: Timing,
}

/// All cores.
pub static CORES: &[&Core] = &[&vc5510::CORE];

/// The core of that name.
pub fn core(name: &str) -> Option<&'static Core> {
    CORES.iter().copied().find(|core| core.name == name)
}
