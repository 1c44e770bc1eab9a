use crate::{Concrete, Domain, Joined, Limb};

/// The domain that tells secrets from what is public: a word is a known number, or it is secret. Of a secret word some
/// bits may be known to be one.
///
/// Whatever is computed from a secret is secret, unless it is the same for all values of the secret: a
/// word less itself, nothing times a word. A processor refuses secret addresses and branches with
/// [`crate::Fault::Secret`], so that a run over this domain that comes to its end takes the same way
/// through the code, and touches the same addresses, for all secrets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Secrets<W> {
    concrete: Concrete<W>,
    /// How many secrets there are.
    count: u64,
    joins: bool,
}

/// A word of [`Secrets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taint<W> {
    /// Public: this number in every call.
    Known(W),
    /// Secret.
    Secret(Secret),
}

/// A secret word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Equal numbers are the same secret; of different ones nothing is known.
    number: u64,
    /// Bits that are one, whatever the secret.
    ones: u64,
}

/// A bit of [`Secrets`]: `None` is secret.
pub type TaintedBit = Option<bool>;

impl<W: Limb> Secrets<W> {
    /// The domain of words of type `W`.
    pub const fn new() -> Self {
        Secrets { concrete: Concrete::new(), count: 0, joins: false }
    }

    /// The same, but both sides of a branch on a secret are run, so that their times can be compared.
    pub const fn joining() -> Self {
        Secrets { joins: true, ..Secrets::new() }
    }

    fn secret(&mut self) -> Taint<W> {
        self.secret_with(0)
    }

    /// A secret with some bits that are one.
    fn secret_with(&mut self, ones: u64) -> Taint<W> {
        self.count += 1;
        Taint::Secret(Secret { number: self.count, ones })
    }

    /// A bitwise operation; `fixed` is what it gives when one of the words is that constant.
    fn bitwise(
        &mut self,
        x: &Taint<W>,
        y: &Taint<W>,
        operation: fn(u64, u64) -> u64,
        fixed: Option<u64>,
    ) -> Taint<W> {
        match (x, y) {
            (Taint::Known(x), Taint::Known(y)) => {
                Taint::Known(W::truncate(operation(x.to_u64(), y.to_u64())))
            }
            (Taint::Known(known), _) | (_, Taint::Known(known))
                if fixed.is_some_and(|fixed| *known == W::truncate(fixed)) =>
            {
                Taint::Known(*known)
            }
            _ if x == y => match operation(1, 1) {
                0 => Taint::Known(W::truncate(0)),
                _ => *x,
            },
            // AND and OR grow with their operands: of more bits that are one, no fewer are one
            _ if operation(1, 1) == 1 => {
                let ones = operation(self.known_ones(x), self.known_ones(y));
                self.secret_with(ones)
            }
            _ => self.secret(),
        }
    }
}

impl<W: Limb> Domain for Secrets<W> {
    type Word = Taint<W>;
    type Bit = TaintedBit;

