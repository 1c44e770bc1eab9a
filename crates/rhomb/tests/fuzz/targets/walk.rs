//! The reader of walks.

use rhomb_kernel::{Walk, text};

/// Words of the operands: the first byte's remainder.
const MOST_WORDS: usize = 12;

pub(crate) fn run(bytes: &[u8]) -> String {
    let Some((first, rest)) = bytes.split_first() else { return "nothing".to_owned() };
    let words = usize::from(*first) % MOST_WORDS + 1;
    let written = String::from_utf8_lossy(rest);
    match text::rows(&written, words) {
        Ok(rows) => {
            let walk = Walk { words, rows, pool: 2, carry_once: 1 };
            assert_eq!(walk.validate(), Ok(()));
            let again = text::rows(&text::written(&walk), words).expect("what is written is read");
            assert_eq!(again, walk.rows);
            format!("{} rows of {words} words", walk.rows.len())
        }
        Err(error) => {
            assert!(error.line >= 1 && error.line <= written.lines().count().max(1), "{error}");
            let line = written.lines().nth(error.line - 1).unwrap_or_default();
            assert!(error.column >= 1 && error.column <= line.chars().count() + 1, "{error}");
            assert!(!error.hint.is_empty() && error.to_string().len() < 300, "{error}");
            super::shown(error)
        }
    }
}
