//! How a function is called by its convention.

use crate::conventions::{Convention, LEAST_GAP};
use crate::instructions::Ta;
use crate::layout;
use crate::machine::{Machine, index};
use crate::program::{C55x, Program};
use crate::rules::{BRC, CARRY, CDP, CSR, TC, register_names};
use rhomb_machine::{
    Base, Breach, Buffer, Call, Concrete, Cycles, Domain, Fault, Mix, Over, Placed, Tally, Trace, Visits,
    arrange,
};
use std::ops::Range;

/// A function of a program.
pub type Function = rhomb_machine::Function<C55x>;

/// Calls with numbers: compiled here, once for all who link this crate.
pub static WITH_NUMBERS: fn(&Function) -> &dyn Over<Concrete<u16>> = |function| function;

/// The number of an address register among those of addresses: ARn, or 8 for CDP.
fn address_register(register: u8) -> Option<u8> {
    register.checked_sub(8)
}

impl rhomb_machine::Convention for Convention {
    type Set = C55x;
    const ARRAYS: u32 = 2;
    const KEPT_DEFINED: bool = true;
    const TAKES_NUMBERS: bool = false;

    fn name(&self) -> &'static str {
        self.name
    }

    fn argument(&self, number: usize) -> Range<u8> {
        self.arguments.get(number).map_or(0..0, |ar| 8 + ar..9 + ar)
    }

    fn further(&self, given: usize) -> Vec<u8> {
        self.beyond(given).map(|ta| index(ta) as u8).collect()
    }

    fn further_name(&self, register: u8) -> String {
        register_names(1 << register)
    }

    fn kept(&self, _: &Program) -> Vec<u8> {
        let registers = self.saved_ar.map(Ta::Ar).into_iter().chain(self.saved_t.map(Ta::T));
        registers.map(|ta| index(ta) as u8).collect()
    }

    fn returned(&self, words: u32) -> Range<u8> {
        let lowest = index(Ta::T(0)) as u8;
        lowest..lowest + u8::from(words == 1)
    }

    /// Each buffer, and the stack, begins in a block of its own, so that each can be read in the same cycle as another.
    /// The number decides about order and distances from the block's beginning.
    fn place<W>(
        &self,
        function: &Function,
        buffers: &[Buffer<W>],
        (number, on_stack): (u32, u32),
    ) -> Result<Placed, Fault> {
        if on_stack > 0 {
            let what =
                format!("more than {} arguments by the convention {}", self.arguments.len(), self.name);
            return Err(Fault::NotModelled { what });
        }
        let core = function.program.core();
        let (start, limit) = (core.dual.start, function.stack_limit);
        let gap = LEAST_GAP + 2 * (89 * number % 64);
        let first = start.next_multiple_of(core.block / 8) + gap;
        let after = |end: u32| end.saturating_add(2).next_multiple_of(core.block) + gap;
        let (buffers, next) = arrange(buffers, number, first, after);
        // what a routine takes of the stack lies in one block as far as it can
        // an odd address: see `conventions`
        let sp = next.saturating_add(limit).next_multiple_of(core.block) - 1 - 2 * (number % 4);
        if sp >= core.single.end {
            let what = format!("{} words of data, more than data page 0 of {} has", sp - start, core.name);
            return Err(Fault::NotModelled { what });
        }
        Ok(Placed { memory: start..sp + 1, buffers, stack: sp - limit..sp + 1, sp, above: 0 })
    }

    fn start<D: Domain>(&self, machine: &mut Machine<D>) {
        machine.set_strict(machine.is_strict());
        machine.set_status(self.status);
    }

    fn set_pointer<D: Domain>(&self, machine: &mut Machine<D>, register: u8, word: D::Word) {
        machine.is_anywhere |= matches!(machine.domain.address(&[&word]), Some((Base::Of(_), _)));
        match address_register(register) {
            Some(number) => machine.set_pointer(number, word),
            None => machine.set_register(register, word),
        }
    }

    fn is_pointer<D: Domain>(&self, machine: &Machine<D>, register: u8) -> bool {
        let paged = address_register(register).is_some_and(|ar| machine.state.own.paged >> ar & 1 == 1);
        paged && rhomb_machine::State::is_defined(machine, register)
    }

    fn set_kept<D: Domain>(&self, machine: &mut Machine<D>, register: u8, word: D::Word) {
        match address_register(register) {
            Some(number) => machine.set_caller(number, word),
            None => machine.set_register(register, word),
        }
    }

    fn prepare<D: Domain>(&self, machine: &mut Machine<D>, call: &Call) {
        machine.point_stack(call.placed.sp, 1);
    }

    fn is_damaged<D: Domain>(&self, machine: &Machine<D>, register: u8) -> Option<&'static str> {
        let damaged = address_register(register).is_some_and(|ar| !machine.has_upper_of_call(ar));
        damaged.then_some(" (upper bits)")
    }

    fn last_breaches<D: Domain>(&self, machine: &Machine<D>, _: Option<&Trace>, _: bool) -> Vec<Breach> {
        let text = "the status bits are not what they were at the call".to_owned();
        let breach = (machine.status() != self.status).then_some(Breach { text, address: None });
        breach.into_iter().collect()
    }

    /// A line that is repeated is executed as often.
    fn body<D: Domain>(
        &self,
        function: &Function,
        machine: &Machine<D>,
        _: Visits,
        tally: &mut Tally,
    ) -> (Cycles, Mix) {
        tally.instructions = machine.visits.iter().sum();
        let (frame, mix) = layout::frame_and_mix(&function.program, &machine.visits, function.entry);
        (tally.cycles.without(frame), mix)
    }

    fn ready<D: Domain>(&self, machine: &Machine<D>) -> Result<u32, Fault> {
        let sp = machine.stack_address()?;
        let what = if machine.status() != self.status {
            "a call with other status bits than the convention's"
        } else if sp.is_multiple_of(2) {
            "a call with a stack pointer that is not even before it"
        } else {
            return Ok(sp);
        };
        Err(Fault::NotModelled { what: what.to_owned() })
    }

    fn forget<D: Domain>(&self, machine: &mut Machine<D>) {
        for register in [0, 1, 2, 3, 4, CDP as u8 - 8].map(|ar| 8 + ar).into_iter().chain([4, 5]) {
            machine.forget_register(register);
        }
        let lost = 0x1f | 1 << 8;
        machine.state.own.paged &= !lost;
        machine.state.own.kept &= !lost;
        machine.forget_units();
        let destroyed = [0, 1, 2, 3, CSR, BRC[0], BRC[1], CARRY, TC[0], TC[1]];
        machine.defined &= !destroyed.into_iter().fold(0, |set, number| set | 1 << number);
    }
}
