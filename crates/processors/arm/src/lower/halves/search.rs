//! The fastest routine of several drafts: which of them, with which registers, and by which weights.

use super::code::enclose;
use super::found::{self, Found};
use super::{Kernel, LOW, LowerError};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{LR, Register};
use rhomb_lower::halves::{self, BANK, Draft, Look, Routine, Setting, WEIGHTS, Way, fit, follow, refine};

/// States that are kept at a first look, at drafts, then at registers and weights too, by which so many of them are chosen; and
/// where these are too few.
const FIRST: [usize; 2] = [3, 12];
const MOST_DRAFTS: usize = 6;
const MOST_CHOSEN: usize = 24;

/// Of short drafts more are looked at: so many steps altogether.
const MOST_STEPS: usize = 2000;

/// Which of the codes that a search finds are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Changes {
    None,
    /// The best one, which becomes no longer by that.
    Best,
    /// Some, in place of a wider search.
    More,
}

/// How these are looked at: how many of the best of them at least, of short drafts which part of so many.
const WIDE: [(usize, usize, Look); 5] = [
    (usize::MAX, 1, Look { width: 6, ahead: None, apart: false, tries: 0 }),
    (4, 1, Look { width: 80, ahead: None, apart: false, tries: 0 }),
    (6, 1, Look { width: 6, ahead: Some((3, 25)), apart: false, tries: 0 }),
    (6, 1, Look { width: 6, ahead: Some((12, 50)), apart: false, tries: 0 }),
    (1, MOST_STEPS, Look { width: 6, ahead: Some((12, 50)), apart: false, tries: 10_000 }),
];
const CHANGED: [(usize, usize, Look); 4] = [
    (6, 1, Look { width: 6, ahead: None, apart: false, tries: 0 }),
    (0, 8, Look { width: 80, ahead: None, apart: false, tries: 0 }),
    (3, 1, Look { width: 6, ahead: Some((12, 50)), apart: false, tries: 1_000 }),
    (1, 8, Look { width: 6, ahead: Some((12, 50)), apart: false, tries: 24_000 }),
];

impl Changes {
    fn looks(self) -> &'static [(usize, usize, Look)] {
        match self {
            Changes::None => &WIDE[..4],
            Changes::Best => &WIDE,
            Changes::More => &CHANGED,
        }
    }
}

/// So many more changes for each step are tried of the best one in the end, where any are. What is longer then does not count.
const REFINED: usize = 70;

const POINTERS: usize = 3;

/// Registers for everything.
#[derive(Clone, Debug, Hash)]
struct Registers {
    low: u16,
    bank: Vec<Register>,
}

/// Those that are worth trying, the usual ones first; of `registers`, those of the pointers left out.
fn choices(core: &Core, convention: &Convention, registers: usize) -> Result<Vec<Registers>, LowerError> {
    let is_saved = |register: &Register| convention.saved >> register & 1 == 1;
    let needed = LOW.len() - POINTERS;
    let more = registers.checked_sub(needed).ok_or(LowerError::Registers { needed, available: registers })?;
    if !core.is_small() {
        let mut order: Vec<Register> = (0..halves::LOW as Register).collect();
        order.sort_by_key(is_saved);
        let counts = (LOW.len()..=order.len().min(LOW.len().saturating_add(more))).rev().step_by(2);
        let of = |count: usize| Registers {
            low: order[..count].iter().fold(0, |set, own| set | 1 << own),
            bank: Vec::new(),
        };
        return Ok(counts.map(of).collect());
    }
    let mut bank: Vec<Register> = (LOW.end..=12).chain([LR]).collect();
    bank.sort_by_key(is_saved);
    bank.truncate(more.min(BANK));
    let least = bank.iter().filter(|register| !is_saved(register)).count();
    let of = |count| Registers { low: 0xff, bank: bank[..count].to_vec() };
    Ok((least..=bank.len()).map(of).collect())
}

/// All that there is to choose from.
#[derive(Clone, Debug, Hash)]
pub(super) struct Choices {
    drafts: Vec<Draft>,
    registers: Vec<Registers>,
    tied: bool,
}

/// What is chosen: numbers of a draft, of registers and of weights, and whether an address may come to a register for one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) draft: usize,
    pub(super) registers: usize,
    pub(super) weights: usize,
    pub(super) apart: bool,
}

/// No look around: a way is there.
const FOLLOWED: Look = Look { width: 0, ahead: None, apart: false, tries: 0 };

impl Choices {
    /// Those of a draft and a setting.
    fn of(&self, chosen: Chosen, look: Look) -> Option<(&Draft, Setting)> {
        let Registers { low, bank } = self.registers.get(chosen.registers)?;
        let look = Look { apart: chosen.apart, ..look };
        let weights = WEIGHTS.get(chosen.weights)?;
        let setting = Setting { low: *low, tied: self.tied, bank: bank.clone(), look, weights };
        Some((self.drafts.get(chosen.draft)?, setting))
    }

    /// The routine of a way, with so many more changes for each step, of this number.
    pub(super) fn refined(&self, found: &Found, (tries, number): (usize, u64)) -> Option<Routine> {
        let (draft, setting) = self.of(found.chosen, FOLLOWED)?;
        refine(draft, &setting, &found.way, tries, number)
    }

    /// The routine of a way that leads where it did.
    pub(super) fn followed(&self, found: &Found) -> Option<Routine> {
        let (draft, setting) = self.of(found.chosen, FOLLOWED)?;
        follow(draft, &setting, &found.way).filter(|routine| routine.cycles == found.cycles)
    }
}

