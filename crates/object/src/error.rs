use crate::Machine;
use std::fmt;

/// Why it is not this file that decides what a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Open {
    /// Its binding is weak.
    #[error("weak, so that the linker takes another file's where there is one")]
    Weak,
    /// A function that is chosen when the program starts.
    #[error("chosen when the program starts (IFUNC)")]
    Indirect,
    /// It stands in a section group, or a section for linking once.
    #[error("in a section of which the linker keeps one file's (COMDAT)")]
    Grouped,
    /// It stands in a section whose constants the linker merges with others.
    #[error("in a section whose constants the linker merges with those of other files")]
    Merged,
    /// MIPS16 or microMIPS code.
    #[error("MIPS16 or microMIPS code")]
    Compressed,
}

/// Why a file gives no code. Each message is one line, whatever characters the file's names have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObjectError {
    /// The bytes do not start as an ELF file does.
    #[error("not an ELF file: {found}; valid: an ELF relocatable (.o) or executable (.elf) file")]
    NotElf {
        /// What the bytes look like, and for known formats what to do about it.
        found: &'static str,
    },
    /// An ELF file of a type that holds no code to read, such as a core dump.
    #[error("ELF file of type {number}; valid: 1 (relocatable), 2 (executable), 3 (shared)")]
    FileType {
        /// `e_type` of the header.
        number: u16,
    },
    /// The file contradicts itself, is cut short, or has a feature that is not read.
    #[error("damaged or unsupported ELF file: {what}")]
    Damaged {
        /// The first fault found.
        what: String,
    },
    /// No symbol of that name.
    #[error("no function '{}' in the file; valid: {choices}", shown(name))]
    NoFunction {
        /// The name asked for.
        name: String,
        /// The functions that exist.
        choices: Choices,
    },
    /// The symbol is used by the file, but its code is in another one.
    #[error("'{}' is used but not defined in the file; valid: {choices}", shown(name))]
    Undefined {
        /// The name asked for.
        name: String,
        /// The functions that exist.
        choices: Choices,
    },
    /// The symbol names data or a constant.
    #[error("'{}' is no code; valid: {choices}", shown(name))]
    NotCode {
        /// The name asked for.
        name: String,
        /// The functions that exist.
        choices: Choices,
    },
    /// More than one function has that name, and none or several of them are global.
    #[error("'{}' names {count} different functions; valid: a name that is unique", shown(name))]
    Ambiguous {
        /// The name asked for.
        name: String,
        /// How many places it names.
        count: usize,
    },
    /// The symbol's code does not lie inside its section.
    #[error(
        "'{}' covers bytes {start} to {end} of section {}, which has {section_size}",
        shown(name),
        shown(section)
    )]
    OutsideSection {
        /// The function.
        name: String,
        /// Its section.
        section: String,
        /// First byte in the section; negative when the address is before the section.
        start: i128,
        /// The byte after the last.
        end: i128,
        /// Size of the section in bytes.
        section_size: usize,
    },
    /// The function has no bytes.
    #[error("function '{}' is empty", shown(name))]
    Empty {
        /// The function.
        name: String,
    },
    /// The symbol does not stand for code that can be read here.
    #[error("'{}' is {why}", shown(name))]
    Open {
        /// The function.
        name: String,
        /// What it is.
        why: Open,
    },
    /// 16-bit words were asked for, but the bytes do not divide into them.
    #[error("{} of '{}' is {value}, not a multiple of 2, so it is no sequence of 16-bit words", .what, shown(name))]
    Odd {
        /// The function or section.
        name: String,
        /// `size in bytes` or `offset in bytes`.
        what: &'static str,
        /// Its value.
        value: usize,
    },
    /// Little-endian words were asked for, but the file is big-endian.
    #[error("big-endian {machine} code; valid: little-endian")]
    BigEndian {
        /// The file's processor.
        machine: Machine,
    },
}

impl ObjectError {
    pub(crate) fn damaged(what: impl fmt::Display) -> Self {
        ObjectError::Damaged { what: what.to_string() }
    }
}

/// What kind of file the code is in; decides what addresses and relocations mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Before linking: addresses are offsets in a section, relocations are still to be applied.
    Relocatable,
    /// After linking: addresses are load addresses, relocations have been applied.
    Executable,
    /// The same, but a loader may move all of it together.
    Shared,
}

/// The names that would have been valid, for an error message.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Choices {
    /// At most five names, the most similar to the name asked for first.
    pub nearest: Vec<String>,
    /// How many valid names there are in all.
    pub total: usize,
}

/// Names listed in one message.
const LISTED: usize = 5;
/// Characters of a name that a message shows and that similarity looks at.
const SHOWN: usize = 60;

impl Choices {
    pub(crate) fn new<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Self {
        let wanted: String = wanted.chars().take(SHOWN).collect();
        let mut ranked: Vec<(usize, String)> = names
            .map(|name| {
                let start: String = name.chars().take(SHOWN).collect();
                (strsim::osa_distance(&wanted, &start), start)
            })
            .collect();
        ranked.sort();
        ranked.dedup();
        let total = ranked.len();
        ranked.truncate(LISTED);
        Choices { nearest: ranked.into_iter().map(|(_, name)| name).collect(), total }
    }
}

impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.nearest.is_empty() {
            return f.write_str("none, the file has no function symbols (stripped?)");
        }
        for (index, name) in self.nearest.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{}", shown(name))?;
        }
        match self.total - self.nearest.len().min(self.total) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// A name as a message can show it: no control characters, not endless.
pub fn shown(name: &str) -> String {
    let mut text: String = name.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if name.chars().nth(SHOWN).is_some() {
        text.push_str("...");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_few_and_nearest_first() {
        let names = ["sqr256", "mul256", "mul160", "mul192", "main", "mul1600", "sqr160"];
        let choices = Choices::new("mull160", names.into_iter());
        assert_eq!(choices.nearest[0], "mul160");
        assert_eq!(choices.nearest.len(), LISTED);
        assert!(choices.to_string().ends_with(" and 2 more"), "{choices}");
    }

    #[test]
    fn messages_stay_on_one_line() {
        let name = format!("a\nb\u{1b}[31m{}", "x".repeat(500));
        let choices = Choices::new(&name, [name.as_str()].into_iter());
        let message = ObjectError::NoFunction { name, choices }.to_string();
        assert!(!message.chars().any(char::is_control), "{message}");
        assert!(message.len() < 400, "{message}");
    }

    #[test]
    fn a_file_without_functions_says_so() {
        let choices = Choices::new("mul160", [].into_iter());
        assert!(choices.to_string().starts_with("none, "));
    }
}
