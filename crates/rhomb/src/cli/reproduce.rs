//! `reproduce`.

use super::arguments::{Reproduce, TableFormat};
use super::{Settings, print, progress};
use rhomb::Error;

pub(super) fn reproduce(arguments: &Reproduce, settings: &Settings) -> Result<(), Error> {
    let reproduction = progress::during(settings, "counting and measuring", |work| {
        rhomb::reproduce(&arguments.paper, arguments.table.as_deref(), &work)
    })?;
    print(&match arguments.format {
        TableFormat::Text => reproduction.text(),
        TableFormat::Json => reproduction.json(),
        TableFormat::Markdown => reproduction.markdown(),
        TableFormat::Csv => reproduction.csv(),
    })
}
