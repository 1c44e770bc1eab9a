//! Programs of modular arithmetic: sizes, and the fastest parameters where they are open.

use super::C55x;
use crate::error::Error;
use crate::modular::{ModularOperation, ModularProgram, ModularTask, ModulusPlaces, PUBLIC, Workspace};
use crate::{Code as CodeText, LowerFault};
use rhomb_c55x::lower::{
    Code, Exponentiation, Ladder, Montgomery, framed, montgomery, montgomery_fixed, workspace_words,
};
use rhomb_certificate::{Contract, Operation as Contracted};
use rhomb_machine::{Access, Buffer, Concrete, Routine};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

/// Words that numbers are made a multiple of.
const STEP: usize = 4;
/// Splits that are tried.
const MOST_LEVELS: usize = 3;
/// Where a workspace has -1/n.
const INVERSE: usize = 4096;

fn other(message: impl Into<String>) -> LowerFault {
    LowerFault::Other(message.into())
}

pub(super) fn program(
    c55x: &C55x,
    task: &ModularTask,
    convention: &str,
) -> Result<ModularProgram, LowerFault> {
    if task.block.is_some() {
        return Err(other("its reductions are by columns of the whole number; valid: no --block"));
    }
    if task.method == PUBLIC {
        return Err(other(
            "--public: exponents are arguments there; valid: --method fixed-window, sliding-window or binary",
        ));
    }
    let words = task.bits.div_ceil(16).next_multiple_of(STEP);
    let framed = |code: Code| -> Result<_, LowerFault> {
        let convention = c55x.convention(convention).map_err(other)?;
        Ok(C55x::code(&framed(code.into_lines(), convention)))
    };
    if task.operation == ModularOperation::Exponentiate {
        let (program, parameters) = exponentiation(c55x, task, words)?;
        let code = program.program().ok_or_else(|| other(SIZES))?;
        let workspace = Some(Workspace { words: program.workspace_words(), modulus: None });
        return Ok(ModularProgram { code: framed(code)?, parameters, words, workspace, exponent: None });
    }
    if task.operation == ModularOperation::Private {
        return Err(other("its exponentiations take a workspace of the caller; valid: modexp"));
    }
    if task.operation == ModularOperation::Reduce {
        return Err(other("divisions come behind products here; valid: montmul and montsqr"));
    }
    let is_square = task.operation == ModularOperation::Square;
    let (way, parameters) = match task.method {
        "cios" => (Montgomery::CoarselyIntegrated, Vec::new()),
        "fips" => (Montgomery::FinelyIntegrated, Vec::new()),
        _ => {
            let levels = match task.levels {
                Some(levels) => levels,
                None => fastest(c55x, words, is_square)?.0,
            };
            (Montgomery::Separated(levels as u32), vec![("levels", levels)])
        }
    };
    let code = montgomery(words, way, is_square).ok_or_else(|| other(SIZES))?;
    let places = ModulusPlaces { complement: 4 * words + 2, inverse: INVERSE };
    let workspace = Workspace { words: workspace_words(words, way), modulus: Some(places) };
    Ok(ModularProgram { code: framed(code)?, parameters, words, workspace: Some(workspace), exponent: None })
}

const SIZES: &str = "no program of this size with these parameters; valid: up to 4096 bits (fips 2048), --levels and \
                     --square-levels that leave halves of an even number of words";

/// By words, and whether it is a square: splits and cycles.
type Known = HashMap<(usize, bool), (usize, u64)>;

/// The splits that make a Montgomery product or square fastest, and its cycles.
fn fastest(c55x: &C55x, words: usize, is_square: bool) -> Result<(usize, u64), LowerFault> {
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(found) = known.get(&(words, is_square)) {
        return Ok(*found);
    }
    let mut best = None;
    for levels in 0..=MOST_LEVELS {
        let way = Montgomery::Separated(levels as u32);
        let Some(code) = montgomery(words, way, is_square) else { continue };
        let cycles = cycles(c55x, code, (words, way, is_square))?;
        if best.is_none_or(|(_, least)| cycles < least) {
            best = Some((levels, cycles));
        }
    }
    let best = best.ok_or_else(|| other(SIZES))?;
    known.insert((words, is_square), best);
    Ok(best)
}

