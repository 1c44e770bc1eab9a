use crate::{Base, Concrete, Direction, Domain, Entering, Hidden, Joined, Limb, Pointer, PointerCarry};
use std::ops::RangeInclusive;

/// The domain that tells secrets from what is public: a word is a known number, or an address, or something public
/// that was computed from addresses, or it is secret. Of the last two some bits may be known to be one.
///
/// Whatever is computed from a secret is secret, unless it is the same for all values of the secret: a
/// word less itself, nothing times a word. Whatever else is computed from addresses, other than a distance within one
/// array, is public and differs from place to place. A processor refuses addresses and branches that are not known with
/// [`crate::Fault::Secret`] or [`crate::Fault::Place`], so that a run over this domain that comes to its end takes the
/// same way through the code, and touches the same cells of arrays and stack, for all secrets and wherever these lie.
#[derive(Clone, Copy, Debug, Default)]
pub struct Secrets<W> {
    concrete: Concrete<W>,
    /// How many words there are that are not known.
    count: u64,
    joins: bool,
    /// What is known of places, for bases in the order of their hints.
    places: [Option<KnownAddress>; MOST_PLACES],
}

/// Of more arrays than these nothing is known but that they are somewhere.
const MOST_PLACES: usize = 8;

/// What is known of where something lies.
#[derive(Clone, Copy, Debug)]
struct KnownAddress {
    base: u32,
    /// Offsets between which addresses do not wrap.
    least: i64,
    most: i64,
    alignment: u64,
}

impl KnownAddress {
    fn holds(&self, offset: i64) -> bool {
        (self.least..=self.most).contains(&offset)
    }
}

/// A word of [`Secrets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taint<W> {
    /// Public: this number in every call.
    Known(W),
    /// Public: part of an address.
    Pointer(Pointer),
    /// Public, and different from place to place.
    Placed(Unknown),
    /// Secret.
    Secret(Unknown),
}

/// A word whose value is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Equal numbers are the same word; of different ones nothing is known.
    number: u64,
    bits: Bits,
    /// Whether it is never zero.
    not_zero: bool,
}

/// What is known of the bits of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bits {
    ones: u64,
    zeros: u64,
}

/// A bitwise operation on words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bitwise {
    And,
    Or,
    Xor,
}

impl Bits {
    fn with(self, other: Bits, operation: Bitwise) -> Bits {
        let (x, y) = (self, other);
        match operation {
            Bitwise::And => Bits { ones: x.ones & y.ones, zeros: x.zeros | y.zeros },
            Bitwise::Or => Bits { ones: x.ones | y.ones, zeros: x.zeros & y.zeros },
            Bitwise::Xor => {
                Bits { ones: x.ones & y.zeros | x.zeros & y.ones, zeros: x.ones & y.ones | x.zeros & y.zeros }
            }
        }
    }
}

/// A bit of [`Secrets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaintedBit {
    /// Public: the same in every call.
    Known(bool),
    /// Public: the carry or borrow out of the lower words of an address that is moved.
    Carry(PointerCarry),
    /// Public: the borrow out of the low word of the first address less that of the second.
    Borrow(Pointer, Pointer),
    /// Public, and different from place to place.
    Placed,
    /// Secret.
    Secret,
}

/// Whether a word or bit is known, and why not.
type Origin = Option<Hidden>;

/// That of something that is computed from both.
fn either(x: Origin, y: Origin) -> Origin {
    match (x, y) {
        (Some(Hidden::Secret), _) | (_, Some(Hidden::Secret)) => Some(Hidden::Secret),
        (Some(Hidden::Place), _) | (_, Some(Hidden::Place)) => Some(Hidden::Place),
        (None, None) => None,
    }
}

impl<W> Taint<W> {
    fn origin(&self) -> Origin {
        match self {
            Taint::Known(_) => None,
            Taint::Pointer(_) | Taint::Placed(_) => Some(Hidden::Place),
            Taint::Secret(_) => Some(Hidden::Secret),
        }
    }
}

