//! Machine code, decoded once for any number of runs.

use super::{Class, Code, Way};
use crate::{Placement, Unit, Unplaced};
use smallvec::SmallVec;
use std::error::Error;
use std::fmt::Debug;

/// A word of code.
pub trait CodeWord: Copy + Debug + 'static {
    /// Its bytes.
    const BYTES: u32;
    /// Its bytes, in the order of memory.
    fn bytes(self) -> SmallVec<[u8; 4]>;
}

impl CodeWord for u16 {
    const BYTES: u32 = 2;
    fn bytes(self) -> SmallVec<[u8; 4]> {
        SmallVec::from_slice(&self.to_le_bytes())
    }
}

impl CodeWord for u32 {
    const BYTES: u32 = 4;
    fn bytes(self) -> SmallVec<[u8; 4]> {
        SmallVec::from_slice(&self.to_le_bytes())
    }
}

/// The instructions of an instruction set that has machine code, and what the machine wants to know of each.
pub trait Encoded: Clone + Debug + 'static {
    /// A word of code.
    type Word: CodeWord;
    /// The processor: its core, and whatever else decides what code means.
    type Model: Clone + Debug;
    /// An instruction.
    type Instruction;
    /// An instruction, and what else the decoder finds.
    type Found: Copy;
    /// An instruction as the machine wants it.
    type Prepared: Copy + Debug;
    /// What stands beside it, in a table of its own.
    type Beside: Copy + Debug;
    /// Why a word is no instruction.
    type DecodeError: Error;
    /// Why an instruction has no code.
    type EncodeError: Error;
    /// Why an instruction is none of this core.
    type CoreError: Error;

    /// Bytes at an address of code.
    const UNIT: u32;

    /// The instruction at the beginning of these words, which stand at an address.
    ///
    /// # Errors
    /// There is none, or a linker has left it open.
    fn decode(
        model: &Self::Model,
        placement: &Placement,
        address: u32,
        words: &[Self::Word],
    ) -> Result<Self::Found, CauseOf<Self>>;
    /// The same for the word of this number among all words of a program, where those before it decide, too.
    ///
    /// # Errors
    /// There is none, or a linker has left it open.
    fn decode_among(
        model: &Self::Model,
        placement: &Placement,
        address: u32,
        words: &[Self::Word],
        number: usize,
    ) -> Result<Self::Found, CauseOf<Self>> {
        Self::decode(model, placement, address, words.get(number..).unwrap_or_default())
    }
    /// Whether the core has it, and its time is known.
    ///
    /// # Errors
    /// It is not.
    fn check(model: &Self::Model, found: &Self::Found) -> Result<(), Self::CoreError>;
    /// Its code.
    ///
    /// # Errors
    /// It has none.
    fn encode(
        model: &Self::Model,
        instruction: &Self::Instruction,
    ) -> Result<SmallVec<[Self::Word; 2]>, CauseOf<Self>>;
    /// How many words an instruction has.
    fn length(_found: &Self::Found) -> u32 {
        1
    }
    /// What the machine wants to know of the instruction at an address, if there is one.
    fn prepare(
        program: &Program<Self>,
        address: u32,
        found: Option<Self::Found>,
    ) -> (Self::Prepared, Self::Beside);
    /// Where execution goes after it.
    fn way(program: &Program<Self>, address: u32, found: &Self::Found) -> Way;
    /// In which class reports count it, if it is an instruction.
    fn class(model: &Self::Model, prepared: &Self::Prepared) -> Option<Class>;
    /// As text.
    fn text(model: &Self::Model, found: &Self::Found) -> String;
    /// Name of the processor, for certificates.
    fn identity(model: &Self::Model) -> String;
}

/// Why words cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause<D, E, C> {
    /// No instruction.
    #[error(transparent)]
    Decode(D),
    /// An operand that does not fit.
    #[error(transparent)]
    Encode(E),
    /// No instruction of this core, or one whose time is not known.
    #[error(transparent)]
    Core(C),
    /// Nothing that is executed.
    #[error(transparent)]
    Unplaced(#[from] Unplaced),
}

