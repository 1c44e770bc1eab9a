//! Operands that let carries run, and that make parts, sums and residues special. Uniform random operands practically
//! never show a lost carry.

use crate::right::number;
use num_bigint::BigUint;
use rhomb_certificate::{AnyModulus, Contract, Expression, Limbs, negative_inverse, words as words_of};
use rhomb_machine::Random;

/// The operands of one call after the other, without end.
pub(crate) struct Inputs {
    word_bits: u32,
    lengths: Vec<usize>,
    edges: Vec<Vec<Vec<u64>>>,
    next: usize,
    random: Random,
    expression: Expression,
    /// What the result is congruent by, where that is a number.
    modulus: Option<BigUint>,
    /// By how many bits the result is moved up before it is compared.
    shift: u32,
    /// Operands, by number, that are below a number.
    below: Vec<(usize, BigUint)>,
    /// What the last operand, a workspace, holds.
    workspace: Option<AnyModulus>,
    /// Limbs that are no full words.
    limbs: Option<Limbs>,
    /// The contract, where operands lie in memory with the highest byte first.
    turned: Option<Contract>,
}

/// What is special about the operands of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Words are extreme.
    Words,
    /// Bytes are 0 or all ones, but for some.
    Bytes,
    /// A power of two, or its negative, and a bit more or less.
    Powers,
    /// Their parts are of these kinds, or differ by such numbers, as a split has it.
    Parts,
    /// They differ, or add up, to such a number.
    Related,
    /// Operands, or what is computed, are close to multiples of the modulus.
    Congruent,
    /// Nothing.
    Any,
}

/// In turn, so that a small budget sees all of them.
const TURNS: [Kind; 12] = [
    Kind::Powers,
    Kind::Words,
    Kind::Congruent,
    Kind::Parts,
    Kind::Powers,
    Kind::Bytes,
    Kind::Related,
    Kind::Powers,
    Kind::Congruent,
    Kind::Parts,
    Kind::Powers,
    Kind::Any,
];

impl Inputs {
    /// For what a contract takes.
    pub(crate) fn of(contract: &Contract, word_bits: u32) -> Self {
        let mut inputs = Inputs::new(word_bits, &contract.operands(word_bits));
        inputs.expression = contract.expression();
        inputs.shift = contract.shift(word_bits);
        if let Some(modular) = contract.modular() {
            let modulus = modular.modulus.number();
            for edges in &mut inputs.edges {
                let length = edges[0].len() as u32;
                let near = [&modulus - 1u8, modulus.clone(), &modulus * 2u8, &modulus * &modulus - 1u8];
                edges.extend(near.map(|number| words_of(&number, word_bits, length)));
                edges.extend(
                    folded(&modulus, word_bits, length).map(|number| words_of(&number, word_bits, length)),
                );
            }
            inputs.modulus = Some(modulus);
        }
        let bounds = |index| contract.bound(index, word_bits).map(|bound| (index, bound));
        inputs.below = (0..inputs.lengths.len()).filter_map(bounds).collect();
        // what is just below another bound than the modulus
        if inputs.below.iter().any(|(_, bound)| Some(bound) != inputs.modulus.as_ref()) {
            for (index, edges) in inputs.edges.iter_mut().enumerate() {
                let length = edges[0].len() as u32;
                let bound =
                    inputs.below.iter().find(|(own, _)| *own == index).map(|(_, bound)| bound.clone());
                let bound = bound.unwrap_or_else(|| BigUint::from(1u8) << (word_bits * length) as usize);
                edges.push(words_of(&(bound - 1u8), word_bits, length));
            }
        }
        inputs.workspace = contract.any_modulus().copied();
        inputs.limbs = contract.limbs;
        inputs.turned = contract.big_endian.operands.then_some(*contract);
        if let Some(modulus) = contract.binary().and_then(|binary| binary.modulus()) {
            let modulus = modulus.number();
            let degree = modulus.bits() as usize - 1;
            for edges in &mut inputs.edges {
                let length = edges[0].len() as u32;
                let power = BigUint::from(1u8) << degree;
                let near = [&modulus << 1usize, modulus.clone(), &power - 1u8, power << (degree - 1)];
                edges.extend(near.map(|number| words_of(&number, word_bits, length)));
            }
        }
        inputs
    }

