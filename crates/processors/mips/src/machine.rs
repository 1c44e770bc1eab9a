//! The processor's state and the call of a routine.

use crate::cores::{Time, Times};
use crate::instructions::{GUARD, HI, KERNEL, LO, RA, SP};
use crate::meaning::Flow;
use crate::pipeline::Pipeline;
use crate::program::{Cause, Decoded, Program, ProgramError};
use rhomb_machine::{
    Access, Base, CODE, Control, Cycles, Domain, Fault, Fork, Memory, Processor, STACK, Stack, StackUnits,
    Unplaced, VariableTime,
};
use std::ops::Range;
use std::sync::Arc;

/// A MIPS32 processor over a domain of values, with one program.
///
/// A run: give registers and memory, call [`Machine::enter`], then [`rhomb_machine::run`]. While a fault is
/// reported the program counter still names the instruction. A branch that is refused because its condition is
/// secret has changed nothing.
///
/// Registers, HI, LO and the guard bits are undefined where nobody has set them; reading what is undefined is a
/// fault, unless [`Machine::set_strict`] turns that off. Storing an undefined register in the stack or copying
/// it is allowed; loading gives it back undefined, and the copy is undefined, too.
pub struct Machine<D: Domain> {
    /// The domain that computes.
    pub domain: D,
    /// Data memory, one cell a word: cell number is byte address / 4. A new machine has the first 64 KiB of the
    /// core's RAM, owned by nobody.
    pub memory: Memory<D::Word>,
    pub(crate) program: Arc<Program>,
    /// Register 0 is zero.
    pub(crate) registers: [D::Word; 32],
    /// LO, HI and the guard bits above.
    pub(crate) accumulator: [D::Word; 3],
    pub(crate) pc: u32,
    /// Where execution goes after the instruction at the program counter.
    pub(crate) after: u32,
    /// Whether the instruction at the program counter stands in a delay slot.
    pub(crate) in_slot: bool,
    /// Whether a result of MULT or DIV waits in HI and LO that nobody has read.
    pub(crate) unread: bool,
    /// With the least time for what data decide.
    pub(crate) least: Pipeline,
    /// With the most, if that is not the same.
    pub(crate) most: Option<Box<Pipeline>>,
    /// Instructions whose time depends on a value that the domain does not know.
    pub(crate) variable_times: Vec<VariableTime>,
    pub(crate) frame: Option<Frame>,
    /// Conditions that are not known.
    pub(crate) fork: Fork<D::Bit>,
    /// The stack that the routine owns.
    pub(crate) stack: Stack,
    /// The cell that the last instruction stored.
    pub(crate) stored: Option<u32>,
    strict: bool,
    /// What has a value: bit n is register n, see also [`LO`], [`HI`] and [`GUARD`].
    pub(crate) defined: u64,
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
            accumulator: self.accumulator.clone(),
            pc: self.pc,
            after: self.after,
            in_slot: self.in_slot,
            unread: self.unread,
            least: self.least.clone(),
            most: self.most.clone(),
            variable_times: self.variable_times.clone(),
            frame: self.frame,
            fork: self.fork.clone(),
            stack: self.stack.clone(),
            stored: self.stored,
            strict: self.strict,
            defined: self.defined,
            undefined_cells: self.undefined_cells.clone(),
        }
    }
}

impl<D: Domain> Machine<D> {
    /// A machine at the program's first word with nothing defined and no memory owned.
    pub fn new(program: Arc<Program>, domain: D) -> Self {
        let first = program.model().core().ram.start / 4;
        Machine::with_memory(program, domain, first..first + CELLS)
    }

    /// The same with these cells of memory.
    pub(crate) fn with_memory(program: Arc<Program>, mut domain: D, memory: Range<u32>) -> Self {
        let filler = domain.word(0);
        let (registers, accumulator) = arbitrary(&mut domain, program.model().accumulator());
        let mut machine = Machine {
            memory: Memory::new(memory, filler),
            registers,
            accumulator,
            pc: 0,
            after: 0,
            in_slot: false,
            unread: false,
            least: Pipeline::default(),
            most: None,
            variable_times: Vec::new(),
            frame: None,
            fork: Fork::default(),
            stack: Stack::new(StackUnits { bits: 32, cell: 4, bytes: 1 }),
            stored: None,
            strict: true,
            defined: NOTHING,
            undefined_cells: Vec::new(),
            domain,
            program,
        };
        machine.set_pc(machine.program.origin());
        machine
    }

