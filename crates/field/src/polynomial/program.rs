//! Products over GF(2) of more words than registers hold, and what is made of products: programs of calls. A product is split
//! into products of parts until these are combs ([`comb`]); what comes before and behind them is [`split`].

use super::comb::{self, Masks};
use super::split::Split;
use crate::program::{Composed, Place, Program, Routine, Step};
use rhomb_contract::{Binary, Contract, Expression, Operation};
use rhomb_line::Line;

/// Combs for words of so many bits, of which the fastest may differ from core to core.
pub(super) fn combs(words: usize, bits: u32) -> Vec<Line> {
    let by = |masks| comb::product(words, bits, masks);
    match bits {
        32.. => vec![by(Masks::Operands), by(Masks::Shifts)],
        16.. => vec![comb::by_columns(words), by(Masks::Carries)],
        _ => vec![by(Masks::Carries)],
    }
}

/// What reduces the product or square of an operation, if it is one.
fn reduction(binary: &Binary) -> Option<Contract> {
    let name = match binary.operation() {
        Operation::Gf2ModMul | Operation::Gf2ModSqr => "gf2modreduce",
        Operation::Gf2MontMul | Operation::Gf2MontSqr => "gf2montreduce",
        _ => return None,
    };
    format!("{name} {}", binary.modulus()?).parse().ok()
}

/// A product or square that is reduced then, where there is a routine for either; `None` of other operations.
pub fn separated(binary: &Binary, bits: u32) -> Option<Composed> {
    let words = binary.bits().div_ceil(bits) as usize;
    let (name, count) = match binary.operation().expression() {
        Expression::Square => ("gf2sqr", 1),
        _ => ("gf2mul", 2),
    };
    let product: Contract = format!("{name} {}", words * bits as usize).parse().ok()?;
    let (wide, operands) = (Place::Slot(0), (0..count).map(Place::Operand).collect());
    let steps = vec![
        Step::Call { routine: 0, to: wide, operands },
        Step::Call { routine: 1, to: Place::Result, operands: vec![wide] },
    ];
    let program = Program {
        slots: vec![2 * words],
        has_result: true,
        operands: count,
        routines: 2,
        steps,
        returned: None,
    };
    let routines = [product, reduction(binary)?].map(Routine::Kept).into();
    Some(Composed { method: "separated", program, routines })
}

/// The product of two operands, or one that is reduced then, where combs have so many words at most; `None` of other
/// operations, and of products that are a comb.
pub fn composed(binary: &Binary, bits: u32, most: usize) -> Option<Composed> {
    let words = binary.bits().div_ceil(bits) as usize;
    if binary.operation().expression() != Expression::Product {
        return None;
    }
    let reduction = reduction(binary);
    let plan = Plan::of(words, bits, most.max(1));
    let mut build = Build {
        plan: &plan,
        kinds: Vec::new(),
        own: Program {
            slots: vec![2 * words],
            has_result: true,
            operands: 2,
            routines: 0,
            steps: Vec::new(),
            returned: None,
        },
        depths: Vec::new(),
    };
    let operands = [Place::Operand(0), Place::Operand(1)];
    if reduction.is_none() && plan.split(words).is_none() {
        return None;
    }
    build.product(words, Place::Slot(0), operands, 0, reduction.is_none());
    // what is split has combs in the end
    let method = if plan.split(words).is_some() { "karatsuba-comb" } else { "comb" };
    let mut routines: Vec<Routine> = build.kinds.iter().map(|kind| kind.routine(bits)).collect();
    let mut own = build.own;
    if let Some(reduction) = reduction {
        let routine = routines.len();
        own.steps.push(Step::Call { routine, to: Place::Result, operands: vec![Place::Slot(0)] });
        routines.push(Routine::Kept(reduction));
    }
    own.routines = routines.len();
    Some(Composed { method, program: own, routines })
}

/// How products of each number of words are made.
struct Plan {
    /// The split, and about how many operations of words it takes.
    of: Vec<(Option<Split>, usize)>,
}

