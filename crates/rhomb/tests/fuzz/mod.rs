//! Whatever the input is, each reader has an answer, soon. The files of `tests/corpus` are inputs that
//! reach different answers, or once had none; `examples/fuzz` makes more of them.

mod corpus;
mod targets;

use std::time::{Duration, Instant};

#[test]
fn every_file_of_the_corpus_has_an_answer() {
    for target in targets::TARGETS {
        let files = corpus::files(target.name);
        assert!(files.len() > 3, "{}", target.name);
        for (name, bytes) in files {
            let start = Instant::now();
            let answer = (target.run)(&bytes);
            assert!(!answer.is_empty() && !answer.contains('\n'), "{name}: {answer}");
            assert!(start.elapsed() < Duration::from_secs(60), "{name}: {:?}", start.elapsed());
        }
    }
}