    /// For operands of so many words each.
    pub(crate) fn new(word_bits: u32, lengths: &[u32]) -> Self {
        let lengths: Vec<usize> = lengths.iter().map(|length| *length as usize).collect();
        let edges = lengths.iter().map(|length| edges(word_bits, *length)).collect();
        Inputs {
            word_bits,
            lengths,
            edges,
            next: 0,
            random: Random::new(1),
            expression: Expression::Product,
            modulus: None,
            shift: 0,
            below: Vec::new(),
            workspace: None,
            limbs: None,
            turned: None,
        }
    }

    /// Edge cases against each other, those of the same number first.
    fn edge(&self, number: usize) -> Option<Vec<Vec<u64>>> {
        let count = self.edges.first()?.len();
        let most = if self.edges.len() == 1 { count } else { count * count };
        let pick = |(operand, edges): (usize, &Vec<Vec<u64>>)| {
            edges[(number + operand * (number / count)) % count].clone()
        };
        (number < most).then(|| self.edges.iter().enumerate().map(pick).collect())
    }

    fn special(&mut self, kind: Kind) -> Vec<Vec<u64>> {
        let choice = self.random.bits();
        let lengths = self.lengths.clone();
        let mut operands: Vec<Vec<u64>> = match kind {
            Kind::Words => {
                let kind = choice % 8;
                lengths.iter().map(|length| self.extreme(kind, *length)).collect()
            }
            Kind::Parts => lengths.iter().map(|length| self.parted(*length)).collect(),
            Kind::Congruent => lengths.iter().map(|length| self.part(*length)).collect(),
            Kind::Bytes | Kind::Powers | Kind::Related | Kind::Any => {
                lengths.iter().map(|length| self.of_kind(kind, *length)).collect()
            }
        };
        match kind {
            Kind::Related => self.relate(&mut operands),
            // a square by a routine for products
            _ if (choice >> 8 & 7 == 0 || kind == Kind::Powers && choice >> 11 & 1 == 0)
                && lengths.len() > 1
                && lengths[0] == lengths[1] =>
            {
                operands[1] = operands[0].clone();
            }
            _ => {}
        }
        operands
    }

    /// A number of so many words that is not made of others.
    fn of_kind(&mut self, kind: Kind, length: usize) -> Vec<u64> {
        match kind {
            Kind::Powers => {
                let number = self.near_power(length);
                words_of(&number, self.word_bits, length as u32)
            }
            Kind::Bytes => self.bytes(length),
            Kind::Any => self.extreme(7, length),
            Kind::Words | Kind::Parts | Kind::Related | Kind::Congruent => {
                let kind = self.random.bits() % 8;
                self.extreme(kind, length)
            }
        }
    }

    fn part(&mut self, length: usize) -> Vec<u64> {
        let kind = *self.random.pick(&[Kind::Powers, Kind::Bytes, Kind::Words, Kind::Any]);
        self.of_kind(kind, length)
    }

    /// `2^k` or its negative, with at most 2 more or less, or a small number, modulo the size.
    fn near_power(&mut self, length: usize) -> BigUint {
        let bits = self.word_bits * length as u32;
        let choice = self.random.bits();
        let power = BigUint::from(1u8) << self.random.below(u64::from(bits) + 1);
        let more = BigUint::from(if choice & 15 == 15 {
            choice >> 40 & 0xff
        } else {
            [0, 0, 1, 1, 2][choice as usize % 5]
        });
        let radix = BigUint::from(1u8) << bits;
        let number = if choice >> 8 & 1 == 0 { &power + more } else { &power + &radix - more };
        if choice >> 9 & 1 == 0 { number } else { 2u8 * &radix - number % &radix }
    }

    /// Bytes of 0 and of all ones, in runs or not, and any among them.
    fn bytes(&mut self, length: usize) -> Vec<u64> {
        let choice = self.random.bits();
        // of eight bytes so many are any; of eight so many are as the one below
        let (any, run) = ([0, 1, 2, 4][choice as usize & 3], [0, 4, 7][(choice >> 2) as usize % 3]);
        // words as a whole, or bytes of them
        let size = if choice >> 8 & 1 == 0 { self.word_bits } else { 8 };
        let (random, mut byte) = (&mut self.random, 0);
        let mut next = || {
            let bits = random.bits();
            if bits >> 3 & 7 >= run {
                byte = if bits & 1 == 0 { 0 } else { u64::MAX };
            }
            (if bits >> 6 & 7 < any { bits >> 16 } else { byte }) & (u64::MAX >> (64 - size))
        };
        let word_bits = self.word_bits;
        let mut word = || (0..word_bits / size).fold(0, |word, _| word << (size % 64) | next());
        (0..length).map(|_| word()).collect()
    }

