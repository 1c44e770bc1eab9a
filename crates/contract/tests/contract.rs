//! Contracts as text.

use rhomb_contract::{Contract, Operation};

#[test]
fn contracts_are_read_and_printed() {
    for text in ["mul 160", "mul 160 128", "sqr 256", "add 8", "sub 2048"] {
        assert_eq!(text.parse::<Contract>().map(|contract| contract.to_string()), Ok(text.into()));
    }
    assert_eq!(" mul  160 160 ".parse(), Ok(Contract::whole(Operation::Mul, 160)));
    let error = |text: &str| text.parse::<Contract>().unwrap_err().to_string();
    assert!(error("div 3").starts_with("contract 'div 3' names no operation; valid: mul BITS"));
    assert_eq!(error("mul 0"), "'0' is no size in bits; valid: 1 to 32768");
    assert_eq!(error("mul"), "mul takes one or two, not 0 sizes");
    assert_eq!(error("sqr 8 8"), "sqr takes one, not 2 sizes");
    assert!(error("").contains("names no operation"));
}

#[test]
fn moduli_that_are_arguments_are_read_and_printed() {
    let text = "montmul any 100 workspace 4120 complement 34 inverse 4096";
    let contract: Contract = text.parse().unwrap();
    assert_eq!(contract.to_string(), text);
    assert_eq!((contract.operands(16), contract.result(16), contract.shift(16)), (vec![7, 7, 4120], 7, 112));
    let square: Contract = "montsqr any 8 workspace 3 complement 1 inverse 2".parse().unwrap();
    assert_eq!((square.operands(8), square.result(8)), (vec![1, 3], 1));
    assert_eq!(square.any_modulus().unwrap().constants(8).collect::<Vec<_>>(), [0, 1, 2]);
    let reduce: Contract = "montreduce any 64 workspace 5 complement 2 inverse 4".parse().unwrap();
    assert_eq!((reduce.operands(32), reduce.result(32), reduce.names()), (vec![4, 5], 2, &["a", "w"][..]));
    // with words of 16 bits n does not end before R - n
    assert_eq!([8, 16, 32].map(|bits| reduce.misfit(bits).is_none()), [false, false, true]);
    for text in [
        "modmul any 8 workspace 3 complement 1 inverse 2",
        "montmul any",
        "montmul any 8 workspace 2 complement 1 inverse 2",
        "montmul any 64 workspace 9 complement 1 inverse 8",
        "montmul any 64 workspace 9 complement 2 inverse 3",
        "montmul any 8 workspace 3 complement 1 inverse",
        "montmul any 8 workspace 3 complement 1 inverse 2 3",
        "montmul any 8 workspace 4294967296 complement 1 inverse 2",
    ] {
        assert!(text.parse::<Contract>().is_err(), "{text}");
    }
}

#[test]
fn polynomials_are_read_and_printed() {
    for text in [
        "gf2mul 191",
        "gf2sqr 8",
        "gf2add 163",
        "gf2modmul x^191+x^9+1",
        "gf2modreduce x^8+x^4+x^3+x+1",
        "gf2montmul x^1024+x+1",
        "gf2montsqr 0x10000000000000000000aaaaaaaaaaaaaaaaaab",
    ] {
        assert_eq!(text.parse::<Contract>().map(|contract| contract.to_string()), Ok(text.into()));
    }
    let reduce: Contract = "gf2montreduce 0x11b".parse().unwrap();
    assert_eq!(reduce.to_string(), "gf2montreduce x^8+x^4+x^3+x+1");
    assert_eq!((reduce.operands(8), reduce.result(8)), (vec![2], 1));
    let mul: Contract = "gf2modmul x^191+x^9+1".parse().unwrap();
    assert_eq!((mul.operands(32), mul.result(32)), (vec![6, 6], 6));
    let error = |text: &str| text.parse::<Contract>().unwrap_err().to_string();
    assert_eq!(error("gf2mul"), "gf2mul takes one, not 0 sizes");
    assert_eq!(error("gf2mul 8 8"), "gf2mul takes one, not 2 sizes");
    assert!(error("gf2mul 0").contains("is no size in bits"));
    assert_eq!(error("gf2modmul"), "gf2modmul takes one polynomial such as x^191+x^9+1, not 0");
    for text in ["2^8+1", "x^8+x^8+1", "x8+1", "", "x^+1", "0x", "0x1g", "x^8-1", "x^99999999999+1", "+"] {
        assert!(format!("gf2modmul {text}").parse::<Contract>().is_err(), "{text}");
    }
    assert!(error("gf2modmul x^8+x").contains("has no term 1"));
    assert!(error("gf2modmul 1").contains("degree"));
    assert!(error("gf2modmul x^1025+1").contains("degree"));
}

