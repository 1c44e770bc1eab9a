//! The kinds of relocations: which bits of a word they fill, with what of the target's address.

use crate::program::is_from_words;
use crate::thumb::{self, Level};
use rhomb_machine::{Filled, Placement, SECTION_GAP, SectionAddress, Unit};
use rhomb_object::{Content, Patch, Reference, Relocation, Section, start_of_words};

/// What a relocation fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// Nothing: it only marks an instruction.
    Done,
    /// Distance in words of B and BL, from the instruction after the next.
    Branch,
    /// Distance in halfwords of BL and B.W in Thumb state.
    ThumbBranch,
    /// A word with the address.
    Address,
    /// A word with the distance from itself.
    Distance,
}

/// The field of a relocation's number; `None` for kinds that are not modelled, Thumb's among them.
fn field(kind: u32, thumb: bool) -> Option<Field> {
    Some(match kind {
        // R_ARM_NONE; R_ARM_V4BX marks a BX
        0 | 40 => Field::Done,
        // R_ARM_PC24, R_ARM_PLT32, R_ARM_CALL, R_ARM_JUMP24
        1 | 27 | 28 | 29 if !thumb => Field::Branch,
        // R_ARM_ABS32; R_ARM_TARGET1, which is that on bare metal
        2 | 38 => Field::Address,
        // R_ARM_REL32
        3 => Field::Distance,
        // R_ARM_THM_CALL, R_ARM_THM_JUMP24
        10 | 30 if thumb => Field::ThumbBranch,
        _ => return None,
    })
}

/// How far the PC is ahead of the instruction.
const AHEAD: i64 = 8;
/// The same in Thumb state.
const THUMB_AHEAD: i64 = 4;

/// The distance in the two halfwords of BL or B.W, from the PC (DDI 0403E, A7.7.12, A7.7.18).
fn thumb_distance(word: u32) -> i64 {
    let (first, second) = (word & 0xffff, word >> 16);
    let sign = first >> 10 & 1;
    let [one, two] = [13, 11].map(|place| !(second >> place ^ sign) & 1);
    let bits = sign << 24 | one << 23 | two << 22 | (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
    i64::from((bits << 7) as i32 >> 7)
}

/// The two halfwords with another distance.
fn with_thumb_distance(word: u32, distance: i64) -> u32 {
    let bits = distance as u32;
    let sign = bits >> 24 & 1;
    let [one, two] = [23, 22].map(|place| !(bits >> place ^ sign) & 1);
    let first = word & 0xf800 | sign << 10 | bits >> 12 & 0x3ff;
    let second = word >> 16 & 0xd000 | one << 13 | two << 11 | bits >> 1 & 0x7ff;
    second << 16 | first
}

impl Field {
    /// What the word says is added to the symbol's address.
    fn written(self, word: u32) -> i64 {
        match self {
            Field::Done => 0,
            Field::Branch => self.of_symbol(i64::from((word << 8) as i32 >> 6)),
            Field::ThumbBranch => self.of_symbol(thumb_distance(word)),
            Field::Address | Field::Distance => i64::from(word as i32),
        }
    }

    /// An addend as the file has it, which for a branch counts from the PC, as what is added to the symbol.
    fn of_symbol(self, addend: i64) -> i64 {
        match self {
            Field::Branch => addend.wrapping_add(AHEAD),
            Field::ThumbBranch => addend.wrapping_add(THUMB_AHEAD),
            Field::Done | Field::Address | Field::Distance => addend,
        }
    }

    /// The word at address `at` with the address `target` filled in.
    fn filled(self, word: u32, target: i64, at: i64) -> Result<u32, &'static str> {
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
            Field::ThumbBranch => {
                let distance = target.wrapping_sub(at).wrapping_sub(THUMB_AHEAD);
                if distance % 2 != 0 {
                    return Err("an address that is no multiple of 2");
                }
                if !(-(1 << 24)..1 << 24).contains(&distance) {
                    return Err("too far");
                }
                Ok(with_thumb_distance(word, distance))
            }
            Field::Address => Ok(target as u32),
            Field::Distance => Ok(target.wrapping_sub(at) as u32),
        }
    }

    /// Whether what was filled in is final: a section stays together.
    fn is_final(self, to: &Reference) -> bool {
        match self {
            Field::Done => true,
            Field::Address => to.section.is_none(),
            Field::Branch | Field::ThumbBranch | Field::Distance => to.same,
        }
    }
}

/// Whether Thumb code in a section counts from its own address without the lowest bits: where the section is then decides what it
/// reads.
pub(super) fn has_literals(section: &Section<'_>) -> bool {
    let halves: Vec<u16> = section.bytes.as_chunks().0.iter().map(|half| u16::from_le_bytes(*half)).collect();
    let mut at = 0;
    while at < halves.len() {
        let found = thumb::decode(Level::V7em, &halves[at..], None).ok();
        if section.content(2 * at) != Some(Content::Data)
            && found.is_some_and(|one| is_from_words(&one.action))
        {
            return true;
        }
        at += found.map_or(1, |one| usize::from(one.bytes) / 2);
    }
    false
}

/// What a relocation fills in, in code of Thumb state or of ARM state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Filling<const THUMB: bool>(Field);

