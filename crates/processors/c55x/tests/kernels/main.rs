//! Kernels against big integers, on lines printed and read back.

mod exponentiation;
mod montgomery;
mod multiplication;
mod programs;
mod rsa;
mod splits;
mod support;

use rhomb_oracles::Ledger;
use std::sync::LazyLock;

/// See [`Ledger`].
static LEDGER: LazyLock<Ledger> = LazyLock::new(|| Ledger::of(env!("CARGO_MANIFEST_DIR")));
