//! Records: the best public code for each operation, size and core, with what is known of it, and ours as measured now.

mod layout;

use crate::error::{Error, Kind};
use crate::generate::measure;
use crate::request::Request;
use crate::targets;
use crate::work::Work;
use rhomb_certificate::{Family, Operation};
use rhomb_papers::records::{Record, Standing};
use rhomb_papers::{Scope, Status};
use serde::Serialize;

/// Which records are asked for.
#[derive(Clone, Debug, Default)]
pub struct RecordsRequest {
    /// Such as `mul`; all when open.
    pub operation: Option<String>,
    /// All sizes when open.
    pub bits: Option<u32>,
    /// All cores when empty.
    pub targets: Vec<String>,
    /// Whether whole programs, which take seconds each, are measured where no operation is named.
    pub programs: bool,
    /// How the work is done.
    pub work: Work,
}

/// A figure of others with ours beside it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rated {
    /// The core on which ours is measured.
    pub core: &'static str,
    /// Such as `mul`.
    pub operation: &'static str,
    /// The modulus, polynomial or curve.
    pub field: Option<&'static str>,
    /// Size of each operand.
    pub bits: u32,
    /// What the cycles include.
    pub scope: Scope,
    /// Whether both are counted with loads paired.
    pub paired: bool,
    /// Cycles of others.
    pub public: u64,
    /// What is known of their code.
    pub standing: Standing,
    /// How their cycles are known.
    pub status: Status,
    /// Whose they are.
    pub source: &'static str,
    /// What a reader of them should know.
    pub note: Option<&'static str>,
    /// Whether no public code is worth more: the one to beat.
    pub leads: bool,
    /// Our cycles, measured in this run, in the slowest call; none where it is not made.
    pub ours: Option<u64>,
    /// Whether ours are about right, on a core whose times nobody promises.
    pub about: bool,
    /// How ours stand to theirs.
    pub verdict: Verdict,
}

/// How our cycles stand to those of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Ours are fewer.
    Ahead,
    /// As many.
    Level,
    /// Ours are more.
    Behind,
    /// It is not made here.
    NotMade,
}

/// The records.
pub struct Records {
    /// Core by core; behind what leads, what has fewer cycles but is worth less.
    pub rated: Vec<Rated>,
}

/// The records that are asked for, and ours.
///
/// # Errors
/// A request that names what has no records, or code of ours that fails its evidence.
pub fn records(request: &RecordsRequest) -> Result<Records, Error> {
    let all = rhomb_papers::records::records();
    let wanted = wanted(request, &all)?;
    let measured = request.work.each("measuring", &wanted, |record| ours(record));
    let mut rated = Vec::new();
    for (record, found) in wanted.into_iter().zip(measured) {
        let found = match found {
            Err(error) if error.kind == Kind::Evidence => return Err(error),
            found => found.ok(),
        };
        rated.extend(rate(record, found));
    }
    Ok(Records { rated })
}

/// What is asked for.
fn wanted<'a>(request: &RecordsRequest, all: &'a [Record]) -> Result<Vec<&'a Record>, Error> {
    let describe = "`rhomb records` prints all records";
    let mut wanted: Vec<&Record> = all.iter().collect();
    if let Some(operation) = &request.operation {
        if !all.iter().any(|record| record.operation == operation) {
            let mut names: Vec<&str> = all.iter().map(|record| record.operation).collect();
            names.sort_unstable();
            names.dedup();
            return Err(Error::unknown("operation with records", operation, &names, describe));
        }
        wanted.retain(|record| record.operation == operation);
    } else if !request.programs {
        wanted.retain(|record| !is_program(record));
    }
    if !request.targets.is_empty() {
        let names = request.targets.iter().map(|name| Ok(targets::find(name)?.name()));
        let names = names.collect::<Result<Vec<&str>, Error>>()?;
        wanted.retain(|record| names.iter().any(|name| record.holds_for(name)));
    }
    if let Some(bits) = request.bits {
        if !wanted.is_empty() && !wanted.iter().any(|record| record.bits == bits) {
            let mut sizes: Vec<u32> = wanted.iter().map(|record| record.bits).collect();
            sizes.sort_unstable();
            sizes.dedup();
            let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
            let fault = format!("no record for {bits} bits; valid: {}", sizes.join(", "));
            return Err(Error::request(fault, describe));
        }
        wanted.retain(|record| record.bits == bits);
    }
    if wanted.is_empty() {
        let mut cores: Vec<&str> = all.iter().map(|record| record.core).collect();
        cores.dedup();
        let fault = format!("no record for that core and operation; valid cores: {}", cores.join(", "));
        return Err(Error::request(fault, describe));
    }
    Ok(wanted)
}

fn is_program(record: &Record) -> bool {
    Operation::generated(record.operation).is_none()
}

/// Cycles of ours in the slowest call, and whether they are about right.
fn ours(record: &Record) -> Result<(u64, bool), Error> {
    let field = record.field.map(str::to_owned);
    let family = Operation::generated(record.operation).map(Operation::family);
    let mut request = Request {
        operation: record.operation.to_owned(),
        target: record.core.to_owned(),
        work: Work { jobs: std::num::NonZeroUsize::new(1), told: None },
        ..Request::default()
    };
    match (family, field) {
        (Some(Family::Modular), field) => request.modulus = field,
        (Some(Family::BinaryModular), field) => request.polynomial = field,
        (None, field) => request.curve = field,
        _ => request.bits = record.bits as usize,
    }
    let report = measure(&request)?.report;
    let cycles = &report.cycles;
    let counted = match (record.scope, record.paired) {
        (Scope::Function, true) => cycles.function_paired.unwrap_or(cycles.function_max),
        (Scope::Body, true) => cycles.body_paired.unwrap_or(cycles.body),
        (Scope::Function, false) => cycles.function_max,
        (Scope::Body, false) => cycles.body,
    };
    Ok((counted, cycles.about.is_some()))
}

/// Each of a record's figures with ours.
fn rate(record: &Record, found: Option<(u64, bool)>) -> impl Iterator<Item = Rated> + '_ {
    let one = move |(at, figure): (usize, &&'static rhomb_papers::Figure)| Rated {
        core: record.core,
        operation: record.operation,
        field: record.field,
        bits: record.bits,
        scope: record.scope,
        paired: record.paired,
        public: figure.cycles,
        standing: Standing::of(figure),
        status: figure.status,
        source: &figure.source,
        note: figure.note.as_deref(),
        leads: at == 0,
        ours: found.map(|(cycles, _)| cycles),
        about: found.is_some_and(|(_, about)| about),
        verdict: match found {
            None => Verdict::NotMade,
            Some((cycles, _)) if cycles < figure.cycles => Verdict::Ahead,
            Some((cycles, _)) if cycles == figure.cycles => Verdict::Level,
            Some(_) => Verdict::Behind,
        },
    };
    record.figures.iter().enumerate().map(one)
}

impl Rated {
    /// `ahead by 92 (4.5 %)`.
    pub fn verdict_text(&self) -> String {
        let Some(ours) = self.ours else { return "not made".to_owned() };
        let apart = self.public.abs_diff(ours);
        let percent = 100.0 * apart as f64 / self.public as f64;
        match self.verdict {
            Verdict::Ahead => format!("ahead by {apart} ({percent:.1} %)"),
            Verdict::Behind => format!("behind by {apart} ({percent:.1} %)"),
            Verdict::Level | Verdict::NotMade => "level".to_owned(),
        }
    }
}
