//! Random expressions against big integers, which have no width.

use super::*;
use num_bigint::BigInt;
use rhomb_machine::{Domain, Secrets};

/// An expression as text, and what it computes.
struct Case {
    text: String,
    value: BigInt,
}

/// What the expression starts from.
struct Start {
    rs: u32,
    rt: u32,
    accumulator: [u32; 3],
}

fn leaf(random: &mut Random, start: &Start) -> Case {
    let [lo, hi, guard] = start.accumulator;
    let constant = random.bits() >> random.below(64);
    let (text, value) = match random.below(8) {
        0 | 1 => ("rs".to_owned(), BigInt::from(start.rs)),
        2 | 3 => ("rt".to_owned(), BigInt::from(start.rt)),
        4 => ("acc".to_owned(), BigInt::from(number(&start.accumulator))),
        5 => ("hi".to_owned(), BigInt::from(hi)),
        6 => match random.below(2) {
            0 => ("lo".to_owned(), BigInt::from(lo)),
            _ => ("guard".to_owned(), BigInt::from(guard)),
        },
        _ => (format!("{constant:#x}"), BigInt::from(constant)),
    };
    Case { text, value }
}

fn polynomial_product(x: &BigInt, y: &BigInt) -> BigInt {
    (0..y.bits()).filter(|bit| y.bit(*bit)).fold(BigInt::from(0), |sum, bit| sum ^ (x << bit))
}

/// A random expression; not all that it writes is legal.
fn expression(random: &mut Random, start: &Start, depth: u32) -> Case {
    if depth == 0 || random.below(6) == 0 {
        return leaf(random, start);
    }
    let mut operand = || expression(random, start, depth - 1);
    let (x, y) = (operand(), operand());
    let (a, b) = (&x.value, &y.value);
    let bit = |holds: bool| BigInt::from(u8::from(holds));
    let mask = |bits: u64| (BigInt::from(1) << bits) - 1;
    let places = random.below(40);
    let low = random.below(40);
    let high = low + random.below(30);
    let negative = |value: &BigInt, bits: u64| {
        if value.bit(bits - 1) { value - (BigInt::from(1) << bits) } else { value.clone() }
    };
    let (text, value) = match random.below(17) {
        0 => (format!("({} + {})", x.text, y.text), a + b),
        1 => (format!("({} - {})", x.text, y.text), a - b),
        2 => (format!("({} * {})", x.text, y.text), a * b),
        3 => (format!("({} & {})", x.text, y.text), a & b),
        4 => (format!("({} | {})", x.text, y.text), a | b),
        5 => (format!("({} ^ {})", x.text, y.text), a ^ b),
        6 => (format!("~{}", x.text), !a),
        7 => (format!("({} << {places})", x.text), a << places),
        8 => (format!("({} >> {places})", x.text), a >> places),
        9 => (format!("({} << rs[4:0])", x.text), a << (start.rs & 31)),
        10 => (format!("({} >> rt[5:0])", x.text), a >> (start.rt & 63)),
        11 => (format!("({})[{high}:{low}]", x.text), a >> low & mask(high - low + 1)),
        12 => {
            let sign = negative(&(a & mask(17)), 17);
            (format!("signed(({} + 0)[16:0])", x.text), sign)
        }
        13 => (
            format!("({} < {} ? {} : {})", x.text, y.text, y.text, x.text),
            if a < b { b.clone() } else { a.clone() },
        ),
        14 => {
            let sum = bit(a == b) + 2 * bit(a >= b) + 4 * bit(a != b) + 8 * bit(a > b) + 16 * bit(a <= b);
            let (x, y) = (&x.text, &y.text);
            let text =
                format!("{{({x}) <= ({y}), ({x}) > ({y}), ({x}) != ({y}), ({x}) >= ({y}), ({x}) == ({y})}}");
            (text, sum)
        }
        15 => {
            let (a, b) = (a & mask(20), b & mask(40));
            let product = polynomial_product(&a, &b);
            (format!("clmul(({} - 0)[19:0], ({} - 0)[39:0])", x.text, y.text), product)
        }
        _ => {
            let whole = (a & mask(33)) << 7 | b & mask(7);
            (format!("{{({} - 0)[32:0], ({} - 0)[6:0]}}", x.text, y.text), whole)
        }
    };
    Case { text, value }
}

