//! How a function is called by its convention.

use crate::conventions::Convention;
use crate::instructions::SP;
use crate::layout;
use crate::machine::Machine;
use crate::program::{Program, Riscv};
use rhomb_machine::{
    Buffer, Call, Concrete, Cycles, Domain, Fault, Mix, Over, Placed, Processor, STACK, Tally, Visits,
    WordStack,
};
use std::ops::Range;

/// A function of a program.
pub type Function = rhomb_machine::Function<Riscv>;

/// Calls with numbers: compiled here, once for all who link this crate.
pub static WITH_NUMBERS: fn(&Function) -> &dyn Over<Concrete<u32>> = |function| function;

impl rhomb_machine::Convention for Convention {
    type Set = Riscv;
    const ARRAYS: u32 = 4;
    const STARTS: bool = true;

    fn name(&self) -> &'static str {
        self.name
    }

    fn argument(&self, index: usize) -> Range<u8> {
        self.arguments.get(index).map_or(0..0, |register| *register..register + 1)
    }

    fn further(&self, given: usize) -> Vec<u8> {
        self.arguments.iter().skip(given).copied().collect()
    }

    fn kept(&self, _: &Program) -> Vec<u8> {
        (0..32).filter(|register| *register != SP && self.saved >> register & 1 == 1).collect()
    }

    fn returned(&self, words: u32) -> Range<u8> {
        self.returned..self.returned + u8::from(words == 1)
    }

    fn inner(&self) -> Option<&'static Self> {
        self.inner()
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
        machine.state.own.foreign = self.foreign;
        machine.domain.lies(
            STACK,
            -i64::from(call.stack_bytes + call.placed.above)..=0,
            self.stack_alignment.into(),
            false,
        );
    }

    fn body<D: Domain>(
        &self,
        function: &Function,
        machine: &Machine<D>,
        mut visits: Visits,
        _: &mut Tally,
    ) -> (Cycles, Mix) {
        let (program, end) = (&function.program, machine.cycles());
        let cycles = layout::take_frame(program, &mut visits, function.entry, self.saved, end);
        (cycles, program.mix(&visits.counts))
    }

    fn ready<D: Domain>(&self, machine: &Machine<D>) -> Result<u32, Fault> {
        let refused = |what: &str| Fault::NotModelled { what: what.to_owned() };
        let sp =
            machine.stack_address().map_err(|_| refused("a call while sp does not point into the stack"))?;
        match sp.is_multiple_of(self.stack_alignment) {
            true => Ok(sp),
            false => Err(refused("a call with a stack pointer that is not aligned")),
        }
    }

    fn forget<D: Domain>(&self, machine: &mut Machine<D>) {
        let lost = (1..32).filter(|register| self.saved >> register & 1 == 0);
        lost.for_each(|register| machine.forget_register(register));
    }
}
