//! Other names of targets: boards, and parts that execute the same instructions in the same time with at least as much
//! memory.

/// The name that people may write, and the target that it stands for.
pub(super) const OTHERS: &[(&str, &str)] = &[
    ("uno", "atmega328p"),
    ("arduino-uno", "atmega328p"),
    ("nano", "atmega328p"),
    ("mega", "atmega2560"),
    ("arduino-mega", "atmega2560"),
    // 32 KiB of flash and 2 KiB of SRAM, or more
    ("atmega328", "atmega328p"),
    ("atmega328pb", "atmega328p"),
    ("atmega32", "atmega328p"),
    ("atmega32a", "atmega328p"),
    ("atmega32u4", "atmega328p"),
    ("leonardo", "atmega328p"),
    ("atmega324p", "atmega328p"),
    ("atmega64", "atmega328p"),
    ("atmega644p", "atmega328p"),
    // 128 KiB of flash and 4 KiB of SRAM, or more
    ("atmega128a", "atmega128"),
    ("atmega1280", "atmega128"),
    ("atmega1281", "atmega128"),
    ("atmega1284", "atmega128"),
    ("atmega1284p", "atmega128"),
    // 256 KiB
    ("atmega2561", "atmega2560"),
    ("attiny84", "attiny85"),
    ("attiny861", "attiny85"),
    ("avr128db48", "avr128da48"),
    ("avr128da64", "avr128da48"),
    ("avr128db64", "avr128da48"),
    ("arm7", "arm7tdmi"),
    ("arm7tdmi-s", "arm7tdmi"),
    ("arm9", "arm9ej-s"),
    ("arm926ej-s", "arm9ej-s"),
    ("4km", "mips32-4km"),
    ("c55x", "tms320vc5510"),
];

/// The target's own name.
pub(super) fn of(name: &str) -> &str {
    let known = OTHERS.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
    known.map_or(name, |(_, target)| target)
}
