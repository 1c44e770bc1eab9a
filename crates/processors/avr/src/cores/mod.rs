//! The processors that carry an AVR core, one file each, and their timing tables.
//!
//! A core says which instructions exist, how long each takes, where memory and the few registers that
//! the model knows lie, and how wide a return address is. What the instructions compute is the same on
//! all of them and stands in `meaning`.

mod atmega128;
mod atmega2560;
mod atmega328p;
mod attiny85;
mod avr128da48;
mod timing;
mod timing_avre;
mod timing_avrxt;

use crate::instructions::Op;
use std::ops::Range;

/// A processor. All addresses are data addresses in bytes unless a field says otherwise.
#[derive(Debug)]
pub struct Core {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// Manuals and sections from which the fields were taken.
    pub source: &'static str,
    /// The value of the GNU tools' `-mmcu=`. Tools older than the part need another one.
    pub mmcu: &'static str,
    /// Instructions of the table that it lacks.
    pub absent: &'static [Op],
    /// Program memory in bytes. The simulator runs larger programs; who cares compares.
    pub flash_bytes: u32,
    /// Internal data SRAM.
    pub sram: Range<u32>,
    /// Whether data addresses 0 to 31 are R0 to R31.
    pub registers_mapped: bool,
    /// Data address of I/O address 0, as IN, OUT, SBI, CBI, SBIC and SBIS count.
    pub io_offset: u32,
    /// Stack pointer, low byte; the high byte follows.
    pub stack_pointer: u32,
    /// Status register.
    pub sreg: u32,
    /// RAMPZ, the high address byte of ELPM, if there is one.
    pub rampz: Option<Extension>,
    /// EIND, the high address byte of EIJMP and EICALL, if there is one.
    pub eind: Option<Extension>,
    /// I/O registers that are modelled as plain storage of 8 bits. Every other one is an error.
    pub storage: &'static [Storage],
    /// Bytes of a return address on the stack: 2, or 3 with a program counter of 22 bits.
    pub return_bytes: u32,
    /// Whether RETI sets the I flag (DS40002198, 6.89, note 1).
    pub reti_sets_interrupt: bool,
    /// How long instructions take.
    pub timing: &'static Timing,
}

/// An I/O register that extends an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension {
    /// Data address.
    pub address: u32,
    /// The bits that exist; setting another one is not modelled.
    pub mask: u8,
}

/// An I/O register that behaves like a byte of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storage {
    /// Name in the manual.
    pub name: &'static str,
    /// Data address.
    pub address: u32,
}

/// Timing of a version of the processor.
#[derive(Debug)]
pub struct Timing {
    /// Name of the version in the manual.
    pub name: &'static str,
    /// Manual and sections.
    pub source: &'static str,
    /// Every instruction of the table stands in one group, or in `untimed`.
    pub groups: &'static [Group],
    /// Instructions whose time the manual leaves open.
    pub untimed: &'static [Op],
}

/// Instructions that take equally long.
#[derive(Debug)]
pub struct Group {
    /// Which.
    pub ops: &'static [Op],
    /// Cycles; of a branch or skip: condition false.
    pub plain: u8,
    /// Cycles of a branch with a true condition, of a skip over one word.
    pub taken: u8,
    /// Cycles to add with a program counter of 22 bits.
    pub wide: u8,
}

const fn group(ops: &'static [Op], cycles: u8) -> Group {
    Group { ops, plain: cycles, taken: cycles, wide: 0 }
}

/// Clock cycles of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpCycles {
    /// Cycles; of a branch or skip: condition false.
    pub plain: u8,
    /// Cycles of a branch with a true condition, of a skip over one word; a skip over two words takes
    /// one more. Equal to `plain` for all other instructions.
    pub taken: u8,
}

/// An instruction that a core does not have, or whose time is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoreError {
    /// Not in the core's instruction set.
    #[error("{core} has no instruction {mnemonic}")]
    Absent {
        /// Name of the core.
        core: &'static str,
        /// The instruction.
        mnemonic: &'static str,
    },
    /// The manual gives no number of cycles.
    #[error("the time of {mnemonic} on {core} is not in the manual")]
    Untimed {
        /// Name of the core.
        core: &'static str,
        /// The instruction.
        mnemonic: &'static str,
    },
}

/// All cores.
pub static CORES: &[&Core] =
    &[&atmega128::CORE, &atmega2560::CORE, &atmega328p::CORE, &attiny85::CORE, &avr128da48::CORE];

/// The core of that name.
pub fn core(name: &str) -> Option<&'static Core> {
    CORES.iter().copied().find(|core| core.name == name)
}

impl Core {
    /// Whether the instruction set contains the instruction.
    pub fn has(&self, op: Op) -> bool {
        !self.absent.contains(&op)
    }

    /// Clock cycles of an instruction whose data lie in registers, I/O or internal SRAM.
    pub fn cycles(&self, op: Op) -> Result<OpCycles, CoreError> {
        let mnemonic = op.row().mnemonic;
        if !self.has(op) {
            return Err(CoreError::Absent { core: self.name, mnemonic });
        }
        let group = self.timing.groups.iter().find(|group| group.ops.contains(&op));
        let group = group.ok_or(CoreError::Untimed { core: self.name, mnemonic })?;
        let wide = if self.return_bytes == 3 { group.wide } else { 0 };
        Ok(OpCycles { plain: group.plain + wide, taken: group.taken + wide })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instructions::ROWS;

    #[test]
    fn every_instruction_is_timed_once_or_named_as_untimed() {
        for timing in [&timing_avre::TIMING, &timing_avrxt::TIMING] {
            for row in ROWS {
                let groups = timing.groups.iter().filter(|group| group.ops.contains(&row.op)).count();
                let untimed = usize::from(timing.untimed.contains(&row.op));
                assert_eq!(groups + untimed, 1, "{} {:?}", timing.name, row.op);
            }
        }
    }

    #[test]
    fn registers_lie_outside_the_sram_and_apart() {
        for core in CORES {
            let mut places: Vec<u32> = core.storage.iter().map(|storage| storage.address).collect();
            places.extend([core.stack_pointer, core.stack_pointer + 1, core.sreg]);
            places.extend(core.rampz.iter().chain(&core.eind).map(|extension| extension.address));
            assert!(places.iter().all(|place| !core.sram.contains(place) && *place >= core.io_offset));
            let count = places.len();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), count, "{}", core.name);
        }
    }

    #[test]
    fn known_figures() {
        let cycles = |name: &str, op| core(name).unwrap().cycles(op);
        assert_eq!(cycles("atmega128", Op::Mul), Ok(OpCycles { plain: 2, taken: 2 }));
        assert_eq!(cycles("atmega128", Op::Brbs), Ok(OpCycles { plain: 1, taken: 2 }));
        assert_eq!(cycles("atmega128", Op::Ret), Ok(OpCycles { plain: 4, taken: 4 }));
        assert_eq!(cycles("atmega2560", Op::Ret), Ok(OpCycles { plain: 5, taken: 5 }));
        assert_eq!(cycles("avr128da48", Op::StXInc), Ok(OpCycles { plain: 1, taken: 1 }));
        let error = cycles("attiny85", Op::Mul).unwrap_err();
        assert_eq!(error.to_string(), "attiny85 has no instruction mul");
        let error = cycles("atmega128", Op::Spm).unwrap_err();
        assert_eq!(error.to_string(), "the time of spm on atmega128 is not in the manual");
        assert!(core("z80").is_none());
    }
}
