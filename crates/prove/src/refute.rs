//! The search for a counter-example: calls with concrete operands, compared with exact arithmetic.

use crate::calls::arguments;
use crate::inputs::Inputs;
use crate::provable::Provable;
use crate::right::{Failure, changed_modulus, expected, number, wrong_word};
use num_bigint::BigUint;
use rhomb_certificate::{Contract, Pattern};
use rhomb_machine::{Access, Concrete, Cycles, Fault, Finished, Mix, Stopped, Surroundings};

/// A call that breaks the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterExample {
    /// How result and operands share memory.
    pub pattern: &'static str,
    /// Bits of a word.
    pub word_bits: u32,
    /// The operands' words, lowest first.
    pub operands: Vec<Vec<u64>>,
    /// What is wrong.
    pub failure: Failure,
    /// Byte address of the instruction that is responsible last: that stopped, stored the wrong word, or
    /// wrote the register that is lost.
    pub address: Option<u64>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// The first call that breaks the contract.
    pub found: Option<CounterExample>,
    /// The first call that breaks it only because an interrupt may come in between. The search went on without any, and
    /// where it came to its end this is what was found, too.
    pub interrupted: Option<CounterExample>,
    /// A call that stopped without showing the routine to be wrong: the model or a limit ended it.
    pub stopped: Option<Stopped>,
    /// Calls made.
    pub calls: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// What the calls that keep the contract took; `None` where there is none.
    pub figures: Option<Figures>,
}

/// What calls took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Cycles from the first instruction to the return.
    pub function: Cycles,
    /// Cycles between saves and restores.
    pub body: Cycles,
    /// Instructions of the body in the slowest call.
    pub mix: Mix,
    /// Most bytes of stack, the return address left out.
    pub stack_bytes: u32,
}

/// Operands that are tried whatever it takes.
const FEWEST: u64 = 16;
/// Instructions that take as long as the setting up of a call.
const SET_UP: u64 = 1000;

/// Calls the routine on edge cases and biased random operands, in all aliasing patterns and at changing
/// places in memory, until one breaks the contract or `budget` instructions are executed (setting up a
/// call counts as some). The same calls in every run.
pub fn refute(routine: &dyn Provable, contract: &Contract, budget: u64) -> Search {
    let mut search = Search::default();
    let mut undisturbed = false;
    for (number, operands) in (0..).zip(Inputs::of(contract, routine.word_bits())) {
        for pattern in contract.patterns() {
            search.calls += 1;
            let called = |undisturbed| {
                let surroundings = Surroundings { place: number, undisturbed, ..Surroundings::default() };
                call(routine, contract, pattern, &operands, surroundings)
            };
            let example = |failure, undisturbed| {
                let surroundings =
                    Surroundings { place: number, traced: true, undisturbed, ..Surroundings::default() };
                let address = responsible(routine, contract, pattern, &operands, surroundings, &failure);
                let (word_bits, operands) = (routine.word_bits(), operands.clone());
                CounterExample { pattern: pattern.name, word_bits, operands, failure, address }
            };
            let mut outcome = called(undisturbed);
            if let Ok(Outcome::Broken(failure @ (Failure::Stopped(_) | Failure::Breach(_)))) = &outcome
                && !undisturbed
            {
                let alone = called(true);
                if alone != outcome {
                    search.interrupted = Some(example(failure.clone(), false));
                    (undisturbed, outcome) = (true, alone);
                }
            }
            match outcome {
                Ok(Outcome::Kept { figures, instructions }) => {
                    search.instructions += instructions;
                    search.figures = Some(search.figures.map_or(figures, |before| before.merged(figures)));
                }
                Ok(Outcome::Broken(failure)) => {
                    return Search { found: Some(example(failure, undisturbed)), ..search };
                }
                Err(stopped) => {
                    return Search { found: search.interrupted.clone(), stopped: Some(stopped), ..search };
                }
            }
        }
        if u64::from(number) >= FEWEST && search.instructions + SET_UP * search.calls >= budget {
            break;
        }
    }
    Search { found: search.interrupted.clone(), ..search }
}

