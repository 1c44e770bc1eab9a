use crate::{Access, Cycles, Domain, Fault, Hidden, Limb, Memory, Tally};

/// A buffer that the contract of a routine names.
#[derive(Clone, Debug)]
pub struct Buffer<W> {
    /// What the contract calls it.
    pub name: &'static str,
    /// Length in words.
    pub length: u32,
    /// Content at the call, lowest word first; `None` where it is not yet written.
    pub content: Option<Vec<W>>,
    /// What the routine may do with it.
    pub access: Access,
    /// Index of an earlier buffer in whose place it lies.
    pub shares: Option<usize>,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub enum Passed<W> {
    /// A pointer to the buffer of that index.
    Pointer(usize),
    /// A number by value: its words, the lowest first; nobody sets what its place has beyond them.
    Words(Vec<W>),
    /// A number that anybody may know, in as many registers as a pointer takes.
    Number(u32),
    /// What nobody has set.
    Nothing,
}

/// The arguments of a call, and the buffers to which they point.
#[derive(Clone, Debug)]
pub struct Arguments<W> {
    /// The buffers.
    pub buffers: Vec<Buffer<W>>,
    /// The arguments, in their order.
    pub passed: Vec<Passed<W>>,
    /// Words of the number that is returned.
    pub returned: u32,
}

impl<W> Arguments<W> {
    /// The same with other words.
    pub fn map<V>(self, word: impl Fn(W) -> V) -> Arguments<V> {
        let buffer = |Buffer { name, length, content, access, shares }: Buffer<W>| Buffer {
            name,
            length,
            content: content.map(|words| words.into_iter().map(&word).collect()),
            access,
            shares,
        };
        let buffers = self.buffers.into_iter().map(buffer).collect();
        let passed = |passed| match passed {
            Passed::Pointer(index) => Passed::Pointer(index),
            Passed::Words(own) => Passed::Words(own.into_iter().map(&word).collect()),
            Passed::Number(number) => Passed::Number(number),
            Passed::Nothing => Passed::Nothing,
        };
        let passed = self.passed.into_iter().map(passed).collect();
        Arguments { buffers, passed, returned: self.returned }
    }
}

/// What a call is given: [`Arguments`], or buffers alone, to which pointers are passed in their order.
pub trait Given<W> {
    /// The buffers.
    fn buffers(&self) -> &[Buffer<W>];
    /// How many arguments there are.
    fn count(&self) -> usize {
        self.buffers().len()
    }
    /// The argument of an index.
    fn passed(&self, index: usize) -> Passed<W> {
        Passed::Pointer(index)
    }
    /// Words of the number that is returned.
    fn returned(&self) -> u32 {
        1
    }
}

impl<W> Given<W> for &[Buffer<W>] {
    fn buffers(&self) -> &[Buffer<W>] {
        self
    }
}

impl<W, const N: usize> Given<W> for [Buffer<W>; N] {
    fn buffers(&self) -> &[Buffer<W>] {
        self
    }
}

impl<W> Given<W> for Vec<Buffer<W>> {
    fn buffers(&self) -> &[Buffer<W>] {
        self
    }
}

impl<W: Clone> Given<W> for Arguments<W> {
    fn buffers(&self) -> &[Buffer<W>] {
        &self.buffers
    }

    fn count(&self) -> usize {
        self.passed.len()
    }

    fn passed(&self, index: usize) -> Passed<W> {
        self.passed.get(index).cloned().unwrap_or(Passed::Nothing)
    }

    fn returned(&self) -> u32 {
        self.returned
    }
}

/// A branch on what the domain does not know, whose two sides met again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretBranch {
    /// Byte address of the branch.
    pub address: u64,
    /// Why its condition is not known.
    pub hidden: Hidden,
    /// Most cycles of the side with a true condition, from the branch to the meeting point.
    pub taken: u64,
    /// Most cycles of the other side.
    pub other: u64,
    /// Whether nothing is waited for later after one side that is not after the other.
    pub alike: bool,
}

/// Most entries of a list of what was seen: a call may be long.
const MOST_SEEN: usize = 1 << 16;

