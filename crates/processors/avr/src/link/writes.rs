//! Which objects of a linked file's data memory its code writes, as far as can be seen.
//!
//! An abstract interpretation of all functions: each register and each pushed byte has the objects that it may be part of an
//! address of. What is returned and handed on is followed; an address in memory is followed as one that any load may bring, and one that
//! goes to an unknown function as one by which that writes. Not seen are addresses that are computed from those of other objects,
//! that stand in data, or whose two bytes come from instructions that stand apart.

use crate::decode::decode;
use crate::instructions::{Instruction, Op, Operand};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The most objects that are looked at.
pub(super) const MOST: usize = 32;
/// The most instructions that are looked at, each once for every function that comes there.
const MOST_STATES: usize = 1 << 17;
/// The most looks: an instruction before which more may be is looked at again.
const MOST_STEPS: usize = 1 << 20;
/// Registers that a function may leave changed (avr-gcc wiki, "Call-Used Registers"), but for R1.
const CHANGED: u32 = 0xcffc_0001;
/// Registers in which arguments arrive (the same, "Calling Convention").
const ARGUMENTS: Range<usize> = 8..26;

/// How far apart the bytes of an address are loaded.
const APART: u32 = 8;

/// Objects, a bit each: those that an address points into, and, in the upper half, those that it stands right behind.
type Objects = u64;

/// What is known of a register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Byte {
    objects: Objects,
    /// Its number, and where that was loaded.
    known: Option<(u8, u32)>,
    /// What was just subtracted from it.
    less: Option<u8>,
}

/// What is known before an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    registers: [Byte; 32],
    /// What was pushed since the function began.
    stack: Vec<Objects>,
}

impl State {
    /// Takes over what else may be; says whether that is new.
    fn join(&mut self, other: &State) -> bool {
        let before = self.clone();
        for (own, other) in self.registers.iter_mut().zip(&other.registers) {
            own.objects |= other.objects;
            own.known = own.known.filter(|known| other.known == Some(*known));
            own.less = own.less.filter(|less| other.less == Some(*less));
        }
        self.stack.truncate(other.stack.len());
        self.stack.iter_mut().zip(&other.stack).for_each(|(own, other)| *own |= other);
        *self != before
    }
}

/// All code of a file.
struct Code<'a> {
    /// By byte address.
    words: BTreeMap<u32, u16>,
    /// Data addresses of the objects that are looked for.
    objects: &'a [Range<u32>],
    /// Byte addresses of code that fills the data memory before the program starts.
    start_up: &'a [Range<u32>],
    /// A state for each function and each instruction, by byte addresses.
    states: BTreeMap<(u32, u32), State>,
    open: BTreeSet<(u32, u32)>,
    /// What a function leaves in registers.
    left: BTreeMap<u32, [Objects; 32]>,
    /// From which instruction of which function a function is called, and where that goes on.
    callers: BTreeMap<u32, BTreeSet<(u32, u32)>>,
    /// Whose addresses stand in memory.
    stored: Objects,
    written: BTreeMap<usize, u32>,
}

/// The objects, by number, that code writes, and the byte address of an instruction that does; `None` where there is too much
/// code. Code is given by its sections' addresses, `entries` are where functions begin.
pub(super) fn written(
    sections: &[(u32, &[u8])],
    entries: impl IntoIterator<Item = u32>,
    start_up: &[Range<u32>],
    objects: &[Range<u32>],
) -> Option<BTreeMap<usize, u32>> {
    let words = sections.iter().flat_map(|(start, bytes)| {
        let pairs = bytes.as_chunks().0.iter();
        (*start..).step_by(2).zip(pairs.map(|pair| u16::from_le_bytes(*pair)))
    });
    let mut code = Code {
        words: words.collect(),
        objects,
        start_up,
        states: BTreeMap::new(),
        open: BTreeSet::new(),
        left: BTreeMap::new(),
        callers: BTreeMap::new(),
        stored: 0,
        written: BTreeMap::new(),
    };
    // wherever code stands, a store to a number is seen
    for at in code.words.keys().copied().collect::<Vec<_>>() {
        if let Some((Instruction { op: Op::Sts, k, .. }, _)) = code.instruction(at) {
            code.writes(code.at(k as u32), at);
        }
    }
    entries.into_iter().for_each(|entry| code.reach((entry, entry), &State::default()));
    for _ in 0..MOST_STEPS {
        let Some((function, at)) = code.open.pop_first() else { return Some(code.written) };
        code.step(function, at);
        if code.states.len() > MOST_STATES {
            break;
        }
    }
    None
}

