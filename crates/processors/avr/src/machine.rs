//! The processor's state and the call of a routine.

use crate::instructions::flag;
use crate::program::{Cause, FLAGS, Program, ProgramError};
use rhomb_machine::{
    Access, Breach, CODE, Control, Cycles, Domain, Fault, Fork, Memory, Processor, Region, STACK, Stack,
    StackUnits, Unplaced,
};
use std::ops::Range;
use std::sync::Arc;

/// An AVR processor over a domain of values, with one program.
///
/// A run: give registers, flags and memory, call [`Machine::enter`], then [`rhomb_machine::run`]. While
/// a fault is reported the program counter still names the instruction. A branch or skip that is
/// refused because its condition is secret has changed nothing.
///
/// Registers and flags that nobody has set are undefined; reading one is a fault, unless
/// [`Machine::set_strict`] turns that off. Pushing or copying an undefined register is allowed; popping gives
/// it back undefined, and the copy is undefined, too. IN from SREG is allowed too: prologues save it.
pub struct Machine<D: Domain> {
    /// The domain that computes.
    pub domain: D,
    /// Data memory. A new machine has the core's SRAM, owned by nobody.
    pub memory: Memory<D::Word>,
    pub(crate) program: Arc<Program>,
    pub(crate) registers: [D::Word; 32],
    pub(crate) flags: [D::Bit; 8],
    pub(crate) pc: u32,
    pub(crate) sp: u16,
    pub(crate) rampz: Option<u8>,
    pub(crate) eind: Option<u8>,
    /// One for each entry of the core's list of storage registers.
    pub(crate) storage: Vec<Option<D::Word>>,
    /// Least cycles.
    pub(crate) cycles: u64,
    /// What longer sides of branches on secrets might add to them.
    pub(crate) spread: u64,
    pub(crate) frame: Option<Frame>,
    /// Conditions that are not known.
    pub(crate) fork: Fork<D::Bit>,
    /// The bytes of a stack pointer that is half written.
    pub(crate) pending_sp: [Option<D::Word>; 2],
    /// Which bytes of the stack pointer were written since it was whole (bit n is byte n).
    pub(crate) written_sp: u8,
    /// The cycle in which the instruction begins before which interrupts that were just turned on cannot come.
    pub(crate) sheltered: Option<u64>,
    /// The stack that the routine owns. Its pointer is the byte above that of SP, once SP is whole.
    pub(crate) stack: Stack,
    /// Registers that the convention wants never written (bit n is Rn).
    pub(crate) untouched: u32,
    /// What the convention forbids and was done.
    pub(crate) breaches: Vec<Breach>,
    /// Data address of the last store, stack pointer and I/O registers left out.
    pub(crate) stored: Option<u32>,
    strict: bool,
    /// Registers and flags with a value, as in `Uses`.
    pub(crate) defined: u64,
    /// Stack cells that hold a pushed undefined register.
    pub(crate) undefined_cells: Vec<u32>,
}

/// The call that started the routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Stack pointer before the return address was pushed.
    pub(crate) sp: u16,
    /// Where the caller goes on.
    pub(crate) return_address: u32,
}

impl<D: Domain + Clone> Clone for Machine<D> {
    fn clone(&self) -> Self {
        Machine {
            domain: self.domain.clone(),
            memory: self.memory.clone(),
            program: Arc::clone(&self.program),
            registers: self.registers.clone(),
            flags: self.flags.clone(),
            pc: self.pc,
            sp: self.sp,
            rampz: self.rampz,
            eind: self.eind,
            storage: self.storage.clone(),
            cycles: self.cycles,
            spread: self.spread,
            frame: self.frame,
            fork: self.fork.clone(),
            pending_sp: self.pending_sp.clone(),
            written_sp: self.written_sp,
            sheltered: self.sheltered,
            stack: self.stack.clone(),
            breaches: self.breaches.clone(),
            untouched: self.untouched,
            stored: self.stored,
            strict: self.strict,
            defined: self.defined,
            undefined_cells: self.undefined_cells.clone(),
        }
    }
}

impl<D: Domain> Machine<D> {
    /// A machine at the program's first word with nothing defined and no memory owned; the stack
    /// pointer stands at the last byte of SRAM.
    pub fn new(program: Arc<Program>, domain: D) -> Self {
        let memory = program.core().sram.clone();
        Machine::with_memory(program, domain, memory)
    }

    /// The same with these cells of memory.
    pub(crate) fn with_memory(program: Arc<Program>, mut domain: D, memory: Range<u32>) -> Self {
        let core = program.core();
        let filler = domain.word(0);
        let (registers, flags) = arbitrary(&mut domain);
        Machine {
            memory: Memory::new(memory, filler),
            registers,
            flags,
            pc: program.origin(),
            sp: (core.sram.end - 1) as u16,
            rampz: None,
            eind: None,
            storage: vec![None; core.storage.len()],
            cycles: 0,
            spread: 0,
            frame: None,
            fork: Fork::default(),
            pending_sp: [None, None],
            written_sp: 0,
            sheltered: None,
            stack: new_stack(core.sram.end),
            breaches: Vec::new(),
            untouched: 0,
            stored: None,
            strict: true,
            defined: 0,
            undefined_cells: Vec::new(),
            domain,
            program,
        }
    }

