//! Hwang, Huang and Su: the formulas against algorithms that count, the prints against the formulas.

use rhomb_papers::Fraction;
use rhomb_papers::formulas::hwang_huang_su::{self as formula, Instructions};
use rhomb_papers::tables::{Cell, Paper};

fn cells(table: &str) -> Vec<Cell> {
    let tables = Paper::HwangHuangSu.tables();
    tables.into_iter().find(|one| one.name == table).expect("the table").cells
}

fn whole(value: i64) -> Fraction {
    Fraction::from(value)
}

/// Base instructions of algorithms that are run on words of 16 bits.
#[derive(Default)]
struct Machine {
    multiply: i64,
    add: i64,
    load: i64,
    store: i64,
}

impl Machine {
    fn load(&mut self, words: &[u64], index: usize) -> u64 {
        self.load += 1;
        words[index]
    }

    fn store(&mut self, words: &mut [u64], index: usize, value: u64) {
        self.store += 1;
        words[index] = value & 0xffff;
    }

    /// Algorithm 1 from step 2 on.
    fn classical(&mut self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let mut product = vec![0; a.len() + b.len()];
        for i in 0..b.len() {
            let word = self.load(b, i);
            let mut u = 0;
            for j in 0..a.len() {
                self.multiply += 1;
                self.add += 4; // two words each for p and u
                let sum = self.load(a, j) * word + self.load(&product, i + j) + u;
                self.store(&mut product, i + j, sum);
                u = sum >> 16;
            }
            self.store(&mut product, i + a.len(), u);
        }
        product
    }

    /// Algorithm 2, from word 0 without a carry; the sign says whether it subtracts. Gives the carry.
    fn add(&mut self, x: &mut [u64], y: &[u64], subtract: bool) -> u64 {
        let mut carry = 0;
        for i in 0..x.len() {
            self.add += 2;
            let (one, other) = (self.load(x, i), self.load(y, i));
            let sum = if subtract { 0x10000 + one - other - carry } else { one + other + carry };
            carry = if subtract { 1 - (sum >> 16) } else { sum >> 16 };
            self.store(x, i, sum);
        }
        carry
    }

    /// Algorithm 3 with one level, on halves whose sums have no carry.
    fn karatsuba(&mut self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let half = a.len() / 2;
        let (low, high) = (self.classical(&a[..half], &b[..half]), self.classical(&a[half..], &b[half..]));
        let (mut x, mut y) = (a[..half].to_vec(), b[..half].to_vec());
        assert_eq!((self.add(&mut x, &a[half..], false), self.add(&mut y, &b[half..], false)), (0, 0));
        let mut middle = self.classical(&x, &y);
        assert_eq!((self.add(&mut middle, &low, true), self.add(&mut middle, &high, true)), (0, 0));
        let mut product = [low, high].concat();
        let mut carry = self.add(&mut product[half..3 * half], &middle, false);
        // what the model forgets: the carry of the last addition
        for word in &mut product[3 * half..] {
            (*word, carry) = ((*word + carry) & 0xffff, (*word + carry) >> 16);
        }
        product
    }

    fn counts(&self) -> Instructions {
        let [multiply, add, load, store] = [self.multiply, self.add, self.load, self.store].map(whole);
        Instructions { multiply, add, load, store }
    }
}

fn value(words: &[u64]) -> u128 {
    words.iter().rev().fold(0, |value, word| value << 16 | u128::from(*word))
}

#[test]
fn tables_1_2_and_4_are_what_the_algorithms_take() {
    for s in [2usize, 4] {
        // words below 2^15, so that sums of halves have no carry
        let a: Vec<u64> = (1..=s as u64).map(|i| (i * 0x2468) & 0x7fff).collect();
        let b: Vec<u64> = (1..=s as u64).map(|i| (i * 0x1357 + 0x2abc) & 0x7fff).collect();
        let n = whole(s as i64);
        let mut machine = Machine::default();
        let product = machine.classical(&a, &b);
        assert_eq!(value(&product), value(&a) * value(&b));
        assert_eq!(machine.counts(), formula::classical(n));
        let mut machine = Machine::default();
        assert_eq!(value(&machine.karatsuba(&a, &b)), value(&a) * value(&b));
        assert_eq!(machine.counts(), formula::karatsuba(n));
        let mut machine = Machine::default();
        machine.add(&mut a.clone(), &b, false);
        assert_eq!(machine.counts(), formula::addition(n));
    }
}

#[test]
fn theorems_1_and_3_are_the_recursion_of_their_parts() {
    for s in 1..=256 {
        let n = whole(s);
        assert_eq!(formula::karatsuba(n).total(), formula::balanced(2, s));
        assert_eq!(formula::recursive(2, 0, s), formula::classical(n).total());
        for t in 2..=8 {
            assert_eq!(formula::recursive(t, 1, s), formula::balanced(t, s));
            let equal = vec![Fraction::new(s, t); t as usize];
            assert_eq!(formula::unbalanced(&equal), formula::balanced(t, s));
            assert_eq!(formula::printed_unbalanced(&equal), formula::balanced(t, s));
            // T(n, s) = t(t+1)/2 T(n-1, s/t) + 20(t-1)s
            for level in 0..3 {
                let parts = whole(t * (t + 1) / 2) * formula::recursive(t, level, s);
                let all = parts + whole(20 * (t - 1) * t * s);
                assert_eq!(formula::recursive(t, level + 1, t * s), all, "s {s}, t {t}, level {level}");
            }
        }
    }
}

