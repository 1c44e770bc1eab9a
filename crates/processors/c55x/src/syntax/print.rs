//! Text of instructions.

use super::STATUS;
use crate::instructions::{
    AddressOp, AddressSource, Bundle, Compare, Condition, Counter, Dual, Half, Ind, Instruction, Mode, Reg,
    RegOp, Repeat, ShiftOp, Single, Smem, Ta,
};
use std::collections::BTreeSet;
use std::fmt::Write;

pub(super) fn ta(ta: Ta) -> String {
    match ta {
        Ta::T(n) => format!("T{n}"),
        Ta::Ar(n) => format!("AR{n}"),
    }
}

fn reg(reg: Reg) -> String {
    match reg {
        Reg::Ac(n) => format!("AC{n}"),
        Reg::Ta(one) => ta(one),
    }
}

fn through(register: &str, mode: Mode) -> String {
    match mode {
        Mode::Plain => format!("*{register}"),
        Mode::Up => format!("*{register}+"),
        Mode::Down => format!("*{register}-"),
        Mode::PlusT0 => format!("*({register}+T0)"),
        Mode::PlusT1 => format!("*({register}+T1)"),
        Mode::MinusT0 => format!("*({register}-T0)"),
        Mode::MinusT1 => format!("*({register}-T1)"),
        Mode::IndexT0 => format!("*{register}(T0)"),
    }
}

fn ind(ind: Ind) -> String {
    through(&format!("AR{}", ind.ar), ind.mode)
}

fn smem(smem: Smem) -> String {
    match smem {
        Smem::Ind(one) => ind(one),
        Smem::Offset(ar, by) => format!("*AR{ar}(#{by})"),
        Smem::PreOffset(ar, by) => format!("*+AR{ar}(#{by})"),
        Smem::Cdp(mode) => through("CDP", mode),
        Smem::Sp(by) => format!("*SP(#{by})"),
    }
}

fn uns(text: String, unsigned: bool) -> String {
    if unsigned { format!("uns({text})") } else { text }
}

fn dual(one: &Dual) -> String {
    let half = |half: Half, operand: Ind, ac: u8| {
        let name = match half {
            Half::Mpy => "MPY",
            Half::Mac | Half::MacShifted => "MAC",
            Half::Mas => "MAS",
            Half::Amar => return format!("AMAR {}", ind(operand)),
        };
        let shift = if half == Half::MacShifted { " >> #16" } else { "" };
        format!(
            "{name} {}, {}, AC{ac}{shift}",
            uns(ind(operand), one.unsigned_xy),
            uns(through("CDP", one.cmem), one.unsigned_c)
        )
    };
    format!("{} :: {}", half(one.x, one.xmem, one.acx), half(one.y, one.ymem, one.acy))
}

fn condition(condition: Condition) -> String {
    let not = |name: &str, is: bool| format!("{}{name}", if is { "" } else { "!" });
    match condition {
        Condition::Carry(is) => not("CARRY", is),
        Condition::Tc1(is) => not("TC1", is),
        Condition::Tc2(is) => not("TC2", is),
        Condition::Zero(of, compare) => {
            let sign = match compare {
                Compare::Eq => "==",
                Compare::Ne => "!=",
                Compare::Lt => "<",
                Compare::Le => "<=",
                Compare::Gt => ">",
                Compare::Ge => ">=",
            };
            format!("{} {sign} #0", reg(of))
        }
    }
}

fn counter(counter: Counter) -> &'static str {
    match counter {
        Counter::Csr => "CSR",
        Counter::Brc0 => "BRC0",
        Counter::Brc1 => "BRC1",
    }
}

