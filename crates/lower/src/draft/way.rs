//! The ways in which a line may be written; the fastest one is taken.

/// Where sums are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SumsIn {
    /// In the accumulator.
    Accumulator,
    /// In registers, where there are no products.
    Registers,
    /// Where that takes fewer instructions.
    Shorter,
}

/// How a line is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) place: SumsIn,
    /// Whether words are loaded once.
    pub(super) keep: bool,
    /// Words on the way that are read more operations later than these wait in memory.
    pub(super) patience: usize,
}

impl Way {
    /// All ways, with an accumulator or without.
    pub(super) fn all(accumulates: bool) -> impl Iterator<Item = Way> {
        let places = [SumsIn::Accumulator, SumsIn::Registers, SumsIn::Shorter];
        let places = places.into_iter().filter(move |place| accumulates || *place == SumsIn::Registers);
        let loads = places.flat_map(|place| [true, false].map(|keep| (place, keep)));
        let all = loads.flat_map(|(place, keep)| PATIENCE.map(|patience| Way { place, keep, patience }));
        // without an accumulator words leave their registers where these are too few
        all.take(if accumulates { usize::MAX } else { 1 })
    }
}

/// How long words on the way stay in registers.
const PATIENCE: [usize; 5] = [usize::MAX, 64, 24, 8, 0];
