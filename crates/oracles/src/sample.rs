/// How much of something that takes long is tested: `few` by `./test`, `all` by `./test --all`.
pub fn sample(few: usize, all: usize) -> usize {
    if std::env::var_os("RHOMB_TESTS").is_some_and(|which| which == "all") { all } else { few }
}

/// Of a table with many lines, whether those that were made stand in what is kept of all.
///
/// # Panics
/// Where one does not.
pub fn stand_in(made: &str, kept: &str) {
    for line in made.lines() {
        assert!(kept.lines().any(|own| own.trim_end() == line.trim_end()), "{line}");
    }
}
