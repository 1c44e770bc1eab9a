//! Several registers moved at once.

use crate::instructions::{Instruction, Op};

/// Holds a word for a moment; it is no register of the accumulator.
const SPARE: u8 = 0;

/// The moves that bring the word of each register in `from` to the one in `to`.
pub(super) fn moves(from: &[u8], to: &[u8]) -> Vec<Instruction> {
    let mut open: Vec<(u8, u8)> =
        from.iter().copied().zip(to.iter().copied()).filter(|(from, to)| from != to).collect();
    let mut list = Vec::new();
    while !open.is_empty() {
        let needed = |register: u8| open.iter().any(|(from, _)| *from == register);
        let pair = open.iter().position(|(from, to)| {
            from % 2 == 0 && to % 2 == 0 && open.contains(&(from + 1, to + 1)) && {
                let other = |register: u8| register != *from && register != from + 1 && needed(register);
                !other(*to) && !other(to + 1)
            }
        });
        if let Some(at) = pair {
            let (from, to) = open[at];
            list.push(Instruction::dr(Op::Movw, to, from));
            open.retain(|(one, _)| *one != from && *one != from + 1);
        } else if let Some(at) = open.iter().position(|(_, to)| !needed(*to)) {
            let (from, to) = open.remove(at);
            list.push(Instruction::dr(Op::Mov, to, from));
        } else {
            // a cycle: opened by the spare register
            let (from, _) = open[0];
            list.push(Instruction::dr(Op::Mov, SPARE, from));
            open[0].0 = SPARE;
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(from: &[u8], to: &[u8], expected: usize) {
        let list = moves(from, to);
        assert_eq!(list.len(), expected, "{list:?}");
        let mut registers: Vec<u8> = (0..32).collect();
        for one in list {
            let (d, r) = (usize::from(one.d), usize::from(one.r));
            let count = if one.op == Op::Movw { 2 } else { 1 };
            let words = registers[r..r + count].to_vec();
            registers[d..d + count].copy_from_slice(&words);
        }
        for (from, to) in from.iter().zip(to) {
            assert_eq!(registers[usize::from(*to)], *from);
        }
    }

    #[test]
    fn words_arrive() {
        check(&[4, 5], &[4, 5], 0);
        check(&[4, 5], &[6, 7], 1);
        check(&[4, 5, 6], &[5, 6, 7], 3);
        check(&[4, 5], &[5, 4], 3);
        check(&[4, 5, 6], &[5, 6, 4], 4);
        check(&[4, 5, 6, 7], &[6, 7, 8, 9], 2);
        check(&[6, 4], &[7, 9], 2);
    }
}
