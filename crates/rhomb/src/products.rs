//! The fastest products and squares of whole numbers, which operations of fields and programs are made of.

use crate::bounds::Bounds;
use crate::choose::{self, Choice};
use crate::error::Error;
use crate::lines::{refused, text};
use crate::targets::{Code, LowerFault, Making, Named, Product, Target};
use crate::wanted::Wanted;
use crate::work::Work;
use rhomb_certificate::{Contract, Operation};
use rhomb_kernel::{Form, Parameter, Parameters, Shape};
use std::cell::RefCell;
use std::rc::Rc;

/// Products and squares that a choice was made among before, since it takes long: a line for each, with target, operation,
/// words, the most bytes of code where that was asked for, form, method, and what else was chosen. A test makes the choices anew.
const CHOSEN: &str = include_str!("products.txt");

/// What a line begins with.
fn head(target: &dyn Target, operation: Operation, words: usize, bytes: Option<usize>) -> String {
    let within = bytes.map_or(String::new(), |bytes| format!("within={bytes} "));
    format!("{} {} {words} {within}", target.name(), operation.name())
}

/// What was chosen before.
fn chosen(target: &dyn Target, operation: Operation, words: usize, bytes: Option<usize>) -> Option<Product> {
    let head = head(target, operation, words, bytes);
    let mut fields = CHOSEN.lines().find_map(|line| line.strip_prefix(&head))?.split(' ');
    let form = Form::named(fields.next()?)?;
    let method = rhomb_kernel::method(operation, fields.next()?)?;
    let (mut parameters, mut on_x, mut accumulation) = (Parameters::default(), None, None);
    for field in fields {
        let (name, value) = field.split_once('=')?;
        let named = |all: &[Named]| all.iter().find(|own| own.name == value).map(|own| own.name);
        match Parameter::ALL.into_iter().find(|parameter| parameter.name() == name) {
            Some(parameter) => parameter.set(&mut parameters, Some(value.parse().ok()?)),
            None if name == "on-x" => on_x = Some(named(target.description().on_x)?),
            None => accumulation = Some(named(target.description().accumulations)?),
        }
    }
    let task = method.task(&Shape { form, words, parameters: &parameters })?;
    Some(Product { task, of_one: false, on_x, accumulation })
}

/// Those of a target by a convention, of no more bytes of code than are allowed, where a number is. Each is chosen once, for all that
/// share what is known.
#[derive(Clone)]
pub(crate) struct Products<'a> {
    pub(crate) target: &'static dyn Target,
    pub(crate) convention: &'a str,
    pub(crate) bytes: Option<usize>,
    known: Rc<RefCell<Vec<Known>>>,
}

/// One that was chosen.
struct Known {
    operation: Operation,
    words: usize,
    /// What it had to keep.
    bytes: Option<usize>,
    product: Product,
}

impl<'a> Products<'a> {
    pub(crate) fn new(target: &'static dyn Target, convention: &'a str) -> Self {
        Products { target, convention, bytes: None, known: Rc::default() }
    }

    /// The same of no more bytes than these.
    pub(crate) fn within(&self, bytes: usize) -> Self {
        Products { bytes: Some(bytes), ..self.clone() }
    }

    /// Whether those that were chosen freely until now have no more bytes than these.
    pub(crate) fn are_within(&self, bytes: usize) -> bool {
        let free: Vec<Product> = self
            .known
            .borrow()
            .iter()
            .filter(|own| own.bytes.is_none())
            .map(|own| own.product.clone())
            .collect();
        free.iter().all(|product| self.is_within(product, bytes))
    }

    fn is_within(&self, product: &Product, bytes: usize) -> bool {
        self.code(product).is_ok_and(|code| self.target.code_bytes(&code) <= bytes)
    }

    /// The routine of the fastest that keeps a contract.
    pub(crate) fn routine(&self, contract: &Contract) -> Result<Code, Error> {
        let words = contract.bits().div_ceil(self.target.description().word_bits) as usize;
        let product = self.fastest(contract.operation(), words)?;
        self.code(&product).map_err(|fault| refused(self.target, contract, &text(fault)))
    }

    fn code(&self, product: &Product) -> Result<Code, LowerFault> {
        let Product { task, on_x, accumulation, .. } = product;
        let (on_x, accumulation, convention) = (*on_x, *accumulation, self.convention);
        let making =
            Making { convention, registers: None, accumulation, constant_time: false, on_x, trail: None };
        Ok(self.target.routine(task, &making)?.code)
    }

    /// The fastest; a square is a multiplication where there is no other.
    pub(crate) fn of(&self, operation: Operation, words: usize) -> Result<Product, Error> {
        match self.fastest(operation, words) {
            Err(_) if operation == Operation::Sqr && !self.target.description().has_multiplier => {
                Ok(Product { of_one: true, ..self.fastest(Operation::Mul, words)? })
            }
            found => found,
        }
    }

    /// The fastest of all, or, where that is too large, of those that are not.
    fn fastest(&self, operation: Operation, words: usize) -> Result<Product, Error> {
        let free = self.known(operation, words, None)?;
        match self.bytes {
            Some(bytes) if !self.is_within(&free, bytes) => self.known(operation, words, Some(bytes)),
            _ => Ok(free),
        }
    }

