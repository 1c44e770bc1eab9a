//! One call on our own simulator, and everything that must hold after it.

use crate::matrix::case::{Case, product};
use crate::matrix::routine::Routine;
use rhomb_avr::Machine;
use rhomb_machine::{Access, Concrete, Fault, Tally};

/// What a routine did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The simulator stopped: memory not owned, an undefined register read, a wrong return.
    Fault(Fault),
    /// The result is not the product.
    Product { expected: Vec<u8>, result: Vec<u8> },
    /// A byte of the result was never stored.
    NotStored(usize),
    /// A register that the convention saves has changed.
    Saved(u8),
    /// The zero register is not zero.
    Zero,
    /// The stack pointer has changed.
    StackPointer,
    /// Not the cycles that the instructions add up to.
    Cycles { expected: u64, cycles: u64 },
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Failure::Fault(fault)
    }
}

/// Calls the routine with nothing defined but arguments, saved registers and the zero register, no
/// flag, and no memory owned but what the contract gives: the operands to read, the result, and the
/// stated bytes of stack. Checks the product and the contract; the answer is the cycles.
pub(crate) fn call(routine: &Routine, case: &Case) -> Result<u64, Failure> {
    Ok(tally(routine, case)?.cycles.max)
}

/// The same, with the number of instructions.
pub(crate) fn tally(routine: &Routine, case: &Case) -> Result<Tally, Failure> {
    let convention = routine.convention;
    let n = routine.words as u32;
    let mut machine = Machine::new(routine.program.clone(), Concrete::<u8>::new());
    let memory = &mut machine.memory;
    memory.own("result", case.r_at..case.r_at + 2 * n, Access::Store)?;
    for (name, at, bytes) in [("a", case.a_at, &case.a), ("b", case.b_at, &case.b)] {
        memory.own(name, at..at + n, Access::Load)?;
        memory.fill(at, bytes)?;
    }
    let top = u32::from(case.sp) + 1 - routine.core().return_bytes;
    memory.own("stack", top - routine.stack_bytes..top, Access::Store)?;
    machine.set_untouched(convention.untouched);
    machine.set_sp(case.sp);
    for number in (0..32).filter(|number| defined(routine) & 1 << number != 0) {
        machine.set_register(number, case.registers[usize::from(number)]);
    }
    machine.enter(routine.program.origin())?;
    let tally = rhomb_machine::run(&mut machine, 2 * routine.length)?;

    let expected = product(&case.a, &case.b);
    let mut result = Vec::with_capacity(expected.len());
    for index in 0..expected.len() {
        let byte = machine.memory.peek(case.r_at + index as u32).ok_or(Failure::NotStored(index))?;
        result.push(*byte);
    }
    if result != expected {
        return Err(Failure::Product { expected, result });
    }
    let kept = |number: &u8| {
        machine.is_defined(*number) && *machine.register(*number) == case.registers[usize::from(*number)]
    };
    if let Some(number) =
        (0..32).filter(|number| convention.saved & 1 << number != 0).find(|number| !kept(number))
    {
        return Err(Failure::Saved(number));
    }
    if convention.zero.is_some_and(|zero| !kept(&zero)) {
        return Err(Failure::Zero);
    }
    if machine.sp() != case.sp {
        return Err(Failure::StackPointer);
    }
    if tally.cycles.max != routine.cycles {
        return Err(Failure::Cycles { expected: routine.cycles, cycles: tally.cycles.max });
    }
    Ok(tally)
}

/// Registers that have a value at the call (bit n is Rn).
fn defined(routine: &Routine) -> u32 {
    let convention = routine.convention;
    let arguments =
        convention.arguments.iter().take(1 + routine.operands).fold(0, |mask, low| mask | 3 << low);
    convention.saved | arguments | convention.zero.map_or(0, |zero| 1 << zero)
}
