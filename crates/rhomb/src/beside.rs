//! One routine on several cores, for people: a table with a line for each core.

use crate::generate::Measurement;
use crate::report::{Report, rests_on};
use crate::style::{NAME, QUIET, of_time};
use crate::summary;
use std::collections::BTreeSet;

const HEADINGS: [&str; 7] = ["target", "function", "body", "code", "stack", "time", "method"];
/// What is aligned on its right.
const NUMBERS: std::ops::Range<usize> = 1..5;

/// Figures of several cores below each other, with line ends and terminal styles (which the printer strips where they
/// are not wanted).
pub fn beside(measured: &[Measurement]) -> String {
    let cells: Vec<[String; 7]> = measured.iter().map(|one| cells(&one.report)).collect();
    let width = |column: usize| {
        let lengths = cells.iter().map(|cells| cells[column].chars().count());
        lengths.chain([HEADINGS[column].len()]).max().unwrap_or(0)
    };
    let aligned = |column: usize, text: &str| {
        let width = width(column);
        if NUMBERS.contains(&column) { format!("{text:>width$}") } else { format!("{text:width$}") }
    };
    let title = measured.first().map(|one| {
        let Report { operation, bits, .. } = one.report;
        format!("{NAME}{}{NAME:#}: {bits}-bit {}", one.name, crate::contract::noun(operation))
    });
    let heading = (0..HEADINGS.len()).map(|column| aligned(column, HEADINGS[column])).collect::<Vec<_>>();
    let mut lines =
        vec![title.unwrap_or_default(), String::new(), format!("  {}", heading.join("  ").trim_end())];
    for (one, cells) in measured.iter().zip(&cells) {
        let time = of_time(one.report.constant_time);
        let styled = |column: usize| {
            let text = aligned(column, &cells[column]);
            match column {
                1 | 2 => format!("{NAME}{text}{NAME:#}"),
                5 => format!("{time}{text}{time:#}"),
                _ => text,
            }
        };
        let line = (0..HEADINGS.len()).map(styled).collect::<Vec<_>>().join("  ");
        lines.push(format!("  {}", line.trim_end()));
    }
    let meaning =
        "function and body in cycles, code and stack in bytes; function is all but the caller's call";
    lines.push(format!("  {QUIET}{meaning}{QUIET:#}"));
    let about: BTreeSet<&str> = measured.iter().filter_map(|one| one.report.cycles.about).collect();
    lines.extend(about.into_iter().map(|about| format!("  {QUIET}{}{QUIET:#}", rests_on(about))));
    lines.join("\n") + "\n"
}

fn cells(report: &Report) -> [String; 7] {
    [
        report.target.to_owned(),
        report.cycles.function_text(),
        report.cycles.body_text(),
        report.code_bytes.to_string(),
        report.stack_bytes.to_string(),
        report.constant_time.name().to_owned(),
        summary::method(report).unwrap_or_default(),
    ]
}
