//! Operations of fields on every target: straight lines of words, programs that call them, and what a target makes by itself.

use crate::error::Error;
use crate::lines::{self, refused, text, whole_product, within_flash};
use crate::targets::{Code, FieldRoutine, LowerFault, Target, all};
use rhomb_certificate::{Contract, Family, Modular};
use rhomb_field::polynomial::{composed, separated};
use rhomb_field::program::{Composed, Inversion, Program, Routine, by_montgomery, inversion};
use rhomb_field::reduce::is_folded;
use rhomb_kernel::Form;
use rhomb_line::Line;
use std::ops::RangeInclusive;

/// Words of the longest combs that are tried.
const COMBS: RangeInclusive<usize> = 2..=8;

/// Whether there are routines for a contract.
fn has_routines(contract: &Contract) -> bool {
    contract.bounds.result.is_none() && (contract.modular().is_some() || contract.binary().is_some())
}

/// Whether a target makes routines for a contract, for some modulus or polynomial.
pub(crate) fn makes(target: &dyn Target, contract: &Contract) -> bool {
    target.makes_own(contract) || has_routines(contract)
}

/// Routines of a target that keep a contract modulo a number or over GF(2), in one form or in any, to choose from. Their products take
/// no more than some bytes, where these are given.
pub(crate) fn field_routines(
    target: &'static dyn Target,
    contract: &Contract,
    form: Option<Form>,
    (convention, product_bytes): (&str, Option<usize>),
) -> Result<Vec<FieldRoutine>, Error> {
    // what multiplies by a number in the code is made in one way
    let is_plain = contract.modular().is_none_or(Modular::is_plain);
    if is_plain && target.makes_own(contract) {
        return target.own_routines(contract, form, convention);
    }
    if is_plain && makes(target, contract) {
        let shared = routines(target, contract, form, (convention, product_bytes));
        return match (target.own_routines(contract, form, convention), shared) {
            (Ok(own), Ok(shared)) => Ok(own.into_iter().chain(shared).collect()),
            (Ok(own), Err(_)) if !own.is_empty() => Ok(own),
            (_, shared) => shared,
        };
    }
    if !is_plain {
        return routines(target, contract, form, (convention, product_bytes));
    }
    let able: Vec<&str> = all().filter(|target| makes(*target, contract)).map(Target::name).collect();
    let (operation, name) = (contract.operation().name(), target.name());
    let fault = format!("{operation} is not available for {name}; valid: {}", able.join(", "));
    Err(Error::request(fault, "code of others is proved by `rhomb verify`, for all targets"))
}

/// All straight lines and programs that keep a contract.
fn routines(
    target: &'static dyn Target,
    contract: &Contract,
    form: Option<Form>,
    (convention, product_bytes): (&str, Option<usize>),
) -> Result<Vec<FieldRoutine>, Error> {
    if let Some(own) = inversion(contract) {
        return invert(target, contract, &own, (form, convention));
    }
    if form == Some(Form::Looped) {
        return Err(refused(target, contract, &"it is not made looped; valid: unrolled"));
    }
    let bits = target.description().word_bits;
    let (mut made, mut fault) = lines::straight(target, contract, convention, product_bytes)?;
    // a fold of more words than registers hold has no line
    let is_open =
        |own: &&Modular| own.factor.is_none() && (made.is_empty() || !is_folded(&own.modulus.number(), bits));
    let divided = contract.modular().filter(is_open).and_then(|own| by_montgomery(own, bits));
    for own in programs(contract, bits).into_iter().chain(divided) {
        match code(target, (&own.program, &own.routines), convention) {
            Ok(code) => made.push(FieldRoutine { code, method: own.method, form: Form::Unrolled }),
            Err(error) => fault = Some(error),
        }
    }
    match fault {
        Some(fault) if made.is_empty() => Err(refused(target, contract, &text(fault))),
        None if made.is_empty() => {
            Err(refused(target, contract, &"it would be too long; valid: polynomials with few terms"))
        }
        _ => Ok(made),
    }
}

/// The programs over GF(2) for a contract that differ, where there are any. Which is the fastest depends on the core: long combs are
/// called less often, and keep fewer of their words in registers.
fn programs(contract: &Contract, bits: u32) -> Vec<Composed> {
    let Some(own) = contract.binary() else { return Vec::new() };
    let mut programs: Vec<Composed> = COMBS.filter_map(|most| composed(own, bits, most)).collect();
    programs.dedup();
    programs.extend(separated(own, bits));
    programs
}

/// The code of a program, with the fastest routines behind it.
pub(crate) fn code(
    target: &'static dyn Target,
    (program, routines): (&Program, &[Routine]),
    convention: &str,
) -> Result<Code, LowerFault> {
    Maker::new(target, convention).program(program, routines)
}

/// Makes routines, each of them once.
pub(crate) struct Maker<'a> {
    target: &'static dyn Target,
    convention: &'a str,
    /// That of the routines, where it is another one.
    inner: Option<&'static str>,
    /// Whether the smallest routine is made, not the fastest.
    is_small: bool,
    /// The most bytes of a product, where there is a limit.
    product_bytes: Option<usize>,
    known: Vec<(Routine, Result<Code, LowerFault>)>,
}

