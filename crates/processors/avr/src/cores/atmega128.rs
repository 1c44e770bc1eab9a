//! ATmega128. Datasheet Atmel 2467: data memory map, register summary (ports, RAMPZ with one bit).

use super::{Core, Extension, Storage, timing_avre};
use crate::instructions::Op;

pub(super) static CORE: Core = Core {
    name: "atmega128",
    description: "ATmega128: 128 KiB flash, 4 KiB SRAM, the reference of most published figures",
    source: "Microchip DS40002198, appendix A; ATmega128 datasheet (Atmel 2467), AVR memories and register summary",
    mmcu: "atmega128",
    absent: &[Op::Eijmp, Op::Eicall, Op::SpmZInc],
    flash_bytes: 128 * 1024,
    sram: 0x0100..0x1100,
    registers_mapped: true,
    io_offset: 0x20,
    stack_pointer: 0x5d,
    sreg: 0x5f,
    rampz: Some(Extension { address: 0x5b, mask: 0x1 }),
    eind: None,
    storage: &[
        Storage { name: "DDRA", address: 0x3a },
        Storage { name: "PORTA", address: 0x3b },
        Storage { name: "DDRB", address: 0x37 },
        Storage { name: "PORTB", address: 0x38 },
        Storage { name: "DDRC", address: 0x34 },
        Storage { name: "PORTC", address: 0x35 },
        Storage { name: "DDRD", address: 0x31 },
        Storage { name: "PORTD", address: 0x32 },
        Storage { name: "DDRE", address: 0x22 },
        Storage { name: "PORTE", address: 0x23 },
        Storage { name: "DDRF", address: 0x61 },
        Storage { name: "PORTF", address: 0x62 },
    ],
    return_bytes: 2,
    reti_sets_interrupt: true,
    timing: &timing_avre::TIMING,
};
