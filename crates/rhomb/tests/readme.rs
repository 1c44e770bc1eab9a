//! The README's recipes for projects of one's own work as they stand.
#![cfg(feature = "oracles")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// The README's only block of a language.
fn block(language: &str) -> String {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let blocks: Vec<&str> = text.split(&format!("```{language}\n")).skip(1).collect();
    let [block] = blocks[..] else { panic!("{} blocks of {language}", blocks.len()) };
    block.split("```").next().unwrap().to_owned()
}

/// Runs a tool in a folder, with the tool of this project on the path.
fn run(folder: &Path, tool: &str, arguments: &[&str]) {
    let own = Path::new(env!("CARGO_BIN_EXE_rhomb")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path))).unwrap();
    let output = Command::new(tool).args(arguments).current_dir(folder).env("PATH", path).output();
    let output = output.unwrap_or_else(|error| panic!("{tool}: {error}; run tests/oracles/setup"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("warning"), "{tool} {arguments:?}: {said}");
}

/// The README's lines of C in a program: the include on top, the rest in `main`.
fn program(folder: &Path, name: &str) {
    let block = block("c");
    let (include, rest) = block.split_once('\n').unwrap();
    let text = format!("{include}\nint main(void)\n{{\n{rest}return r[0];\n}}\n");
    // operands of some value
    let text = text.replace("a[20], b[20]", "a[20] = {0}, b[20] = {0}");
    fs::write(folder.join(name), text).unwrap();
}

#[test]
fn c_and_cpp_build() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let generate = "generate mul --bits 160 --target atmega128 --no-proof";
    run(folder, "rhomb", &generate.split(' ').collect::<Vec<_>>());
    let flags = ["-mmcu=atmega128", "-O2", "-Wall", "-Wextra"];
    for (compiler, name) in [("avr-gcc", "main.c"), ("avr-g++", "main.cpp")] {
        program(folder, name);
        run(folder, compiler, &[&flags[..], &[name, "mul160.S", "-o", "main.elf"]].concat());
    }
    // Rust includes the plain file, which the assembler alone must take
    run(folder, "rhomb", &[&generate.split(' ').collect::<Vec<_>>()[..], &["--plain"]].concat());
    assert!(block("rust,ignore").contains("include_str!(\"mul160.s\")"));
    run(folder, "avr-as", &["-mmcu=atmega128", "mul160.s", "-o", "mul160.o"]);
}

#[test]
fn cmake_builds() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let head = "cmake_minimum_required(VERSION 3.13)\nproject(demo C)\n";
    fs::write(folder.join("CMakeLists.txt"), format!("{head}{}", block("cmake"))).unwrap();
    program(folder, "main.c");
    let options = [
        "-DCMAKE_SYSTEM_NAME=Generic",
        "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY",
        "-DCMAKE_C_COMPILER=avr-gcc",
        "-DCMAKE_ASM_COMPILER=avr-gcc",
        "-DCMAKE_C_FLAGS=-mmcu=atmega128",
        "-DCMAKE_ASM_FLAGS=-mmcu=atmega128",
    ];
    run(folder, "cmake", &[&["-S", ".", "-B", "build"][..], &options].concat());
    run(folder, "cmake", &["--build", "build"]);
    assert!(folder.join("build/main").exists() && folder.join("build/mul160.h").exists());
}
