//! Scalar multiplication on P-192 as one program: Jacobian coordinates, mixed additions.
//!
//! `void f(uint32_t r[12], const uint32_t k[6], const uint32_t p[12], const uint32_t constants[])`: r = k P in affine
//! coordinates, x first, fully reduced, for 1 <= k < n and P of order n; `constants` is a, or n, see [`Form`].

mod scan;

use super::calls::{ELEMENT, Places, frame};
use super::rolled::{self, Ring};
use super::{Arithmetic, Correction, FieldError, Library, prime, with_reduction};
use crate::instructions::SP;
use crate::model::Model;
use rhomb_field::formulas::{self, Formula};
use rhomb_field::inversion;
use scan::{odd_scalar, scalar_and_triple, scan, scan_all};
use std::fmt::Write;
use std::sync::Arc;

/// The formulas of doubling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Doubling {
    /// Any a, which stands in memory: as published.
    General,
    /// a = -3.
    MinusThree,
}

/// How the scalar is scanned, and what may depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// The binary non-adjacent form, as published: an addition wherever a digit is not 0, and branches where sums are
    /// rarely too large. Time depends on scalar and point. The constants are a, six words; for [`Arithmetic::Generic`] then
    /// p, Montgomery's factor (one word), and 2^384 mod p.
    Published(Arithmetic),
    /// 192 digits 1 and -1, each with a doubling and an addition, of k or n - k, whichever is odd; in straight lines;
    /// no branch and no address depends on scalar or point. The constants are a, then n, six words each.
    ConstantTime,
}

/// $s0: result; $s1: point; $s2: y or -y for the next addition; $s4: place of a digit; $s6: constants.
const RESULT: u8 = 16;
const POINT: u8 = 17;
const ADDED: u8 = 18;
const CONSTANTS: u8 = 22;

/// The program, with entry `f`. Its routines are labelled `mul`, `sqr`, `add`, `sub` and `half`.
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
            Form::Published(Arithmetic::Straight) => straight(model, Correction::Branch)?,
            Form::Published(Arithmetic::Loops) => loops(model)?,
            Form::Published(Arithmetic::Generic) => generic(),
            Form::ConstantTime => straight(model, Correction::Always)?,
        };
    Library::new(model, origin, &text)
}

fn straight(model: &Model, correction: Correction) -> Result<String, FieldError> {
    Ok([
        prime::multiply(model, "mul", correction)?,
        prime::square(model, "sqr", correction)?,
        prime::add(model, "add", correction)?,
        prime::subtract(model, "sub", correction)?,
        prime::half(model, "half")?,
        prime::canonical(model, "canonical")?,
    ]
    .concat())
}

fn loops(model: &Model) -> Result<String, FieldError> {
    Ok([
        with_reduction("mul", "product"),
        with_reduction("sqr", "squaring"),
        rolled::multiply("product", Ring::Integers, 6),
        rolled::square_integers("squaring", 6),
        prime::reduction(model, "reduce", Correction::Branch)?,
        rolled::add_p192("add"),
        rolled::subtract_p192("sub"),
        prime::half(model, "half")?,
        prime::canonical(model, "canonical")?,
    ]
    .concat())
}

/// There is no halving here, so that only the doubling with any a can be had.
fn generic() -> String {
    [
        rolled::montgomery_multiply("mul", Ring::Integers, 6),
        rolled::montgomery_square("sqr", Ring::Integers, 6),
        rolled::add("add", 6),
        rolled::subtract("sub", 6),
        rolled::canonical("canonical", 6),
        rolled::euclid::inverse("inverse", Ring::Integers, 6),
    ]
    .concat()
}

/// Where all elements stand.
struct Layout {
    places: Places,
    /// For the inversion of Z.
    powers: Places,
    /// For the coordinates at the end.
    ends: Places,
    /// The scalar, seven words: the highest is 0, or the mask of a sign.
    scalar: usize,
    /// Three times the scalar, seven words.
    triple: usize,
    /// The context of Montgomery's routines, where they are used.
    context: Option<usize>,
}

fn layout(double: &Formula, generic: bool) -> Result<Layout, FieldError> {
    let mut places = Places::new();
    for (element, given, base, offset) in
        [("a", "given a", CONSTANTS, 0), ("x", "given x", POINT, 0), ("own y", "given y", POINT, ELEMENT)]
    {
        places.at(given, base, offset);
        if generic {
            let own = places.bytes(ELEMENT);
            places.at(element, SP, own);
        } else {
            places.at(element, base, offset);
        }
    }
    // behind a, p and the factor
    places.at("R^2", CONSTANTS, 2 * ELEMENT + 4);
    places.at("y", ADDED, 0);
    places.at("result x", RESULT, 0);
    places.at("result y", RESULT, ELEMENT);
    for slot in
        ["zero", "unit", "one", "negative", "selected", "kept X", "kept Y", "kept Z", "end x", "end y"]
    {
        let offset = places.bytes(ELEMENT);
        places.at(slot, SP, offset);
    }
    let (scalar, triple) = (places.bytes(28), places.bytes(28));
    for formula in [double, &formulas::add_mixed(), &formulas::affine()] {
        places.slots(formula);
    }
    let mut powers = places.clone();
    powers.same("x", "Z")?;
    powers.same("y", "w")?;
    powers.slots(&inversion::fermat_p192());
    let mut ends = places.clone();
    ends.after(&powers);
    ends.same("x", "end x")?;
    ends.same("y", "end y")?;
    let context = generic.then(|| ends.bytes(4 * rolled::context_words(6)));
    Ok(Layout { places, powers, ends, scalar, triple, context })
}

