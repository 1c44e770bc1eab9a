//! Products of two and four parts of q words each, as phases.
//!
//! Of two parts (one level): P = x0 y0, whose low half leaves at once; the differences in the places of x0 and y0; Q = x1 y1 on top of the
//! high half of P; the product of the differences, into whose registers the rest is added, so that the low half of P stays whole.
//!
//! Of four parts (two levels): the same for the low halves L, then for the differences of the halves M, then for the high halves H, which
//! ends with its words in registers, so that the highest words of the result are written once. Where M is subtracted is known before its
//! own parts are added up: they are complemented one by one, and the sum is not.
//!
//! A product of parts of eight words is by rows, or of two parts itself where its factors are not needed any more.

use super::Parts;
use super::plan::Plan;
use super::rows::{Rows, absolute, difference, product};
use super::sign::Sign;
use super::step::{Chain, HIGH, LOW, Name, Step, Writer, pairs};
use crate::assembler::{Assembler, X, Y, Z};
use crate::instructions::{Instruction, Op};

/// Where the arguments arrive: r, a, b.
const ARGUMENTS: [u8; 3] = [24, 22, 20];

/// The product of such parts.
pub(super) fn multiplication(parts: Parts, plan: Plan) -> Writer {
    let mut w = Writer::default();
    begin(&mut w);
    match parts.levels {
        1 => two(&mut w, parts.words, plan),
        _ => four(&mut w, parts.words, plan),
    }
    w
}

/// The arguments come to the pointers.
fn begin(w: &mut Writer) {
    for (to, from) in [X, Y, Z].into_iter().zip([ARGUMENTS[1], ARGUMENTS[2], ARGUMENTS[0]]) {
        w.step(Step::Plain(Instruction::dr(Op::Movw, to, from)));
    }
}

/// Words of an operand.
fn load(w: &mut Writer, to: &[Name], pointer: u8, at: usize, is_last: bool) {
    for (index, name) in to.iter().enumerate() {
        w.load(*name, pointer, at + index, is_last && index + 1 == to.len());
    }
}

/// The absolute values of the differences of parts, whose second ones are loaded on the way.
fn differences(
    w: &mut Writer,
    [x0, x1, y0, y1]: [&[Name]; 4],
    sign: Sign,
    mut before: impl FnMut(&mut Writer, usize),
) {
    let first = sign.first(LOW);
    before(w, 0);
    difference(w, x0, x1, first);
    sign.turn(w);
    before(w, 1);
    difference(w, y0, y1, HIGH);
    sign.join(w, first, HIGH);
}

/// The first half of the sum: the product of the differences, subtracted where the mask is set, gets q0 twice. What goes beyond is in R1.
fn add_once(w: &mut Writer, m: &[Name], q0: &[Name], mask: Name) {
    let k = HIGH;
    w.clear(k);
    m.iter().for_each(|word| w.two(Op::Eor, *word, mask));
    w.two(Op::Cp, k, mask);
    w.chain(Chain::AndAdd, m.iter().copied().zip(q0.iter().chain(q0).copied()));
    w.two(Op::Adc, k, mask);
}

/// The words of a number that R1 extends, which is -1, 0 or 1, and its sign.
fn sign(w: &mut Writer, to: Name) -> Name {
    w.step(Step::Copy { to, from: HIGH });
    w.one(Op::Asr, to);
    to
}

/// R1 and its sign are added to the highest words, with the carry.
fn extend(w: &mut Writer, q1: &[Name], sign: Name) {
    w.chain(
        Chain::AndAdd,
        q1.iter().enumerate().map(|(at, word)| (*word, if at == 0 { HIGH } else { sign })),
    );
}

/// Which factor of a product.
#[derive(Clone, Copy)]
enum Factor {
    X,
    Y,
}

/// Parts of a block and their products.
const PARTS: [&str; 3] = ["P", "Q", "M"];
const DIFFERENCES: &str = "differences";
const SUMS: &str = "sums";

