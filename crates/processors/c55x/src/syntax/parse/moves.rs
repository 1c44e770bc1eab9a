//! MOV in all its forms.

use super::operands::*;
use crate::instructions::{Counter, Instruction, Reg, RegOp};

pub(super) fn mov(src: &str, dst: &str) -> Option<Instruction> {
    use Instruction as I;
    let counter = |text: &str| match text {
        "CSR" => Some(Counter::Csr),
        "BRC0" => Some(Counter::Brc0),
        "BRC1" => Some(Counter::Brc1),
        _ => None,
    };
    if let Some(counter) = counter(dst) {
        return Some(match ta(src) {
            Some(src) => I::MoveCounter { counter, src },
            None => I::SetCounter { counter, value: u16::try_from(constant(src)?).ok()? },
        });
    }
    if let Some(value) = constant(src) {
        return Some(match reg(dst) {
            Some(dst) => match value {
                -15..16 => I::MovK4 { value: value as i8, dst },
                _ => I::MovK16 { value: i16::try_from(value).ok()?, dst },
            },
            None => I::StoreConstant { value: i16::try_from(value).ok()?, smem: smem(dst)? },
        });
    }
    if let Some(lmem) = double(dst) {
        if let Some(accumulator) = inside(src, "pair").and_then(|inner| inside(inner, "LO")) {
            return Some(I::StorePair { src: ac(accumulator)?, lmem });
        }
        if let Some(src) = ac(src) {
            return Some(I::StoreDouble { src, lmem });
        }
        let (from, to) = (inside(src, "dbl").and_then(ind)?, inside(dst, "dbl").and_then(ind)?);
        return Some(I::CopyDouble { from, to });
    }
    if let Some(lmem) = double(src) {
        return Some(I::LoadDouble { lmem, dst: ac(dst)? });
    }
    if let Some(high) = inside(src, "HI") {
        return Some(I::StoreHigh { src: ac(high)?, smem: smem(dst)? });
    }
    match (reg(src), reg(dst)) {
        (Some(src), Some(dst)) => Some(I::Registers { op: RegOp::Mov, src, dst }),
        (Some(src), None) => Some(I::Store { src, smem: smem(dst)? }),
        (None, Some(Reg::Ac(dst))) => {
            let (operand, unsigned) = uns(src);
            Some(I::LoadAc { smem: smem(operand)?, unsigned, dst })
        }
        (None, Some(Reg::Ta(dst))) => Some(I::LoadTa { smem: smem(src)?, dst }),
        (None, None) => Some(I::Copy { from: ind(src)?, to: ind(dst)? }),
    }
}
