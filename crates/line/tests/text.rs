//! Lines as text: what is written is read back, and nothing else is.

use rhomb_line::{Address, Array, Line, Logic, Op, Source, Term, Value, run};
use rhomb_machine::{Concrete, Random};

/// What the module's documentation shows is read, and written in the same way.
#[test]
fn the_documented_form_is_true() {
    let shown = include_str!("../src/text.rs").lines().map_while(|line| line.strip_prefix("//!"));
    let mut text = String::new();
    for row in shown.skip_while(|row| row.trim() != "```text").skip(1).take_while(|row| row.trim() != "```") {
        let row = &row[1..];
        let indented = row.len() - row.trim_start().len();
        let end = row[indented..].find("  ").map_or(row.len(), |end| indented + end);
        text.push_str(&row[..end]);
        text.push('\n');
    }
    let line: Line = text.parse().unwrap();
    assert_eq!(line.ops.len(), 16);
    assert_eq!(line.to_string(), text);
}

/// An operation on values that are there.
fn op(line: &mut Line, random: &mut Random) -> Op {
    let mut below = |most: usize| random.index(most);
    let old: Vec<Value> = (0..2).map(|_| Value(below(line.values))).collect();
    let [x, y] = [old[0], old[1]];
    let at = Address { array: Array::ALL[below(4)], index: below(8) };
    let [carry_in, carry_out, flag, other] = [0; 4].map(|_| below(2) == 0);
    let number = [0, 1, 0x7f, 0xffff_ffff][below(4)];
    let logic = Logic::ALL[below(3)];
    let places = 1 + below(31) as u32;
    let words = below(4);
    let kind = below(21);
    let source = [Source::Value(x), Source::Memory(at), Source::Number(number)][below(3)];
    let to = line.value();
    if flag {
        line.homes.insert(to, at);
    }
    if carry_in {
        line.bits.insert(to);
    }
    if carry_out {
        line.masks.insert(to);
    }
    match kind {
        0 => Op::Load { to, from: at },
        1 => Op::Store { from: x, to: at },
        2 => Op::Number { to, number },
        3 => Op::Multiply { low: to, high: line.value(), x, y },
        4 => Op::Low { to, x, y },
        5 => Op::Add { to, x, y: other.then_some(y), carry_in, carry_out },
        6 => Op::Subtract { to, x, y: other.then_some(y), carry_in, carry_out },
        7 => Op::Spread { to, borrow: other },
        8 => Op::Sign { to, x },
        9 => Op::Not { to, x },
        10 => Op::Mask { to, x, bits: number },
        11 => Op::Negate { to, x },
        12 => Op::Logic { to, logic, x, y },
        13 => Op::Halve { to, x, carry_in, carry_out },
        14 => Op::Shift { low: other.then_some(to), high: flag.then(|| line.value()), x, places },
        15 => Op::Clear,
        16 => Op::Term(Term { minus: other, word: source, factor: None }),
        17 => Op::Term(Term { minus: other, word: Source::Value(x), factor: Some(source) }),
        18 => Op::Carryless { x, y },
        19 => Op::Peek { to },
        _ => Op::Take { to: other.then_some(to), words },
    }
}

/// Operations of all kinds.
fn line(random: &mut Random) -> Line {
    let mut line = Line::default();
    for index in 0..4 {
        line.load(Address { array: Array::A, index });
    }
    for _ in 0..60 {
        let before = line.values;
        let op = op(&mut line, random);
        line.ops.push(op);
        let made: Vec<Value> = op.makes().into_iter().flatten().collect();
        // values that nothing makes are not for the operations that follow
        if (before..line.values).any(|value| !made.contains(&Value(value))) {
            line.values = before;
            line.homes.retain(|value, _| value.0 < before);
            line.bits.retain(|value| value.0 < before);
            line.masks.retain(|value| value.0 < before);
            if made.is_empty() {
                continue;
            }
            line.ops.pop();
        }
    }
    line
}

#[test]
fn what_is_written_is_read() {
    let mut random = Random::new(7);
    for _ in 0..300 {
        let line = line(&mut random);
        let read: Line = line.to_string().parse().unwrap();
        assert_eq!(read, line, "{line}");
        let words = |random: &mut Random| -> Vec<u32> { random.extreme_words(8) };
        let arrays = [0; 4].map(|_| words(&mut random));
        let [one, other] = [&line, &read].map(|line| {
            let mut arrays = arrays.clone();
            run(line, &mut Concrete::<u32>::new(), &mut arrays);
            arrays
        });
        assert_eq!(one, other, "{line}");
    }
}

#[test]
fn what_is_no_line_is_refused() {
    let refused = [
        (
            "v0 = a[0]\nv1 = v0 plus v0",
            "line 2: `v1 = v0 plus v0` is no operation; valid: as in `v2 carry = v0 + v1`",
        ),
        ("v0 = c[0]", "line 1: `v0 = c[0]` is no operation; valid: as in `v2 carry = v0 + v1`"),
        ("v0 carry = a[0]", "line 1: `v0 carry = a[0]` is no operation; valid: as in `v2 carry = v0 + v1`"),
        ("_ = a[0]", "line 1: `_ = a[0]` is no operation; valid: as in `v2 carry = v0 + v1`"),
        ("v0 = take 0", "line 1: `v0 = take 0` is no operation; valid: as in `v2 carry = v0 + v1`"),
        ("v0 = 19", "line 1: `v0 = 19` is no operation; valid: as in `v2 carry = v0 + v1`"),
        ("=", "line 1: `=` is no operation; valid: as in `v2 carry = v0 + v1`"),
        ("r[0] = v0", "line 1: v0 is read before it is made"),
        ("column\n  + v0 * b[1]", "line 2: v0 is read before it is made"),
        ("v0 = a[0]\n\nv0 = a[1]", "line 3: v0 is made twice"),
    ];
    for (text, message) in refused {
        assert_eq!(text.parse::<Line>().unwrap_err().to_string(), message, "{text}");
    }
}