#[test]
fn theorem_2_is_printed_right_for_two_parts_only() {
    for (x, y) in [(1, 3), (7, 5), (100, 1)] {
        let parts = [whole(x), whole(y)];
        assert_eq!(formula::printed_unbalanced(&parts), formula::unbalanced(&parts));
    }
    let parts = [2, 1, 1].map(whole);
    // by hand: 36 + 3 * 132 for the long part (its own product, and two pairs of 132 + 80), 10 + 10 + 10 + 40
    assert_eq!(formula::unbalanced(&parts), whole(36 + 2 * (36 + 80) + 2 * 10 + 10 + 40));
    assert_ne!(formula::printed_unbalanced(&parts), formula::unbalanced(&parts));
}

#[test]
fn the_levels_are_the_best_of_all_and_the_printed_ones_are_not() {
    let mut wrong = Vec::new();
    for t in 2..=8i64 {
        for s in 1..=2048 {
            let most = (0..).take_while(|n| t.pow(*n) <= s).count() as u32;
            let of = |n| formula::recursive(t, n, s);
            let best = (0..most).map(of).min().expect("0 levels at least");
            assert_eq!(of(formula::levels(t, s)), best, "s {s}, t {t}");
            if t == 2 && s > 1 && of(formula::printed_levels(s)) != best {
                wrong.push(s);
            }
        }
    }
    assert_eq!(wrong.len(), 1093);
    let ranges = [(11, 14), (22, 29), (43, 59), (85, 118), (169, 236), (337, 473), (673, 947), (1345, 1894)];
    let expected: Vec<i64> = ranges.into_iter().flat_map(|(first, last)| first..=last).collect();
    assert_eq!(wrong, expected);
    for s in wrong {
        assert_eq!(formula::levels(2, s), formula::printed_levels(s) + 1);
    }
}

#[test]
fn fifty_of_the_56_cells_of_tables_5_and_6_come_out_of_the_formulas() {
    // what the paper does not have stands below what it prints
    let mut all: Vec<Cell> = [cells("5"), cells("6")].concat();
    all.retain(|cell| cell.published.is_some());
    let difference = |cell: &Cell| cell.published.expect("printed") - cell.formula.expect("a formula");
    let count = |less: i64| all.iter().filter(|cell| difference(cell) == whole(less)).count();
    // down, up, and one below a whole product
    assert_eq!((all.len(), count(0), count(1), count(-1)), (56, 46, 3, 1));
    assert_eq!(all.iter().filter(|cell| cell.note.contains("rounded up")).count(), 3);
    let rest: Vec<String> = all
        .iter()
        .filter_map(|cell| {
            let (_, rest) = cell.note.split_once("off the product by ")?;
            Some(format!("{}, {}: {rest}", cell.row, cell.column))
        })
        .collect();
    let expected = [
        "classical multiplication, 1024 bits: +2.2",
        "classical multiplication, 2048 bits: +1.6",
        "balanced 2-way split, 256 bits: -13.4",
        "balanced 2-way split, 512 bits: -1",
        "balanced 2-way split, 1024 bits: +59.8",
        "balanced 2-way split, 2048 bits: +371.8",
        "recursive balanced 2-way split, 256 bits: -13.4",
    ];
    assert_eq!(rest, expected);
    assert!(cells("6").iter().all(|cell| cell.published == cell.formula));
}

#[test]
fn tables_7_to_9_follow_from_table_5() {
    let off = |table: &str| -> Vec<(String, String)> {
        let cells = cells(table).into_iter().filter(|cell| cell.published != cell.formula);
        cells.map(|cell| (cell.row, cell.column)).collect()
    };
    assert!(off("8").is_empty() && off("9").is_empty());
    let of_seven = off("7");
    // no closed form for CIOS and 3072 bits, and one cell that has another column of table 5
    assert_eq!(of_seven.iter().filter(|(row, _)| row == "CIOS").count(), 5);
    let rest: Vec<_> =
        of_seven.iter().filter(|(row, _)| row != "CIOS").map(|(_, bits)| bits.as_str()).collect();
    assert_eq!(rest, ["3072 bits", "4096 bits", "3072 bits"]);
    let cell = cells("7").into_iter().find(|cell| cell.note.contains("4-way")).expect("the cell");
    assert_eq!((cell.row.as_str(), cell.formula), ("KCM", Some(whole(488_457))));
}

#[test]
fn theorems_5_and_6_have_no_counter_example_and_theorem_7_has() {
    let numbers: Vec<_> = cells("theorems")
        .into_iter()
        .filter(|cell| cell.column == "number")
        .map(|cell| cell.formula)
        .collect();
    assert_eq!(numbers, [0, 0, 1093].map(|number| Some(whole(number))));
}
