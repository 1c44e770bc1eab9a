//! A core with the accumulator and the binary polynomials of SmartMIPS.

use super::{Core, timing_4k};

pub(super) static CORE: Core = Core {
    name: "smartmips",
    description: "MIPS32 with SmartMIPS's MULTP, MADDP, MFLHXU, MTLHX, ROR, RORV; timed like a 4Km",
    source: "MIPS MD00016 for the pipeline; GNU binutils, opcodes/mips-opc.c for the encodings",
    march: "mips32",
    extension: Some(include_str!("../../extensions/smartmips.isa")),
    mthi_clears_guard: false,
    ram: 0x8010_0000..0x8200_0000,
    timing: &timing_4k::TIMING,
};
