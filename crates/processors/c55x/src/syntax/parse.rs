//! Reading of text.
//!
//! A constant takes the shortest form that holds it, as TI's assembler does; the generator does likewise, so that text
//! read again gives the same instructions.

mod frame;
mod moves;
mod operands;

use super::STATUS;
use crate::instructions::{
    AddressOp, AddressSource, Bundle, Compare, Condition, Dual, Half, Ind, Instruction, Mode, RegOp, Repeat,
    ShiftOp, Single, Ta,
};
use frame::{Frame, frame};
use moves::mov;
use operands::*;
use rhomb_machine::syntax::ParseError;
use std::collections::HashMap;

/// A text that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The first symbol that `.def` or `.global` names, without its underscore.
    pub name: Option<String>,
    /// The lines.
    pub lines: Vec<Bundle>,
    /// Their numbers in the text, from 1.
    pub numbers: Vec<usize>,
}

/// Reads a file with a function, which begins at its first line. Statements stand in the columns that TI's assembler
/// demands: labels in the first one, all else behind blanks.
///
/// # Errors
/// The first thing that is no instruction, label or directive.
pub fn parse_file(text: &str) -> Result<Parsed, ParseError> {
    read(text, true)
}

/// Reads lines that are not a file, in any columns.
///
/// # Errors
/// The first thing that is no instruction, label or directive.
pub fn parse(text: &str) -> Result<Parsed, ParseError> {
    read(text, false)
}

fn read(text: &str, is_file: bool) -> Result<Parsed, ParseError> {
    let Frame { labels, name, statements } = frame(text, is_file)?;
    let mut lines = Vec::with_capacity(statements.len());
    let mut numbers = Vec::with_capacity(statements.len());
    for (number, statement) in statements {
        let error = |fault: String| ParseError { line: number, fault };
        let mut parts = statement.split("||");
        let mut next = || parts.next().map(|part| one(part.trim(), &labels).map_err(error)).transpose();
        let (Some(first), second) = (next()?, next()?) else { continue };
        if next()?.is_some() {
            return Err(error("more than two instructions in parallel".to_owned()));
        }
        lines.push(Bundle { first, second });
        numbers.push(number);
    }
    Ok(Parsed { name, lines, numbers })
}

fn shown(text: &str) -> String {
    text.chars().take(60).flat_map(char::escape_default).collect()
}

fn split_mnemonic(text: &str) -> (String, &str) {
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (name.to_ascii_uppercase(), rest.trim())
}

fn one(text: &str, labels: &HashMap<String, u32>) -> Result<Instruction, String> {
    let bad = || format!("'{}' is no instruction that is modelled", shown(text));
    if let Some((x, y)) = text.split_once("::") {
        return dual(x.trim(), y.trim()).map(Instruction::Dual).ok_or_else(bad);
    }
    let (name, rest) = split_mnemonic(text);
    let list = operands(rest);
    let find = |name: &str| labels.get(name.trim()).copied();
    if let ("RPTB" | "RPTBLOCAL" | "B" | "BCC" | "CALL", [target, ..]) = (name.as_str(), list.as_slice()) {
        let is_block = name.starts_with("RPT");
        let last = || format!("a block ends in front of a label; valid: {name} {}-1", shown(target));
        let target = if is_block { target.strip_suffix("-1").ok_or_else(last)? } else { target };
        let to = find(target).ok_or_else(|| format!("label '{}' is nowhere", shown(target)))?;
        return match (name.as_str(), &list[1..]) {
            ("RPTB", []) => Ok(Instruction::RepeatBlock { local: false, end: to }),
            ("RPTBLOCAL", []) => Ok(Instruction::RepeatBlock { local: true, end: to }),
            ("B", []) => Ok(Instruction::Branch { to }),
            ("CALL", []) => Ok(Instruction::Call { to }),
            ("BCC", [when]) => {
                condition(when).map(|condition| Instruction::BranchIf { to, condition }).ok_or_else(bad)
            }
            _ => Err(bad()),
        };
    }
    plain(&name, &list).ok_or_else(bad)
}

/// What a half does, its operand and whether that is unsigned, the coefficient likewise, and the accumulator.
type ReadHalf = (Half, Ind, bool, Option<(Mode, bool)>, u8);

fn half(text: &str) -> Option<ReadHalf> {
    let (name, rest) = split_mnemonic(text);
    let list = operands(rest);
    if let ("AMAR", [operand]) = (name.as_str(), list.as_slice()) {
        return Some((Half::Amar, ind(operand)?, false, None, 0));
    }
    let [operand, coefficient, accumulator] = list.as_slice() else { return None };
    let (shifted, accumulator) = match accumulator.split_once(">>") {
        Some((accumulator, shift)) => (constant(shift.trim())? == 16, accumulator.trim()),
        None => (false, *accumulator),
    };
    let half = match (name.as_str(), shifted) {
        ("MPY", false) => Half::Mpy,
        ("MAC", false) => Half::Mac,
        ("MAC", true) => Half::MacShifted,
        ("MAS", false) => Half::Mas,
        _ => return None,
    };
    let (operand, unsigned) = uns(operand);
    let (coefficient, unsigned_c) = uns(coefficient);
    Some((half, ind(operand)?, unsigned, Some((cmem(coefficient)?, unsigned_c)), ac(accumulator)?))
}

