//! Products, squares, sums and differences where MUL is all there is to multiply with ([`rhomb_lower::halves`]): instructions, and
//! what encloses them. On ARMv6-M all is done in eight registers, by short codes.

use super::literals::Literals;
use super::{Kernel, LowerError, code};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{
    Action, BlockMode, DataOp, Instruction, LR, Later, PC, Register, SP, ShiftKind, Shifter,
};
use crate::later::Unary;
use rhomb_kernel::{Form, Task};
use rhomb_line::{Line, Op};
use rhomb_lower::halves::{
    self, BANK, Draft, Look, Manner, Middle, One, Pair, Placed, Routine, Setting, Two, WEIGHTS, Way, Weights,
    fit, refine,
};
use rhomb_lower::variants;
use smallvec::{SmallVec, smallvec};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

/// Registers of short codes.
const LOW: std::ops::Range<Register> = 0..8;
/// The most that is added to the stack pointer at once, in bytes.
const STEP: usize = 508;

/// States that are kept at a first look, at drafts, then at registers and weights too, by which so many of them are chosen; and
/// where these are too few.
const FIRST: [usize; 2] = [3, 12];
const MOST_DRAFTS: usize = 6;
const MOST_CHOSEN: usize = 24;

/// Of short drafts more are looked at: so many steps altogether.
const MOST_STEPS: usize = 2000;

/// Which of the codes that a search finds are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Changes {
    None,
    /// The best one, which becomes no longer by that.
    Best,
    /// Some, in place of a wider search.
    More,
}

/// How these are looked at: how many of the best of them at least, of short drafts which part of so many.
const WIDE: [(usize, usize, Look); 5] = [
    (usize::MAX, 1, Look { width: 6, ahead: None, apart: false, tries: 0 }),
    (4, 1, Look { width: 80, ahead: None, apart: false, tries: 0 }),
    (6, 1, Look { width: 6, ahead: Some((3, 25)), apart: false, tries: 0 }),
    (6, 1, Look { width: 6, ahead: Some((12, 50)), apart: false, tries: 0 }),
    (1, MOST_STEPS, Look { width: 6, ahead: Some((12, 50)), apart: false, tries: 10_000 }),
];
const CHANGED: [(usize, usize, Look); 4] = [
    (6, 1, Look { width: 6, ahead: None, apart: false, tries: 0 }),
    (0, 8, Look { width: 80, ahead: None, apart: false, tries: 0 }),
    (3, 1, Look { width: 6, ahead: Some((12, 50)), apart: false, tries: 1_000 }),
    (1, 8, Look { width: 6, ahead: Some((12, 50)), apart: false, tries: 24_000 }),
];

impl Changes {
    fn looks(self) -> &'static [(usize, usize, Look)] {
        match self {
            Changes::None => &WIDE[..4],
            Changes::Best => &WIDE,
            Changes::More => &CHANGED,
        }
    }
}

/// So many more changes for each step are tried of the best one in the end, where any are. What is longer then does not count.
const REFINED: usize = 70;

/// Of longer lines pieces do not slide, and the search stays wide where fewer than one of so many operations is a product.
const SHORT: usize = 120;
const PRODUCTS: usize = 10;

/// Numbers of so many words at most are made by either search, and sums of so many.
const FEW: usize = 2;
const FEW_OF_SUMS: usize = 4;

/// Registers for everything.
struct Registers {
    low: u16,
    bank: Vec<Register>,
}

/// those that are worth trying, the usual ones first; of `registers`, those of the pointers left out.
fn choices(core: &Core, convention: &Convention, registers: usize) -> Result<Vec<Registers>, LowerError> {
    let is_saved = |register: &Register| convention.saved >> register & 1 == 1;
    let needed = LOW.len() - POINTERS;
    let more = registers.checked_sub(needed).ok_or(LowerError::Registers { needed, available: registers })?;
    if !core.is_small() {
        let mut order: Vec<Register> = (0..halves::LOW as Register).collect();
        order.sort_by_key(is_saved);
        let counts = (LOW.len()..=order.len().min(LOW.len().saturating_add(more))).rev().step_by(2);
        let of = |count: usize| Registers {
            low: order[..count].iter().fold(0, |set, own| set | 1 << own),
            bank: Vec::new(),
        };
        return Ok(counts.map(of).collect());
    }
    let mut bank: Vec<Register> = (LOW.end..=12).chain([LR]).collect();
    bank.sort_by_key(is_saved);
    bank.truncate(more.min(BANK));
    let least = bank.iter().filter(|register| !is_saved(register)).count();
    let of = |count| Registers { low: 0xff, bank: bank[..count].to_vec() };
    Ok((least..=bank.len()).map(of).collect())
}

