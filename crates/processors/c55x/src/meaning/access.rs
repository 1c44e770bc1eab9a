//! Addresses, loads and stores, the stack.

use super::not_modelled;
use crate::instructions::{Ind, Mode, Smem};
use crate::machine::Machine;
use crate::rules::{CDP, SP};
use rhomb_machine::{Access, Base, Domain, Fault, STACK};

impl<D: Domain> Machine<D> {
    #[cold]
    fn secret(register: usize) -> Fault {
        Fault::Secret { what: format!("the address in {}", name(register)) }
    }

    /// A register moved by a number.
    #[inline(always)]
    pub(super) fn move_register(&mut self, register: usize, by: i64) -> Result<(), Fault> {
        match self.domain.moved([&self.registers[register]], by) {
            Some([word]) => {
                self.registers[register] = word;
                Ok(())
            }
            None => Err(Self::secret(register)),
        }
    }

    /// The number in an index register.
    #[inline(always)]
    fn step_by(&self, t: usize) -> Result<i64, Fault> {
        match self.domain.known_word(&self.registers[4 + t]) {
            Some(word) => Ok(i64::from(word as u16 as i16)),
            None => Err(Fault::Secret { what: format!("the index in T{t}") }),
        }
    }

    /// The address in a register, which is changed as the mode says; `unit` words are accessed.
    #[inline(always)]
    fn through(&mut self, register: usize, mode: Mode, unit: i64) -> Result<Target, Fault> {
        let Some((base, address)) = self.domain.address(&[&self.registers[register]]) else {
            return Err(Self::secret(register));
        };
        let mut target = Target { base, address: address as u32 & 0xffff };
        let by = match mode {
            Mode::Plain => return Ok(target),
            Mode::Up => unit,
            Mode::Down => -unit,
            Mode::PlusT0 => self.step_by(0)?,
            Mode::MinusT0 => -self.step_by(0)?,
            Mode::PlusT1 | Mode::MinusT1 if self.status.arms => {
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
                .ok_or_else(|| Self::secret(register))?;
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
        match self.domain.moved([&self.registers[register]], by) {
            Some([word]) => Ok(word),
            None => Err(Self::secret(register)),
        }
    }

    #[inline(always)]
    fn permitted(&self, target: Target) -> Result<u32, Fault> {
        let address = target.address;
        if self.stack.contains(&address) {
            self.permit_stack(address)?;
        }
        match target.base {
            Base::Any => {}
            Base::Constant | Base::Of(_) => self.permit_based(target.base, address)?,
        }
        Ok(address)
    }

    /// Interrupts write below the stack pointer.
    #[inline(never)]
    fn permit_stack(&self, address: u32) -> Result<(), Fault> {
        match self.domain.address(&[&self.registers[SP as usize]]) {
            Some((Base::Any | Base::Of(STACK), sp)) if u64::from(address) >= sp => Ok(()),
            Some((Base::Any | Base::Of(STACK), _)) => {
                Err(Fault::BelowStack { address, access: Access::Load })
            }
            _ => Err(not_modelled("the stack while SP does not point into it")),
        }
    }

    #[inline(never)]
    fn permit_based(&self, base: Base, address: u32) -> Result<(), Fault> {
        let wanted = match base {
            Base::Of(base) => Some(base),
            Base::Any | Base::Constant => None,
        };
        if self.memory.base(address) == wanted {
            return Ok(());
        }
        let region = self.memory.region_name(address).unwrap_or("what is no buffer").to_owned();
        Err(Fault::Astray { address, access: Access::Load, region })
    }

    #[inline(always)]
    pub(super) fn load(&self, address: u32) -> Result<D::Word, Fault> {
        self.memory.load(address)
    }

    #[inline(always)]
    pub(super) fn store(&mut self, address: u32, word: D::Word) -> Result<(), Fault> {
        if let Some(stored) = &mut self.stored {
            stored.push(address);
        }
        self.memory.store(address, word)
    }

    /// `dbl(Lmem)`: the higher word at the address, the lower one at the address with its lowest bit turned over
    /// (SPRU371, 6.2). Extended as SXMD says.
    pub(super) fn load_double(&mut self, lmem: Smem) -> Result<[D::Word; 3], Fault> {
        let address = self.smem(lmem, 2)?;
        let (high, low) = (self.load(address)?, self.load(address ^ 1)?);
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
    pub(super) fn conflicts(&self, x: Option<u32>, y: u32, c: u32) -> u64 {
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
