use rhomb_contract::{ModularOperation, Modulus};
use rhomb_lower::variants;

#[test]
fn debug() {
    for (op, m) in [(ModularOperation::Reduce, "2^192-2^64-1"), (ModularOperation::Reduce, "2^255-19")] {
        let modulus: Modulus = m.parse().unwrap();
        for way in rhomb_field::reduce::ways(op, &modulus.number(), 8) {
            for line in variants(&way.line, 8) {
                println!("{m} {} {} ops {:?}", way.method, line.ops.len(), rhomb_avr::lower::debug(&line));
            }
        }
    }
}
