//! Instructions with labels, for code that branches: methods are named after instructions, or after what some of them do.

use crate::conventions::Convention;
use crate::instructions::{Instruction, Op, flag};

/// Low register of the pointer pair X.
pub const X: u8 = 26;
/// Low register of the pointer pair Y.
pub const Y: u8 = 28;
/// Low register of the pointer pair Z.
pub const Z: u8 = 30;

/// I/O addresses of SPL, SPH and SREG (the same on all cores: ATmega128 data sheet 2467, register summary;
/// AVR-DB data sheet DS40002247, CPU).
const SPL: i32 = 0x3d;
const SPH: i32 = 0x3e;
const SREG: i32 = 0x3f;

/// A place in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

#[derive(Clone, Copy, Debug)]
enum Item {
    Plain(Instruction),
    To(Instruction, Label),
    Here(Label),
}

/// Code that waits while other code is written.
pub struct Waiting(Vec<Item>);

/// A function under construction: its body, and subroutines that are to stand behind it.
#[derive(Debug, Default)]
pub struct Assembler {
    body: Vec<Item>,
    routines: Vec<Item>,
    labels: usize,
}

macro_rules! two_registers {
    ($($name:ident $op:ident)*) => {
        impl Assembler {
            $(/// The instruction of this name.
            pub fn $name(&mut self, d: u8, r: u8) {
                self.emit(Instruction::dr(Op::$op, d, r));
            })*
        }
    };
}
two_registers! { add Add adc Adc sub Sub sbc Sbc and And eor Eor mov Mov movw Movw cp Cp mul Mul }

macro_rules! one_register {
    ($($name:ident $op:ident)*) => {
        impl Assembler {
            $(/// The instruction of this name.
            pub fn $name(&mut self, d: u8) {
                self.emit(Instruction::dk(Op::$op, d, 0));
            })*
        }
    };
}
one_register! { com Com neg Neg inc Inc dec Dec lsr Lsr ror Ror asr Asr pop Pop }

impl Assembler {
    /// Any instruction.
    pub fn emit(&mut self, instruction: Instruction) {
        self.body.push(Item::Plain(instruction));
    }
    /// Sets a register to zero; the carry stays.
    pub fn clr(&mut self, d: u8) {
        self.eor(d, d);
    }
    /// Moves the bits up, the carry in and out.
    pub fn rol(&mut self, d: u8) {
        self.adc(d, d);
    }
    /// Puts a number into a register from R16 on.
    pub fn ldi(&mut self, d: u8, k: u8) {
        self.emit(Instruction::dk(Op::Ldi, d, k.into()));
    }
    /// Compares a register from R16 on with a number.
    pub fn cpi(&mut self, d: u8, k: u8) {
        self.emit(Instruction::dk(Op::Cpi, d, k.into()));
    }
    /// A register to the stack.
    pub fn push(&mut self, r: u8) {
        self.emit(Instruction::rk(Op::Push, r, 0));
    }
    /// Clears the carry.
    pub fn clc(&mut self) {
        self.emit(Instruction { b: flag::C as u8, ..Instruction::new(Op::Bclr) });
    }
    /// Skips the next instruction if a bit of `r` is clear, or if it is set.
    pub fn skip(&mut self, r: u8, b: u8, set: bool) {
        let op = if set { Op::Sbrs } else { Op::Sbrc };
        self.emit(Instruction { r, b, ..Instruction::new(op) });
    }
    /// Does nothing for so many cycles, and leaves the flags alone.
    pub fn wait(&mut self, cycles: usize) {
        // a jump to the next instruction: two cycles in one word
        (0..cycles / 2).for_each(|_| self.emit(Instruction::new(Op::Rjmp)));
        (0..cycles % 2).for_each(|_| self.emit(Instruction::new(Op::Nop)));
    }

