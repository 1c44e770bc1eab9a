//! Rhomb's front door: requests in, assembly files and figures out.
//!
//! [`Request`] says what is wanted. [`generate`] makes the routine, runs it in the simulator from its
//! machine code, and gives the files' contents; [`measure`] gives the figures only, and
//! [`measure_object`] those of anybody's object code. Only [`files`] touches the file system.
//!
//! ```
//! let request = rhomb::Request {
//!     operation: "mul".into(),
//!     bits: 160,
//!     target: "atmega128".into(),
//!     method: Some("operand-caching".into()),
//!     ..Default::default()
//! };
//! let kernel = rhomb::generate(&request)?;
//! assert_eq!(kernel.report.instructions.multiply, 400);
//! assert!(kernel.c_header.contains("void mul160(uint8_t r[40]"));
//! # Ok::<(), rhomb::Error>(())
//! ```

mod beside;
mod bounds;
mod c_header;
mod candidates;
mod charts;
mod choose;
mod compare;
mod contract;
mod draw;
mod evidence;
mod field;
pub mod files;
mod generate;
mod header;
mod library;
mod lines;
mod modular;
#[cfg(test)]
mod mutants;
mod name;
mod output;
mod plan;
mod planning;
mod products;
mod programs;
mod question;
mod records;
mod report;
mod reproduce;
mod request;
mod rows;
mod scheme;
mod search;
mod source;
mod style;
pub mod suite;
mod summary;
mod trails;
mod tune;
mod verdict;
mod verify;
mod verify_text;
mod wanted;
mod whole;
mod work;

pub use beside::beside;
pub use bounds::Bounds;
pub use charts::{About, chart};
pub use compare::{Compared, compared};
pub use contract::{operations, parse as parse_contract};
pub use draw::{draw, draw_planned};
pub use evidence::{Evidence, simulate};
pub use field::{moduli, polynomials};
pub use generate::{Kernel, Measurement, generate, generate_planned, measure, measure_object, planned};
pub use library::{Library, LibraryRequest, library};
pub use modular::{ModularMethod, ModularOperation, ModularProgram, ModularTask, Workspace};
pub use output::Output;
pub use plan::{Plan, Way};
pub use question::Question;
pub use records::{Rated, Records, RecordsRequest, Verdict as RecordVerdict, records};
pub use report::{Clock, Cycles, Report};
pub use reproduce::{ReproducedCell, ReproducedTable, Reproduction, cores, reproduce};
pub use request::{Request, WalkFile};
pub use rhomb_draw::dark;
pub use rhomb_kernel::split::{Pairs, levels};
pub use rhomb_targets::play::{Played, Shown, Step};
pub use rhomb_targets::{self as targets, Error, Kind};
use rhomb_targets::{error, subject};
pub use scheme::{curves, has_curve, program_methods};
pub use subject::{Called, Given, Subject};
pub use summary::text as summary;
pub use targets::{Adds, Extension, Guard};
pub use tune::{Tuned, Tuning, tune};
pub use verdict::{ConstantTime, Proof, Require, Verdicts, Written};
pub use verify::{
    Counter, EFFORT, Export, Footprint, Limits, Site, Verification, Why, export, replay, verify, verify_code,
    verify_with_calls, verify_within,
};
pub use verify_text::text as verification_text;
pub use work::{Progress, Told, Work};

pub use rhomb_certificate::{Contract, Family, MOST_BITS, Operation};
pub use rhomb_composition::Program;
pub use rhomb_kernel::{Form, List, Method, Order, Orders, Parameter, Parameters, Strips};
pub use rhomb_machine::Interrupts;

/// Other names of methods, each with that of the method.
pub fn other_methods() -> &'static [(&'static str, &'static str)] {
    &planning::OTHER_NAMES
}

/// All methods.
pub fn methods() -> &'static [Method] {
    rhomb_kernel::METHODS
}
