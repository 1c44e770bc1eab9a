//! What is known of words and addresses, by hand.

use rhomb_equations::{Equations, Value};
use rhomb_machine::Domain;
use rhomb_poly::Polynomial;

/// Recombined halves, signs and masks are known for what they are, not only consistent.
#[test]
fn parts_of_wide_words_fit_together() {
    let mut d = Equations::new(32);
    let (x, y) = (d.input(), d.input());
    let (low, high) = d.split(&x, 16);
    // half by half: the same number again
    let (up, out) = d.shift_left(&high, 16);
    assert_eq!(out, Value::Known(0));
    let whole = d.or(&up, &low);
    let (again, rest) = d.split(&whole, 16);
    assert_eq!((&again, &rest), (&low, &high));
    let mask = d.word(0xffff);
    assert_eq!(d.and(&x, &mask), low);
    assert_eq!(d.and(&whole, &mask), low);
    let turned = d.rotate_left(&x, 16);
    assert_eq!(d.split(&turned, 16), (high.clone(), low.clone()));
    assert_eq!(d.rotate_left(&up, 16), high);
    // a product with a power of two is a shift
    let factor = d.word(1 << 24);
    let ((down, over), byte) = (d.mul(&x, &factor), d.split(&low, 8).0);
    assert_eq!(d.split(&down, 24), (Value::Known(0), byte));
    let (sign, top) = (d.bit_of(&x, 31), d.split(&over, 23).1);
    assert_eq!(d.bit_polynomial(&sign), d.polynomial(&top).unwrap());
    // x and (0 - b) is b x
    let bit = d.bit_of(&y, 31);
    let zero = d.word(0);
    let (ones, _) = d.sub(&zero, &zero, &bit);
    let kept = d.and(&x, &ones);
    let (Value::Variable(x), bit) = (x, d.bit_polynomial(&bit)) else { panic!() };
    assert_eq!(*d.polynomial(&kept).unwrap(), bit.times(&Polynomial::variable(x)).unwrap());
}

/// The end of a loop over a buffer does not depend on where the buffer lies.
#[test]
fn addresses_of_one_buffer_are_compared_bit_by_bit() {
    let mut d = Equations::new(32);
    let (start, end) = (d.pointer(0, 0, 0x100, 0), d.pointer(0, 16, 0x110, 0));
    let other = d.pointer(1, 0, 0x200, 0);
    let mut equal = |x: &Value, y: &Value| {
        let difference = d.xor(x, y);
        let zero = d.is_zero(&difference);
        d.known_bit(&zero)
    };
    assert_eq!(equal(&start, &end), Some(false));
    assert_eq!(equal(&end, &end), Some(true));
    assert_eq!(equal(&start, &other), None);
}

/// Of arrays that share nothing no addresses are equal, but that right behind one; of arrays that are only read they may be.
#[test]
fn addresses_of_arrays_that_lie_apart_are_not_equal() {
    for by_difference in [false, true] {
        let equal = |bits: u32, [x, y]: [(u32, i64); 2]| {
            let mut d = Equations::new(bits);
            for (base, is_apart) in [(0, true), (1, false), (2, false)] {
                d.lies(base, 0..=16, 4, is_apart);
            }
            let [x, y] = [x, y].map(|(base, offset)| d.pointer(base, offset, 0x100 * u64::from(base), 0));
            let none = d.bit(false);
            let difference = if by_difference { d.sub(&x, &y, &none).0 } else { d.xor(&x, &y) };
            let zero = d.is_zero(&difference);
            d.known_bit(&zero)
        };
        assert_eq!(equal(32, [(0, 0), (1, 0)]), Some(false));
        assert_eq!(equal(32, [(2, 12), (0, 8)]), Some(false));
        assert_eq!(equal(32, [(1, 0), (2, 0)]), None);
        // right behind, and beyond
        assert_eq!(equal(32, [(0, 16), (1, 0)]), None);
        assert_eq!(equal(32, [(0, 0), (1, 16)]), None);
        assert_eq!(equal(32, [(0, -4), (1, 0)]), None);
        assert_eq!(equal(32, [(0, 0), (7, 0)]), None);
        // parts of addresses
        assert_eq!(equal(8, [(0, 0), (1, 0)]), None);
        assert_eq!(equal(16, [(0, 0), (1, 0)]), None);
    }
}

/// Nothing leaves an address to which nothing is added, such as `cmn r0, #0` adds it.
#[test]
fn an_address_and_nothing_leave_no_carry() {
    let mut d = Equations::new(32);
    let (place, zero, one) = (d.pointer(0, 0, 0x100, 0), d.word(0), d.word(1));
    let (word, none) = (d.input(), d.bit(false));
    let entering = d.bit_of(&word, 0);
    let (same, carry) = d.add(&place, &zero, &none);
    assert_eq!((same, d.known_bit(&carry)), (place.clone(), Some(false)));
    let (same, borrow) = d.sub(&place, &zero, &none);
    assert_eq!((same, d.known_bit(&borrow)), (place.clone(), Some(false)));
    for (_, left) in [d.add(&place, &one, &none), d.add(&place, &zero, &entering)] {
        assert_eq!(d.known_bit(&left), None);
    }
}
