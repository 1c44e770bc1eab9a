//! One instruction from its text.

use super::mnemonics;
use super::operands::{SHIFTS, plain_number, register};
use super::spelling::Spelling;
use crate::extension::{Extension, Singles};
use crate::instructions::{
    Action, Address, Indexing, Instruction, Later, Offset, Register, SP, ShiftKind, Shifter, Size,
};
use crate::later::Bits;
use rhomb_machine::syntax::{Goal, is_symbol, number, shown};

/// The instruction of a mnemonic in lower case and its operands. Where it names a place, its distance is
/// still open.
pub(super) fn instruction(
    spelling: &Spelling,
    mnemonic: &str,
    operands: &str,
) -> Result<(Instruction, Option<Goal>), String> {
    let found = mnemonics::find(mnemonic);
    let (sample, condition) =
        found.ok_or_else(|| format!("{} is neither an instruction nor a directive", shown(mnemonic)))?;
    let mut cursor = Cursor { rest: operands, spelling };
    let read = cursor.action(mnemonic, sample).filter(|_| cursor.rest.trim().is_empty());
    match read {
        Some((action, goal)) => Ok((Instruction { condition, action }, goal)),
        None => Err(format!("{} does not take the operands {}", shown(mnemonic), shown(operands))),
    }
}

/// Reads operands from the left.
struct Cursor<'a> {
    rest: &'a str,
    spelling: &'a Spelling,
}

impl<'a> Cursor<'a> {
    fn action(&mut self, mnemonic: &str, sample: Action) -> Option<(Action, Option<Goal>)> {
        let mut goal = None;
        let action = match sample {
            Action::Data { op, set, .. } => {
                let rd = if op.keeps_result() { self.first()? } else { 0 };
                let rn = if op.has_first() { self.first()? } else { 0 };
                Action::Data { op, set, rd, rn, operand: self.shifter()? }
            }
            Action::Multiply { set, rn, .. } => {
                let (rd, rm, rs) = (self.first()?, self.first()?, self.register()?);
                let rn = match rn {
                    Some(_) => Some(self.next()?),
                    None => None,
                };
                Action::Multiply { set, rd, rm, rs, rn }
            }
            Action::LongMultiply { signed, accumulate, set, .. } => {
                let (low, high, rm) = (self.first()?, self.first()?, self.first()?);
                Action::LongMultiply { signed, accumulate, set, low, high, rm, rs: self.register()? }
            }
            Action::DoubleAccumulate { .. } => {
                let (low, high, rm) = (self.first()?, self.first()?, self.first()?);
                Action::DoubleAccumulate { low, high, rm, rs: self.register()? }
            }
            Action::Transfer { load, size, address, .. } => {
                let rd = self.first()?;
                let user = address.indexing == Indexing::AfterAsUser;
                Action::Transfer { load, size, rd, address: self.address(size, user)? }
            }
            Action::Block { load, mode, .. } => {
                let stack = mnemonic.starts_with('p');
                let rn = if stack { SP } else { self.register()? };
                let write_back = stack || self.take("!");
                if !stack {
                    self.comma()?;
                }
                let registers = self.list()?;
                // of one register these are STR and LDR
                if stack && registers.count_ones() < 2 && self.spelling.thumb.is_none() {
                    return None;
                }
                let user = !stack && self.take("^");
                Action::Block { load, rn, write_back, mode, registers, user }
            }
            Action::Swap { byte, .. } => {
                let (rd, rm) = (self.first()?, self.first()?);
                self.expect("[")?;
                let rn = self.register()?;
                self.expect("]")?;
                Action::Swap { byte, rd, rm, rn }
            }
            Action::Branch { link, .. } => {
                goal = Some(self.goal()?);
                Action::Branch { link, distance: 0 }
            }
            Action::BranchExchange { .. } => Action::BranchExchange { rm: self.register()? },
            Action::ReadStatus { .. } => {
                let rd = self.first()?;
                Action::ReadStatus { saved: self.status()?, rd }
            }
            Action::WriteStatus { .. } => {
                let saved = self.status()?;
                self.expect("_")?;
                let mut fields = 0;
                for (bit, letter) in [(8, "f"), (4, "s"), (2, "x"), (1, "c")] {
                    if self.take(letter) {
                        fields |= bit;
                    }
                }
                self.comma()?;
                let operand = match self.rest.starts_with('#') {
                    true => Shifter::number(self.number()?)?,
                    false => Shifter::plain(self.register()?),
                };
                Action::WriteStatus { saved, fields, operand }
            }
            Action::SoftwareInterrupt { .. } => Action::SoftwareInterrupt { number: self.number()? },
            Action::Later(later) => Action::Later(self.later(later, &mut goal)?),
            Action::Coprocessor { .. } | Action::Literal(_) => return None,
        };
        Some((action, goal))
    }