impl TaintedBit {
    fn origin(self) -> Origin {
        match self {
            TaintedBit::Known(_) => None,
            TaintedBit::Carry(_) | TaintedBit::Borrow(..) | TaintedBit::Placed => Some(Hidden::Place),
            TaintedBit::Secret => Some(Hidden::Secret),
        }
    }

    /// A bit of which nothing but this is known.
    fn of(origin: Hidden) -> TaintedBit {
        match origin {
            Hidden::Secret => TaintedBit::Secret,
            Hidden::Place => TaintedBit::Placed,
        }
    }
}

impl<W: Limb> Secrets<W> {
    /// The domain of words of type `W`.
    pub const fn new() -> Self {
        Secrets { concrete: Concrete::new(), count: 0, joins: false, places: [None; MOST_PLACES] }
    }

    /// The same, but both sides of a branch on what is not known are run, so that their times can be compared.
    pub const fn joining() -> Self {
        Secrets { joins: true, ..Secrets::new() }
    }

    /// A word of which nothing but its origin is known.
    fn unknown(&mut self, origin: Hidden) -> Taint<W> {
        self.unknown_with(origin, Bits::default(), false)
    }

    fn unknown_with(&mut self, origin: Hidden, bits: Bits, not_zero: bool) -> Taint<W> {
        self.count += 1;
        let unknown = Unknown { number: self.count, bits, not_zero: not_zero || bits.ones != 0 };
        match origin {
            Hidden::Secret => Taint::Secret(unknown),
            Hidden::Place => Taint::Placed(unknown),
        }
    }

    /// What is computed from words and a bit of which at least one is not known.
    fn mixed(&mut self, words: &[&Taint<W>], bit: TaintedBit) -> (Taint<W>, TaintedBit) {
        let origin = words.iter().fold(bit.origin(), |origin, word| either(origin, word.origin()));
        let origin = origin.unwrap_or(Hidden::Secret);
        (self.unknown(origin), TaintedBit::of(origin))
    }

    /// The same twice.
    fn two(&mut self, x: &Taint<W>, y: &Taint<W>) -> (Taint<W>, Taint<W>) {
        let none = TaintedBit::Known(false);
        (self.mixed(&[x, y], none).0, self.mixed(&[x, y], none).0)
    }

    fn place_of(&self, base: u32) -> Option<KnownAddress> {
        self.places.iter().flatten().find(|place| place.base == base).copied()
    }

    /// Number of the highest word of an address.
    const fn top() -> u32 {
        if W::BITS < 16 { 16 / W::BITS - 1 } else { 0 }
    }

    /// How many low bits of this word are those of its offset.
    fn aligned_bits(&self, pointer: &Pointer) -> u32 {
        let bits = |place: KnownAddress| place.alignment.trailing_zeros().min(W::BITS);
        if pointer.part == 0 { self.place_of(pointer.base).map_or(0, bits) } else { 0 }
    }

    /// An address moved, by a constant that is added to or subtracted from one of its words, or that the word of a
    /// negated address is subtracted from.
    fn moved_by(
        &self,
        pointer: Pointer,
        constant: W,
        entering: TaintedBit,
        direction: Direction,
    ) -> Option<(Taint<W>, TaintedBit)> {
        let entering = match entering {
            TaintedBit::Known(bit) => Entering::Known(bit),
            TaintedBit::Carry(carry) => Entering::Carry(carry),
            TaintedBit::Borrow(..) | TaintedBit::Placed | TaintedBit::Secret => return None,
        };
        let (moved, carry) = match direction {
            Direction::Up | Direction::Down => pointer.plus(constant.to_u64(), entering, direction, W::BITS),
            Direction::Negated => pointer.taken_from(constant.to_u64(), entering, W::BITS),
        }?;
        Some((Taint::Pointer(moved), self.carry_of(carry)))
    }

