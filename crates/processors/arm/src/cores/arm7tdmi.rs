//! ARM7TDMI. ARM DDI 0029E, "ARM7TDMI Data Sheet", chapter 4 (the cycle times in each instruction's section; m of the
//! multiplications in 4.7 and 4.8); the same cycle by cycle in DDI 0210C, "ARM7TDMI Technical Reference Manual",
//! chapter 6, "Instruction Cycle Timings".

use super::{Array, Core, Timing};

pub(super) static CORE: Core = Core {
    name: "arm7tdmi",
    description: "ARM7TDMI: ARMv4T, no wait states; the time of a multiplication depends on an operand",
    source: "ARM DDI 0029E, chapter 4; DDI 0210C, chapter 6",
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

static TIMING: Timing = TIMES;

/// S, N and I cycles all of one clock.
pub(super) const TIMES: Timing = Timing {
    name: "ARM7TDMI",
    source: "ARM DDI 0029E, 4.3 to 4.12; DDI 0210C, chapter 6",
    // 1S
    skipped: 1,
    skips_leak: false,
    // 1S, + 1I with a shift by register, + 1S + 1N when PC is written
    data: 1,
    register_shift: 1,
    to_pc: 2,
    shifted_to_pc: 0,
    // 1S + 1N + 1I
    load: 3,
    loaded_to_pc: 2,
    scaled: 0,
    // 2N
    store: 2,
    // nS + 1N + 1I
    block_load: 2,
    // (n - 1)S + 2N
    block_store: 1,
    block_words: 1,
    block_least: 0,
    moved: 1,
    // 1S + 2N + 1I
    swap: Some(4),
    status: Some(1),
    // 2S + 1N
    branch: 3,
    call: 0,
    // 1S + mI; one more I each for accumulation and for a long result
    multiply: 1,
    accumulate: 1,
    long: 1,
    multiply_flags: 0,
    array: Array::Early,
    interlocks: None,
};
