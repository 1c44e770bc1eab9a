//! Libraries: the folders that `rhomb library` writes, built as ecosystems build them.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn library(folder: &Path, target: &str, programs: &str, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rhomb"));
    command.args(["library", "--target", target, "--programs", programs, "-o"]).arg(folder).args(more);
    command.env("RHOMB_PROGRESS", "off").output().unwrap()
}

fn made(folder: &Path, target: &str, programs: &str) {
    let output = library(folder, target, programs, &["--name", "numbers"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

const PROGRAMS: &str = "mul 256,add 256,modmul p25519";

/// What each ecosystem reads is there, well-formed, and names the routines.
#[test]
fn ecosystems_find_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let read = |path: &str| fs::read_to_string(folder.path().join(path)).unwrap();
    made(folder.path(), "atmega328p", PROGRAMS);
    for name in ["mul256", "add256", "modmul_p25519"] {
        assert!(read("CMakeLists.txt").contains(&format!("src/{name}.S")), "{name}");
        assert!(read("zephyr/CMakeLists.txt").contains(&format!("../src/{name}.S")), "{name}");
        assert!(read("src/numbers.h").contains(&format!("#include \"{name}.h\"")), "{name}");
        assert!(read("README.md").contains(&format!("| `{name}` | ")), "{name}");
        assert!(
            read("rust/lib.rs").contains(&format!("pub fn {name}(r: *mut u8, a: *const u8, b: *const u8)")),
            "{name}"
        );
        assert!(!read(&format!("plain/{name}.s")).lines().any(|line| line.starts_with("#if")), "{name}");
        assert!(read(&format!("src/{name}.S")).contains("proof       "), "{name}");
    }
    assert!(read("rust/lib.rs").contains("b: *const u8) -> u8;"), "the carry of a sum");
    let properties = read("library.properties");
    let keys: Vec<&str> = properties.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    let wanted = [
        "name",
        "version",
        "author",
        "maintainer",
        "sentence",
        "paragraph",
        "category",
        "url",
        "architectures",
    ];
    assert!(wanted.iter().all(|key| keys.contains(key)), "{keys:?}");
    let platformio: Value = serde_json::from_str(&read("library.json")).unwrap();
    assert_eq!(platformio["headers"], "numbers.h");
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    assert_eq!(manifest["lib"]["path"].as_str(), Some("rust/lib.rs"));
    assert!(read("zephyr/Kconfig").starts_with("config NUMBERS\n"));
    // a second time the same files are written
    let before = read("src/mul256.S");
    made(folder.path(), "atmega328p", PROGRAMS);
    assert_eq!(before, read("src/mul256.S"));
}

/// A folder with other files is left alone, and what is no program is told in one line.
#[test]
fn what_cannot_be_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |target: &str, programs: &str, more: &[&str], says: &str| {
        let output = library(folder.path(), target, programs, more);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{programs}: {text}");
        assert!(text.contains(says), "{programs}: {text}");
        assert!(!folder.path().join("src").exists(), "{programs}");
    };
    refused("atmega328p", "mul 256 2", &[], "an operation and its size");
    refused("atmega328p", "times 256", &[], "times");
    refused("atmega328p", "mul 64,mul 64", &[], "asked for twice");
    refused("atmega328p", "mul 64", &["--name", "Numbers-1"], "build systems");
    refused("atmega328p", "mul 0", &[], "0");
    refused("tms320vc5510", "mul 64", &[], "tms320vc5510");
    fs::write(folder.path().join("CMakeLists.txt"), "project(mine)\n").unwrap();
    refused("atmega328p", "mul 64", &[], "CMakeLists.txt exists");
    assert_eq!(fs::read_to_string(folder.path().join("CMakeLists.txt")).unwrap(), "project(mine)\n");
}

#[cfg(feature = "oracles")]
mod built {
    use super::*;

    const MAIN: &str = "#include <numbers.h>\n\nuint8_t r[64], a[32], b[32];\n\n\
        int main(void)\n{\n    mul256(r, a, b);\n    modmul_p25519(r, a, b);\n    return add256(r, a, b);\n}\n";

    fn run(command: &mut Command) -> Output {
        let output = command.output().unwrap();
        let text = [&output.stdout[..], &output.stderr].concat();
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&text));
        output
    }

    /// The library by `add_subdirectory` in place of a download, and installed and found.
    #[test]
    fn cmake_builds_installs_and_finds_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        made(&at("numbers"), "atmega328p", PROGRAMS);
        fs::write(
            at("avr.cmake"),
            "set(CMAKE_SYSTEM_NAME Generic)\nset(CMAKE_SYSTEM_PROCESSOR avr)\nset(CMAKE_C_COMPILER avr-gcc)\n\
             set(CMAKE_ASM_COMPILER avr-gcc)\nset(CMAKE_C_FLAGS_INIT -mmcu=atmega328p)\nset(CMAKE_ASM_FLAGS_INIT -mmcu=atmega328p)\n",
        )
        .unwrap();
        let toolchain = format!("-DCMAKE_TOOLCHAIN_FILE={}", at("avr.cmake").display());
        let cmake =
            |arguments: &[&str]| run(Command::new("cmake").current_dir(folder.path()).args(arguments));
        cmake(&["-S", "numbers", "-B", "own", &toolchain, "-DCMAKE_INSTALL_PREFIX=installed"]);
        cmake(&["--build", "own"]);
        cmake(&["--install", "own", "--prefix", "installed"]);
        let uses = [
            ("found", "find_package(numbers REQUIRED)".to_owned()),
            (
                "fetched",
                "include(FetchContent)\nFetchContent_Declare(numbers SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/../numbers)\n\
                 FetchContent_MakeAvailable(numbers)"
                    .to_owned(),
            ),
        ];
        for (name, how) in uses {
            fs::create_dir(at(name)).unwrap();
            fs::write(at(name).join("main.c"), MAIN).unwrap();
            let list = format!(
                "cmake_minimum_required(VERSION 3.16)\nproject({name} C ASM)\n{how}\n\
                 add_executable({name} main.c)\ntarget_link_libraries({name} numbers::numbers)\n"
            );
            fs::write(at(name).join("CMakeLists.txt"), list).unwrap();
            let prefix = format!("-DCMAKE_PREFIX_PATH={}", at("installed").display());
            let build = format!("{name}/build");
            cmake(&[
                "-S",
                name,
                "-B",
                &build,
                &toolchain,
                &prefix,
                "-DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=BOTH",
            ]);
            cmake(&["--build", &build]);
            let symbols = run(Command::new("avr-nm").arg(at(&build).join(name)));
            let symbols = String::from_utf8(symbols.stdout).unwrap();
            assert!(symbols.contains(" T mul256") && symbols.contains(" T modmul_p25519"), "{symbols}");
        }
    }

    /// As Arduino does it: all files below `src`, each by itself, as C and as C++; the plain text is the same code.
    #[test]
    fn all_files_compile_by_themselves() {
        let folder = tempfile::tempdir().unwrap();
        made(folder.path(), "atmega328p", PROGRAMS);
        let object = folder.path().join("x.o");
        let code = |path: &Path| {
            run(Command::new("avr-gcc").args(["-mmcu=atmega328p", "-c", "-o"]).arg(&object).arg(path));
            let text = folder.path().join("x.bin");
            run(Command::new("avr-objcopy").args(["-O", "binary"]).arg(&object).arg(&text));
            fs::read(text).unwrap()
        };
        for name in ["mul256", "add256", "modmul_p25519"] {
            let own = code(&folder.path().join(format!("src/{name}.S")));
            assert!(!own.is_empty(), "{name}");
            assert_eq!(own, code(&folder.path().join(format!("plain/{name}.s"))), "{name}");
        }
        let sketch = folder.path().join("examples/numbers/numbers.ino");
        let include = format!("-I{}", folder.path().join("src").display());
        let language = ["-x", "c++", "-mmcu=atmega328p", "-c", "-o"];
        run(Command::new("avr-g++").arg(include).args(language).arg(&object).arg(sketch));
    }

    /// Another compiler, or Rust for another processor, stops with one line that says what is needed.
    #[test]
    fn other_compilers_are_stopped() {
        let folder = tempfile::tempdir().unwrap();
        made(folder.path(), "atmega328p", "mul 64");
        let gcc = Command::new("gcc")
            .args(["-c", "-o", "/dev/null"])
            .arg(folder.path().join("src/mul64.S"))
            .output();
        let gcc = gcc.unwrap();
        assert!(!gcc.status.success());
        let text = String::from_utf8_lossy(&gcc.stderr).into_owned();
        assert!(text.contains("mul64 needs "), "{text}");
        let rustc = Command::new("rustc")
            .args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "--out-dir"])
            .arg(folder.path())
            .arg(folder.path().join("rust/lib.rs"))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&rustc.stderr).into_owned();
        assert!(!rustc.status.success() && text.contains("is for atmega328p"), "{text}");
    }
}
