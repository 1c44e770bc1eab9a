//! Key agreements and signatures as whole programs, of strings of bytes.

mod curve;
mod ecdh;
mod ecdsa;
mod public;
#[cfg(test)]
mod tests;
mod x25519;

use crate::bounds::Bounds;
use crate::error::Error;
use crate::evidence::Evidence;
use crate::generate::{self, Kernel, Measurement, own_fault};
use crate::modular::within_memory;
use crate::programs::Maker;
use crate::request::Request;
use crate::subject::{Given, Subject};
use crate::targets::{self, Code, Description, LowerFault, Target};
use crate::verdict::{ConstantTime, Proof, Verdicts};
use crate::whole::{self, Calls, Found, Whole};
use curve::OnNamed;
use rhomb_composition::Program;
use rhomb_field::program::{Called, Routine};

/// The curves that a request may name.
pub use curve::curves;

/// Bytes of stack that routines save.
const SAVED: usize = 80;

/// Calls that are made.
const CALLS: Calls = Calls { budget: 30_000_000, fewest: 3, most: 40 };

/// An argument: its name in rules and prototype, and how many bytes it has.
#[derive(Clone, Copy)]
struct Text {
    name: &'static str,
    bytes: usize,
}

/// A call: what the operands are, and what it leaves in the result and returns.
struct Example {
    operands: Vec<Vec<u8>>,
    /// Nothing where the result keeps what it had.
    result: Option<Vec<u8>>,
    returned: Option<u64>,
}

/// What differs from one of them to the next.
trait Scheme {
    /// On the command line.
    fn operation(&self) -> &'static str;
    /// The curve, where one is named beside it.
    fn on_curve(&self) -> Option<&OnNamed> {
        None
    }
    /// What a routine is called where nobody says.
    fn base(&self) -> String {
        let own = self.operation().replace('-', "_");
        self.on_curve().map_or_else(|| own.clone(), |curve| format!("{own}_{}", curve.name))
    }
    /// The parameters that say which one it is.
    fn parameters(&self) -> Vec<(&'static str, &'static str)> {
        self.on_curve().map(|curve| ("curve", curve.name)).into_iter().collect()
    }
    /// How it may be computed.
    fn methods(&self) -> &'static [&'static str];
    /// Bits of its numbers.
    fn bits(&self) -> usize {
        8 * self.on_curve().map_or(x25519::BYTES, OnNamed::bytes)
    }
    /// The result; nothing where all is in what is returned.
    fn result(&self) -> Option<Text>;
    /// The operands.
    fn operands(&self) -> Vec<Text>;
    /// What it computes and asks for, one sentence a line; `order` says how the bytes of a number stand in words.
    fn rules(&self, order: String) -> Vec<String>;
    /// The type of what is returned, for words of so many bits.
    fn returns(&self, word_bits: u32) -> String {
        self.on_curve().map_or_else(|| "void".to_owned(), |_| format!("uint{word_bits}_t"))
    }
    /// Programs of a method for a core, which differ in the routines they call: the fastest that the core has room for is taken.
    fn programs(&self, method: &str, core: &Description) -> Vec<Called>;
    /// A call by its number: any strings, then what reaches the ends.
    fn example(&self, number: u64) -> Example;
    /// What its machine code is proved to be. Nothing proves verifications yet.
    fn proved_as(&self) -> Option<Program> {
        None
    }
}

/// The operations, each with what it is after a size and a line for people.
pub(crate) const ALL: [(&str, &str, &str); 6] = [
    (x25519::NAME, x25519::NOUN, x25519::SUMMARY),
    (ecdh::NAME, ecdh::NOUN, ecdh::SUMMARY),
    (ecdh::SCALARMUL, ecdh::SCALARMUL_NOUN, ecdh::SCALARMUL_SUMMARY),
    (public::NAME, public::NOUN, public::SUMMARY),
    (ecdsa::SIGN, ecdsa::SIGN_NOUN, ecdsa::SIGN_SUMMARY),
    (ecdsa::VERIFY, ecdsa::VERIFY_NOUN, ecdsa::VERIFY_SUMMARY),
];

/// Whether a request asks for one of them.
pub(crate) fn is_one(request: &Request) -> bool {
    ALL.iter().any(|(name, ..)| *name == request.operation)
}

