//! Straight lines, instruction by instruction.

use crate::generate::{Generator, POOL, biased};
use crate::valuation::{Observation, Valuation};
use crate::{Tally, each_seed, text};
use rhomb_avr::instructions::{Instruction, Op, flag};
use rhomb_avr::{Machine, Program, cores::core};
use rhomb_equations::{Equations, Flag, Value};
use rhomb_machine::{Access, Concrete, Domain, Memory, Processor};
use rhomb_oracles::Random;
use rhomb_poly::{Polynomial, Variable};
use std::rc::Rc;
use std::sync::Arc;

/// Where the programs have memory of their own, at addresses that are theirs to choose.
const CELLS: std::ops::Range<u32> = 0x200..0x208;
const RUNS: usize = 12;

/// What a machine starts with: registers, memory, flags.
#[derive(Clone, Debug)]
enum Start {
    Known(u8),
    /// Input number so.
    Input(usize),
}

struct Line {
    code: Vec<Instruction>,
    registers: Vec<Start>,
    cells: Vec<Start>,
    flags: Vec<Start>,
    inputs: usize,
}

fn program(seed: u64) -> Line {
    let mut generator = Generator { random: Random::new(seed), also_read: Vec::new() };
    let mut code = Vec::new();
    let mut depth = 0;
    for _ in 0..6 + generator.random.below(30) {
        let one = generator.data();
        let cell = CELLS.start as i32 + generator.random.below(8) as i32;
        code.push(match generator.random.below(24) {
            0 => Instruction::dk(Op::Lds, one.d, cell),
            1 => Instruction::rk(Op::Sts, one.d, cell),
            2 => {
                depth += 1;
                Instruction::rk(Op::Push, one.d, 0)
            }
            3 if depth > 0 => {
                depth -= 1;
                Instruction::dk(Op::Pop, one.d, 0)
            }
            _ => one,
        });
    }
    let random = &mut generator.random;
    let mut inputs = 0;
    let mut starts = |count: usize, constants: [u8; 2]| -> Vec<Start> {
        (0..count)
            .map(|_| match random.below(8) {
                0 => Start::Known(*random.pick(&constants)),
                // the same value in two places
                1 if inputs > 0 => Start::Input(random.below(inputs as u64) as usize),
                _ => {
                    inputs += 1;
                    Start::Input(inputs - 1)
                }
            })
            .collect()
    };
    let registers = starts(32, [0, 0xff]);
    let cells = starts(CELLS.len(), [0, 1]);
    // flags have inputs of their own
    let mut flags: Vec<Start> = (0..7).map(|_| Start::Known(random.below(2) as u8)).collect();
    for one in &mut flags {
        if random.below(4) > 0 {
            *one = Start::Input(inputs);
            inputs += 1;
        }
    }
    Line { code, registers, cells, flags, inputs }
}

/// A machine with that start; words and bits of the inputs.
fn machine<D: Domain>(
    domain: D,
    program: &Line,
    word: impl Fn(&mut D, &Start) -> D::Word,
    bit: impl Fn(&mut D, &Start) -> D::Bit,
) -> Machine<D> {
    let core = core("atmega128").unwrap();
    let assembled = Arc::new(Program::assemble(core, 0, &program.code).unwrap());
    let mut machine = Machine::new(assembled, domain);
    let filler = machine.domain.word(0);
    machine.memory = Memory::new(core.sram.clone(), filler);
    machine.memory.own("cells", CELLS, Access::Store).unwrap();
    for (register, start) in (0..).zip(&program.registers) {
        let value = word(&mut machine.domain, start);
        machine.set_register(register, value);
    }
    for (address, start) in CELLS.zip(&program.cells) {
        let value = word(&mut machine.domain, start);
        machine.memory.fill(address, &[value]).unwrap();
    }
    for (number, start) in program.flags.iter().enumerate() {
        let value = bit(&mut machine.domain, start);
        machine.set_flag(number, value);
    }
    let off = machine.domain.bit(false);
    machine.set_flag(flag::I, off);
    let top = u32::from(machine.sp());
    machine.own_stack(top - 64..top + 1).unwrap();
    machine
}

/// The registers that an instruction wrote; after the last one all.
fn watched(program: &Line, at: usize) -> Vec<u8> {
    let written = program.code[at].registers_written();
    let all = at + 1 == program.code.len();
    POOL.into_iter().filter(|register| all || written >> register & 1 == 1).collect()
}

