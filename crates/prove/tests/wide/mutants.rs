//! Routines with one instruction left out or changed.

use super::toy::{Op, Toy, on};
use rhomb_certificate::{Contract, check};
use rhomb_prove::{Unproved, prove_within, refute};

const EFFORT: u64 = 2_000_000;
/// Instructions, see [`refute`].
const LONG: u64 = 2_000_000;

/// What became of mutants.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) proved: usize,
    pub(crate) refuted: usize,
    pub(crate) unknown: usize,
}

fn judge(routine: &Toy, at: usize, code: Vec<Op>, contract: &str, tally: &mut Tally) {
    let contract: Contract = contract.parse().unwrap();
    let mutant = &Toy { code, ..routine.clone() };
    let what = || format!("{contract}: {at}: {:?}, now {:?}", routine.code[at], mutant.code.get(at));
    match on!(mutant, mutant => prove_within(mutant, &contract, EFFORT)) {
        Ok(certificate) => {
            assert_eq!(on!(mutant, mutant => check(mutant, &certificate)), Ok(contract), "{}", what());
            let wrong = on!(mutant, mutant => refute(mutant, &contract, LONG)).found;
            assert_eq!(wrong, None, "PROVED, AND WRONG: {}", what());
            tally.proved += 1;
        }
        Err(Unproved::Stopped(_) | Unproved::Breach(_)) => tally.refuted += 1,
        Err(error @ (Unproved::Coefficients { .. } | Unproved::Composition(_) | Unproved::NotWritten(_))) => {
            panic!("{}: {error}", what())
        }
        Err(Unproved::Open(_) | Unproved::Effort(_)) => {
            match on!(mutant, mutant => refute(mutant, &contract, LONG)).found {
                Some(_) => tally.refuted += 1,
                None => {
                    println!("unknown: {}", what());
                    tally.unknown += 1;
                }
            }
        }
    }
}

/// Instructions that an instruction may be mistaken for.
fn others(op: Op, code: &[Op]) -> Vec<Op> {
    match op {
        Op::Add { d, x, y, with, sets } => vec![
            Op::Add { d, x, y, with: !with, sets },
            Op::Add { d, x, y, with, sets: !sets },
            Op::Add { d, x, y: x, with, sets },
            Op::Sub { d, x, y, with, sets },
        ],
        Op::Sub { d, x, y, with, sets } => vec![
            Op::Sub { d, x, y, with: !with, sets },
            Op::Sub { d, x, y, with, sets: !sets },
            Op::Sub { d, x: y, y: x, with, sets },
            Op::Add { d, x, y, with, sets },
        ],
        Op::Multiply(low, high, x, y) => {
            vec![
                Op::Multiply(high, low, x, y),
                Op::Multiply(low, high, x, x),
                Op::Accumulate(low, high, x, y),
            ]
        }
        Op::Accumulate(low, high, x, y) => {
            vec![Op::Multiply(low, high, x, y), Op::Accumulate(low, high, y, y)]
        }
        Op::And(d, x, y) => vec![Op::Or(d, x, y), Op::Xor(d, x, y)],
        Op::Or(d, x, y) => vec![Op::And(d, x, y), Op::Xor(d, x, y)],
        Op::Xor(d, x, y) => vec![Op::And(d, x, y), Op::Or(d, x, y)],
        Op::Left(d, x, places) => vec![Op::Left(d, x, places - 1), Op::Right(d, x, places)],
        Op::Right(d, x, places) => vec![Op::Right(d, x, places - 1), Op::Left(d, x, places)],
        Op::Sign(d, x) => vec![Op::Right(d, x, 31), Op::Xor(d, x, x)],
        Op::Load(d, buffer, word) => vec![Op::Load(d, buffer, word + 1), Op::Load(d, 1, 0)],
        Op::Store(word, s) => vec![Op::Store(word + 1, s), Op::Store(word, 0)],
        Op::Constant(d, value) => vec![Op::Constant(d, value ^ 1)],
        Op::Return(_) => vec![code[0]],
    }
}

/// All single deletions and mistakes.
pub(crate) fn all(routine: &Toy, contract: &str, tally: &mut Tally) {
    for (at, op) in routine.code.iter().enumerate() {
        let mut shorter = routine.code.clone();
        shorter.remove(at);
        judge(routine, at, shorter, contract, tally);
        for other in others(*op, &routine.code) {
            let mut changed = routine.code.clone();
            changed[at] = other;
            judge(routine, at, changed, contract, tally);
        }
    }
}