impl SecretBranch {
    /// Adds it to a list of what was seen. Where that is full, one whose sides differ takes the last place.
    pub fn note(self, list: &mut Vec<SecretBranch>) {
        if list.len() < MOST_SEEN {
            list.push(self);
        } else if let Some(last) = list.last_mut().filter(|last| last.taken == last.other) {
            *last = self;
        }
    }
}

/// An instruction whose time depends on a value that the domain does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariableTime {
    /// Its byte address.
    pub address: u64,
    /// Why the value is not known.
    pub hidden: Hidden,
    /// What it can take.
    pub cycles: Cycles,
    /// Whether operands decide by the processor's manual, which does not say which of them take how long.
    pub unpublished: bool,
}

impl VariableTime {
    /// Adds it to a list of what was seen, unless that is full.
    pub fn note(self, list: &mut Vec<VariableTime>) {
        if list.len() < MOST_SEEN {
            list.push(self);
        }
    }
}

/// Numbers of executed instructions by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Mix {
    /// Loads.
    pub load: u64,
    /// Stores.
    pub store: u64,
    /// Multiplications.
    pub multiply: u64,
    /// Additions and subtractions.
    pub add: u64,
    /// All others.
    pub other: u64,
}

impl Mix {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.load + self.store + self.multiply + self.add + self.other
    }
}

/// Something that the convention demands and that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// A sentence.
    pub text: String,
    /// Byte address of the instruction that is responsible, where it is known: always in a traced call, if
    /// there is one.
    pub address: Option<u64>,
}

/// Byte addresses of the instructions that wrote the results last; `None` where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Writers {
    /// For each word of each buffer.
    pub buffers: Vec<Vec<Option<u64>>>,
    /// For the word that is returned.
    pub returned: Option<u64>,
}

/// How a routine is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Decides where the buffers lie and in which order, and whether registers to preserve are undefined.
    pub place: u32,
    /// Registers, flags and memory that nobody set hold arbitrary words; else reading one is a fault.
    pub filled: bool,
    /// An argument behind those that are given, by its number in [`Routine::further`], and what it holds.
    pub further: Option<(usize, u64)>,
    /// Notes which instruction wrote what: slower.
    pub traced: bool,
    /// No interrupt comes during the call: what lies below the stack pointer stays.
    pub undisturbed: bool,
}

/// A routine after its return.
#[derive(Debug)]
pub struct Finished<D: Domain> {
    /// The domain with what it collected.
    pub domain: D,
    /// Content of each buffer; `None` where nothing was ever written.
    pub buffers: Vec<Vec<Option<D::Word>>>,
    /// The word that the convention returns a small number in, if it was ever written.
    pub returned: Option<D::Word>,
    /// The words above it of a number of several words.
    pub returned_above: Vec<Option<D::Word>>,
    /// Instructions and cycles.
    pub tally: Tally,
    /// Cycles between the saves and the restores. Neither this nor `mix` counts inside a branch on a
    /// secret.
    pub body_cycles: Cycles,
    /// Instructions between the saves and the restores, and whatever they call.
    pub mix: Mix,
    /// Bytes of stack below the return address, down to where the stack pointer went.
    pub stack_bytes: u32,
    /// Bytes of it that hold what the domain does not know, registers of the caller's left out: over
    /// [`crate::Secrets`] what depends on the operands and stays behind. See [`crate::cells_left`].
    pub residue_bytes: u32,
    /// Branches on what the domain does not know, each time one was executed, as far as [`SecretBranch::note`] keeps them;
    /// the tally has the shorter and the longer side of each.
    pub secret_branches: Vec<SecretBranch>,
    /// Instructions whose time depends on a value that the domain does not know, each time one was executed, as far as
    /// [`VariableTime::note`] keeps them; the tally has the least and the most of each. Never any where all values are
    /// known.
    pub variable_times: Vec<VariableTime>,
    /// Whether whatever comes after the return waits equally long for what the routine left unfinished, in every call.
    pub settled: bool,
    /// What the convention demands and does not hold.
    pub breaches: Vec<Breach>,
    /// Which instructions wrote the results, in a traced call.
    pub writers: Option<Writers>,
}