    /// Parts as splits have them: each special, or all but the lowest as that one with something special more or less.
    fn parted(&mut self, length: usize) -> Vec<u64> {
        let choice = self.random.bits();
        let parts = [2, 2, 4, 3][choice as usize & 3].min(length);
        let size = length.div_ceil(parts);
        let mut words = self.part(size);
        let (low, bits, radix) = (
            number(&words, self.word_bits),
            self.word_bits,
            BigUint::from(1u8) << (self.word_bits as usize * size),
        );
        while words.len() < length {
            let mut more = self.part(size);
            match self.random.below(4) {
                0 => {}
                1 => more = words_of(&(&low + number(&more, bits)), bits, size as u32),
                2 => more = words_of(&(&low + &radix - number(&more, bits)), bits, size as u32),
                _ => more = words_of(&(&low + &radix - self.near_power(size) % &radix), bits, size as u32),
            }
            words.extend(more);
        }
        words.truncate(length);
        words
    }

    /// Makes the last two operands differ by, or add up to, what is close to a power, or has runs.
    fn relate(&mut self, operands: &mut [Vec<u64>]) {
        let [.., a, b] = operands else { return };
        let (length, bits) = (b.len(), self.word_bits);
        let radix = BigUint::from(1u8) << (bits as usize * length);
        let special = self.part(length);
        let (special, known) = (number(&special, bits), number(a, bits) % &radix);
        let other = match self.random.below(3) {
            0 => known + special,
            1 => known + &radix - special,
            _ => special + &radix - known,
        };
        *b = words_of(&other, bits, length as u32);
    }

    /// Makes operands, or what is computed of them, congruent to almost 0.
    fn congruent(&mut self, operands: &mut [Vec<u64>], modulus: &BigUint) {
        let (choice, bits) = (self.random.bits(), self.word_bits);
        let small = BigUint::from([0u64, 1, 2, choice >> 48][choice as usize & 3]);
        let near = |multiple: BigUint| {
            if choice >> 2 & 1 == 0 { multiple + &small } else { multiple + modulus - &small % modulus }
        };
        let length = operands[0].len() as u32;
        let most = BigUint::from(1u8) << (bits * length) as usize;
        // of 0, of few, or of any multiple that fits
        let multiples = match self.expression {
            Expression::Sum => &most * 2u8 / modulus + 1u8,
            _ => &most / modulus + 1u8,
        };
        let multiple = match choice >> 4 & 3 {
            0 => BigUint::from(choice >> 6 & 3) % &multiples,
            1 => multiples - 1u8,
            _ => number(&self.extreme(7, length as usize), bits) % multiples,
        };
        // where one is close to 0 or to the modulus, the other makes sum and difference as large as they may be
        if choice >> 10 & 1 == 0 && operands.len() > 1 {
            let base = if choice >> 11 & 1 == 0 { &most + modulus - &small } else { small.clone() };
            operands[0] = words_of(&base, bits, length);
        }
        let [a, b, ..] = operands else {
            let number = match self.expression {
                // its square is just below a multiple
                Expression::Square => (multiple * modulus * (modulus - 1u8)).sqrt(),
                _ => near(multiple * modulus),
            };
            operands[0] = words_of(&number, bits, length);
            return;
        };
        let known = number(a, bits);
        let other = match self.expression {
            Expression::Sum => &most + near(multiple * modulus) - &known,
            Expression::Difference if choice >> 12 & 1 == 0 => &known + near(multiple * modulus),
            Expression::Difference => &known + &most * 2u8 - near(multiple * modulus) % &most,
            _ if choice >> 8 & 1 == 0 => {
                // the result is almost 0, or almost the modulus
                let target = near(BigUint::ZERO) << self.shift as usize;
                (known % modulus).modinv(modulus).unwrap_or_default() * target % modulus
            }
            // or the product is
            _ if known == BigUint::ZERO => return,
            _ => &known * number(b, bits) / modulus * modulus / known + (choice >> 9 & 1),
        };
        let length = b.len() as u32;
        *b = words_of(&other, bits, length);
    }

