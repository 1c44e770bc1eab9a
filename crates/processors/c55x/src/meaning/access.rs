//! Addresses, loads and stores, the stack.

use super::not_modelled;
use crate::conventions::LONGEST_GAP;
use crate::instructions::{Ind, Mode, Smem};
use crate::machine::Machine;
use crate::rules::{CDP, SP};
use rhomb_machine::{Access, Base, Cycles, Domain, Fault, Hidden, Region, STACK_ARGUMENTS, VariableTime};

impl<D: Domain> Machine<D> {
    #[cold]
    pub(super) fn unknown(&self, register: usize, what: &str) -> Fault {
        self.state.domain.hidden(&[&self.state.registers[register]]).fault(what.to_owned())
    }

    #[cold]
    fn unknown_address(&self, register: usize) -> Fault {
        self.unknown(register, &format!("the address in {}", name(register)))
    }

    /// A register moved by a number.
    #[inline(always)]
    pub(super) fn move_register(&mut self, register: usize, by: i64) -> Result<(), Fault> {
        match self.state.domain.moved([&self.state.registers[register]], by) {
            Some([word]) => {
                self.state.registers[register] = word;
                Ok(())
            }
            None => Err(self.unknown_address(register)),
        }
    }

    /// The number in an index register.
    #[inline(always)]
    fn step_by(&self, t: usize) -> Result<i64, Fault> {
        match self.state.domain.known_word(&self.state.registers[4 + t]) {
            Some(word) => Ok(i64::from(word as u16 as i16)),
            None => Err(self.unknown(4 + t, &format!("the index in T{t}"))),
        }
    }

    /// The address in a register, which is changed as the mode says; `unit` words are accessed.
    #[inline(always)]
    fn through(&mut self, register: usize, mode: Mode, unit: i64) -> Result<Target, Fault> {
        let Some((base, address)) = self.state.domain.address(&[&self.state.registers[register]]) else {
            return Err(self.unknown_address(register));
        };
        let mut target = Target { base, address: address as u32 & 0xffff };
        let by = match mode {
            Mode::Plain => return Ok(target),
            Mode::Up => unit,
            Mode::Down => -unit,
            Mode::PlusT0 => self.step_by(0)?,
            Mode::MinusT0 => -self.step_by(0)?,
            Mode::PlusT1 | Mode::MinusT1 if self.state.own.status.arms => {
                return Err(not_modelled("T1 as an index while ARMS is 1"));
            }
            Mode::PlusT1 => self.step_by(1)?,
            Mode::MinusT1 => -self.step_by(1)?,
            Mode::IndexT0 => {
                let by = self.step_by(0)?;
                target.address = target.address.wrapping_add_signed(by as i32) & 0xffff;
                return Ok(target);
            }
        };
        self.move_register(register, by)?;
        Ok(target)
    }

    /// The change of a register by an index, without an access.
    pub(super) fn moved_by_index(&mut self, register: usize, mode: Mode) -> Result<(), Fault> {
        self.through(register, mode, 1).map(|_| ())
    }

    #[inline(always)]
    pub(super) fn ind(&mut self, ind: Ind, unit: i64) -> Result<u32, Fault> {
        let target = self.through(8 + usize::from(ind.ar & 7), ind.mode, unit)?;
        self.permitted(target)
    }

    /// Two addresses, both made before either register changes; of one register at most one use changes it.
    #[inline(always)]
    pub(super) fn both(&mut self, x: Ind, y: Ind, unit: i64) -> Result<(u32, u32), Fault> {
        if x.ar == y.ar && !matches!(x.mode, Mode::Plain | Mode::IndexT0) {
            let second = self.ind(y, unit)?;
            return Ok((self.ind(x, unit)?, second));
        }
        Ok((self.ind(x, unit)?, self.ind(y, unit)?))
    }

    #[inline(always)]
    pub(super) fn coefficient(&mut self, mode: Mode) -> Result<u32, Fault> {
        let target = self.through(CDP as usize, mode, 1)?;
        self.permitted(target)
    }

