use super::{Convention, ProgramPoint, Saved, State, Trace, Way};
use crate::{Domain, Limb, Processor, StackUnits};
use std::fmt::Debug;
use std::ops::{DerefMut, Range};
use std::sync::Arc;

/// Registers, flags, and what else belongs to a state.
pub type Parts<I, D> = (
    <I as InstructionSet>::Registers<<D as Domain>::Word>,
    <I as InstructionSet>::Flags<<D as Domain>::Bit>,
    <I as InstructionSet>::Own<D>,
);

/// What an instruction set is made of.
pub trait InstructionSet: Clone + Debug + Sized + 'static {
    /// A word of data.
    type Limb: Limb;
    /// Code, prepared for execution.
    type Program: Code;
    /// How routines are called.
    type Convention: Convention<Set = Self>;
    /// All registers that hold a word.
    type Registers<W: Clone>: Clone + AsRef<[W]> + AsMut<[W]>;
    /// All flags.
    type Flags<B: Clone>: Clone + AsRef<[B]> + AsMut<[B]>;
    /// What else belongs to the state of a machine.
    type Own<D: Domain>: Own<D>;
    /// The machine that executes it.
    type Machine<D: Domain>: Machine<Set = Self, Domain = D>;

    /// How memory is counted.
    const UNITS: StackUnits;
    /// The register that points to the stack, where one of the registers does.
    const SP: Option<u8> = None;
    /// The register in which a call leaves where it goes back to.
    const LINK: Option<u8> = None;
    /// Where callers go on: as far from any routine as can be.
    const RETURN_ADDRESS: u32;
    /// Whether programs load their own words as data, by the addresses of memory.
    const LOADS_CODE: bool = false;
    /// Whether cells that are not defined are known as such, and not only as stale.
    const UNDEFINED_CELLS: bool = true;
    /// What has a value always, as in [`State::defined`].
    const DEFINED: u64 = 0;

    /// Registers, flags and all else, of which nothing is known.
    fn unknown<D: Domain>(domain: &mut D, program: &Self::Program) -> Parts<Self, D>;
    /// What reports call a register.
    fn register_name(number: u8) -> String;
}

/// Code of an instruction set. Places are program counters.
pub trait Code: Clone + Debug {
    /// The place of the first instruction.
    fn origin(&self) -> u32;
    /// How many places there are from the origin on.
    fn places(&self) -> usize;
    /// The number of a place among them.
    fn index(&self, place: u32) -> Option<usize>;
    /// The byte address of a place.
    fn address(&self, place: u32) -> u64;
    /// The place at a byte address.
    fn place(&self, address: u64) -> Option<u32>;
    /// The code, as it stands in memory.
    fn bytes(&self) -> Vec<u8>;
    /// The instruction at a place as text.
    fn text(&self, place: u32) -> Option<String>;
    /// Where execution goes from a place.
    fn way(&self, place: u32) -> Option<Way>;
    /// Name of the processor core, for certificates.
    fn identity(&self) -> String;
    /// Whether an address of this base is that of a byte of the program.
    fn contains(&self, _base: u32, _byte: u32) -> bool {
        false
    }
    /// Whether the file has data at an address, which need not be a constant.
    fn has_data(&self, _address: u32) -> bool {
        false
    }
    /// What it rests on of what a linker is still to fill in.
    fn relocations(&self) -> &[String] {
        &[]
    }
}

/// What a machine remembers besides registers, flags and memory, as far as it is put aside with them where both sides of
/// a condition are followed.
pub trait Own<D: Domain>: Clone {
    /// Whether its words come before the registers in what is joined.
    const FIRST: bool = false;

    /// The words among it.
    fn words(&mut self) -> Vec<&mut D::Word> {
        Vec::new()
    }
    /// Whether two sides agree on what cannot be joined.
    fn agrees(&self, _other: &Self, _domain: &D) -> bool {
        true
    }
}

/// A machine: a [`State`] with what its instruction set alone knows.
pub trait Machine: Processor + DerefMut<Target = State<Self::Set, Self::Domain>> + Sized {
    /// The domain that computes.
    type Domain: Domain;
    /// Its instruction set.
    type Set: InstructionSet;

    /// A machine at the program's first instruction with nothing defined, and with these cells, owned by nobody.
    fn with_memory(
        program: Arc<<Self::Set as InstructionSet>::Program>,
        domain: Self::Domain,
        memory: Range<u32>,
    ) -> Self;

    /// Calls the routine at a place, without counting cycles.
    ///
    /// # Errors
    /// A stack pointer that is no known address.
    fn call(&mut self, place: u32) -> Result<(), crate::Fault> {
        self.enter(place)
    }

    /// The stack pointer, where the domain knows an address.
    fn pointer(&self) -> Option<u32> {
        self.sp()
    }
    /// Where a return would go, of an instruction set that has a register for it.
    fn link(&self) -> Option<u32> {
        None
    }
    /// Joins what this instruction set alone has, before cycles are joined.
    fn join_own(&mut self, _other: &mut Saved<Self::Set, Self::Domain>) {}
    /// Whether what will be waited for is what will be in another state.
    fn waits_like(&self, _other: &Saved<Self::Set, Self::Domain>) -> bool {
        true
    }
    /// Whether whatever comes next waits equally long in every call.
    fn is_settled(&self) -> bool {
        true
    }
    /// Notes what the instruction at a place, which was just executed, has written.
    fn note(&mut self, trace: &mut Trace, place: u32);

    /// The cells that the last instruction stored, in a traced call, until [`Machine::note`] takes them.
    fn stored_cells(&self) -> Vec<u32> {
        self.stored.clone().collect()
    }

    /// Where the routine is to go back that the instruction at `from` has just called; `None` where it has called none.
    fn called(&self, from: ProgramPoint) -> Option<u32>;
    /// Gives up all but the state.
    fn into_state(self) -> State<Self::Set, Self::Domain>;
    /// Goes back from a call that nobody executes.
    ///
    /// # Errors
    /// The stack does not allow it.
    fn come_back(&mut self, back: u32) -> Result<(), crate::Fault> {
        self.set_pc(back);
        Ok(())
    }
}

/// Lets a machine be used as its [`State`], which is its field `state`.
#[macro_export]
macro_rules! machine_state {
    ($machine:ident, $set:ty) => {
        impl<D: $crate::Domain> std::ops::Deref for $machine<D> {
            type Target = $crate::State<$set, D>;

            #[inline(always)]
            fn deref(&self) -> &Self::Target {
                &self.state
            }
        }

        impl<D: $crate::Domain> std::ops::DerefMut for $machine<D> {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.state
            }
        }
    };
}
