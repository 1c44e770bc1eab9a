//! What random lists of operations are made of.

use rhomb_oracles::Random;

/// Words and bits that programs compute with.
pub(crate) const POOL: usize = 6;

/// An operation of a list, or several that belong together.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Known(u64),
    Add,
    Sub,
    Double,
    /// `x + y < y`.
    CompareSum,
    /// `x < x - y`, and `x - y` once more.
    CompareDifference,
    /// All ones where a bit is set.
    /// `y - x` after `x - y`, and whether `x` is above `y`.
    CompareBack,
    /// `if (s != x) c = s < x` for sums (or differences) of one word, or of two.
    CompareUnequal {
        wide: bool,
        less: bool,
    },
    /// The carry (or borrow) from the highest bits of a sum's (or difference's) terms.
    CarryByTops {
        less: bool,
    },
    /// `x ^ (m & (x ^ y))`.
    ChooseByXor,
    /// A mask, or the difference of two bits, added to a word, or taken from it.
    Step {
        mask: bool,
        less: bool,
        entering: bool,
    },
    /// A word less another one (or their sum), and a step back; both carries joined.
    ThereAndBack {
        less: bool,
    },
    /// Whether a term of a sum (or difference) is zero where that leaves a carry, asked before or after.
    NotZero {
        first: bool,
        less: bool,
    },
    /// A sum of two words, or none of it, as one condition says word by word.
    Guarded {
        high_first: bool,
        constant: bool,
    },
    /// What numbers of several words are to each other, from the top, and their difference; one or another way round.
    Ordered {
        words: usize,
        outcomes: [u64; 3],
        back: bool,
    },
    /// A word and a bit's multiple of a constant, less another word (or the sum), and that other word's negative compared with it.
    CompareBoth {
        less: bool,
    },
    /// `t = y + b; if (t != 0) b = x < t` (or, with another bit or a sum, what looks like it), and `x - t`.
    Kept {
        late: bool,
        other: bool,
        less: bool,
    },
    /// What numbers of several words are to each other, from the highest on, under a mask that is all ones as long as these are the same.
    UnderMask {
        words: usize,
    },
    /// A sum or the word itself, by a condition inside of another one, on sides that are joined, or chosen.
    Paths {
        joined: bool,
        back: bool,
    },
    /// Whether several words are zero, by OR in one order and in another.
    AllZero,
    /// Whether words joined by OR, or what two differ in, are nothing, by the highest bit of a function of that and 1 less, or its negative.
    ZeroByTop {
        differ: bool,
        how: usize,
    },
    /// Masks of borrows less words, and what is borrowed as the next mask.
    MaskLess {
        words: usize,
    },
    /// Whether a sum (or difference) differs from a term of it, by exclusive or.
    Differ {
        less: bool,
    },
    /// A word times a number, that product's low word times the number's negative inverse (or another number), and the word's
    /// negative, before or after.
    Quotient {
        factor: u64,
        exact: bool,
        late: bool,
    },
    /// A word times all ones, and the word's negative, before or after.
    TimesOnes {
        late: bool,
    },
    /// A difference in two steps, and a function of both borrows by the highest bits of all words, one of which may be negated.
    TwoByTops {
        operation: usize,
        negated: bool,
    },
    /// A word and 1 (or a bit, or less 1), and whether that, or the word, is zero.
    UntilZero {
        less: bool,
        by_bit: bool,
    },
    /// A sum (or difference) of a word with few bits' function less that word, or the other way round.
    RestOf {
        less: bool,
        back: bool,
    },
    /// A part of a word under a mask of as many places, or of other ones, by some operation.
    PartMask {
        places: u32,
        operation: usize,
    },
    /// A word and an odd number, or none of it, by the word's lowest bit (or another one), and half of that; on sides that are joined, or
    /// under a mask.
    Halved {
        number: u64,
        joined: bool,
        other: bool,
    },
    /// A word's negative, and what it is chosen against by whether the word is zero, or by another bit.
    Negated {
        joined: bool,
    },
    /// A product by those of halves, or a square with its middle doubled; what the middle leaves is told by a comparison with one of its
    /// parts, or forgotten, and a word is added.
    ByHalves {
        square: bool,
        late: bool,
        back: bool,
        forgets: bool,
    },
    /// 1 that is added to two words, or taken from them, as long as something is carried; or all ones that are added.
    WhileCarried {
        less: bool,
        ones: bool,
    },
    /// A word, all ones and a carry, or its opposite; and whether there is a carry again.
    OnesAndCarry {
        opposite: bool,
    },
    /// The lower parts of two words: their difference, taken apart at a place; one of both, sign-extended or not, by exclusive or; and what
    /// is put together of these, taken apart again.
    Parts {
        places: u32,
        at: u32,
        extended: bool,
    },
    /// A word's negative, or a difference, whose highest bit is chosen against by the borrow, and that beside it.
    TopAndBorrow {
        negative: bool,
    },
    /// One word or another (or a difference), by the highest bit of one, or of what two differ in; and the highest bit of that.
    ChosenByTop {
        differ: bool,
        of: [usize; 2],
    },
    /// A number of several words less another, or nothing (or another word) where all of them are zero, under a mask or by a condition.
    NoneOfZero {
        words: usize,
        number: u64,
        masked: bool,
    },
    /// A word less 1, unless it is zero, and one more step; a number that is taken, and its negative that is added, one way or another.
    OneLess {
        number: u64,
        late: bool,
        added: bool,
    },
    /// Two words and (or less) a row of a product by a word, or nothing, or the other factor alone where that word is 0 or 1 (or another word is,
    /// or it is something else), as it is asked for in one way or another.
    RowLeftOut {
        how: usize,
        halves: bool,
        other: bool,
        less: bool,
    },
    /// What a number of several words is to a constant, word by word from the top (or in another order), each asked for in one way or
    /// another; and whether words joined by AND are all ones.
    ByWords {
        numbers: [u64; 3],
        words: usize,
        how: usize,
        back: bool,
        off: bool,
    },
    Mask,
    Mul,
    And,
    Or,
    Xor,
    Invert,
    HalveWith,
    Rotate(u32),
    Split(u32),
    ShiftLeft(u32),
    BitOf(u32),
    WithBit(u32),
    IsZero,
    CarryInto(u32),
    Select,
    BitAnd,
    BitOr,
    BitXor,
    BitNot,
}

