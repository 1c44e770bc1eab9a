//! A call of a routine as a picture shows it: its products in their order, and over time where execution stands and which words are read
//! and written. Unlike [`crate::play`] it keeps no instruction, so that programs of millions of cycles can be looked at, too.

use crate::play::{chosen, product};
use crate::subject::Given;
use rhomb_certificate::Contract;
use rhomb_machine::{Access, Buffer, Given as Arguments, Limb, Moment, Origins, Routine, Traced};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// So many columns a raster has at most.
pub const COLUMNS: usize = 1024;
/// Bytes of code that are one row of the raster.
pub const CODE: u64 = 8;

/// So many cycles are looked at more closely.
pub const START: u64 = 65_536;

/// A call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Cycles of the call.
    pub cycles: u64,
    /// The operands' products, in the order in which they are first made.
    pub products: Vec<Made>,
    /// How many multiplications are of other numbers.
    pub others: usize,
    /// Names and words of the buffers.
    pub buffers: Vec<(String, u32)>,
    /// What happens over time.
    pub raster: Raster,
    /// Where execution stands in the first [`START`] cycles.
    pub start: Raster,
}

/// A product of words of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Of `A[i]*B[j]`, or of `A[i]*A[j]`; of sums and differences the outermost.
    pub i: u32,
    /// Likewise.
    pub j: u32,
    /// Whether it is one of sums or differences of words, which stands for several products of words.
    pub mixed: bool,
    /// Whether both factors are of the first operand.
    pub square: bool,
    /// In how many multiplications it is made.
    pub times: usize,
    /// When it was first made.
    pub cycle: u64,
}

/// A row of the raster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
    /// So many times [`CODE`] bytes from the first one of the code.
    Code(u64),
    /// A word of a buffer.
    Word(u32, u32),
    /// A cell of the memory that is no buffer's, as the stack's.
    Other(u32),
}

/// What happens in which column: bit 0 for execution or a read, bit 1 for a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    /// Cycles of a column.
    pub width: u64,
    /// The columns of each row; those at the end may be missing.
    pub rows: BTreeMap<Row, Vec<u8>>,
}

impl Default for Raster {
    fn default() -> Self {
        Raster { width: 1, rows: BTreeMap::new() }
    }
}

/// Execution, or a read.
pub const READ: u8 = 1;
/// A write.
pub const WRITTEN: u8 = 2;

impl Raster {
    /// Marks a row at a time; columns become wider where there would be too many.
    fn mark(&mut self, row: Row, cycle: u64, what: u8) {
        while cycle / self.width >= COLUMNS as u64 {
            self.width *= 2;
            for columns in self.rows.values_mut() {
                *columns = columns.chunks(2).map(|two| two.iter().fold(0, |all, one| all | one)).collect();
            }
        }
        let at = (cycle / self.width) as usize;
        let columns = self.rows.entry(row).or_default();
        if columns.len() <= at {
            columns.resize(at + 1, 0);
        }
        columns[at] |= what;
    }
}

/// A call by a contract, with operands that a seed chooses; why it stopped otherwise.
pub(crate) fn trace<R: Routine>(routine: &R, contract: &Contract, seed: u64) -> Result<Trace, String> {
    let (domain, given) = chosen(routine, contract, seed);
    let names = given.buffers().iter().map(|buffer| (buffer.name.to_owned(), buffer.length)).collect();
    seen(routine, domain, &given, names)
}

/// A call with these arguments.
pub(crate) fn trace_given<R: Routine>(routine: &R, given: &[Given]) -> Result<Trace, String> {
    let domain = Origins::<R::Limb>::new();
    let mut number = 0;
    let buffer = |one: &Given| {
        let own = number;
        number += 1;
        let word = |(at, word): (usize, &u64)| domain.given(R::Limb::truncate(*word), own, at as u32);
        Buffer {
            name: one.name,
            length: one.words as u32,
            content: one.content.as_ref().map(|words| words.iter().enumerate().map(word).collect()),
            access: if one.writable { Access::Store } else { Access::Load },
            shares: None,
        }
    };
    let buffers: Vec<Buffer<Traced<R::Limb>>> = given.iter().map(buffer).collect();
    let names = given.iter().map(|one| (one.name.to_owned(), one.words as u32)).collect();
    seen(routine, domain, &buffers, names)
}

fn seen<R: Routine>(
    routine: &R,
    domain: Origins<R::Limb>,
    given: &dyn Arguments<Traced<R::Limb>>,
    buffers: Vec<(String, u32)>,
) -> Result<Trace, String> {
    let mut trace = Trace { buffers, ..Trace::default() };
    let mut places: BTreeMap<(u32, u32, bool), usize> = BTreeMap::new();
    let mut first = None;
    let finished = routine.call_seen(domain, given, &mut |moment| {
        let start = *first.get_or_insert(moment.address);
        see(&mut trace, &mut places, start, moment);
    });
    match finished {
        Ok(_) => Ok(trace),
        Err(stopped) => Err(stopped.to_string()),
    }
}

/// Takes down an instruction.
fn see<W: Limb>(
    trace: &mut Trace,
    places: &mut BTreeMap<(u32, u32, bool), usize>,
    start: u64,
    moment: Moment<'_, Origins<W>>,
) {
    let Moment { memory, stored, unit, domain, address, cycles, .. } = moment;
    // when the instruction began
    let cycle = std::mem::replace(&mut trace.cycles, cycles.max);
    let executed = Row::Code(address.wrapping_sub(start) / CODE);
    trace.raster.mark(executed, cycle, READ);
    if cycle < START {
        trace.start.mark(executed, cycle, READ);
    }
    let count = trace.buffers.len();
    let row = |cell: u32| {
        let mut regions = memory.regions().iter().take(count).enumerate();
        match regions.find(|(_, region)| region.range.contains(&cell)) {
            Some((at, region)) => Row::Word(at as u32, cell - region.range.start),
            None => Row::Other(cell),
        }
    };
    for address in domain.accessed() {
        let Ok(cell) = u32::try_from(address / u64::from(unit)) else { continue };
        if !stored.contains(&cell) {
            trace.raster.mark(row(cell), cycle, READ);
        }
    }
    for cell in stored {
        trace.raster.mark(row(cell), cycle, WRITTEN);
    }
    let (products, others) = domain.all_products();
    trace.others += others;
    for (x, y) in products {
        let Some([i, j]) = product([x, y]) else {
            trace.others += 1;
            continue;
        };
        let mixed = x.word != x.last || y.word != y.last;
        let square = x.buffer == y.buffer;
        match places.entry((i, j, mixed)) {
            Entry::Occupied(place) => trace.products[*place.get()].times += 1,
            Entry::Vacant(place) => {
                place.insert(trace.products.len());
                trace.products.push(Made { i, j, mixed, square, times: 1, cycle });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raster_becomes_coarser_and_forgets_nothing() {
        let mut raster = Raster::default();
        raster.mark(Row::Code(0), 3, READ);
        raster.mark(Row::Code(0), 2, WRITTEN);
        assert_eq!((raster.width, &raster.rows[&Row::Code(0)]), (1, &vec![0, 0, WRITTEN, READ]));
        raster.mark(Row::Other(7), COLUMNS as u64, READ);
        assert_eq!((raster.width, &raster.rows[&Row::Code(0)]), (2, &vec![0, WRITTEN | READ]));
        assert_eq!(raster.rows[&Row::Other(7)].len(), COLUMNS / 2 + 1);
    }
}
