//! `help`: of commands, and the documents, which are part of the program.

use super::arguments::Arguments;
use super::print;
use clap::CommandFactory;
use rhomb::Error;

/// The documents by topic.
const DOCUMENTS: &[(&str, &str)] = &[
    ("avr", include_str!("../../docs/avr.md")),
    ("arm", include_str!("../../docs/arm.md")),
    ("mips32", include_str!("../../docs/mips32.md")),
    ("riscv", include_str!("../../docs/riscv.md")),
    ("c55x", include_str!("../../docs/c55x.md")),
    ("methods", include_str!("../../docs/methods.md")),
    ("conventions", include_str!("../../docs/conventions.md")),
    ("proofs", include_str!("../../docs/verify.md")),
    ("command-line", include_str!("../../docs/command-line.md")),
    ("json", include_str!("../../docs/json.md")),
    ("contracts", include_str!("../../docs/contracts.md")),
    ("soundness", include_str!("../../docs/soundness.md")),
    ("fields", include_str!("../../docs/fields.md")),
    ("programs", include_str!("../../docs/programs.md")),
    ("extensions", include_str!("../../docs/instruction-set-extensions.md")),
];

/// What is said to somebody who types the name of the program alone.
pub(super) fn short() -> Result<(), Error> {
    let mut command = Arguments::command();
    print(&command.render_help().ansi().to_string())
}

/// The help of the program, of a command, or a document.
pub(super) fn help(topic: Option<&str>) -> Result<(), Error> {
    let mut command = Arguments::command();
    command.build();
    let Some(topic) = topic else {
        let topics: Vec<&str> = DOCUMENTS.iter().map(|(name, _)| *name).collect();
        let help = command.render_long_help().ansi().to_string();
        return print(&format!(
            "{}\n\nDocuments: rhomb help TOPIC\n  {}\n",
            help.trim_end(),
            topics.join(", ")
        ));
    };
    if let Some(own) = command.find_subcommand_mut(topic) {
        return print(&own.render_long_help().ansi().to_string());
    }
    if let Some((_, text)) = DOCUMENTS.iter().find(|(name, _)| *name == topic) {
        return print(text);
    }
    let commands = command.get_subcommands().filter(|own| !own.is_hide_set()).map(clap::Command::get_name);
    let valid: Vec<&str> = commands.chain(DOCUMENTS.iter().map(|(name, _)| *name)).collect();
    Err(Error::unknown("topic", topic, &valid, "`rhomb help` lists the commands and documents"))
}
