//! `reproduce`.

use super::arguments::{Reproduce, TableFormat};
use super::{print, progress};
use rhomb::Error;

pub(super) fn reproduce(arguments: &Reproduce) -> Result<(), Error> {
    let reproduction = progress::counted("counting and measuring", |told| {
        rhomb::reproduce(&arguments.paper, arguments.table.as_deref(), told)
    })?;
    print(&match arguments.format {
        TableFormat::Text => reproduction.text(),
        TableFormat::Json => reproduction.json(),
        TableFormat::Markdown => reproduction.markdown(),
        TableFormat::Csv => reproduction.csv(),
    })
}
