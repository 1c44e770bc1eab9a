//! How a function is called by its convention.

use crate::conventions::{Convention, INNER};
use crate::extension::{FIRST, REGISTERS};
use crate::instructions::{LR, SP};
use crate::layout;
use crate::machine::Machine;
use crate::program::{Arm, Program};
use rhomb_machine::{
    Buffer, Call, Concrete, Cycles, Domain, Fault, Mix, Over, Placed, STACK, Tally, Visits, WordStack,
};
use std::ops::Range;

/// Registers of a program's core but the stack pointer and the program counter.
fn registers(program: &Program) -> impl Iterator<Item = u8> + use<> {
    let extension = if program.core().has_extension() { FIRST..REGISTERS as u8 } else { 0..0 };
    (0..SP).chain([LR]).chain(extension)
}

/// A function of a program.
pub type Function = rhomb_machine::Function<Arm>;

/// Calls with numbers: compiled here, once for all who link this crate.
pub static WITH_NUMBERS: fn(&Function) -> &dyn Over<Concrete<u32>> = |function| function;

impl Convention {
    fn all_saved(&self) -> u64 {
        u64::from(self.saved) | u64::from(self.saved_extension) << FIRST
    }
}

impl rhomb_machine::Convention for Convention {
    type Set = Arm;
    const ARRAYS: u32 = 4;

    fn name(&self) -> &'static str {
        self.name
    }

    fn argument(&self, index: usize) -> Range<u8> {
        self.arguments.get(index).map_or(0..0, |register| *register..register + 1)
    }

    fn further(&self, given: usize) -> Vec<u8> {
        self.arguments.iter().skip(given).copied().collect()
    }

    fn kept(&self, program: &Program) -> Vec<u8> {
        let saved = self.all_saved();
        registers(program).filter(|register| saved >> register & 1 == 1).collect()
    }

    fn returned(&self, words: u32) -> Range<u8> {
        self.returned..self.returned + u8::from(words == 1)
    }

    fn inner(&self) -> Option<&'static Self> {
        Some(&INNER)
    }

    fn place<W>(
        &self,
        function: &Function,
        buffers: &[Buffer<W>],
        (number, on_stack): (u32, u32),
    ) -> Result<Placed, Fault> {
        let core = function.program.core();
        let stack =
            WordStack { limit: function.stack_limit, alignment: self.stack_alignment, above: 4 * on_stack };
        Placed::in_words((core.name, &core.ram), buffers, number, stack)
    }

    fn prepare<D: Domain>(&self, machine: &mut Machine<D>, call: &Call) {
        machine.set_sp(call.placed.sp, call.placed.above);
        let stack = -i64::from(call.stack_bytes + call.placed.above)..=0;
        machine.domain.lies(STACK, stack, self.stack_alignment.into(), false);
    }

    fn body<D: Domain>(
        &self,
        function: &Function,
        _: &Machine<D>,
        mut visits: Visits,
        tally: &mut Tally,
    ) -> (Cycles, Mix) {
        let ends = (function.entry, visits.last);
        let frame = layout::take_frame(&function.program, &mut visits.counts, ends, self.saved);
        let mut mix = function.program.mix(&visits.counts);
        mix.other += visits.skipped;
        (tally.cycles.without(frame), mix)
    }

    fn ready<D: Domain>(&self, machine: &Machine<D>) -> Result<u32, Fault> {
        let sp = machine.stack_address()?;
        match sp.is_multiple_of(self.stack_alignment) {
            true => Ok(sp),
            false => {
                let what = "a call with a stack pointer that is not aligned".to_owned();
                Err(Fault::NotModelled { what })
            }
        }
    }

    fn forget<D: Domain>(&self, machine: &mut Machine<D>) {
        let saved = self.all_saved();
        let lost = registers(&machine.program).filter(|register| saved >> register & 1 == 0);
        lost.collect::<Vec<_>>().into_iter().for_each(|one| machine.forget_register(one));
        machine.forget_flags();
    }
}