    fn later(&mut self, sample: Later, goal: &mut Option<Goal>) -> Option<Later> {
        Some(match sample {
            Later::MoveTop { .. } => {
                Later::MoveTop { rd: self.first()?, number: u16::try_from(self.number()?).ok()? }
            }
            Later::BitField { op, .. } => {
                let rd = self.first()?;
                let rn = if op == Bits::Clear { 0 } else { self.first()? };
                let low = u8::try_from(self.number()?).ok()?;
                self.comma()?;
                Later::BitField { op, rd, rn, low, width: u8::try_from(self.number()?).ok()? }
            }
            Later::Unary { op, .. } => {
                let rd = self.first()?;
                match self.extended()? {
                    (rm, 0) => Later::Unary { op, rd, rm },
                    (rm, rotation) => Later::Extend { op, rd, rn: None, rm, rotation },
                }
            }
            Later::Extend { op, .. } => {
                let (rd, rn) = (self.first()?, Some(self.first()?));
                let (rm, rotation) = self.extended()?;
                Later::Extend { op, rd, rn, rm, rotation }
            }
            Later::Pack { top, .. } => {
                let (rd, rn) = (self.first()?, self.first()?);
                match (top, self.shifted(false)?) {
                    (false, Shifted::By { rm, kind: ShiftKind::Lsl, amount })
                    | (true, Shifted::By { rm, kind: ShiftKind::Asr, amount }) => {
                        Later::Pack { top, rd, rn, rm, amount }
                    }
                    // without a shift it is the other one, with its registers exchanged
                    (true, Shifted::By { rm, kind: ShiftKind::Lsl, amount: 0 }) => {
                        Later::Pack { top: false, rd, rn: rm, rm: rn, amount: 0 }
                    }
                    _ => return None,
                }
            }
            Later::Halves { tops, ra, .. } => {
                let (rd, rn, rm) = (self.first()?, self.first()?, self.register()?);
                let ra = match ra {
                    Some(_) => {
                        self.comma()?;
                        Some(self.register()?)
                    }
                    None => None,
                };
                Later::Halves { rd, rn, rm, tops, ra }
            }
            Later::MultiplySubtract { .. } => {
                let (rd, rn, rm) = (self.first()?, self.first()?, self.first()?);
                Later::MultiplySubtract { rd, rn, rm, ra: self.register()? }
            }
            Later::Double { load, .. } => {
                let (rd, second) = (self.first()?, self.first()?);
                Later::Double { load, rd, second, address: self.address(Size::Word, false)? }
            }
            Later::CompareBranch { nonzero, .. } => {
                let rn = self.first()?;
                *goal = Some(self.goal()?);
                Later::CompareBranch { nonzero, rn, distance: 0 }
            }
            Later::CallExchange { .. } => Later::CallExchange { rm: self.register()? },
            Later::Nothing(nothing) => Later::Nothing(nothing),
            Later::Extension(extension) => Later::Extension(self.extension(extension)?),
            Later::If { .. } => return None,
        })
    }

    /// A register, and by how many places it is rotated to the right.
    fn extended(&mut self) -> Option<(Register, u8)> {
        match self.shifted(false)? {
            Shifted::By { rm, kind: ShiftKind::Lsl, amount: 0 } => Some((rm, 0)),
            Shifted::By { rm, kind: ShiftKind::Ror, amount } => Some((rm, amount)),
            _ => None,
        }
    }

