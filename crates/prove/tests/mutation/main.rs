//! Kernels with one instruction changed: none that is wrong is proved, and each that is proved has its
//! explanation.

mod explain;
mod families;
mod judge;
mod mutants;
mod tally;

use tally::{table, tally};

#[test]
fn no_wrong_mutant_is_proved() {
    let rows = tally(|_| true);
    let (deleted, replaced) = rows
        .iter()
        .fold((0, 0), |(deleted, replaced), (_, row)| (deleted + row.deleted, replaced + row.replaced));
    println!("{}", table(&rows));
    assert!(deleted >= 1000 && replaced >= 2000, "{deleted} {replaced}");
    insta::assert_snapshot!(table(&rows));
}
