//! The data space: SRAM, and below it registers and I/O; the stack.

use crate::instructions::flag;
use crate::machine::Machine;
use crate::program::FLAGS;
use rhomb_machine::{
    Access, Base, Breach, CODE, Control, Domain, Fault, Frame, STACK, STACK_ARGUMENTS, Unit,
};

impl<D: Domain> Machine<D> {
    /// Whether an address of this base may reach the cell.
    #[inline(always)]
    pub(crate) fn permit(&mut self, base: Base, address: u16, access: Access) -> Result<(), Fault> {
        self.state.domain.accesses(address.into());
        if self.state.stack.contains(address.into()) {
            let disturbed = self.is_disturbed();
            self.state.stack.permit(self.state.stack.pointer(), address.into(), access, disturbed)?;
        }
        match base {
            Base::Any => Ok(()),
            Base::Constant | Base::Of(_) => self.permit_based(base, address, access),
        }
    }

    #[inline(never)]
    fn permit_based(&self, base: Base, address: u16, access: Access) -> Result<(), Fault> {
        let address = u32::from(address);
        let permitted = self.state.permit_based(base, address, access);
        match permitted.is_err() && access == Access::Load && self.is_argument(address) {
            true => Err(Fault::stack_argument(address)),
            false => permitted,
        }
    }

    /// Whether the caller would give further arguments at an address.
    fn is_argument(&self, address: u32) -> bool {
        let above = |frame: Frame| address.wrapping_sub(frame.sp + 1);
        self.state
            .frame
            .is_some_and(|frame| u32::from(self.state.own.sp) < frame.sp && above(frame) < STACK_ARGUMENTS)
    }

    /// Whether an undefined register was pushed to a cell.
    #[inline(always)]
    fn is_undefined(&self, cell: u32) -> bool {
        self.undefined_cells.iter().any(|(undefined, _)| *undefined == cell)
    }

    /// A load by the program.
    #[inline(always)]
    pub(crate) fn load(&mut self, address: u16) -> Result<D::Word, Fault> {
        let address = u32::from(address);
        match self.state.memory.load(address) {
            Ok(_) if self.is_undefined(address) => Err(undefined_cell(address)),
            Ok(word) => Ok(word),
            Err(fault) => self.load_elsewhere(address, fault),
        }
    }

    /// A store by the program.
    #[inline(always)]
    pub(crate) fn store(&mut self, address: u16, value: D::Word) -> Result<(), Fault> {
        let address = u32::from(address);
        match self.state.memory.store(address, value.clone()) {
            Ok(()) => {
                self.state.stored = address..address + 1;
                self.set_undefined_bytes(address, 0);
                Ok(())
            }
            Err(fault) => self.store_elsewhere(address, value, fault),
        }
    }

    /// Not in memory: a register, I/O, or the fault that memory reported.
    #[cold]
    #[inline(never)]
    fn load_elsewhere(&mut self, address: u32, fault: Fault) -> Result<D::Word, Fault> {
        let core = self.state.program.core();
        if let Fault::Uninitialised { .. } = fault
            && !self.is_strict()
        {
            return Ok(self.supplied(address));
        }
        if !matches!(fault, Fault::NotOwned { .. }) {
            return Err(fault);
        }
        if self.is_argument(address) {
            return Err(Fault::stack_argument(address));
        }
        if core.sram.contains(&address) {
            return Err(fault);
        }
        if core.registers_mapped && address < 32 {
            if self.is_strict() && !self.is_defined(address as u8) {
                return Err(Fault::Undefined { what: format!("r{address}") });
            }
            return Ok(self.state.registers[address as usize].clone());
        }
        if address < core.sram.start { self.io_load(address) } else { Err(self.beyond(address, fault)) }
    }

    #[cold]
    #[inline(never)]
    fn store_elsewhere(&mut self, address: u32, value: D::Word, fault: Fault) -> Result<(), Fault> {
        let core = self.state.program.core();
        if !matches!(fault, Fault::NotOwned { .. }) || core.sram.contains(&address) {
            return Err(fault);
        }
        if core.registers_mapped && address < 32 {
            if self.untouched & 1 << address != 0 {
                return Err(self.touched(1 << address));
            }
            self.set_register(address as u8, value);
            self.state.stored = address..address + 1;
            return Ok(());
        }
        if address < core.sram.start {
            self.io_store(address, value)
        } else {
            Err(self.beyond(address, fault))
        }
    }

