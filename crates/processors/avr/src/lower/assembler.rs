//! Instructions with labels, for code that branches.

use crate::instructions::{Instruction, Op, flag};

/// Low register of a pointer pair.
pub(super) const X: u8 = 26;
pub(super) const Y: u8 = 28;
pub(super) const Z: u8 = 30;

/// A place in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(usize);

#[derive(Clone, Copy, Debug)]
enum Item {
    Plain(Instruction),
    To(Instruction, Label),
    Here(Label),
}

/// Code that waits while other code is written.
pub(super) struct Waiting(Vec<Item>);

/// A function under construction: its body, and subroutines that are to stand behind it.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    body: Vec<Item>,
    routines: Vec<Item>,
    labels: usize,
}

macro_rules! two_registers {
    ($($name:ident $op:ident)*) => {
        impl Assembler {
            $(pub(super) fn $name(&mut self, d: u8, r: u8) {
                self.emit(Instruction::dr(Op::$op, d, r));
            })*
        }
    };
}
two_registers! { add Add adc Adc sub Sub sbc Sbc eor Eor mov Mov movw Movw }

macro_rules! one_register {
    ($($name:ident $op:ident)*) => {
        impl Assembler {
            $(pub(super) fn $name(&mut self, d: u8) {
                self.emit(Instruction::dk(Op::$op, d, 0));
            })*
        }
    };
}
one_register! { inc Inc dec Dec lsr Lsr ror Ror pop Pop }

impl Assembler {
    pub(super) fn emit(&mut self, instruction: Instruction) {
        self.body.push(Item::Plain(instruction));
    }
    pub(super) fn clr(&mut self, d: u8) {
        self.eor(d, d);
    }
    pub(super) fn rol(&mut self, d: u8) {
        self.adc(d, d);
    }
    pub(super) fn ldi(&mut self, d: u8, k: u8) {
        self.emit(Instruction::dk(Op::Ldi, d, k.into()));
    }
    pub(super) fn cpi(&mut self, d: u8, k: u8) {
        self.emit(Instruction::dk(Op::Cpi, d, k.into()));
    }
    pub(super) fn push(&mut self, r: u8) {
        self.emit(Instruction::rk(Op::Push, r, 0));
    }
    pub(super) fn clc(&mut self) {
        self.emit(Instruction { b: flag::C as u8, ..Instruction::new(Op::Bclr) });
    }
    /// Skips the next instruction if a bit of `r` is clear, or if it is set.
    pub(super) fn skip(&mut self, r: u8, b: u8, set: bool) {
        let op = if set { Op::Sbrs } else { Op::Sbrc };
        self.emit(Instruction { r, b, ..Instruction::new(op) });
    }
    /// Does nothing for so many cycles, and leaves the flags alone.
    pub(super) fn wait(&mut self, cycles: usize) {
        // a jump to the next instruction: two cycles in one word
        (0..cycles / 2).for_each(|_| self.emit(Instruction::new(Op::Rjmp)));
        (0..cycles % 2).for_each(|_| self.emit(Instruction::new(Op::Nop)));
    }