/// The function `f` without the routines that it calls.
fn body(doubling: Doubling, form: Form) -> Result<String, FieldError> {
    let double = match doubling {
        Doubling::General => formulas::double_general(),
        Doubling::MinusThree => formulas::double_minus_three(),
    };
    let layout = layout(&double, form == Form::Published(Arithmetic::Generic))?;
    let places = &layout.places;
    let (head, tail) = frame("f", layout.ends.size());
    let mut text = head + "or $s0, $a0, $0\nor $s1, $a2, $0\nor $s6, $a3, $0\n";
    text += &match form {
        Form::Published(_) => scalar_and_triple(&layout),
        Form::ConstantTime => odd_scalar(&layout),
    };
    text += &set(places, "zero", 0)?;
    text += &set(places, "unit", 1)?;
    text += &match layout.context {
        Some(context) => to_montgomery(places, context)?,
        None => places.copy("one", "unit")?,
    };
    text += &places.call("sub", &["negative", "zero", "own y"])?;
    text += &places.copy("X", "x")?;
    text += &places.copy("Y", "own y")?;
    text += &places.copy("Z", "one")?;
    let doubled = places.calls(&double, "double")?;
    let added = places.calls(&formulas::add_mixed(), "mixed")?;
    text += &match form {
        Form::Published(_) => scan(&layout, &doubled, &added)?,
        Form::ConstantTime => scan_all(&layout, &doubled, &added)?,
    };
    text += &last_case(&layout, &doubled, form)?;
    if layout.context.is_some() {
        // 1/(z R), and R^2 / R twice
        text += &places.call("inverse", &["w", "Z"])?;
        text += &places.call("mul", &["w", "w", "R^2"])?.repeat(2);
    } else {
        text += &layout.powers.calls(&inversion::fermat_p192(), "chain")?;
    }
    text += &layout.ends.calls(&formulas::affine(), "affine")?;
    if layout.context.is_some() {
        text += &places.call("mul", &["end x", "end x", "unit"])?;
        text += &places.call("mul", &["end y", "end y", "unit"])?;
    }
    if form == Form::ConstantTime {
        text += &places.call("sub", &["t", "zero", "end y"])?;
        let _ = writeln!(text, "lw $t8, {}($sp)", layout.scalar + 24);
        text += &select(places, "end y", "end y", "t")?;
    }
    text += &places.call("canonical", &["result x", "end x"])?;
    text += &places.call("canonical", &["result y", "end y"])?;
    Ok(text + &tail)
}

/// The context with p and the factor; a, x, y and 1 times R.
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
    for (own, given) in [("a", "given a"), ("x", "given x"), ("own y", "given y"), ("one", "unit")] {
        text += &places.call("mul", &[own, given, "R^2"])?;
    }
    Ok(text)
}

/// A small number.
fn set(places: &Places, to: &'static str, value: u32) -> Result<String, FieldError> {
    let (base, offset) = places.of(to)?;
    let mut text = format!("addiu $t0, $0, {value}\nsw $t0, {offset}(${base})\n");
    for word in 1..6 {
        let _ = writeln!(text, "sw $0, {}(${base})", offset + 4 * word);
    }
    Ok(text)
}

/// x where the mask $t8 is 0, y where it is all ones.
fn select(places: &Places, to: &'static str, x: &'static str, y: &'static str) -> Result<String, FieldError> {
    let (to, x, y) = (places.of(to)?, places.of(x)?, places.of(y)?);
    let mut text = String::new();
    for word in (0..6).map(|word| 4 * word) {
        let _ = write!(
            text,
            "lw $t0, {}(${})\nlw $t1, {}(${})\nnop\nxor $t1, $t1, $t0\nand $t1, $t1, $t8\nxor $t1, $t1, $t0\nsw $t1, {}(${})\n",
            x.1 + word,
            x.0,
            y.1 + word,
            y.0,
            to.1 + word,
            to.0
        );
    }
    Ok(text)
}

/// The one scalar for which the formulas of addition fail, n - 2: its last addition is that of -P to (n - 1) P = -P,
/// and gives Z = 0. Then the result is -P doubled.
fn last_case(layout: &Layout, doubled: &str, form: Form) -> Result<String, FieldError> {
    let places = &layout.places;
    let (_, offset) = places.of("t")?;
    let mut text = places.call("canonical", &["t", "Z"])?;
    let _ = writeln!(text, "lw $t8, {offset}($sp)");
    for word in 1..6 {
        let _ = write!(text, "lw $t0, {}($sp)\nnop\nor $t8, $t8, $t0\n", offset + 4 * word);
    }
    let mut other = places.copy("X", "x")? + &places.copy("Y", "negative")? + &places.copy("Z", "one")?;
    // labels are those of squarings in loops, of which a doubling has none
    other += doubled;
    match form {
        Form::Published(_) => {
            let _ = write!(text, "bne $t8, $0, found\nnop\n{other}found:\n");
        }
        Form::ConstantTime => {
            text += "sltiu $s4, $t8, 1\nsubu $s4, $0, $s4\n";
            let pairs = [("kept X", "X"), ("kept Y", "Y"), ("kept Z", "Z")];
            for (kept, own) in pairs {
                text += &places.copy(kept, own)?;
            }
            text += &other;
            text += "or $t8, $s4, $0\n";
            for (kept, own) in pairs {
                text += &select(places, own, kept, own)?;
            }
        }
    }
    Ok(text)
}
