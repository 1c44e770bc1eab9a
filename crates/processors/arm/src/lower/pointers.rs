//! Where pointers stand: which accesses move them, so that LDM and STM find them at an end of their words.
//!
//! LDR and STR reach 4095 bytes either way and may set the pointer to where the word lies (before) or, standing
//! there, anywhere in reach (after), for nothing. LDM and STM begin at the pointer or beside it, upwards or
//! downwards, and may move it past the words. What is left costs an addition. For each pointer the cheapest
//! sequence is computed from its accesses (dynamic programming over where it stands).

use super::code;
use crate::cores::Core;
use crate::instructions::{Action, Address, BlockMode, Indexing, Instruction, Offset, Size};
use crate::instructions::{Register, SP};
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
    fn stands(&self, core: &Core) -> impl Iterator<Item = (i32, BlockMode)> {
        let end = self.at + 4 * self.count();
        let all = [
            (self.at, BlockMode::Ia),
            (end, BlockMode::Db),
            (self.at - 4, BlockMode::Ib),
            (end - 4, BlockMode::Da),
        ];
        all.into_iter().take(if core.thumb.is_some() { 2 } else { 4 })
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
    /// Words one by one, the lowest so far from the pointer, which stays.
    Singles(i32),
    Block(BlockMode, bool),
}

/// A step of a pointer: an addition before, then the access.
#[derive(Clone, Copy, Debug)]
struct Move {
    before: i32,
    form: Form,
}

/// How far an offset of LDR reaches (ARM DDI 0100, A5.2.2).
const REACH: i32 = 4095;

/// Whether an offset of a word reaches so far: in Thumb state less where it is subtracted, or moves the base (ARM DDI 0403E,
/// A7.7.43).
fn reaches(core: &Core, indexing: Indexing, distance: i32) -> bool {
    match (core.thumb, indexing) {
        (None, _) => distance.abs() <= REACH,
        (Some(_), Indexing::Offset) => (-255..=REACH).contains(&distance),
        (Some(_), _) => distance.abs() <= 255,
    }
}

/// Accesses to arrays by these pointers, which stand so many bytes behind their beginnings. Words that follow each other go
/// together where that is faster.
pub(super) fn blocks(
    items: &[rhomb_lower::Item<Instruction>],
    pointers: [Register; 3],
    from: [i32; 3],
    core: &Core,
) -> Vec<Item> {
    use rhomb_lower::Item::{Access as Word, Code};
    let follows = |one: &_, next: &_| match (one, next) {
        (Word(one), Word(next)) => {
            // the lowest register belongs to the lowest address
            (one.array, one.store, one.index + 1) == (next.array, next.store, next.index)
                && one.register < next.register
        }
        _ => false,
    };
    let mut all = Vec::with_capacity(items.len());
    for run in items.chunk_by(follows) {
        let register = |item: &_| match item {
            Word(access) => Some(access.register),
            Code(_) => None,
        };
        let registers: Vec<Register> = run.iter().filter_map(register).collect();
        match run[0] {
            Code(instruction) => all.push(Item::Plain(instruction)),
            Word(first) => {
                let (load, pointer) = (!first.store, first.array as usize);
                let (rn, at) = (pointers[pointer], 4 * first.index as i32 - from[pointer]);
                let times = |words: &[Register]| core.most(&code::transfer(load, rn, words, false));
                let is_block = times(&registers) < times(&registers[..1]).map(|one| one * run.len() as u64);
                let size = if is_block { run.len() } else { 1 };
                for (words, at) in registers.chunks(size).zip((at..).step_by(4 * size)) {
                    let registers = words.iter().fold(0, |set, register| set | 1 << register);
                    all.push(Item::Access(Access { load, pointer, rn, at, registers }));
                }
            }
        }
    }
    all
}

/// Instructions for all items, as fast as the core does them, and how far each pointer has moved. `ends` are where pointers are
/// wanted afterwards.
pub(super) fn place(
    items: &[Item],
    ends: &[Option<i32>],
    core: &Core,
) -> Option<(Vec<Instruction>, Vec<i32>)> {
    let mut moves: Vec<std::vec::IntoIter<Move>> = Vec::with_capacity(ends.len());
    let mut stands = Vec::with_capacity(ends.len());
    for (pointer, end) in ends.iter().enumerate() {
        let accesses = items.iter().filter_map(|item| match item {
            Item::Access(access) if access.pointer == pointer => Some(*access),
            Item::Access(_) | Item::Plain(_) => None,
        });
        let (own, stand) = plan(&accesses.collect::<Vec<_>>(), *end, core)?;
        moves.push(own.into_iter());
        stands.push(stand);
    }
    let mut program = Vec::new();
    for item in items {
        match item {
            Item::Plain(instruction) => program.push(*instruction),
            Item::Access(access) => {
                let step = moves[access.pointer].next()?;
                code::advance(&mut program, access.rn, step.before);
                write(access, step.form, &mut program);
            }
        }
    }
    Some((program, stands))
}

fn write(access: &Access, form: Form, program: &mut Vec<Instruction>) {
    let single = |rd: Register, indexing: Indexing, distance: i32| {
        let offset = Offset::Immediate(distance.unsigned_abs() as u16);
        let address = Address { rn: access.rn, up: distance >= 0, offset, indexing };
        Action::Transfer { load: access.load, size: Size::Word, rd, address }.into()
    };
    match form {
        Form::Block(mode, write_back) => {
            program.push(code::block(access.load, access.rn, write_back, mode, access.registers));
        }
        Form::Single(indexing, distance) => {
            program.push(single(access.registers.trailing_zeros() as Register, indexing, distance));
        }
        Form::Singles(distance) => {
            let words = (0..16).filter(|register| access.registers >> register & 1 == 1);
            let places = (distance..).step_by(4);
            program.extend(words.zip(places).map(|(rd, at)| single(rd, Indexing::Offset, at)));
        }
    }
}

