//! Addresses: those that the caller chose, and those that depend on few bits besides, as in a table.

use crate::domain::NormalForms;
use crate::value::{Bit, Word};
use rhomb_machine::{Cases, Direction, Domain, Entering, Pointer};

/// Most bits that an address may depend on.
const MOST_CHOICES: usize = 8;

impl NormalForms {
    pub(crate) fn move_pointer(
        &self,
        pointer: Pointer,
        constant: u64,
        carry: &Bit,
        direction: Direction,
    ) -> Option<(Word, Bit)> {
        let entering = match carry {
            Bit::Known(carry) => Entering::Known(*carry),
            Bit::Carry(carry) => Entering::Carry(**carry),
            Bit::Form(_) | Bit::Unknown(_) => return None,
        };
        let (target, carry) = match direction {
            Direction::Up | Direction::Down => pointer.plus(constant, entering, direction, self.bits),
            Direction::Negated => pointer.taken_from(constant, entering, self.bits),
        }?;
        Some((Word::Pointer(target), Bit::Carry(Box::new(carry))))
    }

    pub(crate) fn nothing(&mut self) -> (Word, Bit) {
        (self.arbitrary(), self.unknown())
    }

    /// An address and a number that is not known.
    pub(crate) fn indexed(&mut self, pointer: Pointer, index: &[Bit], more: &Word) -> Option<Word> {
        if pointer.part != 0 || self.bits < 16 {
            return None;
        }
        let more = match more {
            Word::Known(by) => {
                return Some(Word::Indexed(pointer.moved(*by as i64, self.bits), index.into()));
            }
            Word::Bits(more) => more.to_vec(),
            Word::Pointer(_) | Word::Indexed(..) | Word::NotZero(_) => return None,
        };
        let index = self.sum(index, &more, &Bit::Known(false)).0;
        Some(Word::Indexed(pointer, index.into()))
    }

    /// See [`Domain::cases`].
    pub(crate) fn addresses(&self, word: &Word) -> Option<Cases<Word, Bit>> {
        let Word::Indexed(pointer, index) = word else { return None };
        let mut choices: Vec<Bit> = Vec::new();
        for bit in index.iter() {
            match bit {
                Bit::Known(_) => {}
                Bit::Form(_) if choices.contains(bit) => {}
                Bit::Form(_) if choices.len() < MOST_CHOICES => choices.push(bit.clone()),
                Bit::Form(_) | Bit::Unknown(_) | Bit::Carry(_) => return None,
            }
        }
        let address = |assignment: usize| {
            let is_one = |bit: &Bit| match bit {
                Bit::Known(bit) => *bit,
                _ => choices
                    .iter()
                    .position(|choice| choice == bit)
                    .is_some_and(|at| assignment >> at & 1 == 1),
            };
            let number = index.iter().rev().fold(0, |number, bit| number << 1 | u64::from(is_one(bit)));
            Word::Pointer(pointer.moved(number as i64, self.bits))
        };
        let addresses = (0..1usize << choices.len()).map(address).collect();
        Some((choices, addresses))
    }

    /// See [`Domain::chosen`]: over GF(2), where the table's function of the number is found as a form first.
    pub(crate) fn looked_up(&mut self, bits: &[Bit], values: &[Word]) -> Option<Word> {
        if values.len() != 1 << bits.len() || !self.spend(values.len() * self.bits as usize) {
            return None;
        }
        let mut products = vec![Bit::Known(true); values.len()];
        for assignment in 1..values.len() {
            let top = assignment.ilog2() as usize;
            products[assignment] = self.bit_and(&products[assignment ^ 1 << top].clone(), &bits[top]);
        }
        let tables: Vec<Vec<Bit>> = values.iter().map(|value| self.bits_of(value)).collect();
        let chosen = (0..self.bits as usize).map(|place| {
            let mut table: Vec<Bit> = tables.iter().map(|bits| bits[place].clone()).collect();
            transform(self, &mut table);
            let pairs: Vec<(Bit, Bit)> = table.into_iter().zip(products.iter().cloned()).collect();
            self.sum_of_products(&pairs)
        });
        Some(Word::from(chosen.collect::<Vec<Bit>>()))
    }
}

/// Coefficient by coefficient, from a table of values to the sum of products that gives them.
fn transform(domain: &mut NormalForms, table: &mut [Bit]) {
    let mut step = 1;
    while step < table.len() {
        for at in (0..table.len()).filter(|at| at & step != 0) {
            table[at] = domain.bit_xor(&table[at].clone(), &table[at ^ step].clone());
        }
        step *= 2;
    }
}
