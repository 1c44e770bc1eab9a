use crate::random::next;
use crate::{Cycles, Domain, Fault};
use std::marker::PhantomData;

/// An unsigned machine word that [`Concrete`] computes with.
pub trait Limb: Copy + Eq + Default + std::fmt::Debug {
    /// Width in bits.
    const BITS: u32;
    /// The word's value.
    fn to_u64(self) -> u64;
    /// The low bits of `value`.
    fn truncate(value: u64) -> Self;
}

macro_rules! limbs {
    ($($word:ty),*) => {$(
        impl Limb for $word {
            const BITS: u32 = <$word>::BITS;
            #[inline(always)]
            fn to_u64(self) -> u64 {
                u64::from(self)
            }
            #[inline(always)]
            fn truncate(value: u64) -> Self {
                value as $word
            }
        }
    )*};
}
limbs!(u8, u16, u32);

/// Sees what a run does.
pub trait Watch {
    /// An instruction at this byte address comes next.
    #[inline(always)]
    fn located(&mut self, address: u64) {
        let _ = address;
    }
    /// A number decided something: where to go or what to access, or how long that takes.
    #[inline(always)]
    fn decided(&self, number: u64) {
        let _ = number;
    }
    /// An access goes to this address.
    #[inline(always)]
    fn accessed(&self, address: u64) {
        let _ = address;
    }
    /// An instruction was executed, and these cycles have passed since the start.
    #[inline(always)]
    fn passed(&mut self, cycles: Cycles) {
        let _ = cycles;
    }
}

/// Nobody watches.
impl Watch for () {}

/// The simulator's domain: words are numbers, every value is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Concrete<W, S = ()> {
    words: PhantomData<W>,
    watch: S,
    /// Of the sequence that [`Domain::arbitrary`] gives.
    state: u64,
    /// What it gives instead of a sequence.
    constant: Option<u64>,
}

impl<W> Concrete<W> {
    /// The domain of words of type `W`.
    pub const fn new() -> Self {
        Concrete::seeded(0)
    }

    /// The same, with another sequence of arbitrary words.
    pub const fn seeded(seed: u64) -> Self {
        Concrete { words: PhantomData, watch: (), state: seed, constant: None }
    }

    /// The same, where every arbitrary word has the low bits of `value`.
    pub const fn filled(value: u64) -> Self {
        Concrete { words: PhantomData, watch: (), state: 0, constant: Some(value) }
    }

    /// The same domain of words of another type.
    pub fn of_words<V>(self) -> Concrete<V> {
        Concrete { words: PhantomData, watch: (), state: self.state, constant: self.constant }
    }
}

impl<W, S: Watch> Concrete<W, S> {
    /// The same, watched.
    pub const fn watched(watch: S) -> Self {
        Concrete { words: PhantomData, watch, state: 0, constant: None }
    }
}

impl<W: Limb, S: Watch> Domain for Concrete<W, S> {
    type Word = W;
    type Bit = bool;

