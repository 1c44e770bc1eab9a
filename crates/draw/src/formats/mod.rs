//! Pictures in other formats than SVG: a picture of this crate is read, and drawn again.
//!
//! A renderer for all of SVG would take minutes to build; here are lines, discs, rectangles and texts alone.

mod png;
mod shapes;
mod tikz;

pub use png::png;
pub use shapes::NoPicture;
pub use tikz::tikz;
