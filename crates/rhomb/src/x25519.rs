//! X25519 as a whole program: from a scalar and a u-coordinate to the shared secret.

use crate::error::Error;
use crate::evidence::Evidence;
use crate::generate::{Kernel, Measurement, own_fault};
use crate::modular::within_memory;
use crate::programs::Maker;
use crate::request::Request;
use crate::subject::{Given, Subject};
use crate::targets::{self, Code, LowerFault, Target};
use crate::verdict::{ConstantTime, Proof, Verdicts};
use crate::whole::{self, Calls, Found, Whole};
use rhomb_field::program::{Routine, x25519};
use rhomb_field::specification::x25519_of_bytes;
use rhomb_machine::Random;

/// On the command line.
pub(crate) const NAME: &str = "x25519";
/// What it is, after a size.
pub(crate) const NOUN: &str = "Diffie-Hellman function X25519";
/// One line for people.
pub(crate) const SUMMARY: &str =
    "r = X25519(k, u): the shared secret of a scalar and a u-coordinate, RFC 7748";
/// How it is computed.
const METHOD: &str = "montgomery-ladder";

/// Bytes of the strings.
const BYTES: usize = 32;
/// Bytes of stack that routines save.
const SAVED: usize = 80;

/// Calls that are made.
const CALLS: Calls = Calls { budget: 30_000_000, fewest: 2, most: 40 };

pub(crate) fn generate(request: &Request) -> Result<Kernel, Error> {
    let whole = plan(request)?;
    let found = found(&whole, request, whole.proof)?;
    whole.kernel(found)
}

pub(crate) fn measure(request: &Request) -> Result<Measurement, Error> {
    let whole = plan(request)?;
    let found = found(&whole, request, false)?;
    Ok(whole.measurement(found))
}

/// Refuses what the program does not have.
fn check_options(request: &Request) -> Result<(), Error> {
    let sizes = [
        ("bits", request.bits != 0),
        ("modulus", request.modulus.is_some()),
        ("polynomial", request.polynomial.is_some()),
    ];
    let sizes = sizes.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name);
    if let Some(name) = sizes.chain(whole::options(request)).next() {
        let fault = format!(
            "{NAME} has no --{name}; valid: --target, --constant-time, --no-proof, --convention, --syntax, --name"
        );
        return Err(Error::request(fault, format_args!("leave --{name} out")));
    }
    match request.method.as_deref().filter(|own| ![METHOD, "best"].contains(own)) {
        None => Ok(()),
        Some(own) => Err(Error::unknown("method", own, &[METHOD], "leave --method out")),
    }
}

fn plan(request: &Request) -> Result<Whole, Error> {
    let target = targets::wanted(&request.target, request.constant_time)?;
    check_options(request)?;
    let (convention, syntax, name) = whole::called(request, target, NAME)?;
    request.work.tell("lowering");
    let code = code(target, convention).map_err(|fault| {
        let fault = crate::lines::text(fault);
        Error::request(
            format_args!("{NAME} on {}: {fault}", target.name()),
            "another core (`rhomb list targets`)",
        )
    })?;
    let word_bits = target.description().word_bits;
    let words = 8 * BYTES / word_bits as usize;
    let word = format!("uint{word_bits}_t");
    Ok(Whole {
        operation: NAME,
        bits: 8 * BYTES,
        is_sized: false,
        method: METHOD,
        parameters: Vec::new(),
        target,
        convention,
        syntax,
        prototype: format!(
            "void {name}({word} r[{words}], const {word} k[{words}], const {word} u[{words}])"
        ),
        rules: rules(words, word_bits),
        name,
        code,
        constant_time: request.constant_time,
        proof: !request.no_proof,
        output: request.output.clone(),
    })
}

/// What it computes and asks for, one sentence a line.
fn rules(words: usize, word_bits: u32) -> Vec<String> {
    vec![
        "r = X25519(k, u): RFC 7748, section 5. Any k and u are taken: bits of k are cleared and set and the"
            .to_owned(),
        "highest bit of u is masked as it says there; r is below 2^255 - 19.".to_owned(),
        "r is 0 where u is of low order: who needs a secret from both sides compares it with 0.".to_owned(),
        format!(
            "Each has {words} words of {word_bits} bits, the least significant word first: where words lie in memory"
        ),
        "with their lowest byte first, these are the 32 bytes of RFC 7748.".to_owned(),
        "r must not overlap k or u.".to_owned(),
        "Secrets stay on the stack after the return: it is not wiped.".to_owned(),
    ]
}

fn code(target: &'static dyn Target, convention: &str) -> Result<Code, LowerFault> {
    let unmade = || LowerFault::Unmade("it is not made of such words".to_owned());
    let called = x25519(target.description().word_bits).ok_or_else(unmade)?;
    let numbers = called.words() * target.description().word_bits as usize / 8;
    within_memory(target, 3 * BYTES + numbers + SAVED)?;
    Maker::new(target, convention).routine(&Routine::Called(Box::new(called)))
}