    /// Load from a pointer, which moves on.
    pub fn load(&mut self, d: u8, pointer: u8) {
        let op = [Op::LdXInc, Op::LdYInc, Op::LdZInc][index(pointer)];
        self.emit(Instruction::dk(op, d, 0));
    }
    /// Load from below a pointer, which moves down first.
    pub fn load_below(&mut self, d: u8, pointer: u8) {
        let op = [Op::LdXDec, Op::LdYDec, Op::LdZDec][index(pointer)];
        self.emit(Instruction::dk(op, d, 0));
    }
    /// Load from a distance of up to 63; X has none.
    pub fn load_at(&mut self, d: u8, pointer: u8, distance: usize) {
        debug_assert!(pointer != X || distance == 0);
        let op = [Op::LdX, Op::LddY, Op::LddZ][index(pointer)];
        self.emit(Instruction::dk(op, d, distance as i32));
    }
    /// Store to a pointer, which moves on.
    pub fn store(&mut self, pointer: u8, r: u8) {
        let op = [Op::StXInc, Op::StYInc, Op::StZInc][index(pointer)];
        self.emit(Instruction::rk(op, r, 0));
    }
    /// Store to a distance of up to 63; X has none.
    pub fn store_at(&mut self, pointer: u8, distance: usize, r: u8) {
        debug_assert!(pointer != X || distance == 0);
        let op = [Op::StX, Op::StdY, Op::StdZ][index(pointer)];
        self.emit(Instruction::rk(op, r, distance as i32));
    }
    /// Adds to an address in a pair from R16 on; the carry is lost.
    pub fn advance(&mut self, pair: u8, by: i32) {
        self.body.extend(moved(pair, by).into_iter().map(Item::Plain));
    }

    /// The sum with the carry, the first of a chain without.
    pub fn add_chain(&mut self, first: bool, d: u8, r: u8) {
        if first { self.add(d, r) } else { self.adc(d, r) }
    }
    /// The difference with the borrow, the first of a chain without.
    pub fn sub_chain(&mut self, first: bool, d: u8, r: u8) {
        if first { self.sub(d, r) } else { self.sbc(d, r) }
    }
    /// The carry as a mask: all ones or zero.
    pub fn park(&mut self, mask: u8) {
        self.sbc(mask, mask);
    }
    /// The carry from a mask, which is lost.
    pub fn restore(&mut self, mask: u8) {
        self.add(mask, mask);
    }

    /// The stack pointer into a pair.
    pub fn read_sp(&mut self, pair: u8) {
        self.emit(Instruction::dk(Op::In, pair, SPL));
        self.emit(Instruction::dk(Op::In, pair + 1, SPH));
    }
    /// The stack pointer from a pair: its halves with interrupts off. R0 is lost.
    pub fn write_sp(&mut self, pair: u8) {
        self.emit(Instruction::dk(Op::In, 0, SREG));
        self.emit(Instruction { b: flag::I as u8, ..Instruction::new(Op::Bclr) });
        self.emit(Instruction::rk(Op::Out, pair + 1, SPH));
        self.emit(Instruction::rk(Op::Out, 0, SREG));
        self.emit(Instruction::rk(Op::Out, pair, SPL));
    }

