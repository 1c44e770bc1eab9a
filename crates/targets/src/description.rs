//! What is known of a core, as data.

use rhomb_kernel::split::Pairs;
use rhomb_machine::syntax::Dialect;
use std::ops::Range;

/// A choice and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// On the command line.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
}

/// How an assembler's files look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStyle {
    /// Without the dot.
    pub extension: &'static str,
    /// How comments are marked.
    pub comment: Comment,
}

/// How comments are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comment {
    /// As in C.
    Block,
    /// Each line by this.
    Lines(&'static str),
}

/// What a compiler must be for a file to be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// An expression of the C preprocessor.
    pub expression: &'static str,
    /// What it means, for the line that the compiler prints.
    pub needs: &'static str,
}

/// What a convention wants in a C header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CDialect {
    /// Qualifiers of what the pointers point to, each with a blank.
    pub pointed: &'static str,
    /// A macro that only compilers with this convention define.
    pub compiler: Option<&'static str>,
}

impl CDialect {
    /// C as every compiler reads it.
    pub(super) const PLAIN: CDialect = CDialect { pointed: "", compiler: None };
}

/// A calling convention.
#[derive(Clone, Copy, Debug)]
pub struct Convention {
    /// Its name; the summary says where the arguments arrive.
    pub named: Named,
    /// Whether it could not be checked in a manual.
    pub is_experimental: bool,
    /// The dialect of the assembler that comes with its compiler.
    pub syntax: &'static str,
    /// What it wants in a C header.
    pub c: CDialect,
    /// Registers beside those that hold pointers and take products.
    pub general_registers: usize,
}

/// An assembler dialect.
#[derive(Clone, Copy, Debug)]
pub struct Syntax {
    /// Its name.
    pub named: Named,
    /// How its files look.
    pub style: FileStyle,
}

/// What is known of a core.
#[derive(Clone, Debug)]
pub struct Description {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Whose figures the count of cycles rests on, where nothing promises it: it is about right then.
    pub about: Option<&'static str>,
    /// The processor's name.
    pub processor: &'static str,
    /// Whether it has a hardware multiplier.
    pub has_multiplier: bool,
    /// Whether the carry of a sum stands in a flag that the next sum takes.
    pub has_carry: bool,
    /// Bits of a word.
    pub word_bits: u32,
    /// Program memory in bytes.
    pub flash_bytes: u64,
    /// Data addresses, in bytes.
    pub ram: Range<u32>,
    /// Bytes of a return address on the stack.
    pub return_bytes: u32,
    /// Calling conventions, the default first.
    pub conventions: Vec<Convention>,
    /// Assembler dialects, the default first.
    pub syntaxes: Vec<Syntax>,
    /// What a compiler must be for a file that goes through the C preprocessor.
    pub guard: Option<Guard>,
    /// What the names of routines end with that use instructions which the plain core of the family lacks.
    pub suffix: Option<&'static str>,
    /// A command that makes an object file.
    pub compile_command: String,
    /// Ways to add up a multiplication's products, where there is a choice; the last one is made quickly.
    pub accumulations: &'static [Named],
    /// Arrays that the pointer X may point to, where the processor has one and it can do less than others.
    pub on_x: &'static [Named],
    /// Whether words of columns wait in registers, so that a walk may take its products in any order: blocks of rows are best
    /// then.
    pub columns_wait: bool,
    /// How splits multiply pairs of parts where that is open.
    pub pairs: Pairs,
    /// Up to so many words, the levels of splits that are proved in seconds.
    pub proved_soon: &'static [(usize, usize)],
}

impl Description {
    /// Names of the calling conventions, the default first.
    pub fn conventions(&self) -> Vec<Named> {
        self.conventions.iter().map(|convention| convention.named).collect()
    }

    /// Names of the assembler dialects, the default first.
    pub fn syntaxes(&self) -> Vec<Named> {
        self.syntaxes.iter().map(|syntax| syntax.named).collect()
    }

    /// What it is, and what its cycles rest on where nobody promises them.
    pub fn stated(&self) -> String {
        let about = self.about.map(|about| format!("; cycles are about right, by {about}"));
        format!("{}{}", self.summary, about.unwrap_or_default())
    }

    /// The convention of that name, or the default.
    pub fn convention(&self, name: &str) -> &Convention {
        let own = self.conventions.iter().find(|convention| convention.named.name == name);
        own.unwrap_or(&self.conventions[0])
    }

    /// How a dialect's files look.
    pub fn file_style(&self, syntax: &str) -> FileStyle {
        let own = self.syntaxes.iter().find(|own| own.named.name == syntax);
        own.unwrap_or(&self.syntaxes[0]).style
    }

    /// The most levels of splits that a routine has whose method is open: those that are proved in seconds.
    pub fn unasked_levels(&self, words: usize) -> usize {
        self.proved_soon.iter().find(|(most, _)| words <= *most).map_or(0, |(_, levels)| *levels)
    }
}

/// Syntaxes that are dialects as data.
pub(super) fn syntaxes<S: 'static>(dialects: &[&'static Dialect<S>]) -> Vec<Syntax> {
    let syntax = |own: &&'static Dialect<S>| {
        let comment = if own.block_comments { Comment::Block } else { Comment::Lines(own.comment) };
        Syntax {
            named: Named { name: own.name, summary: own.summary },
            style: FileStyle { extension: own.extension, comment },
        }
    };
    dialects.iter().map(syntax).collect()
}
