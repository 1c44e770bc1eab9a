//! The processor's state and the call of a routine.

use crate::cores::Pipeline;
use crate::instructions::{Condition, LR, PC, SP, flag};
use crate::program::{Cause, Decoded, Program, ProgramError, flag_bits};
use rhomb_machine::{
    Access, Base, Breach, CODE, Control, Cycles, Domain, Fault, Fork, Memory, Processor, STACK, Stack,
    StackUnits, Unit, Unplaced, VariableTime,
};
use std::ops::Range;
use std::sync::Arc;

/// An ARM processor in ARM state over a domain of values, with one program.
///
/// A run: give registers, flags and memory, call [`Machine::enter`], then [`rhomb_machine::run`]. While
/// a fault is reported the program counter still names the instruction. An instruction that is refused because
/// its condition is secret has changed nothing.
///
/// Registers and flags that nobody has set are undefined; reading one is a fault, unless
/// [`Machine::set_strict`] turns that off. Storing an undefined register in the stack or copying it is allowed;
/// loading gives it back undefined, and the copy is undefined, too.
pub struct Machine<D: Domain> {
    /// The domain that computes.
    pub domain: D,
    /// Data memory, one cell a word: cell number is byte address / 4. A new machine has the first 64 KiB of the
    /// core's RAM, owned by nobody.
    pub memory: Memory<D::Word>,
    pub(crate) program: Arc<Program>,
    /// R15 is set only for an instruction that reads it.
    pub(crate) registers: [D::Word; 16],
    /// By [`V`], [`C`], [`Z`], [`N`].
    pub(crate) flags: [D::Bit; 4],
    pub(crate) pc: u32,
    /// Least cycles.
    pub(crate) cycles: u64,
    /// What data might add to them.
    pub(crate) spread: u64,
    /// On a core with interlocks: the pipeline with the least waits, and with the most.
    pub(crate) pipelines: Option<Box<[Pipeline; 2]>>,
    /// Multiplications whose time is not known.
    pub(crate) variable_times: Vec<VariableTime>,
    pub(crate) frame: Option<Frame>,
    /// Conditions that are not known.
    pub(crate) fork: Fork<D::Bit>,
    /// Whether the condition of the last instruction failed.
    pub(crate) skipped: bool,
    /// The stack that the routine owns.
    pub(crate) stack: Stack,
    /// What the convention forbids and was done.
    pub(crate) breaches: Vec<Breach>,
    /// The cells that the last instruction stored.
    pub(crate) stored: Range<u32>,
    /// The low 28 bits of the status register, once they were read.
    pub(crate) control: Option<D::Word>,
    strict: bool,
    /// Registers and flags with a value, as in `Uses`.
    pub(crate) defined: u32,
    /// Cells of which not every byte is defined, with the undefined bytes (bit 0 the lowest): all four where an
    /// undefined register was stored.
    pub(crate) undefined_cells: Vec<(u32, u8)>,
}

/// The call that started the routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Stack pointer at the call.
    pub(crate) sp: u32,
    /// Where the caller goes on.
    pub(crate) return_address: u32,
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

/// Where callers go on: the last word of memory, as far from any routine as can be.
const RETURN_ADDRESS: u32 = 0xffff_fffc;
/// Cells of a new machine.
const CELLS: u32 = 1 << 14;

impl<D: Domain + Clone> Clone for Machine<D> {
    fn clone(&self) -> Self {
        Machine {
            domain: self.domain.clone(),
            memory: self.memory.clone(),
            program: Arc::clone(&self.program),
            registers: self.registers.clone(),
            flags: self.flags.clone(),
            pc: self.pc,
            cycles: self.cycles,
            spread: self.spread,
            pipelines: self.pipelines.clone(),
            variable_times: self.variable_times.clone(),
            frame: self.frame,
            fork: self.fork.clone(),
            skipped: self.skipped,
            stack: self.stack.clone(),
            breaches: self.breaches.clone(),
            stored: self.stored.clone(),
            control: self.control.clone(),
            strict: self.strict,
            defined: self.defined,
            undefined_cells: self.undefined_cells.clone(),
        }
    }
}

impl<D: Domain> Machine<D> {
    /// A machine at the program's first word with nothing defined and no memory owned.
    pub fn new(program: Arc<Program>, domain: D) -> Self {
        let first = program.core().ram.start / 4;
        Machine::with_memory(program, domain, first..first + CELLS)
    }

