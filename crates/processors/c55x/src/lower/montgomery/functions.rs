//! The functions: with the modulus as an argument, and with the modulus in the code.

use super::super::code::{Code, point};
use super::super::integrated;
use super::super::karatsuba::{Leaves, scratch_words};
use super::super::location::Location;
use super::super::squaring::{copied, move_stack};
use super::{Correction, Workspace, fits, multiply, one, reduce, square};
use crate::instructions::{Ind, Instruction, Mode, Smem, Ta};

/// How a Montgomery product is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Montgomery {
    /// The product, by two columns at once and so many splits, then the reduction.
    Separated(u32),
    /// Multiplication and reduction row by row in turn: see [`integrated`].
    CoarselyIntegrated,
    /// Both column by column: see [`integrated`].
    FinelyIntegrated,
}

/// A function `r = a b / R mod n`, or `a a / R`, below R for all a and b below R: r in XAR0, a in XAR1, b in XAR2 (not
/// of a square), and then the workspace, which holds n at word 0, R - n at
/// word 4 words + 2, n' = -1/n mod 2^16 at word 4096, and has [`workspace_words`]. R = 2^(16 words). a, b and both halves of the workspace lie in different blocks where it is to be fast. `None` for sizes that it
/// is not made for: words not a multiple of 4, more than 256 (128 when finely integrated), or not splitting so.
pub fn montgomery(words: usize, way: Montgomery, is_square: bool) -> Option<Code> {
    let fits = match way {
        Montgomery::Separated(levels) => fits(words, levels),
        Montgomery::CoarselyIntegrated => fits(words, 0),
        Montgomery::FinelyIntegrated => fits(words, 0) && words <= integrated::MOST_WORDS,
    };
    if !fits || words == 0 {
        return None;
    }
    let work = Workspace::in_blocks(words);
    let mut code = opened();
    let mut leaves = Leaves::default();
    let (other, workspace) = if is_square { (1, 2) } else { (2, 3) };
    for (kept, argument) in [(5, 0), (6, other), (7, workspace)] {
        code.push(point(kept, argument, 0));
    }
    one(&mut code, work);
    match way {
        Montgomery::Separated(levels) => {
            work.x().point(&mut code, 2);
            copied(&mut code, words, 1, 2);
            match is_square {
                true => square(&mut code, &mut leaves, work, levels),
                false => multiply(&mut code, &mut leaves, work, levels, Location::of(6)),
            }
            reduce(&mut code, work, Location::of(5), Correction::Always, "reduce");
        }
        Montgomery::CoarselyIntegrated => integrated::cios(&mut code, work, Location::of(5)),
        Montgomery::FinelyIntegrated => integrated::fips(&mut code, work, Location::of(5)),
    }
    Some(closed(code, &leaves))
}

/// The saves of a function.
fn opened() -> Code {
    let mut code = Code::new();
    for ar in [5, 6, 7] {
        code.push(Instruction::PushBoth { ar });
    }
    code.push(Instruction::Push { src: Ta::T(2) });
    code
}

/// The function with its restores, its return, and the routines that it calls.
fn closed(mut code: Code, leaves: &Leaves) -> Code {
    code.push(Instruction::Pop { dst: Ta::T(2) });
    for ar in [7, 6, 5] {
        code.push(Instruction::PopBoth { ar });
    }
    code.push(Instruction::Return);
    leaves.emit(&mut code);
    code
}

/// Words of the workspace of [`montgomery`].
pub fn workspace_words(words: usize, way: Montgomery) -> usize {
    let work = Workspace::in_blocks(words);
    let scratch = match way {
        Montgomery::Separated(levels) => scratch_words(words, levels),
        Montgomery::CoarselyIntegrated | Montgomery::FinelyIntegrated => 0,
    };
    (work.scratch().plus(scratch).offset as usize).next_multiple_of(2)
}

/// A function `r = a b / R mod n`, or `a a / R`, below R for all a and b below R, for a fixed n, its lowest word first and
/// odd: r, a, b in XAR0 to XAR2. n is written into the code. `None` for sizes that it is not made for: see
/// [`montgomery`].
pub fn montgomery_fixed(modulus: &[u16], is_square: bool) -> Option<Code> {
    let words = modulus.len();
    let lowest = *modulus.first()?;
    if !fits(words, 0) || lowest.is_multiple_of(2) {
        return None;
    }
    let work = Workspace { words, apart: 5 * words + 4 };
    let mut code = opened();
    let mut leaves = Leaves::default();
    // four words are saved, and the stack pointer is odd at the call
    let room = work.scratch().offset | 1;
    move_stack(&mut code, -room);
    code.push(point(5, 0, 0));
    if !is_square {
        code.push(point(6, 2, 0));
    }
    code.push(Instruction::AmarTo { smem: Smem::Sp(0), dst: 7 });
    work.x().point(&mut code, 2);
    copied(&mut code, words, 1, 2);
    let up = Smem::Ind(Ind { ar: 2, mode: Mode::Up });
    work.modulus().point(&mut code, 2);
    for word in modulus {
        code.push(Instruction::StoreConstant { value: *word as i16, smem: up });
    }
    work.complement().point(&mut code, 2);
    // R - n: the lowest word is odd
    let complement =
        modulus.iter().enumerate().map(|(at, word)| if at == 0 { word.wrapping_neg() } else { !word });
    for word in complement {
        code.push(Instruction::StoreConstant { value: word as i16, smem: up });
    }
    work.cells().point(&mut code, 2);
    for word in [negative_inverse(lowest), 1] {
        code.push(Instruction::StoreConstant { value: word as i16, smem: up });
    }
    match is_square {
        true => square(&mut code, &mut leaves, work, 0),
        false => multiply(&mut code, &mut leaves, work, 0, Location::of(6)),
    }
    reduce(&mut code, work, Location::of(5), Correction::Always, "reduce");
    move_stack(&mut code, room);
    Some(closed(code, &leaves))
}

/// -1/n mod 2^16 for an odd n: each step doubles the bits that are right.
fn negative_inverse(n: u16) -> u16 {
    let step = |x: u16, _| x.wrapping_mul(2u16.wrapping_sub(n.wrapping_mul(x)));
    (0..4).fold(n, step).wrapping_neg()
}