    #[inline(always)]
    pub(super) fn target(&mut self, smem: Smem, unit: i64) -> Result<Target, Fault> {
        let offset = |machine: &Self, register: usize, by: i64| {
            let (base, address) = machine
                .domain
                .address(&[&machine.registers[register]])
                .ok_or_else(|| machine.unknown_address(register))?;
            Ok(Target { base, address: address.wrapping_add_signed(by) as u32 & 0xffff })
        };
        match smem {
            Smem::Ind(ind) => self.through(8 + usize::from(ind.ar & 7), ind.mode, unit),
            Smem::Cdp(mode) => self.through(CDP as usize, mode, unit),
            Smem::Offset(ar, by) => offset(self, 8 + usize::from(ar & 7), by.into()),
            Smem::PreOffset(ar, by) => {
                self.move_register(8 + usize::from(ar & 7), by.into())?;
                offset(self, 8 + usize::from(ar & 7), 0)
            }
            Smem::Sp(by) => offset(self, SP as usize, by.into()),
        }
    }

    /// The address of an operand, permitted.
    #[inline(always)]
    pub(super) fn smem(&mut self, smem: Smem, unit: i64) -> Result<u32, Fault> {
        let target = self.target(smem, unit)?;
        self.permitted(target)
    }

    /// The address of an operand as a word; nothing is accessed.
    pub(super) fn address_word(&mut self, smem: Smem) -> Result<D::Word, Fault> {
        let (register, by) = match smem {
            Smem::Ind(Ind { ar, mode: Mode::Plain }) => (8 + usize::from(ar & 7), 0),
            Smem::Offset(ar, by) => (8 + usize::from(ar & 7), i64::from(by)),
            Smem::Cdp(Mode::Plain) => (CDP as usize, 0),
            Smem::Sp(by) => (SP as usize, i64::from(by)),
            _ => return Err(not_modelled("AMAR to a register with a change of another")),
        };
        match self.state.domain.moved([&self.state.registers[register]], by) {
            Some([word]) => Ok(word),
            None => Err(self.unknown_address(register)),
        }
    }

    #[inline(always)]
    fn permitted(&mut self, target: Target) -> Result<u32, Fault> {
        let address = target.address;
        self.state.domain.accesses(address.into());
        if self.state.stack.contains(address) {
            self.permit_stack(address)?;
        }
        match target.base {
            Base::Any => {}
            Base::Constant | Base::Of(_) => self.permit_based(target.base, address, Access::Load)?,
        }
        Ok(address)
    }

    #[inline(never)]
    fn permit_stack(&mut self, address: u32) -> Result<(), Fault> {
        let pointer = self.stack_address()?;
        self.state.stack.permit(pointer, address, Access::Load, true)
    }

    /// The address of the lower word of a double one, permitted: at the higher one's address with its lowest bit turned
    /// over.
    #[inline(always)]
    pub(super) fn partner(&mut self, address: u32) -> Result<u32, Fault> {
        let other = address ^ 1;
        if self.state.stack.contains(other) {
            self.permit_stack(other)?;
        }
        match self.state.memory.base(other) {
            base @ Some(_) if base != self.state.memory.base(address) => {
                let region = self.state.memory.region_name(other).unwrap_or_default().to_owned();
                Err(Fault::Astray { address: other, access: Access::Load, region })
            }
            _ => Ok(other),
        }
    }

    #[inline(always)]
    pub(super) fn load(&mut self, address: u32) -> Result<D::Word, Fault> {
        self.state.memory.load(address).or_else(|fault| self.load_elsewhere(address, fault))
    }

    /// Not in memory.
    #[cold]
    fn load_elsewhere(&mut self, address: u32, fault: Fault) -> Result<D::Word, Fault> {
        if let Fault::NotOwned { .. } = fault
            && address.wrapping_sub(self.state.stack.cells().end) < STACK_ARGUMENTS / 2
            && self.sp().is_some_and(|sp| sp < self.state.stack.cells().end)
        {
            return Err(Fault::stack_argument(address));
        }
        if !fault.is_undefined() || self.is_strict() {
            return Err(fault);
        }
        Ok(self.supplied(address))
    }

