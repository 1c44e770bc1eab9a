//! The other cores: their own timing, their own width of a return address.

use crate::matrix::kernels::{self, Request};
use crate::matrix::simulate::{check, report};
use rhomb_avr::cores::core;
use rhomb_avr::lower::LowerError;
use rhomb_kernel::{Parameters, walks};
use rhomb_oracles::parallel;

/// One kernel of so many is run.
const SHARE: u64 = 12;

#[test]
fn a_share_of_the_kernels_keeps_its_contract_on_the_other_cores() {
    for (index, name) in ["atmega328p", "atmega2560", "avr128da48"].into_iter().enumerate() {
        let core = core(name).unwrap();
        let counts = parallel::each(&kernels::sizes(), |(method, words)| {
            let (mut count, mut runs) = (0, 0);
            // what the method does by itself on every size, of the rest a share
            let share = |request: &Request| {
                request.parameters == Parameters::default() || request.part(SHARE) == index as u64
            };
            for request in kernels::list(method, *words).into_iter().filter(share) {
                if let Some(kernel) = request.fits(core) {
                    count += 1;
                    runs += check(core, &request, &kernel);
                }
            }
            (count, runs)
        });
        report(name, &counts);
    }
}

#[test]
fn a_core_without_multiplier_is_refused() {
    let core = core("attiny85").unwrap();
    for method in walks() {
        for words in [1, 2, 20, 256] {
            let request = Request::new(method.name, words, Parameters::default());
            assert_eq!(request.lower(core), Err(LowerError::NoMultiplier { core: "attiny85" }), "{request}");
        }
    }
}