/// A product by rows, by its number.
fn begin_product(w: &mut Writer, number: u32) {
    w.phase(number as usize / 3, PARTS[number as usize % 3]);
}

/// A product whose factors end with it, as the plan has it: by rows, or of two parts, whose sign is kept as it is said. `load` brings a word
/// of a factor, `after` learns which word of the lower half is complete.
fn last_product(
    w: &mut Writer,
    (plan, number): (Plan, u32),
    [x, y]: [&[Name]; 2],
    sign: impl FnOnce(&mut Writer) -> Sign,
    mut load: impl FnMut(&mut Writer, Factor, usize),
    mut after: impl FnMut(&mut Writer, usize, Name),
) -> Vec<Name> {
    let (q, rows) = (y.len(), plan.rows(number));
    let is_halved = plan.is_halved(number, q);
    begin_product(w, number);
    let h = if is_halved { q / 2 } else { q };
    (0..h).for_each(|at| load(w, Factor::Y, at));
    let before = |w: &mut Writer, row: usize| {
        load(w, Factor::X, row);
        x[row]
    };
    let mut words = product(w, &y[..h], None, rows, before, &mut after);
    if is_halved {
        let sign = sign(w);
        differences(w, [&x[..h], &x[h..], &y[..h], &y[h..]], sign, |w, operand| {
            let factor = [Factor::X, Factor::Y][operand];
            (h..q).for_each(|at| load(w, factor, at));
        });
        let sum = product(w, &y[h..], Some(&words[h..]), Rows::Narrow, |_, row| x[h + row], |_, _, _| ());
        let m = product(w, &y[..h], None, Rows::Narrow, |_, row| x[row], |_, _, _| ());
        words = Begun { sign, p: words, sum }.complete(w, &m);
        (h..q).for_each(|at| after(w, at, words[at]));
    }
    words
}

/// What is there before the product of the differences.
struct Begun {
    /// That of the differences.
    sign: Sign,
    /// The product of the low parts, whose low half is in the result, too.
    p: Vec<Name>,
    /// That of the high parts and the other half.
    sum: Vec<Name>,
}

impl Begun {
    /// The high half of the product of the high parts.
    fn q1(&self) -> &[Name] {
        &self.sum[self.sum.len() / 2..]
    }

    /// The product of the differences gets the first half of the sum, and R1 what goes beyond, whose sign it is.
    fn add_once(&self, w: &mut Writer, m: &[Name]) -> Name {
        let mask = self.sign.mask(w);
        add_once(w, m, &self.sum[..self.sum.len() / 2], mask);
        let above = w.name();
        sign(w, above)
    }

    /// The whole product, from that of the differences.
    fn complete(&self, w: &mut Writer, m: &[Name]) -> Vec<Name> {
        let sign = self.add_once(w, m);
        let (p0, q1) = (&self.p[..self.p.len() / 2], self.q1());
        w.chain(Chain::Add, pairs(m, &[p0, q1].concat()));
        extend(w, q1, sign);
        [p0, m, q1].concat()
    }
}

/// The product of the differences of the first block.
fn of_differences(w: &mut Writer, plan: Plan, [x, y]: &[Vec<Name>; 2], sign: Sign) -> Vec<Name> {
    last_product(w, (plan, 2), [x, y], |w| sign.another(w), |_, _, _| (), |_, _, _| ())
}

/// The products of the parts where X and Y point, and the differences; and whether these pointers are then free.
fn begun(w: &mut Writer, q: usize, plan: Plan, ends: [bool; 2]) -> (Begun, [Vec<Name>; 2]) {
    let [x, y, x1, y1] = [(); 4].map(|()| w.names(q));
    begin_product(w, 0);
    load(w, &y, Y, 0, false);
    let before = |w: &mut Writer, row: usize| {
        w.load(x[row], X, row, false);
        x[row]
    };
    let p = product(w, &y, None, plan.rows(0), before, |w, row, word| w.store(row, word));
    w.phase(0, DIFFERENCES);
    let sign = Sign::new(w, plan, 0);
    differences(w, [&x, &x1, &y, &y1], sign, |w, operand| match operand {
        0 => load(w, &x1, X, q, ends[0]),
        _ => load(w, &y1, Y, q, ends[1]),
    });
    begin_product(w, 1);
    let sum = product(w, &y1, Some(&p[q..]), plan.rows(1), |_, row| x1[row], |_, _, _| ());
    (Begun { sign, p, sum }, [x, y])
}

