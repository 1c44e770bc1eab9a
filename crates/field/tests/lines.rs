//! Straight lines as text: a few to look at, and many that are written and read back.

use rhomb_contract::Contract;
use rhomb_field::ways;
use rhomb_line::{Columns, Line, legalise};

/// The lines that keep a contract, on words of so many bits.
fn lines(contract: &str, bits: u32) -> impl Iterator<Item = Line> {
    let contract: Contract = contract.parse().unwrap();
    ways(&contract, bits).into_iter().map(|way| way.line)
}

fn first(contract: &str, bits: u32) -> Line {
    lines(contract, bits).next().unwrap()
}

#[test]
fn a_sum_modulo_p192() {
    let line = first("modadd 2^192-2^64-1", 32);
    insta::assert_snapshot!("sum", line);
    insta::assert_snapshot!(
        "sum_in_chains",
        legalise(&line, Columns { bits: 32, block: 24, products: false })
    );
}

#[test]
fn a_fold_modulo_p192() {
    let line = first("modreduce 2^192-2^64-1", 32);
    insta::assert_snapshot!("fold", line);
    insta::assert_snapshot!(
        "fold_in_chains",
        legalise(&line, Columns { bits: 32, block: 24, products: false })
    );
}

#[test]
fn a_division_by_words() {
    insta::assert_snapshot!("montgomery", first("montreduce 0xd1a3b5c79e3779b9", 16));
}

#[test]
fn a_comb() {
    insta::assert_snapshot!("comb", first("gf2mul 16", 8));
}

#[test]
fn what_is_written_is_read() {
    let contracts = [
        "modadd 2^192-2^64-1",
        "modsub 2^255-19",
        "modhalf 2^256-2^224+2^192+2^96-1",
        "modreduce 2^224-2^96+1",
        "modreduce 2^521-1",
        "montreduce 0xd1a3b5c79e3779b97f4a7c15f39cc061",
        "gf2add 191",
        "gf2sqr 163",
        "gf2mul 47",
        "gf2modsqr x^233+x^74+1",
        "gf2montreduce x^283+x^12+x^7+x^5+1",
    ];
    for contract in contracts {
        for bits in [8, 16, 32] {
            for line in lines(contract, bits) {
                let chains = legalise(&line, Columns { bits, block: 4, products: true });
                for line in [line, chains] {
                    let read: Line = line.to_string().parse().unwrap();
                    assert_eq!(read, line, "{contract}, words of {bits} bits");
                }
            }
        }
    }
}
