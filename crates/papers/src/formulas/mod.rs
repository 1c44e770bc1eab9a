//! The papers' cost formulas, as printed and as they should be.
//!
//! A function named `printed_...` has the paper's own expression, right or wrong; the one without the
//! prefix is the corrected form, or the only one where the print is right. All arithmetic is exact.
//! Everywhere `n` is the number of words of an operand and at least 1; `e` the words of each operand
//! that are kept in registers, `d` the rows of a block of the hybrid method, and `c` the intermediate
//! words that are added at once, each of them from 1 to `n` unless said otherwise. Which forms are wrong,
//! and where, is proved by counting in the tests of the crate `rhomb`. Of Hwang, Huang and Su, whose counts
//! are of base instructions and not of schedules, it is proved in this crate's own tests.

pub mod hutter_wenger;
pub mod hwang_huang_su;
pub mod seo_kim;
