//! Drafts on a core that exists nowhere: without a carry flag, without an accumulator, whose loads take two cycles.

use num_bigint::BigUint;
use rhomb_contract::Contract;
use rhomb_field::ways;
use rhomb_lower::draft::{
    Abilities, Act, Clock, Core, Facts, Fault, Pair, Registers, Ring, Setting, arranged, words,
};

struct Plain;

#[derive(Default)]
struct Ticks {
    now: u64,
    ready: [u64; 32],
}

impl Clock<u64> for Ticks {
    fn earliest(&self, reads: u64, _: &u64) -> u64 {
        let reads = (0..32).filter(|register| reads >> register & 1 == 1);
        reads.map(|register| self.ready[register]).max().unwrap_or(0).max(self.now)
    }

    fn issue(&mut self, reads: u64, writes: u64, latency: &u64) {
        let start = self.earliest(reads, latency);
        self.now = start + 1;
        (0..32)
            .filter(|register| writes >> register & 1 == 1)
            .for_each(|own| self.ready[own] = start + latency);
    }
}

impl Core for Plain {
    type Instruction = (Act, u8, [u8; 2]);
    type Time = u64;
    type Clock = Ticks;

    fn facts(&self, act: Act, _: bool) -> Result<Facts<u64>, Fault> {
        let latency = match act {
            Act::Change(_) | Act::Part(_) => return Err(Fault::Instruction),
            Act::Load(_) => 2,
            _ => 1,
        };
        Ok(Facts { time: latency, latency, length: 1, reads: 0, writes: 0 })
    }

    fn is_small(&self, _: Act, _: bool) -> bool {
        false
    }

    fn instruction(&self, act: Act, to: u8, reads: [u8; 2]) -> Self::Instruction {
        (act, to, reads)
    }
}

fn pair(pair: Pair, x: u32, y: u32) -> u32 {
    match pair {
        Pair::Add => x.wrapping_add(y),
        Pair::Subtract => x.wrapping_sub(y),
        Pair::Below => (x < y).into(),
        Pair::And => x & y,
        Pair::Or => x | y,
        Pair::Xor => x ^ y,
        Pair::Nor => !(x | y),
    }
}

/// Where the arrays and the stack are in memory, by words.
const BASES: [u32; 4] = [0, 100, 200, 300];

fn run(code: &[(Act, u8, [u8; 2])], operands: [&[u32]; 2]) -> Vec<u32> {
    let mut memory = vec![0u32; 400];
    for (base, operand) in [(100, operands[0]), (200, operands[1])] {
        memory[base..base + operand.len()].copy_from_slice(operand);
    }
    let mut registers = [0u32; 32];
    for (register, base) in [4, 5, 6, 29].into_iter().zip(BASES) {
        registers[register] = base;
    }
    for (act, to, reads) in code {
        let [x, y] = reads.map(|register| registers[usize::from(register)]);
        let place = |index: i32| x.wrapping_add_signed(index) as usize;
        let made = match *act {
            Act::Pair(own) => pair(own, x, y),
            Act::Number(own, number) => pair(own, x, number as u32),
            Act::Upper(number) => number << 16,
            Act::Up(places) => x << places,
            Act::Down(places) => x >> places,
            Act::Sign(places) => ((x as i32) >> places) as u32,
            Act::Load(index) => memory[place(index)],
            Act::Store(index) => {
                memory[place(index)] = y;
                continue;
            }
            Act::Change(_) | Act::Part(_) => unreachable!("there is no accumulator"),
        };
        registers[usize::from(*to)] = made;
        registers[0] = 0;
    }
    memory
}

#[test]
fn sums_and_differences_modulo_numbers_without_carry_and_accumulator() {
    let abilities = Abilities {
        word: 32,
        accumulator: 0,
        sets_high: false,
        shift: false,
        take: false,
        twice: false,
        words: false,
        carryless: false,
    };
    let ring = Ring::Integers;
    let setting = Setting { abilities, ring, arguments: [4, 5, 6], returned: 2, stack: 29, home: 0 };
    let registers = Registers { all: (8..28).collect(), free: 20, most: 20 };
    for (operation, modulus) in
        [("modadd", "2^192-2^64-1"), ("modsub", "2^192-2^64-1"), ("modadd", "2^255-19")]
    {
        let contract: Contract = format!("{operation} {modulus}").parse().unwrap();
        let p = contract.modular().unwrap().modulus.number();
        let count = contract.operands(32)[0] as usize;
        let mut routines = 0;
        for way in ways(&contract, 32).iter().filter(|way| way.method != "digit-fold") {
            let drafts = words(&way.line, false, &setting).map(|made| made.unwrap().0);
            for code in drafts.filter_map(|draft| arranged(&draft, &Plain, false, &registers).ok()).flatten()
            {
                let Ok(code) = code else { continue };
                routines += 1;
                let some = [&p - 1u8, BigUint::ZERO, BigUint::from(1u8), &p >> 1, BigUint::from(u64::MAX)];
                for (x, y) in some.iter().flat_map(|x| some.iter().map(move |y| (x, y))) {
                    let digits = |number: &BigUint| {
                        let mut digits = number.to_u32_digits();
                        digits.resize(count, 0);
                        digits
                    };
                    let memory = run(&code, [&digits(x), &digits(y)]);
                    let result = BigUint::from_slice(&memory[..count]);
                    let expected = if operation == "modadd" { x + y } else { x + &p - y };
                    assert_eq!(result % &p, expected % &p, "{contract} by {}: {x} {y}", way.method);
                }
            }
        }
        assert!(routines > 0, "{contract}");
    }
}
