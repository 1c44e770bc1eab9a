//! Key agreements and public points: the machine code of a whole program against its specification.

use crate::called::Keeps;
use crate::over_terms::OverTerms;
use crate::program::CurveProgram;
use crate::terms::{Term, Terms};
use crate::unshown::Unshown;
use num_bigint::BigUint;
use rhomb_anf::{Bit, NormalForms, Word};
use rhomb_certificate::Checkable;
use rhomb_field::curve::{Base, Curve};
use rhomb_field::prime::PrimeField;
use rhomb_field::program::{COMBS, Comb, multiples};
use rhomb_field::specification::{
    Algebra, Integers, abscissa, choosing_step, multiple, multiple_binary, public, published_step, signature,
    x25519,
};
use rhomb_machine::Domain;

/// Products of bits that the digits of a scalar and the small routines on them may take.
const EFFORT: u64 = 1 << 32;

/// The bytes of words in the other order.
fn reversed(domain: &mut NormalForms, words: &[Word]) -> Vec<Word> {
    let turned = |domain: &mut NormalForms, word: &Word| {
        let bits = domain.bits_of(word);
        Word::from(bits.chunks(8).rev().flatten().cloned().collect::<Vec<Bit>>())
    };
    words.iter().rev().map(|word| turned(domain, word)).collect()
}

/// See [`Program::X25519`](crate::Program). The specification is [`x25519`]: by steps of which one is shown to be the published one.
pub(crate) fn follow_x25519(routine: &dyn Checkable, keeps: &mut dyn Keeps) -> Result<(), Unshown> {
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
    let others = ["modreduce 2^255-19 r<p", "modadd 2^255-19 b*121665", "modaddsub 2^255-19", "sub 256"];
    let others = others.map(str::to_owned);
    let field = Base::Prime(PrimeField::p25519());
    let mut program = OverTerms::new(routine, keeps, &field, &[&names[..], &others].concat());
    let own = program.input(masked, 0);
    let length = count as u32;
    let buffers = vec![("r", length, None), ("k", length, Some(scalar)), ("u", length, Some(u))];
    let finished = program.executed(domain, buffers)?;
    let bits_of: [Bit; 256] =
        bits_of.try_into().map_err(|_| Unshown::other("words do not fill the scalar"))?;
    if !steps_agree() {
        return Err(Unshown::other("a step that is none of the specification's"));
    }
    let specified = x25519(&mut program.own.terms, &bits_of, &own, choosing_step);
    let result: Option<Vec<Word>> = finished.buffers[0].iter().cloned().collect();
    let found = result.and_then(|words| program.number(&finished.domain, &words));
    match found {
        None => Err(Unshown::other("of the result nothing is known")),
        Some(found) if !program.is_canonical(&found) => {
            Err(Unshown::other("it is not shown that the result is below the modulus"))
        }
        Some(found) if found.term != specified => {
            Err(Unshown::other("the result is not that of the specification"))
        }
        Some(_) => Ok(()),
    }
}

/// Whether the step that programs make is the published one, for both values of the bit and any elements.
fn steps_agree() -> bool {
    let mut terms = Terms::new(Base::Prime(PrimeField::p25519()));
    let [x_2, z_2, x_3, z_3, x_1] = [0, 1, 2, 3, 4].map(|number| terms.input(number));
    [false, true].into_iter().all(|swap| {
        let (swap, own) = (terms.bit(swap), [&x_2, &z_2, &x_3, &z_3].map(Term::clone));
        let published = published_step(&mut terms, &swap, own.clone(), &x_1);
        published == choosing_step(&mut terms, &swap, own, &x_1)
    })
}

/// What a program on a curve is to make.
struct Wanted {
    /// Faults, in the order of the bits of what is returned.
    faults: Vec<Bit>,
    /// The numbers of the result where there is no fault, by one way of computing them or another.
    numbers: Vec<Vec<Term>>,
    /// Whether they are numbers modulo the order.
    are_scalars: bool,
}

/// Which of the numbers of operands are elements, and which are numbers modulo the order.
#[derive(Clone, Copy, Default)]
struct Inputs {
    elements: &'static [usize],
    scalars: &'static [usize],
}