    /// Back to the state of a new machine, but for memory and strictness: every run starts here. To
    /// start with the same memory too, assign a clone of a prepared one.
    pub fn reset(&mut self) {
        let width = self.program.model().accumulator();
        (self.registers, self.accumulator) = arbitrary(&mut self.domain, width);
        self.set_pc(self.program.origin());
        self.unread = false;
        self.least = Pipeline::default();
        self.most = None;
        self.variable_times.clear();
        self.frame = None;
        self.stack.reset(0);
        self.defined = NOTHING;
        self.undefined_cells.clear();
    }

    /// Whether reading what is undefined is a fault (it is in a new machine). Without, such a read gives what
    /// the domain calls arbitrary.
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

    /// Sets a register, 1 to 31; register 0 stays zero.
    pub fn set_register(&mut self, number: u8, value: D::Word) {
        if number != 0 {
            self.registers[usize::from(number)] = value;
            self.defined |= 1 << number;
        }
    }

    /// Whether a register has a value.
    pub fn is_defined(&self, number: u8) -> bool {
        self.defined >> number & 1 != 0
    }

    /// LO, HI and the guard bits above, whether or not they are defined.
    pub fn accumulator(&self) -> &[D::Word; 3] {
        &self.accumulator
    }

    /// Whether LO, HI and the guard bits have a value.
    pub fn is_accumulator_defined(&self) -> [bool; 3] {
        [LO, HI, GUARD].map(|part| self.defined & part != 0)
    }

