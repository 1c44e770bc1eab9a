//! Scalar multiplication on P-192 as one program: Jacobian coordinates, mixed additions.
//!
//! `void f(uint32_t r[12], const uint32_t k[6], const uint32_t p[12], const uint32_t constants[])`: r = k P in affine
//! coordinates, x first, fully reduced, for 1 <= k < n and P of order n; `constants` is a, or n, see [`Form`].

use super::calls::{ELEMENT, Places, frame};
use super::{Correction, FieldError, Library, prime};
use crate::instructions::SP;
use crate::model::Model;
use rhomb_field::formulas::{self, Formula};
use rhomb_field::inversion;
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
    /// rarely too large. Time depends on scalar and point. The constants are a, six words.
    Published,
    /// 192 digits 1 and -1, each with a doubling and an addition, of k or n - k, whichever is odd; no branch and no address
    /// depends on scalar or point. The constants are a, then n, six words each.
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
    let correction = match form {
        Form::Published => Correction::Branch,
        Form::ConstantTime => Correction::Always,
    };
    let mut text = body(doubling, form)?;
    text += &prime::multiply(model, "mul", correction)?;
    text += &prime::square(model, "sqr", correction)?;
    text += &prime::add(model, "add", correction)?;
    text += &prime::subtract(model, "sub", correction)?;
    text += &prime::half(model, "half")?;
    text += &prime::canonical(model, "canonical")?;
    Library::new(model, origin, &text)
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
}

