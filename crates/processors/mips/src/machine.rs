//! The processor's state.

use crate::conventions::Convention;
use crate::cores::{Time, Times};
use crate::instructions::{GUARD, HI, KERNEL, LO, RA, SP};
use crate::pipeline::Pipeline;
use crate::program::{Decoded, Mips, Program};
use rhomb_machine::{
    Control, Cycles, Domain, Fault, InstructionSet, Own, Parts, Processor, ProgramPoint, Saved, StackUnits,
    State, Trace, VariableTime, machine_state,
};
use std::ops::Range;
use std::sync::Arc;

/// A MIPS32 processor over a domain of values, with one program: a [`State`] whose memory has one cell a word, its number
/// being byte address / 4.
///
/// A run: give registers and memory, call [`State::enter`], then [`rhomb_machine::run`]. Storing an undefined register in
/// the stack or copying it is allowed; loading gives it back undefined, and the copy is undefined, too.
#[derive(Clone)]
pub struct Machine<D: Domain> {
    pub(crate) state: State<Mips, D>,
}

/// The accumulator, and what waits.
#[derive(Clone, Debug)]
pub struct Units<W> {
    /// LO, HI and the guard bits above.
    pub(crate) accumulator: [W; 3],
    /// Whether a result of MULT or DIV waits in HI and LO that nobody has read.
    pub(crate) unread: bool,
    /// With the least time for what data decide.
    pub(crate) least: Pipeline,
    /// With the most, if that is not the same.
    pub(crate) most: Option<Box<Pipeline>>,
}

impl<D: Domain> Own<D> for Units<D::Word> {
    fn words(&mut self) -> Vec<&mut D::Word> {
        self.accumulator.iter_mut().collect()
    }
}

/// Where execution goes after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// To the next one.
    Next,
    /// To the delay slot, and on after it.
    Slot,
    /// To the delay slot, then to this byte address.
    To(u32),
    /// Past the delay slot.
    Nullify,
}

impl InstructionSet for Mips {
    type Limb = u32;
    type Program = Program;
    type Convention = Convention;
    /// Register 0 is zero.
    type Registers<W: Clone> = [W; 32];
    type Flags<B: Clone> = [B; 0];
    type Own<D: Domain> = Units<D::Word>;
    type Machine<D: Domain> = Machine<D>;

    const UNITS: StackUnits = StackUnits { bits: 32, cell: 4, bytes: 1 };
    const SP: Option<u8> = Some(SP);
    const LINK: Option<u8> = Some(RA);
    /// The last word of memory.
    const RETURN_ADDRESS: u32 = 0xffff_fffc;
    /// Register 0. See [`LO`], [`HI`] and [`GUARD`] for what follows the registers.
    const DEFINED: u64 = 1;

    fn unknown<D: Domain>(domain: &mut D, program: &Program) -> Parts<Mips, D> {
        let zero = domain.word(0);
        let registers =
            std::array::from_fn(|number| if number == 0 { zero.clone() } else { domain.arbitrary() });
        let above = domain.arbitrary();
        let (guard, _) = domain.split(&above, program.model().accumulator() - 64);
        let accumulator = [domain.arbitrary(), domain.arbitrary(), guard];
        (registers, [], Units { accumulator, unread: false, least: Pipeline::default(), most: None })
    }

    fn register_name(number: u8) -> String {
        format!("${number}")
    }
}

/// Cells of a new machine.
const CELLS: u32 = 1 << 14;

machine_state!(Machine, Mips);

impl<D: Domain> Machine<D> {
    /// A machine at the program's first word with nothing defined, and with the first 64 KiB of the core's RAM, owned by
    /// nobody.
    pub fn new(program: Arc<Program>, domain: D) -> Self {
        let first = program.model().core().ram.start / 4;
        rhomb_machine::Machine::with_memory(program, domain, first..first + CELLS)
    }

    /// LO, HI and the guard bits above, whether or not they are defined.
    pub fn accumulator(&self) -> &[D::Word; 3] {
        &self.state.own.accumulator
    }

    /// Whether LO, HI and the guard bits have a value.
    pub fn is_accumulator_defined(&self) -> [bool; 3] {
        [LO, HI, GUARD].map(|part| self.state.defined & part != 0)
    }

    /// Sets LO, HI and the guard bits; bits that the processor does not have are lost.
    pub fn set_accumulator(&mut self, value: [D::Word; 3]) {
        let [lo, hi, guard] = value;
        let (guard, _) = self.state.domain.split(&guard, self.state.program.model().accumulator() - 64);
        self.state.own.accumulator = [lo, hi, guard];
        self.state.defined |= LO | HI | GUARD;
    }

    /// Sets the stack pointer to a byte address in the stack, `above` bytes below its end.
    pub fn set_sp(&mut self, sp: u32, above: u32) {
        self.point_stack(sp, above);
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
            let word = self.state.domain.known_word(&self.state.registers[usize::from(number & 31)]);
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
        if self.state.own.most.is_none() {
            self.state.own.most = Some(Box::new(self.state.own.least.clone()));
        }
        let operands = [one.instruction.rs, one.instruction.rt]
            .map(|number| &self.state.registers[usize::from(number & 31)]);
        if operands.iter().any(|word| self.state.domain.known_word(word).is_none()) {
            let hidden = self.state.domain.hidden(&operands);
            let longest = |time: Time| u64::from(time.occupies.max(time.latency));
            let cycles = Cycles { min: longest(least), max: longest(most) };
            VariableTime { address: self.state.pc.into(), hidden, cycles, unpublished: false }
                .note(&mut self.state.variable_times);
        }
    }