    /// A carry out of an address, or a borrow: known where the address stays, and out of the highest word where it stays
    /// in what does not wrap.
    fn carry_of(&self, carry: PointerCarry) -> TaintedBit {
        let PointerCarry { from, to, direction } = carry;
        let around = match direction {
            Direction::Up | Direction::Down if from.offset == to => return TaintedBit::Known(false),
            _ if from.part != Self::top() => return TaintedBit::Carry(carry),
            Direction::Up => to - (1i64 << W::BITS.max(16)),
            Direction::Down => to + (1i64 << W::BITS.max(16)),
            Direction::Negated => return TaintedBit::Placed,
        };
        match self.place_of(from.base).filter(|place| place.holds(from.offset)) {
            Some(place) if place.holds(to) => TaintedBit::Known(false),
            Some(place) if place.holds(around) => TaintedBit::Known(true),
            _ => TaintedBit::Placed,
        }
    }

    /// The difference of two addresses of one array.
    fn distance(&self, to: Pointer, from: Pointer, borrow: TaintedBit) -> Option<(Taint<W>, TaintedBit)> {
        if to.base != from.base || to.part != from.part {
            return None;
        }
        let distance = match borrow {
            TaintedBit::Known(false) => to.distance(&from, W::BITS)?,
            // the lower words were subtracted as well
            TaintedBit::Borrow(low, below)
                if to.part == 1 && low.agrees(&to, W::BITS) && below.agrees(&from, W::BITS) =>
            {
                (to.offset - from.offset).rem_euclid(1 << (2 * W::BITS)) as u64 >> W::BITS
            }
            _ => return None,
        };
        let borrow = if to.offset == from.offset {
            TaintedBit::Known(false)
        } else if to.part == Self::top() {
            match self.place_of(to.base) {
                Some(place) if place.holds(to.offset) && place.holds(from.offset) => {
                    TaintedBit::Known(to.offset < from.offset)
                }
                _ => TaintedBit::Placed,
            }
        } else if to.part == 0 && distance == 0 {
            TaintedBit::Known(false)
        } else if to.part == 0 {
            TaintedBit::Borrow(to, from)
        } else {
            TaintedBit::Placed
        };
        Some((Taint::Known(W::truncate(distance)), borrow))
    }

    /// What a mask leaves of an address, where it takes nothing but bits that the base does not have.
    fn masked(&self, pointer: Pointer, mask: W) -> Option<Taint<W>> {
        let aligned = (1u64 << self.aligned_bits(&pointer)) - 1;
        let taken = W::truncate(!mask.to_u64()).to_u64();
        let cleared = -((pointer.offset as u64 & taken) as i64);
        (taken & !aligned == 0).then(|| Taint::Pointer(pointer.moved(cleared, W::BITS)))
    }

    fn bits_of(&self, word: &Taint<W>) -> Bits {
        match word {
            Taint::Known(word) => Bits { ones: word.to_u64(), zeros: W::truncate(!word.to_u64()).to_u64() },
            Taint::Pointer(pointer) => {
                let aligned = (1u64 << self.aligned_bits(pointer)) - 1;
                Bits { ones: pointer.offset as u64 & aligned, zeros: !pointer.offset as u64 & aligned }
            }
            Taint::Placed(unknown) | Taint::Secret(unknown) => unknown.bits,
        }
    }

    /// A word of which some bits are known, if not all.
    fn with_bits(&mut self, origin: Hidden, bits: Bits, not_zero: bool) -> Taint<W> {
        if bits.ones | bits.zeros == W::truncate(u64::MAX).to_u64() {
            return Taint::Known(W::truncate(bits.ones));
        }
        self.unknown_with(origin, bits, not_zero)
    }

    fn bitwise(&mut self, x: &Taint<W>, y: &Taint<W>, operation: Bitwise) -> Taint<W> {
        if x == y {
            return match operation {
                Bitwise::Xor => Taint::Known(W::truncate(0)),
                Bitwise::And | Bitwise::Or => *x,
            };
        }
        let zero = Taint::Known(W::truncate(0));
        if operation != Bitwise::And && (*x == zero || *y == zero) {
            // a move
            return if *x == zero { *y } else { *x };
        }
        let origin = either(x.origin(), y.origin()).unwrap_or(Hidden::Secret);
        let bits = self.bits_of(x).with(self.bits_of(y), operation);
        let differ = operation == Bitwise::Xor && self.differ(x, y);
        self.with_bits(origin, bits, differ)
    }

