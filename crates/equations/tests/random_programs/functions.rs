//! Whole functions, with branches on secrets.

use crate::generate::{Generator, INPUTS, SCRATCH, biased};
use crate::valuation::{Observation, Valuation};
use crate::{Tally, each_seed, text};
use rhomb_avr::instructions::{Instruction, Op};
use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core};
use rhomb_equations::{Equations, Value};
use rhomb_machine::{Access, Buffer, Concrete, Routine};
use rhomb_oracles::Random;
use rhomb_poly::{Polynomial, Variable};
use std::sync::Arc;

const RUNS: u32 = 12;

fn buffers<W: Clone>(inputs: Vec<W>, length: u32) -> [Buffer<W>; 2] {
    let result = Buffer { name: "r", length, content: None, access: Access::Store, shares: None };
    let operand = Buffer {
        name: "a",
        length: inputs.len() as u32,
        content: Some(inputs),
        access: Access::Load,
        shares: None,
    };
    [result, operand]
}

/// Something about a byte of the result; a byte of an address depends on where things lie.
enum Byte {
    Polynomial,
    Address { address: u64, part: u32 },
}

fn check(seed: u64) -> Tally {
    let mut generator = Generator { random: Random::new(seed), also_read: Vec::new() };
    if seed % 4 == 3 {
        generator.also_read = vec![22, 23];
    }
    let (code, stored) = generator.function(!seed.is_multiple_of(3));
    check_code(&format!("seed {seed}"), &code, stored + SCRATCH as u32, &mut generator.random)
}

fn check_code(name: &str, code: &[Instruction], length: u32, random: &mut Random) -> Tally {
    let mut tally = Tally { programs: 1, ..Tally::default() };
    let program = Arc::new(Program::assemble(core("atmega128").unwrap(), 0, code).unwrap());
    let function = Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 64, step_limit: 1 << 16 };
    let mut domain = Equations::new(8);
    domain = match code.len() % 8 {
        1 | 3 | 7 => domain.compiled(),
        5 => domain.with_masks(),
        2 | 4 => domain.with_paths(),
        _ => domain,
    };
    let variables: Vec<Variable> = (0..INPUTS).map(|_| domain.graph.variable(255)).collect();
    let values = variables.iter().map(|variable| Value::Variable(*variable)).collect();
    let Ok(finished) = function.call(domain, &buffers(values, length)) else {
        return Tally { refused: 1, ..tally };
    };
    let domain = finished.domain;
    let words = finished.buffers[0].iter().map(|word| word.as_ref().unwrap());
    let (bytes, observations): (Vec<Byte>, Vec<Observation>) = words
        .enumerate()
        .map(|(at, word)| {
            let what = format!("byte {at}");
            match (word, domain.polynomial(word)) {
                (Value::Pointer(own), _) => (
                    Byte::Address { address: own.address, part: own.part },
                    Observation { what, polynomial: Polynomial::zero() },
                ),
                (_, Some(polynomial)) => {
                    (Byte::Polynomial, Observation { what, polynomial: (*polynomial).clone() })
                }
                (_, None) => unreachable!("only an address is no polynomial"),
            }
        })
        .unzip();
    for place in 0..RUNS {
        let inputs: Vec<u8> = variables.iter().map(|_| biased(random)).collect();
        let fail =
            |what: String| -> ! { panic!("{name}, place {place}: {what}\n{inputs:02x?}\n{}", text(code)) };
        let finished = function
            .call_at(Concrete::<u8>::new(), &buffers(inputs.clone(), length), place)
            .unwrap_or_else(|stopped| fail(stopped.to_string()));
        let mut seen: Vec<i64> = finished.buffers[0].iter().map(|byte| byte.unwrap().into()).collect();
        for (seen, byte) in seen.iter_mut().zip(&bytes) {
            if let Byte::Address { address, part } = byte {
                let expected = (address >> (8 * part) & 255) as i64;
                if place == 0 && *seen != expected {
                    fail(format!("an address has the byte {seen:#x}, not {expected:#x}"));
                }
                *seen = 0;
            }
        }
        let given: Vec<(Variable, i64)> =
            variables.iter().copied().zip(inputs.iter().map(|byte| i64::from(*byte))).collect();
        let mut valuation = Valuation::new(&domain.graph, &given);
        let outcome =
            valuation.settle(&observations, &seen).and_then(|()| valuation.compare(&observations, &seen));
        match outcome {
            Ok(determined) => tally.determined += determined,
            Err(error) => fail(error),
        }
        tally.observed += seen.len();
    }
    tally
}

#[test]
fn functions_with_secret_branches_compute_what_their_equations_say() {
    let tally = each_seed(2000, check);
    println!("{tally:?}");
    assert!(tally.refused < tally.programs / 10, "{tally:?}");
    assert!(10 * tally.determined > 8 * tally.observed, "{tally:?}");
}

/// Both parts of the equation of a halving are bits here, and the byte that is kept is none.
#[test]
fn a_bit_that_is_shifted_out_on_one_side_only() {
    let (x, y) = (16, 17);
    let halve = Instruction::dk(Op::Lsr, x, 0);
    for kept in [0, 1, 5, 255] {
        for side in [
            vec![halve, Instruction::dr(Op::Eor, y, y), Instruction::dr(Op::Adc, y, y)],
            vec![
                Instruction { r: x, b: 0, ..Instruction::new(Op::Bst) },
                Instruction::dr(Op::Eor, y, y),
                Instruction { d: y, b: 0, ..Instruction::new(Op::Bld) },
            ],
        ] {
            let mut code = vec![Instruction::dr(Op::Movw, 28, 22), Instruction::dr(Op::Movw, 26, 24)];
            code.extend([x, y, 18].map(|register| Instruction::dk(Op::LdYInc, register, 0)));
            code.extend([Instruction::dr(Op::Mul, x, y), Instruction::dr(Op::Mov, x, 0)]);
            code.extend([halve; 6]);
            code.extend([Instruction::dk(Op::Ldi, y, kept), Instruction::dk(Op::Lsr, 18, 0)]);
            code.push(Instruction { b: 0, k: side.len() as i32, ..Instruction::new(Op::Brbs) });
            code.extend(side);
            code.extend([x, y, 18].map(|register| Instruction::rk(Op::StXInc, register, 0)));
            code.extend([Instruction::dr(Op::Eor, 1, 1), Instruction::new(Op::Ret)]);
            let tally = check_code("shifted out", &code, 3, &mut Random::new(1));
            assert_eq!(tally.refused, 0);
        }
    }
}
