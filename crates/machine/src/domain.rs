use crate::{Cycles, Fault};
use std::ops::RangeInclusive;

/// The words and bits that [`Domain::join`] gives, each in the order of its pairs.
pub type Joined<W, B> = (Vec<W>, Vec<B>);

/// What [`Domain::cases`] gives: bits, and what a word is for each assignment of them; bit `k` of an assignment's
/// number is the value of bit `k`.
pub type Cases<W, B> = (Vec<B>, Vec<W>);

/// What an address is known to belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// A domain of plain numbers does not say.
    Any,
    /// A number that the program made up itself, the same wherever the caller puts things.
    Constant,
    /// An offset into something that the caller placed: a buffer by its number, [`STACK`] or [`CODE`].
    Of(u32),
}

/// The base of addresses in the stack.
pub const STACK: u32 = u32::MAX;
/// The base of the address that the caller goes on at; addresses in the program have bases of their own, see
/// [`crate::Placement::base`].
pub const CODE: u32 = u32::MAX - 1;

/// Why a domain does not know a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// It depends on secrets, or on anything that the domain knows nothing of.
    Secret,
    /// It is public, and depends on where the caller put things.
    Place,
}

impl Hidden {
    /// The fault of something that must be known and is not.
    #[cold]
    pub fn fault(self, what: String) -> Fault {
        match self {
            Hidden::Secret => Fault::Secret { what },
            Hidden::Place => Fault::Place { what },
        }
    }
}

/// A domain of values: what a register holds and what can be computed with it.
///
/// An instruction's meaning is written once, over any `Domain`. The simulator instantiates it with
/// machine words ([`crate::Concrete`]); a taint domain gives the secrets, a domain of exact integer
/// polynomials the proof. A domain has one word width; all words of one instance share it.
///
/// Bits are separate from words so that a symbolic domain may keep a flag as the definition of a
/// carry instead of a digit, and may leave it unevaluated until something reads it.
pub trait Domain {
    /// A word of the machine's register width.
    type Word: Clone;
    /// One bit: a flag, a carry, a sign.
    type Bit: Clone;
    /// Whether [`Domain::join`] ever works; execution over a domain that never joins is compiled without it.
    const JOINS: bool = false;

    /// A known word; bits above the width are ignored.
    fn word(&mut self, value: u64) -> Self::Word;
    /// A known bit.
    fn bit(&mut self, value: bool) -> Self::Bit;

    /// The word's value, if it is the same for all inputs. Addresses must be known.
    fn known_word(&self, word: &Self::Word) -> Option<u64>;
    /// Bits of the word that are one for all inputs. A domain that does not say more knows those of known words.
    fn known_ones(&self, word: &Self::Word) -> u64 {
        self.known_word(word).unwrap_or(0)
    }
    /// The bit's value, if it is the same for all inputs. Branch conditions must be known.
    fn known_bit(&self, bit: &Self::Bit) -> Option<bool>;

    /// Why what these words make together is not known. Only a domain that tells addresses from secrets says more.
    fn hidden(&self, words: &[&Self::Word]) -> Hidden {
        let _ = words;
        Hidden::Secret
    }
    /// Why a bit is not known.
    fn hidden_bit(&self, bit: &Self::Bit) -> Hidden {
        let _ = bit;
        Hidden::Secret
    }

    /// `x + y + carry` as (low word, carry out).
    fn add(&mut self, x: &Self::Word, y: &Self::Word, carry: &Self::Bit) -> (Self::Word, Self::Bit);
    /// `x - y - borrow` as (low word, borrow out).
    fn sub(&mut self, x: &Self::Word, y: &Self::Word, borrow: &Self::Bit) -> (Self::Word, Self::Bit);
    /// Unsigned product as (low word, high word).
    fn mul(&mut self, x: &Self::Word, y: &Self::Word) -> (Self::Word, Self::Word);

    /// Product of two signed words as (low word, high word), in a domain that knows which numbers they stand for.
    fn signed_product(&mut self, x: &Self::Word, y: &Self::Word) -> Option<(Self::Word, Self::Word)> {
        let _ = (x, y);
        None
    }