impl<D: Domain> Finished<D> {
    /// The same over another domain, with the words that it has of these.
    pub fn map<E: Domain>(self, domain: E, word: impl Fn(D::Word) -> Option<E::Word>) -> Finished<E> {
        let words = |words: Vec<Option<D::Word>>| words.into_iter().map(|own| own.and_then(&word)).collect();
        Finished {
            domain,
            buffers: self.buffers.into_iter().map(words).collect(),
            returned: self.returned.and_then(&word),
            returned_above: words(self.returned_above),
            tally: self.tally,
            body_cycles: self.body_cycles,
            mix: self.mix,
            stack_bytes: self.stack_bytes,
            residue_bytes: self.residue_bytes,
            secret_branches: self.secret_branches,
            variable_times: self.variable_times,
            settled: self.settled,
            breaches: self.breaches,
            writers: self.writers,
        }
    }
}

/// A routine that did not return.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault} (at {address:#06x}: {instruction})")]
pub struct Stopped {
    /// Why.
    pub fault: Fault,
    /// Byte address of the instruction in the program.
    pub address: u64,
    /// The instruction as text, where there is one.
    pub instruction: String,
}

/// What a called routine does, by a contract: it reads its operands, writes its result, which lies apart from them, and
/// the stack, and leaves all else as the convention says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callee {
    /// Words of the result.
    pub result: u32,
    /// Words of the operands.
    pub operands: Vec<u32>,
    /// Its arguments.
    pub takes: Vec<Takes>,
    /// Bytes of stack that it may use below the stack pointer of the call.
    pub stack_bytes: u32,
    /// Whether it is called by the inner convention ([`crate::Convention::inner`]) of its caller's.
    pub inner: bool,
    /// The ways in which the result may lie: of each the operands in whose place it does.
    pub result_on: Vec<&'static [usize]>,
}

/// An argument of a called routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A pointer to the result.
    Result,
    /// A pointer to an operand, by its number.
    Operand(usize),
    /// An operand that is a word.
    Word(usize),
    /// This number, and no other.
    Number(u64),
    /// A pointer to these words, and no others.
    Words(Vec<u64>),
    /// Anything: it is not looked at.
    Ignored,
}

impl Callee {
    /// What takes a pointer to its result, which lies apart from the operands, and then those to its operands.
    pub fn of_pointers(result: u32, operands: Vec<u32>, stack_bytes: u32) -> Self {
        let takes = [Takes::Result].into_iter().chain((0..operands.len()).map(Takes::Operand)).collect();
        Callee { result, operands, takes, stack_bytes, inner: false, result_on: vec![&[]] }
    }
}

/// What a called routine leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<W> {
    /// The words of its result.
    pub result: Vec<W>,
    /// The word that it returns, if anybody knows it.
    pub returned: Option<W>,
}

impl<W> From<Vec<W>> for Outcome<W> {
    fn from(result: Vec<W>) -> Self {
        Outcome { result, returned: None }
    }
}

/// Who knows what called routines do: those are not executed.
pub trait Calls<D: Domain> {
    /// What the routine at a byte address does; one of which that is not known is executed.
    ///
    /// # Errors
    /// It is not to be called.
    fn callee(&mut self, entry: u64) -> Result<Option<Callee>, Fault>;
    /// What it leaves for such operands.
    ///
    /// # Errors
    /// Nothing can be said of it.
    fn result(
        &mut self,
        domain: &mut D,
        entry: u64,
        operands: &[Vec<D::Word>],
    ) -> Result<Outcome<D::Word>, Fault>;
}

/// An instruction that was executed, and what it left.
pub struct Moment<'a, D: Domain> {
    /// Its byte address.
    pub address: u64,
    /// Cycles since the first instruction began.
    pub cycles: Cycles,
    /// All registers, whether or not they are defined.
    pub registers: &'a [D::Word],
    /// Data memory.
    pub memory: &'a Memory<D::Word>,
    /// The cells that it stored.
    pub stored: Vec<u32>,
    /// Addresses to a cell, as [`Domain::accesses`] counts them.
    pub unit: u32,
    /// The domain, with what it collected.
    pub domain: &'a mut D,
}

