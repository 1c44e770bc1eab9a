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
    /// So many times as far as that of others the next use of a word must be that is stored before it makes room.
    pub stores: usize,
    /// Which of the registers that would do is taken.
    pub rank: Rank,
}

/// What is known of a register that a value may have.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// The register.
    pub register: Register,
    /// Whether it is the zero register's neighbour.
    pub is_partner: bool,
    /// Whether products come there.
    pub is_fixed: bool,
    /// Whether it holds zero.
    pub is_zero: bool,
    /// When the operand word that it still holds is loaded again, or the largest number.
    pub wanted: usize,
    /// Whether its neighbour is free, where pairs matter.
    pub is_whole: bool,
    /// How far the end of the neighbour's value is from that of the new one, where pairs matter.
    pub apart: usize,
    /// Whether the neighbour's value is a word of an operand.
    pub is_beside: bool,
    /// Whether the value is a word of an operand.
    pub is_operand: bool,
}

/// The least is taken; of equals the one that stands first.
pub type Rank = fn(&Wish) -> [usize; 6];

/// Fixed registers, which cannot be had later; then such as keep pairs whole, and what is known.
pub fn usual(wish: &Wish) -> [usize; 6] {
    let Wish { is_partner, is_fixed, is_zero, wanted, is_whole, apart, .. } = *wish;
    [is_partner.into(), (!is_fixed).into(), is_zero.into(), usize::MAX - wanted, is_whole.into(), apart]
}
