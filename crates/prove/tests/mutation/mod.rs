//! Kernels with one instruction changed: none that is wrong is proved, and each that is proved has its
//! explanation.

mod explain;
mod families;
mod judge;
mod mutants;
mod tally;

use families::Kernel;
use rhomb_kernel::walks;
use rhomb_oracles::sample;
use tally::{table, tally};

/// Whether the counts are those that are written down.
fn all_are_tried() -> bool {
    sample(0, 1) == 1
}

#[test]
fn no_wrong_mutant_is_proved() {
    let rows = tally(|kernel| !kernel.has_made_loops(), 1);
    let (deleted, replaced) = rows
        .iter()
        .fold((0, 0), |(deleted, replaced), (_, row)| (deleted + row.deleted, replaced + row.replaced));
    println!("{}", table(&rows));
    assert!(deleted >= sample(20, 1000) && replaced >= sample(50, 2000), "{deleted} {replaced}");
    // the methods and Karatsuba alone too, and each of them is proved itself
    let main = |family: &str| family == "karatsuba" || walks().any(|method| method.name == family);
    let main: Vec<_> = rows.iter().filter(|(family, _)| main(family)).collect();
    assert_eq!(main.len(), walks().count() + 1);
    assert!(rows.iter().all(|(_, row)| !row.open));
    let replaced: usize = main.iter().map(|(_, row)| row.replaced).sum();
    assert!(replaced >= sample(50, 2000), "{replaced}");
    if all_are_tried() {
        insta::assert_snapshot!(table(&rows));
    }
}

/// Kernels that the lowering makes with loops.
#[test]
fn no_wrong_mutant_of_a_loop_is_proved() {
    let rows = tally(Kernel::has_made_loops, 1);
    assert!(rows.len() >= 4);
    assert!(rows.iter().all(|(_, row)| !row.open));
    let (deleted, replaced) = rows
        .iter()
        .fold((0, 0), |(deleted, replaced), (_, row)| (deleted + row.deleted, replaced + row.replaced));
    assert!(deleted >= sample(20, 500) && replaced >= sample(20, 500), "{deleted} {replaced}");
    if all_are_tried() {
        insta::assert_snapshot!("loops", table(&rows));
    }
}