/// Two parts.
fn two(w: &mut Writer, q: usize, plan: Plan) {
    let (begun, factors) = begun(w, q, plan, [true; 2]);
    let m = of_differences(w, plan, &factors, begun.sign);
    w.phase(0, SUMS);
    let sign = begun.add_once(w, &m);
    let (p, q1) = (&begun.p, begun.q1());
    for (at, word) in m.iter().enumerate() {
        let (op, from) = match at {
            0 => (Op::Add, p[0]),
            at if at < q => (Op::Adc, p[at]),
            at => (Op::Adc, q1[at - q]),
        };
        w.two(op, *word, from);
        w.store(q + at, *word);
    }
    for (at, word) in q1.iter().enumerate() {
        w.two(Op::Adc, *word, if at == 0 { HIGH } else { sign });
        w.store(3 * q + at, *word);
    }
}

/// Words of a sum in two parts: those that are complete, and those above them.
struct Halves {
    low: Vec<Name>,
    high: Vec<Name>,
}

/// Four parts.
fn four(w: &mut Writer, q: usize, plan: Plan) {
    let h = 2 * q;
    // the pointers to the operands that do not stay, in words of the result that are written late
    let pointers = Pointers { plan, at: 3 * h - 4, half: h };
    pointers.keep(w);
    let l = low(w, q, plan);
    w.phase(3, DIFFERENCES);
    let (r, over) = middle(w, q, plan, &l.low, pointers);
    w.step(Step::Push { from: over });
    begin_product(w, 6);
    pointers.give_back(w);
    let High { t0, t1, carry, over } = match plan.has(Plan::LATE_HIGH) {
        true => late_high(w, q, plan, &l.high),
        false => high(w, q, plan, &l.high),
    };
    w.phase(3, SUMS);
    for (at, word) in r.low.iter().enumerate() {
        let to = w.name();
        let op = if at == 0 { Op::Add } else { Op::Adc };
        w.step(Step::Sum { op, x: *word, y: t0[at], to, at: (h + at) as u8 });
    }
    w.chain(Chain::AndAdd, pairs(&t0, &r.high));
    let over = over.unwrap_or_else(|| {
        let to = w.name();
        w.step(Step::Pop { to });
        to
    });
    w.two(Op::Adc, over, carry);
    let sign = signed(w, over);
    w.one(Op::Lsr, carry);
    for (at, (word, own)) in pairs(&t0, &t1).enumerate() {
        w.two(Op::Adc, word, own);
        w.store(2 * h + at, word);
    }
    for (at, word) in t1.iter().enumerate() {
        w.two(Op::Adc, *word, if at == 0 { over } else { sign });
        w.store(3 * h + at, *word);
    }
}

/// The pointers to the operands, in X and Y.
#[derive(Clone, Copy)]
struct Pointers {
    plan: Plan,
    /// Where they wait in the result, one behind the other.
    at: usize,
    /// Words of a half.
    half: usize,
}

impl Pointers {
    /// Those that do not stay in their registers: the pair, and where it waits.
    fn moved(self) -> impl Iterator<Item = (u8, usize)> {
        let all = [(X, Plan::HAS_X, self.at), (Y, Plan::HAS_Y, self.at + 2)];
        all.into_iter().filter(move |(_, bit, _)| !self.plan.has(*bit)).map(|(pair, _, at)| (pair, at))
    }

    fn hold(self, w: &mut Writer, held: bool) {
        self.moved().for_each(|(_, at)| w.step(Step::Hold { at: at as u8, count: 2, held }));
    }

