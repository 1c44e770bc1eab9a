//! Why a function cannot be linked.

use crate::{ObjectFile, Open, Relocation, Target, shown};

/// Why a function cannot be linked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Its file is for big-endian processors.
    #[error("'{function}' is big-endian code; valid: little-endian")]
    BigEndian {
        /// The function.
        function: String,
    },
    /// It is code for Thumb state.
    #[error("'{function}' is Thumb code; valid: code for ARM state (compile with -marm)")]
    Thumb {
        /// The function.
        function: String,
    },
    /// It is code for ARM state, and the core has none.
    #[error("'{function}' is code for ARM state; valid: Thumb code (compile with -mthumb)")]
    Arm {
        /// The function.
        function: String,
    },
    /// It calls or names code for Thumb state.
    #[error(
        "'{function}' needs '{symbol}', which is Thumb code; valid: code for ARM state (compile with -marm)"
    )]
    NeedsThumb {
        /// The function.
        function: String,
        /// What it needs.
        symbol: String,
    },
    /// It does not consist of whole words.
    #[error("'{function}' covers bytes {start} to {end} of its section, which are no whole words")]
    Odd {
        /// The function.
        function: String,
        /// First byte in the section.
        start: usize,
        /// The byte after the last.
        end: usize,
    },
    /// It needs something that is not in the file.
    #[error("'{function}' needs '{symbol}', which is not in the file")]
    Elsewhere {
        /// The function.
        function: String,
        /// What it needs.
        symbol: String,
    },
    /// It needs the address of a variable, which the linker chooses.
    #[error("'{function}' refers to data '{symbol}', which has no address before linking")]
    Data {
        /// The function.
        function: String,
        /// The variable.
        symbol: String,
    },
    /// It needs what another file may replace.
    #[error("'{function}' needs '{symbol}', which is {why}")]
    Open {
        /// The function.
        function: String,
        /// What it needs.
        symbol: String,
        /// Why that is not final.
        why: Open,
    },
    /// Code in a section that need not stand at a word's address.
    #[error(
        "'{function}' needs code of section {section}, which is aligned to {alignment} bytes; valid: 4 or more"
    )]
    Alignment {
        /// The function.
        function: String,
        /// The section.
        section: String,
        /// What its address is a multiple of.
        alignment: u64,
    },
    /// A kind of relocation that is not known.
    #[error("'{function}' has a relocation of kind {kind} at offset {offset:#x}, which is not modelled")]
    Kind {
        /// The function.
        function: String,
        /// The relocation's number.
        kind: u32,
        /// Where in the section.
        offset: usize,
    },
    /// A target out of reach, or at an odd address.
    #[error("'{function}' cannot reach '{symbol}' from offset {offset:#x}: {why}")]
    Reach {
        /// The function.
        function: String,
        /// The target.
        symbol: String,
        /// Where in the section.
        offset: usize,
        /// What is wrong.
        why: &'static str,
    },
    /// A mark that does not allow it.
    #[error("'{function}' cannot be linked, at offset {offset:#x} of a section: {why}")]
    Marked {
        /// The function.
        function: String,
        /// Where in the section.
        offset: usize,
        /// Why.
        why: &'static str,
    },
    /// Its sections are larger than any program.
    #[error("the sections that '{function}' needs have more than {most} bytes")]
    Size {
        /// The function.
        function: String,
        /// The most.
        most: usize,
    },
    /// A section of a linked file that lies where no program can.
    #[error("the section of '{function}' lies at {address:#x}; valid: {valid}")]
    Place {
        /// The function.
        function: String,
        /// The section's address.
        address: u64,
        /// Where programs lie.
        valid: &'static str,
    },
}

/// What goes wrong with one relocation.
pub(super) enum Fault {
    /// The symbol is not in the file.
    Elsewhere,
    /// A variable.
    Data,
    /// Of a kind that is not known.
    Kind,
    /// To Thumb code.
    Thumb,
    /// Another file may replace the symbol.
    Open(Open),
    /// Out of reach.
    Reach(&'static str),
}

impl Fault {
    pub(super) fn named(
        self,
        function: &str,
        relocation: &Relocation<'_>,
        addend: i64,
        file: &ObjectFile<'_>,
    ) -> LinkError {
        // an assembler may name the section in place of a variable
        let variable = match relocation.target {
            Target::Section { index, offset } => file.variable(index, offset.wrapping_add_signed(addend)),
            _ => None,
        };
        let (function, symbol) = (shown(function), shown(variable.unwrap_or(&relocation.symbol)));
        let Relocation { offset, kind, .. } = *relocation;
        match self {
            Fault::Elsewhere => LinkError::Elsewhere { function, symbol },
            Fault::Data => LinkError::Data { function, symbol },
            Fault::Kind => LinkError::Kind { function, kind, offset },
            Fault::Thumb => LinkError::NeedsThumb { function, symbol },
            Fault::Open(why) => LinkError::Open { function, symbol, why },
            Fault::Reach(why) => LinkError::Reach { function, symbol, offset, why },
        }
    }
}
