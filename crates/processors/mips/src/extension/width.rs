//! How large the numbers of an expression can be. Sums and products are exact: they grow.

use super::expression::{Binary, Expression, Node, Width};

/// Most bits of any number.
pub(super) const MOST_BITS: u32 = 256;
/// Most bits of a number of places that is not written in the file.
const MOST_PLACES: u32 = 6;

impl Width {
    pub(super) const fn unsigned(bits: u32) -> Self {
        Width { bits, signed: false }
    }

    /// Bits of it as a number with a sign.
    fn with_sign(self) -> u32 {
        if self.signed { self.bits } else { self.bits + 1 }
    }

    /// The smallest width for either of two.
    fn hull(self, other: Width) -> Width {
        if self.signed || other.signed {
            return Width { bits: self.with_sign().max(other.with_sign()), signed: true };
        }
        Width::unsigned(self.bits.max(other.bits))
    }
}

fn limited(node: Node, width: Width) -> Result<Expression, String> {
    if width.bits > MOST_BITS {
        return Err(format!("this number could have {} bits; at most {MOST_BITS} are possible", width.bits));
    }
    Ok(Expression { node, width })
}

/// Where only a number without a sign makes sense.
fn unsigned(x: &Expression, what: &str) -> Result<(), String> {
    if x.width.signed {
        return Err(format!(
            "{what} needs a number without a sign, and this one may be negative; hint: take bits of it, as in (x)[31:0]"
        ));
    }
    Ok(())
}

pub(super) fn number(value: u64) -> Expression {
    let bits = (64 - value.leading_zeros()).max(1);
    Expression { node: Node::Number(value), width: Width::unsigned(bits) }
}

pub(super) fn not(x: Expression) -> Result<Expression, String> {
    let width = Width { bits: x.width.with_sign(), signed: true };
    limited(Node::Not(Box::new(x)), width)
}

pub(super) fn signed(x: Expression) -> Result<Expression, String> {
    unsigned(&x, "signed()")?;
    let width = Width { bits: x.width.bits, signed: true };
    limited(Node::Signed(Box::new(x)), width)
}

pub(super) fn concat(parts: Vec<Expression>) -> Result<Expression, String> {
    parts.iter().try_for_each(|part| unsigned(part, "a part of { }"))?;
    let bits = parts.iter().map(|part| part.width.bits).sum();
    limited(Node::Concat(parts), Width::unsigned(bits))
}

pub(super) fn slice(x: Expression, high: u64, low: u64) -> Result<Expression, String> {
    if high < low {
        return Err(format!("bits [{high}:{low}] are written the highest first, as in [{low}:{high}]"));
    }
    let limit = if x.width.signed { MOST_BITS } else { x.width.bits };
    if high >= u64::from(limit) {
        return Err(format!("there is no bit {high}: this number has the bits {} to 0", limit - 1));
    }
    let (high, low) = (high as u32, low as u32);
    limited(Node::Slice(Box::new(x), high, low), Width::unsigned(high - low + 1))
}

pub(super) fn choose(condition: Expression, x: Expression, y: Expression) -> Result<Expression, String> {
    if condition.width != Width::unsigned(1) {
        return Err(format!(
            "a condition has one bit, and this one has {}; hint: compare, as in x != 0",
            condition.width.bits
        ));
    }
    let width = x.width.hull(y.width);
    limited(Node::Choose(Box::new(condition), Box::new(x), Box::new(y)), width)
}

pub(super) fn binary(operation: Binary, x: Expression, y: Expression) -> Result<Expression, String> {
    let (a, b) = (x.width, y.width);
    let either = a.hull(b);
    let width = match operation {
        Binary::Add => Width { bits: either.bits + 1, ..either },
        Binary::Sub => Width { bits: a.with_sign().max(b.with_sign()) + 1, signed: true },
        Binary::Mul => product(&x, &y),
        Binary::CarrylessMul => {
            unsigned(&x, "clmul()")?;
            unsigned(&y, "clmul()")?;
            Width::unsigned(a.bits + b.bits - 1)
        }
        Binary::And => match (a.signed, b.signed) {
            (false, false) => Width::unsigned(a.bits.min(b.bits)),
            (false, true) => a,
            (true, false) => b,
            (true, true) => either,
        },
        Binary::Or | Binary::Xor => either,
        Binary::ShiftLeft => {
            let most = places(&y)?;
            Width { bits: a.bits.saturating_add(most), ..a }
        }
        Binary::ShiftRight => {
            places(&y)?;
            match y.node {
                Node::Number(least) => Width { bits: a.bits.saturating_sub(least as u32).max(1), ..a },
                _ => a,
            }
        }
        Binary::Equal | Binary::NotEqual | Binary::Less | Binary::LessEqual => {
            limited(Node::Number(0), either)?;
            Width::unsigned(1)
        }
    };
    limited(Node::Binary(operation, Box::new(x), Box::new(y)), width)
}

/// The most places by which a number of places shifts.
fn places(y: &Expression) -> Result<u32, String> {
    match y.node {
        Node::Number(number) if number <= u64::from(MOST_BITS) => Ok(number as u32),
        Node::Number(number) => Err(format!("a shift by {number} places; at most {MOST_BITS} are possible")),
        _ if !y.width.signed && y.width.bits <= MOST_PLACES => Ok((1 << y.width.bits) - 1),
        _ => Err(format!(
            "the number of places may have up to {} bits; at most {MOST_PLACES} are possible, as in rs[4:0]",
            y.width.bits
        )),
    }
}

fn product(x: &Expression, y: &Expression) -> Width {
    for (number, other) in [(x, y), (y, x)] {
        if let Node::Number(number) = number.node
            && number.is_power_of_two()
        {
            return Width { bits: other.width.bits + number.trailing_zeros(), ..other.width };
        }
    }
    if x.width.signed || y.width.signed {
        return Width { bits: x.width.with_sign() + y.width.with_sign(), signed: true };
    }
    Width::unsigned(x.width.bits + y.width.bits)
}

/// Whether an expression may be given to a target of `bits` bits: it must fit there, or be a sum or
/// difference of what fits, and then it wraps.
pub(super) fn assignable(x: &Expression, bits: u32, target: &str) -> Result<(), String> {
    if let Node::Binary(Binary::Add | Binary::Sub, left, right) = &x.node {
        assignable(left, bits, target)?;
        return assignable(right, bits, target);
    }
    if x.width.bits <= bits {
        return Ok(());
    }
    let (has, top) = (x.width.bits, bits - 1);
    Err(format!("{has} bits do not fit into {target}, which has {bits}; hint: take some, as in (x)[{top}:0]"))
}
