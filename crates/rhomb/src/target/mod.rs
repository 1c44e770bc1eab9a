//! The targets: what a request needs from a processor, and the list of all cores.
//!
//! A processor joins by a file here that implements [`Target`] for its cores, and a line in [`all`].

mod avr;
mod avr_layout;
mod avr_simulator;

use crate::error::Error;
use rhomb_kernel::Walk;
use rhomb_object::ObjectFile;
use std::ops::Range;

/// A choice and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// On the command line.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
}

/// Machine code that holds a routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Address of the first byte.
    pub origin: u32,
    /// The code.
    pub bytes: Vec<u8>,
    /// Where in `bytes` the routine stands; it is entered at its first byte.
    pub routine: Range<usize>,
}

/// A routine made by the generator.
#[derive(Clone, Debug)]
pub struct Routine {
    /// Its machine code.
    pub code: Code,
    /// Cycles of the body, counted along the straight line. They only rank candidates.
    pub body_cycles: u64,
    /// Cycles from the first instruction to the return, counted likewise.
    pub function_cycles: u64,
}

/// Why there is no routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LowerFault {
    /// No method that multiplies words works on this core.
    NoMultiplier,
    /// The parameters ask for more registers than there are.
    Registers(String),
    /// Anything else.
    Other(String),
}

/// What can be read in a routine's machine code without running it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Static {
    /// Registers that are saved first and restored last, for people.
    pub saved: String,
    /// Registers that are written, for people.
    pub written: String,
    /// Bytes that it pushes; `None` where this takes more than reading along a straight line.
    pub stack_bytes: Option<u32>,
}

/// An array in memory during a call.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// What the contract calls it.
    pub name: &'static str,
    /// Address of the first byte.
    pub address: u32,
    /// Length in bytes.
    pub length: usize,
    /// An operand's value, little-endian; `None` is the result, which the routine writes.
    pub value: Option<Vec<u8>>,
}

/// One call of a routine.
#[derive(Clone, Debug)]
pub struct Call {
    /// The arrays whose addresses are the arguments, in their order.
    pub arguments: Vec<Buffer>,
    /// Lowest address that the stack may reach.
    pub stack: u32,
    /// Makes calls differ in what the registers hold beside the arguments.
    pub number: usize,
}

/// Numbers of executed instructions by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Mix {
    /// Loads.
    pub load: u64,
    /// Stores.
    pub store: u64,
    /// Multiplications.
    pub multiply: u64,
    /// Additions and subtractions.
    pub add: u64,
    /// All others.
    pub other: u64,
}

impl Mix {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.load + self.store + self.multiply + self.add + self.other
    }
}

/// What a call took and gave.
#[derive(Clone, Debug)]
pub struct Run {
    /// Cycles from the first instruction to the return, both included.
    pub function_cycles: u64,
    /// Cycles between the saves and the restores.
    pub body_cycles: u64,
    /// Instructions of the body.
    pub mix: Mix,
    /// Bytes of stack beyond the return address.
    pub stack_bytes: u32,
    /// The result array, little-endian.
    pub result: Vec<u8>,
}

/// Runs a routine.
pub trait Simulator {
    /// Calls the routine as its convention says and checks that what it must preserve is preserved.
    ///
    /// # Errors
    /// One line that says which instruction or which rule failed.
    fn call(&mut self, call: &Call) -> Result<Run, String>;
}

/// A processor core and what its processor's crate can do.
pub trait Target: Sync {
    /// Name on the command line.
    fn name(&self) -> &'static str;
    /// One line for people.
    fn description(&self) -> &'static str;
    /// The processor's name.
    fn processor(&self) -> &'static str;
    /// Whether it has a hardware multiplier.
    fn has_multiplier(&self) -> bool;
    /// Bits of a word.
    fn word_bits(&self) -> usize;
    /// Program memory in bytes.
    fn flash_bytes(&self) -> u64;
    /// Data addresses, in bytes.
    fn ram(&self) -> Range<u32>;
    /// Bytes of a return address on the stack.
    fn return_bytes(&self) -> u32;
    /// Calling conventions, the default first.
    fn conventions(&self) -> Vec<Named>;
    /// Assembler dialects, the default first.
    fn syntaxes(&self) -> Vec<Named>;
    /// Whether the assembler reads `name` as something else than a symbol.
    fn is_reserved(&self, name: &str) -> bool;
    /// What a header says about where the arguments arrive.
    fn convention_summary(&self, convention: &str) -> &'static str;

    /// A routine that multiplies along `walk`.
    fn multiplication(&self, walk: &Walk, convention: &str) -> Result<Routine, LowerFault>;
    /// The routine in an assembler's dialect, from its section to its size, without comments on top.
    fn assembly(&self, code: &Code, name: &str, syntax: &str) -> Result<String, String>;
    /// What reading the machine code tells.
    fn read(&self, code: &Code) -> Result<Static, String>;
    /// A simulator of the machine code.
    fn simulator(&self, code: &Code, convention: &str) -> Result<Box<dyn Simulator>, String>;
    /// The code of a function in an object file.
    fn object_code(&self, file: &ObjectFile<'_>, symbol: &str) -> Result<Code, Error>;
}

/// All targets, processor by processor.
pub fn all() -> impl Iterator<Item = &'static dyn Target> {
    avr::TARGETS.iter().map(|target| target as &dyn Target)
}

/// The target of that name.
///
/// # Errors
/// Names the valid ones.
pub fn find(name: &str) -> Result<&'static dyn Target, Error> {
    let names: Vec<&str> = all().map(Target::name).collect();
    let unknown = || Error::unknown("target", name, &names, "`rhomb list targets` describes them");
    all().find(|target| target.name() == name).ok_or_else(unknown)
}
