//! Words that a bit chooses of two others, and the routines that choose, by masks.
//!
//! A routine is known to choose by its execution over normal forms, with masks that are any bit. Where it is called, its results are
//! new words of which nothing is known but what they were chosen of.

use crate::routines::refused;
use rhomb_anf::{Bit, NormalForms, Word};
use rhomb_certificate::Checkable;
use rhomb_field::binary::BinaryField;
use rhomb_machine::{Access, Buffer, Callee, Calls, Domain, Fault, Outcome};
use std::collections::HashMap;

/// Products of bits that a routine which chooses may take.
const EFFORT: u64 = 1 << 32;

/// What chooses calls nothing: whole programs that might choose are not executed.
struct Alone;

impl Calls<NormalForms> for Alone {
    fn callee(&mut self, _: u64) -> Result<Option<Callee>, Fault> {
        Err(refused("a call of what might choose"))
    }

    fn result(&mut self, _: &mut NormalForms, _: u64, _: &[Vec<Word>]) -> Result<Outcome<Word>, Fault> {
        Err(refused("a call of what might choose"))
    }
}

/// The bits of the number of an entry, where one of several is chosen.
const BITS: usize = 3;
/// Those where numbers are known.
const OF_KNOWN: [usize; 2] = [BITS, BITS + 1];

/// What a word was chosen of.
#[derive(Clone)]
pub(crate) struct Choice {
    pub(crate) bit: Bit,
    /// Where the bit is zero.
    pub(crate) unset: Word,
    /// Where it is one.
    pub(crate) set: Word,
}

/// All words that were chosen.
#[derive(Default)]
pub(crate) struct Choices {
    /// By the number of their lowest bit.
    unknown: HashMap<u64, Choice>,
    /// The words of numbers that, chosen of two by a mask of its own, such as k or n - k, have bits that are inputs, so that digits can be
    /// made of them.
    with_digits: Option<u32>,
    /// Those whose bits are inputs.
    drawn: Vec<(Word, Choice)>,
}

/// The number of a word's lowest bit, of which nothing is known.
pub(crate) fn number_of(word: &Word) -> Option<u64> {
    match word {
        Word::Bits(bits) => match bits.first() {
            Some(Bit::Unknown(number)) => Some(*number),
            _ => None,
        },
        _ => None,
    }
}

impl Choices {
    /// Those of a program that makes digits of a number of so many words that it chose.
    pub(crate) fn with_digits(count: usize) -> Self {
        Choices { with_digits: Some(count as u32), ..Choices::default() }
    }

    /// What every word of a number was chosen of, where one bit chose all.
    pub(crate) fn sides(&self, words: &[Word]) -> Option<(Bit, Vec<Word>, Vec<Word>)> {
        let choices: Vec<_> = words.iter().map(|word| self.of(word)).collect();
        let bit = choices.iter().flatten().map(|choice| &choice.bit).next()?.clone();
        let mut both = (Vec::new(), Vec::new());
        for (word, choice) in words.iter().zip(choices) {
            let (unset, set) = match choice {
                Some(own) if own.bit == bit => (&own.unset, &own.set),
                // the same in both
                _ => (word, word),
            };
            both.0.push(unset.clone());
            both.1.push(set.clone());
        }
        Some((bit, both.0, both.1))
    }

    /// What a routine that chooses so makes of operands, which is noted.
    pub(crate) fn result(
        &mut self,
        domain: &mut NormalForms,
        shape: &Shape,
        operands: &[Vec<Word>],
    ) -> Result<Outcome<Word>, Fault> {
        let has_digits = match shape {
            Shape::Pick { mask: 0, words } => self.with_digits == Some(*words),
            _ => false,
        };
        let mut choose = |domain: &mut NormalForms, bit: &Bit, unset: &Word, set: &Word| {
            self.chosen(domain, bit, (unset, set), has_digits)
        };
        let words = shape.applied(domain, operands, &mut choose);
        words.map(Outcome::from).ok_or_else(|| refused("a choice under what is not known to be a mask"))
    }