/// Cycles, and behind them instructions.
type Cost = (u64, usize);

fn plus((cycles, length): Cost, other: Cost) -> Cost {
    (cycles + other.0, length + other.1)
}

/// What it costs to move a pointer.
fn added(by: i32, core: &Core) -> Cost {
    let length = code::parts(by.unsigned_abs()).count();
    (length as u64 * u64::from(core.timing.data), length)
}

/// What an access of these registers costs in a form.
fn cost(access: &Access, form: Form, core: &Core) -> Cost {
    let mut program = Vec::with_capacity(16);
    write(access, form, &mut program);
    (program.iter().map(|one| core.most(one).unwrap_or(0)).sum(), program.len())
}

/// The cheapest moves of one pointer, and where it stands then.
fn plan(accesses: &[Access], end: Option<i32>, core: &Core) -> Option<(Vec<Move>, i32)> {
    // by access: where the pointer stands behind it, with the cost so far, the move and where it stood
    let mut table: Vec<BTreeMap<i32, (Cost, Move, i32)>> = Vec::with_capacity(accesses.len());
    let mut now: BTreeMap<i32, Cost> = BTreeMap::from([(0, (0, 0))]);
    // where the next block wants it
    let mut next = accesses.iter().enumerate().filter(|(_, access)| access.count() > 1).peekable();
    for (number, access) in accesses.iter().enumerate() {
        while next.next_if(|(block, _)| *block <= number).is_some() {}
        let wishes = next.peek().map(|(_, block)| block.stands(core).map(|(stand, _)| stand));
        let wishes: Vec<i32> = wishes.into_iter().flatten().chain(far(accesses, number)).chain(end).collect();
        // or where a later access can bring it there
        let until =
            next.peek().map_or(if end.is_some() { accesses.len() } else { number + 1 }, |(block, _)| *block);
        let is_again = accesses[number + 1..until].iter().any(|later| later.at == access.at);
        let is_useful = is_again || wishes.contains(&access.at);
        let single = cost(access, Form::Single(Indexing::Offset, 0), core);
        let [block, singles] =
            [Form::Block(BlockMode::Ia, false), Form::Singles(0)].map(|form| cost(access, form, core));
        let mut row: BTreeMap<i32, (Cost, Move, i32)> = BTreeMap::new();
        for (stand, before_cost) in &now {
            let mut reach = |to: i32, before: i32, own: Cost, form: Form| {
                let cost = plus(*before_cost, plus(added(before, core), own));
                let step = (cost, Move { before, form }, *stand);
                let entry = row.entry(to).or_insert(step);
                if cost < entry.0 {
                    *entry = step;
                }
            };
            let distance = access.at - stand;
            let last = distance + 4 * (access.count() - 1);
            let near = [distance, last].iter().all(|own| reaches(core, Indexing::Offset, *own));
            if access.count() > 1 {
                for (at, mode) in access.stands(core) {
                    let before = at - stand;
                    reach(at, before, block, Form::Block(mode, false));
                    if access.movable() {
                        let by = match mode {
                            BlockMode::Ia | BlockMode::Ib => 4 * access.count(),
                            BlockMode::Da | BlockMode::Db => -4 * access.count(),
                        };
                        reach(at + by, before, block, Form::Block(mode, true));
                    }
                }
                if near && access.movable() {
                    // where it takes as long, the block is shorter in the end
                    reach(*stand, 0, plus(singles, (0, 1)), Form::Singles(distance));
                }
                continue;
            }
            match near {
                true => reach(*stand, 0, single, Form::Single(Indexing::Offset, distance)),
                false if access.rn == SP => {}
                false => reach(access.at, distance, single, Form::Single(Indexing::Offset, 0)),
            }
            if !access.movable() {
                continue;
            }
            if distance != 0 && is_useful && reaches(core, Indexing::Before, distance) {
                reach(access.at, 0, single, Form::Single(Indexing::Before, distance));
            }
            if distance == 0 {
                let near = |wish: &&i32| reaches(core, Indexing::After, *wish - stand) && *wish != stand;
                for wish in wishes.iter().filter(near) {
                    reach(*wish, 0, single, Form::Single(Indexing::After, wish - stand));
                }
            }
        }
        now = row.iter().map(|(stand, (cost, ..))| (*stand, *cost)).collect();
        table.push(row);
    }
    let whole = |stand: i32, cost: Cost| plus(cost, end.map_or((0, 0), |end| added(end - stand, core)));
    let (last, _) = now.into_iter().min_by_key(|(stand, cost)| whole(*stand, *cost))?;
    let mut stand = last;
    let mut moves = Vec::with_capacity(accesses.len());
    for row in table.iter().rev() {
        let (_, step, from) = row[&stand];
        moves.push(step);
        stand = from;
    }
    moves.reverse();
    Some((moves, last))
}

/// The next access, if it is out of reach from here.
fn far(accesses: &[Access], number: usize) -> Option<i32> {
    let next = accesses.get(number + 1)?;
    ((next.at - accesses[number].at).abs() > REACH / 2).then_some(next.at)
}
