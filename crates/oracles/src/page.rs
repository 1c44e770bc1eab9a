use crate::place::{missing, place, workspace};
use crate::sample;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Builds the page of these processors, as `./page avr` does of one; quickly, unless all is asked for.
///
/// # Panics
/// When that fails.
pub fn build_page(processors: &[&str]) {
    let quick = (sample(0, 1) == 0).then_some("--quick");
    let page = workspace().join("page");
    let output = Command::new(page).args(quick).args(processors).env("RHOMB_ORACLES", place()).output();
    let output = output.unwrap_or_else(|error| missing("./page", &error));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Visits the page at an address with headless Chromium: see `tests/oracles/page.mjs`. Gives what it measured, in
/// milliseconds. `RHOMB_PICTURES` names a folder for photographs.
///
/// # Panics
/// When a check of the visit fails, or a tool is not there.
pub fn visit_page(address: &str, object: &Path, processors: &[&str]) -> BTreeMap<String, f64> {
    let package = place().join("node_modules/playwright-core");
    if !package.exists() {
        missing(&package.display().to_string(), &"not installed");
    }
    let output = Command::new("node")
        .arg(workspace().join("tests/oracles/page.mjs"))
        .arg(package.canonicalize().expect("it exists"))
        .arg(address)
        .arg(object)
        .arg(processors.join(","))
        .args(std::env::var_os("RHOMB_PICTURES"))
        .output();
    let output = output.unwrap_or_else(|error| missing("node", &error));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("the script prints its figures")
}
