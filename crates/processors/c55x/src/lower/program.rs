//! Programs of calls on the C55x: what they are made of. All else is shared. Places are numbers of lines.

use super::code::{Code, amov, point};
use super::squaring::move_stack;
use crate::conventions::Convention;
use crate::instructions::{Bundle, Compare, Condition, Instruction, Reg, Smem, Ta};
use rhomb_field::program::Program;
use rhomb_lower::program::{self as shared, At, Frame, Way};

/// The longest way from the stack pointer in an operand.
const OFFSET: usize = 127;
/// The most words of a frame.
const FRAME: usize = 1 << 14;

/// Why a program cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramFault {
    /// More arguments or loops in loops than registers that calls keep.
    #[error("a program with more arguments or loops than registers that calls keep")]
    Registers,
    /// A frame that is too large.
    #[error("a program whose numbers take {0} words of stack")]
    Frame(usize),
    /// A fault of the search for positions.
    #[error("positions that do not settle")]
    Unsettled,
}

struct Caller<'a> {
    convention: &'a Convention,
}

impl Caller<'_> {
    fn kept(&self, argument: usize) -> u8 {
        self.convention.saved_ar[argument]
    }

    fn counter(&self, number: usize) -> Ta {
        Ta::T(self.convention.saved_t[number])
    }

    /// Words of the frame: the stack pointer is odd at the entry, and must be even at calls. Of a whole address register the
    /// upper bits go to the system stack.
    fn room(frame: &Frame) -> i32 {
        let saved = frame.arguments + frame.counters;
        (frame.bytes + 1 - (saved + frame.bytes) % 2) as i32
    }
}

impl shared::Caller for Caller<'_> {
    type Instruction = Bundle;
    type Error = ProgramFault;
    const WORD_BYTES: usize = 1;
    const ALIGNMENT: usize = 2;
    const MOST_TURNS: u32 = 0xffff;

    fn length(code: &[Bundle]) -> i64 {
        code.len() as i64
    }

    fn moved(&self, routine: &[Bundle], to: i64) -> Vec<Bundle> {
        let retarget = |one: Instruction| one.target().map_or(one, |own| one.with_target(own + to as u32));
        let line = |line: &Bundle| Bundle { first: retarget(line.first), second: line.second.map(retarget) };
        routine.iter().map(line).collect()
    }

    fn enter(&self, frame: &Frame) -> Result<Vec<Bundle>, ProgramFault> {
        let Convention { saved_ar, saved_t, .. } = self.convention;
        if frame.arguments > saved_ar.len() || frame.counters > saved_t.len() {
            return Err(ProgramFault::Registers);
        }
        if frame.bytes > FRAME {
            return Err(ProgramFault::Frame(frame.bytes));
        }
        let mut code = Code::new();
        (0..frame.arguments).for_each(|index| code.push(Instruction::PushBoth { ar: self.kept(index) }));
        (0..frame.counters).for_each(|number| code.push(Instruction::Push { src: self.counter(number) }));
        move_stack(&mut code, -Self::room(frame));
        let arguments = self.convention.arguments.into_iter().take(frame.arguments);
        arguments.enumerate().for_each(|(index, from)| code.push(point(self.kept(index), from, 0)));
        Ok(code.into_lines())
    }

    fn leave(&self, frame: &Frame) -> Result<Vec<Bundle>, ProgramFault> {
        let mut code = Code::new();
        move_stack(&mut code, Self::room(frame));
        (0..frame.counters)
            .rev()
            .for_each(|number| code.push(Instruction::Pop { dst: self.counter(number) }));
        (0..frame.arguments).rev().for_each(|index| code.push(Instruction::PopBoth { ar: self.kept(index) }));
        code.push(Instruction::Return);
        Ok(code.into_lines())
    }

    fn call(&self, _: &Frame, pointers: &[At], way: Way) -> Result<Vec<Bundle>, ProgramFault> {
        let mut code = Code::new();
        for (to, at) in self.convention.arguments.into_iter().zip(pointers) {
            match *at {
                At::Argument(index) => code.push(point(to, self.kept(index), 0)),
                At::Inside(index, place) => code.push(point(to, self.kept(index), place as i32)),
                At::Frame(place) => {
                    let near = place.min(OFFSET);
                    code.push(Instruction::AmarTo { smem: Smem::Sp(near as u8), dst: to });
                    if place > near {
                        code.push(point(to, to, (place - near) as i32));
                    }
                }
            }
        }
        code.push(Instruction::Call { to: way.to as u32 });
        Ok(code.into_lines())
    }

    fn count(&self, _: &Frame, number: usize, turns: u32) -> Vec<Bundle> {
        vec![amov(turns as u16, self.counter(number)).into()]
    }

    fn again(&self, _: &Frame, number: usize, way: Way) -> Result<Vec<Bundle>, ProgramFault> {
        let own = Reg::Ta(self.counter(number));
        let down = Instruction::AddK4 { subtract: true, value: 1, dst: own };
        let condition = Condition::Zero(own, Compare::Ne);
        Ok(vec![down.into(), Instruction::BranchIf { to: way.to as u32, condition }.into()])
    }

    fn unsettled(&self) -> ProgramFault {
        ProgramFault::Unsettled
    }
}

/// The lines of a program with its routines behind it, which keep the convention; targets are numbers of lines from the
/// first one on. Nothing here depends on status bits.
///
/// # Errors
/// More than registers or the stack hold.
pub fn program(
    program: &Program,
    routines: &[&[Bundle]],
    convention: &Convention,
) -> Result<Vec<Bundle>, ProgramFault> {
    shared::program(&Caller { convention }, program, routines)
}