/// About how many operations a call and a return take, with registers saved and pointers made.
const CALL: usize = 60;
/// Operations of words for each that a sum of parts, and what merges products, reads or writes.
const SUM: usize = 8;
const MERGE: usize = 24;

impl Plan {
    fn of(words: usize, bits: u32, most: usize) -> Plan {
        let mut plan = Plan { of: vec![(None, 0)] };
        for n in 1..=words {
            let comb = (n <= most || n == 1).then(|| (None, bits as usize * (2 * n * n + 3 * n) + CALL));
            let splits = [2, 3].into_iter().map(|parts| Split { words: n, parts });
            let made = splits.filter(|split| n > 1 && split.part(split.parts - 1) > 0).map(|split| {
                let (h, pairs) = (split.most(), split.pairs().len());
                let parts: usize = (0..split.parts).map(|part| plan.of[split.part(part)].1).sum();
                let around = 2 * (SUM * h * pairs + CALL) + MERGE * h * pairs + CALL;
                (Some(split), parts + pairs * plan.of[h].1 + around)
            });
            let best = comb.into_iter().chain(made).min_by_key(|(_, cost)| *cost);
            plan.of.push(best.unwrap_or((None, usize::MAX)));
        }
        plan
    }

    fn split(&self, words: usize) -> Option<Split> {
        self.of.get(words)?.0
    }
}

/// What a routine does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Comb(usize),
    Sums(Split),
    Merged(Split, bool),
}

impl Kind {
    fn routine(self, bits: u32) -> Routine {
        Routine::Lines(match self {
            Kind::Comb(words) => combs(words, bits),
            Kind::Sums(split) => vec![split.sums()],
            Kind::Merged(split, whole) => vec![split.merged(whole)],
        })
    }
}

struct Build<'a> {
    plan: &'a Plan,
    kinds: Vec<Kind>,
    own: Program,
    /// The slots of each depth: sums of parts of A, those of B, their products.
    depths: Vec<[usize; 3]>,
}

impl Build<'_> {
    fn call(&mut self, kind: Kind, to: Place, operands: Vec<Place>) {
        let known = self.kinds.iter().position(|own| *own == kind);
        let routine = known.unwrap_or_else(|| {
            self.kinds.push(kind);
            self.kinds.len() - 1
        });
        self.own.steps.push(Step::Call { routine, to, operands });
    }

    /// The slots of a depth, with room for so many words.
    fn slots(&mut self, depth: usize, words: [usize; 3]) -> [usize; 3] {
        if self.depths.len() == depth {
            let first = self.own.slots.len();
            self.own.slots.extend([0; 3]);
            self.depths.push([first, first + 1, first + 2]);
        }
        let own = self.depths[depth];
        for (slot, words) in own.into_iter().zip(words) {
            self.own.slots[slot] = self.own.slots[slot].max(words);
        }
        own
    }

    /// A product of n words by n words at a place; the program's result in the end where it is `last`.
    fn product(&mut self, n: usize, to: Place, [a, b]: [Place; 2], depth: usize, last: bool) {
        let Some(split) = self.plan.split(n) else { return self.call(Kind::Comb(n), to, vec![a, b]) };
        let (h, pairs) = (split.most(), split.pairs().len());
        let [sums_a, sums_b, mixed] = self.slots(depth, [pairs * h, pairs * h, 2 * pairs * h]);
        self.call(Kind::Sums(split), Place::Slot(sums_a), vec![a]);
        self.call(Kind::Sums(split), Place::Slot(sums_b), vec![b]);
        for pair in 0..pairs {
            let operands = [sums_a, sums_b].map(|slot| Place::Slot(slot).moved(pair * h));
            self.product(h, Place::Slot(mixed).moved(2 * pair * h), operands, depth + 1, false);
        }
        for part in 0..split.parts {
            let operands = [a, b].map(|place| place.moved(part * h));
            self.product(split.part(part), to.moved(2 * part * h), operands, depth + 1, false);
        }
        let result = if last { Place::Result } else { to };
        self.call(Kind::Merged(split, last), result, vec![to, Place::Slot(mixed)]);
    }
}
