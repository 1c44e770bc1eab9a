//! What each instruction does, once, over any domain of values.
//!
//! Microchip DS40002198, section 6: operation and Boolean formulae of the flags, one subsection an
//! instruction. The formulae for carries are written as the carries they are: C leaves bit 7, V is the
//! difference between the carries into and out of bit 7, H enters bit 4; that is the same function.

mod access;
mod arithmetic;
mod flow;

use crate::instructions::{Instruction, Op, flag};
use crate::machine::Machine;
use crate::program::{Decoded, FILLED};
use crate::syntax;
use access::Step;
use rhomb_machine::{Access, Control, Domain, Fault, Filled};

impl<D: Domain> Machine<D> {
    /// Executes an instruction that stands at the program counter.
    #[inline(always)]
    pub(crate) fn execute(&mut self, i: Decoded) -> Result<Control, Fault> {
        if i.plain == 0 {
            return Err(self.refused());
        }
        match i.op {
            Op::Add => {
                let carry = self.state.domain.bit(false);
                let sum = self.add(&self.r(i.d), &self.r(i.r), &carry);
                self.set(i.d, sum);
            }
            Op::Adc => {
                let sum = self.add(&self.r(i.d), &self.r(i.r), &self.carry());
                self.set(i.d, sum);
            }
            Op::Sub => {
                let difference = self.sub(&self.r(i.d), &self.r(i.r));
                self.set(i.d, difference);
            }
            Op::Subi => {
                let k = self.immediate(i);
                let difference = self.sub(&self.r(i.d), &k);
                self.set(i.d, difference);
            }
            Op::Sbc => {
                let difference = self.sbc(&self.r(i.d), &self.r(i.r));
                self.set(i.d, difference);
            }
            Op::Sbci => {
                let k = self.immediate(i);
                let difference = self.sbc(&self.r(i.d), &k);
                self.set(i.d, difference);
            }
            Op::Cp => {
                self.sub(&self.r(i.d), &self.r(i.r));
            }
            Op::Cpc => {
                self.sbc(&self.r(i.d), &self.r(i.r));
            }
            Op::Cpi => {
                let k = self.immediate(i);
                self.sub(&self.r(i.d), &k);
            }
            Op::Neg => {
                let zero = self.state.domain.word(0);
                let difference = self.sub(&zero, &self.r(i.d));
                self.set(i.d, difference);
            }
            Op::Adiw => self.add_to_pair(i, i.k.into(), D::add),
            Op::Sbiw => self.add_to_pair(i, -i64::from(i.k), D::sub),
            Op::Inc => self.step_register(i, D::add),
            Op::Dec => self.step_register(i, D::sub),

            Op::And => {
                let result =
                    self.state.domain.and(&self.state.registers[n(i.d)], &self.state.registers[n(i.r)]);
                self.set_logic(i.d, result);
            }
            Op::Andi => {
                let k = self.immediate(i);
                let result = self.state.domain.and(&self.state.registers[n(i.d)], &k);
                self.set_logic(i.d, result);
            }
            Op::Or => {
                let result =
                    self.state.domain.or(&self.state.registers[n(i.d)], &self.state.registers[n(i.r)]);
                self.set_logic(i.d, result);
            }
            Op::Ori => {
                let k = self.immediate(i);
                let result = self.state.domain.or(&self.state.registers[n(i.d)], &k);
                self.set_logic(i.d, result);
            }
            Op::Eor => {
                let result =
                    self.state.domain.xor(&self.state.registers[n(i.d)], &self.state.registers[n(i.r)]);
                self.set_logic(i.d, result);
            }
            Op::Com => {
                let ones = self.state.domain.word(0xff);
                let result = self.state.domain.xor(&self.state.registers[n(i.d)], &ones);
                self.set_logic(i.d, result);
                self.state.flags[flag::C] = self.state.domain.bit(true);
            }

            Op::Mul => self.multiply(i, false, false, false),
            Op::Muls | Op::Mulsu | Op::Fmul | Op::Fmuls | Op::Fmulsu => {
                let both = matches!(i.op, Op::Muls | Op::Fmuls);
                let fractional = matches!(i.op, Op::Fmul | Op::Fmuls | Op::Fmulsu);
                self.multiply(i, both || matches!(i.op, Op::Mulsu | Op::Fmulsu), both, fractional);
            }

            Op::Lsr => {
                let top = self.state.domain.bit(false);
                self.shift_right(i, &top);
            }
            Op::Ror => self.shift_right(i, &self.carry()),
            Op::Asr => {
                let top = self.state.domain.bit_of(&self.state.registers[n(i.d)], 7);
                self.shift_right(i, &top);
            }
            Op::Swap => {
                let result = self.state.domain.rotate_left(&self.state.registers[n(i.d)], 4);
                self.set(i.d, result);
            }

            Op::Mov => self.copy_register(i.d, i.r),
            Op::Movw => {
                self.copy_register(i.d, i.r);
                self.copy_register(i.d + 1, i.r + 1);
            }
            Op::Ldi => {
                let k = self.immediate(i);
                self.set(i.d, k);
            }
            Op::Bst => {
                self.state.flags[flag::T] =
                    self.state.domain.bit_of(&self.state.registers[n(i.r)], i.b.into())
            }
            Op::Bld => {
                let word = self.state.domain.with_bit(
                    &self.state.registers[n(i.d)],
                    i.b.into(),
                    &self.state.flags[flag::T],
                );
                self.set(i.d, word);
            }
            Op::Bset => {
                let were_off = self.are_interrupts_off();
                self.state.flags[usize::from(i.b & 7)] = self.state.domain.bit(true);
                if usize::from(i.b) == flag::I {
                    self.interrupts_changed();
                    self.shelter(were_off, i.plain);
                }
            }
            Op::Bclr => self.state.flags[usize::from(i.b & 7)] = self.state.domain.bit(false),

            Op::Lds => {
                let address = self.direct(i.k, Access::Load)?;
                let word = self.load(address)?;
                self.set(i.d, word);
            }
            Op::LdX | Op::LdXInc | Op::LdXDec | Op::LddY | Op::LdYInc | Op::LdYDec => {
                self.load_indirect(i)?
            }
            Op::LddZ | Op::LdZInc | Op::LdZDec => self.load_indirect(i)?,
            Op::Sts => {
                let address = self.direct(i.k, Access::Store)?;
                self.store(address, self.r(i.r))?;
            }
            Op::StX | Op::StXInc | Op::StXDec | Op::StdY | Op::StYInc | Op::StYDec => {
                self.store_indirect(i)?
            }
            Op::StdZ | Op::StZInc | Op::StZDec => self.store_indirect(i)?,
            Op::Push => self.push_register(i.r)?,
            Op::Pop => self.pop_register(i.d)?,
            Op::Lpm => self.load_program(i, 0, false, Step::None)?,
            Op::LpmZ => self.load_program(i, i.d, false, Step::None)?,
            Op::LpmZInc => self.load_program(i, i.d, false, Step::Increment)?,
            Op::Elpm => self.load_program(i, 0, true, Step::None)?,
            Op::ElpmZ => self.load_program(i, i.d, true, Step::None)?,
            Op::ElpmZInc => self.load_program(i, i.d, true, Step::Increment)?,

            Op::In => {
                let word = self.io_load(self.io_address(i))?;
                self.set(i.d, word);
            }
            Op::Out => {
                let were_off = self.are_interrupts_off();
                let address = self.io_address(i);
                self.io_store(address, self.r(i.r))?;
                if address == self.state.program.core().sreg {
                    self.shelter(were_off, i.plain);
                }
            }
            Op::Sbi => self.set_io_bit(i, true)?,
            Op::Cbi => self.set_io_bit(i, false)?,

            Op::Brbs => return self.branch(i, true),
            Op::Brbc => return self.branch(i, false),
            Op::Cpse => {
                let difference =
                    self.state.domain.xor(&self.state.registers[n(i.d)], &self.state.registers[n(i.r)]);
                let equal = self.state.domain.is_zero(&difference);
                return self.skip(i, &equal, true);
            }
            Op::Sbrc => {
                let bit = self.state.domain.bit_of(&self.state.registers[n(i.r)], i.b.into());
                return self.skip(i, &bit, false);
            }
            Op::Sbrs => {
                let bit = self.state.domain.bit_of(&self.state.registers[n(i.r)], i.b.into());
                return self.skip(i, &bit, true);
            }
            Op::Sbic => {
                let word = self.io_load(self.io_address(i))?;
                let bit = self.state.domain.bit_of(&word, i.b.into());
                return self.skip(i, &bit, false);
            }
            Op::Sbis => {
                let word = self.io_load(self.io_address(i))?;
                let bit = self.state.domain.bit_of(&word, i.b.into());
                return self.skip(i, &bit, true);
            }

            Op::Rjmp => return self.jump(i, self.relative(i)),
            Op::Jmp => return self.jump(i, i.k as u32),
            Op::Ijmp => {
                let target = self.jump_target()?;
                return self.jump(i, target);
            }
            Op::Eijmp => {
                let target = self.extended_z()?;
                return self.jump(i, target);
            }
            Op::Rcall => return self.call(i, self.relative(i)),
            Op::Call => return self.call(i, i.k as u32),
            Op::Icall => {
                let target = self.jump_target()?;
                return self.call(i, target);
            }
            Op::Eicall => {
                let target = self.extended_z()?;
                return self.call(i, target);
            }
            Op::Ret => {
                let control = self.pop_return()?;
                self.state.cycles += u64::from(i.plain);
                return Ok(control);
            }
            Op::Reti => {
                let control = self.pop_return()?;
                if control == Control::Return {
                    return Err(Fault::NotModelled {
                        what: "a routine that its caller called and reti ends".into(),
                    });
                }
                if self.state.program.core().reti_sets_interrupt {
                    self.state.flags[flag::I] = self.state.domain.bit(true);
                    self.interrupts_changed();
                }
                self.state.cycles += u64::from(i.plain);
                return Ok(control);
            }

            // the watchdog is not running
            Op::Nop | Op::Wdr => {}
            Op::Break | Op::Sleep | Op::Spm | Op::SpmZInc => return Err(not_modelled(i)),
        }
        self.state.pc = self.state.pc.wrapping_add(i.length.into());
        self.state.cycles += u64::from(i.plain);
        Ok(Control::Continue)
    }