    /// Above the SRAM: nothing on the classic cores, flash on AVRxt.
    fn beyond(&self, address: u32, fault: Fault) -> Fault {
        if self.state.program.core().registers_mapped {
            return fault;
        }
        Fault::NotModelled { what: format!("data address {address:#06x}, where flash is mapped") }
    }

    /// Reads an I/O register by data address.
    #[inline(never)]
    pub(crate) fn io_load(&mut self, address: u32) -> Result<D::Word, Fault> {
        let core = self.state.program.core();
        let byte = if address == core.sreg {
            return Ok(self.sreg());
        } else if address == core.stack_pointer || address == core.stack_pointer + 1 {
            return Ok(self.stack_pointer_word((address - core.stack_pointer) as usize));
        } else if core.rampz.is_some_and(|rampz| rampz.address == address) {
            extension("RAMPZ", self.state.own.rampz)?
        } else if core.eind.is_some_and(|eind| eind.address == address) {
            extension("EIND", self.state.own.eind)?
        } else {
            let index = self.storage_index(address).ok_or_else(|| io(address, Access::Load))?;
            return match &self.state.own.storage[index] {
                Some(word) => Ok(word.clone()),
                None => Err(Fault::Undefined { what: core.storage[index].name.to_owned() }),
            };
        };
        Ok(self.state.domain.word(byte.into()))
    }

    /// Writes an I/O register by data address.
    #[inline(never)]
    pub(crate) fn io_store(&mut self, address: u32, value: D::Word) -> Result<(), Fault> {
        let core = self.state.program.core();
        let (known, hidden) = (self.state.domain.known_word(&value), self.state.domain.hidden(&[&value]));
        let known = |what: &str| known.map(|value| value as u8).ok_or_else(|| hidden.fault(what.to_owned()));
        let masked = |name: &str, value: u8, mask: u8| {
            let what = || format!("bits {:#04x} of {name}, which do not exist", value & !mask);
            if value & !mask == 0 { Ok(value) } else { Err(Fault::NotModelled { what: what() }) }
        };
        if address == core.sreg {
            for number in flag::C..=flag::I {
                self.state.flags[number] = self.state.domain.bit_of(&value, number as u32);
            }
            // what is the caller's again is known as such, whatever is joined with it
            let then = self.interrupts.clone();
            if let Some(then) =
                then.filter(|then| self.state.domain.same_bit(&self.state.flags[flag::I], then))
            {
                self.state.flags[flag::I] = then;
            }
            self.state.defined |= FLAGS;
            self.interrupts_changed();
        } else if address == core.stack_pointer || address == core.stack_pointer + 1 {
            self.set_stack_pointer_word((address - core.stack_pointer) as usize, value)?;
        } else if let Some(rampz) = core.rampz.filter(|rampz| rampz.address == address) {
            self.state.own.rampz = Some(masked("RAMPZ", known("RAMPZ")?, rampz.mask)?);
        } else if let Some(eind) = core.eind.filter(|eind| eind.address == address) {
            self.state.own.eind = Some(masked("EIND", known("EIND")?, eind.mask)?);
        } else {
            let index = self.storage_index(address).ok_or_else(|| io(address, Access::Store))?;
            self.state.own.storage[index] = Some(value);
        }
        Ok(())
    }

    /// A byte of the stack pointer, as IN reads it.
    fn stack_pointer_word(&mut self, part: usize) -> D::Word {
        match &self.state.own.pending_sp[part] {
            Some(word) => word.clone(),
            None => {
                let offset =
                    self.state.frame.map_or(0, |frame| i64::from(self.state.own.sp) - i64::from(frame.sp));
                self.state.domain.pointer(STACK, offset, self.state.own.sp.into(), part as u32)
            }
        }
    }

