//! Straight lines before registers: instructions that read and make values, each of which is written once.

use crate::instructions::{Instruction, Op, Register, SP};

/// A word that wants a register from the instruction that makes it to the last one that reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub(super) usize);

/// What stands in an instruction's place for a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// A register whatever happens; 0 for zero. No value gets it.
    Register(Register),
    /// The register of a value.
    Value(Value),
}

/// Zero.
pub const ZERO: Name = Name::Register(0);

impl From<Value> for Name {
    fn from(value: Value) -> Name {
        Name::Value(value)
    }
}

/// Words one after the other in memory.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    base: Name,
    /// Accesses to different memories never meet; in one memory they meet where their index is the same.
    memory: usize,
}

/// An instruction whose registers are names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) instruction: Instruction,
    pub(super) rs: Name,
    pub(super) rt: Name,
    pub(super) rd: Name,
    /// Memory and index that it accesses.
    pub(super) place: Option<(usize, i32)>,
}

/// Instructions in an order in which they compute what they should. Values are numbered in the order in which they are
/// made.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pub(super) steps: Vec<Step>,
    pub(super) values: usize,
    /// Values that are there at the start, and where.
    pub(super) arguments: Vec<(Value, Register)>,
    memories: usize,
    /// The stack, and how many words of it are used.
    pub(super) stack: Option<(Array, usize)>,
}

impl Line {
    /// Nothing.
    pub fn new() -> Line {
        Line::default()
    }

    /// Number of instructions.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    fn value(&mut self) -> Value {
        self.values += 1;
        Value(self.values - 1)
    }

    /// What stands in a register at the start. The register is free after the value's last use.
    pub fn argument(&mut self, register: Register) -> Value {
        let value = self.value();
        self.arguments.push((value, register));
        value
    }

    /// The array to which a name points; it shares no word with other arrays.
    pub fn array(&mut self, base: impl Into<Name>) -> Array {
        self.memories += 1;
        Array { base: base.into(), memory: self.memories - 1 }
    }

    /// The array to which a name points, which may lie in the place of another one: word for word, or not at all.
    pub fn array_over(&mut self, base: impl Into<Name>, other: Array) -> Array {
        Array { base: base.into(), memory: other.memory }
    }

    /// Words of the routine's own stack, of which there are so many or more.
    pub fn stack(&mut self, words: usize) -> Array {
        let (array, most) = match self.stack {
            Some((array, most)) => (array, most.max(words)),
            None => (self.array(Name::Register(SP)), words),
        };
        self.stack = Some((array, most));
        array
    }

    fn push(&mut self, instruction: Instruction, names: [Name; 3], place: Option<(usize, i32)>) {
        let [rs, rt, rd] = names;
        self.steps.push(Step { instruction, rs, rt, rd, place });
    }

    /// A word, by its index.
    pub fn load(&mut self, array: Array, index: usize) -> Value {
        let to = self.value();
        let index = index as i32;
        let load = Instruction { immediate: index.wrapping_mul(4), ..Instruction::new(Op::Lw) };
        self.push(load, [array.base, to.into(), ZERO], Some((array.memory, index)));
        to
    }

    /// Stores a word by its index.
    pub fn store(&mut self, array: Array, index: usize, from: impl Into<Name>) {
        let index = index as i32;
        let store = Instruction { immediate: index.wrapping_mul(4), ..Instruction::new(Op::Sw) };
        self.push(store, [array.base, from.into(), ZERO], Some((array.memory, index)));
    }

    /// `op rd, rs, rt`.
    pub fn compute(&mut self, op: Op, rs: impl Into<Name>, rt: impl Into<Name>) -> Value {
        let to = self.value();
        self.push(Instruction::new(op), [rs.into(), rt.into(), to.into()], None);
        to
    }

    /// `op rd, rs, rt` into a register that no value has.
    pub fn compute_into(
        &mut self,
        register: Register,
        op: Op,
        rs: impl Into<Name>,
        rt: impl Into<Name>,
    ) -> Name {
        let to = Name::Register(register);
        self.push(Instruction::new(op), [rs.into(), rt.into(), to], None);
        to
    }

    /// `op rt, rs, number`.
    pub fn immediate(&mut self, op: Op, rs: impl Into<Name>, number: i32) -> Value {
        let to = self.value();
        let instruction = Instruction { immediate: number, ..Instruction::new(op) };
        self.push(instruction, [rs.into(), to.into(), ZERO], None);
        to
    }

    /// `op rd, rt, places`.
    pub fn shift(&mut self, op: Op, rt: impl Into<Name>, places: u8) -> Value {
        let to = self.value();
        let instruction = Instruction { sa: places, ..Instruction::new(op) };
        self.push(instruction, [ZERO, rt.into(), to.into()], None);
        to
    }

    /// An instruction that reads rs and rt and writes nothing but the accumulator.
    pub fn accumulate(&mut self, instruction: Instruction, rs: impl Into<Name>, rt: impl Into<Name>) {
        self.push(instruction, [rs.into(), rt.into(), ZERO], None);
    }

    /// An instruction that makes rd from the accumulator.
    pub fn take(&mut self, instruction: Instruction) -> Value {
        let to = self.value();
        self.push(instruction, [ZERO, ZERO, to.into()], None);
        to
    }

    /// A number.
    pub fn number(&mut self, number: u32) -> Value {
        let (high, low) = ((number >> 16) as i32, (number & 0xffff) as i32);
        match (high, low) {
            (0, _) => self.immediate(Op::Ori, ZERO, low),
            (_, 0) => self.immediate(Op::Lui, ZERO, high),
            (0xffff, low) if low >= 0x8000 => self.immediate(Op::Addiu, ZERO, low - 0x1_0000),
            _ => {
                let upper = self.immediate(Op::Lui, ZERO, high);
                self.immediate(Op::Ori, upper, low)
            }
        }
    }
}
