//! Processor cores and how long their instructions take.
//!
//! A bare core has no memory of its own: where memory lies is said here only so that a routine can be placed somewhere.
//! Memory answers in the next cycle. The figures are those of each core's published RTL, with the core's own configuration of
//! that name, and are compared with it; PicoRV32's are in its README, too (section "Cycles per Instruction Performance").
//! Hazard3's are those of its manual ("Instruction Cycle Counts" and "Branch Predictor"), E31's those of the FE310-G000 Manual
//! (chapter "E31 RISC-V Core", sections "Execution Pipeline" and "Instruction Fetch"), and nobody compared them.

use crate::instructions::{Extension, Kind};
use std::borrow::Cow;
use std::ops::Range;

/// What an instruction takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Time {
    /// Cycles until the next instruction can begin.
    pub issue: u8,
    /// Cycles until an instruction can begin that reads its result.
    pub latency: u8,
}

impl Time {
    /// With more cycles before it.
    pub(crate) const fn later(self, cycles: u8) -> Time {
        Time { issue: self.issue + cycles, latency: self.latency + cycles }
    }
}

/// The least and the most that an instruction takes.
pub type Times = [Time; 2];

/// Cycles of the instructions of a core.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Arithmetic, logic, comparisons.
    pub plain: Times,
    /// Shifts.
    pub shift: Times,
    /// Rotations.
    pub rotate: Times,
    /// MUL.
    pub product: Times,
    /// MULH, MULHU, MULHSU.
    pub high: Times,
    /// CLMUL and its relatives.
    pub carryless: Times,
    /// Loads of words.
    pub load: Times,
    /// Loads of bytes and halfwords.
    pub part: Times,
    /// Stores.
    pub store: Times,
    /// Branches: those that go forward, not taken and taken, and those that go back.
    pub branches: [[Times; 2]; 2],
    /// JAL.
    pub jump: Times,
    /// JALR.
    pub jump_register: Times,
    /// What depends on the place or on what was before.
    pub rules: Rules,
}

/// What the time of an instruction depends on besides its kind and its operands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// MUL takes a cycle more than rs2 has bits, within its range.
    pub bit_serial: bool,
    /// More cycles of an instruction of 32 bits that is not at a multiple of 4.
    pub unaligned: u8,
    /// More cycles of what jumps to such an instruction.
    pub unaligned_target: u8,
    /// More cycles of a branch that is taken, where such an instruction stands after it and is being fetched.
    pub unaligned_next: u8,
    /// More cycles of a load of bytes that were stored one or two cycles before.
    pub collision: u8,
    /// A jump that was not foreseen takes a cycle more where the instruction of the wrong way that is next waits for a register;
    /// so does such a load.
    pub wrong_way: bool,
    /// Jumps are executed while what stands before them is: a cycle less after MULH and its relatives, and JALR wants its
    /// register a cycle earlier. What computes waits for a load into its own destination.
    pub early_jumps: bool,
    /// What is stored is wanted a cycle later than an address.
    pub late_store: bool,
    /// The last branch that went back is expected to do so again: a cycle less if it does, and a cycle more if not.
    pub remembers: bool,
}

/// A processor core.
#[derive(Debug)]
pub struct Core {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// What its times rest on where nobody compared them with hardware.
    pub about: Option<&'static str>,
    /// Parts of the instruction set that it has.
    pub extensions: Cow<'static, [Extension]>,
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

const fn time(issue: u8, latency: u8) -> Times {
    [Time { issue, latency }; 2]
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
        rules: Rules,
    ) -> Timing {
        const fn same(cycles: u8) -> Times {
            time(cycles, cycles)
        }
        Timing {
            plain: same(plain),
            shift: same(plain),
            rotate: same(plain),
            product: same(mul),
            high: same(high),
            carryless: same(high),
            load: same(memory),
            part: same(memory),
            store: same(memory),
            branches: [[same(not), same(taken)]; 2],
            jump: same(jumps[0]),
            jump_register: same(jumps[1]),
            rules,
        }
    }

    /// The least and the most that instructions of a kind take; `None` of quotients, whose time depends on data.
    pub fn times(&self, kind: Kind) -> Option<Times> {
        Some(match kind {
            Kind::Plain => self.plain,
            Kind::Shift => self.shift,
            Kind::Rotate => self.rotate,
            Kind::Product => self.product,
            Kind::High => self.high,
            Kind::Carryless => self.carryless,
            Kind::Load => self.load,
            Kind::Part => self.part,
            Kind::Store => self.store,
            Kind::Branch => self.branches[0][0],
            Kind::Jump => self.jump,
            Kind::JumpRegister => self.jump_register,
            Kind::Divide => return None,
        })
    }
}

