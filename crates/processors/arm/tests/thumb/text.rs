//! What a dialect writes for Thumb state is read back to the same instructions.

use crate::thumb::extended;
use rhomb_arm::instructions::{Action, Instruction, Later};
use rhomb_arm::syntax::{dialects, function, parse};
use rhomb_arm::thumb::{Level, decode};
use rhomb_oracles::Random;

/// All halfwords and a sample of pairs, without branches and IT.
fn instructions() -> Vec<Instruction> {
    let mut random = Random::new(3);
    let mut codes: Vec<[u16; 2]> = (0..0xe800u16).map(|half| [half, 0]).collect();
    for first in 0xe800..=u16::MAX {
        codes.extend((0..8).map(|_| [first, random.bits() as u16]));
    }
    codes.extend(extended(&mut random, 8));
    let found = codes.iter().filter_map(|code| decode(Level::V7emFp, code, None).ok());
    let plain = |one: &Instruction| {
        !matches!(
            one.action,
            Action::Branch { .. } | Action::Later(Later::If { .. } | Later::CompareBranch { .. })
        )
    };
    found.map(|found| found.instruction).filter(plain).collect()
}

#[test]
fn instructions_come_back() {
    let all = instructions();
    assert!(all.len() > 50_000, "{}", all.len());
    for dialect in dialects(Some(Level::V7emFp)) {
        let said: Vec<Instruction> =
            all.iter().copied().filter(|one| function(dialect, "f", 0, &[*one]).is_ok()).collect();
        assert!(said.len() > all.len() * 9 / 10, "{}: {} of {}", dialect.name, said.len(), all.len());
        for part in said.chunks(1000) {
            let text = function(dialect, "routine", 0x100, part).unwrap();
            let parsed = parse(dialect, 0x100, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let wrong = parsed.instructions.iter().zip(part).find(|(read, own)| read != own);
            assert_eq!(wrong, None, "{}", dialect.name);
        }
    }
}
