use super::InstructionSet;
use crate::{Access, Base, Breach, CODE, Control, Domain, Fault, Fork, Memory, STACK, Stack, VariableTime};
use std::ops::Range;
use std::sync::Arc;

/// The call that started the routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Stack pointer of the caller.
    pub sp: u32,
    /// Where the caller goes on.
    pub return_address: u32,
}

/// Where execution stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramPoint {
    /// The program counter.
    pub pc: u32,
    /// Where execution goes afterwards, if the instruction stands in a delay slot.
    pub slot: Option<u32>,
}

/// The state of a processor over a domain of values, with one program.
///
/// Registers and flags that nobody has set are undefined; reading what is undefined is a fault, unless
/// [`State::set_strict`] turns that off. While a fault is reported the program counter still names the instruction. An
/// instruction that is refused because its condition is not known has changed nothing.
#[derive(Clone)]
pub struct State<I: InstructionSet, D: Domain> {
    /// The domain that computes.
    pub domain: D,
    /// Data memory by cells.
    pub memory: Memory<D::Word>,
    /// The program.
    pub program: Arc<I::Program>,
    /// Registers, whether or not they are defined.
    pub registers: I::Registers<D::Word>,
    /// Flags likewise.
    pub flags: I::Flags<D::Bit>,
    /// Program counter, in the program's own unit.
    pub pc: u32,
    /// Where execution goes after the instruction at the program counter, if that stands in a delay slot.
    pub slot: Option<u32>,
    /// Least cycles.
    pub cycles: u64,
    /// What data might add to them.
    pub spread: u64,
    /// Instructions whose time depends on a value that the domain does not know.
    pub variable_times: Vec<VariableTime>,
    /// The call that started the routine.
    pub frame: Option<Frame>,
    /// Conditions that are not known.
    pub fork: Fork<D::Bit>,
    /// The stack that the routine owns.
    pub stack: Stack,
    /// What the convention forbids and was done.
    pub breaches: Vec<Breach>,
    /// The cells that the last instruction stored.
    pub stored: Range<u32>,
    /// Whether somebody wants to know which cells are stored, where that takes time.
    pub traced: bool,
    /// Whether the condition of the last instruction failed, so that it was skipped.
    pub skipped: bool,
    /// Whether reading what is undefined is a fault.
    pub strict: bool,
    /// What has a value: registers from bit 0 on, then whatever the instruction set counts.
    pub defined: u64,
    /// Cells of which not every byte is defined, with the undefined bytes (bit 0 the lowest).
    pub undefined_cells: Vec<(u32, u8)>,
    /// What this instruction set alone has.
    pub own: I::Own<D>,
}

impl<I: InstructionSet, D: Domain> State<I, D> {
    /// At the program's first instruction, with nothing defined and these cells, owned by nobody.
    pub fn new(program: Arc<I::Program>, mut domain: D, memory: Range<u32>) -> Self {
        use super::Code;
        let filler = domain.word(0);
        let (registers, flags, own) = I::unknown(&mut domain, &program);
        State {
            memory: Memory::new(memory, filler),
            registers,
            flags,
            pc: program.origin(),
            slot: None,
            cycles: 0,
            spread: 0,
            variable_times: Vec::new(),
            frame: None,
            fork: Fork::default(),
            stack: Stack::new(I::UNITS),
            breaches: Vec::new(),
            stored: 0..0,
            traced: false,
            skipped: false,
            strict: true,
            defined: I::DEFINED,
            undefined_cells: Vec::new(),
            own,
            domain,
            program,
        }
    }

    /// Back to the state of a new machine, but for memory and strictness: every run starts here. To start with the same
    /// memory too, assign a clone of a prepared one.
    pub fn reset(&mut self) {
        use super::Code;
        (self.registers, self.flags, self.own) = I::unknown(&mut self.domain, &self.program);
        self.set_pc(self.program.origin());
        (self.cycles, self.spread) = (0, 0);
        self.variable_times.clear();
        self.frame = None;
        self.stack.reset(0);
        self.breaches.clear();
        self.defined = I::DEFINED;
        self.undefined_cells.clear();
    }

    /// Whether reading what is undefined is a fault (it is in a new machine). Without, such a read gives what the domain
    /// calls arbitrary.
    pub fn set_strict(&mut self, strict: bool) {
        self.strict = strict;
    }

    /// Whether it is.
    #[inline(always)]
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// The program.
    pub fn program(&self) -> &Arc<I::Program> {
        &self.program
    }

    /// A register, whether or not it is defined.
    pub fn register(&self, number: u8) -> &D::Word {
        &self.registers.as_ref()[usize::from(number)]
    }

    /// Sets a register, but for one that always has the same value.
    pub fn set_register(&mut self, number: u8, value: D::Word) {
        if I::DEFINED >> number & 1 == 0 {
            self.registers.as_mut()[usize::from(number)] = value;
            self.defined |= 1 << number;
        }
    }

