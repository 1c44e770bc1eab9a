//! `reproduce`.

use super::arguments::{PaperFormat, Reproduce};
use super::{Settings, print, progress};
use rhomb::Error;

pub(super) fn reproduce(arguments: &Reproduce, settings: &Settings) -> Result<(), Error> {
    let reproduction = progress::during(settings, "counting and measuring", |work| {
        rhomb::reproduce(&arguments.paper, arguments.table.as_deref(), &work)
    })?;
    print(&match arguments.format {
        PaperFormat::Text => reproduction.text(),
        PaperFormat::Grid => reproduction.grid(),
        PaperFormat::Json => reproduction.json(),
        PaperFormat::Markdown => reproduction.markdown(),
        PaperFormat::Csv => reproduction.csv(),
    })
}
