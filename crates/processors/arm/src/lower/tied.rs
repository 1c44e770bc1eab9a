//! Products and squares by UMAAL, where a core has it ([`rhomb_lower::tied`]): instructions, and what encloses them.

use super::line::{fuse, number};
use super::{Kernel, LowerError, code};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::extension::{Extension, Singles};
use crate::instructions::{Action, DataOp, Instruction, LR, Later, Register, SP, ShiftKind, Shifter};
use rhomb_line::Line;
use rhomb_lower::tied::{Place, Placed, Routine, Setting, Times};

/// What a search finds, and what shorter searches find where a line of a common modulus is behind.
const FOUND: &str = concat!(include_str!("tied/found.txt"), include_str!("tied/lines.txt"));

/// By ARM DDI 0439B, table 3.1, with pairs of loads, the one core's manual that has both UMAAL and times: what the search measures.
const TIMES: Times = Times { load: 2, next_load: 1, store: 1, saved: 2, call: 4, leaf: 3, moved: 1 };

/// What the search may use: so many registers beside those of the pointers.
fn setting(core: &Core, convention: &Convention, registers: usize) -> Setting {
    let is_saved = |register: &Register| convention.saved >> register & 1 == 1 || *register == LR;
    let (mut preserved, mut scratch): (Vec<_>, Vec<_>) = (0..=12).chain([LR]).partition(is_saved);
    scratch.truncate(registers.saturating_add(POINTERS));
    preserved.truncate((registers.saturating_add(POINTERS)).saturating_sub(scratch.len()));
    let arguments = std::array::from_fn(|number| convention.arguments[number]);
    let number =
        if core.thumb.is_some() { |own| instructions(own, true) } else { |own| instructions(own, false) };
    let masks = |bits| Shifter::number(bits).is_some() || Shifter::number(!bits).is_some();
    let bank = if core.has_extension() { SCRATCH_SINGLES } else { 0 };
    Setting { arguments, scratch, preserved, link: LR, number, masks, bank, times: TIMES }
}

/// How many make a number.
fn instructions(own: u32, wide: bool) -> u64 {
    let mut program = Vec::new();
    number(0, own, wide, &mut program);
    program.len() as u64
}

const POINTERS: usize = 3;

/// The first argument's register.
const ANY: Register = 0;

/// Registers of the floating-point extension that need not be preserved, from the first one on (ARM IHI 0042, 5.1.2.1).
const SCRATCH_SINGLES: usize = 16;

/// A product of two numbers of so many words, or with `square` a square; with a line, the one that reduces it in one.
///
/// # Errors
/// Where no order was found, or the line is not made of such products, sums and columns.
pub(super) fn routine(
    square: bool,
    words: usize,
    line: Option<&Line>,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    let setting = setting(core, convention, registers);
    let registers = setting.scratch.len() + setting.preserved.len();
    let routine = rhomb_lower::tied::routine(square, words, line, &setting, FOUND);
    let routine = routine.ok_or(LowerError::Tied { registers })?;
    Ok(enclosed(&routine, &setting, core))
}

/// A line of two operands alone, where it is made of such products, sums and columns.
pub(super) fn line_alone(line: &Line, core: &Core, convention: &Convention) -> Option<Kernel> {
    let setting = setting(core, convention, usize::MAX);
    let routine = rhomb_lower::tied::line(line, &setting)?;
    Some(enclosed(&routine, &setting, core))
}

/// A routine with its saves.
fn enclosed(routine: &Routine, setting: &Setting, core: &Core) -> Kernel {
    let set = |registers: &[Register]| registers.iter().fold(0, |set, register| set | 1 << register);
    let arguments: Vec<Register> =
        routine.arguments.iter().map(|number| setting.arguments[*number]).collect();
    let mut program: Vec<Instruction> = Vec::new();
    let saved = set(&routine.saved);
    if saved != 0 {
        program.push(code::push(saved | set(&arguments)));
    }
    let mut down = Vec::new();
    code::advance(&mut down, SP, -4 * routine.frame as i32);
    program.extend(down);
    routine.code.iter().for_each(|placed| append(placed, routine, core.thumb.is_some(), &mut program));
    fuse(&mut program);
    code::advance(&mut program, SP, 4 * (routine.frame + arguments.len()) as i32);
    program.push(match saved {
        0 => code::return_to_caller(),
        _ => code::pop(saved & !code::LR_BIT | code::PC_BIT),
    });
    let mut saves = routine.saved.clone();
    saves.sort_unstable();
    let stack_bytes = 4 * (saves.len() + arguments.len() + routine.frame) as u32;
    Kernel { program, saves, cycles: None, schedule: None, accumulation: None, stack_bytes }
}

