//! `records`: the table of `docs/records.md`. After a change that is meant, `RHOMB_TABLES=overwrite cargo test -p rhomb --test all
//! the_table_of_records` brings it up to date; with beginnings of names of cores in place of `overwrite`, the rows of these.

use rhomb::RecordsRequest;
use rhomb_papers::records::{Record, records};
use std::path::Path;

/// The rows of a record, as printed.
fn rows(record: &Record) -> Vec<String> {
    let request = RecordsRequest {
        operation: Some(record.operation.to_owned()),
        bits: Some(record.bits),
        targets: vec![record.core.to_owned()],
        ..RecordsRequest::default()
    };
    let table = rhomb::records(&request).unwrap().markdown();
    table.lines().filter(|row| is_of(row, record)).map(str::to_owned).collect()
}

/// Whether a row of the table is of this record.
fn is_of(row: &str, record: &Record) -> bool {
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    cells.len() > 4
        && cells[1] == record.core
        && cells[2].split(',').next() == Some(record.operation)
        && cells[3] == record.field.unwrap_or_default()
        && cells[4] == record.bits.to_string()
}

#[test]
fn the_table_of_records() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/records.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let start = page.find("| core |").expect("a table");
    let end = page[start..].find("\n\n").map_or(page.len(), |length| start + length + 1);
    let rewritten = std::env::var("RHOMB_TABLES").ok();
    // a part of the rows by turns
    let every = rhomb_oracles::sample(45, 1);
    let mut table: String = page[start..end].lines().take(2).map(|line| format!("{line}\n")).collect();
    for (at, record) in records().iter().enumerate() {
        let old: Vec<&str> = page[start..end].lines().filter(|row| is_of(row, record)).collect();
        let is_made = match rewritten.as_deref() {
            None => at % every == 0,
            Some(cores) => cores == "overwrite" || cores.split(',').any(|own| record.core.starts_with(own)),
        };
        let own = if is_made { rows(record) } else { old.into_iter().map(str::to_owned).collect() };
        assert_eq!(own.len(), record.figures.len(), "{} {} {}", record.core, record.operation, record.bits);
        table.extend(own.into_iter().map(|row| row + "\n"));
    }
    if rewritten.is_some() {
        std::fs::write(&path, [&page[..start], &table, &page[end..]].concat()).unwrap();
    } else {
        assert_eq!(&page[start..end], table);
    }
}

#[test]
fn all_formats_have_the_same_figures() {
    let request = RecordsRequest {
        operation: Some("sqr".to_owned()),
        bits: Some(192),
        targets: vec!["atmega328p".to_owned()],
        ..RecordsRequest::default()
    };
    let found = rhomb::records(&request).unwrap();
    let data: serde_json::Value = serde_json::from_str(&found.json()).unwrap();
    let one = &data[0];
    assert_eq!(data.as_array().unwrap().len(), 1);
    assert_eq!(
        (&one["core"], &one["operation"], &one["public"]),
        (&"atmega128".into(), &"sqr".into(), &1925.into())
    );
    assert_eq!(
        (&one["standing"], &one["verdict"], &one["field"]),
        (&"right".into(), &"ahead".into(), &().into())
    );
    let ours = one["ours"].to_string();
    let line = found.csv().lines().nth(1).unwrap().to_owned();
    assert!(line.starts_with(&format!("atmega128,sqr,,192,1925,right,{ours},ahead by ")), "{line}");
    assert!(found.markdown().contains(&format!("| 1925 | right | {ours} | ahead by ")));
    assert!(found.text().contains("ahead of 1, level with 0, behind 0, 0 not made"));
}
