//! Clients for other people's simulators and assemblers, against which the tests compare ours.
//!
//! `tests/oracles/setup` installs the tools and builds the harnesses. A missing tool is a panic with
//! the command that brings it: an oracle that is silently skipped proves nothing.

mod arm_gnu;
mod armulator;
mod avr8js;
mod gnu;
mod harness;
mod job;
mod ledger;
mod mips_gnu;
pub mod modular;
mod page;
pub mod parallel;
mod place;
mod riscv;
mod riscv_gnu;
mod riscv_rtl;
mod rp2040js;
mod sample;
mod script;
mod simavr;
mod unicorn;
mod unicorn_mips;
mod unicorn_riscv;

pub use arm_gnu::{ArmGnu, ThumbGnu};
pub use armulator::Armulator;
pub use avr8js::Avr8js;
pub use gnu::{Disassembled, Gnu};
pub use job::{Job, Outcome, Run, Stop};
pub use ledger::Ledger;
pub use mips_gnu::MipsGnu;
pub use page::{build_page, visit_page};
pub use place::place;
pub use rhomb_machine::Random;
pub use riscv::{RiscvJob, RiscvOutcome};
pub use riscv_gnu::RiscvGnu;
pub use riscv_rtl::RiscvRtl;
pub use rp2040js::Rp2040js;
pub use sample::{sample, stand_in};
pub use simavr::SimAvr;
pub use unicorn::{ArmJob, ArmOutcome, Unicorn};
pub use unicorn_mips::{MipsJob, MipsOutcome, MipsUnicorn};
pub use unicorn_riscv::RiscvUnicorn;
