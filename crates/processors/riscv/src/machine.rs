//! The processor's state.

use crate::clock::{Bytes, Clock};
use crate::conventions::Convention;
use crate::cores::{Time, Times};
use crate::instructions::{Instruction, Kind, RA, SP};
use crate::program::{Decoded, Program, Riscv};
use crate::syntax::name;
use rhomb_machine::{
    Breach, Control, Cycles, Domain, Fault, InstructionSet, Own, Parts, Processor, ProgramPoint, Saved,
    StackUnits, State, Trace, VariableTime, machine_state,
};
use std::ops::Range;
use std::sync::Arc;

/// A RISC-V processor over a domain of values, with one program: a [`State`] whose memory has one cell a word, its number
/// being byte address / 4.
///
/// A run: give registers and memory, call [`State::enter`], then [`rhomb_machine::run`]. Storing an undefined register in
/// the stack or copying it is allowed; loading gives it back undefined, and the copy is undefined, too.
#[derive(Clone)]
pub struct Machine<D: Domain> {
    pub(crate) state: State<Riscv, D>,
}

/// What waits.
#[derive(Clone, Debug, Default)]
pub struct Waits {
    /// With the least time for what data decide.
    pub(crate) least: Clock,
    /// With the most, if that is not the same.
    pub(crate) most: Option<Box<Clock>>,
    /// What the instruction accesses.
    pub(crate) bytes: Bytes,
    /// Registers that the routine must not write.
    pub(crate) foreign: u32,
}

impl Waits {
    fn most(&self) -> &Clock {
        self.most.as_deref().unwrap_or(&self.least)
    }
}

impl<D: Domain> Own<D> for Waits {}

impl InstructionSet for Riscv {
    type Limb = u32;
    type Program = Program;
    type Convention = Convention;
    /// Register 0 is zero.
    type Registers<W: Clone> = [W; 32];
    type Flags<B: Clone> = [B; 0];
    type Own<D: Domain> = Waits;
    type Machine<D: Domain> = Machine<D>;

    const UNITS: StackUnits = StackUnits { bits: 32, cell: 4, bytes: 1 };
    const SP: Option<u8> = Some(SP);
    const LINK: Option<u8> = Some(RA);
    /// The last word of memory.
    const RETURN_ADDRESS: u32 = 0xffff_fffc;
    /// Register 0.
    const DEFINED: u64 = 1;

    fn unknown<D: Domain>(domain: &mut D, _: &Program) -> Parts<Riscv, D> {
        let zero = domain.word(0);
        let registers =
            std::array::from_fn(|number| if number == 0 { zero.clone() } else { domain.arbitrary() });
        (registers, [], Waits::default())
    }

    fn register_name(number: u8) -> String {
        name(number).to_owned()
    }
}

/// Cells of a new machine.
const CELLS: u32 = 1 << 14;

machine_state!(Machine, Riscv);

impl<D: Domain> Machine<D> {
    /// A machine at the program's first instruction with nothing defined, and with the first 64 KiB of the core's RAM, owned
    /// by nobody.
    pub fn new(program: Arc<Program>, domain: D) -> Self {
        let first = program.core().ram.start / 4;
        rhomb_machine::Machine::with_memory(program, domain, first..first + CELLS)
    }

    /// Sets the stack pointer to a byte address in the stack, `above` bytes below its end.
    pub fn set_sp(&mut self, sp: u32, above: u32) {
        self.point_stack(sp, above);
    }

    #[inline(always)]
    fn count(&mut self, program: &Program, one: &Decoded, [least, most]: Times, target: Option<u32>) {
        let rules = &program.core().timing.rules;
        let across = |at: u32| program.prepared(at).is_some_and(|one| one.unaligned);
        let after = self.state.pc.wrapping_add(one.instruction.bytes());
        let more = target.map_or(0, |target| {
            let next = u8::from(one.kind == Kind::Branch && across(after));
            next * rules.unaligned_next + u8::from(across(target)) * rules.unaligned_target
        });
        let goal = self.state.pc.wrapping_add_signed(one.instruction.immediate);
        // the instructions of the wrong way, and after how many cycles the first of them could begin
        let wrong = match (one.kind, target) {
            (Kind::JumpRegister, _) => Some((after, 1)),
            (Kind::Branch, Some(_)) if one.instruction.immediate >= 0 => Some((after, 1)),
            (Kind::Branch, None) if one.instruction.immediate < 0 => Some((goal, 2)),
            _ => None,
        };
        let wrong = wrong.filter(|_| rules.wrong_way);
        let from =
            |first: u32| (0..3).map_while(move |number| program.prepared(first.wrapping_add(4 * number)));
        let Waits { least: least_clock, most: most_clock, bytes, .. } = &mut self.state.own;
        if least != most && most_clock.is_none() {
            *most_clock = Some(Box::new(least_clock.clone()));
        }
        let pc = self.state.pc;
        let issue = |clock: &mut Clock, mut time: Time| {
            if rules.remembers && one.kind == Kind::Branch {
                let expected = clock.expect(pc, one.instruction.immediate < 0, target.is_some());
                time.issue = if expected == target.is_some() { 1 } else { 2 };
            }
            time.issue += more;
            let (start, collides) = clock.issue(one, time, rules, *bytes);
            if let Some((first, slot)) = wrong {
                let late = clock.is_stalled(start + slot, start + 1, from(first));
                clock.delay(late.into(), 0);
            }
            if collides {
                // it and all that follows begin anew
                let late = clock.is_stalled(start + 1, start + 2, from(after));
                clock.delay(u64::from(rules.collision) + u64::from(late), one.writes);
            }
        };
        issue(least_clock, least);
        if let Some(clock) = most_clock {
            issue(clock, most);
        }
    }

