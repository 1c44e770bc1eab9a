//! Words of the program as data, and addresses that the linker fills in by two parts, on processors whose cells are words of 32
//! bits, little-endian.

use super::bytes::n;
use super::program::{Encoded, Program};
use super::{InstructionSet, State};
use crate::{Base, Domain, Fault, Filled, Unit, is_section};

impl<E: Encoded, I: InstructionSet<Program = Program<E>>, D: Domain> State<I, D> {
    /// The address of which the instruction at the program counter adds the rest to a register with the first part; `None` for all
    /// other instructions. `is_seen` says that something is done with the first part besides; `text` gives the instruction.
    ///
    /// # Errors
    /// The register does not hold that first part, or it is seen.
    pub fn whole_address(
        &mut self,
        register: u8,
        is_seen: bool,
        text: impl Fn(&I::Program) -> String,
    ) -> Result<Option<D::Word>, Fault> {
        let Some(Filled::Rest { first, address }) = self.program.placement().filled(self.pc) else {
            return Ok(None);
        };
        let found = self.domain.address(&[&self.registers.as_ref()[n(register)]]);
        let fits = found.is_some_and(|(base, at)| {
            at == first.address as u64 && (base == Base::Any || base == Base::Of(first.base))
        });
        if !fits || is_seen || I::DEFINED >> register & 1 == 1 {
            let what = format!(
                "{}, whose register does not hold the first part of its address",
                text(&self.program)
            );
            return Err(Fault::NotModelled { what });
        }
        Ok(Some(address.word(&mut self.domain)))
    }

    /// What a load from the program gives, of so many bytes that may have a sign, where `fault` says that it is not in memory; and its
    /// address.
    ///
    /// # Errors
    /// That fault, where it is nothing that the program has.
    #[cold]
    #[inline(never)]
    pub fn constant(
        &mut self,
        (register, offset): (u8, i32),
        (bytes, signed): (u32, bool),
        fault: Fault,
    ) -> Result<(D::Word, u32), Fault> {
        let moved = self.domain.moved([&self.registers.as_ref()[n(register)]], offset.into());
        let found = moved.and_then(|[word]| self.domain.address(&[&word]));
        let Some((base, address)) = found else { return Err(fault) };
        let address = address as u32;
        let placement = self.program.placement();
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
        let value = (0..bytes)
            .rev()
            .try_fold(0, |value, byte| Some(value << 8 | u32::from(self.program.byte(address + byte)?)));
        let Some(value) = value else { return Err(fault) };
        let spare = 32 - 8 * bytes;
        let word = match filled(0) {
            Some(Filled::Data(data)) if bytes == 4 => data.word(&mut self.domain),
            _ if is_filled => return Err(fault),
            _ if signed => self.domain.word(((value << spare) as i32 >> spare) as u32 as u64),
            _ => self.domain.word(value.into()),
        };
        Ok((word, address))
    }
}