    /// Words of which most are extreme.
    fn extreme(&mut self, kind: u64, length: usize) -> Vec<u64> {
        let ones = u64::MAX >> (64 - self.word_bits);
        let half = ones / 2;
        let extremes = [0, ones, 0, 1, half, half + 1, ones - 1, ones];
        // a word in wide ones is a number of its own: halves of it, and what is all but a power
        let low = ones >> (self.word_bits / 2);
        let wider = [low, ones - low, low + 1, low - 1, ones / 3, ones - ones / 3, half + 2, ones - 2];
        let is_wide = self.word_bits > 8;
        let random = &mut self.random;
        let mut word = || {
            let bits = random.bits();
            let choice = (bits >> 8) as usize;
            match kind {
                2 if is_wide => wider[choice % 8],
                // all or nothing
                0..=2 => extremes[choice % 2],
                5 if is_wide => [extremes, wider][choice >> 8 & 1][choice % 8],
                3..=5 => extremes[choice % 8],
                // now and then any word
                6 if !bits.is_multiple_of(4) => extremes[choice % 8],
                _ => (bits >> 16) & ones,
            }
        };
        (0..length).map(|_| word()).collect()
    }
}

impl Iterator for Inputs {
    type Item = Vec<Vec<u64>>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.next;
        self.next += 1;
        // the others in between, so that a small budget sees both
        let edge = if at.is_multiple_of(3) { self.edge(at / 3) } else { None };
        let kind = edge.is_none().then(|| match TURNS[(at - at / 3) % TURNS.len()] {
            // operands of congruent ones are made of powers, too
            Kind::Powers if self.modulus.is_some() => Kind::Congruent,
            kind => kind,
        });
        let mut operands = edge.unwrap_or_else(|| self.special(kind.unwrap_or(Kind::Any)));
        let mut modulus = self.modulus.clone();
        if let (Some(any), Some(workspace)) = (&self.workspace, operands.last_mut()) {
            let ones = u64::MAX >> (64 - self.word_bits);
            let words = any.words(self.word_bits) as usize;
            workspace[0] |= 1;
            workspace[any.inverse as usize] = negative_inverse(workspace[0]) & ones;
            for word in 0..words {
                let negated = if word == 0 { workspace[0].wrapping_neg() } else { !workspace[word] };
                workspace[any.complement as usize + word] = negated & ones;
            }
            modulus = Some(number(&workspace[..words], self.word_bits));
        }
        if let (Some(Kind::Congruent), Some(modulus)) = (kind, modulus) {
            let operands_only = operands.len() - usize::from(self.workspace.is_some());
            self.congruent(&mut operands[..operands_only], &modulus);
        }
        for (index, limit) in &self.below {
            let length = operands[*index].len() as u32;
            let residue = number(&operands[*index], self.word_bits) % limit;
            operands[*index] = words_of(&residue, self.word_bits, length);
        }
        if let Some(limbs) = &self.limbs {
            let count = |words: &[u64]| words.len().div_ceil(limbs.words_of_each(self.word_bits)) as u32;
            for (index, operand) in operands.iter_mut().enumerate() {
                // the number that the words make, or each of them for itself, those of all ones as large as limbs may be
                let mut own = match at.is_multiple_of(2) {
                    true => limbs.split(&number(operand, self.word_bits), count(operand)),
                    false => limbs.joined(self.word_bits, operand),
                };
                if !at.is_multiple_of(2) || !limbs.are_small(index, &own) {
                    own = limbs.all_fitting(index, &own);
                }
                let limit = self.below.iter().find(|(own, _)| *own == index).map(|(_, limit)| limit);
                let own_number = limbs.number(&own).magnitude().clone();
                if let Some(limit) = limit.filter(|limit| own_number >= **limit) {
                    own = limbs.split(&(own_number % limit), own.len() as u32);
                    own = if limbs.are_small(index, &own) { own } else { limbs.all_fitting(index, &own) };
                }
                // a bit takes a word in any limbs
                let length = operand.len();
                *operand = limbs.parted(self.word_bits, &own);
                operand.truncate(length);
            }
        }
        if let Some(contract) = &self.turned {
            for (index, operand) in operands.iter_mut().enumerate() {
                *operand = contract.turned(self.word_bits, Some(index), operand);
            }
        }
        Some(operands)
    }
}

/// Of a modulus R - c, R a power of the radix, the number whose two halves make all but 2R when the upper one is multiplied by c and
/// added to the lower one: the sum leaves a carry, and is not below the modulus without it. `None` where a word less has no room for it.
fn folded(modulus: &BigUint, word_bits: u32, length: u32) -> Option<BigUint> {
    let bits = modulus.bits().next_multiple_of(word_bits.into());
    let most = (BigUint::from(1u8) << bits) - 1u8;
    let upper = &most / (&most + 1u8 - modulus);
    (u64::from(length * word_bits) >= 2 * bits).then(|| (upper << bits) + most)
}

