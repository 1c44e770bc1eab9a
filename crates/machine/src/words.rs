//! Numbers of several words over any domain, the lowest word first: what instructions of wide registers are made of.

use crate::Domain;
use smallvec::SmallVec;

/// A number; what an operation gives has as many words as it says, and wraps there.
pub type Words<W> = SmallVec<[W; 4]>;

/// A known number of `length` words.
pub fn known<D: Domain>(domain: &mut D, value: u64, length: usize) -> Words<D::Word> {
    let bits = domain.bits();
    let shifted = |index: u32| value.checked_shr(index * bits).unwrap_or(0);
    (0..length as u32).map(|index| domain.word(shifted(index))).collect()
}

fn is_zero<D: Domain>(domain: &D, word: &D::Word) -> bool {
    domain.known_word(word) == Some(0)
}

/// `x + y`, both of the same length.
pub fn add<D: Domain>(domain: &mut D, x: &[D::Word], y: &[D::Word]) -> Words<D::Word> {
    let mut carry = domain.bit(false);
    let mut sum = Words::new();
    for (x, y) in x.iter().zip(y) {
        let (word, out) = domain.add(x, y, &carry);
        sum.push(word);
        carry = out;
    }
    sum
}

/// `x - y`, both of the same length, and what is borrowed at the top.
pub fn sub<D: Domain>(domain: &mut D, x: &[D::Word], y: &[D::Word]) -> (Words<D::Word>, D::Bit) {
    let mut borrow = domain.bit(false);
    let mut difference = Words::new();
    for (x, y) in x.iter().zip(y) {
        let (word, out) = domain.sub(x, y, &borrow);
        difference.push(word);
        borrow = out;
    }
    (difference, borrow)
}

/// The low `length` words of `x * y`.
pub fn mul<D: Domain>(domain: &mut D, x: &[D::Word], y: &[D::Word], length: usize) -> Words<D::Word> {
    let mut sum = known(domain, 0, length);
    for (i, x) in x.iter().enumerate() {
        for (j, y) in y.iter().enumerate().take(length.saturating_sub(i)) {
            if is_zero(domain, x) || is_zero(domain, y) {
                continue;
            }
            let (low, high) = domain.mul(x, y);
            let mut product = known(domain, 0, length - i - j);
            product[0] = low;
            if let Some(place) = product.get_mut(1) {
                *place = high;
            }
            let above = add(domain, &sum[i + j..], &product);
            sum.truncate(i + j);
            sum.extend(above);
        }
    }
    sum
}

/// The low `length` words of the product of two polynomials over GF(2).
pub fn carryless_mul<D: Domain>(
    domain: &mut D,
    x: &[D::Word],
    y: &[D::Word],
    length: usize,
) -> Words<D::Word> {
    let mut sum = known(domain, 0, length);
    for (i, x) in x.iter().enumerate() {
        for (j, y) in y.iter().enumerate().take(length.saturating_sub(i)) {
            if is_zero(domain, x) || is_zero(domain, y) {
                continue;
            }
            let (low, high) = domain.carryless_mul(x, y);
            sum[i + j] = domain.xor(&sum[i + j], &low);
            if i + j + 1 < length {
                sum[i + j + 1] = domain.xor(&sum[i + j + 1], &high);
            }
        }
    }
    sum
}

/// Two parts that do not overlap, in one word. A sum says more than `or` to a domain of equations.
pub fn join<D: Domain>(domain: &mut D, x: &D::Word, y: &D::Word) -> D::Word {
    let carry = domain.bit(false);
    domain.add(x, y, &carry).0
}

/// `2^places * x`, of the same length.
pub fn shift_left<D: Domain>(domain: &mut D, x: &[D::Word], places: u32) -> Words<D::Word> {
    let bits = domain.bits();
    let (whole, rest) = ((places / bits) as usize, places % bits);
    let mut result = known(domain, 0, whole.min(x.len()));
    let mut left = domain.word(0);
    for word in &x[..x.len() - result.len()] {
        if rest == 0 {
            result.push(word.clone());
            continue;
        }
        let (low, high) = domain.shift_left(word, rest);
        result.push(join(domain, &low, &left));
        left = high;
    }
    result
}

