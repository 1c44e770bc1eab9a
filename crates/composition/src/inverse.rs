//! Routines that make -1/a modulo the base of a word from an odd word a.
//!
//! An execution over equations shows that the result is a polynomial in a, of what degree at most, and the same for all a. Modulo the
//! base then a times it and 1 more is a polynomial in k, for a = 2 k + 1, of one degree more. Such a polynomial is zero for all k
//! where it is for k = 0 up to its degree, as its differences there are all zero; and that is simulated.

use rhomb_anf::NormalForms;
use rhomb_certificate::Checkable;
use rhomb_equations::{Equations, Graph, Value};
use rhomb_machine::{Access, Buffer, Callee, Domain};
use rhomb_poly::Polynomial;

/// The highest degree: Newton's iterations for a word of 64 bits come to less.
const MOST_DEGREE: u32 = 255;

/// Terms that may be collected.
const EFFORT: u64 = 1 << 20;

/// What the routine at an entry takes, called by the convention or its inner one, if it makes that word.
pub(crate) fn clearing(routine: &dyn Checkable, (entry, inner): (u64, bool)) -> Option<Callee> {
    // what it takes of the stack is shown with it
    let stack_bytes = made(&*routine.checkable_at(entry, None, inner)?, 1)?;
    let own = routine.checkable_at(entry, Some(stack_bytes), inner)?;
    let degree = degree(&*own)?;
    (0..=u64::from(degree) + 1).try_for_each(|k| made(&*own, 2 * k + 1).map(drop))?;
    Some(Callee { inner, ..Callee::of_pointers(1, vec![1], stack_bytes) })
}

fn buffers<W: Clone>(word: W) -> [Buffer<W>; 2] {
    let buffer = |name, access, content| Buffer { name, length: 1, access, content, shares: None };
    [buffer("r", Access::Store, None), buffer("a", Access::Load, Some(vec![word]))]
}

/// The bytes of stack of a call that makes -1/a.
fn made(routine: &dyn Checkable, a: u64) -> Option<u32> {
    let bits = routine.word_bits();
    let mut domain = NormalForms::new(bits, EFFORT);
    let operand = domain.word(a);
    let finished = routine.over(domain, &buffers(operand)).ok()?;
    let found = finished.domain.known_word(finished.buffers[0].first()?.as_ref()?)?;
    let rest = found.wrapping_mul(a).wrapping_add(1) & (u64::MAX >> (64 - bits));
    (rest == 0 && finished.breaches.is_empty()).then_some(finished.stack_bytes)
}

/// The degree of the result as a polynomial in the operand modulo the base, if it is one.
fn degree(routine: &dyn Checkable) -> Option<u32> {
    let mut domain = Equations::new(routine.word_bits());
    domain.set_effort(EFFORT);
    let Value::Variable(operand) = domain.input() else { return None };
    let finished = routine.over(domain, &buffers(Value::Variable(operand))).ok()?;
    let result = finished.buffers[0].first()?.clone()?;
    let result = finished.domain.polynomial(&result)?;
    let graph = &finished.domain.graph;
    let mut degrees = Degrees { bits: routine.word_bits(), of: Vec::with_capacity(graph.len()) };
    for index in 0..graph.len() {
        let own = if index == operand.index() { Some(1) } else { degrees.of_low(graph, index) };
        degrees.of.push(own);
    }
    degrees.of_polynomial(&result).filter(|_| finished.breaches.is_empty())
}

/// Degrees in an operand, modulo the base of a word: of each variable, older ones first, where it is a polynomial.
struct Degrees {
    bits: u32,
    of: Vec<Option<u32>>,
}

impl Degrees {
    fn is_zero(&self, factor: i64) -> bool {
        factor.trailing_zeros() >= self.bits
    }

    fn of_polynomial(&self, polynomial: &Polynomial) -> Option<u32> {
        let mut most = 0;
        for (product, _) in polynomial.terms().iter().filter(|(_, factor)| !self.is_zero(*factor)) {
            let degrees = product.variables().iter().map(|own| self.of.get(own.index()).copied().flatten());
            most = most.max(degrees.sum::<Option<u32>>()?);
        }
        (most <= MOST_DEGREE).then_some(most)
    }

    /// Of a variable that is low in its equation: what is high there falls away.
    fn of_low(&self, graph: &Graph, index: usize) -> Option<u32> {
        let equation = graph.defining_low(index)?;
        let is_alone = equation.high.is_none_or(|(_, factor)| self.is_zero(factor));
        self.of_polynomial(&equation.right).filter(|_| is_alone)
    }
}