/// Scalar and u of a call: of the first ones any, and what reaches the ends of the field.
fn strings(call: u64) -> [[u8; BYTES]; 2] {
    let mut random = Random::new(call);
    let mut any = || [(); BYTES].map(|()| random.byte());
    let (mut k, mut u) = (any(), any());
    let small = |number: u8| std::array::from_fn(|at| if at == 0 { number } else { 0 });
    // 2^255 - 19, and so many more
    let near = |more: i16| {
        let low = 0xed + more;
        std::array::from_fn(|at| match at {
            0 => low as u8,
            31 => 0x7f,
            _ => 0xff,
        })
    };
    match call {
        1 => (k, u) = ([0xff; BYTES], [0xff; BYTES]),
        2 => (k, u) = ([0; BYTES], near(-1)),
        3 => u = near(0),
        4 => u = near(1),
        5 => u = small(0),
        6 => u = small(1),
        7 => u = small(9),
        8 => u = near(0x12),
        9 => k = small(1),
        _ => {}
    }
    [k, u]
}

fn words(bytes: &[u8], word_bits: u32) -> Vec<u64> {
    let word = |own: &[u8]| own.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    bytes.chunks(word_bits as usize / 8).map(word).collect()
}

/// The buffers of a call; operands without content are secret.
fn buffers(strings: Option<[[u8; BYTES]; 2]>, word_bits: u32) -> [Given; 3] {
    let length = 8 * BYTES / word_bits as usize;
    let [k, u] = strings.map_or([None, None], |own| own.map(|own| Some(words(&own, word_bits))));
    let given = |name, content, writable: bool| Given {
        name,
        words: length,
        content,
        writable,
        secret: if writable { 0..0 } else { 0..length },
    };
    [given("r", None, true), given("k", k, false), given("u", u, false)]
}

/// One call; what is wrong with it, or what it took.
fn call(subject: &dyn Subject, word_bits: u32, number: u64) -> Result<Evidence, String> {
    let strings = strings(number);
    let called = subject.call(&buffers(Some(strings), word_bits), number as u32);
    let called = called.map_err(|stopped| stopped.to_string())?;
    if let Some(breach) = called.breaches.first() {
        return Err(breach.clone());
    }
    if called.result != words(&x25519_of_bytes(&strings[0], &strings[1]), word_bits) {
        return Err(format!("wrong result for the scalar {:x?} and u {:x?}", strings[0], strings[1]));
    }
    Ok(Evidence::of_call(&called))
}

fn found(plan: &Whole, request: &Request, prove: bool) -> Result<Found, Error> {
    let facts = plan.target.read(&plan.code).map_err(own_fault)?;
    let subject = plan.subject()?;
    let word_bits = plan.target.description().word_bits;
    request.work.tell("simulating");
    let simulated = whole::simulated(CALLS, |number| call(&*subject, word_bits, number));
    let mut evidence = simulated.map_err(own_fault)?;
    if let Some(other) = plan.target.paired() {
        let own = call(&*plan.subject_on(other)?, word_bits, 0);
        evidence.paired = own.ok().map(|own| [own.function, own.body]);
    }
    // a run with both of them secret
    let known = whole::timing(&*subject, &buffers(None, word_bits));
    let constant_time = known.unwrap_or(match evidence.function.min < evidence.function.max {
        true => ConstantTime::Leaks,
        false => ConstantTime::Unknown,
    });
    if plan.constant_time && !constant_time.is_same_for_operands() {
        let fault =
            format!("--constant-time: on {} the time of {NAME} depends on its operands", request.target);
        return Err(Error::request(fault, "leave --constant-time out, and the range of cycles is told"));
    }
    request.work.tell("proving");
    let proof = match prove.then(|| subject.is_x25519()) {
        None => Proof::NotRun,
        Some(Ok(())) => Proof::Proved,
        Some(Err(_)) => Proof::Unknown,
    };
    let verdicts = Verdicts { constant_time, residue_bytes: None, proof, certificate: None };
    Ok(Found { evidence, verdicts, facts })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_of_cortex_m4_are_not_proved() {
        mutants_are_not_proved("cortex-m4");
    }

    #[test]
    fn mutants_of_atmega328p_are_not_proved() {
        mutants_are_not_proved("atmega328p");
    }

    /// A bit of the machine code is flipped, and what no longer computes X25519 is not proved.
    fn mutants_are_not_proved(name: &str) {
        let count = rhomb_oracles::sample(20, 200) as u64;
        let target = targets::find(name).unwrap();
        let convention = target.description().conventions()[0].name;
        let (code, bits) = (code(target, convention).unwrap(), target.description().word_bits);
        let of = |code: &Code| target.subject_within(code, convention, 1 << 26).ok();
        assert_eq!(of(&code).map(|own| own.is_x25519()), Some(Ok(())));
        let mut random = Random::new(bits.into());
        let (mut proved, mut same) = (0, 0);
        for number in 0..count {
            let mut mutant = code.clone();
            // the program stands before its routines
            let length = if number % 2 == 0 { mutant.bytes.len() } else { 600 };
            let bit = random.bits() as usize % (8 * length);
            mutant.bytes[bit / 8] ^= 1 << (bit % 8);
            let Some(subject) = of(&mutant) else { continue };
            if subject.is_x25519().is_ok() {
                proved += 1;
                same += u32::from((0..4).all(|number| call(&*subject, bits, number).is_ok()));
            }
        }
        println!("{name}: {count} mutants, {proved} proved, {same} of them right");
        assert_eq!(proved, same, "{name}");
    }
}
