//! What several modules need: random instructions, and times of other simulators.

#[cfg(feature = "oracles")]
pub(crate) mod times;

use proptest::prelude::*;
use rhomb_arm::instructions::{
    Action, Address, BlockMode, Condition, DataOp, Indexing, Instruction, Offset, ShiftKind, Shifter, Size,
};

fn register() -> impl Strategy<Value = u8> {
    0..16u8
}

/// A kind of shift with a number of places that it allows.
fn shift() -> impl Strategy<Value = (ShiftKind, u8)> {
    prop::sample::select(ShiftKind::ALL.as_slice())
        .prop_flat_map(|kind| (Just(kind), kind.amounts().0..=kind.amounts().1))
}

fn shifter() -> impl Strategy<Value = Shifter> {
    prop_oneof![
        (any::<u8>(), 0..16u8).prop_map(|(value, rotation)| Shifter::Immediate { value, rotation }),
        (register(), shift()).prop_map(|(rm, (kind, amount))| Shifter::Register { rm, kind, amount }),
        register().prop_map(|rm| Shifter::Rrx { rm }),
        (register(), shift(), register()).prop_map(|(rm, (kind, _), rs)| Shifter::ByRegister {
            rm,
            kind,
            rs
        }),
    ]
}

fn data() -> impl Strategy<Value = Action> {
    let op = prop::sample::select(DataOp::ALL.as_slice());
    (op, any::<bool>(), register(), register(), shifter()).prop_map(|(op, set, rd, rn, operand)| {
        Action::Data {
            op,
            set: set || !op.keeps_result(),
            rd: if op.keeps_result() { rd } else { 0 },
            rn: if op.has_first() { rn } else { 0 },
            operand,
        }
    })
}

fn product() -> impl Strategy<Value = Action> {
    let registers = (register(), register(), register(), register());
    (any::<[bool; 4]>(), registers).prop_map(|([long, signed, accumulate, set], (a, b, rm, rs))| match long {
        false => Action::Multiply { set, rd: a, rm, rs, rn: accumulate.then_some(b) },
        true => Action::LongMultiply { signed, accumulate, set, low: a, high: b, rm, rs },
    })
}

fn transfer() -> impl Strategy<Value = Action> {
    let size = prop_oneof![
        Just(Size::Word),
        Just(Size::Byte),
        Just(Size::Half),
        Just(Size::SignedByte),
        Just(Size::SignedHalf),
    ];
    let offset = prop_oneof![
        (0..4096u16).prop_map(Offset::Immediate),
        (register(), shift()).prop_map(|(rm, (kind, amount))| Offset::Register { rm, kind, amount }),
        register().prop_map(|rm| Offset::Rrx { rm }),
    ];
    let indexing = prop_oneof![
        Just(Indexing::Offset),
        Just(Indexing::Before),
        Just(Indexing::After),
        Just(Indexing::AfterAsUser),
    ];
    (any::<bool>(), size, register(), register(), any::<bool>(), offset, indexing).prop_map(
        |(load, size, rd, rn, up, offset, indexing)| {
            let wide = matches!(size, Size::Word | Size::Byte);
            let offset = match offset {
                Offset::Immediate(number) if !wide => Offset::Immediate(number % 256),
                Offset::Register { rm, .. } | Offset::Rrx { rm } if !wide => {
                    Offset::Register { rm, kind: ShiftKind::Lsl, amount: 0 }
                }
                offset => offset,
            };
            let load = load || matches!(size, Size::SignedByte | Size::SignedHalf);
            let indexing =
                if !wide && indexing == Indexing::AfterAsUser { Indexing::After } else { indexing };
            Action::Transfer { load, size, rd, address: Address { rn, up, offset, indexing } }
        },
    )
}

fn block() -> impl Strategy<Value = Action> {
    let mode =
        prop_oneof![Just(BlockMode::Da), Just(BlockMode::Ia), Just(BlockMode::Db), Just(BlockMode::Ib)];
    (any::<[bool; 3]>(), register(), mode, 1u16..).prop_map(
        |([load, write_back, user], rn, mode, registers)| Action::Block {
            load,
            rn,
            write_back,
            mode,
            registers,
            user,
        },
    )
}

fn other() -> impl Strategy<Value = Action> {
    let number = (any::<u8>(), 0..16u8);
    prop_oneof![
        (any::<bool>(), register(), register(), register()).prop_map(|(byte, rd, rm, rn)| Action::Swap {
            byte,
            rd,
            rm,
            rn
        }),
        (any::<bool>(), -(1 << 23)..1i32 << 23)
            .prop_map(|(link, words)| Action::Branch { link, distance: 4 * words + 8 }),
        register().prop_map(|rm| Action::BranchExchange { rm }),
        (any::<bool>(), register()).prop_map(|(saved, rd)| Action::ReadStatus { saved, rd }),
        (any::<bool>(), 1..16u8, any::<bool>(), register(), number).prop_map(
            |(saved, fields, plain, rm, (value, rotation))| {
                let number = Shifter::Immediate { value, rotation };
                let operand = if plain { Shifter::plain(rm) } else { number };
                Action::WriteStatus { saved, fields, operand }
            }
        ),
        (0..1u32 << 24).prop_map(|number| Action::SoftwareInterrupt { number }),
    ]
}

/// Instructions whose fields are in range; some are unpredictable. No coprocessor's.
pub(crate) fn instruction() -> impl Strategy<Value = Instruction> {
    let action = prop_oneof![data(), product(), transfer(), block(), other()];
    (prop::sample::select(Condition::ALL.as_slice()), action)
        .prop_map(|(condition, action)| Instruction { condition, action })
}
