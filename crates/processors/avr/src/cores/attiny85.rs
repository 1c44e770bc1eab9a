//! ATtiny85. Datasheet Atmel 2586: data memory map, register summary. Port B lacks bits and is left out.

use super::{Core, Storage, timing_avre};
use crate::instructions::Op;

pub(super) static CORE: Core = Core {
    name: "attiny85",
    description: "ATtiny85: 8 KiB flash, 512 bytes SRAM, no hardware multiplier",
    source: "Microchip DS40002198, appendix A; ATtiny85 datasheet (Atmel 2586), AVR memories and register summary",
    mmcu: "attiny85",
    absent: &[
        Op::Mul,
        Op::Muls,
        Op::Mulsu,
        Op::Fmul,
        Op::Fmuls,
        Op::Fmulsu,
        Op::Jmp,
        Op::Call,
        Op::Eijmp,
        Op::Eicall,
        Op::Elpm,
        Op::ElpmZ,
        Op::ElpmZInc,
        Op::SpmZInc,
    ],
    flash_bytes: 8 * 1024,
    sram: 0x0060..0x0260,
    registers_mapped: true,
    io_offset: 0x20,
    stack_pointer: 0x5d,
    sreg: 0x5f,
    rampz: None,
    eind: None,
    storage: &[
        Storage { name: "GPIOR0", address: 0x31 },
        Storage { name: "GPIOR1", address: 0x32 },
        Storage { name: "GPIOR2", address: 0x33 },
    ],
    return_bytes: 2,
    reti_sets_interrupt: true,
    timing: &timing_avre::TIMING,
};
