//! Names of instructions.

use crate::instructions::{
    Action, Address, BlockMode, Condition, DataOp, Indexing, Later, Offset, PC, SP, Shifter, Size,
};
use std::sync::OnceLock;

/// Suffixes, in the order of the encoding.
const CONDITIONS: [&str; 15] =
    ["eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", ""];

/// In the order of the encoding.
const DATA: [&str; 16] = [
    "and", "eor", "sub", "rsb", "add", "adc", "sbc", "rsc", "tst", "teq", "cmp", "cmn", "orr", "mov", "bic",
    "mvn",
];

impl Condition {
    /// The suffix of a mnemonic, in lower case: empty for always.
    pub fn suffix(self) -> &'static str {
        CONDITIONS[usize::from(self.bits())]
    }
}

/// Whether a block transfer is written as PUSH or POP: of one register, assemblers make STR and LDR of those in ARM state.
pub(super) fn is_push_or_pop(action: &Action, thumb: bool) -> bool {
    match *action {
        Action::Block { load, rn: SP, write_back: true, mode, registers, user: false } => {
            let full_descending = if load { BlockMode::Ia } else { BlockMode::Db };
            mode == full_descending && (thumb || registers.count_ones() > 1)
        }
        _ => false,
    }
}

/// The mnemonic without its condition; `None` for a coprocessor's word.
pub(super) fn name(action: &Action, thumb: bool) -> Option<String> {
    let with_s = |name: &str, set: bool| format!("{name}{}", if set { "s" } else { "" });
    let name = match *action {
        Action::Data { op, set, .. } => with_s(DATA[op as usize], set && op.keeps_result()),
        Action::Multiply { set, rn, .. } => with_s(if rn.is_some() { "mla" } else { "mul" }, set),
        Action::LongMultiply { signed, accumulate, set, .. } => {
            let sign = if signed { "s" } else { "u" };
            with_s(&format!("{sign}{}", if accumulate { "mlal" } else { "mull" }), set)
        }
        Action::DoubleAccumulate { .. } => "umaal".to_owned(),
        Action::Transfer { load, size, address, .. } => {
            let size = match size {
                Size::Word => "",
                Size::Byte => "b",
                Size::Half => "h",
                Size::SignedByte => "sb",
                Size::SignedHalf => "sh",
            };
            let user = if address.indexing == Indexing::AfterAsUser { "t" } else { "" };
            format!("{}{size}{user}", if load { "ldr" } else { "str" })
        }
        Action::Block { load, mode, .. } => {
            if is_push_or_pop(action, thumb) {
                return Some(if load { "pop" } else { "push" }.to_owned());
            }
            let mode = match mode {
                BlockMode::Da => "da",
                BlockMode::Ia => "ia",
                BlockMode::Db => "db",
                BlockMode::Ib => "ib",
            };
            format!("{}{mode}", if load { "ldm" } else { "stm" })
        }
        Action::Swap { byte, .. } => if byte { "swpb" } else { "swp" }.to_owned(),
        Action::Branch { link, .. } => if link { "bl" } else { "b" }.to_owned(),
        Action::BranchExchange { .. } => "bx".to_owned(),
        Action::ReadStatus { .. } => "mrs".to_owned(),
        Action::WriteStatus { .. } => "msr".to_owned(),
        Action::SoftwareInterrupt { .. } => "svc".to_owned(),
        Action::Later(later) => later.name(),
        Action::Coprocessor { .. } | Action::Literal(_) => return None,
    };
    Some(name)
}

/// One action of each name, its operands still to be filled in.
fn samples() -> Vec<Action> {
    let mut all = Vec::new();
    let (both, rm) = ([false, true], 0);
    for op in DataOp::ALL {
        for set in both {
            if op.keeps_result() || set {
                all.push(Action::Data { op, set, rd: 0, rn: 0, operand: Shifter::plain(rm) });
            }
        }
    }
    for set in both {
        for accumulate in both {
            let rn = accumulate.then_some(0);
            all.push(Action::Multiply { set, rd: 0, rm, rs: 0, rn });
            for signed in both {
                all.push(Action::LongMultiply { signed, accumulate, set, low: 0, high: 0, rm, rs: 0 });
            }
        }
    }
    all.push(Action::DoubleAccumulate { low: 0, high: 0, rm, rs: 0 });
    for load in both {
        for size in [Size::Word, Size::Byte, Size::Half, Size::SignedByte, Size::SignedHalf] {
            if !load && matches!(size, Size::SignedByte | Size::SignedHalf) {
                continue;
            }
            for indexing in [Indexing::Offset, Indexing::AfterAsUser] {
                if indexing == Indexing::Offset || matches!(size, Size::Word | Size::Byte) {
                    let address = Address { rn: 0, up: true, offset: Offset::Immediate(0), indexing };
                    all.push(Action::Transfer { load, size, rd: 0, address });
                }
            }
        }
        for mode in [BlockMode::Da, BlockMode::Ia, BlockMode::Db, BlockMode::Ib] {
            all.push(Action::Block { load, rn: 0, write_back: false, mode, registers: 1, user: false });
        }
        // PUSH and POP
        let mode = if load { BlockMode::Ia } else { BlockMode::Db };
        let registers = 1 | 1 << PC;
        all.push(Action::Block { load, rn: SP, write_back: true, mode, registers, user: false });
        all.push(Action::Swap { byte: load, rd: 0, rm, rn: 0 });
        all.push(Action::Branch { link: load, distance: 0 });
    }
    all.push(Action::BranchExchange { rm });
    all.push(Action::ReadStatus { saved: false, rd: 0 });
    all.push(Action::WriteStatus { saved: false, fields: 0, operand: Shifter::plain(rm) });
    all.push(Action::SoftwareInterrupt { number: 0 });
    all.extend(Later::samples().map(Action::Later));
    all
}

/// The action and the condition of a mnemonic in lower case, operands still to be filled in.
pub(super) fn find(mnemonic: &str) -> Option<(Action, Condition)> {
    static NAMES: OnceLock<Vec<(String, Action)>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        samples().into_iter().filter_map(|action| name(&action, false).map(|name| (name, action))).collect()
    });
    names.iter().find_map(|(name, action)| {
        let suffix = mnemonic.strip_prefix(name.as_str())?;
        let bits = CONDITIONS.iter().position(|condition| *condition == suffix)?;
        Some((*action, Condition::ALL[bits]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_mnemonic_has_one_reading() {
        let names: Vec<String> = samples().iter().filter_map(|action| name(action, false)).collect();
        let mut seen = HashSet::new();
        for (name, sample) in names.iter().zip(samples()) {
            for condition in Condition::ALL {
                let mnemonic = format!("{name}{}", condition.suffix());
                assert!(seen.insert(mnemonic.clone()), "{mnemonic} has two readings");
                assert_eq!(find(&mnemonic), Some((sample, condition)), "{mnemonic}");
            }
        }
        // 28 data, 4 products, 9 long products, 12 single and 10 block transfers, 8 others, 46 of later versions
        assert_eq!(names.len(), 117);
        assert_eq!((find("blq"), find(""), find("sadd")), (None, None, None));
    }
}
