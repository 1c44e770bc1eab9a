//! Straight lines of words on AVR: which registers, and which instruction for which operation. All else is shared.

use super::pointers::{self, Assignment, X, Y, Z};
use super::split::{INNER, stack};
use super::translate::Item;
use super::{Kernel, LowerError, frame, static_cycles, times};
use crate::assembler::Assembler;
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Instruction, Op};
use rhomb_line::{Address, Array, Line, Logic, Op as LineOp, without_products};
use rhomb_lower::{Access, File, Operand, Placed, Register, Set, Stuck, allocate, compact, usual, variants};

/// Registers that take numbers: R16 to R31.
pub(super) const UPPER: Set = 0xffff_0000;

pub(super) fn none(_: u64) -> bool {
    false
}

/// How the registers are shared out.
struct Layout {
    /// Low registers of the pointers to the result, A and B.
    pointers: Vec<u8>,
    zero: Register,
    file: File,
}

impl Layout {
    /// All registers but those of the pointers; such as need no saving first, `saved` of the others at most.
    fn new(pointers: &[u8], products: bool, saved: usize, convention: &Convention) -> Layout {
        let taken = pointers.iter().fold(0, |set: Set, low| set | 3 << low) | convention.untouched;
        let zero = if products { 2 } else { convention.zero.unwrap_or(1) };
        let mut order: Vec<Register> = (0..32).filter(|own| taken >> own & 1 == 0).collect();
        let cheap = |register: &Register| convention.saved >> register & 1 == 0;
        order.sort_by_key(|register| (!cheap(register), std::cmp::Reverse(*register)));
        let kept = order.iter().filter(|own| cheap(own)).count() + saved;
        order.truncate(kept);
        // with products, R0 and R1 take them, and the zero is the first of the others
        let zero = if products { order.iter().copied().find(|own| *own > 1).unwrap_or(zero) } else { zero };
        order.retain(|own| *own != zero);
        let file = File {
            order,
            later: Vec::new(),
            product: products.then_some([0, 1]),
            two_address: true,
            numbers: UPPER,
            immediate: none,
            copies_pairs: true,
            zero: Some(zero),
            stores: 1,
            rank: usual,
        };
        Layout { pointers: pointers.to_vec(), zero, file }
    }
}

/// The instructions of an operation. `scratch` is where the words of the routine's own begin, in the place of B or behind
/// those of A.
pub(super) fn select(placed: &Placed, zero: Register, scratch: (Array, usize), items: &mut Vec<Item>) {
    let two = |op, d, r| Item::Code(Instruction::dr(op, d, r));
    let one = |op, d| Item::Code(Instruction::dk(op, d, 0));
    let access = |address: Address, register, store| {
        let (array, start) = match address.array {
            Array::Scratch => scratch,
            own => (own, 0),
        };
        Item::Access(Access { array, index: start + address.index, register, store })
    };
    let register = |operand| match operand {
        Operand::Register(own) => own,
        Operand::Number(_) => zero,
    };
    let item = match *placed {
        Placed::Load { to, from } => access(from, to, false),
        Placed::Store { from, to } => access(to, from, true),
        Placed::Number { to, number: 0 } => two(Op::Eor, to, to),
        Placed::Number { to, number } => Item::Code(Instruction::dk(Op::Ldi, to, number as i32)),
        Placed::Multiply { x, y, .. } | Placed::Low { x, y, .. } => two(Op::Mul, x, y),
        Placed::Add { to, y, carry_in: true, .. } => two(Op::Adc, to, register(y)),
        Placed::Add { to, y, .. } => two(Op::Add, to, register(y)),
        Placed::Subtract { to, y, carry_in: true, .. } => two(Op::Sbc, to, register(y)),
        Placed::Subtract { to, y, .. } => two(Op::Sub, to, register(y)),
        Placed::Spread { to, .. } => two(Op::Sbc, to, to),
        Placed::Sign { to, .. } => {
            items.push(two(Op::Add, to, to));
            two(Op::Sbc, to, to)
        }
        Placed::Not { to, .. } => one(Op::Com, to),
        Placed::Mask { to, bits, .. } => Item::Code(Instruction::dk(Op::Andi, to, bits as i32)),
        Placed::Negate { to, .. } => one(Op::Neg, to),
        Placed::Logic { to, logic, y, .. } => {
            let op = match logic {
                Logic::And => Op::And,
                Logic::Or => Op::Or,
                Logic::Xor => Op::Eor,
            };
            two(op, to, y)
        }
        Placed::Halve { to, carry_in: true, .. } => one(Op::Ror, to),
        Placed::Halve { to, .. } => one(Op::Lsr, to),
        Placed::ShiftUp { to, places, .. } => return shift(two(Op::Add, to, to), to, places, 0xf0, items),
        Placed::ShiftDown { to, places, .. } => return shift(one(Op::Lsr, to), to, 8 - places, 0x0f, items),
        Placed::Copy { to, from } => two(Op::Mov, to, from),
        Placed::CopyPair { to, from } => two(Op::Movw, to, from),
        Placed::ZeroPair { to } => two(Op::Movw, to, zero & !1),
    };
    items.push(item);
}

