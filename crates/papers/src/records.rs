//! The best public code for each operation, size and core, and what has fewer cycles but a fault.

use crate::{Figure, Scope, Status, Verdict, cores, data, figures, load};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What is known of code. The earlier it stands, the more it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Right for every input, without branches on what it computes.
    Proved,
    /// Right where it was run; nobody has proved it.
    Right,
    /// Right where it was run or even proved, but it branches on what it computes.
    Branches,
    /// Read in a paper, a page or a comment; not run.
    Claimed,
    /// Wrong for some operands.
    Wrong,
}

impl Standing {
    /// All of them.
    pub const ALL: [Standing; 5] =
        [Standing::Proved, Standing::Right, Standing::Branches, Standing::Claimed, Standing::Wrong];

    /// In tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Standing::Proved => "proved",
            Standing::Right => "right",
            Standing::Branches => "branches",
            Standing::Claimed => "claimed",
            Standing::Wrong => "wrong",
        }
    }

    /// Of a figure.
    pub fn of(figure: &Figure) -> Standing {
        match (figure.verdict, figure.status) {
            (Verdict::Refuted, _) => Standing::Wrong,
            (_, Status::Published | Status::Formula | Status::Claimed) => Standing::Claimed,
            _ if figure.branches => Standing::Branches,
            (Verdict::Proved, _) => Standing::Proved,
            (Verdict::NotVerified, _) => Standing::Right,
        }
    }
}

/// What is known for one operation of one size on one core.
#[derive(Clone, Debug)]
pub struct Record {
    /// The core on which what is ours is measured.
    pub core: &'static str,
    /// Whether loads are counted as paired.
    pub paired: bool,
    /// Such as `mul`.
    pub operation: &'static str,
    /// The modulus, polynomial or curve.
    pub field: Option<&'static str>,
    /// Size of each operand.
    pub bits: u32,
    /// What the cycles include.
    pub scope: Scope,
    /// The best of what is worth most, and then what has fewer cycles but is worth less.
    pub figures: Vec<&'static Figure>,
}

impl Record {
    /// Whether it holds for `core`, on which the family's functions take as long.
    pub fn holds_for(&self, core: &str) -> bool {
        self.core == core || self.figures.iter().any(|figure| cores::holds(figure, core))
    }
}

/// Figures for `records` alone.
static PEERS: LazyLock<Vec<Figure>> =
    LazyLock::new(|| load::figures(data::text!("peers")).expect("the tests load it"));

/// Operation, its place in a core's records before it, field and size.
type Subject = ((u8, &'static str), Option<&'static str>, u32);

/// Products and squares come first, and whole programs last.
fn place(operation: &str) -> u8 {
    match operation {
        "mul" => 0,
        "sqr" => 1,
        "x25519" | "ecdh" => 3,
        _ => 2,
    }
}

/// What a compiler makes of C is nobody's record.
fn is_by_hand(figure: &Figure) -> bool {
    let variant = figure.method.as_ref().and_then(|method| method.variant.as_deref());
    figure.status != Status::Formula && variant != Some("compiled")
}

/// All records: cores in the order of their families, then by operation, field and size. Where functions are known, what is
/// known of bodies alone is left out.
pub fn records() -> Vec<Record> {
    let mut records = Vec::new();
    for (family, core, paired) in cores::with_records() {
        let own = figures().iter().chain(PEERS.iter()).filter(|figure| figure.family == family);
        let mut subjects: BTreeMap<Subject, Vec<&'static Figure>> = BTreeMap::new();
        for figure in own.filter(|figure| is_by_hand(figure)) {
            let operation = figure.operation.as_str();
            let subject = ((place(operation), operation), figure.field.as_deref(), figure.bits);
            subjects.entry(subject).or_default().push(figure);
        }
        for (((_, operation), field, bits), all) in subjects {
            let functions = all.iter().any(|figure| figure.scope == Scope::Function);
            let scope = if functions { Scope::Function } else { Scope::Body };
            let figures = best(all.into_iter().filter(|figure| figure.scope == scope).collect());
            records.push(Record { core, paired, operation, field, bits, scope, figures });
        }
    }
    records
}

/// Of each standing the fewest cycles, unless something that is worth more has as few.
fn best(mut all: Vec<&'static Figure>) -> Vec<&'static Figure> {
    all.sort_by_key(|figure| (Standing::of(figure), figure.cycles));
    let mut kept: Vec<&'static Figure> = Vec::new();
    for figure in all {
        if kept.last().is_none_or(|last| figure.cycles < last.cycles) {
            kept.push(figure);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cycles and standings of a record.
    fn check(core: &str, operation: &str, field: Option<&str>, bits: u32, expected: &[(u64, Standing)]) {
        let records = records();
        let is_it = |record: &&Record| {
            (record.core, record.operation, record.field, record.bits) == (core, operation, field, bits)
        };
        let record = records.iter().find(is_it).expect("a record");
        let own = record.figures.iter().map(|figure| (figure.cycles, Standing::of(figure)));
        assert_eq!(own.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_is_worth_more_leads() {
        use Standing::{Branches, Claimed, Proved, Right, Wrong};
        check("atmega128", "mul", None, 256, &[(5042, Proved), (4877, Branches), (4588, Wrong)]);
        check("atmega128", "mul", None, 160, &[(2466, Right), (2057, Wrong)]);
        check("atmega128", "mul", None, 192, &[(3085, Right), (2942, Branches)]);
        check("atmega128", "mul", None, 512, &[(15408, Wrong)]);
        check("atmega128", "x25519", None, 255, &[(14_116_759, Right), (13_900_397, Claimed)]);
        check("cortex-m4", "montmul", Some("p256"), 256, &[(227, Right)]);
        check("cortex-m0plus", "mul", None, 256, &[(1282, Right)]);
    }

    #[test]
    fn nothing_is_a_record_twice() {
        let records = records();
        let mut seen = std::collections::HashSet::new();
        for Record { core, operation, field, bits, paired, figures, .. } in &records {
            assert!(seen.insert((core, operation, field, bits, paired)), "{core} {operation} {bits}");
            assert!(!figures.is_empty() && figures.is_sorted_by(|one, two| one.cycles > two.cycles));
        }
        assert!(records.len() > 120, "{}", records.len());
    }

    #[test]
    fn members_of_a_family_have_its_records() {
        let of = |core: &str| records().iter().filter(|record| record.holds_for(core)).count();
        assert_eq!(of("atmega328p"), of("atmega128"));
        assert_eq!(of("attiny85"), 0);
    }
}
