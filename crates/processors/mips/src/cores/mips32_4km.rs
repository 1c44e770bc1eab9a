//! MIPS32 4Km, as it is.

use super::{Core, timing_4k};

pub(super) static CORE: Core = Core {
    name: "mips32-4km",
    description: "MIPS32 4Km: plain MIPS32 release 1, pipelined 32 x 16-bit multiplier",
    source: "MIPS MD00016, \"MIPS32 4K Processor Core Family Software User's Manual\"",
    march: "mips32",
    extension: None,
    mthi_clears_guard: false,
    ram: 0x8010_0000..0x8200_0000,
    timing: &timing_4k::TIMING,
};
