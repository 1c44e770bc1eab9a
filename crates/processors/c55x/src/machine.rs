//! The processor's state and the call of a routine.

use crate::conventions::Convention;
use crate::instructions::{Bundle, Counter, Instruction, Status, Ta};
use crate::program::{C55x, Prepared, Program};
use crate::rules::{BRC, CARRY, CDP, CSR, SP, STATUS, TC};
use crate::units::{Flow, RETURN_ADDRESS, Units};
use rhomb_machine::{
    Control, Cycles, Domain, Fault, InstructionSet, Parts, Processor, ProgramPoint, Saved, StackUnits, State,
    Trace, machine_state,
};
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// A C55x over a domain of values, with one program: a [`State`] whose memory is counted in words, and whose program
/// counter is the number of a line. Its registers are T0 to T3 from 4 on, AR0 to AR7 from 8 on, CDP at 16, SP at 17; its
/// flags the carry, TC1 and TC2.
///
/// A run: give registers and memory, call [`Machine::enter`], then [`rhomb_machine::run`]. A line that a single repeat
/// repeats counts as one step. Counters and status bits are always known.
///
/// Only data page 0 is modelled: an address register reaches it when its upper seven bits are known to be 0, as those
/// of arguments are and those that AMAR writes. Of the system stack (SSP) it is known what PSHBOTH and CALL put there.
#[derive(Clone)]
pub struct Machine<D: Domain> {
    pub(crate) state: State<C55x, D>,
    /// Whether the domain does not know where the arrays lie.
    pub(crate) is_anywhere: bool,
    /// Whether the condition of the line's branch holds.
    pub(crate) taken: bool,
    /// How often each line was executed.
    pub(crate) visits: Vec<u64>,
    /// Cells that the last line stored, where that is wanted.
    pub(crate) stores: SmallVec<[u32; 2]>,
    /// An address moved down by this is the number of its block.
    pub(crate) block_shift: u32,
    /// Addresses from here on have one access a cycle and block.
    pub(crate) single_from: u32,
}

impl InstructionSet for C55x {
    type Limb = u16;
    type Program = Program;
    type Convention = Convention;
    type Registers<W: Clone> = [W; 18];
    type Flags<B: Clone> = [B; 3];
    type Own<D: Domain> = Units<D::Word>;
    type Machine<D: Domain> = Machine<D>;

    const UNITS: StackUnits = StackUnits { bits: 16, cell: 1, bytes: 2 };
    const SP: Option<u8> = Some(SP as u8);
    const RETURN_ADDRESS: u32 = RETURN_ADDRESS;
    const UNDEFINED_CELLS: bool = false;

    fn unknown<D: Domain>(domain: &mut D, _: &Program) -> Parts<C55x, D> {
        let mut guard = || {
            let word = domain.arbitrary();
            domain.split(&word, 8).0
        };
        let guards: [D::Word; 4] = std::array::from_fn(|_| guard());
        let ac = guards.map(|guard| [domain.arbitrary(), domain.arbitrary(), guard]);
        let units = Units {
            ac,
            counters: [0; 3],
            status: Status { m40: true, sxmd: false, arms: false },
            reta: RETURN_ADDRESS,
            repeat: None,
            blocks: SmallVec::new(),
            calls: Vec::new(),
            system: Vec::new(),
            ready: [Cycles::exact(0); 24],
            pending: 0,
            paged: 0,
            kept: 0,
        };
        let registers = std::array::from_fn(|_| domain.arbitrary());
        (registers, std::array::from_fn(|_| domain.bit(false)), units)
    }

    fn register_name(number: u8) -> String {
        match number {
            8.. => format!("{:?}", Ta::Ar(number - 8)),
            _ => format!("{:?}", Ta::T(number & 3)),
        }
    }
}

/// What has no arbitrary value: counters and status bits.
const KNOWN: u64 = 1 << CSR | 1 << BRC[0] | 1 << BRC[1] | 1 << STATUS;
machine_state!(Machine, C55x);

impl<D: Domain> Machine<D> {
    /// A machine at the first line with nothing defined and no memory.
    pub fn new(program: Arc<Program>, domain: D) -> Self {
        rhomb_machine::Machine::with_memory(program, domain, 0..0)
    }

    /// Whether reading what is undefined is a fault (it is in a new machine). Without, such a read gives what the domain
    /// calls arbitrary, but for counters and status bits, which are always known.
    pub fn set_strict(&mut self, strict: bool) {
        self.state.set_strict(strict);
        if !strict {
            self.destroy(1 << CARRY | 1 << TC[0] | 1 << TC[1]);
        }
    }

    /// Bits that are left with what nobody knows.
    #[inline(never)]
    fn destroy(&mut self, set: u32) {
        let word = self.state.domain.arbitrary();
        for (place, number) in (0..).zip([CARRY, TC[0], TC[1]]).filter(|(_, number)| set >> number & 1 == 1) {
            let bit = self.state.domain.bit_of(&word, place);
            self.state.flags[(number - CARRY) as usize] = bit;
        }
    }

