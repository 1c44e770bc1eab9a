//! Programs of modular arithmetic for every processor that lowers straight lines and calls.

use super::ways::{Choice, Timed, within_memory, words};
use super::{ModularOperation, ModularProgram, ModularTask};
use crate::programs::Maker;
use crate::targets::{LowerFault, Target};
use rhomb_certificate::Operation;
use rhomb_field::program::{
    Exponent, Exponentiation, KEY, MOST_WINDOW, Routine, exponentiation, rsa_private,
};
use rhomb_targets::modular::PUBLIC;

/// The exponent of most RSA keys.
const MOST_KEYS: usize = 65537;

/// Bytes of stack that an exponentiation saves.
const SAVED: usize = 40;

pub(super) fn program(
    target: &'static dyn Target,
    task: &ModularTask,
    convention: &str,
) -> Result<ModularProgram, LowerFault> {
    if task.levels.is_some() || task.square_levels.is_some() {
        let fault = "products are the fastest ones there; valid: no --levels and no --square-levels";
        return Err(LowerFault::Other(fault.to_owned()));
    }
    // p and q of a private key have half the bits
    let count = if task.operation == ModularOperation::Private { 2 } else { 1 };
    let words = words(target, task.bits.div_ceil(count));
    let mut maker = Maker::new(target, convention);
    let mut choice = Choice { target, convention, maker: &mut maker, block: task.block };
    if let Some(operation) = task.operation.contracted() {
        let all = choice.fastest(operation, words)?;
        let none = || LowerFault::Unmade("it is not made".to_owned());
        return all.into_iter().next().map(|own| own.program).ok_or_else(none);
    }
    let word_bits = target.description().word_bits as usize;
    let bits = count * words * word_bits;
    if task.bits != bits {
        let numbers =
            if count == 1 { "n has its highest bit set" } else { "p and q have their highest bits set" };
        let valid = format!("multiples of {}, such as {bits}: {numbers}", count * word_bits);
        let fault = format!("{} bits; valid: {valid}", task.bits);
        return Err(LowerFault::Other(fault));
    }
    let mut fault = None;
    let mut whole = Maker::whole(target, convention);
    for own in choice.fastest(Operation::MontMul, words)? {
        match chosen(&mut whole, task, &own) {
            Ok(program) => return Ok(program),
            Err(own) => fault = fault.or(Some(own)),
        }
    }
    Err(fault.unwrap_or_else(|| LowerFault::Unmade("it is not made".to_owned())))
}

/// The exponentiation by the exponent that is in the code; or with the window that is asked for, or with that which takes the fewest
/// products and whose powers there is memory for.
fn chosen(maker: &mut Maker<'_>, task: &ModularTask, own: &Timed) -> Result<ModularProgram, LowerFault> {
    if task.method == PUBLIC {
        let public = task.public.unwrap_or(MOST_KEYS);
        let valid = || LowerFault::Other(format!("--public {public}; valid: 1 to 999999999"));
        let exponent = Exponent::Public(public as u64);
        return made(maker, task, own, exponent, ("public", public)).unwrap_or_else(|| Err(valid()));
    }
    let products = |window: &usize| (1 << window) + task.bits / window;
    let mut windows: Vec<usize> = match task.window {
        Some(window) => vec![window],
        None => (1..=MOST_WINDOW).collect(),
    };
    windows.sort_by_key(products);
    let mut fault = LowerFault::Unmade("it is not made".to_owned());
    for window in windows {
        let valid = || LowerFault::Other(format!("--window {window}; valid: 1 to {MOST_WINDOW}"));
        let exponent = Exponent::Argument { window };
        match made(maker, task, own, exponent, ("window", window)).ok_or_else(valid)? {
            Ok(program) => return Ok(program),
            // the last one asks for the least
            Err(own) => fault = own,
        }
    }
    Err(fault)
}

/// The program with an exponent, and the parameter that tells it; `None` where there is none.
fn made(
    maker: &mut Maker<'_>,
    task: &ModularTask,
    own: &Timed,
    exponent: Exponent,
    parameter: (&'static str, usize),
) -> Option<Result<ModularProgram, LowerFault>> {
    let Timed { way, saved, ref program, .. } = *own;
    let called = match (task.operation, exponent) {
        (ModularOperation::Private, Exponent::Argument { window }) => rsa_private(way, window)?,
        _ => exponentiation(&Exponentiation { argument: way, is_double: false, exponent })?,
    };
    let (arguments, words, exponent) = match exponent {
        _ if task.operation == ModularOperation::Private => (4 + KEY.len(), 2 * way.words, None),
        Exponent::Argument { .. } => (4, way.words, None),
        Exponent::Public(number) => (3, way.words, Some(number)),
    };
    // result and operands, and what is in frames
    let numbers = (arguments * way.words + called.words()) * way.bits as usize / 8;
    let code = within_memory(maker.target(), numbers + saved + SAVED)
        .and_then(|()| maker.routine(&Routine::Called(Box::new(called))));
    let parameters = [parameter].into_iter().chain(program.parameters.iter().copied()).collect();
    Some(code.map(|code| ModularProgram { code, parameters, words, workspace: None, exponent }))
}