/// Where carries begin, run, or stay away; the same number of them for every length.
fn edges(word_bits: u32, length: usize) -> Vec<Vec<u64>> {
    let ones = u64::MAX >> (64 - word_bits);
    let top = 1 << (word_bits - 1);
    let all = |word: &dyn Fn(usize) -> u64| (0..length).map(word).collect::<Vec<u64>>();
    let mut edges = vec![
        all(&|_| ones),
        all(&|_| 0),
        all(&|at| u64::from(at == 0)),
        all(&|at| if at.is_multiple_of(2) { ones } else { 0 }),
        all(&|at| if at.is_multiple_of(2) { 0 } else { ones }),
        all(&|at| if at + 1 == length { top } else { 0 }),
        all(&|at| if at == 0 { ones - 1 } else { ones }),
    ];
    if word_bits > 8 {
        // products of words in which something happens in the middle
        let low = ones >> (word_bits / 2);
        let words = [top, ones >> 1, low, ones - low, low + 1, ones / 3, ones - ones / 3];
        edges.extend(words.map(|word| all(&|_| word)));
        edges.push(all(&|at| if at.is_multiple_of(2) { low } else { ones - low }));
    }
    for part in 1..4 {
        edges.push(all(&|at| if at == length * part / 4 { ones } else { 0 }));
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_folded_is_at_least_the_modulus_beside_its_carry() {
        for (text, length) in [("2^160-2^31-1", 10), ("2^256-2^32-977", 16), ("2^192-2^64-1", 12)] {
            let contract = format!("modreduce {text} a<p*p").parse::<Contract>().unwrap();
            let modulus = contract.modular().unwrap().modulus.number();
            let number = folded(&modulus, 32, length).unwrap();
            let radix = BigUint::from(1u8) << modulus.bits().next_multiple_of(32);
            let (upper, lower) = (&number / &radix, &number % &radix);
            let sum = upper * (&radix - &modulus) + lower;
            assert!(&radix + &modulus <= sum && sum < &radix * 2u8, "{text}");
            assert!(number < &modulus * &modulus, "{text}");
            assert_eq!(folded(&modulus, 32, length - 1), None);
        }
    }

    #[test]
    fn limbs_are_those_that_an_operand_may_have() {
        for (text, bits) in [
            ("modadd 2^255-19 limbs 26,25 of 32 a[i]<0.5*limb b[i]<0.3*limb", 32),
            ("modadd 2^255-19 limbs 26,25 of 32 a[i]<0.5*limb b[i]<2*limb", 8),
            ("modsub 2^255-19 limbs 30 of 32 b<2p b[i]<0.7*limb", 16),
            ("modmul 2^255-19 signed limbs 26,25 of 32 a[i]<0.51*limb", 32),
            ("select 261 limbs 29 of 32", 8),
        ] {
            let contract = text.parse::<Contract>().unwrap();
            let (limbs, counts) = (contract.limbs.unwrap(), contract.operands(bits));
            let mut seen = std::collections::HashSet::new();
            for operands in Inputs::of(&contract, bits).take(400) {
                for (index, words) in operands.iter().enumerate() {
                    assert_eq!(words.len(), counts[index] as usize, "{text}");
                    let own = limbs.joined(bits, words);
                    assert!(limbs.are_small(index, &own), "{text}: {own:x?}");
                }
                seen.insert(operands);
            }
            assert!(seen.len() > 300, "{text}");
        }
    }

    #[test]
    fn operands_have_their_lengths_and_come_again() {
        for lengths in [vec![1], vec![5, 5], vec![20, 3]] {
            let list: Vec<_> = Inputs::new(8, &lengths).take(400).collect();
            for operands in &list {
                let found: Vec<u32> = operands.iter().map(|words| words.len() as u32).collect();
                assert_eq!(found, lengths);
                assert!(operands.iter().flatten().all(|word| *word < 256));
            }
            assert!(list == Inputs::new(8, &lengths).take(400).collect::<Vec<_>>());
            let different: std::collections::HashSet<_> = list.iter().collect();
            assert!(different.len() > 8);
        }
        for word in [0xffff_ffff, 0x8000_0000, 0x5555_5555, 0xaaaa_aaaa, 0xffff, 0xffff_0000, 0x1_0000] {
            let is_all = |operands: &Vec<Vec<u64>>| operands[0].iter().all(|own| *own == word);
            assert!(Inputs::new(32, &[4, 4]).take(60).any(|operands| is_all(&operands)), "{word:#x}");
            let mut mixed = Inputs::new(32, &[4, 4]).take(400).filter(|operands| !is_all(operands));
            assert!(mixed.any(|operands| operands[0].contains(&word)), "{word:#x}");
        }
    }
}