    #[inline(always)]
    fn r(&self, number: u8) -> D::Word {
        self.state.registers[n(number)].clone()
    }

    /// The constant of an instruction; part of an address where the linker fills it in.
    #[inline(always)]
    fn immediate(&mut self, i: Decoded) -> D::Word {
        if i.k & FILLED == 0 { self.state.domain.word(i.k as u64) } else { self.filled_immediate(i) }
    }

    #[cold]
    fn filled_immediate(&mut self, i: Decoded) -> D::Word {
        match self.state.program.placement().filled(self.state.pc.wrapping_mul(2)) {
            Some(Filled::Immediate(Some(part))) => part.word(&mut self.state.domain),
            _ => self.state.domain.placed(i.k as u64 & 0xff),
        }
    }

    #[inline(always)]
    fn set(&mut self, number: u8, value: D::Word) {
        self.state.registers[n(number)] = value;
    }

    #[inline(always)]
    fn carry(&self) -> D::Bit {
        self.state.flags[flag::C].clone()
    }
}

/// A register or flag number as an index; the mask is for the compiler.
#[inline(always)]
fn n(number: u8) -> usize {
    usize::from(number & 31)
}

fn text(i: Decoded) -> String {
    syntax::gnu::instruction(&Instruction { op: i.op, d: i.d, r: i.r, b: i.b, k: i.k })
}

#[cold]
fn not_modelled(i: Decoded) -> Fault {
    Fault::NotModelled { what: text(i) }
}