    /// The word that a bit chooses: with bits that are inputs where that is wanted, so that digits can be made of them.
    fn chosen(
        &mut self,
        domain: &mut NormalForms,
        bit: &Bit,
        (unset, set): (&Word, &Word),
        has_digits: bool,
    ) -> Word {
        match bit {
            Bit::Known(false) => return unset.clone(),
            Bit::Known(true) => return set.clone(),
            _ if unset == set => return unset.clone(),
            _ => {}
        }
        let choice = Choice { bit: bit.clone(), unset: unset.clone(), set: set.clone() };
        let word = if has_digits { domain.input() } else { domain.arbitrary() };
        match number_of(&word) {
            Some(number) => drop(self.unknown.insert(number, choice)),
            None => self.drawn.push((word.clone(), choice)),
        }
        word
    }

    /// What a word was chosen of.
    pub(crate) fn of(&self, word: &Word) -> Option<&Choice> {
        match number_of(word) {
            Some(number) => self.unknown.get(&number),
            None => self.drawn.iter().rev().find(|(own, _)| own == word).map(|(_, choice)| choice),
        }
    }

    /// The word that was drawn for a choice.
    pub(crate) fn drawn(&self, bit: &Bit, unset: &Word, set: &Word) -> Option<&Word> {
        let is_own = |choice: &Choice| choice.bit == *bit && choice.unset == *unset && choice.set == *set;
        self.drawn.iter().find(|(_, choice)| is_own(choice)).map(|(word, _)| word)
    }
}

/// What a routine that chooses does to so many words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Two runs, one behind the other, are exchanged.
    Exchange { words: u32 },
    /// The second run of two, by a mask among words.
    Pick { words: u32, mask: u32 },
    /// The second operand, by a mask behind the first.
    Either { words: u32 },
    /// One of the words of eight numbers with the same place, which stand together, by a mask for each.
    Select { words: u32 },
    /// One of known numbers, by a mask for each, or of two where there is one more mask behind them: then those where that is set
    /// come second.
    Known { numbers: Vec<Vec<u64>>, is_signed: bool },
    /// No choice, but what is left of a number when it is divided by a polynomial over GF(2), given by its exponents, the highest first.
    Remainder { words: u32, exponents: Vec<usize> },
}

impl Shape {
    /// Those that routines on numbers of so many words may have.
    pub(crate) fn of(count: u32) -> Vec<Shape> {
        let exchanges = (1..=4).map(|numbers| Shape::Exchange { words: numbers * count });
        let picks = [(1, 0), (1, 1 << BITS), (2, 0)];
        let picks = picks.map(|(numbers, mask)| Shape::Pick { words: numbers * count, mask });
        let selects =
            (1..=count).filter(|words| count.is_multiple_of(*words)).map(|words| Shape::Select { words });
        let eithers = [1, 2].map(|numbers| Shape::Either { words: numbers * count });
        exchanges.chain(picks).chain(eithers).chain(selects).collect()
    }

    /// What makes an element of GF(2^m) canonical.
    pub(crate) fn remainder(words: u32, field: &BinaryField) -> Shape {
        let polynomial = field.polynomial();
        let exponents = (0..=field.degree()).rev().filter(|at| polynomial.bit(*at)).map(|at| at as usize);
        Shape::Remainder { words, exponents: exponents.collect() }
    }