/// A draft with the registers and the weights by which it becomes a routine, and the fewest cycles that this took.
struct Tried<'a> {
    draft: &'a Draft,
    own: &'a Registers,
    weights: &'static Weights,
    apart: bool,
    cycles: u64,
    /// What came of the last look.
    found: Option<(Look, Way)>,
}

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

/// The fastest of these drafts, with at most so many registers beside those of the pointers. What is found may be changed.
fn kernel(
    drafts: Vec<Draft>,
    core: &Core,
    convention: &Convention,
    registers: usize,
    changes: Changes,
) -> Result<Kernel, LowerError> {
    let tied = core.is_small();
    let drafts: Vec<Draft> =
        drafts.into_iter().map(|own| if tied { own } else { own.with_moves() }).collect();
    let choices = choices(core, convention, registers)?;
    let setting = |tried: &Tried<'_>, look: Look| {
        let Tried { own, weights, apart, .. } = *tried;
        let look = Look { apart, ..look };
        Setting { low: own.low, tied, bank: own.bank.clone(), look, weights }
    };
    let enclosed = |routine: &Routine| {
        let kernel = enclose(routine, core, convention)?;
        Some((core.straight(&kernel.program)?, kernel))
    };
    let fitted = |tried: &mut Tried<'_>, look: Look| {
        let found = tried.found.take().filter(|(own, _)| own.finds_as(&look));
        let routine = fit(tried.draft, &setting(tried, look), found.as_ref().map(|(_, way)| way))?;
        tried.found = Some((look, routine.way.clone()));
        enclosed(&routine)
    };
    let looked = |tried: &mut Vec<Tried<'_>>, most: usize| {
        if tried.len() > most {
            for width in FIRST {
                for one in tried.iter_mut() {
                    let look = Look { width, ahead: None, apart: false, tries: 0 };
                    one.cycles = fitted(one, look).map_or(u64::MAX, |(cycles, _)| cycles);
                }
                if tried.iter().any(|one| one.cycles < u64::MAX) {
                    break;
                }
            }
            tried.sort_by_key(|one| one.cycles);
        }
    };
    let one =
        |draft, own, weights, apart| Tried { draft, own, weights, apart, cycles: u64::MAX, found: None };
    // many drafts have most of their steps in common, so that the same registers are good for all of them
    let usual = [0, choices.len() / 2];
    let all =
        usual.iter().flat_map(|at| drafts.iter().map(|draft| one(draft, &choices[*at], &WEIGHTS[0], false)));
    let mut tried: Vec<Tried<'_>> = all.collect();
    looked(&mut tried, 0);
    let mut best: Vec<&Draft> = Vec::new();
    for one in &tried {
        if !best.iter().any(|own| std::ptr::eq(*own, one.draft)) {
            best.push(one.draft);
        }
    }
    let more = MOST_STEPS / drafts.iter().map(Draft::steps).max().unwrap_or(0).max(1);
    best.truncate(MOST_DRAFTS.max(if changes == Changes::More { more / 2 } else { 0 }));
    let all = best.into_iter().flat_map(|draft| {
        let of = move |(own, weights)| [false, true].map(|apart| one(draft, own, weights, apart));
        choices.iter().flat_map(|own| WEIGHTS.iter().map(move |weights| (own, weights))).flat_map(of)
    });
    let mut tried = all.collect();
    looked(&mut tried, MOST_CHOSEN);
    tried.truncate(MOST_CHOSEN.max(if changes == Changes::More { 2 * more } else { more }));
    let mut best: Option<((u64, usize), Kernel)> = None;
    let mut last = None;
    for (least, part, look) in changes.looks() {
        for (place, one) in tried.iter_mut().enumerate() {
            // more where registers do not suffice for these
            if place >= *least.max(&(more / part)) && best.is_some() {
                break;
            }
            let Some((cycles, kernel)) = fitted(one, *look) else { continue };
            one.cycles = one.cycles.min(cycles);
            let value = (cycles, kernel.program.len());
            let may_grow = changes != Changes::Best || look.tries == 0;
            let is_better = |least: &(u64, usize)| value < *least && (may_grow || value.1 <= least.1);
            if best.as_ref().is_none_or(|(least, _)| is_better(least)) {
                best = Some((value, kernel));
                last = one.found.as_ref().map(|(_, way)| (setting(one, *look), one.draft, way.clone()));
            }
        }
        tried.sort_by_key(|one| one.cycles);
    }
    if changes != Changes::None
        && let Some((setting, draft, way)) = last
        && let Some((cycles, kernel)) = refine(draft, &setting, &way, REFINED).and_then(|own| enclosed(&own))
    {
        let value = (cycles, kernel.program.len());
        best = best.map(|own| if value < own.0 && value.1 <= own.0.1 { (value, kernel) } else { own });
    }
    let few = match registers {
        usize::MAX => LowerError::Long,
        available => LowerError::Registers { needed: LOW.len() - POINTERS, available },
    };
    Ok(best.ok_or(few)?.1)
}

