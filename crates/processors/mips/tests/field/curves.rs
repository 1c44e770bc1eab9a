//! Scalar multiplications as whole programs, against the group law in affine coordinates.

use super::*;
use rhomb_field::curve::{Affine, Curve, c2pnb191v1, p192};
use rhomb_field::montgomery::{Montgomery, Ring};
use rhomb_field::words::words;
use rhomb_mips::field::{Arithmetic, Run, curve_binary, curve_prime, run};

const LIMIT: u64 = 4_000_000;

fn constants(numbers: &[&BigUint]) -> Vec<u32> {
    numbers.iter().flat_map(|number| words(number, 6)).collect()
}

fn multiple(library: &Library, k: &BigUint, point: &Affine, constants: &[u32]) -> (Affine, Run) {
    let entry = library.entry("f").unwrap();
    let point = [words(&point.x, 6), words(&point.y, 6)].concat();
    let run = run(library, entry, 12, &[&words(k, 6), &point, constants], None, LIMIT);
    let run = run.unwrap_or_else(|fault| panic!("{fault}"));
    let result: Vec<u32> = run.result.iter().map(|word| word.expect("the result is written")).collect();
    (Affine { x: big(&result[..6]), y: big(&result[6..]) }, run)
}

/// Scalars at the ends, of few digits, and random ones.
fn scalars(curve: &Curve, count: usize) -> Vec<BigUint> {
    let mut random = Random::new(11);
    let order = &curve.order;
    let mut all = vec![1u32.into(), 2u32.into(), order - 2u32, order - 1u32];
    let mut uniform = || (0..6).map(|_| random.bits() as u32).collect::<Vec<u32>>();
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
    let random = &runs[4..];
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
        let library = program(&model, 0x400, doubling, Form::Published(Arithmetic::Straight))
            .unwrap_or_else(|e| panic!("{e}"));
        let runs = check(name, &curve, &library, &constants[..6], 4);
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
        let library = program(&model, 0x400, doubling, Form::Published(Arithmetic::Straight))
            .unwrap_or_else(|e| panic!("{e}"));
        let runs = check(name, &curve, &library, &constants[..6], 4);
        assert!(runs.iter().all(|run| run.cycles.max < 257_000), "{name}");
        let library = program(&model, 0x400, doubling, Form::ConstantTime).unwrap_or_else(|e| panic!("{e}"));
        let runs = check(&format!("{name}, constant time"), &curve, &library, &constants, 2);
        let cycles = is_constant(&library, &constants);
        assert!(runs.iter().all(|run| run.cycles.max == cycles), "{name}");
    }
}

/// Constants of a generic program: one of the curve, the modulus, Montgomery's factor, R^2.
fn generic_constants(curve: &Curve, first: &BigUint, ring: Ring, modulus: &BigUint) -> Vec<u32> {
    let factor = Montgomery::new(ring, &words(modulus, 6)).unwrap().factor();
    let square = curve.field().element(&(BigUint::from(1u32) << 384));
    [words(first, 6), words(modulus, 6), vec![factor], words(&square, 6)].concat()
}

/// As published: loops, any a, b itself.
#[test]
fn as_in_the_paper() {
    let model = model("mips32-ise");
    let curve = p192();
    let rhomb_field::curve::Base::Prime(field) = &curve.base else { panic!("a prime field") };
    let program = |arithmetic| {
        use curve_prime::{Doubling, Form, program};
        program(&model, 0x400, Doubling::General, Form::Published(arithmetic))
            .unwrap_or_else(|e| panic!("{e}"))
    };
    let library = program(Arithmetic::Loops);
    let runs = check("P-192, loops", &curve, &library, &words(&curve.a, 6), 3);
    assert!(mean(&runs) <= 1_184_000);
    let library = program(Arithmetic::Generic);
    let constants = generic_constants(&curve, &curve.a, Ring::Integers, field.modulus());
    let runs = check("P-192, generic", &curve, &library, &constants, 2);
    assert!(mean(&runs) <= 1_668_000);
    let curve = c2pnb191v1();
    let rhomb_field::curve::Base::Binary(field) = &curve.base else { panic!("a binary field") };
    let program = |arithmetic| {
        use curve_binary::{Doubling, Form, program};
        program(&model, 0x400, Doubling::Published, Form::Published(arithmetic))
            .unwrap_or_else(|e| panic!("{e}"))
    };
    let library = program(Arithmetic::Loops);
    let runs = check("c2pnb191v1, loops", &curve, &library, &words(&curve.b, 6), 2);
    assert!(mean(&runs) <= 640_000);
    let library = program(Arithmetic::Generic);
    let constants = generic_constants(&curve, &curve.b, Ring::Polynomials, field.polynomial());
    let runs = check("c2pnb191v1, generic", &curve, &library, &constants, 2);
    assert!(mean(&runs) <= 1_040_000);
}

/// Of the random scalars.
fn mean(runs: &[Run]) -> u64 {
    runs[4..].iter().map(|run| run.cycles.max).sum::<u64>() / (runs.len() as u64 - 4)
}
