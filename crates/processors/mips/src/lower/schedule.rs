//! List scheduling: instructions of a straight line in an order in which they wait less.

use crate::cores::{Time, Unit};
use crate::instructions::{GUARD, HI, Instruction, Kind, LO, Op, Register};
use crate::model::Model;
use crate::pipeline::Pipeline;
use rhomb_machine::{Step, Timing};

/// An instruction as the pipeline sees it.
struct Node {
    reads: u64,
    writes: u64,
    unit: Unit,
    time: Time,
}

/// A line on its way through the pipeline.
struct InPipeline {
    nodes: Vec<Node>,
    pipeline: Pipeline,
}

impl Timing for InPipeline {
    fn earliest(&self, number: usize) -> u64 {
        self.pipeline.earliest(self.nodes[number].reads, self.nodes[number].unit)
    }

    fn issue(&mut self, number: usize) {
        let Node { reads, writes, time, .. } = self.nodes[number];
        self.pipeline.issue(reads, writes, time);
    }

    fn latency(&self, number: usize, reader: usize) -> u64 {
        // of the accumulator perhaps another part
        let reads = self.nodes[reader].reads & self.nodes[number].writes != 0;
        if reads { self.nodes[number].time.latency.into() } else { 1 }
    }

    fn length(&self, number: usize) -> u64 {
        self.nodes[number].time.issue.into()
    }
}

/// A load or store.
#[derive(Clone, Copy)]
struct Access {
    /// Whether it is of a whole word, which is aligned.
    word: bool,
    base: Register,
    /// How often the base register was written before.
    version: u32,
    offset: i32,
}

/// The same instructions in an order in which the core's pipeline waits less, by [`rhomb_machine::schedule()`]. Loads and
/// stores keep their order, unless one and the same base register with different offsets shows that they touch different
/// words, or `apart` says of their two base registers that they point into memory that does not overlap.
///
/// `None` where an instruction is a branch, one that has no time, or one that may end in an exception: these stay
/// where they are, and so the line ends there.
pub fn schedule(
    model: &Model,
    line: &[Instruction],
    apart: impl Fn(Register, Register) -> bool,
) -> Option<Vec<Instruction>> {
    let mut versions = [0; 32];
    let (mut nodes, mut steps, mut accesses) = (Vec::new(), Vec::new(), Vec::new());
    for one in line {
        let row = model.row(one)?;
        let kind = row.kind;
        if matches!(kind, Kind::Branch | Kind::System | Kind::Divide | Kind::DivideUnsigned) || may_trap(one)
        {
            return None;
        }
        let (reads, writes) = (one.reads(row), one.writes(row));
        let stores = match kind {
            Kind::Load => Some(false),
            Kind::Store => Some(true),
            _ => None,
        };
        let version = versions[usize::from(one.rs & 31)];
        let word = matches!(one.op, Op::Lw | Op::Sw);
        accesses.push(Access { word, base: one.rs, version, offset: one.immediate });
        for (number, version) in versions.iter_mut().enumerate() {
            *version += (writes >> number & 1) as u32;
        }
        steps.push(Step { reads: places(reads), writes: places(writes), stores });
        let time = model.times(one)?.most;
        nodes.push(Node { reads, writes, unit: time.unit, time });
    }
    let apart = |one: usize, other: usize| {
        let (one, other) = (accesses[one], accesses[other]);
        let differ = one.word && other.word && one.offset != other.offset;
        one.base == other.base && one.version == other.version && differ || apart(one.base, other.base)
    };
    let mut timing = InPipeline { nodes, pipeline: Pipeline::default() };
    let order = rhomb_machine::schedule(&steps, &mut timing, apart);
    Some(order.into_iter().map(|number| line[number]).collect())
}

/// Registers, and the accumulator as a whole: its parts are moved together, and what is not the same in two orders
/// must not be mixed up.
fn places(set: u64) -> u64 {
    set & u64::from(u32::MAX) | u64::from(set & (LO | HI | GUARD) != 0) << 32
}

fn may_trap(one: &Instruction) -> bool {
    let traps = [Op::Tge, Op::Tgeu, Op::Tlt, Op::Tltu, Op::Teq, Op::Tne, Op::Tgei, Op::Tgeiu, Op::Tlti];
    let more = [Op::Tltiu, Op::Teqi, Op::Tnei, Op::Add, Op::Addi, Op::Sub];
    traps.contains(&one.op) || more.contains(&one.op)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::core;
    use crate::syntax::parse;

    fn order(text: &str) -> Option<Vec<Instruction>> {
        let model = Model::of(core("mips32-ise").unwrap());
        schedule(&model, &parse(&model, 0, text).unwrap().instructions, |x, y| x != y && [x, y].contains(&7))
    }

    fn same(from: &str, to: &str) {
        let model = Model::of(core("mips32-ise").unwrap());
        assert_eq!(order(from).unwrap(), parse(&model, 0, to).unwrap().instructions);
    }

    #[test]
    fn waiting_is_filled() {
        same(
            "lw $8, 0($4)\n addiu $8, $8, 1\n addiu $9, $9, 1",
            "lw $8, 0($4)\n addiu $9, $9, 1\n addiu $8, $8, 1",
        );
        // the longer chain first
        same(
            "addiu $9, $9, 1\n lw $8, 0($4)\n addiu $8, $8, 1",
            "lw $8, 0($4)\n addiu $9, $9, 1\n addiu $8, $8, 1",
        );
    }

    #[test]
    fn what_depends_stays_in_order() {
        let kept = [
            "sw $8, 0($4)\n lw $9, 0($5)\n addiu $9, $9, 1",
            "sh $8, 0($4)\n lhu $9, 2($4)\n addiu $9, $9, 1",
            "sw $8, 0($4)\n addiu $4, $4, 4\n lw $9, 0($4)",
            "multu $8, $9\n mflo $10\n sha\n maddu $8, $9",
            "lw $8, 0($4)\n addiu $4, $4, 4\n sw $8, 0($4)",
        ];
        for text in kept {
            same(text, text);
        }
        same(
            "sw $8, 0($4)\n lw $9, 4($4)\n addiu $9, $9, 1",
            "lw $9, 4($4)\n sw $8, 0($4)\n addiu $9, $9, 1",
        );
        // what the caller knows to be apart
        same(
            "sw $8, 0($7)\n lw $9, 0($5)\n addiu $9, $9, 1",
            "lw $9, 0($5)\n sw $8, 0($7)\n addiu $9, $9, 1",
        );
        assert!(order("jr $31\n nop").is_none() && order("teq $0, $4").is_none());
    }
}
