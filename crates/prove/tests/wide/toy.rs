//! A processor for tests: registers without end, words of 16 or 32 bits, the flags and the long products of
//! 32-bit processors: a carry that multiplications leave alone and that is set where a subtraction does not
//! borrow.

use rhomb_machine::{
    Access, Buffer, Cycles, Domain, Fault, Finished, Given, Limb, MachineCode, Mix, Routine, Stopped,
    Surroundings, Tally, Writers,
};
use std::marker::PhantomData;

/// A register.
pub(crate) type R = u16;

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// A word of operand `buffer` (the first is 1, the result is 0).
    Load(R, usize, usize),
    /// A word of the result.
    Store(usize, R),
    /// A constant.
    Constant(R, u64),
    /// `d = x + y`; with the carry; the carry is set.
    Add {
        d: R,
        x: R,
        y: R,
        with: bool,
        sets: bool,
    },
    /// `d = x - y`; less what is missing to the carry; the carry is set where nothing is borrowed.
    Sub {
        d: R,
        x: R,
        y: R,
        with: bool,
        sets: bool,
    },
    /// `x * y` as (low, high).
    Multiply(R, R, R, R),
    /// `x * y` added to (low, high); what leaves it is lost.
    Accumulate(R, R, R, R),
    /// Bitwise.
    And(R, R, R),
    Or(R, R, R),
    Xor(R, R, R),
    /// `d = x << places`, without flags.
    Left(R, R, u32),
    /// `d = x >> places`.
    Right(R, R, u32),
    /// The highest bit in all places.
    Sign(R, R),
    /// The returned word.
    Return(R),
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Toy {
    pub(crate) bits: u32,
    pub(crate) code: Vec<Op>,
}

struct State<'b, D: Domain> {
    domain: D,
    registers: Vec<Option<D::Word>>,
    carry: Option<D::Bit>,
    areas: Vec<Vec<Option<D::Word>>>,
    buffers: &'b [Buffer<D::Word>],
    returned: Option<D::Word>,
}

impl<D: Domain> State<'_, D> {
    fn area(&self, buffer: usize) -> usize {
        self.buffers[buffer].shares.unwrap_or(buffer)
    }

    fn get(&self, register: R) -> Result<D::Word, Fault> {
        let word = self.registers.get(register as usize).cloned().flatten();
        word.ok_or_else(|| Fault::Undefined { what: format!("r{register}") })
    }

    fn set(&mut self, register: R, word: D::Word) {
        let at = register as usize;
        if at >= self.registers.len() {
            self.registers.resize(at + 1, None);
        }
        self.registers[at] = Some(word);
    }

    fn flag(&mut self, with: bool, without: bool) -> Result<D::Bit, Fault> {
        match (with, &self.carry) {
            (false, _) => Ok(self.domain.bit(without)),
            (true, Some(carry)) => Ok(carry.clone()),
            (true, None) => Err(Fault::Undefined { what: "the carry".to_owned() }),
        }
    }

    fn step(&mut self, op: Op) -> Result<(), Fault> {
        let address = |word: usize| word as u32;
        match op {
            Op::Load(d, buffer, word) => {
                let cell = self.areas[self.area(buffer)].get(word);
                let cell = cell.ok_or(Fault::NotOwned { address: address(word), access: Access::Load })?;
                let cell = cell.clone().ok_or(Fault::Uninitialised { address: address(word) })?;
                self.set(d, cell);
            }
            Op::Store(word, s) => {
                let value = self.get(s)?;
                let cell = self.areas[0].get_mut(word);
                *cell.ok_or(Fault::NotOwned { address: address(word), access: Access::Store })? = Some(value);
            }
            Op::Constant(d, value) => {
                let word = self.domain.word(value);
                self.set(d, word);
            }
            Op::Add { d, x, y, with, sets } => {
                let (x, y, carry) = (self.get(x)?, self.get(y)?, self.flag(with, false)?);
                let (sum, carry) = self.domain.add(&x, &y, &carry);
                self.set(d, sum);
                self.carry = if sets { Some(carry) } else { self.carry.take() };
            }
            Op::Sub { d, x, y, with, sets } => {
                let (x, y, carry) = (self.get(x)?, self.get(y)?, self.flag(with, true)?);
                let borrow = self.domain.bit_not(&carry);
                let (difference, borrow) = self.domain.sub(&x, &y, &borrow);
                self.set(d, difference);
                self.carry = if sets { Some(self.domain.bit_not(&borrow)) } else { self.carry.take() };
            }
            Op::Multiply(low, high, x, y) => {
                let (x, y) = (self.get(x)?, self.get(y)?);
                let (l, h) = self.domain.mul(&x, &y);
                self.set(low, l);
                self.set(high, h);
            }
            Op::Accumulate(low, high, x, y) => {
                let (x, y, l, h) = (self.get(x)?, self.get(y)?, self.get(low)?, self.get(high)?);
                let (by_low, by_high) = self.domain.mul(&x, &y);
                let none = self.domain.bit(false);
                let (l, carry) = self.domain.add(&l, &by_low, &none);
                let (h, _) = self.domain.add(&h, &by_high, &carry);
                self.set(low, l);
                self.set(high, h);
            }
            Op::And(d, x, y) | Op::Or(d, x, y) | Op::Xor(d, x, y) => {
                let (x, y) = (self.get(x)?, self.get(y)?);
                let word = match op {
                    Op::And(..) => self.domain.and(&x, &y),
                    Op::Or(..) => self.domain.or(&x, &y),
                    _ => self.domain.xor(&x, &y),
                };
                self.set(d, word);
            }
            Op::Left(d, x, places) => {
                let x = self.get(x)?;
                let (word, _) = self.domain.shift_left(&x, places);
                self.set(d, word);
            }
            Op::Right(d, x, places) => {
                let x = self.get(x)?;
                let (_, word) = self.domain.split(&x, places);
                self.set(d, word);
            }
            Op::Sign(d, x) => {
                let x = self.get(x)?;
                let sign = self.domain.bit_of(&x, self.domain.bits() - 1);
                let (ones, zero) = (self.domain.word(u64::MAX), self.domain.word(0));
                let word = self.domain.select(&sign, &ones, &zero);
                self.set(d, word);
            }
            Op::Return(s) => self.returned = Some(self.get(s)?),
        }
        Ok(())
    }
}

