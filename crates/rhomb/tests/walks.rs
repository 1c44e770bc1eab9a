//! Walks that users write: read, made, simulated and proved as a method's, or refused with their place.

use rhomb::{Error, Order, Parameters, Proof, Request, WalkFile, generate, measure};
use rhomb_kernel::{Operation, Product, Row, Segment, Walk, method, text};
use rhomb_machine::Random;

const TARGETS: [(&str, usize); 8] = [
    ("atmega128", 8),
    ("arm7tdmi", 32),
    ("cortex-m0", 32),
    ("cortex-m4", 32),
    ("mips32-4km", 32),
    ("mips32-ise", 32),
    ("ibex-fast", 32),
    ("tms320vc5510", 16),
];

fn request(target: &str, bits: usize, text: &str) -> Request {
    let walk = Some(WalkFile { name: "own.walk".to_owned(), text: text.to_owned() });
    Request { operation: "mul".to_owned(), bits, target: target.to_owned(), walk, ..Request::default() }
}

fn refused(request: &Request) -> Error {
    measure(request).err().unwrap()
}

/// A method's walk as text, taken back, is the same routine.
#[test]
fn a_methods_walk_as_a_file_takes_as_long() {
    for (target, word_bits) in TARGETS.into_iter().step_by(rhomb_oracles::sample(2, 1)) {
        let words = 6;
        let parameters = Parameters { cache: Some(2), carry_once: Some(2), ..Parameters::default() };
        let caching = method(Operation::Mul, "operand-caching").unwrap();
        let walk = text::written(&caching.walk(words, &parameters).unwrap());
        let own = Request { parameters, ..request(target, words * word_bits, &walk) };
        let by_name = Request { walk: None, method: Some("operand-caching".to_owned()), ..own.clone() };
        let own = generate(&own).unwrap().report;
        // UMAAL's own order is no walk's
        assert_ne!(own.accumulation, Some("tied"), "{target}");
        let accumulation = own.accumulation.map(str::to_owned);
        let by_name = generate(&Request { accumulation, ..by_name }).unwrap().report;
        assert_eq!((own.proof, own.cycles), (Proof::Proved, by_name.cycles), "{target}");
        assert_eq!(own.method, Some("walk"));
        assert_eq!(own.parameters["walk"], "own.walk");
    }
}

/// Rows one after the other, the products of each in any order.
fn shuffled(words: usize, random: &mut Random) -> String {
    let row = |i: usize| {
        let mut products: Vec<Product> = (0..words).map(|j| Product { i, j }).collect();
        for at in (1..words).rev() {
            products.swap(at, random.index(at + 1));
        }
        Row { first_column: i, segments: vec![Segment { products, finishes: words }] }
    };
    let rows = (0..words).map(row).collect();
    text::written(&Walk { words, rows, pool: 2, carry_once: 1 })
}

#[test]
fn products_of_a_row_may_come_in_any_order() {
    let mut random = Random::new(1);
    for (target, word_bits) in TARGETS {
        let text = shuffled(4, &mut random);
        let made = generate(&request(target, 4 * word_bits, &text));
        let made = made.unwrap_or_else(|error| panic!("{target}: {error}\n{text}"));
        assert_eq!(made.report.proof, Proof::Proved, "{target}\n{text}");
        assert!(made.command_line.contains(" --walk own.walk --cache "), "{}", made.command_line);
    }
}

#[test]
fn what_is_no_walk_is_refused_with_its_place() {
    let error = refused(&request("atmega128", 16, "(0,0) (0,1)\n\n(1,0) (1,2)"));
    assert_eq!(error.fault, "own.walk, line 3, column 7: (1,2) has word 2; valid: 0 to 1");
    assert!(error.hint.contains("operands have 2 words here"), "{}", error.hint);
    let good = "(0,0) (0,1)\n\n(1,0) (1,1)";
    let square = Request { operation: "sqr".to_owned(), ..request("atmega128", 16, good) };
    assert_eq!(refused(&square).fault, "sqr has no --walk; valid: mul");
    let field = Request {
        operation: "modmul".to_owned(),
        modulus: Some("p192".to_owned()),
        ..request("atmega128", 0, good)
    };
    assert!(refused(&field).fault.starts_with("modmul has no --walk; valid: "));
    let both = Request { method: Some("hybrid".to_owned()), ..request("atmega128", 16, good) };
    assert!(refused(&both).fault.contains("--method hybrid and --walk both say the rows"));
    let orders = rhomb::Orders::of(&[Order::Down]);
    let ordered = Request {
        parameters: Parameters { orders, ..Parameters::default() },
        ..request("atmega128", 16, good)
    };
    assert!(refused(&ordered).fault.contains("method walk has no --orders"));
    let looped = Request { form: Some("looped".to_owned()), ..request("atmega128", 16, good) };
    assert!(refused(&looped).fault.contains("unrolled"), "{}", refused(&looped));
    let mut named = request("atmega128", 16, good);
    named.walk.as_mut().unwrap().name = "a\n b".to_owned();
    assert!(refused(&named).fault.contains("letters, digits"));
    assert!(refused(&request("attiny85", 16, good)).fault.contains("no multiplication instruction"));
}
