//! Straight lines of words on ARM: which registers, and which instruction for which operation. All else is shared.

use super::code::{self, ZERO};
use super::literals::{Literals, gathered, is_over, touches};
use super::{Kernel, LowerError, frame};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Action, DataOp, Instruction, LR, Later, Register, SP, ShiftKind, Shifter};
use rhomb_line::{Address, Array, Line, Logic, Op};
use rhomb_lower::{File, Operand, Placed, Set, allocate, compact, usual, variants, with_masks};

/// Whether data processing has room for a number.
fn fits(number: u64) -> bool {
    u32::try_from(number).is_ok_and(|number| Shifter::number(number).is_some())
}

/// Where the arrays stand: registers that point to the result, A and B, and where in the stack a product and the words of
/// the routine's own do.
struct Places {
    pointers: [Register; 3],
    /// Bytes from the stack pointer, where A is a product that stands there.
    product: Option<i32>,
    scratch: i32,
}

impl Places {
    fn of(&self, Address { array, index }: Address) -> (Register, i32) {
        let distance = 4 * index as i32;
        match (array, self.product) {
            (Array::Scratch, _) => (SP, self.scratch + distance),
            (Array::A, Some(place)) => (SP, place + distance),
            (Array::Result, _) => (self.pointers[0], distance),
            (Array::A, None) => (self.pointers[1], distance),
            (Array::B, _) => (self.pointers[2], distance),
        }
    }
}

fn shifted(kind: ShiftKind, rm: Register, places: u32) -> Shifter {
    Shifter::Register { rm, kind, amount: places as u8 }
}

/// A number in as few instructions as it has runs of eight bits, or that of its complement; with instructions that are `wide`, in one for
/// each half at most.
pub(super) fn number(to: Register, number: u32, wide: bool, program: &mut Vec<Instruction>) {
    if wide && number <= 0xffff {
        return program.push(code::mov(to, Shifter::constant(number)));
    }
    let parts = |number: u32| code::parts(number).collect::<Vec<_>>();
    let (plain, complement) = (parts(number), parts(!number));
    if wide && plain.len().min(complement.len()) > 2 {
        let [low, top] = [number & 0xffff, number >> 16];
        program.push(code::mov(to, Shifter::constant(low)));
        return program.push(Action::Later(Later::MoveTop { rd: to, number: top as u16 }).into());
    }
    let (first, more, parts) = match complement.len() < plain.len() {
        true => (DataOp::Mvn, DataOp::Bic, complement),
        false => (DataOp::Mov, DataOp::Orr, plain),
    };
    program.push(code::data(first, false, to, 0, parts.first().copied().unwrap_or(ZERO)));
    program.extend(parts.iter().skip(1).map(|part| code::data(more, false, to, to, *part)));
}

/// The instructions of an operation.
fn select(placed: &Placed, places: &Places, wide: bool, program: &mut Vec<Instruction>) {
    let operand = |operand| match operand {
        Operand::Register(own) => Shifter::plain(own),
        Operand::Number(number) => Shifter::number(number as u32).unwrap_or(ZERO),
    };
    let one = match *placed {
        Placed::Load { to, from } => {
            let (base, distance) = places.of(from);
            code::ldr(to, base, distance)
        }
        Placed::Store { from, to } => {
            let (base, distance) = places.of(to);
            code::str(from, base, distance)
        }
        Placed::Number { to, number: own } => return number(to, own as u32, wide, program),
        Placed::Multiply { low, high, x, y } => code::umull(low, high, x, y),
        Placed::Low { to, x, y } => Action::Multiply { set: false, rd: to, rm: x, rs: y, rn: None }.into(),
        Placed::Add { to, x, y, carry_in, carry_out } => code::add(carry_in, carry_out, to, x, operand(y)),
        Placed::Subtract { to, x, y, carry_in, carry_out } => {
            code::sub(carry_in, carry_out, to, x, operand(y))
        }
        Placed::Spread { to, borrow } => {
            // the carry less one: what points to the result is a number like any other
            let any = places.pointers[0];
            program.push(code::sub(true, false, to, any, Shifter::plain(any)));
            if borrow {
                return;
            }
            code::data(DataOp::Mvn, false, to, 0, Shifter::plain(to))
        }
        Placed::Sign { to, x } => code::mov(to, shifted(ShiftKind::Asr, x, 31)),
        Placed::Not { to, x } => code::data(DataOp::Mvn, false, to, 0, Shifter::plain(x)),
        Placed::Mask { to, x, bits } => code::data(DataOp::And, false, to, x, operand(Operand::Number(bits))),
        Placed::Negate { to, x } => code::data(DataOp::Rsb, false, to, x, ZERO),
        Placed::Logic { to, logic, x, y } => {
            let op = match logic {
                Logic::And => DataOp::And,
                Logic::Or => DataOp::Orr,
                Logic::Xor => DataOp::Eor,
            };
            code::data(op, false, to, x, Shifter::plain(y))
        }
        Placed::Halve { to, x, carry_in, carry_out } => {
            let half = if carry_in { Shifter::Rrx { rm: x } } else { shifted(ShiftKind::Lsr, x, 1) };
            code::data(DataOp::Mov, carry_out, to, 0, half)
        }
        Placed::ShiftUp { to, x, places } => code::mov(to, shifted(ShiftKind::Lsl, x, places)),
        Placed::ShiftDown { to, x, places } => code::mov(to, shifted(ShiftKind::Lsr, x, 32 - places)),
        Placed::Copy { to, from } => code::mov(to, Shifter::plain(from)),
        Placed::CopyPair { to, from } => {
            program.push(code::mov(to, Shifter::plain(from)));
            code::mov(to + 1, Shifter::plain(from + 1))
        }
        Placed::ZeroPair { to } => {
            program.push(code::mov(to, ZERO));
            code::mov(to + 1, ZERO)
        }
    };
    program.push(one);
}

