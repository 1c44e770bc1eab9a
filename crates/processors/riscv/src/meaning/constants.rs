//! Words of the program as data, and addresses that the linker fills in by two parts.

use super::n;
use crate::instructions::{Instruction, Kind};
use crate::machine::Machine;
use rhomb_machine::{Base, Domain, Fault, Filled, Unit, is_section};

impl<D: Domain> Machine<D> {
    /// Executes an instruction that adds the rest of an address to a register with the first part. It does so with the sum in
    /// that register.
    #[cold]
    pub(crate) fn execute_rest(&mut self, i: Instruction) -> Result<Option<u32>, Fault> {
        let filled = self.state.program.placement().filled(self.state.pc);
        let Some(Filled::Rest { first, address }) = filled else { return self.execute(i) };
        let register = self.r(i.rs1);
        let found = self.state.domain.address(&[&register]);
        // stored, the register would be seen
        let is_seen = i.op.row().kind == Kind::Store && i.rs2 == i.rs1;
        let fits = found.is_some_and(|(base, at)| {
            at == first.address as u64 && (base == Base::Any || base == Base::Of(first.base))
        });
        if !fits || is_seen || i.rs1 == 0 {
            let what =
                format!("{}, whose register does not hold the first part of its address", self.text(i));
            return Err(Fault::NotModelled { what });
        }
        let sum = address.word(&mut self.state.domain);
        self.set(i.rs1, sum);
        let done = self.execute(Instruction { immediate: 0, ..i });
        if done.is_err() || i.writes() >> i.rs1 & 1 == 0 {
            self.state.registers[n(i.rs1)] = register;
        }
        done
    }

    /// Loads from the program what is not in memory; the answer is its address.
    #[cold]
    #[inline(never)]
    pub(super) fn constant(
        &mut self,
        i: Instruction,
        (bytes, signed): (u32, bool),
        fault: Fault,
    ) -> Result<u32, Fault> {
        let moved = self.state.domain.moved([&self.state.registers[n(i.rs1)]], i.immediate.into());
        let found = moved.and_then(|[word]| self.state.domain.address(&[&word]));
        let Some((base, address)) = found else { return Err(fault) };
        let address = address as u32;
        let placement = self.state.program.placement();
        let is_free = matches!(fault, Fault::NotOwned { .. });
        let own = match base {
            Base::Of(base) if is_section(base) => Some(base),
            Base::Any if is_free => placement.base(address, Unit::Bytes),
            Base::Constant if is_free && placement.is_final() => placement.base(address, Unit::Bytes),
            _ => None,
        };
        let last = placement.base(address.wrapping_add(bytes - 1), Unit::Bytes);
        let is_inside = own.is_some() && own == placement.base(address, Unit::Bytes) && own == last;
        if !is_inside || !address.is_multiple_of(bytes) {
            return Err(fault);
        }
        let filled = |byte: u32| placement.filled(address + byte);
        let is_filled = (0..bytes).any(|byte| filled(byte).is_some());
        let value = (0..bytes).rev().try_fold(0, |value, byte| {
            Some(value << 8 | u32::from(self.state.program.byte(address + byte)?))
        });
        let Some(value) = value else { return Err(fault) };
        let spare = 32 - 8 * bytes;
        let word = match filled(0) {
            Some(Filled::Data(data)) if bytes == 4 => data.word(&mut self.state.domain),
            _ if is_filled => return Err(fault),
            _ if signed => self.state.domain.word(((value << spare) as i32 >> spare) as u32 as u64),
            _ => self.state.domain.word(value.into()),
        };
        self.set(i.rd, word);
        Ok(address)
    }
}