    /// Status bits.
    pub fn status(&self) -> Status {
        self.state.own.status
    }

    /// Sets the status bits.
    pub fn set_status(&mut self, status: Status) {
        self.state.own.status = status;
    }

    /// Accumulator `number`, the low word first.
    pub fn ac(&self, number: u8) -> &[D::Word; 3] {
        &self.state.own.ac[usize::from(number & 3)]
    }

    /// Sets an accumulator; bits above the 40th are lost.
    pub fn set_ac(&mut self, number: u8, [low, high, guard]: [D::Word; 3]) {
        let (guard, _) = self.state.domain.split(&guard, 8);
        self.state.own.ac[usize::from(number & 3)] = [low, high, guard];
        self.state.defined |= 1 << (number & 3);
    }

    /// A register of the A unit.
    pub fn ta(&self, ta: Ta) -> &D::Word {
        &self.state.registers[index(ta)]
    }

    /// Sets a register of the A unit; the upper bits of an address register stay as they are.
    pub fn set_ta(&mut self, ta: Ta, value: D::Word) {
        self.state.registers[index(ta)] = value;
        self.state.defined |= 1 << index(ta);
    }

    /// Sets an address register, 8 for CDP, with upper bits of 0.
    pub fn set_pointer(&mut self, number: u8, value: D::Word) {
        let number = u32::from(number.min(8));
        self.state.registers[8 + number as usize] = value;
        self.state.defined |= 1 << (8 + number);
        self.state.own.paged |= 1 << number;
        self.state.own.kept &= !(1 << number);
    }

    /// Sets an address register, upper bits and all, to what it is at the call.
    pub fn set_caller(&mut self, number: u8, value: D::Word) {
        self.set_ta(Ta::Ar(number), value);
        self.state.own.kept |= 1 << (number & 7);
    }

    /// Whether the upper bits of an address register are what they were at the call.
    pub fn has_upper_of_call(&self, number: u8) -> bool {
        self.state.own.kept >> (number & 7) & 1 == 1
    }

    /// Whether a register has a value.
    pub fn is_defined(&self, ta: Ta) -> bool {
        self.state.defined >> index(ta) & 1 == 1
    }

    /// The carry.
    pub fn carry(&self) -> &D::Bit {
        &self.state.flags[0]
    }

    /// Sets the stack pointer to a word address, `above` words below the end of the stack, and gives the routine the
    /// stack.
    ///
    /// # Errors
    /// Cells outside of memory.
    pub fn set_stack(&mut self, range: Range<u32>, sp: u32) -> Result<(), Fault> {
        let above = range.end - sp;
        self.point_stack(sp, above);
        self.own_stack(range)
    }

    /// Calls the routine at a line as CALL would, without counting its cycles.
    ///
    /// # Errors
    /// A stack pointer that is no known address.
    pub fn enter(&mut self, line: u32) -> Result<(), Fault> {
        self.state.enter(line)?;
        self.state.own.reta = RETURN_ADDRESS;
        self.state.own.calls.clear();
        self.state.own.system.clear();
        Ok(())
    }

    /// Leaves in accumulators, carry and test bits what nobody knows.
    pub(crate) fn forget_units(&mut self) {
        for number in 0..4 {
            let words = std::array::from_fn(|_| self.state.domain.arbitrary());
            self.set_ac(number, words);
        }
        self.destroy(1 << CARRY | 1 << TC[0] | 1 << TC[1]);
    }

    pub(crate) fn counter(counter: Counter) -> usize {
        match counter {
            Counter::Csr => 0,
            Counter::Brc0 => 1,
            Counter::Brc1 => 2,
        }
    }

    #[cold]
    fn undefined(&self, missing: u64) -> Fault {
        let number = missing.trailing_zeros();
        let what = match number {
            0..4 => format!("AC{number}"),
            4..8 => format!("T{}", number - 4),
            8..16 => format!("AR{}", number - 8),
            CDP => "CDP".to_owned(),
            SP => "SP".to_owned(),
            CSR => "CSR".to_owned(),
            CARRY => "CARRY".to_owned(),
            number if TC.contains(&number) => "TC1 or TC2".to_owned(),
            number if BRC.contains(&number) => "BRC0 or BRC1".to_owned(),
            _ => "a status bit".to_owned(),
        };
        Fault::Undefined { what }
    }
}

impl<D: Domain> rhomb_machine::Machine for Machine<D> {
    type Domain = D;
    type Set = C55x;

    fn with_memory(program: Arc<Program>, domain: D, memory: Range<u32>) -> Self {
        let core = program.core();
        let visits = vec![0; program.lines().len()];
        let (block_shift, single_from) = (core.block.trailing_zeros(), core.single.start);
        let state = State::new(program, domain, memory);
        let stores = SmallVec::new();
        Machine { state, is_anywhere: false, taken: false, visits, stores, block_shift, single_from }
    }

    fn call(&mut self, line: u32) -> Result<(), Fault> {
        self.enter(line)
    }

