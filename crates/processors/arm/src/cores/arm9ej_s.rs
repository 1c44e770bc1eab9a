//! ARM9EJ-S, the core of the ARM926EJ-S: five stages, two buses, results that come late. Of the architecture version
//! 5TEJ it runs here what version 4T has.
//!
//! What is read in its manual, ARM DDI 0222B, is table 8.2 up to LDM without PC. The waits for loaded words are those of
//! the ARM9E-S, the same pipeline (ARM DDI 0165B, page 8-22), and so is BX (8.5, page 8-10), which is "similar to a
//! Branch". Multiplications and their waits are read for the ARM7EJ-S (ARM DDI 0214B, 9.9.1, tables 9.10 to 9.12), whose
//! multiplier this is, and so is what LDM takes more with PC (9.13, table 9.22). STM by table 8.2 is
//! known from descriptions of this core that were made from the manual only (the scheduler's of GCC): a cycle a word. SWP,
//! MRS and MSR have no time here.

use super::{Array, Core, Interlocks, Timing};

pub(super) static CORE: Core = Core {
    name: "arm9ej-s",
    description: "ARM9EJ-S (ARM926EJ-S without caches): no wait states; multiplications of constant time",
    source: "ARM DDI 0222B, table 8.2; DDI 0165B, 8.5 and page 8-22; DDI 0214B, 9.9 and 9.13",
    mcpu: "arm926ej-s",
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
    name: "ARM9EJ-S",
    source: "ARM DDI 0222B, table 8.2; DDI 0165B, page 8-22; DDI 0214B, 9.9.1",
    // DDI 0222B, 8.1
    skipped: 1,
    skips_leak: false,
    data: 1,
    register_shift: 1,
    // 3, and 4 through the logical unit or the shifter
    to_pc: 2,
    shifted_to_pc: 1,
    // not loading PC, PC 5
    load: 1,
    loaded_to_pc: 4,
    scaled: 1,
    store: 1,
    // n, but 2 for one register; with PC n + 4
    block_load: 0,
    block_store: 0,
    block_words: 1,
    block_least: 2,
    moved: 1,
    swap: None,
    status: None,
    // B, BL, BX: DDI 0165B, 8.5
    branch: 3,
    call: 0,
    // MUL and MLA 2, long 3; two more where flags are set: DDI 0214B, tables 9.10 to 9.12
    multiply: 0,
    accumulate: 0,
    long: 1,
    multiply_flags: 2,
    array: Array::Fixed(2),
    // the second of several registers is stored a cycle later, and a product is added to the next one at once
    interlocks: Some(&Interlocks {
        word: [1, 1, 1, 1, 1, 1, 0],
        narrow: [2, 2, 2, 2, 2, 2, 1],
        product: [1, 1, 1, 1, 0, 1, 0],
        ..Interlocks::NONE
    }),
};
