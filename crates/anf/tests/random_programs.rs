//! Random lists of the domain's operations, compared with numbers.

use rhomb_anf::{Bit, NormalForms, Word};
use rhomb_machine::{Concrete, Domain, Limb, Random};

/// Words and bits that a list of operations leaves.
struct State<D: Domain> {
    domain: D,
    words: Vec<D::Word>,
    bits: Vec<D::Bit>,
}

impl<D: Domain> State<D> {
    /// The operation that the random numbers choose; the same for every domain.
    fn step(&mut self, random: &mut Random) {
        let width = self.domain.bits();
        let (x, y) =
            (&self.words[random.index(self.words.len())], &self.words[random.index(self.words.len())]);
        let (b, c) = (&self.bits[random.index(self.bits.len())], &self.bits[random.index(self.bits.len())]);
        let (place, constant) = (random.index(width as usize) as u32, random.bits());
        let d = &mut self.domain;
        let mut words = Vec::new();
        let mut bits = Vec::new();
        match random.index(24) {
            0 => {
                let (sum, carry) = d.add(x, y, b);
                words.push(sum);
                bits.push(carry);
            }
            1 => {
                let (difference, borrow) = d.sub(x, y, b);
                words.push(difference);
                bits.push(borrow);
            }
            2 => {
                let (low, high) = d.mul(x, y);
                words.extend([low, high]);
            }
            3..=5 => {
                let (low, high) = d.carryless_mul(x, y);
                words.extend([low, high]);
            }
            6 => words.push(d.and(x, y)),
            7 => words.push(d.or(x, y)),
            8..=10 => words.push(d.xor(x, y)),
            11 => {
                let (half, out) = d.shift_right(x, b);
                words.push(half);
                bits.push(out);
            }
            12 => words.push(d.rotate_left(x, place)),
            13 => {
                let (low, high) = d.split(x, place);
                words.extend([low, high]);
            }
            14 => {
                let (low, high) = d.shift_left(x, place);
                words.extend([low, high]);
            }
            15 => bits.push(d.bit_of(x, place)),
            16 => words.push(d.with_bit(x, place, b)),
            17 => bits.push(d.is_zero(x)),
            18 => bits.push(d.carry_into(place, x, y, x)),
            19 => words.push(d.select(b, x, y)),
            20 => bits.extend([d.bit_and(b, c), d.bit_or(b, c), d.bit_xor(b, c), d.bit_not(b)]),
            21 => {
                let mask = d.word(constant & constant >> 7);
                words.push(d.and(x, &mask));
            }
            22 => {
                let word = d.word(constant);
                words.push(d.xor(x, &word));
            }
            _ => {
                let word = d.word(constant & 7);
                let (low, high) = d.mul(x, &word);
                words.extend([low, high]);
            }
        }
        self.words.extend(words);
        self.bits.extend(bits);
    }
}

fn run<D: Domain>(domain: D, inputs: impl Fn(&mut D) -> Vec<D::Word>, seed: u64, steps: usize) -> State<D> {
    let mut domain = domain;
    let words = inputs(&mut domain);
    let bits = vec![domain.bit(false), domain.bit(true), domain.bit_of(&words[0], 1)];
    let mut state = State { domain, words, bits };
    let mut random = Random::new(seed);
    (0..steps).for_each(|_| state.step(&mut random));
    state
}

/// Bits that are told, of all.
fn check<W: Limb>(seed: u64) -> (usize, usize) {
    let mut forms =
        run(NormalForms::new(W::BITS, 3_000_000), |d| vec![d.input(), d.input(), d.input()], seed, 24);
    let mut random = Random::new(seed ^ 0xabcd);
    let (mut told, mut all) = (0, 0);
    for _ in 0..6 {
        let values: [u64; 3] = std::array::from_fn(|_| W::truncate(random.bits()).to_u64());
        let numbers = run(Concrete::<W>::new(), |_| values.map(W::truncate).to_vec(), seed, 24);
        let is_one = |number: u16| {
            let place = u32::from(number - 1);
            values[(place / W::BITS) as usize] >> (place % W::BITS) & 1 == 1
        };
        let mut compare = |bit: &Bit, expected: bool| {
            all += 1;
            let value = match bit {
                Bit::Known(value) => *value,
                Bit::Form(form) => form.evaluate(is_one),
                Bit::Unknown(_) | Bit::Carry(_) => return,
            };
            told += 1;
            assert_eq!(value, expected, "seed {seed}, {bit:?}");
        };
        for (word, number) in forms.words.clone().iter().zip(&numbers.words) {
            for (place, bit) in forms.domain.bits_of(word).iter().enumerate() {
                compare(bit, number.to_u64() >> place & 1 == 1);
            }
        }
        for (bit, expected) in forms.bits.iter().zip(&numbers.bits) {
            compare(bit, *expected);
        }
    }
    (told, all)
}

#[test]
fn forms_have_the_values_of_the_words() {
    let (mut told, mut all) = (0, 0);
    for seed in 0..400 {
        for (some, of) in [check::<u8>(seed), check::<u16>(seed), check::<u32>(seed)] {
            told += some;
            all += of;
        }
    }
    // a domain that tells nothing would pass, too
    assert!(told * 2 > all, "{told} of {all}");
}

#[test]
fn arbitrary_words_are_told_apart() {
    let mut d = NormalForms::new(32, 1000);
    let (x, y) = (d.arbitrary(), d.arbitrary());
    assert!(d.same(&x, &x) && !d.same(&x, &y));
    let sum = d.xor(&x, &y);
    assert!(!d.same(&sum, &x) && d.known_word(&sum).is_none());
    assert_eq!(d.xor(&x, &x), Word::Known(0));
}

#[test]
fn without_effort_nothing_is_told() {
    let mut d = NormalForms::new(32, 100);
    let (x, y) = (d.input(), d.input());
    let (low, _) = d.carryless_mul(&x, &y);
    let bits = d.bits_of(&low);
    assert!(matches!(bits[31], Bit::Unknown(_)) && matches!(bits[0], Bit::Form(_)));
}

/// A table of all multiples of x by polynomials below t^3: looked up by three bits of y, it gives a product.
#[test]
fn tables() {
    let mut d = NormalForms::new(32, 1_000_000);
    let (x, y) = (d.input(), d.input());
    let multiples: Vec<Word> = (0..8)
        .map(|factor| {
            let factor = d.word(factor);
            d.carryless_mul(&x, &factor).0
        })
        .collect();
    let (low, _) = d.split(&y, 3);
    let expected = d.carryless_mul(&x, &low).0;
    let (place, _) = d.shift_left(&low, 2);
    let table = d.pointer(3, 16, 0x1010, 0);
    let no = d.bit(false);
    let address = d.add(&table, &place, &no).0;
    assert_eq!(d.address(&[&address]), None);
    let (bits, addresses) = d.cases(&address).unwrap();
    let found: Vec<_> = addresses.iter().map(|address| d.address(&[address]).unwrap().1).collect();
    assert_eq!(found, (0..8).map(|entry| 0x1010 + 4 * entry).collect::<Vec<_>>());
    assert_eq!(d.chosen(&bits, &multiples), Some(expected));
    // one entry wrong
    let mut wrong = multiples.clone();
    wrong[5] = wrong[4].clone();
    let chosen = d.chosen(&bits, &wrong).unwrap();
    let expected = d.carryless_mul(&x, &low).0;
    assert!(!d.same(&chosen, &expected));
    // all of y is too much
    let anywhere = d.add(&table, &y, &no).0;
    assert!(d.cases(&anywhere).is_none());
}
