//! The checker is read from top to bottom.

/// The files as the crate's documentation lists them, each with its text.
const FILES: [(&str, &str); 14] = [
    ("modulo", include_str!("../src/modulo.rs")),
    ("lemma", include_str!("../src/lemma.rs")),
    ("facts", include_str!("../src/facts.rs")),
    ("reduce", include_str!("../src/reduce.rs")),
    ("claim", include_str!("../src/claim.rs")),
    ("exclusion", include_str!("../src/exclusion.rs")),
    ("accept", include_str!("../src/accept.rs")),
    ("reduced", include_str!("../src/reduced.rs")),
    ("calls", include_str!("../src/calls.rs")),
    ("compared", include_str!("../src/compared.rs")),
    ("checkable", include_str!("../src/checkable.rs")),
    ("execution", include_str!("../src/execution.rs")),
    ("binary", include_str!("../src/binary.rs")),
    ("certificate", include_str!("../src/certificate.rs")),
];

#[test]
fn each_file_uses_none_but_those_before_it() {
    let root = include_str!("../src/lib.rs");
    assert_eq!(root.matches("\nmod ").count(), FILES.len());
    let names: Vec<String> = FILES.iter().map(|(name, _)| format!("`{name}`")).collect();
    let listed: String = root.lines().map(|line| line.trim_start_matches("//!")).collect();
    assert!(listed.contains(&names.join(", ")), "the documentation has another order");
    for (at, (name, text)) in FILES.iter().enumerate() {
        let later = FILES[at..].iter().find(|(other, _)| text.contains(&format!("use crate::{other}::")));
        assert_eq!(later.map(|(other, _)| other), None, "{name}");
    }
}
