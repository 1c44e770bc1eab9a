//! Functions from source text by avr-gcc, linked at address 0 with what they call.

use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core};
use rhomb_object::ObjectFile;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// What to build.
pub(crate) enum Source {
    /// `mul.c`.
    C {
        /// Of optimisation.
        level: &'static str,
        bits: u32,
        /// Bits of a limb.
        limb: u32,
    },
    /// An assembly file, and the function in it.
    Assembly { name: &'static str, symbol: &'static str },
}

/// The function, in the linked program.
pub(crate) fn function(source: &Source) -> Function {
    let folder = tempfile::tempdir().unwrap();
    let linked = folder.path().join("linked.elf");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign/source");
    let (file, symbol, flags) = match source {
        Source::C { level, bits, limb } => {
            let flags = vec![(*level).to_owned(), format!("-DBITS={bits}"), format!("-DLIMB={limb}")];
            ("mul.c".to_owned(), "mul", flags)
        }
        Source::Assembly { name, symbol } => (format!("{name}.S"), *symbol, Vec::new()),
    };
    let output = Command::new("avr-gcc")
        .args(["-mmcu=atmega128", "-std=c99", "-nostartfiles", "-Wl,-Ttext=0"])
        .arg(format!("-Wl,--entry={symbol}"))
        .args(flags)
        .arg("-o")
        .arg(&linked)
        .arg(sources.join(file))
        .output()
        .unwrap_or_else(|error| panic!("avr-gcc: {error}; run tests/oracles/setup"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bytes = std::fs::read(&linked).unwrap();
    let file = ObjectFile::parse(&bytes).unwrap();
    let code = file.function(symbol).unwrap();
    let core = core("atmega128").unwrap();
    let origin = (code.section.address / 2) as u32;
    let program = Program::new(core, origin, &code.section_words().unwrap());
    Function {
        program: Arc::new(program),
        entry: (code.address / 2) as u32,
        convention: &AVR_GCC,
        stack_limit: 256,
        step_limit: 10_000_000,
    }
}
