//! Addresses that the linker fills in by two parts.

use super::n;
use crate::instructions::{Instruction, Kind};
use crate::machine::Machine;
use crate::syntax;
use rhomb_machine::{Domain, Fault};

impl<D: Domain> Machine<D> {
    /// Executes an instruction that adds the rest of an address to a register with the first part. It does so with the sum in
    /// that register.
    #[cold]
    pub(crate) fn execute_rest(&mut self, i: Instruction) -> Result<Option<u32>, Fault> {
        // stored, the register would be seen
        let is_seen = i.op.row().kind == Kind::Store && i.rs2 == i.rs1;
        let sum = self.state.whole_address(i.rs1, is_seen, |_| syntax::instruction(&i))?;
        let Some(sum) = sum else { return self.execute(i) };
        let register = self.r(i.rs1);
        self.set(i.rs1, sum);
        let done = self.execute(Instruction { immediate: 0, ..i });
        if done.is_err() || i.writes() >> i.rs1 & 1 == 0 {
            self.state.registers[n(i.rs1)] = register;
        }
        done
    }
}
