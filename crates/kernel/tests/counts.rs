//! Memory accesses of real schedules against the papers' formulas.

use rhomb_kernel::{Operation, Parameters, Schedule, method};

fn schedule(name: &str, words: usize, slots: usize, parameters: Parameters) -> Schedule {
    let walk = method(Operation::Mul, name).unwrap().walk(words, &parameters).unwrap();
    walk.validate().unwrap();
    Schedule::new(&walk, slots, 0)
}

/// Hutter and Wenger 2020, equations (1) and (2). The stores are exact; the equation's loads assume
/// that no row finds a word of the row before, so real ones are at most these; where there is a single
/// row change and `e` divides `n`, exactly `e` words are kept.
#[test]
fn operand_caching_needs_at_most_the_published_accesses() {
    for n in 1..=40 {
        for e in 1..=12.min(n) {
            let parameters = Parameters { cache: Some(e), carry_once: Some(1), ..Parameters::default() };
            let accesses = schedule("operand-caching", n, 2 * e, parameters).accesses();
            let r = n / e;
            let loads = 2 * n + 4 * r * n - 2 * e * r * r - 2 * e * r;
            let stores = 2 * n + 2 * r * n - e * r * r - e * r;
            let intermediates = 2 * r * n - e * r * (r + 1);
            assert_eq!(accesses.stores, stores, "n {n}, e {e}");
            assert_eq!(accesses.intermediate_loads, intermediates, "n {n}, e {e}");
            // the block of side q takes 2q operand loads in the formula and in truth
            let measured = accesses.operand_loads + accesses.intermediate_loads;
            assert!(measured <= loads, "n {n}, e {e}: {measured} > {loads}");
            if r == 2 && n % e == 0 {
                assert_eq!(measured, loads - e, "n {n}, e {e}");
            }
        }
    }
}

#[test]
fn product_scanning_with_two_registers_saves_a_load_a_column() {
    for n in 1..=40 {
        let accesses = schedule("product-scanning", n, 2, Parameters::default()).accesses();
        assert_eq!(accesses.operand_loads, 2 * n * n - (2 * n - 2), "n {n}");
        assert_eq!((accesses.stores, accesses.intermediate_loads), (2 * n, 0));
        let accesses = schedule("product-scanning", n, 2 * n, Parameters::default()).accesses();
        assert_eq!(accesses.operand_loads, 2 * n);
    }
}

#[test]
fn operand_scanning() {
    for n in 1..=40 {
        for c in 1..=n {
            let parameters = Parameters { carry_once: Some(c), ..Parameters::default() };
            let accesses = schedule("operand-scanning", n, 2, parameters).accesses();
            assert!(accesses.operand_loads <= n * n + n, "n {n}, c {c}");
            assert_eq!(accesses.intermediate_loads, n * n - n);
            assert_eq!(accesses.stores, n * n + n);
        }
    }
}

#[test]
fn hybrid_loads_two_operand_words_a_block_row() {
    for n in 1..=40 {
        for d in 1..=n {
            let parameters = Parameters { rows: Some(d), ..Parameters::default() };
            let accesses = schedule("hybrid", n, d + 1, parameters).accesses();
            assert!(accesses.operand_loads <= 2 * n * n.div_ceil(d), "n {n}, d {d}");
            assert_eq!((accesses.stores, accesses.intermediate_loads), (2 * n, 0));
        }
    }
}

/// 70 loads and 60 stores at 160 bits with ten words of each operand (Seo and Kim 2013, table I).
#[test]
fn operand_caching_at_160_bits() {
    let accesses = schedule("operand-caching", 20, 20, Parameters::default()).accesses();
    assert_eq!((accesses.operand_loads + accesses.intermediate_loads, accesses.stores), (70, 60));
}