/// See [`Program::OnCurve`](crate::Program): over GF(2^m) k P is specified by [`multiple_binary`].
pub(crate) fn follow_on_curve(
    routine: &dyn Checkable,
    (what, curve): (CurveProgram, &Curve),
    keeps: &mut dyn Keeps,
) -> Result<(), Unshown> {
    let key_and_point = [("r", if what == CurveProgram::Ecdh { 1 } else { 2 }), ("k", 1), ("point", 2)];
    match what {
        CurveProgram::Public => {
            makes((routine, keeps), curve, &key_and_point[..2], Inputs::default(), |program, numbers| {
                let k = numbers.first()?;
                let by = |comb| public(program, (curve, comb), k);
                let all: Vec<_> = COMBS.into_iter().filter_map(by).collect();
                let faults = vec![all.first()?.wrong_key.clone()];
                let numbers = all.into_iter().map(|own| own.point.into()).collect();
                Some(Wanted { faults, numbers, are_scalars: false })
            })
        }
        CurveProgram::Sign => {
            let arguments = [("r", 2), ("hash", 1), ("key", 1), ("nonce", 1)];
            let inputs = Inputs { scalars: &[0, 1, 2], ..Inputs::default() };
            makes((routine, keeps), curve, &arguments, inputs, |program, numbers| {
                let [hash, key, nonce] = numbers else { return None };
                COMBS.into_iter().find_map(|comb| signed(program, (curve, comb), [hash, key, nonce]))
            })
        }
        CurveProgram::Ecdh | CurveProgram::Scalarmul => {
            let inputs = Inputs { elements: &[1, 2], ..Inputs::default() };
            makes((routine, keeps), curve, &key_and_point, inputs, |program, numbers| {
                let [k, x, y] = numbers else { return None };
                let own = match &curve.base {
                    Base::Prime(_) => multiple(program, curve, k, [x, y]),
                    Base::Binary(_) => multiple_binary(program, curve, k, [x, y]),
                }?;
                let length = if what == CurveProgram::Ecdh { 1 } else { 2 };
                let numbers = vec![own.point.into_iter().take(length).collect()];
                let faults = vec![own.wrong_key, own.wrong_point];
                Some(Wanted { faults, numbers, are_scalars: false })
            })
        }
    }
}

/// A signature, where the program has the abscissa that belongs to the nonce as a number below the prime.
fn signed(
    program: &mut OverTerms<'_>,
    by: (&Curve, Comb),
    [hash, key, nonce]: [&Vec<Word>; 3],
) -> Option<Wanted> {
    let n = &by.0.order;
    let x = abscissa(program, by, nonce)?;
    let x = program.canonical(&x)?;
    let [wrong_key, wrong_nonce] = [key, nonce].map(|own| {
        let is_key = program.is_key(own, n);
        program.not(&is_key)
    });
    program.in_other(|program| {
        let numbers = signature(program, n, [hash, key, nonce, &x]);
        let [r, s] = numbers.each_ref().map(|own| program.is_zero(own));
        let faults = vec![wrong_key, wrong_nonce, program.either(&r, &s)];
        Wanted { faults, numbers: vec![numbers.into()], are_scalars: true }
    })
}