    fn keep(self, w: &mut Writer) {
        for (pair, at) in self.moved() {
            for half in 0..2 {
                let register = pair + half as u8;
                w.step(Step::Plain(Instruction::rk(Op::StdZ, register, (at + half) as i32)));
            }
        }
        self.hold(w, true);
    }

    /// A pair points to its operand again; whether it had to be made free.
    fn find(self, w: &mut Writer, wanted: u8) -> bool {
        let found = self.moved().find(|(pair, _)| *pair == wanted);
        if let Some((pair, at)) = found {
            w.step(Step::Claim { pair });
            for half in 0..2 {
                let register = pair + half as u8;
                w.step(Step::Plain(Instruction::dk(Op::LddZ, register, (at + half) as i32)));
            }
        }
        found.is_some()
    }

    /// Both, X to the high half.
    fn give_back(self, w: &mut Writer) {
        if self.find(w, X) {
            w.step(Step::Plain(Instruction::dk(Op::Adiw, X, self.half as i32)));
        }
        self.find(w, Y);
        self.hold(w, false);
    }

    /// X back by the words of a half.
    fn back(self, w: &mut Writer) {
        w.step(Step::Plain(Instruction::dk(Op::Sbiw, X, self.half as i32)));
    }
}

/// The sign of a word as a mask. The carry is lost.
fn signed(w: &mut Writer, word: Name) -> Name {
    let to = w.name();
    w.step(Step::Copy { to, from: word });
    w.two(Op::Add, to, to);
    w.two(Op::Sbc, to, to);
    to
}

/// The product of the low halves: its low half is the result's.
fn low(w: &mut Writer, q: usize, plan: Plan) -> Halves {
    let ends = [Plan::HAS_X, Plan::HAS_Y].map(|bit| !plan.has(bit));
    let (begun, factors) = match plan.has(Plan::LATE_LOW) {
        false => begun(w, q, plan, ends),
        true => {
            let [x, y] = [(); 2].map(|()| w.names(q));
            let [p, sum] = streamed(w, q, 0, (plan, 0), |w, row, word, is_low| {
                if is_low {
                    w.store(row, word);
                }
            });
            w.phase(0, DIFFERENCES);
            let sign = Sign::new(w, plan, 0);
            late_differences(w, [&x, &y], 0, sign, ends);
            (Begun { sign, p, sum }, [x, y])
        }
    };
    let m = of_differences(w, plan, &factors, begun.sign);
    w.phase(0, SUMS);
    let mut words = begun.complete(w, &m);
    (q..2 * q).for_each(|at| w.store(at, words[at]));
    let high = words.split_off(2 * q);
    push(w, &high[plan.pushed(q)..]);
    Halves { low: words, high }
}

/// The product of the low parts, and that of the high parts with its high half, of words that are loaded for them alone: y from a distance
/// on. `after` learns which word of which is complete.
fn streamed(
    w: &mut Writer,
    q: usize,
    from: usize,
    (plan, number): (Plan, u32),
    mut after: impl FnMut(&mut Writer, usize, Name, bool),
) -> [Vec<Name>; 2] {
    let words = |w: &mut Writer, from: usize| {
        let [x, y] = [(); 2].map(|()| w.names(q));
        let (own_x, own_y) = (x.clone(), y.clone());
        let load = move |w: &mut Writer, factor: Factor, at: usize| match factor {
            Factor::X => w.load(own_x[at], X, at, false),
            Factor::Y => w.load(own_y[at], Y, from + at, false),
        };
        (x, y, load)
    };
    let (x, y, load) = words(w, from);
    let p = last_product(
        w,
        (plan, number),
        [&x, &y],
        |_| Sign::Bit,
        load,
        |w, row, word| after(w, row, word, true),
    );
    let (x, y, load) = words(w, from + q);
    (0..q).for_each(|at| load(w, Factor::Y, at));
    let before = |w: &mut Writer, row: usize| {
        load(w, Factor::X, row);
        x[row]
    };
    begin_product(w, number + 1);
    let sum = product(w, &y, Some(&p[q..]), plan.rows(number + 1), before, |w, row, word| {
        after(w, row, word, false)
    });
    [p, sum]
}