impl<const THUMB: bool> Patch for Filling<THUMB> {
    const ALIGNMENT: usize = if THUMB { 2 } else { 4 };
    const CODE: Content = if THUMB { Content::Thumb } else { Content::Code };
    /// A branch reaches 32 MiB.
    const MOST_BYTES: usize = 1 << 24;
    const PLACES: &'static str = "a multiple of 4 below 4 GiB";

    fn of(kind: u32, _: u32) -> Option<Self> {
        field(kind, THUMB).map(Filling)
    }

    fn bytes(self) -> usize {
        if self.0 == Field::Done { 0 } else { 4 }
    }

    /// From the relocation, or from the code.
    fn addend(self, section: &Section<'_>, relocation: &Relocation<'_>) -> i64 {
        let bytes = section.bytes.get(relocation.offset..).and_then(|bytes| bytes.first_chunk::<4>());
        let written = bytes.map_or(0, |bytes| self.0.written(u32::from_le_bytes(*bytes)));
        relocation.addend.map_or(written, |addend| self.0.of_symbol(addend))
    }

    fn fill(self, slot: &mut [u8], target: i64, at: i64) -> Result<(), &'static str> {
        if let Some(word) = slot.first_chunk_mut::<4>() {
            *word = self.0.filled(u32::from_le_bytes(*word), target, at)?.to_le_bytes();
        }
        Ok(())
    }

    fn record(self, to: &Reference, placement: &mut Placement, at: u32) {
        if self.0.is_final(to) {
            return;
        }
        let address =
            |base| Filled::Data(SectionAddress { base, address: to.target, negative: false, part: 0 });
        let what = match (self.0, to.section) {
            // by a distance to a number
            (Field::Branch | Field::ThumbBranch, None) => Filled::Missing,
            (Field::Branch | Field::ThumbBranch, Some(_)) => Filled::Branch,
            (Field::Address, Some(start)) => {
                placement.base(start, Unit::Bytes).map_or(Filled::Unknown, address)
            }
            _ => Filled::Unknown,
        };
        placement.fill(at, 4, what);
    }

    fn told(self, to: &Reference) -> Option<&'static str> {
        let what = match self.0 {
            Field::Done => return None,
            Field::Branch | Field::ThumbBranch => "branch to",
            Field::Address => "address of",
            Field::Distance => "distance of",
        };
        (!self.0.is_final(to)).then_some(what)
    }

    fn start(section: &Section<'_>, end: usize) -> Option<usize> {
        let loose = THUMB && section.alignment == 2 && !has_literals(section);
        // not a multiple of 4, which it may not be
        start_of_words(section, end).or_else(|| loose.then(|| (end + SECTION_GAP).next_multiple_of(4) + 2))
    }

    /// The address of Thumb code is odd.
    fn is_foreign(section: &Section<'_>, offset: u64) -> bool {
        match section.content((offset & !1) as usize) {
            Some(Content::Thumb) => !THUMB,
            Some(Content::Code) if THUMB => true,
            Some(Content::Data) => false,
            None if THUMB => false,
            Some(Content::Code) | None => !section.constants && offset & 1 != 0,
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
        assert_eq!(Field::Branch.written(call), 0);
        assert_eq!(Field::Branch.written(0xeb00_0001), 12);
        for (target, at) in [(0x1000i64, 0x40i64), (0, 0x40), (0x40, 0x40), (0x1ff_fff8, 0), (4, 0x1ff_fffc)]
        {
            let word = Field::Branch.filled(call, target, at).unwrap();
            let Ok(Action::Branch { link: true, distance }) = decode(word).map(|one| one.action) else {
                panic!("{word:#010x} is no call")
            };
            assert_eq!(at + i64::from(distance), target);
        }
        assert_eq!(Field::Branch.filled(call, 0x200_0008, 0), Err("too far"));
        assert_eq!(Field::Branch.filled(call, 0, 0x200_0000), Err("too far"));
        assert_eq!(Field::Branch.filled(call, 2, 0), Err("an address that is no multiple of 4"));
    }

    #[test]
    fn branches_of_thumb_state_go_to_their_targets() {
        // bl with the addend -4; b.w the same
        for (call, link) in [(0xfffe_f7ff, true), (0xbffe_f7ff, false)] {
            assert_eq!(Field::ThumbBranch.written(call), 0);
            for (target, at) in
                [(0x1000i64, 0x40i64), (0, 0x42), (0x40, 0x40), (0xff_fffc, 0), (2, 0xff_fffe)]
            {
                let word = Field::ThumbBranch.filled(call, target, at).unwrap();
                let found = thumb::decode(Level::V7m, &[word as u16, (word >> 16) as u16], None).unwrap();
                let Action::Branch { link: own, distance } = found.action else { panic!("{word:#010x}") };
                assert_eq!((own, at + i64::from(distance)), (link, target));
            }
            assert_eq!(Field::ThumbBranch.filled(call, 0x100_0004, 0), Err("too far"));
        }
    }

    #[test]
    fn words_are_addresses_and_distances() {
        assert_eq!(Field::Address.written(0xffff_fffc), -4);
        assert_eq!(Field::Address.filled(0, 0x1234, 0x40), Ok(0x1234));
        assert_eq!(Field::Distance.filled(0, 0x30, 0x40), Ok(0xffff_fff0));
        assert_eq!([10, 43, 96].map(|kind| field(kind, false)), [None; 3]);
        assert_eq!([28, 43, 96].map(|kind| field(kind, true)), [None; 3]);
    }
}