/// A shift whose result is read by the next instruction alone becomes part of it: data processing shifts its second operand.
/// What is read later is told by what is written and read behind.
pub(super) fn fuse(program: &mut Vec<Instruction>) {
    let mut at = 0;
    while at + 1 < program.len() {
        if let Some(one) = fused(program[at], program[at + 1], &program[at + 2..]) {
            program[at + 1] = one;
            program.remove(at);
        }
        at += 1;
    }
}

/// Sums with what masks keep of numbers become differences with their products, of code without branches.
fn multiply(program: &mut Vec<Instruction>) {
    let mut at = 0;
    while at < program.len() {
        match multiplied(&program[at..]) {
            Some((by, one)) => {
                program[at + by] = one;
                program.remove(at);
            }
            None => at += 1,
        }
    }
}

/// Whether all that is kept of numbers is kept by masks.
fn is_by_masks(line: &Line) -> bool {
    line.ops.iter().all(|op| match op {
        Op::Mask { x, .. } => line.masks.contains(x),
        Op::Logic { logic: Logic::And, x, y, .. } => line.masks.contains(x) || line.masks.contains(y),
        _ => true,
    })
}

/// What a mask keeps of a number is first read by a sum, so many instructions on, which becomes a difference with their product, as the
/// mask is -1 or 0: number and mask are still there. What is read later is told as in [`fuse`].
fn multiplied(program: &[Instruction]) -> Option<(usize, Instruction)> {
    let plain = |operand| match operand {
        Shifter::Register { rm, kind: ShiftKind::Lsl, amount: 0 } => Some(rm),
        _ => None,
    };
    let (kept, behind) = program.split_first()?;
    let Action::Data { op: DataOp::And, set: false, rd: own, rn, operand } = kept.action else { return None };
    let rm = plain(operand)?;
    let by = behind.iter().position(|one| touches(one, own))?;
    let factors = 1 << rn | 1 << rm;
    if behind[..by].iter().any(|one| one.registers_written() & factors != 0) {
        return None;
    }
    let (next, behind) = behind[by..].split_first()?;
    let Action::Data { op: DataOp::Add, set: false, rd, rn: sum, operand } = next.action else { return None };
    let ra = match (sum, plain(operand)?) {
        (sum, other) if other == own && sum != own => sum,
        (other, sum) if other == own && sum != own => sum,
        _ => return None,
    };
    let is_over = rd == own || is_over(own, behind);
    is_over.then(|| (by + 1, Action::Later(Later::MultiplySubtract { rd, rn, rm, ra }).into()))
}

