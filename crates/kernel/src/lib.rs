//! What is computed and in which order: operations, walks through the rhombus of partial products,
//! schedules and accumulation with known ranges. This crate knows no processor.
//!
//! A request becomes a [`Walk`] ([`methods`]), the walk a [`Schedule`] (operand words placed in a pool
//! of registers, intermediates grouped), the schedule a list of [`Action`]s on the words of an
//! accumulator ([`accumulator`]). A processor turns actions into instructions. For code with loops a
//! request becomes a [`Rolled`] schedule, and that the same actions ([`rolled`]).

pub mod accumulator;
mod floor;
mod form;
pub mod methods;
mod operands;
mod parameters;
mod pool;
pub mod rolled;
mod rows;
pub mod schedule;
pub mod split;
mod squaring;
mod task;
pub mod text;
pub mod walk;
pub mod windows;

pub use accumulator::{AccumulatorWord, Action, Carry, Source};
pub use floor::Floor;
pub use form::Form;
pub use methods::{GIVEN, METHODS, Method, given, method, methods, walks};
pub use parameters::{Parameter, Parameters};
pub use rhomb_contract::Operation;
pub use rolled::Rolled;
pub use rows::{List, Order, Orders, Strips, strips_of};
pub use schedule::{Schedule, Step};
pub use squaring::{Squaring, SquaringError};
pub use task::{Shape, Task};
pub use walk::{Operand, Product, Row, Segment, Walk, WalkError};
