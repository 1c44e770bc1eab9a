/// Bytes above a call's frame in which further arguments are looked for.
pub const STACK_ARGUMENTS: u32 = 32;

/// What a routine does, or may do, with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reading only.
    Load,
    /// Reading and writing.
    Store,
}

impl std::fmt::Display for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Access::Load => "load",
            Access::Store => "store",
        })
    }
}

/// Why an execution cannot go on. Whatever is not modelled ends here, never in a guess.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// An access outside the memory that the contract gives to the routine.
    #[error("{access} of data address {address:#06x}, which the routine does not own")]
    NotOwned {
        /// Data address, as the processor counts: in bytes.
        address: u32,
        /// What was tried.
        access: Access,
    },
    /// A store into memory that is given for reading only.
    #[error("store to {region} at data address {address:#06x}, which is read-only")]
    ReadOnly {
        /// Data address, as the processor counts: in bytes.
        address: u32,
        /// Name of the region.
        region: String,
    },
    /// A load of a cell that nobody has written.
    #[error("load of data address {address:#06x}, which was never written")]
    Uninitialised {
        /// Data address, as the processor counts: in bytes.
        address: u32,
    },
    /// A register whose content the convention leaves undefined was read.
    #[error("read of {what}, which holds what nobody has set")]
    Undefined {
        /// The register or flag.
        what: String,
    },
    /// Something was read in which the caller would give a further argument.
    #[error(
        "read of {what}: it takes more arguments, or wider ones, than the contract gives; see `rhomb help contracts`"
    )]
    Argument {
        /// The register, or the place in the stack.
        what: String,
    },
    /// A load from an address that comes from no argument: the same wherever the caller puts things.
    #[error(
        "load of data address {address:#06x}: it reads memory that no argument points to, where no constant of the file is \
         known to lie"
    )]
    Constant {
        /// Data address, as the processor counts: in bytes.
        address: u32,
    },
    /// An address or a branch depends on data.
    #[error("{what} depends on secret data")]
    Secret {
        /// What depends on it.
        what: String,
    },
    /// An address or a branch depends on where the caller put things.
    #[error("{what} depends on where the arrays lie")]
    Place {
        /// What depends on it.
        what: String,
    },
    /// A branch on what is not known, whose sides do not meet again, or not soon enough.
    #[error("a branch on {on} whose sides do not meet")]
    Apart {
        /// What it depends on.
        on: &'static str,
    },
    /// A return that does not go back to the caller with the caller's stack.
    #[error(
        "return to {address:#06x} with the stack pointer at {stack:#06x}, \
         not to the caller at {expected_address:#06x} with {expected_stack:#06x}"
    )]
    BadReturn {
        /// Stack pointer after the return.
        stack: u32,
        /// Where it goes, in the processor's own unit.
        address: u32,
        /// The caller's stack pointer.
        expected_stack: u32,
        /// The caller's address.
        expected_address: u32,
    },
    /// An address that does not point into the memory it reaches: it does so only where the caller
    /// happened to put things.
    #[error("{access} of {region} at data address {address:#06x} by an address that does not point into it")]
    Astray {
        /// Data address, as the processor counts: in bytes.
        address: u32,
        /// What was tried.
        access: Access,
        /// Name of the region, or what else lies there.
        region: String,
    },
    /// An access to the stack at or below the stack pointer, where an interrupt may write any time.
    #[error("{access} of data address {address:#06x}, below the stack pointer, where interrupts write")]
    BelowStack {
        /// Data address, as the processor counts: in bytes.
        address: u32,
        /// What was tried.
        access: Access,
    },
    /// A load of what lay below the stack pointer since it was written.
    #[error(
        "load of data address {address:#06x}, which lay below the stack pointer since it was written, \
         where interrupts write"
    )]
    Stale {
        /// Data address, as the processor counts: in bytes.
        address: u32,
    },
    /// A stack pointer in what belongs to the caller.
    #[error("the stack pointer is raised to {by} bytes above where it stood at the call")]
    StackRaised {
        /// How far above it stands.
        by: u64,
    },
    /// A stack pointer below the stack.
    #[error("the stack pointer is lowered by {by} bytes, where there is stack for {limit}")]
    StackLowered {
        /// How far below its place at the call it stands.
        by: u64,
        /// How far it may.
        limit: u64,
    },
    /// A read of what others than the routine write any time.
    #[error("read of {what}, which the exception handler writes any time")]
    Volatile {
        /// The register.
        what: String,
    },
    /// The program counter left the program.
    #[error("execution left the program at {address:#06x}")]
    NoInstruction {
        /// Program address in the processor's own unit.
        address: u32,
    },
    /// Known to the architecture, but outside what the model covers, or undefined there.
    #[error("not modelled: {what}")]
    NotModelled {
        /// The instruction or the access.
        what: String,
    },
    /// The run was longer than allowed.
    #[error("no return within {limit} instructions")]
    StepLimit {
        /// The allowed number.
        limit: u64,
    },
    /// What is collected about the values is more than allowed.
    #[error("effort exhausted after {limit} terms")]
    Effort {
        /// The allowed number of terms.
        limit: u64,
    },
}

impl Fault {
    /// A fault of memory whose cells are words, told by the byte address of the access.
    #[cold]
    pub fn at(self, address: u32) -> Fault {
        match self {
            Fault::NotOwned { access, .. } => Fault::NotOwned { address, access },
            Fault::ReadOnly { region, .. } => Fault::ReadOnly { address, region },
            Fault::Uninitialised { .. } => Fault::Uninitialised { address },
            Fault::Stale { .. } => Fault::Stale { address },
            other => other,
        }
    }
}

impl Fault {
    /// A load from above the caller's return address, or from where its stack pointer stood.
    #[cold]
    pub fn stack_argument(address: u32) -> Self {
        Fault::Argument { what: format!("data address {address:#06x}, in the caller's stack") }
    }

    /// Whether nobody has set what was read; with arbitrary words in its place execution goes on: see
    /// [`crate::Surroundings::filled`].
    pub fn is_undefined(&self) -> bool {
        matches!(self, Fault::Undefined { .. } | Fault::Uninitialised { .. })
    }
}
