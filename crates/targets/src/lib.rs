//! The targets: what a request needs from a processor, and the list of all cores.
//!
//! Each processor is a feature: a program for one need not have the others.
//! A processor joins by a file here that implements [`Target`] for its cores, and a line in [`all`].

// what processors share is not used by each
#![cfg_attr(
    not(all(feature = "avr", feature = "arm", feature = "mips", feature = "riscv", feature = "c55x")),
    allow(dead_code, unused_mut)
)]

#[cfg(feature = "arm")]
mod arm;
#[cfg(feature = "avr")]
mod avr;
#[cfg(feature = "c55x")]
mod c55x;
mod called;
mod common;
mod description;
#[cfg(any(feature = "mips", feature = "riscv"))]
mod drafts;
pub mod error;
mod extension;
#[cfg(feature = "mips")]
mod mips;
pub mod modular;
mod names;
pub mod play;
#[cfg(feature = "riscv")]
mod riscv;
pub mod subject;
pub mod trace;

pub use description::{CDialect, Comment, Convention, Description, FileStyle, Guard, Named, Syntax};
pub use error::{Error, Kind};
pub use extension::{Adds, Extension, extended};

use crate::modular::{ModularProgram, ModularTask};
use crate::subject::Subject;
use rhomb_certificate::Contract;
use rhomb_field::program::Program;
use rhomb_kernel::{Floor, Form, Schedule, Task};
use rhomb_line::Line;
use rhomb_machine::Placement;
use rhomb_object::ObjectFile;
use std::ops::Range;
use std::sync::Arc;

/// Machine code that holds a routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Address of the first byte.
    pub origin: u32,
    /// The code; for processors without an assembler, the text of the routine.
    pub bytes: Vec<u8>,
    /// Where in `bytes` the routine stands; it is entered at its first byte.
    pub routine: Range<usize>,
    /// What a linker still decides about it.
    pub placement: Placement,
}

/// Machine code of an object file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectCode {
    /// The code.
    pub code: Code,
    /// Where in its bytes the file's sections stand, with their numbers.
    pub sections: Vec<(Range<usize>, usize)>,
    /// What else a linker may do to the function, for people.
    pub notes: Vec<String>,
}

/// A routine's text as machine code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// The code.
    pub code: Code,
    /// Of each instruction its line, from 1, and its byte address.
    pub places: Vec<(usize, u64)>,
}

/// How a routine is to be made, beside the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Making<'a> {
    /// Calling convention.
    pub convention: &'a str,
    /// Most registers beside those that hold pointers and take products.
    pub registers: Option<usize>,
    /// One of [`Description::accumulations`]; `None` leaves it to the processor.
    pub accumulation: Option<&'a str>,
    /// Whether time must be the same for all operands.
    pub constant_time: bool,
    /// One of [`Description::on_x`]; `None` leaves it to the processor.
    pub on_x: Option<&'a str>,
    /// What a [search](Target::search) printed; `None` takes what is known.
    pub trail: Option<&'a str>,
}

/// A routine made by the generator.
#[derive(Clone, Debug)]
pub struct Routine {
    /// Its machine code.
    pub code: Code,
    /// Cycles of the body, counted along the straight line or, where there is none, in a call. They only
    /// rank candidates.
    pub body_cycles: u64,
    /// Cycles from the first instruction to the return, counted likewise.
    pub function_cycles: u64,
    /// Bytes of stack that it takes, the return address left out.
    pub stack_bytes: usize,
    /// The schedule that it follows; for pictures.
    pub schedule: Option<Arc<Schedule>>,
    /// How products are added up, where the processor has several ways.
    pub accumulation: Option<&'static str>,
}

/// Why there is no routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LowerFault {
    /// No method that multiplies words works on this core.
    NoMultiplier,
    /// The parameters ask for more registers than there are.
    Registers(String),
    /// The processor's crate does not make such a routine, whatever the parameters.
    Unmade(String),
    /// It makes none whose time is the same for all operands: why, with what is valid, and what to do.
    ConstantTime {
        /// Why, and what is valid.
        message: String,
        /// What to do.
        hint: &'static str,
    },
    /// The trail is none, or one of something else.
    Trail(String),
    /// Anything else.
    Other(String),
}

/// A routine for an operation of fields.
#[derive(Clone, Debug)]
pub struct FieldRoutine {
    /// Its machine code.
    pub code: Code,
    /// How it computes.
    pub method: &'static str,
    /// Straight line or loops.
    pub form: Form,
}