    fn extension(&mut self, sample: Extension) -> Option<Extension> {
        Some(match sample {
            Extension::Move { .. } => {
                let read = self.rest.starts_with(['r', 'R', 'l', 'L']);
                let (own, core) = if read {
                    let core = self.words(Self::register)?;
                    self.comma()?;
                    (self.words(Self::single)?, core)
                } else {
                    let own = self.words(Self::single)?;
                    self.comma()?;
                    (own, self.words(Self::register)?)
                };
                let singles = match own[..] {
                    [one] => one,
                    [one, other] if !one.double && !other.double && other.first == one.first + 1 => {
                        Singles { count: 2, ..one }
                    }
                    _ => return None,
                };
                let [rt, ref more @ ..] = core[..] else { return None };
                (core.len() == usize::from(singles.count)).then_some(())?;
                Extension::Move { read, rt, second: more.first().copied(), singles }
            }
            Extension::Transfer { load, .. } => {
                let singles = self.single()?;
                self.comma()?;
                Extension::Transfer { load, singles, address: self.address(Size::Word, false)? }
            }
            Extension::Block { load, rn, mode, .. } => {
                let stack = rn == SP;
                let rn = if stack { SP } else { self.register()? };
                let write_back = stack || self.take("!");
                if !stack {
                    self.comma()?;
                }
                self.expect("{")?;
                let first = self.single()?;
                let last = if self.take("-") { self.single()? } else { first };
                self.expect("}")?;
                let count = (last.first + last.count).checked_sub(first.first)?;
                (first.double == last.double && count > 0).then_some(())?;
                let singles = Singles { count, ..first };
                Extension::Block { load, rn, write_back, mode, singles }
            }
        })
    }