/// Cycles of a call, which are the same for all operands.
fn cycles(
    c55x: &C55x,
    code: Code,
    (words, way, is_square): (usize, Montgomery, bool),
) -> Result<u64, LowerFault> {
    let code = C55x::code(&code.into_lines());
    let function = c55x.function(&code, "ti", super::MOST_STEPS).map_err(other)?;
    let buffer = |name, length: usize, content, access| Buffer {
        name,
        length: length as u32,
        content,
        access,
        shares: None,
    };
    let ones = || Some(vec![1u16; words]);
    let length = workspace_words(words, way);
    let mut buffers = vec![buffer("r", words, None, Access::Store), buffer("a", words, ones(), Access::Load)];
    buffers.extend((!is_square).then(|| buffer("b", words, ones(), Access::Load)));
    buffers.push(buffer("w", length, Some(vec![1; length]), Access::Store));
    let finished = function.call(Concrete::new(), &buffers).map_err(|stopped| other(stopped.to_string()))?;
    Ok(finished.tally.cycles.max)
}

type Parameters = Vec<(&'static str, usize)>;

/// The exponentiation with its choices made; what is open is what takes the fewest cycles, by the number of products
/// and squares.
fn exponentiation(
    c55x: &C55x,
    task: &ModularTask,
    words: usize,
) -> Result<(Exponentiation, Parameters), LowerFault> {
    if task.bits != 16 * words {
        let valid = 16 * words;
        return Err(other(format!(
            "{} bits; valid: multiples of 64 up to 4096, such as {valid}; n has its highest bit set",
            task.bits
        )));
    }
    // for the choice of windows any number of splits is as good
    let (auto, product) = fastest(c55x, words, false)?;
    let levels = task.levels.unwrap_or(auto);
    let square_levels = match task.square_levels {
        Some(levels) => levels,
        None => fastest(c55x, words, true)?.0,
    };
    let bits = task.bits as u64;
    // squarings are the same for all windows; reading the whole table costs half a cycle a word
    let table = |window: u32| (words as u64 / 2) << window;
    let cost = |window: u32| match task.method {
        "fixed-window" => (product << window) + bits / u64::from(window) * (product + table(window)),
        _ => (product << (window - 1)) + bits * product / u64::from(window + 1),
    };
    let window = match task.window {
        Some(window) => window as u32,
        None => (2..=8).min_by_key(|window| cost(*window)).unwrap_or(4),
    };
    let (ladder, mut parameters) = match task.method {
        "binary" | "binary-cios" => (Ladder::Binary, Vec::new()),
        "fixed-window" => (Ladder::Constant(window), vec![("window", window as usize)]),
        _ => (Ladder::Sliding(window), vec![("window", window as usize)]),
    };
    if !matches!(ladder, Ladder::Binary) && !(2..=8).contains(&window) {
        return Err(other(format!("--window {window}; valid: 2 to 8")));
    }
    let integrated = task.method == "binary-cios";
    if !integrated {
        parameters.push(("levels", levels));
    }
    if !matches!(ladder, Ladder::Binary) {
        parameters.push(("square-levels", square_levels));
    }
    let program = Exponentiation {
        words,
        integrated,
        product_levels: if integrated { 0 } else { levels as u32 },
        square_levels: if matches!(ladder, Ladder::Binary) { 0 } else { square_levels as u32 },
        ladder,
    };
    Ok((program, parameters))
}

/// Montgomery multiplication or squaring with the modulus in the code, for a multiple of 4 words.
pub(super) fn fixed(c55x: &C55x, contract: &Contract, convention: &str) -> Result<Option<CodeText>, Error> {
    let Some(modular) = contract.modular() else { return Ok(None) };
    let is_square = match modular.operation {
        Contracted::MontMul => false,
        Contracted::MontSqr => true,
        _ => return Ok(None),
    };
    let digits = modular.modulus.number().to_u32_digits();
    let digits = digits.iter().flat_map(|digit| [*digit as u16, (*digit >> 16) as u16]);
    let words = modular.modulus.words(16) as usize;
    let digits: Vec<u16> = digits.chain(std::iter::repeat(0)).take(words).collect();
    let Some(code) = montgomery_fixed(&digits, is_square) else { return Ok(None) };
    let convention = c55x.convention(convention).map_err(|fault| Error::request(fault, "--convention"))?;
    Ok(Some(C55x::code(&framed(code.into_lines(), convention))))
}
