//! The reading of instructions as exact equations.
//!
//! [`Equations`] is a domain of values in which every instruction either computes exactly or makes new
//! variables with an equation between them; [`Graph`] holds the variables and equations of one
//! execution. Nothing is concluded here.

mod address;
mod alike;
mod bitwise;
mod choice;
mod compare;
mod domain;
mod equations;
mod graph;
mod join;
mod kept;
mod negatives;
mod order;
mod parts;
mod quotient;
mod ranked;
mod signed;
mod signed_products;
mod steps;
mod tabulate;
mod threshold;
mod together;
mod value;
mod whole;
mod within;
mod written;

pub use equations::Equations;
pub use graph::{Equation, Graph};
pub use value::{Deferred, Either, Flag, Value};