fn dual(x: &str, y: &str) -> Option<Dual> {
    let (x, xmem, unsigned_x, coefficient_x, acx) = half(x)?;
    let (y, ymem, unsigned_xy, coefficient, acy) = half(y)?;
    let (cmem, unsigned_c) = coefficient?;
    let acx = match coefficient_x {
        None => acy,
        Some(same) if same == (cmem, unsigned_c) && unsigned_x == unsigned_xy => acx,
        Some(_) => return None,
    };
    Some(Dual { x, y, xmem, ymem, cmem, unsigned_xy, unsigned_c, acx, acy })
}

fn condition(text: &str) -> Option<Condition> {
    let (plain, is) = match text.strip_prefix('!') {
        Some(plain) => (plain.trim(), false),
        None => (text, true),
    };
    match plain {
        "CARRY" => return Some(Condition::Carry(is)),
        "TC1" => return Some(Condition::Tc1(is)),
        "TC2" => return Some(Condition::Tc2(is)),
        _ => {}
    }
    let signs = [
        ("==", Compare::Eq),
        ("!=", Compare::Ne),
        ("<=", Compare::Le),
        (">=", Compare::Ge),
        ("<", Compare::Lt),
        (">", Compare::Gt),
    ];
    signs.into_iter().find_map(|(sign, compare)| {
        let (register, zero) = text.split_once(sign)?;
        (constant(zero.trim())? == 0).then_some(())?;
        Some(Condition::Zero(reg(register.trim())?, compare))
    })
}

/// Accumulators at the end of a list: source and destination, which may be the same.
fn accumulators(list: &[&str]) -> Option<(u8, u8)> {
    match list {
        [both] => Some((ac(both)?, ac(both)?)),
        [src, dst] => Some((ac(src)?, ac(dst)?)),
        _ => None,
    }
}

