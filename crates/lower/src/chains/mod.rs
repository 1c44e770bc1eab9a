//! Columns added up in chains of carries, for processors whose carry survives what stands between: the accumulator's actions
//! as operations on values ([`Script`]), loads and stores of several words ([`group`]), and registers, for a
//! straight line ([`allocate`]) or a block among others ([`items`]).

mod allocate;
mod block;
mod group;
mod pressure;
mod script;

pub use allocate::{Calculation, allocate};
pub use block::{Layout, items};
pub use group::group;
pub use pressure::needed;
pub use script::{Op, Script, Value, script};
