//! How a function is called by its convention.

use crate::conventions::Convention;
use crate::instructions::flag;
use crate::layout;
use crate::machine::{INTERRUPTS, Machine};
use crate::program::{Avr, Program};
use rhomb_machine::{
    Breach, Buffer, Call, Concrete, Cycles, Domain, Fault, Mix, Over, Placed, Tally, Trace, Visits, arrange,
};
use std::ops::Range;

/// A function of a program.
pub type Function = rhomb_machine::Function<Avr>;

/// Calls with numbers: compiled here, once for all who link this crate.
pub static WITH_NUMBERS: fn(&Function) -> &dyn Over<Concrete<u8>> = |function| function;

/// Unowned bytes between two buffers, and around them.
const GAP: u32 = 5;

impl rhomb_machine::Convention for Convention {
    type Set = Avr;

    fn name(&self) -> &'static str {
        self.name
    }

    fn argument(&self, index: usize) -> Range<u8> {
        self.pointers().nth(index).map_or(0..0, |low| low..low + 2)
    }

    fn further(&self, given: usize) -> Vec<u8> {
        self.beyond(given).collect()
    }

    fn kept(&self, _: &Program) -> Vec<u8> {
        (0..32).filter(|register| self.saved >> register & 1 == 1).collect()
    }

    fn returned(&self, words: u32) -> Range<u8> {
        match words {
            1 => self.returned..self.returned + 1,
            // what is wider ends where the first argument does
            _ if self.is_wide => {
                self.arguments[0] + 2 - words.next_multiple_of(2) as u8..self.arguments[0] + 2
            }
            _ => 0..0,
        }
    }

    fn is_wide(&self) -> bool {
        self.is_wide
    }

    fn inner(&self) -> Option<&'static Self> {
        self.inner()
    }

    /// Buffers from the start of SRAM upwards, the stack at its end, or above it where the buffers need the room. The number
    /// decides about order and distances. Where the file has constants or variables in the data memory, all lies above them.
    fn place<W>(
        &self,
        function: &Function,
        buffers: &[Buffer<W>],
        (number, on_stack): (u32, u32),
    ) -> Result<Placed, Fault> {
        if on_stack > 0 {
            let registers = self.pointers().count();
            let what = format!("more than {registers} arguments by the convention {}", self.name);
            return Err(Fault::NotModelled { what });
        }
        let core = function.program.core();
        let taken = &function.program.placement().taken;
        let (start, free) = match taken.is_empty() {
            true => (core.sram.start, core.sram.start),
            false => (taken.start, taken.end),
        };
        let first = free + GAP + 89 * number % 256;
        let (buffers, next) = arrange(buffers, number, first, |end| end.saturating_add(GAP + number % 64));
        // it moves too, so that an address that counts from it is not one of a constant
        let above = number % 8;
        let own = function.stack_limit + core.return_bytes;
        let stack = next.saturating_add(own).saturating_add(above);
        if stack > 0x1_0000 {
            let what = format!("{stack} bytes of data, more than can be addressed");
            return Err(Fault::NotModelled { what });
        }
        let end = core.sram.end.max(stack);
        let top = end - above;
        Ok(Placed { memory: start..end, buffers, stack: top - own..top, sp: top - 1, above: 0 })
    }

    fn prepare<D: Domain>(&self, machine: &mut Machine<D>, call: &Call) {
        machine.give_constants();
        if let Some(zero) = self.zero {
            let word = machine.domain.word(0);
            machine.set_register(zero, word);
        }
        // whether interrupts are on is the caller's, and stays so
        let word = machine.domain.arbitrary();
        let interrupts = match machine.domain.bit_of(&word, 0) {
            // one of both: in half of the calls they are on, the first one among these
            bit if machine.domain.known_bit(&bit).is_some() => machine.domain.bit(call.number % 4 < 2),
            bit => bit,
        };
        machine.set_flag(flag::I, interrupts.clone());
        machine.interrupts = Some(interrupts);
        machine.set_untouched(self.untouched);
        machine.set_sp(call.placed.sp as u16);
    }

    fn breaches<D: Domain>(&self, machine: &mut Machine<D>, trace: Option<&Trace>) -> Vec<Breach> {
        let mut breaches = machine.breaches().to_vec();
        let now = machine.flag(flag::I).clone();
        let then = machine.interrupts.clone();
        if then.is_some_and(|then| !machine.domain.same_bit(&now, &then)) {
            breaches.push(Breach {
                text: "interrupts are not on or off as they were at the call".to_owned(),
                address: trace.and_then(|trace| trace.register(INTERRUPTS)),
            });
        }
        breaches.extend(machine.written_io().map(|name| Breach {
            text: format!("{name} is written"),
            address: trace.and_then(|trace| trace.named(name)),
        }));
        breaches
    }

    fn last_breaches<D: Domain>(
        &self,
        machine: &Machine<D>,
        trace: Option<&Trace>,
        filled: bool,
    ) -> Vec<Breach> {
        let is_zero = |zero: &u8| {
            let known = machine.domain.known_word(machine.register(*zero));
            (filled || machine.is_defined(*zero)) && known == Some(0)
        };
        let broken = self.zero.filter(|zero| !is_zero(zero));
        let breach = broken.map(|zero| Breach {
            text: format!("r{zero} is not zero at the return"),
            address: trace.and_then(|trace| trace.register(zero)),
        });
        breach.into_iter().collect()
    }

    fn body<D: Domain>(
        &self,
        function: &Function,
        _: &Machine<D>,
        mut visits: Visits,
        tally: &mut Tally,
    ) -> (Cycles, Mix) {
        let ends = (function.entry, visits.last);
        let frame = layout::take_frame(&function.program, &mut visits.counts, ends, self.zero);
        (tally.cycles.without(frame), function.program.mix(&visits.counts))
    }

    fn ready<D: Domain>(&self, machine: &Machine<D>) -> Result<u32, Fault> {
        let zero = self
            .zero
            .map(|zero| (machine.is_defined(zero), machine.domain.known_word(machine.register(zero))));
        let fault = if !machine.state.own.is_whole() {
            "a call while half of the stack pointer is written"
        } else if zero.is_some_and(|zero| zero != (true, Some(0))) {
            "a call while the zero register is not zero"
        } else {
            return Ok(u32::from(machine.sp()) + 1);
        };
        Err(Fault::NotModelled { what: fault.to_owned() })
    }

    fn forget<D: Domain>(&self, machine: &mut Machine<D>) {
        let kept = self.saved | self.zero.map_or(0, |zero| 1 << zero);
        (0..32).filter(|register| kept >> register & 1 == 0).for_each(|one| machine.forget_register(one));
        let sreg = machine.domain.arbitrary();
        for number in flag::C..flag::I {
            machine.state.flags[number] = machine.state.domain.bit_of(&sreg, number as u32);
            machine.defined &= !(1 << (32 + number));
        }
        machine.state.own.sheltered = None;
    }
}
