//! Every kernel that the lowering makes is proved, and the proof passes the checker. All combinations of
//! parameters, for all sizes: `cargo run --release -p rhomb-prove --example methods`.

mod settings;

use rhomb_avr::conventions::{CROSSWORKS, IAR};
use rhomb_kernel::{Parameter, walks};
use settings::{Kernels, Setting, combinations, defaults, proved};

fn prove_all(settings: impl Iterator<Item = Setting>) -> usize {
    let mut kernels = Kernels::new();
    let mut count = 0;
    for setting in settings {
        let Some(function) = kernels.kernel(&setting) else { continue };
        count += 1;
        proved(&function, &setting).unwrap_or_else(|failure| panic!("{failure}"));
    }
    count
}

#[test]
fn every_setting_from_1_to_8_words() {
    let all = walks().flat_map(|method| (1..=8).flat_map(move |words| combinations(method, words, words)));
    let count = prove_all(all);
    assert!(count >= 1000, "{count}");
}

/// All values of each parameter, the others at their defaults or at a value that varies with the size.
#[test]
fn every_value_from_13_to_40_words() {
    for method in walks() {
        let few = |setting: &Setting| {
            let set = method.parameters.iter().filter_map(|own| Some((own, own.of(&setting.parameters)?)));
            let mut others =
                set.filter(|(own, value)| !(**own == Parameter::Cache && *value == 1 + setting.words % 10));
            others.next();
            others.next().is_none()
        };
        let all = (13..=40).flat_map(|words| combinations(method, words, 20).into_iter().filter(few));
        let count = prove_all(all);
        assert!(count >= 100, "{} {count}", method.name);
    }
}

#[test]
fn large_sizes() {
    let count = prove_all([64, 128, 256].into_iter().flat_map(defaults));
    assert_eq!(count, 3 * walks().count());
}

#[test]
fn every_method_by_every_convention() {
    for convention in [&IAR, &CROSSWORKS] {
        for method in walks() {
            let sizes = [1, 2, 3, 5, 8, 13].into_iter();
            let settings = sizes.flat_map(|words| combinations(method, words, 4));
            let count = prove_all(settings.map(|setting| Setting { convention, ..setting }));
            assert!(count >= 8, "{} {} {count}", convention.name, method.name);
        }
        let large = [20, 32, 40, 64].into_iter().flat_map(defaults);
        prove_all(large.map(|setting| Setting { convention, ..setting }));
    }
}
