//! Several registers moved at once.

use crate::file::Register;
use crate::placed::Placed;

/// The copies that bring the word of each register in `from` to the one in `to`, two at a time where `pairs` says that an
/// instruction does that. `spare` is none of them; `None` where that is wanted and not there.
pub fn moves(
    from: &[Register],
    to: &[Register],
    spare: Option<Register>,
    pairs: bool,
) -> Option<Vec<Placed>> {
    let mut open: Vec<(Register, Register)> =
        from.iter().copied().zip(to.iter().copied()).filter(|(from, to)| from != to).collect();
    let mut list = Vec::new();
    while let Some((first, _)) = open.first().copied() {
        let needed = |register: Register| open.iter().any(|(from, _)| *from == register);
        let is_pair = |(from, to): &(Register, Register)| {
            from % 2 == 0 && to % 2 == 0 && open.contains(&(from + 1, to + 1)) && {
                let other =
                    |register: Register| register != *from && register != from + 1 && needed(register);
                !other(*to) && !other(to + 1)
            }
        };
        if let Some(at) = open.iter().position(is_pair).filter(|_| pairs) {
            let (from, to) = open[at];
            list.push(Placed::CopyPair { to, from });
            open.retain(|(one, _)| *one != from && *one != from + 1);
        } else if let Some(at) = open.iter().position(|(_, to)| !needed(*to)) {
            let (from, to) = open.remove(at);
            list.push(Placed::Copy { to, from });
        } else {
            // a cycle: opened by the spare register
            let spare = spare?;
            list.push(Placed::Copy { to: spare, from: first });
            open[0].0 = spare;
        }
    }
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(from: &[Register], to: &[Register], expected: [usize; 2]) {
        for (pairs, expected) in [true, false].into_iter().zip(expected) {
            let list = moves(from, to, Some(0), pairs).unwrap();
            assert_eq!(list.len(), expected, "{list:?}");
            let mut registers: Vec<Register> = (0..32).collect();
            for one in list {
                let (to, from, count) = match one {
                    Placed::Copy { to, from } => (to, from, 1),
                    Placed::CopyPair { to, from } => (to, from, 2),
                    other => panic!("{other:?}"),
                };
                let (to, from) = (usize::from(to), usize::from(from));
                let words = registers[from..from + count].to_vec();
                registers[to..to + count].copy_from_slice(&words);
            }
            for (from, to) in from.iter().zip(to) {
                assert_eq!(registers[usize::from(*to)], *from);
            }
        }
    }

    #[test]
    fn words_arrive() {
        check(&[4, 5], &[4, 5], [0, 0]);
        check(&[4, 5], &[6, 7], [1, 2]);
        check(&[4, 5, 6], &[5, 6, 7], [3, 3]);
        check(&[4, 5], &[5, 4], [3, 3]);
        check(&[4, 5, 6], &[5, 6, 4], [4, 4]);
        check(&[4, 5, 6, 7], &[6, 7, 8, 9], [2, 4]);
        check(&[6, 4], &[7, 9], [2, 2]);
    }

    #[test]
    fn a_cycle_wants_a_spare_register() {
        assert_eq!(moves(&[4, 5], &[5, 4], None, false), None);
        assert_eq!(moves(&[4, 5], &[5, 6], None, false).map(|list| list.len()), Some(2));
    }
}
