//! Where pointers stand: which accesses move them, so that LDM and STM find them at an end of their words.
//!
//! LDR and STR reach 4095 bytes either way and may set the pointer to where the word lies (before) or, standing
//! there, anywhere in reach (after), for nothing. LDM and STM begin at the pointer or beside it, upwards or
//! downwards, and may move it past the words. What is left costs an addition. For each pointer the cheapest
//! sequence is computed from its accesses (dynamic programming over where it stands).

use super::super::code;
use crate::instructions::{Action, Address, BlockMode, DataOp, Indexing, Instruction, Offset, Size};
use crate::instructions::{Register, SP, Shifter};
use std::collections::BTreeMap;

/// An instruction, or an access whose address is open.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// An instruction.
    Plain(Instruction),
    /// An access.
    Access(Access),
}

/// Consecutive words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    /// Whether it is a load.
    pub(super) load: bool,
    /// Number of the pointer.
    pub(super) pointer: usize,
    /// Register of the pointer.
    pub(super) rn: Register,
    /// Distance of the lowest word from where the pointer stood at first, in bytes.
    pub(super) at: i32,
    /// Registers, ascending.
    pub(super) registers: u16,
}

impl Access {
    fn count(&self) -> i32 {
        self.registers.count_ones() as i32
    }

    /// Where the pointer may stand for LDM or STM, with the mode.
    fn stands(&self) -> [(i32, BlockMode); 4] {
        let end = self.at + 4 * self.count();
        [
            (self.at, BlockMode::Ia),
            (self.at - 4, BlockMode::Ib),
            (end - 4, BlockMode::Da),
            (end, BlockMode::Db),
        ]
    }

    /// A pointer that is loaded itself cannot be moved, and the stack pointer stays.
    fn movable(&self) -> bool {
        self.rn != SP && (!self.load || self.registers & 1 << self.rn == 0)
    }
}

/// How an access is made.
#[derive(Clone, Copy, Debug)]
enum Form {
    Single(Indexing, i32),
    Block(BlockMode, bool),
}

/// A step of a pointer: an addition before, then the access.
#[derive(Clone, Copy, Debug)]
struct Move {
    before: i32,
    form: Form,
}

/// How far an offset of LDR reaches.
const REACH: i32 = 4095;

/// Instructions for all items.
pub(super) fn place(items: &[Item], pointers: usize) -> Option<Vec<Instruction>> {
    let mut moves: Vec<std::vec::IntoIter<Move>> = Vec::with_capacity(pointers);
    for pointer in 0..pointers {
        let accesses = items.iter().filter_map(|item| match item {
            Item::Access(access) if access.pointer == pointer => Some(*access),
            Item::Access(_) | Item::Plain(_) => None,
        });
        moves.push(plan(&accesses.collect::<Vec<_>>())?.into_iter());
    }
    let mut program = Vec::new();
    for item in items {
        match item {
            Item::Plain(instruction) => program.push(*instruction),
            Item::Access(access) => {
                let step = moves[access.pointer].next()?;
                if step.before != 0 {
                    let op = if step.before > 0 { DataOp::Add } else { DataOp::Sub };
                    let number = Shifter::number(step.before.unsigned_abs())?;
                    program.push(code::data(op, false, access.rn, access.rn, number));
                }
                program.push(instruction(access, step.form));
            }
        }
    }
    Some(program)
}

fn instruction(access: &Access, form: Form) -> Instruction {
    match form {
        Form::Block(mode, write_back) => {
            code::block(access.load, access.rn, write_back, mode, access.registers)
        }
        Form::Single(indexing, distance) => {
            let offset = Offset::Immediate(distance.unsigned_abs() as u16);
            let address = Address { rn: access.rn, up: distance >= 0, offset, indexing };
            let rd = access.registers.trailing_zeros() as Register;
            Action::Transfer { load: access.load, size: Size::Word, rd, address }.into()
        }
    }
}

/// The cheapest moves of one pointer.
fn plan(accesses: &[Access]) -> Option<Vec<Move>> {
    // by access: where the pointer stands behind it, with the additions so far, the move and where it stood
    let mut table: Vec<BTreeMap<i32, (u32, Move, i32)>> = Vec::with_capacity(accesses.len());
    let mut now: BTreeMap<i32, u32> = BTreeMap::from([(0, 0)]);
    for (number, access) in accesses.iter().enumerate() {
        // where the next block wants it
        let next = accesses[number + 1..].iter().find(|later| later.count() > 1);
        let wishes = next.map(|block| block.stands().map(|(stand, _)| stand));
        let mut row: BTreeMap<i32, (u32, Move, i32)> = BTreeMap::new();
        let mut reach = |to: i32, cost: u32, step: Move, from: i32| {
            let entry = row.entry(to).or_insert((cost, step, from));
            if cost < entry.0 {
                *entry = (cost, step, from);
            }
        };
        for (stand, cost) in &now {
            if access.count() > 1 {
                for (at, mode) in access.stands() {
                    let before = at - stand;
                    if Shifter::number(before.unsigned_abs()).is_none() {
                        continue;
                    }
                    let cost = cost + u32::from(before != 0);
                    reach(at, cost, Move { before, form: Form::Block(mode, false) }, *stand);
                    if access.movable() {
                        let by = match mode {
                            BlockMode::Ia | BlockMode::Ib => 4 * access.count(),
                            BlockMode::Da | BlockMode::Db => -4 * access.count(),
                        };
                        reach(at + by, cost, Move { before, form: Form::Block(mode, true) }, *stand);
                    }
                }
                continue;
            }
            let distance = access.at - stand;
            if distance.abs() <= REACH {
                reach(
                    *stand,
                    *cost,
                    Move { before: 0, form: Form::Single(Indexing::Offset, distance) },
                    *stand,
                );
                if access.movable() && distance != 0 {
                    let form = Form::Single(Indexing::Before, distance);
                    reach(access.at, *cost, Move { before: 0, form }, *stand);
                }
            }
            if access.movable() && distance == 0 {
                for wish in wishes.iter().flatten().copied().chain(far(accesses, number)) {
                    let by = wish - stand;
                    if by != 0 && by.abs() <= REACH {
                        let form = Form::Single(Indexing::After, by);
                        reach(wish, *cost, Move { before: 0, form }, *stand);
                    }
                }
            }
        }
        now = row.iter().map(|(stand, (cost, ..))| (*stand, *cost)).collect();
        table.push(row);
    }
    let mut stand = now.iter().min_by_key(|(_, cost)| **cost).map(|(stand, _)| *stand)?;
    let mut moves = Vec::with_capacity(accesses.len());
    for row in table.iter().rev() {
        let (_, step, from) = row[&stand];
        moves.push(step);
        stand = from;
    }
    moves.reverse();
    Some(moves)
}

/// The next access, if it is out of reach from here.
fn far(accesses: &[Access], number: usize) -> Option<i32> {
    let next = accesses.get(number + 1)?;
    ((next.at - accesses[number].at).abs() > REACH / 2).then_some(next.at)
}
