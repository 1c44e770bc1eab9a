//! Key agreements as whole programs: from a secret number and what the other side sent to the shared secret, all of them
//! strings of bytes.

mod ecdh;
mod x25519;

use crate::error::Error;
use crate::evidence::Evidence;
use crate::generate::{Kernel, Measurement, own_fault};
use crate::modular::within_memory;
use crate::programs::Maker;
use crate::request::Request;
use crate::subject::{Given, Subject};
use crate::targets::{self, Code, Description, LowerFault, Target};
use crate::verdict::{ConstantTime, Proof, Verdicts};
use crate::whole::{self, Calls, Found, Whole};
use rhomb_field::program::{Called, Routine};

/// The curves that a request may name.
pub use ecdh::curves;

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
    operands: [Vec<u8>; 2],
    /// Nothing where the result keeps what it had.
    result: Option<Vec<u8>>,
    returned: Option<u64>,
}

/// What differs from one key agreement to the next.
trait Agreement {
    /// On the command line.
    fn operation(&self) -> &'static str;
    /// What a routine is called where nobody says.
    fn base(&self) -> String;
    /// The parameters that say which one it is.
    fn parameters(&self) -> Vec<(&'static str, &'static str)>;
    /// How it may be computed.
    fn methods(&self) -> &'static [&'static str];
    /// Bits of its numbers.
    fn bits(&self) -> usize;
    /// The result and the operands.
    fn texts(&self) -> [Text; 3];
    /// What it computes and asks for, one sentence a line; `order` says how the bytes of a number stand in words.
    fn rules(&self, order: String) -> Vec<String>;
    /// The type of what is returned, for words of so many bits.
    fn returns(&self, word_bits: u32) -> String;
    /// The program of a method for a core.
    fn program(&self, method: &str, core: &Description) -> Option<Called>;
    /// A call by its number: any strings, then what reaches the ends.
    fn example(&self, number: u64) -> Example;
    /// Whether its machine code is proved.
    fn is_proved(&self, subject: &dyn Subject) -> bool;
}

/// The operations, each with what it is after a size and a line for people.
pub(crate) const ALL: [(&str, &str, &str); 2] =
    [(x25519::NAME, x25519::NOUN, x25519::SUMMARY), (ecdh::NAME, ecdh::NOUN, ecdh::SUMMARY)];

/// Whether a request asks for a key agreement.
pub(crate) fn is_one(request: &Request) -> bool {
    ALL.iter().any(|(name, ..)| *name == request.operation)
}

/// Whether an operation is that of a curve that is named beside it.
pub(crate) fn has_curve(operation: &str) -> bool {
    operation == ecdh::NAME
}

fn of(request: &Request) -> Result<Box<dyn Agreement>, Error> {
    match has_curve(&request.operation) {
        true => Ok(Box::new(ecdh::Ecdh::of(request)?)),
        false => Ok(Box::new(x25519::X25519)),
    }
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

/// Refuses what the program does not have.
fn check_options(own: &dyn Agreement, request: &Request) -> Result<(), Error> {
    let name = own.operation();
    let has_curve = own.parameters().iter().any(|(name, _)| *name == "curve");
    let given = [
        ("bits", request.bits != 0),
        ("modulus", request.modulus.is_some()),
        ("polynomial", request.polynomial.is_some()),
    ];
    let given = given.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name);
    let others = whole::options(request).into_iter().filter(|name| *name != "curve" || !has_curve);
    if let Some(option) = given.chain(others).next() {
        let curve = if has_curve { "--curve, " } else { "" };
        let fault = format!(
            "{name} has no --{option}; valid: --target, {curve}--method, --constant-time, --no-proof, --convention, --syntax, --name"
        );
        return Err(Error::request(fault, format_args!("leave --{option} out")));
    }
    Ok(())
}

/// The methods that are tried.
fn methods(own: &dyn Agreement, request: &Request) -> Result<Vec<&'static str>, Error> {
    let all = own.methods();
    let Some(given) = request.method.as_deref().filter(|given| *given != "best") else {
        return Ok(all.to_vec());
    };
    match all.iter().find(|name| **name == given) {
        Some(name) => Ok(vec![name]),
        None => Err(Error::unknown("method", given, all, "leave --method out")),
    }
}

