//! Products, squares, sums and differences where MUL is all there is to multiply with ([`rhomb_lower::halves`]): instructions, and
//! what encloses them. On ARMv6-M all is done in eight registers, by short codes.

mod code;
mod found;
mod search;

use super::{Kernel, LowerError};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::Register;
pub use found::{Search, recorded};
use rhomb_kernel::{Form, Task};
use rhomb_line::{Line, Op};
use rhomb_lower::halves::{self, Draft, Manner, Middle, Pair};
use rhomb_lower::variants;
use search::{Changes, kernel};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

/// Registers of short codes.
const LOW: std::ops::Range<Register> = 0..8;

/// Of longer lines pieces do not slide, and the search stays wide where fewer than one of so many operations is a product.
const SHORT: usize = 120;
const PRODUCTS: usize = 10;

/// Numbers of so many words at most are made by either search, and sums of so many.
const FEW: usize = 2;
const FEW_OF_SUMS: usize = 4;

/// The manners of drafts with squares, or without products, and those that are worth trying where there are many drafts; of others
/// one a piece.
fn manners(square: bool, product: bool, few: bool, literals: bool) -> Vec<Manner> {
    let pieces: &[(usize, bool)] = match (product, few) {
        (true, true) => &[(2, false), (4, false)],
        (false, true) => &[(2, false), (4, false), (3, true), (4, true)],
        (_, false) => &[(2, false), (3, false), (4, false)],
    };
    let pairs = [Pair::Difference(Middle::Between), Pair::Difference(Middle::Last), Pair::Halves];
    let pairs = if square { &pairs[..] } else { &pairs[..1] };
    let early: &[usize] = match (square, few) {
        (false, _) => &[0],
        (true, true) => &[4],
        (true, false) => &[0, 4, usize::MAX],
    };
    let all = pairs.iter().flat_map(|pair| early.iter().map(|early| (*pair, *early)));
    let of = |(pair, early)| {
        let of = move |(piece, sliding)| Manner { piece, sliding, pair, early, literals };
        pieces.iter().copied().map(of)
    };
    all.flat_map(of).collect()
}

/// What is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Made {
    /// A product of two numbers.
    Product,
    /// A square.
    Square,
    /// A sum, or a difference.
    Sum {
        /// Which of them.
        subtract: bool,
    },
}

/// A routine for numbers of so many words, with at most so many registers beside those of the pointers.
///
/// # Errors
/// Where registers do not suffice.
pub fn routine(
    made: Made,
    words: usize,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    let draft = |manner| match made {
        Made::Product => halves::product(words, manner),
        Made::Square => halves::square(words, manner),
        Made::Sum { subtract } => halves::sum(subtract, words, manner),
    };
    let manners = manners(made == Made::Square, !matches!(made, Made::Sum { .. }), false, false);
    let few = if matches!(made, Made::Sum { .. }) { FEW_OF_SUMS } else { FEW };
    let searches: &[Changes] = match words {
        _ if !core.is_small() => &[Changes::None],
        // the wide search takes no time then, and may find more
        words if words <= few => &[Changes::More, Changes::None],
        _ => &[Changes::More],
    };
    kernel(manners.iter().copied().map(draft).collect(), core, convention, registers, searches)
}