    fn join_own(&mut self, other: &mut Saved<C55x, D>) {
        let then = other.counted();
        let (own, others) = (self.state.own.waits(self.counted()), other.own.waits(then));
        let now = self.counted().hull(then);
        self.state.own.pending |= other.own.pending;
        self.state.own.ready = std::array::from_fn(|number| own[number].hull(others[number]).plus(now));
    }

    fn waits_like(&self, other: &Saved<C55x, D>) -> bool {
        let then = other.counted();
        self.state.own.waits(self.counted()) == other.own.waits(then)
    }

    fn note(&mut self, trace: &mut Trace, line: u32) {
        let address = u64::from(self.state.program.address(line));
        if let Some(prepared) = self.state.program.prepared.get(line as usize) {
            trace.wrote_registers(prepared.uses.writes.into(), address);
        }
        self.stores.drain(..).for_each(|cell| trace.wrote_cells(cell..cell + 1, address));
    }

    fn stored_cells(&self) -> Vec<u32> {
        self.stores.to_vec()
    }

    fn called(&self, from: ProgramPoint) -> Option<u32> {
        let back = from.pc + 1;
        let line = self.state.program.lines().get(from.pc as usize)?;
        let calls = line.instructions().any(|one| matches!(one, Instruction::Call { .. }));
        (calls && self.state.pc != back).then_some(back)
    }

    fn into_state(self) -> State<C55x, D> {
        self.state
    }

    fn come_back(&mut self, _: u32) -> Result<(), Fault> {
        self.returned()?;
        self.stack_moved()
    }
}

pub(crate) fn index(ta: Ta) -> usize {
    ta.number() as usize
}

impl<D: Domain> Processor for Machine<D> {
    // all that instructions mean: a copy wherever it is called would take long to compile
    #[inline(never)]
    fn step(&mut self) -> Result<Control, Fault> {
        let Some(&Prepared { line, uses, cycles, repeatable, branch }) =
            self.state.program.prepared.get(self.state.pc as usize)
        else {
            return Err(Fault::NoInstruction { address: self.state.program.address(self.state.pc) });
        };
        let missing = u64::from(uses.reads) & !self.state.defined;
        if missing != 0 && (self.state.strict || missing & KNOWN != 0) {
            return Err(self.undefined(missing));
        }
        if uses.pointers & !self.state.own.paged != 0 {
            return Err(Fault::NotModelled {
                what: "an address register with unknown upper bits".to_owned(),
            });
        }
        self.state.domain.locate(self.state.program.address(self.state.pc).into())?;
        if let Some(condition) = branch {
            // before anything changes
            let bit = self.condition(condition)?;
            let what = || format!("the branch {}", self.state.program.text(self.state.pc));
            self.taken = self.state.fork.decide(&self.state.domain, &bit, what)?;
        }
        if self.state.own.pending & uses.early_reads != 0 {
            self.wait(uses.early_reads);
        }
        self.state.defined |= u64::from(uses.writes);
        let repeat = std::mem::take(&mut self.state.own.repeat);
        if repeat.is_some() && !repeatable {
            return Err(Fault::NotModelled { what: "a single repeat of what changes the flow".to_owned() });
        }
        let times = 1 + u64::from(repeat.unwrap_or(0));
        self.visits[self.state.pc as usize] += times;
        let line_number = self.state.pc;
        let mut flow = Flow::Next;
        let mut conflicts = 0;
        match &line {
            Bundle { first: Instruction::Dual(one), second: None } => {
                for _ in 0..times {
                    conflicts += self.dual(one)?;
                }
            }
            line => {
                for _ in 0..times {
                    let (next, waits) = self.execute(line)?;
                    flow = next;
                    conflicts += waits;
                }
            }
        }
        self.state.defined &= !u64::from(uses.destroys);
        if !self.state.strict && uses.destroys != 0 {
            self.destroy(uses.destroys);
        }
        self.state.cycles += times * u64::from(cycles) + conflicts;
        if uses.late_writes != 0 {
            if uses.late_writes & uses.early_reads != 0 {
                self.state.cycles += (times - 1) * u64::from(self.state.program.core().timing.late);
            }
            self.delay(uses.late_writes);
        }
        match flow {
            Flow::Next => self.go_on(),
            Flow::To(target) => {
                let timing = &self.state.program.core().timing;
                self.state.cycles += u64::from(timing.branch_taken) - u64::from(timing.branch_not_taken);
                self.state.pc = target;
            }
            Flow::Jump(target) => self.state.pc = target,
            Flow::Call(target) => self.call_line(target)?,
            Flow::Return => {
                if self.returned()? == Control::Return {
                    return Ok(Control::Return);
                }
            }
        }
        if uses.writes >> SP & 1 == 1
            && let Err(fault) = self.stack_moved()
        {
            self.state.pc = line_number;
            return Err(fault);
        }
        Ok(Control::Continue)
    }

    #[inline(always)]
    fn cycles(&self) -> Cycles {
        self.counted()
    }
}
