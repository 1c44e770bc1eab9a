//! Address registers that are written late, and what waits for them.

use crate::machine::Machine;
use rhomb_machine::{Cycles, Domain, Processor};

impl<D: Domain> Machine<D> {
    /// Waits for address registers that were written late.
    #[inline(never)]
    pub(crate) fn wait(&mut self, needed: u32) {
        let mut set = self.state.own.pending;
        while set != 0 {
            let number = set.trailing_zeros();
            set &= set - 1;
            let ready = self.state.own.ready[number as usize];
            if needed >> number & 1 == 1 {
                let most = (self.state.cycles + self.state.spread).max(ready.max);
                self.state.cycles = self.state.cycles.max(ready.min);
                self.state.spread = most - self.state.cycles;
            }
            if ready.min <= self.state.cycles && ready.max <= self.state.cycles + self.state.spread {
                self.state.own.pending &= !(1 << number);
            }
        }
    }

    #[inline(never)]
    pub(crate) fn delay(&mut self, late: u32) {
        let late_by = u64::from(self.state.program.core().timing.late);
        let ready = self.cycles().plus(Cycles::exact(late_by));
        let mut set = late;
        while set != 0 {
            self.state.own.ready[set.trailing_zeros() as usize] = ready;
            set &= set - 1;
        }
        self.state.own.pending |= late;
    }
}
