//! How far the register file goes. The matrix takes every kernel that lowers; here stands what must.

use crate::matrix::kernels::{LARGEST, MOST_CARRY_ONCE, Request, everything, list};
use rhomb_avr::cores::core;
use rhomb_avr::lower::LowerError;
use rhomb_kernel::{Parameter, Parameters, walks};
use rhomb_oracles::sample;
use std::collections::BTreeSet;

const OPEN: Parameters = Parameters::OPEN;

/// Whether it lowers; anything else but too few registers fails.
fn fits(name: &str, words: usize, parameters: Parameters) -> bool {
    Request::new(name, words, parameters).fits(core("atmega128").unwrap()).is_some()
}

/// The largest value that fits, of those up to one more than the size (more are the same as the size).
/// None above it may fit.
fn limit(words: usize, fits: impl Fn(usize) -> bool) -> usize {
    let limit = (1..=words).take_while(|value| fits(*value)).count();
    assert!((limit + 1..=words).all(|value| !fits(value)), "fits again above {limit}");
    limit
}

#[test]
fn the_matrix_thins_out_no_parameter_value() {
    for words in 1..=LARGEST {
        for method in walks() {
            let list = list(method, words);
            let values = |parameter: Parameter| -> BTreeSet<usize> {
                list.iter().filter_map(|request| parameter.of(&request.parameters)).collect()
            };
            let cache =
                if method.name == "operand-scanning" { vec![1, 2, 4, 10] } else { (1..=10).collect() };
            let block = (1..=10).map(|cache| words.min(words % cache + cache)).max().unwrap_or(0);
            for parameter in method.parameters {
                let mixed = method.name == "mixed-operand-caching";
                let expected: BTreeSet<usize> = match parameter {
                    Parameter::NarrowStrip if mixed => (1..=2).collect(),
                    Parameter::CarryOnce if mixed => (1..=3).collect(),
                    Parameter::InitialBlock if mixed => (0..=words).collect(),
                    Parameter::NarrowStrip if words <= everything() => (1..=words).collect(),
                    Parameter::NarrowStrip => {
                        (1..=10.min(words)).map(|cache| 1 + words % (words / cache)).collect()
                    }
                    Parameter::Cache => cache.iter().copied().collect(),
                    // more at once do not pay, and the first strip is no wider than the others
                    Parameter::CarryOnce if method.name == "consecutive-operand-caching" => (1..=3).collect(),
                    Parameter::InitialBlock if method.name == "consecutive-operand-caching" => {
                        (0..=words.min(10)).collect()
                    }
                    Parameter::CarryOnce => (1..=words.clamp(3, MOST_CARRY_ONCE)).collect(),
                    Parameter::Rows => (1..=7).collect(),
                    Parameter::InitialBlock => (0..=block).collect(),
                    Parameter::Batch => panic!("{} is no squaring", method.name),
                    Parameter::Levels | Parameter::Parts | Parameter::Pairs => {
                        panic!("{} is no split", method.name)
                    }
                };
                assert_eq!(values(*parameter), expected, "{} {words} {}", method.name, parameter.name());
            }
        }
    }
}

#[test]
fn every_method_has_a_default_that_fits_every_size() {
    for method in walks() {
        for words in (1..=LARGEST).step_by(sample(3, 1)).chain([64, 256]) {
            assert!(fits(method.name, words, OPEN), "{} of {words} words", method.name);
        }
    }
}

#[test]
fn product_scanning_and_operand_caching_keep_up_to_10_words_of_each_operand() {
    for name in ["product-scanning", "operand-caching"] {
        for words in (1..=LARGEST).step_by(sample(3, 1)) {
            let limit =
                limit(words.min(14), |cache| fits(name, words, Parameters { cache: Some(cache), ..OPEN }));
            assert_eq!(limit, words.min(10), "{name} of {words} words");
        }
    }
    let refused = Request::new("operand-caching", 11, Parameters { cache: Some(11), ..OPEN });
    let error = refused.lower(core("atmega128").unwrap()).unwrap_err();
    assert!(matches!(error, LowerError::Registers { needed, available: 24 } if needed > 24), "{error}");
}

#[test]
fn more_cache_than_words_is_the_same_as_all_words() {
    for name in ["product-scanning", "operand-caching", "operand-scanning"] {
        for words in 1..=5 {
            let lower = |cache| {
                let request = Request::new(name, words, Parameters { cache: Some(cache), ..OPEN });
                request.lower(core("atmega128").unwrap())
            };
            assert_eq!(lower(11), lower(words), "{name} of {words} words");
        }
    }
}

#[test]
fn hybrid_has_up_to_7_rows() {
    for words in 1..=LARGEST {
        let limit =
            limit(words.min(12), |rows| fits("hybrid", words, Parameters { rows: Some(rows), ..OPEN }));
        assert_eq!(limit, words.min(7), "{words} words");
    }
}

#[test]
fn two_or_three_intermediates_fit_with_every_cache_and_initial_block() {
    for words in [1, 2, 3, 7, 10, 11, 12, 20, 29] {
        for (cache, carry_once) in [(10, 2), (10, 3), (9, 3)] {
            let with = |initial_block| Parameters {
                cache: Some(cache),
                carry_once: Some(carry_once),
                initial_block,
                ..OPEN
            };
            let all = (0..=words).all(|block| fits("operand-caching", words, with(Some(block))));
            assert!(all, "{cache} {carry_once} {words}");
        }
    }
}

#[test]
fn operand_caching_adds_as_many_intermediates_as_the_cache_leaves_registers() {
    for words in [20, 29, LARGEST].into_iter().take(sample(1, 3)) {
        for cache in 1..=10 {
            let with = |carry_once| Parameters { cache: Some(cache), carry_once: Some(carry_once), ..OPEN };
            let limit = limit(words.min(MOST_CARRY_ONCE), |carry_once| {
                fits("operand-caching", words, with(carry_once))
            });
            assert_eq!(limit, (23 - 2 * cache).min(words), "cache {cache}, {words} words");
        }
    }
}

#[test]
fn operand_scanning_finishes_as_many_words_at_once_as_the_cache_leaves_registers() {
    for (cache, limits) in [(1, [20, 20]), (2, [18, 18]), (4, [14, 14]), (10, [2, 2])] {
        for (words, expected) in [20, LARGEST].into_iter().zip(limits) {
            let with = |carry_once| Parameters { cache: Some(cache), carry_once: Some(carry_once), ..OPEN };
            let limit = limit(words.min(MOST_CARRY_ONCE), |carry_once| {
                fits("operand-scanning", words, with(carry_once))
            });
            assert_eq!(limit, expected, "cache {cache}, {words} words");
        }
    }
}