    #[inline(always)]
    pub(super) fn store(&mut self, address: u32, word: D::Word) -> Result<(), Fault> {
        if self.state.traced {
            self.stores.push(address);
        }
        self.state.memory.store(address, word)
    }

    /// `dbl(Lmem)`: the higher word at the address, the lower one at the address with its lowest bit turned over
    /// (SPRU371, 6.2). Extended as SXMD says.
    pub(super) fn load_double(&mut self, lmem: Smem) -> Result<[D::Word; 3], Fault> {
        let address = self.smem(lmem, 2)?;
        let other = self.partner(address)?;
        let (high, low) = (self.load(address)?, self.load(other)?);
        let guard = self.sign_fill(&high, 15, 8);
        Ok([low, high, guard])
    }

    pub(crate) fn push_word(&mut self, word: D::Word) -> Result<(), Fault> {
        self.move_register(SP as usize, -1)?;
        let address = self.smem(Smem::Sp(0), 1)?;
        self.store(address, word)
    }

    pub(crate) fn pop_word(&mut self) -> Result<D::Word, Fault> {
        let address = self.smem(Smem::Sp(0), 1)?;
        let word = self.load(address)?;
        self.move_register(SP as usize, 1)?;
        Ok(word)
    }

    /// Cycles that three reads of one line wait for each other.
    #[inline(always)]
    pub(super) fn conflicts(&mut self, x: Option<u32>, y: u32, c: u32) -> u64 {
        match x {
            Some(x) if self.is_anywhere && self.may_straddle([x, y, c]) => self.some_conflicts(),
            _ => self.conflicts_here(x, y, c),
        }
    }

    /// Whether these are places in one array that may lie in one block, and need not.
    #[inline(never)]
    fn may_straddle(&self, addresses: [u32; 3]) -> bool {
        let [base, y, c] = addresses.map(|address| self.state.memory.base(address));
        let block = 1 << self.block_shift;
        let [x, second, third] = addresses;
        if x.max(second).max(third) - x.min(second).min(third) >= block {
            return false;
        }
        let is_long = |region: &Region| region.range.len() as u32 + LONGEST_GAP > block;
        let mut holding =
            self.state.memory.regions().iter().filter(|region| region.range.contains(&addresses[0]));
        base.is_some() && base == y && base == c && holding.any(is_long)
    }

    /// A cycle more or not, as the array lies.
    #[cold]
    fn some_conflicts(&mut self) -> u64 {
        let address = u64::from(self.state.program.address(self.state.pc));
        self.state.spread += 1;
        if self.state.variable_times.iter().all(|known| known.address != address) {
            let least = self
                .state
                .program
                .prepared
                .get(self.state.pc as usize)
                .map_or(0, |one| u64::from(one.cycles));
            let cycles = Cycles { min: least, max: least + 1 };
            self.state.variable_times.push(VariableTime {
                address,
                hidden: Hidden::Place,
                cycles,
                unpublished: false,
            });
        }
        0
    }

    #[inline(always)]
    fn conflicts_here(&self, x: Option<u32>, y: u32, c: u32) -> u64 {
        let block = |address: u32| address >> self.block_shift;
        let single = |address: u32| address >= self.single_from;
        let Some(x) = x else { return u64::from(block(y) == block(c) && single(y)) };
        let (same_y, same_c, other) = (block(x) == block(y), block(x) == block(c), block(y) == block(c));
        if same_y && same_c {
            return if single(x) { 2 } else { 1 };
        }
        let shared = if same_y || same_c { x } else { y };
        u64::from((same_y || same_c || other) && single(shared))
    }
}

/// An address and what it belongs to.
#[derive(Clone, Copy)]
pub(super) struct Target {
    base: Base,
    address: u32,
}

fn name(register: usize) -> String {
    match register {
        4..8 => format!("T{}", register - 4),
        8..16 => format!("AR{}", register - 8),
        16 => "CDP".to_owned(),
        _ => "SP".to_owned(),
    }
}