    /// The same with these cells of memory.
    pub(crate) fn with_memory(program: Arc<Program>, mut domain: D, memory: Range<u32>) -> Self {
        let filler = domain.word(0);
        let (registers, flags) = arbitrary(&mut domain);
        let interlocked = program.core().timing.interlocks.is_some();
        Machine {
            memory: Memory::new(memory, filler),
            registers,
            flags,
            pc: program.origin(),
            cycles: 0,
            spread: 0,
            pipelines: interlocked.then(Box::default),
            variable_times: Vec::new(),
            frame: None,
            fork: Fork::default(),
            skipped: false,
            stack: Stack::new(StackUnits { bits: 32, cell: 4, bytes: 1 }),
            breaches: Vec::new(),
            stored: 0..0,
            control: None,
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
        self.cycles = 0;
        self.spread = 0;
        self.pipelines = self.pipelines.take().map(|_| Box::default());
        self.variable_times.clear();
        self.frame = None;
        self.stack.reset(0);
        self.breaches.clear();
        self.control = None;
        self.defined = 0;
        self.undefined_cells.clear();
    }

    /// Whether reading an undefined register or flag is a fault (it is in a new machine). Without, such
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

    /// Register `number`, 0 to 14, whether or not it is defined.
    pub fn register(&self, number: u8) -> &D::Word {
        &self.registers[usize::from(number)]
    }

    /// Sets a register, 0 to 14.
    pub fn set_register(&mut self, number: u8, value: D::Word) {
        self.registers[usize::from(number)] = value;
        self.defined |= 1 << number;
    }

    /// Copies a register; the copy is defined where the original is.
    #[inline(always)]
    pub(crate) fn copy_register(&mut self, to: u8, from: u8) {
        self.registers[usize::from(to & 15)] = self.registers[usize::from(from & 15)].clone();
        let defined = self.defined >> from & 1;
        self.defined = self.defined & !(1 << to) | defined << to;
    }

    /// Whether a register has a value.
    pub fn is_defined(&self, number: u8) -> bool {
        self.defined >> number & 1 != 0
    }

    /// One of the flags of [`flag`], whether or not it is defined.
    pub fn flag(&self, which: u8) -> &D::Bit {
        &self.flags[index(which)]
    }

    /// Whether all of these flags have a value.
    pub fn are_flags_defined(&self, which: u8) -> bool {
        self.defined & flag_bits(which) == flag_bits(which)
    }

    /// Sets one of the flags of [`flag`].
    pub fn set_flag(&mut self, which: u8, value: D::Bit) {
        self.flags[index(which)] = value;
        self.defined |= flag_bits(which);
    }

    /// Sets all flags to the known bits of a set of [`flag`].
    pub fn set_flags(&mut self, set: u8) {
        for (number, flag) in self.flags.iter_mut().enumerate() {
            *flag = self.domain.bit(set >> number & 1 != 0);
        }
        self.defined |= flag_bits(flag::ALL);
    }

    /// Stack pointer, as a byte address; `None` where the domain knows no address.
    pub fn sp(&self) -> Option<u32> {
        self.domain.address(&[&self.registers[usize::from(SP)]]).map(|(_, address)| address as u32)
    }

    /// The stack pointer, which must be known.
    pub(crate) fn known_sp(&self) -> Result<u32, Fault> {
        let hidden = || self.domain.hidden(&[&self.registers[usize::from(SP)]]);
        self.sp().ok_or_else(|| hidden().fault("the stack pointer".to_owned()))
    }

    /// Sets the stack pointer to the end of a stack, a byte address.
    pub fn set_sp(&mut self, sp: u32) {
        let word = self.domain.pointer(STACK, 0, sp.into(), 0);
        self.set_register(SP, word);
        self.stack.reset(sp);
    }

    /// Gives the routine a stack, in cells. It may only be accessed from the stack pointer upwards, by addresses
    /// that come from there, and the pointer may not leave it; see [`Stack`].
    pub fn own_stack(&mut self, range: Range<u32>) -> Result<(), Fault> {
        self.stack.own(range.clone());
        self.memory.own_based(STACK, "stack", range, Access::Store)
    }

    /// Lets no interrupt come during the calls to follow.
    pub fn set_undisturbed(&mut self, undisturbed: bool) {
        self.stack.set_undisturbed(undisturbed);
    }

    /// What the convention forbids and was done since the start.
    pub fn breaches(&self) -> &[Breach] {
        &self.breaches
    }

    /// Program counter: byte address of the instruction that comes next.
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// Sets the program counter without a call.
    pub fn set_pc(&mut self, pc: u32) {
        self.pc = pc;
    }

    /// Calls the routine at a byte address as BL would, without counting its cycles. The stack pointer must be
    /// set by then. The run ends with [`Control::Return`] when the routine goes back to where LR points, with the
    /// stack pointer of the call.
    pub fn enter(&mut self, address: u32) -> Result<(), Fault> {
        let sp = self.known_sp()?;
        self.frame = Some(Frame { sp, return_address: RETURN_ADDRESS });
        self.stack.enter(sp);
        let link = self.domain.pointer(CODE, RETURN_ADDRESS.into(), RETURN_ADDRESS.into(), 0);
        self.set_register(LR, link);
        self.pc = address;
        Ok(())
    }

    #[cold]
    fn undefined(&self, missing: u32) -> Fault {
        let what = match missing.trailing_zeros() {
            register @ 0..16 => register_name(register as u8).to_owned(),
            flag => format!("flag {}", ["V", "C", "Z", "N"][(flag as usize - 16) & 3]),
        };
        Fault::Undefined { what }
    }

    /// Why the word at the program counter cannot be executed.
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

    #[inline(always)]
    fn execute_defined(&mut self, one: Decoded) -> Result<Control, Fault> {
        let uses = one.uses;
        if self.strict {
            let missing = uses.reads & !self.defined;
            if missing != 0 {
                return Err(self.undefined(missing));
            }
        }
        self.defined = self.defined & !uses.destroys | uses.writes;
        self.pass(one.cycles, true);
        if let Some(early) = one.early {
            self.count_early(one.cycles, early);
        }
        if uses.moves_stack { self.execute_moving_stack(one) } else { self.execute(one) }
    }

    /// An instruction that writes the stack pointer.
    fn execute_moving_stack(&mut self, one: Decoded) -> Result<Control, Fault> {
        let address = self.pc;
        let control = self.execute(one)?;
        if self.frame.is_some()
            && let Err(fault) = self.stack_moved()
        {
            self.pc = address;
            return Err(fault);
        }
        Ok(control)
    }

    fn stack_moved(&mut self) -> Result<(), Fault> {
        match self.domain.address(&[&self.registers[usize::from(SP)]]) {
            Some((Base::Any | Base::Of(STACK), sp)) => self.stack.moved(&mut self.memory, sp as u32, true),
            Some((Base::Constant | Base::Of(_), _)) => Err(Fault::NotModelled {
                what: "a stack pointer that does not come from the caller's".to_owned(),
            }),
            None => self.known_sp().map(|_| ()),
        }
    }

    /// An instruction that is executed under a condition.
    #[inline(never)]
    fn conditional(&mut self, one: Decoded) -> Result<Control, Fault> {
        let missing = one.uses.condition & !self.defined;
        if self.strict && missing != 0 {
            return Err(self.undefined(missing));
        }
        if one.cycles == 0 {
            return Err(self.refused());
        }
        if self.holds(one.instruction)? {
            return self.execute_defined(one);
        }
        self.skipped = true;
        self.pass(self.program.core().timing.skipped, false);
        self.pc = self.pc.wrapping_add(4);
        Ok(Control::Continue)
    }
}

/// Registers and flags that nothing is known about.
fn arbitrary<D: Domain>(domain: &mut D) -> ([D::Word; 16], [D::Bit; 4]) {
    let registers = std::array::from_fn(|_| domain.arbitrary());
    let status = domain.arbitrary();
    (registers, std::array::from_fn(|number| domain.bit_of(&status, number as u32)))
}

/// `r4`, `sp`.
pub(crate) fn register_name(number: u8) -> &'static str {
    const NAMES: [&str; 16] =
        ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc"];
    NAMES[usize::from(number & 15)]
}

impl<D: Domain> Processor for Machine<D> {
    #[inline(always)]
    fn step(&mut self) -> Result<Control, Fault> {
        let Some(one) = self.program.decoded(self.pc) else {
            return Err(Fault::NoInstruction { address: self.pc });
        };
        self.domain.locate(self.pc.into())?;
        if one.uses.reads_pc {
            // DDI 0100, A2.4.3: the address of the instruction after the next
            let address = u64::from(self.pc.wrapping_add(8));
            let base = self.program.placement().own_base(self.pc, Unit::Bytes);
            self.registers[usize::from(PC)] = self.domain.pointer(base, address as i64, address, 0);
        }
        if one.instruction.condition != Condition::Al {
            return self.conditional(one);
        }
        self.execute_defined(one)
    }

    #[inline(always)]
    fn cycles(&self) -> Cycles {
        Cycles { min: self.cycles, max: self.cycles + self.spread }
    }
}
