//! All mutants of all kernels, counted.

use super::explain::Explanation;
use super::families::{Kernel, kernels};
use super::judge::{EFFORT, Judgement, judge};
use super::mutants::{deleted, replaced};
use rhomb_avr::instructions::Instruction;
use rhomb_kernel::{Operation, method};
use rhomb_machine::Random;
use rhomb_oracles::{parallel, sample};
use rhomb_prove::prove_within;
use std::collections::BTreeMap;

/// Random replacements of each kernel: more of the methods and of Karatsuba.
fn replacements(kernel: &Kernel) -> usize {
    let main = kernel.family == "karatsuba" || method(Operation::Mul, &kernel.family).is_some();
    if main { 120 } else { 80 }
}

/// What happened to the mutants of a family.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) deleted: usize,
    pub(crate) replaced: usize,
    pub(crate) refuted: usize,
    pub(crate) stopped: usize,
    pub(crate) unknown: usize,
    pub(crate) proved: BTreeMap<Explanation, usize>,
    /// Whether a kernel itself is proved; otherwise its mutants are not looked at.
    pub(crate) open: bool,
}

struct Task<'k> {
    kernel: &'k Kernel,
    at: usize,
    code: Vec<Instruction>,
    deletion: bool,
}

fn tasks(kernel: &Kernel, times: usize) -> Vec<Task<'_>> {
    let deletions = (0..kernel.code.len()).map(|at| (at, deleted(&kernel.code, at), true));
    let seed = kernel
        .family
        .bytes()
        .fold(kernel.words as u64, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    while found.len() < times * replacements(kernel) {
        let (at, code) = replaced(&kernel.code, &mut random);
        if kernel.with(&code).is_some() {
            found.push((at, code, false));
        }
    }
    let all = deletions.chain(found);
    all.map(|(at, code, deletion)| Task { kernel, at, code, deletion }).collect()
}

/// The rows of all families, in the order of the kernels, with so many times the usual number of
/// replacements.
pub(crate) fn tally(wanted: impl Fn(&Kernel) -> bool, times: usize) -> Vec<(String, Row)> {
    let kernels: Vec<Kernel> = kernels().into_iter().filter(wanted).collect();
    let mut rows: Vec<(String, Row)> = Vec::new();
    let mut all = Vec::new();
    for kernel in &kernels {
        if rows.iter().all(|(family, _)| *family != kernel.family) {
            rows.push((kernel.family.clone(), Row::default()));
        }
        let function = kernel.with(&kernel.code).expect("a kernel");
        match prove_within(&function, &kernel.contract, EFFORT) {
            Ok(_) => all.extend(tasks(kernel, times).into_iter().step_by(sample(37, 1))),
            Err(_) => row_of(&mut rows, kernel).open = true,
        }
    }
    let judgements = parallel::each(&all, |task| judge(task.kernel, task.at, &task.code).expect("code"));
    for (task, judgement) in all.iter().zip(judgements) {
        let row = row_of(&mut rows, task.kernel);
        *if task.deletion { &mut row.deleted } else { &mut row.replaced } += 1;
        match judgement {
            Judgement::Proved(explanation) => *row.proved.entry(explanation).or_default() += 1,
            Judgement::Refuted => row.refuted += 1,
            Judgement::Stopped => row.stopped += 1,
            Judgement::Unknown => row.unknown += 1,
        }
    }
    rows
}

fn row_of<'r>(rows: &'r mut [(String, Row)], kernel: &Kernel) -> &'r mut Row {
    let row = rows.iter_mut().find(|(family, _)| *family == kernel.family);
    &mut row.expect("each family has a row").1
}

/// As a table.
pub(crate) fn table(rows: &[(String, Row)]) -> String {
    let mut text = format!(
        "{:26} {:>7} {:>8} {:>7} {:>7} {:>7} {:>6}  proved because\n",
        "kernels", "deleted", "replaced", "refuted", "stopped", "unknown", "proved"
    );
    for (family, row) in rows {
        if row.open {
            text += &format!("{family:26} not proved itself\n");
            continue;
        }
        let proved: usize = row.proved.values().sum();
        let why: Vec<String> = row.proved.iter().map(|(why, count)| format!("{count} {why:?}")).collect();
        text += &format!(
            "{family:26} {:7} {:8} {:7} {:7} {:7} {proved:6}  {}\n",
            row.deleted,
            row.replaced,
            row.refuted,
            row.stopped,
            row.unknown,
            why.join(", ")
        );
    }
    text
}