/// The text of an instruction; `label` names lines.
pub fn instruction(one: &Instruction, label: &dyn Fn(u32) -> String) -> String {
    use Instruction as I;
    let pointer = |number: u8| if number == 8 { "XCDP".to_owned() } else { format!("XAR{number}") };
    let with_source =
        |src: u8, dst: u8| if src == dst { format!("AC{dst}") } else { format!("AC{src}, AC{dst}") };
    match *one {
        I::Dual(ref one) => dual(one),
        I::Product { op, x, y, unsigned_x, unsigned_y, src, dst } => {
            let (name, accumulators) = match op {
                Single::Mpy => ("MPYM", format!("AC{dst}")),
                Single::Mac => ("MACM", with_source(src, dst)),
                Single::MacShifted => ("MACM", format!("AC{src} >> #16, AC{dst}")),
                Single::Mas => ("MASM", with_source(src, dst)),
            };
            format!("{name} {}, {}, {accumulators}", uns(ind(x), unsigned_x), uns(ind(y), unsigned_y))
        }
        I::ProductT { smem: operand, t, unsigned, dst } => {
            format!("MPYM{} {}, T{t}, AC{dst}", if unsigned { "U" } else { "" }, smem(operand))
        }
        I::AddMemory { subtract, carry, smem: operand, unsigned, src, dst } => {
            let name = if subtract { "SUB" } else { "ADD" };
            let flag = match (carry, subtract) {
                (false, _) => "",
                (true, false) => "CARRY, ",
                (true, true) => "BORROW, ",
            };
            format!("{name} {}, {flag}{}", uns(smem(operand), unsigned), with_source(src, dst))
        }
        I::AddDouble { subtract, lmem, src, dst } => {
            format!("{} dbl({}), {}", if subtract { "SUB" } else { "ADD" }, smem(lmem), with_source(src, dst))
        }
        I::LoadAc { smem: operand, unsigned, dst } => {
            format!("MOV {}, AC{dst}", uns(smem(operand), unsigned))
        }
        I::LoadTa { smem: operand, dst } => format!("MOV {}, {}", smem(operand), ta(dst)),
        I::LoadDouble { lmem, dst } => format!("MOV dbl({}), AC{dst}", smem(lmem)),
        I::Store { src, smem: operand } => format!("MOV {}, {}", reg(src), smem(operand)),
        I::StoreHigh { src, smem: operand } => format!("MOV HI(AC{src}), {}", smem(operand)),
        I::StoreDouble { src, lmem } => format!("MOV AC{src}, dbl({})", smem(lmem)),
        I::StorePair { src, lmem } => format!("MOV pair(LO(AC{src})), dbl({})", smem(lmem)),
        I::StoreConstant { value, smem: operand } => format!("MOV #{value}, {}", smem(operand)),
        I::Copy { from, to } => format!("MOV {}, {}", ind(from), ind(to)),
        I::CopyDouble { from, to } => format!("MOV dbl({}), dbl({})", ind(from), ind(to)),
        I::Shifted { op, src, shift, dst } => match op {
            ShiftOp::Sftl => format!("SFTL AC{src}, #{shift}, AC{dst}"),
            ShiftOp::Sfts => format!("SFTS AC{src}, #{shift}, AC{dst}"),
            ShiftOp::Add => format!("ADD AC{src} << #{shift}, AC{dst}"),
            ShiftOp::Sub => format!("SUB AC{src} << #{shift}, AC{dst}"),
            ShiftOp::And => format!("AND AC{src} << #{shift}, AC{dst}"),
            ShiftOp::Or => format!("OR AC{src} << #{shift}, AC{dst}"),
            ShiftOp::Xor => format!("XOR AC{src} << #{shift}, AC{dst}"),
        },
        I::ShiftByOne { dst, left } => format!("SFTL {}, #{}", reg(dst), if left { 1 } else { -1 }),
        I::Registers { op, src, dst } => {
            let name = match op {
                RegOp::Mov => "MOV",
                RegOp::Add => "ADD",
                RegOp::Sub => "SUB",
                RegOp::And => "AND",
                RegOp::Or => "OR",
                RegOp::Xor => "XOR",
                RegOp::Neg => "NEG",
                RegOp::Not => "NOT",
            };
            format!("{name} {}, {}", reg(src), reg(dst))
        }
        I::MovK4 { value, dst } => format!("MOV #{value}, {}", reg(dst)),
        I::AddK4 { subtract, value, dst } => {
            format!("{} #{value}, {}", if subtract { "SUB" } else { "ADD" }, reg(dst))
        }
        I::MovK16 { value, dst } => format!("MOV #{value}, {}", reg(dst)),
        I::AddK16 { value, src, dst } => format!("ADD #{value}, {}, {}", reg(src), reg(dst)),
        I::AndK16 { value, src, dst } => format!("AND #{value}, {}, {}", reg(src), reg(dst)),
        I::Address { op, src, dst } => {
            let name = match op {
                AddressOp::Add => "AADD",
                AddressOp::Mov => "AMOV",
                AddressOp::Sub => "ASUB",
            };
            let source = match src {
                AddressSource::Ta(src) => ta(src),
                AddressSource::P8(value) => format!("#{value}"),
                AddressSource::D16(value) => format!("#{value}"),
            };
            format!("{name} {source}, {}", ta(dst))
        }
        I::Amar { smem: operand } => format!("AMAR {}", smem(operand)),
        I::AmarTo { smem: operand, dst } => format!("AMAR {}, {}", smem(operand), pointer(dst)),
        I::AddSp { value } => format!("AADD #{value}, SP"),
        I::Push { src } => format!("PSH {}", ta(src)),
        I::Pop { dst } => format!("POP {}", ta(dst)),
        I::PushBoth { ar } => format!("PSHBOTH XAR{ar}"),
        I::PopBoth { ar } => format!("POPBOTH XAR{ar}"),
        I::PushDouble { src } => format!("PSH dbl(AC{src})"),
        I::PopDouble { dst } => format!("POP dbl(AC{dst})"),
        I::SetCounter { counter: to, value } => format!("MOV #{value}, {}", counter(to)),
        I::MoveCounter { counter: to, src } => format!("MOV {}, {}", ta(src), counter(to)),
        I::Repeat(repeat) => match repeat {
            Repeat::Times(times) => format!("RPT #{times}"),
            Repeat::Csr => "RPT CSR".to_owned(),
            Repeat::Add(by) => format!("RPTADD CSR, #{by}"),
            Repeat::Sub(by) => format!("RPTSUB CSR, #{by}"),
            Repeat::AddTa(by) => format!("RPTADD CSR, {}", ta(by)),
        },
        I::RepeatBlock { local, end } => {
            format!("{} {}-1", if local { "RPTBLOCAL" } else { "RPTB" }, label(end))
        }
        I::Branch { to } => format!("B {}", label(to)),
        I::BranchIf { to, condition: when } => format!("BCC {}, {}", label(to), condition(when)),
        I::Call { to } => format!("CALL {}", label(to)),
        I::Return => "RET".to_owned(),
        I::Status { bit, set } => {
            let name = STATUS.iter().find(|(of, _)| *of == bit).map_or("", |(_, name)| name);
            format!("{} {name}", if set { "BSET" } else { "BCLR" })
        }
        I::Nop => "NOP".to_owned(),
    }
}

/// The text of a line.
pub fn line(one: &Bundle, label: &dyn Fn(u32) -> String) -> String {
    match &one.second {
        None => instruction(&one.first, label),
        Some(second) => format!("{} || {}", instruction(&one.first, label), instruction(second, label)),
    }
}

/// A function from its section to its last line, entered at line 0.
pub fn function(name: &str, lines: &[Bundle]) -> String {
    let targets: BTreeSet<u32> =
        lines.iter().flat_map(Bundle::instructions).filter_map(Instruction::target).collect();
    let label = |number: u32| if number == 0 { format!("_{name}") } else { format!("L{number}") };
    let mut text = format!("        .def _{name}\n        .text\n_{name}:\n");
    for (number, one) in (0..).zip(lines) {
        if number > 0 && targets.contains(&number) {
            // writing to a String cannot fail
            let _ = writeln!(text, "L{number}:");
        }
        let _ = writeln!(text, "        {}", line(one, &label));
    }
    let end = lines.len() as u32;
    if targets.contains(&end) {
        let _ = writeln!(text, "L{end}:");
    }
    text
}
