//! Loads and stores: words, and the bytes in them, as all processors of 32 bits have them; and those that are not aligned.

use super::n;
use crate::instructions::{Instruction, Kind, Op};
use crate::machine::{Flow, Machine};
use crate::program::{Decoded, Program};
use crate::syntax;
use rhomb_machine::{Access, Domain, Fault, words};

/// The bytes of a whole word.
const ALL: u8 = 0xf;

/// How the instruction is told.
fn text(i: Instruction) -> impl Fn(&Program) -> String + Copy {
    move |program| syntax::instruction(program.model(), &i)
}

impl<D: Domain> Machine<D> {
    #[inline(always)]
    pub(super) fn access(&mut self, i: Instruction) -> Result<(), Fault> {
        let (place, text) = ((i.rs, i.immediate), text(i));
        match i.op {
            Op::Lw => {
                let loaded = self.state.load_word(i.rt, place, text);
                loaded.or_else(|fault| self.constant(i, (4, false), fault))?
            }
            Op::Lb | Op::Lbu | Op::Lh | Op::Lhu => {
                let part =
                    (if matches!(i.op, Op::Lb | Op::Lbu) { 1 } else { 2 }, matches!(i.op, Op::Lb | Op::Lh));
                let loaded = self.state.load_part(i.rt, place, part, text);
                loaded.or_else(|fault| self.constant(i, part, fault))?
            }
            Op::Sw => self.state.store_word(i.rt, place, text)?,
            Op::Sb => self.state.store_part(i.rt, place, 1, text)?,
            Op::Sh => self.state.store_part(i.rt, place, 2, text)?,
            Op::Lwl | Op::Lwr => return self.load_unaligned(i),
            _ => return self.store_unaligned(i),
        };
        Ok(())
    }

    /// Loads from the program what is not in memory; the answer is its address.
    #[cold]
    fn constant(&mut self, i: Instruction, part: (u32, bool), fault: Fault) -> Result<u32, Fault> {
        let (word, address) = self.state.constant((i.rs, i.immediate), part, fault)?;
        self.set(i.rt, word);
        Ok(address)
    }

    /// Executes an instruction that adds the rest of an address to a register with the first part. It does so with the sum in
    /// that register.
    #[cold]
    pub(crate) fn execute_rest(&mut self, one: &Decoded, kind: Kind) -> Result<Flow, Fault> {
        let i = one.instruction;
        // stored, the register would be seen
        let is_seen = kind == Kind::Store && i.rt == i.rs;
        let Some(sum) = self.state.whole_address(i.rs, is_seen, text(i))? else {
            return self.execute(one, kind);
        };
        let register = self.r(i.rs);
        self.set(i.rs, sum);
        let done = self.execute(&Decoded { instruction: Instruction { immediate: 0, ..i }, ..*one }, kind);
        if done.is_err() || one.writes >> i.rs & 1 == 0 {
            self.state.registers[n(i.rs)] = register;
        }
        done
    }

    /// LWL and LWR: the bytes from the start of the word to the address, to the top of the register; those from
    /// the address to the end of the word, to its bottom.
    fn load_unaligned(&mut self, i: Instruction) -> Result<(), Fault> {
        let address = self.state.byte_address((i.rs, i.immediate), Access::Load, 1, text(i))?;
        let place = address % 4;
        let old = self.r(i.rt);
        let result = if i.op == Op::Lwl {
            let word = self.state.word_with(address, ALL >> (3 - place))?;
            let free = 8 * (3 - place);
            let (top, _) = self.state.domain.shift_left(&word, free);
            let (kept, _) = self.state.domain.split(&old, free);
            words::join(&mut self.state.domain, &top, &kept)
        } else {
            let word = self.state.word_with(address, ALL << place & ALL)?;
            let (_, bottom) = self.state.domain.split(&word, 8 * place);
            let (_, kept) = self.state.domain.split(&old, 32 - 8 * place);
            let (kept, _) = self.state.domain.shift_left(&kept, 32 - 8 * place);
            words::join(&mut self.state.domain, &bottom, &kept)
        };
        self.set(i.rt, result);
        Ok(())
    }

    /// SWL and SWR: the other way round than the loads.
    fn store_unaligned(&mut self, i: Instruction) -> Result<(), Fault> {
        let address = self.state.byte_address((i.rs, i.immediate), Access::Store, 1, text(i))?;
        let (place, word) = (address % 4, self.r(i.rt));
        if i.op == Op::Swl {
            let (_, top) = self.state.domain.split(&word, 8 * (3 - place));
            self.state.replace(address, &top, 0, place + 1)
        } else {
            self.state.replace(address, &word, place, 4 - place)
        }
    }
}
