//! Memory accesses of a straight line: offsets, blocks of words, moves of pointers.
//!
//! A pointer stays where it is while offsets reach. A block of words is loaded or stored from where the
//! pointer is; it is moved there if that is still faster than single accesses, or by the block before, whose
//! write-back costs nothing.

use super::calculation;
use crate::cores::Core;
use crate::instructions::{BlockMode, Instruction, Register};
use crate::lower::code;
use rhomb_line::Array;
use rhomb_lower::chains::{Calculation, Op, Output, Script};
use std::collections::HashMap;

/// The largest offset of LDR and STR in bytes (ARM DDI 0100, A5.2.2).
const REACH: i32 = 4095;

/// Words that lie one after the other, in bytes from the beginning of their array.
#[derive(Clone, Copy, Debug)]
struct Block {
    start: i32,
    length: i32,
}

impl Block {
    /// Where the pointer may stand, and in which mode the words are reached from there.
    fn reached_from(self) -> [(i32, BlockMode); 4] {
        let end = self.start + self.length;
        [
            (self.start, BlockMode::Ia),
            (self.start - 4, BlockMode::Ib),
            (end - 4, BlockMode::Da),
            (end, BlockMode::Db),
        ]
    }
}

pub(super) struct Accesses<'a> {
    core: &'a Core,
    pointers: [Register; 3],
    /// How many bytes the pointers stand behind the beginnings of their arrays.
    at: [i32; 3],
    /// For each block, the next one of the same array.
    next: HashMap<usize, Block>,
    /// The instructions so far.
    pub(super) code: Vec<Instruction>,
}

/// The block of an operation that accesses several words.
fn block(op: &Op) -> Option<(Array, Block)> {
    let (array, index, words) = match op {
        Op::Load { to, array, index } => (*array, *index, to.len()),
        Op::Store { from, index } => (Array::Result, *index, from.len()),
        _ => return None,
    };
    (words > 1).then_some((array, Block { start: 4 * index as i32, length: 4 * words as i32 }))
}

impl<'a> Accesses<'a> {
    pub(super) fn new(script: &Script, core: &'a Core, pointers: [Register; 3]) -> Self {
        let mut next = HashMap::new();
        let mut later = [None; 3];
        for (at, op) in script.ops.iter().enumerate().rev() {
            if let Some((array, block)) = block(op) {
                next.extend(later[array as usize].replace(block).map(|later| (at, later)));
            }
        }
        Accesses { core, pointers, at: [0; 3], next, code: Vec::with_capacity(script.ops.len()) }
    }

    fn cycles(&self, code: &[Instruction]) -> u64 {
        // without a known time the block is as good as any
        code.iter().map(|one| self.core.most(one).unwrap_or(0)).sum()
    }

    fn singles(&mut self, load: bool, array: Array, index: usize, words: &[Register]) -> Vec<Instruction> {
        let pointer = self.pointers[array as usize];
        let mut code = Vec::with_capacity(words.len());
        for (word, register) in words.iter().enumerate() {
            let place = 4 * (index + word) as i32;
            let at = &mut self.at[array as usize];
            if (place - *at).abs() > REACH {
                code::advance(&mut code, pointer, place - *at);
                *at = place;
            }
            let access = if load { code::ldr } else { code::str };
            code.push(access(*register, pointer, place - *at));
        }
        code
    }

    fn block(
        &mut self,
        at: usize,
        load: bool,
        array: Array,
        index: usize,
        registers: &[Register],
    ) -> Vec<Instruction> {
        let block = Block { start: 4 * index as i32, length: 4 * registers.len() as i32 };
        let pointer = self.pointers[array as usize];
        let here = self.at[array as usize];
        let next = self.next.get(&at);
        let served =
            |place: i32| next.is_none_or(|next| next.reached_from().iter().any(|(from, _)| *from == place));
        let list = registers.iter().fold(0, |set, register| set | 1 << register);
        let mut ways = Vec::with_capacity(8);
        for (from, mode) in block.reached_from() {
            let up = matches!(mode, BlockMode::Ia | BlockMode::Ib);
            let moved = if up { from + block.length } else { from - block.length };
            for (write_back, end) in [(false, from), (true, moved)] {
                let mut code = Vec::new();
                code::advance(&mut code, pointer, from - here);
                code.push(code::block(load, pointer, write_back, mode, list));
                // nothing needs a pointer moved after the last block
                ways.push((code.len(), !served(end) || write_back && next.is_none(), code, end));
            }
        }
        let best = ways.into_iter().min_by_key(|(length, unserved, ..)| (*length, *unserved));
        let Some((.., code, end)) = best else { return Vec::new() };
        self.at[array as usize] = end;
        code
    }
}

impl Output for Accesses<'_> {
    fn calculation(&mut self, one: Calculation) {
        self.code.push(calculation(one));
    }

    fn access(&mut self, at: usize, op: &Op, registers: &[Register]) {
        let (array, index, load) = match op {
            Op::Load { array, index, .. } => (*array, *index, true),
            Op::Store { index, .. } | Op::StoreZero { index } => (Array::Result, *index, false),
            _ => return,
        };
        let mut index = index;
        // the lowest register belongs to the lowest address
        for run in registers.chunk_by(|one, next| one < next) {
            let before = self.at;
            let single = self.singles(load, array, index, run);
            let after = std::mem::replace(&mut self.at, before);
            let whole = self.block(at, load, array, index, run);
            if run.len() > 1 && self.cycles(&whole) < self.cycles(&single) {
                self.code.extend(whole);
            } else {
                self.at = after;
                self.code.extend(single);
            }
            index += run.len();
        }
    }
}
