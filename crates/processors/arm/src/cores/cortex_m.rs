//! Cores of the M profile, in Thumb state. Memory without wait states; code in flash adds what that takes, and on Cortex-M3 and
//! Cortex-M4 so do runs of 32-bit instructions that are not aligned.
//!
//! - Cortex-M0: ARM DDI 0432C, table 3-1. MULS takes 1 or 32 cycles, as the maker of the chip chose: here 1.
//! - Cortex-M0+: ARM DDI 0484C, table 3-1; 2 cycles for accesses, as without the single-cycle port. MULS takes 1 or 32.
//! - Cortex-M3: ARM DDI 0337I, table 3-1, and 0337E, 18.2, for what UMULL and UMLAL take: 3 to 5 and 4 to 7, by operands in
//!   a way that is not published.
//! - Cortex-M4: ARM DDI 0439D, table 3-1. Its first issue, for r0p0, has 2 for MLA.
//! - Floating-point unit of the Cortex-M4: ARM DDI 0439D, table 7-1 (as TI's SWCU192, table 3-27, has it): VLDR, VSTR and those of
//!   several registers take 1 and a cycle for each word, VMOV of two words 2. For VMOV of one word readings of the table differ (GCC's
//!   cortex-m4-fpu.md has 2); on silicon 1 is told of, so that counts are *about* right there.
//!
//! Lists of POP count PC as one of their registers. What branches take to refill the pipeline, P, is 2 on Cortex-M3 and
//! Cortex-M4 (1 to 3 in the tables).
//!
//! - Cortex-M33 and Cortex-M7: Arm publishes no times. Those here are what jnk0le measured on the RP2350 and the STM32H743
//!   (github.com/jnk0le/random, pipeline cycle test, cortex_m33.md and cortex_m7.md). On the Cortex-M7 the schedules of LLVM
//!   (ARMScheduleM7.td) and SLOTHY (cortex_m7.py) agree with that as far as they go. Left out are what short instructions lose or win
//!   by where they stand, branches that are not foreseen (6 to 8 cycles on the Cortex-M7), sums that are forwarded within their cycle,
//!   and branches that the Cortex-M33 issues beside others.
//!
//! On Cortex-M3 and Cortex-M4 no two loads are taken to overlap: a flat count, with which published counts agree. The other count is the best that the manuals
//! promise (ARM DDI 0439D, 3.3.2; DDI 0337I, 3.3.3): a load right after a load of one register takes a cycle where it does not need
//! its result, and a store with an offset takes one.

use super::{Array, Core, Delays, Interlocks, Timing};
use crate::thumb::Level;

pub(super) const M0: Core = Core {
    name: "cortex-m0",
    description: "Cortex-M0: ARMv6-M, no wait states, MULS in 1 cycle",
    source: "ARM DDI 0432C, 3.3",
    mcpu: "cortex-m0",
    flash_bytes: 16 << 20,
    ram: 0x2000_0000..0x2100_0000,
    // DDI 0419E, A6.7: MULS sets N and Z only
    carry_survives_multiplication: true,
    umaal: false,
    thumb: Some(Level::V6m),
    timing: &M0_TIMES,
    paired: None,
    in_halves: true,
    constant: None,
    about: None,
};

pub(super) const M0_PLUS: Core = Core {
    name: "cortex-m0plus",
    description: "Cortex-M0+: ARMv6-M, no wait states, MULS in 1 cycle",
    source: "ARM DDI 0484C, table 3-1",
    mcpu: "cortex-m0plus",
    timing: &M0_PLUS_TIMES,
    ..M0
};

pub(super) const M0_PLUS_SLOW: Core = Core {
    name: "cortex-m0plus-slowmul",
    description: "Cortex-M0+ with the small multiplier: MULS in 32 cycles",
    timing: &Timing { name: "Cortex-M0+, MULS in 32 cycles", array: Array::Fixed(32), ..M0_PLUS_TIMES },
    ..M0_PLUS
};

