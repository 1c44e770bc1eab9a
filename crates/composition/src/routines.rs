//! The routines that a program calls: those that keep contracts, each shown by itself, and those that choose words under a mask. What
//! is neither is executed.

use crate::called::{Called, Keeps, Known};
use crate::choices::Shape;
use crate::unshown::Unshown;
use num_bigint::BigUint;
use rhomb_anf::{Bit, NormalForms, Word};
use rhomb_certificate::{Checkable, Contract};
use rhomb_machine::{Access, Buffer, Callee, Calls, Domain, Fault, Finished, Outcome};

/// Calls of an execution: more than those of an exponentiation of 4096 bits. Each may leave words that are kept.
const MOST_CALLS: u32 = 1 << 16;

/// A program's routines, as far as they were called.
pub(crate) struct Routines<'r> {
    routine: &'r dyn Checkable,
    keeps: &'r mut dyn Keeps,
    /// The contracts that one may have.
    contracts: Vec<Contract>,
    /// Words of a number.
    count: u32,
    /// What makes an element canonical, where that is none of the contracts.
    remainder: Option<Shape>,
    called: Called,
    shapes: Vec<(u64, Shape, Callee)>,
    /// What neither keeps a contract nor chooses.
    executed: Vec<u64>,
    /// Calls so far.
    calls: u32,
}

pub(crate) fn refused(what: &str) -> Fault {
    Fault::NotModelled { what: what.to_owned() }
}

impl<'r> Routines<'r> {
    /// Those of a program on numbers of so many words, with such contracts at most.
    pub(crate) fn new(
        routine: &'r dyn Checkable,
        keeps: &'r mut dyn Keeps,
        count: usize,
        contracts: &[String],
    ) -> Self {
        Routines {
            routine,
            keeps,
            contracts: contracts.iter().filter_map(|name| name.parse().ok()).collect(),
            count: count as u32,
            remainder: None,
            called: Called::default(),
            shapes: Vec::new(),
            executed: Vec::new(),
            calls: 0,
        }
    }

    /// The same with what makes an element canonical.
    pub(crate) fn with(self, remainder: Option<Shape>) -> Self {
        Routines { remainder, ..self }
    }

    /// What takes the place of a call.
    ///
    /// # Errors
    /// Where there are too many.
    pub(crate) fn callee(&mut self, entry: u64) -> Result<Option<Callee>, Fault> {
        self.calls += 1;
        if self.calls > MOST_CALLS {
            return Err(refused("more calls than a program makes"));
        }
        Ok(self.found(entry))
    }

    fn found(&mut self, entry: u64) -> Option<Callee> {
        let Routines { routine, keeps, contracts, called, shapes, count, remainder, executed, .. } = self;
        let bits = routine.word_bits();
        let mut of = |inner: bool| {
            contracts.iter().find_map(|contract| Known::of(*keeps, (entry, inner), contract, bits))
        };
        // what preserves nothing keeps the inner convention alone
        if let Some(callee) = called.callee(entry, || of(false).or_else(|| of(true))) {
            return Some(callee);
        }
        if let Some((.., callee)) = shapes.iter().find(|own| own.0 == entry) {
            return Some(callee.clone());
        }
        if executed.contains(&entry) {
            return None;
        }
        let of = |inner: bool| {
            let known = || Shape::of_known(*routine, (entry, inner), *count);
            let all = remainder.iter().cloned().chain(Shape::of(*count));
            let all = all.chain(std::iter::once_with(known).flatten());
            let mut found = all.filter_map(|shape| Some((shape.callee(*routine, (entry, inner))?, shape)));
            found.next().map(|(callee, shape)| (entry, shape, callee))
        };
        let found = of(false).or_else(|| of(true));
        let callee = found.as_ref().map(|own| own.2.clone());
        match found {
            Some(own) => shapes.push(own),
            None => executed.push(entry),
        }
        callee
    }

    /// How the routine at an entry chooses.
    pub(crate) fn shape(&self, entry: u64) -> Option<&Shape> {
        self.shapes.iter().find(|own| own.0 == entry).map(|own| &own.1)
    }

    /// The contract that the routine at an entry keeps, whose operands have no bounds.
    pub(crate) fn contract(&self, entry: u64, operands: usize) -> Result<Contract, Fault> {
        let Known { contract, .. } = self.called.known(entry)?;
        let bits = self.routine.word_bits();
        match (0..operands).any(|operand| contract.bound(operand, bits).is_some()) {
            true => Err(refused(&format!(
                "a call of a routine that keeps {contract}, whose operands have bounds"
            ))),
            false => Ok(*contract),
        }
    }
}

/// Executes a program on buffers, with the calls that are taken over: first the result, then the operands.
pub(crate) fn executed(
    routine: &dyn Checkable,
    domain: NormalForms,
    buffers: Vec<(&'static str, u32, Option<Vec<Word>>)>,
    calls: &mut dyn Calls<NormalForms>,
) -> Result<Finished<NormalForms>, Unshown> {
    let mut is_first = true;
    let buffer = |(name, length, content)| {
        let access = if std::mem::take(&mut is_first) { Access::Store } else { Access::Load };
        Buffer { name, length, access, content, shares: None }
    };
    let buffers: Vec<Buffer<Word>> = buffers.into_iter().map(buffer).collect();
    let finished = routine.over_composed(domain, &buffers, calls)?;
    match finished.breaches.first() {
        Some(breach) => Err(Unshown::Breach(breach.text.clone())),
        None => Ok(finished),
    }
}

/// The words of a number that is known.
pub(crate) fn known_words(number: &BigUint, bits: u32, count: usize) -> Vec<Word> {
    rhomb_field::program::words(number, bits, count).into_iter().map(Word::Known).collect()
}

/// A difference of two numbers, and its borrow.
pub(crate) struct Difference {
    pub(crate) from: Vec<Word>,
    pub(crate) less: Vec<Word>,
    pub(crate) words: Vec<Word>,
    pub(crate) borrow: Bit,
}

/// All differences of numbers, each with a borrow that is a bit of its own.
#[derive(Default)]
pub(crate) struct Differences(Vec<Difference>);

impl Differences {
    /// What a call for a difference leaves.
    pub(crate) fn result(
        &mut self,
        domain: &mut NormalForms,
        operands: &[Vec<Word>],
    ) -> Result<Outcome<Word>, Fault> {
        let [from, less] = operands else { return Err(refused("a difference of nothing")) };
        let fresh = domain.input();
        let borrow =
            domain.bits_of(&fresh).into_iter().next().ok_or_else(|| refused("a word without bits"))?;
        let mut bits = vec![Bit::Known(false); domain.bits() as usize];
        bits[0] = borrow.clone();
        let words: Vec<Word> = (0..from.len()).map(|_| domain.arbitrary()).collect();
        let (from, less) = (from.clone(), less.clone());
        self.0.push(Difference { from, less, words: words.clone(), borrow });
        Ok(Outcome { result: words, returned: Some(Word::from(bits)) })
    }

    /// The first one for which that holds.
    pub(crate) fn find(&self, is_own: impl Fn(&Difference) -> bool) -> Option<&Difference> {
        self.0.iter().find(|own| is_own(own))
    }

    /// That of these numbers.
    pub(crate) fn of(&self, from: &[Word], less: &[Word]) -> Option<&Difference> {
        self.find(|own| own.from == from && own.less == less)
    }
}
