use std::fmt;

/// The processor that a file is for: the number in the file's header (`e_machine`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Machine(pub u16);

impl Machine {
    /// MIPS, 32 or 64 bit.
    pub const MIPS: Machine = Machine(8);
    /// ARM and Thumb, 32 bit.
    pub const ARM: Machine = Machine(40);
    /// AVR, 8 bit.
    pub const AVR: Machine = Machine(83);
    /// TI C55x.
    pub const C55X: Machine = Machine(142);
    /// RISC-V.
    pub const RISCV: Machine = Machine(243);
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Machine::MIPS => f.write_str("MIPS"),
            Machine::ARM => f.write_str("ARM"),
            Machine::AVR => f.write_str("AVR"),
            Machine::C55X => f.write_str("C55x"),
            Machine::RISCV => f.write_str("RISC-V"),
            Machine(number) => write!(f, "machine number {number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Machine;

    #[test]
    fn unknown_machines_show_their_number() {
        assert_eq!(Machine(83).to_string(), "AVR");
        assert_eq!(Machine(62).to_string(), "machine number 62");
    }
}
