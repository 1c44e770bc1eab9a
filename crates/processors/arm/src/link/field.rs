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
    /// Distance in halfwords of a branch in Thumb state.
    ThumbBranch(Reach),
    /// Half an address in MOVW or MOVT of Thumb state, the upper one or not; or that of the distance from itself.
    Half {
        /// The upper half, in MOVT.
        upper: bool,
        /// The distance.
        relative: bool,
    },
    /// A word with the address.
    Address,
    /// A word with the distance from itself.
    Distance,
}

/// How far a branch of Thumb state goes, and where its distance stands (DDI 0403E, A7.7.12, A7.7.18, A7.7.21).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// BL, B.W.
    Long,
    /// B.W with a condition.
    Conditional,
    /// B in 16 bits.
    Short,
    /// B with a condition in 16 bits.
    ShortConditional,
    /// CBZ, CBNZ: forwards only.
    Compare,
}

impl Reach {
    fn bytes(self) -> usize {
        if matches!(self, Reach::Long | Reach::Conditional) { 4 } else { 2 }
    }

    /// The distance in halfwords of two bytes or two halfwords, the first of them in the lower bits, from the PC.
    fn distance(self, word: u32) -> i64 {
        let (first, second) = (word & 0xffff, word >> 16);
        let sign = first >> 10 & 1;
        let [one, two] = [13, 11].map(|place| second >> place & 1);
        let (bits, width) = match self {
            Reach::Long => {
                let [one, two] = [one, two].map(|bit| !(bit ^ sign) & 1);
                (sign << 23 | one << 22 | two << 21 | (first & 0x3ff) << 11 | second & 0x7ff, 24)
            }
            Reach::Conditional => {
                (sign << 19 | two << 18 | one << 17 | (first & 0x3f) << 11 | second & 0x7ff, 20)
            }
            Reach::Short => (first & 0x7ff, 11),
            Reach::ShortConditional => (first & 0xff, 8),
            Reach::Compare => return (first >> 9 & 1) as i64 * 64 + i64::from(first >> 3 & 0x1f) * 2,
        };
        i64::from((bits << (32 - width)) as i32 >> (31 - width) & !1)
    }

    /// The same bytes with another distance; `None` where it is too far.
    fn with_distance(self, word: u32, distance: i64) -> Option<u32> {
        let (halves, width) = (
            distance >> 1,
            match self {
                Reach::Long => 23,
                Reach::Conditional => 19,
                Reach::Short => 10,
                Reach::ShortConditional => 7,
                Reach::Compare => 6,
            },
        );
        let least = if self == Reach::Compare { 0 } else { -(1 << width) };
        if !(least..1 << width).contains(&halves) {
            return None;
        }
        let bits = halves as u32;
        let (sign, bit) = (bits >> 31, |place: u32| bits >> place & 1);
        let low = |kept: u32| word & kept;
        Some(match self {
            Reach::Long => {
                let [one, two] = [22, 21].map(|place| !(bit(place) ^ sign) & 1);
                low(0xd000_f800)
                    | sign << 10
                    | bits >> 11 & 0x3ff
                    | one << 29
                    | two << 27
                    | (bits & 0x7ff) << 16
            }
            Reach::Conditional => {
                let [two, one] = [18, 17].map(bit);
                low(0xd000_fbc0)
                    | sign << 10
                    | bits >> 11 & 0x3f
                    | one << 29
                    | two << 27
                    | (bits & 0x7ff) << 16
            }
            Reach::Short => low(0xf800) | bits & 0x7ff,
            Reach::ShortConditional => low(0xff00) | bits & 0xff,
            Reach::Compare => low(0xfd07) | bit(5) << 9 | (bits & 0x1f) << 3,
        })
    }
}

/// The number of MOVW and MOVT (DDI 0403E, A7.7.76), whose two halfwords these are.
fn half_number(word: u32) -> u32 {
    (word & 0xf) << 12 | (word >> 10 & 1) << 11 | (word >> 28 & 7) << 8 | word >> 16 & 0xff
}

fn with_half_number(word: u32, number: u32) -> u32 {
    let first = word & 0xfbf0 | number >> 12 & 0xf | (number >> 11 & 1) << 10;
    first | word & 0x8f00_0000 | (number >> 8 & 7) << 28 | (number & 0xff) << 16
}

