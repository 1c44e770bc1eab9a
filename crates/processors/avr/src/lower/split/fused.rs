//! Two equal halves of up to ten words as one line, of all ways to share out the registers the fastest.

use super::super::line::{UPPER, none, select};
use super::super::pointers::{self, Assignment, X, Y, Z};
use super::super::{LowerError, static_cycles, times};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Instruction, Op};
use rhomb_line::Array;
use rhomb_lower::{File, Lives, Rank, Register, Wish, allocate_within, fused, usual};

/// The most words of a half.
pub(super) const MOST: usize = 10;

/// Registers of the last product.
const PRODUCT: [Register; 2] = [0, 1];
/// The pointers to the result, A and B.
const POINTERS: [u8; 3] = [Z, X, Y];
/// Registers beside these, the zero among them.
const REGISTERS: usize = 24;
/// So many of them are tried where each must be saved.
const TRIED: usize = 5;

/// Multiplies twice `half` words, by what takes the fewest cycles with what the convention saves.
pub(super) fn multiplication(
    half: usize,
    core: &Core,
    convention: &Convention,
) -> Result<Vec<Instruction>, LowerError> {
    let times = times(core);
    let save = times[Op::Push as usize] + times[Op::Pop as usize];
    let least = if convention.saved == 0 { REGISTERS } else { (2 * half + 4).min(REGISTERS + 1 - TRIED) };
    let files: Vec<File> = (least..=REGISTERS)
        .flat_map(|count| [by_pairs, usual].map(|rank: Rank| (count, rank)))
        .flat_map(|(count, rank)| [1, 2].map(|stores| File { stores, ..file(count, convention, rank) }))
        .collect();
    let mut best: Option<(u64, Vec<Instruction>)> = None;
    for room in 2 * half..=3 * half {
        let Some(line) = fused(half, 8, room) else { continue };
        let lives = Lives::of(&line);
        for code in files.iter().filter_map(|file| code(&lives, file, 4 * half, convention)) {
            let written = code.iter().fold(0, |set, one| set | one.registers_written());
            let saves = u64::from((written & convention.saved).count_ones());
            let cycles = static_cycles(&code, &times) + saves * save;
            if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
                best = Some((cycles, code));
            }
        }
    }
    best.map(|(_, code)| code).ok_or(LowerError::Registers { needed: REGISTERS + 1, available: REGISTERS })
}

/// Such as keep pairs whole; words of operands beside such as end at the same time.
fn by_pairs(wish: &Wish) -> [usize; 6] {
    let Wish { is_partner, is_fixed, is_zero, is_whole, apart, is_operand, is_beside, register, .. } = *wish;
    let apart = match is_operand && !is_whole {
        true if is_beside => apart,
        true => usize::MAX,
        false => 0,
    };
    [is_partner.into(), (!is_fixed).into(), is_zero.into(), is_whole.into(), apart, register.into()]
}

/// Registers that need no saving first, by pairs. The first of `count` is the zero.
fn file(count: usize, convention: &Convention, rank: Rank) -> File {
    let mut pairs: Vec<Register> = (2..X).step_by(2).collect();
    pairs.sort_by_key(|low| (convention.saved & 3 << low != 0, std::cmp::Reverse(*low)));
    let mut order: Vec<Register> = pairs.into_iter().flat_map(|low| [low, low + 1]).take(count).collect();
    let zero = order.remove(0);
    order.extend(PRODUCT);
    order.sort_unstable();
    let later = [(POINTERS[1], Array::A), (POINTERS[2], Array::B)].into_iter();
    File {
        order,
        later: later.flat_map(|(low, array)| [(low, array), (low + 1, array)]).collect(),
        product: Some(PRODUCT),
        two_address: true,
        numbers: UPPER,
        immediate: none,
        copies_pairs: true,
        zero: Some(zero),
        stores: 1,
        rank,
    }
}

/// The code of a line with these registers; `None` where they do not last.
fn code(lives: &Lives<'_>, file: &File, length: usize, convention: &Convention) -> Option<Vec<Instruction>> {
    let placed = allocate_within(lives, file).ok()?;
    let zero = file.zero?;
    let mut items = Vec::with_capacity(placed.len());
    placed.iter().for_each(|one| select(one, zero, (Array::Scratch, 0), &mut items));
    let assignment = Assignment::of(POINTERS, [None; 3], POINTERS.len()).again(&items, length)?;
    let moves = assignment.moves(convention).into_iter();
    let mut code: Vec<Instruction> = moves.map(|(to, from)| Instruction::dr(Op::Movw, to, from)).collect();
    code.push(Instruction::dr(Op::Eor, zero, zero));
    code.extend(pointers::apply(&items, &assignment));
    Some(code)
}
