//! Scalar multiplication on curves over GF(2^191) as one program: the ladder of Lopez and Dahab.
//!
//! `void f(uint32_t r[12], const uint32_t k[6], const uint32_t p[12], const uint32_t constants[])`: r = k P in affine
//! coordinates, x first, fully reduced, for 1 <= k < n and P of order n; the constants are b or its root, see [`Doubling`],
//! and then n for [`Form::ConstantTime`], six words each. The coefficient a does not enter.

use super::calls::{ELEMENT, Places, frame};
use super::rolled::{self, Ring};
use super::{Arithmetic, FieldError, Library, binary, with_reduction};
use crate::instructions::{Register, SP};
use crate::model::Model;
use rhomb_field::{formulas, inversion};
use std::fmt::Write;
use std::sync::Arc;

/// The formula of doubling, and the constant it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Doubling {
    /// X^4 + b Z^4, as published, with b.
    Published,
    /// (X^2 + c Z^2)^2, with c, the square root of b: one squaring less.
    Root,
}

/// How the scalar is scanned, and what may depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// From the scalar's highest bit that is not 0; which points are added and doubled follows from pointers. For
    /// [`Arithmetic::Generic`] the constants are followed by the polynomial, Montgomery's factor (one word), and t^384.
    Published(Arithmetic),
    /// 191 steps with k + n or k + 2n, whichever has 192 bits; points are exchanged by masks. No branch and no
    /// address depends on scalar or point.
    ConstantTime,
}

/// $s0: result; $s1: point; $s2: where the sum goes; $s3: where the doubled point goes; $s4: place of a bit; $s6: constants.
const RESULT: Register = 16;
const POINT: Register = 17;
const SUM: Register = 18;
const DOUBLED: Register = 19;
const CONSTANTS: Register = 22;

/// The program, with entry `f`. Its routines are labelled `mul`, `sqr` and `add`.
///
/// # Errors
/// A core without the instructions.
pub fn program(
    model: &Arc<Model>,
    origin: u32,
    doubling: Doubling,
    form: Form,
) -> Result<Library, FieldError> {
    let text = body(doubling, form)?
        + &match form {
            Form::ConstantTime | Form::Published(Arithmetic::Straight) => straight(model)?,
            Form::Published(Arithmetic::Loops) => loops(model)?,
            Form::Published(Arithmetic::Generic) => generic(),
        };
    Library::new(model, origin, &text)
}

fn straight(model: &Model) -> Result<String, FieldError> {
    Ok([
        binary::multiply(model, "mul")?,
        binary::square(model, "sqr")?,
        binary::add(model, "add")?,
        binary::canonical(model, "canonical")?,
    ]
    .concat())
}

fn loops(model: &Model) -> Result<String, FieldError> {
    Ok([
        with_reduction("mul", "product"),
        with_reduction("sqr", "squaring"),
        rolled::multiply("product", Ring::Polynomials, 6),
        rolled::square_polynomials("squaring", 6),
        binary::reduction(model, "reduce")?,
        rolled::xor("add", 6),
        binary::canonical(model, "canonical")?,
    ]
    .concat())
}

fn generic() -> String {
    [
        rolled::montgomery_multiply("mul", Ring::Polynomials, 6),
        rolled::montgomery_square("sqr", Ring::Polynomials, 6),
        rolled::xor("add", 6),
        rolled::euclid::inverse("inverse", Ring::Polynomials, 6),
    ]
    .concat()
}