    /// What was chosen, here or before.
    fn known(&self, operation: Operation, words: usize, bytes: Option<usize>) -> Result<Product, Error> {
        let is_it = |own: &&Known| (own.operation, own.words, own.bytes) == (operation, words, bytes);
        if let Some(own) = self.known.borrow().iter().find(is_it) {
            return Ok(own.product.clone());
        }
        let before = chosen(self.target, operation, words, bytes);
        let product = before.map_or_else(|| self.choose(operation, words, bytes), Ok)?;
        self.known.borrow_mut().push(Known { operation, words, bytes, product: product.clone() });
        Ok(product)
    }

    fn choose(&self, operation: Operation, words: usize, bytes: Option<usize>) -> Result<Product, Error> {
        let Choice { method, form, parameters, on_x, accumulation, .. } =
            choice(self.target, operation, words, (self.convention, bytes))?;
        let task = method.task(&Shape { form, words, parameters: &parameters });
        let task = task.ok_or_else(|| Error::request("a product has no such form", "leave --form out"))?;
        Ok(Product { task, of_one: false, on_x, accumulation })
    }
}

fn choice(
    target: &'static dyn Target,
    operation: Operation,
    words: usize,
    (convention, bytes): (&str, Option<usize>),
) -> Result<Choice, Error> {
    let wanted = Wanted {
        operation,
        words,
        form: None,
        convention,
        method: None,
        rows: None,
        parameters: &Parameters::default(),
        bounds: Bounds { code: bytes, ..Bounds::default() },
        accumulation: None,
        constant_time: false,
        thorough: false,
        walks_only: false,
        unasked_levels: target.description().unasked_levels(words),
        pairs: target.description().pairs,
        columns_wait: target.description().columns_wait,
        on_x: None,
        trail: None,
        work: &Work::default(),
    };
    choose::choose(target, &wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::find;

    /// Sizes of usual moduli in bits.
    const BITS: [u32; 8] = [160, 192, 224, 256, 320, 384, 512, 521];

    /// Those of blocks of larger ones.
    fn blocks(target: &str) -> &'static [u32] {
        match target {
            "attiny85" => &[64, 128],
            "arm7tdmi" | "arm9ej-s" => &[512, 1024],
            _ => &[],
        }
    }

    /// A product as a line of [`CHOSEN`].
    fn line_of(head: &str, choice: &Choice) -> String {
        let Choice { method, form, parameters, on_x, accumulation, .. } = choice;
        let mut line = format!("{head}{} {}", form.name(), method.name);
        for parameter in Parameter::ALL {
            if let Some(value) = parameter.of(parameters) {
                line += &format!(" {}={value}", parameter.name());
            }
        }
        line += &on_x.map_or(String::new(), |array| format!(" on-x={array}"));
        line + &accumulation.map_or(String::new(), |way| format!(" accumulation={way}"))
    }

    /// What a product may take in programs where all must fit into little flash.
    fn bytes(target: &dyn Target) -> Vec<Option<usize>> {
        let small = (target.name() == "atmega328p")
            .then(|| target.description().flash_bytes as usize / crate::scheme::PRODUCTS);
        [None].into_iter().chain(small.map(Some)).collect()
    }

    const TARGETS: [&str; 12] = [
        "arm7tdmi",
        "arm9ej-s",
        "arm7tdmi-paper",
        "attiny85",
        "cortex-m3",
        "cortex-m4",
        "cortex-m4f",
        "cortex-m7",
        "cortex-m33",
        "cortex-m33-nodsp",
        "atmega328p",
        "atmega128",
    ];

    /// What stands in the table is what would be chosen; `RHOMB_TABLES=overwrite` writes it, and the beginnings of names of cores
    /// in place of `overwrite` the lines of these.
    #[test]
    fn products_are_chosen_as_before() {
        let wanted = std::env::var("RHOMB_TABLES").ok();
        let overwrite = wanted.is_some();
        let is_wanted = |target: &str| match wanted.as_deref() {
            None | Some("overwrite") => true,
            Some(names) => names.split(',').any(|name| target.starts_with(name)),
        };
        let every = if overwrite { 1 } else { rhomb_oracles::sample(24, 1) };
        let mut text = String::new();
        let mut at = 0;
        for name in TARGETS {
            if !is_wanted(name) {
                let head = format!("{name} ");
                CHOSEN
                    .lines()
                    .filter(|line| line.starts_with(&head))
                    .for_each(|line| text += &format!("{line}\n"));
                continue;
            }
            let target = find(name).unwrap();
            for (operation, bits) in BITS
                .iter()
                .chain(blocks(target.name()))
                .flat_map(|bits| [(Operation::Mul, bits), (Operation::Sqr, bits)])
            {
                let words = bits.div_ceil(target.description().word_bits) as usize;
                at += 1;
                if at % every != 0 {
                    continue;
                }
                let convention = target.description().conventions()[0].name;
                for bytes in bytes(target) {
                    let Ok(choice) = choice(target, operation, words, (convention, bytes)) else { continue };
                    let line = line_of(&head(target, operation, words, bytes), &choice);
                    assert!(overwrite || CHOSEN.lines().any(|own| own == line), "{line}");
                    text += &(line + "\n");
                }
            }
        }
        if overwrite {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/products.txt");
            std::fs::write(path, text).unwrap();
        }
    }
}
