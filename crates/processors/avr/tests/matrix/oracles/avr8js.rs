//! A handful of kernels on avr8js.

use super::call::{job, judge};
use crate::matrix::case::cases;
use crate::matrix::kernels::Request;
use crate::matrix::run::call;
use rhomb_avr::cores::core;
use rhomb_kernel::{Parameters, walks};
use rhomb_oracles::Avr8js;

#[test]
fn a_handful_of_kernels_agrees_with_avr8js() {
    for name in ["atmega128", "atmega2560"] {
        let core = core(name).unwrap();
        let mut avr8js = Avr8js::start(core.flash_bytes, core.sram.end);
        for words in [1, 2, 7, 20, 33] {
            for method in walks() {
                let request = Request::new(method.name, words, Parameters::default());
                let routine = request.routine(core, &request.lower(core).unwrap());
                let cases = cases(&routine, request.seed() ^ 2, 4);
                let jobs: Vec<_> = cases.iter().map(|case| job(&routine, case)).collect();
                let outcomes = avr8js.run(&jobs);
                assert_eq!(outcomes.len(), jobs.len());
                for ((case, job), outcome) in cases.iter().zip(&jobs).zip(&outcomes) {
                    let ours = call(&routine, case).unwrap();
                    if let Err(failure) = judge(&routine, case, job, outcome, ours) {
                        panic!("{name} in avr8js: {request}: {failure:?}\n{case:?}");
                    }
                }
            }
        }
    }
}