/// The field of a relocation's number; `None` for kinds that are not modelled.
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
        // R_ARM_THM_CALL, R_ARM_THM_JUMP24; R_ARM_THM_JUMP19, R_ARM_THM_JUMP11, R_ARM_THM_JUMP8, R_ARM_THM_JUMP6
        10 | 30 if thumb => Field::ThumbBranch(Reach::Long),
        51 if thumb => Field::ThumbBranch(Reach::Conditional),
        102 if thumb => Field::ThumbBranch(Reach::Short),
        103 if thumb => Field::ThumbBranch(Reach::ShortConditional),
        52 if thumb => Field::ThumbBranch(Reach::Compare),
        // R_ARM_THM_MOVW_ABS_NC, R_ARM_THM_MOVT_ABS, R_ARM_THM_MOVW_PREL_NC, R_ARM_THM_MOVT_PREL
        47..=50 if thumb => Field::Half { upper: kind.is_multiple_of(2), relative: kind >= 49 },
        _ => return None,
    })
}

/// How far the PC is ahead of the instruction.
const AHEAD: i64 = 8;
/// The same in Thumb state.
const THUMB_AHEAD: i64 = 4;

impl Field {
    /// What the word says is added to the symbol's address.
    fn written(self, word: u32) -> i64 {
        match self {
            Field::Done => 0,
            Field::Branch => self.of_symbol(i64::from((word << 8) as i32 >> 6)),
            Field::ThumbBranch(reach) => self.of_symbol(reach.distance(word)),
            Field::Half { .. } => i64::from(half_number(word) as i16),
            Field::Address | Field::Distance => i64::from(word as i32),
        }
    }

    /// An addend as the file has it, which for a branch counts from the PC, as what is added to the symbol.
    fn of_symbol(self, addend: i64) -> i64 {
        match self {
            Field::Branch => addend.wrapping_add(AHEAD),
            Field::ThumbBranch(_) => addend.wrapping_add(THUMB_AHEAD),
            Field::Done | Field::Address | Field::Distance | Field::Half { .. } => addend,
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
            Field::ThumbBranch(reach) => {
                // the address of a function of Thumb state is odd
                let distance = (target & !1).wrapping_sub(at).wrapping_sub(THUMB_AHEAD);
                reach.with_distance(word, distance).ok_or("too far")
            }
            Field::Half { upper, relative } => {
                if word & 0x8000_fbf0 != if upper { 0xf2c0 } else { 0xf240 } {
                    return Err("the instruction there is neither MOVW nor MOVT");
                }
                let number = if relative { target.wrapping_sub(at) } else { target };
                Ok(with_half_number(word, (number >> if upper { 16 } else { 0 }) as u32))
            }
            Field::Address => Ok(target as u32),
            Field::Distance => Ok(target.wrapping_sub(at) as u32),
        }
    }

    /// Whether what was filled in is final: a section stays together.
    fn is_final(self, to: &Reference) -> bool {
        match self {
            Field::Done => true,
            Field::Address | Field::Half { relative: false, .. } => to.section.is_none(),
            Field::Branch | Field::ThumbBranch(_) | Field::Distance | Field::Half { relative: true, .. } => {
                to.same
            }
        }
    }
}

