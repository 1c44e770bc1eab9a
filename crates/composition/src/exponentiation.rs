//! Exponentiations modulo numbers that are arguments, and RSA by a private key: the machine code of a whole program against its
//! specification.

use crate::called::Keeps;
use crate::over_powers::{Below, Number, OverPowers, without_zeros};
use crate::powers::{Exponent, Power};
use crate::routines::executed;
use crate::unshown::Unshown;
use rhomb_anf::{Bit, NormalForms, Word};
use rhomb_certificate::{Checkable, Operation};

/// Products of bits that digits of an exponent and what picks by them may take.
const EFFORT: u64 = 1 << 32;

/// A number that is an argument, whose bits are inputs.
fn exponent(domain: &mut NormalForms, count: usize) -> (Vec<Word>, Vec<Bit>) {
    let words: Vec<Word> = (0..count).map(|_| domain.input()).collect();
    let bits = words.iter().flat_map(|word| domain.bits_of(word)).collect();
    (words, bits)
}

/// A base to the number with these bits.
fn power(base: usize, bits: &[Bit]) -> Result<Power, Unshown> {
    let exponent = Exponent::number(bits).ok_or_else(|| Unshown::other("of an exponent nothing is known"))?;
    Ok(Power::of(base, exponent))
}

/// That a number is known to be congruent to a power modulo one of the moduli, and below that.
fn is_below(number: Option<&Number>, modulus: usize, power: &Power) -> Result<(), Unshown> {
    let found = number.ok_or_else(|| Unshown::other("of the result nothing is known"))?;
    if (found.below, found.modulus) != (Below::Modulus, Some(modulus)) {
        return Err(Unshown::other("it is not shown that the result is below the modulus"));
    }
    found.power.is(power).then_some(()).ok_or_else(|| Unshown::other("the result is not that power"))
}

/// See [`Program::Exponentiation`](crate::Program): of numbers of so many words, by an argument or a known exponent.
pub(crate) fn follow_exponentiation(
    routine: &dyn Checkable,
    (count, known): (usize, Option<u64>),
    keeps: &mut dyn Keeps,
) -> Result<(), Unshown> {
    let mut domain = NormalForms::new(routine.word_bits(), EFFORT);
    let (argument, bits) = match known {
        Some(number) => (None, (0..u64::BITS).map(|place| Bit::Known(number >> place & 1 == 1)).collect()),
        None => {
            let (words, bits) = exponent(&mut domain, count);
            (Some(("e", Some(words))), bits)
        }
    };
    let mut program = OverPowers::new(routine, count, keeps);
    let modulus = program.modulus(&mut domain);
    let base = program.any(&mut domain, count);
    let specified = power(program.base(&base), &bits)?;
    let length = count as u32;
    let buffers = [("r", None), ("b", Some(base))].into_iter().chain(argument).chain([("n", Some(modulus))]);
    let buffers = buffers.map(|(name, content)| (name, length, content)).collect();
    let finished = executed(routine, domain, buffers, &mut program)?;
    let result: Option<Vec<Word>> = finished.buffers[0].iter().cloned().collect();
    is_below(result.as_deref().and_then(|words| program.number(words)), 0, &specified)?;
    Ok(())
}

/// See [`Program::PrivateRsa`](crate::Program): p, q, dp, dq and qinv have so many words each, r and c twice as many.
pub(crate) fn follow_private_rsa(
    routine: &dyn Checkable,
    count: usize,
    keeps: &mut dyn Keeps,
) -> Result<(), Unshown> {
    const P: usize = 0;
    const Q: usize = 1;
    let mut domain = NormalForms::new(routine.word_bits(), EFFORT);
    let mut program = OverPowers::new(routine, count, keeps);
    let [p, q] = [(); 2].map(|()| program.modulus(&mut domain));
    // a factor, too
    program.note_base(&q);
    let [(dp, p_bits), (dq, q_bits)] = [(); 2].map(|()| exponent(&mut domain, count));
    let inverse = program.any(&mut domain, count);
    let c = program.any(&mut domain, 2 * count);
    let [base, by_inverse] = [&c, &inverse].map(|words| program.base(words));
    let [by_p, by_q] = [&p_bits, &q_bits].map(|bits| power(base, bits));
    let (by_p, by_q) = (by_p?, by_q?);
    let key = [p, q.clone(), dp, dq, inverse].concat();
    let length = count as u32;
    let buffers =
        vec![("r", 2 * length, None), ("c", 2 * length, Some(c)), ("key", key.len() as u32, Some(key))];
    let finished = executed(routine, domain, buffers, &mut program)?;
    let result: Option<Vec<Word>> = finished.buffers[0].iter().cloned().collect();
    let result = result.ok_or_else(|| Unshown::other("a word of the result is not written"))?;
    let unknown = || Unshown::other("the result is not known to be a sum of a product with q");
    // below p q, so that no carry is lost
    let [product, m2] = program.made_of(&result, Operation::Add).cloned().ok_or_else(unknown)?;
    let m2 = without_zeros(&m2);
    let [h, factor] = program.made_of(&product, Operation::Mul).ok_or_else(unknown)?;
    if *factor != q {
        return Err(unknown());
    }
    is_below(program.number(m2), Q, &by_q)?;
    let h = program.number(h).cloned();
    let m2 = m2.to_vec();
    let second = Power::of_base(program.base(&m2));
    let is_garner = |base: usize| {
        let Some([m1, own]) = program.between(base) else { return false };
        let product = Power::of_base(base).times(&Power::of_base(by_inverse));
        is_below(program.number(m1), P, &by_p).is_ok()
            && is_below(program.number(own), P, &second).is_ok()
            && product.is_some_and(|own| is_below(h.as_ref(), P, &own).is_ok())
    };
    if !program.differences().any(is_garner) {
        return Err(Unshown::other("the result is not that of the Chinese remainder theorem"));
    }
    Ok(())
}
