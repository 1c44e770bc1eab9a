//! The processor's state and the call of a routine.

use crate::instructions::{Counter, Instruction, Line, Ta};
use crate::meaning::Flow;
use crate::program::{Prepared, Program};
use crate::rules::{BRC, CARRY, CDP, CSR, SP, STATUS, TC};
use rhomb_machine::{
    Access, Base, CODE, Control, Cycles, Domain, Fault, Fork, Memory, Placement, Processor, STACK, Stack,
    StackUnits, Unit, VariableTime,
};
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// Status bits that instructions here change. FRCT, SMUL, SATD, SATA, RDM and C54CM are 0 and CPL is 1 always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Whether accumulators are computed with 40 bits.
    pub m40: bool,
    /// Whether operands that are not `uns()` are extended by their sign.
    pub sxmd: bool,
    /// Whether the compiler's addressing modes are on; those with T1 are off then.
    pub arms: bool,
}

/// A block that is being repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) start: u32,
    /// The line after its last.
    pub(crate) end: u32,
    /// How often it is still to come again.
    pub(crate) left: u16,
}

/// A word of the system stack. The program never sees where it lies, so that nobody else writes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SystemWord {
    /// The upper bits of an address register: whether they are 0, and whose of the call's they are.
    Upper { paged: bool, kept: Option<u8> },
    /// What CALL left.
    Return,
}

/// A C55x over a domain of values, with one program.
///
/// A run: give registers and memory, call [`Machine::enter`], then [`rhomb_machine::run`]. A line that a single repeat
/// repeats counts as one step. While a fault is reported the program counter still names the line.
///
/// Only data page 0 is modelled: an address register reaches it when its upper seven bits are known to be 0, as those
/// of arguments are and those that AMAR writes. Of the system stack (SSP) it is known what PSHBOTH and CALL put there.
#[derive(Clone)]
pub struct Machine<D: Domain> {
    /// The domain that computes.
    pub domain: D,
    /// Data memory by word address.
    pub memory: Memory<D::Word>,
    pub(crate) program: Arc<Program>,
    /// Accumulators, the low word first; the third has 8 bits.
    pub(crate) ac: [[D::Word; 3]; 4],
    /// T0 to T3 from 4 on, AR0 to AR7 from 8 on, CDP at 16, SP at 17.
    pub(crate) registers: [D::Word; 18],
    pub(crate) carry: D::Bit,
    pub(crate) tc: [D::Bit; 2],
    /// CSR, BRC0, BRC1.
    pub(crate) counters: [u16; 3],
    pub(crate) status: Status,
    pub(crate) pc: u32,
    /// Byte address to which RET goes.
    pub(crate) reta: u32,
    /// How often the next line is repeated, behind RPT.
    pub(crate) repeat: Option<u16>,
    pub(crate) blocks: SmallVec<[Block; 2]>,
    /// What CALL put on the stack.
    pub(crate) calls: Vec<(u32, D::Word)>,
    /// What lies on the system stack since the call.
    pub(crate) system: Vec<SystemWord>,
    /// Least cycles.
    pub(crate) cycles: u64,
    /// What longer sides of branches, and accesses that wait for others in some places, might add to them.
    pub(crate) spread: u64,
    /// Whether the domain does not know where the arrays lie.
    pub(crate) is_anywhere: bool,
    /// Accesses whose time depends on where an array lies.
    pub(crate) variable_times: Vec<VariableTime>,
    /// Conditions that are not known.
    pub(crate) fork: Fork<D::Bit>,
    /// Whether the condition of the line's branch holds.
    pub(crate) taken: bool,
    /// When registers of addresses are ready that were written late.
    pub(crate) ready: [Cycles; 24],
    pub(crate) pending: u32,
    pub(crate) defined: u32,
    /// Address registers whose upper bits are 0: ARn, and 8 for CDP.
    pub(crate) paged: u16,
    /// Address registers whose upper bits are what they were at the call.
    pub(crate) kept: u16,
    /// The stack that the routine owns.
    pub(crate) stack: Stack,
    /// How often each line was executed.
    pub(crate) visits: Vec<u64>,
    /// Cells that the last line stored, and whether that is wanted.
    pub(crate) stored: Option<SmallVec<[u32; 2]>>,
    entry_sp: u32,
    /// An address moved down by this is the number of its block.
    pub(crate) block_shift: u32,
    /// Addresses from here on have one access a cycle and block.
    pub(crate) single_from: u32,
    strict: bool,
}

/// What has no arbitrary value: counters and status bits.
const KNOWN: u32 = 1 << CSR | 1 << BRC[0] | 1 << BRC[1] | 1 << STATUS;
/// Where callers go on.
const RETURN_ADDRESS: u32 = 0xff_fffe;