/// Whether an operation is that of a curve that is named beside it.
pub fn has_curve(operation: &str) -> bool {
    with_curve().any(|name| name == operation)
}

/// The methods of all of them.
pub fn program_methods() -> Vec<&'static str> {
    [&x25519::METHODS[..], &curve::WINDOWS, &curve::COMBS, &curve::LADDERS].concat()
}

/// The operations that need a curve.
pub(crate) fn with_curve() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|(name, ..)| *name).filter(|name| *name != x25519::NAME)
}

fn of(request: &Request) -> Result<Box<dyn Scheme>, Error> {
    let of = |name| OnNamed::of(name, request);
    Ok(match request.operation.as_str() {
        name @ (ecdh::NAME | ecdh::SCALARMUL) => {
            Box::new(ecdh::Multiple { on: of(name)?, is_whole: name == ecdh::SCALARMUL })
        }
        public::NAME => Box::new(public::Public(of(public::NAME)?)),
        ecdsa::SIGN => Box::new(ecdsa::Sign(of(ecdsa::SIGN)?)),
        ecdsa::VERIFY => Box::new(ecdsa::Verify(of(ecdsa::VERIFY)?)),
        _ => Box::new(x25519::X25519),
    })
}

pub(crate) fn generate(request: &Request) -> Result<Kernel, Error> {
    let own = of(request)?;
    let whole = plan(&*own, request)?;
    let found = found(&*own, &whole, request, whole.proof)?;
    whole.kernel(found)
}

pub(crate) fn measure(request: &Request) -> Result<Measurement, Error> {
    let own = of(request)?;
    let whole = plan(&*own, request)?;
    let found = found(&*own, &whole, request, false)?;
    Ok(whole.measurement(found))
}

/// A call of it as SVG.
pub(crate) fn draw(request: &Request) -> Result<String, Error> {
    let own = of(request)?;
    let whole = plan(&*own, request)?;
    let word_bits = whole.target.description().word_bits;
    let given = buffers(&*own, Some(&own.example(0).operands), word_bits);
    let about = (whole.operation, whole.bits, whole.method);
    crate::draw::draw_whole(&*whole.subject()?, whole.target, &given, about)
}

/// Refuses what the program does not have.
fn check_options(own: &dyn Scheme, request: &Request) -> Result<(), Error> {
    let name = own.operation();
    let has_curve = own.on_curve().is_some();
    let given = [
        ("bits", request.bits != 0),
        ("modulus", request.modulus.is_some()),
        ("polynomial", request.polynomial.is_some()),
    ];
    let given = given.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name);
    let is_own = |name: &str| has_curve && name == "curve" || name.starts_with("max-");
    let others = whole::options(request).into_iter().filter(|name| !is_own(name));
    if let Some(option) = given.chain(others).next() {
        let curve = if has_curve { "--curve, " } else { "" };
        let fault = format!(
            "{name} has no --{option}; valid: --target, {curve}--method, --max-code, --max-stack, --constant-time, --no-proof, --convention, --syntax, --name"
        );
        return Err(Error::request(fault, format_args!("leave --{option} out")));
    }
    Ok(())
}

/// The methods that are tried.
fn methods(own: &dyn Scheme, request: &Request) -> Result<Vec<&'static str>, Error> {
    let all = own.methods();
    let Some(given) = request.method.as_deref().filter(|given| *given != "best") else {
        return Ok(all.to_vec());
    };
    match all.iter().find(|name| **name == given) {
        Some(name) => Ok(vec![name]),
        None => Err(Error::unknown("method", given, all, "leave --method out")),
    }
}

