//! Numbers that stand as words behind the code which reads them (DDI 0403E, A7.7.44: LDR of a literal).

use super::code;
use crate::instructions::{
    Action, Address, Indexing, Instruction, LR, Offset, PC, Register, SP, Shifter, Size,
};
use crate::later::Later;

/// The offset of a load of a literal.
pub(super) fn offset(one: &Instruction) -> Option<u16> {
    match one.action {
        Action::Transfer {
            load: true,
            size: Size::Word,
            address:
                Address { rn: PC, up: true, offset: Offset::Immediate(offset), indexing: Indexing::Offset },
            ..
        } => Some(offset),
        _ => None,
    }
}

/// The same load with another offset.
pub(super) fn load(one: &Instruction, offset: u16) -> Instruction {
    match one.action {
        Action::Transfer { load, size, rd, address } => {
            let address = Address { offset: Offset::Immediate(offset), ..address };
            Instruction { action: Action::Transfer { load, size, rd, address }, ..*one }
        }
        _ => *one,
    }
}

/// Numbers of a routine, each of which is read where its load names its place among them.
#[derive(Clone, Debug, Default)]
pub(super) struct Literals(Vec<u32>);

impl Literals {
    /// The load of one more.
    pub(super) fn read(&mut self, to: Register, number: u32) -> Instruction {
        let place = self.0.iter().position(|own| *own == number).unwrap_or(self.0.len());
        if place == self.0.len() {
            self.0.push(number);
        }
        code::ldr(to, PC, place as i32)
    }

    /// The code with them behind it; in short codes, whose loads reach less far, others stand behind a branch among it. Nothing where they
    /// may be out of reach.
    pub(super) fn within(&self, code: Vec<Instruction>, short: bool) -> Option<Vec<Instruction>> {
        let reads = code.iter().any(|one| offset(one).is_some());
        if reads && !short && code.len() + self.0.len() > MOST {
            return None;
        }
        let mut whole: Vec<Instruction> = Vec::with_capacity(code.len() + self.0.len());
        let mut waiting = Waiting::default();
        let end = code.len();
        for (number, one) in code.into_iter().enumerate() {
            if short && number + 1 < end && !waiting.reach() {
                let over = 4 * (1 + waiting.places.len() as i32);
                whole.push(Action::Branch { link: false, distance: over }.into());
                waiting.end(&mut whole, &self.0);
            }
            if let Some(place) = offset(&one) {
                waiting.push(whole.len(), place.into());
            }
            waiting.bytes += 2;
            whole.push(one);
        }
        waiting.end(&mut whole, &self.0);
        Some(whole)
    }
}

/// Loads whose literals are still to come.
#[derive(Debug, Default)]
struct Waiting {
    /// Which of the numbers, each once.
    places: Vec<usize>,
    /// Of each load its instruction's number, the bytes before it, and which of these it is.
    loads: Vec<(usize, usize, usize)>,
    /// Bytes of short codes so far.
    bytes: usize,
}

impl Waiting {
    fn push(&mut self, load: usize, place: usize) {
        let known = self.places.iter().position(|own| *own == place);
        let own = known.unwrap_or(self.places.len());
        if known.is_none() {
            self.places.push(place);
        }
        self.loads.push((load, self.bytes, own));
    }

    /// Whether all reach theirs still behind one more instruction, with such a load, and a branch.
    fn reach(&self) -> bool {
        let begin = self.bytes + 2 + 2 + ALIGNED;
        self.loads.iter().all(|(_, at, own)| begin + 4 * own <= at + SHORT_REACH)
    }

    fn end(&mut self, code: &mut Vec<Instruction>, numbers: &[u32]) {
        let begin = code.len();
        for (number, _, own) in self.loads.drain(..) {
            code[number] = load(&code[number], 4 * (begin + own - number) as u16);
        }
        code.extend(self.places.drain(..).map(|place| Instruction::from(Action::Literal(numbers[place]))));
        // those before count for none behind
        self.bytes = 0;
    }
}

/// So many instructions and numbers at most, for loads to reach them.
const MOST: usize = 1000;
/// Bytes from a short code's load that its offset reaches surely, the base being a multiple of four (DDI 0419E, A6.7.27).
const SHORT_REACH: usize = 1020;
/// What literals are moved at most to stand at such a multiple.
const ALIGNED: usize = 2;

/// Whether an instruction reads or writes a register.
pub(super) fn touches(one: &Instruction, own: Register) -> bool {
    (one.registers_read() | one.registers_written()) >> own & 1 == 1
}