    /// Writes a byte of the stack pointer. It counts once both bytes make an address in the stack; until
    /// then the stack cannot be used.
    fn set_stack_pointer_word(&mut self, part: usize, value: D::Word) -> Result<(), Fault> {
        if self.is_disturbed() && self.state.own.sheltered != Some(self.state.cycles) {
            self.breach("the stack pointer is written while an interrupt may come between its bytes");
        }
        if self.state.own.written_sp & 1 << part != 0 {
            // the same byte again: the other one was not to be written
            self.whole_stack_pointer()?;
        }
        self.state.own.written_sp |= 1 << part;
        self.state.own.pending_sp[part] = Some(value);
        let words = [self.stack_pointer_word(0), self.stack_pointer_word(1)];
        match self.state.domain.address(&[&words[0], &words[1]]) {
            Some((Base::Any | Base::Of(STACK), address)) => {
                self.state.own.sp = address as u16;
                self.state.own.pending_sp = [None, None];
                if self.state.own.written_sp == 0b11 { self.whole_stack_pointer() } else { Ok(()) }
            }
            Some((Base::Constant | Base::Of(_), _)) => Err(Fault::NotModelled {
                what: "a stack pointer that does not come from the caller's".to_owned(),
            }),
            // one byte of an address is none; two bytes that make none are secret
            None if self.state.own.pending_sp.iter().all(Option::is_some) => {
                let hidden = self.state.domain.hidden(&[&words[0], &words[1]]);
                Err(hidden.fault("the stack pointer".to_owned()))
            }
            None => Ok(()),
        }
    }

    /// Whether an interrupt may come now.
    #[inline(always)]
    pub(crate) fn is_disturbed(&self) -> bool {
        !self.state.stack.is_undisturbed() && !self.are_interrupts_off()
    }

    #[inline(always)]
    pub(crate) fn are_interrupts_off(&self) -> bool {
        self.state.domain.known_bit(&self.state.flags[flag::I]) == Some(false)
    }

    /// The flag I was written.
    pub(crate) fn interrupts_changed(&mut self) {
        if self.is_disturbed() {
            self.state.stack.disturb(&mut self.state.memory);
        }
    }

    /// What turns interrupts on takes effect one instruction later (DS40002198, SEI): that which is executed after this
    /// one, which takes so many cycles. Where they may have been on already, an interrupt that waits comes at once.
    pub(crate) fn shelter(&mut self, were_off: bool, cycles: u8) {
        self.state.own.sheltered = were_off.then_some(self.state.cycles + u64::from(cycles));
    }

    /// Notes that the convention is broken.
    pub(crate) fn breach(&mut self, what: &str) {
        let address = 2 * u64::from(self.state.pc);
        let breach = Breach { text: format!("{what} (at {address:#06x})"), address: Some(address) };
        if !self.state.breaches.contains(&breach) {
            self.state.breaches.push(breach);
        }
    }

    /// The status register as a word.
    pub fn sreg(&mut self) -> D::Word {
        let mut word = self.state.domain.word(0);
        for number in flag::C..=flag::I {
            word = self.state.domain.with_bit(&word, number as u32, &self.state.flags[number]);
        }
        word
    }

    /// PUSH of register `number`, which may be undefined.
    #[inline(always)]
    pub(crate) fn push_register(&mut self, number: u8) -> Result<(), Fault> {
        let address = self.state.own.sp;
        self.push(self.state.registers[usize::from(number & 31)].clone())?;
        if self.is_strict() && !self.is_defined(number) {
            self.set_undefined_bytes(address.into(), 1);
        }
        Ok(())
    }

    /// POP to register `number`; what was pushed undefined comes back so.
    #[inline(always)]
    pub(crate) fn pop_register(&mut self, number: u8) -> Result<(), Fault> {
        let address = self.state.own.sp.wrapping_add(1);
        if self.is_undefined(address.into()) {
            self.set_undefined_bytes(address.into(), 0);
            let value = self.pop()?;
            self.state.registers[usize::from(number & 31)] = value;
            self.state.defined &= !(1 << number);
        } else {
            let value = self.pop()?;
            self.state.registers[usize::from(number & 31)] = value;
        }
        Ok(())
    }

