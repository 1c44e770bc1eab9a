//! Which way to multiply and divide modulo a number that is an argument is the fastest on a core.

use super::{ModularOperation, ModularProgram, Workspace, evidence};
use crate::programs::Maker;
use crate::targets::{LowerFault, Target};
use rhomb_certificate::Operation;
use rhomb_field::program::{Argument, Blocks, Products, Routine, montgomery};
use rhomb_field::reduce;
use rhomb_targets::modular::ModulusPlaces;

/// Words of the largest number that is divided in a straight line, which grows with their square, and for which a product may
/// be a routine of its own.
const MOST_STRAIGHT: usize = 64;
/// Up to so many words blocks are not tried, and up to so many straight lines are tried beside them.
const STRAIGHT: [usize; 2] = [16, 32];
/// Words of blocks that are tried, as far as they have so many bits.
const BLOCKS: [usize; 4] = [4, 8, 16, 32];
const MOST_BITS: usize = 512;
/// The most blocks of a number, and how many sizes of blocks are tried where there is a multiplication instruction.
const MOST_BLOCKS: usize = 16;
const SIZES: usize = 2;
/// Words that larger numbers are made a multiple of.
const STEP: usize = 16;

/// A way, what it takes in the worst of a call, and the program of what it was tried with.
pub(super) struct Timed {
    pub(super) way: Argument,
    pub(super) cycles: u64,
    /// Bytes of stack beside the numbers in frames of programs.
    pub(super) saved: usize,
    pub(super) program: ModularProgram,
}

/// What a way is chosen for.
pub(super) struct Choice<'a, 'b> {
    pub(super) target: &'static dyn Target,
    pub(super) convention: &'a str,
    pub(super) maker: &'b mut Maker<'a>,
    /// Words of a block, if they were asked for.
    pub(super) block: Option<usize>,
}

/// Words of numbers of so many bits.
pub(super) fn words(target: &dyn Target, bits: usize) -> usize {
    let words = bits.div_ceil(target.description().word_bits as usize);
    match target.description().has_multiplier {
        true if words <= MOST_STRAIGHT => words,
        true => words.next_multiple_of(STEP),
        false => words.next_multiple_of(BLOCKS[0]),
    }
}

/// That a number of bytes of memory are there.
pub(crate) fn within_memory(target: &dyn Target, needed: usize) -> Result<(), LowerFault> {
    let memory = target.description().ram.len();
    if needed > memory {
        let fault = format!("it takes {needed} bytes of memory; {memory} bytes are there");
        return Err(LowerFault::Other(fault));
    }
    Ok(())
}

/// Products beside those of a division's blocks that may be faster: by blocks of twice as many words, and by one routine.
fn larger(own: Blocks) -> impl Iterator<Item = Option<Blocks>> {
    let Blocks { words, bits, block, products } = own;
    let by = |block: usize| Some(Blocks { block, ..own.apart() });
    let twice = (2 * block < words && words.is_multiple_of(2 * block)).then(|| by(2 * block));
    // without a multiplication instruction there is none for squares
    let whole = if products == Products::Inverted { by(words) } else { None };
    let has_whole = block < words && words <= MOST_STRAIGHT && words * bits as usize <= 2 * MOST_BITS;
    twice.into_iter().chain(has_whole.then_some(whole))
}

impl Choice<'_, '_> {
    /// All ways to multiply numbers of so many words, the fastest first.
    pub(super) fn fastest(&mut self, operation: Operation, words: usize) -> Result<Vec<Timed>, LowerFault> {
        let mut fault = None;
        let mut all = Vec::new();
        for way in self.ways(words)? {
            match self.timed(operation, way) {
                Ok(own) => all.push(own),
                Err(own) => fault = fault.or(Some(own)),
            }
        }
        all.sort_by_key(|own: &Timed| own.cycles);
        let best = all.iter().find_map(|own| own.way.division.map(|division| (own.way, division)));
        if let Some((way, division)) = best.filter(|_| operation != Operation::MontReduce) {
            for product in larger(division) {
                all.extend(self.timed(operation, Argument { product, ..way }).ok());
            }
            all.sort_by_key(|own: &Timed| own.cycles);
        }
        match fault {
            Some(fault) if all.is_empty() => Err(fault),
            _ => Ok(all),
        }
    }

