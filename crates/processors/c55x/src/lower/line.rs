//! Straight lines of words: their columns are summed in accumulators ([`rhomb_lower::columns`]). What can stand in parallel
//! with its neighbour does so in the end.

mod emit;

use super::code::{Code, point};
use super::squaring::move_stack;
use crate::instructions::{Bundle, Instruction, Smem, Ta};
use crate::rules::{Uses, check};
use emit::{emit, is_turned};
use rhomb_line::Array;
pub use rhomb_lower::columns::Unmade as LineError;
use rhomb_lower::columns::{Pointing, Region, Units, choose};

/// What columns are made with.
const UNITS: Units = Units { accumulators: 4, temporaries: &[1, 0, 2, 3], is_turned };
/// The number of CDP among the address registers.
const CDP: u8 = 8;
/// Words that the stack pointer reaches.
const REACH: i32 = 128;

/// The routine of a line: r in XAR0, a in XAR1, b in XAR2. With the lines of a product, which keep the convention, the line
/// is the reduction of that product of a and b.
///
/// # Errors
/// Where registers or accumulators are too few.
pub fn line(line: &rhomb_line::Line, product: Option<Code>) -> Result<Vec<Bundle>, LineError> {
    let product = product.map(Code::into_lines);
    let has_product = product.is_some();
    let chosen = choose(line, has_product, &UNITS)?;
    let kept_result = product.as_deref().map(result_register);
    let arrays: Vec<(u8, Region)> = match kept_result {
        Some(ar) => vec![(ar, Region::Array(Array::Result))],
        None => [(0, Array::Result), (1, Array::A), (2, Array::B)]
            .into_iter()
            .filter(|(_, array)| *array != Array::B || line.words(Array::B) > 0)
            .map(|(ar, array)| (ar, Region::Array(array)))
            .collect(),
    };
    let free: Vec<u8> = (0..5).filter(|ar| arrays.iter().all(|(own, _)| own != ar)).collect();
    // the stack pointer is odd
    let skew = 1;
    let mut body = Vec::new();
    let placed = chosen.placed(&Pointing { arrays, free, shared: CDP, reach: REACH, skew })?;
    placed.iter().for_each(|placed| emit(placed, &mut body));
    let temporaries: Vec<u8> = [2, 3].into_iter().filter(|t| chosen.temporaries >> t & 1 == 1).collect();
    let pushed = temporaries.len() as i32 + i32::from(kept_result.is_some_and(|ar| ar > 4));
    let room = match chosen.frame.words as i32 + skew {
        1 => 0,
        words => words + (words + pushed) % 2,
    };
    let mut code = Code::new();
    temporaries.iter().for_each(|t| code.push(Instruction::Push { src: Ta::T(*t) }));
    kept_result.filter(|ar| *ar > 4).into_iter().for_each(|ar| code.push(Instruction::PushBoth { ar }));
    move_stack(&mut code, -room);
    let mut lines = code.into_lines();
    let mut behind = Vec::new();
    if let (Some(product), Some(kept)) = (product, kept_result) {
        lines.push(point(kept, 0, 0).into());
        lines.push(Instruction::AmarTo { smem: Smem::Sp(skew as u8), dst: 0 }.into());
        let returns = product.iter().filter(|line| line.first == Instruction::Return).count();
        match returns {
            1 if product.last().is_some_and(|last| last.first == Instruction::Return) => {
                let by = lines.len() as u32;
                lines.extend(product[..product.len() - 1].iter().map(|line| moved(line, by)));
            }
            _ => {
                // the stack pointer is even before a call
                lines.push(Instruction::AddSp { value: -1 }.into());
                lines.push(Instruction::Call { to: u32::MAX }.into());
                lines.push(Instruction::AddSp { value: 1 }.into());
                behind = product;
            }
        }
    }
    lines.extend(paired(&body));
    let mut code = Code::new();
    move_stack(&mut code, room);
    kept_result.filter(|ar| *ar > 4).into_iter().for_each(|ar| code.push(Instruction::PopBoth { ar }));
    temporaries.iter().rev().for_each(|t| code.push(Instruction::Pop { dst: Ta::T(*t) }));
    code.push(Instruction::Return);
    lines.extend(code.into_lines());
    let by = lines.len() as u32;
    if !behind.is_empty() {
        let called = |line: &mut Bundle| {
            if line.first == (Instruction::Call { to: u32::MAX }) {
                line.first = Instruction::Call { to: by };
            }
        };
        lines.iter_mut().for_each(called);
        lines.extend(behind.iter().map(|line| moved(line, by)));
    }
    Ok(lines)
}

/// A line whose targets lie further behind.
fn moved(line: &Bundle, by: u32) -> Bundle {
    let moved = |one: Instruction| one.target().map_or(one, |target| one.with_target(target + by));
    Bundle { first: moved(line.first), second: line.second.map(moved) }
}

/// The address register that keeps where the result goes while a product is made.
fn result_register(product: &[Bundle]) -> u8 {
    let written = product.iter().fold(0, |set, line| set | Uses::of_line(line).writes);
    if written >> Ta::Ar(4).number() & 1 == 0 { 4 } else { 5 }
}

/// Instructions in parallel with their neighbours, in as few lines as can be.
fn paired(instructions: &[Instruction]) -> Vec<Bundle> {
    let fits = |at: usize| {
        let pair = instructions.get(at)?.with(*instructions.get(at + 1)?);
        check(&pair).is_ok().then_some(pair)
    };
    let mut least = vec![0; instructions.len() + 2];
    for at in (0..instructions.len()).rev() {
        let alone = 1 + least[at + 1];
        least[at] = if fits(at).is_some() { alone.min(1 + least[at + 2]) } else { alone };
    }
    let mut lines = Vec::with_capacity(least[0]);
    let mut at = 0;
    while at < instructions.len() {
        match fits(at).filter(|_| least[at + 2] < least[at]) {
            Some(pair) => {
                lines.push(pair);
                at += 2;
            }
            None => {
                lines.push(instructions[at].into());
                at += 1;
            }
        }
    }
    lines
}