/// Whether one call with operands of random words keeps the contract, in the first of its patterns. Of most contracts of other
/// functions it does not.
///
/// # Errors
/// Where the call stops without showing that.
pub fn keeps_once(routine: &dyn Provable, contract: &Contract) -> Result<bool, Stopped> {
    let strict = Surroundings::default();
    // the first of the edge cases is the next to it
    let operands = Inputs::of(contract, routine.word_bits()).nth(1).unwrap_or_default();
    let Some(pattern) = contract.patterns().first() else { return Ok(false) };
    let outcome = judged(routine, contract, pattern, &operands, Concrete::new(), strict)?;
    Ok(matches!(outcome, Outcome::Kept { .. }))
}

impl Search {
    /// Whether no call broke the contract but for interrupts, nor stopped.
    pub fn is_kept_alone(&self) -> bool {
        self.found == self.interrupted && self.stopped.is_none()
    }
}

impl Figures {
    fn merged(self, other: Figures) -> Figures {
        let slower = if other.function.max > self.function.max { other } else { self };
        Figures {
            function: self.function.hull(other.function),
            body: self.body.hull(other.body),
            stack_bytes: self.stack_bytes.max(other.stack_bytes),
            ..slower
        }
    }
}

/// What undefined registers and flags hold when it is to be seen whether anything depends on them.
fn fillings() -> [Concrete<u32>; 4] {
    [Concrete::filled(0), Concrete::filled(u64::MAX), Concrete::seeded(1), Concrete::seeded(2)]
}

#[derive(PartialEq)]
enum Outcome {
    Kept { figures: Figures, instructions: u64 },
    Broken(Failure),
}

fn call(
    routine: &dyn Provable,
    contract: &Contract,
    pattern: &Pattern,
    operands: &[Vec<u64>],
    strict: Surroundings,
) -> Result<Outcome, Stopped> {
    let with = |operands: &[Vec<u64>], domain, surroundings| {
        judged(routine, contract, pattern, operands, domain, surroundings)
    };
    let called = |domain, surroundings| with(operands, domain, surroundings);
    let others = || Inputs::of(contract, routine.word_bits()).filter(|other| other != operands);
    let further = || {
        let all: Vec<_> = std::iter::once(operands.to_vec()).chain(others().take(MOST_OTHERS)).collect();
        further_argument(
            (
                routine.further(&arguments(contract, routine.word_bits(), pattern, operands)),
                routine.word_bits(),
            ),
            strict,
            &all,
            with,
            |further| {
                let operands = contract.fitting(routine.word_bits(), pattern, operands);
                let surroundings = Surroundings { filled: true, further, ..strict };
                let domain = Concrete::filled(0);
                let finished = self::called(routine, contract, pattern, &operands, domain, surroundings)?;
                let breaches = finished.breaches.into_iter().map(|breach| breach.text);
                Ok((finished.buffers, finished.returned, finished.returned_above, breaches.collect()))
            },
        )
    };
    let failure = match called(Concrete::new(), strict)? {
        Outcome::Broken(failure) => failure,
        kept => return Ok(kept),
    };
    // a read of what nobody set breaks the contract only where something depends on it
    if let Failure::Stopped(Stopped { fault, .. }) = &failure
        && fault.is_undefined()
    {
        let surroundings = Surroundings { filled: true, ..strict };
        let outcomes = fillings().map(|domain| called(domain, surroundings));
        if !outcomes.iter().any(|outcome| matches!(outcome, Ok(Outcome::Broken(_)))) {
            let [first, others @ ..] = outcomes;
            let outcome = others.into_iter().fold(first, |all, one| all.and(one));
            return outcome.map_err(|open| further().unwrap_or(open));
        }
    }
    if let Some(stopped) = further() {
        return Err(stopped);
    }
    if let Failure::Stopped(stopped) = &failure
        && let Some(address) = loaded(&stopped.fault)
    {
        // elsewhere and with other operands it is the same one
        let elsewhere = Surroundings { place: strict.place + 2, ..strict };
        let is_same = |other: &[Vec<u64>]| match with(other, Concrete::new(), elsewhere) {
            Ok(Outcome::Broken(Failure::Stopped(again))) => {
                again.address == stopped.address && loaded(&again.fault) == Some(address)
            }
            _ => false,
        };
        let is_everywhere = || is_same(operands) && others().take(2).all(|other| is_same(&other));
        if routine.has_data(address) || is_everywhere() {
            return Err(Stopped { fault: Fault::Constant { address }, ..stopped.clone() });
        }
    }
    Ok(Outcome::Broken(failure))
}