fn plan(own: &dyn Agreement, request: &Request) -> Result<Whole, Error> {
    let target = targets::wanted(&request.target, request.constant_time)?;
    check_options(own, request)?;
    let methods = methods(own, request)?;
    let (convention, syntax, name) = whole::called(request, target, &own.base())?;
    request.work.tell("lowering");
    let word_bits = target.description().word_bits;
    let made: Result<Vec<_>, _> =
        methods.into_iter().map(|method| Ok((method, code(own, method, target, convention)?))).collect();
    let made = made.map_err(|fault| {
        let fault = format!("{} on {}: {}", own.operation(), target.name(), crate::lines::text(fault));
        Error::request(fault, "another core (`rhomb list targets`)")
    })?;
    // the first of the fastest
    let cycles = |code: &Code| {
        let subject = target.subject_within(code, convention, whole::MOST_STEPS).ok()?;
        Some(call(own, &*subject, word_bits, 0).ok()?.function.max)
    };
    let chosen = match made.len() {
        1 => made.into_iter().next(),
        _ => made.into_iter().min_by_key(|(_, code)| cycles(code).unwrap_or(u64::MAX)),
    };
    let (method, code) = chosen.ok_or_else(|| own_fault("there is no method".to_owned()))?;
    let word = format!("uint{word_bits}_t");
    let [result, first, second] = own.texts().map(|text| {
        let length = 8 * text.bytes / word_bits as usize;
        format!("{word} {}[{length}]", text.name)
    });
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
        prototype: format!("{returned} {name}({result}, const {first}, const {second})"),
        rules: own.rules(order(word_bits)),
        name,
        code,
        constant_time: request.constant_time,
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

fn code(
    own: &dyn Agreement,
    method: &str,
    target: &'static dyn Target,
    convention: &str,
) -> Result<Code, LowerFault> {
    let word_bits = target.description().word_bits;
    let unmade = || LowerFault::Unmade("it is not made of such words".to_owned());
    let called = own.program(method, target.description()).ok_or_else(unmade)?;
    let numbers = called.words() * word_bits as usize / 8;
    let strings: usize = own.texts().iter().map(|text| text.bytes).sum();
    within_memory(target, strings + numbers + SAVED)?;
    Maker::new(target, convention).routine(&Routine::Called(Box::new(called)))
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
fn buffers(own: &dyn Agreement, operands: Option<&[Vec<u8>; 2]>, word_bits: u32) -> [Given; 3] {
    let texts = own.texts();
    let given = |at: usize, content: Option<Vec<u64>>| {
        let length = 8 * texts[at].bytes / word_bits as usize;
        let (name, writable) = (texts[at].name, at == 0);
        Given { name, words: length, content, writable, secret: if writable { 0..0 } else { 0..length } }
    };
    let operand = |at: usize| operands.map(|own| words(&own[at], word_bits));
    [given(0, Some(words(&before(texts[0].bytes), word_bits))), given(1, operand(0)), given(2, operand(1))]
}

/// One call; what is wrong with it, or what it took.
fn call(own: &dyn Agreement, subject: &dyn Subject, word_bits: u32, number: u64) -> Result<Evidence, String> {
    let Example { operands, result, returned } = own.example(number);
    let called = subject.call(&buffers(own, Some(&operands), word_bits), number as u32);
    let called = called.map_err(|stopped| stopped.to_string())?;
    if let Some(breach) = called.breaches.first() {
        return Err(breach.clone());
    }
    let wanted = result.unwrap_or_else(|| before(own.texts()[0].bytes));
    if called.result != words(&wanted, word_bits) || (returned.is_some() && called.returned != returned) {
        let [first, second] = operands;
        let (words, status) = (called.result, called.returned);
        return Err(format!("{words:x?} and {status:?} for {first:x?} and {second:x?}"));
    }
    Ok(Evidence::of_call(&called))
}

fn found(own: &dyn Agreement, plan: &Whole, request: &Request, prove: bool) -> Result<Found, Error> {
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
    let proof = match prove.then(|| own.is_proved(&*subject)) {
        None => Proof::NotRun,
        Some(true) => Proof::Proved,
        Some(false) => Proof::Unknown,
    };
    let verdicts = Verdicts { constant_time, residue_bytes: None, proof, certificate: None };
    Ok(Found { evidence, verdicts, facts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rhomb_line::{Array, Line};
    use rhomb_machine::{Concrete, Limb, Random};

    /// The small routines of ECDH, each against the line that it is made of, on any words.
    #[test]
    fn lines_are_what_they_say() {
        for name in ["atmega328p", "cortex-m0plus", "cortex-m4", "rv32im", "mips32-ise"] {
            let target = targets::find(name).unwrap();
            let (bits, convention) =
                (target.description().word_bits, target.description().conventions()[0].name);
            let request =
                Request { operation: "ecdh".into(), curve: Some("p256".into()), ..Request::default() };
            let called = of(&request).unwrap().program("fixed-window", target.description()).unwrap();
            let mut maker = Maker::new(target, convention);
            let mut random = Random::new(bits.into());
            for routine in &called.routines {
                let Routine::Lines(lines) = routine else { continue };
                let code =
                    maker.routine(routine).unwrap_or_else(|fault| panic!("{name}: {fault:?} {lines:?}"));
                let lengths = [Array::Result, Array::A, Array::B].map(|array| lines[0].words(array).max(1));
                let ones = u64::MAX >> (64 - bits);
                let arrays =
                    lengths.map(|words| (0..words).map(|_| random.bits() & ones).collect::<Vec<u64>>());
                let wanted = match bits {
                    8 => line::<u8>(&lines[0], &arrays),
                    _ => line::<u32>(&lines[0], &arrays),
                };
                let names = ["r", "a", "b"];
                let given: [Given; 3] = std::array::from_fn(|at| Given {
                    name: names[at],
                    words: lengths[at],
                    content: Some(arrays[at].clone()),
                    writable: at == 0,
                    secret: 0..0,
                });
                let found = target.subject(&code, convention).unwrap().call(&given, 0).unwrap();
                assert_eq!((found.result, found.breaches), (wanted, Vec::new()), "{name}: {}", lines[0]);
            }
        }
    }

    fn line<W: Limb>(line: &Line, [r, a, b]: &[Vec<u64>; 3]) -> Vec<u64> {
        let own = |words: &[u64]| words.iter().map(|word| W::truncate(*word)).collect::<Vec<W>>();
        let mut arrays = [own(r), own(a), own(b), own(&vec![0; line.scratch_with_homes()])];
        rhomb_line::run(line, &mut Concrete::<W>::new(), &mut arrays);
        arrays[0].iter().map(|word| word.to_u64()).collect()
    }

    #[test]
    fn mutants_of_x25519_are_not_proved() {
        mutants_are_not_proved(&x25519::X25519, "cortex-m4", rhomb_oracles::sample(20, 200));
        mutants_are_not_proved(&x25519::X25519, "atmega328p", rhomb_oracles::sample(10, 200));
    }

    #[test]
    fn mutants_of_ecdh_are_not_proved() {
        let request = Request { operation: "ecdh".into(), curve: Some("p192".into()), ..Request::default() };
        let own = of(&request).unwrap();
        mutants_are_not_proved(&*own, "cortex-m4", rhomb_oracles::sample(20, 1000));
        mutants_are_not_proved(&*own, "rv32im", rhomb_oracles::sample(10, 1000));
    }

    /// A bit of the machine code is flipped, and what no longer computes the same is not proved.
    fn mutants_are_not_proved(own: &dyn Agreement, name: &str, count: usize) {
        let target = targets::find(name).unwrap();
        let convention = target.description().conventions()[0].name;
        let code = code(own, own.methods()[0], target, convention).unwrap();
        let bits = target.description().word_bits;
        let of = |code: &Code| target.subject_within(code, convention, 1 << 26).ok();
        assert_eq!(of(&code).map(|subject| own.is_proved(&*subject)), Some(true));
        let mut random = Random::new(bits.into());
        let (mut proved, mut same) = (0, 0);
        for number in 0..count as u64 {
            let mut mutant = code.clone();
            // the program stands before its routines
            let length = if number % 2 == 0 { mutant.bytes.len() } else { 600 };
            let bit = random.bits() as usize % (8 * length);
            mutant.bytes[bit / 8] ^= 1 << (bit % 8);
            let Some(subject) = of(&mutant) else { continue };
            if own.is_proved(&*subject) {
                proved += 1;
                same += u32::from((0..12).all(|number| call(own, &*subject, bits, number).is_ok()));
            }
        }
        println!("{name}: {count} mutants, {proved} proved, {same} of them right");
        assert_eq!(proved, same, "{name}");
    }
}