    /// A register is written that is not the routine's.
    #[cold]
    fn note_foreign(&mut self, registers: u64) {
        let text =
            format!("{} is written, which is not the routine's", name(registers.trailing_zeros() as u8));
        if self.state.breaches.iter().all(|breach| breach.text != text) {
            let address = Some(self.state.pc.into());
            self.state.breaches.push(Breach { text, address });
        }
    }

    /// Of an instruction whose time its operands decide.
    #[cold]
    fn times_by_operands(&mut self, one: &Decoded, [least, most]: Times, bit_serial: bool) -> Times {
        let Instruction { rs1, rs2, .. } = one.instruction;
        let operand = |register: u8| &self.state.registers[usize::from(register & 31)];
        let known = |register: u8| self.state.domain.known_word(operand(register));
        let bit_serial = bit_serial && one.kind == Kind::Product;
        if let (true, Some(factor)) = (bit_serial, known(rs2)) {
            // a cycle for each bit up to the highest
            let cycles = (33 - (factor as u32).leading_zeros() as u8).max(least.issue);
            return [Time { issue: cycles, latency: cycles }; 2];
        }
        let mut deciding = if bit_serial { vec![rs2] } else { vec![rs1, rs2] };
        deciding.retain(|register| known(*register).is_none());
        if !deciding.is_empty() {
            let operands: Vec<_> = deciding.into_iter().map(operand).collect();
            let hidden = self.state.domain.hidden(&operands);
            let longest = |time: Time| u64::from(time.issue.max(time.latency));
            let cycles = Cycles { min: longest(least), max: longest(most) };
            let address = self.state.pc.into();
            // of a range in a file of times nobody says what decides
            VariableTime { address, hidden, cycles, unpublished: false }.note(&mut self.state.variable_times);
        }
        [least, most]
    }
}

impl<D: Domain> rhomb_machine::Machine for Machine<D> {
    type Domain = D;
    type Set = Riscv;

    fn with_memory(program: Arc<Program>, domain: D, memory: Range<u32>) -> Self {
        Machine { state: State::new(program, domain, memory) }
    }

    fn link(&self) -> Option<u32> {
        self.state.domain.address(&[self.register(RA)]).map(|(_, address)| address as u32)
    }

    fn join_own(&mut self, other: &mut Saved<Riscv, D>) {
        let most = self.state.own.most().either(other.own.most(), u64::max);
        let least = self.state.own.least.either(&other.own.least, u64::min);
        self.state.own.most = (most != least).then(|| Box::new(most));
        self.state.own.least = least;
    }

    fn waits_like(&self, other: &Saved<Riscv, D>) -> bool {
        self.state.own.least.waits_like(&other.own.least)
            && self.state.own.most().waits_like(other.own.most())
    }

    fn is_settled(&self) -> bool {
        self.state.own.least.waits_like(self.state.own.most())
    }

    fn note(&mut self, trace: &mut Trace, pc: u32) {
        if let Some(one) = self.state.program.prepared(pc) {
            trace.wrote_registers(one.writes, pc.into());
            trace.wrote_cells(self.state.stored.clone(), pc.into());
        }
    }

    fn called(&self, from: ProgramPoint) -> Option<u32> {
        let one = self.state.program.prepared(from.pc)?;
        let back = from.pc.wrapping_add(one.instruction.bytes());
        (self.state.pc != back && self.linked() == Some(back)).then_some(back)
    }

    fn into_state(self) -> State<Riscv, D> {
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
        let Some(mut times) = one.times else { return Err(program.refusal(self.state.pc)) };
        let missing = one.needs & !self.state.defined;
        if self.state.strict && missing != 0 {
            return Err(Fault::Undefined { what: name(missing.trailing_zeros() as u8).to_owned() });
        }
        self.state.domain.locate(self.state.pc.into())?;
        // of jumps it is what was foreseen
        let jumps = matches!(one.kind, Kind::Branch | Kind::Jump | Kind::JumpRegister);
        if times[0] != times[1] && !jumps {
            times = self.times_by_operands(one, times, program.core().timing.rules.bit_serial);
        }
        let before = self.state.defined;
        self.state.defined |= one.defines;
        let mut executed = match one.has_rest {
            true => self.execute_rest(one.instruction),
            false => self.execute(one.instruction),
        };
        if one.writes >> SP & 1 == 1 && self.state.frame.is_some() && executed.is_ok() {
            executed = self.stack_moved().and(executed);
        }
        let foreign = one.writes & u64::from(self.state.own.foreign);
        if foreign != 0 {
            self.note_foreign(foreign);
        }
        let target = executed.inspect_err(|_| self.state.defined = before)?;
        if one.kind == Kind::Branch {
            let back = usize::from(one.instruction.immediate < 0);
            times = program.core().timing.branches[back][usize::from(target.is_some())];
            times = times.map(|time| time.later(one.later));
        }
        self.count(&program, one, times, target);
        self.state.pc = target.unwrap_or(self.state.pc.wrapping_add(one.instruction.bytes()));
        match self.state.frame {
            Some(frame) if target == Some(frame.return_address) => self.leave(frame),
            _ => Ok(Control::Continue),
        }
    }

    #[inline(always)]
    fn cycles(&self) -> Cycles {
        Cycles { min: self.state.own.least.cycles(), max: self.state.own.most().cycles() }
    }
}