    /// One or two of what a comma parts.
    fn words<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut all = vec![one(self)?];
        let start = self.rest;
        match self.comma().and_then(|()| one(self)) {
            Some(other) => all.push(other),
            None => self.rest = start,
        }
        Some(all)
    }

    /// A register of the extension, S0 to S31 or D0 to D15.
    fn single(&mut self) -> Option<Singles> {
        let word = self.cased(self.spelling.upper_registers)?;
        let number = |letter: char, most: u8| {
            word.strip_prefix(letter).and_then(plain_number).filter(|number| *number < most)
        };
        let single = number('s', 32).map(|first| Singles { first, count: 1, double: false });
        single.or_else(|| number('d', 16).map(|pair| Singles { first: 2 * pair, count: 2, double: true }))
    }

    /// Goes on after the text if it stands here.
    fn take(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, text: &str) -> Option<()> {
        self.take(text).then_some(())
    }

    fn comma(&mut self) -> Option<()> {
        self.rest = self.rest.trim_start();
        self.expect(",")?;
        self.rest = self.rest.trim_start();
        Some(())
    }

    /// Letters and digits up to something else.
    fn word(&mut self) -> &'a str {
        let end = self.rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// A word in the dialect's case, made lower.
    fn cased(&mut self, upper: bool) -> Option<String> {
        let word = self.word();
        let foreign =
            |letter: char| if upper { letter.is_ascii_lowercase() } else { letter.is_ascii_uppercase() };
        (!word.contains(foreign)).then(|| word.to_ascii_lowercase())
    }

    fn register(&mut self) -> Option<Register> {
        let word = self.cased(self.spelling.upper_registers)?;
        register(&word)
    }

    /// A register that a comma follows.
    fn first(&mut self) -> Option<Register> {
        let register = self.register()?;
        self.comma()?;
        Some(register)
    }

    /// A register after a comma.
    fn next(&mut self) -> Option<Register> {
        self.comma()?;
        self.register()
    }

    /// `#` and a number without a sign.
    fn number(&mut self) -> Option<u32> {
        self.expect("#")?;
        number(self.word())
    }

    fn shifter(&mut self) -> Option<Shifter> {
        if !self.rest.starts_with('#') {
            return Some(match self.shifted(true)? {
                Shifted::By { rm, kind, amount } => Shifter::Register { rm, kind, amount },
                Shifted::Rrx { rm } => Shifter::Rrx { rm },
                Shifted::ByRegister { rm, kind, rs } => Shifter::ByRegister { rm, kind, rs },
            });
        }
        let value = self.number()?;
        if !(self.spelling.any_form && self.rest.starts_with(',')) {
            return match self.spelling.thumb {
                Some(_) => Some(Shifter::constant(value)),
                None => Shifter::number(value),
            };
        }
        self.comma()?;
        let places = number(self.word()).filter(|places| places % 2 == 0 && *places < 32)?;
        Some(Shifter::Immediate { value: u8::try_from(value).ok()?, rotation: (places / 2) as u8 })
    }

    fn shifted(&mut self, by_register: bool) -> Option<Shifted> {
        let rm = self.register()?;
        if !self.rest.trim_start().starts_with(',') {
            return Some(Shifted::By { rm, kind: ShiftKind::Lsl, amount: 0 });
        }
        self.comma()?;
        let name = self.cased(self.spelling.upper)?;
        if name == "rrx" {
            return Some(Shifted::Rrx { rm });
        }
        let kind = ShiftKind::ALL[SHIFTS.iter().position(|shift| *shift == name)?];
        self.expect(" ")?;
        self.rest = self.rest.trim_start();
        if self.rest.starts_with('#') {
            let amount = u8::try_from(self.number()?).ok()?;
            let (least, most) = kind.amounts();
            return (least..=most).contains(&amount).then_some(Shifted::By { rm, kind, amount });
        }
        by_register.then_some(())?;
        Some(Shifted::ByRegister { rm, kind, rs: self.register()? })
    }

    fn address(&mut self, size: Size, user: bool) -> Option<Address> {
        self.expect("[")?;
        let rn = self.register()?;
        let zero = (true, Offset::Immediate(0));
        if self.take("]") {
            if self.rest.trim().is_empty() && !user {
                let (up, offset) = zero;
                return Some(Address { rn, up, offset, indexing: Indexing::Offset });
            }
            self.comma()?;
            let (up, offset) = self.offset(size)?;
            let indexing = if user { Indexing::AfterAsUser } else { Indexing::After };
            return Some(Address { rn, up, offset, indexing });
        }
        self.comma()?;
        let (up, offset) = self.offset(size)?;
        self.expect("]")?;
        let indexing = if self.take("!") { Indexing::Before } else { Indexing::Offset };
        (!user).then_some(Address { rn, up, offset, indexing })
    }

    fn offset(&mut self, size: Size) -> Option<(bool, Offset)> {
        if self.take("#") {
            let up = !self.take("-");
            let number = u16::try_from(number(self.word())?).ok()?;
            // a zero that is subtracted
            let known = up || number != 0 || self.spelling.any_form;
            return known.then_some((up, Offset::Immediate(number)));
        }
        let up = !self.take("-");
        let offset = match self.shifted(false)? {
            Shifted::By { rm, kind, amount } => Offset::Register { rm, kind, amount },
            Shifted::Rrx { rm } => Offset::Rrx { rm },
            Shifted::ByRegister { .. } => return None,
        };
        let plain = matches!(offset, Offset::Register { kind: ShiftKind::Lsl, amount: 0, .. });
        let shifts = self.spelling.thumb.is_some() || matches!(size, Size::Word | Size::Byte);
        (plain || shifts).then_some((up, offset))
    }

    /// `{r0, r4-r6, lr}`, in rising order.
    fn list(&mut self) -> Option<u16> {
        self.expect("{")?;
        let mut registers = 0u16;
        loop {
            let first = self.register()?;
            let last = if self.take("-") { self.register()? } else { first };
            if first > last || registers >> first != 0 {
                return None;
            }
            for register in first..=last {
                registers |= 1 << register;
            }
            if self.take("}") {
                return Some(registers);
            }
            self.comma()?;
        }
    }

    /// CPSR or SPSR.
    fn status(&mut self) -> Option<bool> {
        let saved = self.take("SPSR");
        (saved || self.take("CPSR")).then_some(saved)
    }

    fn goal(&mut self) -> Option<Goal> {
        let text = std::mem::take(&mut self.rest);
        match text.strip_prefix('.') {
            Some(rest) if self.spelling.distances && rest.starts_with(['+', '-']) => {
                rest.parse().ok().map(Goal::Number)
            }
            _ => is_symbol(text).then(|| Goal::Label(text.to_owned())),
        }
    }
}

/// A register and what is done to it.
enum Shifted {
    By { rm: Register, kind: ShiftKind, amount: u8 },
    Rrx { rm: Register },
    ByRegister { rm: Register, kind: ShiftKind, rs: Register },
}