    /// The part of a word below a place, moved up, and the part above.
    fn cut(&mut self, x: &Taint<W>, place: u32, up: u32) -> (Taint<W>, Taint<W>) {
        let (origin, bits) = (x.origin().unwrap_or(Hidden::Secret), self.bits_of(x));
        let all = W::truncate(u64::MAX).to_u64();
        let below = (1u64 << place) - 1;
        let low = Bits {
            ones: (bits.ones & below) << up,
            zeros: ((bits.zeros | !below) << up | ((1 << up) - 1)) & all,
        };
        let high = Bits { ones: bits.ones >> place, zeros: (bits.zeros >> place | !(all >> place)) & all };
        (self.with_bits(origin, low, false), self.with_bits(origin, high, false))
    }

    /// Whether these are low words of different places of one array, not a multiple of the radix apart.
    fn differ(&self, x: &Taint<W>, y: &Taint<W>) -> bool {
        match (x, y) {
            (Taint::Pointer(x), Taint::Pointer(y)) => {
                x.base == y.base && (x.part, y.part) == (0, 0) && !x.agrees(y, W::BITS)
            }
            _ => false,
        }
    }
}

/// The address whose words, lowest first, these are.
fn whole<W: Limb>(words: &[&Taint<W>]) -> Option<Pointer> {
    let pointer = |word: &&Taint<W>| match word {
        Taint::Pointer(pointer) => Some(*pointer),
        Taint::Known(_) | Taint::Placed(_) | Taint::Secret(_) => None,
    };
    Pointer::whole(&words.iter().map(pointer).collect::<smallvec::SmallVec<[_; 4]>>(), W::BITS)
}

impl<W: Limb> Domain for Secrets<W> {
    type Word = Taint<W>;
    type Bit = TaintedBit;
    const JOINS: bool = true;