/// Why words of this instruction set cannot be executed.
pub type CauseOf<I> =
    Cause<<I as Encoded>::DecodeError, <I as Encoded>::EncodeError, <I as Encoded>::CoreError>;

/// What is wrong with the words at an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("address {:#06x}: {cause}", u64::from(*.unit) * u64::from(*.address))]
pub struct ProgramError<C> {
    /// Program address, in the program's own unit.
    pub address: u32,
    /// Bytes in that unit.
    pub unit: u32,
    /// Why it cannot be executed.
    pub cause: C,
}

type Refused<I> = ProgramError<CauseOf<I>>;

/// Machine code for a processor at an address.
#[derive(Clone, Debug)]
pub struct Program<I: Encoded> {
    model: I::Model,
    origin: u32,
    words: Vec<I::Word>,
    code: Vec<I::Prepared>,
    beside: Vec<I::Beside>,
    placement: Placement,
}

impl<I: Encoded> Program<I> {
    /// Addresses in a word of code.
    const STEP: u32 = I::Word::BYTES / I::UNIT;

    /// The program `words` at an address. Data may stand among the code: what is no instruction of this core is an error
    /// only when it is executed.
    pub fn new(model: I::Model, origin: u32, words: &[I::Word]) -> Self {
        Program::placed(model, origin, words, Placement::default())
    }

    /// The same where more is known of how the words are placed.
    pub fn placed(model: I::Model, origin: u32, words: &[I::Word], placement: Placement) -> Self {
        let origin = origin & !(Self::STEP - 1);
        let (code, beside) = (Vec::new(), Vec::new());
        let mut program = Program { model, origin, words: words.to_vec(), code, beside, placement };
        let prepared = (0..words.len()).map(|number| {
            let address = program.address_of(number);
            I::prepare(&program, address, program.decode(address).ok())
        });
        (program.code, program.beside) = prepared.unzip();
        program
    }

    /// The same, when every word belongs to an instruction of this core: decoded from the first word on, anything else is
    /// an error.
    ///
    /// # Errors
    /// The first word that does not.
    pub fn strict(model: I::Model, origin: u32, words: &[I::Word]) -> Result<Self, Refused<I>> {
        let program = Program::new(model, origin, words);
        let mut number = 0;
        while number < words.len() {
            let found = program.instruction(program.address_of(number))?;
            number += I::length(&found) as usize;
        }
        Ok(program)
    }

    /// A program of instructions, encoded one after the other.
    ///
    /// # Errors
    /// The first instruction that cannot be encoded.
    pub fn assemble(
        model: I::Model,
        origin: u32,
        instructions: &[I::Instruction],
    ) -> Result<Self, Refused<I>> {
        let mut words = Vec::with_capacity(instructions.len());
        for instruction in instructions {
            let address = origin.wrapping_add(Self::STEP * words.len() as u32);
            let encoded = I::encode(&model, instruction);
            words.extend(encoded.map_err(|cause| ProgramError { address, unit: I::UNIT, cause })?);
        }
        Ok(Program::new(model, origin, &words))
    }

    /// The processor.
    pub fn model(&self) -> &I::Model {
        &self.model
    }

    /// Address of the first word.
    pub fn origin(&self) -> u32 {
        self.origin
    }

    /// The code.
    pub fn words(&self) -> &[I::Word] {
        &self.words
    }

