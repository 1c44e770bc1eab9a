//! How long the values of a line live.

use rhomb_line::{Address, Array, Line, Op, Value};
use std::collections::HashMap;

/// What registers are given by, the same for all ways to give them.
#[derive(Debug)]
pub struct Lives<'a> {
    pub(crate) line: &'a Line,
    lives: Vec<Life>,
    /// Operations that read values, value by value.
    uses: Vec<usize>,
    /// Loads of each word of memory.
    loads: Vec<Vec<usize>>,
    /// For each operation that stores a word which is loaded at some time, the number of that word.
    stored: Vec<Option<usize>>,
    /// Multiplications.
    products: Vec<usize>,
}

/// The life of a value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Life {
    /// Where its uses begin, and how many there are.
    first: usize,
    count: usize,
    /// The last operation of what becomes of it in its register: what is added to it stays there.
    pub(crate) end: usize,
    /// The number that it is, which can be made again.
    pub(crate) number: Option<u64>,
    /// Where it was loaded from, and the number of that word.
    pub(crate) origin: Option<(Address, usize)>,
    /// The first operation that stores something there.
    pub(crate) overwritten: usize,
}

pub(crate) const NEVER: usize = usize::MAX;

impl<'a> Lives<'a> {
    /// Those of a line without columns.
    pub fn of(line: &'a Line) -> Lives<'a> {
        let mut lives = vec![Life::default(); line.values];
        let reads = |op: &Op| {
            let [x, y] = op.reads();
            x.into_iter().chain(y.filter(|_| x != y))
        };
        line.ops.iter().flat_map(reads).for_each(|value| lives[value.0].count += 1);
        let mut first = 0;
        for life in &mut lives {
            life.first = first;
            first += std::mem::take(&mut life.count);
        }
        let mut uses = vec![0; first];
        let (mut loads, mut products): (Vec<Vec<usize>>, Vec<usize>) = Default::default();
        let (mut names, mut stores): (HashMap<Address, usize>, HashMap<Address, usize>) = Default::default();
        for (at, op) in line.ops.iter().enumerate() {
            for value in reads(op) {
                let life = &mut lives[value.0];
                uses[life.first + life.count] = at;
                life.count += 1;
                life.end = at;
            }
            match *op {
                Op::Number { to, number } => lives[to.0].number = Some(number),
                Op::Load { to, from } => {
                    let name = *names.entry(from).or_insert(loads.len());
                    lives[to.0].origin = Some((from, name));
                    match loads.get_mut(name) {
                        Some(loads) => loads.push(at),
                        None => loads.push(vec![at]),
                    }
                }
                Op::Store { to, .. } => {
                    stores.entry(to).or_insert(at);
                }
                Op::Multiply { .. } | Op::Low { .. } => products.push(at),
                _ => {}
            }
        }
        for op in line.ops.iter().rev() {
            if let Op::Add { to, x, .. } | Op::Subtract { to, x, .. } | Op::Not { to, x } = *op {
                lives[x.0].end = lives[x.0].end.max(lives[to.0].end);
            }
        }
        for life in &mut lives {
            let first = life.origin.and_then(|(from, _)| stores.get(&from).copied());
            life.overwritten = first.unwrap_or(NEVER);
        }
        let word = |op: &Op| match op {
            Op::Store { to, .. } => names.get(to).copied(),
            _ => None,
        };
        Lives { line, stored: line.ops.iter().map(word).collect(), lives, uses, loads, products }
    }

    pub(crate) fn life(&self, value: Value) -> &Life {
        &self.lives[value.0]
    }

    /// Operations that read it.
    pub(crate) fn uses(&self, value: Value) -> &[usize] {
        let Life { first, count, .. } = self.lives[value.0];
        &self.uses[first..first + count]
    }

    /// The first load of a word behind an operation.
    pub(crate) fn loaded_again(&self, word: usize, at: usize) -> usize {
        let loads = &self.loads[word];
        loads.get(loads.partition_point(|load| *load <= at)).copied().unwrap_or(NEVER)
    }

    /// The number of the word that an operation stores, if it is loaded at some time.
    pub(crate) fn stored(&self, at: usize) -> Option<usize> {
        self.stored[at]
    }

    /// The first multiplication behind an operation.
    pub(crate) fn next_product(&self, at: usize) -> usize {
        let next = self.products.partition_point(|product| *product <= at);
        self.products.get(next).copied().unwrap_or(NEVER)
    }

    /// The last operation that reaches an array.
    pub(crate) fn last(&self, array: Array) -> usize {
        let reaches = |op: &Op| op.access().is_some_and(|address| address.array == array);
        self.line.ops.iter().rposition(reaches).unwrap_or(0)
    }
}
