//! From schedules to instructions. So far: the order in which instructions are issued.

mod schedule;

pub use schedule::schedule;
