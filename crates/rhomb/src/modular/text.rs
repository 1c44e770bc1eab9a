//! What the files of a program say about it.

use super::{ModularOperation, ModularProgram, Workspace};
use rhomb_targets::modular::ModulusPlaces;

/// The C prototype, without semicolon.
pub(super) fn prototype(
    operation: ModularOperation,
    program: &ModularProgram,
    name: &str,
    word_bits: u32,
) -> String {
    let (words, word) = (program.words, format!("uint{word_bits}_t"));
    let mut arguments = vec![format!("{word} r[{words}]")];
    let operands = program.operands(operation).into_iter();
    arguments.extend(operands.map(|(name, length)| format!("const {word} {name}[{length}]")));
    if let Some(Workspace { words, .. }) = program.workspace {
        arguments.push(format!("{word} w[{words}]"));
    }
    format!("void {name}({})", arguments.join(", "))
}

/// What it computes and asks for, one sentence a line.
pub(super) fn rules(operation: ModularOperation, program: &ModularProgram, word_bits: u32) -> Vec<String> {
    let words = program.words;
    let radix = word_bits as usize * words;
    let mut lines = match operation {
        ModularOperation::Multiply => vec![
            format!("r = a * b / R mod n, with R = 2^{radix}: Montgomery multiplication."),
            "a and b are any numbers below R; r is below R, not always below n.".to_owned(),
        ],
        ModularOperation::Square => vec![
            format!("r = a * a / R mod n, with R = 2^{radix}: Montgomery squaring."),
            "a is any number below R; r is below R, not always below n.".to_owned(),
        ],
        ModularOperation::Reduce => vec![
            format!("r = a / R mod n, with R = 2^{radix}: Montgomery reduction."),
            format!("a is any number of {} words; r is below R, not always below n.", 2 * words),
        ],
        ModularOperation::Exponentiate => {
            let (e, operands) = match program.exponent {
                Some(exponent) => (exponent.to_string(), "b is any number"),
                None => ("e".to_owned(), "b and e are any numbers"),
            };
            vec![
                format!("r = b^{e} mod n, below n: modular exponentiation."),
                format!("{operands} of {radix} bits; n is odd and has its highest bit set."),
            ]
        }
        ModularOperation::Private => {
            let half = words / 2;
            vec![
                format!("r = c^d mod p q, below p q: RSA of {radix} bits by a private key; RFC 8017, section 5.1.2, step 2b."),
                format!("key = p, q, dp, dq and qinv of {half} words each, one behind the other: p and q are odd and have their"),
                "highest bits set, dp = d mod p - 1, dq = d mod q - 1, and qinv = 1 / q mod p; c is any number.".to_owned(),
                "Who fears faults raises r to the public exponent and compares before r leaves: a wrong r tells p and q.".to_owned(),
                "Secrets stay on the stack after the return: it is not wiped.".to_owned(),
            ]
        }
    };
    lines.push(format!("Numbers have {words} words of {word_bits} bits, the least significant word first."));
    lines.push(match program.workspace {
        Some(_) => "r and w must not overlap each other or the operands.".to_owned(),
        None => "r must not overlap the operands.".to_owned(),
    });
    match program.workspace {
        Some(Workspace { words, modulus: Some(ModulusPlaces { complement, inverse }) }) => {
            lines.push(format!(
                "w is a workspace of {words} words: the caller puts n, which is odd, at w[0], R - n at w[{complement}], and"
            ));
            lines.push(format!(
                "-1/n mod 2^{word_bits} at w[{inverse}]; these stay as they are, what else is in it does not matter and changes."
            ));
        }
        Some(Workspace { words, modulus: None }) => {
            lines.push(format!("w is a workspace of {words} words, whatever is in it."));
        }
        None => {}
    }
    if program.workspace.is_some() {
        lines.push("Secrets stay in w after the return: it is not wiped.".to_owned());
    }
    lines
}
