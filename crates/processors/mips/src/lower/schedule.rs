//! List scheduling: instructions of a straight line in an order in which they wait less.

use crate::cores::Unit;
use crate::instructions::{GUARD, HI, Instruction, Kind, LO, Op, Register};
use crate::model::Model;
use crate::pipeline::Pipeline;

/// An instruction among those that it waits for, and that wait for it.
struct Node {
    reads: u64,
    writes: u64,
    /// Instructions that must stand before it and do not stand yet.
    open: usize,
    /// Those that must stand after it, by number.
    followers: Vec<usize>,
    /// Cycles from its issue to the end, if nothing but what depends on it is waited for.
    height: u64,
}

/// The same instructions in an order in which the core's pipeline waits less: always the one that can be issued
/// first, among those the one on whose result most time depends, among those the first. Registers stay as they are,
/// so that a register that is used again soon leaves little to choose. Loads and stores keep their order, unless one
/// and the same base register with different offsets shows that they touch different words, or `apart` says of their
/// two base registers that they point into memory that does not overlap.
///
/// `None` where an instruction is a branch, one that has no time, or one that may end in an exception: these stay
/// where they are, and so the line ends there.
pub fn schedule(
    model: &Model,
    line: &[Instruction],
    apart: impl Fn(Register, Register) -> bool,
) -> Option<Vec<Instruction>> {
    let mut nodes = nodes(model, line, &apart)?;
    let mut pipeline = Pipeline::default();
    let mut ready: Vec<usize> = (0..line.len()).filter(|number| nodes[*number].open == 0).collect();
    let mut order = Vec::with_capacity(line.len());
    while !ready.is_empty() {
        let key = |number: usize| {
            let node = &nodes[number];
            let unit = unit(model, &line[number]);
            (pipeline.earliest(node.reads, unit), u64::MAX - node.height, number)
        };
        let (place, next) = ready.iter().copied().enumerate().min_by_key(|(_, number)| key(*number))?;
        ready.swap_remove(place);
        let time = model.times(&line[next])?.most;
        pipeline.issue(nodes[next].reads, nodes[next].writes, time);
        order.push(line[next]);
        for follower in std::mem::take(&mut nodes[next].followers) {
            nodes[follower].open -= 1;
            if nodes[follower].open == 0 {
                ready.push(follower);
            }
        }
    }
    Some(order)
}

fn unit(model: &Model, one: &Instruction) -> Unit {
    model.times(one).map_or(Unit::Integer, |times| times.most.unit)
}

/// Whether two base registers point into memory that does not overlap.
type Apart<'a> = &'a dyn Fn(Register, Register) -> bool;

fn nodes(model: &Model, line: &[Instruction], apart: Apart<'_>) -> Option<Vec<Node>> {
    let mut nodes: Vec<Node> = Vec::with_capacity(line.len());
    for one in line {
        let row = model.row(one)?;
        let kind = row.kind;
        if matches!(kind, Kind::Branch | Kind::System | Kind::Divide | Kind::DivideUnsigned) || may_trap(one)
        {
            return None;
        }
        let (reads, writes) = (one.reads(row), one.writes(row));
        nodes.push(Node { reads, writes, open: 0, followers: Vec::new(), height: 0 });
    }
    let mut edges = Edges {
        writers: [None; 33],
        versions: [0; 33],
        readers: std::array::from_fn(|_| Vec::new()),
        accesses: Vec::new(),
    };
    for number in 0..line.len() {
        let before = edges.before(number, &nodes[number]);
        let touched = edges.touched(model, number, &line[number], apart);
        let mut all: Vec<usize> = before.into_iter().chain(touched).collect();
        all.sort_unstable();
        all.dedup();
        nodes[number].open = all.len();
        for earlier in all {
            nodes[earlier].followers.push(number);
        }
        edges.note(number, &nodes[number]);
    }
    for number in (0..line.len()).rev() {
        let time = model.times(&line[number])?.most;
        let waits = |follower: &usize| {
            let reads = nodes[*follower].reads & nodes[number].writes != 0;
            let own = if reads { u64::from(time.latency) } else { 1 };
            own + nodes[*follower].height
        };
        let after = nodes[number].followers.iter().map(waits).max();
        nodes[number].height = after.unwrap_or(u64::from(time.issue));
    }
    Some(nodes)
}

/// Registers, and the accumulator as a whole: its parts are moved together, and what is not the same in two orders
/// must not be mixed up.
fn places(set: u64) -> impl Iterator<Item = usize> {
    let accumulator = set & (LO | HI | GUARD) != 0;
    (0..33).filter(move |place| if *place == 32 { accumulator } else { set >> place & 1 == 1 })
}

/// What the instructions so far leave to wait for.
struct Edges {
    /// By place: who wrote it last, how often it was written, and who has read it since.
    writers: [Option<usize>; 33],
    versions: [u32; 33],
    readers: [Vec<usize>; 33],
    accesses: Vec<Access>,
}

/// A load or store.
struct Access {
    number: usize,
    stores: bool,
    /// Whether it is of a whole word, which is aligned.
    word: bool,
    base: Register,
    /// How often the base register was written before.
    version: u32,
    offset: i32,
}

impl Edges {
    /// Instructions that must stand before one because of registers.
    fn before(&self, number: usize, node: &Node) -> Vec<usize> {
        let read = places(node.reads).filter_map(|place| self.writers[place]);
        let written = places(node.writes)
            .flat_map(|place| self.writers[place].into_iter().chain(self.readers[place].iter().copied()));
        read.chain(written).filter(|earlier| *earlier != number).collect()
    }

    /// Instructions that must stand before one because of memory.
    fn touched(&mut self, model: &Model, number: usize, one: &Instruction, apart: Apart<'_>) -> Vec<usize> {
        let stores = match model.row(one).map(|row| row.kind) {
            Some(Kind::Load) => false,
            Some(Kind::Store) => true,
            _ => return Vec::new(),
        };
        let word = matches!(one.op, Op::Lw | Op::Sw);
        let (base, offset) = (one.rs, one.immediate);
        let version = self.versions[usize::from(base & 31)];
        let may_touch = |other: &&Access| {
            let differ = other.word && word && other.offset != offset;
            let elsewhere = other.base == base && other.version == version && differ;
            (other.stores || stores) && !elsewhere && !apart(other.base, base)
        };
        let touched = self.accesses.iter().filter(may_touch).map(|other| other.number).collect();
        self.accesses.push(Access { number, stores, word, base, version, offset });
        touched
    }

    fn note(&mut self, number: usize, node: &Node) {
        for place in places(node.reads) {
            self.readers[place].push(number);
        }
        for place in places(node.writes) {
            self.writers[place] = Some(number);
            self.versions[place] += 1;
            self.readers[place].clear();
        }
    }
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