    fn ways(&self, words: usize) -> Result<Vec<Argument>, LowerFault> {
        let description = self.target.description();
        let bits = description.word_bits;
        let products: &[Products] = match (description.has_multiplier, description.has_carry) {
            (false, _) => &[Products::Inverted],
            (true, true) => &[Products::Apart],
            (true, false) => &[Products::Added, Products::Apart],
        };
        let [few, most] = STRAIGHT;
        let has_multiplier = description.has_multiplier;
        let is_tried = |block: &usize| {
            let fits = words.is_multiple_of(*block) && words / block <= MOST_BLOCKS;
            fits && block * bits as usize <= MOST_BITS && (!has_multiplier || words > few)
        };
        let sizes: Vec<usize> = BLOCKS.into_iter().rev().filter(is_tried).collect();
        let is_open = self.block.is_none() && has_multiplier;
        let sizes = if is_open { &sizes[..sizes.len().min(SIZES)] } else { &sizes[..] };
        let is_straight =
            words <= most || words <= MOST_STRAIGHT && (sizes.is_empty() || self.block.is_some());
        let straight = Argument { words, bits, division: None, product: None };
        let straight = (has_multiplier && is_straight).then_some(straight);
        let by_blocks = sizes.iter().flat_map(|block| {
            let blocks =
                products.iter().map(|products| Blocks { words, bits, block: *block, products: *products });
            blocks.map(|own| Argument { words, bits, division: Some(own), product: Some(own) })
        });
        let all: Vec<Argument> = straight.into_iter().chain(by_blocks).collect();
        let size = |way: &Argument| way.division.map_or(words, |own| own.block);
        let wanted: Vec<Argument> =
            all.iter().filter(|way| self.block.is_none_or(|own| own == size(way))).copied().collect();
        if wanted.is_empty() {
            let mut sizes: Vec<String> = all.iter().map(|way| size(way).to_string()).collect();
            sizes.dedup();
            let fault = match self.block {
                Some(block) => format!("--block {block}; valid for {words} words: {}", sizes.join(", ")),
                None => format!("numbers of {words} words are too long"),
            };
            return Err(LowerFault::Other(fault));
        }
        Ok(wanted)
    }

    fn timed(&mut self, operation: Operation, way: Argument) -> Result<Timed, LowerFault> {
        let Argument { words, bits, division, .. } = way;
        let unmade = || LowerFault::Unmade("it is not made".to_owned());
        let routine = montgomery(operation, &way).ok_or_else(unmade)?;
        let own = ModularOperation::ALL.into_iter().find(|own| own.contracted() == Some(operation));
        let own = own.ok_or_else(unmade)?;
        let reduce::Workspace { complement, inverse, words: length } = reduce::Workspace::of(words);
        let code = self.maker.routine(&routine)?;
        let workspace = Workspace { words: length, modulus: Some(ModulusPlaces { complement, inverse }) };
        let parameters = vec![("block", division.map_or(words, |own| own.block))];
        let program = ModularProgram { code, parameters, words, workspace: Some(workspace), exponent: None };
        let subject = self.target.subject(&program.code, self.convention).map_err(LowerFault::Other)?;
        let operands = (evidence::typical(own, &program, bits), 0);
        let found = evidence::call(&*subject, own, &program, bits, operands).map_err(LowerFault::Other)?;
        let frames = if let Routine::Called(called) = &routine { called.words() } else { 0 };
        let word_bytes = bits as usize / 8;
        within_memory(self.target, word_bytes * (3 * words + length) + found.stack_bytes as usize)?;
        let saved = (found.stack_bytes as usize).saturating_sub(word_bytes * frames);
        Ok(Timed { way, cycles: found.function.max, saved, program })
    }
}
