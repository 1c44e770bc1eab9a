//! Whether the time of a routine depends on its operands.

use crate::calls::with_words;
use rhomb_certificate::Contract;
use rhomb_machine::{Domain, Fault, Finished, Limb, Routine, SecretBranch, Secrets, Stopped};

/// What is known about a routine's time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Neither a branch nor an address depends on the operands.
    Constant,
    /// Branches depend on them, but both sides of each take equally long; no address does.
    Balanced,
    /// An address depends on the operands, or a branch whose sides are not known to take equally long.
    Leaks {
        /// Where.
        at: Stopped,
        /// The two times of a branch, where they are known.
        cycles: Option<SecretBranch>,
    },
    /// The execution does not come to its end for another reason.
    Unknown(Option<Stopped>),
}

/// Executes the routine with secret operands, for each aliasing pattern of its contract.
pub fn timing<R: Routine>(routine: &R, contract: &Contract) -> Timing {
    with_words!(routine.word_bits(), Timing::Unknown(None), of_words(routine, contract))
}

fn of_words<W: Limb, R: Routine>(routine: &R, contract: &Contract) -> Timing {
    match run::<W, R>(routine, contract, Secrets::new()) {
        Ok(_) => Timing::Constant,
        Err(at) if matches!(at.fault, Fault::Secret { .. }) => {
            match run::<W, R>(routine, contract, Secrets::joining()) {
                Ok(branches) => match branches.iter().find(|branch| branch.taken != branch.other) {
                    None => Timing::Balanced,
                    Some(branch) => {
                        // the first branch is not always the one that leaks
                        let at = if branch.address == at.address { at } else { elsewhere(at, branch) };
                        Timing::Leaks { at, cycles: Some(*branch) }
                    }
                },
                Err(second) if matches!(second.fault, Fault::Secret { .. }) => {
                    Timing::Leaks { at: second, cycles: None }
                }
                Err(_) => Timing::Leaks { at, cycles: None },
            }
        }
        Err(other) => Timing::Unknown(Some(other)),
    }
}

fn elsewhere(at: Stopped, branch: &SecretBranch) -> Stopped {
    Stopped { address: branch.address, instruction: String::new(), ..at }
}

fn run<W: Limb, R: Routine>(
    routine: &R,
    contract: &Contract,
    domain: Secrets<W>,
) -> Result<Vec<SecretBranch>, Stopped> {
    let bits = routine.word_bits();
    let mut branches = Vec::new();
    for pattern in contract.patterns() {
        let mut domain = domain;
        let mut secrets = |words: &u32| (0..*words).map(|_| domain.arbitrary()).collect();
        let operands: Vec<Vec<_>> = contract.operands(bits).iter().map(&mut secrets).collect();
        let finished: Finished<Secrets<W>> =
            routine.call(domain, &contract.buffers(bits, pattern, &pattern.fitting(&operands)))?;
        branches.extend(finished.secret_branches);
    }
    Ok(branches)
}