/// An operation on words `x` and `y` and bits `b` and `c`; its results go to words `x` and `z` and bit `c`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) kind: Kind,
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) z: usize,
    pub(crate) b: usize,
    pub(crate) c: usize,
}

/// One at random, on words of so many bits.
pub(crate) fn step(random: &mut Random, bits: u32) -> Step {
    let mut below = |count: u64| random.below(count);
    let ones = u64::MAX >> (64 - bits);
    // halves, single steps, sign bits, and any
    let shifts = [0, 1, 1, bits / 4, bits / 2, bits / 2, bits - 1, bits, below(bits.into()) as u32];
    let places = shifts[below(shifts.len() as u64) as usize];
    let place = [0, bits / 2, bits - 1, below(bits.into()) as u32][below(4) as usize];
    let constants =
        [0, 1, 1 << (bits - 1), ones, ones >> (bits / 2), ones - (ones >> (bits / 2)), 0x5555 & ones];
    let outcomes = [[ones, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1], [5, 3, 9], [1, 0, 1]];
    let factors = [5, 0x93, 197, 0x8f & ones, ones - 2, 3];
    let kind = match below(114) {
        0 => Kind::Known(constants[below(constants.len() as u64) as usize]),
        1..4 => Kind::Add,
        4..7 => Kind::Sub,
        7 => Kind::Double,
        8 | 9 => Kind::Mask,
        10..13 => Kind::Mul,
        13 | 14 => Kind::And,
        15 => Kind::Or,
        16 => Kind::Xor,
        17 => Kind::Invert,
        18 => Kind::HalveWith,
        19 => Kind::Rotate(places % bits),
        20 | 21 => Kind::Split(places),
        22 | 23 => Kind::ShiftLeft(places),
        24 => Kind::BitOf(place),
        25 => Kind::WithBit(place),
        26 => [Kind::IsZero, Kind::CarryInto(place)][below(2) as usize],
        27 | 28 => Kind::Select,
        29 => Kind::BitAnd,
        30 => [Kind::BitOr, Kind::BitNot][below(2) as usize],
        31 => Kind::BitXor,
        32 | 33 => Kind::CompareSum,
        34 | 35 => Kind::CompareDifference,
        36 => Kind::CompareBack,
        37 | 38 => Kind::CompareUnequal { wide: below(2) == 1, less: below(2) == 1 },
        39 | 40 => Kind::CarryByTops { less: below(2) == 1 },
        41 => Kind::ChooseByXor,
        42 | 43 => Kind::Step { mask: below(2) == 1, less: below(2) == 1, entering: below(2) == 1 },
        44 | 45 => Kind::ThereAndBack { less: below(2) == 1 },
        48 | 49 => Kind::Guarded { high_first: below(2) == 1, constant: below(2) == 1 },
        50..53 => Kind::Ordered {
            words: 2 + below(2) as usize,
            outcomes: outcomes[below(6) as usize].map(|outcome| outcome & ones),
            back: below(2) == 1,
        },
        53 => Kind::AllZero,
        54 | 55 => Kind::CompareBoth { less: below(2) == 1 },
        56 | 57 => Kind::Kept { late: below(2) == 1, other: below(4) == 0, less: below(3) > 0 },
        58 | 59 => Kind::UnderMask { words: 2 + below(2) as usize },
        62 | 63 => {
            Kind::Quotient { factor: factors[below(6) as usize], exact: below(4) > 0, late: below(2) == 1 }
        }
        64 => Kind::TimesOnes { late: below(2) == 1 },
        65 | 66 => Kind::TwoByTops { operation: below(3) as usize, negated: below(2) == 1 },
        67 | 68 => Kind::UntilZero { less: below(2) == 1, by_bit: below(3) == 0 },
        69 => Kind::RestOf { less: below(2) == 1, back: below(2) == 1 },
        70 | 71 => Kind::PartMask { places: bits / 2 + below(2) as u32, operation: below(4) as usize },
        72 | 73 => Kind::OnesAndCarry { opposite: below(2) == 1 },
        74 | 75 => {
            Kind::Halved { number: factors[below(6) as usize], joined: below(2) == 1, other: below(4) == 0 }
        }
        81..84 => Kind::WhileCarried { less: below(2) == 1, ones: below(3) > 0 },
        78..81 => Kind::ByHalves {
            square: below(3) == 0,
            late: below(2) == 1,
            back: below(2) == 1,
            forgets: below(6) == 0,
        },
        86..90 => {
            let parts = [bits / 4, bits / 2, bits - 1, 1 + below(u64::from(bits) - 1) as u32];
            let places = parts[below(4) as usize].max(1);
            let at = (places + below(3) as u32).saturating_sub(1).clamp(1, bits - 1);
            Kind::Parts { places, at, extended: below(2) == 1 }
        }
        90..93 => Kind::ZeroByTop { differ: below(2) == 1, how: below(3) as usize },
        96..100 => Kind::ChosenByTop { differ: below(3) > 0, of: [below(4) as usize, below(4) as usize] },
        100..104 => Kind::NoneOfZero {
            words: 1 + below(3) as usize,
            number: constants[below(7) as usize],
            masked: below(2) == 1,
        },
        104..107 => Kind::OneLess {
            number: [1 + below(ones), factors[below(6) as usize], ones][below(3) as usize],
            late: below(2) == 1,
            added: below(2) == 1,
        },
        110..114 => Kind::ByWords {
            numbers: [0; 3].map(|_| [1 + below(ones), ones, ones - 1, 1, 5, ones >> 1][below(6) as usize]),
            words: 1 + below(3) as usize,
            how: below(4) as usize,
            back: below(6) == 0,
            off: below(6) == 0,
        },
        107..110 => Kind::RowLeftOut {
            how: below(5) as usize,
            halves: below(2) == 1,
            other: below(6) == 0,
            less: below(3) == 0,
        },
        93..96 => Kind::MaskLess { words: 1 + below(3) as usize },
        84 | 85 => Kind::TopAndBorrow { negative: below(3) > 0 },
        76 | 77 => Kind::Negated { joined: below(2) == 1 },
        60 | 61 => Kind::Paths { joined: below(2) == 1, back: below(2) == 1 },
        46 => Kind::NotZero { first: below(2) == 1, less: below(2) == 1 },
        _ => Kind::Differ { less: below(2) == 1 },
    };
    let mut word = || random.below(POOL as u64) as usize;
    Step { kind, x: word(), y: word(), z: word(), b: word(), c: word() }
}