/// The address of a load from memory that the routine may not read.
fn loaded(fault: &Fault) -> Option<u32> {
    match fault {
        Fault::NotOwned { address, access: Access::Load }
        | Fault::BelowStack { address, access: Access::Load }
        | Fault::Astray { address, access: Access::Load, .. } => Some(*address),
        _ => None,
    }
}

/// Other operands that show that no value of a further argument makes a call right.
const MOST_OTHERS: usize = 4;
/// What further arguments hold in turn.
const FURTHER: [u64; 3] = [1, 0x1357_9bdf_0246_8ace, u64::MAX];

/// What a call left: its buffers, the words that it returned, and breaches.
type Left = (Vec<Vec<Option<u32>>>, Option<u32>, Vec<Option<u32>>, Vec<String>);

/// The further argument, behind those that the contract gives, on which it depends what becomes of a call that fails; where
/// something is read that nobody has set. Where it is a single byte, some value of it must make the calls with all these
/// operands right: else the routine is wrong whatever it is.
fn further_argument(
    (names, bits): (Vec<String>, u32),
    strict: Surroundings,
    all: &[Vec<Vec<u64>>],
    called: impl Fn(&[Vec<u64>], Concrete<u32>, Surroundings) -> Result<Outcome, Stopped>,
    left: impl Fn(Option<(usize, u64)>) -> Result<Left, Stopped>,
) -> Option<Stopped> {
    let operands = all.first()?;
    // in odd places nothing is set but what the contract gives
    let unset = called(operands, Concrete::new(), Surroundings { place: strict.place | 1, ..strict });
    let Ok(Outcome::Broken(Failure::Stopped(stopped))) = unset else { return None };
    let failure = |operands: &[Vec<u64>], further| {
        let surroundings = Surroundings { filled: true, further, ..strict };
        match called(operands, Concrete::filled(0), surroundings) {
            Ok(Outcome::Kept { .. }) => None,
            Ok(Outcome::Broken(failure)) => Some(failure),
            Err(stopped) => Some(Failure::Stopped(stopped)),
        }
    };
    let before = stopped.fault.is_undefined().then(|| failure(operands, None))?;
    // what was saved is not restored: registers in which arguments could come may be among it
    if let Some(Failure::Stopped(Stopped {
        fault: Fault::BadReturn { .. } | Fault::NoInstruction { .. },
        ..
    })) = before
    {
        return None;
    }
    // whatever else is wrong, too
    let without = left(None);
    let decides = |number: &usize| FURTHER.into_iter().any(|value| left(Some((*number, value))) != without);
    let deciding: Vec<usize> = (0..names.len()).filter(decides).collect();
    if let ([number], 8) = (&deciding[..], bits) {
        let keeps = |value| all.iter().all(|operands| failure(operands, Some((*number, value))).is_none());
        if !(0..1 << bits).any(keeps) {
            return None;
        }
    }
    let what = names.into_iter().nth(*deciding.first()?)?;
    Some(Stopped { fault: Fault::Argument { what }, ..stopped })
}

