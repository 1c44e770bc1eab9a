//! What later versions have (DDI 0403E.e, A7.7).

use super::{n, not_modelled};
use crate::extension::{Extension, FIRST};
use crate::instructions::{Action, Later, ShiftKind};
use crate::later::{Bits, Unary};
use crate::machine::Machine;
use crate::program::Decoded;
use crate::thumb::Block;
use rhomb_machine::{Base, Domain, Fault, Filled};
use smallvec::SmallVec;

impl<D: Domain> Machine<D> {
    /// What goes on with the next instruction.
    pub(super) fn later(&mut self, one: Decoded, later: &Later) -> Result<(), Fault> {
        let zero = self.state.domain.word(0);
        match *later {
            Later::MoveTop { rd, number } => {
                let old = self.r(rd);
                let word = self.replaced(&old, 16, 16, &zero);
                let top = self.state.domain.word(u64::from(number) << 16);
                let word = self.state.domain.or(&word, &top);
                self.set(rd, word);
            }
            Later::BitField { op, rd, rn, low, width } => {
                let (low, width) = (u32::from(low), u32::from(width));
                let word = match op {
                    Bits::Unsigned | Bits::Signed => {
                        let source = self.r(rn);
                        self.run_of(&source, low, width, op == Bits::Signed)
                    }
                    Bits::Insert => {
                        let (old, new) = (self.r(rd), self.r(rn));
                        self.replaced(&old, low, width, &new)
                    }
                    Bits::Clear => {
                        let old = self.r(rd);
                        self.replaced(&old, low, width, &zero)
                    }
                };
                self.set(rd, word);
            }
            Later::Unary { op, rd, rm } => {
                let word = self.r(rm);
                let word = self.unary(op, &word, 0);
                self.set(rd, word);
            }
            Later::Extend { op, rd, rn, rm, rotation } => {
                let word = self.r(rm);
                let mut word = self.unary(op, &word, rotation.into());
                if let Some(rn) = rn {
                    let none = self.state.domain.bit(false);
                    (word, _) = self.state.domain.add(&self.state.registers[n(rn)], &word, &none);
                }
                self.set(rd, word);
            }
            Later::Pack { top, rd, rn, rm, amount } => {
                let (kind, shifted) = (if top { ShiftKind::Asr } else { ShiftKind::Lsl }, self.r(rm));
                let (shifted, _) = self.shift(&shifted, kind, amount.into(), false);
                let [stays, changed] = [16 * u32::from(top), 16 * u32::from(!top)];
                let half = self.run_of(&shifted, changed, 16, false);
                let own = self.r(rn);
                let own = self.run_of(&own, stays, 16, false);
                let [(low, _), (high, _)] = [(&half, changed), (&own, stays)]
                    .map(|(half, place)| self.shift(half, ShiftKind::Lsl, place, false));
                let word = self.state.domain.or(&low, &high);
                self.set(rd, word);
            }
            Later::Halves { rd, rn, rm, tops, ra } => {
                let [x, y] = [self.r(rn), self.r(rm)];
                let [x, y] = [(x, tops[0]), (y, tops[1])]
                    .map(|(word, top)| self.run_of(&word, if top { 16 } else { 0 }, 16, true));
                let (mut word, _) = self.state.domain.mul(&x, &y);
                if let Some(ra) = ra {
                    let none = self.state.domain.bit(false);
                    (word, _) = self.state.domain.add(&self.state.registers[n(ra)], &word, &none);
                }
                self.set(rd, word);
            }
            Later::MultiplySubtract { rd, rn, rm, ra } => {
                let d = &mut self.state.domain;
                let (product, _) = d.mul(&self.state.registers[n(rn)], &self.state.registers[n(rm)]);
                let none = d.bit(false);
                let (word, _) = d.sub(&self.state.registers[n(ra)], &product, &none);
                self.set(rd, word);
            }
            Later::Double { load, rd, second, address } => {
                self.transfer_several(one, load, &[rd, second], &address)?
            }
            Later::If { first, mask } => self.state.own.block = Block::of(first, mask),
            Later::Extension(extension) => self.extension(one, extension)?,
            Later::Nothing(_) | Later::CompareBranch { .. } | Later::CallExchange { .. } => {}
        }
        Ok(())
    }

    /// Words of the extension's registers, which are as defined afterwards as they were.
    fn extension(&mut self, one: Decoded, extension: Extension) -> Result<(), Fault> {
        match extension {
            Extension::Move { read, rt, second, singles } => {
                let first = FIRST + singles.first;
                for (core, own) in [Some(rt), second].into_iter().flatten().zip(first..) {
                    let (to, from) = if read { (core, own) } else { (own, core) };
                    self.copy_register(to, from);
                }
            }
            Extension::Transfer { load, singles, address } => {
                let registers: SmallVec<[u8; 2]> = singles.numbers().collect();
                self.transfer_several(one, load, &registers, &address)?;
            }
            Extension::Block { load, rn, write_back, mode, singles } => match load {
                true => self.load_block(rn, write_back, mode, singles.set())?,
                false => self.store_block(one, rn, write_back, mode, singles.set())?,
            },
        }
        Ok(())
    }

