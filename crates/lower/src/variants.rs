//! The ways to make chains of a line's columns.

use rhomb_line::{Columns, Line, Logic, Op, Value, legalise};
use std::collections::BTreeMap;

/// Columns that are made a block of.
const BLOCKS: [usize; 6] = [1, 2, 3, 4, 8, 1 << 16];

/// A line on words of so many bits as chains, with every number of columns in a block that makes a difference.
pub fn variants(line: &Line, bits: u32) -> Vec<Line> {
    let mut all: Vec<Line> = Vec::new();
    for (block, products) in BLOCKS.into_iter().flat_map(|block| [(block, false), (block, true)]) {
        let made = legalise(line, Columns { bits, block, products });
        if !all.contains(&made) {
            all.push(made);
        }
    }
    all
}

/// The same line, where a mask of bits that no instruction has room for is a number: one for each mask, and, where that makes a
/// difference, one for all masks of the same bits.
pub fn with_masks(line: &Line, fits: impl Fn(u64) -> bool) -> Vec<Line> {
    let made = |is_shared: bool| {
        let mut made = Line { ops: Vec::with_capacity(line.ops.len()), ..line.clone() };
        let mut numbers: BTreeMap<u64, Value> = BTreeMap::new();
        for op in &line.ops {
            match *op {
                Op::Mask { to, x, bits } if !fits(bits) => {
                    let known = numbers.get(&bits).copied().filter(|_| is_shared);
                    let y = known.unwrap_or_else(|| made.number(bits));
                    numbers.insert(bits, y);
                    made.ops.push(Op::Logic { to, logic: Logic::And, x, y });
                }
                other => made.ops.push(other),
            }
        }
        made
    };
    let mut all = vec![made(false)];
    let shared = made(true);
    if shared != all[0] {
        all.push(shared);
    }
    all
}