    /// A new label.
    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels)
    }
    /// Puts a label here.
    pub fn bind(&mut self, label: Label) {
        self.body.push(Item::Here(label));
    }
    /// A new label, here.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }
    /// A jump.
    pub fn rjmp(&mut self, label: Label) {
        self.body.push(Item::To(Instruction::new(Op::Rjmp), label));
    }
    /// A call.
    pub fn rcall(&mut self, label: Label) {
        self.body.push(Item::To(Instruction::new(Op::Rcall), label));
    }
    /// Branches where a flag is set, or where it is clear; over at most 63 words.
    pub fn branch(&mut self, flag: usize, set: bool, label: Label) {
        let op = if set { Op::Brbs } else { Op::Brbc };
        self.body.push(Item::To(Instruction { b: flag as u8, ..Instruction::new(op) }, label));
    }
    /// Back to a label where Z is clear; over any distance. The carry stays.
    pub fn back(&mut self, label: Label) {
        self.back_where(flag::Z, false, label);
    }
    /// Back to a label where a flag is set, or where it is clear; over any distance.
    pub fn back_where(&mut self, flag: usize, set: bool, label: Label) {
        let at = self.body.iter().position(|item| matches!(item, Item::Here(own) if *own == label));
        let words: usize = self.body[at.unwrap_or(0)..].iter().map(size).sum();
        if words < 63 {
            return self.branch(flag, set, label);
        }
        let over = self.label();
        self.branch(flag, !set, over);
        self.rjmp(label);
        self.bind(over);
    }

    /// Code that is only jumped to, which ends up behind the function.
    pub fn aside(&mut self, write: impl FnOnce(&mut Self)) {
        let outer = std::mem::take(&mut self.body);
        write(self);
        let aside = std::mem::replace(&mut self.body, outer);
        self.routines.extend(aside);
    }

    /// Begins code that ends up behind the function, at a label; what was being written waits.
    pub fn begin_aside(&mut self, label: Label) -> Waiting {
        let waiting = Waiting(std::mem::take(&mut self.body));
        self.bind(label);
        waiting
    }

    /// Ends it, and goes on with what waits.
    pub fn end_aside(&mut self, waiting: Waiting) {
        let aside = std::mem::replace(&mut self.body, waiting.0);
        self.routines.extend(aside);
    }

    /// A subroutine, which ends up behind the function.
    pub fn routine(&mut self, write: impl FnOnce(&mut Self)) -> Label {
        let label = self.label();
        self.aside(|asm| {
            asm.bind(label);
            write(asm);
            asm.emit(Instruction::new(Op::Ret));
        });
        label
    }

    /// The whole function by a convention, and the registers that it saves, in this order. Of those to preserve it restores
    /// those in `restored` (bit n is Rn) itself.
    pub fn function(self, restored: u32, convention: &Convention) -> (Vec<Instruction>, Vec<u8>) {
        let written = self.instructions().fold(0, |written, one| written | one.registers_written());
        let is_saved = |register: &u8| written & convention.saved & !restored & (1 << register) != 0;
        let saves: Vec<u8> = (0..32).filter(is_saved).collect();
        let head: Vec<Instruction> =
            saves.iter().map(|register| Instruction::rk(Op::Push, *register, 0)).collect();
        let zero = convention.zero.filter(|zero| written & (1 << zero) != 0);
        let mut tail: Vec<Instruction> =
            zero.map(|zero| Instruction::dr(Op::Eor, zero, zero)).into_iter().collect();
        tail.extend(saves.iter().rev().map(|register| Instruction::dk(Op::Pop, *register, 0)));
        tail.push(Instruction::new(Op::Ret));
        (self.enclosed(&head, &tail), saves)
    }

    /// Puts `head` before the body and `tail` after it, subroutines last, and resolves the labels.
    pub fn enclosed(self, head: &[Instruction], tail: &[Instruction]) -> Vec<Instruction> {
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
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.body.iter().chain(&self.routines).filter_map(|item| match item {
            Item::Plain(instruction) | Item::To(instruction, _) => Some(instruction),
            Item::Here(_) => None,
        })
    }
}

/// Adds to an address in a pair from R16 on; the carry is lost.
pub fn moved(pair: u8, by: i32) -> Vec<Instruction> {
    match by {
        0 => Vec::new(),
        1..=63 if pair >= 24 => vec![Instruction::dk(Op::Adiw, pair, by)],
        -63..=-1 if pair >= 24 => vec![Instruction::dk(Op::Sbiw, pair, -by)],
        _ => shifted(pair, by).to_vec(),
    }
}

/// The same, by constants for each byte.
pub fn shifted(pair: u8, by: i32) -> [Instruction; 2] {
    let [low, high] = (-by as u16).to_le_bytes();
    [Instruction::dk(Op::Subi, pair, low.into()), Instruction::dk(Op::Sbci, pair + 1, high.into())]
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
