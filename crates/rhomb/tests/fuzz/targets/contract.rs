//! The reader of contracts.

use rhomb::parse_contract;
use rhomb_certificate::{Contract, MOST_BITS};

pub(crate) fn run(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let read = text.parse::<Contract>();
    assert_eq!(parse_contract(&text).is_ok(), read.is_ok());
    match read {
        Ok(contract) => {
            assert_eq!(contract.to_string().parse(), Ok(contract));
            for word_bits in [8, 16, 32] {
                let operands = contract.operands(word_bits);
                let words = || operands.iter().copied().chain([contract.result(word_bits)]);
                assert!(words().all(|words| 0 < words && words <= 2 * MOST_BITS / word_bits));
                for pattern in contract.patterns() {
                    assert!(pattern.result_on.iter().all(|operand| *operand < operands.len()));
                }
            }
            contract.to_string()
        }
        Err(error) => {
            let said = parse_contract(&text).expect_err("no contract").to_string();
            assert!(said.len() < 2000, "{said}");
            let shown: String = error.to_string().chars().flat_map(char::escape_debug).collect();
            shown
        }
    }
}