/// Who sees each instruction of a call.
pub type See<'a, D> = &'a mut dyn FnMut(Moment<'_, D>);

/// What can be read of machine code.
pub trait MachineCode {
    /// Width of a word of its processor in bits.
    fn word_bits(&self) -> u32;
    /// The code, as it stands in memory.
    fn code(&self) -> Vec<u8>;
    /// Processor core, convention and entry, for certificates.
    fn identity(&self) -> String;
    /// What it rests on of what a linker is still to fill in, for people and certificates.
    fn relocations(&self) -> &[String] {
        &[]
    }
    /// The instruction at a byte address as text, where there is one; for reports only.
    fn instruction(&self, address: u64) -> Option<String>;
    /// Names of the registers in which the caller would give more than this: the rest of numbers that are wider than their
    /// words, then further arguments.
    fn further(&self, _given: &dyn Given<u32>) -> Vec<String> {
        Vec::new()
    }
    /// Whether the file has data at an address, which need not be a constant.
    fn has_data(&self, _address: u32) -> bool {
        false
    }
    /// Name of a register, by its number in [`Moment::registers`].
    fn register_name(&self, number: u8) -> String {
        number.to_string()
    }
}

/// Machine code that can be called over any domain of values, by its processor's convention.
pub trait Routine: MachineCode {
    /// A word of its processor.
    type Limb: Limb;

    /// Calls it with these arguments, each buffer surrounded by memory that nobody owns. Registers that the convention does
    /// not fix are arbitrary or undefined.
    fn call<D: Domain>(&self, domain: D, given: &dyn Given<D::Word>) -> Result<Finished<D>, Stopped> {
        self.call_at(domain, given, 0)
    }
    /// The same in surroundings number `place`: the buffers lie elsewhere and in another order, and
    /// registers to preserve may be undefined, so that using one is a fault.
    fn call_at<D: Domain>(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        place: u32,
    ) -> Result<Finished<D>, Stopped> {
        self.call_in(domain, given, Surroundings { place, ..Surroundings::default() })
    }
    /// The same in any surroundings.
    fn call_in<D: Domain>(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        surroundings: Surroundings,
    ) -> Result<Finished<D>, Stopped>;
    /// The same, as [`Routine::call`], where somebody sees every instruction.
    ///
    /// # Errors
    /// As there; and of a routine that nobody can look into.
    fn call_seen<D: Domain>(
        &self,
        _domain: D,
        _given: &dyn Given<D::Word>,
        _see: See<'_, D>,
    ) -> Result<Finished<D>, Stopped> {
        let fault = Fault::NotModelled { what: "a look into this routine".to_owned() };
        Err(Stopped { fault, address: 0, instruction: String::new() })
    }
    /// The same, as [`Routine::call`], with the routines that it calls taken over by `calls`.
    ///
    /// # Errors
    /// As there; and of a processor whose calls nobody can take over.
    fn call_composed<D: Domain>(
        &self,
        _domain: D,
        _given: &dyn Given<D::Word>,
        _calls: &mut dyn Calls<D>,
    ) -> Result<Finished<D>, Stopped> {
        let fault = Fault::NotModelled { what: "a composition of routines on this processor".to_owned() };
        Err(Stopped { fault, address: 0, instruction: String::new() })
    }
    /// The routine that the same code has at another byte address, with so many bytes of stack, by the same convention or its
    /// inner one; `None` where that, or [`Routine::call_composed`], is not to be had.
    fn at(&self, _entry: u64, _stack_bytes: Option<u32>, _inner: bool) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// A routine over one domain of values, whatever its processor is.
pub trait Over<D: Domain>: MachineCode {
    /// As [`Routine::call_in`].
    ///
    /// # Errors
    /// As there.
    fn over_in(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        surroundings: Surroundings,
    ) -> Result<Finished<D>, Stopped>;
    /// As [`Routine::call`].
    ///
    /// # Errors
    /// As there.
    fn over(&self, domain: D, given: &dyn Given<D::Word>) -> Result<Finished<D>, Stopped> {
        self.over_in(domain, given, Surroundings::default())
    }
    /// As [`Routine::call_composed`].
    ///
    /// # Errors
    /// As there.
    fn over_composed(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        calls: &mut dyn Calls<D>,
    ) -> Result<Finished<D>, Stopped>;
}

impl<R: Routine, D: Domain> Over<D> for R {
    fn over_in(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        surroundings: Surroundings,
    ) -> Result<Finished<D>, Stopped> {
        self.call_in(domain, given, surroundings)
    }

    fn over_composed(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        calls: &mut dyn Calls<D>,
    ) -> Result<Finished<D>, Stopped> {
        self.call_composed(domain, given, calls)
    }
}
