//! Where all paths from two places meet.

use super::line::{Flow, Way};
use super::{Code, ProgramPoint};
use std::collections::HashMap;

/// Most places that are looked at.
const MOST: usize = 1024;

/// Places, and where execution may go from each; from where it leaves the routine, or nobody knows, nowhere.
pub(super) struct Paths {
    places: Vec<u32>,
    after: Vec<Vec<usize>>,
}

impl Paths {
    /// From these places on; `None` where they are too many.
    pub(super) fn from(program: &impl Code, starts: [u32; 2]) -> Option<Paths> {
        let mut numbers: HashMap<u32, usize> = HashMap::new();
        let mut paths = Paths { places: Vec::new(), after: Vec::new() };
        let mut add = |place: u32, places: &mut Vec<u32>| {
            *numbers.entry(place).or_insert_with(|| {
                places.push(place);
                places.len() - 1
            })
        };
        for start in starts {
            add(start, &mut paths.places);
        }
        while paths.after.len() < paths.places.len() {
            if paths.places.len() > MOST {
                return None;
            }
            let goals = after(program, paths.places[paths.after.len()]);
            let goals = goals.into_iter().flatten().map(|goal| add(goal, &mut paths.places)).collect();
            paths.after.push(goals);
        }
        Some(paths)
    }

    /// Places 0 and on, and where execution may go from each.
    #[cfg(test)]
    pub(super) fn with(after: &[&[usize]]) -> Paths {
        let places = (0..after.len() as u32).collect();
        Paths { places, after: after.iter().map(|goals| goals.to_vec()).collect() }
    }

    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// A place by its number.
    pub(super) fn place(&self, number: usize) -> u32 {
        self.places[number]
    }

    /// Where execution may go from a place.
    pub(super) fn after(&self, number: usize) -> &[usize] {
        &self.after[number]
    }

    /// The shortest path from a place until execution leaves the routine, without the places that are left out.
    fn out(&self, start: usize, without: Option<usize>) -> Option<Vec<usize>> {
        let mut before: Vec<Option<usize>> = vec![None; self.places.len()];
        let mut next = vec![start];
        let mut at = 0;
        while let Some(place) = next.get(at).copied().filter(|_| Some(start) != without) {
            at += 1;
            if self.after[place].is_empty() {
                let mut path: Vec<usize> =
                    std::iter::successors(Some(place), |place| before[*place].filter(|_| *place != start))
                        .collect();
                path.reverse();
                return Some(path);
            }
            for goal in &self.after[place] {
                if before[*goal].is_none() && *goal != start && Some(*goal) != without {
                    before[*goal] = Some(place);
                    next.push(*goal);
                }
            }
        }
        None
    }
}

/// Where execution may go from a place, delay slots left out.
fn after(program: &impl Code, place: u32) -> [Option<u32>; 2] {
    let Some(Way { flow, next, delayed, or }) = program.way(place) else { return [None; 2] };
    let behind = if delayed { next.wrapping_add(next.wrapping_sub(place)) } else { next };
    match flow {
        Flow::Next => [Some(behind), or],
        Flow::To(goal) => [Some(goal), None],
        Flow::Back | Flow::Away => [None; 2],
    }
}

/// The first place that all paths from both places come to, `nearest` before others; `None` where there is none, or where places are too
/// many.
pub(super) fn meeting(program: &impl Code, starts: [ProgramPoint; 2], nearest: Option<u32>) -> Option<u32> {
    // a delay slot is executed on the way
    let starts = starts.map(|start| start.slot.unwrap_or(start.pc));
    let paths = Paths::from(program, starts)?;
    let both = [0, usize::from(starts[0] != starts[1])];
    let meets = |place: usize| both.iter().all(|start| paths.out(*start, Some(place)).is_none());
    let own = nearest.and_then(|nearest| paths.places.iter().position(|place| *place == nearest));
    if own.is_some_and(meets) {
        return nearest;
    }
    let all = paths.out(0, None).unwrap_or_default();
    all.into_iter().find(|place| meets(*place)).map(|place| paths.places[place])
}