    fn word(&mut self, value: u64) -> Taint<W> {
        Taint::Known(W::truncate(value))
    }
    fn bit(&mut self, value: bool) -> TaintedBit {
        TaintedBit::Known(value)
    }
    fn known_word(&self, word: &Taint<W>) -> Option<u64> {
        match word {
            Taint::Known(word) => Some(word.to_u64()),
            Taint::Pointer(_) | Taint::Placed(_) | Taint::Secret(_) => None,
        }
    }
    fn known_ones(&self, word: &Taint<W>) -> u64 {
        self.bits_of(word).ones
    }
    fn known_bit(&self, bit: &TaintedBit) -> Option<bool> {
        match bit {
            TaintedBit::Known(bit) => Some(*bit),
            TaintedBit::Carry(_) | TaintedBit::Borrow(..) | TaintedBit::Placed | TaintedBit::Secret => None,
        }
    }
    fn hidden(&self, words: &[&Taint<W>]) -> Hidden {
        let origin = words.iter().fold(None, |origin, word| either(origin, word.origin()));
        origin.unwrap_or(Hidden::Secret)
    }
    fn hidden_bit(&self, bit: &TaintedBit) -> Hidden {
        bit.origin().unwrap_or(Hidden::Secret)
    }
    fn add(&mut self, x: &Taint<W>, y: &Taint<W>, carry: &TaintedBit) -> (Taint<W>, TaintedBit) {
        match (x, y) {
            (Taint::Known(x), Taint::Known(y)) => {
                if let TaintedBit::Known(carry) = carry {
                    let (sum, carry) = self.concrete.add(x, y, carry);
                    return (Taint::Known(sum), TaintedBit::Known(carry));
                }
            }
            (Taint::Pointer(pointer), Taint::Known(by)) | (Taint::Known(by), Taint::Pointer(pointer)) => {
                if let Some(moved) = self.moved_by(*pointer, *by, *carry, Direction::Up) {
                    return moved;
                }
            }
            _ => {}
        }
        self.mixed(&[x, y], *carry)
    }
    fn sub(&mut self, x: &Taint<W>, y: &Taint<W>, borrow: &TaintedBit) -> (Taint<W>, TaintedBit) {
        match (x, y, borrow) {
            (Taint::Known(x), Taint::Known(y), TaintedBit::Known(borrow)) => {
                let (difference, borrow) = self.concrete.sub(x, y, borrow);
                return (Taint::Known(difference), TaintedBit::Known(borrow));
            }
            (_, _, TaintedBit::Known(borrow)) if x == y => {
                let zero = W::truncate(0);
                let (difference, borrow) = self.concrete.sub(&zero, &zero, borrow);
                return (Taint::Known(difference), TaintedBit::Known(borrow));
            }
            (Taint::Pointer(to), Taint::Pointer(from), _) => {
                if let Some(difference) = self.distance(*to, *from, *borrow) {
                    return difference;
                }
            }
            (Taint::Pointer(pointer), Taint::Known(by), _) => {
                if let Some(moved) = self.moved_by(*pointer, *by, *borrow, Direction::Down) {
                    return moved;
                }
            }
            (Taint::Known(by), Taint::Pointer(pointer), _) => {
                if let Some(moved) = self.moved_by(*pointer, *by, *borrow, Direction::Negated) {
                    return moved;
                }
            }
            _ => {}
        }
        if x == y {
            // nothing but the borrow is left, and leaves again
            return (self.mixed(&[], *borrow).0, *borrow);
        }
        self.mixed(&[x, y], *borrow)
    }
    fn mul(&mut self, x: &Taint<W>, y: &Taint<W>) -> (Taint<W>, Taint<W>) {
        let zero = Taint::Known(W::truncate(0));
        match (x, y) {
            (Taint::Known(x), Taint::Known(y)) => {
                let (low, high) = self.concrete.mul(x, y);
                (Taint::Known(low), Taint::Known(high))
            }
            _ if *x == zero || *y == zero => (zero, zero),
            _ => self.two(x, y),
        }
    }
    fn carryless_mul(&mut self, x: &Taint<W>, y: &Taint<W>) -> (Taint<W>, Taint<W>) {
        let zero = Taint::Known(W::truncate(0));
        match (x, y) {
            (Taint::Known(x), Taint::Known(y)) => {
                let (low, high) = self.concrete.carryless_mul(x, y);
                (Taint::Known(low), Taint::Known(high))
            }
            _ if *x == zero || *y == zero => (zero, zero),
            _ => self.two(x, y),
        }
    }
    fn and(&mut self, x: &Taint<W>, y: &Taint<W>) -> Taint<W> {
        if let (Taint::Pointer(pointer), Taint::Known(mask)) | (Taint::Known(mask), Taint::Pointer(pointer)) =
            (x, y)
            && let Some(left) = self.masked(*pointer, *mask)
        {
            return left;
        }
        self.bitwise(x, y, Bitwise::And)
    }
    fn or(&mut self, x: &Taint<W>, y: &Taint<W>) -> Taint<W> {
        self.bitwise(x, y, Bitwise::Or)
    }
    fn xor(&mut self, x: &Taint<W>, y: &Taint<W>) -> Taint<W> {
        self.bitwise(x, y, Bitwise::Xor)
    }
    fn shift_right(&mut self, x: &Taint<W>, top: &TaintedBit) -> (Taint<W>, TaintedBit) {
        let out = self.bit_of(x, 0);
        match (x, top) {
            (Taint::Known(x), TaintedBit::Known(top)) => {
                (Taint::Known(self.concrete.shift_right(x, top).0), out)
            }
            _ => (self.mixed(&[x], *top).0, out),
        }
    }
    fn rotate_left(&mut self, x: &Taint<W>, places: u32) -> Taint<W> {
        match x {
            Taint::Known(x) => Taint::Known(self.concrete.rotate_left(x, places)),
            _ => self.mixed(&[x], TaintedBit::Known(false)).0,
        }
    }
    fn split(&mut self, x: &Taint<W>, places: u32) -> (Taint<W>, Taint<W>) {
        let zero = Taint::Known(W::truncate(0));
        match x {
            Taint::Known(x) => {
                let (low, high) = self.concrete.split(x, places);
                (Taint::Known(low), Taint::Known(high))
            }
            _ if places == 0 => (zero, *x),
            _ if places == W::BITS => (*x, zero),
            _ => self.cut(x, places, 0),
        }
    }
    fn shift_left(&mut self, x: &Taint<W>, places: u32) -> (Taint<W>, Taint<W>) {
        let zero = Taint::Known(W::truncate(0));
        match x {
            Taint::Known(x) => {
                let (low, high) = self.concrete.shift_left(x, places);
                (Taint::Known(low), Taint::Known(high))
            }
            _ if places == 0 => (*x, zero),
            _ if places == W::BITS => (zero, *x),
            _ => self.cut(x, W::BITS - places, places),
        }
    }
    fn bit_of(&mut self, x: &Taint<W>, place: u32) -> TaintedBit {
        match x {
            Taint::Known(x) => TaintedBit::Known(self.concrete.bit_of(x, place)),
            _ => match self.bits_of(x) {
                Bits { ones, .. } if ones >> place & 1 == 1 => TaintedBit::Known(true),
                Bits { zeros, .. } if zeros >> place & 1 == 1 => TaintedBit::Known(false),
                _ => TaintedBit::of(self.hidden(&[x])),
            },
        }
    }
    fn with_bit(&mut self, x: &Taint<W>, place: u32, bit: &TaintedBit) -> Taint<W> {
        match (x, bit) {
            (Taint::Known(x), TaintedBit::Known(bit)) => Taint::Known(self.concrete.with_bit(x, place, bit)),
            _ => self.mixed(&[x], *bit).0,
        }
    }
    fn is_zero(&mut self, x: &Taint<W>) -> TaintedBit {
        match x {
            Taint::Known(x) => TaintedBit::Known(self.concrete.is_zero(x)),
            Taint::Placed(unknown) | Taint::Secret(unknown) if unknown.not_zero => TaintedBit::Known(false),
            _ if self.bits_of(x).ones != 0 => TaintedBit::Known(false),
            Taint::Pointer(pointer)
                if Self::top() == 0
                    && self.place_of(pointer.base).is_some_and(|place| place.holds(pointer.offset)) =>
            {
                TaintedBit::Known(false)
            }
            _ => TaintedBit::of(self.hidden(&[x])),
        }
    }
    fn carry_into(&mut self, place: u32, x: &Taint<W>, y: &Taint<W>, result: &Taint<W>) -> TaintedBit {
        match (x, y, result) {
            (Taint::Known(x), Taint::Known(y), Taint::Known(result)) => {
                TaintedBit::Known(self.concrete.carry_into(place, x, y, result))
            }
            // a word less itself
            (_, _, Taint::Known(result)) if x == y => TaintedBit::Known(self.concrete.bit_of(result, place)),
            _ => TaintedBit::of(self.hidden(&[x, y, result])),
        }
    }
    fn select(&mut self, bit: &TaintedBit, x: &Taint<W>, y: &Taint<W>) -> Taint<W> {
        match bit {
            TaintedBit::Known(true) => *x,
            TaintedBit::Known(false) => *y,
            _ if x == y => *x,
            _ => {
                let (one, other) = (self.bits_of(x), self.bits_of(y));
                let bits = Bits { ones: one.ones & other.ones, zeros: one.zeros & other.zeros };
                let origin = either(bit.origin(), either(x.origin(), y.origin()));
                self.unknown_with(origin.unwrap_or(Hidden::Secret), bits, false)
            }
        }
    }
    fn bit_and(&mut self, x: &TaintedBit, y: &TaintedBit) -> TaintedBit {
        match (x, y) {
            (TaintedBit::Known(false), _) | (_, TaintedBit::Known(false)) => TaintedBit::Known(false),
            (TaintedBit::Known(true), other) | (other, TaintedBit::Known(true)) => *other,
            _ => mixed_bit(*x, *y),
        }
    }
    fn bit_or(&mut self, x: &TaintedBit, y: &TaintedBit) -> TaintedBit {
        match (x, y) {
            (TaintedBit::Known(true), _) | (_, TaintedBit::Known(true)) => TaintedBit::Known(true),
            (TaintedBit::Known(false), other) | (other, TaintedBit::Known(false)) => *other,
            _ => mixed_bit(*x, *y),
        }
    }
    fn bit_xor(&mut self, x: &TaintedBit, y: &TaintedBit) -> TaintedBit {
        match (x, y) {
            (TaintedBit::Known(x), TaintedBit::Known(y)) => TaintedBit::Known(x ^ y),
            _ => mixed_bit(*x, *y),
        }
    }
    fn bit_not(&mut self, x: &TaintedBit) -> TaintedBit {
        match x {
            TaintedBit::Known(x) => TaintedBit::Known(!x),
            _ => mixed_bit(*x, *x),
        }
    }
    /// A secret.
    fn arbitrary(&mut self) -> Taint<W> {
        self.unknown(Hidden::Secret)
    }
    /// Bits that are not known have no identity: here it only counts what is public.
    fn same_bit(&mut self, x: &TaintedBit, y: &TaintedBit) -> bool {
        x == y
    }
    fn same(&self, x: &Taint<W>, y: &Taint<W>) -> bool {
        x == y
    }
    fn pointer(&mut self, base: u32, offset: i64, address: u64, part: u32) -> Taint<W> {
        Taint::Pointer(Pointer { base, offset, address, part })
    }
    fn placed(&mut self, _: u64) -> Taint<W> {
        self.unknown(Hidden::Place)
    }
    fn lies(&mut self, base: u32, offsets: RangeInclusive<i64>, alignment: u64, _: bool) {
        let (least, most) = offsets.into_inner();
        if let Some(free) = self.places.iter_mut().find(|place| place.is_none()) {
            *free = Some(KnownAddress { base, least, most, alignment });
        }
    }
    fn address(&self, words: &[&Taint<W>]) -> Option<(Base, u64)> {
        if let Some(whole) = whole(words) {
            return Some((Base::Of(whole.base), whole.address));
        }
        let number =
            words.iter().rev().try_fold(0, |sum, word| Some(sum << W::BITS | self.known_word(word)?));
        number.map(|number| (Base::Constant, number))
    }
    fn moved<const N: usize>(&mut self, words: [&Taint<W>; N], by: i64) -> Option<[Taint<W>; N]> {
        if let Some(whole) = whole(&words) {
            let target = whole.moved(by, W::BITS);
            return Some(std::array::from_fn(|part| Taint::Pointer(Pointer { part: part as u32, ..target })));
        }
        let (_, address) = self.address(&words)?;
        let address = address.wrapping_add_signed(by);
        Some(std::array::from_fn(|part| self.word(address >> (W::BITS * part as u32))))
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
            TaintedBit::Known(true) => *x,
            TaintedBit::Known(false) => *y,
            _ if x == y => *x,
            _ => mixed_bit(mixed_bit(*x, *y), *bit),
        };
        self.joins.then(|| (words, bits.iter().map(both).collect()))
    }
}

