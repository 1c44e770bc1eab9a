//! Every kernel against big integers, on edge and random inputs: result, carry, operands, convention, and
//! that the time is the same for all inputs.

use num_bigint::BigUint;
use rhomb_machine::{Access, Breach, Buffer, Concrete, Routine};
use rhomb_oracles::Random;
use rhomb_samples::{Sample, catalogue};

type Bytes = Vec<u8>;

fn number(bytes: &[u8]) -> BigUint {
    BigUint::from_bytes_le(bytes)
}

/// Edges of n bytes; for Karatsuba halves that are equal, and that differ in either direction.
fn edges(n: usize) -> Vec<Bytes> {
    let halves = |low: u8, high: u8| {
        let mut bytes = vec![high; n];
        bytes[..n / 2].fill(low);
        bytes
    };
    let one_at = |place: usize, value: u8| {
        let mut bytes = vec![0; n];
        bytes[place] = value;
        bytes
    };
    let alternating = |even: u8, odd: u8| (0..n).map(|i| if i % 2 == 0 { even } else { odd }).collect();
    vec![
        vec![0; n],
        one_at(0, 1),
        one_at(n - 1, 0x80),
        one_at(n / 2, 1),
        vec![0xff; n],
        alternating(0, 0xff),
        alternating(0xff, 0),
        halves(0, 0xff),
        halves(0xff, 0),
        halves(0xff, 0xfe),
        halves(0xfe, 0xff),
        halves(0x35, 0x35),
    ]
}

fn pairs(n: usize) -> Vec<(Bytes, Bytes)> {
    let edges = edges(n);
    let mut all: Vec<(Bytes, Bytes)> =
        edges.iter().flat_map(|a| edges.iter().map(|b| (a.clone(), b.clone()))).collect();
    let mut random = Random::new(n as u64);
    for round in 0..60 {
        let mut bytes =
            || (0..n).map(|_| if round % 2 == 0 { random.byte() } else { random.edge() }).collect();
        all.push((bytes(), bytes()));
    }
    all
}

/// Calls the kernel; `on` is the operand in whose place the result lies. Result, carry and cycles.
fn call(sample: &Sample, a: &[u8], b: &[u8], on: Option<usize>) -> (Bytes, Option<u8>, u64) {
    let (operation, _) = sample.contract.split_once(' ').unwrap();
    let length = if matches!(operation, "add" | "sub") { a.len() } else { 2 * a.len() } as u32;
    let operands: &[&[u8]] = if operation == "sqr" { &[a] } else { &[a, b] };
    let mut buffers = vec![Buffer {
        name: "r",
        length,
        content: on.map(|operand| operands[operand].to_vec()),
        access: Access::Store,
        shares: None,
    }];
    for (index, (name, content)) in ["a", "b"].into_iter().zip(operands).enumerate() {
        buffers.push(Buffer {
            name,
            length: content.len() as u32,
            content: Some(content.to_vec()),
            access: Access::Load,
            shares: (on == Some(index)).then_some(0),
        });
    }
    let finished = sample
        .function()
        .call(Concrete::<u8>::new(), &buffers)
        .unwrap_or_else(|stopped| panic!("{}: {stopped}", sample.name));
    assert_eq!(finished.breaches, Vec::<Breach>::new(), "{}", sample.name);
    let bytes = |content: &[Option<u8>]| content.iter().map(|byte| byte.expect("written")).collect();
    for (index, content) in operands.iter().enumerate().filter(|(index, _)| on != Some(*index)) {
        let after: Bytes = bytes(&finished.buffers[index + 1]);
        assert_eq!(after, *content, "{}: an operand", sample.name);
    }
    (bytes(&finished.buffers[0]), finished.returned, finished.tally.cycles.max)
}

fn check(sample: &Sample) {
    let (operation, bits) = sample.contract.split_once(' ').unwrap();
    let n = bits.parse::<usize>().unwrap() / 8;
    let modulus = BigUint::from(1u8) << (8 * n);
    let mut time = None;
    for (a, b) in pairs(n) {
        let (x, y) = (number(&a), number(&b));
        let places: &[_] =
            if matches!(operation, "add" | "sub") { &[None, Some(0), Some(1)] } else { &[None] };
        for on in places {
            let (result, returned, cycles) = call(sample, &a, &b, *on);
            let (result, returned) = (number(&result), returned.unwrap_or(0));
            let right = match operation {
                "mul" => result == &x * &y,
                "sqr" => result == &x * &x,
                "add" => result + returned * &modulus == &x + &y,
                _ => result + &y == &x + returned * &modulus,
            };
            assert!(right, "{} of {a:02x?} and {b:02x?}", sample.name);
            assert_eq!(*time.get_or_insert(cycles), cycles, "{}", sample.name);
        }
    }
    println!("{:60} {:>6} cycles {:>6} instructions", sample.name, time.unwrap(), sample.code.len());
}

#[test]
fn kernels_are_right_and_take_constant_time() {
    std::thread::scope(|scope| {
        for own in [0, 1] {
            scope.spawn(move || catalogue().iter().skip(own).step_by(2).for_each(check));
        }
    });
}

#[test]
fn names_are_unique() {
    let mut names: Vec<String> = catalogue().into_iter().map(|sample| sample.name).collect();
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}