    /// Whether a register has a value.
    #[inline(always)]
    pub fn is_defined(&self, number: u8) -> bool {
        self.defined >> number & 1 != 0
    }

    /// Leaves in a register what nobody knows.
    pub fn forget_register(&mut self, number: u8) {
        let word = self.domain.arbitrary();
        self.set_register(number, word);
        self.defined = self.defined & !(1 << number) | I::DEFINED;
    }

    /// What the convention forbids and was done since the start.
    pub fn breaches(&self) -> &[Breach] {
        &self.breaches
    }

    /// Program counter, in the program's own unit: the instruction that comes next.
    #[inline(always)]
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// Sets the program counter without a call.
    pub fn set_pc(&mut self, pc: u32) {
        self.pc = pc;
        self.slot = None;
    }

    /// Where execution stands.
    #[inline(always)]
    pub fn place(&self) -> ProgramPoint {
        ProgramPoint { pc: self.pc, slot: self.slot }
    }

    /// Gives the routine a stack, in cells. It may only be accessed from the stack pointer upwards, by addresses that
    /// come from there, and the pointer may not leave it; see [`Stack`].
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

    /// The word in the stack pointer, of an instruction set that has a register for it.
    fn sp_word(&self) -> Option<&D::Word> {
        I::SP.map(|sp| self.register(sp))
    }

    /// Stack pointer; `None` where the domain knows no address.
    pub fn sp(&self) -> Option<u32> {
        self.domain.address(&[self.sp_word()?]).map(|(_, address)| address as u32)
    }

    /// The stack pointer, which must be known.
    ///
    /// # Errors
    /// It is not.
    pub fn known_sp(&self) -> Result<u32, Fault> {
        let words = Vec::from_iter(self.sp_word());
        self.sp().ok_or_else(|| self.domain.hidden(&words).fault("the stack pointer".to_owned()))
    }

    /// Sets the stack pointer, `above` addresses below the end of the stack.
    pub fn point_stack(&mut self, sp: u32, above: u32) {
        if let Some(register) = I::SP {
            let word = self.domain.pointer(STACK, -i64::from(above), sp.into(), 0);
            self.set_register(register, word);
        }
        self.stack.reset(sp);
    }

    /// Where the stack pointer stands in the stack.
    ///
    /// # Errors
    /// It does not point there.
    pub fn stack_address(&self) -> Result<u32, Fault> {
        match self.sp_word().and_then(|sp| self.domain.address(&[sp])) {
            Some((Base::Any | Base::Of(STACK), sp)) => Ok(sp as u32),
            Some((Base::Constant | Base::Of(_), _)) => Err(Fault::NotModelled {
                what: "a stack pointer that does not come from the caller's".to_owned(),
            }),
            None => self.known_sp(),
        }
    }

    /// An instruction has written the stack pointer.
    ///
    /// # Errors
    /// It does not point into the stack.
    pub fn stack_moved(&mut self) -> Result<(), Fault> {
        let sp = self.stack_address()?;
        self.stack.moved(&mut self.memory, sp, true)
    }

    /// Calls the routine at an address as a call with a link register would, without counting its cycles. The stack
    /// pointer must be set by then. The run ends with [`Control::Return`] when the routine has gone back to where the link
    /// register points, with the stack pointer of the call.
    ///
    /// # Errors
    /// A stack pointer that is no known address.
    pub fn enter(&mut self, address: u32) -> Result<(), Fault> {
        let sp = self.known_sp()?;
        self.frame = Some(Frame { sp, return_address: I::RETURN_ADDRESS });
        self.stack.enter(sp);
        if let Some(link) = I::LINK {
            let back = I::RETURN_ADDRESS;
            let word = self.domain.pointer(CODE, back.into(), back.into(), 0);
            self.set_register(link, word);
        }
        self.set_pc(address);
        Ok(())
    }

    /// Where the link register points into the program, or to the caller, if it was set.
    pub fn linked(&self) -> Option<u32> {
        let link = I::LINK.filter(|link| self.is_defined(*link))?;
        let (base, address) = self.domain.address(&[self.register(link)])?;
        let known = match base {
            Base::Any | Base::Of(CODE) => true,
            Base::Of(base) => super::Code::contains(&*self.program, base, address as u32),
            Base::Constant => false,
        };
        known.then_some(address as u32)
    }

    /// Back to the caller.
    ///
    /// # Errors
    /// With another stack pointer than at the call.
    pub fn leave(&self, frame: Frame) -> Result<Control, Fault> {
        let sp = self.known_sp()?;
        if sp == frame.sp {
            return Ok(Control::Return);
        }
        Err(Fault::BadReturn {
            stack: sp,
            address: frame.return_address,
            expected_stack: frame.sp,
            expected_address: frame.return_address,
        })
    }
}
