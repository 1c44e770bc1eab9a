//! Steps of formulas, and what becomes of small multiples that are added: a number that counts more than once is added as one step.

use crate::formulas::Op;
use num_bigint::BigUint;

/// Most times that a number is added up, and that it is taken away.
const MOST_TIMES: u32 = 3;
const MOST_TAKEN: u32 = 2;

/// The sums, differences and multiples that formulas become, as contracts modulo a number.
pub fn multiples(modulus: &BigUint) -> Vec<String> {
    let of = |name: &str, times: u32, sign: char| format!("{name} {modulus:#x} b{sign}{times}");
    let added = (2..=MOST_TIMES).map(|times| of("modadd", times, '*'));
    let taken = (2..=MOST_TAKEN).map(|times| of("modsub", times, '*'));
    added.chain(taken).chain((2..=MOST_TIMES).map(|times| of("modmul", times, '='))).collect()
}

/// What a step computes of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Mul,
    Sqr,
    Half,
    /// x + n y.
    Add(u32),
    /// x - n y.
    Sub(u32),
    /// n x.
    Times(u32),
    /// x + y and x - y, by the steps whose numbers they are.
    Both([usize; 2]),
}

/// A step, whose operands are numbers: those that are given come first, then one for each step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) act: Act,
    pub(super) operands: Vec<usize>,
    /// Whether another step has taken over what it computes.
    pub(super) is_dropped: bool,
}

impl Call {
    /// The step of an operation on numbers; none of a copy.
    pub(super) fn new(op: Op, operands: Vec<usize>) -> Option<Call> {
        let act = match op {
            Op::Mul(..) => Act::Mul,
            Op::Sqr(_) => Act::Sqr,
            Op::Add(..) => Act::Add(1),
            Op::Sub(..) => Act::Sub(1),
            Op::Half(_) => Act::Half,
            Op::Times(number, _) => Act::Times(number),
            Op::Copy(_) => return None,
        };
        Some(Call { act, operands, is_dropped: false })
    }

    /// The number of which it is a multiple, and which.
    fn multiple(&self) -> Option<(u32, usize)> {
        match (self.act, &self.operands[..]) {
            (Act::Times(times), [x]) => Some((times, *x)),
            (Act::Add(times), [x, y]) if x == y => Some((times + 1, *x)),
            _ => None,
        }
    }
}

/// Makes fewer steps of those of a formula, the first of which has that number. Numbers of `kept` are wanted.
pub(super) fn fuse(calls: &mut [Call], first: usize, kept: &[usize]) {
    for at in 0..calls.len() {
        let ([x, y], Act::Add(1) | Act::Sub(1)) = (&calls[at].operands[..], calls[at].act) else { continue };
        let (x, y, minus) = (*x, *y, calls[at].act == Act::Sub(1));
        // the step of a number that only this one reads
        let own = |number: usize| {
            let uses = calls.iter().filter(|call| !call.is_dropped).flat_map(|call| &call.operands);
            let is_own = uses.filter(|own| **own == number).count() == 1 && !kept.contains(&number);
            number.checked_sub(first).filter(|_| is_own)
        };
        let multiple = |number: usize| own(number).and_then(|step| Some((step, calls[step].multiple()?)));
        let sum = |times: u32| if minus { Act::Sub(times) } else { Act::Add(times) };
        let chain = || {
            let step = own(x)?;
            let times = match (calls[step].act, minus) {
                (Act::Add(times), false) | (Act::Sub(times), true) => times,
                _ => return None,
            };
            let most = if minus { MOST_TAKEN } else { MOST_TIMES };
            (calls[step].operands[1] == y && times < most).then(|| (step, times + 1))
        };
        let found = if let Some((step, (times, base))) = multiple(x)
            && !minus
            && base == y
            && times < MOST_TIMES
        {
            Some((step, Act::Times(times + 1), vec![y]))
        } else if let Some((step, times)) = chain() {
            Some((step, sum(times), vec![calls[step].operands[0], y]))
        } else if let Some((step, (times, base))) = multiple(y)
            && (!minus || times <= MOST_TAKEN)
        {
            Some((step, sum(times), vec![x, base]))
        } else if let Some((step, (times, base))) = multiple(x).filter(|_| !minus) {
            Some((step, sum(times), vec![y, base]))
        } else {
            None
        };
        if let Some((step, act, operands)) = found {
            calls[step].is_dropped = true;
            (calls[at].act, calls[at].operands) = (act, operands);
        }
    }
    for call in
        calls.iter_mut().filter(|call| call.act == Act::Add(1) && call.operands[0] == call.operands[1])
    {
        call.act = Act::Times(2);
        call.operands.truncate(1);
    }
}