/// Calls the routine and compares.
fn judged(
    routine: &dyn Provable,
    contract: &Contract,
    pattern: &Pattern,
    operands: &[Vec<u64>],
    domain: Concrete<u32>,
    surroundings: Surroundings,
) -> Result<Outcome, Stopped> {
    let operands = &contract.fitting(routine.word_bits(), pattern, operands);
    let finished = match called(routine, contract, pattern, operands, domain, surroundings) {
        Ok(finished) => finished,
        Err(stopped) if shows_a_violation(&stopped.fault, surroundings.filled) => {
            return Ok(Outcome::Broken(Failure::Stopped(stopped)));
        }
        Err(stopped) => return Err(stopped),
    };
    let bits = routine.word_bits();
    let wrong = wrong_word(contract, bits, (operands, &expected(contract, bits, operands)), &finished);
    let breach = || finished.breaches.first().map(|breach| Failure::Breach(breach.text.clone()));
    let changed = || changed_modulus(contract, bits, operands, &finished);
    Ok(match wrong.or_else(breach).or_else(changed) {
        Some(failure) => Outcome::Broken(failure),
        None => Outcome::Kept {
            instructions: finished.tally.instructions,
            figures: Figures {
                function: finished.tally.cycles,
                body: finished.body_cycles,
                mix: finished.mix,
                stack_bytes: finished.stack_bytes,
            },
        },
    })
}

/// One call; the operands fit the pattern.
fn called(
    routine: &dyn Provable,
    contract: &Contract,
    pattern: &Pattern,
    operands: &[Vec<u64>],
    domain: Concrete<u32>,
    surroundings: Surroundings,
) -> Result<Finished<Concrete<u32>>, Stopped> {
    routine.simulated(domain, arguments(contract, routine.word_bits(), pattern, operands), surroundings)
}

/// The instruction that is responsible last for a failure, from the same call once more.
fn responsible(
    routine: &dyn Provable,
    contract: &Contract,
    pattern: &Pattern,
    operands: &[Vec<u64>],
    surroundings: Surroundings,
    failure: &Failure,
) -> Option<u64> {
    if let Failure::Stopped(stopped) = failure {
        return Some(stopped.address);
    }
    let operands = contract.fitting(routine.word_bits(), pattern, operands);
    let finished = called(routine, contract, pattern, &operands, Concrete::new(), surroundings).ok()?;
    match failure {
        Failure::Stopped(_) => None,
        Failure::Breach(text) => finished.breaches.iter().find(|breach| breach.text == *text)?.address,
        Failure::Wrong { word, .. } | Failure::Missing { word } => {
            let writers = finished.writers?;
            let words: Vec<Option<u64>> = contract.result_of(&writers.buffers).copied().collect();
            let at = if contract.is_turned(None) { words.len().wrapping_sub(word + 1) } else { *word };
            words.get(at).copied().unwrap_or(writers.returned)
        }
    }
}

/// Whether a fault is the routine's doing, and not the end of what is modelled, nor what the contract does not say.
fn shows_a_violation(fault: &Fault, filled: bool) -> bool {
    match fault {
        // what has no arbitrary content
        Fault::Uninitialised { .. } | Fault::Undefined { .. } => !filled,
        Fault::NotOwned { .. }
        | Fault::ReadOnly { .. }
        | Fault::BadReturn { .. }
        | Fault::Astray { .. }
        | Fault::BelowStack { .. }
        | Fault::Stale { .. }
        | Fault::StackRaised { .. }
        | Fault::StackLowered { .. }
        | Fault::Volatile { .. }
        | Fault::NoInstruction { .. } => true,
        Fault::Argument { .. }
        | Fault::Constant { .. }
        | Fault::Secret { .. }
        | Fault::Place { .. }
        | Fault::Apart { .. }
        | Fault::NotModelled { .. }
        | Fault::StepLimit { .. }
        | Fault::Effort { .. } => false,
    }
}

impl CounterExample {
    /// The operands as numbers.
    pub fn numbers(&self) -> Vec<BigUint> {
        self.operands.iter().map(|words| number(words, self.word_bits)).collect()
    }
}
