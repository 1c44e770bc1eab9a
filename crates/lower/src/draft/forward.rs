//! Words that are stored and loaded again stay in registers on the way.

use super::form::{Act, Draft, Memory, Name, Step};
use std::collections::{BTreeMap, HashMap};

impl Draft {
    /// Words of a memory that nobody else sees go from a store to the loads behind it in a register, where there are no more
    /// than `patience` instructions in between; what is stored for nobody then is not stored. What is left stands in the first
    /// words of the memory, as many as this returns.
    /// What is stored last of a memory that is `seen` is stored all the same, where it was.
    pub(super) fn forward(&mut self, memory: Memory, patience: usize, seen: bool) -> usize {
        let mut names: HashMap<Name, Name> = HashMap::new();
        let mut stored: HashMap<i32, (usize, Name)> = HashMap::new();
        let mut stays = vec![true; self.steps.len()];
        for at in 0..self.steps.len() {
            let step = &mut self.steps[at];
            for name in [&mut step.x, &mut step.y] {
                *name = names.get(name).copied().unwrap_or(*name);
            }
            let Some(index) = step.index(memory) else { continue };
            let Some(to) = step.to else {
                stored.insert(index, (at, step.y));
                stays[at] = false;
                continue;
            };
            match stored.get(&index) {
                Some((store, name)) if at - store <= patience => {
                    names.insert(to, *name);
                    stays[at] = false;
                }
                Some((store, _)) => stays[*store] = true,
                None => {}
            }
        }
        if seen {
            stored.values().for_each(|(store, _)| stays[*store] = true);
        }
        let mut stays = stays.into_iter();
        self.steps.retain(|_| stays.next() == Some(true));
        let used: BTreeMap<i32, i32> =
            self.steps.iter().filter_map(|step| step.index(memory)).map(|index| (index, 0)).collect();
        if seen {
            return used.len();
        }
        let places: BTreeMap<i32, i32> = used.into_keys().zip(0..).collect();
        for step in &mut self.steps {
            let place = step.index(memory).and_then(|index| places.get(&index));
            let Some(place) = place.copied() else { continue };
            step.act = if step.to.is_some() { Act::Load(place) } else { Act::Store(place) };
            step.place = step.place.map(|(number, _)| (number, place));
        }
        places.len()
    }
}

impl Step {
    /// The word of a memory that it accesses.
    fn index(&self, memory: Memory) -> Option<i32> {
        self.place.filter(|(number, _)| *number == memory.number).map(|(_, index)| index)
    }
}
