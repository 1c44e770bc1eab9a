//! No bytes make the reader panic, and whatever it returns lies inside the file.

use proptest::prelude::*;
use rhomb_object::{ObjectError, ObjectFile};

const SAMPLES: [&[u8]; 2] = [include_bytes!("data/sample.o"), include_bytes!("data/sample.elf")];
const NAMES: [&str; 7] = ["add16", "untyped", "hidden", "inner_loop", "counter", "elsewhere", "nothing"];

/// Asks for everything; returns the number of functions that could be read.
fn exercise(bytes: &[u8]) -> usize {
    let one_line = |error: ObjectError| assert!(!error.to_string().contains('\n'), "{error:?}");
    let file = match ObjectFile::parse(bytes) {
        Ok(file) => file,
        Err(error) => {
            one_line(error);
            return 0;
        }
    };
    let listed: Vec<String> = file.functions().map(|function| function.name.to_owned()).collect();
    let names = listed.iter().map(String::as_str).chain(NAMES);
    let mut read = 0;
    for name in names {
        match file.function(name) {
            Err(error) => one_line(error),
            Ok(code) => {
                assert!(!code.bytes().is_empty() && code.bytes().len() <= bytes.len());
                let range = code.offset..code.offset + code.size;
                assert!(code.relocations().iter().all(|one| range.contains(&one.offset)));
                assert_eq!(
                    code.words().is_ok(),
                    code.little_endian && code.offset % 2 == 0 && code.size % 2 == 0
                );
                let _ = code.section_words().map_err(one_line);
                read += 1;
            }
        }
    }
    read
}

#[test]
fn the_samples_are_read() {
    assert!(SAMPLES.iter().all(|sample| exercise(sample) >= 5));
}

#[test]
fn every_truncation() {
    for sample in SAMPLES {
        for length in 0..sample.len() {
            exercise(&sample[..length]);
        }
    }
}

#[test]
fn every_byte_set_to_the_extremes() {
    for sample in SAMPLES {
        for place in 0..sample.len() {
            for value in [0x00, 0x01, 0x7f, 0x80, 0xff, !sample[place]] {
                let mut bytes = sample.to_vec();
                bytes[place] = value;
                exercise(&bytes);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        exercise(&bytes);
    }

    #[test]
    fn random_bytes_after_a_header(class in 1u8..3, order in 1u8..3, rest in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut bytes = vec![0x7f, b'E', b'L', b'F', class, order, 1];
        bytes.extend(rest);
        exercise(&bytes);
    }

    #[test]
    fn mutations(
        which in 0..SAMPLES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = SAMPLES[which].to_vec();
        for (place, value) in changes {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        exercise(&bytes);
    }

    #[test]
    fn random_tables(
        which in 0..SAMPLES.len(),
        start in any::<prop::sample::Index>(),
        noise in prop::collection::vec(any::<u8>(), 1..120),
    ) {
        // the header stays, so that the noise is read as sections, symbols or relocations
        let mut bytes = SAMPLES[which].to_vec();
        let start = 52 + start.index(bytes.len() - 52);
        let end = bytes.len().min(start + noise.len());
        bytes[start..end].copy_from_slice(&noise[..end - start]);
        exercise(&bytes);
    }

    #[test]
    fn any_name_is_answered(name in any::<String>()) {
        let file = ObjectFile::parse(SAMPLES[0]).expect("a good file");
        if let Err(error) = file.function(&name) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }
}
