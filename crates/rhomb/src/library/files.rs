//! The files of a library.

use super::rust;
use crate::generate::Kernel;
use crate::header::{LICENCE, VERSION};
use crate::targets::Target;
use crate::verdict::Proof;
use serde_json::json;

pub(super) fn all(name: &str, target: &dyn Target, kernels: &[Kernel]) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for kernel in kernels {
        files.push((format!("src/{}.{}", kernel.name, kernel.extension), kernel.assembly.clone()));
        files.push((format!("src/{}.h", kernel.name), kernel.c_header.clone()));
    }
    let sources: Vec<String> =
        kernels.iter().map(|kernel| format!("src/{}.{}", kernel.name, kernel.extension)).collect();
    let names: Vec<&str> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    let summary = format!("{} for {}", names.join(", "), target.name());
    let own = |path: &str, text: String| (path.to_owned(), text);
    files.extend([
        (format!("src/{name}.h"), header(name, kernels)),
        own("README.md", readme(name, target, kernels)),
        own("CMakeLists.txt", cmake(name, &sources)),
        own("library.properties", arduino(name, target, &summary)),
        own("library.json", platformio(name, target, &summary)),
        own("keywords.txt", names.iter().map(|name| format!("{name}\tKEYWORD2\n")).collect()),
        (format!("examples/{name}/{name}.ino"), sketch(name)),
        own(
            "zephyr/module.yml",
            format!("name: {name}\nbuild:\n  cmake: zephyr\n  kconfig: zephyr/Kconfig\n"),
        ),
        own("zephyr/CMakeLists.txt", zephyr(name, &sources)),
        own("zephyr/Kconfig", format!("config {}\n\tbool \"{summary}\"\n", name.to_ascii_uppercase())),
        own(
            "idf_component.yml",
            format!("version: \"0.1.0\"\ndescription: \"{summary}\"\nlicense: MIT OR Apache-2.0\n"),
        ),
    ]);
    files.extend(rust::files(name, target, kernels));
    files
}

fn header(name: &str, kernels: &[Kernel]) -> String {
    let included: String = kernels.iter().map(|kernel| format!("#include \"{}.h\"\n", kernel.name)).collect();
    format!(
        "/* All of {name}. {LICENCE}. Made by {VERSION}. */\n#ifndef RHOMB_ALL_{name}_H\n#define RHOMB_ALL_{name}_H\n\n{included}\n#endif\n"
    )
}

fn proof(kernel: &Kernel) -> &'static str {
    match kernel.report.proof {
        Proof::Proved => "proved",
        Proof::NotRun => "not run",
        Proof::Refuted | Proof::Unknown => "not proved",
    }
}

fn readme(name: &str, target: &dyn Target, kernels: &[Kernel]) -> String {
    let mut text = format!(
        "# {name}\n\nRoutines for {}, made by {VERSION}. Code and stack are in bytes, cycles are those of the slowest call.\n\n\
         | routine | cycles | code | stack | time | proof |\n|---|---|---|---|---|---|\n",
        target.name()
    );
    for kernel in kernels {
        let report = &kernel.report;
        text.push_str(&format!(
            "| `{}` | {} | {} | {} | {} | {} |\n",
            kernel.name,
            report.cycles.function_max,
            report.code_bytes,
            report.stack_bytes,
            report.constant_time.name(),
            proof(kernel)
        ));
    }
    text.push_str(&format!(
        "\nInclude `{name}.h`. Each routine's file says what it computes, which command made it and, if it is proved, the hash of its\n\
         certificate.\n\n\
         - Arduino and PlatformIO: put the folder among the libraries.\n\
         - CMake: `add_subdirectory`, `FetchContent`, or after `cmake --install` `find_package({name})`; link `{name}::{name}`.\n\
         - ESP-IDF: put the folder among the components. Zephyr: name it in `ZEPHYR_EXTRA_MODULES`, and set `CONFIG_{}`.\n",
        name.to_ascii_uppercase()
    ));
    text.push_str("- Cargo: a path dependency, where `Cargo.toml` is there.\n\nLicence: MIT or Apache 2.0, as you like.\n");
    text
}

fn cmake(name: &str, sources: &[String]) -> String {
    let sources = sources.join("\n  ");
    format!(
        "# CMake, by add_subdirectory, FetchContent and find_package; and a component of ESP-IDF\n\
         cmake_minimum_required(VERSION 3.16)\n\n\
         set(sources\n  {sources})\n\n\
         if(ESP_PLATFORM)\n  idf_component_register(SRCS ${{sources}} INCLUDE_DIRS src)\n  return()\nendif()\n\n\
         project({name} VERSION 0.1.0 LANGUAGES C ASM)\n\
         include(GNUInstallDirs)\n\
         add_library({name} STATIC ${{sources}})\n\
         add_library({name}::{name} ALIAS {name})\n\
         target_include_directories({name} PUBLIC\n  $<BUILD_INTERFACE:${{CMAKE_CURRENT_SOURCE_DIR}}/src>\n  $<INSTALL_INTERFACE:${{CMAKE_INSTALL_INCLUDEDIR}}/{name}>)\n\n\
         install(TARGETS {name} EXPORT {name}Config ARCHIVE DESTINATION ${{CMAKE_INSTALL_LIBDIR}})\n\
         install(DIRECTORY src/ DESTINATION ${{CMAKE_INSTALL_INCLUDEDIR}}/{name} FILES_MATCHING PATTERN \"*.h\")\n\
         install(EXPORT {name}Config NAMESPACE {name}:: DESTINATION ${{CMAKE_INSTALL_LIBDIR}}/cmake/{name})\n"
    )
}

fn zephyr(name: &str, sources: &[String]) -> String {
    let sources: String =
        sources.iter().map(|source| format!("  zephyr_library_sources(../{source})\n")).collect();
    format!(
        "if(CONFIG_{})\n  zephyr_include_directories(../src)\n  zephyr_library()\n{sources}endif()\n",
        name.to_ascii_uppercase()
    )
}

fn arduino(name: &str, target: &dyn Target, summary: &str) -> String {
    let architectures = if target.description().processor == "AVR" { "avr" } else { "*" };
    format!(
        "name={name}\nversion=0.1.0\nauthor=rhomb\nmaintainer=rhomb\nsentence={summary}.\n\
         paragraph=Assembly with exact cycle counts, proved from its machine code.\ncategory=Other\nurl=\n\
         architectures={architectures}\nincludes={name}.h\n"
    )
}

fn platformio(name: &str, target: &dyn Target, summary: &str) -> String {
    let is_avr = target.description().processor == "AVR";
    let platforms = if is_avr { json!(["atmelavr", "atmelmegaavr"]) } else { json!("*") };
    let text = json!({
        "name": name,
        "version": "0.1.0",
        "description": summary,
        "license": "MIT OR Apache-2.0",
        "frameworks": "*",
        "platforms": platforms,
        "headers": format!("{name}.h"),
    });
    format!("{text:#}\n")
}

fn sketch(name: &str) -> String {
    format!(
        "// All routines of {name} can be called; see the headers in src.\n#include <{name}.h>\n\nvoid setup() {{}}\n\nvoid loop() {{}}\n"
    )
}
