//! List scheduling of routines in straight lines, for cores that wait.

use super::Kernel;
use crate::cores::{Core, Needs, Pipeline};
use crate::instructions::{
    Action, BlockMode, Condition, DataOp, Indexing, Instruction, Offset, PC, Register, SP, ShiftKind,
    Shifter, Size,
};
use crate::program::flag_bits;
use rhomb_machine::{Step, Timing};
use std::ops::Range;

/// The routine with its instructions in an order in which the core waits less, where that is faster. Stores through the
/// first argument touch nothing that the others point to.
pub(super) fn scheduled(kernel: Kernel, core: &Core) -> Kernel {
    if core.timing.interlocks.is_none() {
        return kernel;
    }
    // saves and return stay where they are
    let program = &kernel.program;
    let saves = usize::from(!kernel.saves.is_empty()).min(program.len());
    let end = program.len().saturating_sub(1).max(saves);
    let Some(body) = ordered(&program[saves..end], core) else { return kernel };
    let program = [&program[..saves], &body, &program[end..]].concat();
    match (core.straight(&program), core.straight(&kernel.program)) {
        (Some(cycles), Some(before)) if cycles < before => {
            Kernel { program, cycles: kernel.cycles.and(Some(cycles)), ..kernel }
        }
        _ => kernel,
    }
}

/// A line on its way through the pipeline.
struct InPipeline {
    needs: Vec<Needs>,
    cycles: Vec<u64>,
    pipeline: Pipeline,
}

impl Timing for InPipeline {
    fn earliest(&self, number: usize) -> u64 {
        self.pipeline.start(&self.needs[number])
    }

    fn issue(&mut self, number: usize) {
        self.pipeline.issue(&self.needs[number], self.cycles[number]);
    }

    fn latency(&self, number: usize, reader: usize) -> u64 {
        // what the reader waits for alone
        let mut alone = Pipeline::default();
        alone.issue(&self.needs[number], self.cycles[number]);
        alone.start(&self.needs[reader])
    }

    fn length(&self, number: usize) -> u64 {
        self.cycles[number]
    }
}

/// The instructions of a straight line in a better order; `None` where one of them is a branch or of unknown time.
/// Instructions under a condition stay where they are.
fn ordered(line: &[Instruction], core: &Core) -> Option<Vec<Instruction>> {
    let mut pointers = Pointers::new();
    let mut pipeline = Pipeline::default();
    let mut code = Vec::with_capacity(line.len());
    let mut segment = Segment::default();
    for one in line {
        if one.registers_written() >> PC & 1 != 0 {
            return None;
        }
        let (needs, cycles) = (core.needs(one)?, core.most(one)?);
        if movable(one) {
            segment.push(one, needs, cycles, &pointers);
        } else {
            pipeline = std::mem::take(&mut segment).flush(pipeline, &mut code);
            pipeline.issue(&needs, cycles);
            code.push(*one);
        }
        pointers.after(one);
    }
    segment.flush(pipeline, &mut code);
    Some(code)
}

/// Whether an instruction may stand elsewhere.
fn movable(one: &Instruction) -> bool {
    let plain = matches!(
        one.action,
        Action::Transfer { .. }
            | Action::Block { .. }
            | Action::Data { .. }
            | Action::Multiply { .. }
            | Action::LongMultiply { .. }
            | Action::DoubleAccumulate { .. }
    );
    plain && one.condition == Condition::Al && one.registers_read() >> PC & 1 == 0
}

/// Instructions of which each may stand elsewhere among them.
#[derive(Default)]
struct Segment {
    instructions: Vec<Instruction>,
    steps: Vec<Step>,
    touched: Vec<Option<Touched>>,
    needs: Vec<Needs>,
    cycles: Vec<u64>,
}

impl Segment {
    fn push(&mut self, one: &Instruction, needs: Needs, cycles: u64, pointers: &Pointers) {
        let stores = match one.action {
            Action::Transfer { load, .. } | Action::Block { load, .. } => Some(!load),
            _ => None,
        };
        let places = |registers: u64, flags: u8| registers | flag_bits(flags);
        self.steps.push(Step {
            reads: places(one.registers_read(), one.flags_read()),
            writes: places(one.registers_written(), one.flags_written()),
            stores,
        });
        self.instructions.push(*one);
        self.touched.push(pointers.touched(one));
        self.needs.push(needs);
        self.cycles.push(cycles);
    }

