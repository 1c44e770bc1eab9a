//! Pictures as SVG: the rhombus of all partial products as a schedule walks through it ([`rhombus`]), a
//! call of any routine ([`call()`]), and charts of cycles ([`Chart`]).
//!
//! A picture is one string, the same byte for byte for the same input. It needs no font, script or file
//! from elsewhere, stands on a panel of its own so that it can be read on pages of any colour, and tells
//! its content in words (`title`, `desc`), too. Nothing is read or written here. With the feature `formats` pictures are made
//! PNG and TikZ, too.
//!
//! ```
//! use rhomb_draw::{Caption, rhombus};
//! use rhomb_kernel::{Operation, Parameters, Schedule, method};
//!
//! let walk = method(Operation::Mul, "operand-caching").unwrap();
//! let walk = walk.walk(8, &Parameters { cache: Some(3), ..Default::default() }).unwrap();
//! let schedule = Schedule::new(&walk, walk.pool, 0);
//! let caption = Caption { title: "8 words".into(), subtitle: "operand caching, cache 3".into() };
//! assert!(rhombus(&schedule, &caption).starts_with("<svg "));
//! ```

mod axis;
mod call;
mod chart;
mod colours;
#[cfg(feature = "formats")]
mod formats;
mod key;
mod layout;
mod rhombus;
mod svg;
mod theme;
mod tour;

pub use axis::{Axis, Scale};
pub use call::{Band, Call, Crossing, call};
pub use chart::{Chart, Kind, Point, Series};
#[cfg(feature = "formats")]
pub use formats::{NoPicture, png, tikz};
pub use rhombus::{Caption, MOST_WORDS, rhombus};
pub use theme::dark;