impl Code<'_> {
    fn instruction(&self, at: u32) -> Option<(Instruction, u32)> {
        let first = *self.words.get(&at)?;
        let second = self.words.get(&(at + 2)).copied();
        let (instruction, length) =
            decode(&[Some(first), second].into_iter().flatten().collect::<Vec<_>>()).ok()?;
        Some((instruction, 2 * length as u32))
    }

    /// The objects that a data address points into, or stands right behind.
    fn at(&self, address: u32) -> Objects {
        let bit = |(number, object): (usize, &Range<u32>)| {
            let behind = u64::from(object.end == address) << (MOST + number);
            u64::from(object.contains(&address)) << number | behind
        };
        self.objects.iter().enumerate().map(bit).fold(0, |all, one| all | one)
    }

    fn writes(&mut self, objects: Objects, at: u32) {
        if self.start_up.iter().any(|range| range.contains(&at)) {
            return;
        }
        for number in (0..self.objects.len()).filter(|number| objects >> number & 1 == 1) {
            self.written.entry(number).or_insert(at);
        }
    }

    /// Execution may come there so.
    fn reach(&mut self, place: (u32, u32), state: &State) {
        let is_new = match self.states.entry(place) {
            Entry::Vacant(free) => {
                free.insert(state.clone());
                true
            }
            Entry::Occupied(mut known) => known.get_mut().join(state),
        };
        if is_new {
            self.open.insert(place);
        }
    }

    /// Addresses of these objects stand in memory from now on.
    fn stores(&mut self, objects: Objects) {
        if objects & !self.stored != 0 {
            self.stored |= objects;
            self.open.extend(self.states.keys().copied());
        }
    }

    /// The function calls one that begins at `to`, and goes on at `next`.
    fn calls(&mut self, function: u32, to: u32, next: u32, state: State) {
        self.callers.entry(to).or_default().insert((function, next));
        self.reach((to, to), &State { stack: Vec::new(), ..state.clone() });
        // what the function keeps is as it was; the rest is what some call leaves there
        let Some(left) = self.left.get(&to) else { return };
        let mut after = state;
        for (number, byte) in after.registers.iter_mut().enumerate().filter(|(n, _)| CHANGED >> n & 1 == 1) {
            *byte = Byte { objects: left[number], ..Byte::default() };
        }
        self.reach((function, next), &after);
    }

    /// The function returns, or goes where nobody knows.
    fn returns(&mut self, function: u32, state: &State) {
        let left = self.left.get(&function).copied();
        let mut now = left.unwrap_or([0; 32]);
        now.iter_mut().zip(&state.registers).for_each(|(left, byte)| *left |= byte.objects);
        if left != Some(now) {
            self.left.insert(function, now);
            // calls are looked at again
            let callers = self.callers.get(&function).into_iter().flatten();
            let calls = callers.flat_map(|(caller, next)| [(*caller, next - 2), (*caller, next - 4)]);
            self.open.extend(calls.filter(|place| self.states.contains_key(place)).collect::<Vec<_>>());
        }
    }

    fn step(&mut self, function: u32, at: u32) {
        let Some((i, length)) = self.instruction(at) else { return };
        let mut state = self.states[&(function, at)].clone();
        let registers = state.registers;
        let next = at + length;
        let target = match i.op {
            Op::Rjmp | Op::Rcall | Op::Brbs | Op::Brbc => next.wrapping_add_signed(2 * i.k),
            _ => 2 * i.k as u32,
        };
        let pair = |low: usize| registers[low].objects | registers[low + 1].objects;
        let pointer = i.op.row().operands.iter().map(|operand| operand.pointer().0).find(|pair| *pair != 0);
        let pointed = pointer.map_or(0, |pointer| pair(pointer.trailing_zeros() as usize));
        match i.op {
            Op::Rjmp | Op::Jmp => return self.reach((function, target), &state),
            // room in the stack
            Op::Rcall if target == next => state.stack.extend([0, 0]),
            Op::Rcall | Op::Call => return self.calls(function, target, next, state),
            Op::Ret | Op::Reti => return self.returns(function, &state),
            Op::Icall | Op::Eicall | Op::Ijmp | Op::Eijmp => {
                // whoever is called may write what it gets
                let handed = registers[ARGUMENTS].iter().fold(0, |all, byte| all | byte.objects);
                self.writes(handed, at);
                return match i.op {
                    Op::Icall | Op::Eicall => self.reach((function, next), &state),
                    _ => self.returns(function, &state),
                };
            }
            Op::Brbs | Op::Brbc => self.reach((function, target), &state),
            Op::Cpse | Op::Sbrc | Op::Sbrs | Op::Sbic | Op::Sbis => {
                let skipped = self.instruction(next).map_or(2, |(_, length)| length);
                self.reach((function, next + skipped), &state);
            }
            Op::Push => {
                let objects = registers[usize::from(i.r)].objects;
                // what it did not get there is no register that it saves, but an argument
                let saved = self.states[&(function, function)].registers[usize::from(i.r)].objects;
                self.stores(objects & !saved);
                state.stack.push(objects);
            }
            Op::Sts => self.stores(registers[usize::from(i.r)].objects),
            Op::StX
            | Op::StXInc
            | Op::StXDec
            | Op::StdY
            | Op::StYInc
            | Op::StYDec
            | Op::StdZ
            | Op::StZInc
            | Op::StZDec => {
                let before = i.op.row().operands.iter().any(is_before);
                self.writes(if before { pointed | pointed >> MOST } else { pointed }, at);
                self.stores(registers[usize::from(i.r)].objects);
            }
            _ => {}
        }
        self.set(&mut state, i, at);
        self.reach((function, next), &state);
    }

    /// What an instruction leaves in registers.
    fn set(&self, state: &mut State, i: Instruction, at: u32) {
        let old = state.registers;
        let row = i.op.row();
        let (d, r) = (usize::from(i.d), usize::from(i.r));
        let pointers = row.operands.iter().fold(0, |all, operand| all | operand.pointer().1);
        let read = (0..32).filter(|number| i.registers_read() >> number & 1 == 1);
        let mut objects = read.fold(0, |all, number| all | old[number].objects);
        let is_load = row.class == rhomb_machine::Class::Load;
        match i.op {
            Op::Pop => objects = state.stack.pop().unwrap_or(0),
            Op::Sub | Op::Subi | Op::Sbc | Op::Sbci | Op::Sbiw => objects |= objects >> MOST,
            _ if is_load => objects = self.stored,
            _ if row.operands.iter().any(|operand| *operand == Operand::Z || *operand == Operand::ZInc) => {
                objects = 0
            }
            Op::In | Op::Lpm | Op::Elpm => objects = 0,
            _ => {}
        }
        // a pointer that moves stays in its object
        let written = i.registers_written() & !pointers;
        for number in (0..32).filter(|number| written >> number & 1 == 1) {
            state.registers[number] = Byte { objects, ..Byte::default() };
        }
        for number in (0..32).filter(|number| pointers >> number & 1 == 1) {
            state.registers[number] = Byte { objects: old[number].objects, ..Byte::default() };
        }
        match i.op {
            Op::Ldi => state.registers[d].known = Some((i.k as u8, at)),
            Op::Mov => state.registers[d] = old[r],
            Op::Movw => (state.registers[d], state.registers[d + 1]) = (old[r], old[r + 1]),
            Op::Subi => state.registers[d].less = Some(i.k as u8),
            Op::Sbci if d % 2 == 1 => {
                if let Some(low) = old[d - 1].less {
                    let less = u16::from_le_bytes([low, i.k as u8]);
                    let address = u32::from(less.wrapping_neg());
                    // an index may begin with 1
                    self.points(state, d, self.at(address) | self.at(address + 1));
                }
            }
            _ => {}
        }
        // two bytes that were just made an address of
        for number in (0..32).filter(|number| i.registers_written() >> number & 1 == 1) {
            let [low, high] = [number & !1, number | 1].map(|one| state.registers[one].known);
            if let (Some((low, from)), Some((high, to))) = (low, high)
                && from.abs_diff(to) <= APART
            {
                self.points(state, number, self.at(u16::from_le_bytes([low, high]).into()));
            }
        }
    }

    /// The pair of this register is an address of these objects.
    fn points(&self, state: &mut State, register: usize, objects: Objects) {
        state.registers[register & !1].objects |= objects;
        state.registers[register | 1].objects |= objects;
    }
}

/// Whether an access is to the byte before the pointer.
fn is_before(operand: &Operand) -> bool {
    matches!(operand, Operand::XDec | Operand::YDec | Operand::ZDec)
}
