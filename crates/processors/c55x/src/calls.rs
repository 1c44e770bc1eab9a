//! Where execution goes: on, into routines and back; the system stack.

use crate::machine::Machine;
use crate::units::{RETURN_ADDRESS, SystemWord};
use rhomb_machine::{CODE, Control, Domain, Fault, Placement, Unit};

impl<D: Domain> Machine<D> {
    /// PSHBOTH's part for the system stack.
    pub(crate) fn push_upper(&mut self, number: u8) {
        let is = |set: u16| set >> number & 1 == 1;
        let kept = is(self.state.own.kept).then_some(number);
        self.state.own.system.push(SystemWord::Upper { paged: is(self.state.own.paged), kept });
    }

    /// POPBOTH's part.
    pub(crate) fn pop_upper(&mut self, number: u8) -> Result<(), Fault> {
        let Some(SystemWord::Upper { paged, kept }) = self.state.own.system.pop() else {
            return Err(Fault::NotModelled { what: "POPBOTH without PSHBOTH".to_owned() });
        };
        let with = |set: u16, is: bool| set & !(1 << number) | u16::from(is) << number;
        self.state.own.paged = with(self.state.own.paged, paged);
        self.state.own.kept = with(self.state.own.kept, kept == Some(number));
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn returned(&mut self) -> Result<Control, Fault> {
        let system = self.state.own.system.pop();
        if system != (self.state.own.reta != RETURN_ADDRESS).then_some(SystemWord::Return) {
            let what = "RET while PSHBOTH has left a word on the system stack".to_owned();
            return Err(Fault::NotModelled { what });
        }
        if self.state.own.reta == RETURN_ADDRESS {
            let (sp, entry) = (self.known_sp()?, self.state.frame.map_or(0, |frame| frame.sp));
            if sp == entry && self.state.own.calls.is_empty() {
                return Ok(Control::Return);
            }
            return Err(Fault::BadReturn {
                stack: sp,
                address: RETURN_ADDRESS,
                expected_stack: entry,
                expected_address: RETURN_ADDRESS,
            });
        }
        let goal = self.state.own.reta;
        let found = self.pop_word()?;
        let Some((before, word)) = self.state.own.calls.pop() else {
            return Err(Fault::NotModelled { what: "RET without CALL".to_owned() });
        };
        if !self.state.domain.same(&found, &word) {
            return Err(Fault::NotModelled {
                what: "RET with another word on the stack than CALL left".to_owned(),
            });
        }
        self.state.own.reta = before;
        self.state.pc = self.state.program.line_at(goal).ok_or(Fault::NoInstruction { address: goal })?;
        Ok(Control::Continue)
    }

    #[inline(never)]
    pub(crate) fn call_line(&mut self, to: u32) -> Result<(), Fault> {
        let back = self.state.program.address(self.state.pc + 1);
        // how far the program is from its caller is for a linker
        let base = match self.state.own.reta {
            RETURN_ADDRESS => CODE,
            _ => Placement::default().own_base(self.state.own.reta, Unit::Bytes),
        };
        let word = self.state.domain.pointer(
            base,
            self.state.own.reta.into(),
            u64::from(self.state.own.reta & 0xffff),
            0,
        );
        self.push_word(word.clone())?;
        self.state.own.calls.push((self.state.own.reta, word));
        self.state.own.system.push(SystemWord::Return);
        self.state.own.reta = back;
        self.state.pc = to;
        Ok(())
    }

    /// To the next line, or back to the beginning of a block.
    #[inline(always)]
    pub(crate) fn go_on(&mut self) {
        let mut next = self.state.pc + 1;
        while let Some(block) = self.state.own.blocks.last_mut() {
            if block.end != next {
                break;
            }
            if block.left > 0 {
                block.left -= 1;
                next = block.start;
                break;
            }
            self.state.own.blocks.pop();
            if self.state.own.blocks.is_empty() {
                // BRC0 has counted down; BRC1 is loaded again whenever its block begins
                self.state.own.counters[1] = 0;
            }
        }
        self.state.pc = next;
    }
}
