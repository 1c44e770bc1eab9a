//! Whether the time of a routine depends on its operands, or on where its arrays lie, and what of them stays behind on
//! the stack.

use crate::provable::Provable;
use crate::witness::{Where, Witness, witness};
use rhomb_certificate::{Contract, Pattern};
use rhomb_machine::{Cycles, Fault, Hidden, SecretBranch, Stopped, VariableTime};

/// What is known about a routine's time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Neither a branch, nor an address, nor the time of an instruction depends on the operands.
    Constant,
    /// Branches or the times of instructions depend on them, but every call takes equally long, as far as operands decide;
    /// no address does.
    Balanced,
    /// A branch or the time of an instruction depends on where the arrays lie; nothing depends on the operands but what
    /// is balanced.
    Places {
        /// Where.
        at: Stopped,
        /// What the times are there.
        cycles: Spread,
    },
    /// An address depends on the operands, or a branch whose sides do not take equally long, or the time of an
    /// instruction: two calls show it. Where the core's manual leaves open which operands take how long, they show that
    /// the operands differ there.
    Leaks {
        /// Where.
        at: Stopped,
        /// What the times are there, where they are known.
        cycles: Option<Spread>,
        /// The calls.
        shown: Box<Witness>,
    },
    /// What is here may depend on the operands, but no calls that were made show it.
    Unshown {
        /// Where.
        at: Stopped,
        /// How many calls were made.
        calls: u64,
    },
    /// The sides of a branch, or an address, could not be followed; calls show no leak.
    Apart(Stopped),
    /// The execution does not come to its end for another reason.
    Unknown(Option<Stopped>),
}

/// Times that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Those of a branch's sides.
    Branch(SecretBranch),
    /// Those of a single instruction.
    Instruction(Cycles),
    /// The same where operands decide in a way that is not published.
    Unpublished(Cycles),
}

/// All that is told of a routine's time without a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Time {
    /// The verdict.
    pub timing: Timing,
    /// Bounds that hold in every call, where the way through the code can be followed.
    pub bounds: Option<Bounds>,
    /// See [`residue`].
    pub residue: Option<u32>,
}

/// Cycles that every call takes at least, and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// From the first instruction to the return.
    pub function: Cycles,
    /// Between saves and restores.
    pub body: Cycles,
}

/// Executes the routine with secret operands, for each aliasing pattern of its contract.
pub fn time(routine: &dyn Provable, contract: &Contract) -> Time {
    let times = match run(routine, contract) {
        Ok(times) => times,
        Err((pattern, at)) => {
            return Time { timing: stopped(routine, contract, pattern, at), bounds: None, residue: None };
        }
    };
    let timing = of_times(routine, contract, &times);
    Time { timing, bounds: times.bounds, residue: Some(times.residue) }
}

/// The verdict alone.
pub fn timing(routine: &dyn Provable, contract: &Contract) -> Timing {
    time(routine, contract).timing
}

/// Cycles of the function from its first instruction to the return: least and most over all operands and places, as far
/// as the domain of secrets can tell. `None` where the way through the code cannot be followed.
pub fn duration(routine: &dyn Provable, contract: &Contract) -> Option<Cycles> {
    Some(run(routine, contract).ok()?.bounds?.function)
}

/// Bytes of the stack, now below the stack pointer, whose content may depend on the operands after the return; in the
/// worst of the contract's aliasing patterns. Registers saved for the caller do not count. `None` where the way through
/// the code cannot be followed.
pub fn residue(routine: &dyn Provable, contract: &Contract) -> Option<u32> {
    Some(run(routine, contract).ok()?.residue)
}

/// The verdict on a run that came to its end.
fn of_times(routine: &dyn Provable, contract: &Contract, times: &Times) -> Timing {
    let mut unshown = None;
    for (pattern, sites) in times.suspects() {
        let places: Vec<Where> = sites.iter().map(|site| site.place()).collect();
        match witness(routine, contract, pattern, &places) {
            Ok((number, shown)) => {
                let cycles = match sites[number] {
                    Site::Branch(branch) if branch.taken != branch.other => Some(Spread::Branch(branch)),
                    // one side leaves a result behind that is waited for later
                    Site::Branch(_) => None,
                    Site::Instruction(one) => Some(one.into()),
                };
                let at = place(routine, sites[number]);
                return Timing::Leaks { at, cycles, shown: Box::new(shown) };
            }
            Err(calls) => {
                unshown.get_or_insert_with(|| Timing::Unshown { at: place(routine, sites[0]), calls });
            }
        }
    }
    if let Some(unshown) = unshown {
        return unshown;
    }
    match times.first_of(Hidden::Place) {
        Some(site @ Site::Branch(branch)) => {
            Timing::Places { at: place(routine, site), cycles: Spread::Branch(branch) }
        }
        Some(site @ Site::Instruction(one)) => {
            Timing::Places { at: place(routine, site), cycles: one.into() }
        }
        None if times.first_of(Hidden::Secret).is_some() => Timing::Balanced,
        None => Timing::Constant,
    }
}

