//! Scalar multiplications as programs, executed over numbers and words of several widths, against the group law.

use num_bigint::BigUint;
use rhomb_contract::Operation;
use rhomb_field::binary::product;
use rhomb_field::curve::{Affine, Base, Curve, c2pnb191v1, p192};
use rhomb_field::program::{Called, Doubling, Place, Routine, Scalar, Scan, Step, Strategy, scalar};
use rhomb_line::run;
use rhomb_machine::{Concrete, Limb, Random};

/// Words of the result, the operands, and the slots.
struct Memory<'a> {
    curve: &'a Curve,
    bits: u32,
    called: &'a Called,
    result: Vec<u64>,
    operands: [Vec<u64>; 2],
    slots: Vec<Vec<u64>>,
    calls: u64,
}

fn number(words: &[u64], bits: u32) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |number, word| (number << bits) + *word)
}

fn words(number: &BigUint, bits: u32, count: usize) -> Vec<u64> {
    let ones = u64::MAX >> (64 - bits);
    let word = |at: usize| (number >> (bits as usize * at)).iter_u64_digits().next().unwrap_or(0) & ones;
    (0..count).map(word).collect()
}

impl Memory<'_> {
    /// The words of a slot are kept wherever its parts begin.
    fn at(&self, place: Place) -> &[u64] {
        match place {
            Place::Result => &self.result,
            Place::Operand(index) => &self.operands[index],
            Place::Slot(index) => &self.slots[index],
            Place::Part(index, word) => &self.slots[index][word..],
            Place::Inside(index, word) => &self.operands[index][word..],
        }
    }

    fn put(&mut self, to: Place, words: &[u64]) {
        let room = match to {
            Place::Result => &mut self.result[..],
            Place::Operand(_) | Place::Inside(..) => panic!("an operand is written"),
            Place::Slot(index) => &mut self.slots[index][..],
            Place::Part(index, word) => &mut self.slots[index][word..],
        };
        room[..words.len()].copy_from_slice(words);
    }

    fn line<W: Limb>(&mut self, line: &rhomb_line::Line, to: Place, operands: &[Place]) {
        let whole = |words: &[u64]| words.iter().map(|word| W::truncate(*word)).collect::<Vec<W>>();
        let operand = |index: usize| operands.get(index).map_or_else(Vec::new, |own| whole(self.at(*own)));
        let length = line.words(rhomb_line::Array::Result);
        let scratch = vec![W::truncate(0); line.scratch_with_homes()];
        let mut arrays = [whole(&self.at(to)[..length]), operand(0), operand(1), scratch];
        run(line, &mut Concrete::<W>::new(), &mut arrays);
        let words: Vec<u64> = arrays[0].iter().map(|word| word.to_u64()).collect();
        self.put(to, &words);
    }

    fn call(&mut self, routine: usize, to: Place, operands: &[Place]) {
        self.calls += 1;
        let contract = match &self.called.routines[routine] {
            Routine::Kept(contract) => *contract,
            Routine::Line(line) => {
                let line = line.clone();
                return match self.bits {
                    8 => self.line::<u8>(&line, to, operands),
                    16 => self.line::<u16>(&line, to, operands),
                    _ => self.line::<u32>(&line, to, operands),
                };
            }
        };
        let count = contract.result(self.bits) as usize;
        let own: Vec<BigUint> =
            operands.iter().map(|place| number(&self.at(*place)[..count], self.bits)).collect();
        let (a, b) = (&own[0], own.last().unwrap());
        let field = self.curve.field();
        let radix = field.inverse(&field.element(&(BigUint::from(1u8) << (self.bits as usize * count))));
        let divided = |number: BigUint| field.mul(&number, radix.as_ref().unwrap());
        let is_sum = matches!(
            contract.modular().map(|own| own.operation),
            Some(Operation::ModAdd | Operation::ModSub)
        ) || contract.binary().is_some_and(|own| own.operation() == Operation::Gf2Add);
        assert!(is_sum || !operands.contains(&to), "{contract} in place");
        let result = match (contract.modular().map(|own| own.operation), contract.binary()) {
            (Some(Operation::ModMul | Operation::ModSqr), _) => field.mul(a, b),
            (Some(Operation::MontMul | Operation::MontSqr), _) => divided(field.mul(a, b)),
            (Some(Operation::ModAdd), _) => field.add(a, b),
            (Some(Operation::ModSub), _) => field.sub(a, b),
            (Some(Operation::ModHalf), _) => field.half(a).unwrap(),
            (_, Some(binary)) => match binary.operation() {
                Operation::Gf2Add => a ^ b,
                Operation::Gf2ModMul | Operation::Gf2ModSqr => field.element(&product(a, b)),
                Operation::Gf2MontMul | Operation::Gf2MontSqr => divided(field.element(&product(a, b))),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        self.put(to, &words(&result, self.bits, count));
    }

    fn carry_out(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Call { routine, to, operands } => self.call(*routine, *to, operands),
                Step::Repeat { times, steps } => (0..*times).for_each(|_| self.carry_out(steps)),
                Step::When { slot, word, steps } => {
                    if self.slots[*slot][*word] != 0 {
                        self.carry_out(steps);
                    }
                }
            }
        }
    }
}

