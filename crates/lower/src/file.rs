//! What a processor's instructions want of registers.

use rhomb_line::Array;

/// A register's number.
pub type Register = u8;

/// Registers; bit n is register n.
pub type Set = u32;

/// The registers that values may have, and what instructions want of them.
#[derive(Clone, Debug)]
pub struct File {
    /// Registers for values, those that are best taken first.
    pub order: Vec<Register>,
    /// Pointers to arrays, which join the others when nothing is loaded from there any more.
    pub later: Vec<(Register, Array)>,
    /// Where a multiplication puts its low and its high word, whatever stands there; `None` where it is said.
    pub product: Option<[Register; 2]>,
    /// Whether the result of a sum, difference or logic stands where its first operand stood.
    pub two_address: bool,
    /// Registers that a number can be put into, and of which some bits can be kept.
    pub numbers: Set,
    /// Whether an instruction takes this number as its second operand.
    pub immediate: fn(u64) -> bool,
    /// Whether one instruction copies an even register and the one behind it.
    pub copies_pairs: bool,
    /// A register that always holds zero.
    pub zero: Option<Register>,
}