    /// `x * y + words[0] + words[1]` as (low word, high word), which always hold it.
    fn mul_add(
        &mut self,
        x: &Self::Word,
        y: &Self::Word,
        words: [&Self::Word; 2],
    ) -> (Self::Word, Self::Word) {
        let (zero, none) = (self.word(0), self.bit(false));
        let (mut low, mut high) = self.mul(x, y);
        for word in words {
            let carry;
            (low, carry) = self.add(&low, word, &none);
            high = self.add(&high, &zero, &carry).0;
        }
        (low, high)
    }

    /// Product of two polynomials over GF(2), bits as coefficients, as (low word, high word). A domain that does
    /// not say more knows nothing of a product whose factors are not known.
    fn carryless_mul(&mut self, x: &Self::Word, y: &Self::Word) -> (Self::Word, Self::Word) {
        let bits = self.bits();
        let product = match (self.known_word(x), self.known_word(y)) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (Some(x), Some(y)) => {
                let partial = |place: u32| if y >> place & 1 == 1 { u128::from(x) << place } else { 0 };
                Some((0..bits).fold(0, |sum, place| sum ^ partial(place)))
            }
            _ => None,
        };
        match product {
            Some(product) => (self.word(product as u64), self.word((product >> bits) as u64)),
            None => (self.arbitrary(), self.arbitrary()),
        }
    }

    /// Bitwise and.
    fn and(&mut self, x: &Self::Word, y: &Self::Word) -> Self::Word;
    /// Bitwise or.
    fn or(&mut self, x: &Self::Word, y: &Self::Word) -> Self::Word;
    /// Bitwise exclusive or.
    fn xor(&mut self, x: &Self::Word, y: &Self::Word) -> Self::Word;
    /// One place to the right, `top` entering above: (word, bit that left below).
    fn shift_right(&mut self, x: &Self::Word, top: &Self::Bit) -> (Self::Word, Self::Bit);
    /// Rotation to the left by `places`.
    fn rotate_left(&mut self, x: &Self::Word, places: u32) -> Self::Word;
    /// The low `places` bits, and what stands above them moved down: `low + 2^places * high = x`. At most
    /// the width, where nothing stands above.
    fn split(&mut self, x: &Self::Word, places: u32) -> (Self::Word, Self::Word);
    /// `2^places * x` as (low word, what left it above), for at most the width.
    fn shift_left(&mut self, x: &Self::Word, places: u32) -> (Self::Word, Self::Word);

    /// Bit `place` of the word, 0 the lowest.
    fn bit_of(&mut self, x: &Self::Word, place: u32) -> Self::Bit;
    /// The word with bit `place` replaced.
    fn with_bit(&mut self, x: &Self::Word, place: u32, bit: &Self::Bit) -> Self::Word;
    /// Whether the word is zero.
    fn is_zero(&mut self, x: &Self::Word) -> Self::Bit;
    /// The carry (or borrow) that entered bit `place` when `result` was made from `x` and `y` by
    /// addition (or subtraction): bit `place` of `x ^ y ^ result`.
    fn carry_into(&mut self, place: u32, x: &Self::Word, y: &Self::Word, result: &Self::Word) -> Self::Bit;
    /// `bit ? x : y`.
    fn select(&mut self, bit: &Self::Bit, x: &Self::Word, y: &Self::Word) -> Self::Word;

    /// Logical and of two bits.
    fn bit_and(&mut self, x: &Self::Bit, y: &Self::Bit) -> Self::Bit;
    /// Logical or of two bits.
    fn bit_or(&mut self, x: &Self::Bit, y: &Self::Bit) -> Self::Bit;
    /// Exclusive or of two bits.
    fn bit_xor(&mut self, x: &Self::Bit, y: &Self::Bit) -> Self::Bit;
    /// Negation of a bit.
    fn bit_not(&mut self, x: &Self::Bit) -> Self::Bit;

    /// A word that nothing is known about; each call gives another one.
    fn arbitrary(&mut self) -> Self::Word;
    /// Whether two words are equal for all inputs.
    fn same(&self, x: &Self::Word, y: &Self::Word) -> bool;
    /// Whether two bits are equal for all inputs.
    fn same_bit(&mut self, x: &Self::Bit, y: &Self::Bit) -> bool {
        self.known_bit(x).is_some() && self.known_bit(x) == self.known_bit(y)
    }

    /// Word `part` (0 the lowest) of an address that the caller chose: `base` names what it points
    /// into, `offset` is the distance from its start, `address` its value in this run. A domain that
    /// must not depend on where the caller put things keeps base and offset instead of the value.
    fn pointer(&mut self, base: u32, offset: i64, address: u64, part: u32) -> Self::Word {
        let _ = (base, offset);
        let bits = self.bits();
        self.word(address >> (bits * part))
    }
    /// A word that a linker is still to choose; `value` is what it is in this run.
    fn placed(&mut self, value: u64) -> Self::Word {
        self.word(value)
    }
    /// Tells of what lies at `base` that the addresses at these offsets, in the processor's unit, are not 0 and do not
    /// wrap around the address space, that the base is a multiple of `alignment`, and whether nothing else lies there.
    fn lies(&mut self, base: u32, offsets: RangeInclusive<i64>, alignment: u64, is_apart: bool) {
        let _ = (base, offsets, alignment, is_apart);
    }
    /// The address that words make together, lowest first, if it is the same for all inputs, and what
    /// it belongs to.
    fn address(&self, words: &[&Self::Word]) -> Option<(Base, u64)> {
        let number =
            words.iter().rev().try_fold(0, |sum, word| Some(sum << self.bits() | self.known_word(word)?));
        number.map(|number| (Base::Any, number))
    }
    /// The words of an address, lowest first, moved by `by`; `None` where it is no known address.
    fn moved<const N: usize>(&mut self, words: [&Self::Word; N], by: i64) -> Option<[Self::Word; N]> {
        let address = self.address(&words)?.1.wrapping_add_signed(by);
        let bits = self.bits();
        Some(std::array::from_fn(|part| self.word(address >> (bits * part as u32))))
    }
    /// An address that depends on few bits: these, and what it is for each assignment of them. `None` from a domain
    /// that does not tell, and for all other words.
    fn cases(&mut self, word: &Self::Word) -> Option<Cases<Self::Word, Self::Bit>> {
        let _ = word;
        None
    }
    /// The one of `values` that the bits choose, in the order of [`Domain::cases`]; `None` from a domain that has no
    /// such.
    fn chosen(&mut self, bits: &[Self::Bit], values: &[Self::Word]) -> Option<Self::Word> {
        let _ = (bits, values);
        None
    }
    /// Width of a word in bits.
    fn bits(&self) -> u32;

    /// One state after a branch whose condition is not known: `bit` says which side was taken, each pair
    /// is what the taken and what the other side left, and what comes back is what stands there now.
    /// `None` from a domain that cannot join the two sides: then such a branch is a fault.
    fn join(
        &mut self,
        bit: &Self::Bit,
        words: &[(Self::Word, Self::Word)],
        bits: &[(Self::Bit, Self::Bit)],
    ) -> Option<Joined<Self::Word, Self::Bit>> {
        let _ = (bit, words, bits);
        None
    }
    /// Whether [`Domain::join`] works.
    fn joins(&self) -> bool {
        Self::JOINS
    }

    /// Whether paths inside each other that come to one place go on from there as one.
    fn merges(&self) -> bool {
        false
    }
    /// Paths are followed so.
    fn note_merged(&mut self) {}

    /// The instruction at this byte address is about to be executed; for domains that remember where
    /// values come from, and for those that collect: the collection has a limit.
    #[inline(always)]
    fn locate(&mut self, address: u64) -> Result<(), Fault> {
        let _ = address;
        Ok(())
    }
    /// The program accesses this address of data memory; for domains that are a trace.
    #[inline(always)]
    fn accesses(&self, address: u64) {
        let _ = address;
    }
    /// An instruction was executed, and these cycles have passed since the start; for domains that are a trace.
    #[inline(always)]
    fn passed(&mut self, cycles: Cycles) {
        let _ = cycles;
    }
}
