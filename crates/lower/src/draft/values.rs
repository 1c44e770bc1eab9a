//! The words of a line: where they are, and in which register when they are wanted.

use super::core::Fault;
use super::form::{Name, Pair, ZERO};
use super::writer::{Word, Writer, word};
use rhomb_line::{Address, Source, Value};

impl Writer<'_> {
    pub(super) fn computed(&mut self, to: Value, pair: Pair, x: Name, y: Name) {
        let name = self.draft.pair(pair, x, y).into();
        self.name(to, name);
    }

    /// A value has a name now, and waits if it is to.
    pub(super) fn name(&mut self, value: Value, name: Name) {
        self.words[value.0] = Some(match self.waiting.get(&value) {
            None => Word::Name(name),
            Some(place) => {
                self.arrays.store(&mut self.draft, *place, name);
                Word::Waits(*place)
            }
        });
    }

    pub(super) fn get(&mut self, value: Value) -> Result<Name, Fault> {
        Ok(match self.words[value.0].ok_or(Fault::Instruction)? {
            Word::Name(name) => name,
            Word::Number(number) => self.number(number),
            Word::Mask(ZERO) => ZERO,
            Word::Mask(bit) => {
                let mask = self.draft.pair(Pair::Subtract, ZERO, bit).into();
                self.masks.push((mask, Some(bit)));
                self.words[value.0] = Some(Word::Name(mask));
                mask
            }
            Word::Masked(_, mask, bits) => {
                let mask = self.get(mask)?;
                let name = self.and(mask, bits);
                self.words[value.0] = Some(Word::Name(name));
                name
            }
            Word::Waits(place) => self.arrays.load(&mut self.draft, place),
        })
    }

    pub(super) fn optional(&mut self, value: Option<Value>) -> Result<Name, Fault> {
        value.map_or(Ok(ZERO), |value| self.get(value))
    }

    pub(super) fn source(&mut self, source: Source) -> Result<Name, Fault> {
        match source {
            Source::Value(value) => self.get(value),
            Source::Memory(address) => Ok(self.load(address)),
            Source::Number(number) => Ok(self.number(word(number)?)),
        }
    }

    pub(super) fn load(&mut self, address: Address) -> Name {
        match self.loaded.get(&address) {
            Some(name) if self.way.keep => *name,
            _ => {
                let name = self.arrays.load(&mut self.draft, address);
                self.loaded.insert(address, name);
                name
            }
        }
    }

    /// A register with a number, the same for the same one.
    pub(super) fn number(&mut self, number: u32) -> Name {
        match number {
            0 => ZERO,
            _ => (*self.numbers.entry(number).or_insert_with(|| self.draft.number(number))).into(),
        }
    }

    pub(super) fn complement(&mut self, name: Name) -> Name {
        if let Some((_, complement)) = self.complements.iter().find(|(own, _)| *own == name) {
            return *complement;
        }
        let complement = self.draft.pair(Pair::Nor, name, ZERO).into();
        self.complements.push((name, complement));
        complement
    }

    pub(super) fn mask(&mut self, to: Value, x: Value, bits: u32) -> Result<(), Fault> {
        self.bits[to.0] = bits == 1;
        self.words[to.0] = Some(match (self.words[x.0], bits) {
            (Some(Word::Mask(bit)), 1) => Word::Name(bit),
            (Some(Word::Mask(bit)), _) => Word::Masked(bit, x, bits),
            _ => {
                let x = self.get(x)?;
                let name = self.and(x, bits);
                self.name(to, name);
                return Ok(());
            }
        });
        Ok(())
    }

    /// Some bits of a word, made once.
    fn and(&mut self, x: Name, bits: u32) -> Name {
        if let Some((.., name)) = self.masked.iter().find(|(own, mask, _)| *own == x && *mask == bits) {
            return *name;
        }
        let mask = self.masks.iter().find(|(own, _)| *own == x).copied();
        if let (1, false, Some((_, Some(bit)))) = (bits, self.accumulates, mask) {
            return bit;
        }
        let name = match bits {
            0..=0xffff => self.draft.with_number(Pair::And, x, bits as i32).into(),
            // all ones, moved up
            _ if bits.leading_ones() + bits.trailing_zeros() == u32::BITS && mask.is_some() => {
                self.draft.up(x, bits.trailing_zeros()).into()
            }
            // the highest bits go, and no register is taken for a number
            _ if !self.accumulates && bits.leading_zeros() + bits.trailing_ones() == u32::BITS => {
                let up = self.draft.up(x, bits.leading_zeros());
                self.draft.down(up, bits.leading_zeros()).into()
            }
            _ => {
                let bits = self.number(bits);
                self.draft.pair(Pair::And, x, bits).into()
            }
        };
        self.masked.push((x, bits, name));
        name
    }
}