    #[inline(always)]
    fn count(&mut self, one: &Decoded, (least, most): (Time, Time)) {
        if least != most {
            self.note_variable(one, least, most);
        }
        self.state.own.least.issue(one.reads, one.writes, least);
        if let Some(pipeline) = &mut self.state.own.most {
            pipeline.issue(one.reads, one.writes, most);
        }
    }

    /// Whether exceptions may come: their handler writes $26 and $27, and does not restore them.
    fn is_volatile(&self) -> bool {
        self.state.frame.is_some() && !self.state.stack.is_undisturbed()
    }

    /// The instruction wrote the stack pointer, $26 or $27.
    #[inline(never)]
    fn written(&mut self, registers: u64) -> Result<(), Fault> {
        if self.is_volatile() {
            for number in (26..28).filter(|number| registers >> number & 1 == 1) {
                self.state.registers[number] = self.state.domain.arbitrary();
            }
            self.state.defined &= !KERNEL;
        }
        if registers >> SP & 1 == 0 || self.state.frame.is_none() { Ok(()) } else { self.stack_moved() }
    }

    /// Goes on as an instruction says.
    #[inline(always)]
    fn flow(&mut self, flow: Flow) -> Result<Control, Fault> {
        let was_in_slot = self.state.slot.is_some();
        let after = self.state.slot.unwrap_or(self.state.pc.wrapping_add(4));
        (self.state.pc, self.state.slot) = match flow {
            Flow::Next => (after, None),
            Flow::Slot => (after, Some(after.wrapping_add(4))),
            Flow::To(target) => (after, Some(target)),
            Flow::Nullify => {
                self.state.own.least.bubble();
                if let Some(pipeline) = &mut self.state.own.most {
                    pipeline.bubble();
                }
                (after.wrapping_add(4), None)
            }
        };
        match self.state.frame {
            Some(frame) if was_in_slot && self.state.pc == frame.return_address => self.leave(frame),
            _ => Ok(Control::Continue),
        }
    }
}

impl<D: Domain> rhomb_machine::Machine for Machine<D> {
    type Domain = D;
    type Set = Mips;

    fn with_memory(program: Arc<Program>, domain: D, memory: Range<u32>) -> Self {
        Machine { state: State::new(program, domain, memory) }
    }

    fn link(&self) -> Option<u32> {
        self.state.domain.address(&[self.register(RA)]).map(|(_, address)| address as u32)
    }

    fn join_own(&mut self, other: &mut Saved<Mips, D>) {
        let (own, other) = (&mut self.state.own, &other.own);
        own.unread |= other.unread;
        let (own_most, other_most) =
            (own.most.as_deref().unwrap_or(&own.least), other.most.as_deref().unwrap_or(&other.least));
        let most = own_most.later(other_most);
        let least = own.least.sooner(&other.least);
        own.most = (most != least).then(|| Box::new(most));
        own.least = least;
    }

    fn waits_like(&self, other: &Saved<Mips, D>) -> bool {
        self.state.own.least == other.own.least && self.state.own.most == other.own.most
    }

    fn is_settled(&self) -> bool {
        self.state.own.most.as_ref().is_none_or(|most| self.state.own.least.waits_like(most))
    }

    fn note(&mut self, trace: &mut Trace, pc: u32) {
        if let Some(one) = self.state.program.prepared(pc) {
            trace.wrote_registers(one.writes, pc.into());
            trace.wrote_cells(self.state.stored.clone(), pc.into());
        }
    }

    /// The instruction in the delay slot of a call is behind.
    fn called(&self, from: ProgramPoint) -> Option<u32> {
        let back = from.pc.wrapping_add(4);
        let leaves = from.slot.is_some() && self.state.slot.is_none() && self.state.pc != back;
        (leaves && self.linked() == Some(back)).then_some(back)
    }

    fn into_state(self) -> State<Mips, D> {
        self.state
    }
}

impl<D: Domain> Processor for Machine<D> {
    // all that instructions mean: a copy wherever it is called would take long to compile
    #[inline(never)]
    fn step(&mut self) -> Result<Control, Fault> {
        let program = Arc::clone(&self.state.program);
        let Some(one) = program.prepared(self.state.pc) else {
            return Err(Fault::NoInstruction { address: self.state.pc });
        };
        let (Some(kind), Some(times)) = (one.kind, one.times) else {
            return Err(if one.kind.is_none() {
                self.state.program.refusal(self.state.pc)
            } else {
                self.not_modelled(one)
            });
        };
        let missing = one.needs & !self.state.defined;
        if self.state.strict && missing != 0 {
            return Err(self.undefined(missing));
        }
        self.state.domain.locate(self.state.pc.into())?;
        let times = self.times(one, times);
        let before = self.state.defined;
        self.state.defined = self.state.defined & !one.destroys | one.defines;
        let mut executed = match one.has_rest {
            true => self.execute_rest(one, kind),
            false => self.execute(one, kind),
        };
        if one.writes & (KERNEL | 1 << SP) != 0 && executed.is_ok() {
            executed = self.written(one.writes).and(executed);
        }
        match executed {
            Ok(flow) => {
                self.count(one, times);
                self.flow(flow)
            }
            Err(fault) => {
                self.state.defined = before;
                Err(fault)
            }
        }
    }

    #[inline(always)]
    fn cycles(&self) -> Cycles {
        let min = self.state.own.least.cycles();
        Cycles { min, max: self.state.own.most.as_ref().map_or(min, |pipeline| pipeline.cycles()) }
    }
}