/// Whether nothing reads a register before it is written.
pub(super) fn is_over(own: Register, behind: &[Instruction]) -> bool {
    let next = behind.iter().find(|one| touches(one, own));
    next.is_none_or(|one| one.registers_read() >> own & 1 == 0)
}

/// A straight line with loads of literals one after the other as far as registers are free: as they overlap then, or nothing waits for
/// them, on some cores. With the registers that it has, with others, and with LR too; nothing where there are no literals.
pub(super) fn gathered(line: &[Instruction], literals: &Literals) -> Vec<Vec<Instruction>> {
    if literals.0.is_empty() {
        return Vec::new();
    }
    let own = code::written(line) & !(1 << SP | 1 << PC);
    let all = (1 << SP) - 1;
    [own, all, all | 1 << LR].map(|spare| together(line.to_vec(), spare)).into()
}

/// The line with loads of literals as early as the one before them, in registers that are free so long.
fn together(mut line: Vec<Instruction>, spare: u16) -> Vec<Instruction> {
    let load = |line: &[Instruction], from: usize| {
        line.iter().skip(from).position(|one| offset(one).is_some()).map(|by| from + by)
    };
    let mut at = 0;
    while let Some(first) = load(&line, at) {
        let mut end = first + 1;
        at = end;
        while let Some(next) = load(&line, at) {
            let Some(own) = earlier(&mut line, end, next, spare) else { break };
            line.remove(next);
            line.insert(end, own);
            (at, end) = (next + 1, end + 1);
        }
    }
    line
}

/// The load at `from` as it can stand at `to`, before it; what reads it reads another register then, if need be.
fn earlier(line: &mut [Instruction], to: usize, from: usize, spare: u16) -> Option<Instruction> {
    let one = line[from];
    let Action::Transfer { load, size, rd, address } = one.action else { return None };
    let free = |own: Register, line: &[Instruction]| !line.iter().any(|one| touches(one, own));
    if free(rd, &line[to..from]) {
        return Some(one);
    }
    let reader = line.iter().skip(from + 1).position(|one| touches(one, rd))? + from + 1;
    let (reading, behind) = line.split_at(reader + 1);
    let is_last = reading[reader].registers_written() >> rd & 1 == 1 || is_over(rd, behind);
    let other = (0..=LR)
        .filter(|own| is_last && spare >> own & 1 == 1)
        .find(|own| free(*own, &reading[to..]) && is_over(*own, behind))?;
    line[reader] = reading_from(&line[reader], rd, other)?;
    Some(Instruction { action: Action::Transfer { load, size, rd: other, address }, ..one })
}