/// Both differences of parts, from words that X has passed and Y points to, as [`differences`]; and whether pointers are then free.
fn late_differences(w: &mut Writer, [x, y]: [&[Name]; 2], from: usize, sign: Sign, ends: [bool; 2]) {
    let q = x.len();
    w.step(Step::Plain(Instruction::dk(Op::Sbiw, X, 2 * q as i32)));
    let first = sign.first(HIGH);
    for (own, pointer, to, end) in [(x, X, first, ends[0]), (y, Y, LOW, ends[1])] {
        load(w, own, pointer, from, false);
        for (at, word) in own.iter().enumerate() {
            w.load(LOW, pointer, from + q + at, end && at + 1 == q);
            w.two(if at == 0 { Op::Sub } else { Op::Sbc }, *word, LOW);
        }
        absolute(w, own, to);
        if pointer == X {
            sign.turn(w);
        }
    }
    sign.join(w, first, LOW);
}

/// The product of the differences of the halves, with the sign that it has in the result, and l0: the second quarter, in memory, the
/// third, and the word above it, which is -1, 0 or 1.
fn middle(w: &mut Writer, q: usize, plan: Plan, l0: &[Name], pointers: Pointers) -> (Halves, Name) {
    let h = 2 * q;
    let mut of = |pair: u8| {
        let own = w.names(h);
        let is_moved = pointers.find(w, pair);
        if pair == X && !is_moved {
            pointers.back(w);
        }
        // of b the other way round, so that both signs together say where M is subtracted
        let [first, second] = if pair == X { [0, h] } else { [h, 0] };
        load(w, &own, pair, first, false);
        for (at, word) in own.iter().enumerate() {
            w.load(LOW, pair, second + at, is_moved && at + 1 == h);
            w.two(if at == 0 { Op::Sub } else { Op::Sbc }, *word, LOW);
        }
        let sign = w.name();
        absolute(w, &own, sign);
        if pair == X && !is_moved {
            pointers.back(w);
        }
        (own, sign)
    };
    let (x, negative) = of(X);
    let (y, other) = of(Y);
    w.two(Op::Eor, negative, other);
    let ([x0, x1], [y0, y1]) = ([&x[..q], &x[q..]], [&y[..q], &y[q..]]);
    begin_product(w, 3);
    let p = product(w, y0, None, plan.rows(3), |_, row| x0[row], |_, _, _| ());
    w.phase(1, DIFFERENCES);
    let kept = Sign::new(w, plan, 1);
    differences(w, [x0, x1, y0, y1], kept, |_, _| ());
    begin_product(w, 4);
    let sum = product(w, y1, Some(&p[q..]), plan.rows(4), |_, row| x1[row], |_, _, _| ());
    let (q0, q1) = sum.split_at(q);
    let m = last_product(w, (plan, 5), [x0, y0], |w| kept.another(w), |_, _, _| (), |_, _, _| ());
    w.phase(1, SUMS);
    let mask = kept.mask(w);
    w.two(Op::Eor, mask, negative);
    q0.iter().for_each(|word| w.two(Op::Eor, *word, negative));
    add_once(w, &m, q0, mask);
    let p0 = &p[..q];
    p0.iter().chain(q1).for_each(|word| w.two(Op::Eor, *word, negative));
    w.step(Step::Carry { from: negative });
    w.chain(Chain::AndAdd, pairs(&m, &[p0, q1].concat()));
    w.two(Op::Adc, HIGH, negative);
    let over = signed(w, HIGH);
    w.step(Step::Carry { from: negative });
    let mut second = Vec::with_capacity(h);
    for at in 0..q {
        let to = w.name();
        w.step(Step::Sum { op: Op::Adc, x: l0[at], y: p0[at], to, at: (h + at) as u8 });
        second.push(to);
    }
    for at in 0..q {
        w.two(Op::Adc, m[at], l0[q + at]);
        w.store(h + q + at, m[at]);
    }
    second.extend(&m[..q]);
    w.clear(LOW);
    m[q..].iter().for_each(|word| w.two(Op::Adc, *word, LOW));
    extend(w, q1, over);
    w.two(Op::Adc, over, negative);
    (Halves { low: second, high: [&m[q..], q1].concat() }, over)
}

