use super::{Function, InstructionSet, Trace, Visits};
use crate::{Breach, Buffer, Cycles, Domain, Fault, Mix, Tally};
use std::fmt::Debug;
use std::ops::Range;

/// Memory in which a routine runs, in cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// All of it.
    pub memory: Range<u32>,
    /// The first cell of each buffer.
    pub buffers: Vec<u32>,
    /// The routine's stack.
    pub stack: Range<u32>,
    /// Where the stack pointer stands at the call, as the processor counts.
    pub sp: u32,
    /// What lies above it and is the routine's, as the processor counts: the home of arguments, and those on the stack.
    pub above: u32,
}

/// The first cells of buffers, and the cell behind the last. The number decides about their order; the first lies at
/// `first`, another one at what `after` gives for the end of the one before.
pub fn arrange<W>(
    buffers: &[Buffer<W>],
    number: u32,
    first: u32,
    after: impl Fn(u32) -> u32,
) -> (Vec<u32>, u32) {
    let mut next = first;
    let mut places = vec![0; buffers.len()];
    let mut order: Vec<usize> = (0..buffers.len()).collect();
    order.rotate_left(number as usize % buffers.len().max(1));
    if number / 4 % 2 == 1 {
        order.reverse();
    }
    for index in order.into_iter().filter(|index| buffers[*index].shares.is_none()) {
        // as long as the longest in this place
        let shared = buffers.iter().filter(|other| other.shares == Some(index));
        let length = shared.map(|other| other.length).fold(buffers[index].length, u32::max);
        places[index] = next;
        next = after(next.saturating_add(length));
    }
    for (index, buffer) in buffers.iter().enumerate() {
        if let Some(place) = buffer.shares.and_then(|shared| places.get(shared)) {
            places[index] = *place;
        }
    }
    (places, next)
}

/// Unowned cells between two buffers, and around them, where cells are words.
const GAP: u32 = 5;

/// What a call's stack takes where cells are words of 4 bytes.
#[derive(Clone, Copy, Debug)]
pub struct WordStack {
    /// The most bytes that the routine may use.
    pub limit: u32,
    /// What the stack pointer is a multiple of, in bytes.
    pub alignment: u32,
    /// Bytes above the stack pointer that are the routine's: the home of arguments in registers, and those on the stack.
    pub above: u32,
}

impl Placed {
    /// Buffers from the start of the RAM of the core of that name upwards, the stack above them. The number decides about order and
    /// distances.
    ///
    /// # Errors
    /// More data than the core has room for.
    pub fn in_words<W>(
        (core, ram): (&str, &Range<u32>),
        buffers: &[Buffer<W>],
        number: u32,
        stack: WordStack,
    ) -> Result<Placed, Fault> {
        let start = ram.start / 4;
        let first = start + GAP + 89 * number % 256;
        let (buffers, next) = arrange(buffers, number, first, |end| end.saturating_add(GAP + number % 64));
        let (limit, alignment) = (stack.limit.div_ceil(4), stack.alignment / 4);
        let sp = next.saturating_add(limit).saturating_add(alignment) / alignment * alignment;
        let end = sp.saturating_add(stack.above / 4);
        if end > ram.end / 4 {
            let what = format!("{} bytes of data, more than {core} has", 4 * u64::from(end - start));
            return Err(Fault::NotModelled { what });
        }
        Ok(Placed { memory: start..end, buffers, stack: sp - limit..end, sp: 4 * sp, above: stack.above })
    }
}

/// A call that is about to begin.
#[derive(Clone, Debug)]
pub struct Call {
    /// Where everything lies.
    pub placed: Placed,
    /// Number of the surroundings.
    pub number: u32,
    /// Bytes of stack that the routine may use.
    pub stack_bytes: u32,
}

