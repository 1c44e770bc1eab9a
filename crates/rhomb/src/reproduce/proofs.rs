//! The papers' formulas against counts on real schedules, for all sizes up to 40 words: the corrected forms
//! are equal to the counts, the printed ones exactly where it says here.

use super::count::count;
use rhomb_papers::Fraction;
use rhomb_papers::formulas::hutter_wenger as hw;
use rhomb_papers::formulas::seo_kim::{self as sk, Narrow};
use rhomb_papers::tables::{Afresh, Count, Way};

const MOST_WORDS: i64 = 40;
const MOST_CACHE: i64 = 12;
const MOST_GROUP: i64 = 8;

fn way(method: &'static str, words: i64) -> Way {
    Way { method, words, cache: None, carry_once: None, rows: None, initial_block: None, parts: None }
}

fn scanning(method: &'static str, words: i64, c: i64) -> Way {
    Way { cache: Some(1), carry_once: Some(c), ..way(method, words) }
}

fn hybrid(words: i64, d: i64) -> Way {
    Way { rows: Some(d), ..way("hybrid", words) }
}

fn caching(words: i64, e: i64, c: i64) -> Way {
    Way {
        cache: Some(e),
        carry_once: Some(c),
        initial_block: Some(words % e),
        ..way("operand-caching", words)
    }
}

fn consecutive(words: i64, e: i64, c: i64, narrow: Narrow) -> Way {
    let initial_block = if narrow == Narrow::First { words % e } else { e };
    Way { method: "consecutive-operand-caching", initial_block: Some(initial_block), ..caching(words, e, c) }
}

/// The count, which must be there.
fn counted(way: &Way, what: Count) -> i64 {
    count(way, what).unwrap_or_else(|| panic!("{way:?}, {what:?}"))
}

/// All numbers of words with all numbers of words in registers.
fn sizes() -> impl Iterator<Item = (i64, i64)> {
    (1..=MOST_WORDS).flat_map(|n| (1..=MOST_CACHE.min(n)).map(move |e| (n, e)))
}

#[test]
fn equations_1_and_2_are_exact_and_their_bounds_hold_only_without_remainder() {
    let mut wrong = 0;
    for (n, e) in sizes() {
        let loads = counted(&caching(n, e, 1), Count::Loads(Afresh::Row));
        let stores = counted(&caching(n, e, 1), Count::Stores);
        assert_eq!((hw::loads(n, e), hw::stores(n, e)), (loads, stores), "n {n}, e {e}");
        assert_eq!(counted(&caching(n, e, 1), Count::Accesses(Afresh::Row)), loads + stores);
        assert_eq!(hw::bound_of_loads(n, e), Fraction::from(loads), "n {n}, e {e}");
        assert_eq!(hw::bound_of_stores(n, e), Fraction::from(stores), "n {n}, e {e}");
        let holds = Fraction::from(loads) <= hw::printed_bound_of_loads(n, e);
        assert_eq!(holds, n % e == 0, "n {n}, e {e}");
        assert_eq!(Fraction::from(stores) <= hw::printed_bound_of_stores(n, e), n % e == 0, "n {n}, e {e}");
        // what does bound them
        assert!(Fraction::from(loads) <= hw::printed_bound_of_loads(n, e) + Fraction::new(e, 2));
        assert!(Fraction::from(stores) <= hw::printed_bound_of_stores(n, e) + Fraction::new(e, 4));
        wrong += usize::from(!holds);
    }
    assert_eq!(wrong, 293);
}

#[test]
fn table_1_is_exact_for_every_part() {
    for (n, e) in sizes() {
        for p in 0..hw::rows(n, e) {
            for (part, expected) in hw::parts(n, e, p).into_iter().enumerate() {
                let loads = counted(&caching(n, e, 1), Count::PartLoads { p, part });
                let stores = counted(&caching(n, e, 1), Count::PartStores { p, part });
                assert_eq!((loads, stores), expected, "n {n}, e {e}, p {p}, part {part}");
            }
        }
    }
}

