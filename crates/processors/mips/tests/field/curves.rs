//! Scalar multiplications as whole programs, against the group law in affine coordinates.

use super::*;
use rhomb_field::curve::{Affine, Curve, c2pnb191v1, p192};
use rhomb_field::program::{Doubling, Scalar, Scan, Strategy};
use rhomb_field::words::words;
use rhomb_mips::field::scalar::{Products, program};

/// Scalars at the ends, of few digits, and random ones.
fn scalars(curve: &Curve, count: usize) -> Vec<BigUint> {
    let mut random = Random::new(11);
    let order = &curve.order;
    let mut all = vec![1u32.into(), 2u32.into(), order - 2u32, order - 1u32];
    let mut uniform = || (0..6).map(|_| random.bits() as u32).collect::<Vec<u32>>();
    all.extend((0..count).map(|_| big(&uniform()) % (order - 1u32) + 1u32));
    all
}

/// The mean cycles of random scalars, all results checked; with masks, time is that of all secrets.
fn check(task: &Scalar<'_>, products: Products) -> u64 {
    let curve = task.curve;
    let model = model("mips32-ise");
    let code = program(&model, &O32, task, products).unwrap_or_else(|error| panic!("{error}"));
    let function = routine(&model, &code);
    let other = curve.multiple(&BigUint::from(0x1234_5678_9abc_def1u64), &curve.generator).unwrap();
    let mut times = Vec::new();
    for (number, k) in scalars(curve, 4).iter().enumerate() {
        let point = if number % 2 == 0 { &curve.generator } else { &other };
        let operands = [words(k, 6), [words(&point.x, 6), words(&point.y, 6)].concat()];
        let (result, cycles) = call(&function, 12, &operands, 0);
        let result = Affine { x: big(&result[..6]), y: big(&result[6..]) };
        assert_eq!(Some(result), curve.multiple(k, point), "{task:?}, {k:x}");
        times.push(cycles);
    }
    if task.scan == Scan::Masks {
        let (least, most, constant) = secret(&function, 12, &[6, 12]);
        assert!(constant && least == most && times.iter().all(|time| *time == least), "{task:?}");
    }
    let mean = times[4..].iter().sum::<u64>() / (times.len() as u64 - 4);
    let Scalar { strategy, doubling, scan, .. } = task;
    println!(
        "{}, {strategy:?}, {doubling:?}, {scan:?}, {products:?}: {mean} cycles, {} words of code",
        curve.name,
        code.len()
    );
    mean
}

#[test]
fn multiples() {
    use Doubling::{General, Short};
    use Products::{Loops, Straight};
    use Scan::{Branches, Masks};
    use Strategy::{Montgomery, Special};
    for (curve, all) in [
        (
            p192(),
            [
                (Special, Short, Branches, Straight, 442_491),
                (Special, General, Branches, Straight, 507_422),
                (Special, Short, Masks, Straight, 788_865),
                (Special, General, Branches, Loops, 1_045_542),
                (Montgomery, General, Branches, Loops, 1_527_524),
                (Montgomery, Short, Masks, Straight, 1_094_472),
            ],
        ),
        (
            c2pnb191v1(),
            [
                (Special, Short, Branches, Straight, 207_252),
                (Special, General, Branches, Straight, 217_216),
                (Special, Short, Masks, Straight, 229_033),
                (Special, General, Branches, Loops, 613_691),
                (Montgomery, General, Branches, Loops, 928_208),
                (Montgomery, Short, Masks, Loops, 902_597),
            ],
        ),
    ] {
        for (strategy, doubling, scan, products, most) in all {
            let cycles = check(&Scalar { curve: &curve, strategy, doubling, scan, bits: 32 }, products);
            assert!(cycles <= most, "{cycles}");
        }
    }
}