const POINTERS: usize = 3;

fn enclose(routine: &Routine, core: &Core, convention: &Convention) -> Option<Kernel> {
    let mut arguments: Vec<u8> = routine
        .code
        .iter()
        .filter_map(|placed| match placed {
            Placed::Argument { number, .. } => Some(*number),
            _ => None,
        })
        .collect();
    arguments.sort_unstable();
    arguments.dedup();
    let mut literals = Literals::default();
    let body: Vec<Instruction> = routine
        .code
        .iter()
        .flat_map(|placed| match *placed {
            Placed::Number { to, number } => numbered(to, number, &mut literals),
            _ => smallvec![instruction(placed, core.is_small(), routine.frame, &arguments)],
        })
        .collect();
    let written = code::written(&body) & !(1 << SP | 1 << PC);
    let kept = written & convention.saved;
    // what one instruction pushes
    let end = if core.is_small() { LOW.end } else { LR };
    let (low, high) = (kept & ((1 << end) - 1), kept >> end);
    let links = kept != 0 || written & code::LR_BIT != 0 || !arguments.is_empty();
    let mut program = Vec::new();
    let mut saves: Vec<Register> = (0..LR).filter(|register| kept >> register & 1 == 1).collect();
    // high registers go by way of low ones
    let by_way: Vec<(Register, Register)> =
        saves.iter().copied().filter(|register| *register >= end).zip(4..LOW.end).collect();
    let low = low | by_way.iter().fold(0, |set, (_, low)| set | 1 << low);
    if links {
        saves.push(LR);
        program.push(code::push(low | code::LR_BIT));
    }
    let set = |registers: &mut dyn Iterator<Item = Register>| registers.fold(0u16, |set, own| set | 1 << own);
    program.extend(by_way.iter().map(|(high, low)| code::mov(*low, Shifter::plain(*high))));
    let way = set(&mut by_way.iter().map(|(_, low)| *low));
    let pushed = set(&mut arguments.iter().map(|number| convention.arguments[usize::from(*number)]));
    if way | pushed != 0 {
        program.push(code::push(way | pushed));
    }
    stack(&mut program, DataOp::Sub, 4 * routine.frame);
    program.extend(body);
    stack(&mut program, DataOp::Add, 4 * (routine.frame + arguments.len()));
    if high != 0 {
        program.push(code::pop(way));
        program.extend(by_way.iter().map(|(high, low)| code::mov(*high, Shifter::plain(*low))));
    }
    program.push(if links { code::pop(low | code::PC_BIT) } else { code::return_to_caller() });
    let pushed = low.count_ones() as usize + usize::from(links) + by_way.len() + arguments.len();
    let stack_bytes = 4 * (pushed + routine.frame) as u32;
    let program = literals.within(program, core.is_small())?;
    Some(Kernel { program, saves, cycles: None, schedule: None, accumulation: None, stack_bytes })
}

/// Moves the stack pointer.
fn stack(program: &mut Vec<Instruction>, op: DataOp, bytes: usize) {
    for from in (0..bytes).step_by(STEP) {
        let part = (bytes - from).min(STEP) as u32;
        program.push(code::data(op, false, SP, SP, Shifter::constant(part)));
    }
}

/// A number of a byte or its complement, or any other one from behind the code.
fn numbered(to: Register, number: u32, literals: &mut Literals) -> SmallVec<[Instruction; 2]> {
    let byte = |byte| code::data(DataOp::Mov, true, to, 0, Shifter::constant(byte));
    match (number >> 8, !number >> 8) {
        (0, _) => smallvec![byte(number)],
        (_, 0) => smallvec![byte(!number), code::data(DataOp::Mvn, true, to, 0, Shifter::plain(to))],
        _ => smallvec![literals.read(to, number)],
    }
}

/// The instruction but for products, and whether it sets the carry.
fn data_op(two: Two) -> Option<(DataOp, bool)> {
    Some(match two {
        Two::Multiply => return None,
        Two::Add => (DataOp::Add, true),
        Two::Subtract => (DataOp::Sub, true),
        Two::AddCarry => (DataOp::Adc, true),
        Two::SubtractCarry => (DataOp::Sbc, true),
        Two::Xor => (DataOp::Eor, false),
        Two::Or => (DataOp::Orr, false),
        Two::And => (DataOp::And, false),
        Two::AndNot => (DataOp::Bic, false),
    })
}

