//! The processor's state.

use crate::conventions::Convention;
use crate::cores::Pipeline;
use crate::extension::{FIRST, REGISTERS};
use crate::instructions::{LR, PC, SP, flag};
use crate::program::{Arm, Decoded, FLAGS, Program, flag_bits, register_name};
use crate::thumb::Block;
use rhomb_machine::{
    CODE, Control, Cycles, Domain, Fault, InstructionSet, Own, Parts, Processor, ProgramPoint, Saved,
    StackUnits, State, Trace, Unit, machine_state,
};
use std::ops::Range;
use std::sync::Arc;

/// An ARM processor in ARM state over a domain of values, with one program: a [`State`] whose memory has one cell a word,
/// its number being byte address / 4.
///
/// A run: give registers, flags and memory, call [`State::enter`], then [`rhomb_machine::run`]. Storing an undefined
/// register in the stack or copying it is allowed; loading gives it back undefined, and the copy is undefined, too.
#[derive(Clone)]
pub struct Machine<D: Domain> {
    pub(crate) state: State<Arm, D>,
    /// The low 28 bits of the status register, once they were read.
    pub(crate) control: Option<D::Word>,
}

/// What waits: on a core with interlocks the pipeline with the least waits, and with the most. And what is left of an IT
/// block.
#[derive(Clone, Debug)]
pub struct Waits {
    pub(crate) pipelines: Option<Box<[Pipeline; 2]>>,
    pub(crate) block: Block,
}

impl<D: Domain> Own<D> for Waits {
    fn agrees(&self, other: &Self, _: &D) -> bool {
        self.block == other.block
    }
}

impl InstructionSet for Arm {
    type Limb = u32;
    type Program = Program;
    type Convention = Convention;
    /// R0 to R15, and those of the extension. R15 is set only for an instruction that reads it.
    type Registers<W: Clone> = [W; REGISTERS];
    /// By [`V`], [`C`], [`Z`], [`N`].
    type Flags<B: Clone> = [B; 4];
    type Own<D: Domain> = Waits;
    type Machine<D: Domain> = Machine<D>;

    const UNITS: StackUnits = StackUnits { bits: 32, cell: 4, bytes: 1 };
    const SP: Option<u8> = Some(SP);
    const LINK: Option<u8> = Some(LR);
    /// The last word of memory.
    const RETURN_ADDRESS: u32 = 0xffff_fffc;
    const LOADS_CODE: bool = true;

    fn unknown<D: Domain>(domain: &mut D, program: &Program) -> Parts<Arm, D> {
        let has_extension = program.core().has_extension();
        let registers = std::array::from_fn(|number| match number < usize::from(FIRST) || has_extension {
            true => domain.arbitrary(),
            false => domain.word(0),
        });
        let status = domain.arbitrary();
        let flags = std::array::from_fn(|number| domain.bit_of(&status, number as u32));
        let interlocked = program.core().timing.interlocks.is_some();
        (registers, flags, Waits { pipelines: interlocked.then(Box::default), block: Block::default() })
    }

    fn register_name(number: u8) -> String {
        register_name(number).to_owned()
    }
}

/// Places of the flags in [`Machine::flags`].
pub(crate) const V: usize = 0;
pub(crate) const C: usize = 1;
pub(crate) const Z: usize = 2;
pub(crate) const N: usize = 3;

/// The place of one of the flags of [`flag`].
fn index(which: u8) -> usize {
    which.trailing_zeros() as usize
}

/// Cells of a new machine.
const CELLS: u32 = 1 << 14;

machine_state!(Machine, Arm);

impl<D: Domain> Machine<D> {
    /// A machine at the program's first word with nothing defined, and with the first 64 KiB of the core's RAM, owned by
    /// nobody.
    pub fn new(program: Arc<Program>, domain: D) -> Self {
        let first = program.core().ram.start / 4;
        rhomb_machine::Machine::with_memory(program, domain, first..first + CELLS)
    }

    /// See [`State::reset`].
    pub fn reset(&mut self) {
        self.state.reset();
        self.control = None;
    }

