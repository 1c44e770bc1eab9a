//! Counting and measuring for all cells, each schedule and each program once, on all threads.

use super::count::count;
use super::{fields, modular, parameters};
use crate::error::{Error, Kind};
use crate::generate::measure;
use crate::report::Report;
use crate::request::Request;
use crate::targets;
use crate::work::Work;
use rhomb_kernel::{Form, Operation};
use rhomb_papers::tables::{Count, FieldRun, ModularRun, Ours, Program, Quantity, Table, Way};
use std::collections::{HashMap, HashSet};

/// What was found for a cell.
pub(super) struct Found {
    pub(super) value: Option<i64>,
    /// What to know about it; may be empty.
    pub(super) note: String,
}

/// All that was counted and measured.
pub(super) struct Runs {
    counts: HashMap<(Way, Count), Option<i64>>,
    programs: HashMap<Program, Result<Report, Error>>,
    fields: HashMap<FieldRun, Option<i64>>,
    modular: HashMap<ModularRun, i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Job {
    Count(Way, Count),
    Program(Program),
    Field(FieldRun),
    Modular(ModularRun),
}

enum Outcome {
    Count(Option<i64>),
    Program(Box<Result<Report, Error>>),
    Field(Box<Result<Option<i64>, Error>>),
    Modular(Box<Result<i64, Error>>),
}

impl Runs {
    /// Counts and measures what the cells of `tables` ask for.
    pub(super) fn of(tables: &[Table], told: &Work) -> Result<Runs, Error> {
        let mut runs = Runs {
            counts: HashMap::new(),
            programs: HashMap::new(),
            fields: HashMap::new(),
            modular: HashMap::new(),
        };
        let jobs = jobs(tables);
        let outcomes = told.each("counting and measuring", &jobs, run);
        for (job, outcome) in jobs.into_iter().zip(outcomes) {
            match (job, outcome) {
                (Job::Count(way, what), Outcome::Count(value)) => {
                    runs.counts.insert((way, what), value);
                }
                (Job::Program(program), Outcome::Program(outcome)) => match *outcome {
                    Err(error) if error.kind == Kind::Evidence => return Err(error),
                    outcome => {
                        runs.programs.insert(program, outcome);
                    }
                },
                (Job::Field(run), Outcome::Field(outcome)) => {
                    runs.fields.insert(run, (*outcome)?);
                }
                (Job::Modular(run), Outcome::Modular(outcome)) => {
                    runs.modular.insert(run, (*outcome)?);
                }
                (Job::Count(..) | Job::Program(_) | Job::Field(_) | Job::Modular(_), _) => {}
            }
        }
        Ok(runs)
    }

    /// A count.
    pub(super) fn counted(&self, way: &Way, what: Count) -> Option<i64> {
        self.counts.get(&(way.clone(), what)).copied().flatten()
    }

    /// Cycles of field arithmetic.
    pub(super) fn of_field(&self, run: &FieldRun) -> Option<i64> {
        self.fields.get(run).copied().flatten()
    }

    /// Cycles of modular arithmetic.
    pub(super) fn of_modular(&self, run: &ModularRun) -> Option<i64> {
        self.modular.get(run).copied()
    }

    /// Something about a program, or why there is none.
    pub(super) fn measured(&self, program: &Program, what: Quantity) -> Found {
        match self.programs.get(program) {
            Some(Ok(report)) => Found { value: value(report, what), note: remark(program, report) },
            _ if program.looped => {
                Found { value: None, note: format!("unknown: {} has no looped form", program.way.method) }
            }
            Some(Err(error)) => {
                let fault = error.fault.split("; valid").next().unwrap_or_default();
                Found { value: None, note: format!("not measured: {fault}") }
            }
            None => Found { value: None, note: String::new() },
        }
    }
}

/// What the cells ask for, each once, in the order of the cells.
fn jobs(tables: &[Table]) -> Vec<Job> {
    let mut seen = HashSet::new();
    let cells = tables.iter().flat_map(|table| &table.cells);
    let jobs = |ours: &Ours| match ours {
        Ours::Nothing(_) => Vec::new(),
        Ours::Count(way, what) => vec![Job::Count(way.clone(), *what)],
        Ours::Program(program, _) => vec![Job::Program(program.clone())],
        Ours::Field(run) => vec![Job::Field(*run)],
        Ours::Modular(run) => vec![Job::Modular(*run)],
        Ours::ModularRatio(one, two) => vec![Job::Modular(*one), Job::Modular(*two)],
    };
    cells.flat_map(|cell| jobs(&cell.ours)).filter(|job| seen.insert(job.clone())).collect()
}

/// Does a job.
fn run(job: &Job) -> Outcome {
    match job {
        Job::Count(way, what) => Outcome::Count(count(way, *what)),
        Job::Modular(run) => Outcome::Modular(Box::new(modular::cycles(run))),
        Job::Field(run) => Outcome::Field(Box::new(fields::cycles(run))),
        Job::Program(program) => {
            Outcome::Program(Box::new(measure(&request(program)).map(|measured| measured.report)))
        }
    }
}

fn request(program: &Program) -> Request {
    let Program { way, bits, target, looped, accumulation } = program;
    let form = if *looped { Form::Looped } else { Form::Unrolled };
    Request {
        operation: Operation::Mul.name().to_owned(),
        bits: *bits as usize,
        target: (*target).to_owned(),
        method: Some(way.method.to_owned()),
        parameters: parameters(way),
        form: Some(form.name().to_owned()),
        accumulation: accumulation.map(str::to_owned),
        ..Request::default()
    }
}

fn value(report: &Report, what: Quantity) -> Option<i64> {
    let value = match what {
        Quantity::Cycles => report.cycles.body,
        Quantity::Bytes => report.code_bytes as u64,
        Quantity::Load => report.instructions.load,
        Quantity::Store => report.instructions.store,
        Quantity::Multiply => report.instructions.multiply,
        Quantity::Add => report.instructions.add,
        Quantity::Other => report.instructions.other,
    };
    i64::try_from(value).ok()
}

/// What to know about a routine.
fn remark(program: &Program, report: &Report) -> String {
    let mut notes = Vec::new();
    if program.looped {
        notes.push(format!("measured with {}", report.settings().join(", ")));
    }
    let room = targets::find(report.target).map_or(u64::MAX, |target| target.description().flash_bytes);
    if report.code_bytes as u64 > room {
        notes.push(format!("measured code is larger than the program memory of {}", report.target));
    }
    notes.join("; ")
}
