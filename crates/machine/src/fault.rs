use crate::Access;

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
    #[error("read of {what}, which was never written")]
    Undefined {
        /// The register or flag.
        what: String,
    },
    /// An address or a branch depends on data.
    #[error("{what} depends on secret data")]
    Secret {
        /// What depends on it.
        what: String,
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
}
