//! Where the saves of a routine end and its restores begin.
//!
//! The frame is what keeps the caller's registers: STMFD (or STR with write-back) of preserved registers and LR at
//! the entry, their LDMFD (or LDR) before the return, and the return. Where a block transfer of the frame moves other
//! registers too, such as arguments that wait on the stack, what they take belongs to the body.

use crate::instructions::{
    Action, Address, BlockMode, Condition, Indexing, Instruction, LR, Offset, PC, SP, Size,
};
use crate::program::Program;
use crate::uses::Class;
use rhomb_machine::Mix;
use std::ops::Range;

/// A routine's parts, as indices into its instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Everything but the leading saves, and the trailing restores and return.
    pub body: Range<usize>,
    /// Registers that are saved at the start, LR among them (bit n is Rn).
    pub saved: u16,
    /// Whether every instruction is executed once, in order: no branch, no condition.
    pub straight: bool,
}

impl Layout {
    /// The parts of a routine whose instructions stand one after the other; `preserved` are the registers that
    /// the convention wants preserved.
    pub fn of(code: &[Instruction], preserved: u16) -> Layout {
        let kept = preserved | 1 << LR;
        let leading = code.iter().map_while(|one| save(one, kept));
        let saved = leading.clone().fold(0, |set, registers| set | registers);
        let start = leading.count();
        let mut end = code.len();
        if end > start && is_return(&code[end - 1]) {
            end -= 1;
            while end > start && restore(&code[end - 1], preserved).is_some() {
                end -= 1;
            }
        }
        let last = code.len().saturating_sub(1);
        let straight = code.iter().enumerate().all(|(at, one)| {
            one.condition == Condition::Al && (at == last || one.registers_written() >> PC & 1 == 0)
        });
        Layout { body: start..end, saved: saved & kept, straight }
    }
}

/// Registers among `kept` that a single instruction pushes; `None` where it saves none.
fn save(one: &Instruction, kept: u16) -> Option<u16> {
    pushed(one, false).map(|registers| registers & kept).filter(|registers| *registers != 0)
}

/// Registers among `kept` that a single instruction pops, the program counter left out; `None` where there is none.
fn restore(one: &Instruction, kept: u16) -> Option<u16> {
    let popped = pushed(one, true)?;
    (popped & (kept | 1 << LR) != 0 && popped >> PC & 1 == 0).then_some(popped & (kept | 1 << LR))
}

/// The registers of STMFD sp!, LDMFD sp!, STR ., [sp, #-4]!, LDR ., [sp], #4, always executed.
fn pushed(one: &Instruction, loaded: bool) -> Option<u16> {
    if one.condition != Condition::Al {
        return None;
    }
    let wanted = if loaded { BlockMode::Ia } else { BlockMode::Db };
    let single = Address {
        rn: SP,
        up: loaded,
        offset: Offset::Immediate(4),
        indexing: if loaded { Indexing::After } else { Indexing::Before },
    };
    match one.action {
        Action::Block { load, rn: SP, write_back: true, mode, registers, user: false } => {
            (load == loaded && mode == wanted).then_some(registers)
        }
        Action::Transfer { load, size: Size::Word, rd, address } => {
            (load == loaded && address == single).then_some(1 << rd)
        }
        _ => None,
    }
}

/// BX LR, MOV PC, LR, or PC from the stack.
fn is_return(one: &Instruction) -> bool {
    use crate::instructions::{DataOp, Shifter};
    match one.action {
        Action::BranchExchange { rm: LR } => true,
        Action::Data { op: DataOp::Mov, set: false, rd: PC, operand, .. } => operand == Shifter::plain(LR),
        _ => {
            let always = Instruction { condition: Condition::Al, ..*one };
            pushed(&always, true).is_some_and(|registers| registers >> PC & 1 == 1)
        }
    }
}

/// Cycles of the frame and instructions of the body of a function that was executed. `visits` says for each word
/// of the program how often the instruction there was executed (skipped ones left out), `entry` and `last` are byte
/// addresses of the first and the last one.
pub(crate) fn body(
    program: &Program,
    visits: &mut [u64],
    entry: u32,
    last: u32,
    preserved: u16,
) -> (u64, Mix) {
    let executed =
        |visits: &[u64], address: u32| visits.get(program.index(address)).is_some_and(|count| *count > 0);
    let kept = preserved | 1 << LR;
    // address, and the registers whose transfer is the frame's
    let mut frame: Vec<(u32, u16)> = Vec::new();
    let instruction = |address: u32| program.instruction(address).ok();
    let saves = |address: &u32| {
        let registers = executed(visits, *address).then(|| instruction(*address)).flatten();
        registers.and_then(|one| save(&one, kept)).map(|registers| (*address, registers))
    };
    frame.extend((entry..).step_by(4).map_while(|address| saves(&address)));
    if let Some(one) = instruction(last).filter(is_return) {
        let popped = pushed(&Instruction { condition: Condition::Al, ..one }, true);
        frame.push((last, popped.map_or(0, |registers| registers & (kept | 1 << PC))));
        let restores = |address: &u32| {
            let registers = executed(visits, *address).then(|| instruction(*address)).flatten();
            registers.and_then(|one| restore(&one, preserved)).map(|registers| (*address, registers))
        };
        let before = (1..).map(|number| last.wrapping_sub(4 * number));
        frame.extend(before.map_while(|address| restores(&address)));
    }
    let mut frame_cycles = 0;
    for (address, registers) in frame {
        let Some(one) = instruction(address) else { continue };
        let count = &mut visits[program.index(address)];
        // a return under a condition may have been passed before
        let times = if address == last { 1.min(*count) } else { *count };
        *count -= times;
        let own = match one.action {
            Action::Block { load, rn, write_back, mode, user, registers: _ } => {
                let action = Action::Block { load, rn, write_back, mode, registers, user };
                Instruction { action, ..one }
            }
            _ => one,
        };
        // saves and restores take the same time whenever they are executed
        frame_cycles += times * program.core().cycles(&own).map_or(0, |cycles| cycles.least.into());
    }
    let mut mix = Mix::default();
    for (number, count) in visits.iter().enumerate().filter(|(_, count)| **count > 0) {
        let Some(one) = instruction(program.origin() + 4 * number as u32) else { continue };
        match one.class() {
            Class::Load => mix.load += count,
            Class::Store => mix.store += count,
            Class::Multiply => mix.multiply += count,
            Class::Add => mix.add += count,
            Class::Other => mix.other += count,
        }
    }
    (frame_cycles, mix)
}

/// `r4-r11 lr`; a range stands for three registers or more.
pub fn register_list(set: u16) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut number = 0;
    let name = |number: u32| crate::machine::register_name(number as u8);
    while number < 16 {
        let run = (!(u32::from(set) >> number)).trailing_zeros();
        // ranges only among the numbered registers
        let run = if number < 13 { run.min(13 - number) } else { run.min(1) };
        match run {
            0 => {
                number += 1;
                continue;
            }
            1 | 2 => parts.extend((number..number + run).map(|one| name(one).to_owned())),
            _ => parts.push(format!("{}-{}", name(number), name(number + run - 1))),
        }
        number += run;
    }
    if parts.is_empty() { "none".to_owned() } else { parts.join(" ") }
}
