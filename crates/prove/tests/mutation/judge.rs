//! What prover and simulator say of a broken kernel.

use super::explain::{Explanation, explain};
use super::families::Kernel;
use num_bigint::BigUint;
use rhomb_avr::Function;
use rhomb_avr::instructions::Instruction;
use rhomb_certificate::{Contract, Operation, check};
use rhomb_machine::{Access, Buffer, Concrete, Random, Routine};
use rhomb_prove::{Unproved, prove_within, refute};

/// The judgement on a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// And right in 1,000 calls and more.
    Proved(Explanation),
    /// With a counter-example or the violation of a rule.
    Refuted,
    /// Neither; the symbolic execution ends, or the convention is broken.
    Stopped,
    /// Neither; terms remain.
    Unknown,
}

/// Calls that a proved mutant must pass.
const CALLS: u64 = 1000;
/// Terms that a proof may touch: many times what any of the kernels needs.
pub(crate) const EFFORT: u64 = 2_000_000;
/// Instructions, see [`refute`].
const QUICK: u64 = 100_000;
const LONG: u64 = 2_000_000;

/// Judges the kernel with the code of a mutant that differs at `at` only; `None` where it is no code.
///
/// # Panics
/// When a mutant is proved that is wrong, or a proof does not pass the checker.
pub(crate) fn judge(kernel: &Kernel, at: usize, code: &[Instruction]) -> Option<Judgement> {
    let function = kernel.with(code)?;
    let describe = || {
        let text = rhomb_avr::syntax::gnu::instruction;
        format!(
            "{} {} words: {} instead of {} at {at}",
            kernel.family,
            kernel.words,
            text(&code[at]),
            text(&kernel.code[at])
        )
    };
    let unproved = match prove_within(&function, &kernel.contract, EFFORT) {
        Ok(certificate) => {
            let checked = check(&function, &certificate);
            assert_eq!(checked, Ok(kernel.contract), "the checker refuses {}", describe());
            if let Some(wrong) = wrong_call(&function, &kernel.contract) {
                panic!("PROVED, AND WRONG: {} {wrong}", describe());
            }
            keeps(&function, &kernel.contract, &describe());
            return Some(Judgement::Proved(explain(kernel, at, code)));
        }
        Err(unproved) => unproved,
    };
    let wrong = |budget| refute(&function, &kernel.contract, budget).found.is_some();
    let open = matches!(unproved, Unproved::Open(_) | Unproved::Effort(_));
    if wrong(QUICK) || open && wrong(LONG) {
        return Some(Judgement::Refuted);
    }
    Some(match unproved {
        Unproved::Open(_) | Unproved::Effort(_) => Judgement::Unknown,
        Unproved::Stopped(_) | Unproved::Breach(_) => Judgement::Stopped,
        Unproved::Coefficients { .. } | Unproved::Composition(_) | Unproved::NotWritten(_) => {
            panic!("no kernel of these families")
        }
    })
}

/// The search for a counter-example finds nothing in 1,000 calls.
fn keeps(function: &Function, contract: &Contract, what: &str) {
    let mut budget = CALLS * 1000;
    loop {
        let search = refute(function, contract, budget);
        if let Some(example) = search.found {
            panic!("PROVED, AND WRONG: {what} {:?}", example.failure);
        }
        assert_eq!(search.stopped, None, "proved, and stopped: {what}");
        if search.calls >= CALLS {
            return;
        }
        budget *= 2;
    }
}

/// Whatever is wrong in 1,000 calls in which all that the caller wants preserved is defined.
fn wrong_call(function: &Function, contract: &Contract) -> Option<String> {
    let mut random = Random::new(7);
    let patterns = contract.patterns();
    (0..CALLS as u32).find_map(|number| {
        let pattern = &patterns[number as usize % patterns.len()];
        let mut operands: Vec<Vec<u8>> = contract
            .operands(8)
            .iter()
            .map(|length| (0..*length).map(|_| biased(&mut random)).collect())
            .collect();
        if let [first, others @ ..] = pattern.result_on {
            others.iter().for_each(|other| operands[*other] = operands[*first].clone());
        }
        let content = pattern.result_on.first().map(|operand| operands[*operand].clone());
        let length = contract.result(8);
        let mut buffers = vec![Buffer { name: "r", length, content, access: Access::Store, shares: None }];
        for (index, operand) in operands.iter().enumerate() {
            buffers.push(Buffer {
                name: "operand",
                length: operand.len() as u32,
                content: Some(operand.clone()),
                access: Access::Load,
                shares: pattern.result_on.contains(&index).then_some(0),
            });
        }
        // in even surroundings all registers are defined
        let finished = match function.call_at(Concrete::<u8>::new(), &buffers, 2 * number) {
            Ok(finished) => finished,
            Err(stopped) => return Some(stopped.to_string()),
        };
        let mut bytes: Vec<u8> = finished.buffers[0].iter().map(|byte| byte.unwrap_or(0xa5)).collect();
        let numbers: Vec<BigUint> = operands.iter().map(|bytes| BigUint::from_bytes_le(bytes)).collect();
        let limit = BigUint::from(1u8) << (8 * bytes.len());
        let mut right = match contract.operation() {
            Operation::Mul => &numbers[0] * &numbers[1],
            Operation::Sqr => &numbers[0] * &numbers[0],
            Operation::Add => &numbers[0] + &numbers[1],
            Operation::Sub => &numbers[0] + &limit - &numbers[1],
            other => panic!("no kernel of {}", other.name()),
        };
        if contract.returns_carry() {
            bytes.push(finished.returned.unwrap_or(0xa5));
        }
        if contract.operation() == Operation::Sub {
            right = if right < limit { right + limit } else { right - limit };
        }
        let wrong = BigUint::from_bytes_le(&bytes) != right;
        let breach = finished.breaches.first().cloned();
        breach.map(|breach| breach.text).or_else(|| wrong.then(|| format!("{operands:02x?} {bytes:02x?}")))
    })
}

fn biased(random: &mut Random) -> u8 {
    match random.index(8) {
        0..5 => [0x00, 0xff][random.index(2)],
        5 | 6 => [0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff][random.index(6)],
        _ => random.index(256) as u8,
    }
}
