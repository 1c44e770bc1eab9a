//! Carries programs out over any ring.

use super::{Place, Program, Step};

/// The numbers of a program on its way; those that nobody wrote are none.
struct Numbers<'a, T> {
    result: Option<T>,
    operands: &'a [T],
    slots: Vec<Option<T>>,
}

impl<T: Clone> Numbers<'_, T> {
    fn get(&self, place: Place) -> Option<T> {
        match place {
            Place::Result => self.result.clone(),
            Place::Operand(index) => self.operands.get(index).cloned(),
            Place::Slot(index) => self.slots.get(index)?.clone(),
            Place::Part(..) | Place::Inside(..) | Place::Behind(_) => None,
        }
    }

    fn set(&mut self, place: Place, number: T) -> Option<()> {
        match place {
            Place::Result => self.result = Some(number),
            Place::Operand(_) | Place::Part(..) | Place::Inside(..) | Place::Behind(_) => return None,
            Place::Slot(index) => *self.slots.get_mut(index)? = Some(number),
        }
        Some(())
    }

    fn carry_out(&mut self, steps: &[Step], apply: &mut impl FnMut(usize, &[T]) -> T) -> Option<()> {
        for step in steps {
            match step {
                Step::Call { routine, to, operands } => {
                    let operands: Option<Vec<T>> = operands.iter().map(|place| self.get(*place)).collect();
                    self.set(*to, apply(*routine, &operands?))?;
                }
                Step::Repeat { times, steps } => {
                    for _ in 0..*times {
                        self.carry_out(steps, apply)?;
                    }
                }
                Step::When { .. } | Step::Take { .. } => return None,
            }
        }
        Some(())
    }
}

impl Program {
    /// The result, where `apply` says what a routine makes of its operands.
    ///
    /// `None` where a step reads what nobody wrote, or writes to an operand, or where there is no result; and for programs
    /// that look at words or parts of numbers.
    pub fn run<T: Clone>(&self, operands: &[T], mut apply: impl FnMut(usize, &[T]) -> T) -> Option<T> {
        if operands.len() != self.operands {
            return None;
        }
        let mut numbers = Numbers { result: None, operands, slots: vec![None; self.slots.len()] };
        numbers.carry_out(&self.steps, &mut apply)?;
        numbers.result
    }
}
