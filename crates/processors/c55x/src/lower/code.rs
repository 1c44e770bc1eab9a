//! Building of lines, with short names for instructions.

use crate::instructions::{
    AddressOp, AddressSource, Bundle, Dual, Half, Ind, Instruction, Mode, Reg, RegOp, Repeat, ShiftOp, Smem,
    Ta,
};
use crate::rules::check;
use std::collections::HashMap;

/// Lines under construction.
#[derive(Clone, Debug, Default)]
pub struct Code {
    lines: Vec<Bundle>,
    /// Lines that name a label.
    uses: Vec<(u32, String)>,
    labels: HashMap<String, u32>,
}

/// One of two operands of a dual multiplication, with the accumulator that its product goes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factor {
    pub(super) half: Half,
    pub(super) ind: Ind,
    pub(super) ac: u8,
}

pub(super) fn ind(ar: u8, mode: Mode) -> Ind {
    Ind { ar, mode }
}

pub(super) fn at(ar: u8, mode: Mode) -> Smem {
    Smem::Ind(ind(ar, mode))
}

pub(super) fn factor(half: Half, ar: u8, mode: Mode, ac: u8) -> Factor {
    Factor { half, ind: ind(ar, mode), ac }
}

/// A dual multiplication of unsigned words. The instruction set has most pairs of operations in one order only.
pub(super) fn dual(one: Factor, two: Factor, cmem: Mode) -> Instruction {
    let build = |x: Factor, y: Factor| {
        Instruction::Dual(Dual {
            x: x.half,
            y: y.half,
            xmem: x.ind,
            ymem: y.ind,
            cmem,
            unsigned_xy: true,
            unsigned_c: true,
            acx: if x.half == Half::Amar { y.ac } else { x.ac },
            acy: y.ac,
        })
    };
    let first = build(one, two);
    if check(&first.into()).is_ok() { first } else { build(two, one) }
}

pub(super) fn store(src: u8, ar: u8) -> Instruction {
    Instruction::Store { src: Reg::Ac(src), smem: at(ar, Mode::Up) }
}

pub(super) fn shifted(op: ShiftOp, src: u8, shift: i8, dst: u8) -> Instruction {
    Instruction::Shifted { op, src, shift, dst }
}

pub(super) fn amov(value: u16, dst: Ta) -> Instruction {
    let src = match u8::try_from(value) {
        Ok(value) => AddressSource::P8(value),
        Err(_) => AddressSource::D16(value),
    };
    Instruction::Address { op: AddressOp::Mov, src, dst }
}

pub(super) fn copy(from: Reg, to: Reg) -> Instruction {
    Instruction::Registers { op: RegOp::Mov, src: from, dst: to }
}

/// XARd = the address `by` words from ARs; 8 is CDP.
pub(super) fn point(to: u8, from: u8, by: i32) -> Instruction {
    let smem = match i16::try_from(by) {
        Ok(0) => at(from, Mode::Plain),
        Ok(by) => Smem::Offset(from, by),
        // no operand that is made here is longer
        Err(_) => Smem::Offset(from, i16::MAX),
    };
    Instruction::AmarTo { smem, dst: to }
}

impl Code {
    /// Nothing yet.
    pub fn new() -> Self {
        Code::default()
    }

    /// The lines. A label that is nowhere becomes a target outside of the program.
    pub fn into_lines(mut self) -> Vec<Bundle> {
        for (line, label) in std::mem::take(&mut self.uses) {
            let target = self.labels.get(&label).copied().unwrap_or(u32::MAX);
            self.set_target(line, target);
        }
        self.lines
    }

    /// Names the next line.
    pub(super) fn define(&mut self, label: impl Into<String>) {
        self.labels.insert(label.into(), self.here());
    }

    /// An instruction with a label as its target.
    pub(super) fn to(&mut self, instruction: Instruction, label: impl Into<String>) {
        self.uses.push((self.here(), label.into()));
        self.push(instruction);
    }

    /// A call of a routine that stands somewhere in these lines.
    pub(super) fn call(&mut self, label: impl Into<String>) {
        self.to(Instruction::Call { to: 0 }, label);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The number of the next line.
    pub(super) fn here(&self) -> u32 {
        self.lines.len() as u32
    }

    pub(super) fn push(&mut self, line: impl Into<Bundle>) {
        self.lines.push(line.into());
    }

    /// `line` executed `times` times; the repeat stands beside the line before where that can take it.
    pub(super) fn repeat(&mut self, line: impl Into<Bundle>, times: usize) {
        let line = line.into();
        if times > 1 {
            self.beside(Instruction::Repeat(Repeat::Times((times - 1) as u16)));
        }
        if times > 0 {
            self.push(line);
        }
    }

    /// An instruction in parallel with the last line if that can be, else on a line of its own.
    pub(super) fn beside(&mut self, instruction: Instruction) {
        let repeats = |line: &Bundle| line.instructions().any(|one| matches!(one, Instruction::Repeat(_)));
        // what is repeated stays as it is
        let is_repeated = self.lines.iter().nth_back(1).is_some_and(repeats);
        if let Some(last) = self.lines.last_mut()
            && !(is_repeated && matches!(instruction, Instruction::Repeat(_)))
            && last.second.is_none()
            && !matches!(last.first, Instruction::Repeat(_) | Instruction::RepeatBlock { .. })
        {
            let pair = last.first.with(instruction);
            if check(&pair).is_ok() {
                *last = pair;
                return;
            }
        }
        self.push(instruction);
    }

    /// Replaces a target that was not known.
    pub(super) fn set_target(&mut self, line: u32, target: u32) {
        if let Some(line) = self.lines.get_mut(line as usize) {
            line.first = line.first.with_target(target);
            line.second = line.second.map(|second| second.with_target(target));
        }
    }

    /// A block that is repeated `times` times; the counter is set before.
    pub(super) fn block(&mut self, times: usize, body: impl FnOnce(&mut Code)) {
        use crate::instructions::Counter;
        let counter = Instruction::SetCounter { counter: Counter::Brc0, value: (times - 1) as u16 };
        self.push(counter);
        self.inner_block(body);
    }

    /// A block whose counter is set, BRC1 in a block.
    pub(super) fn inner_block(&mut self, body: impl FnOnce(&mut Code)) {
        let opening = self.here();
        self.push(Instruction::RepeatBlock { local: true, end: 0 });
        body(self);
        let end = self.here();
        self.set_target(opening, end);
        let bytes: u32 = self.lines[opening as usize + 1..].iter().map(|line| check(line).unwrap_or(0)).sum();
        if bytes > LOCAL {
            self.lines[opening as usize] = Instruction::RepeatBlock { local: false, end }.into();
        }
    }
}

/// Most bytes of a block of RPTBLOCAL (SPRU374, RPTBLOCAL; from memory).
const LOCAL: u32 = 55;
