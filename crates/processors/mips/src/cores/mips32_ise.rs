//! The 4Km with a wide accumulator and five custom instructions, as a paper models it.

use super::{Core, timing_ise};

pub(super) static CORE: Core = Core {
    name: "mips32-ise",
    description: "MIPS32 with a 72-bit accumulator and M2ADDU, ADDAU, SHA, MULGF2, MADDGF2 (CHES 2004)",
    source: "Grossschaedl, Savas, \"Instruction Set Extensions for Fast Arithmetic in Finite Fields\", CHES 2004",
    march: "mips32",
    extension: Some(include_str!("../../extensions/grossschaedl-savas.isa")),
    // the paper does not say; a result of 32 bits in HI would be useless otherwise
    mthi_clears_guard: true,
    ram: 0x8010_0000..0x8200_0000,
    timing: &timing_ise::TIMING,
};