/// A multiple, and how many calls it took.
fn multiple(called: &Called, curve: &Curve, bits: u32, k: &BigUint, point: &Affine) -> (Affine, u64) {
    let count = 192 / bits as usize;
    let both = [words(&point.x, bits, count), words(&point.y, bits, count)].concat();
    let slots = called.program.slots.iter().map(|words| vec![0xa5; *words]).collect();
    let operands = [words(k, bits, count), both];
    let result = vec![0; 2 * count];
    let mut memory = Memory { curve, bits, called, result, operands, slots, calls: 0 };
    memory.carry_out(&called.program.steps);
    let [x, y] = [&memory.result[..count], &memory.result[count..]].map(|words| number(words, bits));
    (Affine { x, y }, memory.calls)
}

#[test]
fn multiples() {
    let mut random = Random::new(31);
    let mut some = || (0..3).fold(BigUint::ZERO, |number, _| (number << 64) + random.bits());
    for curve in [p192(), c2pnb191v1()] {
        let other = curve.multiple(&some(), &curve.generator).unwrap();
        let n = &curve.order;
        let scalars: [BigUint; 7] =
            [1u8.into(), 2u8.into(), 3u8.into(), n - 1u8, n - 2u8, (n - 1u8) / 2u8, some() % n];
        let binary = matches!(curve.base, Base::Binary(_));
        for (strategy, doubling, scan, bits) in [
            (Strategy::Special, Doubling::Short, Scan::Masks, 8),
            (Strategy::Special, Doubling::General, Scan::Masks, 16),
            (Strategy::Montgomery, Doubling::Short, Scan::Masks, 32),
            (Strategy::Special, Doubling::Short, Scan::Branches, 32),
            (Strategy::Montgomery, Doubling::General, Scan::Branches, 32),
        ] {
            let task = Scalar { curve: &curve, strategy, doubling, scan, bits };
            let called = scalar(&task).unwrap();
            let mut calls = Vec::new();
            for (at, k) in scalars.iter().enumerate() {
                let point = if at % 2 == 0 { &curve.generator } else { &other };
                let (result, own) = multiple(&called, &curve, bits, k, point);
                assert_eq!(Some(result), curve.multiple(k, point), "{} {k:x} {task:?}", curve.name);
                calls.push(own);
            }
            calls.dedup();
            assert_eq!(calls.len() == 1, scan == Scan::Masks, "{binary}");
        }
    }
}

/// Formulas for other coefficients, and orders for which an addition would be of a point and itself.
#[test]
fn others_are_refused() {
    let mut curve = p192();
    let task = |curve: &Curve, doubling, scan| {
        scalar(&Scalar { curve, strategy: Strategy::Special, doubling, scan, bits: 32 }).is_some()
    };
    assert!(task(&curve, Doubling::Short, Scan::Masks));
    curve.order += 2u8;
    assert!(!task(&curve, Doubling::Short, Scan::Masks) && task(&curve, Doubling::Short, Scan::Branches));
    curve.a += 1u8;
    assert!(
        !task(&curve, Doubling::Short, Scan::Branches) && task(&curve, Doubling::General, Scan::Branches)
    );
}