#[test]
fn table_2_is_exact_but_for_operand_scanning_and_ragged_blocks() {
    for n in 1..=MOST_WORDS {
        let scan = scanning("operand-scanning", n, 1);
        assert_eq!(counted(&scan, Count::Loads(Afresh::Row)), hw::operand_scanning_loads(n));
        assert_eq!(counted(&scan, Count::Stores), hw::operand_scanning_stores(n));
        let accesses = counted(&scan, Count::Accesses(Afresh::Row));
        assert_eq!(accesses, 3 * n * n + n);
        assert_eq!(hw::printed_operand_scanning_accesses(n) - accesses, n);
        let columns = Way { carry_once: None, ..scanning("product-scanning", n, 1) };
        assert_eq!(counted(&columns, Count::Loads(Afresh::Column)), hw::product_scanning_loads(n));
        assert_eq!(counted(&columns, Count::Stores), 2 * n);
        for d in 1..=n {
            let loads = counted(&hybrid(n, d), Count::Loads(Afresh::Column));
            assert_eq!(loads, hw::hybrid_loads(n, d), "n {n}, d {d}");
            assert_eq!(hw::printed_hybrid_loads(n, d) == loads, n % d == 0, "n {n}, d {d}");
            assert_eq!(counted(&hybrid(n, d), Count::Stores), 2 * n);
        }
    }
}

#[test]
fn equation_3_counts_the_registers_and_more_words_fit_only_for_d_above_1() {
    for e in 1..=MOST_CACHE {
        let registers = counted(&caching(MOST_WORDS, e, 1), Count::Registers);
        assert_eq!(registers, hw::registers(e), "e {e}");
        assert_eq!(hw::hybrid_rows(registers) < e, hw::hybrid_rows(registers) > 1 || e > 1, "e {e}");
    }
    for d in 1..=MOST_CACHE {
        assert_eq!(counted(&hybrid(MOST_WORDS, d), Count::Registers), hw::hybrid_registers(d), "d {d}");
    }
}

/// Where the registers are just those of both methods, `f = 3d + 2 = 2e + 3`, operand caching has more
/// accesses from `n = de` on.
#[test]
fn equation_4_does_not_hold_for_all_sizes() {
    let mut wrong = 0;
    for e in 1..=MOST_CACHE {
        let f = hw::registers(e);
        let d = hw::hybrid_rows(f);
        for n in 1..=400 {
            let holds = Fraction::from(hw::printed_hybrid_accesses_in(f, n)) > hw::printed_accesses_in(f, n);
            let same = f == hw::hybrid_registers(d);
            if n % d == 0 || !same {
                assert_eq!(holds, !same || n < d * e, "n {n}, e {e}, d {d}");
            }
            wrong += usize::from(!holds);
        }
        // and without rounding errors at the edges, counted: both divide n
        let n = d * e;
        if n <= MOST_WORDS {
            let left = counted(&hybrid(n, d), Count::Accesses(Afresh::Column));
            let right = counted(&caching(n, e, 1), Count::Accesses(Afresh::Row));
            assert_eq!(left > right, f != hw::hybrid_registers(d), "n {n}, e {e}");
        }
    }
    assert!(wrong > 0);
}

#[test]
fn operand_scanning_needs_the_ceiling() {
    for n in 1..=MOST_WORDS {
        assert_eq!(counted(&scanning("operand-scanning", n, 1), Count::Intermediates), n * n - n);
        assert_eq!(sk::operand_scanning_intermediates(n), n * n - n);
        assert_ne!(sk::printed_operand_scanning_intermediates(n), n * n - n);
        for c in 1..=MOST_GROUP {
            let additions = counted(&scanning("operand-scanning", n, c), Count::Additions);
            assert_eq!(sk::operand_scanning_additions(n, c), additions, "n {n}, c {c}");
            let printed = sk::printed_operand_scanning_additions(n, c);
            assert_eq!(printed == additions, n % c == 0 || n == 1, "n {n}, c {c}");
        }
    }
}

#[test]
fn the_hybrid_formula_counts_one_too_many_where_groups_fit_the_run() {
    for n in 1..=MOST_WORDS {
        for d in (1..=n).filter(|d| n % d == 0) {
            let words = counted(&hybrid(n, d), Count::BlockIntermediates);
            assert_eq!(sk::hybrid_intermediates(n, d), words, "n {n}, d {d}");
            for c in 1..=2 * n + 1 {
                let additions = counted(&hybrid(n, d), Count::BlockAdditions(c));
                assert_eq!(sk::hybrid_additions(n, d, c), additions, "n {n}, d {d}, c {c}");
                let whole_groups = |l: i64| c < l && l % c == 0;
                let right = n == d || !(whole_groups(d + 1) || whole_groups(2 * d + 1));
                assert_eq!(sk::printed_hybrid_additions(n, d, c) == additions, right, "n {n}, d {d}, c {c}");
            }
        }
    }
}

