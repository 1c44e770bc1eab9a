//! Assembler text, for any processor: how a routine is written as a file, and read back.
//!
//! A dialect is data: its directives, and how it spells an instruction. The text of one instruction is the processor's
//! ([`Spelling`]); files, labels, comments and directives are here.

mod function;
mod parse;

pub use function::{SyntaxError, function};
pub use parse::{ParseError, Parsed, is_symbol, number, parse, shown};

/// How a processor's instructions look as text; a value has what dialects spell in different ways.
pub trait Spelling: Copy + 'static {
    /// An instruction.
    type Instruction: Copy;

    /// Bytes between two addresses that follow each other.
    const UNIT: u32;

    /// Directives that say how the assembler chooses among encodings, each until the next of them; the first holds at the beginning.
    const MODES: &'static [&'static str] = &[];

    /// The one of them under which the assembler chooses this encoding, where it matters.
    fn mode(_: &Self::Instruction) -> Option<&'static str> {
        None
    }

    /// Length in units of addresses.
    fn length(&self, instruction: &Self::Instruction) -> u32;

    /// Where an instruction at an address goes, if it names a place.
    fn target(&self, address: u32, instruction: &Self::Instruction) -> Option<u32>;

    /// Appends an instruction, without indentation or newline; `label` is that of the place that it names.
    ///
    /// # Errors
    /// What the dialect cannot write. What was appended before is of no use.
    fn write(
        &self,
        text: &mut String,
        instruction: &Self::Instruction,
        label: Option<&str>,
    ) -> Result<(), Unsayable>;

    /// The instruction of a mnemonic in lower case and its operands, and the place that it names.
    ///
    /// # Errors
    /// One line: what is wrong.
    fn read(&self, mnemonic: &str, operands: &str) -> Result<(Self::Instruction, Option<Goal>), String>;

    /// The instruction of a directive that gives it as a number.
    ///
    /// # Errors
    /// One line: what is wrong.
    fn of_number(&self, number: &str) -> Result<Self::Instruction, String> {
        Err(format!("{} is no instruction", shown(number)))
    }

    /// The instruction at an address with its place filled in, and checked.
    ///
    /// # Errors
    /// One line: what is wrong.
    fn placed(
        &self,
        instruction: &Self::Instruction,
        address: u32,
        to: Where,
    ) -> Result<Self::Instruction, String>;

    /// Whether it is a register, in lower case.
    fn is_register(name: &str) -> bool;

    /// Whether it is a mnemonic, in lower case.
    fn is_mnemonic(name: &str) -> bool;
    /// A directive that concerns linker or debugger only ([`Directive::Other`]), before the first instruction (`first`) or
    /// after it.
    ///
    /// # Errors
    /// It would change instructions, or where they stand.
    fn directive(_name: &str, _operands: &str, _first: bool) -> Result<(), String> {
        Ok(())
    }
}

/// What a dialect cannot write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsayable {
    /// A place without a label.
    Outside,
    /// The form of an encoding.
    Form,
    /// What is no instruction at all, and why.
    Encode(String),
}

/// A place that an instruction in a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A label.
    Label(String),
    /// Distance or address, as the instruction holds it.
    Number(i32),
}

/// A place that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// Its address.
    Address(u32),
    /// Distance or address, as the instruction holds it.
    Number(i32),
}

/// An assembler's dialect.
#[derive(Debug)]
pub struct Dialect<S: 'static> {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Extension of its files, without the dot.
    pub extension: &'static str,
    /// What begins a comment that ends with the line.
    pub comment: &'static str,
    /// Whether a file may hold comments as C has them.
    pub block_comments: bool,
    /// Names that cannot be symbols, in lower case, beside registers: words between blanks.
    pub reserved: &'static [&'static str],
    /// Whether mnemonics can be symbols.
    pub mnemonics_free: bool,
    /// How it spells instructions.
    pub spelling: S,
    /// What stands before and after the name and number of a label inside a routine.
    pub local: (&'static str, &'static str),
    /// Whether a label ends with a colon; else whatever stands in the first column is one.
    pub colons: bool,
    /// The lines before and after the instructions.
    pub frame: fn(&str) -> (String, String),
    /// Directives that a routine's file has, in lower case.
    pub directives: &'static [(&'static str, Directive)],
}

/// What a directive does to the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive {
    /// Names a symbol that others see.
    Public,
    /// The text ends here, and must.
    End,
    /// An instruction as a number.
    Word,
    /// Concerns linker or debugger only.
    Other,
}

impl<S: Spelling> Dialect<S> {
    /// Whether the assembler reads `name` as something else than a symbol.
    pub fn is_reserved(&self, name: &str) -> bool {
        let lower = name.to_ascii_lowercase();
        let mut reserved = self.reserved.iter().flat_map(|words| words.split_whitespace());
        S::is_register(&lower)
            || reserved.any(|word| word == lower)
            || !self.mnemonics_free && S::is_mnemonic(&lower)
    }
}

/// Names that cannot be symbols in the assemblers of IAR for AVR and ARM: directives, and the operators that are spelled in
/// letters.
pub const IAR_RESERVED: &str = "
    name module program library end endmod public pubweak extern extrn import export require required rseg aseg org align
    even odd equ set var assign alias define macro endm endmac exitm local rept reptc repti endr if else elseif endif
    dc8 dc16 dc24 dc32 ds ds8 ds16 ds24 ds32 code data low high byte1 byte2 byte3 byte4 lwrd hwrd and or xor not mod shl
    shr eq ne lt le gt ge ugt ult sfb sfe sizeof date radix caseon caseoff rtmodel cfi col page pagsiz binand binor binxor
    binnot";
