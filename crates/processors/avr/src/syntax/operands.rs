//! One instruction as text: mnemonics and operands, in the spelling of a dialect.

use crate::instructions::{Instruction, Op, Operand};
use rhomb_machine::syntax::Unsayable;
use std::fmt::Write;

/// How a dialect spells what others spell otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// Mnemonics and registers in upper case.
    pub(crate) upper: bool,
    /// Pairs as `R25:R24`; otherwise by their low register.
    pub(crate) pairs: bool,
    /// Targets without a label can be written: `.+4` from the instruction after this one, in bytes, and
    /// addresses in bytes.
    pub(crate) distances: bool,
}

/// Mnemonics of BRBS, BRBC, BSET and BCLR by flag (DS40002198, section 5: conditional branch summary and
/// bit instructions).
const BRANCH_SET: [&str; 8] = ["brcs", "breq", "brmi", "brvs", "brlt", "brhs", "brts", "brie"];
const BRANCH_CLEAR: [&str; 8] = ["brcc", "brne", "brpl", "brvc", "brge", "brhc", "brtc", "brid"];
const FLAG_SET: [&str; 8] = ["sec", "sez", "sen", "sev", "ses", "seh", "set", "sei"];
const FLAG_CLEAR: [&str; 8] = ["clc", "clz", "cln", "clv", "cls", "clh", "clt", "cli"];

/// Mnemonics that fix the flag.
const BY_FLAG: [(Op, &[&str; 8]); 4] =
    [(Op::Brbs, &BRANCH_SET), (Op::Brbc, &BRANCH_CLEAR), (Op::Bset, &FLAG_SET), (Op::Bclr, &FLAG_CLEAR)];

/// Mnemonics for both registers the same.
const ONE_REGISTER: [(Op, &str); 3] = [(Op::Eor, "clr"), (Op::Add, "lsl"), (Op::Adc, "rol")];

/// A mnemonic that leaves out an operand: the instruction, and the flag where that is what it fixes. With
/// `None` it is the second register, the same as the first.
pub(super) fn short_form(mnemonic: &str) -> Option<(Op, Option<u8>)> {
    if let Some((op, _)) = ONE_REGISTER.iter().find(|(_, short)| *short == mnemonic) {
        return Some((*op, None));
    }
    BY_FLAG.iter().find_map(|(op, names)| {
        let flag = names.iter().position(|name| *name == mnemonic)?;
        Some((*op, Some(flag as u8)))
    })
}

/// Mnemonic and operands as they are written, shortest form.
fn parts(instruction: &Instruction) -> (&'static str, Vec<Operand>) {
    let row = instruction.op.row();
    let same = instruction.d == instruction.r;
    if let Some((_, short)) = ONE_REGISTER.iter().find(|(op, _)| *op == instruction.op && same) {
        return (short, vec![Operand::D]);
    }
    if let Some((_, names)) = BY_FLAG.iter().find(|(op, _)| *op == instruction.op) {
        let operands = row.operands.iter().copied().filter(|operand| *operand != Operand::Flag);
        return (names[usize::from(instruction.b & 7)], operands.collect());
    }
    // LDD and STD without a displacement
    let plain = matches!(instruction.op, Op::LddY | Op::LddZ | Op::StdY | Op::StdZ) && instruction.k == 0;
    (if plain { &row.mnemonic[..2] } else { row.mnemonic }, row.operands.to_vec())
}

/// Appends an instruction; `label` is that of the place that it names.
pub(super) fn write(
    text: &mut String,
    spelling: &Spelling,
    instruction: &Instruction,
    label: Option<&str>,
) -> Result<(), Unsayable> {
    let (mnemonic, operands) = parts(instruction);
    text.extend(
        mnemonic.chars().map(|letter| if spelling.upper { letter.to_ascii_uppercase() } else { letter }),
    );
    let register = if spelling.upper { 'R' } else { 'r' };
    let pair = |text: &mut String, low: u8| match spelling.pairs {
        true => write!(text, "{register}{}:{register}{low}", low + 1),
        false => write!(text, "{register}{low}"),
    };
    let Instruction { d, r, b, k, .. } = *instruction;
    for (index, operand) in operands.into_iter().enumerate() {
        text.push_str(if index == 0 { " " } else { ", " });
        // writing to a String cannot fail
        let _ = match operand {
            Operand::D | Operand::DHigh | Operand::DMid => write!(text, "{register}{d}"),
            Operand::R | Operand::RHigh | Operand::RMid => write!(text, "{register}{r}"),
            Operand::DPair | Operand::DWord => pair(text, d),
            Operand::RPair => pair(text, r),
            Operand::K8 | Operand::K6 => write!(text, "{k}"),
            Operand::Io | Operand::Data => write!(text, "{k:#x}"),
            Operand::Bit | Operand::Flag => write!(text, "{b}"),
            Operand::Relative | Operand::Absolute if label.is_some() => {
                write!(text, "{}", label.unwrap_or_default())
            }
            Operand::Relative | Operand::Absolute if !spelling.distances => return Err(Unsayable::Outside),
            Operand::Relative => write!(text, ".{:+}", 2 * k),
            Operand::Absolute => write!(text, "{:#x}", 2 * k),
            Operand::X => write!(text, "X"),
            Operand::XInc => write!(text, "X+"),
            Operand::XDec => write!(text, "-X"),
            Operand::YInc => write!(text, "Y+"),
            Operand::YDec => write!(text, "-Y"),
            Operand::Z => write!(text, "Z"),
            Operand::ZInc => write!(text, "Z+"),
            Operand::ZDec => write!(text, "-Z"),
            Operand::YDisp if k == 0 => write!(text, "Y"),
            Operand::ZDisp if k == 0 => write!(text, "Z"),
            Operand::YDisp => write!(text, "Y+{k}"),
            Operand::ZDisp => write!(text, "Z+{k}"),
        };
    }
    Ok(())
}