    /// Those that the routine at an entry may have which chooses one of known numbers of so many words, as far as single masks tell.
    pub(crate) fn of_known(routine: &dyn Checkable, (entry, inner): (u64, bool), count: u32) -> Vec<Shape> {
        let Some(own) = routine.checkable_at(entry, None, inner) else { return Vec::new() };
        let ones = u64::MAX >> (64 - own.word_bits());
        let made = |masks: Vec<bool>| {
            let mut domain = NormalForms::new(own.word_bits(), EFFORT);
            let masks = masks.into_iter().map(|is_set| domain.word(if is_set { ones } else { 0 })).collect();
            let finished = own.over_composed(domain, &buffers(count, vec![masks]), &mut Alone).ok()?;
            let words = finished.buffers.first()?.iter();
            words.map(|word| finished.domain.known_word(word.as_ref()?)).collect::<Option<Vec<u64>>>()
        };
        let known = |bits: usize, is_signed: bool| {
            let signs = if is_signed { 2 } else { 1 };
            let number = |at: usize| {
                let single = (0..1 << bits).map(|entry| entry == at % (1 << bits));
                made(single.chain((is_signed).then_some(at >> bits == 1)).collect())
            };
            let numbers = (0..signs << bits).map(number).collect::<Option<Vec<Vec<u64>>>>()?;
            // what only moves masks may move any words, and what takes no masks is a constant: both are executed
            let is_moved = |number: &Vec<u64>| number.iter().all(|word| [0, ones].contains(word));
            let is_constant = numbers.iter().all(|number| *number == numbers[0]);
            let is_one = !is_constant && !numbers.iter().any(is_moved);
            is_one.then_some(Shape::Known { numbers, is_signed })
        };
        // what reads a mask too many is a fault
        let mut ways = OF_KNOWN.into_iter().flat_map(|bits| [(bits, false), (bits, true)]);
        ways.find_map(|(bits, is_signed)| known(bits, is_signed)).into_iter().collect()
    }