impl<'a> Maker<'a> {
    pub(crate) fn new(target: &'static dyn Target, convention: &'a str) -> Self {
        // of what preserves nothing, what it calls does not, either
        let inner = target.inner(convention).filter(|inner| *inner == convention);
        Maker { target, convention, inner, is_small: false, product_bytes: None, known: Vec::new() }
    }

    /// The same for a whole program: its routines preserve nothing, where the target has such programs.
    pub(crate) fn whole(target: &'static dyn Target, convention: &'a str) -> Self {
        Maker { inner: target.inner(convention), ..Maker::new(target, convention) }
    }

    /// The same by routines that are as small as there are.
    pub(crate) fn small(self) -> Self {
        Maker { is_small: true, known: Vec::new(), ..self }
    }

    /// The same with products of no more bytes than these.
    pub(crate) fn with_products_within(self, bytes: usize) -> Self {
        Maker { product_bytes: Some(bytes), known: Vec::new(), ..self }
    }

    pub(crate) fn target(&self) -> &'static dyn Target {
        self.target
    }

    /// The fastest routine that there is, or the smallest.
    pub(crate) fn routine(&mut self, routine: &Routine) -> Result<Code, LowerFault> {
        if let Some((_, made)) = self.known.iter().find(|(own, _)| own == routine) {
            return made.clone();
        }
        let convention = self.inner.unwrap_or(self.convention);
        let made = match routine {
            Routine::Lines(lines) => shortest(self.target, lines, convention),
            Routine::Called(own) => self.program(&own.program, &own.routines),
            Routine::Kept(contract) => {
                let within = (convention, self.product_bytes);
                let made = match contract.operation().family() {
                    Family::Whole => whole_product(self.target, contract, within),
                    _ => best(self.target, contract, within, self.is_small),
                };
                // the name of the core is said once
                let own = format!(" on {}:", self.target.name());
                made.map_err(|error: Error| LowerFault::Unmade(error.to_string().replace(&own, ":")))
            }
        };
        self.known.push((routine.clone(), made.clone()));
        made
    }

    fn program(&mut self, program: &Program, routines: &[Routine]) -> Result<Code, LowerFault> {
        let routines: Vec<Code> = routines.iter().map(|own| self.routine(own)).collect::<Result<_, _>>()?;
        let convention = (self.convention, self.inner.is_some());
        within_flash(self.target, self.target.program(program, &routines, convention)?)
    }
}

/// The routine that keeps a contract in the fewest cycles, or in the fewest bytes.
fn best(
    target: &'static dyn Target,
    contract: &Contract,
    (convention, product_bytes): (&str, Option<usize>),
    is_small: bool,
) -> Result<Code, Error> {
    let value = |code: &Code| {
        let figures = target.subject(code, convention).ok()?.search(contract, 0).figures?;
        let (cycles, bytes) = (figures.function.max, target.code_bytes(code) as u64);
        Some(if is_small { (bytes, cycles) } else { (cycles, bytes) })
    };
    let all =
        field_routines(target, contract, None, (convention, product_bytes))?.into_iter().map(|own| own.code);
    let best = all.min_by_key(|code| value(code).unwrap_or((u64::MAX, 0)));
    best.ok_or_else(|| refused(target, contract, &"there is no routine"))
}

/// The routine of the shortest of straight lines, which is the fastest.
pub(crate) fn shortest(target: &dyn Target, lines: &[Line], convention: &str) -> Result<Code, LowerFault> {
    let mut best = Err(LowerFault::Unmade("it would be too long".to_owned()));
    for made in lines.iter().map(|line| target.line(line, None, convention)) {
        best = match (best, made) {
            (Ok(best), Ok(made)) if target.code_bytes(&made) >= target.code_bytes(&best) => Ok(best),
            (Ok(best), Err(_)) => Ok(best),
            (_, made) => made,
        };
    }
    best.and_then(|code| within_flash(target, code))
}

/// The routine of an inversion; where there is no squaring, by multiplications alone.
fn invert(
    target: &'static dyn Target,
    contract: &Contract,
    own: &Inversion,
    (form, convention): (Option<Form>, &str),
) -> Result<Vec<FieldRoutine>, Error> {
    let refused = |fault: &dyn std::fmt::Display| refused(target, contract, fault);
    if form == Some(Form::Unrolled) {
        return Err(refused(&"it is not made unrolled; valid: looped"));
    }
    let bits = target.description().word_bits;
    let made = |has_squares| {
        let called = own.called(bits, has_squares);
        let called =
            called.ok_or_else(|| LowerFault::Unmade("it is not made; valid: larger fields".to_owned()))?;
        code(target, (&called.program, &called.routines), convention)
    };
    let code = made(true).or_else(|_| made(false)).map_err(|fault| refused(&text(fault)))?;
    Ok(vec![FieldRoutine { code, method: own.method, form: Form::Looped }])
}
