//! Registers for a line: the word that is needed last makes room (L. Belady, 1966). It waits at its home in memory, or is
//! made again, where it is a number. What a free register still holds is used again, and results that an instruction puts
//! into fixed registers stay there as long as they can.

use crate::file::{File, Register, Set, Wish};
use crate::lives::{Lives, NEVER};
use crate::placed::{Operand, Placed};
use rhomb_line::{Address, Array, Line, Op, Value};
use std::collections::HashMap;

/// A line for which there are too few registers, at this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too few registers at operation {0}")]
pub struct Stuck(pub usize);

/// What a register holds, beside a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    Unknown,
    Zero,
    /// A word of memory, by number.
    Word(usize),
}

/// A register that points to an array until nothing is loaded from there any more.
struct Pointer {
    register: Register,
    array: Array,
    /// The last operation of the line that reaches the array.
    last: usize,
    /// Values without a register that come back from there.
    waiting: usize,
    /// Whether a value stands in it now or did.
    is_lost: bool,
}

/// Gives registers to a line without columns.
///
/// # Errors
/// Where there are too few.
pub fn allocate(line: &Line, file: &File) -> Result<Vec<Placed>, Stuck> {
    allocate_within(&Lives::of(line), file)
}

/// The same for a line whose lives are known.
///
/// # Errors
/// Where there are too few registers.
pub fn allocate_within(lives: &Lives<'_>, file: &File) -> Result<Vec<Placed>, Stuck> {
    let mut allocation = Allocation::new(lives, file);
    let ops = &lives.line.ops;
    allocation.zeros = ops.iter().filter(|op| allocation.is_zero(op)).count();
    for (at, op) in ops.iter().enumerate() {
        allocation.now = at;
        allocation.one(op)?;
    }
    Ok(allocation.code)
}

struct Allocation<'a> {
    file: &'a File,
    lives: &'a Lives<'a>,
    line: &'a Line,
    /// All registers, those that are best taken first.
    all: Vec<Register>,
    /// Those that are no pointers (bit n is register n), and those that hold a value.
    plain: Set,
    taken: Set,
    /// How many operations that read each value are done.
    done: Vec<usize>,
    /// Pointers, with the last operation that reaches their array as the line says, and how many values wait there for
    /// their register.
    pointers: Vec<Pointer>,
    /// Zeros that are still to be made.
    zeros: usize,
    now: usize,
    of: Vec<Option<Register>>,
    held: [Option<Value>; 32],
    content: [Content; 32],
    /// Whether a value's home holds it.
    is_home: Vec<bool>,
    /// The last value that went to each home.
    homes: HashMap<Address, Value>,
    code: Vec<Placed>,
}

impl<'a> Allocation<'a> {
    fn new(lives: &'a Lives<'a>, file: &'a File) -> Self {
        let line = lives.line;
        let pointer = |(register, array): &(Register, Array)| Pointer {
            register: *register,
            array: *array,
            last: lives.last(*array),
            waiting: 0,
            is_lost: false,
        };
        let mut content = [Content::Unknown; 32];
        if let Some(zero) = file.zero {
            content[usize::from(zero)] = Content::Zero;
        }
        Allocation {
            file,
            lives,
            line,
            all: file.order.iter().copied().chain(file.later.iter().map(|(own, _)| *own)).collect(),
            plain: file.order.iter().fold(0, |set, own| set | 1 << own),
            taken: 0,
            done: vec![0; line.values],
            pointers: file.later.iter().map(pointer).collect(),
            zeros: 0,
            now: 0,
            of: vec![None; line.values],
            held: [None; 32],
            content,
            is_home: vec![false; line.values],
            homes: HashMap::new(),
            code: Vec::with_capacity(line.ops.len() * 5 / 4),
        }
    }

    fn next(&self, value: Value) -> usize {
        self.lives.uses(value).get(self.done[value.0]).copied().unwrap_or(NEVER)
    }

    fn dies(&self, value: Value) -> bool {
        self.lives.uses(value).last().is_none_or(|last| *last <= self.now)
    }