    /// SP is whole, or is taken for whole where only one of its bytes was written.
    #[inline(always)]
    fn whole_stack_pointer(&mut self) -> Result<(), Fault> {
        if self.state.own.pending_sp.iter().any(Option::is_some) {
            let what = "the stack while half of its pointer is written".to_owned();
            return Err(Fault::NotModelled { what });
        }
        if self.state.own.written_sp != 0 {
            self.state.own.written_sp = 0;
            return self.stack_pointer_moved();
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn stack_pointer_moved(&mut self) -> Result<(), Fault> {
        let disturbed = self.is_disturbed();
        self.state.stack.moved(&mut self.state.memory, u32::from(self.state.own.sp) + 1, disturbed)
    }

    #[inline(always)]
    fn push(&mut self, value: D::Word) -> Result<(), Fault> {
        self.whole_stack_pointer()?;
        self.store(self.state.own.sp, value)?;
        self.state.own.sp = self.state.own.sp.wrapping_sub(1);
        self.stack_pointer_moved()
    }

    #[inline(always)]
    fn pop(&mut self) -> Result<D::Word, Fault> {
        self.whole_stack_pointer()?;
        let value = self.load(self.state.own.sp.wrapping_add(1))?;
        self.state.own.sp = self.state.own.sp.wrapping_add(1);
        self.stack_pointer_moved()?;
        Ok(value)
    }

    /// Pushes the address of the instruction after this one, low byte first.
    pub(crate) fn push_return(&mut self, address: u32) -> Result<(), Fault> {
        let width = self.state.program.core().return_bytes;
        if address >> (8 * width) != 0 {
            let what = format!("a call from {:#06x}, beyond the reach of the return address", self.state.pc);
            return Err(Fault::NotModelled { what });
        }
        // it stands behind this instruction, in the same section
        let base = self.state.program.placement().own_base(2 * self.state.pc, Unit::Words);
        for part in 0..width {
            let word = self.state.domain.pointer(base, address.into(), address.into(), part);
            self.push(word)?;
        }
        Ok(())
    }

    /// Pops a return address and goes there; tells whether the routine is left.
    pub(crate) fn pop_return(&mut self) -> Result<Control, Fault> {
        self.whole_stack_pointer()?;
        let mut words = Vec::with_capacity(3);
        for _ in 0..self.state.program.core().return_bytes {
            self.state.own.sp = self.state.own.sp.wrapping_add(1);
            words.push(self.load(self.state.own.sp)?);
        }
        let lowest_first: Vec<&D::Word> = words.iter().rev().collect();
        let address = match self.state.domain.address(&lowest_first) {
            Some((Base::Any, address)) => address as u32,
            Some((Base::Of(CODE), address))
                if self.state.frame.is_some_and(|frame| u64::from(frame.return_address) == address) =>
            {
                address as u32
            }
            Some((Base::Of(base), address))
                if self.state.program.is_at(base, Unit::Words, (address as u32).wrapping_mul(2)) =>
            {
                address as u32
            }
            Some(_) => {
                return Err(Fault::NotModelled {
                    what: "a return to an address that was not pushed by a call".into(),
                });
            }
            None => {
                return Err(self.state.domain.hidden(&lowest_first).fault("the return address".to_owned()));
            }
        };
        if let Some(frame) = self.state.frame {
            let now = Frame { sp: self.state.own.sp.into(), return_address: address };
            if now == frame {
                self.state.pc = address;
                return Ok(Control::Return);
            }
            // a return of the routine's own leaves the caller's where it is
            if now.sp > frame.sp.wrapping_sub(self.state.program.core().return_bytes) & 0xffff {
                return Err(Fault::BadReturn {
                    stack: now.sp,
                    address,
                    expected_stack: frame.sp,
                    expected_address: frame.return_address,
                });
            }
        }
        self.stack_pointer_moved()?;
        self.state.pc = address;
        Ok(Control::Continue)
    }
}

/// The value of RAMPZ or EIND. There is no arbitrary one: addresses are known.
pub(crate) fn extension(name: &str, value: Option<u8>) -> Result<u8, Fault> {
    value.ok_or_else(|| Fault::Undefined { what: name.to_owned() })
}

#[cold]
fn undefined_cell(address: u32) -> Fault {
    Fault::Undefined { what: format!("data address {address:#06x}, where an undefined register was pushed") }
}

#[cold]
fn io(address: u32, access: Access) -> Fault {
    Fault::NotModelled { what: format!("{access} of the I/O register at data address {address:#06x}") }
}
