//! Where the words of the stack are.

use super::act::{Act, Placed};
use super::address::{Pointing, Region, Spot, addressed};
use super::cells::{Access, Base, Cell, Step, Values};
use super::select::select;
use super::{Units, Unmade};
use rhomb_line::{Array, Line};

/// The words that a routine has in the stack: first those of a product, then numbers, values without a home and scratch.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pool: usize,
    spill: usize,
    scratch: usize,
    /// How many there are.
    pub words: usize,
    has_product: bool,
}

/// A line with its instructions, but for addresses.
pub struct Chosen {
    steps: Vec<Step>,
    /// Its stack.
    pub frame: Frame,
    /// Temporary registers that are used, as bits.
    pub temporaries: u8,
}

/// Chooses what is done for a line. With `has_product`, its first operand is a product that stands in the stack.
///
/// # Errors
/// Where registers or accumulators are too few.
pub fn choose(line: &Line, has_product: bool, units: &Units) -> Result<Chosen, Unmade> {
    let mut values = Values::of(line, units.temporaries, !has_product);
    let (steps, pool) = select(units, &mut values)?;
    let counts = [
        pool.len(),
        values.spilled(),
        if has_product { line.words(Array::A) } else { 0 },
        line.scratch_with_homes(),
    ];
    let [pool_words, spill, a, scratch] = counts.map(|count| count.next_multiple_of(2));
    let frame = Frame {
        pool: a,
        spill: a + pool_words,
        scratch: a + pool_words + spill,
        words: a + pool_words + spill + scratch,
        has_product,
    };
    let constants = pool.iter().enumerate().map(|(index, value)| Step {
        one: Act::StoreNumber(*value),
        accesses: vec![Access { cell: Cell { base: Base::Pool, index }, double: false }],
    });
    Ok(Chosen { steps: constants.chain(steps).collect(), frame, temporaries: values.used })
}

impl Chosen {
    /// The instructions with their addresses.
    ///
    /// # Errors
    /// Where address registers are too few.
    pub fn placed(&self, pointing: &Pointing) -> Result<Vec<Placed>, Unmade> {
        addressed(&self.steps, pointing, |access| self.frame.spot(access))
    }
}

impl Frame {
    /// Where an operand stands; two words are at the address of the higher one.
    fn spot(&self, access: &Access) -> Spot {
        let Cell { base, index } = access.cell;
        let (region, first) = match base {
            Base::Pool => (Region::Stack, self.pool),
            Base::Spill => (Region::Stack, self.spill),
            Base::Of(Array::Scratch) => (Region::Stack, self.scratch),
            Base::Of(Array::A) if self.has_product => (Region::Stack, 0),
            Base::Of(array) => (Region::Array(array), 0),
        };
        let at = (first + index) as i32 + i32::from(access.double);
        Spot { region, at, step: if access.double { 2 } else { 1 } }
    }
}