/// A multiplication or squaring that was chosen.
#[derive(Clone, Debug)]
pub struct Product {
    /// What is done.
    pub task: Task,
    /// Whether it is a multiplication of an operand by itself.
    pub of_one: bool,
    /// One of [`Description::on_x`], if that was chosen.
    pub on_x: Option<&'static str>,
    /// One of [`Description::accumulations`], if that was chosen.
    pub accumulation: Option<&'static str>,
}

/// What can be read in a routine's machine code without running it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Static {
    /// Registers that are saved first and restored last, for people.
    pub saved: String,
    /// Registers that are written, for people.
    pub written: String,
}

/// No routine worth a wait executes more instructions.
pub const MOST_STEPS: u64 = 50_000_000;

/// A processor core and what its processor's crate can do.
pub trait Target: Sync + Send {
    /// What is known of it.
    fn description(&self) -> &Description;
    /// Name on the command line.
    fn name(&self) -> &'static str {
        self.description().name
    }
    /// Whether the assembler reads `name` as something else than a symbol.
    fn is_reserved(&self, name: &str, syntax: &str) -> bool;
    /// Cycles of a multiplication that executes nothing but this.
    fn floor_cycles(&self, floor: &Floor) -> Option<u64>;
    /// A routine that does `task`.
    fn routine(&self, task: &Task, making: &Making<'_>) -> Result<Routine, LowerFault>;
    /// Whether the processor's crate searches for the registers of some products. A trail is a text by which what a search found is
    /// made again at once; nobody else reads it.
    fn has_trails(&self) -> bool {
        false
    }
    /// The trail with which a search for a faster routine begins: the one that is known, or where there is none a first one, which
    /// need not lead to a routine.
    ///
    /// # Errors
    /// [`LowerFault::Unmade`] where nothing of the task is searched for: what else is.
    fn trail(&self, task: &Task) -> Result<String, LowerFault> {
        let _ = task;
        Err(LowerFault::Unmade("not available for this processor".to_owned()))
    }
    /// What the search of this number finds near a trail: the best that it saw, which may be slower; nothing where it ends without one.
    ///
    /// # Errors
    /// [`LowerFault::Trail`] for what is no trail, else as [`Target::trail`].
    fn search(&self, task: &Task, trail: &str, number: u32) -> Result<Option<String>, LowerFault> {
        let _ = (trail, number);
        self.trail(task).map(|_| None)
    }
    /// Whether the processor's crate has ways of its own to make programs of modular arithmetic.
    fn has_modular(&self) -> bool {
        false
    }
    /// A program of modular arithmetic, made in a way of its own.
    ///
    /// # Errors
    /// [`LowerFault::Unmade`] where the processor's crate makes none.
    fn modular(&self, task: &ModularTask, convention: &str) -> Result<ModularProgram, LowerFault> {
        let _ = (task, convention);
        Err(LowerFault::Unmade("not available for this processor".to_owned()))
    }
    /// Routines of its own that keep a contract modulo a number or over GF(2), in one form or in any, beside those of
    /// straight lines.
    ///
    /// # Errors
    /// There are none.
    fn own_routines(
        &self,
        contract: &Contract,
        form: Option<Form>,
        convention: &str,
    ) -> Result<Vec<FieldRoutine>, Error> {
        let _ = (contract, form, convention);
        Ok(Vec::new())
    }
    /// Whether it makes all that there are for a contract by itself, for some modulus or polynomial.
    fn makes_own(&self, contract: &Contract) -> bool {
        let _ = contract;
        false
    }
    /// The routine of a straight line, or that of a product with the line as its reduction.
    ///
    /// # Errors
    /// Where registers or instructions are lacking.
    fn line(&self, line: &Line, product: Option<&Product>, convention: &str) -> Result<Code, LowerFault>;
    /// The code of a program of calls that keeps a convention, with its routines behind it, each of which keeps it, too, or where that is
    /// said the [inner](Self::inner) one.
    ///
    /// # Errors
    /// Where registers, frames or calls do not reach.
    fn program(
        &self,
        program: &Program,
        routines: &[Code],
        convention: (&str, bool),
    ) -> Result<Code, LowerFault>;
    /// The convention of routines within another one that keeps this one: they preserve nothing. `None` where programs call no such.
    fn inner(&self, convention: &str) -> Option<&'static str> {
        let _ = convention;
        None
    }
    /// The core with the instructions of a file beside its own.
    ///
    /// # Errors
    /// What is wrong with the file; `None` where the processor takes none.
    fn with_extension(&self, text: &str) -> Option<Result<Box<dyn Target>, String>> {
        let _ = text;
        None
    }
    /// The core with the times of a file in place of its own.
    ///
    /// # Errors
    /// What is wrong with the file; `None` where the core has times of its own.
    fn with_times(&self, text: &str) -> Option<Result<Box<dyn Target>, String>> {
        let _ = text;
        None
    }
    /// The routine in an assembler's dialect, from its section to its size, without comments on top.
    fn assembly(&self, code: &Code, name: &str, syntax: &str) -> Result<String, String>;
    /// The machine code of a routine's text in an assembler's dialect, as [`Target::assembly`] writes it or somebody
    /// changed it.
    ///
    /// # Errors
    /// The first line that is not understood, or has no code on this core.
    fn assemble(&self, text: &str, syntax: &str) -> Result<Assembled, String>;
    /// What reading the machine code tells.
    fn read(&self, code: &Code) -> Result<Static, String>;
    /// Bytes of a routine's code.
    fn code_bytes(&self, code: &Code) -> usize {
        code.routine.len()
    }
    /// The code of a function in a text, for processors whose text is read in place of object files.
    fn text_code(&self, file: &[u8], symbol: &str) -> Option<Result<Code, Error>> {
        let _ = (file, symbol);
        None
    }
    /// The routine, to be asked about.
    fn subject(&self, code: &Code, convention: &str) -> Result<Box<dyn Subject>, String> {
        self.subject_within(code, convention, MOST_STEPS)
    }
    /// The same core with its other count of cycles, in which loads overlap as its manual says.
    fn paired(&self) -> Option<&dyn Target> {
        None
    }
    /// The same core without what takes a time of its own for some operands, where it can do without.
    fn constant(&'static self) -> Option<&'static dyn Target> {
        None
    }
    /// The routine, to be asked about, where a call is given up after so many instructions.
    fn subject_within(&self, code: &Code, convention: &str, steps: u64) -> Result<Box<dyn Subject>, String>;
    /// The code of a function in an object file.
    fn object_code(&self, file: &ObjectFile<'_>, symbol: &str) -> Result<ObjectCode, Error>;
}

/// The target of that name for routines that may be asked to take the same time for all operands.
pub fn wanted(name: &str, constant_time: bool) -> Result<&'static dyn Target, Error> {
    let target = find(name)?;
    Ok(target.constant().filter(|_| constant_time).unwrap_or(target))
}

