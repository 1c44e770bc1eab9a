//! List scheduling: the instructions of a straight line in an order in which they wait less.

/// What an instruction of a straight line reads and writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Places that it reads: registers, flags, whatever the processor tells apart by a bit each.
    pub reads: u64,
    /// Places that it writes.
    pub writes: u64,
    /// Whether it stores (`true`) or loads, if it touches memory.
    pub stores: Option<bool>,
}

/// The pipeline of a core, and the instructions of the line by their numbers.
pub trait Timing {
    /// The cycle in which an instruction would be issued next.
    fn earliest(&self, number: usize) -> u64;

    /// Issues an instruction.
    fn issue(&mut self, number: usize);

    /// Cycles from the issue of an instruction until another one that reads its result can be issued.
    fn latency(&self, number: usize, reader: usize) -> u64;

    /// Cycles from the issue of an instruction to that of the next one.
    fn length(&self, number: usize) -> u64;
}

/// An instruction among those that it waits for, and that wait for it.
#[derive(Default)]
struct Node {
    /// Instructions that must stand before it and do not stand yet.
    open: usize,
    /// Those that must stand after it, by number.
    followers: Vec<usize>,
    /// Cycles from its issue to the end, if nothing but what depends on it is waited for.
    height: u64,
}

/// The numbers of the same instructions in an order in which the pipeline waits less: always the one that can be
/// issued first, among those the one on whose result most time depends, among those the first. Registers stay as they
/// are, so that a register that is used again soon leaves little to choose. Of two accesses to memory, one of which
/// stores, the order is kept unless `apart` says of their numbers that they touch different memory.
pub fn schedule(
    steps: &[Step],
    timing: &mut impl Timing,
    apart: impl Fn(usize, usize) -> bool,
) -> Vec<usize> {
    let mut nodes = nodes(steps, timing, &apart);
    let mut ready: Vec<usize> = (0..steps.len()).filter(|number| nodes[*number].open == 0).collect();
    let mut order = Vec::with_capacity(steps.len());
    while !ready.is_empty() {
        let key = |number: usize| (timing.earliest(number), u64::MAX - nodes[number].height, number);
        let places = ready.iter().copied().enumerate();
        let Some((place, next)) = places.min_by_key(|(_, number)| key(*number)) else { break };
        ready.swap_remove(place);
        timing.issue(next);
        order.push(next);
        for follower in std::mem::take(&mut nodes[next].followers) {
            nodes[follower].open -= 1;
            if nodes[follower].open == 0 {
                ready.push(follower);
            }
        }
    }
    order
}

fn nodes(steps: &[Step], timing: &impl Timing, apart: &dyn Fn(usize, usize) -> bool) -> Vec<Node> {
    let mut nodes: Vec<Node> = steps.iter().map(|_| Node::default()).collect();
    // by place: who wrote it last, and who has read it since
    let mut writers = [None; 64];
    let mut readers: [Vec<usize>; 64] = std::array::from_fn(|_| Vec::new());
    let mut accesses: Vec<(usize, bool)> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let mut before: Vec<usize> = places(step.reads).filter_map(|place| writers[place]).collect();
        for place in places(step.writes) {
            before.extend(writers[place].into_iter().chain(readers[place].iter().copied()));
        }
        if let Some(stores) = step.stores {
            let touched =
                accesses.iter().filter(|(other, stored)| (*stored || stores) && !apart(*other, number));
            before.extend(touched.map(|(other, _)| *other));
            accesses.push((number, stores));
        }
        before.sort_unstable();
        before.dedup();
        nodes[number].open = before.len();
        for earlier in before {
            nodes[earlier].followers.push(number);
        }
        for place in places(step.reads) {
            readers[place].push(number);
        }
        for place in places(step.writes) {
            writers[place] = Some(number);
            readers[place].clear();
        }
    }
    for number in (0..steps.len()).rev() {
        let waits = |follower: &usize| {
            let reads = steps[*follower].reads & steps[number].writes != 0;
            let own = if reads { timing.latency(number, *follower) } else { 1 };
            own + nodes[*follower].height
        };
        let after = nodes[number].followers.iter().map(waits).max();
        nodes[number].height = after.unwrap_or_else(|| timing.length(number));
    }
    nodes
}

/// The numbers of the places of a set.
fn places(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let place = set.trailing_zeros() as usize;
            set &= set - 1;
            place
        })
    })
}
