//! Loops on cores without a carry flag: in which order their products come, and the routines of cores whose products stand in
//! registers. Pointers move and are compared; there are no counters.

use crate::draft::{Act, Core, Fault, Kernel, Pair, Registers, Ring, Routines, Setting, unmade};
use crate::file::Register;
use rhomb_kernel::rolled::Node;
use rhomb_kernel::{Form, Operand, Rolled, Step, Task};

/// In which order the products of a multiplication come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By columns, one product in each turn of the innermost loop.
    Columns,
    /// By rows of one word of A.
    Rows,
}

/// The order of a schedule's products; `None` where it is another one, or a loop takes several products at a turn.
pub fn order(rolled: &Rolled) -> Option<Order> {
    let n = rolled.words;
    let steps = rolled.expand();
    let mut rows: Vec<Vec<(usize, usize)>> = Vec::new();
    for step in &steps {
        match step {
            Step::StartRow { .. } => rows.push(Vec::new()),
            Step::Multiply { product, .. } => rows.last_mut()?.push((product.i, product.j)),
            _ => {}
        }
    }
    let by_rows = rows.len() == n
        && rows.iter().enumerate().all(|(i, row)| row.len() == n && row.iter().all(|(own, _)| *own == i));
    // the word of A stays in its row: n loads of A, not n^2
    let of_a = |step: &&Step| matches!(step, Step::Load { operand: Operand::A(_), .. });
    if by_rows && (n == 1 || steps.iter().filter(of_a).count() == n) {
        return Some(Order::Rows);
    }
    let columns: Vec<usize> = rows.first()?.iter().map(|(i, j)| i + j).collect();
    let ascending = rows.len() == 1 && columns.len() == n * n && columns.is_sorted();
    (ascending && single(&rolled.nodes)).then_some(Order::Columns)
}

/// Whether no block multiplies more than once.
fn single(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Loop(one) => single(&one.body),
        Node::Block(block) => {
            block.steps.iter().filter(|step| matches!(step, Step::Multiply { .. })).count() <= 1
        }
    })
}

/// How two registers must compare for a branch to be taken. Pointers have no other order: where arrays lie decides about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// They differ.
    Differ,
    /// They are the same.
    Same,
}

/// A core with branches that compare two registers.
pub trait Branches: Routines {
    /// A branch by so many instructions from itself, back or forward.
    ///
    /// # Errors
    /// Where it does not reach.
    fn branch(
        &self,
        compare: Compare,
        registers: [Register; 2],
        by: isize,
    ) -> Result<Self::Instruction, Fault>;
}

/// A routine with loops.
///
/// # Errors
/// Where it is not made so, or registers are too few, or pointers or branches do not reach.
pub fn looped<C: Branches>(task: &Task, core: &C) -> Result<Kernel<C::Instruction>, Fault> {
    let Registers { all, most, .. } = core.registers();
    let setting = core.setting();
    if setting.ring == Ring::BinaryPolynomials
        && !setting.abilities.carryless
        && !matches!(task, Task::Chain { .. })
    {
        return Err(Fault::Carryless);
    }
    let mut code = Code { core, setting, all, most, bytes: 4 * task.words() as i32, made: Vec::new() };
    if !core.has_number(Pair::Add, code.bytes) {
        return Err(Fault::Displacement);
    }
    match task {
        Task::Chain { subtract, form: Form::Looped, .. } => code.chain(*subtract)?,
        Task::LoopedMultiplication(rolled) => match order(rolled).ok_or(Fault::Loops)? {
            Order::Columns => code.columns(rolled.words)?,
            Order::Rows => code.rows(rolled.words)?,
        },
        Task::ScannedSquaring { words } => code.squaring(*words)?,
        _ => return Err(unmade(task)),
    }
    Ok(core.enclose(code.made, 0))
}

/// The sum of a column, and the words of a product with what their multiplication leaves.
#[derive(Clone, Copy)]
struct Sum {
    low: Register,
    middle: Register,
    high: Register,
    x: Register,
    y: Register,
    top: Register,
}

struct Code<'a, C: Core> {
    core: &'a C,
    setting: Setting,
    all: Vec<Register>,
    most: usize,
    /// Of an operand.
    bytes: i32,
    made: Vec<C::Instruction>,
}