#[test]
fn moduli_are_read_and_printed() {
    for text in [
        "modmul 2^192-2^64-1",
        "montmul 0xfffffffb12345679123457",
        "modreduce 2^255-2^4-2^2+1",
        "modadd 2^521-1",
        "modsub 2^521-1 b<p",
        "modadd 2^521-1 a<p b<p",
    ] {
        let contract: Contract = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(contract.to_string().parse(), Ok(contract));
    }
    let p192: Contract = "modmul 0xfffffffffffffffffffffffffffffffeffffffffffffffff".parse().unwrap();
    assert_eq!(p192.to_string(), "modmul 2^192-2^64-1");
    assert_eq!((p192.operands(32), p192.result(32)), (vec![6, 6], 6));
    let reduce: Contract = "montreduce 2^192-2^64-1".parse().unwrap();
    assert_eq!((reduce.operands(8), reduce.result(8)), (vec![48], 24));
    let error = |text: &str| text.parse::<Contract>().unwrap_err().to_string();
    assert!(error("modmul").contains("is no modulus"), "{}", error("modmul"));
    // a size, not a number
    assert!(error("modmul 192").contains("is no modulus") && error("modmul 255").contains("is no modulus"));
    for (text, same) in [
        ("2^255-19", "2^255-2^4-2^2+1"),
        ("2^256-2^32-977", "2^256-2^32-2^10+2^6-2^4-1"),
        ("2^256-2^32-0x3d1", "2^256-2^32-977"),
        ("4294967291", "2^32-5"),
        ("6277101735386680763835789423207666416083908700390324961279", "2^192-2^64-1"),
    ] {
        let contract = |text: &str| -> Contract { format!("modmul {text}").parse().unwrap() };
        assert_eq!(contract(text), contract(same), "{text}");
    }
    assert!(error("modmul 2^192 2").contains("not odd"));
    assert_eq!(
        error("modmul 2^192-1 2"),
        "'2' is no condition on an operand or the result; valid: a<p, b<p, r<p, b=NUMBER"
    );
    assert_eq!(
        error("modsqr 2^192-1 b<p"),
        "'b<p' is no condition on an operand or the result; valid: a<p, r<p"
    );
    assert!(error("modmul 2^5000-1").contains("is no modulus"));
    assert!(error("modmul 2^3-2").contains("not odd"));
    assert!(error("modmul 2-1").contains("not odd"));
    assert!(error("modmul 1-2^9").contains("does not lie between"));
    assert!(error("modmul 0x").contains("is no modulus"));
    assert!(error("modmul 0x12g1").contains("is no modulus"));
}

#[test]
fn a_factor_may_be_a_number() {
    let text = "modmul 2^255-2^4-2^2+1 a<p b=121665 r<p";
    let contract: Contract = text.parse().unwrap();
    let (operands, names) = (contract.operands(32), contract.names());
    assert_eq!((operands, names, contract.times(0)), (vec![8], &["a"][..], 121_665));
    assert_eq!(contract.to_string(), "modmul 2^255-2^4-2^2+1 a<p b=121665 r<p");
    let plain: Contract = "modmul 2^255-19".parse().unwrap();
    assert_eq!((plain.operands(32), plain.times(0)), (vec![8, 8], 1));
    for refused in [
        "modsqr 2^255-19 b=3",
        "modmul 2^255-19 b=1",
        "modmul 2^255-19 b=03",
        "modmul 2^255-19 b=4294967296",
        "modmul 2^255-19 b<p b=3",
        "modmul 2^255-19 b=3 b<p",
        "modmul 2^255-19 b=3 b=3",
    ] {
        let error = refused.parse::<Contract>().unwrap_err().to_string();
        assert!(error.contains("is no condition"), "{refused}: {error}");
    }
}
