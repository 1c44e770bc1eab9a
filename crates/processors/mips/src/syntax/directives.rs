//! Directives: what they say about the instructions, or that they say nothing about them.
//!
//! Source: GNU as manual, chapters Assembler Directives and MIPS Dependent Features.

use super::words::{is_symbol, register, whole};
use rhomb_machine::syntax::shown;

/// What is accepted, for messages.
const VALID: &str = ".align, .balign, .end, .ent, .file, .fmask, .frame, .global, .globl, .gnu_attribute, .ident, \
                     .insn, .mask, .module, .nan, .p2align, .previous, .section, .set, .size, .text, .type, .word";

/// Options of `.set` that change nothing where no instruction is made of several.
const SETTINGS: [&str; 9] =
    ["at", "noat", "macro", "nomacro", "nomips16", "nomicromips", "smartmips", "mips32", "mips32r2"];

/// Where in a file the reader is.
#[derive(Debug)]
pub(super) struct Reader {
    /// Whether the assembler leaves instructions where they stand; those that were put aside by `.set push`.
    noreorder: bool,
    pushed: Vec<bool>,
    section: String,
    previous: Option<String>,
    /// The section that has the instructions.
    code: Option<String>,
    /// The function that `.ent` names, up to its `.end`.
    function: Option<String>,
    /// Whether there was a `.set`, and a `.file`.
    is_set: bool,
    is_named: bool,
}

/// What a directive does to the instructions.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Nothing.
    Nothing,
    /// It makes symbols public.
    Public(Vec<String>),
    /// It tells the size of a function, which must be there.
    Sized(String),
    /// It is an instruction, as a word.
    Word(u32),
}

impl Reader {
    /// The start of a file; `noreorder` of lines that are not in one.
    pub(super) fn start(noreorder: bool) -> Reader {
        let (section, pushed) = (".text".to_owned(), Vec::new());
        Reader {
            noreorder,
            pushed,
            section,
            previous: None,
            code: None,
            function: None,
            is_set: false,
            is_named: false,
        }
    }

    /// An instruction or a label stands here.
    pub(super) fn enter(&mut self) -> Result<(), String> {
        let section = &self.section;
        if section != ".text" && !section.starts_with(".text.") {
            let valid = "valid: .text, or a name that begins with .text and a dot";
            return Err(format!("code in section {}; {valid}", shown(section)));
        }
        let code = self.code.get_or_insert_with(|| section.clone());
        if code != section {
            let both = format!("{} and {}", shown(code), shown(section));
            return Err(format!(
                "code in two sections, {both}, which the linker may put anywhere; valid: one"
            ));
        }
        Ok(())
    }

    /// An instruction stands here.
    pub(super) fn instruction(&mut self) -> Result<(), String> {
        self.enter()?;
        if self.noreorder {
            return Ok(());
        }
        Err("an instruction under .set reorder, where the assembler may move it or put others beside it; valid: \
             .set noreorder in front"
            .to_owned())
    }

