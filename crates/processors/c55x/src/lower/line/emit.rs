//! The instructions of columns.

use crate::instructions::{
    AddressOp, AddressSource, Dual, Half, Ind, Instruction, Mode, Reg, RegOp, ShiftOp, Smem, Ta,
};
use crate::lower::code::{Factor, dual, factor, point, shifted};
use rhomb_line::Logic;
use rhomb_lower::columns::{self, Act, Address, Placed, Product, Sum, Way, With};

fn half(product: Product, ar: u8) -> Factor {
    let half = match product.sum {
        Sum::Set => Half::Mpy,
        Sum::Add => Half::Mac,
        Sum::Subtract => Half::Mas,
    };
    factor(half, ar, Mode::Plain, product.ac)
}

/// One product or two at once, of the words at AR0 and AR1 with that at CDP.
fn duals(one: Product, two: Option<Product>) -> Instruction {
    let (first, second) = match two {
        Some(two) => (half(one, 0), half(two, 1)),
        None => (factor(Half::Amar, 0, Mode::Plain, one.ac), half(one, 0)),
    };
    dual(first, second, Mode::Plain)
}

/// Whether the instruction set has two products in the other order only.
pub(super) fn is_turned(one: Product, two: Product) -> bool {
    matches!(duals(one, Some(two)), Instruction::Dual(Dual { xmem: Ind { ar: 1, .. }, .. }))
}

fn register(reg: columns::Reg) -> Reg {
    match reg {
        columns::Reg::Accumulator(number) => Reg::Ac(number),
        columns::Reg::Temporary(number) => Reg::Ta(Ta::T(number)),
    }
}

fn mode(way: Way) -> Mode {
    match way {
        Way::Stay => Mode::Plain,
        Way::Up => Mode::Up,
        Way::Down => Mode::Down,
    }
}

fn smem(address: Address) -> Smem {
    match address {
        Address::Stack(words) => Smem::Sp(words),
        Address::Apart(ar, words) => Smem::Offset(ar, words),
        Address::At(ar, way) => Smem::Ind(Ind { ar, mode: mode(way) }),
    }
}

/// A register becomes a number.
fn number(number: u64, dst: Reg, code: &mut Vec<Instruction>) {
    let value = number as u16 as i16;
    let short = i8::try_from(value).ok().filter(|value| (-15..16).contains(value));
    match (number >> 16, short, dst) {
        (0, Some(value), Reg::Ta(_)) | (0, Some(value @ 0..), _) => {
            code.push(Instruction::MovK4 { value, dst })
        }
        // what the text has for these is a number below zero
        (0, Some(value), _) => {
            code.push(Instruction::MovK4 { value, dst });
            code.push(Instruction::AndK16 { value: u16::MAX, src: dst, dst });
        }
        (0, None, _) => code.push(Instruction::MovK16 { value, dst }),
        (above, ..) => {
            self::number(above, dst, code);
            if let Reg::Ac(ac) = dst {
                code.push(shifted(ShiftOp::Sftl, ac, 16, ac));
            }
            if value != 0 {
                code.push(Instruction::AddK16 { value, src: dst, dst });
            }
        }
    }
}

/// The instructions for what is placed.
pub(super) fn emit(placed: &Placed, code: &mut Vec<Instruction>) {
    use Instruction as I;
    let own = placed.addresses.first().copied().map_or(Smem::Sp(0), smem);
    code.push(match placed.act {
        Act::Number(value, dst) => return number(value, register(dst), code),
        Act::Ones(ac) => I::MovK4 { value: -1, dst: Reg::Ac(ac) },
        Act::Mask(bits, src, dst) => I::AndK16 { value: bits as u16, src: register(src), dst: register(dst) },
        Act::AddNumber(value, src, dst) => match (value, register(src), register(dst)) {
            (0..16, src, dst) if src == dst => I::AddK4 { subtract: false, value: value as u8, dst },
            (_, src, dst) => I::AddK16 { value: value as i16, src, dst },
        },
        Act::SubtractNumber(value, dst) => I::AddK4 { subtract: true, value, dst: register(dst) },
        Act::With(with, src, dst) => {
            let op = match with {
                With::Copy => RegOp::Mov,
                With::Negate => RegOp::Neg,
                With::Not => RegOp::Not,
                With::Logic(Logic::And) => RegOp::And,
                With::Logic(Logic::Or) => RegOp::Or,
                With::Logic(Logic::Xor) => RegOp::Xor,
                With::Add => RegOp::Add,
                With::Subtract => RegOp::Sub,
            };
            I::Registers { op, src: register(src), dst: register(dst) }
        }
        Act::Shifted(sum, src, places, dst) => {
            let op = match sum {
                Sum::Set => ShiftOp::Sftl,
                Sum::Add => ShiftOp::Add,
                Sum::Subtract => ShiftOp::Sub,
            };
            shifted(op, src, places, dst)
        }
        Act::Load(columns::Reg::Accumulator(dst)) => I::LoadAc { smem: own, unsigned: true, dst },
        Act::Load(columns::Reg::Temporary(t)) => I::LoadTa { smem: own, dst: Ta::T(t) },
        Act::LoadDouble(dst) => I::LoadDouble { lmem: own, dst },
        Act::Memory { minus, double: true, src, dst } => {
            I::AddDouble { subtract: minus, lmem: own, src, dst }
        }
        Act::Memory { minus, double: false, src, dst } => {
            I::AddMemory { subtract: minus, carry: false, smem: own, unsigned: true, src, dst }
        }
        Act::Store(src) => I::Store { src: register(src), smem: own },
        Act::StoreHigh(src) => I::StoreHigh { src, smem: own },
        Act::StoreDouble(src) => I::StoreDouble { src, lmem: own },
        Act::StoreNumber(value) => I::StoreConstant { value: value as i16, smem: own },
        Act::Times(t, dst) => I::ProductT { smem: own, t, unsigned: true, dst },
        Act::Products(one, two) => products(one, two, &placed.addresses),
        Act::Point(ar) => I::AmarTo { smem: own, dst: ar },
        Act::Move(ar, by) => {
            let op = if by < 0 { AddressOp::Sub } else { AddressOp::Add };
            match u8::try_from(by.abs()) {
                Ok(by) => I::Address { op, src: AddressSource::P8(by), dst: Ta::Ar(ar) },
                Err(_) => point(ar, ar, by),
            }
        }
    });
}

fn products(one: Product, two: Option<Product>, addresses: &[Address]) -> Instruction {
    let mut made = duals(one, two);
    if let Instruction::Dual(own) = &mut made {
        match *addresses {
            [Address::At(x, to), Address::At(_, shared)] => {
                (own.xmem.ar, own.ymem, own.cmem) = (x, Ind { ar: x, mode: mode(to) }, mode(shared));
            }
            [Address::At(x, x_to), Address::At(y, y_to), Address::At(_, shared)] => {
                own.xmem = Ind { ar: x, mode: mode(x_to) };
                (own.ymem, own.cmem) = (Ind { ar: y, mode: mode(y_to) }, mode(shared));
            }
            _ => {}
        }
    }
    made
}
