//! Completion scripts and manual pages, made from the definition of the arguments.

use super::arguments::Arguments;
use super::print;
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use rhomb::{Error, files};
use std::path::{Path, PathBuf};

pub(super) fn completions(shell: Shell) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "rhomb", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Prints the page of the program, or writes a page for each command.
pub(super) fn man(folder: Option<&Path>) -> Result<(), Error> {
    let mut command = Arguments::command();
    let Some(folder) = folder else { return print(&page(command)?) };
    command.build();
    let mut pages = vec![("rhomb.1".to_owned(), page(command.clone())?)];
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help" && !sub.is_hide_set()) {
        let name: &'static str = format!("rhomb-{}", sub.get_name()).leak();
        pages.push((format!("{name}.1"), page(sub.clone().name(name).display_name(name))?));
    }
    let contents: Vec<(PathBuf, &str)> =
        pages.iter().map(|(name, text)| (folder.join(name), text.as_str())).collect();
    files::write_all(&contents)?;
    for (path, _) in contents {
        print(&format!("{}\n", path.display()))?;
    }
    Ok(())
}

fn page(command: clap::Command) -> Result<String, Error> {
    let mut text = Vec::new();
    Man::new(command)
        .render(&mut text)
        .map_err(|error| Error::request(error, "this is a fault of rhomb; please report it"))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
