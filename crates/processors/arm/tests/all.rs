//! All tests of the crate in one program: what they are made for is compiled once.

mod assembled;
mod dialects;
mod encoding;
mod evidence;
mod function;
mod interlocks;
mod layout;
mod lines;
mod link;
mod matrix;
mod rows;
mod second_decoder;
mod secrets;
mod support;
mod thumb;
mod tied;

use rhomb_oracles::Ledger;
use std::sync::LazyLock;

/// See [`Ledger`].
static LEDGER: LazyLock<Ledger> = LazyLock::new(|| Ledger::of(env!("CARGO_MANIFEST_DIR")));
