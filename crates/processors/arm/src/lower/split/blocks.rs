//! Recombination, block by block.
//!
//! The carry of a chain stays in C until another chain wants it; then it waits in a register, as C - 1, which SBC of a
//! register from itself gives, and comes back by the subtraction of that from 0.

use super::{Location, Register, Tree, flag};
use crate::instructions::{DataOp, SP, ShiftKind, Shifter};
use crate::lower::code;
use rhomb_kernel::split::halves::{Action, Block, Chain, Halves, SIGN};
use rhomb_kernel::split::plan::{Array, Words};
use rhomb_lower::split::Level;

/// Pointers to the result and to M, the mask of M, and the chains.
const OTHERS: usize = 6;
/// With the fewest words that blocks may have.
pub(super) const FEWEST: usize = OTHERS + 4;

/// A pointer, and how many words it stands behind the array's first.
struct Moving {
    register: Register,
    at: usize,
}

/// Where a chain's carry is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Carry {
    /// There is none yet.
    None,
    /// In C.
    Flag,
    /// In its register.
    Kept,
}

impl Tree<'_> {
    /// Makes the result of the three products.
    pub(super) fn put_together(&mut self, level: &Level<Location>, halves: Halves) {
        let registers = self.registers;
        let (others, data) = registers.split_at(OTHERS);
        let [result, middle, mask, high, sum, negated] =
            [others[0], others[1], others[2], others[3], others[4], others[5]];
        let of = |chain: Chain| match chain {
            Chain::High => high,
            Chain::Sum => sum,
            Chain::Middle => negated,
        };
        let most = data.len() / 2;
        let block = |block: Block| match block {
            Block::X => &data[..most],
            Block::Y => &data[most..2 * most],
        };
        let actions = halves.recombination(most);
        let memory: Vec<Option<Words>> = actions
            .iter()
            .map(|action| match action {
                Action::Load { from: words, .. } | Action::Store { to: words, .. } => Some(*words),
                _ => None,
            })
            .collect();
        // the first word that each pointer wants
        let first = |array: Array| {
            memory.iter().flatten().find(|words| words.array == array).map_or(0, |words| words.at)
        };
        let start = |tree: &mut Self, array: Array, register: Register| {
            let at = first(array);
            tree.point(register, level.own.place(Words { array, at, length: 0 }));
            Moving { register, at }
        };
        let mut result = start(self, Array::Result, result);
        let mut middle = start(self, Array::Frame, middle);
        // the sign is set where M is added
        self.code.push(code::ldr(negated, SP, flag(level, SIGN)));
        self.data(DataOp::Mvn, false, mask, 0, Shifter::plain(negated));
        let mut carries =
            [(Chain::High, Carry::None), (Chain::Sum, Carry::None), (Chain::Middle, Carry::Kept)];
        let mut length = 0;
        let mut extended = false;
        for (index, action) in actions.iter().enumerate() {
            match *action {
                Action::Load { to, from } => {
                    length = from.length;
                    let next = memory[index + 1..].iter().flatten().find(|words| words.array == from.array);
                    let pointer = if from.array == Array::Result { &mut result } else { &mut middle };
                    self.access(true, pointer, from, next, block(to));
                }
                Action::Store { from, to } => {
                    let next = memory[index + 1..].iter().flatten().find(|words| words.array == to.array);
                    let pointer = if to.array == Array::Result { &mut result } else { &mut middle };
                    self.access(false, pointer, to, next, block(from));
                }
                Action::Clear { length: words } => {
                    length = words;
                    for word in &block(Block::Y)[..length] {
                        self.code.push(code::mov(*word, code::ZERO));
                    }
                }
                Action::Complement => {
                    for word in &block(Block::Y)[..length] {
                        self.data(DataOp::Eor, false, *word, *word, Shifter::plain(mask));
                    }
                }
                Action::Add(chain) => {
                    let mut carry = self.enter(&mut carries, chain, of, &actions[index..]);
                    for (x, y) in block(Block::X)[..length].iter().zip(block(Block::Y)) {
                        self.code.push(code::add(carry, true, *x, *x, Shifter::plain(*y)));
                        carry = true;
                    }
                }
                Action::Carry(chain) => {
                    self.enter(&mut carries, chain, of, &actions[index..]);
                    for word in &block(Block::Y)[..length] {
                        self.code.push(code::add(true, true, *word, *word, code::ZERO));
                    }
                }
                Action::Extend => {
                    self.leave(&mut carries, of, &actions[index..]);
                    // each is one less than its carry
                    self.data(DataOp::Add, false, sum, sum, Shifter::plain(negated));
                    self.data(DataOp::Add, false, sum, sum, Shifter::Immediate { value: 2, rotation: 0 });
                    self.data(DataOp::Add, false, sum, sum, Shifter::plain(mask));
                    let above = Shifter::Register { rm: sum, kind: ShiftKind::Asr, amount: 32 };
                    self.code.push(code::mov(negated, above));
                }
                Action::AddExtension => {
                    for word in &block(Block::X)[..length] {
                        let from = if extended { negated } else { sum };
                        self.code.push(code::add(extended, true, *word, *word, Shifter::plain(from)));
                        extended = true;
                    }
                }
            }
        }
    }

    /// Brings a chain's carry into C; tells whether there is one.
    fn enter(
        &mut self,
        carries: &mut [(Chain, Carry); 3],
        chain: Chain,
        of: impl Fn(Chain) -> Register,
        rest: &[Action],
    ) -> bool {
        let now = carries.iter().find(|(other, _)| *other == chain).map_or(Carry::None, |(_, carry)| *carry);
        if now != Carry::Flag {
            self.leave(carries, &of, rest);
        }
        if now == Carry::Kept {
            self.data(DataOp::Rsb, true, of(chain), of(chain), code::ZERO);
        }
        for (other, carry) in carries {
            if *other == chain {
                *carry = Carry::Flag;
            }
        }
        now != Carry::None
    }

    /// Keeps the carry that is in C, if something of the rest wants it.
    fn leave(&mut self, carries: &mut [(Chain, Carry); 3], of: impl Fn(Chain) -> Register, rest: &[Action]) {
        for (chain, carry) in carries.iter_mut().filter(|(_, carry)| *carry == Carry::Flag) {
            let wants = |action: &Action| match action {
                Action::Add(other) | Action::Carry(other) => other == chain,
                Action::Extend => *chain != Chain::High,
                _ => false,
            };
            *carry = Carry::Kept;
            if rest.iter().any(wants) {
                let register = of(*chain);
                self.data(DataOp::Sbc, false, register, register, Shifter::plain(register));
            }
        }
    }

    /// Words from or to memory. The pointer moves along with them where the next access goes on behind them.
    fn access(
        &mut self,
        load: bool,
        pointer: &mut Moving,
        words: Words,
        next: Option<&Words>,
        block: &[Register],
    ) {
        let by = words.at as i32 - pointer.at as i32;
        code::advance(&mut self.code, pointer.register, 4 * by);
        pointer.at = words.at;
        let moves = next.is_some_and(|next| next.at == words.at + words.length);
        if moves {
            pointer.at += words.length;
        }
        let block = &block[..words.length];
        if load {
            self.load(pointer.register, block, moves)
        } else {
            self.store(pointer.register, block, moves)
        }
    }
}