impl<D: Domain> Machine<D> {
    /// A machine at the first line with nothing defined and no memory.
    pub fn new(program: Arc<Program>, mut domain: D) -> Self {
        let filler = domain.word(0);
        let mut guard = || {
            let word = domain.arbitrary();
            domain.split(&word, 8).0
        };
        let guards: [D::Word; 4] = std::array::from_fn(|_| guard());
        let ac = guards.map(|guard| [domain.arbitrary(), domain.arbitrary(), guard]);
        let lines = program.lines().len();
        Machine {
            memory: Memory::new(0..0, filler),
            ac,
            registers: std::array::from_fn(|_| domain.arbitrary()),
            carry: domain.bit(false),
            tc: [domain.bit(false), domain.bit(false)],
            counters: [0; 3],
            status: Status { m40: true, sxmd: false, arms: false },
            pc: 0,
            reta: RETURN_ADDRESS,
            repeat: None,
            blocks: SmallVec::new(),
            calls: Vec::new(),
            system: Vec::new(),
            cycles: 0,
            spread: 0,
            is_anywhere: false,
            variable_times: Vec::new(),
            fork: Fork::default(),
            taken: false,
            ready: [Cycles::exact(0); 24],
            pending: 0,
            defined: 0,
            paged: 0,
            kept: 0,
            stack: Stack::new(StackUnits { bits: 16, cell: 1, bytes: 2 }),
            visits: vec![0; lines],
            stored: None,
            entry_sp: 0,
            block_shift: program.core().block.trailing_zeros(),
            single_from: program.core().single.start,
            strict: true,
            domain,
            program,
        }
    }

    /// Whether reading what is undefined is a fault (it is in a new machine). Without, such a read gives what the domain
    /// calls arbitrary, but for counters and status bits, which are always known.
    pub fn set_strict(&mut self, strict: bool) {
        self.strict = strict;
        if !strict {
            self.destroy(1 << CARRY | 1 << TC[0] | 1 << TC[1]);
        }
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.strict
    }

