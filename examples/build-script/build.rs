//! Writes the product that `src/lib.rs` includes.

use std::path::Path;

fn main() {
    let folder = std::env::var_os("OUT_DIR").expect("cargo sets it");
    write(Path::new(&folder)).unwrap_or_else(|error| panic!("{error}"));
    println!("cargo::rerun-if-changed=build.rs");
}

/// mul128.s, simulated and proved.
pub fn write(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let output = rhomb::Output { plain: true, ..rhomb::Output::default() };
    let (operation, target) = ("mul".into(), "cortex-m0plus".into());
    let request = rhomb::Request { operation, bits: 128, target, output, ..rhomb::Request::default() };
    let kernel = rhomb::generate(&request)?;
    if kernel.report.proof != rhomb::Proof::Proved {
        return Err("mul128 is not proved".into());
    }
    Ok(std::fs::write(folder.join("mul128.s"), kernel.assembly)?)
}