fn layout(double: &Formula) -> Result<Layout, FieldError> {
    let mut places = Places::new();
    places.at("a", CONSTANTS, 0);
    places.at("x", POINT, 0);
    places.at("own y", POINT, ELEMENT);
    places.at("y", ADDED, 0);
    places.at("result x", RESULT, 0);
    places.at("result y", RESULT, ELEMENT);
    for slot in ["zero", "negative", "selected", "kept X", "kept Y", "kept Z", "end x", "end y"] {
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
    Ok(Layout { places, powers, ends, scalar, triple })
}

/// The function `f` without the routines that it calls.
fn body(doubling: Doubling, form: Form) -> Result<String, FieldError> {
    let double = match doubling {
        Doubling::General => formulas::double_general(),
        Doubling::MinusThree => formulas::double_minus_three(),
    };
    let layout = layout(&double)?;
    let places = &layout.places;
    let (head, tail) = frame("f", layout.ends.size());
    let mut text = head + "or $s0, $a0, $0\nor $s1, $a2, $0\nor $s6, $a3, $0\n";
    text += &match form {
        Form::Published => scalar_and_triple(&layout),
        Form::ConstantTime => odd_scalar(&layout),
    };
    text += &set(places, "zero", 0)?;
    text += &places.call("sub", &["negative", "zero", "own y"])?;
    text += &places.copy("X", "x")?;
    text += &places.copy("Y", "own y")?;
    text += &set(places, "Z", 1)?;
    let doubled = places.calls(&double, "double")?;
    let added = places.calls(&formulas::add_mixed(), "mixed")?;
    text += &match form {
        Form::Published => scan(&layout, &doubled, &added)?,
        Form::ConstantTime => scan_all(&layout, &doubled, &added)?,
    };
    text += &last_case(&layout, &doubled, form)?;
    text += &layout.powers.calls(&inversion::fermat_p192(), "chain")?;
    text += &layout.ends.calls(&formulas::affine(), "affine")?;
    if form == Form::ConstantTime {
        text += &places.call("sub", &["t", "zero", "end y"])?;
        let _ = writeln!(text, "lw $t8, {}($sp)", layout.scalar + 24);
        text += &select(places, "end y", "end y", "t")?;
    }
    text += &places.call("canonical", &["result x", "end x"])?;
    text += &places.call("canonical", &["result y", "end y"])?;
    Ok(text + &tail)
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

/// The scalar and three times the scalar in the frame.
fn scalar_and_triple(layout: &Layout) -> String {
    let mut text = "multu $0, $0\n".to_owned();
    for word in (0..6).map(|word| 4 * word) {
        let _ = write!(
            text,
            "lw $t0, {word}($a1)\nnop\nsw $t0, {}($sp)\naddau $t0, $t0\naddau $t0, $0\nmflo $t1\nsha\nsw $t1, {}($sp)\n",
            layout.scalar + word,
            layout.triple + word
        );
    }
    let _ =
        write!(text, "mflo $t1\nsw $t1, {}($sp)\nsw $0, {}($sp)\n", layout.triple + 24, layout.scalar + 24);
    text
}

/// k if it is odd, and else n - k; above it a mask that says which: all ones for n - k.
fn odd_scalar(layout: &Layout) -> String {
    let mut text = "lw $t9, 0($a1)\naddiu $t1, $0, 1\nandi $t9, $t9, 1\naddiu $t9, $t9, -1\nmultu $0, $0\naddau $t1, $0\n".to_owned();
    for word in (0..6).map(|word| 4 * word) {
        let _ = write!(
            text,
            "lw $t0, {word}($a1)\nlw $t1, {}($s6)\nnor $t2, $t0, $0\naddau $t1, $t2\nmflo $t2\nsha\nxor $t2, $t2, $t0\nand $t2, $t2, $t9\nxor $t2, $t2, $t0\nsw $t2, {}($sp)\n",
            ELEMENT + word,
            layout.scalar + word
        );
    }
    let _ = writeln!(text, "sw $t9, {}($sp)", layout.scalar + 24);
    text
}

/// Bit $s4 of what stands so many bytes above the stack pointer; takes $t0.
fn bit(to: &str, offset: usize) -> String {
    format!(
        "srl $t0, $s4, 5\nsll $t0, $t0, 2\naddu $t0, $sp, $t0\nlw {to}, {offset}($t0)\nnop\nsrlv {to}, {to}, $s4\nandi {to}, {to}, 1\n"
    )
}

/// The digits of the non-adjacent form from below the highest down to bit 1 of 3k.
fn scan(layout: &Layout, doubled: &str, added: &str) -> Result<String, FieldError> {
    let Layout { places, scalar, triple, .. } = layout;
    let (_, negative) = places.of("negative")?;
    Ok(format!(
        "addiu $s4, $0, 194
        top:
        addiu $s4, $s4, -1
        {first}
        beq $t1, $0, top
        nop
        next:
        addiu $s4, $s4, -1
        beq $s4, $0, scanned
        nop
        {doubled}
        {first}
        {second}
        subu $t1, $t1, $t2
        beq $t1, $0, next
        nop
        bltz $t1, sign
        addiu $s2, $sp, {negative}
        addiu $s2, $s1, {ELEMENT}
        sign:
        {added}
        b next
        nop
        scanned:\n",
        first = bit("$t1", *triple),
        second = bit("$t2", *scalar),
    ))
}

/// 191 digits after the first.
fn scan_all(layout: &Layout, doubled: &str, added: &str) -> Result<String, FieldError> {
    let Layout { places, scalar, .. } = layout;
    let (_, selected) = places.of("selected")?;
    Ok(format!(
        "addiu $s4, $0, 191
        addiu $s2, $sp, {selected}
        next:
        {doubled}
        {bit}
        addiu $t8, $t2, -1
        {select}
        {added}
        addiu $s4, $s4, -1
        bne $s4, $0, next
        nop\n",
        bit = bit("$t2", *scalar),
        select = select(places, "selected", "own y", "negative")?,
    ))
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
    let mut other = places.copy("X", "x")? + &places.copy("Y", "negative")? + &set(places, "Z", 1)?;
    // labels are those of squarings in loops, of which a doubling has none
    other += doubled;
    match form {
        Form::Published => {
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
