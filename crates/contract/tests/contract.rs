//! Contracts as text.

use rhomb_contract::Contract;

#[test]
fn contracts_are_read_and_printed() {
    for text in ["mul 160", "mul 160 128", "sqr 256", "add 8", "sub 2048"] {
        assert_eq!(text.parse::<Contract>().map(|contract| contract.to_string()), Ok(text.into()));
    }
    assert_eq!(" mul  160 160 ".parse(), Ok(Contract::Mul { a: 160, b: 160 }));
    let error = |text: &str| text.parse::<Contract>().unwrap_err().to_string();
    assert!(error("div 3").starts_with("contract 'div 3' names no operation; valid: mul BITS"));
    assert_eq!(error("mul 0"), "'0' is no size in bits; valid: 1 to 32768");
    assert_eq!(error("mul"), "mul takes one or two, not 0 sizes");
    assert_eq!(error("sqr 8 8"), "sqr takes one, not 2 sizes");
    assert!(error("").contains("names no operation"));
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
    assert!(error("modmul 192").contains("is no modulus"));
    assert!(error("modmul 2^192 2").contains("not odd"));
    assert_eq!(error("modmul 2^192-1 2"), "'2' is no condition on an operand; valid: a<p, b<p");
    assert_eq!(error("modsqr 2^192-1 b<p"), "'b<p' is no condition on an operand; valid: a<p");
    assert!(error("modmul 2^5000-1").contains("is no modulus"));
    assert!(error("modmul 2^3-2").contains("not odd"));
    assert!(error("modmul 2-1").contains("not odd"));
    assert!(error("modmul 1-2^9").contains("does not lie between"));
    assert!(error("modmul 0x").contains("is no modulus"));
    assert!(error("modmul 0x12g1").contains("is no modulus"));
}
