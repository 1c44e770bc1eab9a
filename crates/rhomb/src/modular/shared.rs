//! Programs of modular arithmetic for every processor that lowers straight lines and calls.

use super::{ModularProgram, ModularTask, ModulusPlaces, Workspace};
use crate::programs;
use crate::targets::{LowerFault, Target};
use rhomb_field::program::{Called, Exponentiation, MOST_WINDOW, exponentiation, montgomery};
use rhomb_field::reduce::{self, by_argument};

/// Bytes of stack for what calls save, and for the frames of what is called.
const CALLS: usize = 128;

/// Words of the largest modulus: what is straight grows with their square.
const MOST_WORDS: usize = 64;

pub(super) fn program(
    target: &'static dyn Target,
    task: &ModularTask,
    convention: &str,
) -> Result<ModularProgram, LowerFault> {
    if task.levels.is_some() || task.square_levels.is_some() {
        let fault = "products are the fastest ones there; valid: no --levels and no --square-levels";
        return Err(LowerFault::Other(fault.to_owned()));
    }
    let bits = target.description().word_bits;
    let words = task.bits.div_ceil(bits as usize);
    if words > MOST_WORDS {
        let most = MOST_WORDS * bits as usize;
        return Err(LowerFault::Other(format!("{} bits; valid: up to {most} there", task.bits)));
    }
    let made = |called: Called| programs::code(target, (&called.program, &called.routines), convention);
    let Some(operation) = task.operation.contracted() else {
        let (window, called) = chosen(target, task, words)?;
        let parameters = vec![("window", window)];
        return Ok(ModularProgram { code: made(called)?, parameters, words, workspace: None });
    };
    let code = match montgomery(operation, words, bits) {
        Some(called) => made(called)?,
        None => programs::shortest(target, &by_argument(words, bits), convention)?,
    };
    let reduce::Workspace { complement, inverse, words: length } = reduce::Workspace::of(words);
    let workspace = Workspace { words: length, modulus: Some(ModulusPlaces { complement, inverse }) };
    Ok(ModularProgram { code, parameters: Vec::new(), words, workspace: Some(workspace) })
}

/// The exponentiation with the window that is asked for, or with that which takes the fewest products and whose powers there is
/// memory for.
fn chosen(target: &dyn Target, task: &ModularTask, words: usize) -> Result<(usize, Called), LowerFault> {
    let bits = target.description().word_bits;
    if task.bits != words * bits as usize {
        let fault = format!("{} bits; valid: multiples of {bits}: n has its highest bit set", task.bits);
        return Err(LowerFault::Other(fault));
    }
    let products = |window: &usize| (1 << window) + task.bits / window;
    let mut windows: Vec<usize> = match task.window {
        Some(window) => vec![window],
        None => (1..=MOST_WINDOW).collect(),
    };
    windows.sort_by_key(products);
    let (word_bytes, memory) = (bits as usize / 8, target.description().ram.len());
    let mut least = usize::MAX;
    for window in windows {
        let valid = || LowerFault::Other(format!("--window {window}; valid: 1 to {MOST_WINDOW}"));
        let called = exponentiation(&Exponentiation { words, bits, window }).ok_or_else(valid)?;
        // result and operands, what is in the frame, and a product that a routine makes of parts
        let numbers: usize = called.program.slots.iter().sum();
        let needed = word_bytes * (4 * words + numbers + 4 * words) + CALLS;
        if needed <= memory {
            return Ok((window, called));
        }
        least = least.min(needed);
    }
    let fault = format!("it takes {least} bytes of memory; {memory} bytes are there");
    Err(LowerFault::Other(fault))
}
