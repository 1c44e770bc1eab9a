//! From straight lines of words to registers. What a processor's registers and instructions want is data ([`File`]); all
//! else is shared. Without a carry flag: [`draft`]; with accumulators that take operands from memory: [`columns`]. From
//! programs of calls to code: [`program`]. Products: by rows ([`rows`]), by columns with a carry flag
//! ([`chains`]), with loops ([`rolled`]), of parts ([`split`]).

mod actions;
mod allocate;
pub mod chains;
pub mod columns;
mod compact;
pub mod draft;
mod file;
mod fused;
pub mod halves;
mod item;
mod lives;
pub mod looped;
mod moves;
mod placed;
pub mod pointer;
pub mod program;
pub mod rolled;
pub mod rows;
pub mod split;
pub mod tied;
mod variants;

pub use actions::line as line_of;
pub use allocate::{Stuck, allocate, allocate_within};
pub use compact::compact;
pub use file::{File, Rank, Register, Set, Wish, usual};
pub use fused::fused;
pub use item::{Access, Item, accesses};
pub use lives::Lives;
pub use moves::moves;
pub use placed::{Operand, Placed};
pub use variants::{variants, with_masks};
