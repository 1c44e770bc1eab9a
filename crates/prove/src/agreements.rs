//! Key agreements: the machine code of a whole program against its specification.

use crate::over_terms::OverTerms;
use crate::unproved::Unproved;
use num_bigint::BigUint;
use rhomb_anf::{Bit, NormalForms, Word};
use rhomb_certificate::Certificate;
use rhomb_field::curve::{Base, Curve};
use rhomb_field::specification::{ecdh, p25519, x25519};
use rhomb_machine::{Domain, Routine};

/// Products of bits that the digits of a scalar and the small routines on them may take.
const EFFORT: u64 = 1 << 32;

fn wrong(what: &str) -> Unproved {
    Unproved::Composition(what.to_owned())
}

/// The bytes of words in the other order.
fn reversed(domain: &mut NormalForms, words: &[Word]) -> Vec<Word> {
    let turned = |domain: &mut NormalForms, word: &Word| {
        let bits = domain.bits_of(word);
        Word::from(bits.chunks(8).rev().flatten().cloned().collect::<Vec<Bit>>())
    };
    words.iter().rev().map(|word| turned(domain, word)).collect()
}

/// Proves that a routine is X25519 (RFC 7748, section 5): r, a scalar and u are words of strings of 32 bytes, and r lies apart.
/// Gives the certificates of the routines that it calls; the execution here is trusted, as that of the checker is, and the
/// specification is [`x25519`].
///
/// # Errors
/// Where it calls others than proved routines for what depends on the field, or computes something else.
pub fn prove_x25519<R: Routine>(routine: &R, effort: u64) -> Result<Vec<Certificate>, Unproved> {
    let bits = routine.word_bits();
    let count = 256 / bits as usize;
    let mut domain = NormalForms::new(bits, EFFORT);
    let [scalar, u] = [(); 2].map(|()| (0..count).map(|_| domain.input()).collect::<Vec<Word>>());
    let mut masked = u.clone();
    let most = domain.word(u64::MAX >> (64 - bits) >> 1);
    if let Some(top) = masked.last_mut() {
        *top = domain.and(top, &most);
    }
    let bits_of: Vec<Bit> = scalar.iter().flat_map(|word| domain.bits_of(word)).collect();
    let names = ["modmul", "modsqr", "modadd", "modsub"].map(|name| format!("{name} 2^255-19"));
    let others = ["modreduce 2^255-19 r<p", "modmul 2^255-19 b=121665", "sub 256"].map(str::to_owned);
    let mut program = OverTerms::new(routine, effort, &p25519(), &[&names[..], &others].concat());
    let own = program.input(masked, 0);
    let length = count as u32;
    let buffers = [("r", length, None), ("k", length, Some(scalar)), ("u", length, Some(u))];
    let finished = program.executed(domain, buffers)?;
    let bits_of: [Bit; 256] = bits_of.try_into().map_err(|_| wrong("words do not fill the scalar"))?;
    let specified = x25519(&mut program.terms, &bits_of, &own);
    let result: Option<Vec<Word>> = finished.buffers[0].iter().cloned().collect();
    let found = result.and_then(|words| program.number(&finished.domain, &words));
    match found {
        None => Err(wrong("of the result nothing is known")),
        Some(found) if !program.is_canonical(&found) => {
            Err(wrong("it is not shown that the result is below the modulus"))
        }
        Some(found) if found.term != specified => Err(wrong("the result is not that of the specification")),
        Some(_) => Ok(program.certificates()),
    }
}

/// Proves that a routine is Diffie-Hellman on a curve of a prime order over GF(p) (SEC 1, section 3.3.1), as [`ecdh`] specifies it: r, k and
/// a point are words of strings of bytes, the highest first, and r lies apart. It returns 1 where the key is wrong and 2 more where the point is,
/// and then r keeps its words. What is given, what is trusted and the errors are as in [`prove_x25519`].
///
/// # Errors
/// As there.
pub fn prove_ecdh<R: Routine>(routine: &R, curve: &Curve, effort: u64) -> Result<Vec<Certificate>, Unproved> {
    let Base::Prime(field) = &curve.base else { return Err(wrong("a curve over another field")) };
    let p = field.modulus();
    let bits = routine.word_bits();
    let count = p.bits().div_ceil(bits.into()) as usize;
    let size = u64::from(bits) * count as u64;
    if !bits.is_multiple_of(8) || [p, &curve.order].iter().any(|number: &&BigUint| number.bits() != size) {
        return Err(wrong("numbers that do not fill their words"));
    }
    let mut domain = NormalForms::new(bits, EFFORT);
    let mut words = |numbers: usize| (0..numbers * count).map(|_| domain.input()).collect::<Vec<Word>>();
    let (before, key, point) = (words(1), words(1), words(2));
    let names = ["montmul", "montsqr", "modmul", "modsqr", "modadd", "modsub", "modhalf"];
    let mut contracts = names.map(|name| format!("{name} {p:#x}")).to_vec();
    contracts.extend([format!("sub {size}"), format!("cond-sub {p:#x} r<p")]);
    let mut program = OverTerms::new(routine, effort, p, &contracts);
    let k = reversed(&mut domain, &key);
    let [x, y] = [&point[..count], &point[count..]].map(|words| reversed(&mut domain, words));
    for (number, words) in [&x, &y].into_iter().enumerate() {
        program.input(words.clone(), number);
    }
    let length = count as u32;
    let buffers =
        [("r", length, Some(before.clone())), ("k", length, Some(key)), ("point", 2 * length, Some(point))];
    let mut finished = program.executed(domain, buffers)?;
    let agreed =
        ecdh(&mut program, curve, &k, [&x, &y]).ok_or_else(|| wrong("a curve without a doubling"))?;
    let mut status = vec![Bit::Known(false); bits as usize];
    (status[0], status[1]) = (agreed.wrong_key.clone(), agreed.wrong_point.clone());
    let returned = finished.returned.as_ref().map(|word| finished.domain.bits_of(word));
    if returned != Some(status) || [&agreed.wrong_key, &agreed.wrong_point].into_iter().any(is_open) {
        return Err(wrong("what is returned is not that of the specification"));
    }
    let fault = {
        use rhomb_field::specification::Algebra;
        program.either(&agreed.wrong_key, &agreed.wrong_point)
    };
    let result: Option<Vec<Word>> = finished.buffers[0].iter().cloned().collect();
    let (bit, written, kept) = result
        .and_then(|words| program.sides(&words))
        .ok_or_else(|| wrong("of the result nothing is known"))?;
    if bit != fault || kept != before {
        return Err(wrong("the result does not stay where something is wrong"));
    }
    let written = reversed(&mut finished.domain, &written);
    match program.number(&finished.domain, &written) {
        None => Err(wrong("of the result nothing is known")),
        Some(found) if !program.is_canonical(&found) => {
            Err(wrong("it is not shown that the result is below the modulus"))
        }
        Some(found) if found.term != agreed.x => Err(wrong("the result is not that of the specification")),
        Some(_) => Ok(program.certificates()),
    }
}

/// Whether a bit is none that a program can find out.
fn is_open(bit: &Bit) -> bool {
    !matches!(bit, Bit::Known(_) | Bit::Form(_))
}
