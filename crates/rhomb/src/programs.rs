//! Operations of fields on every target: straight lines of words, programs that call them, and what a target makes by itself.

use crate::error::Error;
use crate::lines::{self, refused, text, within_flash};
use crate::products::Products;
use crate::targets::{Code, FieldRoutine, LowerFault, Target, all};
use rhomb_certificate::{Contract, Family, Modular};
use rhomb_field::polynomial::{composed, separated};
use rhomb_field::program::{Composed, Inversion, Program, Routine, by_montgomery, inversion};
use rhomb_field::reduce::is_folded;
use rhomb_kernel::Form;
use rhomb_line::Line;
use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::rc::Rc;

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

/// Routines of a target that keep a contract modulo a number or over GF(2), in one form or in any, to choose from.
pub(crate) fn field_routines(
    contract: &Contract,
    form: Option<Form>,
    products: &Products<'_>,
) -> Result<Vec<FieldRoutine>, Error> {
    let Products { target, convention, .. } = *products;
    // what multiplies by a number in the code is made in one way
    let is_plain = contract.modular().is_none_or(Modular::is_plain);
    if is_plain && target.makes_own(contract) {
        return target.own_routines(contract, form, convention);
    }
    if is_plain && makes(target, contract) {
        let shared = routines(contract, form, products);
        return match (target.own_routines(contract, form, convention), shared) {
            (Ok(own), Ok(shared)) => Ok(own.into_iter().chain(shared).collect()),
            (Ok(own), Err(_)) if !own.is_empty() => Ok(own),
            (_, shared) => shared,
        };
    }
    if !is_plain {
        return routines(contract, form, products);
    }
    let able: Vec<&str> = all().filter(|target| makes(*target, contract)).map(Target::name).collect();
    let (operation, name) = (contract.operation().name(), target.name());
    let fault = format!("{operation} is not available for {name}; valid: {}", able.join(", "));
    Err(Error::request(fault, "code of others is proved by `rhomb verify`, for all targets"))
}

