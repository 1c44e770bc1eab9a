//! A kernel as machine code, with what its contract states.

use rhomb_avr::conventions::{AVR_GCC, Convention};
use rhomb_avr::cores::Core;
use rhomb_avr::encode::encode;
use rhomb_avr::instructions::{Instruction, Op};
use rhomb_avr::lower::Kernel;
use rhomb_avr::{Program, ProgramError};
use std::sync::Arc;

/// A multiplication or squaring routine, decoded from bytes.
#[derive(Clone, Debug)]
pub(crate) struct Routine {
    pub(crate) program: Arc<Program>,
    pub(crate) convention: &'static Convention,
    /// Words of either operand.
    pub(crate) words: usize,
    /// Number of operands; a single one is squared.
    pub(crate) operands: usize,
    /// Bytes of stack below the return address.
    pub(crate) stack_bytes: u32,
    /// Cycles of a call, the return included.
    pub(crate) cycles: u64,
    /// At least the number of instructions executed.
    pub(crate) length: u64,
}

/// Opcode words of a list of instructions.
pub(crate) fn words(instructions: &[Instruction]) -> Vec<u16> {
    let mut words = Vec::with_capacity(instructions.len());
    for instruction in instructions {
        let (first, second) = encode(instruction).unwrap_or_else(|error| panic!("{instruction:?}: {error}"));
        words.push(first);
        words.extend(second);
    }
    words
}

/// Instructions of a program, decoded from its first word on.
pub(crate) fn decoded(program: &Program) -> Vec<Instruction> {
    let mut instructions = Vec::with_capacity(program.words().len());
    let mut address = program.origin();
    while address < program.origin() + program.words().len() as u32 {
        let (instruction, length) = program.instruction(address).expect("checked by Program::strict");
        instructions.push(instruction);
        address += length as u32;
    }
    instructions
}

/// Cycles of a straight line.
pub(crate) fn static_cycles(core: &Core, instructions: &[Instruction]) -> u64 {
    let cycles = |instruction: &Instruction| core.cycles(instruction.op).expect("it was decoded").plain;
    instructions.iter().map(|instruction| u64::from(cycles(instruction))).sum()
}

/// Instructions of the body: after the saves, before zero-register restore, restores and return.
pub(crate) fn body(instructions: &[Instruction]) -> &[Instruction] {
    let saves = instructions.iter().take_while(|instruction| instruction.op == Op::Push).count();
    let Some((Instruction { op: Op::Ret, .. }, rest)) = instructions.split_last() else {
        panic!("no return at the end")
    };
    let restores = rest.iter().rev().take_while(|instruction| instruction.op == Op::Pop).count();
    let body = &rest[saves..rest.len() - restores];
    assert_eq!(saves, restores);
    assert!(body.iter().all(|instruction| !matches!(instruction.op, Op::Push | Op::Pop | Op::Ret)));
    match body.split_last() {
        Some((last, body)) if *last == Instruction::dr(Op::Eor, 1, 1) => body,
        _ => panic!("the zero register is not restored at the end"),
    }
}

impl Routine {
    /// The kernel, by way of its bytes. Beyond 64 Ki words of program where the core reaches so far.
    pub(crate) fn by(
        convention: &'static Convention,
        core: &'static Core,
        words: usize,
        kernel: &Kernel,
    ) -> Self {
        let routine = Routine::raw(core, words, &kernel.program, kernel.saves.len() as u32);
        let routine = routine.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(decoded(&routine.program), kernel.program);
        let cycles = kernel.cycles.expect("counted");
        // with loops, an instruction takes a cycle or more
        let length = if cycles == routine.cycles { routine.length } else { cycles };
        Routine { convention, cycles, length, ..routine }
    }

    /// Any instructions, said to be a routine with that much stack.
    pub(crate) fn raw(
        core: &'static Core,
        operand_words: usize,
        instructions: &[Instruction],
        stack_bytes: u32,
    ) -> Result<Self, ProgramError> {
        let origin = if core.return_bytes == 3 { 0x1_0000 } else { 0x40 };
        let program = Program::strict(core, origin, &words(instructions))?;
        Ok(Routine {
            cycles: static_cycles(core, instructions),
            length: instructions.len() as u64,
            program: Arc::new(program),
            convention: &AVR_GCC,
            words: operand_words,
            operands: 2,
            stack_bytes,
        })
    }

    /// Compares it with its line of the ledger.
    pub(crate) fn note(&self, name: &str) {
        let code: Vec<u8> = self.program.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        crate::LEDGER.check(name, self.cycles, &code);
    }

    pub(crate) fn core(&self) -> &'static Core {
        self.program.core()
    }
}