fn plan(own: &dyn Scheme, request: &Request) -> Result<Whole, Error> {
    let target = targets::wanted(&request.target, request.constant_time)?;
    check_options(own, request)?;
    let methods = methods(own, request)?;
    let (convention, syntax, name) = whole::called(request, target, &own.base())?;
    request.work.tell("lowering");
    let word_bits = target.description().word_bits;
    let made = codes(own, &methods, target, (convention, &request.bounds));
    let made = made.map_err(|fault| {
        let fault = format!("{} on {}: {}", own.operation(), target.name(), crate::lines::text(fault));
        Error::request(fault, "another core (`rhomb list targets`)")
    })?;
    let (method, code) = fastest(own, made, (target, convention), &request.bounds)?;
    let word = format!("uint{word_bits}_t");
    let array = |text: Text| format!("{word} {}[{}]", text.name, 8 * text.bytes / word_bits as usize);
    let operands = own.operands().into_iter().map(|text| format!("const {}", array(text)));
    let arguments: Vec<String> = own.result().map(array).into_iter().chain(operands).collect();
    let returned = own.returns(word_bits);
    let parameters = own.parameters().into_iter().map(|(name, value)| (name, value.into())).collect();
    Ok(Whole {
        operation: own.operation(),
        bits: own.bits(),
        is_sized: false,
        method,
        parameters,
        target,
        convention,
        syntax,
        prototype: format!("{returned} {name}({})", arguments.join(", ")),
        rules: own.rules(order(word_bits)),
        name,
        code,
        constant_time: request.constant_time,
        bounds: request.bounds,
        proof: !request.no_proof,
        output: request.output.clone(),
    })
}

/// How bytes stand in words.
fn order(word_bits: u32) -> String {
    match word_bits {
        8 => "of bytes".to_owned(),
        _ => format!("of bytes in words of {word_bits} bits, whose lowest byte comes first in memory"),
    }
}

/// Of what a core has room for, or the bounds allow, a product may take this part, where not all fits.
pub(crate) const PRODUCTS: usize = 6;

/// The programs of methods that a core has room for, each with its method; within bounds, those by the smallest routines, too, and where
/// nothing else is made of a method, or within bounds, those by smaller products, where there are such.
fn codes(
    own: &dyn Scheme,
    methods: &[&'static str],
    target: &'static dyn Target,
    (convention, bounds): (&str, &Bounds),
) -> Result<Vec<(&'static str, Code)>, LowerFault> {
    let word_bits = target.description().word_bits;
    let strings: usize = own.result().iter().chain(&own.operands()).map(|text| text.bytes).sum();
    let flash = usize::try_from(target.description().flash_bytes).unwrap_or(usize::MAX);
    let products = bounds.code.map_or(flash, |code| code.min(flash)) / PRODUCTS;
    let mut fastest = Maker::whole(target, convention);
    let (mut smaller, mut smallest) = (fastest.with_products_within(products), fastest.small());
    let mut all = Vec::new();
    for method in methods {
        let (before, mut fault) = (all.len(), None);
        let programs = own.programs(method, target.description());
        let mut make = |maker: &mut Maker<'_>| {
            for called in &programs {
                let numbers = called.words() * word_bits as usize / 8;
                let made = within_memory(target, strings + numbers + SAVED)
                    .and_then(|()| maker.routine(&Routine::Called(Box::new(called.clone()))));
                match made {
                    Ok(code) => all.push((*method, code)),
                    Err(error) => fault = Some(error),
                }
            }
            all.len() > before
        };
        let mut is_made = make(&mut fastest);
        if (!is_made || bounds.is_set()) && !fastest.has_products_within(products) {
            is_made = make(&mut smaller);
        }
        if !is_made || bounds.is_set() {
            is_made = make(&mut smallest);
        }
        if !is_made {
            return Err(
                fault.unwrap_or_else(|| LowerFault::Unmade("it is not made of such words".to_owned()))
            );
        }
    }
    Ok(all)
}

