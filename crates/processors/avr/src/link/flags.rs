//! What an object file says of the architecture that it was made for (`e_flags`).
//!
//! Source of the numbers: GNU binutils, `include/elf/avr.h`.

use crate::cores::Core;

/// The bits that number the architecture.
const ARCHITECTURE: u32 = 0x7f;
/// Architectures of the classic parts: avr1 to avr6, with registers at data addresses 0 to 31.
const CLASSIC: [u32; 10] = [1, 2, 25, 3, 31, 35, 4, 5, 51, 6];
/// Architectures of XMEGA, AVRxt and their relatives: avrxmega1 to avrxmega7.
const LATER: std::ops::RangeInclusive<u32> = 101..=107;

/// Why code for this architecture is none for the core: other registers, conventions or places of memory.
///
/// # Errors
/// A sentence.
pub fn check(flags: u32, core: &Core) -> Result<(), String> {
    let architecture = flags & ARCHITECTURE;
    let (fits, valid) = match core.registers_mapped {
        true => (CLASSIC.contains(&architecture), "avr1 to avr6"),
        false => (LATER.contains(&architecture), "avrxmega1 to avrxmega7"),
    };
    let fault = || {
        let name = match architecture {
            100 => "avrtiny, whose functions have 16 registers".to_owned(),
            101..=107 => format!("avrxmega{}", architecture - 100),
            other if CLASSIC.contains(&other) => format!("avr{other}"),
            other => format!("number {other}"),
        };
        format!("the file is for the architecture {name}; valid for {}: {valid}", core.name)
    };
    if fits { Ok(()) } else { Err(fault()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::core;

    #[test]
    fn other_families_are_refused() {
        let refusal = |flags, name| check(flags, core(name).unwrap()).err();
        for (flags, name) in [(5, "atmega328p"), (0x85, "atmega328p"), (51, "atmega128"), (6, "atmega2560")] {
            assert_eq!(refusal(flags, name), None);
        }
        assert_eq!((refusal(25, "attiny85"), refusal(0xe8, "avr128da48")), (None, None));
        let tiny = "the file is for the architecture avrtiny, whose functions have 16 registers; valid for attiny85: avr1 to avr6";
        assert_eq!(refusal(100, "attiny85").unwrap(), tiny);
        assert!(refusal(104, "atmega128").unwrap().contains("avrxmega4"));
        assert!(refusal(5, "avr128da48").unwrap().contains("avr5; valid for avr128da48: avrxmega1"));
        assert!(refusal(0, "atmega128").unwrap().contains("number 0"));
    }
}