    /// Copies a register; the copy is defined where the original is.
    #[inline(always)]
    pub(crate) fn copy_register(&mut self, to: u8, from: u8) {
        self.state.registers[usize::from(to)] = self.state.registers[usize::from(from)].clone();
        let defined = self.state.defined >> from & 1;
        self.state.defined = self.state.defined & !(1 << to) | defined << to;
    }

    /// One of the flags of [`flag`], whether or not it is defined.
    pub fn flag(&self, which: u8) -> &D::Bit {
        &self.state.flags[index(which)]
    }

    /// Whether all of these flags have a value.
    pub fn are_flags_defined(&self, which: u8) -> bool {
        self.state.defined & flag_bits(which) == flag_bits(which)
    }

    /// Sets one of the flags of [`flag`].
    pub fn set_flag(&mut self, which: u8, value: D::Bit) {
        self.state.flags[index(which)] = value;
        self.state.defined |= flag_bits(which);
    }

    /// Sets all flags to the known bits of a set of [`flag`].
    pub fn set_flags(&mut self, set: u8) {
        for (number, flag) in self.state.flags.iter_mut().enumerate() {
            *flag = self.state.domain.bit(set >> number & 1 != 0);
        }
        self.state.defined |= flag_bits(flag::ALL);
    }

    /// Leaves in all flags what nobody knows.
    pub(crate) fn forget_flags(&mut self) {
        let status = self.state.domain.arbitrary();
        for (number, flag) in self.state.flags.iter_mut().enumerate() {
            *flag = self.state.domain.bit_of(&status, number as u32);
        }
        self.state.defined &= !flag_bits(flag::ALL);
    }

    /// Whether the core is in Thumb state, as it always is then.
    #[inline(always)]
    pub(crate) fn is_thumb(&self) -> bool {
        self.state.program.core().thumb.is_some()
    }

    /// Sets the stack pointer to a byte address in the stack, `above` bytes below its end.
    pub fn set_sp(&mut self, sp: u32, above: u32) {
        self.point_stack(sp, above);
    }

    #[cold]
    fn undefined(&self, missing: u64) -> Fault {
        let what = match missing.trailing_zeros() {
            register @ 0..FLAGS => register_name(register as u8).to_owned(),
            flag => format!("flag {}", ["V", "C", "Z", "N"][(flag - FLAGS) as usize & 3]),
        };
        Fault::Undefined { what }
    }

    /// Why the word at the program counter cannot be executed.
    #[cold]
    pub(crate) fn refused(&self) -> Fault {
        self.state.program.refusal(self.state.pc)
    }

    /// With all that instructions mean in place, or apart.
    #[inline(always)]
    fn execute_defined<const APART: bool>(&mut self, one: Decoded) -> Result<Control, Fault> {
        let uses = one.uses;
        if self.state.strict {
            let missing = uses.reads & !self.state.defined;
            if missing != 0 {
                return Err(self.undefined(missing));
            }
        }
        self.state.defined = self.state.defined & !uses.destroys | uses.writes;
        self.pass(one.cycles, true);
        if let Some(early) = one.early {
            self.count_early(one.cycles, early);
        }
        match (uses.moves_stack, APART) {
            (true, _) => self.execute_moving_stack(one),
            (false, true) => self.execute_apart(one),
            (false, false) => self.execute(one),
        }
    }

    /// All that instructions mean once more, for those that are executed less often.
    #[inline(never)]
    fn execute_apart(&mut self, one: Decoded) -> Result<Control, Fault> {
        self.execute(one)
    }

    /// An instruction that writes the stack pointer.
    fn execute_moving_stack(&mut self, one: Decoded) -> Result<Control, Fault> {
        let address = self.state.pc;
        let control = self.execute_apart(one)?;
        if self.state.frame.is_some()
            && let Err(fault) = self.stack_moved()
        {
            self.state.pc = address;
            return Err(fault);
        }
        Ok(control)
    }

    /// An instruction that is executed under a condition.
    #[inline(never)]
    fn conditional(&mut self, one: Decoded) -> Result<Control, Fault> {
        let missing = one.uses.condition & !self.state.defined;
        if self.state.strict && missing != 0 {
            return Err(self.undefined(missing));
        }
        if one.cycles == 0 {
            return Err(self.refused());
        }
        if self.holds(one.instruction)? {
            return self.execute_defined::<true>(one);
        }
        self.state.skipped = true;
        self.pass(self.state.program.core().timing.skipped, false);
        self.state.pc = self.state.pc.wrapping_add(one.bytes.into());
        Ok(Control::Continue)
    }

