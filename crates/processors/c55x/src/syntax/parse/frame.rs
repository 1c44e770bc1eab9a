//! What stands around instructions: columns, comments, labels and directives.
//!
//! Source: SPRU280, sections Source Statement Format, Symbols, Constants, and chapter Assembler Directives. That a
//! backslash joins lines stands in the manuals of TI's later assemblers.

use super::super::is_reserved;
use super::{ParseError, shown};
use std::collections::HashMap;

/// The directives that are read.
const VALID: &str = ".align, .def, .end, .global, .mmregs, .sect, .text";
/// Characters of a line that the assembler reads.
const COLUMNS: usize = 200;

/// A text without its frame.
#[derive(Default)]
pub(super) struct Frame<'t> {
    /// Labels with the number of the statement that follows.
    pub(super) labels: HashMap<String, u32>,
    /// The first symbol that others see, without its underscore.
    pub(super) name: Option<String>,
    /// Statements with their lines.
    pub(super) statements: Vec<(usize, &'t str)>,
}

pub(super) fn frame(text: &str, is_file: bool) -> Result<Frame<'_>, ParseError> {
    let mut frame = Frame::default();
    let mut public: Vec<(usize, &str)> = Vec::new();
    let mut section = ".text";
    // that of the first label or instruction
    let mut code: Option<&str> = None;
    let mut is_over = false;
    for (number, raw) in (1..).zip(text.lines()) {
        let error = |fault: String| ParseError { line: number, fault };
        if raw.trim_end().ends_with('\\') {
            return Err(error("a backslash at the end may join two lines".to_owned()));
        }
        if raw.starts_with('*') {
            continue;
        }
        let before = raw.split(';').next().unwrap_or_default();
        let mut rest = before.trim();
        if rest.is_empty() {
            continue;
        }
        if is_over {
            return Err(error("text behind .end, which the assembler leaves unread".to_owned()));
        }
        if before.trim_end().chars().count() > COLUMNS {
            return Err(error(format!(
                "more than {COLUMNS} characters, of which the assembler reads no more"
            )));
        }
        let is_label = rest.split_once(':').filter(|(name, after)| is_name(name) && !after.starts_with(':'));
        let in_front = !raw.starts_with([' ', '\t']);
        if is_file && in_front != is_label.is_some() {
            let valid = "valid: labels with their colon in the first column, all else behind blanks";
            return Err(error(format!("'{}' stands in the wrong column; {valid}", shown(rest))));
        }
        let directive = is_label.map_or(rest, |(_, after)| after.trim()).strip_prefix('.');
        if is_label.is_some() || directive.is_none() {
            let code = code.get_or_insert(section);
            if *code != section {
                let both = format!("'{}' and '{}'", shown(code), shown(section));
                return Err(error(format!("code in two sections, {both}; valid: one")));
            }
        }
        if let Some((label, after)) = is_label {
            if is_reserved(label) {
                return Err(error(format!("label '{}' is a register's name", shown(label))));
            }
            if frame.labels.insert(label.to_owned(), frame.statements.len() as u32).is_some() {
                return Err(error(format!("label '{}' is there twice", shown(label))));
            }
            rest = after.trim();
        }
        if rest.is_empty() {
            continue;
        }
        if directive.is_none() {
            if rest.starts_with("||") {
                let what = "'||' in front of a line; valid: both instructions in one line, '||' between them";
                return Err(error(what.to_owned()));
            }
            frame.statements.push((number, rest));
            continue;
        }
        let (directive, operands) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
        let operands = operands.trim();
        let bad = || error(format!("{directive} does not take '{}'", shown(operands)));
        match directive {
            ".def" | ".global" => {
                let symbols: Vec<&str> = operands.split(',').map(str::trim).collect();
                if !symbols.iter().all(|symbol| is_name(symbol)) {
                    return Err(bad());
                }
                public.extend(symbols.into_iter().map(|symbol| (number, symbol)));
            }
            ".text" | ".mmregs" | ".end" if !operands.is_empty() => return Err(bad()),
            ".text" => section = ".text",
            ".mmregs" => {}
            ".end" => is_over = true,
            ".sect" => {
                let name = operands.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
                section = name.filter(|name| !name.contains('"')).ok_or_else(bad)?;
            }
            ".align" if code.is_none() => {
                if !operands.bytes().all(|digit| digit.is_ascii_digit()) {
                    return Err(bad());
                }
            }
            ".align" => {
                return Err(error(".align fills up among instructions; valid: in front of them".to_owned()));
            }
            _ => {
                let what = format!("directive '{}' is not read; valid: {VALID}", shown(directive));
                return Err(error(what));
            }
        }
    }
    for (line, symbol) in &public {
        let error = |fault: String| ParseError { line: *line, fault };
        let symbol_line = frame.labels.get(*symbol);
        let symbol_line =
            symbol_line.ok_or_else(|| error(format!("symbol '{}' is nowhere", shown(symbol))))?;
        if frame.name.is_none() {
            if *symbol_line != 0 {
                let what = format!(
                    "instructions in front of '{}', the first symbol named; valid: behind it",
                    shown(symbol)
                );
                return Err(error(what));
            }
            frame.name = Some(symbol.strip_prefix('_').unwrap_or(symbol).to_owned());
        }
    }
    Ok(frame)
}

/// Whether this may be a symbol; those with a dollar in front are labels of a part of the file.
fn is_name(name: &str) -> bool {
    let known = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$';
    let first = |letter: char| letter.is_ascii_digit() || letter == '$';
    !name.is_empty() && name.chars().all(known) && !name.starts_with(first)
}
