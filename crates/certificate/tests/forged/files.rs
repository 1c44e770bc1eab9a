//! Whole certificates.

use crate::kernels::{all, assembled, function, schoolbook, without};
use rhomb_certificate::{Certificate, CheckError, Step, check, check_within, sha256};
use rhomb_machine::MachineCode;
use rhomb_prove::{prove, refute};

#[test]
fn untouched_certificates_pass() {
    for proved in all() {
        assert_eq!(check(&function(&proved.code), &proved.certificate), Ok(proved.contract));
    }
}

/// A check that runs out of its effort accepts nothing, wherever that happens.
#[test]
fn effort_is_bounded() {
    for proved in all() {
        let routine = function(&proved.code);
        let within = |effort| check_within(&routine, &proved.certificate, effort);
        let enough = (0..40).map(|place| 1 << place).find(|effort| within(*effort).is_ok()).unwrap();
        for effort in [0, 1, enough / 8, enough / 4, enough / 2] {
            assert_eq!(within(effort), Err(CheckError::Effort(effort)), "{}", proved.name);
        }
        assert_eq!(within(enough), Ok(proved.contract));
    }
}

#[test]
fn a_certificate_is_for_one_code_one_contract_and_one_core() {
    let proved = schoolbook(2);
    let routine = function(&proved.code);
    for at in 0..proved.code.len() {
        let other = function(&without(&proved.code, at));
        if other.code() != routine.code() {
            let refused = check(&other, &proved.certificate);
            assert!(matches!(refused, Err(CheckError::Other { what: "code", .. })), "{at}");
        }
    }
    let with = |change: &dyn Fn(&mut Certificate)| {
        let mut forged = proved.certificate.clone();
        change(&mut forged);
        check(&routine, &forged)
    };
    assert!(matches!(with(&|own| own.format.push(' ')), Err(CheckError::Format(_))));
    assert!(matches!(with(&|own| own.routine = "attiny85 avr-gcc".into()), Err(CheckError::Other { .. })));
    assert!(matches!(with(&|own| own.code_sha256.make_ascii_uppercase()), Err(CheckError::Other { .. })));
    for contract in ["mul 24", "mul 8 24", "mul 24 8", "sqr 16", "add 16", "sub 32", "add 32", "mul 8"] {
        assert!(with(&|own| own.contract = contract.into()).is_err(), "{contract}");
    }
    assert!(matches!(with(&|own| own.contract = "mul".into()), Err(CheckError::Contract(_))));
    assert_eq!(with(&|own| own.patterns.clear()), Err(CheckError::Patterns));
    assert_eq!(with(&|own| own.patterns.push(own.patterns[0].clone())), Err(CheckError::Patterns));
    assert_eq!(with(&|own| own.patterns[0].pattern.clear()), Err(CheckError::Patterns));
}

/// The carry of a sum of a + b and a number, of which bounds of a and b tell whether it is 0.
#[test]
fn what_is_returned_vanishes_where_it_is_to_be_0() {
    let with = |more: u8| {
        let loaded =
            "movw r26, r24\nmovw r30, r22\nld r18, Z\nmovw r30, r20\nld r19, Z\nadd r18, r19\nst X, r18\n";
        assembled(&format!("{loaded}ldi r24, 0\nldi r19, {more}\nadd r18, r19\nadc r24, r24\nret\n"))
    };
    let contract = "modadd 2^7-1 a<p b<p (r, a, b)";
    let with_zero = format!("{contract} -> 0");
    for (more, is_kept) in [(0, true), (3, true), (4, false), (255, false)] {
        let routine = with(more);
        let proof = prove(&routine, &with_zero.parse().unwrap());
        assert_eq!(proof.is_ok(), is_kept, "{more}: {:?}", proof.err());
        // all else is right
        let mut forged = prove(&routine, &format!("{contract} -> void").parse().unwrap()).unwrap();
        forged.contract = with_zero.clone();
        assert!(is_kept || check(&routine, &forged) == Err(CheckError::Remainder), "{more}");
    }
}

#[test]
fn each_aliasing_pattern_is_needed() {
    let proved = all().into_iter().find(|proved| proved.name == "add").unwrap();
    assert_eq!(proved.certificate.patterns.len(), 4);
    for missing in 0..4 {
        let mut forged = proved.certificate.clone();
        forged.patterns.remove(missing);
        assert_eq!(check(&function(&proved.code), &forged), Err(CheckError::Patterns));
    }
    let mut forged = proved.certificate.clone();
    forged.patterns.swap(1, 2);
    assert_eq!(check(&function(&proved.code), &forged), Err(CheckError::Patterns));
}

/// Steps that are needed are needed, and no order of them shows what does not hold.
#[test]
fn steps_cannot_be_left_out() {
    for proved in all() {
        let routine = function(&proved.code);
        let steps = &proved.certificate.patterns[0].steps;
        if steps.is_empty() {
            continue;
        }
        let with = |steps: Vec<Step>| {
            let mut forged = proved.certificate.clone();
            forged.patterns[0].steps = steps;
            check(&routine, &forged)
        };
        assert!(with(Vec::new()).is_err(), "{}", proved.name);
        let mut needed = 0;
        for at in 0..steps.len() {
            let mut fewer = steps.clone();
            let gone = fewer.remove(at);
            needed += usize::from(with(fewer.clone()).is_err());
            // later than where it is needed is no better than never, or it was not needed there
            fewer.push(gone.clone());
            let _ = with(fewer);
            let twice: Vec<Step> = steps.iter().cloned().chain([gone]).collect();
            let _ = with(twice);
        }
        assert!(needed > 0, "{}", proved.name);
        let mut reversed = steps.clone();
        reversed.reverse();
        let _ = with(reversed);
    }
}

/// The certificate of the right kernel, made out to a wrong one.
#[test]
fn no_wrong_kernel_passes_with_a_borrowed_certificate() {
    for proved in all() {
        let mut wrong = 0;
        for at in 0..proved.code.len() {
            let code = without(&proved.code, at);
            if refute(&function(&code), &proved.contract, 100_000).found.is_none() {
                continue;
            }
            wrong += 1;
            let forged = proved.certificate_for(&code);
            assert_eq!(forged.code_sha256, sha256(&function(&code).code()));
            assert!(check(&function(&code), &forged).is_err(), "{} without {at}", proved.name);
        }
        assert!(2 * wrong > proved.code.len(), "{} {wrong}", proved.name);
    }
}