/// What is made, of how many words, for which core, which registers it leaves alone, how many others it may use.
type Asked = (Made, usize, &'static str, u16, usize);
/// What came of it.
type Known = Arc<OnceLock<Result<Kernel, LowerError>>>;

/// The same, made once: a choice among walks asks for it again and again, and none of them matters.
fn known(
    made: Made,
    words: usize,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    static KNOWN: LazyLock<Mutex<HashMap<Asked, Known>>> = LazyLock::new(Mutex::default);
    let own = {
        let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry((made, words, core.name, convention.saved, registers)).or_default().clone()
    };
    own.get_or_init(|| routine(made, words, core, convention, registers)).clone()
}

/// A task's routine, whatever rows it has.
pub(super) fn task(
    task: &Task,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    let (made, words) = match task {
        Task::Multiplication(walk) => (Made::Product, walk.words),
        Task::Squaring(squaring) => (Made::Square, squaring.words),
        Task::Chain { subtract, words, form: Form::Unrolled } => (Made::Sum { subtract: *subtract }, *words),
        Task::Split(_) => return Err(LowerError::Halves { core: core.name, what: "chosen splits" }),
        _ => return Err(LowerError::Halves { core: core.name, what: "loops" }),
    };
    let kernel = known(made, words, core, convention, registers)?;
    Ok(Kernel { cycles: core.straight(&kernel.program), ..kernel })
}

/// Whether numbers are multiplied there, or words are added that are carried from.
fn is_over_integers(line: &Line) -> bool {
    products(line) > 0
        || line.ops.iter().any(|op| match op {
            Op::Add { carry_in, carry_out, .. } | Op::Subtract { carry_in, carry_out, .. } => {
                *carry_in || *carry_out
            }
            Op::Take { .. } => true,
            _ => false,
        })
}

/// How many products are made there.
fn products(line: &Line) -> usize {
    let is_product = |op: &&Op| match op {
        Op::Multiply { .. } | Op::Low { .. } => true,
        Op::Term(term) => term.factor.is_some(),
        _ => false,
    };
    line.ops.iter().filter(is_product).count()
}

/// The routine of a line, or of a product of operands of so many words, or a square, whose reduction the line is.
///
/// # Errors
/// Where registers do not suffice, or the line does what is not made from half words.
pub fn line(
    line: &Line,
    product: Option<&Task>,
    core: &Core,
    convention: &Convention,
) -> Result<Kernel, LowerError> {
    let product = match product {
        None => None,
        Some(Task::Multiplication(walk)) => Some((false, walk.words)),
        Some(Task::Squaring(squaring)) => Some((true, squaring.words)),
        Some(_) => return Err(LowerError::Halves { core: core.name, what: "other products" }),
    };
    let chains = variants(line, 32);
    let columns = line.clone().with_early_stores();
    let has_columns = columns.ops.iter().any(|op| matches!(op, Op::Take { .. }));
    let blocks: &[usize] = if has_columns { &[1, 2, 4] } else { &[] };
    let ways = chains.iter().map(|line| (line, 0)).chain(blocks.iter().map(|block| (&columns, *block)));
    let is_short = line.ops.len() <= SHORT;
    let has_products = product.is_some() || PRODUCTS * products(line) >= line.ops.len();
    let changes = match is_over_integers(line) && (is_short || has_products) {
        _ if !core.is_small() => Changes::None,
        true => Changes::More,
        false => Changes::Best,
    };
    let manners = manners(
        matches!(product, Some((true, _))),
        product.is_some() || !is_short || changes != Changes::More,
        true,
        core.is_small(),
    );
    let drafts: Vec<Draft> = ways
        .flat_map(|(line, block)| manners.iter().map(move |manner| (line, block, *manner)))
        .filter_map(|(line, block, manner)| halves::reduced(product, line, manner, block))
        .collect();
    if drafts.is_empty() {
        return Err(LowerError::Halves { core: core.name, what: "such lines" });
    }
    let kernel = kernel(drafts, core, convention, usize::MAX, &[changes])?;
    Ok(Kernel { cycles: core.straight(&kernel.program), ..kernel })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conventions::AAPCS;
    use crate::cores::core;

    /// Cycles of a call, which no change may increase.
    #[test]
    fn cycles_of_sizes() {
        let [plus, three] = ["cortex-m0plus", "cortex-m3"].map(|name| core(name).unwrap());
        let [mul, sqr, add] = [Made::Product, Made::Square, Made::Sum { subtract: false }];
        for (own, made, words, most) in [
            (plus, mul, 1, 39),
            (plus, mul, 2, 111),
            (plus, mul, 4, 373),
            (plus, mul, 6, 775),
            (plus, mul, 8, 1252),
            (plus, sqr, 2, 68),
            (plus, sqr, 4, 225),
            (plus, sqr, 8, 772),
            (plus, add, 4, 37),
            (plus, add, 8, 59),
            (three, mul, 4, 291),
            (three, mul, 8, 958),
            (three, sqr, 8, 559),
        ] {
            let kernel = routine(made, words, own, &AAPCS, usize::MAX).unwrap();
            let cycles = own.straight(&kernel.program).unwrap();
            assert!(cycles <= most, "{} {made:?} {words}: {cycles}", own.name);
        }
    }
}
