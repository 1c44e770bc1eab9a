//! One instruction as text: mnemonics and operands, in the spelling of a dialect.

use super::mnemonics;
use super::spelling::Spelling;
use crate::extension::{Extension, Singles};
use crate::instructions::{
    Action, Address, Condition, Indexing, Instruction, Later, Offset, Register, ShiftKind, Shifter,
};
use crate::later::Bits;
use crate::unpredictable::unaligned_pc;
use rhomb_machine::syntax::Unsayable;
use smallvec::SmallVec;
use std::fmt::Write;

const NAMED: [(Register, &str); 3] = [(13, "sp"), (14, "lr"), (15, "pc")];

pub(super) const SHIFTS: [&str; 4] = ["lsl", "lsr", "asr", "ror"];

/// A number in its plain decimal form: no sign, no leading zero.
pub(super) fn plain_number(digits: &str) -> Option<u8> {
    let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
    (plain && (digits == "0" || !digits.starts_with('0'))).then(|| digits.parse().ok()).flatten()
}

/// The register of a name in lower case.
pub(super) fn register(name: &str) -> Option<Register> {
    let named = NAMED.iter().find(|(_, known)| *known == name).map(|(register, _)| *register);
    named.or_else(|| name.strip_prefix('r').and_then(plain_number).filter(|number| *number < 16))
}

/// Appends an instruction, without indentation or newline; `target` is the label of the place that it names.
/// What was appended before an error is of no use.
pub(super) fn write(
    text: &mut String,
    spelling: &Spelling,
    instruction: &Instruction,
    target: Option<&str>,
) -> Result<(), Unsayable> {
    let mut writer = Writer { text, spelling };
    let name = mnemonics::name(&instruction.action, spelling.thumb.is_some()).ok_or(Unsayable::Form)?;
    writer.word(&name);
    writer.word(instruction.condition.suffix());
    writer.text.push(' ');
    writer.operands(&instruction.action, target)
}

struct Writer<'a> {
    text: &'a mut String,
    spelling: &'a Spelling,
}