/// The instructions of a step.
fn append(placed: &Placed, routine: &Routine, wide: bool, program: &mut Vec<Instruction>) {
    let access = |load: bool, register: Register, place: Place| {
        let (base, word) = match place {
            Place::Bank(slot) => {
                let singles = Singles { first: slot as u8, count: 1, double: false };
                let moved = Extension::Move { read: load, rt: register, second: None, singles };
                return Action::Later(Later::Extension(moved)).into();
            }
            Place::Behind(base, word) => (base, word),
            Place::Frame(word) => (SP, word),
            Place::Argument(number) => {
                let above = routine.arguments.iter().take_while(|own| **own != number).count();
                (SP, routine.frame + above)
            }
        };
        let distance = 4 * word as i32;
        if load { code::ldr(register, base, distance) } else { code::str(register, base, distance) }
    };
    program.push(match *placed {
        // before version 6 it is the first factor that must stand elsewhere
        Placed::Product { factors: [x, y], to: [low, high] } => {
            let (rm, rs) = if x == low || x == high { (y, x) } else { (x, y) };
            code::umull(low, high, rm, rs)
        }
        Placed::Accumulate { factors: [rm, rs], to: [low, high] } => {
            Action::DoubleAccumulate { low, high, rm, rs }.into()
        }
        Placed::Sum { to, x, y, carry_in, carry_out } => {
            code::add(carry_in, carry_out, to, x, y.map_or(code::ZERO, Shifter::plain))
        }
        Placed::Difference { to, x, y, borrow_in, borrow_out } => {
            code::sub(borrow_in, borrow_out, to, x, y.map_or(code::ZERO, Shifter::plain))
        }
        // any number less itself and the borrow: the register has one from the call on
        Placed::Spread { to } => code::sub(true, false, to, ANY, Shifter::plain(ANY)),
        Placed::Low { to, factors: [rm, rs] } => {
            Action::Multiply { set: false, rd: to, rm, rs, rn: None }.into()
        }
        Placed::And { to, x, y } => code::data(DataOp::And, false, to, x, Shifter::plain(y)),
        Placed::Mask { to, x, bits } => match Shifter::number(bits) {
            Some(bits) => code::data(DataOp::And, false, to, x, bits),
            None => code::data(DataOp::Bic, false, to, x, Shifter::number(!bits).unwrap_or(code::ZERO)),
        },
        Placed::Negate { to, x } => code::data(DataOp::Rsb, false, to, x, code::ZERO),
        Placed::Not { to, x } => code::data(DataOp::Mvn, false, to, 0, Shifter::plain(x)),
        Placed::Shift { to, x, up, by } => {
            let kind = if up { ShiftKind::Lsl } else { ShiftKind::Lsr };
            code::mov(to, Shifter::Register { rm: x, kind, amount: by as u8 })
        }
        Placed::Number { to, number: own } => return number(to, own, wide, program),
        Placed::Load { to, place } => access(true, to, place),
        Placed::Store { from, place } => access(false, from, place),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conventions::{AAPCS, INNER};
    use crate::cores::core;
    use num_bigint::BigUint;
    use rhomb_field::curve::of_prime_order;
    use rhomb_field::reduce::{ways, ways_by_blocks};
    use rhomb_kernel::Operation;
    use rhomb_lower::tied::{candidates, found};
    use std::collections::BTreeSet;

    /// What `RHOMB_TABLES=overwrite` makes better.
    const SEARCHED: &str = include_str!("tied/found.txt");

    /// Sizes in the table.
    const WORDS: std::ops::RangeInclusive<usize> = 2..=17;
    /// Candidates where the table is made better.
    const CANDIDATES: usize = 100_000;

    /// Reductions in one with their products, each by the line that takes least: operation, modulus, method, and whether the
    /// line is one for such products.
    const REDUCED: [(Operation, &str, &str, bool); 6] = [
        (Operation::ModMul, "2^255-19", "top-fold", true),
        (Operation::ModMul, "2^256-2^32-977", "column-fold", false),
        (Operation::MontMul, "2^256-2^224+2^192+2^96-1", "next-division", false),
        (Operation::ModMul, "2^192-2^64-1", "highest-first", true),
        (Operation::ModMul, "2^521-1", "column-fold", false),
        (Operation::MontMul, P256_ORDER, "column-fold", true),
    ];

    const P256_ORDER: &str = "0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";

    fn line((operation, modulus, method, by_blocks): (Operation, &str, &str, bool)) -> Line {
        let modulus = modulus.parse::<rhomb_contract::Modulus>().unwrap().number();
        let all = if by_blocks { ways_by_blocks } else { ways };
        all(operation, &modulus, 32).into_iter().find(|way| way.method == method).unwrap().line
    }

    /// The table has all sizes, and what stands there works; `RHOMB_TABLES=overwrite` looks for better ones, or
    /// `RHOMB_TABLES=reduced` for those of reductions alone, with another `SEED` and so many `CANDIDATES`.
    #[test]
    fn the_table_has_what_is_used() {
        let [plain, banked] =
            ["cortex-m4", "cortex-m4f"].map(|name| setting(core(name).unwrap(), &AAPCS, usize::MAX));
        let wanted = std::env::var("RHOMB_TABLES").unwrap_or_default();
        let overwrite = ["overwrite", "reduced"].contains(&wanted.as_str());
        let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
        let (candidates, seed) = match overwrite {
            true => (number("CANDIDATES").unwrap_or(CANDIDATES), number("SEED").unwrap_or(1)),
            false => (0, 1),
        };
        let lines = REDUCED.map(line);
        let kinds =
            [false, true].into_iter().flat_map(|square| WORDS.map(move |words| (square, words, None)));
        let reduced = lines.iter().flat_map(|line| {
            let words = line.words(rhomb_line::Array::Result);
            [(false, words, Some(line)), (true, words, Some(line))]
        });
        let all = kinds.chain(reduced.clone()).map(|kind| (&plain, kind));
        let all = all.chain(reduced.map(|kind| (&banked, kind)));
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lower/tied/found.txt");
        // a search goes on with what another one has found since this was compiled
        let table = if overwrite { std::fs::read_to_string(path).unwrap() } else { SEARCHED.to_owned() };
        let found = |(setting, (square, words, line)): (&Setting, (bool, usize, Option<&Line>))| {
            let candidates = if wanted == "reduced" && line.is_none() { 0 } else { candidates };
            let (cycles, text) =
                found(square, words, line, setting, false, &table, candidates, seed as u64).unwrap();
            if overwrite {
                eprintln!("{cycles} {}", text.split(':').next().unwrap_or_default());
            }
            text
        };
        let found: Vec<String> = all.map(found).collect();
        if overwrite {
            std::fs::write(path, found.join("\n") + "\n").unwrap();
        } else {
            assert!(found.iter().map(String::as_str).eq(SEARCHED.lines()));
        }
    }

    /// The lines of products modulo the primes and orders of curves, each once.
    fn common() -> Vec<Line> {
        let curves = of_prime_order().map(|(_, curve)| curve());
        let mut moduli: Vec<BigUint> =
            curves.into_iter().flat_map(|curve| [curve.base.limit(), curve.order]).collect();
        moduli.push((BigUint::from(1u8) << 255) - 19u8);
        let operations = [Operation::ModMul, Operation::MontMul];
        let all = moduli.iter().flat_map(|modulus| operations.map(|operation| (operation, modulus)));
        let lines = all.flat_map(|(operation, modulus)| {
            ways(operation, modulus, 32).into_iter().chain(ways_by_blocks(operation, modulus, 32))
        });
        let mut seen = BTreeSet::new();
        lines.map(|way| way.line).filter(|line| seen.insert(line.to_string())).collect()
    }

    /// What stands in the table of lines is what would be found; `RHOMB_TABLES=lines` writes it.
    #[test]
    fn lines_are_found_as_before() {
        let settings = ["cortex-m4", "cortex-m4f"].into_iter().flat_map(|name| {
            [&AAPCS, &INNER].map(|convention| setting(core(name).unwrap(), convention, usize::MAX))
        });
        let settings: Vec<Setting> = settings.collect();
        let lines = common();
        let kinds = settings.iter().flat_map(|setting| [false, true].map(|square| (setting, square)));
        let all = kinds.flat_map(|(setting, square)| lines.iter().map(move |line| (setting, square, line)));
        let found = |(setting, square, line): &(&Setting, bool, &Line)| {
            let words = line.words(rhomb_line::Array::Result);
            // what a longer search found stands in the other table
            let text = found(*square, words, Some(line), setting, true, "", candidates(words, true), 1)?.1;
            let head = text.split_once(" scratch ")?.0;
            (!SEARCHED.lines().any(|own| own.split_once(':').is_some_and(|own| own.0 == head)))
                .then_some(text)
        };
        if std::env::var("RHOMB_TABLES").is_ok_and(|wanted| wanted == "lines") {
            let all: Vec<_> = all.collect();
            let found = rhomb_oracles::parallel::each(&all, found);
            let text: String = found.into_iter().flatten().map(|line| line + "\n").collect();
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lower/tied/lines.txt");
            return std::fs::write(path, text).unwrap();
        }
        let every = rhomb_oracles::sample(23, 1);
        for line in all.step_by(every).filter_map(|one| found(&one)) {
            assert!(FOUND.lines().any(|own| own == line), "{line}");
        }
    }
}
