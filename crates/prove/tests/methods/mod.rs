//! Every kernel that the lowering makes is proved, and the proof passes the checker. All combinations of
//! parameters, for all sizes: `cargo run --release -p rhomb-prove --example methods`.

mod settings;

use rhomb_avr::conventions::{CROSSWORKS, IAR};
use rhomb_kernel::{Parameter, walks};
use rhomb_oracles::{parallel, sample};
use settings::{Kernels, Setting, combinations, defaults, proved};

/// On all processors; gives the number of different kernels.
fn prove_all(settings: impl Iterator<Item = Setting>) -> usize {
    let settings: Vec<Setting> = settings.collect();
    let kernels = Kernels::new();
    let is_new = |setting: &Setting| {
        let Some(function) = kernels.kernel(setting) else { return false };
        proved(&function, setting).unwrap_or_else(|failure| panic!("{failure}"));
        true
    };
    parallel::each(&settings, is_new).into_iter().filter(|new| *new).count()
}

#[test]
fn every_setting_from_1_to_8_words() {
    let all = walks().flat_map(|method| (1..=8).flat_map(move |words| combinations(method, words, words)));
    // of those of more than 4 words a part
    let some = all.enumerate().filter(|(number, setting)| setting.words < 4 || number % sample(12, 1) == 0);
    let count = prove_all(some.map(|(_, setting)| setting));
    assert!(count >= sample(100, 1000), "{count}");
}

/// All values of each parameter, the others at their defaults or at a value that varies with the size: each value at
/// every third size, and a third of the values at each; all sizes with `--all`.
#[test]
fn every_value_from_13_to_40_words() {
    for method in walks() {
        let few = |setting: &Setting| {
            let set = method.parameters.iter().filter_map(|own| Some((own, own.of(&setting.parameters)?)));
            let by_turns = set.clone().map(|(_, value)| value).sum::<usize>() % 3 == setting.words % 3;
            let mut others =
                set.filter(|(own, value)| !(**own == Parameter::Cache && *value == 1 + setting.words % 10));
            let (one, more) = (others.next(), others.next());
            more.is_none() && (one.is_none() || by_turns)
        };
        let all = (13..=40)
            .step_by(sample(30, 1))
            .flat_map(|words| combinations(method, words, 20).into_iter().filter(few));
        let count = prove_all(all);
        assert!(count >= sample(1, 60), "{} {count}", method.name);
    }
}

#[test]
fn large_sizes() {
    let sizes = [128, 64, 256].into_iter().take(sample(1, 3));
    let count = prove_all(sizes.clone().flat_map(defaults));
    assert_eq!(count, sizes.count() * walks().count());
}

#[test]
fn every_method_by_every_convention() {
    for convention in [&IAR, &CROSSWORKS] {
        for method in walks() {
            let sizes = [5, 8, 2, 1, 3, 13].into_iter().take(sample(1, 6));
            let settings = sizes.flat_map(|words| combinations(method, words, 4));
            let count = prove_all(settings.map(|setting| Setting { convention, ..setting }));
            assert!(count >= sample(1, 8), "{} {} {count}", convention.name, method.name);
        }
        let large = [20, 40, 32, 64].into_iter().take(sample(1, 4)).flat_map(defaults);
        prove_all(large.map(|setting| Setting { convention, ..setting }));
    }
}
