/// How much of something that takes long is tested: `few` by `./test`, `all` by `./test --all`.
pub fn sample(few: usize, all: usize) -> usize {
    if std::env::var_os("RHOMB_TESTS").is_some_and(|which| which == "all") { all } else { few }
}