/// Makes one step of a sum and a difference of the same numbers, where the first of them stands.
pub(super) fn pair(calls: &mut [Call]) {
    for at in 0..calls.len() {
        let is = |call: &Call, act: Act| !call.is_dropped && call.act == act;
        let other = match &calls[at] {
            own if is(own, Act::Add(1)) => Act::Sub(1),
            own if is(own, Act::Sub(1)) => Act::Add(1),
            _ => continue,
        };
        let same = |call: &Call| is(call, other) && call.operands == calls[at].operands;
        let Some(behind) = calls[at..].iter().position(same) else { continue };
        let second = at + behind;
        calls[second].is_dropped = true;
        calls[at].act = Act::Both(if other == Act::Sub(1) { [at, second] } else { [second, at] });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(steps: &[(Op, &[usize])], kept: &[usize]) -> Vec<(Act, Vec<usize>)> {
        let call = |(op, operands): &(Op, &[usize])| Call::new(*op, operands.to_vec()).unwrap();
        let mut calls: Vec<Call> = steps.iter().map(call).collect();
        fuse(&mut calls, 2, kept);
        let left = calls.into_iter().filter(|call| !call.is_dropped);
        left.map(|call| (call.act, call.operands)).collect()
    }

    const ADD: Op = Op::Add("x", "y");
    const SUB: Op = Op::Sub("x", "y");

    #[test]
    fn sums_and_differences_of_the_same_are_one_step() {
        let paired = |steps: &[(Op, &[usize])]| {
            let call = |(op, operands): &(Op, &[usize])| Call::new(*op, operands.to_vec()).unwrap();
            let mut calls: Vec<Call> = steps.iter().map(call).collect();
            pair(&mut calls);
            let left = calls.into_iter().filter(|call| !call.is_dropped);
            left.map(|call| (call.act, call.operands)).collect::<Vec<_>>()
        };
        let both = |steps| vec![(Act::Both(steps), vec![0, 1])];
        assert_eq!(paired(&[(ADD, &[0, 1]), (SUB, &[0, 1])]), both([0, 1]));
        assert_eq!(paired(&[(SUB, &[0, 1]), (ADD, &[0, 1])]), both([1, 0]));
        let square: (Op, &[usize]) = (Op::Sqr("x"), &[2]);
        let apart = paired(&[(ADD, &[0, 1]), square, (SUB, &[0, 1])]);
        assert_eq!(apart, [(Act::Both([0, 2]), vec![0, 1]), (Act::Sqr, vec![2])]);
        // y - x is none, and a difference is taken once
        assert_eq!(paired(&[(ADD, &[0, 1]), (SUB, &[1, 0])]).len(), 2);
        assert_eq!(paired(&[(ADD, &[0, 1]), (SUB, &[0, 1]), (SUB, &[0, 1])]).len(), 2);
    }

    #[test]
    fn multiples_become_a_part_of_sums() {
        // 3 x + y
        let steps: [(Op, &[usize]); 3] = [(ADD, &[0, 0]), (ADD, &[2, 0]), (ADD, &[3, 1])];
        assert_eq!(made(&steps, &[4]), [(Act::Add(3), vec![1, 0])]);
        // that are wanted themselves
        assert_eq!(made(&steps, &[3, 4]), [(Act::Times(3), vec![0]), (Act::Add(1), vec![3, 1])]);
        assert_eq!(made(&steps[..1], &[2]), [(Act::Times(2), vec![0])]);
        // y - 2 x, and 2 x - y
        assert_eq!(made(&[(ADD, &[0, 0]), (SUB, &[1, 2])], &[3]), [(Act::Sub(2), vec![1, 0])]);
        let two: [(Op, &[usize]); 2] = [(ADD, &[0, 0]), (SUB, &[2, 1])];
        assert_eq!(made(&two, &[3]).len(), 2);
        // y - x - x, and y + x - x
        assert_eq!(made(&[(SUB, &[1, 0]), (SUB, &[2, 0])], &[3]), [(Act::Sub(2), vec![1, 0])]);
        assert_eq!(made(&[(ADD, &[1, 0]), (SUB, &[2, 0])], &[3]).len(), 2);
        let times: [(Op, &[usize]); 2] = [(Op::Times(121_665, "x"), &[0]), (ADD, &[1, 2])];
        assert_eq!(made(&times, &[3]), [(Act::Add(121_665), vec![1, 0])]);
        // three are not taken away at once
        let three: [(Op, &[usize]); 2] = [(Op::Times(3, "x"), &[0]), (SUB, &[1, 2])];
        assert_eq!(made(&three, &[3]).len(), 2);
        // what is read twice
        let twice: [(Op, &[usize]); 3] = [(ADD, &[0, 0]), (SUB, &[1, 2]), (Op::Sqr("x"), &[2])];
        assert_eq!(made(&twice, &[3, 4]).len(), 3);
    }
}
