//! The processor's state and the call of a routine.

use crate::conventions::Convention;
use crate::instructions::{Op, flag};
use crate::program::{Avr, FLAGS, Program};
use rhomb_machine::{
    Access, CODE, Control, Cycles, Domain, Fault, Frame, InstructionSet, Own, Parts, Processor, ProgramPoint,
    Region, STACK, Saved, StackUnits, State, Trace, machine_state,
};
use std::ops::Range;
use std::sync::Arc;

/// An AVR processor over a domain of values, with one program: a [`State`] whose memory has one cell a byte.
///
/// A run: give registers, flags and memory, call [`Machine::enter`], then [`rhomb_machine::run`]. Pushing or copying an
/// undefined register is allowed; popping gives it back undefined, and the copy is undefined, too. IN from SREG is allowed
/// too: prologues save it.
#[derive(Clone)]
pub struct Machine<D: Domain> {
    pub(crate) state: State<Avr, D>,
    /// Registers that the convention wants never written (bit n is Rn).
    pub(crate) untouched: u32,
    /// Whether interrupts were on at the call.
    pub(crate) interrupts: Option<D::Bit>,
}

/// I/O registers.
#[derive(Clone, Debug)]
pub struct Io<W> {
    pub(crate) sp: u16,
    pub(crate) rampz: Option<u8>,
    pub(crate) eind: Option<u8>,
    /// One for each entry of the core's list of storage registers.
    pub(crate) storage: Vec<Option<W>>,
    /// The bytes of a stack pointer that is half written.
    pub(crate) pending_sp: [Option<W>; 2],
    /// Which bytes of the stack pointer were written since it was whole (bit n is byte n).
    pub(crate) written_sp: u8,
    /// The cycle in which the instruction begins before which interrupts that were just turned on cannot come.
    pub(crate) sheltered: Option<u64>,
}

impl<W> Io<W> {
    /// Whether the stack pointer is not half written.
    pub(crate) fn is_whole(&self) -> bool {
        self.pending_sp.iter().all(Option::is_none) && self.written_sp == 0
    }
}

impl<D: Domain> Own<D> for Io<D::Word> {
    fn words(&mut self) -> Vec<&mut D::Word> {
        self.storage.iter_mut().flatten().collect()
    }

    fn agrees(&self, other: &Self, _: &D) -> bool {
        let mut storage = self.storage.iter().zip(&other.storage);
        self.is_whole()
            && other.is_whole()
            && (self.rampz, self.eind) == (other.rampz, other.eind)
            && storage.all(|(own, other)| own.is_some() == other.is_some())
    }
}

impl InstructionSet for Avr {
    type Limb = u8;
    type Program = Program;
    type Convention = Convention;
    type Registers<W: Clone> = [W; 32];
    type Flags<B: Clone> = [B; 8];
    type Own<D: Domain> = Io<D::Word>;
    type Machine<D: Domain> = Machine<D>;

    /// The stack's pointer is the byte above that of SP, once SP is whole.
    const UNITS: StackUnits = StackUnits { bits: 16, cell: 1, bytes: 1 };
    /// Of cores whose return addresses have two bytes.
    const RETURN_ADDRESS: u32 = 0xffff;

    fn unknown<D: Domain>(domain: &mut D, program: &Program) -> Parts<Avr, D> {
        let registers = std::array::from_fn(|_| domain.arbitrary());
        let sreg = domain.arbitrary();
        let flags = std::array::from_fn(|number| domain.bit_of(&sreg, number as u32));
        let core = program.core();
        let io = Io {
            sp: (core.sram.end - 1) as u16,
            rampz: None,
            eind: None,
            storage: vec![None; core.storage.len()],
            pending_sp: [None, None],
            written_sp: 0,
            sheltered: None,
        };
        (registers, flags, io)
    }

    fn register_name(number: u8) -> String {
        format!("r{number}")
    }
}

machine_state!(Machine, Avr);

impl<D: Domain> Machine<D> {
    /// A machine at the program's first word with nothing defined, and with the core's SRAM, owned by nobody; the stack
    /// pointer stands at the last byte of SRAM.
    pub fn new(program: Arc<Program>, domain: D) -> Self {
        let memory = program.core().sram.clone();
        rhomb_machine::Machine::with_memory(program, domain, memory)
    }

    /// See [`State::reset`].
    pub fn reset(&mut self) {
        self.state.reset();
        let sp = self.sp();
        self.set_sp(sp);
    }

