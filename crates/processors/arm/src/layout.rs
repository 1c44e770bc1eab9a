//! Where the saves of a routine end and its restores begin.
//!
//! The frame is what keeps the caller's registers: STMFD (or STR with write-back) of preserved registers and LR at
//! the entry, their LDMFD (or LDR) before the return, and the return. Where a block transfer of the frame moves other
//! registers too, such as arguments that wait on the stack, what they take belongs to the body.

use crate::extension::FIRST;
use crate::instructions::{
    Action, Address, BlockMode, Condition, Indexing, Instruction, LR, Offset, PC, SP, Size,
};
use crate::program::{Program, register_name};
use rhomb_machine::{Code, framed};
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
        // data behind it is none of it
        let data = code.iter().rev().take_while(|one| matches!(one.action, Action::Literal(_))).count();
        let code = &code[..code.len() - data];
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

/// Cycles of the frame of a function that was executed. `visits` says for each word of the program how often the
/// instruction there was executed, skipped ones left out; the frame's are taken away from it. `entry` and `last` are byte
/// addresses of the first and the last instruction.
pub(crate) fn take_frame(
    program: &Program,
    visits: &mut [u64],
    (entry, last): (u32, u32),
    preserved: u16,
) -> u64 {
    let kept = preserved | 1 << LR;
    let count = |visits: &[u64], address: u32| program.index(address).and_then(|at| visits.get(at).copied());
    let executed = |address: u32| {
        count(visits, address)
            .filter(|count| *count > 0)
            .and_then(|_| program.instruction(address).ok())
            .map(|found| found.instruction)
    };
    let returns = program.instruction(last).ok().map(|found| found.instruction).filter(is_return);
    // with the registers whose transfer is the frame's
    let saves = |address| save(&executed(address)?, kept);
    let restores = |address| restore(&executed(address)?, preserved);
    let mut frame = match program.core().thumb {
        None => framed((entry, returns.as_ref().map(|_| last)), 4, saves, restores),
        Some(_) => {
            let at =
                |address: u32, bytes: u8| program.instruction(address).is_ok_and(|one| one.bytes == bytes);
            let after = std::iter::successors(Some(entry), |address| {
                Some(address + u32::from(program.instruction(*address).ok()?.bytes))
            });
            // of two readings backwards, that of a long instruction, which begins with other bits
            let before = std::iter::successors(returns.as_ref().map(|_| last), |address| {
                let long = at(address.wrapping_sub(4), 4);
                Some(address.wrapping_sub(if long { 4 } else { 2 }))
            });
            let mut frame: Vec<(u32, u16)> =
                after.map_while(|address| Some((address, saves(address)?))).collect();
            frame.extend(before.skip(1).map_while(|address| Some((address, restores(address)?))));
            frame
        }
    };
    frame.extend(returns.map(|one| {
        let popped = pushed(&Instruction { condition: Condition::Al, ..one }, true);
        (last, popped.map_or(0, |registers| registers & (kept | 1 << PC)))
    }));
    let mut cycles = 0;
    for (address, registers) in frame {
        let (Ok(found), Some(index)) = (program.instruction(address), program.index(address)) else {
            continue;
        };
        let one = found.instruction;
        let count = &mut visits[index];
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
        cycles += times * program.core().cycles(&own).map_or(0, |cycles| cycles.least.into());
    }
    cycles
}

/// `r4-r11 lr s16-s31`; a range stands for three registers or more.
pub fn register_list(set: u64) -> String {
    // ranges only among the numbered registers
    let core = rhomb_machine::register_list(set as u32 & 0xffff, 13, |number| {
        register_name(number as u8).to_owned()
    });
    match (set >> FIRST) as u32 {
        0 => core,
        extension => core + " " + &rhomb_machine::register_list(extension, 32, |number| format!("s{number}")),
    }
}
