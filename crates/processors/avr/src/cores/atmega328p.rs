//! ATmega328P. Datasheet DS40002061: data memory map, register summary. Port C lacks a bit and is left out.

use super::{Core, Storage, timing_avre};
use crate::instructions::Op;

pub(super) static CORE: Core = Core {
    name: "atmega328p",
    description: "ATmega328P: 32 KiB flash, 2 KiB SRAM, the Arduino Uno",
    source: "Microchip DS40002198, appendix A; ATmega328P datasheet (DS40002061), AVR memories and register summary",
    mmcu: "atmega328p",
    absent: &[Op::Eijmp, Op::Eicall, Op::Elpm, Op::ElpmZ, Op::ElpmZInc, Op::SpmZInc],
    flash_bytes: 32 * 1024,
    sram: 0x0100..0x0900,
    registers_mapped: true,
    io_offset: 0x20,
    stack_pointer: 0x5d,
    sreg: 0x5f,
    rampz: None,
    eind: None,
    storage: &[
        Storage { name: "DDRB", address: 0x24 },
        Storage { name: "PORTB", address: 0x25 },
        Storage { name: "DDRD", address: 0x2a },
        Storage { name: "PORTD", address: 0x2b },
        Storage { name: "GPIOR0", address: 0x3e },
        Storage { name: "GPIOR1", address: 0x4a },
        Storage { name: "GPIOR2", address: 0x4b },
    ],
    return_bytes: 2,
    reti_sets_interrupt: true,
    timing: &timing_avre::TIMING,
};
