//! What each instruction does, once, over any domain of values.
//!
//! "The RISC-V Instruction Set Manual, Volume I", the chapters of [`instructions`](crate::instructions). Register 0 reads 0
//! and swallows what is written to it. Divisions are not modelled.

mod constants;
mod flow;

use crate::instructions::{Instruction, Kind, Op};
use crate::machine::Machine;
use crate::program::copied;
use crate::syntax;
use rhomb_machine::{Domain, Fault, Filled, Unit, part_mask, words};

impl<D: Domain> Machine<D> {
    /// Executes an instruction that stands at the program counter; the answer is where it goes, if not to the next one.
    #[inline(always)]
    pub(crate) fn execute(&mut self, i: Instruction) -> Result<Option<u32>, Fault> {
        if let Some(from) = copied(&i) {
            self.copy(i.rd, from);
            return Ok(None);
        }
        match i.op.row().kind {
            Kind::Branch | Kind::Jump | Kind::JumpRegister => return self.branch(i),
            Kind::Load | Kind::Part | Kind::Store => self.access(i)?,
            _ => {
                let result = self.result(i)?;
                self.set(i.rd, result);
            }
        }
        Ok(None)
    }

    /// A load or a store.
    #[inline(always)]
    fn access(&mut self, i: Instruction) -> Result<(), Fault> {
        let (place, text) = ((i.rs1, i.immediate), |_: &_| syntax::instruction(&i));
        let (bytes, signed) = match i.op {
            Op::Lb | Op::Lbu | Op::Sb => (1, i.op == Op::Lb),
            Op::Lh | Op::Lhu | Op::Sh => (2, i.op == Op::Lh),
            _ => (4, false),
        };
        let address = match (i.op.row().kind, bytes) {
            (Kind::Store, 4) => self.state.store_word(i.rs2, place, text)?,
            (Kind::Store, _) => self.state.store_part(i.rs2, place, bytes, text)?,
            (_, 4) => self
                .state
                .load_word(i.rd, place, text)
                .or_else(|fault| self.constant(i, (4, false), fault))?,
            _ => {
                let loaded = self.state.load_part(i.rd, place, (bytes, signed), text);
                loaded.or_else(|fault| self.constant(i, (bytes, signed), fault))?
            }
        };
        self.state.own.bytes = (address / 4, part_mask(address, bytes));
        Ok(())
    }

    /// Loads from the program what is not in memory; the answer is its address.
    #[cold]
    fn constant(&mut self, i: Instruction, part: (u32, bool), fault: Fault) -> Result<u32, Fault> {
        let (word, address) = self.state.constant((i.rs1, i.immediate), part, fault)?;
        self.set(i.rd, word);
        Ok(address)
    }