const M3_ALONE: Core = Core {
    name: "cortex-m3",
    description: "Cortex-M3: ARMv7-M, no wait states; the time of a long multiplication depends on its operands",
    source: "ARM DDI 0337I, table 3-1; DDI 0337E, 18.2",
    mcpu: "cortex-m3",
    // DDI 0403E, A7.7: long multiplications set no flags
    thumb: Some(Level::V7m),
    timing: &M3_TIMES,
    in_halves: false,
    ..M0
};

pub(super) const M3: Core = Core { constant: Some(&M3_CONSTANT), ..M3_LEAKING };

const M3_LEAKING: Core = Core { paired: Some(&M3_PAIRED), ..M3_ALONE };

/// MUL takes a cycle.
static M3_CONSTANT: Core = Core { in_halves: true, ..M3_LEAKING };

static M3_PAIRED: Core = Core { timing: &M3_PAIRED_TIMES, ..M3_ALONE };

const M4_ALONE: Core = Core {
    name: "cortex-m4",
    description: "Cortex-M4: ARMv7E-M, no wait states, multiplications in 1 cycle",
    source: "ARM DDI 0439D, table 3-1",
    mcpu: "cortex-m4",
    umaal: true,
    thumb: Some(Level::V7em),
    timing: &M4_TIMES,
    ..M3_ALONE
};

pub(super) const M4: Core = Core { paired: Some(&M4_PAIRED), ..M4_ALONE };

static M4_PAIRED: Core = Core { timing: &M4_PAIRED_TIMES, ..M4_ALONE };

const M4F_ALONE: Core = Core {
    name: "cortex-m4f",
    description: "Cortex-M4 with its floating-point unit, whose registers hold words",
    source: "ARM DDI 0439D, tables 3-1 and 7-1",
    thumb: Some(Level::V7emFp),
    about: Some("VMOV of a word in 1 cycle, as others measured it (compendium.i-0.nl, FPU registers)"),
    ..M4_ALONE
};

pub(super) const M4F: Core = Core { paired: Some(&M4F_PAIRED), ..M4F_ALONE };

static M4F_PAIRED: Core = Core { timing: &M4_PAIRED_TIMES, ..M4F_ALONE };

pub(super) const M33: Core = Core {
    name: "cortex-m33",
    description: "Cortex-M33 with the DSP extension: ARMv8-M Mainline, no wait states, multiplications in 1 cycle",
    source: M33_SOURCE,
    mcpu: "cortex-m33",
    timing: &M33_TIMES,
    about: Some("measurements of the RP2350 by jnk0le (github.com/jnk0le/random)"),
    ..M4_ALONE
};

pub(super) const M33_WITHOUT_DSP: Core = Core {
    name: "cortex-m33-nodsp",
    description: "Cortex-M33 without the DSP extension: no UMAAL",
    mcpu: "cortex-m33+nodsp",
    umaal: false,
    thumb: Some(Level::V7m),
    ..M33
};

pub(super) const M7: Core = Core {
    name: "cortex-m7",
    description: "Cortex-M7: ARMv7E-M, two instructions a cycle, memory that is tightly coupled, branches foreseen",
    source: M7_SOURCE,
    mcpu: "cortex-m7",
    timing: &M7_TIMES,
    about: Some("measurements of the STM32H743 by jnk0le (github.com/jnk0le/random)"),
    ..M4_ALONE
};