    fn word(&mut self, value: u64) -> Taint<W> {
        Taint::Known(W::truncate(value))
    }
    fn bit(&mut self, value: bool) -> TaintedBit {
        Some(value)
    }
    fn known_word(&self, word: &Taint<W>) -> Option<u64> {
        match word {
            Taint::Known(word) => Some(word.to_u64()),
            Taint::Secret(_) => None,
        }
    }
    fn known_ones(&self, word: &Taint<W>) -> u64 {
        match word {
            Taint::Known(word) => word.to_u64(),
            Taint::Secret(secret) => secret.ones,
        }
    }
    fn known_bit(&self, bit: &TaintedBit) -> Option<bool> {
        *bit
    }
    fn add(&mut self, x: &Taint<W>, y: &Taint<W>, carry: &TaintedBit) -> (Taint<W>, TaintedBit) {
        match (x, y, carry) {
            (Taint::Known(x), Taint::Known(y), Some(carry)) => {
                let (sum, carry) = self.concrete.add(x, y, carry);
                (Taint::Known(sum), Some(carry))
            }
            _ => (self.secret(), None),
        }
    }
    fn sub(&mut self, x: &Taint<W>, y: &Taint<W>, borrow: &TaintedBit) -> (Taint<W>, TaintedBit) {
        match (x, y, borrow) {
            (Taint::Known(x), Taint::Known(y), Some(borrow)) => {
                let (difference, borrow) = self.concrete.sub(x, y, borrow);
                (Taint::Known(difference), Some(borrow))
            }
            (Taint::Secret(_), Taint::Secret(_), Some(borrow)) if x == y => {
                let zero = W::truncate(0);
                let (difference, borrow) = self.concrete.sub(&zero, &zero, borrow);
                (Taint::Known(difference), Some(borrow))
            }
            // nothing but the borrow is left, and leaves again
            _ if x == y => (self.secret(), *borrow),
            _ => (self.secret(), None),
        }
    }
    fn mul(&mut self, x: &Taint<W>, y: &Taint<W>) -> (Taint<W>, Taint<W>) {
        let zero = Taint::Known(W::truncate(0));
        match (x, y) {
            (Taint::Known(x), Taint::Known(y)) => {
                let (low, high) = self.concrete.mul(x, y);
                (Taint::Known(low), Taint::Known(high))
            }
            _ if *x == zero || *y == zero => (zero, zero),
            _ => (self.secret(), self.secret()),
        }
    }
    fn and(&mut self, x: &Taint<W>, y: &Taint<W>) -> Taint<W> {
        self.bitwise(x, y, |x, y| x & y, Some(0))
    }
    fn or(&mut self, x: &Taint<W>, y: &Taint<W>) -> Taint<W> {
        self.bitwise(x, y, |x, y| x | y, Some(u64::MAX))
    }
    fn xor(&mut self, x: &Taint<W>, y: &Taint<W>) -> Taint<W> {
        self.bitwise(x, y, |x, y| x ^ y, None)
    }
    fn shift_right(&mut self, x: &Taint<W>, top: &TaintedBit) -> (Taint<W>, TaintedBit) {
        match (x, top) {
            (Taint::Known(x), Some(top)) => {
                let (word, bit) = self.concrete.shift_right(x, top);
                (Taint::Known(word), Some(bit))
            }
            (Taint::Known(x), None) => (self.secret(), Some(self.concrete.bit_of(x, 0))),
            (Taint::Secret(_), _) => (self.secret(), None),
        }
    }
    fn rotate_left(&mut self, x: &Taint<W>, places: u32) -> Taint<W> {
        match x {
            Taint::Known(x) => Taint::Known(self.concrete.rotate_left(x, places)),
            Taint::Secret(_) => self.secret(),
        }
    }
    fn split(&mut self, x: &Taint<W>, places: u32) -> (Taint<W>, Taint<W>) {
        let zero = Taint::Known(W::truncate(0));
        match x {
            Taint::Known(x) => {
                let (low, high) = self.concrete.split(x, places);
                (Taint::Known(low), Taint::Known(high))
            }
            Taint::Secret(_) if places == 0 => (zero, *x),
            Taint::Secret(_) if places == W::BITS => (*x, zero),
            Taint::Secret(_) => (self.secret(), self.secret()),
        }
    }
    fn shift_left(&mut self, x: &Taint<W>, places: u32) -> (Taint<W>, Taint<W>) {
        let zero = Taint::Known(W::truncate(0));
        match x {
            Taint::Known(x) => {
                let (low, high) = self.concrete.shift_left(x, places);
                (Taint::Known(low), Taint::Known(high))
            }
            Taint::Secret(_) if places == 0 => (*x, zero),
            Taint::Secret(_) if places == W::BITS => (zero, *x),
            Taint::Secret(_) => (self.secret(), self.secret()),
        }
    }
    fn bit_of(&mut self, x: &Taint<W>, place: u32) -> TaintedBit {
        match x {
            Taint::Known(x) => Some(self.concrete.bit_of(x, place)),
            Taint::Secret(_) => None,
        }
    }
    fn with_bit(&mut self, x: &Taint<W>, place: u32, bit: &TaintedBit) -> Taint<W> {
        match (x, bit) {
            (Taint::Known(x), Some(bit)) => Taint::Known(self.concrete.with_bit(x, place, bit)),
            _ => self.secret(),
        }
    }
    fn is_zero(&mut self, x: &Taint<W>) -> TaintedBit {
        match x {
            Taint::Known(x) => Some(self.concrete.is_zero(x)),
            Taint::Secret(_) => None,
        }
    }
    fn carry_into(&mut self, place: u32, x: &Taint<W>, y: &Taint<W>, result: &Taint<W>) -> TaintedBit {
        match (x, y, result) {
            (Taint::Known(x), Taint::Known(y), Taint::Known(result)) => {
                Some(self.concrete.carry_into(place, x, y, result))
            }
            // a word less itself
            (_, _, Taint::Known(result)) if x == y => Some(self.concrete.bit_of(result, place)),
            _ => None,
        }
    }
    fn select(&mut self, bit: &TaintedBit, x: &Taint<W>, y: &Taint<W>) -> Taint<W> {
        match bit {
            Some(true) => *x,
            Some(false) => *y,
            None if x == y => *x,
            None => {
                let ones = self.known_ones(x) & self.known_ones(y);
                self.secret_with(ones)
            }
        }
    }
    fn bit_and(&mut self, x: &TaintedBit, y: &TaintedBit) -> TaintedBit {
        match (x, y) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }
    }
    fn bit_or(&mut self, x: &TaintedBit, y: &TaintedBit) -> TaintedBit {
        match (x, y) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        }
    }
    fn bit_xor(&mut self, x: &TaintedBit, y: &TaintedBit) -> TaintedBit {
        Some((*x)? ^ (*y)?)
    }
    fn bit_not(&mut self, x: &TaintedBit) -> TaintedBit {
        x.map(|x| !x)
    }
    /// A secret.
    fn arbitrary(&mut self) -> Taint<W> {
        self.secret()
    }
    /// Secret bits have no identity: here it only counts what is public.
    fn same_bit(&mut self, x: &TaintedBit, y: &TaintedBit) -> bool {
        x == y
    }
    fn same(&self, x: &Taint<W>, y: &Taint<W>) -> bool {
        x == y
    }
    fn bits(&self) -> u32 {
        W::BITS
    }
    fn joins(&self) -> bool {
        self.joins
    }
    fn join(
        &mut self,
        bit: &TaintedBit,
        words: &[(Taint<W>, Taint<W>)],
        bits: &[(TaintedBit, TaintedBit)],
    ) -> Option<Joined<Taint<W>, TaintedBit>> {
        let words = words.iter().map(|(x, y)| self.select(bit, x, y)).collect();
        let both = |(x, y): &(TaintedBit, TaintedBit)| match bit {
            Some(true) => *x,
            Some(false) => *y,
            None => x.filter(|_| x == y),
        };
        self.joins.then(|| (words, bits.iter().map(both).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_a_secret_is_secret() {
        let mut d = Secrets::<u8>::new();
        let (s, t, five) = (d.arbitrary(), d.arbitrary(), d.word(5));
        assert!(!d.same(&s, &t) && d.same(&s, &s));
        let words = [
            d.add(&s, &five, &Some(false)).0,
            d.sub(&five, &s, &Some(false)).0,
            d.sub(&s, &s, &None).0,
            d.mul(&s, &five).1,
            d.and(&s, &five),
            d.or(&s, &t),
            d.xor(&s, &t),
            d.shift_right(&s, &Some(false)).0,
            d.rotate_left(&s, 4),
            d.split(&s, 4).0,
            d.split(&s, 4).1,
            d.shift_left(&s, 4).0,
            d.shift_left(&s, 4).1,
            d.with_bit(&five, 1, &None),
            d.select(&None, &s, &five),
        ];
        assert!(words.iter().all(|word| d.known_word(word).is_none()));
        let bits = [
            d.add(&s, &five, &Some(false)).1,
            d.sub(&five, &s, &Some(false)).1,
            d.shift_right(&s, &Some(false)).1,
            d.bit_of(&s, 0),
            d.is_zero(&s),
            d.carry_into(4, &s, &five, &five),
            d.bit_and(&None, &Some(true)),
            d.bit_or(&None, &Some(false)),
            d.bit_xor(&None, &Some(true)),
            d.bit_not(&None),
        ];
        assert!(bits.iter().all(|bit| d.known_bit(bit).is_none()));
    }

    #[test]
    fn what_is_the_same_for_all_secrets_is_public() {
        let mut d = Secrets::<u8>::new();
        let (s, zero, ones) = (d.arbitrary(), d.word(0), d.word(0xff));
        assert_eq!(d.xor(&s, &s), zero);
        assert_eq!(d.sub(&s, &s, &Some(false)), (zero, Some(false)));
        assert_eq!(d.sub(&s, &s, &Some(true)), (ones, Some(true)));
        assert_eq!(d.sub(&s, &s, &None).1, None);
        assert_eq!(d.mul(&s, &zero), (zero, zero));
        assert_eq!(d.and(&zero, &s), zero);
        assert_eq!(d.or(&s, &ones), ones);
        assert_eq!(d.and(&s, &s), s);
        assert_eq!(d.bit_and(&None, &Some(false)), Some(false));
        assert_eq!(d.bit_or(&Some(true), &None), Some(true));
        assert_eq!(d.select(&None, &s, &s), s);
        assert_eq!(d.carry_into(4, &s, &s, &ones), Some(true));
        assert_eq!(d.shift_right(&ones, &None).1, Some(true));
        assert_eq!((d.split(&s, 0), d.split(&s, 8)), ((zero, s), (s, zero)));
        assert_eq!((d.shift_left(&s, 0), d.shift_left(&s, 8)), ((s, zero), (zero, s)));
    }

    #[test]
    fn what_both_sides_of_a_secret_branch_agree_on_stays_public() {
        let mut d = Secrets::<u8>::joining();
        let (s, one, two) = (d.arbitrary(), d.word(1), d.word(2));
        let bits = [(Some(true), Some(true)), (Some(true), Some(false)), (None, None)];
        let (words, bits) = d.join(&None, &[(one, one), (one, two), (s, s), (s, one)], &bits).unwrap();
        assert_eq!((words[0], words[2]), (one, s));
        assert!(matches!((words[1], words[3]), (Taint::Secret(x), Taint::Secret(y)) if x != y));
        assert_eq!(bits, [Some(true), None, None]);
        assert!(Secrets::<u8>::new().join(&None, &[], &[]).is_none());
    }

    #[test]
    fn ones_that_are_set_in_secrets_are_known() {
        let mut d = Secrets::<u8>::new();
        let (s, t, top, low) = (d.arbitrary(), d.arbitrary(), d.word(0x80), d.word(0x0f));
        assert_eq!((d.known_ones(&s), d.known_ones(&low)), (0, 0x0f));
        let (x, y) = (d.or(&s, &top), d.or(&low, &t));
        assert_eq!((d.known_ones(&x), d.known_ones(&y)), (0x80, 0x0f));
        let (both, either) = (d.or(&x, &y), d.and(&x, &y));
        assert_eq!((d.known_ones(&both), d.known_ones(&either)), (0x8f, 0));
        let kept = d.and(&both, &top);
        assert_eq!(d.known_ones(&kept), 0x80);
        assert!(d.known_word(&kept).is_none());
        let chosen = d.select(&None, &both, &x);
        assert_eq!(d.known_ones(&chosen), 0x80);
        // what else is computed may have any bits
        let sum = d.add(&x, &y, &Some(false)).0;
        let (turned, differing) = (d.rotate_left(&x, 1), d.xor(&x, &t));
        assert!([sum, turned, differing].iter().all(|word| d.known_ones(word) == 0));
    }

    /// Public words are computed as in the simulator.
    #[test]
    fn public_words_are_numbers() {
        let mut d = Secrets::<u8>::new();
        let mut concrete = Concrete::<u8>::new();
        for x in 0..=255u8 {
            for y in [0, 1, 0x7f, 0x80, 0xfe, 0xff] {
                let (p, q) = (d.word(x.into()), d.word(y.into()));
                let (sum, carry) = concrete.add(&x, &y, &true);
                assert_eq!(d.add(&p, &q, &Some(true)), (Taint::Known(sum), Some(carry)));
                let (difference, borrow) = concrete.sub(&x, &y, &true);
                assert_eq!(d.sub(&p, &q, &Some(true)), (Taint::Known(difference), Some(borrow)));
                assert_eq!(d.and(&p, &q), Taint::Known(x & y));
                assert_eq!(d.or(&p, &q), Taint::Known(x | y));
                assert_eq!(d.xor(&p, &q), Taint::Known(x ^ y));
            }
        }
    }
}
