//! The TMS320VC5510.

use super::{Core, Timing};

/// Memory: SPRS076, "On-Chip Dual-Access RAM": 8 blocks of 4K words from word address 0 on, of which the lowest 96
/// words are registers; "On-Chip Single-Access RAM": 32 blocks of 4K words above, of which 8 lie in data page 0. From
/// memory, not read in the manual.
pub(super) static CORE: Core = Core {
    name: "tms320vc5510",
    description: "TI TMS320VC5510: C55x CPU, 32K words of dual-access and 128K words of single-access RAM",
    source: "SPRS076 (memory), SPRU371 (CPU), SPRU374 (instructions), SPRU376A (pipeline)",
    code_bytes: 256 * 1024,
    dual: 0x60..0x8000,
    single: 0x8000..0x1_0000,
    block: 0x1000,
    timing: Timing { branch: 6, branch_taken: 6, branch_not_taken: 5, call: 6, ret: 5, late: 4 },
};