    /// An instruction of an IT block.
    #[cold]
    #[inline(never)]
    fn execute_in_block(&mut self, one: Decoded) -> Result<Control, Fault> {
        let block = self.state.own.block;
        if one.cycles == 0 {
            return Err(self.refused());
        }
        if one.block != block {
            let what = if block.is_some() { "an IT block that is left" } else { "a jump into an IT block" };
            return Err(Fault::NotModelled { what: what.to_owned() });
        }
        let control = self.execute_found::<true>(one)?;
        self.state.own.block = block.next();
        Ok(control)
    }

    #[inline(always)]
    fn execute_found<const APART: bool>(&mut self, one: Decoded) -> Result<Control, Fault> {
        if one.uses.reads_pc {
            let address = u64::from(self.state.pc.wrapping_add(one.ahead.into()));
            let base = self.state.program.placement().own_base(self.state.pc, Unit::Bytes);
            self.state.registers[usize::from(PC)] =
                self.state.domain.pointer(base, address as i64, address, 0);
        }
        if one.is_conditional() {
            return self.conditional(one);
        }
        self.execute_defined::<APART>(one)
    }
}

impl<D: Domain> rhomb_machine::Machine for Machine<D> {
    type Domain = D;
    type Set = Arm;

    fn with_memory(program: Arc<Program>, domain: D, memory: Range<u32>) -> Self {
        Machine { state: State::new(program, domain, memory), control: None }
    }

    fn join_own(&mut self, other: &mut Saved<Arm, D>) {
        if let (Some(own), Some(other)) = (&mut self.state.own.pipelines, &other.own.pipelines) {
            let [least, most] = [own[0].either(&other[0], u64::min), own[1].either(&other[1], u64::max)];
            **own = [least, most];
        }
    }

    fn waits_like(&self, other: &Saved<Arm, D>) -> bool {
        self.own.pipelines == other.own.pipelines
    }

    fn is_settled(&self) -> bool {
        self.own.pipelines.as_ref().is_none_or(|pipelines| pipelines[0].waits_like(&pipelines[1]))
    }

    fn note(&mut self, trace: &mut Trace, pc: u32) {
        if let Some(one) = self.state.program.prepared(pc).filter(|_| !self.state.skipped) {
            trace.wrote_registers(one.instruction.registers_written(), pc.into());
            trace.wrote_cells(self.state.stored.clone(), pc.into());
        }
    }

    fn call(&mut self, place: u32) -> Result<(), Fault> {
        self.enter(place)?;
        self.state.own.block = Block::default();
        if self.is_thumb() {
            let back = u64::from(<Arm as InstructionSet>::RETURN_ADDRESS | 1);
            let word = self.state.domain.pointer(CODE, back as i64, back, 0);
            self.set_register(LR, word);
        }
        Ok(())
    }

    fn called(&self, from: ProgramPoint) -> Option<u32> {
        let bytes = self.state.program.prepared(from.pc).map_or(4, |one| one.bytes.into());
        let back = from.pc.wrapping_add(bytes);
        let linked = self.linked().map(|linked| linked.wrapping_sub(u32::from(self.is_thumb())));
        (self.state.pc != back && linked == Some(back)).then_some(back)
    }

    fn into_state(self) -> State<Arm, D> {
        self.state
    }
}

impl<D: Domain> Processor for Machine<D> {
    // all that instructions mean: a copy wherever it is called would take long to compile
    #[inline(never)]
    fn step(&mut self) -> Result<Control, Fault> {
        let Some(&one) = self.state.program.prepared(self.state.pc) else {
            return Err(Fault::NoInstruction { address: self.state.pc });
        };
        self.state.domain.locate(self.state.pc.into())?;
        if one.block.is_some() || self.state.own.block.is_some() {
            return self.execute_in_block(one);
        }
        self.execute_found::<false>(one)
    }

    #[inline(always)]
    fn cycles(&self) -> Cycles {
        self.state.counted()
    }
}