/// Two or four bytes as a number.
fn word_of(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
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
        match self.0 {
            Field::Done => 0,
            Field::ThumbBranch(reach) => reach.bytes(),
            _ => 4,
        }
    }

    /// From the relocation, or from the code.
    fn addend(self, section: &Section<'_>, relocation: &Relocation<'_>) -> i64 {
        let bytes = section.bytes.get(relocation.offset..).and_then(|bytes| bytes.get(..self.bytes()));
        let written = bytes.map_or(0, |bytes| self.0.written(word_of(bytes)));
        relocation.addend.map_or(written, |addend| self.0.of_symbol(addend))
    }

    fn fill(self, slot: &mut [u8], target: i64, at: i64) -> Result<(), &'static str> {
        let word = self.0.filled(word_of(slot), target, at)?;
        slot.iter_mut().zip(word.to_le_bytes()).for_each(|(place, byte)| *place = byte);
        Ok(())
    }

    fn record(self, to: &Reference, placement: &mut Placement, at: u32) {
        if self.0.is_final(to) {
            return;
        }
        let address = |base| SectionAddress { base, address: to.target, negative: false, part: 0 };
        let own = |start| placement.base(start, Unit::Bytes).map(address);
        // the lower half stands for this address alone
        let first = address(Placement::first_base(to.target as u32));
        let what = match (self.0, to.section) {
            // by a distance to a number
            (Field::Branch | Field::ThumbBranch(_), None) => Filled::Missing,
            (Field::Branch | Field::ThumbBranch(_), Some(_)) => Filled::Branch,
            (Field::Address, Some(start)) => own(start).map_or(Filled::Unknown, Filled::Data),
            (Field::Half { upper: false, relative: false }, Some(_)) => Filled::Immediate(Some(first)),
            (Field::Half { upper: true, relative: false }, Some(start)) => {
                own(start).map_or(Filled::Missing, |address| Filled::Rest { first, address })
            }
            _ => Filled::Unknown,
        };
        placement.fill(at, self.bytes() as u32, what);
    }

    fn told(self, to: &Reference) -> Option<&'static str> {
        let what = match self.0 {
            Field::Done | Field::Half { upper: true, .. } => return None,
            Field::Branch | Field::ThumbBranch(_) => "branch to",
            Field::Address | Field::Half { .. } => "address of",
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
    use crate::instructions::{Action, Later};

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
        // to the symbol itself, as assemblers write it: bl, b.w, bne.w, b, bne; and cbnz, whose addend is not negative
        for (code, reach, most) in [
            (0xfffe_f7ff, Reach::Long, 0xff_fffe),
            (0xbffe_f7ff, Reach::Long, 0xff_fffe),
            (0xaffe_f47f, Reach::Conditional, 0xf_fffe),
            (0xe7fe, Reach::Short, 0x7fe),
            (0xd1fe, Reach::ShortConditional, 0xfe),
            (0xb900, Reach::Compare, 0x7e),
        ] {
            let field = Field::ThumbBranch(reach);
            assert_eq!(field.written(code), if reach == Reach::Compare { 4 } else { 0 }, "{code:#x}");
            let least = if reach == Reach::Compare { 0 } else { -most - 2 };
            for distance in [most, (most / 2) & !1, 2, 0, -2, (least / 2) & !1, least] {
                let (at, far) = (0x200_0000, distance < least);
                let target = at + THUMB_AHEAD + distance;
                let word = field.filled(code, target | 1, at);
                assert_eq!(word.is_err(), far, "{distance}");
                let Ok(word) = word else { continue };
                let found = thumb::decode(Level::V7m, &[word as u16, (word >> 16) as u16], None).unwrap();
                let own = match found.action {
                    Action::Branch { distance, .. } => distance,
                    Action::Later(Later::CompareBranch { distance, .. }) => distance,
                    _ => panic!("{word:#010x}"),
                };
                assert_eq!(i64::from(own), THUMB_AHEAD + distance, "{word:#x}");
                assert_eq!(field.written(word), THUMB_AHEAD + distance);
            }
            let outside =
                [most + 2, least - 2].map(|distance| field.filled(code, 0x200_0004 + distance, 0x200_0000));
            assert_eq!(outside, [Err("too far"); 2]);
        }
    }

    #[test]
    fn halves_of_addresses_are_those_of_movw_and_movt() {
        // movw r3, #0xabcd; movt r3, #0xabcd
        for (code, upper, number) in [(0x33cd_f64a, false, 0x1234), (0x33cd_f6ca, true, 0x8765)] {
            assert_eq!(half_number(code), 0xabcd);
            let field = Field::Half { upper, relative: false };
            assert_eq!(field.written(code), i64::from(0xabcd_u16 as i16));
            let word = field.filled(code, 0x8765_1234, 0).unwrap();
            assert_eq!(
                (half_number(word), word & !with_half_number(0, 0xffff)),
                (number, code & !with_half_number(0, 0xffff))
            );
            assert!(field.filled(code ^ 0x80, 0, 0).is_err());
        }
    }

    #[test]
    fn words_are_addresses_and_distances() {
        assert_eq!(Field::Address.written(0xffff_fffc), -4);
        assert_eq!(Field::Address.filled(0, 0x1234, 0x40), Ok(0x1234));
        assert_eq!(Field::Distance.filled(0, 0x30, 0x40), Ok(0xffff_fff0));
        assert_eq!([10, 43, 96].map(|kind| field(kind, false)), [None; 3]);
        assert_eq!([28, 43, 96].map(|kind| field(kind, true)), [None; 3]);
        assert_eq!([30, 47, 48, 51, 102].map(|kind| field(kind, false)), [None; 5]);
    }
}