impl<C: Branches> Code<'_, C> {
    fn registers<const N: usize>(&self) -> Result<[Register; N], Fault> {
        let few = Fault::Registers { needed: N, available: self.most.min(self.all.len()) };
        self.all.first_chunk().filter(|_| N <= self.most).copied().ok_or(few)
    }

    fn act(&mut self, act: Act, to: Register, reads: [Register; 2]) -> Result<(), Fault> {
        self.core.facts(act, false)?;
        self.made.push(self.core.instruction(act, to, reads));
        Ok(())
    }

    /// `to = x op y`.
    fn pair(&mut self, pair: Pair, to: Register, x: Register, y: Register) -> Result<(), Fault> {
        self.act(Act::Pair(pair), to, [x, y])
    }

    /// `to = x + number`.
    fn plus(&mut self, to: Register, x: Register, number: i32) -> Result<(), Fault> {
        self.act(Act::Number(Pair::Add, number), to, [x, 0])
    }

    fn load(&mut self, to: Register, pointer: Register) -> Result<(), Fault> {
        self.act(Act::Load(0), to, [pointer, 0])
    }

    /// Stores a word, and moves the pointer behind it.
    fn store(&mut self, word: Register, pointer: Register) -> Result<(), Fault> {
        self.act(Act::Store(0), 0, [pointer, word])?;
        self.plus(pointer, pointer, 4)
    }

    /// Instructions once, and again while two registers compare so.
    fn repeat(
        &mut self,
        compare: Compare,
        registers: [Register; 2],
        body: impl FnOnce(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let start = self.made.len();
        body(self)?;
        let by = start as isize - self.made.len() as isize;
        self.made.push(self.core.branch(compare, registers, by)?);
        Ok(())
    }

    /// Instructions that are left out where two registers compare so.
    fn unless(
        &mut self,
        compare: Compare,
        registers: [Register; 2],
        body: impl FnOnce(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let start = self.made.len();
        body(self)?;
        let by = self.made.len() - start + 1;
        self.made.insert(start, self.core.branch(compare, registers, by as isize)?);
        Ok(())
    }

    fn is_binary(&self) -> bool {
        self.setting.ring == Ring::BinaryPolynomials
    }

    /// Both words of the product of x and y, the low one in place of x.
    fn product(&mut self, Sum { x, y, top, .. }: Sum) -> Result<(), Fault> {
        let [low, high] = match self.is_binary() {
            true => [Pair::CarrylessLow, Pair::CarrylessHigh],
            false => [Pair::Low, Pair::High],
        };
        self.pair(high, top, x, y)?;
        self.pair(low, x, x, y)
    }

    /// Adds the product of x and y so many times.
    fn add(&mut self, sum: Sum, times: usize) -> Result<(), Fault> {
        self.product(sum)?;
        let Sum { low, middle, high, x, y, top } = sum;
        if self.is_binary() {
            self.pair(Pair::Xor, low, low, x)?;
            return self.pair(Pair::Xor, middle, middle, top);
        }
        for _ in 0..times {
            self.pair(Pair::Add, low, low, x)?;
            self.pair(Pair::Below, y, low, x)?;
            // it is no product's high word that overflows so
            self.pair(Pair::Add, y, y, top)?;
            self.pair(Pair::Add, middle, middle, y)?;
            self.pair(Pair::Below, y, middle, y)?;
            self.pair(Pair::Add, high, high, y)?;
        }
        Ok(())
    }

    fn clear(&mut self, registers: &[Register]) -> Result<(), Fault> {
        registers.iter().try_for_each(|register| self.plus(*register, 0, 0))
    }

    /// The low word of a column is stored, and the sum moves down by a word.
    fn finish(&mut self, Sum { low, middle, high, .. }: Sum) -> Result<(), Fault> {
        let [r, ..] = self.setting.arguments;
        self.store(low, r)?;
        self.plus(low, middle, 0)?;
        self.plus(middle, high, 0)?;
        self.clear(&[high])
    }

    /// A word is stored after both operands' words in its place were read: the result may lie in the place of an operand, or of
    /// both.
    fn chain(&mut self, subtract: bool) -> Result<(), Fault> {
        let [r, a, b] = self.setting.arguments;
        let [x, y, carry, more, end] = self.registers()?;
        let binary = self.is_binary();
        self.plus(end, a, self.bytes)?;
        if !binary {
            self.clear(&[carry])?;
        }
        self.repeat(Compare::Differ, [a, end], |code| {
            code.load(x, a)?;
            code.load(y, b)?;
            code.plus(a, a, 4)?;
            code.plus(b, b, 4)?;
            if binary {
                code.pair(Pair::Xor, x, x, y)?;
            } else if subtract {
                code.pair(Pair::Below, more, x, y)?;
                code.pair(Pair::Subtract, x, x, y)?;
                code.pair(Pair::Below, y, x, carry)?;
                code.pair(Pair::Subtract, x, x, carry)?;
                // at most one of them
                code.pair(Pair::Add, carry, more, y)?;
            } else {
                code.pair(Pair::Add, x, x, y)?;
                code.pair(Pair::Below, more, x, y)?;
                code.pair(Pair::Add, x, x, carry)?;
                code.pair(Pair::Below, y, x, carry)?;
                code.pair(Pair::Add, carry, more, y)?;
            }
            code.store(x, r)
        })?;
        if binary { Ok(()) } else { self.plus(self.setting.returned, carry, 0) }
    }

    /// Columns below the middle, then those above: A's words are walked up, B's down.
    fn columns(&mut self, words: usize) -> Result<(), Fault> {
        let [_, a, b] = self.setting.arguments;
        let [low, middle, high, x, y, top, up, down, up_end, end, last] = self.registers()?;
        let sum = Sum { low, middle, high, x, y, top };
        let turn = |code: &mut Self, start: [Register; 2], until: Register| {
            code.plus(up, start[0], 0)?;
            code.plus(down, start[1], 0)?;
            code.repeat(Compare::Differ, [up, until], |code| {
                code.load(x, up)?;
                code.load(y, down)?;
                code.plus(up, up, 4)?;
                code.plus(down, down, -4)?;
                code.add(sum, 1)
            })?;
            code.finish(sum)
        };
        self.plus(end, a, self.bytes)?;
        self.plus(last, b, self.bytes - 4)?;
        self.plus(up_end, a, 0)?;
        self.plus(b, b, -4)?;
        self.clear(&[low, middle, high])?;
        self.repeat(Compare::Differ, [up_end, end], |code| {
            code.plus(up_end, up_end, 4)?;
            code.plus(b, b, 4)?;
            turn(code, [a, b], up_end)
        })?;
        if words > 1 {
            self.plus(b, end, -4)?;
            self.repeat(Compare::Differ, [a, b], |code| {
                code.plus(a, a, 4)?;
                turn(code, [a, last], end)
            })?;
        }
        self.last(low)
    }

    /// The last word of a sum.
    fn last(&mut self, low: Register) -> Result<(), Fault> {
        let [r, ..] = self.setting.arguments;
        self.act(Act::Store(0), 0, [r, low])
    }

    /// Columns, in each of which products of different words are added twice; the square of the middle word is in every other.
    fn squaring(&mut self, words: usize) -> Result<(), Fault> {
        let [r, a, b] = self.setting.arguments;
        let [low, middle, high, x, y, top, up, down, last, half, odd] = self.registers()?;
        let sum = Sum { low, middle, high, x, y, top };
        if self.is_binary() {
            // the squares of the words
            self.plus(last, a, self.bytes)?;
            return self.repeat(Compare::Differ, [a, last], |code| {
                code.load(x, a)?;
                code.plus(a, a, 4)?;
                code.product(Sum { y: x, ..sum })?;
                code.store(x, r)?;
                code.store(top, r)
            });
        }
        let column = |code: &mut Self, start: [Register; 2]| {
            code.plus(up, start[0], 0)?;
            code.plus(down, start[1], 0)?;
            code.unless(Compare::Same, [up, half], |code| {
                code.repeat(Compare::Differ, [up, half], |code| {
                    code.load(x, up)?;
                    code.load(y, down)?;
                    code.plus(up, up, 4)?;
                    code.plus(down, down, -4)?;
                    code.add(sum, 2)
                })
            })?;
            code.unless(Compare::Differ, [odd, 0], |code| {
                code.load(x, half)?;
                code.load(y, half)?;
                code.add(sum, 1)
            })?;
            // the middle moves in every other column
            code.act(Act::Number(Pair::Xor, 4), odd, [odd, 0])?;
            code.pair(Pair::Add, half, half, odd)?;
            code.finish(sum)
        };
        self.plus(last, a, self.bytes - 4)?;
        self.plus(half, a, 0)?;
        self.plus(b, a, -4)?;
        self.clear(&[odd, low, middle, high])?;
        self.repeat(Compare::Differ, [b, last], |code| {
            code.plus(b, b, 4)?;
            column(code, [a, b])
        })?;
        if words > 1 {
            self.repeat(Compare::Differ, [a, last], |code| {
                code.plus(a, a, 4)?;
                column(code, [a, last])
            })?;
        }
        self.last(low)
    }

    /// A row for each word of A, the first one apart, since it finds no result. A product, a word of the result and what was
    /// carried add up to two words at most.
    fn rows(&mut self, words: usize) -> Result<(), Fault> {
        let [r, a, b] = self.setting.arguments;
        let [x, y, top, carry, old, up, place, b_end, a_end, word] = self.registers()?;
        let binary = self.is_binary();
        let row = |code: &mut Self, again: bool| {
            code.load(word, a)?;
            code.plus(up, b, 0)?;
            code.plus(place, r, 0)?;
            code.clear(&[carry])?;
            code.repeat(Compare::Differ, [up, b_end], |code| {
                code.load(y, up)?;
                code.plus(x, word, 0)?;
                code.plus(up, up, 4)?;
                code.product(Sum { low: x, middle: top, high: top, x, y, top })?;
                if again {
                    code.load(old, place)?;
                }
                for more in again.then_some(old).into_iter().chain([carry]) {
                    if binary {
                        code.pair(Pair::Xor, x, x, more)?;
                    } else {
                        code.pair(Pair::Add, x, x, more)?;
                        code.pair(Pair::Below, y, x, more)?;
                        code.pair(Pair::Add, top, top, y)?;
                    }
                }
                code.plus(carry, top, 0)?;
                code.store(x, place)
            })?;
            code.act(Act::Store(0), 0, [place, carry])
        };
        self.plus(b_end, b, self.bytes)?;
        self.plus(a_end, a, self.bytes - 4)?;
        row(self, false)?;
        if words > 1 {
            self.repeat(Compare::Differ, [a, a_end], |code| {
                code.plus(a, a, 4)?;
                code.plus(r, r, 4)?;
                row(code, true)
            })?;
        }
        Ok(())
    }
}
