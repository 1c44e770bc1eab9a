//! Limbs that are no full words: numbers as sums of words at other weights.

use crate::error::{ContractError, short};
use num_bigint::{BigInt, BigUint};
use std::fmt;

/// Most limbs until their bits repeat.
const MOST_TURNS: usize = 16;
/// How many times its own radix a limb may be said to reach, and in what parts of a time.
const MOST_TIMES: u32 = 1 << 12;
const PARTS: u32 = 100;
/// What begins them, and what stands before the bits of a word.
pub(crate) const LIMBS: &str = "limbs";
const OF: &str = "of";
/// What stands before them where they are numbers below zero, too.
const SIGNED: &str = "signed";
/// What marks a bound of each limb, and what it is a multiple of.
const EACH: &str = "[i]<";
const LIMB: &str = "limb";
/// What can stand there.
const VALID: &str = "limbs 31 of 32, limbs 26,25 of 32, signed limbs 26,25 of 32";

/// Limbs of 31 bits in words of 32, or of 26 and 25 bits by turns; and what they are below. Signed ones are so far from zero on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limbs {
    /// Their bits, the lowest first, by turns.
    bits: [u8; MOST_TURNS],
    turns: u8,
    word_bits: u8,
    is_signed: bool,
    /// The limbs of operands, and of the result, are below so many hundredths of 2^bits.
    operands: [u32; 2],
    result: u32,
}

impl Limbs {
    /// Takes what is said of limbs out of a contract's words.
    pub(crate) fn cut<'a>(
        words: &[&'a str],
        operands: &[&str],
    ) -> Result<(Option<Limbs>, Vec<&'a str>), ContractError> {
        let is_bound = |word: &&&str| word.contains(EACH);
        let Some(at) = words.iter().position(|word| *word == LIMBS) else {
            let is_fault = |word: &&&str| is_bound(word) || **word == SIGNED;
            return match words.iter().find(is_fault) {
                Some(bound) => Err(ContractError::Limbs { given: short(bound), valid: VALID }),
                None => Ok((None, words.to_vec())),
            };
        };
        let fault = |given: &str| ContractError::Limbs { given: short(given), valid: VALID };
        let [bits, of, word] = words[at + 1..].first_chunk().ok_or_else(|| fault(LIMBS))?;
        if *of != OF {
            return Err(fault(of));
        }
        let word_bits = word.parse().ok().filter(|bits| [8, 16, 32].contains(bits));
        let is_signed = words[..at].last() == Some(&SIGNED);
        let mut limbs = Limbs {
            bits: [0; MOST_TURNS],
            turns: 0,
            word_bits: word_bits.ok_or_else(|| fault(word))?,
            is_signed,
            operands: [PARTS; 2],
            result: PARTS,
        };
        for digits in bits.split(',') {
            let own = digits.parse().ok().filter(|own| (1..=limbs.word_bits).contains(own));
            let place = limbs.bits.get_mut(usize::from(limbs.turns));
            *place.ok_or_else(|| fault(bits))? = own.ok_or_else(|| fault(digits))?;
            limbs.turns += 1;
        }
        let rest = words[..at - usize::from(is_signed)].iter().chain(&words[at + 4..]);
        let (bounds, others): (Vec<&str>, Vec<&str>) = rest.partition(|word| word.contains(EACH));
        let mut seen = Vec::new();
        for bound in bounds {
            let (name, times) = bound.split_once(EACH).unwrap_or_default();
            let times = times.strip_suffix(LIMB).and_then(|times| match times {
                "" => Some(PARTS),
                _ => hundredths(times.strip_suffix('*')?)
                    .filter(|times| (1..=MOST_TIMES * PARTS).contains(times)),
            });
            let place = match operands.iter().position(|own| *own == name) {
                Some(index) => limbs.operands.get_mut(index),
                None if name == "r" => Some(&mut limbs.result),
                None => None,
            };
            let valid = "a[i]<limb, a[i]<1.5*limb, r[i]<2*limb";
            let wrong = || ContractError::Condition { given: short(bound), valid: valid.to_owned() };
            *place.ok_or_else(wrong)? = times.ok_or_else(wrong)?;
            if seen.contains(&name) {
                return Err(ContractError::Twice(format!("a bound of the limbs of {name}")));
            }
            seen.push(name);
        }
        Ok((Some(limbs), others))
    }

    /// Whether all are below their own 2^bits.
    pub(crate) fn is_canonical(&self) -> bool {
        (self.operands, self.result, self.is_signed) == ([PARTS; 2], PARTS, false)
    }

    /// Bits of the words in which they lie.
    pub fn word_bits(&self) -> u32 {
        self.word_bits.into()
    }

    fn bits(&self, index: usize) -> u32 {
        self.bits[index % usize::from(self.turns)].into()
    }

    /// The exponent of the weight of a limb.
    pub fn weight(&self, index: usize) -> u32 {
        let turns = usize::from(self.turns);
        let whole: u32 = (0..turns).map(|turn| self.bits(turn)).sum();
        whole * (index / turns) as u32 + (0..index % turns).map(|turn| self.bits(turn)).sum::<u32>()
    }

    /// The fewest limbs that hold numbers of so many bits.
    pub fn count(&self, bits: u32) -> u32 {
        let turns: u32 = self.weight(self.turns.into());
        let least = (bits / turns) as usize * usize::from(self.turns);
        (least..).find(|count| self.weight(*count) >= bits).unwrap_or(least) as u32
    }

    /// Whether they are numbers below zero, too, in two's complement.
    pub fn is_signed(&self) -> bool {
        self.is_signed
    }

    /// In how many words of a processor each lies.
    pub fn words_of_each(&self, word_bits: u32) -> usize {
        (u32::from(self.word_bits) / word_bits).max(1) as usize
    }