/// The high halves' product: its low half with l1 and the carry, its high half, and what M carries over, where that left the stack.
struct High {
    t0: Vec<Name>,
    t1: Vec<Name>,
    carry: Name,
    over: Option<Name>,
}

/// The product of the high halves, in registers. What finds none in the meantime waits on the stack.
fn high(w: &mut Writer, q: usize, plan: Plan, l1: &[Name]) -> High {
    let h = 2 * q;
    let [mut x0, mut y0, x1, y1] = [(); 4].map(|()| w.names(q));
    // from here on these wait: words of the differences, and of the product of the high parts
    let [x_from, y_from] = [Plan::STAYS_X, Plan::STAYS_Y].map(|from| plan.stays(from, q));
    let is_loaded_twice = q > 6;
    let first = if is_loaded_twice { w.names(q) } else { x0.clone() };
    load(w, &y0, Y, h, false);
    let before = |w: &mut Writer, row: usize| {
        w.load(first[row], X, row, false);
        first[row]
    };
    let mut p = product(w, &y0, None, plan.rows(6), before, |w, _, word| {
        if !plan.has(Plan::KEPT) {
            w.step(Step::Push { from: word });
        }
    });
    w.phase(2, DIFFERENCES);
    if is_loaded_twice {
        w.step(Step::Plain(Instruction::dk(Op::Sbiw, X, q as i32)));
        load(w, &x0, X, 0, false);
        for (at, word) in x0.iter().enumerate() {
            w.load(LOW, X, q + at, false);
            w.two(if at == 0 { Op::Sub } else { Op::Sbc }, *word, LOW);
        }
    } else {
        load(w, &x1, X, q, true);
        w.chain(Chain::Sub, pairs(&x0, &x1));
    }
    let kept = Sign::new(w, plan, 2);
    let of_x = kept.first(LOW);
    absolute(w, &x0, of_x);
    kept.turn(w);
    if is_loaded_twice {
        w.step(Step::Plain(Instruction::dk(Op::Sbiw, X, q as i32)));
    }
    push(w, &x0[x_from..]);
    load(w, &y1, Y, h + q, true);
    difference(w, &y0, &y1, HIGH);
    kept.join(w, of_x, HIGH);
    push(w, &y0[y_from..]);
    let before = |w: &mut Writer, row: usize| {
        if is_loaded_twice {
            w.load(x1[row], X, q + row, row + 1 == q);
        }
        x1[row]
    };
    begin_product(w, 7);
    let mut sum = product(w, &y1, Some(&p[q..]), plan.rows(7), before, |_, _, _| ());
    pop(w, &mut y0[y_from..]);
    pop(w, &mut x0[x_from..]);
    push(w, &sum[q + x_from..]);
    push(w, &sum[y_from..q]);
    let m = last_product(w, (plan, 8), [&x0, &y0], |w| kept.another(w), |_, _, _| (), |_, _, _| ());
    w.phase(2, SUMS);
    let mask = kept.mask(w);
    pop(w, &mut sum[y_from..q]);
    add_once(w, &m, &sum[..q], mask);
    let sign = sign(w, LOW);
    pop(w, &mut sum[q + x_from..]);
    if !plan.has(Plan::KEPT) {
        pop(w, &mut p[..q]);
    }
    let (p0, q1) = (&p[..q], &sum[q..]);
    w.chain(Chain::Add, pairs(&m, &[p0, q1].concat()));
    extend(w, q1, sign);
    let t0 = [p0, &m[..q]].concat();
    w.chain(Chain::Add, pairs(&t0, l1));
    High { t0, t1: [&m[q..], q1].concat(), carry: as_word(w), over: None }
}