/// The name given, or the first of those that the target has.
pub fn one_of(
    what: &str,
    given: Option<&str>,
    valid: &[Named],
    target: &dyn Target,
) -> Result<&'static str, Error> {
    let names: Vec<&'static str> = valid.iter().map(|named| named.name).collect();
    let Some(given) = given else { return Ok(names[0]) };
    let known = names.iter().copied().find(|name| *name == given);
    let describe = format!("leave --{what} out for {}, the default on {}", names[0], target.name());
    known.ok_or_else(|| Error::unknown(what, given, &names, &describe))
}

/// All targets, processor by processor.
pub fn all() -> impl Iterator<Item = &'static dyn Target> {
    let mut all: Vec<&'static dyn Target> = Vec::new();
    #[cfg(feature = "avr")]
    all.extend(avr::TARGETS.iter().map(|target| target as &dyn Target));
    #[cfg(feature = "arm")]
    all.extend(arm::TARGETS.iter().map(|target| target as &dyn Target));
    #[cfg(feature = "mips")]
    all.extend(mips::TARGETS.iter().map(|target| target as &dyn Target));
    #[cfg(feature = "riscv")]
    all.extend(riscv::TARGETS.iter().map(|target| target as &dyn Target));
    #[cfg(feature = "c55x")]
    all.extend(c55x::TARGETS.iter().map(|target| target as &dyn Target));
    all.into_iter()
}

/// Other names of targets, each with that of the target.
pub fn others() -> &'static [(&'static str, &'static str)] {
    names::OTHERS
}

/// The target of that name, or one that a board or part of that name is like.
///
/// # Errors
/// Names the valid ones.
pub fn find(name: &str) -> Result<&'static dyn Target, Error> {
    let names: Vec<&str> = all().map(Target::name).collect();
    let describe = "`rhomb list targets` describes them";
    let unknown = || Error::unknown_among("target", name, (&names, names::OTHERS), describe);
    let own = names::of(name);
    all().find(|target| target.name().eq_ignore_ascii_case(own)).ok_or_else(unknown)
}