    /// The bit by which one of two numbers is picked, and both: the second where it is set. `None` where it chooses otherwise, and
    /// where the mask is none.
    pub(crate) fn picked<'w>(
        &self,
        domain: &mut NormalForms,
        operands: &'w [Vec<Word>],
    ) -> Option<(Bit, &'w [Word], &'w [Word])> {
        let Shape::Pick { words, .. } = *self else { return None };
        let bit = self.bits(domain, operands)?.pop()?;
        let (unset, set) = operands.first()?.split_at_checked(words as usize)?;
        Some((bit, unset, set))
    }

    fn length(&self) -> u32 {
        match self {
            Shape::Exchange { words } => 2 * words,
            Shape::Pick { words, .. }
            | Shape::Either { words }
            | Shape::Select { words }
            | Shape::Remainder { words, .. } => *words,
            Shape::Known { numbers, .. } => numbers.first().map_or(0, Vec::len) as u32,
        }
    }

    fn operands(&self) -> Vec<u32> {
        match self {
            Shape::Exchange { words } => vec![2 * words, 1],
            Shape::Pick { words, mask } => vec![2 * words, mask + 1],
            Shape::Either { words } => vec![words + 1, *words],
            Shape::Select { words } => vec![words << BITS, 1 << BITS],
            Shape::Known { .. } => vec![self.masks().1.len() as u32],
            Shape::Remainder { words, .. } => vec![*words],
        }
    }

    /// Where the masks stand: the operand and its words.
    fn masks(&self) -> (usize, std::ops::Range<usize>) {
        match *self {
            Shape::Remainder { .. } => (0, 0..0),
            Shape::Exchange { .. } => (1, 0..1),
            Shape::Pick { mask, .. } => (1, mask as usize..mask as usize + 1),
            Shape::Either { words } => (0, words as usize..words as usize + 1),
            Shape::Select { .. } => (1, 0..1 << BITS),
            Shape::Known { ref numbers, is_signed: false } => (0, 0..numbers.len()),
            Shape::Known { ref numbers, is_signed: true } => (0, 0..numbers.len() / 2 + 1),
        }
    }

    /// The bits of the masks; `None` where they are none.
    fn bits(&self, domain: &mut NormalForms, operands: &[Vec<Word>]) -> Option<Vec<Bit>> {
        let (operand, range) = self.masks();
        let masks = operands.get(operand)?.get(range)?;
        let Shape::Known { is_signed: true, .. } = self else { return bits_of(domain, masks) };
        let (entries, sign) = masks.split_at_checked(masks.len().checked_sub(1)?)?;
        Some([bits_of(domain, entries)?, bits_of(domain, sign)?].concat())
    }

    /// The results, of words that `choose` makes of a bit and two others; `None` where masks are none.
    fn applied(
        &self,
        domain: &mut NormalForms,
        operands: &[Vec<Word>],
        choose: &mut impl FnMut(&mut NormalForms, &Bit, &Word, &Word) -> Word,
    ) -> Option<Vec<Word>> {
        if let Shape::Remainder { exponents, .. } = self {
            return remainder(domain, operands.first()?, exponents);
        }
        let bits = self.bits(domain, operands)?;
        let (a, b) = (operands.first()?, operands.last()?);
        let (bit, words) = (bits.first()?, self.length() as usize);
        let mut all = |pairs: &mut dyn Iterator<Item = (&Word, &Word)>| {
            pairs.map(|(unset, set)| choose(domain, bit, unset, set)).collect::<Vec<Word>>()
        };
        Some(match self {
            Shape::Exchange { .. } => {
                let (x, y) = a.split_at(words / 2);
                all(&mut x.iter().zip(y).chain(y.iter().zip(x)))
            }
            Shape::Pick { .. } => all(&mut a[..words].iter().zip(&a[words..])),
            Shape::Either { .. } => all(&mut a[..words].iter().zip(b)),
            Shape::Select { .. } | Shape::Known { .. } | Shape::Remainder { .. } => {
                let entries: Vec<Vec<Word>> = match self {
                    Shape::Known { numbers, .. } => (0..words)
                        .map(|word| numbers.iter().map(|own| domain.word(own[word])).collect())
                        .collect(),
                    _ => a.chunks(1 << BITS).map(<[Word]>::to_vec).collect(),
                };
                let mut chosen = Vec::with_capacity(words);
                for mut own in entries {
                    for bit in &bits {
                        own = own.chunks(2).map(|pair| choose(domain, bit, &pair[0], &pair[1])).collect();
                    }
                    chosen.push(own.pop()?);
                }
                chosen
            }
        })
    }

    /// That the routine at an entry does so, by the convention or its inner one, with what it takes; its result lies apart.
    pub(crate) fn callee(&self, routine: &dyn Checkable, at: (u64, bool)) -> Option<Callee> {
        // what it takes of the stack is shown with it
        let stack_bytes = self.called(routine, at, None)?;
        let stack_bytes = self.called(routine, at, Some(stack_bytes))?;
        let callee = Callee::of_pointers(self.length(), self.operands(), stack_bytes);
        Some(Callee { inner: at.1, ..callee })
    }

    /// The bytes of stack that it takes, where it does so.
    fn called(
        &self,
        routine: &dyn Checkable,
        (entry, inner): (u64, bool),
        stack: Option<u32>,
    ) -> Option<u32> {
        let own = routine.checkable_at(entry, stack, inner)?;
        // a sign that is known leaves products with one bit less
        let signs: &[bool] = match self {
            Shape::Known { is_signed: true, .. } => &[false, true],
            _ => &[false],
        };
        let mut most = 0;
        for sign in signs {
            let mut domain = NormalForms::new(own.word_bits(), EFFORT);
            let operands = self.example(&mut domain, *sign)?;
            let mut choose = |domain: &mut NormalForms, bit: &Bit, unset: &Word, set: &Word| {
                domain.select(bit, set, unset)
            };
            let wanted = self.applied(&mut domain, &operands, &mut choose)?;
            let finished = own.over_composed(domain, &buffers(self.length(), operands), &mut Alone).ok()?;
            let found: Option<Vec<Word>> = finished.buffers[0].iter().cloned().collect();
            if found? != wanted || !finished.breaches.is_empty() {
                return None;
            }
            most = most.max(finished.stack_bytes);
        }
        Some(most)
    }

    /// Operands with any words, and masks that are any bits, but that one of several is set, and the sign that is given.
    fn example(&self, domain: &mut NormalForms, sign: bool) -> Option<Vec<Vec<Word>>> {
        let mut operands: Vec<Vec<Word>> =
            self.operands().into_iter().map(|length| (0..length).map(|_| domain.input()).collect()).collect();
        let (operand, range) = self.masks();
        let bit = |domain: &mut NormalForms| {
            let word = domain.input();
            let bit = domain.bits_of(&word).first().cloned()?;
            Some(Word::from(vec![bit; domain.bits() as usize]))
        };
        let masks = match range.len() {
            0 => return Some(operands),
            1 => vec![bit(domain)?],
            masks => {
                let bits: Option<Vec<Word>> = (0..masks.ilog2()).map(|_| bit(domain)).collect();
                let mut all = one_of(domain, &bits?);
                if all.len() < masks {
                    let ones = u64::MAX >> (64 - domain.bits());
                    all.push(domain.word(if sign { ones } else { 0 }));
                }
                all
            }
        };
        operands[operand].splice(range, masks);
        Some(operands)
    }
}