    /// Load from a pointer, which moves on.
    pub(super) fn load(&mut self, d: u8, pointer: u8) {
        let op = [Op::LdXInc, Op::LdYInc, Op::LdZInc][index(pointer)];
        self.emit(Instruction::dk(op, d, 0));
    }
    /// Load from below a pointer, which moves down first.
    pub(super) fn load_below(&mut self, d: u8, pointer: u8) {
        let op = [Op::LdXDec, Op::LdYDec, Op::LdZDec][index(pointer)];
        self.emit(Instruction::dk(op, d, 0));
    }
    /// Load from a distance of up to 63; X has none.
    pub(super) fn load_at(&mut self, d: u8, pointer: u8, distance: usize) {
        debug_assert!(pointer != X || distance == 0);
        let op = [Op::LdX, Op::LddY, Op::LddZ][index(pointer)];
        self.emit(Instruction::dk(op, d, distance as i32));
    }
    /// Store to a pointer, which moves on.
    pub(super) fn store(&mut self, pointer: u8, r: u8) {
        let op = [Op::StXInc, Op::StYInc, Op::StZInc][index(pointer)];
        self.emit(Instruction::rk(op, r, 0));
    }
    /// Store to a distance of up to 63; X has none.
    pub(super) fn store_at(&mut self, pointer: u8, distance: usize, r: u8) {
        debug_assert!(pointer != X || distance == 0);
        let op = [Op::StX, Op::StdY, Op::StdZ][index(pointer)];
        self.emit(Instruction::rk(op, r, distance as i32));
    }
    /// Moves a pointer; the carry is lost.
    pub(super) fn advance(&mut self, pointer: u8, by: i32) {
        match by {
            0 => {}
            1..=63 => self.emit(Instruction::dk(Op::Adiw, pointer, by)),
            -63..=-1 => self.emit(Instruction::dk(Op::Sbiw, pointer, -by)),
            _ => self.shift_pair(pointer, by),
        }
    }
    /// Adds to an address in a pair from R16 on; the carry is lost.
    pub(super) fn shift_pair(&mut self, pair: u8, by: i32) {
        let [low, high] = (-by as u16).to_le_bytes();
        self.emit(Instruction::dk(Op::Subi, pair, low.into()));
        self.emit(Instruction::dk(Op::Sbci, pair + 1, high.into()));
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels)
    }
    pub(super) fn bind(&mut self, label: Label) {
        self.body.push(Item::Here(label));
    }
    /// A new label, here.
    pub(super) fn here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }
    pub(super) fn rjmp(&mut self, label: Label) {
        self.body.push(Item::To(Instruction::new(Op::Rjmp), label));
    }
    pub(super) fn rcall(&mut self, label: Label) {
        self.body.push(Item::To(Instruction::new(Op::Rcall), label));
    }
    /// Branches where a flag is set, or where it is clear; over at most 63 words.
    pub(super) fn branch(&mut self, flag: usize, set: bool, label: Label) {
        let op = if set { Op::Brbs } else { Op::Brbc };
        self.body.push(Item::To(Instruction { b: flag as u8, ..Instruction::new(op) }, label));
    }
    /// Back to a label where Z is clear; over any distance. The carry stays.
    pub(super) fn back(&mut self, label: Label) {
        let at = self.body.iter().position(|item| matches!(item, Item::Here(own) if *own == label));
        let words: usize = self.body[at.unwrap_or(0)..].iter().map(size).sum();
        if words < 63 {
            return self.branch(flag::Z, false, label);
        }
        let over = self.label();
        self.branch(flag::Z, true, over);
        self.rjmp(label);
        self.bind(over);
    }

    /// Code that is only jumped to, which ends up behind the function.
    pub(super) fn aside(&mut self, write: impl FnOnce(&mut Self)) {
        let outer = std::mem::take(&mut self.body);
        write(self);
        let aside = std::mem::replace(&mut self.body, outer);
        self.routines.extend(aside);
    }

    /// Begins code that ends up behind the function, at a label; what was being written waits.
    pub(super) fn begin_aside(&mut self, label: Label) -> Waiting {
        let waiting = Waiting(std::mem::take(&mut self.body));
        self.bind(label);
        waiting
    }

    /// Ends it, and goes on with what waits.
    pub(super) fn end_aside(&mut self, waiting: Waiting) {
        let aside = std::mem::replace(&mut self.body, waiting.0);
        self.routines.extend(aside);
    }

    /// A subroutine, which ends up behind the function.
    pub(super) fn routine(&mut self, write: impl FnOnce(&mut Self)) -> Label {
        let label = self.label();
        self.aside(|asm| {
            asm.bind(label);
            write(asm);
            asm.emit(Instruction::new(Op::Ret));
        });
        label
    }

    /// Puts `head` before the body and `tail` after it, subroutines last, and resolves the labels.
    pub(super) fn enclosed(self, head: &[Instruction], tail: &[Instruction]) -> Vec<Instruction> {
        let plain = |code: &[Instruction]| code.iter().copied().map(Item::Plain).collect::<Vec<_>>();
        let mut labels = self.labels;
        let mut items = [plain(head), self.body, plain(tail), self.routines].concat();
        while relay(&mut items, &mut labels) {}
        let places = places(&items, labels);
        let mut code = Vec::with_capacity(items.len());
        let mut at = 0;
        for item in &items {
            at += size(item) as i32;
            match item {
                Item::Plain(instruction) => code.push(*instruction),
                Item::To(instruction, label) => {
                    code.push(Instruction { k: places[label.0] - at, ..*instruction });
                }
                Item::Here(_) => {}
            }
        }
        code
    }

    /// All instructions so far, those of subroutines included.
    pub(super) fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.body.iter().chain(&self.routines).filter_map(|item| match item {
            Item::Plain(instruction) | Item::To(instruction, _) => Some(instruction),
            Item::Here(_) => None,
        })
    }
}