#[test]
fn expressions_are_exact() {
    let mut random = Random::new(3);
    let (mut compared, mut refused) = (0, 0);
    while compared < 4000 {
        let start = Start {
            rs: word(&mut random),
            rt: word(&mut random),
            accumulator: [word(&mut random), word(&mut random), word(&mut random) & 0xff],
        };
        let depth = 1 + random.below(4) as u32;
        let case = expression(&mut random, &start, depth);
        // with a sign in any case, so that bits may be taken as high as one likes
        let meaning = format!("acc = ({} - 0)[71:0]", case.text);
        let model = match with_meaning(&meaning) {
            Ok(model) => Arc::new(model),
            Err(error) => {
                let known =
                    ["at most", "there is no bit", "without a sign", "operators", "inside each other"];
                assert!(known.iter().any(|part| error.message.contains(part)), "{error}: {meaning}");
                refused += 1;
                assert!(refused < 20_000);
                continue;
            }
        };
        let one = custom(&model, 0);
        let mut machine = machine(&model, one, [start.rs, start.rt, 0], start.accumulator);
        machine.step().unwrap();
        let mask = (BigInt::from(1) << 72) - 1;
        assert_eq!(BigInt::from(number(machine.accumulator())), case.value & mask, "{meaning}");
        compared += 1;
        if compared % 20 == 0 {
            secrets_stay_secret(&model, one, &start);
        }
    }
}

/// With all that it starts from known, a domain of secrets computes the same; with rs secret, it comes to an end.
fn secrets_stay_secret(model: &Arc<Model>, one: Instruction, start: &Start) {
    let program = Arc::new(Program::assemble(model.clone(), 0, &[one]).unwrap());
    let mut known = Machine::new(program, Secrets::<u32>::new());
    let mut plain = machine(model, one, [start.rs, start.rt, 0], start.accumulator);
    for (number, value) in [(4, start.rs), (5, start.rt), (6, 0)] {
        let word = known.domain.word(value.into());
        known.set_register(number, word);
    }
    let accumulator = start.accumulator.map(|part| known.domain.word(part.into()));
    known.set_accumulator(accumulator);
    let mut secret = known.clone();
    let word = secret.domain.arbitrary();
    secret.set_register(4, word);
    for machine in [&mut known, &mut secret] {
        machine.step().unwrap();
    }
    plain.step().unwrap();
    for part in 0..3 {
        let value = u64::from(plain.accumulator()[part]);
        assert_eq!(known.domain.known_word(&known.accumulator()[part]), Some(value));
        let found = secret.domain.known_word(&secret.accumulator()[part]);
        assert!(found.is_none_or(|found| found == value), "a secret gives something known and different");
    }
}

#[test]
fn assignments_wrap_only_where_a_carry_is_lost() {
    let accept = |meaning: &str| with_meaning(meaning).map(drop);
    assert_eq!(accept("acc = acc + 2 * rs * rt"), Ok(()));
    assert_eq!(accept("acc = acc - rs * rt"), Ok(()));
    assert_eq!(accept("acc = acc + (rs << 32) + rt"), Ok(()));
    assert_eq!(accept("acc = acc + signed(rs) * signed(rt)"), Ok(()));
    assert_eq!(accept("acc = {lo, rs}"), Ok(()));
    assert_eq!(accept("lo = rs + rt; hi = rs - rt"), Ok(()));
    let refused = |meaning: &str| accept(meaning).unwrap_err().message;
    assert_eq!(
        refused("lo = rs * rt"),
        "64 bits do not fit into lo, which has 32; hint: take some, as in (x)[31:0]"
    );
    assert_eq!(
        refused("acc = acc + (rs << 48)"),
        "80 bits do not fit into acc, which has 72; hint: take some, as in (x)[71:0]"
    );
    assert_eq!(
        refused("guard = rs + 1"),
        "32 bits do not fit into guard, which has 8; hint: take some, as in (x)[7:0]"
    );
}