/// The function `f` without the routines that it calls.
fn body(doubling: Doubling, form: Form) -> Result<String, FieldError> {
    let double = match doubling {
        Doubling::Published => formulas::ladder_double(),
        Doubling::Root => formulas::ladder_double_root(),
    };
    let is_generic = form == Form::Published(Arithmetic::Generic);
    let mut places = Places::new();
    for (name, base, offset) in [
        ("given b", CONSTANTS, 0),
        ("given x", POINT, 0),
        ("given y", POINT, ELEMENT),
        // behind b, the polynomial and the factor
        ("R^2", CONSTANTS, 2 * ELEMENT + 4),
        ("result x", RESULT, 0),
        ("result y", RESULT, ELEMENT),
        ("X1", SUM, 0),
        ("Z1", SUM, ELEMENT),
        ("X2", DOUBLED, 0),
        ("Z2", DOUBLED, ELEMENT),
    ] {
        places.at(name, base, offset);
    }
    for (name, given) in [("b", "given b"), ("x", "given x"), ("y", "given y")] {
        if is_generic {
            let own = places.bytes(ELEMENT);
            places.at(name, SP, own);
        } else {
            places.same(name, given)?;
        }
    }
    places.same("c", "b")?;
    for name in ["unit", "one"] {
        let own = places.bytes(ELEMENT);
        places.at(name, SP, own);
    }
    let (first, second) = (places.bytes(2 * ELEMENT), places.bytes(2 * ELEMENT));
    let (scalar, ending) = (places.bytes(28), places.bytes(ELEMENT));
    places.at("canonical Z2", SP, ending);
    let (before, after) = (formulas::ladder_before_inversion(), formulas::ladder_after_inversion());
    let chain = inversion::itoh_tsujii_191();
    let sum = formulas::ladder_add();
    for formula in [&sum, &double, &before, &after] {
        places.slots(formula);
    }
    let mut powers = places.clone();
    powers.same("x", "G")?;
    powers.same("y", "w")?;
    powers.slots(&chain);
    let context = powers.bytes(4 * rolled::context_words(6));
    let (head, tail) = frame("f", powers.size());
    let mut text = head + "or $s0, $a0, $0\nor $s1, $a2, $0\nor $s6, $a3, $0\n";
    let _ = write!(text, "addiu $s2, $sp, {first}\naddiu $s3, $sp, {second}\n");
    text += &match form {
        Form::Published(_) => copied_scalar(scalar),
        Form::ConstantTime => long_scalar(scalar),
    };
    let (_, unit) = places.of("unit")?;
    let _ = write!(text, "addiu $t0, $0, 1\nsw $t0, {unit}($sp)\n");
    for word in 1..6 {
        let _ = writeln!(text, "sw $0, {}($sp)", unit + 4 * word);
    }
    text += &if is_generic { to_montgomery(&places, context)? } else { places.copy("one", "unit")? };
    // P and 2P: x/1 doubled, whatever the formula
    text += &places.copy("X1", "x")?;
    text += &places.copy("Z1", "one")?;
    text += &places.copy("X2", "X1")?;
    text += &places.copy("Z2", "Z1")?;
    let doubled = places.calls(&double, "double")?;
    text += &doubled;
    let step = places.calls(&sum, "sum")? + &doubled;
    text += &match form {
        Form::Published(_) => scan(scalar, first, second, &step),
        Form::ConstantTime => scan_all(scalar, &step),
    };
    // with Montgomery's reduction everything is canonical
    text += &if is_generic {
        places.copy("canonical Z2", "Z2")?
    } else {
        places.call("canonical", &["canonical Z2", "Z2"])?
    };
    text += &places.calls(&before, "before")?;
    if is_generic {
        // 1/(g R), and R^2 / R twice
        text += &places.call("inverse", &["w", "G"])?;
        text += &places.call("mul", &["w", "w", "R^2"])?.repeat(2);
    } else {
        text += &powers.calls(&chain, "chain")?;
    }
    text += &places.calls(&after, "after")?;
    text += &last_case(&places, ending, form)?;
    for (result, own) in [("result x", "u"), ("result y", "v")] {
        text += &if is_generic {
            places.call("mul", &[result, own, "unit"])?
        } else {
            places.call("canonical", &[result, own])?
        };
    }
    Ok(text + &tail)
}

/// The context with the polynomial and the factor; b, x, y and 1 times R.
fn to_montgomery(places: &Places, context: usize) -> Result<String, FieldError> {
    let mut text = String::new();
    for word in (0..7).map(|word| 4 * word) {
        let _ = write!(
            text,
            "lw $t0, {}($s6)\nnop\nsw $t0, {}($sp)\n",
            ELEMENT + word,
            context + 3 * ELEMENT + word
        );
    }
    let _ = writeln!(text, "addiu $a3, $sp, {context}");
    for (own, given) in [("b", "given b"), ("x", "given x"), ("y", "given y"), ("one", "unit")] {
        text += &places.call("mul", &[own, given, "R^2"])?;
    }
    Ok(text)
}

fn copied_scalar(scalar: usize) -> String {
    let line = |word: usize| format!("lw $t0, {word}($a1)\nnop\nsw $t0, {}($sp)\n", scalar + word);
    (0..6).map(|word| line(4 * word)).collect()
}