fn instruction(placed: &Placed, small: bool, frame: usize, arguments: &[u8]) -> Instruction {
    let shift =
        |to, kind, rm, amount| code::data(DataOp::Mov, true, to, 0, Shifter::Register { rm, kind, amount });
    match *placed {
        Placed::One { one, to, x } => match one {
            One::Low => Action::Later(Later::Unary { op: Unary::Uxth, rd: to, rm: x }).into(),
            One::High => shift(to, ShiftKind::Lsr, x, 16),
            One::Up(places) => shift(to, ShiftKind::Lsl, x, places),
            One::Down(places) => shift(to, ShiftKind::Lsr, x, places),
            One::Not => code::data(DataOp::Mvn, true, to, 0, Shifter::plain(x)),
            One::Sign => shift(to, ShiftKind::Asr, x, 1),
            One::Highest => shift(to, ShiftKind::Asr, x, 31),
            One::Negate => code::data(DataOp::Rsb, true, to, x, code::ZERO),
        },
        Placed::Two { two, to, x, y, moved } => {
            let [x, y] =
                if to == y && two.commutes() && two.destroys() && moved.is_none() { [y, x] } else { [x, y] };
            let by = |kind, amount| Shifter::Register { rm: y, kind, amount };
            let operand = match moved {
                Some(One::High) => by(ShiftKind::Lsr, 16),
                Some(One::Up(places)) => by(ShiftKind::Lsl, places),
                Some(One::Down(places)) => by(ShiftKind::Lsr, places),
                _ => Shifter::plain(y),
            };
            match data_op(two) {
                // a move on the way would decide the carry
                Some((op, sets)) => code::data(op, sets || moved.is_none(), to, x, operand),
                None => {
                    let set = to == x && to.max(y) < LOW.end;
                    Action::Multiply { set, rd: to, rm: y, rs: x, rn: None }.into()
                }
            }
        }
        Placed::With { two, to, x, number } => {
            let (op, set) = data_op(two).unwrap_or((DataOp::Mov, false));
            code::data(op, set, to, x, Shifter::constant(number))
        }
        Placed::Spread { to } => code::sub(true, true, to, to, Shifter::plain(to)),
        Placed::Number { to, number } => code::mov(to, Shifter::constant(number)),
        Placed::Copy { to, from } => code::mov(to, Shifter::plain(from)),
        Placed::Load { to, from, word } => code::ldr(to, from.unwrap_or(SP), 4 * i32::from(word)),
        Placed::Store { from, to, word } => code::str(from, to.unwrap_or(SP), 4 * i32::from(word)),
        Placed::LoadMany { pointer, registers } => {
            let moves = registers >> pointer & 1 == 0;
            code::block(true, pointer, moves, BlockMode::Ia, registers)
        }
        Placed::StoreMany { pointer, registers } => {
            code::block(false, pointer, true, BlockMode::Ia, registers)
        }
        Placed::Point { to, word } => {
            code::data(DataOp::Add, false, to, SP, Shifter::constant(4 * u32::from(word)))
        }
        Placed::Argument { to, number } => {
            let index = arguments.iter().take_while(|own| **own != number).count();
            code::ldr(to, SP, 4 * (frame + index) as i32)
        }
        Placed::Advance { pointer, words } => {
            let op = if words < 0 { DataOp::Sub } else { DataOp::Add };
            let bytes = 4 * u32::from(words.unsigned_abs());
            code::data(op, small, pointer, pointer, Shifter::constant(bytes))
        }
    }
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
    let by =
        |changes| kernel(manners.iter().copied().map(draft).collect(), core, convention, registers, changes);
    if !core.is_small() {
        return by(Changes::None);
    }
    let changed = by(Changes::More);
    let few = if matches!(made, Made::Sum { .. }) { FEW_OF_SUMS } else { FEW };
    if words > few {
        return changed;
    }
    // of few words the wide search takes no time, and may find more
    let value = |own: &Kernel| (core.straight(&own.program), own.program.len());
    match (changed, by(Changes::None)) {
        (Ok(changed), Ok(plain)) => Ok(if value(&plain) < value(&changed) { plain } else { changed }),
        (changed, plain) => changed.or(plain),
    }
}

/// What is made, of how many words, whether by short codes, which registers it leaves alone, how many others it may use.
type Asked = (Made, usize, bool, u16, usize);
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
        all.entry((made, words, core.is_small(), convention.saved, registers)).or_default().clone()
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
    let kernel = kernel(drafts, core, convention, usize::MAX, changes)?;
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