/// A shift by so many bits, of which an instruction does one. Where numbers can be put, halves change places, and one of them
/// stays.
fn shift(by_one: Item, register: Register, places: u32, half: i32, items: &mut Vec<Item>) {
    let mut left = places;
    if places >= 4 && UPPER >> register & 1 == 1 {
        items.push(Item::Code(Instruction::dk(Op::Swap, register, 0)));
        items.push(Item::Code(Instruction::dk(Op::Andi, register, half)));
        left -= 4;
    }
    (0..left).for_each(|_| items.push(by_one));
}

/// What a line needs: the words of the longest array, and those of A, behind which its own stand.
struct Shape {
    length: usize,
    scratch: (Array, usize),
}

impl Shape {
    /// With a product that is made on the stack, the words of the routine's own are behind it.
    fn of(line: &Line, with_product: bool) -> Shape {
        let [a, b, r] = [Array::A, Array::B, Array::Result].map(|array| line.words(array));
        let scratch = if with_product { (Array::A, a) } else { (Array::B, 0) };
        let length = (a + line.scratch()).max(b).max(r);
        Shape { length, scratch }
    }
}

/// The body of a line.
struct Body {
    code: Vec<Instruction>,
    /// Words of the routine's own.
    own: usize,
}

/// The body of a line with these pointers; `None` where a pointer would have to move while a carry waits.
fn body(line: &Line, shape: &Shape, layout: &Layout) -> Result<Option<Body>, Stuck> {
    let mut placed = allocate(line, &layout.file)?;
    let own = compact(&mut placed);
    let (array, start) = shape.scratch;
    if own > 0 && array as usize >= layout.pointers.len() {
        return Ok(None);
    }
    let length = shape.length.max(start + own);
    let mut items = Vec::with_capacity(placed.len());
    placed.iter().for_each(|one| select(one, layout.zero, shape.scratch, &mut items));
    let own_or_last = |index| layout.pointers.get(index).or(layout.pointers.last()).copied().unwrap_or(Z);
    let assignment = Assignment::early(std::array::from_fn(own_or_last), layout.pointers.len());
    let assignment = assignment.again(&items, length);
    Ok(assignment.map(|assignment| Body { code: pointers::apply(&items, &assignment), own }))
}

/// Whether an instruction reads a register before any writes it.
fn reads_first(code: &[Instruction], register: Register) -> bool {
    let touches = |one: &&Instruction| (one.registers_read() | one.registers_written()) >> register & 1 == 1;
    code.iter().find(touches).is_some_and(|one| one.registers_read() >> register & 1 == 1)
}

/// All ways to share out registers and columns; the fastest body that `finish` makes a routine of.
fn fastest(
    line: &Line,
    pointers: &[&[u8]],
    with_product: bool,
    core: &Core,
    convention: &Convention,
    finish: impl Fn(&[u8], Body) -> Kernel,
) -> Result<Kernel, LowerError> {
    let times = times(core);
    let mut best: Option<(u64, Kernel)> = None;
    let mut stuck = true;
    let flash = core.flash_bytes as usize / 2;
    let too_long = LowerError::Unmade { what: "a line longer than the flash" };
    let plain = if core.has(Op::Mul) { Some(line.clone()) } else { without_products(line, 8) };
    let plain = plain.ok_or(LowerError::NoMultiplier { core: core.name })?;
    if plain.ops.len() > flash {
        return Err(too_long);
    }
    let mut is_long = false;
    for line in variants(&plain, 8) {
        let shape = Shape::of(&line, with_product);
        let products = line.ops.iter().any(|op| matches!(op, LineOp::Multiply { .. } | LineOp::Low { .. }));
        let touches = |pointers: &&&[u8]| pointers.iter().any(|low| convention.untouched >> low & 1 == 1);
        for pointers in pointers.iter().filter(|pointers| !touches(pointers)) {
            let mut registers = 0;
            for saved in [0, 1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 18] {
                let layout = Layout::new(pointers, products, saved, convention);
                if layout.file.order.len() == registers {
                    break;
                }
                registers = layout.file.order.len();
                let Ok(made) = body(&line, &shape, &layout) else { continue };
                stuck = false;
                let Some(mut made) = made else { continue };
                let is_zero = !products && convention.zero == Some(layout.zero);
                if !is_zero && reads_first(&made.code, layout.zero) {
                    made.code.insert(0, Instruction::dr(Op::Eor, layout.zero, layout.zero));
                }
                let kernel = finish(pointers, made);
                let words = |one: &Instruction| one.op.row().words();
                if kernel.program.iter().map(words).sum::<usize>() > flash {
                    is_long = true;
                    continue;
                }
                let cycles = static_cycles(&kernel.program, &times);
                if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
                    best = Some((cycles, Kernel { cycles: Some(cycles), ..kernel }));
                }
            }
        }
    }
    let none = || match stuck {
        true => LowerError::Registers { needed: 27, available: 26 },
        false if is_long => too_long,
        false => LowerError::Pointers,
    };
    best.map(|(_, kernel)| kernel).ok_or_else(none)
}

