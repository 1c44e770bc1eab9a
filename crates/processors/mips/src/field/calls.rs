//! Formulas as calls of routines.

use super::FieldError;
use crate::instructions::{Register, SP};
use rhomb_field::formulas::{Formula, Op};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Bytes of an element.
pub(crate) const ELEMENT: usize = 24;

/// Where the elements of a program stand: so many bytes behind a register.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    places: BTreeMap<&'static str, (Register, usize)>,
    /// The first free byte of the stack frame.
    next: usize,
}

impl Places {
    /// A frame, of which the 16 lowest bytes are for the routines that are called.
    pub(crate) fn new() -> Self {
        Places { places: BTreeMap::new(), next: 16 }
    }

    /// Says where an element stands.
    pub(crate) fn at(&mut self, name: &'static str, base: Register, offset: usize) {
        self.places.insert(name, (base, offset));
    }

    /// The same place under another name.
    pub(crate) fn same(&mut self, name: &'static str, other: &'static str) -> Result<(), FieldError> {
        let place = self.of(other)?;
        self.places.insert(name, place);
        Ok(())
    }

    /// A place in the frame for so many bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> usize {
        self.next += count;
        self.next - count
    }

    /// A place in the frame for each slot of a formula that has none.
    pub(crate) fn slots(&mut self, formula: &Formula) {
        for slot in formula.slots() {
            if !self.places.contains_key(slot) {
                let offset = self.bytes(ELEMENT);
                self.at(slot, SP, offset);
            }
        }
    }

    /// Bytes of the frame.
    pub(crate) fn size(&self) -> usize {
        self.next.next_multiple_of(8)
    }

    /// Goes on with the frame of others.
    pub(crate) fn after(&mut self, other: &Places) {
        self.next = self.next.max(other.next);
    }

    /// Register and offset of an element.
    pub(crate) fn of(&self, name: &'static str) -> Result<(Register, usize), FieldError> {
        self.places.get(name).copied().ok_or_else(|| FieldError::NoPlace(name.to_owned()))
    }

    fn pointer(&self, register: &str, name: &'static str) -> Result<String, FieldError> {
        let (base, offset) = self.of(name)?;
        Ok(format!("addiu {register}, ${base}, {offset}"))
    }

    /// The six words of an element copied, with $t0 to $t5.
    pub(crate) fn copy(&self, to: &'static str, from: &'static str) -> Result<String, FieldError> {
        let ((to, low), (from, start)) = (self.of(to)?, self.of(from)?);
        let mut text = String::new();
        for word in 0..6 {
            let _ = writeln!(text, "lw $t{word}, {}(${from})", start + 4 * word);
        }
        for word in 0..6 {
            let _ = writeln!(text, "sw $t{word}, {}(${to})", low + 4 * word);
        }
        Ok(text)
    }

    /// A call with a result and operands; the last pointer stands in the delay slot.
    pub(crate) fn call(&self, routine: &str, elements: &[&'static str]) -> Result<String, FieldError> {
        let mut pointers = Vec::new();
        for (register, element) in ["$a0", "$a1", "$a2"].iter().zip(elements) {
            pointers.push(self.pointer(register, element)?);
        }
        let last = pointers.pop().unwrap_or_else(|| "nop".to_owned());
        let mut text = pointers.join("\n");
        let _ = writeln!(text, "\njal {routine}\n{last}");
        Ok(text)
    }

    /// A formula as calls of `mul`, `sqr`, `add`, `sub` and `half`. An element that is squared again and again is so in a
    /// loop with $s7; `label` must be no other formula's.
    pub(crate) fn calls(&self, formula: &Formula, label: &str) -> Result<String, FieldError> {
        let mut text = String::new();
        let mut steps = formula.steps.as_slice();
        while let Some(step) = steps.first() {
            let again = steps.iter().take_while(|other| *other == step).count();
            let to = step.to;
            if step.op == Op::Sqr(to) && again > 3 {
                let call = self.call("sqr", &[to, to])?;
                let here = format!("{label}_{}", steps.len());
                let _ = write!(
                    text,
                    "addiu $s7, $0, {}\n{here}:\n{call}bne $s7, $0, {here}\naddiu $s7, $s7, -1\n",
                    again - 1
                );
                steps = &steps[again..];
                continue;
            }
            text += &match step.op {
                Op::Mul(x, y) => self.call("mul", &[to, x, y]),
                Op::Sqr(x) => self.call("sqr", &[to, x]),
                Op::Add(x, y) => self.call("add", &[to, x, y]),
                Op::Sub(x, y) => self.call("sub", &[to, x, y]),
                Op::Half(x) => self.call("half", &[to, x]),
                Op::Copy(x) => self.copy(to, x),
            }?;
            steps = &steps[1..];
        }
        Ok(text)
    }
}

/// Registers that o32 wants kept and that the programs here use: $s0 to $s7, and the return address.
const KEPT: [Register; 9] = [16, 17, 18, 19, 20, 21, 22, 23, 31];

/// The text before and after a function with a frame of `size` bytes beside the saved registers.
pub(crate) fn frame(name: &str, size: usize) -> (String, String) {
    let whole = (size + 4 * KEPT.len()).next_multiple_of(8);
    let moves = |op: &str| {
        let line = |(number, register): (usize, &Register)| {
            format!("{op} ${register}, {}($sp)\n", size + 4 * number)
        };
        KEPT.iter().enumerate().map(line).collect::<String>()
    };
    let head = format!("{name}:\naddiu $sp, $sp, -{whole}\n{}", moves("sw"));
    (head, format!("{}jr $ra\naddiu $sp, $sp, {whole}\n", moves("lw")))
}