    #[inline(always)]
    fn word(&mut self, value: u64) -> W {
        W::truncate(value)
    }
    #[inline(always)]
    fn bit(&mut self, value: bool) -> bool {
        value
    }
    #[inline(always)]
    fn known_word(&self, word: &W) -> Option<u64> {
        self.watch.decided(word.to_u64());
        Some(word.to_u64())
    }
    #[inline(always)]
    fn known_bit(&self, bit: &bool) -> Option<bool> {
        self.watch.decided(u64::from(*bit));
        Some(*bit)
    }
    #[inline(always)]
    fn add(&mut self, x: &W, y: &W, carry: &bool) -> (W, bool) {
        let sum = x.to_u64() + y.to_u64() + u64::from(*carry);
        (W::truncate(sum), sum >> W::BITS != 0)
    }
    #[inline(always)]
    fn sub(&mut self, x: &W, y: &W, borrow: &bool) -> (W, bool) {
        let difference = x.to_u64().wrapping_sub(y.to_u64()).wrapping_sub(u64::from(*borrow));
        (W::truncate(difference), difference >> 63 != 0)
    }
    #[inline(always)]
    fn mul(&mut self, x: &W, y: &W) -> (W, W) {
        let product = x.to_u64() * y.to_u64();
        (W::truncate(product), W::truncate(product >> W::BITS))
    }
    #[inline(always)]
    fn and(&mut self, x: &W, y: &W) -> W {
        W::truncate(x.to_u64() & y.to_u64())
    }
    #[inline(always)]
    fn or(&mut self, x: &W, y: &W) -> W {
        W::truncate(x.to_u64() | y.to_u64())
    }
    #[inline(always)]
    fn xor(&mut self, x: &W, y: &W) -> W {
        W::truncate(x.to_u64() ^ y.to_u64())
    }
    #[inline(always)]
    fn shift_right(&mut self, x: &W, top: &bool) -> (W, bool) {
        let x = x.to_u64();
        (W::truncate((x >> 1) | (u64::from(*top) << (W::BITS - 1))), x & 1 != 0)
    }
    #[inline(always)]
    fn rotate_left(&mut self, x: &W, places: u32) -> W {
        let places = places % W::BITS;
        let x = x.to_u64();
        W::truncate((x << places) | (x >> ((W::BITS - places) % W::BITS)))
    }
    #[inline(always)]
    fn split(&mut self, x: &W, places: u32) -> (W, W) {
        let x = x.to_u64();
        (W::truncate(x & ((1 << places) - 1)), W::truncate(x >> places))
    }
    #[inline(always)]
    fn shift_left(&mut self, x: &W, places: u32) -> (W, W) {
        let wide = x.to_u64() << places;
        (W::truncate(wide), W::truncate(wide >> W::BITS))
    }
    #[inline(always)]
    fn bit_of(&mut self, x: &W, place: u32) -> bool {
        (x.to_u64() >> place) & 1 != 0
    }
    #[inline(always)]
    fn with_bit(&mut self, x: &W, place: u32, bit: &bool) -> W {
        W::truncate((x.to_u64() & !(1 << place)) | (u64::from(*bit) << place))
    }
    #[inline(always)]
    fn is_zero(&mut self, x: &W) -> bool {
        x.to_u64() == 0
    }
    #[inline(always)]
    fn carry_into(&mut self, place: u32, x: &W, y: &W, result: &W) -> bool {
        ((x.to_u64() ^ y.to_u64() ^ result.to_u64()) >> place) & 1 != 0
    }
    #[inline(always)]
    fn select(&mut self, bit: &bool, x: &W, y: &W) -> W {
        if *bit { *x } else { *y }
    }
    #[inline(always)]
    fn bit_and(&mut self, x: &bool, y: &bool) -> bool {
        x & y
    }
    #[inline(always)]
    fn bit_or(&mut self, x: &bool, y: &bool) -> bool {
        x | y
    }
    #[inline(always)]
    fn bit_xor(&mut self, x: &bool, y: &bool) -> bool {
        x ^ y
    }
    #[inline(always)]
    fn bit_not(&mut self, x: &bool) -> bool {
        !x
    }
    /// A sequence without visible pattern, the same in every run.
    fn arbitrary(&mut self) -> W {
        if let Some(value) = self.constant {
            return W::truncate(value);
        }
        W::truncate(next(&mut self.state))
    }
    #[inline(always)]
    fn same(&self, x: &W, y: &W) -> bool {
        x == y
    }
    #[inline(always)]
    fn bits(&self) -> u32 {
        W::BITS
    }
    #[inline(always)]
    fn locate(&mut self, address: u64) -> Result<(), Fault> {
        self.watch.located(address);
        Ok(())
    }
    #[inline(always)]
    fn accesses(&self, address: u64) {
        self.watch.accessed(address);
    }
    #[inline(always)]
    fn passed(&mut self, cycles: Cycles) {
        self.watch.passed(cycles);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte operation against plain integer arithmetic, all operands, both carries.
    #[test]
    fn bytes_agree_with_integers() {
        let mut d = Concrete::<u8>::new();
        for x in 0..=255u8 {
            for y in 0..=255u8 {
                for c in [false, true] {
                    let s = u16::from(x) + u16::from(y) + u16::from(c);
                    assert_eq!(d.add(&x, &y, &c), (s as u8, s > 255));
                    let t = i16::from(x) - i16::from(y) - i16::from(c);
                    assert_eq!(d.sub(&x, &y, &c), (t as u8, t < 0));
                    let low = (x & 15) + (y & 15) + u8::from(c) > 15;
                    assert_eq!(d.carry_into(4, &x, &y, &(s as u8)), low);
                    let low = (x & 15) < (y & 15) + u8::from(c);
                    assert_eq!(d.carry_into(4, &x, &y, &(t as u8)), low);
                }
                let p = u16::from(x) * u16::from(y);
                assert_eq!(d.mul(&x, &y), (p as u8, (p >> 8) as u8));
            }
            assert_eq!(d.rotate_left(&x, 4), x.rotate_left(4));
            assert_eq!(d.rotate_left(&x, 0), x);
            assert_eq!(d.shift_right(&x, &true), (0x80 | x >> 1, x & 1 == 1));
            for places in 0..=8 {
                let (low, high) = d.split(&x, places);
                assert!(u32::from(low) < 1 << places);
                assert_eq!(u32::from(low) + (u32::from(high) << places), x.into());
                let (low, high) = d.shift_left(&x, places);
                assert_eq!(u32::from(high) << 8 | u32::from(low), u32::from(x) << places);
            }
        }
    }

    #[test]
    fn wide_words_carry_at_their_own_width() {
        let mut d = Concrete::<u32>::new();
        assert_eq!(d.add(&u32::MAX, &u32::MAX, &true), (u32::MAX, true));
        assert_eq!(d.sub(&0, &u32::MAX, &true), (0, true));
        assert_eq!(d.mul(&u32::MAX, &u32::MAX), (1, u32::MAX - 1));
        assert_eq!(d.split(&0x8765_4321, 32), (0x8765_4321, 0));
        assert_eq!(d.split(&0x8765_4321, 12), (0x321, 0x0008_7654));
        assert_eq!(d.shift_left(&0x8765_4321, 32), (0, 0x8765_4321));
        assert_eq!(d.shift_left(&0x8765_4321, 4), (0x7654_3210, 8));
    }
}