/// `x / 2^places` without the remainder, of the same length.
pub fn shift_right<D: Domain>(domain: &mut D, x: &[D::Word], places: u32) -> Words<D::Word> {
    let bits = domain.bits();
    let (whole, rest) = (((places / bits) as usize).min(x.len()), places % bits);
    let mut result: Words<D::Word> = Words::new();
    for word in &x[whole..] {
        if rest == 0 {
            result.push(word.clone());
            continue;
        }
        let (low, high) = domain.split(word, rest);
        if let Some(below) = result.last().cloned() {
            let (entering, _) = domain.shift_left(&low, bits - rest);
            let joined = join(domain, &below, &entering);
            if let Some(last) = result.last_mut() {
                *last = joined;
            }
        }
        result.push(high);
    }
    result.resize(x.len(), domain.word(0));
    result
}

/// `x` modulo `2^bits`, of the same length.
pub fn low_bits<D: Domain>(domain: &mut D, x: &[D::Word], bits: u32) -> Words<D::Word> {
    let width = domain.bits();
    let mut result = Words::new();
    for (index, word) in (0..).zip(x) {
        let kept = bits.saturating_sub(index * width).min(width);
        result.push(if kept == width { word.clone() } else { domain.split(word, kept).0 });
    }
    result
}

/// `bit ? x : y`, both of the same length.
pub fn select<D: Domain>(domain: &mut D, bit: &D::Bit, x: &[D::Word], y: &[D::Word]) -> Words<D::Word> {
    x.iter().zip(y).map(|(x, y)| domain.select(bit, x, y)).collect()
}

/// The number whose low `bits` bits are those of `x` and whose bits above all equal the highest of them.
pub fn extend_sign<D: Domain>(domain: &mut D, x: &[D::Word], bits: u32) -> Words<D::Word> {
    let width = domain.bits();
    let mut result = low_bits(domain, x, bits);
    let (word, place) = (((bits - 1) / width) as usize, (bits - 1) % width);
    let Some(top) = x.get(word) else { return result };
    let sign = domain.bit_of(top, place);
    let zero = domain.word(0);
    for (index, part) in (0..).zip(result.iter_mut()) {
        let kept = bits.saturating_sub(index * width).min(width);
        if kept == width {
            continue;
        }
        let ones = domain.word(u64::MAX << kept);
        let fill = domain.select(&sign, &ones, &zero);
        *part = join(domain, part, &fill);
    }
    result
}

/// Product of two signed words as (low word, high word). A factor whose highest bit is 1 counts one time the radix less than its
/// bits, so the other one is taken off the high word.
pub fn mul_signed<D: Domain>(domain: &mut D, x: &D::Word, y: &D::Word) -> (D::Word, D::Word) {
    if let Some(known) = domain.signed_product(x, y) {
        return known;
    }
    let (low, mut high) = domain.mul(x, y);
    let (none, zero) = (domain.bit(false), domain.word(0));
    for (factor, other) in [(x, y), (y, x)] {
        let negative = domain.bit_of(factor, domain.bits() - 1);
        let excess = domain.select(&negative, other, &zero);
        high = domain.sub(&high, &excess, &none).0;
    }
    (low, high)
}

/// Whether `x < y`, both of the same length; with `signed`, the highest bit is a sign.
pub fn less<D: Domain>(domain: &mut D, x: &[D::Word], y: &[D::Word], signed: bool) -> D::Bit {
    if !signed {
        return sub(domain, x, y).1;
    }
    let is_zero = y.iter().all(|word| domain.known_word(word) == Some(0));
    if let Some(highest) = x.last().filter(|_| is_zero) {
        return domain.bit_of(highest, domain.bits() - 1);
    }
    let top = 1 << (domain.bits() - 1);
    let (mut x, mut y) = (Words::from(x), Words::from(y));
    for number in [&mut x, &mut y] {
        if let Some(highest) = number.last_mut() {
            let moved = domain.word(top);
            // the order of signed numbers is that of unsigned ones half the range further up
            *highest = join(domain, highest, &moved);
        }
    }
    sub(domain, &x, &y).1
}

/// Whether `x = y`, both of the same length.
pub fn equal<D: Domain>(domain: &mut D, x: &[D::Word], y: &[D::Word]) -> D::Bit {
    let mut all = domain.bit(true);
    for (x, y) in x.iter().zip(y) {
        let difference = domain.xor(x, y);
        let same = domain.is_zero(&difference);
        all = domain.bit_and(&all, &same);
    }
    all
}