/// The same where the differences are formed late. Its parts' products wait on the stack, above what M carries over, until they are added.
fn late_high(w: &mut Writer, q: usize, plan: Plan, l1: &[Name]) -> High {
    let h = 2 * q;
    let [x, y, q1] = [(); 3].map(|()| w.names(q));
    let [_, sum] = streamed(w, q, h, (plan, 6), |w, _, word, _| push(w, &[word]));
    w.phase(2, DIFFERENCES);
    push(w, &sum[q..]);
    let kept = Sign::new(w, plan, 2);
    late_differences(w, [&x, &y], h, kept, [true; 2]);
    let m = last_product(w, (plan, 8), [&x, &y], |w| kept.another(w), |_, _, _| (), |_, _, _| ());
    w.phase(2, SUMS);
    let mask = kept.mask(w);
    m.iter().for_each(|word| w.two(Op::Eor, *word, mask));
    w.step(Step::Claim { pair: Y });
    let mut asm = Assembler::default();
    asm.read_sp(Y);
    asm.instructions().for_each(|one| w.step(Step::Plain(*one)));
    // distances from Y of the three numbers' lowest words
    let [own, above, low] = [q, 2 * q, 3 * q];
    let add = |w: &mut Writer, op: Op, to: Name, at: usize| {
        w.load(LOW, Y, at, false);
        w.two(op, to, LOW);
    };
    w.clear(HIGH);
    w.two(Op::Cp, HIGH, mask);
    m.iter().enumerate().for_each(|(at, word)| add(w, Op::Adc, *word, above - at % q));
    w.two(Op::Adc, HIGH, mask);
    let sign_word = w.name();
    let sign = sign(w, sign_word);
    m[..q]
        .iter()
        .enumerate()
        .for_each(|(at, word)| add(w, if at == 0 { Op::Add } else { Op::Adc }, *word, low - at));
    for (at, word) in m[q..].iter().enumerate() {
        w.load(q1[at], Y, own - at, false);
        w.two(Op::Adc, *word, q1[at]);
    }
    extend(w, &q1, sign);
    // of L's words the first one that was pushed lies highest
    let pushed = plan.pushed(q);
    let top = low + 1 + 2 * q - pushed;
    let mut l1_low = l1[..q].to_vec();
    for (at, word) in l1_low.iter_mut().enumerate() {
        if at >= pushed {
            *word = w.name();
            w.load(*word, Y, top - at, false);
        }
        add(w, if at == 0 { Op::Add } else { Op::Adc }, *word, low - at);
    }
    for (at, word) in m[..q].iter().enumerate() {
        match q + at >= pushed {
            true => add(w, Op::Adc, *word, top + pushed - q - at),
            false => w.two(Op::Adc, *word, l1[q + at]),
        }
    }
    let carry = as_word(w);
    let over = w.name();
    w.load(over, Y, low + 1, false);
    let mut asm = Assembler::default();
    asm.advance(Y, top as i32);
    asm.write_sp(Y);
    asm.instructions().for_each(|one| w.step(Step::Plain(*one)));
    w.step(Step::Release { pair: Y });
    High { t0: [&l1_low, &m[..q]].concat(), t1: [&m[q..], &q1].concat(), carry, over: Some(over) }
}

/// The carry as a word.
fn as_word(w: &mut Writer) -> Name {
    let word = w.zero();
    w.two(Op::Adc, word, word);
    word
}

/// Words go to the stack.
fn push(w: &mut Writer, words: &[Name]) {
    words.iter().for_each(|from| w.step(Step::Push { from: *from }));
}

/// Words come back from the stack, under names of their own.
fn pop(w: &mut Writer, words: &mut [Name]) {
    for word in words.iter_mut().rev() {
        *word = w.name();
        w.step(Step::Pop { to: *word });
    }
}