    /// What an instruction computes from registers and its number.
    fn result(&mut self, i: Instruction) -> Result<D::Word, Fault> {
        let x = self.r(i.rs1);
        // the second operand: a register, or the number
        let y = if i.op.row().format.has('t') {
            self.r(i.rs2)
        } else {
            self.state.domain.word(i.immediate as u64)
        };
        Ok(match i.op {
            Op::Lui | Op::Auipc => {
                let placement = self.state.program.placement();
                if let Some(Filled::Immediate(Some(address))) = placement.filled(self.state.pc) {
                    return Ok(address.word(&mut self.state.domain));
                }
                if i.op == Op::Lui {
                    return Ok(self.state.domain.word((i.immediate as u64) << 12));
                }
                let address = self.state.pc.wrapping_add((i.immediate as u32) << 12);
                let base = self.state.program.placement().own_base(self.state.pc, Unit::Bytes);
                self.state.domain.pointer(base, address.into(), address.into(), 0)
            }
            Op::Addi | Op::Add => self.add(&x, &y),
            Op::Sub => self.sub(&x, &y),
            Op::And | Op::Andi => self.state.domain.and(&x, &y),
            Op::Or | Op::Ori => self.state.domain.or(&x, &y),
            Op::Xor | Op::Xori => self.state.domain.xor(&x, &y),
            Op::Andn | Op::Orn | Op::Xnor => {
                let y = self.not(&y);
                let operation = match i.op {
                    Op::Andn => D::and,
                    Op::Orn => D::or,
                    _ => D::xor,
                };
                operation(&mut self.state.domain, &x, &y)
            }
            Op::Slt | Op::Slti | Op::Sltu | Op::Sltiu => {
                let bit = self.less(&x, &y, matches!(i.op, Op::Slt | Op::Slti));
                self.of_bit(&bit)
            }
            Op::Min | Op::Minu | Op::Max | Op::Maxu => {
                let bit = self.less(&x, &y, matches!(i.op, Op::Min | Op::Max));
                let (if_less, if_not) = if matches!(i.op, Op::Min | Op::Minu) { (x, y) } else { (y, x) };
                self.state.domain.select(&bit, &if_less, &if_not)
            }
            Op::Sll | Op::Slli | Op::Srl | Op::Srli | Op::Sra | Op::Srai | Op::Rol | Op::Ror | Op::Rori => {
                self.shift(i.op, x, &y)
            }
            Op::Sh1add | Op::Sh2add | Op::Sh3add => {
                let places = 1 + (i.op as u32 - Op::Sh1add as u32);
                let (shifted, _) = self.state.domain.shift_left(&x, places);
                self.add(&shifted, &y)
            }
            Op::Mul => self.state.domain.mul(&x, &y).0,
            Op::Mulhu => self.state.domain.mul(&x, &y).1,
            Op::Mulh => words::mul_signed(&mut self.state.domain, &x, &y).1,
            Op::Mulhsu => {
                // a negative factor is 2^32 too large without its sign
                let (_, high) = self.state.domain.mul(&x, &y);
                let (negative, zero) = (self.state.domain.bit_of(&x, 31), self.state.domain.word(0));
                let excess = self.state.domain.select(&negative, &y, &zero);
                self.sub(&high, &excess)
            }
            Op::Clmul => self.state.domain.carryless_mul(&x, &y).0,
            Op::Clmulh => self.state.domain.carryless_mul(&x, &y).1,
            Op::Clmulr => {
                let (low, high) = self.state.domain.carryless_mul(&x, &y);
                let (_, top) = self.state.domain.split(&low, 31);
                let (moved, _) = self.state.domain.shift_left(&high, 1);
                words::join(&mut self.state.domain, &moved, &top)
            }
            Op::CzeroEqz | Op::CzeroNez => {
                let (zero, is_zero) = (self.state.domain.word(0), self.state.domain.is_zero(&y));
                let (if_zero, if_not) = if i.op == Op::CzeroEqz { (zero, x) } else { (x, zero) };
                self.state.domain.select(&is_zero, &if_zero, &if_not)
            }
            Op::Zexth => self.state.domain.split(&x, 16).0,
            Op::Sextb => words::extend_sign(&mut self.state.domain, &[x], 8).remove(0),
            Op::Sexth => words::extend_sign(&mut self.state.domain, &[x], 16).remove(0),
            Op::Rev8 => self.bytes(&x, 3, |_, byte| byte),
            Op::Bset | Op::Bseti | Op::Bclr | Op::Bclri | Op::Binv | Op::Binvi => {
                let one = self.state.domain.word(1);
                let mask = self.shift(Op::Sll, one, &y);
                match i.op {
                    Op::Bset | Op::Bseti => self.state.domain.or(&x, &mask),
                    Op::Binv | Op::Binvi => self.state.domain.xor(&x, &mask),
                    _ => {
                        let mask = self.not(&mask);
                        self.state.domain.and(&x, &mask)
                    }
                }
            }
            Op::Bext | Op::Bexti => {
                let (moved, one) = (self.shift(Op::Srl, x, &y), self.state.domain.word(1));
                self.state.domain.and(&moved, &one)
            }
            Op::Clz | Op::Ctz => {
                let mut count = self.state.domain.word(32);
                for after in (0..32).rev() {
                    let bit = self.state.domain.bit_of(&x, if i.op == Op::Clz { 31 - after } else { after });
                    let found = self.state.domain.word(after.into());
                    count = self.state.domain.select(&bit, &found, &count);
                }
                count
            }
            Op::Cpop => {
                let mut count = self.state.domain.word(0);
                for place in 0..32 {
                    let bit = self.state.domain.bit_of(&x, place);
                    let bit = self.of_bit(&bit);
                    count = self.add(&count, &bit);
                }
                count
            }
            Op::Orcb => self.bytes(&x, 0, |machine, byte| {
                let is_zero = machine.state.domain.is_zero(&byte);
                let (zero, ones) = (machine.state.domain.word(0), machine.state.domain.word(0xff));
                machine.state.domain.select(&is_zero, &zero, &ones)
            }),
            Op::Brev8 => self.permuted(&x, |place| place ^ 7),
            Op::Zip => self.permuted(&x, |place| place / 2 + 16 * (place % 2)),
            Op::Unzip => self.permuted(&x, |place| 2 * (place % 16) + place / 16),
            Op::Pack | Op::Packh => {
                let bits = if i.op == Op::Pack { 16 } else { 8 };
                let (low, _) = self.state.domain.split(&x, bits);
                let (high, _) = self.state.domain.split(&y, bits);
                let (high, _) = self.state.domain.shift_left(&high, bits);
                words::join(&mut self.state.domain, &low, &high)
            }
            _ => return Err(Fault::NotModelled { what: self.text(i) }),
        })
    }