/// That a routine makes what is wanted. Arguments are strings of so many numbers, first the result.
fn makes(
    (routine, keeps): (&dyn Checkable, &mut dyn Keeps),
    curve: &Curve,
    arguments: &[(&'static str, usize)],
    inputs: Inputs,
    specified: impl FnOnce(&mut OverTerms<'_>, &[Vec<Word>]) -> Option<Wanted>,
) -> Result<(), Unshown> {
    let bits = routine.word_bits();
    let count = curve.base.words(bits);
    let size = u64::from(bits) * count as u64;
    let fills = |number: &BigUint| number.bits() == size;
    let (is_filled, names) = match &curve.base {
        Base::Prime(field) => {
            let p = field.modulus();
            let names = ["montmul", "montsqr", "modmul", "modsqr", "modadd", "modsub", "modhalf"];
            let own = names.map(|name| format!("{name} {p:#x}")).to_vec();
            let others = [multiples(p), vec![format!("cond-sub {p:#x} r<p")]].concat();
            let n = &curve.order;
            let names = ["montmul", "montsqr", "modadd"].map(|name| format!("{name} {n:#x}"));
            let scalars = [&names[..], &[format!("cond-sub {n:#x} r<p")]].concat();
            let scalars = if inputs.scalars.is_empty() { Vec::new() } else { scalars };
            (fills(p) && fills(n), [own, others, scalars].concat())
        }
        Base::Binary(field) => {
            let names = ["gf2montmul", "gf2montsqr", "gf2modmul", "gf2modsqr"];
            let own = names.map(|name| format!("{name} {}", field.name())).to_vec();
            (curve.order.bits() <= size, [own, vec![format!("gf2add {size}")]].concat())
        }
    };
    if !bits.is_multiple_of(8) || !is_filled {
        return Err(Unshown::other("numbers that do not fill their words"));
    }
    let contracts = [names, vec![format!("sub {size}")]].concat();
    let mut domain = NormalForms::new(bits, EFFORT);
    let strings: Vec<Vec<Word>> =
        arguments.iter().map(|(_, numbers)| (0..numbers * count).map(|_| domain.input()).collect()).collect();
    let mut program = OverTerms::new(routine, keeps, &curve.base, &contracts);
    if !inputs.scalars.is_empty() {
        let order = PrimeField::new(curve.order.clone()).map(Base::Prime);
        program = program.beside(&order.ok_or_else(|| Unshown::other("an order that is even"))?);
    }
    let numbers: Vec<Vec<Word>> = strings
        .iter()
        .skip(1)
        .flat_map(|string| string.chunks(count))
        .map(|words| reversed(&mut domain, words))
        .collect();
    let own =
        |at: &usize| numbers.get(*at).cloned().ok_or_else(|| Unshown::other("an element that is no operand"));
    for (number, at) in inputs.elements.iter().enumerate() {
        program.input(own(at)?, number);
    }
    for (number, at) in inputs.scalars.iter().enumerate() {
        let words = own(at)?;
        program.in_other(|program| program.input(words, number));
    }
    let before = strings.first().cloned().unwrap_or_default();
    let buffers = arguments
        .iter()
        .zip(strings)
        .map(|((name, numbers), string)| (*name, (numbers * count) as u32, Some(string)))
        .collect();
    let mut finished = program.executed(domain, buffers)?;
    let wanted =
        specified(&mut program, &numbers).ok_or_else(|| Unshown::other("a curve without a doubling"))?;
    let mut status = vec![Bit::Known(false); bits as usize];
    status[..wanted.faults.len()].clone_from_slice(&wanted.faults);
    let returned = finished.returned.as_ref().map(|word| finished.domain.bits_of(word));
    if returned != Some(status) || wanted.faults.iter().any(is_open) {
        return Err(Unshown::other("what is returned is not that of the specification"));
    }
    let none = program.bit(false);
    let fault = wanted.faults.iter().fold(none, |any, fault| program.either(&any, fault));
    let result: Option<Vec<Word>> = finished.buffers[0].iter().cloned().collect();
    let (bit, written, kept) = result
        .and_then(|words| program.sides(&words))
        .ok_or_else(|| Unshown::other("of the result nothing is known"))?;
    if bit != fault || kept != before {
        return Err(Unshown::other("the result does not stay where something is wrong"));
    }
    let words: Vec<Vec<Word>> =
        written.chunks(count).map(|words| reversed(&mut finished.domain, words)).collect();
    let terms = |program: &mut OverTerms<'_>| {
        let number = |words: &Vec<Word>| match program.number(&finished.domain, words) {
            None => Err(Unshown::other("of the result nothing is known")),
            Some(own) if !program.is_canonical(&own) => {
                Err(Unshown::other("it is not shown that the result is below the modulus"))
            }
            Some(own) => Ok(own.term),
        };
        words.iter().map(number).collect::<Result<Vec<Term>, Unshown>>()
    };
    let found = match wanted.are_scalars {
        true => program.in_other(terms).unwrap_or_else(|| Err(Unshown::other("no other field"))),
        false => terms(&mut program),
    }?;
    match wanted.numbers.contains(&found) {
        true => Ok(()),
        false => Err(Unshown::other("the result is not that of the specification")),
    }
}

/// Whether a bit is none that a program can find out.
fn is_open(bit: &Bit) -> bool {
    !matches!(bit, Bit::Known(_) | Bit::Form(_))
}
