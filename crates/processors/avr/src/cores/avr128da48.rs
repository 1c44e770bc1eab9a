//! AVR128DA48. Datasheet DS40002183: memories, CPU registers, peripheral addresses. The ports that lack pins
//! on this package are left out.

use super::{Core, Extension, Storage, timing_avrxt};
use crate::instructions::Op;

pub(super) static CORE: Core = Core {
    name: "avr128da48",
    description: "AVR128DA48: 128 KiB flash, 16 KiB SRAM, AVRxt timing",
    source: "Microchip DS40002198, appendix A; AVR128DA28/32/48/64 datasheet (DS40002183), sections 6.5 (CPU registers), 7 (memories) and 8.1 (peripheral addresses)",
    mmcu: "avr128da48",
    absent: &[Op::Eijmp, Op::Eicall],
    flash_bytes: 128 * 1024,
    sram: 0x4000..0x8000,
    registers_mapped: false,
    io_offset: 0x00,
    stack_pointer: 0x3d,
    sreg: 0x3f,
    rampz: Some(Extension { address: 0x3b, mask: 0x1 }),
    eind: None,
    storage: &[
        Storage { name: "VPORTA.DIR", address: 0x00 },
        Storage { name: "VPORTA.OUT", address: 0x01 },
        Storage { name: "VPORTC.DIR", address: 0x08 },
        Storage { name: "VPORTC.OUT", address: 0x09 },
        Storage { name: "VPORTD.DIR", address: 0x0c },
        Storage { name: "VPORTD.OUT", address: 0x0d },
        Storage { name: "GPR0", address: 0x1c },
        Storage { name: "GPR1", address: 0x1d },
        Storage { name: "GPR2", address: 0x1e },
        Storage { name: "GPR3", address: 0x1f },
    ],
    return_bytes: 2,
    reti_sets_interrupt: false,
    timing: &timing_avrxt::TIMING,
};
