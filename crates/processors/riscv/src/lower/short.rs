//! Short forms, wherever the core's own rules say that they cost no cycle.

use crate::compressed::compress;
use crate::cores::Core;
use crate::instructions::{Extension, Instruction, Op};

/// The same instruction with its operands in another order, or another one that does the same.
fn alike(one: &Instruction) -> Option<Instruction> {
    let swapped = Instruction { rs1: one.rs2, rs2: one.rs1, ..*one };
    let copied = Instruction { op: Op::Add, rs1: 0, rs2: one.rs1, immediate: 0, ..*one };
    match one.op {
        Op::Or | Op::Xor | Op::Sub if one.rs2 == 0 => Some(copied),
        Op::Addi if one.immediate == 0 => Some(copied),
        Op::Add | Op::Or | Op::Xor | Op::And | Op::Beq | Op::Bne => Some(swapped),
        _ => None,
    }
}

/// An instruction of 16 bits that does the same.
pub(crate) fn short(one: &Instruction) -> Option<Instruction> {
    compress(one).or_else(|| compress(&alike(one)?))
}

/// Which instructions are short, so that the code is as small as it can be: of those with a short form as many as leave no long
/// one in a place where it takes longer.
fn lengths(core: &Core, short: &[Option<Instruction>], entered: &[bool]) -> Vec<bool> {
    let rules = &core.timing.rules;
    let aligned = rules.unaligned + rules.unaligned_next > 0;
    // the fewest bytes up to an instruction at a multiple of 4, and at another place
    let mut fewest = [Some(0), None];
    let mut steps = Vec::with_capacity(short.len());
    for (short, entered) in short.iter().zip(entered) {
        let refused = aligned || *entered && rules.unaligned_target > 0;
        // the place after it, and whether it is short
        let step = [0, 1].map(|after| {
            let long =
                fewest[after].filter(|_| after == 0 || !refused).map(|bytes: usize| (bytes + 4, false));
            let short = fewest[1 - after].filter(|_| short.is_some()).map(|bytes: usize| (bytes + 2, true));
            long.into_iter().chain(short).min()
        });
        fewest = step.map(|step| step.map(|(bytes, _)| bytes));
        steps.push(step);
    }
    let mut after = usize::from(fewest[1].is_some_and(|odd| fewest[0].is_none_or(|even| odd < even)));
    let mut chosen: Vec<bool> = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        let is_short = step[after].is_some_and(|(_, is_short)| is_short);
        after ^= usize::from(is_short);
        chosen.push(is_short);
    }
    chosen.reverse();
    chosen
}

/// Code that enters at its first instruction, at a multiple of 4, with as many short forms as the core takes without loss.
/// Branches and jumps go to the same instructions.
pub fn shortened(core: &Core, code: &[Instruction]) -> Vec<Instruction> {
    let placed = |code: &[Instruction]| -> Vec<u32> {
        let mut next = 0;
        let place = |one: &Instruction| {
            next += one.bytes();
            next - one.bytes()
        };
        code.iter().map(place).collect()
    };
    let at = placed(code);
    let goals: Vec<Option<usize>> = code
        .iter()
        .zip(&at)
        .map(|(one, at_own)| one.target(*at_own).and_then(|goal| at.binary_search(&goal).ok()))
        .collect();
    let leaves = code.iter().zip(&goals).any(|(one, goal)| one.target(0).is_some() && goal.is_none());
    if !core.has(Extension::C) || leaves {
        return code.to_vec();
    }
    let linked = |code: Vec<Instruction>| -> Vec<Instruction> {
        let at = placed(&code);
        let distance = |own: usize| goals[own].map(|goal| at[goal] as i32 - at[own] as i32);
        let whole = |(own, one): (usize, Instruction)| match distance(own) {
            Some(immediate) => Instruction { immediate, ..one },
            None => one,
        };
        code.into_iter().enumerate().map(whole).collect()
    };
    // what is near enough in long forms is so in short ones
    let long = linked(code.iter().map(|one| Instruction { short: None, ..*one }).collect());
    let short: Vec<Option<Instruction>> = long.iter().map(short).collect();
    let mut entered = vec![false; code.len()];
    goals.iter().flatten().for_each(|goal| entered[*goal] = true);
    for (entered, before) in entered.iter_mut().skip(1).zip(code) {
        *entered |= matches!(before.op, Op::Jal | Op::Jalr) && before.rd != 0;
    }
    let chosen = lengths(core, &short, &entered);
    let made = long.iter().zip(short).zip(chosen);
    linked(made.map(|((long, short), is_short)| short.filter(|_| is_short).unwrap_or(*long)).collect())
}