fn fused(shift: Instruction, next: Instruction, behind: &[Instruction]) -> Option<Instruction> {
    let Action::Data { op: DataOp::Mov, set: false, rd: moved, operand: shifter, .. } = shift.action else {
        return None;
    };
    let Shifter::Register { kind: ShiftKind::Lsl | ShiftKind::Lsr | ShiftKind::Asr, amount: 1.., .. } =
        shifter
    else {
        return None;
    };
    let Action::Data { op, set, rd, rn, operand } = next.action else { return None };
    match op {
        DataOp::Add | DataOp::Adc => {}
        // else the shift would decide C
        DataOp::Eor | DataOp::Orr | DataOp::And if !set => {}
        _ => return None,
    }
    let Shifter::Register { rm, kind: ShiftKind::Lsl, amount: 0 } = operand else { return None };
    let other = if rm == moved && rn != moved {
        rn
    } else if rn == moved && rm != moved {
        rm
    } else {
        return None;
    };
    let is_over = rd == moved || is_over(moved, behind);
    is_over.then(|| code::data(op, set, rd, other, shifter))
}

/// So many registers besides the pointers, those that need no saving first.
fn file(line: &Line, places: &Places, count: usize, convention: &Convention) -> File {
    let arrays = [(places.pointers[1], Array::A), (places.pointers[2], Array::B)];
    let needed = |array: Array| array != Array::A || places.product.is_none();
    let later: Vec<(Register, Array)> =
        arrays.into_iter().filter(|(_, array)| needed(*array) && line.words(*array) > 0).collect();
    let held = later.iter().fold(1 << places.pointers[0], |set: Set, (own, _)| set | 1 << own);
    let mut order: Vec<Register> = (0..=LR).filter(|own| *own != SP && held >> own & 1 == 0).collect();
    order.sort_by_key(|own| convention.saved >> own & 1);
    order.truncate(count);
    File {
        order,
        later,
        product: None,
        two_address: false,
        numbers: Set::MAX,
        immediate: fits,
        copies_pairs: false,
        zero: None,
        stores: 1,
        rank: usual,
    }
}

/// The routine of a line, or of a product whose reduction the line is. `product` keeps the convention but for its saved
/// registers.
///
/// # Errors
/// Where registers are too few, or an instruction has no time.
pub fn line(
    line: &Line,
    product: Option<&Kernel>,
    core: &Core,
    convention: &Convention,
) -> Result<Kernel, LowerError> {
    let [r, a, b, _] = convention.arguments;
    let mut best: Option<((u64, Option<u64>), Kernel)> = None;
    let multiplies = core.thumb.is_some() && is_by_masks(line);
    let read = core.most(&Literals::default().read(0, 0));
    for line in variants(line, 32).iter().flat_map(|line| with_masks(line, fits)) {
        let words = if product.is_some() { line.words(Array::A) } else { 0 };
        let places = Places { pointers: [r, a, b], product: product.map(|_| 0), scratch: 4 * words as i32 };
        for count in 2..=13 {
            let file = file(&line, &places, count, convention);
            if file.order.len() < count {
                break;
            }
            let Ok(mut placed) = allocate(&line, &file) else { continue };
            let own = 4 * (words + compact(&mut placed)) as i32;
            let made = |mut literals: Option<&mut Literals>| {
                let mut body = Vec::with_capacity(placed.len() + 4);
                for one in &placed {
                    let start = body.len();
                    select(one, &places, core.thumb.is_some(), &mut body);
                    if let Placed::Number { to, number } = *one
                        && let Some(literals) = &mut literals
                        && read.is_some_and(|cycles| cycles <= (body.len() - start) as u64)
                    {
                        body.splice(start.., [literals.read(to, number as u32)]);
                    }
                }
                if multiplies {
                    multiply(&mut body);
                }
                fuse(&mut body);
                body
            };
            let mut literals = Literals::default();
            let with = made(Some(&mut literals));
            let bodies = [made(None)].into_iter().chain(gathered(&with, &literals));
            let whole = |body: Vec<Instruction>| match product {
                Some(product) => composed(product, body, own, r, convention),
                None => {
                    let mut whole = Vec::new();
                    code::advance(&mut whole, SP, -own);
                    whole.extend(body);
                    code::advance(&mut whole, SP, own);
                    frame::enclose(whole, convention.saved, own as u32)
                }
            };
            let ways = bodies.map(whole).filter_map(|kernel| {
                let program = literals.within(kernel.program, false)?;
                Some(Kernel { program, ..kernel })
            });
            for kernel in ways {
                let line = straight(&kernel.program);
                let Some(cycles) = super::cycles(&line, core) else { continue };
                // where loads may overlap, they do
                let value = (cycles, core.paired.and_then(|paired| super::cycles(&line, paired)));
                if best.as_ref().is_none_or(|(least, _)| value < *least) {
                    best = Some((value, Kernel { cycles: Some(cycles), ..kernel }));
                }
            }
        }
    }
    best.map(|(_, kernel)| kernel).ok_or(LowerError::Registers { needed: 14, available: 13 })
}

