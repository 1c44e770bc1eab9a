//! Claims about carries.

use crate::kernels::{all, executed, function, valuations, without};
use rhomb_certificate::{CheckError, Claim, Manner, Rung, Step, check, settle_within, take};

const MANNERS: [Manner; 3] = [Manner::Telescoped, Manner::Expanded, Manner::Relaxed];

#[test]
fn another_value_is_refused() {
    for proved in all() {
        let routine = function(&proved.code);
        for at in 0..proved.certificate.patterns[0].steps.len() {
            for value in [0, 1, 2, 255] {
                let mut forged = proved.certificate.clone();
                let Step::Claim(claim) = &mut forged.patterns[0].steps[at] else { continue };
                if claim.value == value {
                    continue;
                }
                claim.value = value;
                assert_eq!(check(&routine, &forged), Err(CheckError::Claim), "{} {at}", proved.name);
            }
        }
    }
}

#[test]
fn claims_about_what_is_no_carry_are_refused() {
    for proved in all() {
        let (execution, _) = executed(&proved.code, &proved.contract).unwrap();
        let mut facts = execution.facts;
        let count = facts.graph.len() as u32;
        for variable in (0..count).chain([count, count + 1, u32::MAX / 2, u32::MAX]) {
            let carry = variable < count && facts.graph.defining_high(variable as usize).is_some();
            if carry {
                continue;
            }
            for (value, manner) in [0, 1].into_iter().flat_map(|value| MANNERS.map(|own| (value, own))) {
                let rung = Rung { manner, reach: u32::MAX };
                let claim = Step::Claim(Claim { variable, value, rung });
                assert_eq!(take(&claim, &mut facts), Err(CheckError::Claim));
            }
        }
    }
}

/// All claims that can be had, first without others, then with all of them taken: each holds for all
/// operands tried.
#[test]
fn what_is_accepted_is_true() {
    let mut accepted = 0;
    for proved in all() {
        let broken = (0..proved.code.len()).step_by(7).map(|at| without(&proved.code, at));
        for code in [proved.code.clone()].into_iter().chain(broken) {
            let Some((mut execution, operands)) = executed(&code, &proved.contract) else { continue };
            let valuations = valuations(&execution, operands, 200);
            for _ in 0..2 {
                for variable in 0..execution.facts.graph.len() {
                    for manner in MANNERS {
                        for reach in [0, 1, 8, 64, 1024] {
                            let rung = Rung { manner, reach };
                            let settled =
                                settle_within(&execution.facts, variable, rung.manner, [rung.reach]);
                            let Some((value, _)) = settled else { continue };
                            for values in &valuations {
                                let real = values[variable].unwrap_or(value.into());
                                assert_eq!(real, i64::from(value), "{} {variable} {rung:?}", proved.name);
                            }
                            let claim = Claim { variable: variable as u32, value, rung };
                            assert!(claim.accept(&mut execution.facts));
                            accepted += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(accepted > 1000, "{accepted}");
}
