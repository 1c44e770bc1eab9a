//! The order of places in which paths are followed: each comes before those behind it, and a loop's stand together.

use super::paths::Paths;
use std::cmp::Ordering;
use std::collections::HashMap;

/// A weak topological order (Bourdoncle, 1993, "Efficient chaotic iteration strategies with widenings", figure 4): places in loops,
/// these in others, each with its head first.
#[derive(Debug)]
pub(crate) struct Order {
    /// For each place, the loops that it is in, outermost first, by the ranks of their heads, and its own rank.
    ranks: HashMap<u32, (Vec<usize>, usize)>,
}

/// How far a path has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// The loops that it is in, outermost first: the rank of the head, and how often execution came back to that.
    rounds: Vec<(usize, u32)>,
    /// The rank of its place.
    rank: usize,
}

impl Progress {
    fn steps(&self) -> impl Iterator<Item = (usize, u32)> {
        self.rounds.iter().copied().chain([(self.rank, 0)])
    }
}

impl Ord for Progress {
    fn cmp(&self, other: &Self) -> Ordering {
        self.steps().cmp(other.steps())
    }
}

impl PartialOrd for Progress {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Places and loops of them.
enum Part {
    Place(usize),
    Loop(usize, Vec<Part>),
}

/// What the search for loops knows of places.
struct Search<'a> {
    paths: &'a Paths,
    /// When each place was found; `usize::MAX` where it has its rank already, and 0 before.
    found: Vec<usize>,
    open: Vec<usize>,
    count: usize,
}

impl Search<'_> {
    /// The earliest place that paths from this one come back to.
    fn visit(&mut self, place: usize, parts: &mut Vec<Part>) -> usize {
        self.open.push(place);
        self.count += 1;
        self.found[place] = self.count;
        let (mut head, mut is_loop) = (self.count, false);
        for goal in self.paths.after(place) {
            let earliest = if self.found[*goal] == 0 { self.visit(*goal, parts) } else { self.found[*goal] };
            if earliest <= head {
                (head, is_loop) = (earliest, true);
            }
        }
        if head == self.found[place] {
            self.found[place] = usize::MAX;
            while let Some(other) = self.open.pop().filter(|other| *other != place) {
                self.found[other] = 0;
            }
            parts.push(if is_loop { self.inside(place) } else { Part::Place(place) });
        }
        head
    }

    /// The loop of a head.
    fn inside(&mut self, head: usize) -> Part {
        let mut parts = Vec::new();
        for goal in self.paths.after(head) {
            if self.found[*goal] == 0 {
                self.visit(*goal, &mut parts);
            }
        }
        Part::Loop(head, parts)
    }
}

impl Order {
    pub(super) fn of(paths: &Paths) -> Order {
        let mut parts = Vec::new();
        let mut search = Search { paths, found: vec![0; paths.len()], open: Vec::new(), count: 0 };
        for start in 0..paths.len() {
            if search.found[start] == 0 {
                search.visit(start, &mut parts);
            }
        }
        let mut order = Order { ranks: HashMap::new() };
        order.number(paths, &parts, &mut Vec::new());
        order
    }

    /// Ranks: parts were found from the last to the first.
    fn number(&mut self, paths: &Paths, parts: &[Part], around: &mut Vec<usize>) {
        for part in parts.iter().rev() {
            let rank = self.ranks.len();
            let (Part::Place(place) | Part::Loop(place, _)) = part;
            if let Part::Loop(_, inside) = part {
                around.push(rank);
                self.ranks.insert(paths.place(*place), (around.clone(), rank));
                self.number(paths, inside, around);
                around.pop();
            } else {
                self.ranks.insert(paths.place(*place), (around.clone(), rank));
            }
        }
    }

    /// Whether a place is one of these.
    pub(super) fn contains(&self, place: u32) -> bool {
        self.ranks.contains_key(&place)
    }

    /// Moves a path on to a place; nothing for one that is none of the order's.
    pub(super) fn advance(&self, path: &mut Progress, place: u32) {
        let Some((loops, rank)) = self.ranks.get(&place) else { return };
        let stays = path.rounds.iter().zip(loops).take_while(|((own, _), other)| own == *other).count();
        path.rounds.truncate(stays);
        // back at the head of a loop that was not left
        if stays == loops.len()
            && loops.last() == Some(rank)
            && let Some((_, rounds)) = path.rounds.last_mut()
        {
            *rounds += 1;
        }
        path.rounds.extend(loops[stays..].iter().map(|head| (*head, 0)));
        path.rank = *rank;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places 0 to 7: 1 to 5 are a loop with another one, 3 and 4, in it, and 2, 4 and 5 lead to 6, which 7 follows.
    fn order() -> Order {
        Order::of(&Paths::with(&[&[1], &[2], &[3, 6], &[4], &[3, 5, 6], &[1, 6], &[7], &[]]))
    }

    fn progress(order: &Order, places: &[u32]) -> Progress {
        let mut progress = Progress::default();
        places.iter().for_each(|place| order.advance(&mut progress, *place));
        progress
    }

    #[test]
    fn the_path_that_is_furthest_back_is_known() {
        let order = order();
        let ascending: [&[u32]; 11] = [
            &[0],
            &[1],
            &[1, 2],
            &[1, 2, 3],
            &[1, 2, 3, 4],
            // once more around the inner loop, and then behind it
            &[1, 2, 3, 4, 3],
            &[1, 2, 3, 4, 3, 4],
            &[1, 2, 3, 4, 5],
            // once more around the outer loop: the inner one begins anew
            &[1, 2, 3, 4, 3, 4, 5, 1],
            &[1, 2, 3, 4, 5, 1, 2, 3],
            &[1, 2, 6],
        ];
        for pair in ascending.windows(2) {
            assert!(progress(&order, pair[0]) < progress(&order, pair[1]), "{pair:?}");
        }
        // whatever was done in loops that were left
        for path in [&[1, 2, 6][..], &[1, 2, 3, 4, 3, 4, 6], &[1, 2, 3, 4, 5, 1, 2, 6]] {
            assert_eq!(progress(&order, path), progress(&order, &[6]), "{path:?}");
        }
        assert!(progress(&order, &[6]) < progress(&order, &[7]));
        // a place that is none of the order's changes nothing
        assert_eq!(progress(&order, &[1, 99]), progress(&order, &[1]));
    }
}
