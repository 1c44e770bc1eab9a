//! Certificates as text: whatever it says, there is an answer, soon, and it is not that a wrong kernel is
//! right.

use crate::kernels::{all, function, schoolbook, without};
use proptest::prelude::*;
use rhomb_certificate::{
    CalledRoutine, Certificate, Claim, Lemma, Manner, PatternProof, Reading, Rung, Step, Sum, check,
};
use rhomb_poly::{Dyadic, Monomial, Variable};
use std::time::{Duration, Instant};

/// The steps, made out to a kernel that is not right.
fn wrong_kernel_passes(steps: Vec<Step>) -> bool {
    let proved = schoolbook(2);
    // the last addition is missing
    let at = proved.code.iter().position(|one| one.op == rhomb_avr::instructions::Op::Add).unwrap();
    let code = without(&proved.code, at);
    let mut forged = proved.certificate_for(&code);
    forged.patterns = vec![PatternProof { steps, ..forged.patterns[0].clone() }];
    check(&function(&code), &forged).is_ok()
}

fn monomial() -> impl Strategy<Value = Monomial> {
    let variable = (0u32..60, any::<bool>()).prop_map(|(index, bit)| Variable::new(index, bit));
    let variables = prop::collection::vec(variable, 0..4);
    variables.prop_map(|all| {
        all.into_iter().fold(Monomial::one(), |product, own| product.times(&Monomial::variable(own)))
    })
}

fn sum() -> impl Strategy<Value = Sum> {
    let factor = (any::<i64>(), -40i32..80).prop_map(|(m, e)| Dyadic::new(m % 3, e));
    prop::collection::vec((monomial(), factor), 0..5).prop_map(|terms| terms.into_iter().collect())
}

fn indices() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(prop_oneof![9 => 0u32..60, 1 => any::<u32>()], 0..5)
}

fn step() -> impl Strategy<Value = Step> {
    let manner = prop::sample::select(vec![Manner::Telescoped, Manner::Expanded, Manner::Relaxed]);
    let claim = (0u32..60, 0u8..3, manner, any::<u32>()).prop_map(|(variable, value, manner, reach)| {
        Step::Claim(Claim { variable, value, rung: Rung { manner, reach } })
    });
    let lemma = (indices(), sum(), prop::collection::vec(sum(), 0..3), indices(), indices());
    let lemma = lemma.prop_map(|(words, value, forms, cases, open)| {
        Step::Lemma(Lemma { words, value, forms, cases, open })
    });
    prop_oneof![claim, lemma]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn made_up_steps_show_nothing(steps in prop::collection::vec(step(), 0..4)) {
        prop_assert!(!wrong_kernel_passes(steps));
    }

    #[test]
    fn certificates_are_read_as_they_were_written(steps in prop::collection::vec(step(), 0..4)) {
        let pattern = PatternProof { pattern: "p".into(), reading: Reading::Plain, steps };
        let certificate = |calls| Certificate {
            format: "f".into(),
            routine: "r".into(),
            contract: "c".into(),
            code_sha256: "s".into(),
            relocations: vec!["l".into()],
            calls,
            patterns: vec![pattern.clone()],
        };
        let called = CalledRoutine { entry: 6, inner: true, stack_bytes: 4, certificate: certificate(Vec::new()) };
        let certificate = certificate(vec![called]);
        let text = serde_json::to_string(&certificate).unwrap();
        prop_assert_eq!(serde_json::from_str::<Certificate>(&text).unwrap(), certificate);
    }

    #[test]
    fn any_change_of_the_text_has_an_answer(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..3), 1..6),
    ) {
        thread_local! {
            static TEXT: String = {
                let proved = all().into_iter().find(|own| own.name == "karatsuba").unwrap();
                serde_json::to_string(&proved.certificate).unwrap()
            };
        }
        let mut bytes = TEXT.with(|text| text.clone().into_bytes());
        for (place, byte, kind) in changes {
            let at = place.index(bytes.len());
            match kind {
                0 => bytes[at] = b" 0123456789bw*^-\"{}[],:"[usize::from(byte) % 23],
                1 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, b"09-wb*^"[usize::from(byte) % 7]),
            }
        }
        if let Ok(text) = String::from_utf8(bytes) {
            let _ = serde_json::from_str::<Certificate>(&text);
        }
    }
}

/// A lemma `word = word 2^e ...` again and again: exponents must not add up without end.
#[test]
fn huge_numbers_have_an_answer_soon() {
    let start = Instant::now();
    let text = |value: &str, words: &str| {
        format!(r#"{{"lemma":{{"words":{words},"value":{value},"forms":[],"cases":[],"open":[]}}}}"#)
    };
    let far = "1*2^1048576";
    let near = "1*2^-1048576";
    let long = "7".repeat(60_000);
    let wide = vec!["w1"; 5000].join(" ");
    let values = [
        format!(r#"{{"w0":"{far}"}}"#),
        format!(r#"{{"w0":"{near}"}}"#),
        format!(r#"{{"w0":"{far}","w1":"{near}"}}"#),
        format!(r#"{{"w0 w1":"{far}","":"{near}"}}"#),
        format!(r#"{{"w0":"{long}*2^1048576"}}"#),
        format!(r#"{{"{wide}":"1"}}"#),
        format!(r#"{{"{wide}":"{far}","w2":"1"}}"#),
    ];
    for value in &values {
        for words in ["[5]", "[8,9]", "[9,8]", "[12,13,14]"] {
            let step: Step = serde_json::from_str(&text(value, words)).unwrap();
            assert!(!wrong_kernel_passes(vec![step.clone(); 8]));
        }
    }
    for number in [
        "1*2^1048577",
        "2*2^1048576",
        "1*2^-2147483648",
        "1*2^2147483648",
        "1*2^",
        "",
        "*2^3",
        "1*2^3*2^3",
        "0x1",
        "1e9",
    ] {
        let value = format!(r#"{{"w0":"{number}"}}"#);
        assert!(serde_json::from_str::<Step>(&text(&value, "[5]")).is_err(), "{number}");
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn steps_by_the_thousand_have_an_answer_soon() {
    let start = Instant::now();
    let rung = Rung { manner: Manner::Relaxed, reach: u32::MAX };
    let claim = Step::Claim(Claim { variable: 4, value: 0, rung });
    assert!(!wrong_kernel_passes(vec![claim; 10_000]));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