/// What is tried, the fewest cycles that this took, and what came of the last look.
struct Tried {
    chosen: Chosen,
    cycles: u64,
    found: Option<(Look, Way)>,
}

impl Tried {
    fn new(draft: usize, registers: usize, weights: usize, apart: bool) -> Self {
        let chosen = Chosen { draft, registers, weights, apart };
        Tried { chosen, cycles: u64::MAX, found: None }
    }
}

/// The fastest of these drafts, with at most so many registers beside those of the pointers: by the way that is known, or by the one
/// that one of these searches finds. What is found may be changed.
pub(super) fn kernel(
    drafts: Vec<Draft>,
    core: &Core,
    convention: &Convention,
    registers: usize,
    searches: &[Changes],
) -> Result<Kernel, LowerError> {
    let tied = core.is_small();
    let drafts = drafts.into_iter().map(|own| if tied { own } else { own.with_moves() }).collect();
    let choices = Choices { drafts, registers: choices(core, convention, registers)?, tied };
    let enclosed = |routine: &Routine| {
        let kernel = enclose(routine, core, convention)?;
        Some(((core.straight(&kernel.program)?, kernel.program.len()), kernel))
    };
    let known = found::known(&choices, core).and_then(|found| {
        let (_, kernel) = enclosed(&choices.followed(&found)?)?;
        Some((kernel, found))
    });
    let found = known.or_else(|| {
        let all = searches.iter().filter_map(|changes| search(&choices, enclosed, *changes));
        all.min_by_key(|(value, _)| *value).map(|(_, own)| own)
    });
    let few = match registers {
        usize::MAX => LowerError::Long,
        available => LowerError::Registers { needed: LOW.len() - POINTERS, available },
    };
    let (kernel, found) = found.ok_or(few)?;
    found::record(choices, found, (core, convention));
    Ok(kernel)
}

/// Cycles of a call, then instructions.
type Value = (u64, usize);

/// The fastest routine that is found, and how it is found again.
fn search(
    choices: &Choices,
    enclosed: impl Fn(&Routine) -> Option<(Value, Kernel)>,
    changes: Changes,
) -> Option<(Value, (Kernel, Found))> {
    let fitted = |tried: &mut Tried, look: Look| {
        let found = tried.found.take().filter(|(own, _)| own.finds_as(&look));
        let (draft, setting) = choices.of(tried.chosen, look)?;
        let routine = fit(draft, &setting, found.as_ref().map(|(_, way)| way))?;
        let (value, kernel) = enclosed(&routine)?;
        tried.found = Some((look, routine.way.clone()));
        let found = Found { chosen: tried.chosen, way: routine.way, cycles: routine.cycles };
        Some((value, (kernel, found)))
    };
    let looked = |tried: &mut Vec<Tried>, most: usize| {
        if tried.len() > most {
            for width in FIRST {
                for one in tried.iter_mut() {
                    let look = Look { width, ahead: None, apart: false, tries: 0 };
                    one.cycles = fitted(one, look).map_or(u64::MAX, |((cycles, _), _)| cycles);
                }
                if tried.iter().any(|one| one.cycles < u64::MAX) {
                    break;
                }
            }
            tried.sort_by_key(|one| one.cycles);
        }
    };
    let (drafts, registers) = (0..choices.drafts.len(), 0..choices.registers.len());
    // many drafts have most of their steps in common, so that the same registers are good for all of them
    let usual = [0, registers.len() / 2];
    let all = usual.iter().flat_map(|at| drafts.clone().map(|draft| Tried::new(draft, *at, 0, false)));
    let mut tried: Vec<Tried> = all.collect();
    looked(&mut tried, 0);
    let mut best: Vec<usize> = Vec::new();
    for one in &tried {
        if !best.contains(&one.chosen.draft) {
            best.push(one.chosen.draft);
        }
    }
    let more = MOST_STEPS / choices.drafts.iter().map(Draft::steps).max().unwrap_or(0).max(1);
    best.truncate(MOST_DRAFTS.max(if changes == Changes::More { more / 2 } else { 0 }));
    let all = best.into_iter().flat_map(|draft| {
        let of = move |(own, weights)| [false, true].map(|apart| Tried::new(draft, own, weights, apart));
        let pairs = registers.clone().flat_map(|own| (0..WEIGHTS.len()).map(move |weights| (own, weights)));
        pairs.flat_map(of)
    });
    let mut tried = all.collect();
    looked(&mut tried, MOST_CHOSEN);
    tried.truncate(MOST_CHOSEN.max(if changes == Changes::More { 2 * more } else { more }));
    let mut best: Option<(Value, (Kernel, Found))> = None;
    for (least, part, look) in changes.looks() {
        for (place, one) in tried.iter_mut().enumerate() {
            // more where registers do not suffice for these
            if place >= *least.max(&(more / part)) && best.is_some() {
                break;
            }
            let Some((value, made)) = fitted(one, *look) else { continue };
            one.cycles = one.cycles.min(value.0);
            let may_grow = changes != Changes::Best || look.tries == 0;
            let is_better = |least: &Value| value < *least && (may_grow || value.1 <= least.1);
            if best.as_ref().is_none_or(|(least, _)| is_better(least)) {
                best = Some((value, made));
            }
        }
        tried.sort_by_key(|one| one.cycles);
    }
    let (value, own) = best?;
    if changes != Changes::None
        && let Some(routine) = choices.refined(&own.1, (REFINED, 0))
        && let Some((refined, kernel)) = enclosed(&routine)
        && refined < value
        && refined.1 <= value.1
    {
        let found = Found { chosen: own.1.chosen, way: routine.way, cycles: routine.cycles };
        return Some((refined, (kernel, found)));
    }
    Some((value, own))
}