/// What is left of a number when it is divided by a polynomial over GF(2).
fn remainder(domain: &mut NormalForms, number: &[Word], exponents: &[usize]) -> Option<Vec<Word>> {
    let (bits, degree) = (domain.bits() as usize, *exponents.first()?);
    let mut all = number.to_vec();
    for place in (degree..bits * all.len()).rev() {
        let top = domain.bits_of(&all[place / bits])[place % bits].clone();
        for exponent in exponents {
            let at = place - degree + exponent;
            let mut moved = vec![Bit::Known(false); bits];
            moved[at % bits] = top.clone();
            all[at / bits] = domain.xor(&all[at / bits], &Word::from(moved));
        }
    }
    Some(all)
}

/// The buffers of a call: a result of so many words, and operands.
fn buffers(length: u32, operands: Vec<Vec<Word>>) -> Vec<Buffer<Word>> {
    let result = Buffer { name: "r", length, access: Access::Store, content: None, shares: None };
    let operand = |(name, own): (&'static str, Vec<Word>)| Buffer {
        name,
        length: own.len() as u32,
        access: Access::Load,
        content: Some(own),
        shares: None,
    };
    [result].into_iter().chain(["a", "b"].into_iter().zip(operands).map(operand)).collect()
}

/// The masks of numbers that bits write, the lowest bit first.
fn one_of(domain: &mut NormalForms, bits: &[Word]) -> Vec<Word> {
    let ones = domain.word(u64::MAX >> (64 - domain.bits()));
    let mut masks = vec![ones.clone()];
    for bit in bits {
        let none = domain.xor(bit, &ones);
        let mut with = |bit: &Word| masks.iter().map(|mask| domain.and(mask, bit)).collect::<Vec<Word>>();
        masks = [with(&none), with(bit)].concat();
    }
    masks
}

/// The bit of a mask, or the bits of the number whose mask is set among several.
fn bits_of(domain: &mut NormalForms, masks: &[Word]) -> Option<Vec<Bit>> {
    let bit = |domain: &mut NormalForms, mask: &Word| {
        let bits = domain.bits_of(mask);
        let (first, others) = bits.split_first()?;
        let is_mask = others.iter().all(|other| other == first);
        (is_mask && matches!(first, Bit::Known(_) | Bit::Form(_))).then(|| first.clone())
    };
    if let [mask] = masks {
        return Some(vec![bit(domain, mask)?]);
    }
    let zero = domain.word(0);
    let mut words = Vec::new();
    for place in 0..masks.len().checked_ilog2()? {
        let of_place = masks.iter().enumerate().filter(|(number, _)| number >> place & 1 == 1);
        words.push(of_place.fold(zero.clone(), |sum, (_, mask)| domain.xor(&sum, mask)));
    }
    let is_one_of = one_of(domain, &words) == masks;
    let bits: Option<Vec<Bit>> = words.iter().map(|word| bit(domain, word)).collect();
    bits.filter(|_| is_one_of)
}