    /// Back to the state of a new machine, but for memory and strictness: every run starts here. To
    /// start with the same memory too, assign a clone of a prepared one.
    pub fn reset(&mut self) {
        (self.registers, self.flags) = arbitrary(&mut self.domain);
        self.pc = self.program.origin();
        self.sp = (self.program.core().sram.end - 1) as u16;
        self.rampz = None;
        self.eind = None;
        self.storage.fill(None);
        self.cycles = 0;
        self.spread = 0;
        self.frame = None;
        self.pending_sp = [None, None];
        self.written_sp = 0;
        self.sheltered = None;
        self.stack.reset(u32::from(self.sp) + 1);
        self.breaches.clear();
        self.defined = 0;
        self.undefined_cells.clear();
    }

    /// Whether reading an undefined register, flag or cell is a fault (it is in a new machine). Without, such
    /// a read gives what the domain calls arbitrary.
    pub fn set_strict(&mut self, strict: bool) {
        self.strict = strict;
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.strict
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Register `number`, 0 to 31, whether or not it is defined.
    pub fn register(&self, number: u8) -> &D::Word {
        &self.registers[usize::from(number)]
    }

    /// Sets a register, 0 to 31.
    pub fn set_register(&mut self, number: u8, value: D::Word) {
        self.registers[usize::from(number)] = value;
        self.defined |= 1 << number;
    }

    /// Copies a register; the copy is defined where the original is.
    #[inline(always)]
    pub(crate) fn copy_register(&mut self, to: u8, from: u8) {
        self.registers[usize::from(to & 31)] = self.registers[usize::from(from & 31)].clone();
        let defined = self.defined >> from & 1;
        self.defined = self.defined & !(1 << to) | defined << to;
    }

    /// Sets the pair of registers `low` and `low + 1` to a known 16-bit value: an address.
    pub fn set_pair(&mut self, low: u8, value: u16) {
        for (number, byte) in (low..).zip(value.to_le_bytes()) {
            let word = self.domain.word(byte.into());
            self.set_register(number, word);
        }
    }

    /// Whether a register has a value.
    pub fn is_defined(&self, number: u8) -> bool {
        self.defined >> number & 1 != 0
    }

    /// Flag `number` (see [`crate::instructions::flag`]), whether or not it is defined.
    pub fn flag(&self, number: usize) -> &D::Bit {
        &self.flags[number]
    }

    /// Sets a flag.
    pub fn set_flag(&mut self, number: usize, value: D::Bit) {
        self.flags[number] = value;
        self.defined |= 1 << (32 + number);
    }

    /// Sets all flags to a known status register.
    pub fn set_sreg(&mut self, value: u8) {
        for number in flag::C..=flag::I {
            let bit = self.domain.bit(value >> number & 1 != 0);
            self.set_flag(number, bit);
        }
        self.defined |= FLAGS;
    }

    /// Stack pointer: data address of the next free byte.
    pub fn sp(&self) -> u16 {
        self.sp
    }

    /// Sets the stack pointer.
    pub fn set_sp(&mut self, sp: u16) {
        self.sp = sp;
        self.stack.reset(u32::from(sp) + 1);
    }

    /// Gives the routine a stack. Other than by pushing, it may only be accessed above the stack
    /// pointer, by addresses that come from there, and the pointer may not leave it; see [`Stack`].
    pub fn own_stack(&mut self, range: Range<u32>) -> Result<(), Fault> {
        self.stack.own(range.clone());
        self.memory.own_based(STACK, "stack", range, Access::Store)
    }

    /// Lets no interrupt come during the calls to follow.
    pub fn set_undisturbed(&mut self, undisturbed: bool) {
        self.stack.set_undisturbed(undisturbed);
    }

    /// Makes writing one of these registers (bit n is Rn) a fault.
    pub fn set_untouched(&mut self, registers: u32) {
        self.untouched = registers;
    }

    /// What the convention forbids and was done since the start.
    pub fn breaches(&self) -> &[Breach] {
        &self.breaches
    }

    /// Names of the I/O registers that were written, but for stack pointer and status register.
    pub fn written_io(&self) -> impl Iterator<Item = &'static str> + '_ {
        let core = self.program.core();
        let storage = self.storage.iter().zip(core.storage).filter(|(value, _)| value.is_some());
        let extensions = [("RAMPZ", self.rampz), ("EIND", self.eind)];
        let extensions = extensions.into_iter().filter(|(_, value)| value.is_some()).map(|(name, _)| name);
        storage.map(|(_, storage)| storage.name).chain(extensions)
    }

    /// Program counter in words.
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// Sets the program counter without a call.
    pub fn set_pc(&mut self, pc: u32) {
        self.pc = pc;
    }

    /// RAMPZ; `None` where nothing set it or the core lacks it.
    pub fn rampz(&self) -> Option<u8> {
        self.rampz
    }

    /// Sets RAMPZ.
    pub fn set_rampz(&mut self, value: u8) {
        self.rampz = Some(value);
    }

    /// EIND; `None` where nothing set it or the core lacks it.
    pub fn eind(&self) -> Option<u8> {
        self.eind
    }

    /// Sets EIND.
    pub fn set_eind(&mut self, value: u8) {
        self.eind = Some(value);
    }

    /// A storage register of the core (see [`crate::cores::Core::storage`]) by data address; `None`
    /// where nothing set it or there is none.
    pub fn storage(&self, address: u32) -> Option<&D::Word> {
        self.storage.get(self.storage_index(address)?)?.as_ref()
    }

    /// Sets a storage register; an address that is none is a fault.
    pub fn set_storage(&mut self, address: u32, value: D::Word) -> Result<(), Fault> {
        let unknown = || Fault::NotModelled { what: format!("I/O register at data address {address:#06x}") };
        let index = self.storage_index(address).ok_or_else(unknown)?;
        self.storage[index] = Some(value);
        Ok(())
    }

    pub(crate) fn storage_index(&self, address: u32) -> Option<usize> {
        self.program.core().storage.iter().position(|storage| storage.address == address)
    }

    /// Calls the routine at a word address as CALL would, without counting its cycles: pushes a return
    /// address of the core's width, as memory that the routine may read only, and goes there. The stack
    /// that the routine may use must be owned by then and should end below the return address: at the
    /// stack pointer less [`crate::cores::Core::return_bytes`]. The run ends with [`Control::Return`]
    /// when RET takes that very frame from the stack.
    pub fn enter(&mut self, address: u32) -> Result<(), Fault> {
        let width = self.program.core().return_bytes;
        // the last address that the width can hold, as far from any routine as can be
        let return_address = if width == 3 { 0x3f_ffff } else { 0xffff };
        self.frame = Some(Frame { sp: self.sp, return_address });
        let lowest = (u32::from(self.sp) + 1).wrapping_sub(width);
        let range = lowest..lowest.wrapping_add(width);
        // once for any number of runs
        let owned = |region: &Region| region.range == range && region.access == Access::Load;
        if !self.memory.regions().iter().any(owned) {
            self.memory.own_based(STACK, "return address", range, Access::Load)?;
        }
        for part in 0..width {
            let word = self.domain.pointer(CODE, return_address.into(), return_address.into(), part);
            self.memory.fill(self.sp.into(), &[word])?;
            self.sp = self.sp.wrapping_sub(1);
        }
        self.stack.enter(u32::from(self.sp) + 1);
        self.pc = address;
        Ok(())
    }

    #[cold]
    fn undefined(&self, missing: u64) -> Fault {
        let what = match missing.trailing_zeros() {
            register @ 0..32 => format!("r{register}"),
            flag => format!("flag {}", flag::LETTERS.as_bytes()[flag as usize - 32] as char),
        };
        Fault::Undefined { what }
    }

    /// A write to what the convention wants left alone.
    #[cold]
    pub(crate) fn touched(&self, registers: u32) -> Fault {
        let register = registers.trailing_zeros();
        Fault::NotModelled {
            what: format!("a write to r{register}, by which the convention finds the data stack"),
        }
    }

    /// Why the words at the program counter cannot be executed.
    #[cold]
    pub(crate) fn refused(&self) -> Fault {
        let address = self.pc;
        match self.program.instruction(address) {
            Ok(_) | Err(ProgramError { cause: Cause::Unplaced(Unplaced::Outside), .. }) => {
                Fault::NoInstruction { address }
            }
            Err(error) => Fault::NotModelled { what: error.to_string() },
        }
    }
}

/// No stack, with SP at the last byte before `end`.
fn new_stack(end: u32) -> Stack {
    let mut stack = Stack::new(StackUnits { bits: 16, cell: 1, bytes: 1 });
    stack.reset(end);
    stack
}

/// Registers and flags that nothing is known about.
fn arbitrary<D: Domain>(domain: &mut D) -> ([D::Word; 32], [D::Bit; 8]) {
    let registers = std::array::from_fn(|_| domain.arbitrary());
    let sreg = domain.arbitrary();
    (registers, std::array::from_fn(|number| domain.bit_of(&sreg, number as u32)))
}

impl<D: Domain> Processor for Machine<D> {
    #[inline(always)]
    fn step(&mut self) -> Result<Control, Fault> {
        let Some(instruction) = self.program.decoded(self.pc) else {
            return Err(Fault::NoInstruction { address: self.pc });
        };
        if let Some(uses) = self.program.uses(self.pc) {
            let missing = uses.reads & !self.defined;
            if missing != 0 && self.strict {
                return Err(self.undefined(missing));
            }
            if uses.writes & u64::from(self.untouched) != 0 {
                return Err(self.touched(uses.writes as u32 & self.untouched));
            }
            self.defined |= uses.writes;
        }
        self.domain.locate(2 * u64::from(self.pc))?;
        self.execute(instruction)
    }

    #[inline(always)]
    fn cycles(&self) -> Cycles {
        Cycles { min: self.cycles, max: self.cycles + self.spread }
    }
}
