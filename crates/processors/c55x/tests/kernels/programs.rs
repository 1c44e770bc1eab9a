//! Inversions as programs that call Montgomery products.

use crate::kernels::support::{Kernel, any_words, content, input, number, output};
use num_bigint::BigUint;
use rhomb_c55x::conventions::TI;
use rhomb_c55x::instructions::{Bundle, Instruction};
use rhomb_c55x::lower::{ProgramFault, montgomery_fixed, program};
use rhomb_contract::Contract;
use rhomb_field::program::inversion;
use rhomb_machine::Random;

const MODULI: [&str; 4] = ["2^192-2^64-1", "2^255-19", "2^384-2^128-2^96+2^32-1", "0xffffffff00000001"];

/// Products and squares, and the lines of the inversion with them behind it.
fn made(modulus: &str, has_squares: bool) -> (BigUint, usize, Vec<Bundle>) {
    let contract: Contract = format!("montinv {modulus}").parse().unwrap();
    let p = contract.modular().unwrap().modulus.number();
    let words = contract.result(16) as usize;
    let digits: Vec<u16> = (0..words)
        .map(|at| {
            let moved: BigUint = &p >> (16 * at);
            moved.iter_u32_digits().next().unwrap_or(0) as u16
        })
        .collect();
    let routines: Vec<Vec<Bundle>> =
        [false, true].map(|is_square| montgomery_fixed(&digits, is_square).unwrap().into_lines()).into();
    let routines: Vec<&[Bundle]> =
        routines.iter().take(1 + usize::from(has_squares)).map(Vec::as_slice).collect();
    let own = inversion(&contract).unwrap().program(16, has_squares).unwrap();
    (p, words, program(&own, &routines, &TI).unwrap())
}

#[test]
fn inverses() {
    for (modulus, has_squares) in MODULI.iter().map(|own| (own, true)).chain([(&MODULI[0], false)]) {
        let (p, words, lines) = made(modulus, has_squares);
        let squares = if has_squares { "" } else { " without squares" };
        let kernel = Kernel::of(format!("montinv {modulus}{squares}"), lines);
        let mut random = Random::new(words as u64);
        let radix = BigUint::from(1u32) << (16 * words);
        let split = |number: &BigUint| -> Vec<u16> {
            (0..words)
                .map(|at| ((number >> (16 * at)) % 0x1_0000u32).iter_u32_digits().next().unwrap_or(0) as u16)
                .collect()
        };
        let edges = [BigUint::ZERO, BigUint::from(1u8), &p - 1u8, p.clone(), &p + 1u8, &radix - 1u8];
        let mut operands: Vec<Vec<u16>> = edges.iter().map(split).collect();
        operands.extend((0..6).map(|_| any_words(&mut random, words)));
        let mut cycles = None;
        for (place, a) in (0..).zip(operands) {
            let finished = kernel.call(&[output("r", words), input("a", a.clone())], place);
            let inverse = (number(&a) % &p).modinv(&p).unwrap_or_default();
            let wanted = inverse * &radix * &radix % &p;
            assert_eq!(number(&content(&finished, 0)) % &p, wanted, "{modulus}: {a:x?}");
            let taken = finished.tally.cycles;
            assert_eq!(*cycles.get_or_insert(taken), taken, "{modulus}: {a:x?}");
        }
        kernel.note(cycles.unwrap().max);
    }
}

#[test]
fn targets_move_with_routines() {
    let (_, _, lines) = made(MODULI[0], true);
    let end = lines.iter().position(|line| line.first == Instruction::Return).unwrap();
    // the program calls what is behind it, and routines jump in themselves
    for (at, line) in lines.iter().enumerate() {
        for target in line.instructions().filter_map(Instruction::target) {
            let is_call = matches!(line.first, Instruction::Call { .. });
            assert_eq!((target as usize) > end, at > end || is_call, "line {at}");
        }
    }
    let own = inversion(&format!("montinv {}", MODULI[0]).parse().unwrap()).unwrap();
    let mut large = own.program(16, false).unwrap();
    large.slots.push(1 << 15);
    assert!(matches!(program(&large, &[&lines], &TI), Err(ProgramFault::Frame(_))));
    large.operands = 3;
    assert_eq!(program(&large, &[&lines], &TI), Err(ProgramFault::Registers));
}
