//! Straight lines of words: their columns are summed in accumulators.
//!
//! [`cells`] says where values stand; [`select`], [`columns`], [`pairs`] and [`half`] choose the instructions, [`address`] the
//! registers that point to their operands. What can stand in parallel with its neighbour does so in the end.

mod address;
mod cells;
mod columns;
mod half;
mod pairs;
mod pool;
mod select;
mod sum;

use super::code::{Code, point};
use super::squaring::move_stack;
use crate::instructions::{Instruction, Line, Smem, Ta};
use crate::rules::{Uses, check};
use address::addressed;
use cells::{Base, Cell, Values};
use rhomb_line::Array;
use select::{even_words, select};

/// Why there is no routine of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// A column of too many terms.
    #[error("a column does not fit the 40 bits of an accumulator")]
    Wide,
    /// Too many sums at once.
    #[error("four accumulators are too few")]
    Accumulators,
    /// Too many masks at once.
    #[error("four temporary registers are too few")]
    Temporaries,
    /// Too many places in memory at once.
    #[error("the address registers are too few")]
    Pointers,
    /// An order of operations that columns have not.
    #[error("its words are used in an order that is not made")]
    Order,
    /// Anything else.
    #[error("{0} is not made")]
    Operation(&'static str),
}

/// An operand in memory.
#[derive(Clone, Copy, Debug)]
struct Access {
    cell: Cell,
    /// Whether it is two words.
    double: bool,
}

/// An instruction whose operands have no addresses yet: one operand, or those of a multiplication, the word last.
struct Step {
    one: Instruction,
    accesses: Vec<Access>,
}

/// What is reached from one register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Region {
    Array(Array),
    Stack,
}

/// A place in a region, and by how many words modes move there.
#[derive(Clone, Copy, Debug)]
struct Spot {
    region: Region,
    at: i32,
    step: i32,
}

/// Where the stack's words begin.
struct Stack {
    pool: usize,
    spill: usize,
    product: usize,
    scratch: usize,
    words: usize,
}

impl Stack {
    /// Where an operand stands; two words are at the address of the higher one.
    fn spot(&self, access: &Access, has_product: bool) -> Spot {
        let Cell { base, index } = access.cell;
        let (region, first) = match base {
            Base::Pool => (Region::Stack, self.pool),
            Base::Spill => (Region::Stack, self.spill),
            Base::Of(Array::Scratch) => (Region::Stack, self.scratch),
            Base::Of(Array::A) if has_product => (Region::Stack, self.product),
            Base::Of(array) => (Region::Array(array), 0),
        };
        let at = (first + index) as i32 + i32::from(access.double);
        Spot { region, at, step: if access.double { 2 } else { 1 } }
    }
}

/// The routine of a line: r in XAR0, a in XAR1, b in XAR2. With the lines of a product, which keep the convention, the line
/// is the reduction of that product of a and b.
///
/// # Errors
/// Where registers or accumulators are too few.
pub fn line(line: &rhomb_line::Line, product: Option<Code>) -> Result<Vec<Line>, LineError> {
    let product = product.map(Code::into_lines);
    let has_product = product.is_some();
    let mut values = Values::of(line, !has_product);
    let (steps, pool) = select(&mut values)?;
    let counts = [
        pool.len(),
        values.spilled(),
        if has_product { line.words(Array::A) } else { 0 },
        even_words(line, Array::Scratch),
    ];
    let [pool_words, spill, a, scratch] = counts.map(|count| count.next_multiple_of(2));
    let stack = Stack {
        product: 0,
        pool: a,
        spill: a + pool_words,
        scratch: a + pool_words + spill,
        words: a + pool_words + spill + scratch,
    };
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
    let constants = pool.iter().enumerate().map(|(index, value)| Step {
        one: Instruction::StoreConstant { value: *value as i16, smem: Smem::Sp(0) },
        accesses: vec![Access { cell: Cell { base: Base::Pool, index }, double: false }],
    });
    let steps: Vec<Step> = constants.chain(steps).collect();
    // the stack pointer is odd
    let skew = 1;
    let body = addressed(&steps, &arrays, &free, skew, |access| stack.spot(access, has_product))?;
    let temporaries: Vec<u8> = [2, 3].into_iter().filter(|t| values.used >> t & 1 == 1).collect();
    let pushed = temporaries.len() as i32 + i32::from(kept_result.is_some_and(|ar| ar > 4));
    let room = match stack.words as i32 + skew {
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
        lines.push(
            Instruction::AmarTo { smem: Smem::Sp((skew as usize + stack.product) as u8), dst: 0 }.into(),
        );
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
        let called = |line: &mut Line| {
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
fn moved(line: &Line, by: u32) -> Line {
    let moved = |one: Instruction| one.target().map_or(one, |target| one.with_target(target + by));
    Line { first: moved(line.first), second: line.second.map(moved) }
}

/// The address register that keeps where the result goes while a product is made.
fn result_register(product: &[Line]) -> u8 {
    let written = product.iter().fold(0, |set, line| set | Uses::of_line(line).writes);
    if written >> Ta::Ar(4).number() & 1 == 0 { 4 } else { 5 }
}

/// Instructions in parallel with their neighbours, in as few lines as can be.
fn paired(instructions: &[Instruction]) -> Vec<Line> {
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