#[test]
fn operand_caching_has_runs_of_even_length_whatever_the_parity_of_e() {
    for (n, e) in sizes() {
        let words = counted(&caching(n, e, 1), Count::Intermediates);
        assert_eq!(sk::caching_intermediates(n, e), words, "n {n}, e {e}");
        assert_eq!(hw::intermediates(n, e), words, "n {n}, e {e}");
        for c in 1..=MOST_GROUP {
            let additions = counted(&caching(n, e, c), Count::Additions);
            assert_eq!(sk::caching_additions(n, e, c), additions, "n {n}, e {e}, c {c}");
        }
        let (additions, r) = (Fraction::from(sk::caching_additions(n, e, 2)), hw::rows(n, e));
        assert_eq!(additions, Fraction::new(3 * words, 2), "n {n}, e {e}");
        let even = e % 2 == 0;
        let printed = sk::printed_caching_additions(n, e) == additions;
        let sum = sk::printed_caching_additions_as_sum(n, e) == additions;
        assert_eq!(printed, r == 1 || (n % e != 0 && even), "n {n}, e {e}");
        assert_eq!(sum, r == 1 || even, "n {n}, e {e}");
    }
}

#[test]
fn consecutive_operand_caching_is_printed_wrong_but_for_even_words_with_remainder() {
    for (n, e) in sizes() {
        for narrow in [Narrow::First, Narrow::Last] {
            let words = counted(&consecutive(n, e, 1, narrow), Count::Intermediates);
            assert_eq!(sk::consecutive_intermediates(n, e, narrow), words, "n {n}, e {e}, {narrow:?}");
            let right = narrow == Narrow::Last || n % e == 0;
            assert_eq!(sk::printed_consecutive_intermediates(n, e) == words, right, "n {n}, e {e}");
            for c in 1..=MOST_GROUP {
                let additions = counted(&consecutive(n, e, c, narrow), Count::Additions);
                assert_eq!(sk::consecutive_additions(n, e, c, narrow), additions, "n {n}, e {e}, c {c}");
            }
        }
        // what the formula of cycles takes for the number of words
        let rows = n.unsigned_abs().div_ceil(e.unsigned_abs()) as i64;
        let last = sk::consecutive_intermediates(n, e, Narrow::Last);
        assert!(rows == 1 || last == n * rows + e * rows - 2 * n, "n {n}, e {e}");
        let additions = Fraction::from(sk::consecutive_additions(n, e, 2, Narrow::Last));
        let right = n % e != 0 && e % 2 == 0 && (n % 2 == 0 || hw::rows(n, e) == 1);
        assert_eq!(sk::printed_consecutive_additions(n, e) == additions, right, "n {n}, e {e}");
    }
}

#[test]
fn what_carry_once_saves_is_printed_right() {
    for i in 1..=MOST_WORDS {
        for s in 1..=i {
            assert_eq!(sk::advantage(i, s), sk::run(i, 1) - sk::run(i, s), "i {i}, s {s}");
        }
    }
}

/// The loads and stores behind the formula of cycles are those of the schedules, where `e` divides `n`.
#[test]
fn consecutive_operand_caching_keeps_words_at_every_change_of_row() {
    for (n, e) in sizes().filter(|(n, e)| n % e == 0) {
        let way = consecutive(n, e, 1, Narrow::First);
        let words = sk::consecutive_intermediates(n, e, Narrow::First);
        assert_eq!(counted(&way, Count::Stores), sk::consecutive_stores(n, e), "n {n}, e {e}");
        // rows that begin with empty registers load the e words of the contact again
        let afresh = counted(&way, Count::Loads(Afresh::Row));
        assert_eq!(afresh - sk::consecutive_loads(n, e), (hw::rows(n, e) - 1) * e, "n {n}, e {e}");
        // and the formula is made of these
        let others = sk::consecutive_others(n, e);
        let cycles =
            2 * (sk::consecutive_loads(n, e) + sk::consecutive_stores(n, e)) + 5 * n * n + 2 * words + others;
        assert_eq!(sk::consecutive_cycles(n, e, 1), Fraction::from(cycles), "n {n}, e {e}");
    }
}
