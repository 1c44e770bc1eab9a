//! Programs executed over words in memory: lines as they are, and what keeps a contract by exact numbers.

use num_bigint::BigUint;
use rhomb_contract::{Contract, Operation};
pub(crate) use rhomb_field::program::words;
use rhomb_field::program::{Called, Place, Routine, Step};
use rhomb_line::run;
use rhomb_machine::{Concrete, Limb};

/// Words of the result, the operands, and the slots.
pub(crate) struct Memory<'a> {
    bits: u32,
    called: &'a Called,
    pub(crate) result: Vec<u64>,
    operands: Vec<Vec<u64>>,
    slots: Vec<Vec<u64>>,
    pub(crate) calls: u64,
    /// What the last call returned.
    carry: u64,
    /// What keeps a contract makes of operands.
    keep: &'a dyn Fn(&Contract, &[BigUint]) -> BigUint,
}

pub(crate) fn number(words: &[u64], bits: u32) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |number, word| (number << bits) + *word)
}

impl<'a> Memory<'a> {
    /// Carries a program out on words of so many bits, with a result of so many words.
    pub(crate) fn after(
        called: &'a Called,
        bits: u32,
        (length, operands): (usize, Vec<Vec<u64>>),
        keep: &'a dyn Fn(&Contract, &[BigUint]) -> BigUint,
    ) -> Memory<'a> {
        let slots = called.program.slots.iter().map(|words| vec![0xa5; *words]).collect();
        let mut memory =
            Memory { bits, called, result: vec![0; length], operands, slots, calls: 0, carry: 0, keep };
        memory.carry_out(&called.program.steps);
        memory
    }

    /// What the program returns.
    #[allow(dead_code, reason = "not all tests are of programs that return")]
    pub(crate) fn returned(&self) -> Option<u64> {
        self.called.program.returned.map(|(slot, word)| self.slots[slot][word])
    }

    /// The words of a slot are kept wherever its parts begin.
    fn at(&self, place: Place) -> &[u64] {
        match place {
            Place::Result => &self.result,
            Place::Operand(index) => &self.operands[index],
            Place::Slot(index) => &self.slots[index],
            Place::Part(index, word) => &self.slots[index][word..],
            Place::Inside(index, word) => &self.operands[index][word..],
            Place::Behind(word) => &self.result[word..],
        }
    }

    fn put(&mut self, to: Place, words: &[u64]) {
        let room = match to {
            Place::Result => &mut self.result[..],
            Place::Behind(word) => &mut self.result[word..],
            Place::Operand(_) | Place::Inside(..) => panic!("an operand is written"),
            Place::Slot(index) => &mut self.slots[index][..],
            Place::Part(index, word) => &mut self.slots[index][word..],
        };
        room[..words.len()].copy_from_slice(words);
    }

    fn line<W: Limb>(&mut self, line: &rhomb_line::Line, to: Place, operands: &[Place]) {
        let whole = |words: &[u64]| words.iter().map(|word| W::truncate(*word)).collect::<Vec<W>>();
        let operand = |index: usize| operands.get(index).map_or_else(Vec::new, |own| whole(self.at(*own)));
        let length = line.words(rhomb_line::Array::Result);
        let scratch = vec![W::truncate(0); line.scratch_with_homes()];
        let mut arrays = [whole(&self.at(to)[..length]), operand(0), operand(1), scratch];
        run(line, &mut Concrete::<W>::new(), &mut arrays);
        let words: Vec<u64> = arrays[0].iter().map(|word| word.to_u64()).collect();
        self.put(to, &words);
    }

    fn call(&mut self, routine: usize, to: Place, operands: &[Place]) {
        self.calls += 1;
        let contract = match &self.called.routines[routine] {
            Routine::Kept(contract) => *contract,
            Routine::Called(inner) => {
                let operands = operands.iter().map(|place| self.at(*place).to_vec()).collect();
                let inner = Memory::after(inner, self.bits, (self.at(to).len(), operands), self.keep);
                self.calls += inner.calls;
                return self.put(to, &inner.result);
            }
            Routine::Lines(lines) => {
                let line = lines[0].clone();
                return match self.bits {
                    8 => self.line::<u8>(&line, to, operands),
                    16 => self.line::<u16>(&line, to, operands),
                    _ => self.line::<u32>(&line, to, operands),
                };
            }
        };
        let counts = contract.operands(self.bits);
        let own = operands
            .iter()
            .zip(counts)
            .map(|(place, count)| number(&self.at(*place)[..count as usize], self.bits));
        let own: Vec<BigUint> = own.collect();
        let in_place = contract.patterns().len() > 1;
        assert!(in_place || !operands.contains(&to), "{contract} in place");
        if contract.operation() == Operation::Sub {
            let radix = BigUint::from(1u8) << contract.bits() as usize;
            self.carry = (own[0] < own[1]).into();
            let difference = (&radix + &own[0] - &own[1]) % radix;
            return self.put(to, &words(&difference, self.bits, contract.result(self.bits) as usize));
        }
        let result = (self.keep)(&contract, &own);
        self.put(to, &words(&result, self.bits, contract.result(self.bits) as usize));
    }

    fn carry_out(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Call { routine, to, operands } => self.call(*routine, *to, operands),
                Step::Take { slot, word } => self.slots[*slot][*word] = self.carry,
                Step::Repeat { times, steps } => (0..*times).for_each(|_| self.carry_out(steps)),
                Step::When { slot, word, steps } => {
                    if self.slots[*slot][*word] != 0 {
                        self.carry_out(steps);
                    }
                }
            }
        }
    }
}
