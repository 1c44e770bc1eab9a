//! The reading of instructions over GF(2): every bit is its algebraic normal form.
//!
//! A function of bits is a sum modulo 2 of products of these bits in one way only, its algebraic normal form. The domain
//! [`NormalForms`] gives each bit of each word that form in the bits of the operands, or a bit of which nothing is known
//! where the form would have products of more than [`MOST_FACTORS`] bits or too many of them. So two bits with the same form
//! are the same for all operands: a result needs no certificate but its forms. Products of polynomials over GF(2), and
//! what is linear in them, have short ones; sums of numbers do not.

mod address;
mod arithmetic;
mod domain;
mod form;
mod value;

pub use domain::NormalForms;
pub use form::{Form, MOST_FACTORS};
pub use value::{Bit, Word};