    /// The limbs that a processor's words make.
    pub fn joined(&self, word_bits: u32, words: &[u64]) -> Vec<u64> {
        let limb = |words: &[u64]| words.iter().rev().fold(0, |limb, word| limb << (word_bits % 64) | word);
        words.chunks(self.words_of_each(word_bits)).map(limb).collect()
    }

    /// The words of a processor in which limbs lie, the lowest first.
    pub fn parted(&self, word_bits: u32, limbs: &[u64]) -> Vec<u64> {
        let ones = u64::MAX >> (64 - word_bits);
        let words = 0..self.words_of_each(word_bits) as u32;
        limbs
            .iter()
            .flat_map(|limb| words.clone().map(move |word| limb >> (word_bits * word) & ones))
            .collect()
    }

    /// The largest limb of an operand; of signed ones the smallest is as far below zero.
    pub fn most(&self, operand: usize, index: usize) -> u64 {
        self.times(self.operands[operand.min(1)], index)
    }

    /// The largest limb of the result.
    pub fn most_of_result(&self, index: usize) -> u64 {
        self.times(self.result, index)
    }

    fn times(&self, times: u32, index: usize) -> u64 {
        let below = (u64::from(times) << self.bits(index)).div_ceil(PARTS.into());
        let bits = self.word_bits - u8::from(self.is_signed);
        below.saturating_sub(1).min((1 << bits) - 1)
    }

    /// What a limb counts.
    pub fn value(&self, limb: u64) -> i64 {
        let is_negative = self.is_signed && limb >> (self.word_bits - 1) & 1 == 1;
        limb as i64 - (i64::from(is_negative) << self.word_bits)
    }

    /// The number that limbs make.
    pub fn number(&self, limbs: &[u64]) -> BigInt {
        let terms = limbs.iter().enumerate();
        terms.map(|(index, limb)| BigInt::from(self.value(*limb)) << self.weight(index) as usize).sum()
    }

    /// A limb that an operand may have, for each word; that of a word of all ones is the largest, and of the word below the smallest.
    pub fn fitting(&self, operand: usize, index: usize, word: u64) -> u64 {
        let ones = u64::MAX >> (64 - self.word_bits);
        let most = self.most(operand, index);
        match (self.is_signed, ones - word) {
            (_, 0) => most,
            (false, _) => word % (most + 1),
            (true, 1) => most.wrapping_neg() & ones,
            (true, _) => (word % (2 * most + 1)).wrapping_sub(most) & ones,
        }
    }

    /// Whether an operand may have these limbs.
    pub fn are_small(&self, operand: usize, limbs: &[u64]) -> bool {
        let mut own = limbs.iter().enumerate();
        own.all(|(index, limb)| self.value(*limb).unsigned_abs() <= self.most(operand, index))
    }

    /// Limbs that an operand may have, for all its words.
    pub fn all_fitting(&self, operand: usize, words: &[u64]) -> Vec<u64> {
        words.iter().enumerate().map(|(index, word)| self.fitting(operand, index, *word)).collect()
    }

    /// A number in so many limbs, each below its radix; what is above is left out.
    pub fn split(&self, number: &BigUint, count: u32) -> Vec<u64> {
        let limb = |index: usize| {
            let rest = number >> self.weight(index) as usize;
            rest.iter_u64_digits().next().unwrap_or(0) & ((1 << self.bits(index)) - 1)
        };
        (0..count as usize).map(limb).collect()
    }

    /// Prints them, with the bounds of operands of these names.
    pub(crate) fn print(&self, operands: &[&str], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits: Vec<String> = self.bits[..usize::from(self.turns)].iter().map(u8::to_string).collect();
        let signed = if self.is_signed { format!(" {SIGNED}") } else { String::new() };
        write!(f, "{signed} {LIMBS} {} {OF} {}", bits.join(","), self.word_bits)?;
        let bounds = operands.iter().zip(self.operands).chain(std::iter::once((&"r", self.result)));
        bounds
            .filter(|(_, times)| *times != PARTS)
            .try_for_each(|(name, times)| write!(f, " {name}{EACH}{}*{LIMB}", decimal(times)))
    }
}

/// A decimal number with two digits behind the point at most, in hundredths.
fn hundredths(text: &str) -> Option<u32> {
    let (whole, behind) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    if !is_number(whole) || !is_number(behind) || behind.len() > 2 {
        return None;
    }
    let parts: u32 = format!("{behind:0<2}").parse().ok()?;
    whole.parse::<u32>().ok()?.checked_mul(PARTS)?.checked_add(parts)
}

fn decimal(times: u32) -> String {
    let (whole, parts) = (times / PARTS, times % PARTS);
    match parts {
        0 => whole.to_string(),
        _ => format!("{whole}.{parts:02}").trim_end_matches('0').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_go_by_turns() {
        let (limbs, rest) =
            Limbs::cut(&["p", "limbs", "26,25", "of", "32", "a[i]<3*limb", "b<p"], &["a", "b"]).unwrap();
        let limbs = limbs.unwrap();
        assert_eq!(rest, ["p", "b<p"]);
        assert_eq!([0, 1, 2, 3, 10].map(|index| limbs.weight(index)), [0, 26, 51, 77, 255]);
        assert_eq!((limbs.count(255), limbs.count(256), limbs.count(51), limbs.count(1)), (10, 11, 2, 1));
        assert_eq!((limbs.most(0, 1), limbs.most(1, 1)), ((3 << 25) - 1, (1 << 25) - 1));
        let number = BigUint::from(3u8) << 76usize;
        assert_eq!(limbs.split(&number, 5), [0, 0, 1 << 25, 1, 0]);
        assert_eq!(limbs.number(&limbs.split(&number, 5)), number.into());
    }
}