/// k + n, or k + 2n if that has only 191 bits: 192 bits, and the same multiple.
fn long_scalar(scalar: usize) -> String {
    let mut text = "multu $0, $0\n".to_owned();
    let add = |text: &mut String, mask: &str| {
        for word in (0..6).map(|word| 4 * word) {
            let from =
                if mask.is_empty() { format!("{word}($a1)") } else { format!("{}($sp)", scalar + word) };
            let _ = write!(
                text,
                "lw $t0, {from}\nlw $t1, {}($s6)\nnop\n{mask}addau $t0, $t1\nmflo $t0\nsha\nsw $t0, {}($sp)\n",
                ELEMENT + word,
                scalar + word
            );
        }
    };
    add(&mut text, "");
    // all ones if bit 191 is 0
    text += "srl $t9, $t0, 31\naddiu $t9, $t9, -1\nmultu $0, $0\n";
    add(&mut text, "and $t1, $t1, $t9\n");
    text
}

/// Bit $s4 of the scalar in $t1.
fn bit(scalar: usize) -> String {
    format!(
        "srl $t0, $s4, 5\nsll $t0, $t0, 2\naddu $t0, $sp, $t0\nlw $t1, {scalar}($t0)\nnop\nsrlv $t1, $t1, $s4\nandi $t1, $t1, 1\n"
    )
}

/// From below the highest bit that is 1. The sum replaces P1 and P2 is doubled where a bit is 1, and the other way round.
fn scan(scalar: usize, first: usize, second: usize, step: &str) -> String {
    let bit = bit(scalar);
    format!(
        "addiu $s4, $0, 192
        top:
        addiu $s4, $s4, -1
        {bit}
        beq $t1, $0, top
        nop
        beq $s4, $0, scanned
        nop
        next:
        addiu $s4, $s4, -1
        {bit}
        addiu $s2, $sp, {first}
        bne $t1, $0, one
        addiu $s3, $sp, {second}
        addiu $s2, $sp, {second}
        addiu $s3, $sp, {first}
        one:
        {step}
        bne $s4, $0, next
        nop
        scanned:
        addiu $s2, $sp, {first}
        addiu $s3, $sp, {second}\n"
    )
}

/// All bits below bit 191, which is 1. P1 and P2 are exchanged wherever a bit differs from the one before: $s5.
fn scan_all(scalar: usize, step: &str) -> String {
    let bit = bit(scalar);
    let exchange = exchange();
    format!(
        "addiu $s4, $0, 191
        addiu $s5, $0, 1
        next:
        addiu $s4, $s4, -1
        {bit}
        xor $t8, $t1, $s5
        or $s5, $t1, $0
        {exchange}
        {step}
        bne $s4, $0, next
        nop
        xori $t8, $s5, 1
        {exchange}"
    )
}

/// P1 and P2 exchanged if $t8 is 1.
fn exchange() -> String {
    let mut text = "subu $t8, $0, $t8\n".to_owned();
    for word in (0..12).map(|word| 4 * word) {
        let _ = write!(
            text,
            "lw $t0, {word}($s2)\nlw $t1, {word}($s3)\nnop\nxor $t2, $t0, $t1\nand $t2, $t2, $t8\nxor $t0, $t0, $t2\nxor $t1, $t1, $t2\nsw $t0, {word}($s2)\nsw $t1, {word}($s3)\n"
        );
    }
    text
}

/// For k = n - 1 the second point is at infinity, Z2 = 0, and the result is -P = (x, x + y).
fn last_case(places: &Places, ending: usize, form: Form) -> Result<String, FieldError> {
    let mut text = format!("lw $t8, {ending}($sp)\n");
    for word in 1..6 {
        let _ = write!(text, "lw $t0, {}($sp)\nnop\nor $t8, $t8, $t0\n", ending + 4 * word);
    }
    text += "sltiu $t8, $t8, 1\nsubu $s4, $0, $t8\n";
    if form != Form::ConstantTime {
        text += "beq $s4, $0, found\nnop\n";
    }
    text += &places.call("add", &["t", "x", "y"])?;
    let (u, v, t) = (places.of("u")?, places.of("v")?, places.of("t")?);
    for (to, other) in [(u, places.of("x")?), (v, t)] {
        for word in (0..6).map(|word| 4 * word) {
            let _ = write!(
                text,
                "lw $t0, {}(${})\nlw $t1, {}(${})\nnop\nxor $t1, $t1, $t0\nand $t1, $t1, $s4\nxor $t1, $t1, $t0\nsw $t1, {}(${})\n",
                to.1 + word,
                to.0,
                other.1 + word,
                other.0,
                to.1 + word,
                to.0
            );
        }
    }
    if form != Form::ConstantTime {
        text += "found:\n";
    }
    Ok(text)
}
