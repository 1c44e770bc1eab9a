//! Processor cores and how long their instructions take.
//!
//! A bare core has no memory of its own: where memory lies is said here only so that a routine can be placed somewhere.
//! Memory answers in the next cycle. The figures were measured on each core's published RTL, with the core's own
//! configuration of that name; PicoRV32's are in its README, too (section "Cycles per Instruction Performance").

use crate::instructions::{Extension, Kind};
use std::ops::Range;

/// What an instruction takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Time {
    /// Cycles until the next instruction can begin.
    pub issue: u8,
    /// Cycles until an instruction can begin that reads its result.
    pub latency: u8,
}

/// Cycles of the instructions of a core.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Arithmetic, logic, shifts, comparisons.
    pub plain: Time,
    /// MUL, and the least it takes where rs2 decides about it.
    pub product: Time,
    /// The most of MUL.
    pub most_product: Time,
    /// MULH, MULHU, MULHSU.
    pub high: Time,
    /// Loads.
    pub load: Time,
    /// Stores.
    pub store: Time,
    /// Branches that are not taken, and those that are.
    pub branch: [Time; 2],
    /// JAL.
    pub jump: Time,
    /// JALR, if it is known.
    pub jump_register: Option<Time>,
}

/// A processor core.
#[derive(Debug)]
pub struct Core {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// Parts of the instruction set that it has.
    pub extensions: &'static [Extension],
    /// Byte addresses of data memory.
    pub ram: Range<u32>,
    /// How long instructions take.
    pub timing: Timing,
}

impl Core {
    /// Whether it has a part of the instruction set.
    pub fn has(&self, extension: Extension) -> bool {
        self.extensions.contains(&extension)
    }
}

const fn time(issue: u8, latency: u8) -> Time {
    Time { issue, latency }
}

impl Timing {
    /// By cycles of plain instructions, MUL, MULHU, loads and stores, branches not taken and taken, JAL and JALR; none of them
    /// is waited for.
    const fn simple(
        plain: u8,
        [mul, high]: [u8; 2],
        memory: u8,
        [not, taken]: [u8; 2],
        jumps: [u8; 2],
    ) -> Timing {
        const fn same(cycles: u8) -> Time {
            time(cycles, cycles)
        }
        Timing {
            plain: same(plain),
            product: same(mul),
            most_product: same(mul),
            high: same(high),
            load: same(memory),
            store: same(memory),
            branch: [same(not), same(taken)],
            jump: same(jumps[0]),
            jump_register: Some(same(jumps[1])),
        }
    }

    /// The least and the most that instructions of a kind take; `None` where nobody has said.
    pub fn times(&self, kind: Kind) -> Option<(Time, Time)> {
        let same = |time| Some((time, time));
        match kind {
            Kind::Plain => same(self.plain),
            Kind::Product => Some((self.product, self.most_product)),
            Kind::High => same(self.high),
            Kind::Load => same(self.load),
            Kind::Store => same(self.store),
            Kind::Branch => same(self.branch[0]),
            Kind::Jump => same(self.jump),
            Kind::JumpRegister => self.jump_register.and_then(same),
            // their time depends on data nearly everywhere, and on no core here are they carry-less
            Kind::Divide | Kind::Carryless => None,
        }
    }
}

const IM: &[Extension] = &[Extension::I, Extension::M];
const IMC: &[Extension] = &[Extension::I, Extension::M, Extension::C];
const RAM: Range<u32> = 0x8000..0x4_0000;

macro_rules! cores {
    ($($name:literal $description:literal $extensions:ident $timing:expr;)*) => {
        /// All cores.
        pub static CORES: &[Core] = &[$(Core {
            name: $name, description: $description, extensions: $extensions, ram: RAM, timing: $timing,
        }),*];
    };
}

cores! {
    "picorv32" "PicoRV32 with its serial multiplier" IMC
        Timing::simple(3, [40, 72], 5, [3, 5], [3, 6]);
    "picorv32-fast" "PicoRV32 with the fast multiplier and the barrel shifter" IMC
        Timing::simple(3, [6, 6], 5, [3, 5], [3, 6]);
    "ibex-slow" "Ibex with the slow multiplier, whose time depends on rs2" IMC
        Timing { most_product: time(33, 33), ..Timing::simple(1, [2, 33], 2, [1, 3], [2, 2]) };
    "ibex-fast" "Ibex with the multiplier of 3 cycles (configuration small)" IMC
        Timing::simple(1, [3, 4], 2, [1, 3], [2, 2]);
    "ibex-single" "Ibex with the multiplier of one cycle" IMC
        Timing::simple(1, [1, 2], 2, [1, 3], [2, 2]);
    "ibex-maxperf" "Ibex with the multiplier of one cycle, branch target ALU and writeback stage" IMC
        Timing { load: time(1, 2), ..Timing::simple(1, [1, 2], 1, [1, 2], [2, 2]) };
    "cv32e40p" "CV32E40P without its own extensions" IMC
        Timing { load: time(1, 2), ..Timing::simple(1, [1, 5], 1, [1, 3], [2, 2]) };
    // of JALR nothing is known
    "vexriscv" "VexRiscv, full configuration, caches warm" IM
        Timing {
            load: time(1, 3), product: time(1, 3), most_product: time(1, 3), high: time(1, 3), jump_register: None,
            ..Timing::simple(1, [1, 1], 1, [1, 4], [2, 2])
        };
}

/// The core of that name.
pub fn core(name: &str) -> Option<&'static Core> {
    CORES.iter().find(|core| core.name == name)
}
