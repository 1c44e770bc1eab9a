//! Targets: names, errors, and times of a user's own.

use rhomb_targets::{Error, Target, find};

#[test]
fn the_nearest_name_is_suggested_only_when_near() {
    let error = Error::unknown("target", "Atmega_128", &["attiny85", "atmega128"], "see the list");
    assert_eq!(error.fault, "unknown target 'Atmega_128'; valid: attiny85, atmega128");
    assert_eq!(error.hint, "did you mean 'atmega128'?");
    assert_eq!(Error::unknown("target", "z80", &["atmega128"], "see the list").hint, "see the list");
}

#[test]
fn messages_stay_on_one_line() {
    let error = Error::unknown("target", "a\nb\u{1b}[31m", &["atmega128"], "see the list");
    assert!(!error.fault.chars().any(char::is_control), "{}", error.fault);
}

const TIMES: &str = "extensions = ['m', 'c']\n[cycles]\nplain = 1\nmul = 2\nmulh = 33\nload = 2\nstore = 2\n\
                     branch = 1\ntaken = 3\njal = 2\njalr = 2\n[most]\nmul = 33\n";

fn with_times(text: &str) -> Result<Box<dyn Target>, String> {
    find("rv32im").unwrap().with_times(text).expect("rv32im takes times")
}

#[test]
fn a_fault_in_a_text_of_times_is_named() {
    let fault = |text: &str| with_times(text).err().expect("a fault");
    assert_eq!(fault(&TIMES.replace("store = 2\n", "")), "the cycles of store are missing");
    assert!(fault(&TIMES.replace("'c'", "'d'")).starts_with("no extension 'd'; valid: i, m, c, zba"));
    assert_eq!(fault(&TIMES.replace("'c'", "'c', 'zbc'")), "the cycles of clmul are missing");
    let few = "mul: valid: 1 to 255 cycles, and no fewer than [cycles] has";
    assert_eq!(fault(&TIMES.replace("[most]\nmul = 33", "[latency]\nmul = 1")), few);
    assert_eq!(fault(&TIMES.replace("mul = 2", "mul = 0")), few);
    let unknown = fault(&TIMES.replace("jal =", "jump ="));
    assert!(unknown.starts_with("line 10: unknown variant `jump`, expected one of `plain`"), "{unknown}");
    assert!(fault("extensions = [").starts_with("line 1: "));
}
