//! The argument parser's complaints in the form of ours: one line, and a hint.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use rhomb::Error;

/// The fault; `None` where the user asked for help or version, which are printed.
pub(super) fn of(error: clap::Error) -> Option<Error> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // nothing is left to do if even this cannot be printed
            let _ = error.print();
            return None;
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            let fault = "no command; valid: generate, verify, measure, tune, draw, certificate, reproduce, records, list, help";
            return Some(Error::request(fault, "rhomb generate mul --bits 160 --target atmega128"));
        }
        _ => {}
    }
    let text = error.render().to_string();
    // the message proper ends at the first empty line; lists in it stand on lines of their own
    let message = text.split("\n\n").next().unwrap_or_default();
    let mut fault = String::new();
    for line in message.lines().map(str::trim) {
        let line = line.strip_prefix("error: ").unwrap_or(line);
        match line.strip_prefix("[possible values: ").and_then(|line| line.strip_suffix(']')) {
            Some(values) => fault.push_str(&format!("; valid: {values}")),
            None if fault.is_empty() => fault.push_str(line),
            None => fault.push_str(&format!(" {line}")),
        }
    }
    let suggested =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue]
            .into_iter()
            .find_map(|kind| error.get(kind));
    let number = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) if error.kind() == ErrorKind::UnknownArgument => {
            word.parse::<u64>().ok().map(|number| format!("add --bits {number}"))
        }
        _ => None,
    };
    let hint = match suggested {
        _ if number.is_some() => number.unwrap_or_default(),
        Some(ContextValue::String(name)) => format!("did you mean '{name}'?"),
        Some(ContextValue::Strings(names)) if !names.is_empty() => {
            format!("did you mean '{}'?", names.join("' or '"))
        }
        _ => usage(&text),
    };
    Some(Error::request(fault.trim_end_matches(['.', ':']), hint))
}

fn usage(text: &str) -> String {
    let line = text.lines().find_map(|line| line.strip_prefix("Usage: "));
    match line {
        Some(line) => format!("usage: {line}"),
        None => "`rhomb help` lists the commands, `rhomb help generate` its options".to_owned(),
    }
}
