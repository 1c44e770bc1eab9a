//! Operands that let carries run: edges first, then random words of which most are extreme. Uniform
//! random operands practically never show a lost carry.

use crate::right::{number, words_of};
use num_bigint::BigUint;
use rhomb_certificate::{AnyModulus, Contract};
use rhomb_machine::Random;

/// The operands of one call after the other, without end.
pub(crate) struct Inputs {
    word_bits: u32,
    lengths: Vec<usize>,
    edges: Vec<Vec<Vec<u64>>>,
    next: usize,
    random: Random,
    /// Operands, by number, that are below a number.
    below: Vec<(usize, BigUint)>,
    /// What the last operand, a workspace, holds.
    workspace: Option<AnyModulus>,
}

impl Inputs {
    /// For what a contract takes.
    pub(crate) fn of(contract: &Contract, word_bits: u32) -> Self {
        let mut inputs = Inputs::new(word_bits, &contract.operands(word_bits));
        if let Some(modular) = contract.modular() {
            let modulus = modular.modulus.number();
            for edges in &mut inputs.edges {
                let length = edges[0].len() as u32;
                let near = [&modulus - 1u8, modulus.clone(), &modulus * 2u8, &modulus * &modulus - 1u8];
                edges.extend(near.map(|number| words_of(&number, word_bits, length)));
            }
            let reduced = (0..inputs.lengths.len()).filter(|index| modular.is_reduced(*index));
            inputs.below = reduced.map(|index| (index, modulus.clone())).collect();
        }
        inputs.workspace = contract.any_modulus().copied();
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
            below: Vec::new(),
            workspace: None,
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

    fn biased(&mut self) -> Vec<Vec<u64>> {
        let ones = u64::MAX >> (64 - self.word_bits);
        let half = ones / 2;
        let extremes = [0, ones, 0, 1, half, half + 1, ones - 1, ones];
        // a word in wide ones is a number of its own: halves of it, and what is all but a power
        let low = ones >> (self.word_bits / 2);
        let wider = [low, ones - low, low + 1, low - 1, ones / 3, ones - ones / 3, half + 2, ones - 2];
        let is_wide = self.word_bits > 8;
        let kind = self.random.bits() % 8;
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
        self.lengths.iter().map(|length| (0..*length).map(|_| word()).collect()).collect()
    }
}

impl Iterator for Inputs {
    type Item = Vec<Vec<u64>>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.next;
        self.next += 1;
        // random ones in between, so that a small budget sees both
        let edge = if at.is_multiple_of(2) { self.edge(at / 2) } else { None };
        let mut operands = edge.unwrap_or_else(|| self.biased());
        for (index, limit) in &self.below {
            let length = operands[*index].len() as u32;
            let residue = number(&operands[*index], self.word_bits) % limit;
            operands[*index] = words_of(&residue, self.word_bits, length);
        }
        if let (Some(any), Some(workspace)) = (&self.workspace, operands.last_mut()) {
            let ones = u64::MAX >> (64 - self.word_bits);
            let words = any.words(self.word_bits) as usize;
            workspace[0] |= 1;
            workspace[any.inverse as usize] = negative_inverse(workspace[0]) & ones;
            for word in 0..words {
                let negated = if word == 0 { workspace[0].wrapping_neg() } else { !workspace[word] };
                workspace[any.complement as usize + word] = negated & ones;
            }
        }
        Some(operands)
    }
}

/// -1/n modulo 2^64 for an odd n: each step doubles the bits that are right.
fn negative_inverse(n: u64) -> u64 {
    let step = |x: u64, _| x.wrapping_mul(2u64.wrapping_sub(n.wrapping_mul(x)));
    (0..6).fold(n, step).wrapping_neg()
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