/// The same instruction where it reads another register, if it is one that numbers are read by.
fn reading_from(one: &Instruction, old: Register, new: Register) -> Option<Instruction> {
    let other = |own: Register| if own == old { new } else { own };
    let action = match one.action {
        Action::Data { op, set, rd, rn, operand } => {
            let Shifter::Register { rm, kind, amount } = operand else { return None };
            let rn = if op.has_first() { other(rn) } else { rn };
            Action::Data { op, set, rd, rn, operand: Shifter::Register { rm: other(rm), kind, amount } }
        }
        Action::Later(Later::MultiplySubtract { rd, rn, rm, ra }) => {
            Action::Later(Later::MultiplySubtract { rd, rn: other(rn), rm: other(rm), ra: other(ra) })
        }
        _ => return None,
    };
    Some(Instruction { action, ..*one })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::core;
    use crate::instructions::DataOp;
    use crate::lower::place::{counted, placed};
    use crate::{encode, thumb};

    fn product(to: Register, number: Register) -> Instruction {
        Action::Later(Later::MultiplySubtract { rd: to, rn: 2, rm: number, ra: to }).into()
    }

    /// Loads of the numbers 0, 1, ... to a register each, and what stands behind each.
    fn line(each: &[(Register, &[Instruction])]) -> (Literals, Vec<Instruction>) {
        let mut literals = Literals::default();
        let mut line = Vec::new();
        for (number, (to, behind)) in (0..).zip(each) {
            line.push(literals.read(*to, number));
            line.extend(*behind);
        }
        (literals, line)
    }

    #[test]
    fn loads_come_together_in_free_registers() {
        let (literals, mut own) =
            line(&[(3, &[product(4, 3)]), (3, &[product(5, 3)]), (3, &[product(6, 3)])]);
        let sums = code::block(false, 7, false, crate::instructions::BlockMode::Ia, 0x70);
        own.push(sums);
        let [with, others, _] = gathered(&own, &literals).try_into().unwrap();
        assert_eq!(with, own);
        // of the registers that nobody names R0 and R1
        let mut loads = Literals::default();
        let loads: Vec<Instruction> = (0..).zip([3, 0, 1]).map(|(own, to)| loads.read(to, own)).collect();
        assert_eq!(others, [loads, vec![product(4, 3), product(5, 0), product(6, 1), sums]].concat());
        assert!(gathered(&[product(4, 3)], &Literals::default()).is_empty());
    }

    #[test]
    fn registers_that_are_read_stay() {
        let read = |own| code::mov(8, Shifter::plain(own));
        // R3 is read twice, R0 and R1 behind everything
        let twice = [product(5, 3), product(6, 3)];
        let (_, own) = line(&[(3, &[product(4, 3)]), (3, &twice)]);
        assert_eq!(together(own.clone(), 0b1011), own);
        let (_, mut own) = line(&[(3, &[product(4, 3)]), (3, &[product(5, 3)])]);
        own.extend([read(0), read(1)]);
        assert_eq!(together(own.clone(), 0b1011), own);
        // what reads it is none that can read another
        let (_, own) = line(&[(3, &[product(4, 3)]), (3, &[code::str(3, 7, 0)])]);
        assert_eq!(together(own.clone(), 0b1011), own);
        // its own register is free before it: nothing is renamed
        let (_, own) = line(&[(3, &[product(4, 3)]), (5, &[product(4, 5), product(6, 5)])]);
        assert_eq!(together(own.clone(), 0), [own[0], own[2], own[1], own[3], own[4]]);
    }

    /// What each load of a literal loads, by the addresses, of code at an address that is a multiple of four.
    fn loaded(name: &str, code: &[Instruction]) -> Vec<(u32, u32)> {
        let core = core(name).unwrap();
        let halves = |one: &Instruction| match core.thumb {
            Some(level) => thumb::encode(level, one).unwrap().to_vec(),
            None => crate::halves(&[encode::encode(one).unwrap()]),
        };
        let all: Vec<u16> = code.iter().flat_map(halves).collect();
        let (mut at, mut loads) = (0, Vec::new());
        for one in code {
            if let Some(bytes) = offset(one) {
                let base = if core.thumb.is_some() { (at & !3) + 4 } else { at + 8 };
                let place = (base + usize::from(bytes)) / 2;
                assert_eq!(place % 2, 0);
                loads.push((u32::from(all[place + 1]) << 16 | u32::from(all[place]), at as u32));
            }
            at += 2 * halves(one).len();
        }
        loads
    }

    #[test]
    fn literals_are_in_reach_wherever_they_stand() {
        let set = |to| code::data(DataOp::Mov, true, to, 0, Shifter::constant(7));
        for (name, short, most) in
            [("cortex-m0plus", true, 700), ("cortex-m4", false, 200), ("arm7tdmi", false, 200)]
        {
            let core = core(name).unwrap();
            for count in (1..most).step_by(13) {
                for between in [1, 2, 5] {
                    let mut literals = Literals::default();
                    // some numbers are read again, near and far
                    let number = |own: u32| 0x0010_0304 * (if own.is_multiple_of(7) { own / 9 } else { own });
                    let mut own = Vec::new();
                    for one in 0..count {
                        own.push(literals.read(3, number(one)));
                        own.extend(vec![set(4); between]);
                    }
                    own.push(code::return_to_caller());
                    let Some(whole) = literals.within(own, short) else {
                        assert!(!short && count as usize * (between + 2) > MOST / 2);
                        continue;
                    };
                    let code = placed(core, &whole).unwrap();
                    let wanted: Vec<u32> = (0..count).map(number).collect();
                    let found: Vec<u32> = loaded(name, &code).iter().map(|(number, _)| *number).collect();
                    assert_eq!(found, wanted, "{name}: {count} numbers, {between} between");
                    // as a routine of a program it is placed once more
                    assert_eq!(counted(core, &code).unwrap(), whole);
                    let nop = set(5);
                    let moved = [&[nop][..], &whole].concat();
                    let moved = placed(core, &moved).unwrap();
                    let found: Vec<u32> = loaded(name, &moved).iter().map(|(number, _)| *number).collect();
                    assert_eq!(found, wanted);
                }
            }
        }
    }
}