/// The program without its call, to be timed as a straight line: calls and returns take the same in all.
pub(super) fn straight(program: &[Instruction]) -> Vec<Instruction> {
    let is_flow =
        |one: &Instruction| matches!(one.action, Action::Branch { .. } | Action::BranchExchange { .. });
    program.iter().copied().filter(|one| !is_flow(one)).collect()
}

/// A product on the stack, which a routine behind makes, and its reduction.
fn composed(
    product: &Kernel,
    reduction: Vec<Instruction>,
    bytes: i32,
    r: Register,
    convention: &Convention,
) -> Kernel {
    let written = code::written(&product.program) | code::written(&reduction);
    let kept = written & convention.saved;
    let pushed = kept | 1 << r | code::LR_BIT;
    let mut program = vec![code::push(pushed)];
    code::advance(&mut program, SP, -bytes);
    program.push(code::mov(r, Shifter::plain(SP)));
    let call = program.len();
    program.push(Action::Branch { link: true, distance: 0 }.into());
    program.push(code::ldr(r, SP, bytes));
    program.extend(reduction);
    code::advance(&mut program, SP, bytes + 4);
    program.push(code::pop(kept | code::PC_BIT));
    let distance = 4 * (program.len() as i32 - call as i32);
    program[call] = Action::Branch { link: true, distance }.into();
    program.extend(&product.program);
    let saves: Vec<u8> = (0..=LR).filter(|own| pushed >> own & 1 == 1).collect();
    let stack_bytes = bytes as u32 + 4 * saves.len() as u32 + product.stack_bytes;
    Kernel { program, saves, cycles: None, schedule: None, accumulation: None, stack_bytes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conventions::AAPCS;
    use crate::cores::core;

    /// One of four numbers under words of which it is said that they are masks, or not.
    fn multiplies(name: &str, are_masks: bool) -> usize {
        let mut own = Line::default();
        let mut sum = None;
        for index in 0..4 {
            let mask = own.load(Address { array: Array::A, index });
            if are_masks {
                own.masks.insert(mask);
            }
            let kept = own.mask(mask, 0x1234_5678 + index as u64);
            sum = Some(sum.map_or(kept, |sum| own.add(sum, Some(kept), false, false)));
        }
        own.store(sum.unwrap(), Address { array: Array::Result, index: 0 });
        let kernel = line(&own, None, core(name).unwrap(), &AAPCS).unwrap();
        let is_one = |one: &&Instruction| matches!(one.action, Action::Later(Later::MultiplySubtract { .. }));
        kernel.program.iter().filter(is_one).count()
    }

    #[test]
    fn numbers_under_masks_are_multiplied() {
        assert_eq!(multiplies("cortex-m4", true), 3);
        assert_eq!(multiplies("cortex-m4", false), 0);
        assert_eq!(multiplies("arm9ej-s", true), 0);
    }

    /// Whatever stands between: but not where mask or number have changed, or the sum is not the first to read what is kept.
    #[test]
    fn a_number_under_a_mask_waits_for_its_sum() {
        let [mask, number, own, sum, other] = [2, 3, 4, 5, 6];
        let plain = Shifter::plain;
        let kept = code::data(DataOp::And, false, own, mask, plain(number));
        let added = code::data(DataOp::Add, false, sum, sum, plain(own));
        let set = |to| code::mov(to, ZERO);
        let product = Later::MultiplySubtract { rd: sum, rn: mask, rm: number, ra: sum };
        let product = Instruction::from(Action::Later(product));
        let made = |between: Instruction, behind: &[Instruction]| {
            let mut own = vec![kept, between, added];
            own.extend(behind);
            multiply(&mut own);
            own
        };
        assert_eq!(made(set(other), &[]), [set(other), product]);
        assert_eq!(made(set(other), &[set(own)]), [set(other), product, set(own)]);
        for changed in [mask, number] {
            assert_eq!(made(set(changed), &[]), [kept, set(changed), added]);
        }
        let read = code::mov(other, plain(own));
        assert_eq!(made(read, &[]), [kept, read, added]);
        assert_eq!(made(set(other), &[read]), [kept, set(other), added, read]);
    }
}