/// A function on a processor whose words are `W`.
pub(crate) struct On<'a, W>(pub(crate) &'a Toy, pub(crate) PhantomData<W>);

/// A function as a routine of its width.
macro_rules! on {
    ($toy:expr, $routine:ident => $body:expr) => {
        match ($toy).bits {
            16 => {
                let $routine = &crate::wide::toy::On($toy, std::marker::PhantomData::<u16>);
                $body
            }
            _ => {
                let $routine = &crate::wide::toy::On($toy, std::marker::PhantomData::<u32>);
                $body
            }
        }
    };
}
pub(crate) use on;

impl<W: Limb> MachineCode for On<'_, W> {
    fn word_bits(&self) -> u32 {
        W::BITS
    }

    fn code(&self) -> Vec<u8> {
        format!("{:?}", self.0.code).into_bytes()
    }

    fn identity(&self) -> String {
        format!("toy of {} bits", W::BITS)
    }

    fn instruction(&self, address: u64) -> Option<String> {
        self.0.code.get(address as usize).map(|op| format!("{op:?}"))
    }
}

impl<W: Limb> Routine for On<'_, W> {
    type Limb = W;

    fn call_in<D: Domain>(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        surroundings: Surroundings,
    ) -> Result<Finished<D>, Stopped> {
        let buffers = given.buffers();
        let content = |buffer: &Buffer<D::Word>| match &buffer.content {
            Some(words) => words.iter().cloned().map(Some).collect(),
            None => vec![None; buffer.length as usize],
        };
        let areas = buffers.iter().map(content).collect();
        let mut state = State { domain, registers: Vec::new(), carry: None, areas, buffers, returned: None };
        if surroundings.filled {
            let all = (0..self.0.code.len() as R + 64).map(|_| Some(state.domain.arbitrary())).collect();
            state.registers = all;
            state.carry = Some(state.domain.bit(false));
        }
        let mut writers = vec![vec![None; buffers[0].length as usize]];
        for (address, op) in self.0.code.iter().enumerate() {
            let stopped = |fault| Stopped { fault, address: address as u64, instruction: format!("{op:?}") };
            state.domain.locate(address as u64).map_err(stopped)?;
            state.step(*op).map_err(stopped)?;
            if let Op::Store(word, _) = op {
                writers[0][*word] = Some(address as u64);
            }
        }
        let buffers = (0..buffers.len()).map(|buffer| state.areas[state.area(buffer)].clone()).collect();
        let count = self.0.code.len() as u64;
        Ok(Finished {
            domain: state.domain,
            buffers,
            returned: state.returned,
            returned_above: Vec::new(),
            tally: Tally { instructions: count, cycles: Cycles::exact(count) },
            body_cycles: Cycles::exact(count),
            variable_times: Vec::new(),
            settled: true,
            mix: Mix::default(),
            stack_bytes: 0,
            residue_bytes: 0,
            secret_branches: Vec::new(),
            breaches: Vec::new(),
            writers: surroundings.traced.then_some(Writers { buffers: writers, returned: None }),
        })
    }
}