    /// A directive by its name, in lower case.
    pub(super) fn directive(&mut self, name: &str, operands: &str) -> Result<Meaning, String> {
        let bad = || format!("{} does not take {}", shown(name), shown(operands));
        let list: Vec<&str> = match operands {
            "" => Vec::new(),
            operands => operands.split(',').map(str::trim).collect(),
        };
        if name == ".ident" {
            return is_string(operands).then_some(Meaning::Nothing).ok_or_else(bad);
        }
        let all = |of: fn(&str) -> bool| list.iter().all(|operand| of(operand));
        let is_number = |text: &str| whole(text).is_some();
        let is_register = |text: &str| register(text).is_some();
        let is_there = self.code.as_ref() == Some(&self.section);
        let is_known = match (name, list.as_slice()) {
            (".globl" | ".global", [_, ..]) if all(is_symbol) => {
                return Ok(Meaning::Public(list.iter().map(|&symbol| symbol.to_owned()).collect()));
            }
            (".word", [value]) => {
                self.instruction()?;
                let value = whole(value).and_then(|value| u32::try_from(value).ok());
                return value.map(Meaning::Word).ok_or_else(|| format!("{} is no word", shown(operands)));
            }
            (".weak", _) => {
                let fault = "a weak symbol, in whose place the linker may put another file's; valid: .globl";
                return Err(fault.to_owned());
            }
            (".type", [symbol, "@function"]) => is_symbol(symbol),
            (".size", [symbol, size]) => {
                let size: String = size.split(' ').collect();
                if is_there && is_symbol(symbol) && size.strip_prefix(".-") == Some(symbol) {
                    return Ok(Meaning::Sized((*symbol).to_owned()));
                }
                false
            }
            (".ent", [symbol]) if self.function.is_none() => {
                self.function = Some((*symbol).to_owned());
                is_symbol(symbol)
            }
            (".end", [symbol]) if is_there && self.function.as_deref() == Some(symbol) => {
                return Ok(self.function.take().map_or(Meaning::Nothing, Meaning::Sized));
            }
            (".frame" | ".mask" | ".fmask", _) if self.function.is_none() => {
                return Err(format!("{} stands outside of .ent and .end", shown(name)));
            }
            (".frame", [frame, size, back]) => is_register(frame) && is_number(size) && is_register(back),
            (".mask" | ".fmask", [_, _]) | (".gnu_attribute", [_, _]) => all(|text| whole(text).is_some()),
            (".insn", []) => true,
            (".file", [name]) => {
                let (number, name) = name.split_once(' ').unwrap_or(("1", name));
                let is_first = !std::mem::replace(&mut self.is_named, true);
                is_first && number == "1" && is_string(name.trim())
            }
            (".nan", ["legacy"]) => true,
            (".module", [option]) => {
                let known = ["fp=xx", "fp=32", "oddspreg", "nooddspreg", "softfloat", "hardfloat"];
                self.code.is_none() && !self.is_set && known.contains(option)
            }
            (".align" | ".p2align" | ".balign", [amount]) => {
                let bytes = match whole(amount) {
                    Some(bytes @ (0 | 1 | 2 | 4 | 8 | 16 | 32)) if name == ".balign" => bytes,
                    Some(power @ 0..=5) if name != ".balign" => 1 << power,
                    _ => return Err(bad()),
                };
                if bytes > 4 && self.code.is_some() {
                    let valid = "valid: .align 2, or in front of the first instruction";
                    return Err(format!("'{name} {amount}' fills up with instructions; {valid}"));
                }
                true
            }
            (".set", [option]) => return self.set(option).map(|()| Meaning::Nothing),
            (".text", []) => {
                self.go(".text");
                true
            }
            (".section", [section, attributes @ ..]) => {
                let is_code = section.starts_with(".text");
                let known = match attributes {
                    [] => true,
                    ["\"ax\""] | ["\"ax\"", "@progbits"] => true,
                    ["\"\"" | "\"a\"" | "\"aw\""] | ["\"\"" | "\"a\"" | "\"aw\"", "@progbits"] => !is_code,
                    _ => false,
                };
                if !known || !section.starts_with('.') || !is_symbol(&section.replace('-', "_")) {
                    return Err(bad());
                }
                self.go(section);
                true
            }
            (".previous", []) => match self.previous.take() {
                Some(previous) => {
                    self.go(&previous);
                    true
                }
                None => false,
            },
            _ => {
                let names = VALID.split(", ").any(|known| known == name);
                let fault = format!("{} is no directive that is read; valid: {VALID}", shown(name));
                return Err(if names { bad() } else { fault });
            }
        };
        if is_known { Ok(Meaning::Nothing) } else { Err(bad()) }
    }

    fn go(&mut self, section: &str) {
        self.previous = Some(std::mem::replace(&mut self.section, section.to_owned()));
    }

    fn set(&mut self, option: &str) -> Result<(), String> {
        self.is_set = true;
        match option {
            "noreorder" => self.noreorder = true,
            "reorder" => self.noreorder = false,
            "nomacro" if !self.noreorder => {
                return Err("'.set nomacro' comes after '.set noreorder'".to_owned());
            }
            "push" => self.pushed.push(self.noreorder),
            "pop" => self.noreorder = self.pushed.pop().ok_or(".set pop without .set push")?,
            other if SETTINGS.contains(&other) => {}
            other => {
                let valid = SETTINGS.join(", ");
                return Err(format!(
                    "'.set {}' is not read; valid: noreorder, reorder, push, pop, {valid}",
                    other.escape_default()
                ));
            }
        }
        Ok(())
    }
}

fn is_string(text: &str) -> bool {
    text.len() > 1 && text.starts_with('"') && text.ends_with('"') && text.matches('"').count() == 2
}
