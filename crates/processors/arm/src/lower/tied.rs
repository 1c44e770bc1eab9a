//! Products and squares by UMAAL, where a core has it ([`rhomb_lower::tied`]): instructions, and what encloses them.

use super::line::fuse;
use super::{Kernel, LowerError, code};
use crate::conventions::Convention;
use crate::instructions::{Action, DataOp, Instruction, LR, Register, SP, ShiftKind, Shifter};
use rhomb_line::Line;
use rhomb_lower::tied::{Place, Placed, Routine, Setting, Times, multiplication, squaring};

/// What a search finds, which `RHOMB_TABLES=overwrite` makes better.
const FOUND: &str = include_str!("tied/found.txt");

/// By ARM DDI 0439B, table 3.1, with pairs of loads, the one core's manual that has both UMAAL and times: what the search measures.
const TIMES: Times = Times { load: 2, next_load: 1, store: 1, saved: 2, call: 4, leaf: 3 };

/// What the search may use: so many registers beside those of the pointers.
fn setting(convention: &Convention, registers: usize) -> Setting {
    let is_saved = |register: &Register| convention.saved >> register & 1 == 1 || *register == LR;
    let (mut preserved, mut scratch): (Vec<_>, Vec<_>) = (0..=12).chain([LR]).partition(is_saved);
    scratch.truncate(registers.saturating_add(POINTERS));
    preserved.truncate((registers.saturating_add(POINTERS)).saturating_sub(scratch.len()));
    let arguments = std::array::from_fn(|number| convention.arguments[number]);
    let makes = |number| Shifter::number(number).is_some();
    let masks = |bits| Shifter::number(bits).is_some() || Shifter::number(!bits).is_some();
    Setting { arguments, scratch, preserved, link: LR, makes, masks, times: TIMES }
}

const POINTERS: usize = 3;

/// A product of two numbers of so many words.
///
/// # Errors
/// Where no order was found.
pub(super) fn product(words: usize, convention: &Convention, registers: usize) -> Result<Kernel, LowerError> {
    let setting = setting(convention, registers);
    kernel(multiplication(words, &setting, FOUND), &setting)
}

/// A square.
///
/// # Errors
/// As [`product`].
pub(super) fn square(words: usize, convention: &Convention, registers: usize) -> Result<Kernel, LowerError> {
    let setting = setting(convention, registers);
    kernel(squaring(words, &setting, FOUND), &setting)
}

/// A product or square and its reduction in one; nothing where the line is not made of such products, sums and columns.
pub(super) fn reduced(square: bool, words: usize, line: &Line, convention: &Convention) -> Option<Kernel> {
    let setting = setting(convention, usize::MAX);
    kernel(rhomb_lower::tied::reduced(square, words, line, &setting, FOUND), &setting).ok()
}

fn kernel(routine: Option<Routine>, setting: &Setting) -> Result<Kernel, LowerError> {
    let registers = setting.scratch.len() + setting.preserved.len();
    let routine = routine.ok_or(LowerError::Tied { registers })?;
    let set = |registers: &[Register]| registers.iter().fold(0, |set, register| set | 1 << register);
    let arguments: Vec<Register> =
        routine.arguments.iter().map(|number| setting.arguments[*number]).collect();
    let mut program: Vec<Instruction> = Vec::new();
    let saved = set(&routine.saved);
    match saved {
        0 => {}
        // where nothing is preserved, LR alone is pushed first and popped last
        code::LR_BIT if !arguments.is_empty() => {
            program.extend([code::push(saved), code::push(set(&arguments))]);
        }
        _ => program.push(code::push(saved | set(&arguments))),
    }
    let mut down = Vec::new();
    code::advance(&mut down, SP, -4 * routine.frame as i32);
    program.extend(down);
    for placed in &routine.code {
        program.push(instruction(placed, &routine));
    }
    fuse(&mut program);
    code::advance(&mut program, SP, 4 * (routine.frame + arguments.len()) as i32);
    program.push(match saved {
        0 => code::return_to_caller(),
        _ => code::pop(saved & !code::LR_BIT | code::PC_BIT),
    });
    let mut saves = routine.saved.clone();
    saves.sort_unstable();
    let stack_bytes = 4 * (saves.len() + arguments.len() + routine.frame) as u32;
    Ok(Kernel { program, saves, cycles: None, schedule: None, accumulation: None, stack_bytes })
}

fn instruction(placed: &Placed, routine: &Routine) -> Instruction {
    let address = |place: Place| match place {
        Place::Behind(base, word) => (base, 4 * word as i32),
        Place::Frame(word) => (SP, 4 * word as i32),
        Place::Argument(number) => {
            let above = routine.arguments.iter().take_while(|own| **own != number).count();
            (SP, 4 * (routine.frame + above) as i32)
        }
    };
    match *placed {
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
        Placed::Low { to, factors: [rm, rs] } => {
            Action::Multiply { set: false, rd: to, rm, rs, rn: None }.into()
        }
        Placed::Mask { to, x, bits } => match Shifter::number(bits) {
            Some(bits) => code::data(DataOp::And, false, to, x, bits),
            None => code::data(DataOp::Bic, false, to, x, Shifter::number(!bits).unwrap_or(code::ZERO)),
        },
        Placed::Shift { to, x, up, by } => {
            let kind = if up { ShiftKind::Lsl } else { ShiftKind::Lsr };
            code::mov(to, Shifter::Register { rm: x, kind, amount: by as u8 })
        }
        Placed::Number { to, number } => code::mov(to, Shifter::number(number).unwrap_or(code::ZERO)),
        Placed::Load { to, place } => {
            let (base, distance) = address(place);
            code::ldr(to, base, distance)
        }
        Placed::Store { from, place } => {
            let (base, distance) = address(place);
            code::str(from, base, distance)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conventions::AAPCS;
    use num_bigint::BigUint;
    use rhomb_field::reduce::ways_without_carry;
    use rhomb_kernel::Operation;
    use rhomb_lower::tied::found;

    /// Sizes in the table.
    const WORDS: std::ops::RangeInclusive<usize> = 2..=17;
    /// Candidates where the table is made better.
    const CANDIDATES: usize = 100_000;

    /// The table has all sizes, and what stands there works; `RHOMB_TABLES=overwrite` looks for better ones.
    #[test]
    fn the_table_has_what_is_used() {
        let setting = setting(&AAPCS, usize::MAX);
        let overwrite = std::env::var_os("RHOMB_TABLES").is_some_and(|value| value == "overwrite");
        let candidates = if overwrite { CANDIDATES } else { 0 };
        let kinds =
            [false, true].into_iter().flat_map(|square| WORDS.map(move |words| (square, words, None)));
        let modulus = (BigUint::from(1u8) << 255u8) - 19u8;
        let folds: Vec<Line> = ways_without_carry(Operation::ModMul, &modulus, 32)
            .into_iter()
            .filter(|way| way.method == "top-fold")
            .map(|way| way.line)
            .collect();
        let reduced = folds.iter().flat_map(|line| [(false, 8, Some(line)), (true, 8, Some(line))]);
        let lines: Vec<String> = kinds
            .chain(reduced)
            .map(|(square, words, line)| {
                found(square, words, line, &setting, FOUND, candidates, 1).unwrap().1
            })
            .collect();
        if overwrite {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lower/tied/found.txt");
            std::fs::write(path, lines.join("\n") + "\n").unwrap();
        } else {
            assert!(lines.iter().map(String::as_str).eq(FOUND.lines()));
        }
    }
}
