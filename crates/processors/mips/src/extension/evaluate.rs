//! What an instruction of an extension computes, over any domain of values.

use super::CustomInstruction;
use super::expression::{Binary, Expression, Node, Source, Target};
use rhomb_machine::Domain;
use rhomb_machine::words::{self, Words};
use std::cell::RefCell;

/// Words of the accumulator: LO, HI, and what stands above.
pub(crate) const ACCUMULATOR: usize = 3;

/// What an instruction starts from.
#[derive(Clone, Debug)]
pub(crate) struct Operands<W> {
    pub(crate) rs: W,
    pub(crate) rt: W,
    pub(crate) rd: W,
    pub(crate) sa: u64,
    pub(crate) immediate: u64,
    pub(crate) accumulator: [W; ACCUMULATOR],
}

/// What an instruction leaves; `None` where it writes nothing.
#[derive(Clone, Debug)]
pub(crate) struct Results<W> {
    pub(crate) rd: Option<W>,
    pub(crate) rt: Option<W>,
    pub(crate) accumulator: [Option<W>; ACCUMULATOR],
}

/// What an evaluation starts from, and what it has computed on the way: a sum that stands in two targets must be one and
/// the same to a domain of equations.
struct State<'e, W> {
    operands: &'e Operands<W>,
    /// Values of operations; nothing is kept where there is one target only.
    known: Option<RefCell<Vec<Value<'e, W>>>>,
}

/// The low words of an operation's value.
type Value<'e, W> = (&'e Expression, Words<W>);

impl<'e, W: Clone> State<'e, W> {
    /// The low words of a value that was computed as long or longer.
    fn known(&self, expression: &Expression, length: usize) -> Option<Words<W>> {
        let known = self.known.as_ref()?.borrow();
        let fits = |(own, value): &&Value<'_, W>| value.len() >= length && *own == expression;
        let (_, value) = known.iter().find(fits)?;
        Some(value[..length].iter().cloned().collect())
    }

    fn keep(&self, expression: &'e Expression, value: &Words<W>) {
        if let Some(known) = &self.known {
            known.borrow_mut().push((expression, value.clone()));
        }
    }
}

impl CustomInstruction {
    /// Computes all targets from the state before the instruction. `accumulator` is the width of the
    /// accumulator in bits; what goes beyond is lost.
    pub(crate) fn evaluate<D: Domain>(
        &self,
        domain: &mut D,
        operands: &Operands<D::Word>,
        accumulator: u32,
    ) -> Results<D::Word> {
        let mut results = Results { rd: None, rt: None, accumulator: [None, None, None] };
        let known = (self.meaning.len() > 1).then(RefCell::default);
        let state = State { operands, known };
        let is_long = |target: &Target| *target == Target::Accumulator;
        // the longest first, of whose words the others may have some
        let (long, short): (Vec<_>, Vec<_>) = self.meaning.iter().partition(|(target, _)| is_long(target));
        for (target, expression) in long.into_iter().chain(short) {
            let length = if is_long(target) { ACCUMULATOR } else { 1 };
            let mut value = evaluate(domain, &state, expression, length);
            match target {
                Target::Accumulator => value = words::low_bits(domain, &value, accumulator),
                Target::Guard => value = words::low_bits(domain, &value, accumulator - 64),
                Target::Rd | Target::Rt | Target::Lo | Target::Hi => {}
            }
            let mut value = value.into_iter();
            match target {
                Target::Rd => results.rd = value.next(),
                Target::Rt => results.rt = value.next(),
                Target::Lo => results.accumulator[0] = value.next(),
                Target::Hi => results.accumulator[1] = value.next(),
                Target::Guard => results.accumulator[2] = value.next(),
                Target::Accumulator => results.accumulator = std::array::from_fn(|_| value.next()),
            }
        }
        results
    }
}

/// The low `length` words of an expression's value, in two's complement.
fn evaluate<'e, D: Domain>(
    domain: &mut D,
    state: &State<'e, D::Word>,
    expression: &'e Expression,
    length: usize,
) -> Words<D::Word> {
    // what is small has nothing but zeros above
    let enough = expression.width.bits.div_ceil(domain.bits()) as usize;
    if !expression.width.signed && length > enough {
        let mut value = evaluate(domain, state, expression, enough);
        value.resize(length, domain.word(0));
        return value;
    }
    match &expression.node {
        Node::Number(value) => words::known(domain, *value, length),
        Node::Source(source) => {
            let mut value = words_of(domain, state.operands, *source);
            value.resize(length.max(value.len()), domain.word(0));
            value.truncate(length);
            value
        }
        Node::Not(x) => {
            let x = evaluate(domain, state, x, length);
            inverted(domain, &x)
        }
        Node::Signed(x) => {
            let bits = x.width.bits;
            let x = evaluate(domain, state, x, length);
            words::extend_sign(domain, &x, bits)
        }
        Node::Concat(parts) => {
            let mut value = words::known(domain, 0, length);
            let mut place = 0;
            for part in parts.iter().rev() {
                let word = evaluate(domain, state, part, length);
                let word = words::shift_left(domain, &word, place);
                value = words::add(domain, &value, &word);
                place += part.width.bits;
            }
            value
        }
        Node::Slice(x, high, low) => {
            let x = evaluate(domain, state, x, (high / domain.bits() + 1) as usize);
            let x = words::low_bits(domain, &x, high + 1);
            let mut value = words::shift_right(domain, &x, *low);
            value.resize(length.max(value.len()), domain.word(0));
            value.truncate(length);
            value
        }
        Node::Choose(condition, x, y) => {
            let condition = evaluate(domain, state, condition, 1);
            let bit = domain.bit_of(&condition[0], 0);
            let x = evaluate(domain, state, x, length);
            let y = evaluate(domain, state, y, length);
            words::select(domain, &bit, &x, &y)
        }
        Node::Binary(operation, x, y) => {
            if let Some(value) = state.known(expression, length) {
                return value;
            }
            let value = binary(domain, state, *operation, (x, y), length);
            state.keep(expression, &value);
            value
        }
    }
}