static M0_TIMES: Timing = Timing {
    name: "Cortex-M0",
    source: "ARM DDI 0432C, 3.3",
    // Bcc not taken
    skipped: 1,
    skips_leak: false,
    data: 1,
    register_shift: 0,
    // 3
    to_pc: 2,
    shifted_to_pc: 0,
    load: 2,
    // POP with PC: 4 + N
    loaded_to_pc: 3,
    scaled: 0,
    store: 2,
    // 1 + N
    block_load: 1,
    block_store: 1,
    block_words: 1,
    block_least: 0,
    moved: 1,
    swap: None,
    status: None,
    // B and BX; BL 4
    branch: 3,
    call: 1,
    multiply: 0,
    accumulate: 0,
    long: 0,
    multiply_flags: 0,
    array: Array::Fixed(1),
    interlocks: None,
};

static M0_PLUS_TIMES: Timing = Timing {
    name: "Cortex-M0+",
    source: "ARM DDI 0484C, table 3-1",
    // 2
    to_pc: 1,
    // POP with PC: 3 + N
    loaded_to_pc: 2,
    // B and BX; BL 3
    branch: 2,
    ..M0_TIMES
};

static M3_TIMES: Timing = Timing {
    name: "Cortex-M3",
    source: "ARM DDI 0337I, table 3-1; DDI 0337E, 18.2",
    // 1 + P
    to_pc: 2,
    // 1 + N + P
    loaded_to_pc: 2,
    // 1 + P
    branch: 3,
    call: 0,
    // MLA and MLS 2
    accumulate: 1,
    array: Array::Open([3, 5], [4, 7]),
    ..M0_TIMES
};

static M4_TIMES: Timing = Timing {
    name: "Cortex-M4",
    source: "ARM DDI 0439D, table 3-1",
    accumulate: 0,
    array: Array::Fixed(1),
    ..M3_TIMES
};

static PAIRS: Interlocks = Interlocks { pairs: true, ..Interlocks::NONE };

static M3_PAIRED_TIMES: Timing =
    Timing { name: "Cortex-M3, loads paired", load: 1, store: 1, interlocks: Some(&PAIRS), ..M3_TIMES };

static M4_PAIRED_TIMES: Timing =
    Timing { name: "Cortex-M4, loads paired", load: 1, store: 1, interlocks: Some(&PAIRS), ..M4_TIMES };

const M33_SOURCE: &str = "measured on the RP2350: github.com/jnk0le/random, cortex_m33.md";

/// By what is read: operands, addresses, what is shifted, factors, sums, what is stored.
const M33_LATE: Delays = [1, 1, 1, 1, 0, 0, 0];

static M33_TIMES: Timing = Timing {
    name: "Cortex-M33",
    source: M33_SOURCE,
    skips_leak: true,
    // 2
    to_pc: 1,
    load: 1,
    // POP with PC: 3 + N
    loaded_to_pc: 3,
    store: 1,
    block_load: 0,
    block_store: 0,
    branch: 2,
    // MULS
    multiply_flags: 1,
    interlocks: Some(&Interlocks {
        word: M33_LATE,
        narrow: M33_LATE,
        product: M33_LATE,
        shifted: M33_LATE,
        ..Interlocks::NONE
    }),
    ..M4_TIMES
};

const M7_SOURCE: &str = "measured on the STM32H743: github.com/jnk0le/random, cortex_m7.md";

static M7_TIMES: Timing = Timing {
    name: "Cortex-M7",
    source: M7_SOURCE,
    // foreseen
    to_pc: 0,
    loaded_to_pc: 0,
    branch: 1,
    multiply_flags: 0,
    // (N + 1) / 2
    block_words: 2,
    interlocks: Some(&Interlocks {
        // addresses and what is shifted are wanted a cycle earlier than other operands, sums and what is stored a cycle later
        word: [0, 1, 1, 1, -1, -1, -1],
        narrow: [1, 2, 2, 1, 0, -1, -1],
        product: [1, 2, 2, 1, 0, 0, 0],
        shifted: [0, 1, 1, 0, -1, -1, -1],
        simple: [0, 0, 0, 0, -1, -1, -1],
        data: [0, 1, 1, 0, -1, -1, -1],
        pairs: false,
        two: true,
    }),
    ..M33_TIMES
};
