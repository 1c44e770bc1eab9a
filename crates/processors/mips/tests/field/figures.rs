//! The figures that the paper's reproduction shows.

use rhomb_mips::field::figures::{Form, Operation, measure};
use rhomb_mips::field::rolled::Ring;

fn cycles(operation: Operation, ring: Ring, form: Form) -> (u64, Option<u64>) {
    let measured = measure(operation, ring, form).unwrap_or_else(|error| panic!("{operation:?}: {error}"));
    let measured = measured.unwrap_or_else(|| panic!("there is no {operation:?}"));
    (measured.usual, measured.corrected)
}

#[test]
fn operations() {
    use Form::{Loops, Straight};
    use Operation::*;
    use Ring::{Integers, Polynomials};
    for (operation, ring, form, usual, corrected) in [
        (Sum, Integers, Loops, 67, Some(135)),
        (Sum, Integers, Straight, 44, Some(60)),
        (Sum, Polynomials, Loops, 51, None),
        (Sum, Polynomials, Straight, 25, None),
        (Product, Integers, Loops, 312, None),
        (Square, Integers, Loops, 175, None),
        (Product, Polynomials, Loops, 312, None),
        (Square, Polynomials, Loops, 57, None),
        (Reduction, Integers, Straight, 51, Some(67)),
        (Reduction, Polynomials, Straight, 50, None),
        (ReducedProduct, Integers, Straight, 135, Some(151)),
        (ReducedSquare, Integers, Straight, 104, Some(120)),
        (ReducedProduct, Polynomials, Straight, 113, None),
        (ReducedSquare, Polynomials, Straight, 50, None),
        (MontgomeryProduct, Integers, Loops, 468, Some(533)),
        (MontgomerySquare, Integers, Loops, 397, Some(462)),
        (MontgomeryProduct, Polynomials, Loops, 447, None),
        (MontgomerySquare, Polynomials, Loops, 297, None),
        (InnerLoop, Integers, Loops, 6, None),
        (InnerLoop, Polynomials, Loops, 6, None),
    ] {
        assert_eq!(cycles(operation, ring, form), (usual, corrected), "{operation:?} {ring:?} {form:?}");
    }
    for (operation, ring, form, most) in [
        (Product, Integers, Straight, 101),
        (Square, Integers, Straight, 70),
        (Product, Polynomials, Straight, 101),
        (Square, Polynomials, Straight, 38),
        (PlainProduct, Integers, Loops, 620),
        (PlainProduct, Integers, Straight, 331),
        (PlainProduct, Polynomials, Straight, 1518),
    ] {
        let (cycles, _) = cycles(operation, ring, form);
        println!("{operation:?} {ring:?} {form:?}: {cycles}");
        assert!(cycles <= most, "{operation:?} {ring:?} {form:?}: {cycles}");
    }
    assert_eq!(measure(Reduction, Integers, Loops), Ok(None));
}
