//! All tests of the crate in one program: what they are made for is compiled once.

mod decoder;
mod dialects;
mod evidence;
mod instructions;
mod lines;
mod matrix;
mod secrets;
mod split;

use rhomb_oracles::Ledger;
use std::sync::LazyLock;

/// See [`Ledger`].
static LEDGER: LazyLock<Ledger> = LazyLock::new(|| Ledger::of(env!("CARGO_MANIFEST_DIR")));