    /// The constants of the file, as memory that the routine may read only.
    pub(crate) fn give_constants(&mut self) {
        let State { domain, memory, program, .. } = &mut self.state;
        let placement = program.placement();
        for constant in &placement.constants {
            let name = &format!("constant {}", constant.name);
            // what does not lie in this memory is not to be read
            let _ = match placement.constant_base(constant) {
                Some(base) => memory.own_based(base, name, constant.range(), Access::Load),
                None => memory.own(name, constant.range(), Access::Load),
            };
            for (address, word) in (constant.address..).zip(placement.constant(constant, domain)) {
                let _ = word.map(|word| memory.fill(address, &[word]));
            }
        }
    }

    /// Copies a register; the copy is defined where the original is.
    #[inline(always)]
    pub(crate) fn copy_register(&mut self, to: u8, from: u8) {
        self.state.registers[usize::from(to & 31)] = self.state.registers[usize::from(from & 31)].clone();
        let defined = self.state.defined >> from & 1;
        self.state.defined = self.state.defined & !(1 << to) | defined << to;
    }

    /// Sets the pair of registers `low` and `low + 1` to a known 16-bit value: an address.
    pub fn set_pair(&mut self, low: u8, value: u16) {
        for (number, byte) in (low..).zip(value.to_le_bytes()) {
            let word = self.state.domain.word(byte.into());
            self.set_register(number, word);
        }
    }

    /// Flag `number` (see [`crate::instructions::flag`]), whether or not it is defined.
    pub fn flag(&self, number: usize) -> &D::Bit {
        &self.state.flags[number]
    }

    /// Sets a flag.
    pub fn set_flag(&mut self, number: usize, value: D::Bit) {
        self.state.flags[number] = value;
        self.state.defined |= 1 << (32 + number);
    }

    /// Sets all flags to a known status register.
    pub fn set_sreg(&mut self, value: u8) {
        for number in flag::C..=flag::I {
            let bit = self.state.domain.bit(value >> number & 1 != 0);
            self.set_flag(number, bit);
        }
        self.state.defined |= FLAGS;
    }

    /// Stack pointer: data address of the next free byte.
    pub fn sp(&self) -> u16 {
        self.state.own.sp
    }

    /// Sets the stack pointer.
    pub fn set_sp(&mut self, sp: u16) {
        self.state.own.sp = sp;
        self.state.stack.reset(u32::from(sp) + 1);
    }

    /// Makes writing one of these registers (bit n is Rn) a fault.
    pub fn set_untouched(&mut self, registers: u32) {
        self.untouched = registers;
    }

    /// Names of the I/O registers that were written, but for stack pointer and status register.
    pub fn written_io(&self) -> impl Iterator<Item = &'static str> + '_ {
        let core = self.state.program.core();
        let storage = self.state.own.storage.iter().zip(core.storage).filter(|(value, _)| value.is_some());
        let extensions = [("RAMPZ", self.state.own.rampz), ("EIND", self.state.own.eind)];
        let extensions = extensions.into_iter().filter(|(_, value)| value.is_some()).map(|(name, _)| name);
        storage.map(|(_, storage)| storage.name).chain(extensions)
    }

    /// RAMPZ; `None` where nothing set it or the core lacks it.
    pub fn rampz(&self) -> Option<u8> {
        self.state.own.rampz
    }

    /// Sets RAMPZ.
    pub fn set_rampz(&mut self, value: u8) {
        self.state.own.rampz = Some(value);
    }

    /// EIND; `None` where nothing set it or the core lacks it.
    pub fn eind(&self) -> Option<u8> {
        self.state.own.eind
    }

    /// Sets EIND.
    pub fn set_eind(&mut self, value: u8) {
        self.state.own.eind = Some(value);
    }

    /// A storage register of the core (see [`crate::cores::Core::storage`]) by data address; `None`
    /// where nothing set it or there is none.
    pub fn storage(&self, address: u32) -> Option<&D::Word> {
        self.state.own.storage.get(self.storage_index(address)?)?.as_ref()
    }

    /// Sets a storage register; an address that is none is a fault.
    pub fn set_storage(&mut self, address: u32, value: D::Word) -> Result<(), Fault> {
        let unknown = || Fault::NotModelled { what: format!("I/O register at data address {address:#06x}") };
        let index = self.storage_index(address).ok_or_else(unknown)?;
        self.state.own.storage[index] = Some(value);
        Ok(())
    }

    pub(crate) fn storage_index(&self, address: u32) -> Option<usize> {
        self.state.program.core().storage.iter().position(|storage| storage.address == address)
    }