/// The routine of a line on two or three arrays.
pub fn line(line: &Line, core: &Core, convention: &Convention) -> Result<Kernel, LowerError> {
    let has_b = line.words(Array::B) > 0;
    let has_own = line.scratch() > 0;
    let may_have_own = line.homes.values().any(|home| home.array == Array::Scratch);
    let all: &[&[u8]] = match (has_b, has_own || may_have_own) {
        (true, false) => &[&[X, Z, Y], &[Z, X, Y], &[Z, Y, X]],
        (false, false) => &[&[X, Z], &[Z, X], &[Y, Z], &[Z, Y]],
        // Y points to the words of its own
        (false, true) if has_own => &[&[X, Z, Y], &[Z, X, Y]],
        (false, true) => &[&[X, Z], &[Z, X], &[Y, Z], &[Z, Y], &[X, Z, Y], &[Z, X, Y]],
        (true, true) => {
            return Err(LowerError::Unmade { what: "a line on three arrays and words of its own" });
        }
    };
    if convention.untouched & 3 << Y != 0 && all.iter().all(|pointers| pointers.contains(&Y)) {
        return Err(LowerError::Unmade { what: "a line that needs Y, by this convention" });
    }
    let arrays = if has_b { 3 } else { 2 };
    fastest(line, all, false, core, convention, |pointers, made| {
        let own = made.own as i32;
        let low = |array: usize| pointers.get(array).or(pointers.last()).copied().unwrap_or(Z);
        let moves = Assignment::early(std::array::from_fn(low), arrays).moves(convention);
        let mut whole = Assembler::default();
        moves.into_iter().for_each(|(to, from)| whole.movw(to, from));
        if own > 0 {
            stack::reserve(&mut whole, own);
            whole.advance(Y, 1);
        }
        made.code.into_iter().for_each(|instruction| whole.emit(instruction));
        if own > 0 {
            stack::close_bytes(&mut whole, own);
        }
        frame::enclose(whole, 0, convention)
    })
}

/// The routine of a product of two operands, or of the square of one, that is made on the stack, of which the line is the
/// reduction. `product` makes it by a convention; it may be a multiplication of an operand by itself.
pub fn after_product(
    line: &Line,
    (product, of_one): (impl Fn(&Convention) -> Result<Kernel, LowerError>, bool),
    core: &Core,
    convention: &Convention,
) -> Result<Kernel, LowerError> {
    if convention.untouched & 3 << Y != 0 || convention.arguments != INNER.arguments {
        return Err(LowerError::Unmade {
            what: "products on the stack, which need Y for it, by this convention",
        });
    }
    let product = product(&INNER)?;
    let length = Shape::of(line, true).length;
    let length_with = |own: usize| length.max(line.words(Array::A) + own) as i32;
    i32::try_from(length + line.scratch_with_homes()).map_err(|_| LowerError::Loops)?;
    fastest(line, &[&[X, Z], &[Z, X], &[Y, Z], &[Z, Y]], true, core, &INNER, |pointers, made| {
        let mut asm = Assembler::default();
        let bytes = length_with(made.own);
        let [result, a] = [pointers[0], pointers[1]];
        stack::reserve(&mut asm, bytes);
        [INNER.arguments[0], INNER.arguments[0] + 1].into_iter().for_each(|half| asm.push(half));
        asm.movw(INNER.arguments[0], Y);
        asm.advance(INNER.arguments[0], 1);
        if of_one {
            asm.movw(INNER.arguments[2], INNER.arguments[1]);
        }
        let routine = asm.label();
        asm.rcall(routine);
        // two bytes of the pointer are below the product
        stack::find(&mut asm);
        if a != Y {
            asm.movw(a, Y);
        }
        asm.advance(a, 3);
        [result + 1, result].into_iter().for_each(|half| asm.pop(half));
        made.code.into_iter().for_each(|instruction| asm.emit(instruction));
        stack::close_bytes(&mut asm, bytes);
        let waiting = asm.begin_aside(routine);
        product.program.iter().for_each(|instruction| asm.emit(*instruction));
        asm.end_aside(waiting);
        frame::enclose(asm, 0, convention)
    })
}
