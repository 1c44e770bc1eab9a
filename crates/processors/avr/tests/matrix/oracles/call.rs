//! A call as a job for a simulator without ownership: guards are bytes that must stay.

use crate::matrix::case::{Case, product};
use crate::matrix::routine::Routine;
use rhomb_oracles::{Job, Outcome, Random, Run, Stop};

/// What a routine did wrong, or did otherwise than on our simulator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It did not come back, or not to its caller with the caller's stack.
    Return,
    /// The result is not the product.
    Product,
    /// A register that the convention saves has changed.
    Saved(u8),
    /// The zero register is not zero.
    Zero,
    /// A byte has changed that is neither result nor the stated stack.
    Stored { address: u32 },
    /// Not as many cycles as on our simulator.
    Cycles { ours: u64, theirs: u64 },
    /// Not as many instructions.
    Instructions(u64),
}

/// The last word address of the core's flash that a return address can name: the caller.
fn caller(routine: &Routine) -> u32 {
    routine.core().flash_bytes / 2 - 1
}

/// The whole SRAM is random but for the operands; registers without meaning and flags are random too.
pub(crate) fn job(routine: &Routine, case: &Case) -> Job {
    let sram = routine.core().sram.clone();
    let mut random = Random::new(u64::from(case.r_at) << 32 | u64::from(case.a_at));
    let mut bytes: Vec<u8> = sram.clone().map(|_| random.byte()).collect();
    for (at, operand) in [(case.a_at, &case.a), (case.b_at, &case.b)] {
        bytes[(at - sram.start) as usize..][..operand.len()].copy_from_slice(operand);
    }
    Job {
        origin: routine.program.origin(),
        words: routine.program.words().to_vec(),
        registers: case.registers,
        // no interrupts
        sreg: random.byte() & 0x7f,
        sp: case.sp,
        pc: routine.program.origin(),
        run: Run::Call { return_to: caller(routine), limit: 2 * routine.length as u32 },
        watch: vec![(sram.start as u16, bytes.len() as u16)],
        memory: vec![(sram.start as u16, bytes)],
    }
}

/// Compares an outcome with the contract, and with the cycles that our simulator counted.
pub(crate) fn judge(
    routine: &Routine,
    case: &Case,
    job: &Job,
    outcome: &Outcome,
    ours: u64,
) -> Result<(), Failure> {
    let convention = routine.convention;
    if outcome.stop != Stop::Done || outcome.sp != case.sp || outcome.pc != caller(routine) {
        return Err(Failure::Return);
    }
    let start = u32::from(job.memory[0].0);
    let (before, after) = (&job.memory[0].1, &outcome.memory[0]);
    let result = case.r_at..case.r_at + 2 * routine.words as u32;
    if after[(result.start - start) as usize..(result.end - start) as usize] != product(&case.a, &case.b) {
        return Err(Failure::Product);
    }
    let top = u32::from(case.sp) + 1;
    let stack = top - routine.core().return_bytes - routine.stack_bytes..top;
    let changed = (start..).zip(before.iter().zip(after)).find(|(address, (before, after))| {
        before != after && !result.contains(address) && !stack.contains(address)
    });
    if let Some((address, _)) = changed {
        return Err(Failure::Stored { address });
    }
    let kept = |number: u8| outcome.registers[usize::from(number)] == case.registers[usize::from(number)];
    if let Some(number) = (0..32).find(|number| convention.saved & 1 << number != 0 && !kept(*number)) {
        return Err(Failure::Saved(number));
    }
    if convention.zero.is_some_and(|zero| !kept(zero)) {
        return Err(Failure::Zero);
    }
    if outcome.cycles != ours {
        return Err(Failure::Cycles { ours, theirs: outcome.cycles });
    }
    if outcome.instructions != routine.length {
        return Err(Failure::Instructions(outcome.instructions));
    }
    Ok(())
}
