//! Contracts as text.

use rhomb_certificate::Contract;

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