const IM: &[Extension] = &[Extension::I, Extension::M];
const IMC: &[Extension] = &[Extension::I, Extension::M, Extension::C];
const IMCB: &[Extension] = {
    use Extension::{C, I, M, Zba, Zbb, Zbc, Zbs};
    &[I, M, C, Zba, Zbb, Zbc, Zbs]
};
const RP2350: &[Extension] = {
    use Extension::{C, I, M, Zba, Zbb, Zbkb, Zbs};
    &[I, M, C, Zba, Zbb, Zbkb, Zbs]
};
/// Where data memory is taken to lie.
pub const RAM: Range<u32> = 0x8000..0x4_0000;
const NONE: Rules = Rules {
    bit_serial: false,
    unaligned: 0,
    unaligned_target: 0,
    unaligned_next: 0,
    collision: 0,
    wrong_way: false,
    early_jumps: false,
    late_store: false,
    remembers: false,
};
/// PicoRV32 fetches both halves of a long instruction that is not aligned.
const FETCHES: Rules = Rules { unaligned: 1, unaligned_next: 1, ..NONE };
/// The others fetch ahead, but not over a jump.
const AHEAD: Rules = Rules { unaligned_target: 1, ..NONE };

/// A cycle, or four.
const FORESEEN: Times = [time(1, 1)[0], time(4, 4)[0]];

macro_rules! cores {
    ($($name:literal $description:literal $([$about:literal])? $extensions:ident $timing:expr;)*) => {
        /// All cores.
        pub static CORES: &[Core] = &[$(Core {
            name: $name, description: $description, about: [$(Some($about),)? None][0], extensions: Cow::Borrowed($extensions), ram: RAM, timing: $timing,
        }),*];
    };
}

cores! {
    "picorv32" "PicoRV32 with its serial multiplier and the barrel shifter" IMC
        Timing::simple(3, [40, 72], 5, [3, 5], [3, 6], FETCHES);
    "picorv32-fast" "PicoRV32 with the fast multiplier and the barrel shifter" IMC
        Timing::simple(3, [6, 6], 5, [3, 5], [3, 6], FETCHES);
    "ibex-slow" "Ibex with the slow multiplier, whose time depends on rs2" IMC
        Timing {
            product: [time(2, 2)[0], time(33, 33)[0]],
            ..Timing::simple(1, [2, 33], 2, [1, 3], [2, 2], Rules { bit_serial: true, ..AHEAD })
        };
    "ibex-fast" "Ibex with the multiplier of 3 cycles (configuration small)" IMC
        Timing::simple(1, [3, 4], 2, [1, 3], [2, 2], AHEAD);
    "ibex-single" "Ibex with the multiplier of one cycle" IMC
        Timing::simple(1, [1, 2], 2, [1, 3], [2, 2], AHEAD);
    "ibex-maxperf" "Ibex with the multiplier of one cycle, branch target ALU and writeback stage" IMC
        Timing { load: time(1, 2), part: time(1, 2), ..Timing::simple(1, [1, 2], 1, [1, 2], [2, 2], AHEAD) };
    "ibex-bitmanip" "the same, with all of bit manipulation (RV32BFull)" IMCB
        Timing { rotate: time(2, 2), carryless: time(1, 1), load: time(1, 2), part: time(1, 2), ..Timing::simple(1, [1, 2], 1, [1, 2], [2, 2], AHEAD) };
    "cv32e40p" "CV32E40P without its own extensions" IMC
        Timing {
            load: time(1, 2), part: time(1, 2),
            ..Timing::simple(1, [1, 5], 1, [1, 3], [2, 2], Rules { early_jumps: true, ..AHEAD })
        };
    // branches that go back are expected to be taken
    "vexriscv" "VexRiscv, full configuration, caches warm" IM
        Timing {
            load: time(1, 3), part: time(1, 3), product: time(1, 3), high: time(1, 3), shift: time(1, 2),
            jump_register: time(4, 1),
            branches: [[time(1, 1), time(4, 4)], [time(4, 4), time(2, 2)]],
            ..Timing::simple(1, [1, 1], 1, [1, 4], [2, 4], Rules { collision: 5, wrong_way: true, ..NONE })
        };
    "hazard3" "Hazard3 of the RP2350" ["its manual, not compared with hardware"] RP2350
        Timing {
            load: time(1, 2), part: time(1, 2),
            ..Timing::simple(1, [1, 1], 1, [1, 2], [2, 2], Rules { late_store: true, remembers: true, ..AHEAD })
        };
    // whether its predictors know a branch or a jump nobody can say
    "e31" "SiFive E31 of the FE310" ["its manual, not compared with hardware"] IMC
        Timing {
            load: time(1, 2), part: time(1, 3), branches: [[FORESEEN; 2]; 2], jump: FORESEEN, jump_register: FORESEEN,
            ..Timing::simple(1, [5, 5], 1, [1, 4], [1, 4], NONE)
        };
    "rv32im" "one cycle an instruction: a count of instructions, no core" IM
        Timing::simple(1, [1, 1], 1, [1, 1], [1, 1], NONE);
}

/// The core of that name.
pub fn core(name: &str) -> Option<&'static Core> {
    CORES.iter().find(|core| core.name == name)
}