/// The verdict on a run that stopped.
fn stopped(routine: &dyn Provable, contract: &Contract, pattern: &Pattern, at: Stopped) -> Timing {
    if let Fault::StepLimit { .. } = at.fault {
        return Timing::Unknown(Some(at));
    }
    let secret = matches!(at.fault, Fault::Secret { .. });
    let here = secret.then_some(Where::At(at.address));
    let places: Vec<Where> = here.into_iter().chain([Where::Anywhere]).collect();
    match witness(routine, contract, pattern, &places) {
        Ok((_, shown)) if secret && shown.address == at.address => {
            Timing::Leaks { at, cycles: None, shown: Box::new(shown) }
        }
        Ok((_, shown)) => {
            let instruction = routine.instruction(shown.address).unwrap_or_default();
            let fault = Fault::Secret { what: format!("what {instruction} does") };
            let at = Stopped { fault, address: shown.address, instruction };
            Timing::Leaks { at, cycles: None, shown: Box::new(shown) }
        }
        Err(calls) if secret => Timing::Unshown { at, calls },
        Err(_) if matches!(at.fault, Fault::Place { .. } | Fault::Apart { .. }) => Timing::Apart(at),
        Err(_) => Timing::Unknown(Some(at)),
    }
}

/// What a verdict may rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Site {
    Branch(SecretBranch),
    Instruction(VariableTime),
}

impl Site {
    fn hidden(self) -> Hidden {
        match self {
            Site::Branch(branch) => branch.hidden,
            Site::Instruction(one) => one.hidden,
        }
    }

    fn address(self) -> u64 {
        match self {
            Site::Branch(branch) => branch.address,
            Site::Instruction(one) => one.address,
        }
    }

    fn is_unpublished(self) -> bool {
        matches!(self, Site::Instruction(one) if one.unpublished)
    }

    /// Where two calls that show it differ.
    fn place(self) -> Where {
        if self.is_unpublished() { Where::Operands(self.address()) } else { Where::At(self.address()) }
    }
}

impl From<VariableTime> for Spread {
    fn from(one: VariableTime) -> Self {
        if one.unpublished { Spread::Unpublished(one.cycles) } else { Spread::Instruction(one.cycles) }
    }
}

fn place(routine: &dyn Provable, site: Site) -> Stopped {
    let instruction = routine.instruction(site.address()).unwrap_or_default();
    let what = match site {
        Site::Branch(_) => format!("the branch {instruction}"),
        Site::Instruction(_) => format!("the time of {instruction}"),
    };
    Stopped { fault: site.hidden().fault(what), address: site.address(), instruction }
}

/// What was seen over all aliasing patterns.
#[derive(Default)]
struct Times {
    sites: Vec<(&'static Pattern, Site)>,
    bounds: Option<Bounds>,
    /// Whether the cycles of a call, or of what its caller waits for, are not known to the cycle.
    varies: bool,
    /// Bytes of stack.
    residue: u32,
}

impl Times {
    fn first_of(&self, hidden: Hidden) -> Option<Site> {
        self.sites.iter().map(|(_, site)| *site).find(|site| site.hidden() == hidden)
    }

    /// What depends on secrets and may show in the time, by pattern, uneven branches first, and last what no cycles show; of
    /// each instruction the first.
    /// Nothing does where the cycles of a call are known.
    fn suspects(&self) -> Vec<(&'static Pattern, Vec<Site>)> {
        if !self.varies {
            return Vec::new();
        }
        let shows = |site: &Site| match site {
            Site::Branch(branch) => branch.taken != branch.other || !branch.alike,
            Site::Instruction(_) => true,
        };
        let uneven = |site: &Site| match site {
            Site::Branch(branch) => branch.taken == branch.other,
            Site::Instruction(_) => true,
        };
        let secret = |(_, site): &&(&Pattern, Site)| site.hidden() == Hidden::Secret && shows(site);
        let mut suspects: Vec<(&'static Pattern, Site)> = Vec::new();
        for (pattern, site) in self.sites.iter().filter(secret) {
            match suspects.iter_mut().find(|(_, known)| known.address() == site.address()) {
                None => suspects.push((pattern, *site)),
                // sides that no cycles tell apart, on a core that does not say what they take
                Some(known) if uneven(&known.1) && site.is_unpublished() => *known = (pattern, *site),
                Some(_) => {}
            }
        }
        suspects.sort_by_key(|(_, site)| (site.is_unpublished(), uneven(site)));
        suspects.truncate(MOST_SUSPECTS);
        let mut by_pattern: Vec<(&'static Pattern, Vec<Site>)> = Vec::new();
        for (pattern, site) in suspects {
            let alike = |(known, sites): &&mut (&Pattern, Vec<Site>)| {
                known.name == pattern.name && sites[0].is_unpublished() == site.is_unpublished()
            };
            match by_pattern.iter_mut().find(alike) {
                Some((_, sites)) => sites.push(site),
                None => by_pattern.push((pattern, vec![site])),
            }
        }
        by_pattern
    }
}

/// So many instructions are looked at for calls that show a leak.
const MOST_SUSPECTS: usize = 16;

fn run(routine: &dyn Provable, contract: &Contract) -> Result<Times, (&'static Pattern, Stopped)> {
    let mut times = Times::default();
    for pattern in contract.patterns() {
        let finished = routine.over_secrets(contract, pattern).map_err(|stopped| (pattern, stopped))?;
        let branches = finished.secret_branches.into_iter().map(Site::Branch);
        let instructions = finished.variable_times.into_iter().map(Site::Instruction);
        times.sites.extend(branches.chain(instructions).map(|site| (pattern, site)));
        times.residue = times.residue.max(finished.residue_bytes);
        let own = Bounds { function: finished.tally.cycles, body: finished.body_cycles };
        times.varies |= !own.function.is_exact() || !finished.settled;
        times.bounds = Some(times.bounds.map_or(own, |before| Bounds {
            function: before.function.hull(own.function),
            body: before.body.hull(own.body),
        }));
    }
    Ok(times)
}