/// All straight lines and programs that keep a contract.
fn routines(
    contract: &Contract,
    form: Option<Form>,
    products: &Products<'_>,
) -> Result<Vec<FieldRoutine>, Error> {
    let target = products.target;
    if let Some(own) = inversion(contract) {
        return invert(contract, &own, form, products);
    }
    if form == Some(Form::Looped) {
        return Err(refused(target, contract, &"it is not made looped; valid: unrolled"));
    }
    let bits = target.description().word_bits;
    let (mut made, mut fault) = lines::straight(contract, products)?;
    // a fold of more words than registers hold has no line
    let is_open =
        |own: &&Modular| own.factor.is_none() && (made.is_empty() || !is_folded(&own.modulus.number(), bits));
    let divided = contract.modular().filter(is_open).and_then(|own| by_montgomery(own, bits));
    for own in programs(contract, bits).into_iter().chain(divided) {
        match code((&own.program, &own.routines), products) {
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
fn code((program, routines): (&Program, &[Routine]), products: &Products<'_>) -> Result<Code, LowerFault> {
    Maker { products: products.clone(), ..Maker::new(products.target, products.convention) }
        .program(program, routines)
}

/// Makes routines, each of them once.
pub(crate) struct Maker<'a> {
    convention: &'a str,
    /// That of the routines, where it is another one.
    inner: Option<&'static str>,
    /// Whether the smallest routine is made, not the fastest.
    is_small: bool,
    products: Products<'a>,
    known: Vec<(Routine, Result<Code, LowerFault>)>,
    timed: Rc<RefCell<Vec<Timed>>>,
}

/// The routines that keep a contract, each with the cycles and bytes of its code, with products of no more bytes than are allowed.
struct Timed {
    contract: Contract,
    product_bytes: Option<usize>,
    all: Vec<(Option<[u64; 2]>, Code)>,
}

impl<'a> Maker<'a> {
    pub(crate) fn new(target: &'static dyn Target, convention: &'a str) -> Self {
        // of what preserves nothing, what it calls does not, either
        let inner = target.inner(convention).filter(|inner| *inner == convention);
        let products = Products::new(target, convention);
        Maker { convention, inner, is_small: false, products, known: Vec::new(), timed: Rc::default() }
    }

    /// The same for a whole program: its routines preserve nothing, where the target has such programs.
    pub(crate) fn whole(target: &'static dyn Target, convention: &'a str) -> Self {
        let inner = target.inner(convention);
        let products = Products::new(target, inner.unwrap_or(convention));
        Maker { inner, products, ..Maker::new(target, convention) }
    }

    /// The same by routines that are as small as there are.
    pub(crate) fn small(&self) -> Self {
        Maker { is_small: true, ..self.anew() }
    }

    /// The same with products of no more bytes than these.
    pub(crate) fn with_products_within(&self, bytes: usize) -> Self {
        Maker { products: self.products.within(bytes), ..self.anew() }
    }

    /// Whether the products that were made until now have no more bytes than these.
    pub(crate) fn has_products_within(&self, bytes: usize) -> bool {
        self.products.are_within(bytes)
    }

    /// What shares what is known of routines.
    fn anew(&self) -> Self {
        let (products, timed) = (self.products.clone(), Rc::clone(&self.timed));
        Maker { products, timed, known: Vec::new(), ..*self }
    }

    pub(crate) fn target(&self) -> &'static dyn Target {
        self.products.target
    }

    /// The fastest routine that there is, or the smallest.
    pub(crate) fn routine(&mut self, routine: &Routine) -> Result<Code, LowerFault> {
        if let Some((_, made)) = self.known.iter().find(|(own, _)| own == routine) {
            return made.clone();
        }
        let made = match routine {
            Routine::Lines(lines) => shortest(self.target(), lines, self.products.convention),
            Routine::Called(own) => self.program(&own.program, &own.routines),
            Routine::Kept(contract) => {
                let made = match contract.operation().family() {
                    Family::Whole => self.products.routine(contract),
                    _ => self.best(contract),
                };
                // the name of the core is said once
                let own = format!(" on {}:", self.target().name());
                made.map_err(|error: Error| LowerFault::Unmade(error.to_string().replace(&own, ":")))
            }
        };
        self.known.push((routine.clone(), made.clone()));
        made
    }

    /// The routine that keeps a contract in the fewest cycles, or in the fewest bytes.
    fn best(&self, contract: &Contract) -> Result<Code, Error> {
        let products = &self.products;
        let Products { target, convention, bytes: product_bytes, .. } = *products;
        let is_it = |own: &&Timed| own.contract == *contract && own.product_bytes == product_bytes;
        if !self.timed.borrow().iter().any(|own| is_it(&own)) {
            let figures = |code: &Code| {
                let figures = target.subject(code, convention).ok()?.search(contract, 0).figures?;
                Some([figures.function.max, target.code_bytes(code) as u64])
            };
            let all = field_routines(contract, None, products)?;
            let all = all.into_iter().map(|own| (figures(&own.code), own.code)).collect();
            self.timed.borrow_mut().push(Timed { contract: *contract, product_bytes, all });
        }
        let value = |[cycles, bytes]: [u64; 2]| if self.is_small { [bytes, cycles] } else { [cycles, bytes] };
        let timed = self.timed.borrow();
        let all = timed.iter().find(is_it).into_iter().flat_map(|own| &own.all);
        let best = all.min_by_key(|(figures, _)| figures.map_or([u64::MAX, 0], value));
        best.map(|(_, code)| code.clone()).ok_or_else(|| refused(target, contract, &"there is no routine"))
    }

    fn program(&mut self, program: &Program, routines: &[Routine]) -> Result<Code, LowerFault> {
        let routines: Vec<Code> = routines.iter().map(|own| self.routine(own)).collect::<Result<_, _>>()?;
        let convention = (self.convention, self.inner.is_some());
        within_flash(self.target(), self.target().program(program, &routines, convention)?)
    }
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
    contract: &Contract,
    own: &Inversion,
    form: Option<Form>,
    products: &Products<'_>,
) -> Result<Vec<FieldRoutine>, Error> {
    let target = products.target;
    let refused = |fault: &dyn std::fmt::Display| refused(target, contract, fault);
    if form == Some(Form::Unrolled) {
        return Err(refused(&"it is not made unrolled; valid: looped"));
    }
    let bits = target.description().word_bits;
    let made = |has_squares| {
        let called = own.called(bits, has_squares);
        let called =
            called.ok_or_else(|| LowerFault::Unmade("it is not made; valid: larger fields".to_owned()))?;
        code((&called.program, &called.routines), products)
    };
    let code = made(true).or_else(|_| made(false)).map_err(|fault| refused(&text(fault)))?;
    Ok(vec![FieldRoutine { code, method: own.method, form: Form::Looped }])
}