/// A calling convention: how a routine is called, and what must hold when it returns.
pub trait Convention: Debug + Sync + 'static {
    /// Whose routines are called so.
    type Set: InstructionSet<Convention = Self>;
    /// What arrays are a multiple of, in the processor's addresses.
    const ARRAYS: u32 = 1;
    /// Whether [`Convention::body`] wants to know when instructions begin.
    const STARTS: bool = false;
    /// Whether numbers are passed where pointers are.
    const TAKES_NUMBERS: bool = true;
    /// Whether registers to preserve have a value at every call.
    const KEPT_DEFINED: bool = false;

    /// Its name.
    fn name(&self) -> &'static str;
    /// The registers that hold an argument, an address, lowest word first; none where there is no such argument.
    fn argument(&self, index: usize) -> Range<u8>;
    /// Registers in which further arguments arrive, behind so many.
    fn further(&self, given: usize) -> Vec<u8>;
    /// What the report calls such a register.
    fn further_name(&self, register: u8) -> String {
        Self::Set::register_name(register)
    }
    /// Registers that a routine must leave as it found them on a program's core, the stack pointer left out.
    fn kept(&self, program: &<Self::Set as InstructionSet>::Program) -> Vec<u8>;
    /// The registers that return a number of so many words, lowest word first; none where that is not modelled.
    fn returned(&self, words: u32) -> Range<u8>;
    /// Whether a number may take the places of several arguments, of which the first has its upper words.
    fn is_wide(&self) -> bool {
        false
    }
    /// The same for routines that are called within another one: they preserve nothing but the stack pointer and what an interrupt
    /// relies on, and are told nothing of other registers than those of their arguments. It is its own inner one.
    fn inner(&self) -> Option<&'static Self> {
        None
    }
    /// What of the caller's stack a routine may use, from the stack pointer upwards, as the processor counts.
    fn home(&self) -> u32 {
        0
    }

    /// Where buffers and stack lie in surroundings of this number, with so many arguments on the stack.
    ///
    /// # Errors
    /// There is no room, or no register for an argument.
    fn place<W>(
        &self,
        function: &Function<Self::Set>,
        buffers: &[Buffer<W>],
        surroundings: (u32, u32),
    ) -> Result<Placed, Fault>;
    /// Before memory is given to the machine.
    fn start<D: Domain>(&self, _machine: &mut MachineOf<Self, D>) {}
    /// An address in a register is that of an argument, not only a number.
    fn set_pointer<D: Domain>(&self, machine: &mut MachineOf<Self, D>, register: u8, word: D::Word) {
        machine.set_register(register, word);
    }
    /// Whether a register holds what may be an address of an argument.
    fn is_pointer<D: Domain>(&self, machine: &MachineOf<Self, D>, register: u8) -> bool {
        machine.is_defined(register)
    }
    /// A register to preserve holds the caller's word.
    fn set_kept<D: Domain>(&self, machine: &mut MachineOf<Self, D>, register: u8, word: D::Word) {
        machine.set_register(register, word);
    }
    /// What else holds at the call: the stack pointer, for instance.
    fn prepare<D: Domain>(&self, machine: &mut MachineOf<Self, D>, call: &Call);

    /// What was forbidden and done while the routine ran.
    fn breaches<D: Domain>(&self, machine: &mut MachineOf<Self, D>, _trace: Option<&Trace>) -> Vec<Breach> {
        machine.breaches.clone()
    }
    /// What is wrong with a register to preserve though its word is right.
    fn is_damaged<D: Domain>(&self, _machine: &MachineOf<Self, D>, _register: u8) -> Option<&'static str> {
        None
    }
    /// What else does not hold at the return; an undefined register has an arbitrary word if `filled`.
    fn last_breaches<D: Domain>(
        &self,
        _machine: &MachineOf<Self, D>,
        _trace: Option<&Trace>,
        _filled: bool,
    ) -> Vec<Breach> {
        Vec::new()
    }
    /// Cycles and instructions of the body of a routine that was executed.
    fn body<D: Domain>(
        &self,
        function: &Function<Self::Set>,
        machine: &MachineOf<Self, D>,
        visits: Visits,
        tally: &mut Tally,
    ) -> (Cycles, Mix);

    /// The lowest address in use of the stack, in a machine that has just called a routine.
    ///
    /// # Errors
    /// What the convention wants at every call does not hold.
    fn ready<D: Domain>(&self, machine: &MachineOf<Self, D>) -> Result<u32, Fault>;
    /// Leaves what nobody knows in all that a routine need not keep, memory left out.
    fn forget<D: Domain>(&self, machine: &mut MachineOf<Self, D>);
}

/// The machine whose routines are called so.
pub(super) type MachineOf<C, D> = <<C as Convention>::Set as InstructionSet>::Machine<D>;