    /// The bytes of a word, each changed, at their places or (3) in the other order.
    fn bytes(&mut self, x: &D::Word, order: u32, change: fn(&mut Self, D::Word) -> D::Word) -> D::Word {
        let mut result = self.state.domain.word(0);
        for byte in 0..4 {
            let (_, above) = self.state.domain.split(x, 8 * byte);
            let (part, _) = self.state.domain.split(&above, 8);
            let part = change(self, part);
            let (part, _) = self.state.domain.shift_left(&part, 8 * (byte ^ order));
            result = words::join(&mut self.state.domain, &result, &part);
        }
        result
    }

    /// A word whose bits are those of another one, by their places.
    fn permuted(&mut self, x: &D::Word, from: fn(u32) -> u32) -> D::Word {
        let mut result = self.state.domain.word(0);
        for place in 0..32 {
            let bit = self.state.domain.bit_of(x, from(place));
            result = self.state.domain.with_bit(&result, place, &bit);
        }
        result
    }

    fn shift(&mut self, op: Op, x: D::Word, amount: &D::Word) -> D::Word {
        let by = |machine: &mut Self, x: &D::Word, places: u32| match op {
            Op::Sll | Op::Slli => machine.state.domain.shift_left(x, places).0,
            Op::Srl | Op::Srli => machine.state.domain.split(x, places).1,
            Op::Rol => machine.state.domain.rotate_left(x, places),
            Op::Ror | Op::Rori => machine.state.domain.rotate_left(x, (32 - places) % 32),
            _ if places == 0 => x.clone(),
            _ => {
                let (_, high) = machine.state.domain.split(x, places);
                words::extend_sign(&mut machine.state.domain, &[high], 32 - places).remove(0)
            }
        };
        if let Some(places) = self.state.domain.known_word(amount) {
            return by(self, &x, places as u32 & 31);
        }
        let mut result = x;
        for place in 0..5 {
            let moved = by(self, &result, 1 << place);
            let bit = self.state.domain.bit_of(amount, place);
            result = self.state.domain.select(&bit, &moved, &result);
        }
        result
    }

    #[inline(always)]
    pub(crate) fn r(&self, number: u8) -> D::Word {
        self.state.registers[n(number)].clone()
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, number: u8, value: D::Word) {
        if number != 0 {
            self.state.registers[n(number)] = value;
        }
    }

    /// Copies a register; the copy is defined where the original is.
    #[inline(always)]
    fn copy(&mut self, to: u8, from: u8) {
        if to != 0 {
            self.state.registers[n(to)] = self.state.registers[n(from)].clone();
            let defined = self.state.defined >> from & 1;
            self.state.defined = self.state.defined & !(1 << to) | defined << to;
        }
    }

    fn of_bit(&mut self, bit: &D::Bit) -> D::Word {
        let (one, zero) = (self.state.domain.word(1), self.state.domain.word(0));
        self.state.domain.select(bit, &one, &zero)
    }

    fn not(&mut self, x: &D::Word) -> D::Word {
        let ones = self.state.domain.word(u64::MAX);
        self.sub(&ones, x)
    }

    #[inline(always)]
    fn add(&mut self, x: &D::Word, y: &D::Word) -> D::Word {
        let carry = self.state.domain.bit(false);
        self.state.domain.add(x, y, &carry).0
    }

    #[inline(always)]
    fn sub(&mut self, x: &D::Word, y: &D::Word) -> D::Word {
        let borrow = self.state.domain.bit(false);
        self.state.domain.sub(x, y, &borrow).0
    }

    fn less(&mut self, x: &D::Word, y: &D::Word, signed: bool) -> D::Bit {
        words::less(&mut self.state.domain, std::slice::from_ref(x), std::slice::from_ref(y), signed)
    }

    /// Whether two words are equal: by their difference, which domains know of addresses too.
    fn equal(&mut self, x: &D::Word, y: &D::Word) -> D::Bit {
        let difference = self.sub(x, y);
        self.state.domain.is_zero(&difference)
    }

    pub(crate) fn text(&self, i: Instruction) -> String {
        syntax::instruction(&i)
    }
}

/// A register number as an index; the mask is for the compiler.
#[inline(always)]
pub(crate) fn n(number: u8) -> usize {
    usize::from(number & 31)
}