fn flags_watched(program: &Line, at: usize, often: bool) -> std::ops::Range<usize> {
    if often || at + 1 == program.code.len() { flag::C..flag::I } else { 0..0 }
}

/// The graph, its inputs, and what is seen on the way.
fn symbolic(program: &Line, often: bool) -> (Equations, Vec<Variable>, Vec<Observation>) {
    let mut domain = Equations::new(8);
    let bits = program.flags.iter().filter(|start| matches!(start, Start::Input(_))).count();
    let variables: Vec<Variable> = (0..program.inputs)
        .map(|input| domain.graph.variable(if input + bits < program.inputs { 255 } else { 1 }))
        .collect();
    let word = |domain: &mut Equations, start: &Start| match start {
        Start::Known(value) => domain.word((*value).into()),
        Start::Input(input) => Value::Variable(variables[*input]),
    };
    let bit = |domain: &mut Equations, start: &Start| match start {
        Start::Known(value) => domain.bit(*value != 0),
        Start::Input(input) => Flag::Polynomial(Rc::new(Polynomial::variable(variables[*input]))),
    };
    let mut machine = machine(domain, program, word, bit);
    let mut observations = Vec::new();
    for at in 0..program.code.len() {
        machine.step().unwrap_or_else(|fault| panic!("{at}: {fault}\n{}", text(&program.code)));
        for register in watched(program, at) {
            let polynomial = machine.domain.polynomial(machine.register(register)).unwrap();
            let what = format!("r{register} after {at}");
            observations.push(Observation { what, polynomial: (*polynomial).clone() });
        }
        for number in flags_watched(program, at, often) {
            let flag = machine.flag(number).clone();
            let polynomial = machine.domain.bit_polynomial(&flag);
            let what = format!("flag {number} after {at}");
            observations.push(Observation { what, polynomial: (*polynomial).clone() });
        }
    }
    for address in CELLS {
        let polynomial = machine.domain.polynomial(machine.memory.peek(address).unwrap()).unwrap();
        let what = format!("cell {address:#x}");
        observations.push(Observation { what, polynomial: (*polynomial).clone() });
    }
    (rhomb_machine::Machine::into_state(machine).domain, variables, observations)
}

fn concrete(program: &Line, often: bool, inputs: &[u8]) -> Vec<i64> {
    let value = |start: &Start| match start {
        Start::Known(value) => *value,
        Start::Input(input) => inputs[*input],
    };
    let mut machine =
        machine(Concrete::<u8>::new(), program, |_, start| value(start), |_, start| value(start) != 0);
    let mut seen = Vec::new();
    for at in 0..program.code.len() {
        machine.step().unwrap();
        seen.extend(watched(program, at).into_iter().map(|register| i64::from(*machine.register(register))));
        seen.extend(flags_watched(program, at, often).map(|number| i64::from(*machine.flag(number))));
    }
    seen.extend(CELLS.map(|address| i64::from(*machine.memory.peek(address).unwrap())));
    seen
}

fn check(seed: u64) -> Tally {
    let program = program(seed);
    // looking at a flag makes variables: half of the programs are left alone until their end
    let often = seed.is_multiple_of(2);
    let (domain, variables, observations) = symbolic(&program, often);
    let mut random = Random::new(!seed);
    let mut tally = Tally { programs: 1, ..Tally::default() };
    for _ in 0..RUNS {
        let bits = |variable: &Variable, byte: u8| if variable.is_bit() { byte & 1 } else { byte };
        let inputs: Vec<u8> = variables.iter().map(|own| bits(own, biased(&mut random))).collect();
        let seen = concrete(&program, often, &inputs);
        assert_eq!(seen.len(), observations.len());
        let given: Vec<(Variable, i64)> =
            variables.iter().copied().zip(inputs.iter().map(|byte| i64::from(*byte))).collect();
        let mut valuation = Valuation::new(&domain.graph, &given);
        let outcome =
            valuation.settle(&observations, &seen).and_then(|()| valuation.compare(&observations, &seen));
        match outcome {
            Ok(determined) => tally.determined += determined,
            Err(error) => panic!(
                "seed {seed}: {error}\ninputs {inputs:02x?} registers {:?} flags {:?}\n{}",
                program.registers,
                program.flags,
                text(&program.code)
            ),
        }
        tally.observed += seen.len();
    }
    tally
}

#[test]
fn straight_lines_compute_what_their_equations_say() {
    let tally = each_seed(2000, check);
    println!("{tally:?}");
    assert!(10 * tally.determined > 8 * tally.observed, "{tally:?}");
}
