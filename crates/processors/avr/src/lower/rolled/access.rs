//! Memory accesses of a block as instructions.
//!
//! Where the convention keeps Y for itself, A and B share X. Each then has a pair of its own, its home,
//! that holds its pointer between blocks; MOVW copies it to X when the array changes, and back if it has
//! moved.

use crate::assembler::moved;
use crate::instructions::{Instruction, Op};
use crate::lower::pointers::instruction;
use crate::lower::translate::Item;
use rhomb_line::Array;
use rhomb_lower::pointer::{Mode, Plan};

/// Where the pointers to the result, A and B are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointers {
    /// Low registers of X, Y or Z.
    pub(super) registers: [u8; 3],
    /// Low registers of the homes of arrays that share one.
    pub(super) homes: [Option<u8>; 3],
    /// How many of the arrays there are.
    pub(super) arrays: usize,
}

impl Pointers {
    /// Whether they take a register.
    pub(super) fn take(&self, register: u8) -> bool {
        let pair = register & !1;
        self.registers[..self.arrays].contains(&pair) || self.homes.contains(&Some(pair))
    }

    /// The pair that holds an array's pointer between blocks.
    pub(super) fn between(&self, array: Array) -> u8 {
        self.homes[array as usize].unwrap_or(self.registers[array as usize])
    }
}

/// The items with their accesses as planned, by array; each pointer is where its plan ends.
pub(super) fn write(items: &[Item], plans: &[Option<Plan>; 3], pointers: &Pointers) -> Vec<Instruction> {
    let mut writer = Writer { pointers, shared: None, code: Vec::with_capacity(items.len()) };
    let mut next = [0; 3];
    for item in items {
        match item {
            Item::Code(instruction) => writer.code.push(*instruction),
            Item::Access(access) => {
                let index = access.array as usize;
                let Some(plan) = &plans[index] else { continue };
                let choice = plan.choices[next[index]];
                next[index] += 1;
                writer.adjust(access.array, choice.adjust);
                writer.bring(access.array);
                let moves = !matches!(choice.mode, Mode::Displacement(_));
                writer.moved(access.array, moves);
                let pointer = pointers.registers[index];
                writer.code.push(instruction(pointer, choice.mode, access.register, access.store));
            }
        }
    }
    for array in Array::ARGUMENTS {
        writer.adjust(array, plans[array as usize].as_ref().map_or(0, |plan| plan.last));
    }
    writer.put_back();
    writer.code
}

struct Writer<'a> {
    pointers: &'a Pointers,
    /// The array whose pointer is in the shared register, and whether it has moved there.
    shared: Option<(Array, bool)>,
    code: Vec<Instruction>,
}

impl Writer<'_> {
    fn is_shared(&self, array: Array) -> bool {
        self.shared.is_some_and(|(other, _)| other == array)
    }

    /// Puts an array's pointer into the register that it shares.
    fn bring(&mut self, array: Array) {
        let Some(home) = self.pointers.homes[array as usize] else { return };
        if !self.is_shared(array) {
            self.put_back();
            self.code.push(Instruction::dr(Op::Movw, self.pointers.registers[array as usize], home));
            self.shared = Some((array, false));
        }
    }

    fn put_back(&mut self) {
        if let Some((array, true)) = self.shared.take()
            && let Some(home) = self.pointers.homes[array as usize]
        {
            self.code.push(Instruction::dr(Op::Movw, home, self.pointers.registers[array as usize]));
        }
    }

    fn moved(&mut self, array: Array, moves: bool) {
        if let Some((other, moved)) = &mut self.shared
            && *other == array
        {
            *moved |= moves;
        }
    }

    fn adjust(&mut self, array: Array, by: i32) {
        let register = if self.is_shared(array) {
            self.pointers.registers[array as usize]
        } else {
            self.pointers.between(array)
        };
        self.code.extend(moved(register, by));
        self.moved(array, by != 0);
    }
}