    /// MOVW and MOVT with halves of an address that the linker fills in. The lower half stands for the whole address until the
    /// upper one comes, and is no number.
    #[cold]
    pub(super) fn half_address(&mut self, one: Decoded) -> Result<(), Fault> {
        let filled = self.state.program.placement().filled(self.state.pc);
        let (rd, word) = match (one.instruction.action, filled) {
            (Action::Data { rd, .. }, Some(Filled::Immediate(Some(first)))) => {
                (rd, first.word(&mut self.state.domain))
            }
            (Action::Later(Later::MoveTop { rd, .. }), Some(Filled::Rest { first, address })) => {
                let found = self.state.domain.address(&[&self.state.registers[n(rd)]]);
                let fits = found.is_some_and(|(base, at)| {
                    at == first.address as u64 && (base == Base::Any || base == Base::Of(first.base))
                });
                if !fits {
                    return Err(not_modelled(
                        one,
                        "its register does not hold the lower half of the address",
                    ));
                }
                (rd, address.word(&mut self.state.domain))
            }
            _ => return Err(not_modelled(one, "what the linker fills in")),
        };
        self.set(rd, word);
        Ok(())
    }

    /// An operation of one word, which is rotated to the right first where a part of it is taken: a part that does not lie within
    /// the word is two.
    fn unary(&mut self, op: Unary, word: &D::Word, rotation: u32) -> D::Word {
        match op {
            Unary::Sxth | Unary::Uxth if rotation == 24 => {
                let word = self.state.domain.rotate_left(word, 8);
                self.run_of(&word, 0, 16, op == Unary::Sxth)
            }
            Unary::Sxth | Unary::Uxth => self.run_of(word, rotation, 16, op == Unary::Sxth),
            Unary::Sxtb | Unary::Uxtb => self.run_of(word, rotation, 8, op == Unary::Sxtb),
            Unary::Rev => self.bytes_of(word, [3, 2, 1, 0]),
            Unary::Rev16 => self.bytes_of(word, [1, 0, 3, 2]),
            Unary::Revsh => {
                let word = self.bytes_of(word, [1, 0, 3, 2]);
                self.run_of(&word, 0, 16, true)
            }
            Unary::Clz => self.leading_zeros(word),
        }
    }

    /// How many of the highest bits are zero: 32 where the word is, and else a number below, of which only a domain of known words
    /// says more.
    fn leading_zeros(&mut self, word: &D::Word) -> D::Word {
        let d = &mut self.state.domain;
        if let Some(known) = d.known_word(word) {
            return d.word(u64::from((known as u32).leading_zeros()));
        }
        let zero = d.is_zero(word);
        let (nothing, all, none) = (d.word(0), d.word(32), d.bit(false));
        let top = d.select(&zero, &all, &nothing);
        // made of the word, so that it is as secret
        let any = d.arbitrary();
        let any = d.xor(word, &any);
        let (rest, _) = d.split(&any, 5);
        d.add(&top, &rest, &none).0
    }

    /// The `width` bits of a word from bit `low` on, with zeros or their sign above.
    fn run_of(&mut self, word: &D::Word, low: u32, width: u32, signed: bool) -> D::Word {
        let up = (32 - low - width) as u8;
        let (up_kind, down) = (ShiftKind::Lsl, 32 - width);
        let (word, _) = self.shift(word, up_kind, up.into(), false);
        let kind = if signed { ShiftKind::Asr } else { ShiftKind::Lsr };
        self.shift(&word, kind, down, false).0
    }

    /// A word with the `width` bits from bit `low` on those of another one, from its bit 0 on.
    fn replaced(&mut self, old: &D::Word, low: u32, width: u32, new: &D::Word) -> D::Word {
        let mask = ((1u64 << width) - 1) << low;
        let (new, _) = self.shift(new, ShiftKind::Lsl, low, false);
        let d = &mut self.state.domain;
        let (inside, outside) = (d.word(mask), d.word(!mask & 0xffff_ffff));
        let (new, old) = (d.and(&new, &inside), d.and(old, &outside));
        d.or(&new, &old)
    }

    /// The bytes of a word with these numbers, the lowest first.
    fn bytes_of(&mut self, word: &D::Word, bytes: [u32; 4]) -> D::Word {
        let mut result = self.state.domain.word(0);
        for (to, from) in (0..).zip(bytes) {
            let byte = self.run_of(word, 8 * from, 8, false);
            let (byte, _) = self.shift(&byte, ShiftKind::Lsl, 8 * to, false);
            result = self.state.domain.or(&result, &byte);
        }
        result
    }
}