    /// Appends the instructions in their new order, and gives the pipeline after them.
    fn flush(self, pipeline: Pipeline, code: &mut Vec<Instruction>) -> Pipeline {
        let touched = &self.touched;
        let apart = |one: usize, other: usize| match (&touched[one], &touched[other]) {
            (Some(one), Some(other)) => one.apart(other),
            _ => false,
        };
        let mut timing = InPipeline { needs: self.needs, cycles: self.cycles, pipeline };
        let order = rhomb_machine::schedule(&self.steps, &mut timing, apart);
        code.extend(order.into_iter().map(|number| self.instructions[number]));
        timing.pipeline
    }
}

/// What a register points into: the result, an operand, the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Object {
    Result,
    Operand(Register),
    Stack,
}

/// Bytes of memory, from where a pointer pointed at the start.
struct Touched {
    object: Object,
    bytes: Range<i32>,
}

impl Touched {
    fn apart(&self, other: &Touched) -> bool {
        match (self.object == other.object, self.object, other.object) {
            (true, ..) => self.bytes.end <= other.bytes.start || other.bytes.end <= self.bytes.start,
            // two operands may overlap
            (false, Object::Operand(_), Object::Operand(_)) => false,
            _ => true,
        }
    }
}

/// Where registers point, as far as that is known.
struct Pointers([Option<(Object, i32)>; 16]);

impl Pointers {
    fn new() -> Self {
        let mut at = [None; 16];
        at[0] = Some((Object::Result, 0));
        at[1] = Some((Object::Operand(1), 0));
        at[2] = Some((Object::Operand(2), 0));
        at[usize::from(SP)] = Some((Object::Stack, 0));
        Pointers(at)
    }

    fn of(&self, register: Register) -> Option<(Object, i32)> {
        self.0[usize::from(register & 15)]
    }

    /// What a load or store touches.
    fn touched(&self, one: &Instruction) -> Option<Touched> {
        let (rn, start, length) = match one.action {
            Action::Transfer { size: Size::Word, address, .. } => {
                let Offset::Immediate(offset) = address.offset else { return None };
                let offset = if address.up { i32::from(offset) } else { -i32::from(offset) };
                let after = matches!(address.indexing, Indexing::After | Indexing::AfterAsUser);
                let start = if after { 0 } else { offset };
                (address.rn, start, 4)
            }
            Action::Block { rn, mode, registers, .. } => {
                let length = 4 * registers.count_ones() as i32;
                let start = match mode {
                    BlockMode::Ia => 0,
                    BlockMode::Ib => 4,
                    BlockMode::Da => 4 - length,
                    BlockMode::Db => -length,
                };
                (rn, start, length)
            }
            _ => return None,
        };
        let (object, at) = self.of(rn)?;
        Some(Touched { object, bytes: at + start..at + start + length })
    }

    /// Takes note of what an instruction leaves in registers.
    fn after(&mut self, one: &Instruction) {
        let moved = match one.action {
            Action::Data { op, rd, rn, operand: Shifter::Immediate { value, rotation }, .. } => {
                let number = u32::from(value).rotate_right(2 * u32::from(rotation)) as i32;
                let by = match op {
                    DataOp::Add => Some(number),
                    DataOp::Sub => Some(number.wrapping_neg()),
                    _ => None,
                };
                Some((rd, self.of(rn).zip(by).map(|((object, at), by)| (object, at.wrapping_add(by)))))
            }
            Action::Data { op: DataOp::Mov, rd, operand: Shifter::Register { rm, kind, amount }, .. } => {
                Some((rd, self.of(rm).filter(|_| (kind, amount) == (ShiftKind::Lsl, 0))))
            }
            Action::Transfer { address, .. } if address.indexing != Indexing::Offset => {
                let moved = match address.offset {
                    Offset::Immediate(by) if address.up => Some(i32::from(by)),
                    Offset::Immediate(by) => Some(-i32::from(by)),
                    _ => None,
                };
                Some((address.rn, self.of(address.rn).zip(moved).map(|((object, at), by)| (object, at + by))))
            }
            Action::Block { rn, write_back: true, mode, registers, .. } => {
                let length = 4 * registers.count_ones() as i32;
                let by = if matches!(mode, BlockMode::Ia | BlockMode::Ib) { length } else { -length };
                Some((rn, self.of(rn).map(|(object, at)| (object, at + by))))
            }
            _ => None,
        };
        for register in (0..16).filter(|register| one.registers_written() >> register & 1 != 0) {
            self.0[usize::from(register as u8)] = None;
        }
        if let Some((register, place)) = moved {
            self.0[usize::from(register & 15)] = place;
        }
    }
}
