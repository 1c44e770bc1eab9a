//! Scalar multiplications as whole programs, against the group law in affine coordinates.

use super::*;
use rhomb_field::curve::{Affine, Curve, c2pnb191v1, p192};
use rhomb_field::words::words;
use rhomb_mips::field::{Run, curve_binary, curve_prime, run};

const LIMIT: u64 = 4_000_000;

fn constants(numbers: &[&BigUint]) -> Vec<u32> {
    numbers.iter().flat_map(|number| words(number, 6)).collect()
}

fn multiple(library: &Library, k: &BigUint, point: &Affine, constants: &[u32]) -> (Affine, Run) {
    let entry = library.entry("f").unwrap();
    let point = [words(&point.x, 6), words(&point.y, 6)].concat();
    let run = run(library, entry, 12, &[&words(k, 6), &point, constants], LIMIT);
    let run = run.unwrap_or_else(|fault| panic!("{fault}"));
    let result: Vec<u32> = run.result.iter().map(|word| word.expect("the result is written")).collect();
    (Affine { x: big(&result[..6]), y: big(&result[6..]) }, run)
}

/// Scalars at the ends, of few digits, and random ones.
fn scalars(curve: &Curve, count: usize) -> Vec<BigUint> {
    let mut random = Random(11);
    let order = &curve.order;
    let mut all: Vec<BigUint> = (1..=4u32).map(BigUint::from).collect();
    all.extend((1..=4u32).map(|less| order - less));
    let mut uniform = || (0..6).map(|_| random.next() as u32).collect::<Vec<u32>>();
    all.extend((0..count).map(|_| big(&uniform()) % (order - 1u32) + 1u32));
    all
}

fn check(name: &str, curve: &Curve, library: &Library, constants: &[u32], count: usize) -> Vec<Run> {
    let other = curve.multiple(&BigUint::from(0x1234_5678_9abc_def1u64), &curve.generator).unwrap();
    let scalars = scalars(curve, count);
    let mut runs = Vec::new();
    for (number, k) in scalars.iter().enumerate() {
        let point = if number % 2 == 0 { &curve.generator } else { &other };
        let (result, run) = multiple(library, k, point, constants);
        assert_eq!(Some(result), curve.multiple(k, point), "{name}, {k:x}");
        runs.push(run);
    }
    let random = &runs[8..];
    let mean = |count: &dyn Fn(&Run) -> u64| random.iter().map(count).sum::<u64>() / random.len() as u64;
    println!(
        "{name}: {} cycles, {} mul, {} sqr, {} add, {} sub, {} half, {} words of code",
        mean(&|run| run.cycles.max),
        mean(&|run| run.count("mul")),
        mean(&|run| run.count("sqr")),
        mean(&|run| run.count("add")),
        mean(&|run| run.count("sub")),
        mean(&|run| run.count("half")),
        library.program.words().len(),
    );
    runs
}

/// Runs a program with a secret scalar and a secret point: nothing may depend on them, time included.
fn is_constant(library: &Library, constants: &[u32]) -> u64 {
    let mut domain = Secrets::<u32>::new();
    let mut secrets = |length: usize| -> Vec<_> { (0..length).map(|_| domain.arbitrary()).collect() };
    let mut operands = vec![secrets(6), secrets(12)];
    operands.push(constants.iter().map(|word| domain.word((*word).into())).collect());
    let function = Function {
        program: library.program.clone(),
        entry: library.entry("f").unwrap(),
        convention: &O32,
        stack_limit: 4096,
        step_limit: LIMIT,
    };
    let finished =
        function.call(domain, &buffers(12, &operands, None)).unwrap_or_else(|stopped| panic!("{stopped}"));
    assert_eq!(finished.breaches, []);
    assert!(finished.tally.cycles.is_exact());
    finished.tally.cycles.max
}

#[test]
fn prime_curve() {
    use curve_prime::{Doubling, Form, program};
    let curve = p192();
    let constants = constants(&[&curve.a, &curve.order]);
    let model = model("mips32-ise");
    for (name, doubling, most) in
        [("general a", Doubling::General, 585_000), ("a = -3", Doubling::MinusThree, 500_000)]
    {
        let library = program(&model, 0x400, doubling, Form::Published).unwrap_or_else(|e| panic!("{e}"));
        let runs = check(name, &curve, &library, &constants[..6], 8);
        assert!(runs.iter().all(|run| run.cycles.max < most), "{name}");
        let library = program(&model, 0x400, doubling, Form::ConstantTime).unwrap_or_else(|e| panic!("{e}"));
        let runs = check(&format!("{name}, constant time"), &curve, &library, &constants, 2);
        let cycles = is_constant(&library, &constants);
        assert!(runs.iter().all(|run| run.cycles.max == cycles), "{name}");
    }
}

#[test]
fn binary_curve() {
    use curve_binary::{Doubling, Form, program};
    let curve = c2pnb191v1();
    let field = curve.field();
    let root = (0..190).fold(curve.b.clone(), |root, _| field.square(&root));
    let model = model("mips32-ise");
    for (name, doubling, constant) in
        [("as published", Doubling::Published, &curve.b), ("root of b", Doubling::Root, &root)]
    {
        let constants = constants(&[constant, &curve.order]);
        let library = program(&model, 0x400, doubling, Form::Published).unwrap_or_else(|e| panic!("{e}"));
        let runs = check(name, &curve, &library, &constants[..6], 8);
        assert!(runs.iter().all(|run| run.cycles.max < 257_000), "{name}");
        let library = program(&model, 0x400, doubling, Form::ConstantTime).unwrap_or_else(|e| panic!("{e}"));
        let runs = check(&format!("{name}, constant time"), &curve, &library, &constants, 2);
        let cycles = is_constant(&library, &constants);
        assert!(runs.iter().all(|run| run.cycles.max == cycles), "{name}");
    }
}
