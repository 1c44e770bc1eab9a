//! From events and registers to instructions.

use super::super::code;
use super::super::pointers::{Access, Item};
use crate::instructions::{DataOp, Register, ShiftKind, Shifter};
use rhomb_lower::rows::{Array, Assignment, Data, Event, Frame, Group, Op, Shift, Source, Value};
use std::collections::HashMap;

/// Numbers of pointers.
#[derive(Debug, Default)]
pub(super) struct Pointers {
    known: HashMap<Value, usize>,
    /// How many there are.
    pub(super) count: usize,
}

impl Pointers {
    /// Another unit: these values are pointers that go on.
    pub(super) fn enter(&mut self, known: impl IntoIterator<Item = (Value, usize)>) {
        self.known = known.into_iter().collect();
        self.count = self.count.max(self.known.values().max().map_or(0, |most| most + 1));
    }

    fn number(&mut self, value: Value) -> usize {
        let count = &mut self.count;
        *self.known.entry(value).or_insert_with(|| {
            *count += 1;
            *count - 1
        })
    }
}

fn data(op: Data) -> DataOp {
    match op {
        Data::Add => DataOp::Add,
        Data::Adc => DataOp::Adc,
        Data::Sub => DataOp::Sub,
        Data::Sbc => DataOp::Sbc,
        Data::Mov => DataOp::Mov,
        Data::Orr => DataOp::Orr,
        Data::Bic => DataOp::Bic,
    }
}

fn shift(kind: Shift) -> ShiftKind {
    match kind {
        Shift::Lsl => ShiftKind::Lsl,
        Shift::Lsr => ShiftKind::Lsr,
        Shift::Asr => ShiftKind::Asr,
    }
}

/// The items of a unit.
pub(super) fn items(
    events: &[Event],
    assignment: &Assignment,
    pointers: &mut Pointers,
    frame: &Frame,
) -> Vec<Item> {
    let register = |value: Value| assignment.registers[value];
    let mut items = Vec::with_capacity(events.len());
    for (event, first_is_rs) in events.iter().zip(&assignment.first_is_rs) {
        let factors = |x: Value, y: Value| match first_is_rs {
            true => (register(y), register(x)),
            false => (register(x), register(y)),
        };
        items.push(match event {
            Event::Op(Op::Multiply { low, high, x, y }) => {
                let (rm, rs) = factors(*x, *y);
                Item::Plain(code::umull(register(*low), register(*high), rm, rs))
            }
            Event::Op(Op::Accumulate { low, high, x, y, .. }) => {
                let (rm, rs) = factors(*x, *y);
                Item::Plain(code::umlal(register(*low), register(*high), rm, rs))
            }
            Event::Op(Op::Data { op, set, d, n, m }) => {
                let operand = match m {
                    Source::Value(value) => Shifter::plain(register(*value)),
                    Source::Shifted(value, kind, amount) => {
                        Shifter::Register { rm: register(*value), kind: shift(*kind), amount: *amount }
                    }
                    Source::Number(number) => Shifter::Immediate { value: *number, rotation: 0 },
                    Source::Top => Shifter::Immediate { value: 2, rotation: 1 },
                };
                Item::Plain(code::data(data(*op), *set, register(*d), n.map_or(0, register), operand))
            }
            Event::Load(group) => access(true, group, &register, pointers, frame),
            Event::Store(group) => access(false, group, &register, pointers, frame),
        });
    }
    items
}

fn access(
    load: bool,
    group: &Group,
    register: &impl Fn(Value) -> Register,
    pointers: &mut Pointers,
    frame: &Frame,
) -> Item {
    let registers = group.values.iter().fold(0u16, |set, value| set | 1 << register(*value));
    let (pointer, rn) = (pointers.number(group.base), register(group.base));
    let index = match group.place.array {
        Array::A | Array::Result => group.place.index + frame.origin,
        Array::B | Array::Stack => group.place.index,
        Array::Home => frame.home - group.place.index,
    };
    Item::Access(Access { load, pointer, rn, at: 4 * index as i32, registers })
}
