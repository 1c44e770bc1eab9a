//! Multiplications: operands of 17 bits, sums of 40.

use crate::instructions::{Dual, Half, Ind, Single, Smem};
use crate::machine::Machine;
use rhomb_machine::{Domain, Fault, words};

impl<D: Domain> Machine<D> {
    /// A product of 40 bits; each factor with whether it is unsigned.
    #[inline(always)]
    fn product(&mut self, x: &D::Word, unsigned_x: bool, y: &D::Word, unsigned_y: bool) -> [D::Word; 3] {
        let (low, high) = self.state.domain.mul(x, y);
        let zero = self.state.domain.word(0);
        if unsigned_x && unsigned_y {
            return [low, high, zero];
        }
        self.signed([low, high, zero], (x, unsigned_x), (y, unsigned_y))
    }

    #[inline(never)]
    fn signed(
        &mut self,
        product: [D::Word; 3],
        (x, unsigned_x): (&D::Word, bool),
        (y, unsigned_y): (&D::Word, bool),
    ) -> [D::Word; 3] {
        let mut product: words::Words<D::Word> = product.into_iter().collect();
        let zero = self.state.domain.word(0);
        let one = self.state.domain.word(1);
        let no = self.state.domain.bit(false);
        let negative_x = if unsigned_x { no.clone() } else { self.state.domain.bit_of(x, 15) };
        let negative_y = if unsigned_y { no } else { self.state.domain.bit_of(y, 15) };
        // a negative factor is 2^16 less than its word
        for (negative, other) in [(&negative_x, y), (&negative_y, x)] {
            let less = self.state.domain.select(negative, other, &zero);
            product = words::sub(&mut self.state.domain, &product, &[zero.clone(), less, zero.clone()]).0;
        }
        let both = self.state.domain.bit_and(&negative_x, &negative_y);
        let more = self.state.domain.select(&both, &one, &zero);
        product = words::add(&mut self.state.domain, &product, &[zero.clone(), zero, more]);
        let [low, high, guard] = std::array::from_fn(|part| product[part].clone());
        let (guard, _) = self.state.domain.split(&guard, 8);
        [low, high, guard]
    }

    /// `sum + product`, or less it, modulo 2^40.
    #[inline(always)]
    fn accumulated(&mut self, sum: &[D::Word; 3], product: &[D::Word; 3], subtract: bool) -> [D::Word; 3] {
        let none = self.state.domain.bit(false);
        let (low, carry) = match subtract {
            false => self.state.domain.add(&sum[0], &product[0], &none),
            true => self.state.domain.sub(&sum[0], &product[0], &none),
        };
        let (high, carry) = match subtract {
            false => self.state.domain.add(&sum[1], &product[1], &carry),
            true => self.state.domain.sub(&sum[1], &product[1], &carry),
        };
        let (guard, _) = match subtract {
            false => self.state.domain.add(&sum[2], &product[2], &carry),
            true => self.state.domain.sub(&sum[2], &product[2], &carry),
        };
        let (guard, _) = self.state.domain.split(&guard, 8);
        [low, high, guard]
    }

    #[inline(always)]
    fn combined(&mut self, half: Half, ac: usize, product: [D::Word; 3]) -> [D::Word; 3] {
        match half {
            Half::Mpy => product,
            Half::Mac => {
                let sum = self.state.own.ac[ac].clone();
                self.accumulated(&sum, &product, false)
            }
            Half::Mas => {
                let sum = self.state.own.ac[ac].clone();
                self.accumulated(&sum, &product, true)
            }
            Half::MacShifted => {
                let sum = self.moved_down(ac);
                self.accumulated(&sum, &product, false)
            }
            Half::Amar => self.state.own.ac[ac].clone(),
        }
    }

    /// `ACx >> #16`, with the sign whatever SXMD says.
    fn moved_down(&mut self, ac: usize) -> [D::Word; 3] {
        let [_, high, guard] = self.state.own.ac[ac].clone();
        let sign = self.state.domain.bit_of(&guard, 7);
        let zero = self.state.domain.word(0);
        let (above, top) = (self.state.domain.word(0xff00), self.state.domain.word(0xff));
        let above = self.state.domain.select(&sign, &above, &zero);
        let guard = words::join(&mut self.state.domain, &guard, &above);
        let top = self.state.domain.select(&sign, &top, &zero);
        [high, guard, top]
    }

    /// A dual multiplication, with the cycles that its accesses wait for each other.
    #[inline(always)]
    pub(crate) fn dual(&mut self, one: &Dual) -> Result<u64, Fault> {
        if one.x == Half::Amar {
            // nothing is read there
            let (y, c) = (self.ind(one.ymem, 1)?, self.coefficient(one.cmem)?);
            self.amar(one.xmem)?;
            let (yw, cw) = (self.load(y)?, self.load(c)?);
            let product = self.product(&yw, one.unsigned_xy, &cw, one.unsigned_c);
            let ac = usize::from(one.acy & 3);
            self.state.own.ac[ac] = self.combined(one.y, ac, product);
            return Ok(self.conflicts(None, y, c));
        }
        let ((x, y), c) = (self.both(one.xmem, one.ymem, 1)?, self.coefficient(one.cmem)?);
        let (xw, yw, cw) = (self.load(x)?, self.load(y)?, self.load(c)?);
        let first = self.product(&xw, one.unsigned_xy, &cw, one.unsigned_c);
        let second = self.product(&yw, one.unsigned_xy, &cw, one.unsigned_c);
        let (acx, acy) = (usize::from(one.acx & 3), usize::from(one.acy & 3));
        self.state.own.ac[acx] = self.combined(one.x, acx, first);
        self.state.own.ac[acy] = self.combined(one.y, acy, second);
        Ok(self.conflicts(Some(x), y, c))
    }

    /// MPYM, MACM, MASM of two operands in memory.
    pub(super) fn single(
        &mut self,
        op: Single,
        (x, unsigned_x): (Ind, bool),
        (y, unsigned_y): (Ind, bool),
        src: u8,
        dst: u8,
    ) -> Result<u64, Fault> {
        let (x, y) = self.both(x, y, 1)?;
        let (xw, yw) = (self.load(x)?, self.load(y)?);
        let product = self.product(&xw, unsigned_x, &yw, unsigned_y);
        let half = match op {
            Single::Mpy => Half::Mpy,
            Single::Mac => Half::Mac,
            Single::MacShifted => Half::MacShifted,
            Single::Mas => Half::Mas,
        };
        self.state.own.ac[usize::from(dst & 3)] = self.combined(half, usize::from(src & 3), product);
        Ok(self.conflicts(None, x, y))
    }

    /// MPYM of an operand in memory and a temporary register.
    pub(super) fn product_t(&mut self, smem: Smem, t: u8, unsigned: bool, dst: u8) -> Result<(), Fault> {
        let address = self.smem(smem, 1)?;
        let word = self.load(address)?;
        let factor = self.state.registers[4 + usize::from(t & 3)].clone();
        self.state.own.ac[usize::from(dst & 3)] = self.product(&word, unsigned, &factor, unsigned);
        Ok(())
    }
}