fn plain(name: &str, list: &[&str]) -> Option<Instruction> {
    use Instruction as I;
    Some(match (name, list) {
        ("NOP", []) => I::Nop,
        ("RET", []) => I::Return,
        ("MPYM", [x, y, dst]) if ta(y).is_some() => {
            let Ta::T(t) = ta(y)? else { return None };
            I::ProductT { smem: smem(x)?, t, unsigned: false, dst: ac(dst)? }
        }
        ("MPYMU", [x, y, dst]) => {
            let Ta::T(t) = ta(y)? else { return None };
            I::ProductT { smem: smem(x)?, t, unsigned: true, dst: ac(dst)? }
        }
        ("MPYM" | "MACM" | "MASM", [x, y, rest @ ..]) => {
            let ((x, unsigned_x), (y, unsigned_y)) = (uns(x), uns(y));
            let (op, src, dst) = match (name, rest) {
                ("MPYM", [dst]) => (Single::Mpy, ac(dst)?, ac(dst)?),
                ("MACM", [shifted, dst]) if shifted.contains(">>") => {
                    let (src, shift) = shifted.split_once(">>")?;
                    (constant(shift.trim())? == 16).then_some(())?;
                    (Single::MacShifted, ac(src.trim())?, ac(dst)?)
                }
                ("MACM", rest) => {
                    let (src, dst) = accumulators(rest)?;
                    (Single::Mac, src, dst)
                }
                ("MASM", rest) => {
                    let (src, dst) = accumulators(rest)?;
                    (Single::Mas, src, dst)
                }
                _ => return None,
            };
            let src = if op == Single::Mpy { 0 } else { src };
            I::Product { op, x: ind(x)?, y: ind(y)?, unsigned_x, unsigned_y, src, dst }
        }
        ("ADD" | "SUB", [first, rest @ ..]) => return sum(name == "SUB", first, rest),
        ("AND" | "OR" | "XOR", [shifted, dst]) if shifted.contains("<<") => {
            let op = match name {
                "AND" => ShiftOp::And,
                "OR" => ShiftOp::Or,
                _ => ShiftOp::Xor,
            };
            shift(op, shifted, dst)?
        }
        ("AND", [value, src, dst]) => {
            I::AndK16 { value: u16::try_from(constant(value)?).ok()?, src: reg(src)?, dst: reg(dst)? }
        }
        ("AND" | "OR" | "XOR" | "NEG" | "NOT", [src, dst]) => {
            let op = match name {
                "AND" => RegOp::And,
                "OR" => RegOp::Or,
                "XOR" => RegOp::Xor,
                "NEG" => RegOp::Neg,
                _ => RegOp::Not,
            };
            I::Registers { op, src: reg(src)?, dst: reg(dst)? }
        }
        ("SFTL", [dst, by]) => I::ShiftByOne {
            dst: reg(dst)?,
            left: match constant(by)? {
                1 => true,
                -1 => false,
                _ => return None,
            },
        },
        ("SFTL" | "SFTS", [src, by, dst]) => {
            let op = if name == "SFTL" { ShiftOp::Sftl } else { ShiftOp::Sfts };
            I::Shifted { op, src: ac(src)?, shift: i8::try_from(constant(by)?).ok()?, dst: ac(dst)? }
        }
        ("MOV", [src, dst]) => return mov(src, dst),
        ("AADD", [by, "SP"]) => I::AddSp { value: i8::try_from(constant(by)?).ok()? },
        ("AADD" | "AMOV" | "ASUB", [src, dst]) => {
            let op = match name {
                "AADD" => AddressOp::Add,
                "AMOV" => AddressOp::Mov,
                _ => AddressOp::Sub,
            };
            let source = match ta(src) {
                Some(src) => AddressSource::Ta(src),
                None => match constant(src)? {
                    value @ 0..256 => AddressSource::P8(value as u8),
                    value => AddressSource::D16(u16::try_from(value).ok()?),
                },
            };
            I::Address { op, src: source, dst: ta(dst)? }
        }
        ("AMAR", [operand]) => I::Amar { smem: smem(operand)? },
        ("AMAR", [operand, "XCDP"]) => I::AmarTo { smem: smem(operand)?, dst: 8 },
        ("AMAR", [operand, dst]) => I::AmarTo { smem: smem(operand)?, dst: numbered(dst, "XAR", 8)? },
        ("PSH", [src]) => match inside(src, "dbl") {
            Some(src) => I::PushDouble { src: ac(src)? },
            None => I::Push { src: ta(src)? },
        },
        ("POP", [dst]) => match inside(dst, "dbl") {
            Some(dst) => I::PopDouble { dst: ac(dst)? },
            None => I::Pop { dst: ta(dst)? },
        },
        ("PSHBOTH", [ar]) => I::PushBoth { ar: numbered(ar, "XAR", 8)? },
        ("POPBOTH", [ar]) => I::PopBoth { ar: numbered(ar, "XAR", 8)? },
        ("RPT", ["CSR"]) => I::Repeat(Repeat::Csr),
        ("RPT", [times]) => I::Repeat(Repeat::Times(u16::try_from(constant(times)?).ok()?)),
        ("RPTADD", ["CSR", by]) => I::Repeat(match ta(by) {
            Some(by) => Repeat::AddTa(by),
            None => Repeat::Add(u8::try_from(constant(by)?).ok()?),
        }),
        ("RPTSUB", ["CSR", by]) => I::Repeat(Repeat::Sub(u8::try_from(constant(by)?).ok()?)),
        ("BSET" | "BCLR", [status]) => {
            let (bit, _) = STATUS.iter().find(|(_, name)| name == status)?;
            I::Status { bit: *bit, set: name == "BSET" }
        }
        _ => return None,
    })
}

fn shift(op: ShiftOp, shifted: &str, dst: &str) -> Option<Instruction> {
    let (src, by) = shifted.split_once("<<")?;
    let shift = i8::try_from(constant(by.trim())?).ok()?;
    Some(Instruction::Shifted { op, src: ac(src.trim())?, shift, dst: ac(dst)? })
}

fn sum(subtract: bool, first: &str, rest: &[&str]) -> Option<Instruction> {
    use Instruction as I;
    if first.contains("<<") {
        let op = if subtract { ShiftOp::Sub } else { ShiftOp::Add };
        return if let [dst] = rest { shift(op, first, dst) } else { None };
    }
    if let Some(lmem) = double(first) {
        let (src, dst) = accumulators(rest)?;
        return Some(I::AddDouble { subtract, lmem, src, dst });
    }
    if let (Some(src), [dst]) = (reg(first), rest) {
        let op = if subtract { RegOp::Sub } else { RegOp::Add };
        return Some(I::Registers { op, src, dst: reg(dst)? });
    }
    if let Some(value) = constant(first) {
        return Some(match (rest, value) {
            ([dst], 0..16) => I::AddK4 { subtract, value: value as u8, dst: reg(dst)? },
            ([src, dst], _) if !subtract => {
                I::AddK16 { value: i16::try_from(value).ok()?, src: reg(src)?, dst: reg(dst)? }
            }
            _ => return None,
        });
    }
    let flag = if subtract { "BORROW" } else { "CARRY" };
    let (carry, rest) = match rest {
        [first, rest @ ..] if *first == flag => (true, rest),
        rest => (false, rest),
    };
    let (operand, unsigned) = uns(first);
    let (src, dst) = accumulators(rest)?;
    Some(I::AddMemory { subtract, carry, smem: smem(operand)?, unsigned, src, dst })
}