/// The first of those within bounds that take the fewest cycles.
fn fastest(
    own: &dyn Scheme,
    mut made: Vec<(&'static str, Code)>,
    (target, convention): (&'static dyn Target, &str),
    bounds: &Bounds,
) -> Result<(&'static str, Code), Error> {
    if made.len() == 1 && !bounds.is_set() {
        return made.pop().ok_or_else(|| own_fault("there is no method".to_owned()));
    }
    let word_bits = target.description().word_bits;
    let mut best: Option<(u64, (&'static str, Code))> = None;
    let mut least: Option<(usize, u32)> = None;
    for one in made {
        let subject = target.subject_within(&one.1, convention, whole::MOST_STEPS).map_err(own_fault)?;
        // what is wrong with a call is told when the program was chosen
        let found = call(own, &*subject, word_bits, 0).ok();
        let (cycles, stack) = found.map_or((u64::MAX, 0), |own| (own.function.max, own.stack_bytes));
        let code = target.code_bytes(&one.1);
        if !bounds.allow(code, stack as usize) {
            let known = least.unwrap_or((code, stack));
            least = Some((known.0.min(code), known.1.min(stack)));
        } else if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
            best = Some((cycles, one));
        }
    }
    best.map(|(_, one)| one).ok_or_else(|| match least {
        Some((code, stack)) => {
            let fault =
                format!("no program keeps --max-code and --max-stack; valid: {code} and {stack} or more");
            Error::request(fault, "another core, or curve, may take less")
        }
        None => own_fault("there is no method".to_owned()),
    })
}

fn words(bytes: &[u8], word_bits: u32) -> Vec<u64> {
    let word = |own: &[u8]| own.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    bytes.chunks(word_bits as usize / 8).map(word).collect()
}

/// What the result has before a call.
fn before(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|at| (53 + 7 * at) as u8).collect()
}

/// The buffers of a call; operands without content are secret.
fn buffers(own: &dyn Scheme, operands: Option<&[Vec<u8>]>, word_bits: u32) -> Vec<Given> {
    let length = |text: Text| 8 * text.bytes / word_bits as usize;
    let result = own.result().map(|text| Given {
        name: text.name,
        words: length(text),
        content: Some(words(&before(text.bytes), word_bits)),
        writable: true,
        secret: 0..0,
    });
    let operand = |(at, text): (usize, Text)| Given {
        name: text.name,
        words: length(text),
        content: operands.and_then(|own| own.get(at)).map(|own| words(own, word_bits)),
        writable: false,
        secret: 0..length(text),
    };
    result.into_iter().chain(own.operands().into_iter().enumerate().map(operand)).collect()
}

/// One call; what is wrong with it, or what it took.
fn call(own: &dyn Scheme, subject: &dyn Subject, word_bits: u32, number: u64) -> Result<Evidence, String> {
    let Example { operands, result, returned } = own.example(number);
    let called = subject.call(&buffers(own, Some(&operands), word_bits), number as u32);
    let called = called.map_err(|stopped| stopped.to_string())?;
    if let Some(breach) = called.breaches.first() {
        return Err(breach.clone());
    }
    let before = || own.result().map_or_else(Vec::new, |text| before(text.bytes));
    let wanted = result.unwrap_or_else(before);
    if called.result != words(&wanted, word_bits) || (returned.is_some() && called.returned != returned) {
        let (words, status) = (called.result, called.returned);
        return Err(format!("{words:x?} and {status:?} for {operands:x?}"));
    }
    Ok(Evidence::of_call(&called))
}

fn found(own: &dyn Scheme, plan: &Whole, request: &Request, prove: bool) -> Result<Found, Error> {
    let facts = plan.target.read(&plan.code).map_err(own_fault)?;
    let subject = plan.subject()?;
    let word_bits = plan.target.description().word_bits;
    request.work.tell("simulating");
    let simulated = whole::simulated(CALLS, |number| call(own, &*subject, word_bits, number));
    let mut evidence = simulated.map_err(own_fault)?;
    if let Some(other) = plan.target.paired() {
        let own = call(own, &*plan.subject_on(other)?, word_bits, 0);
        evidence.paired = own.ok().map(|own| [own.function, own.body]);
    }
    // a run with both of them secret
    let known = whole::timing(&*subject, &buffers(own, None, word_bits));
    let constant_time = known.unwrap_or(match evidence.function.min < evidence.function.max {
        true => ConstantTime::Leaks,
        false => ConstantTime::Unknown,
    });
    if plan.constant_time && !constant_time.is_same_for_operands() {
        let name = own.operation();
        let fault =
            format!("--constant-time: on {} the time of {name} depends on its operands", request.target);
        return Err(Error::request(fault, "leave --constant-time out, and the range of cycles is told"));
    }
    request.work.tell("proving");
    let (proof, certificate) = match prove {
        true => generate::composed(&*subject, own.proved_as().as_ref()),
        false => (Proof::NotRun, None),
    };
    let verdicts = Verdicts { constant_time, residue_bytes: None, proof, certificate };
    Ok(Found { evidence, verdicts, facts })
}