    /// Bits that are left with what nobody knows.
    #[inline(never)]
    fn destroy(&mut self, set: u32) {
        let word = self.domain.arbitrary();
        for (place, number) in (0..).zip([CARRY, TC[0], TC[1]]).filter(|(_, number)| set >> number & 1 == 1) {
            let bit = self.domain.bit_of(&word, place);
            match number {
                CARRY => self.carry = bit,
                number => self.tc[usize::from(number == TC[1])] = bit,
            }
        }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Number of the line that comes next.
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// Status bits.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Sets the status bits.
    pub fn set_status(&mut self, status: Status) {
        self.status = status;
    }

    /// Accumulator `number`, the low word first.
    pub fn ac(&self, number: u8) -> &[D::Word; 3] {
        &self.ac[usize::from(number & 3)]
    }

    /// Sets an accumulator; bits above the 40th are lost.
    pub fn set_ac(&mut self, number: u8, [low, high, guard]: [D::Word; 3]) {
        let (guard, _) = self.domain.split(&guard, 8);
        self.ac[usize::from(number & 3)] = [low, high, guard];
        self.defined |= 1 << (number & 3);
    }

    /// A register of the A unit.
    pub fn ta(&self, ta: Ta) -> &D::Word {
        &self.registers[index(ta)]
    }

    /// Sets a register of the A unit; the upper bits of an address register stay as they are.
    pub fn set_ta(&mut self, ta: Ta, value: D::Word) {
        self.registers[index(ta)] = value;
        self.defined |= 1 << index(ta);
    }

    /// Sets an address register, 8 for CDP, with upper bits of 0.
    pub fn set_pointer(&mut self, number: u8, value: D::Word) {
        let number = u32::from(number.min(8));
        self.registers[8 + number as usize] = value;
        self.defined |= 1 << (8 + number);
        self.paged |= 1 << number;
        self.kept &= !(1 << number);
    }

    /// Sets an address register, upper bits and all, to what it is at the call.
    pub fn set_caller(&mut self, number: u8, value: D::Word) {
        self.set_ta(Ta::Ar(number), value);
        self.kept |= 1 << (number & 7);
    }

    /// Whether the upper bits of an address register are what they were at the call.
    pub fn has_upper_of_call(&self, number: u8) -> bool {
        self.kept >> (number & 7) & 1 == 1
    }

    /// PSHBOTH's part for the system stack.
    pub(crate) fn push_upper(&mut self, number: u8) {
        let is = |set: u16| set >> number & 1 == 1;
        let kept = is(self.kept).then_some(number);
        self.system.push(SystemWord::Upper { paged: is(self.paged), kept });
    }

    /// POPBOTH's part.
    pub(crate) fn pop_upper(&mut self, number: u8) -> Result<(), Fault> {
        let Some(SystemWord::Upper { paged, kept }) = self.system.pop() else {
            return Err(Fault::NotModelled { what: "POPBOTH without PSHBOTH".to_owned() });
        };
        let with = |set: u16, is: bool| set & !(1 << number) | u16::from(is) << number;
        self.paged = with(self.paged, paged);
        self.kept = with(self.kept, kept == Some(number));
        Ok(())
    }

    /// Whether a register has a value.
    pub fn is_defined(&self, ta: Ta) -> bool {
        self.defined >> index(ta) & 1 == 1
    }

    /// The carry.
    pub fn carry(&self) -> &D::Bit {
        &self.carry
    }

    /// Sets the stack pointer to a word address, `above` words below the end of the stack, and gives the routine the
    /// stack.
    ///
    /// # Errors
    /// Cells outside of memory.
    pub fn set_stack(&mut self, range: Range<u32>, sp: u32) -> Result<(), Fault> {
        let above = range.end - sp;
        self.registers[SP as usize] = self.domain.pointer(STACK, -i64::from(above), sp.into(), 0);
        self.defined |= 1 << SP;
        self.stack.reset(sp);
        self.stack.own(range.clone());
        self.memory.own_based(STACK, "stack", range, Access::Store)
    }

    /// Lets no interrupt come during the calls to follow.
    pub fn set_undisturbed(&mut self, undisturbed: bool) {
        self.stack.set_undisturbed(undisturbed);
    }

    /// Stack pointer; `None` where the domain knows no address.
    pub fn sp(&self) -> Option<u32> {
        self.domain.address(&[&self.registers[SP as usize]]).map(|(_, address)| address as u32)
    }

    /// The stack pointer, which must be known.
    pub(crate) fn known_sp(&self) -> Result<u32, Fault> {
        let hidden = || self.domain.hidden(&[&self.registers[SP as usize]]);
        self.sp().ok_or_else(|| hidden().fault("the stack pointer".to_owned()))
    }

    /// Calls the routine at a line as CALL would, without counting its cycles.
    ///
    /// # Errors
    /// A stack pointer that is no known address.
    pub fn enter(&mut self, line: u32) -> Result<(), Fault> {
        self.entry_sp = self.known_sp()?;
        self.stack.enter(self.entry_sp);
        self.reta = RETURN_ADDRESS;
        self.calls.clear();
        self.system.clear();
        self.pc = line;
        Ok(())
    }

    pub(crate) fn counter(counter: Counter) -> usize {
        match counter {
            Counter::Csr => 0,
            Counter::Brc0 => 1,
            Counter::Brc1 => 2,
        }
    }

    #[cold]
    fn undefined(&self, missing: u32) -> Fault {
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

    /// Waits for address registers that were written late.
    #[inline(never)]
    fn wait(&mut self, needed: u32) {
        let mut set = self.pending;
        while set != 0 {
            let number = set.trailing_zeros();
            set &= set - 1;
            let ready = self.ready[number as usize];
            if needed >> number & 1 == 1 {
                let most = (self.cycles + self.spread).max(ready.max);
                self.cycles = self.cycles.max(ready.min);
                self.spread = most - self.cycles;
            }
            if ready.min <= self.cycles && ready.max <= self.cycles + self.spread {
                self.pending &= !(1 << number);
            }
        }
    }

    #[inline(never)]
    fn delay(&mut self, late: u32) {
        let late_by = u64::from(self.program.core().timing.late);
        let ready = self.cycles().plus(Cycles::exact(late_by));
        let mut set = late;
        while set != 0 {
            self.ready[set.trailing_zeros() as usize] = ready;
            set &= set - 1;
        }
        self.pending |= late;
    }

    #[inline(always)]
    fn go_on(&mut self) {
        let mut next = self.pc + 1;
        while let Some(block) = self.blocks.last_mut() {
            if block.end != next {
                break;
            }
            if block.left > 0 {
                block.left -= 1;
                next = block.start;
                break;
            }
            self.blocks.pop();
            if self.blocks.is_empty() {
                // BRC0 has counted down; BRC1 is loaded again whenever its block begins
                self.counters[1] = 0;
            }
        }
        self.pc = next;
    }

    /// Where the stack pointer stands.
    pub(crate) fn stack_address(&self) -> Result<u32, Fault> {
        match self.domain.address(&[&self.registers[SP as usize]]) {
            Some((Base::Any | Base::Of(STACK), sp)) => Ok(sp as u32),
            Some((Base::Constant | Base::Of(_), _)) => Err(Fault::NotModelled {
                what: "a stack pointer that does not come from the caller's".to_owned(),
            }),
            None => self.known_sp(),
        }
    }

    #[inline(never)]
    fn returned(&mut self) -> Result<Control, Fault> {
        let system = self.system.pop();
        if system != (self.reta != RETURN_ADDRESS).then_some(SystemWord::Return) {
            let what = "RET while PSHBOTH has left a word on the system stack".to_owned();
            return Err(Fault::NotModelled { what });
        }
        if self.reta == RETURN_ADDRESS {
            let sp = self.known_sp()?;
            if sp == self.entry_sp && self.calls.is_empty() {
                return Ok(Control::Return);
            }
            return Err(Fault::BadReturn {
                stack: sp,
                address: RETURN_ADDRESS,
                expected_stack: self.entry_sp,
                expected_address: RETURN_ADDRESS,
            });
        }
        let goal = self.reta;
        let found = self.pop_word()?;
        let Some((before, word)) = self.calls.pop() else {
            return Err(Fault::NotModelled { what: "RET without CALL".to_owned() });
        };
        if !self.domain.same(&found, &word) {
            return Err(Fault::NotModelled {
                what: "RET with another word on the stack than CALL left".to_owned(),
            });
        }
        self.reta = before;
        self.pc = self.program.line_at(goal).ok_or(Fault::NoInstruction { address: goal })?;
        Ok(Control::Continue)
    }

    #[inline(never)]
    fn called(&mut self, to: u32) -> Result<(), Fault> {
        let back = self.program.address(self.pc + 1);
        // how far the program is from its caller is for a linker
        let base = match self.reta {
            RETURN_ADDRESS => CODE,
            _ => Placement::default().own_base(self.reta, Unit::Bytes),
        };
        let word = self.domain.pointer(base, self.reta.into(), u64::from(self.reta & 0xffff), 0);
        self.push_word(word.clone())?;
        self.calls.push((self.reta, word));
        self.system.push(SystemWord::Return);
        self.reta = back;
        self.pc = to;
        Ok(())
    }
}

pub(crate) fn index(ta: Ta) -> usize {
    ta.number() as usize
}

impl<D: Domain> Processor for Machine<D> {
    #[inline(always)]
    fn step(&mut self) -> Result<Control, Fault> {
        let Some(&Prepared { line, uses, cycles, repeatable, branch }) =
            self.program.prepared.get(self.pc as usize)
        else {
            return Err(Fault::NoInstruction { address: self.program.address(self.pc) });
        };
        let missing = uses.reads & !self.defined;
        if missing != 0 && (self.strict || missing & KNOWN != 0) {
            return Err(self.undefined(missing));
        }
        if uses.pointers & !self.paged != 0 {
            return Err(Fault::NotModelled {
                what: "an address register with unknown upper bits".to_owned(),
            });
        }
        self.domain.locate(self.program.address(self.pc).into())?;
        if let Some(condition) = branch {
            // before anything changes
            let bit = self.condition(condition)?;
            let what = || format!("the branch {}", self.program.text(self.pc));
            self.taken = self.fork.decide(&self.domain, &bit, what)?;
        }
        if self.pending & uses.early_reads != 0 {
            self.wait(uses.early_reads);
        }
        self.defined |= uses.writes;
        let repeat = std::mem::take(&mut self.repeat);
        if repeat.is_some() && !repeatable {
            return Err(Fault::NotModelled { what: "a single repeat of what changes the flow".to_owned() });
        }
        let times = 1 + u64::from(repeat.unwrap_or(0));
        self.visits[self.pc as usize] += times;
        let line_number = self.pc;
        let mut flow = Flow::Next;
        let mut conflicts = 0;
        match &line {
            Line { first: Instruction::Dual(one), second: None } => {
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
        self.defined &= !uses.destroys;
        if !self.strict && uses.destroys != 0 {
            self.destroy(uses.destroys);
        }
        self.cycles += times * u64::from(cycles) + conflicts;
        if uses.late_writes != 0 {
            if uses.late_writes & uses.early_reads != 0 {
                self.cycles += (times - 1) * u64::from(self.program.core().timing.late);
            }
            self.delay(uses.late_writes);
        }
        match flow {
            Flow::Next => self.go_on(),
            Flow::To(target) => {
                let timing = &self.program.core().timing;
                self.cycles += u64::from(timing.branch_taken) - u64::from(timing.branch_not_taken);
                self.pc = target;
            }
            Flow::Jump(target) => self.pc = target,
            Flow::Call(target) => self.called(target)?,
            Flow::Return => {
                if self.returned()? == Control::Return {
                    return Ok(Control::Return);
                }
            }
        }
        if uses.writes >> SP & 1 == 1 {
            let moved = self.stack_address();
            if let Err(fault) = moved.and_then(|sp| self.stack.moved(&mut self.memory, sp, true)) {
                self.pc = line_number;
                return Err(fault);
            }
        }
        Ok(Control::Continue)
    }

    #[inline(always)]
    fn cycles(&self) -> Cycles {
        Cycles { min: self.cycles, max: self.cycles + self.spread }
    }
}