impl Writer<'_> {
    /// In the case of mnemonics.
    fn word(&mut self, word: &str) {
        let upper = self.spelling.upper;
        self.text.extend(word.chars().map(|letter| if upper { letter.to_ascii_uppercase() } else { letter }));
    }

    fn plain(&mut self, arguments: std::fmt::Arguments<'_>) {
        // writing to a String cannot fail
        let _ = self.text.write_fmt(arguments);
    }

    fn comma(&mut self) {
        self.text.push_str(", ");
    }

    fn register(&mut self, register: Register) {
        let upper = self.spelling.upper_registers;
        match NAMED.iter().find(|(known, _)| *known == register) {
            Some((_, name)) if upper => self.text.push_str(&name.to_ascii_uppercase()),
            Some((_, name)) => self.text.push_str(name),
            None => self.plain(format_args!("{}{register}", if upper { 'R' } else { 'r' })),
        }
    }

    fn registers(&mut self, registers: &[Register]) {
        for (index, register) in registers.iter().enumerate() {
            if index != 0 {
                self.comma();
            }
            self.register(*register);
        }
    }

    fn number(&mut self, number: u32) {
        match number {
            0..256 => self.plain(format_args!("#{number}")),
            _ => self.plain(format_args!("#{number:#x}")),
        }
    }

    fn operands(&mut self, action: &Action, target: Option<&str>) -> Result<(), Unsayable> {
        match *action {
            Action::Data { op, rd, rn, operand, .. } => {
                if op.keeps_result() {
                    self.register(rd);
                    self.comma();
                }
                if op.has_first() {
                    self.register(rn);
                    self.comma();
                }
                self.shifter(&operand)?;
            }
            Action::Multiply { rd, rm, rs, rn, .. } => {
                self.registers(&[rd, rm, rs]);
                if let Some(rn) = rn {
                    self.comma();
                    self.register(rn);
                }
            }
            Action::LongMultiply { low, high, rm, rs, .. }
            | Action::DoubleAccumulate { low, high, rm, rs } => {
                self.registers(&[low, high, rm, rs]);
            }
            Action::Later(later) => self.later(&later, target)?,
            // GNU as refuses it
            Action::Transfer { rd, address, .. } if unaligned_pc(rd, &address) => {
                return Err(Unsayable::Form);
            }
            Action::Transfer { rd, address, .. } => {
                self.register(rd);
                self.comma();
                self.address(&address)?;
            }
            Action::Block { rn, write_back, registers, user, .. } => {
                if !mnemonics::is_push_or_pop(action, self.spelling.thumb.is_some()) {
                    self.register(rn);
                    self.text.push_str(if write_back { "!, " } else { ", " });
                }
                self.list(registers);
                if user {
                    self.text.push('^');
                }
            }
            Action::Swap { rd, rm, rn, .. } => {
                self.registers(&[rd, rm]);
                self.text.push_str(", [");
                self.register(rn);
                self.text.push(']');
            }
            Action::Branch { distance, .. } => self.target(distance, target)?,
            Action::BranchExchange { rm } => self.register(rm),
            Action::ReadStatus { saved, rd } => {
                self.register(rd);
                self.comma();
                self.status(saved);
            }
            Action::WriteStatus { saved, fields, operand } => {
                self.status(saved);
                self.text.push('_');
                for (bit, letter) in [(8, "f"), (4, "s"), (2, "x"), (1, "c")] {
                    if fields & bit != 0 {
                        self.text.push_str(letter);
                    }
                }
                self.comma();
                // the rotation cannot be chosen here
                match operand {
                    Shifter::Immediate { .. } => self.own_number(&operand)?,
                    _ => self.shifter(&operand)?,
                }
            }
            Action::SoftwareInterrupt { number } => self.number(number),
            Action::Coprocessor { .. } | Action::Literal(_) => return Err(Unsayable::Form),
        }
        Ok(())
    }

    fn later(&mut self, later: &Later, target: Option<&str>) -> Result<(), Unsayable> {
        match *later {
            Later::MoveTop { rd, number } => {
                self.register(rd);
                self.comma();
                self.number(number.into());
            }
            Later::BitField { op, rd, rn, low, width } => {
                self.registers(&[rd, rn][..if op == Bits::Clear { 1 } else { 2 }]);
                self.plain(format_args!(", #{low}, #{width}"));
            }
            Later::Unary { rd, rm, .. } => self.registers(&[rd, rm]),
            Later::Extend { rd, rn, rm, rotation, .. } => {
                self.register(rd);
                self.comma();
                if let Some(rn) = rn {
                    self.register(rn);
                    self.comma();
                }
                self.shifted(rm, ShiftKind::Ror, rotation);
            }
            Later::Pack { top, rd, rn, rm, amount } => {
                self.registers(&[rd, rn]);
                self.comma();
                self.shifted(rm, if top { ShiftKind::Asr } else { ShiftKind::Lsl }, amount);
            }
            Later::Halves { rd, rn, rm, ra, .. } => match ra {
                Some(ra) => self.registers(&[rd, rn, rm, ra]),
                None => self.registers(&[rd, rn, rm]),
            },
            Later::MultiplySubtract { rd, rn, rm, ra } => self.registers(&[rd, rn, rm, ra]),
            Later::Double { rd, second, address, .. } => {
                self.registers(&[rd, second]);
                self.comma();
                self.address(&address)?;
            }
            Later::CompareBranch { rn, distance, .. } => {
                self.register(rn);
                self.comma();
                self.target(distance, target)?;
            }
            Later::CallExchange { rm } => self.register(rm),
            Later::If { first, .. } => {
                let always = if first == Condition::Al { "al" } else { "" };
                self.word(first.suffix());
                self.word(always);
            }
            Later::Nothing(_) => {}
            Later::Extension(extension) => self.extension(&extension)?,
        }
        Ok(())
    }

    fn extension(&mut self, extension: &Extension) -> Result<(), Unsayable> {
        match *extension {
            Extension::Move { read, rt, second, singles } => {
                let core: SmallVec<[Register; 2]> = [Some(rt), second].into_iter().flatten().collect();
                if read {
                    self.registers(&core);
                    self.comma();
                    self.singles(singles, ", ");
                } else {
                    self.singles(singles, ", ");
                    self.comma();
                    self.registers(&core);
                }
            }
            Extension::Transfer { singles, address, .. } => {
                self.singles(singles, ", ");
                self.comma();
                self.address(&address)?;
            }
            Extension::Block { rn, write_back, singles, .. } => {
                if !extension.is_push_or_pop() {
                    self.register(rn);
                    self.text.push_str(if write_back { "!, " } else { ", " });
                }
                self.text.push('{');
                self.singles(singles, "-");
                self.text.push('}');
            }
        }
        Ok(())
    }

    /// The first and the last of registers of the extension.
    fn singles(&mut self, singles: Singles, between: &str) {
        let (letter, size) = if singles.double { ('d', 2) } else { ('s', 1) };
        let letter = if self.spelling.upper_registers { letter.to_ascii_uppercase() } else { letter };
        let (first, last) = (singles.first / size, (singles.first + singles.count).div_ceil(size) - 1);
        self.plain(format_args!("{letter}{first}"));
        if last > first {
            self.plain(format_args!("{between}{letter}{last}"));
        }
    }

    fn target(&mut self, distance: i32, target: Option<&str>) -> Result<(), Unsayable> {
        match target {
            Some(label) => self.text.push_str(label),
            None if self.spelling.distances => self.plain(format_args!(".{distance:+}")),
            None => return Err(Unsayable::Outside),
        }
        Ok(())
    }

    fn status(&mut self, saved: bool) {
        self.text.push_str(if saved { "SPSR" } else { "CPSR" });
    }

    /// A number in the form that assemblers choose.
    fn own_number(&mut self, operand: &Shifter) -> Result<(), Unsayable> {
        let number = operand.value().filter(|number| Shifter::number(*number) == Some(*operand));
        self.number(number.ok_or(Unsayable::Form)?);
        Ok(())
    }

    fn shifter(&mut self, operand: &Shifter) -> Result<(), Unsayable> {
        match *operand {
            Shifter::Immediate { value, rotation } => match self.own_number(operand) {
                Err(_) if self.spelling.any_form => {
                    self.plain(format_args!("#{value}, {}", 2 * u32::from(rotation)));
                }
                result => result?,
            },
            Shifter::Number(number) => self.number(number),
            Shifter::Register { rm, kind, amount } => self.shifted(rm, kind, amount),
            Shifter::Rrx { rm } => self.rotated(rm),
            Shifter::ByRegister { rm, kind, rs } => {
                self.register(rm);
                self.comma();
                self.word(SHIFTS[kind as usize]);
                self.text.push(' ');
                self.register(rs);
            }
        }
        Ok(())
    }

    fn shifted(&mut self, rm: Register, kind: ShiftKind, amount: u8) {
        self.register(rm);
        if amount != 0 {
            self.comma();
            self.word(SHIFTS[kind as usize]);
            self.plain(format_args!(" #{amount}"));
        }
    }

    fn rotated(&mut self, rm: Register) {
        self.register(rm);
        self.comma();
        self.word("rrx");
    }

    fn address(&mut self, address: &Address) -> Result<(), Unsayable> {
        let Address { rn, up, offset, indexing } = *address;
        self.text.push('[');
        self.register(rn);
        if matches!(indexing, Indexing::After | Indexing::AfterAsUser) {
            self.text.push(']');
        }
        if !(indexing == Indexing::Offset && up && offset == Offset::Immediate(0)) {
            self.comma();
            self.offset(up, &offset)?;
        }
        match indexing {
            Indexing::Offset => self.text.push(']'),
            Indexing::Before => self.text.push_str("]!"),
            Indexing::After | Indexing::AfterAsUser => {}
        }
        Ok(())
    }

    fn offset(&mut self, up: bool, offset: &Offset) -> Result<(), Unsayable> {
        let sign = if up { "" } else { "-" };
        match *offset {
            Offset::Immediate(0) if !up && !self.spelling.any_form => return Err(Unsayable::Form),
            Offset::Immediate(number) => self.plain(format_args!("#{sign}{number}")),
            Offset::Register { rm, kind, amount } => {
                self.text.push_str(sign);
                self.shifted(rm, kind, amount);
            }
            Offset::Rrx { rm } => {
                self.text.push_str(sign);
                self.rotated(rm);
            }
        }
        Ok(())
    }

    /// Three or more of r0 to r12 in a row as `r4-r6`.
    fn list(&mut self, registers: u16) {
        self.text.push('{');
        let listed = |register: Register| register < 16 && registers >> register & 1 != 0;
        let (mut register, mut first) = (0, true);
        while register < 16 {
            if !listed(register) {
                register += 1;
                continue;
            }
            if !first {
                self.comma();
            }
            first = false;
            let mut last = register;
            while last < 12 && listed(last + 1) {
                last += 1;
            }
            self.register(register);
            if last >= register + 2 {
                self.text.push('-');
                self.register(last);
                register = last;
            }
            register += 1;
        }
        self.text.push('}');
    }
}