    /// How the code is placed.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    fn address_of(&self, number: usize) -> u32 {
        self.origin.wrapping_add(Self::STEP * number as u32)
    }

    /// The instruction at an address, if it can be executed.
    ///
    /// # Errors
    /// There is no program or no instruction of this core.
    pub fn instruction(&self, address: u32) -> Result<I::Found, Refused<I>> {
        let at = |cause| ProgramError { address, unit: I::UNIT, cause };
        let found = self.decode(address).map_err(at)?;
        I::check(&self.model, &found).map_err(|error| at(Cause::Core(error)))?;
        Ok(found)
    }

    fn decode(&self, address: u32) -> Result<I::Found, CauseOf<I>> {
        let number = Code::index(self, address).filter(|number| *number < self.words.len());
        let number = number.ok_or(Unplaced::Outside)?;
        I::decode_among(&self.model, &self.placement, address, &self.words, number)
    }

    /// The word at an address, if the program covers it.
    pub fn word(&self, address: u32) -> Option<I::Word> {
        self.words.get(Code::index(self, address)?).copied()
    }

    /// The byte at a byte address, if the program covers it.
    pub fn byte(&self, address: u32) -> Option<u8> {
        self.placement.base(address, Unit::Bytes)?;
        let start = address & !(I::Word::BYTES - 1);
        let word = self.word(start / I::UNIT)?;
        word.bytes().get((address - start) as usize).copied()
    }

    /// Whether an address of this base, counted so, is that of a byte, given in bytes.
    pub fn is_at(&self, base: u32, unit: Unit, byte: u32) -> bool {
        self.placement.base(byte, unit) == Some(base)
    }

    /// What the machine wants to know of the instruction at an address.
    #[inline(always)]
    pub fn prepared(&self, address: u32) -> Option<&I::Prepared> {
        self.code.get(Code::index(self, address)?)
    }

    /// What stands beside it.
    #[inline(always)]
    pub fn beside(&self, address: u32) -> Option<&I::Beside> {
        self.beside.get(Code::index(self, address)?)
    }

    /// How often instructions of each class were executed, by the visits to each of its words.
    pub fn mix(&self, visits: &[u64]) -> crate::Mix {
        let mut mix = crate::Mix::default();
        for (prepared, count) in self.code.iter().zip(visits).filter(|(_, count)| **count > 0) {
            if let Some(class) = I::class(&self.model, prepared) {
                mix.count(class, *count);
            }
        }
        mix
    }

    /// Why the word at an address cannot be executed.
    #[cold]
    pub fn refusal(&self, address: u32) -> crate::Fault {
        match self.instruction(address) {
            Ok(_) | Err(ProgramError { cause: Cause::Unplaced(Unplaced::Outside), .. }) => {
                crate::Fault::NoInstruction { address }
            }
            Err(error) => crate::Fault::NotModelled { what: error.to_string() },
        }
    }
}

impl<C: 'static, I: Encoded<Model = &'static C>> Program<I> {
    /// The core.
    pub fn core(&self) -> &'static C {
        self.model
    }
}

impl<I: Encoded> Code for Program<I> {
    fn origin(&self) -> u32 {
        self.origin
    }

    fn places(&self) -> usize {
        self.words.len()
    }

    #[inline(always)]
    fn index(&self, place: u32) -> Option<usize> {
        let distance = place.wrapping_sub(self.origin);
        distance.is_multiple_of(Self::STEP).then_some((distance / Self::STEP) as usize)
    }

    fn address(&self, place: u32) -> u64 {
        u64::from(I::UNIT) * u64::from(place)
    }

    fn place(&self, address: u64) -> Option<u32> {
        u32::try_from(address / u64::from(I::UNIT)).ok()
    }

    fn bytes(&self) -> Vec<u8> {
        let code = self.words.iter().flat_map(|word| word.bytes());
        code.chain(self.placement.constants.iter().flat_map(|constant| constant.bytes.iter().copied()))
            .collect()
    }

    fn text(&self, place: u32) -> Option<String> {
        Some(I::text(&self.model, &self.instruction(place).ok()?))
    }

    fn way(&self, place: u32) -> Option<Way> {
        Some(I::way(self, place, &self.instruction(place).ok()?))
    }

    fn identity(&self) -> String {
        I::identity(&self.model)
    }

    fn contains(&self, base: u32, byte: u32) -> bool {
        self.is_at(base, Unit::Bytes, byte)
    }

    fn has_data(&self, address: u32) -> bool {
        self.placement.taken.contains(&address)
    }

    fn relocations(&self) -> &[String] {
        &self.placement.relocations
    }
}
