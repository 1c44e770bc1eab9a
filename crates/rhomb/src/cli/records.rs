//! `records`.

use super::arguments::{Records, TableFormat};
use super::{Settings, print, progress};
use rhomb::{Error, RecordsRequest};

pub(super) fn records(arguments: &Records, settings: &Settings) -> Result<(), Error> {
    let records = progress::during(settings, "measuring", |work| {
        rhomb::records(&RecordsRequest {
            operation: arguments.operation.clone(),
            bits: arguments.bits,
            targets: arguments.target.clone(),
            programs: arguments.programs,
            work,
        })
    })?;
    print(&match arguments.format {
        TableFormat::Text => records.text(),
        TableFormat::Json => records.json(),
        TableFormat::Markdown => records.markdown(),
        TableFormat::Csv => records.csv(),
    })
}