    fn end(&self, value: Value) -> usize {
        self.lives.life(value).end
    }

    fn number(&self, value: Value) -> Option<u64> {
        self.lives.life(value).number
    }

    fn is_fixed(&self, register: Register) -> bool {
        self.file.product.is_some_and(|fixed| fixed.contains(&register))
    }

    /// Whether a value that begins behind operation `at` may stand in a register: no product overwrites it before its end.
    fn outlives(&self, register: Register, at: usize, value: Value) -> bool {
        !self.is_fixed(register) || self.end(value) <= self.lives.next_product(at)
    }

    /// Registers that values may have now.
    fn open(&self) -> Set {
        let is_done = |own: &&Pointer| own.last < self.now && (own.waiting == 0 || own.is_lost);
        self.pointers.iter().filter(is_done).fold(self.plain, |set, own| set | 1 << own.register)
    }

    /// Those without a value.
    fn free(&self) -> Set {
        self.open() & !self.taken
    }

    /// Registers of a set, those that are best taken first.
    fn of_set(&self, set: Set) -> impl Iterator<Item = Register> + '_ {
        self.all.iter().copied().filter(move |register| set >> register & 1 == 1)
    }

    /// The first ones of aligned pairs that are free, to both of which an instruction can copy.
    fn free_pairs(&self) -> impl Iterator<Item = Register> + '_ {
        let free = self.free();
        let is_pair =
            move |even: &Register| even.is_multiple_of(2) && free >> even & 3 == 3 && !self.is_fixed(*even);
        self.of_set(free).filter(is_pair)
    }

    fn occupy(&mut self, register: Register, value: Value) {
        self.held[usize::from(register)] = Some(value);
        self.taken |= 1 << register;
        self.of[value.0] = Some(register);
        self.content[usize::from(register)] = Content::Unknown;
        self.pointers.iter_mut().filter(|own| own.register == register).for_each(|own| own.is_lost = true);
    }

    fn release(&mut self, value: Value) {
        if let Some(register) = self.of[value.0].take() {
            self.held[usize::from(register)] = None;
            self.taken &= !(1 << register);
        }
    }

    /// When what a free register still holds is loaded again.
    fn wanted(&self, register: Register) -> usize {
        let Content::Word(word) = self.content[usize::from(register)] else { return NEVER };
        self.lives.loaded_again(word, self.now)
    }

    /// A register for a value, which another one leaves where none is free. `keep` are values of this operation; `at` is
    /// the operation behind which the value begins.
    fn take(&mut self, at: usize, value: Value, allowed: Set, keep: &[Value]) -> Result<Register, Stuck> {
        let end = self.end(value);
        let partner = self.file.zero.map(|zero| zero ^ 1);
        let pairs = self.file.copies_pairs;
        let is_operand =
            |value: Value| self.lives.life(value).origin.is_some_and(|(own, _)| own.array != Array::Result);
        let (open, free) = (self.open() & allowed, self.free());
        let rank = |register: &Register| {
            let neighbour = register ^ 1;
            let apart = self.held[usize::from(neighbour)].map_or(0, |other| self.end(other).abs_diff(end));
            (self.file.rank)(&Wish {
                register: *register,
                is_partner: Some(*register) == partner,
                is_fixed: self.is_fixed(*register),
                is_zero: self.content[usize::from(*register)] == Content::Zero,
                wanted: self.wanted(*register),
                is_whole: pairs && free >> neighbour & 1 == 1,
                apart: if pairs { apart } else { 0 },
                is_beside: self.held[usize::from(neighbour)].is_some_and(is_operand),
                is_operand: is_operand(value),
            })
        };
        let fit = self.of_set(open & free).filter(|register| self.outlives(*register, at, value));
        if let Some(register) = fit.min_by_key(rank) {
            self.occupy(register, value);
            return Ok(register);
        }
        let victims = self.of_set(open).filter_map(|own| Some((own, self.held[usize::from(own)]?)));
        let may_leave = |other: Value| {
            self.number(other).is_some()
                || self.line.homes.get(&other).is_some_and(|home| !self.is_taken(*home, other))
                || self.origin(other).is_some()
        };
        let victims = victims.filter(|(register, other)| {
            !keep.contains(other) && self.outlives(*register, at, value) && may_leave(*other)
        });
        let cost = |other: Value| {
            self.is_home[other.0] || self.number(other).is_some() || self.origin(other).is_some()
        };
        let far = |other: Value| {
            let distance = self.next(other).saturating_sub(self.now);
            if cost(other) { distance.saturating_mul(self.file.stores) } else { distance }
        };
        let victim = victims.max_by_key(|(_, other)| (far(*other), cost(*other)));
        let (register, other) = victim.ok_or(Stuck(self.now))?;
        self.leave(register, other);
        self.occupy(register, value);
        Ok(register)
    }

    /// A value leaves its register.
    fn leave(&mut self, register: Register, value: Value) {
        let is_elsewhere =
            self.is_home[value.0] || self.number(value).is_some() || self.origin(value).is_some();
        if let Some(home) = self.line.homes.get(&value).filter(|_| !is_elsewhere) {
            self.code.push(Placed::Store { from: register, to: *home });
            self.is_home[value.0] = true;
            self.homes.insert(*home, value);
        }
        if let Some(pointer) = self.waits_behind(value) {
            pointer.waiting += 1;
        }
        self.release(value);
    }

    /// Whether another value waits there.
    fn is_taken(&self, home: Address, value: Value) -> bool {
        self.homes.get(&home).is_some_and(|other| *other != value && self.next(*other) != NEVER)
    }

    /// The pointer that a value without a register needs to come back.
    fn waits_behind(&mut self, value: Value) -> Option<&mut Pointer> {
        let from = self.origin(value).filter(|_| !self.is_home[value.0])?;
        self.pointers.iter_mut().find(|own| own.array == from.array)
    }

    /// Whether a value that was loaded is still what stands there.
    fn is_in_memory(&self, from: Address, value: Value) -> bool {
        self.origin(value) == Some(from) && self.now < self.lives.life(value).overwritten
    }

    /// Where a word of an operand stands, while something points there.
    fn origin(&self, value: Value) -> Option<Address> {
        let is_lost = |from: &Address| self.pointers.iter().any(|own| own.array == from.array && own.is_lost);
        self.lives.life(value).origin.map(|(from, _)| from).filter(|from| !is_lost(from))
    }

    /// The register of a value that is read, which comes back where it had to leave.
    fn read(&mut self, value: Value, keep: &[Value]) -> Result<Register, Stuck> {
        if let Some(register) = self.of[value.0] {
            return Ok(register);
        }
        let before = self.now.saturating_sub(1);
        if let Some(number) = self.number(value) {
            let register = self.take(before, value, self.file.numbers, keep)?;
            self.code.push(Placed::Number { to: register, number });
            return Ok(register);
        }
        let home = self.line.homes.get(&value).copied().filter(|_| self.is_home[value.0]);
        let from = home.or(self.origin(value)).ok_or(Stuck(self.now))?;
        if let Some(pointer) = self.waits_behind(value) {
            // it may come into the place of what points to it
            pointer.waiting -= 1;
        }
        let register = self.take(before, value, Set::MAX, keep)?;
        self.code.push(Placed::Load { to: register, from });
        Ok(register)
    }

    /// What an operation reads is done with.
    fn used(&mut self, op: &Op) {
        let [x, y] = op.reads();
        for value in x.into_iter().chain(y.filter(|_| x != y)) {
            self.done[value.0] += 1;
            if self.dies(value) {
                let register = self.of[value.0];
                self.release(value);
                if let Some(register) = register {
                    let life = self.lives.life(value);
                    self.content[usize::from(register)] = match (life.origin, life.number) {
                        (Some((from, word)), _) if self.is_in_memory(from, value) => Content::Word(word),
                        (_, Some(0)) => Content::Zero,
                        _ => Content::Unknown,
                    };
                }
            }
        }
    }

    /// The result of an operation on `x`: in the place of `x` where that ends here.
    fn result(
        &mut self,
        op: &Op,
        to: Value,
        x: Value,
        allowed: Set,
        keep: &[Value],
    ) -> Result<[Register; 2], Stuck> {
        let of_x = self.of[x.0].ok_or(Stuck(self.now))?;
        let fits = self.dies(x) && self.outlives(of_x, self.now, to) && allowed >> of_x & 1 == 1;
        if fits {
            self.used(op);
            self.occupy(of_x, to);
            return Ok([of_x, of_x]);
        }
        if self.file.two_address {
            let register = self.take(self.now, to, allowed, keep)?;
            self.code.push(Placed::Copy { to: register, from: of_x });
            self.used(op);
            return Ok([register, register]);
        }
        self.used(op);
        let register = self.take(self.now, to, allowed, &[])?;
        Ok([register, of_x])
    }

    fn one(&mut self, op: &Op) -> Result<(), Stuck> {
        let [first, second] = op.reads();
        let keep: &[Value] =
            &[first.or(second), second.or(first)].map(|value| value.unwrap_or(Value(usize::MAX)));
        match *op {
            Op::Load { to, from } => self.load(to, from, keep)?,
            Op::Number { to, .. } if self.is_zero(op) => {
                self.zeros -= 1;
                self.zero(to, keep)?;
            }
            // numbers are made where they are read
            Op::Number { .. } => {}
            Op::Store { from, to } => {
                let zero =
                    self.file.zero.filter(|_| self.number(from) == Some(0) && self.of[from.0].is_none());
                let register = zero.map_or_else(|| self.read(from, keep), Ok)?;
                if !(self.is_home[from.0] && self.line.homes.get(&from) == Some(&to)) {
                    self.code.push(Placed::Store { from: register, to });
                    if self.is_taken(to, from) {
                        return Err(Stuck(self.now));
                    }
                    if self.line.homes.get(&from) == Some(&to) {
                        self.is_home[from.0] = true;
                        self.homes.insert(to, from);
                    }
                }
                self.used(op);
                // what was loaded from there is no longer what stands there
                let old = self.lives.stored(self.now).map(Content::Word);
                let stale = self.content.iter_mut().filter(|content| Some(**content) == old);
                stale.for_each(|content| *content = Content::Unknown);
            }
            Op::Multiply { low, high, x, y } => self.multiply(op, [Some(low), Some(high)], [x, y], keep)?,
            Op::Low { to, x, y } if self.file.product.is_some() => {
                self.multiply(op, [Some(to), None], [x, y], keep)?;
            }
            Op::Low { to, x, y } => {
                let (x, y) = (self.read(x, keep)?, self.read(y, keep)?);
                // in no register of the factors, which some processors forbid
                let to = self.take(self.now, to, Set::MAX & !(1 << x | 1 << y), keep)?;
                self.code.push(Placed::Low { to, x, y });
                self.used(op);
            }
            Op::Add { to, x, y, carry_in, carry_out } | Op::Subtract { to, x, y, carry_in, carry_out } => {
                let commutes = matches!(op, Op::Add { .. });
                let (x, y) = self.operands(commutes, to, x, y, keep)?;
                let [to, x] = self.result(op, to, x, Set::MAX, keep)?;
                self.code.push(match commutes {
                    true => Placed::Add { to, x, y, carry_in, carry_out },
                    false => Placed::Subtract { to, x, y, carry_in, carry_out },
                });
            }
            Op::Logic { to, logic, x, y } => {
                let (x, y) = self.operands(true, to, x, Some(y), keep)?;
                let Operand::Register(y) = y else { return Err(Stuck(self.now)) };
                let [to, x] = self.result(op, to, x, Set::MAX, keep)?;
                self.code.push(Placed::Logic { to, logic, x, y });
            }
            Op::Spread { to, borrow } => {
                let to = self.take(self.now, to, Set::MAX, keep)?;
                self.code.push(Placed::Spread { to, borrow });
            }
            Op::Sign { to, x }
            | Op::Not { to, x }
            | Op::Mask { to, x, .. }
            | Op::Negate { to, x }
            | Op::Halve { to, x, .. } => {
                self.read(x, keep)?;
                let allowed = if matches!(op, Op::Mask { .. }) { self.file.numbers } else { Set::MAX };
                let [to, x] = self.result(op, to, x, allowed, keep)?;
                self.code.push(match *op {
                    Op::Sign { .. } => Placed::Sign { to, x },
                    Op::Not { .. } => Placed::Not { to, x },
                    Op::Mask { bits, .. } => Placed::Mask { to, x, bits },
                    Op::Halve { carry_in, carry_out, .. } => Placed::Halve { to, x, carry_in, carry_out },
                    _ => Placed::Negate { to, x },
                });
            }
            Op::Shift { low, high, x, places } => {
                let of_x = self.read(x, keep)?;
                if let (Some(low), Some(_)) = (low, high) {
                    let to = self.take(self.now, low, Set::MAX, keep)?;
                    let from = if self.file.two_address { to } else { of_x };
                    if from != of_x {
                        self.code.push(Placed::Copy { to, from: of_x });
                    }
                    self.code.push(Placed::ShiftUp { to, x: from, places });
                }
                let (last, up) = match (low, high) {
                    (_, Some(high)) => (high, false),
                    (Some(low), None) => (low, true),
                    (None, None) => return Ok(()),
                };
                let [to, x] = self.result(op, last, x, Set::MAX, keep)?;
                self.code.push(match up {
                    true => Placed::ShiftUp { to, x, places },
                    false => Placed::ShiftDown { to, x, places },
                });
            }
            Op::Clear | Op::Term(_) | Op::Carryless { .. } | Op::Peek { .. } | Op::Take { .. } => {
                return Err(Stuck(self.now));
            }
        }
        // what nobody reads
        for value in op.makes().into_iter().flatten() {
            if self.lives.uses(value).is_empty() {
                self.release(value);
            }
        }
        Ok(())
    }

    /// Whether it makes a word that is zero.
    fn is_zero(&self, op: &Op) -> bool {
        matches!(*op, Op::Number { to, number: 0 } if !self.is_immediate(to) && !self.is_only_stored(to))
    }

    /// Whether nothing is done with a number but that it is stored, and there is a register that holds it.
    fn is_only_stored(&self, value: Value) -> bool {
        let is_store = |at: &usize| matches!(self.line.ops[*at], Op::Store { .. });
        self.file.zero.is_some() && self.lives.uses(value).iter().all(is_store)
    }

    /// Whether a number is only read as a second operand that may be one.
    fn is_immediate(&self, value: Value) -> bool {
        let number = self.number(value).is_some_and(|number| (self.file.immediate)(number));
        number
            && self.lives.uses(value).iter().all(|at| match self.line.ops[*at] {
                Op::Add { x, y, .. } | Op::Subtract { x, y, .. } => x != value && y == Some(value),
                _ => false,
            })
    }

    fn load(&mut self, to: Value, from: Address, keep: &[Value]) -> Result<(), Stuck> {
        let word = self.lives.life(to).origin.map(|(_, word)| Content::Word(word));
        let holds = |register: &Register| {
            Some(self.content[usize::from(*register)]) == word && self.outlives(*register, self.now, to)
        };
        let again = self.of_set(self.free()).find(holds);
        if let Some(register) = again {
            self.occupy(register, to);
            return Ok(());
        }
        let register = self.take(self.now, to, Set::MAX, keep)?;
        self.code.push(Placed::Load { to: register, from });
        Ok(())
    }

    /// The operands of a sum, in the order that leaves the result where the first one stood.
    fn operands(
        &mut self,
        commutes: bool,
        to: Value,
        x: Value,
        y: Option<Value>,
        keep: &[Value],
    ) -> Result<(Value, Operand), Stuck> {
        self.read(x, keep)?;
        let Some(y) = y else { return Ok((x, Operand::Number(0))) };
        if self.is_immediate(y) {
            return Ok((x, Operand::Number(self.number(y).unwrap_or(0))));
        }
        self.read(y, keep)?;
        let may = |value: Value| {
            self.dies(value) && self.of[value.0].is_some_and(|own| self.outlives(own, self.now, to))
        };
        let swapped = commutes && self.file.two_address && !may(x) && may(y);
        let (x, y) = if swapped { (y, x) } else { (x, y) };
        Ok((x, Operand::Register(self.of[y.0].ok_or(Stuck(self.now))?)))
    }

    fn multiply(
        &mut self,
        op: &Op,
        made: [Option<Value>; 2],
        [x, y]: [Value; 2],
        keep: &[Value],
    ) -> Result<(), Stuck> {
        let (of_x, of_y) = (self.read(x, keep)?, self.read(y, keep)?);
        let Some(fixed) = self.file.product else {
            let [Some(low), Some(high)] = made else { return Err(Stuck(self.now)) };
            // the words of the product stand in no register of a factor, and apart
            let apart = Set::MAX & !(1 << of_x | 1 << of_y);
            let own = [
                self.take(self.now, low, apart, keep)?,
                self.take(self.now, high, apart, &[keep, &[low]].concat())?,
            ];
            self.code.push(Placed::Multiply { low: own[0], high: own[1], x: of_x, y: of_y });
            self.used(op);
            return Ok(());
        };
        self.code.push(Placed::Multiply { low: fixed[0], high: fixed[1], x: of_x, y: of_y });
        self.used(op);
        let made = made.map(|value| value.filter(|value| !self.lives.uses(*value).is_empty()));
        for (value, register) in made.into_iter().zip(fixed) {
            self.content[usize::from(register)] = Content::Unknown;
            if let Some(value) = value {
                self.occupy(register, value);
            }
        }
        // what must stay longer than until the next product
        let stays: Vec<Value> = made
            .into_iter()
            .zip(fixed)
            .filter_map(|(value, own)| value.filter(|value| !self.outlives(own, self.now, *value)))
            .collect();
        if let ([low, high], true) = (stays.as_slice(), self.file.copies_pairs) {
            let zeros = |even: &Register| {
                (0..2).filter(|k| self.content[usize::from(even + k)] == Content::Zero).count()
            };
            let even = self.free_pairs().min_by_key(zeros);
            if let Some(even) = even {
                self.code.push(Placed::CopyPair { to: even, from: fixed[0] });
                for (value, register) in [(*low, even), (*high, even + 1)] {
                    self.release(value);
                    self.occupy(register, value);
                }
                return Ok(());
            }
        }
        for value in stays {
            let Some(from) = self.of[value.0] else { continue };
            self.release(value);
            let others: Vec<Value> = made.into_iter().flatten().collect();
            let to = self.take(self.now, value, Set::MAX, &others)?;
            self.code.push(Placed::Copy { to, from });
        }
        Ok(())
    }

    /// A value that is zero: in a register that is, or two at once.
    fn zero(&mut self, to: Value, keep: &[Value]) -> Result<(), Stuck> {
        let partner = self.file.zero.map(|zero| zero ^ 1);
        let is_ready = |register: &Register| {
            self.content[usize::from(*register)] == Content::Zero
                && Some(*register) != partner
                && self.outlives(*register, self.now, to)
        };
        let ready = self.of_set(self.free()).find(is_ready);
        if let Some(register) = ready {
            self.occupy(register, to);
            return Ok(());
        }
        let is_free = |partner: &Register| self.free() >> partner & 1 == 1;
        if let Some(partner) = partner.filter(|partner| self.file.copies_pairs && is_free(partner)) {
            let unready = self.content[usize::from(partner)] != Content::Zero;
            let pair = self.free_pairs().find(|even| *even != partner & !1);
            if let Some(even) = pair.filter(|_| self.zeros > usize::from(unready)) {
                if unready {
                    self.code.push(Placed::Number { to: partner, number: 0 });
                    self.content[usize::from(partner)] = Content::Zero;
                }
                self.code.push(Placed::ZeroPair { to: even });
                self.occupy(even, to);
                self.content[usize::from(even + 1)] = Content::Zero;
                return Ok(());
            }
        }
        let register = self.take(self.now, to, Set::MAX, keep)?;
        self.code.push(Placed::Number { to: register, number: 0 });
        Ok(())
    }
}
