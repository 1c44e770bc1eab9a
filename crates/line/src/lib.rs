//! Straight lines of operations on words, before there are registers or instructions.
//!
//! A [`Line`] is a list of [`Op`]s in an order in which they compute what they should; each makes new [`Value`]s. What is
//! added up word by word stands in columns: [`Op::Term`] adds to the column, [`Op::Take`] takes its low word and goes on to
//! the next. Processors with an accumulator take columns as they are; [`legalise`] makes chains of carries of them for
//! the others, and [`without_products`] doublings and sums of products by numbers. [`run()`] executes a line over any domain,
//! so that lines are tested without a processor. Lines are written and read as text, an operation a line; [`text`] has the
//! form.

mod columns;
mod line;
mod op;
mod run;
mod shifts;
pub mod text;

pub use columns::{Columns, legalise};
pub use line::Line;
pub use op::{Address, Array, Logic, Op, Source, Term, Value};
pub use run::run;
pub use shifts::without_products;
pub use text::TextError;
