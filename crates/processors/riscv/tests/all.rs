//! All tests of the crate in one program: what they are made for is compiled once.

mod gnu;
mod link;
mod machine;
mod matrix;
mod rtl;

use rhomb_oracles::Ledger;
use std::sync::LazyLock;

/// See [`Ledger`].
static LEDGER: LazyLock<Ledger> = LazyLock::new(|| Ledger::of(env!("CARGO_MANIFEST_DIR")));
