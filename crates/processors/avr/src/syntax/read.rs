//! One instruction from its text.

use super::operands::{Spelling, short_form};
use crate::encode::encode;
use crate::instructions::{Instruction, Op, Operand, ROWS};
use rhomb_machine::syntax::{self, Goal, is_symbol, shown};

/// The instruction of a mnemonic in lower case and its operands. Where it names a place, its distance or
/// address is still open.
pub(super) fn instruction(
    spelling: &Spelling,
    mnemonic: &str,
    operands: &str,
) -> Result<(Instruction, Option<Goal>), String> {
    let given: Vec<&str> = match operands {
        "" => Vec::new(),
        operands => operands.split(',').map(str::trim).collect(),
    };
    let mut forms: Vec<(Op, Vec<Operand>, Option<u8>)> = Vec::new();
    let mut twice = false;
    if let Some((op, flag)) = short_form(mnemonic) {
        twice = flag.is_none();
        let left_out = if twice { Operand::R } else { Operand::Flag };
        let operands = op.row().operands.iter().copied().filter(|operand| *operand != left_out);
        forms.push((op, operands.collect(), flag));
    }
    let plain = matches!(mnemonic, "ld" | "st");
    for row in ROWS {
        // LD and ST with Y and Z are LDD and STD without a displacement
        let displaced = matches!(row.op, Op::LddY | Op::LddZ | Op::StdY | Op::StdZ);
        if row.mnemonic == mnemonic || plain && displaced && &row.mnemonic[..2] == mnemonic {
            forms.push((row.op, row.operands.to_vec(), None));
        }
    }
    if forms.is_empty() {
        return Err(format!("{} is neither an instruction nor a directive", shown(mnemonic)));
    }
    for (op, operands, flag) in &forms {
        if operands.len() != given.len() {
            continue;
        }
        let mut instruction = Instruction { b: flag.unwrap_or(0), ..Instruction::new(*op) };
        let mut goal = None;
        let fits = operands.iter().zip(&given).all(|(operand, text)| {
            let one = Reader { spelling, displaced: !plain };
            one.read(*operand, text, &mut instruction, &mut goal)
        });
        if !fits {
            continue;
        }
        if twice {
            instruction.r = instruction.d;
        }
        if goal.is_none() {
            encode(&instruction).map_err(|error| error.to_string())?;
        }
        return Ok((instruction, goal));
    }
    Err(format!("{} does not take the operands {}", shown(mnemonic), shown(operands)))
}

/// Reads operands.
struct Reader<'a> {
    spelling: &'a Spelling,
    /// Whether `Y+1` may stand where an instruction has a displacement; otherwise it is `Y`.
    displaced: bool,
}

impl Reader<'_> {
    /// Puts the operand into the instruction; `false` where the text is none.
    fn read(
        &self,
        operand: Operand,
        text: &str,
        instruction: &mut Instruction,
        goal: &mut Option<Goal>,
    ) -> bool {
        let Instruction { d, r, b, k, .. } = instruction;
        let set = |field: &mut u8, value: Option<u8>| value.map(|value| *field = value).is_some();
        let constant = |field: &mut i32, value: Option<i32>| value.map(|value| *field = value).is_some();
        match operand {
            Operand::D | Operand::DHigh | Operand::DMid => set(d, self.register(text)),
            Operand::R | Operand::RHigh | Operand::RMid => set(r, self.register(text)),
            Operand::DPair | Operand::DWord => set(d, self.pair(text)),
            Operand::RPair => set(r, self.pair(text)),
            Operand::K8 | Operand::K6 | Operand::Io | Operand::Data => constant(k, number(text)),
            Operand::Bit | Operand::Flag => set(b, number(text).and_then(|value| u8::try_from(value).ok())),
            Operand::Relative | Operand::Absolute => {
                *goal = self.goal(operand, text);
                goal.is_some()
            }
            Operand::X => text == "X",
            Operand::XInc => text == "X+",
            Operand::XDec => text == "-X",
            Operand::YInc => text == "Y+",
            Operand::YDec => text == "-Y",
            Operand::Z => text == "Z",
            Operand::ZInc => text == "Z+",
            Operand::ZDec => text == "-Z",
            Operand::YDisp => constant(k, self.displacement(text, "Y")),
            Operand::ZDisp => constant(k, self.displacement(text, "Z")),
        }
    }

    fn register(&self, text: &str) -> Option<u8> {
        let digits = text.strip_prefix(if self.spelling.upper { 'R' } else { 'r' })?;
        let plain =
            digits.bytes().all(|digit| digit.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
        digits.parse().ok().filter(|number| plain && *number < 32)
    }

    /// The low register.
    fn pair(&self, text: &str) -> Option<u8> {
        if !self.spelling.pairs {
            return self.register(text);
        }
        let (high, low) = text.split_once(':')?;
        let low = self.register(low)?;
        (self.register(high)? == low + 1).then_some(low)
    }

    fn displacement(&self, text: &str, pointer: &str) -> Option<i32> {
        let rest = text.strip_prefix(pointer)?;
        match self.displaced {
            true => number(rest.strip_prefix('+')?),
            false => rest.is_empty().then_some(0),
        }
    }

    fn goal(&self, operand: Operand, text: &str) -> Option<Goal> {
        let halved = |bytes: i32| (bytes % 2 == 0).then_some(bytes / 2);
        if self.spelling.distances {
            match (operand, text.strip_prefix('.')) {
                (Operand::Relative, Some(rest)) if rest.starts_with(['+', '-']) => {
                    return rest.parse().ok().and_then(halved).map(Goal::Number);
                }
                (Operand::Absolute, _) if text.starts_with("0x") => {
                    return number(text).and_then(halved).map(Goal::Number);
                }
                _ => {}
            }
        }
        is_symbol(text).then(|| Goal::Label(text.to_owned()))
    }
}

/// A number without a sign: `12`, `0x3f`.
fn number(text: &str) -> Option<i32> {
    syntax::number(text).and_then(|number| i32::try_from(number).ok())
}
