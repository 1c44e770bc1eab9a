//! Claims about carries.

use crate::kernels::{all, assembled, executed, function, valuations, without};
use rhomb_certificate::{
    CheckError, Claim, EFFORT, Lemma, Manner, Reading, Rung, Step, Sum, check, execute, settle_within, take,
};
use rhomb_poly::{Dyadic, Monomial, Variable};

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

/// A carry that a lemma names is not left out of a bound: u = hi(a b1) + lo(a b2) + c1 may carry, and does for a = 255,
/// b = 0x010102, where the code forgets it.
#[test]
fn a_carry_inside_a_lemma_stays_in_the_bound() {
    let text = "movw r26, r24\nmovw r30, r22\nld r18, Z\nmovw r30, r20\nld r19, Z\nldd r20, Z+1\nldd r21, Z+2\n\
                mul r18, r19\nst X+, r0\nmov r22, r1\nmul r18, r21\nmovw r24, r0\nmul r18, r20\nldi r19, 0\n\
                add r24, r1\nadc r25, r19\nadd r22, r0\nadc r24, r19\n\
                st X+, r22\nst X+, r24\nst X, r25\nclr r1\nret";
    let contract = "mul 8 24".parse().unwrap();
    let routine = assembled(text);
    assert!(rhomb_prove::refute(&routine, &contract, 30_000_000).found.is_some());
    let mut facts =
        execute(&routine, &contract, &contract.patterns()[0], Reading::Plain, EFFORT).unwrap().facts;
    let linear = |equation: &rhomb_equations::Equation| {
        let variables: Vec<Variable> = equation.right.variables();
        let single = equation.right.terms().iter().all(|(own, by)| own.variables().len() == 1 && *by == 1);
        (single && variables.len() == 2).then_some(variables)
    };
    let equations = facts.graph.equations().to_vec();
    // u = u' + c1, and u' = hi(a b1) + lo(a b2)
    let (forgotten, sum, carry) = equations
        .iter()
        .find_map(|equation| match linear(equation)?[..] {
            [x, y] if x.is_bit() != y.is_bit() => {
                Some((equation.high?.0, if x.is_bit() { y } else { x }, if x.is_bit() { x } else { y }))
            }
            _ => None,
        })
        .unwrap();
    let own = facts.graph.defining_low(sum.index()).unwrap();
    let z = facts.graph.variable_at(0);
    let mut value = Sum::default();
    for addend in linear(own).unwrap() {
        value.add(&Monomial::variable(addend), &Dyadic::power(0));
    }
    value.add(&Monomial::variable(own.high.unwrap().0), &Dyadic::power(8).negate());
    value.add(&Monomial::variable(carry), &Dyadic::power(8));
    value.add(&Monomial::variable(z), &Dyadic::power(16));
    let words = [sum, carry, z].map(|word| word.index() as u32).to_vec();
    let lemma = Step::Lemma(Lemma { words, value, forms: Vec::new(), cases: Vec::new(), open: Vec::new() });
    assert_eq!(take(&lemma, &mut facts), Ok(()));
    for reach in 0..=forgotten.index() as u32 + 1 {
        for manner in MANNERS {
            let claim = Claim { variable: forgotten.index() as u32, value: 0, rung: Rung { manner, reach } };
            assert_eq!(take(&Step::Claim(claim), &mut facts), Err(CheckError::Claim), "{manner:?} {reach}");
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