    /// Calls the routine at a word address as CALL would, without counting its cycles: pushes a return
    /// address of the core's width, as memory that the routine may read only, and goes there. The stack
    /// that the routine may use must be owned by then and should end below the return address: at the
    /// stack pointer less [`crate::cores::Core::return_bytes`]. The run ends with [`Control::Return`]
    /// when RET takes that very frame from the stack.
    pub fn enter(&mut self, address: u32) -> Result<(), Fault> {
        let width = self.state.program.core().return_bytes;
        // the last address that the width can hold, as far from any routine as can be
        let return_address = if width == 3 { 0x3f_ffff } else { 0xffff };
        self.state.frame = Some(Frame { sp: self.state.own.sp.into(), return_address });
        let lowest = (u32::from(self.state.own.sp) + 1).wrapping_sub(width);
        let range = lowest..lowest.wrapping_add(width);
        // once for any number of runs
        let owned = |region: &Region| region.range == range && region.access == Access::Load;
        if !self.state.memory.regions().iter().any(owned) {
            self.state.memory.own_based(STACK, "return address", range, Access::Load)?;
        }
        for part in 0..width {
            let word = self.state.domain.pointer(CODE, return_address.into(), return_address.into(), part);
            self.state.memory.fill(self.state.own.sp.into(), &[word])?;
            self.state.own.sp = self.state.own.sp.wrapping_sub(1);
        }
        self.state.stack.enter(u32::from(self.state.own.sp) + 1);
        self.state.pc = address;
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
        self.state.program.refusal(self.state.pc)
    }
}

impl<D: Domain> rhomb_machine::Machine for Machine<D> {
    type Domain = D;
    type Set = Avr;

    fn with_memory(program: Arc<Program>, domain: D, memory: Range<u32>) -> Self {
        let state = State::new(program, domain, memory);
        let mut machine = Machine { state, untouched: 0, interrupts: None };
        machine.set_sp(machine.sp());
        machine
    }

    fn call(&mut self, address: u32) -> Result<(), Fault> {
        self.enter(address)
    }

    fn pointer(&self) -> Option<u32> {
        Some(self.sp().into())
    }

    fn join_own(&mut self, _: &mut Saved<Avr, D>) {
        self.state.own.sheltered = None;
        self.interrupts_changed();
    }

    fn note(&mut self, trace: &mut Trace, pc: u32) {
        let Ok((instruction, _)) = self.state.program.instruction(pc) else { return };
        let address = 2 * u64::from(pc);
        trace.wrote_registers(instruction.registers_written().into(), address);
        let stored = self.state.stored.clone();
        match self.state.program.core().registers_mapped && stored.start < 32 {
            true => trace.wrote_registers(stored.clone().fold(0, |set, one| set | 1 << one), address),
            false => trace.wrote_cells(stored.clone(), address),
        }
        // the status register can be written as a whole
        let moves = instruction.op == Op::Out || instruction.op.row().mnemonic.starts_with("st");
        if instruction.flags_written() >> flag::I & 1 == 1 || moves && stored.is_empty() {
            trace.wrote_registers(1 << INTERRUPTS, address);
        }
        for name in self.written_io() {
            trace.wrote_named(name, address);
        }
    }

    fn called(&self, from: ProgramPoint) -> Option<u32> {
        let (one, length) = self.state.program.instruction(from.pc).ok()?;
        let back = from.pc.wrapping_add(length as u32);
        let calls = matches!(one.op, Op::Rcall | Op::Call | Op::Icall | Op::Eicall);
        (calls && self.state.pc != back).then_some(back)
    }

    fn into_state(self) -> State<Avr, D> {
        self.state
    }

    fn come_back(&mut self, back: u32) -> Result<(), Fault> {
        let width = self.state.program.core().return_bytes;
        self.state.own.sp = self.state.own.sp.wrapping_add(width as u16);
        self.stack_pointer_moved()?;
        self.set_pc(back);
        Ok(())
    }
}

/// The interrupt flag, as a trace counts it.
pub(crate) const INTERRUPTS: u8 = 32 + flag::I as u8;

impl<D: Domain> Processor for Machine<D> {
    // all that instructions mean: a copy wherever it is called would take long to compile
    #[inline(never)]
    fn step(&mut self) -> Result<Control, Fault> {
        let Some(&instruction) = self.state.program.prepared(self.state.pc) else {
            return Err(Fault::NoInstruction { address: self.state.pc });
        };
        if let Some(&uses) = self.state.program.beside(self.state.pc) {
            let missing = uses.reads & !self.state.defined;
            if missing != 0 && self.state.strict {
                return Err(self.undefined(missing));
            }
            if uses.writes & u64::from(self.untouched) != 0 {
                return Err(self.touched(uses.writes as u32 & self.untouched));
            }
            self.state.defined |= uses.writes;
        }
        self.state.domain.locate(2 * u64::from(self.state.pc))?;
        self.execute(instruction)
    }

    #[inline(always)]
    fn cycles(&self) -> Cycles {
        self.counted()
    }
}