fn binary<'e, D: Domain>(
    domain: &mut D,
    state: &State<'e, D::Word>,
    operation: Binary,
    (x, y): (&'e Expression, &'e Expression),
    length: usize,
) -> Words<D::Word> {
    let both =
        |domain: &mut D, length| (evaluate(domain, state, x, length), evaluate(domain, state, y, length));
    match operation {
        Binary::Add => {
            let (x, y) = both(domain, length);
            words::add(domain, &x, &y)
        }
        Binary::Sub => {
            let (x, y) = both(domain, length);
            words::sub(domain, &x, &y).0
        }
        Binary::Mul => {
            let (x, y) = both(domain, length);
            words::mul(domain, &x, &y, length)
        }
        Binary::CarrylessMul => {
            let (x, y) = both(domain, length);
            words::carryless_mul(domain, &x, &y, length)
        }
        Binary::And | Binary::Or | Binary::Xor => {
            let (x, y) = both(domain, length);
            let operation = match operation {
                Binary::And => D::and,
                Binary::Or => D::or,
                _ => D::xor,
            };
            x.iter().zip(&y).map(|(x, y)| operation(domain, x, y)).collect()
        }
        Binary::ShiftLeft => {
            let value = evaluate(domain, state, x, length);
            shifted(domain, state, y, value, words::shift_left)
        }
        Binary::ShiftRight => {
            let most = match y.node {
                Node::Number(places) => places as u32,
                _ => (1 << y.width.bits) - 1,
            };
            let value = evaluate(domain, state, x, length + (most / domain.bits()) as usize + 1);
            let mut value = shifted(domain, state, y, value, words::shift_right);
            value.truncate(length);
            value
        }
        Binary::Equal | Binary::NotEqual | Binary::Less | Binary::LessEqual => {
            let signed = x.width.signed || y.width.signed;
            // a bit more for the sign of what has none
            let bits = x.width.bits.max(y.width.bits) + u32::from(signed);
            let (x, y) = both(domain, bits.div_ceil(domain.bits()) as usize);
            let bit = match operation {
                Binary::Equal => words::equal(domain, &x, &y),
                Binary::NotEqual => {
                    let equal = words::equal(domain, &x, &y);
                    domain.bit_not(&equal)
                }
                Binary::Less => words::less(domain, &x, &y, signed),
                _ => {
                    let greater = words::less(domain, &y, &x, signed);
                    domain.bit_not(&greater)
                }
            };
            let (one, zero) = (domain.word(1), domain.word(0));
            let mut value = words::known(domain, 0, length);
            value[0] = domain.select(&bit, &one, &zero);
            value
        }
    }
}

/// A shift of a number by places, of the same length.
type Shift<D> = fn(&mut D, &[<D as Domain>::Word], u32) -> Words<<D as Domain>::Word>;

/// A shift by a number of places that may be known only when it happens.
fn shifted<'e, D: Domain>(
    domain: &mut D,
    state: &State<'e, D::Word>,
    places: &'e Expression,
    value: Words<D::Word>,
    shift: Shift<D>,
) -> Words<D::Word> {
    if let Node::Number(places) = places.node {
        return shift(domain, &value, places as u32);
    }
    let amount = evaluate(domain, state, places, 1);
    if let Some(places) = domain.known_word(&amount[0]) {
        return shift(domain, &value, places as u32);
    }
    (0..places.width.bits).fold(value, |value, place| {
        let moved = shift(domain, &value, 1 << place);
        let bit = domain.bit_of(&amount[0], place);
        words::select(domain, &bit, &moved, &value)
    })
}

fn inverted<D: Domain>(domain: &mut D, x: &[D::Word]) -> Words<D::Word> {
    let ones = domain.word(u64::MAX);
    let no = domain.bit(false);
    // all ones less x never borrows, and says more than an exclusive or to a domain of equations
    x.iter().map(|word| domain.sub(&ones, word, &no).0).collect()
}

fn words_of<D: Domain>(domain: &mut D, operands: &Operands<D::Word>, source: Source) -> Words<D::Word> {
    let one = |word: &D::Word| Words::from_iter([word.clone()]);
    let [lo, hi, guard] = &operands.accumulator;
    match source {
        Source::Rs => one(&operands.rs),
        Source::Rt => one(&operands.rt),
        Source::Rd => one(&operands.rd),
        Source::Sa => words::known(domain, operands.sa, 1),
        Source::Immediate => words::known(domain, operands.immediate, 1),
        Source::Accumulator => operands.accumulator.iter().cloned().collect(),
        Source::Lo => one(lo),
        Source::Hi => one(hi),
        Source::Guard => one(guard),
    }
}
