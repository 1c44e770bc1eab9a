//! Broken kernels.

use crate::matrix::kernels::Request;
use rhomb_avr::cores::core;
use rhomb_avr::instructions::{Instruction, Op, flag};
use rhomb_kernel::Parameters;

/// A kernel that is not right, or at least not what its contract says.
#[derive(Clone, Debug)]
pub(crate) struct Mutant {
    pub(crate) what: String,
    pub(crate) words: usize,
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) stack_bytes: u32,
}

const OPEN: Parameters = Parameters::OPEN;

/// Small kernels of all methods, not broken yet.
pub(crate) fn originals() -> Vec<Mutant> {
    let cached = Parameters { cache: Some(2), carry_once: Some(2), ..OPEN };
    let requests = [
        Request::new("operand-caching", 6, cached),
        Request::new("operand-caching", 7, Parameters { cache: Some(3), ..cached }),
        Request::new("operand-scanning", 5, cached),
        Request::new("product-scanning", 5, Parameters { cache: Some(2), ..OPEN }),
        Request::new("hybrid", 5, Parameters { rows: Some(3), ..OPEN }),
    ];
    let mutant = |request: Request| {
        let kernel = request.lower(core("atmega128").unwrap()).unwrap();
        Mutant {
            what: request.to_string(),
            words: request.words,
            stack_bytes: kernel.saves.len() as u32,
            instructions: kernel.program,
        }
    };
    requests.map(mutant).into()
}

impl Mutant {
    /// The same with other instructions.
    pub(crate) fn with(&self, what: &str, change: impl FnOnce(&mut Vec<Instruction>)) -> Mutant {
        let mut mutant = Mutant { what: format!("{}: {what}", self.what), ..self.clone() };
        change(&mut mutant.instructions);
        assert_ne!(mutant.instructions, self.instructions, "{} changed nothing", mutant.what);
        mutant
    }

    /// Index of the first instruction that answers.
    pub(crate) fn first(&self, which: impl Fn(&Instruction) -> bool) -> usize {
        self.instructions.iter().position(which).expect("every kernel has one")
    }

    /// Index of the last one.
    pub(crate) fn last(&self, which: impl Fn(&Instruction) -> bool) -> usize {
        self.instructions.iter().rposition(which).expect("every kernel has one")
    }

    /// Without each single instruction in turn.
    pub(crate) fn without_one(&self) -> impl Iterator<Item = Mutant> + '_ {
        (0..self.instructions.len()).map(|at| {
            self.with(&format!("without instruction {at}"), |code| {
                code.remove(at);
            })
        })
    }

    /// With each single addition in turn deaf to the carry. The other way round the kernel often stays
    /// right, because no carry can come.
    pub(crate) fn with_lost_carry(&self) -> impl Iterator<Item = Mutant> + '_ {
        (0..self.instructions.len())
            .filter(|at| self.instructions[*at].op == Op::Adc)
            .map(|at| self.with(&format!("carry lost at instruction {at}"), |code| code[at].op = Op::Add))
    }

    /// With each single displaced access in turn one byte too far.
    pub(crate) fn with_one_byte_further(&self) -> impl Iterator<Item = Mutant> + '_ {
        (0..self.instructions.len())
            .filter(|at| displaced(&self.instructions[*at]))
            .map(|at| self.with(&format!("one byte further at instruction {at}"), |code| code[at].k += 1))
    }

    /// With the halves of each single product in turn exchanged.
    pub(crate) fn with_other_half(&self) -> impl Iterator<Item = Mutant> + '_ {
        let takes = |at: &usize| {
            let instruction = self.instructions[*at];
            matches!(instruction.op, Op::Add | Op::Adc | Op::Mov) && instruction.r <= 1
        };
        (0..self.instructions.len())
            .filter(takes)
            .map(|at| self.with(&format!("other half at instruction {at}"), |code| code[at].r ^= 1))
    }
}

/// Whether an access goes through Y or Z with a displacement.
pub(crate) fn displaced(instruction: &Instruction) -> bool {
    matches!(instruction.op, Op::LddY | Op::LddZ | Op::StdY | Op::StdZ)
}

/// Whether an instruction stores anything but a saved register.
pub(crate) fn stores(instruction: &Instruction) -> bool {
    instruction.op.row().mnemonic.starts_with("st")
}

/// Whether an instruction adds the high half of a product, with a carry that often comes.
pub(crate) fn adds_high_half(instruction: &Instruction) -> bool {
    instruction.op == Op::Adc && instruction.r == 1
}

/// Where the pointers are set up and stand at the start of their arrays.
pub(crate) fn after_set_up(mutant: &Mutant) -> usize {
    let moves = |instruction: &Instruction| instruction.op == Op::Movw && instruction.d >= 26;
    let first = mutant.first(moves);
    first + mutant.instructions[first..].iter().take_while(|instruction| moves(instruction)).count()
}

/// The kernel's last store, then one of the byte after it.
pub(crate) fn store_past_the_end(kernel: &Mutant, code: &mut Vec<Instruction>) {
    let at = kernel.last(stores);
    let mut further = code[at];
    match further.op {
        Op::StXInc | Op::StYInc | Op::StZInc => {}
        Op::StX => code[at].op = Op::StXInc,
        _ => {
            assert!(displaced(&further));
            further.k += 1;
        }
    }
    code.insert(at + 1, further);
}

/// What to do with memory through a pointer that stands at the start of its array.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Through {
    /// Store to the first byte.
    Store,
    /// Load the first byte.
    Load,
    /// Load the byte before it.
    LoadBefore,
}

/// An access through the pointer that arrives in `argument`.
pub(crate) fn access(kernel: &Mutant, argument: u8, what: Through) -> Instruction {
    let set_up = kernel.first(|instruction| instruction.op == Op::Movw && instruction.r == argument);
    let index = match kernel.instructions[set_up].d {
        26 => 0,
        28 => 1,
        _ => 2,
    };
    match what {
        Through::Store => Instruction::rk([Op::StX, Op::StdY, Op::StdZ][index], argument, 0),
        Through::Load => Instruction::dk([Op::LdX, Op::LddY, Op::LddZ][index], 0, 0),
        Through::LoadBefore => Instruction::dk([Op::LdXDec, Op::LdYDec, Op::LdZDec][index], 0, 0),
    }
}

/// A branch on the carry to the next instruction: does nothing, but takes longer with carry.
pub(crate) fn slow_if_carry() -> Instruction {
    Instruction { b: flag::C as u8, ..Instruction::new(Op::Brbs) }
}