/// What is computed from two bits of which at least one is not known.
fn mixed_bit(x: TaintedBit, y: TaintedBit) -> TaintedBit {
    TaintedBit::of(either(x.origin(), y.origin()).unwrap_or(Hidden::Secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: TaintedBit = TaintedBit::Secret;

    const fn known(bit: bool) -> TaintedBit {
        TaintedBit::Known(bit)
    }

    #[test]
    fn what_comes_from_a_secret_is_secret() {
        let mut d = Secrets::<u8>::new();
        let (s, t, five) = (d.arbitrary(), d.arbitrary(), d.word(5));
        assert!(!d.same(&s, &t) && d.same(&s, &s));
        let words = [
            d.add(&s, &five, &known(false)).0,
            d.sub(&five, &s, &known(false)).0,
            d.sub(&s, &s, &SECRET).0,
            d.mul(&s, &five).1,
            d.and(&s, &five),
            d.or(&s, &t),
            d.xor(&s, &t),
            d.shift_right(&s, &known(false)).0,
            d.rotate_left(&s, 4),
            d.split(&s, 4).0,
            d.split(&s, 4).1,
            d.shift_left(&s, 4).0,
            d.shift_left(&s, 4).1,
            d.with_bit(&five, 1, &SECRET),
            d.select(&SECRET, &s, &five),
        ];
        assert!(words.iter().all(|word| d.known_word(word).is_none()));
        let bits = [
            d.add(&s, &five, &known(false)).1,
            d.sub(&five, &s, &known(false)).1,
            d.shift_right(&s, &known(false)).1,
            d.bit_of(&s, 0),
            d.is_zero(&s),
            d.carry_into(4, &s, &five, &five),
            d.bit_and(&SECRET, &known(true)),
            d.bit_or(&SECRET, &known(false)),
            d.bit_xor(&SECRET, &known(true)),
            d.bit_not(&SECRET),
        ];
        assert!(bits.iter().all(|bit| d.known_bit(bit).is_none()));
    }

    #[test]
    fn what_is_the_same_for_all_secrets_is_public() {
        let mut d = Secrets::<u8>::new();
        let (s, zero, ones) = (d.arbitrary(), d.word(0), d.word(0xff));
        assert_eq!(d.xor(&s, &s), zero);
        assert_eq!(d.sub(&s, &s, &known(false)), (zero, known(false)));
        assert_eq!(d.sub(&s, &s, &known(true)), (ones, known(true)));
        assert_eq!(d.sub(&s, &s, &SECRET).1, SECRET);
        assert_eq!(d.mul(&s, &zero), (zero, zero));
        assert_eq!(d.and(&zero, &s), zero);
        assert_eq!(d.or(&s, &ones), ones);
        assert_eq!(d.and(&s, &s), s);
        assert_eq!(d.bit_and(&SECRET, &known(false)), known(false));
        assert_eq!(d.bit_or(&known(true), &SECRET), known(true));
        assert_eq!(d.select(&SECRET, &s, &s), s);
        assert_eq!(d.carry_into(4, &s, &s, &ones), known(true));
        assert_eq!(d.shift_right(&ones, &SECRET).1, known(true));
        assert_eq!((d.split(&s, 0), d.split(&s, 8)), ((zero, s), (s, zero)));
        assert_eq!((d.shift_left(&s, 0), d.shift_left(&s, 8)), ((s, zero), (zero, s)));
    }

    #[test]
    fn what_both_sides_of_a_secret_branch_agree_on_stays_public() {
        let mut d = Secrets::<u8>::joining();
        let (s, one, two) = (d.arbitrary(), d.word(1), d.word(2));
        let bits = [(known(true), known(true)), (known(true), known(false)), (SECRET, SECRET)];
        let (words, bits) = d.join(&SECRET, &[(one, one), (one, two), (s, s), (s, one)], &bits).unwrap();
        assert_eq!((words[0], words[2]), (one, s));
        assert!(matches!((words[1], words[3]), (Taint::Secret(x), Taint::Secret(y)) if x != y));
        assert_eq!(bits, [known(true), SECRET, SECRET]);
        assert!(Secrets::<u8>::new().join(&SECRET, &[], &[]).is_none());
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
        assert_eq!(d.known_word(&kept), Some(0x80));
        let chosen = d.select(&SECRET, &both, &x);
        assert_eq!(d.known_ones(&chosen), 0x80);
        // what else is computed may have any bits
        let sum = d.add(&x, &y, &known(false)).0;
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
                assert_eq!(d.add(&p, &q, &known(true)), (Taint::Known(sum), known(carry)));
                let (difference, borrow) = concrete.sub(&x, &y, &true);
                assert_eq!(d.sub(&p, &q, &known(true)), (Taint::Known(difference), known(borrow)));
                assert_eq!(d.and(&p, &q), Taint::Known(x & y));
                assert_eq!(d.or(&p, &q), Taint::Known(x | y));
                assert_eq!(d.xor(&p, &q), Taint::Known(x ^ y));
            }
        }
    }
}
