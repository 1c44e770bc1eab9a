//! The kinds of relocations: which bits of a word they fill, with what of the target's address.

/// What a relocation fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// Nothing: it only marks an instruction.
    Done,
    /// Distance in words of B and BL, from the instruction after the next.
    Branch,
    /// A word with the address.
    Address,
    /// A word with the distance from itself.
    Distance,
}

/// The field of a relocation's number; `None` for kinds that are not modelled, Thumb's among them.
pub(super) fn field(kind: u32) -> Option<Field> {
    Some(match kind {
        // R_ARM_NONE; R_ARM_V4BX marks a BX
        0 | 40 => Field::Done,
        // R_ARM_PC24, R_ARM_PLT32, R_ARM_CALL, R_ARM_JUMP24
        1 | 27 | 28 | 29 => Field::Branch,
        // R_ARM_ABS32; R_ARM_TARGET1, which is that on bare metal
        2 | 38 => Field::Address,
        // R_ARM_REL32
        3 => Field::Distance,
        _ => return None,
    })
}

/// How far the PC is ahead of the instruction.
const AHEAD: i64 = 8;

impl Field {
    /// What the word says is added to the symbol's address.
    pub(super) fn addend(self, word: u32) -> i64 {
        match self {
            Field::Done => 0,
            Field::Branch => self.of_symbol(i64::from((word << 8) as i32 >> 6)),
            Field::Address | Field::Distance => i64::from(word as i32),
        }
    }

    /// An addend as the file has it, which for a branch counts from the PC, as what is added to the symbol.
    pub(super) fn of_symbol(self, addend: i64) -> i64 {
        match self {
            Field::Branch => addend.wrapping_add(AHEAD),
            Field::Done | Field::Address | Field::Distance => addend,
        }
    }

    /// For people: what is filled in.
    pub(super) fn told(self) -> &'static str {
        match self {
            Field::Done => "nothing of",
            Field::Branch => "branch to",
            Field::Address => "address of",
            Field::Distance => "distance of",
        }
    }

    /// The word at address `at` with the address `target` filled in.
    pub(super) fn fill(self, word: u32, target: i64, at: i64) -> Result<u32, &'static str> {
        match self {
            Field::Done => Ok(word),
            Field::Branch => {
                let distance = target.wrapping_sub(at).wrapping_sub(AHEAD);
                if distance % 4 != 0 {
                    return Err("an address that is no multiple of 4");
                }
                if !(-(1 << 25)..1 << 25).contains(&distance) {
                    return Err("too far");
                }
                Ok(word & 0xff00_0000 | (distance >> 2) as u32 & 0x00ff_ffff)
            }
            Field::Address => Ok(target as u32),
            Field::Distance => Ok(target.wrapping_sub(at) as u32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::decode;
    use crate::instructions::Action;

    #[test]
    fn branches_go_to_their_targets() {
        // bl with the addend -8, as assemblers write it: to the symbol itself
        let call = 0xebff_fffe;
        assert_eq!(Field::Branch.addend(call), 0);
        assert_eq!(Field::Branch.addend(0xeb00_0001), 12);
        for (target, at) in [(0x1000i64, 0x40i64), (0, 0x40), (0x40, 0x40), (0x1ff_fff8, 0), (4, 0x1ff_fffc)]
        {
            let word = Field::Branch.fill(call, target, at).unwrap();
            let Ok(Action::Branch { link: true, distance }) = decode(word).map(|one| one.action) else {
                panic!("{word:#010x} is no call")
            };
            assert_eq!(at + i64::from(distance), target);
        }
        assert_eq!(Field::Branch.fill(call, 0x200_0008, 0), Err("too far"));
        assert_eq!(Field::Branch.fill(call, 0, 0x200_0000), Err("too far"));
        assert_eq!(Field::Branch.fill(call, 2, 0), Err("an address that is no multiple of 4"));
    }

    #[test]
    fn words_are_addresses_and_distances() {
        assert_eq!(Field::Address.addend(0xffff_fffc), -4);
        assert_eq!(Field::Address.fill(0, 0x1234, 0x40), Ok(0x1234));
        assert_eq!(Field::Distance.fill(0, 0x30, 0x40), Ok(0xffff_fff0));
        assert_eq!((field(10), field(43), field(96)), (None, None, None));
    }
}