/// Words that RCALL and RJMP reach downwards, from the instruction behind.
const REACH: i32 = 2047;

/// The word addresses of labels, by number.
fn places(items: &[Item], labels: usize) -> Vec<i32> {
    let mut places = vec![0; labels + 1];
    let mut at = 0;
    for item in items {
        if let Item::Here(label) = item {
            places[label.0] = at;
        }
        at += size(item) as i32;
    }
    places
}

/// Where a call or jump does not reach down to its target, puts a jump on the way and calls that: between two
/// subroutines, or else inside one, which jumps over it in two cycles. `false` where all is in reach, or
/// nothing helps.
fn relay(items: &mut Vec<Item>, labels: &mut usize) -> bool {
    let places = places(items, *labels);
    let mut at = 0;
    let far = items.iter().position(|item| {
        at += size(item) as i32;
        let relative = matches!(item, Item::To(Instruction { op: Op::Rcall | Op::Rjmp, .. }, _));
        matches!(item, Item::To(_, label) if relative && places[label.0] - at > REACH)
    });
    let Some(far) = far else { return false };
    let (mut between, mut inside) = (None, None);
    let mut distance = 0;
    for (index, pair) in items.windows(2).enumerate().skip(far + 1) {
        distance += size(&pair[0]) as i32;
        // room for what may be put between later
        if distance > REACH - 32 {
            break;
        }
        match pair {
            [Item::Plain(Instruction { op: Op::Ret, .. }), Item::Here(_)] => between = Some(index + 1),
            // what may be skipped must stay where it is
            [Item::Plain(Instruction { op: Op::Sbrc | Op::Sbrs | Op::Cpse, .. }), _] => {}
            [Item::Plain(_), Item::Plain(_)] => inside = Some(index + 1),
            _ => {}
        }
    }
    let Item::To(call, target) = items[far] else { return false };
    *labels += 2;
    let [here, over] = [Label(*labels - 1), Label(*labels)];
    let jump = |to| Item::To(Instruction::new(Op::Rjmp), to);
    match (between, inside) {
        (Some(place), _) => drop(items.splice(place..place, [Item::Here(here), jump(target)])),
        (None, Some(place)) => {
            drop(items.splice(place..place, [jump(over), Item::Here(here), jump(target), Item::Here(over)]));
        }
        (None, None) => return false,
    }
    items[far] = Item::To(call, here);
    true
}

fn size(item: &Item) -> usize {
    match item {
        Item::Plain(instruction) | Item::To(instruction, _) => instruction.op.row().words(),
        Item::Here(_) => 0,
    }
}

fn index(pointer: u8) -> usize {
    usize::from(pointer - X) / 2
}
