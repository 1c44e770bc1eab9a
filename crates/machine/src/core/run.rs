use super::sides::step_joining;
use super::{Code, Convention, InstructionSet, Machine, ProgramPoint, Trace};
use crate::{Calls, Control, Cycles, Domain, Fault, Moment, SecretBranch, See, Tally};

/// How often, and when last, each instruction of a program was executed.
#[derive(Clone, Debug)]
pub struct Visits {
    /// By the number of its place.
    pub counts: Vec<u64>,
    /// The cycle in which the last execution could have begun, where the convention wants to know.
    pub starts: Vec<Cycles>,
    /// How often an instruction's condition failed.
    pub skipped: u64,
    /// The place of the last instruction.
    pub last: u32,
}

/// What a run counted.
pub(super) struct Counted {
    pub(super) tally: Tally,
    pub(super) branches: Vec<SecretBranch>,
    pub(super) visits: Visits,
}

/// Runs until the return, over a domain that joins both sides of conditions that are not known; each such condition counts
/// as one instruction.
pub(super) fn run<M: Machine>(
    machine: &mut M,
    convention: &<M::Set as InstructionSet>::Convention,
    limit: u64,
    mut trace: Option<&mut Trace>,
    mut see: Option<See<'_, M::Domain>>,
    mut calls: Option<&mut dyn Calls<M::Domain>>,
) -> Result<Counted, Fault>
where
    M::Set: InstructionSet<Machine<M::Domain> = M>,
{
    let before = machine.cycles();
    let program = machine.program.clone();
    let mut branches = Vec::new();
    let length = program.places();
    let starts = if <M::Set as InstructionSet>::Convention::STARTS { length } else { 0 };
    let mut visits =
        Visits { counts: vec![0; length], starts: vec![before; starts], skipped: 0, last: machine.pc };
    for instructions in 1..=limit {
        let from: ProgramPoint = (**machine).place();
        let index = program.index(from.pc);
        machine.stored = 0..0;
        machine.skipped = false;
        if let Some(start) = index.and_then(|index| visits.starts.get_mut(index)) {
            *start = machine.cycles();
        }
        let control =
            if M::Domain::JOINS { step_joining(machine, &mut branches)? } else { machine.step()? };
        if machine.skipped {
            visits.skipped += 1;
        } else if let Some(count) = index.and_then(|index| visits.counts.get_mut(index)) {
            *count += 1;
        }
        let stored = see.as_ref().map(|_| machine.stored_cells()).unwrap_or_default();
        if let Some(trace) = &mut trace {
            machine.note(trace, from.pc);
        }
        let cycles = machine.cycles();
        machine.domain.passed(cycles);
        if let Some(see) = &mut see {
            let state = &mut **machine;
            see(Moment {
                address: program.address(from.pc),
                cycles: cycles.since(before),
                registers: state.registers.as_ref(),
                memory: &state.memory,
                stored,
                unit: M::Set::UNITS.cell,
                domain: &mut state.domain,
            });
        }
        if control == Control::Return {
            visits.last = from.pc;
            let tally = Tally { instructions, cycles: cycles.since(before) };
            return Ok(Counted { tally, branches, visits });
        }
        if let Some(calls) = &mut calls
            && let Some(back) = machine.called(from)
        {
            super::composed::take_over(machine, convention, back, *calls)?;
        }
    }
    Err(Fault::StepLimit { limit })
}
