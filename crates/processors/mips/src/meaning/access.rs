//! Loads and stores: words, and the bytes in them, as all processors of 32 bits have them; and those that are not aligned.

use crate::instructions::{Instruction, Op};
use crate::machine::Machine;
use crate::program::Program;
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
            Op::Lw => self.state.load_word(i.rt, place, text)?,
            Op::Lb | Op::Lbu => self.state.load_part(i.rt, place, (1, i.op == Op::Lb), text)?,
            Op::Lh | Op::Lhu => self.state.load_part(i.rt, place, (2, i.op == Op::Lh), text)?,
            Op::Sw => self.state.store_word(i.rt, place, text)?,
            Op::Sb => self.state.store_part(i.rt, place, 1, text)?,
            Op::Sh => self.state.store_part(i.rt, place, 2, text)?,
            Op::Lwl | Op::Lwr => return self.load_unaligned(i),
            _ => return self.store_unaligned(i),
        };
        Ok(())
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