    /// Sets LO, HI and the guard bits; bits that the processor does not have are lost.
    pub fn set_accumulator(&mut self, value: [D::Word; 3]) {
        let [lo, hi, guard] = value;
        let (guard, _) = self.domain.split(&guard, self.program.model().accumulator() - 64);
        self.accumulator = [lo, hi, guard];
        self.defined |= LO | HI | GUARD;
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

    /// Sets the stack pointer to a byte address in the stack, `above` bytes below its end.
    pub fn set_sp(&mut self, sp: u32, above: u32) {
        let word = self.domain.pointer(STACK, -i64::from(above), sp.into(), 0);
        self.set_register(SP, word);
        self.stack.reset(sp);
    }

    /// Gives the routine a stack, in cells. It may only be accessed from the stack pointer upwards, by addresses
    /// that come from there, and the pointer may not leave it; see [`Stack`].
    ///
    /// # Errors
    /// Cells outside of memory.
    pub fn own_stack(&mut self, range: Range<u32>) -> Result<(), Fault> {
        self.stack.own(range.clone());
        self.memory.own_based(STACK, "stack", range, Access::Store)
    }

    /// Lets no interrupt come during the calls to follow.
    pub fn set_undisturbed(&mut self, undisturbed: bool) {
        self.stack.set_undisturbed(undisturbed);
    }

    /// Program counter: byte address of the instruction that comes next.
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// Sets the program counter without a call.
    pub fn set_pc(&mut self, pc: u32) {
        self.pc = pc;
        self.after = pc.wrapping_add(4);
        self.in_slot = false;
    }

    /// Calls the routine at a byte address as JAL would, without counting its cycles. The stack pointer must be
    /// set by then. The run ends with [`Control::Return`] when the routine has gone back to where register 31
    /// points, its delay slot included, with the stack pointer of the call.
    ///
    /// # Errors
    /// A stack pointer that is no known address.
    pub fn enter(&mut self, address: u32) -> Result<(), Fault> {
        let sp = self.known_sp()?;
        self.frame = Some(Frame { sp, return_address: RETURN_ADDRESS });
        self.stack.enter(sp);
        let link = self.domain.pointer(CODE, RETURN_ADDRESS.into(), RETURN_ADDRESS.into(), 0);
        self.set_register(RA, link);
        self.set_pc(address);
        Ok(())
    }

    #[cold]
    fn undefined(&self, missing: u64) -> Fault {
        let what = match missing.trailing_zeros() {
            register @ 0..32 if self.is_volatile() && KERNEL >> register & 1 == 1 => {
                return Fault::Volatile { what: format!("${register}") };
            }
            register @ 0..32 => format!("${register}"),
            32 => "LO".to_owned(),
            33 => "HI".to_owned(),
            _ => "the guard bits above HI".to_owned(),
        };
        Fault::Undefined { what }
    }

    /// Why the word at the program counter cannot be executed.
    #[cold]
    fn refused(&self) -> Fault {
        let address = self.pc;
        match self.program.instruction(address) {
            Ok(_) | Err(ProgramError { cause: Cause::Unplaced(Unplaced::Outside), .. }) => {
                Fault::NoInstruction { address }
            }
            Err(error) => Fault::NotModelled { what: error.to_string() },
        }
    }

    /// What an instruction takes at least and at most, as far as its operands tell.
    #[inline(always)]
    fn times(&self, one: &Decoded, times: Times) -> (Time, Time) {
        if times.narrow.is_none() && times.divide.is_none() {
            return (times.most, times.most);
        }
        self.times_by_operand(one, times)
    }

    #[inline(never)]
    fn times_by_operand(&self, one: &Decoded, times: Times) -> (Time, Time) {
        let value = |number: u8| {
            let word = self.domain.known_word(&self.registers[usize::from(number & 31)]);
            word.map(|word| word as u32)
        };
        if let Some(narrow) = times.narrow {
            let rt = value(one.instruction.rt);
            return match rt {
                Some(..0x8000) => (narrow, narrow),
                // see `timing_4k`: possibly 16 bits
                Some(0x8000..=0xffff | 0xffff_8000..) | None => (narrow, times.most),
                Some(_) => (times.most, times.most),
            };
        }
        let Some(cycles) = times.divide else { return (times.most, times.most) };
        let signed = one.instruction.op == crate::instructions::Op::Div;
        let size = |value: u32| {
            // leading bits that only repeat the sign
            let spare = match signed {
                true => (value ^ (value as i32 >> 31) as u32).leading_zeros() - 1,
                false => value.leading_zeros(),
            };
            3 - (spare.min(31) / 8) as usize
        };
        let by_size = |size: usize| {
            let cycles = cycles[size & 3];
            Time { occupies: cycles, latency: cycles, ..times.most }
        };
        match value(one.instruction.rs) {
            Some(value) => (by_size(size(value)), by_size(size(value))),
            None => (by_size(0), by_size(3)),
        }
    }

    /// An instruction whose time is not known, be it that data decide or that the manual leaves it open.
    #[cold]
    fn note_variable(&mut self, one: &Decoded, least: Time, most: Time) {
        if self.most.is_none() {
            self.most = Some(Box::new(self.least.clone()));
        }
        let operands =
            [one.instruction.rs, one.instruction.rt].map(|number| &self.registers[usize::from(number & 31)]);
        if operands.iter().any(|word| self.domain.known_word(word).is_none()) {
            let hidden = self.domain.hidden(&operands);
            let longest = |time: Time| u64::from(time.occupies.max(time.latency));
            let cycles = Cycles { min: longest(least), max: longest(most) };
            VariableTime { address: self.pc.into(), hidden, cycles }.note(&mut self.variable_times);
        }
    }

    #[inline(always)]
    fn count(&mut self, one: &Decoded, (least, most): (Time, Time)) {
        if least != most {
            self.note_variable(one, least, most);
        }
        self.least.issue(one.reads, one.writes, least);
        if let Some(pipeline) = &mut self.most {
            pipeline.issue(one.reads, one.writes, most);
        }
    }

    /// Whether exceptions may come: their handler writes $26 and $27, and does not restore them.
    fn is_volatile(&self) -> bool {
        self.frame.is_some() && !self.stack.is_undisturbed()
    }

    /// The instruction wrote the stack pointer, $26 or $27.
    #[inline(never)]
    fn written(&mut self, registers: u64) -> Result<(), Fault> {
        if self.is_volatile() {
            for number in (26..28).filter(|number| registers >> number & 1 == 1) {
                self.registers[number] = self.domain.arbitrary();
            }
            self.defined &= !KERNEL;
        }
        if registers >> SP & 1 == 0 || self.frame.is_none() {
            return Ok(());
        }
        match self.domain.address(&[&self.registers[usize::from(SP)]]) {
            Some((Base::Any | Base::Of(STACK), sp)) => self.stack.moved(&mut self.memory, sp as u32, true),
            Some((Base::Constant | Base::Of(_), _)) => Err(Fault::NotModelled {
                what: "a stack pointer that does not come from the caller's".to_owned(),
            }),
            None => self.known_sp().map(|_| ()),
        }
    }

    /// Goes on as an instruction says.
    #[inline(always)]
    fn flow(&mut self, flow: Flow) -> Result<Control, Fault> {
        let was_in_slot = self.in_slot;
        (self.pc, self.after, self.in_slot) = match flow {
            Flow::Next => (self.after, self.after.wrapping_add(4), false),
            Flow::Slot => (self.after, self.after.wrapping_add(4), true),
            Flow::To(target) => (self.after, target, true),
            Flow::Nullify => {
                self.least.bubble();
                if let Some(pipeline) = &mut self.most {
                    pipeline.bubble();
                }
                (self.after.wrapping_add(4), self.after.wrapping_add(8), false)
            }
        };
        match self.frame {
            Some(frame) if was_in_slot && self.pc == frame.return_address => self.check_return(frame),
            _ => Ok(Control::Continue),
        }
    }

    fn check_return(&self, frame: Frame) -> Result<Control, Fault> {
        let sp = self.known_sp()?;
        if sp == frame.sp {
            return Ok(Control::Return);
        }
        Err(Fault::BadReturn {
            stack: sp,
            address: self.pc,
            expected_stack: frame.sp,
            expected_address: frame.return_address,
        })
    }
}

/// Only register 0.
const NOTHING: u64 = 1;

/// Registers and an accumulator that nothing is known about.
fn arbitrary<D: Domain>(domain: &mut D, width: u32) -> ([D::Word; 32], [D::Word; 3]) {
    let zero = domain.word(0);
    let registers = std::array::from_fn(|number| if number == 0 { zero.clone() } else { domain.arbitrary() });
    let above = domain.arbitrary();
    let (guard, _) = domain.split(&above, width - 64);
    (registers, [domain.arbitrary(), domain.arbitrary(), guard])
}

impl<D: Domain> Processor for Machine<D> {
    #[inline(always)]
    fn step(&mut self) -> Result<Control, Fault> {
        let program = Arc::clone(&self.program);
        let Some(one) = program.decoded(self.pc) else {
            return Err(Fault::NoInstruction { address: self.pc });
        };
        let (Some(kind), Some(times)) = (one.kind, one.times) else {
            return Err(if one.kind.is_none() { self.refused() } else { self.not_modelled(one) });
        };
        let missing = one.needs & !self.defined;
        if self.strict && missing != 0 {
            return Err(self.undefined(missing));
        }
        self.domain.locate(self.pc.into())?;
        let times = self.times(one, times);
        let before = self.defined;
        self.defined = self.defined & !one.destroys | one.defines;
        let mut executed = self.execute(one, kind);
        if one.writes & (KERNEL | 1 << SP) != 0 && executed.is_ok() {
            executed = self.written(one.writes).and(executed);
        }
        match executed {
            Ok(flow) => {
                self.count(one, times);
                self.flow(flow)
            }
            Err(fault) => {
                self.defined = before;
                Err(fault)
            }
        }
    }

    #[inline(always)]
    fn cycles(&self) -> Cycles {
        let min = self.least.cycles();
        Cycles { min, max: self.most.as_ref().map_or(min, |pipeline| pipeline.cycles()) }
    }
}
