//! The cost model by which figures for ARM7TDMI are published: Hutter and Wenger, CHES 2011, section on the
//! 32-bit platform. Every multiplication takes as long as on ARM7TDMI with two significant bytes in Rs: UMULL 4.
//! All else is as in ARM7TDMI's manual.

use super::{Array, Core, Timing, arm7tdmi};

pub(super) static CORE: Core = Core {
    name: "arm7tdmi-paper",
    description: "ARM7TDMI as counted in papers: UMULL 4 and UMLAL 5, whatever the operands",
    source: "the published model: LDR 3, UMULL 4, ADDS, ADCS and ADC 1, STR 2; else ARM DDI 0029E, chapter 4",
    mcpu: "arm7tdmi",
    flash_bytes: 32 << 20,
    ram: 0x4000_0000..0x4100_0000,
    // DDI 0100, A4.1, UMULL and UMLAL: flags change with S only
    carry_survives_multiplication: true,
    umaal: false,
    thumb: None,
    timing: &TIMING,
    paired: None,
    in_halves: false,
    constant: None,
    about: None,
};

static TIMING: Timing = Timing {
    name: "ARM7TDMI, multiplications of constant time",
    source: "the published model; ARM DDI 0029E, 4.3 to 4.12",
    array: Array::Fixed(2),
    ..arm7tdmi::TIMES
};
