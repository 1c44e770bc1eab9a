//! What somebody meets who uses the tool for the first time: names, guards, warnings, statuses, help, other names.

use num_bigint::BigUint;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn rhomb(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rhomb"));
    command
        .args(line.split_whitespace())
        .current_dir(folder)
        .env("RHOMB_PROGRESS", "off")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What it prints, of a command that succeeds.
fn good(folder: &Path, line: &str) -> String {
    let output = rhomb(folder, line);
    assert_eq!(output.status.code(), Some(0), "{line}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Status and what it says, of one that fails.
fn bad(folder: &Path, line: &str) -> (i32, String) {
    let output = rhomb(folder, line);
    (output.status.code().unwrap(), text(&output.stderr))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn functions_that_differ_have_names_that_differ() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (line, name) in [
        ("modadd --modulus p256 --target mips32-4km", "modadd_p256"),
        ("modadd --modulus secp256k1 --target mips32-4km", "modadd_secp256k1"),
        ("modadd --modulus p192 --target mips32-4km", "modadd_p192"),
        ("modadd --modulus p192 --target mips32-ise", "modadd_p192_ise"),
        ("add --bits 64 --target mips32-4km", "add64"),
        ("add --bits 64 --target smartmips", "add64_smartmips"),
        ("gf2add --bits 191 --target mips32-4km", "gf2add191"),
    ] {
        good(folder, &format!("generate {line} --no-proof"));
        assert!(read(folder, &format!("{name}.h")).contains(&format!(" {name}(")), "{name}");
        assert!(read(folder, &format!("{name}.S")).contains(&format!(".globl {name}")), "{name}");
    }
    // one without a name, in several spellings
    let prime = "2^192-2^64-33";
    let of = |modulus: &str| {
        good(folder, &format!("generate modadd --modulus {modulus} --target mips32-4km --no-proof -f"))
    };
    let printed = of(prime);
    let name = printed.split(':').next().unwrap().to_owned();
    assert!(name.starts_with("modadd192_") && name.len() == "modadd192_".len() + 8, "{name}");
    let power = |exponent: u32| BigUint::from(1u8) << exponent;
    let decimal = power(192) - power(64) - 33u8;
    assert!(of(&decimal.to_string()).starts_with(&name));
    assert!(of(&format!("{decimal:#x}")).starts_with(&name));
    assert!(!of("2^192-2^64-2^7-1").starts_with(&name));
    // each file is there: none was replaced by another's
    assert_eq!(names(folder).len(), 2 * 9);
}

#[test]
fn files_that_are_not_the_routines_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let own = "generate add --bits 64 --target atmega128 --no-proof";
    good(folder, own);
    // the same function may be made again, by another method too
    good(folder, own);
    good(folder, &format!("{own} --form looped"));
    let before = (read(folder, "add64.S"), read(folder, "add64.h"));
    for other in ["--target arm7tdmi", "--target attiny85", "--target atmega128 --convention iar"] {
        let (status, said) = bad(folder, &format!("generate add --bits 64 --no-proof {other}"));
        assert_eq!(status, 2, "{said}");
        assert!(said.contains("written by `rhomb generate add --bits 64 --target atmega128`"), "{said}");
        assert!(said.contains("--force"), "{said}");
        assert_eq!(before, (read(folder, "add64.S"), read(folder, "add64.h")));
    }
    fs::write(folder.join("sub64.h"), "int mine;\n").unwrap();
    let (status, said) = bad(folder, "generate sub --bits 64 --target atmega128 --no-proof");
    assert_eq!((status, said.contains("sub64.h exists, and rhomb did not write it")), (2, true), "{said}");
    assert_eq!(read(folder, "sub64.h"), "int mine;\n");
    assert!(!folder.join("sub64.S").exists());
    good(folder, "generate sub --bits 64 --target atmega128 --no-proof --force");
    assert!(read(folder, "sub64.h").contains("sub64("));
    let public = "generate public --target mips32-ise --no-proof --name own --curve";
    good(folder, &format!("{public} p192"));
    assert!(bad(folder, &format!("{public} p224")).1.contains("exists, written by `rhomb generate public"));
    // pictures
    good(folder, "draw mul --bits 16 --target atmega128 --method comba");
    good(folder, "draw mul --bits 16 --target atmega128 --method hybrid");
    fs::write(folder.join("mul16.svg"), "<svg/>").unwrap();
    assert_eq!(bad(folder, "draw mul --bits 16 --target atmega128 --method comba").0, 2);
    good(folder, "draw mul --bits 16 --target atmega128 --method comba -f -o mul16.svg");
}

#[test]
fn a_leak_is_told_where_it_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "generate mul --bits 64 --target arm7tdmi --no-proof";
    let (status, said) = bad(folder, line);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.starts_with("warning: the time of mul64 depends on its operands")
            && said.contains("--constant-time")
    );
    assert!(read(folder, "mul64.h").contains("Time: DEPENDS ON THE OPERANDS."));
    let (status, said) = bad(folder, &format!("{line} --require constant --name other"));
    assert_eq!((status, said.contains("--require constant")), (1, true), "{said}");
    assert!(!folder.join("other.S").exists());
    let fixed = rhomb(folder, &format!("{line} --require constant --constant-time"));
    assert_eq!((fixed.status.code(), text(&fixed.stderr)), (Some(0), String::new()));
    let header = read(folder, "mul64.h");
    assert!(header.contains("Time: no branch and no address depends on the operands."), "{header}");
    assert!(header.contains("Cycles: ") && header.contains("Stack: "), "{header}");
    assert_eq!(
        rhomb(folder, "measure mul --bits 64 --target arm7tdmi --require balanced").status.code(),
        Some(1)
    );
    assert_eq!(rhomb(folder, "measure mul --bits 64 --target uno --require balanced").status.code(), Some(0));
}

#[test]
fn refuted_and_unknown_have_statuses_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("museum.o"), include_bytes!("data/museum.o")).unwrap();
    let status = |symbol: &str, more: &str| {
        let line = format!("verify museum.o --symbol {symbol} --target atmega128 {more} --contract");
        let mut command = Command::new(env!("CARGO_BIN_EXE_rhomb"));
        let output =
            command.args(line.split_whitespace()).arg("mul 16").current_dir(folder).output().unwrap();
        output.status.code().unwrap()
    };
    assert_eq!(status("mul16", ""), 0);
    assert_eq!(status("mul16", "--require constant"), 0);
    assert_eq!(status("lost_carry", ""), 1);
    assert_eq!(status("mul16", "--effort 1"), 3);
    assert_eq!(status("nowhere", ""), 2);
    // standard input
    let mut command = Command::new(env!("CARGO_BIN_EXE_rhomb"));
    command.args(["verify", "-", "--symbol", "mul16", "-t", "atmega128", "-q", "--contract", "mul 16"]);
    let output = command.stdin(fs::File::open(folder.join("museum.o")).unwrap()).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0), "{}", text(&output.stderr));
}

#[test]
fn other_names_are_understood() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (one, other) in [
        ("mul --bits 64 --target uno", "mul --bits 64 --target atmega328p"),
        ("mul --bits 64 --target atmega1284p", "mul --bits 64 --target atmega128"),
        ("mul -b 64 -t ATmega32U4 -m Comba", "mul --bits 64 --target atmega328p --method product-scanning"),
        ("mul -b 64 -t uno -m karatsuba", "mul --bits 64 --target atmega328p --method split"),
        ("mul -b 64 -t uno -m schoolbook", "mul --bits 64 --target atmega328p --method operand-scanning"),
        ("modadd --modulus 2^255-19 -t mips32-4km", "modadd --modulus p25519 --target mips32-4km"),
        ("modadd --modulus ed25519 -t mips32-4km", "modadd --modulus p25519 --target mips32-4km"),
        ("modadd --modulus 2^256-2^32-977 -t mips32-4km", "modadd --modulus secp256k1 --target mips32-4km"),
        ("modadd --modulus secp256r1 -t mips32-4km", "modadd --modulus p256 --target mips32-4km"),
    ] {
        assert_eq!(
            good(folder, &format!("measure {one}")),
            good(folder, &format!("measure {other}")),
            "{one}"
        );
    }
    for (name, written) in [
        ("modmul p256", "modmul 2^256-2^224+2^192+2^96-1"),
        ("modadd secp256k1 a<p b<p r<p", "modadd 2^256-2^32-977 a<p b<p r<p"),
        ("gf2modmul b233", "gf2modmul x^233+x^74+1"),
    ] {
        assert_eq!(rhomb::parse_contract(name).unwrap(), rhomb::parse_contract(written).unwrap(), "{name}");
    }
    for (name, own) in rhomb::targets::others() {
        assert!(good(folder, &format!("measure add -b 16 -t {name}")).contains(own), "{name}");
    }
    assert_eq!(good(folder, "reproduce hutter-wenger --table 1 --format md"), {
        good(folder, "reproduce hutter-wenger --table 1 --format markdown")
    });
}

/// One run writes tables in several formats; another's file is not replaced.
#[test]
fn tables_are_written_in_several_formats_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let ask = |more: &str| format!("reproduce hutter-wenger --table 1 {more}");
    let all = "-o a.txt -o sub/a.json -o a.MD -o a.csv -o - --format grid";
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    // the second time over the first
    for _ in 0..2 {
        let printed = good(folder, &ask(all));
        let grid = good(folder, &ask("--format grid"));
        assert_eq!(printed, format!("a.txt\nsub/a.json\na.MD\na.csv\n{grid}"));
        assert_eq!(read("a.txt"), grid);
        for (name, format) in [("sub/a.json", "json"), ("a.MD", "markdown"), ("a.csv", "csv")] {
            assert_eq!(read(name), good(folder, &ask(&format!("--format {format}"))), "{name}");
        }
    }
    assert_eq!(good(folder, &ask("-o a.txt --quiet")), "");
    assert_eq!(read("a.txt"), good(folder, &ask("")));
    std::fs::write(folder.join("a.csv"), "another's").unwrap();
    std::fs::remove_file(folder.join("a.txt")).unwrap();
    let (status, text) = bad(folder, &ask(all));
    assert!(status == 2 && text.contains("a.csv exists, and rhomb did not write it"), "{text}");
    assert_eq!((read("a.csv").as_str(), folder.join("a.txt").exists()), ("another's", false));
    good(folder, &ask(&format!("{all} --force")));
    assert!(read("a.csv").starts_with("paper,table,row,"));
}

#[test]
fn what_is_printed_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let quiet = rhomb(folder, "generate add --bits 16 --target atmega128 -q --jobs 1");
    assert_eq!((quiet.stdout.len(), quiet.stderr.len()), (0, 0));
    assert_eq!(names(folder), ["add16.S", "add16.h"]);
    assert!(good(folder, "measure add --bits 16 --target atmega128 --color always").contains('\u{1b}'));
    assert_eq!(good(folder, "measure add --bits 16 --target atmega128 --quiet --require constant"), "");
    assert!(!good(folder, "measure add --bits 16 --target atmega128 --color never").contains('\u{1b}'));
    assert_eq!(bad(folder, "measure add --bits 16 --target atmega128 --jobs 0").0, 2);
    assert_eq!(bad(folder, "measure add --bits 16 --target atmega128 --color pink").0, 2);
}

#[test]
fn help_begins_with_examples_and_has_the_documents() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let short = good(folder, "");
    assert!(short.lines().count() < 50 && short.contains("Examples:"), "{short}");
    for command in ["generate", "verify", "measure", "tune", "draw", "certificate", "reproduce", "records"] {
        let help = good(folder, &format!("{command} --help"));
        let (examples, usage) = (help.find("Examples:").unwrap(), help.find("Usage:").unwrap());
        assert!(examples < usage, "{command}");
        assert_eq!(help, good(folder, &format!("help {command}")).replace("rhomb-", "rhomb "), "{command}");
    }
    let generate = good(folder, "generate --help");
    for heading in
        ["What is computed:", "Method and its parameters:", "Limits:", "Caller and assembler:", "Output:"]
    {
        assert!(generate.contains(heading), "{heading}");
    }
    let topics = good(folder, "help");
    let topics = topics.lines().last().unwrap().trim().to_owned();
    assert!(topics.split(", ").count() > 10, "{topics}");
    for topic in topics.split(", ") {
        assert!(good(folder, &format!("help {topic}")).len() > 400, "{topic}");
    }
    assert!(good(folder, "help avr").starts_with("# "));
    let (status, said) = bad(folder, "help avrr");
    assert_eq!((status, said.contains("did you mean 'avr'?")), (2, true), "{said}");
    assert_eq!(good(folder, "version"), good(folder, "--version"));
    let completions = good(folder, "completions bash");
    for value in ["atmega328p", "uno", "operand-caching", "karatsuba", "modmul", "secp256k1", "aapcs"] {
        assert!(completions.contains(value), "{value}");
    }
}

/// Examples in helps: those that need no file of somebody's work as they stand.
#[test]
fn examples_work() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut ran = 0;
    for command in ["", "generate --help", "measure --help", "draw --help", "reproduce --help"] {
        let help = good(folder, command);
        let examples = help.split("Examples:").nth(1).unwrap().split("Usage:").next().unwrap().to_owned();
        for line in examples.lines().filter_map(|line| line.trim().strip_prefix("rhomb ")) {
            // what comes after two blanks says what it does
            let line = line.split("  ").next().unwrap();
            if !line.contains("main.o") && !line.contains("reproduce") && !line.contains("--chart") {
                good(folder, line);
                ran += 1;
            }
        }
    }
    assert!(ran >= 10, "{ran}");
    let help = good(folder, "verify --help");
    let contracts: Vec<&str> =
        help.split("--contract \"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(contracts.len() >= 3, "{contracts:?}");
    assert!(contracts.iter().all(|contract| rhomb::parse_contract(contract).is_ok()), "{contracts:?}");
}

#[test]
fn a_section_and_a_plain_file_are_written_where_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    good(folder, "generate add --bits 16 --target atmega128 --section .ramfunc --plain");
    let plain = read(folder, "add16.s");
    assert!(plain.contains("\t.section .ramfunc,\"ax\",@progbits"), "{plain}");
    assert!(plain.lines().all(|line| !line.starts_with('#')), "{plain}");
    assert!(plain.contains("--section .ramfunc --plain"), "{plain}");
    for wrong in
        ["--section .debug_x", "--section a,b", "--section .text --syntax iar", "--plain --syntax iar"]
    {
        let (status, said) =
            bad(folder, &format!("generate add --bits 16 --target atmega128 --name f {wrong}"));
        assert_eq!((status, said.contains("; valid")), (2, true), "{said}");
    }
    assert_eq!(bad(folder, "generate add --bits 16 --target tms320vc5510 --section .fast").0, 2);
    assert_eq!(names(folder), ["add16.h", "add16.s"]);
}

/// The check at the top of a file: the preprocessor stops where it is the wrong one, with one line.
#[cfg(feature = "oracles")]
#[test]
fn the_wrong_compiler_is_stopped_by_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let errors = |tool: &str, file: &str, options: &[&str]| -> Vec<String> {
        let mut command = Command::new(tool);
        command.args(["-x", "assembler-with-cpp", "-c", "-o", "out.o"]).args(options).arg(file);
        let output = command.current_dir(folder).output().unwrap_or_else(|error| panic!("{tool}: {error}"));
        text(&output.stderr).lines().filter(|line| line.contains(": error:")).map(str::to_owned).collect()
    };
    for (target, name) in
        [("atmega128", "avr"), ("attiny85", "tiny"), ("arm7tdmi", "arm"), ("mips32-4km", "m")]
    {
        good(folder, &format!("generate mul --bits 64 --target {target} --no-proof -q --name {name}"));
        let said = errors("gcc", &format!("{name}.S"), &[]);
        assert!(said.len() == 1 && said[0].contains(&format!("{name} needs ")), "{said:?}");
    }
    assert_eq!(errors("avr-gcc", "avr.S", &["-mmcu=atmega328p"]), [""; 0]);
    assert_eq!(errors("avr-gcc", "tiny.S", &["-mmcu=attiny85"]), [""; 0]);
    assert_eq!(errors("avr-gcc", "tiny.S", &["-mmcu=atmega128"]), [""; 0]);
    let said = errors("avr-gcc", "avr.S", &["-mmcu=attiny85"]);
    assert!(said.len() == 1 && said[0].contains("the instruction MUL"), "{said:?}");
    assert_eq!(errors("arm-none-eabi-gcc", "arm.S", &["-mcpu=arm7tdmi"]), [""; 0]);
    assert_eq!(errors("arm-none-eabi-gcc", "arm.S", &["-mcpu=arm926ej-s", "-mthumb"]), [""; 0]);
    for wrong in [&["-mcpu=cortex-m0"][..], &["-mcpu=cortex-m4"], &["-mcpu=arm7tdmi", "-mbig-endian"]] {
        let said = errors("arm-none-eabi-gcc", "arm.S", wrong);
        assert!(said.len() == 1 && said[0].contains("ARM state"), "{wrong:?}: {said:?}");
    }
    // what compilers for ARM and MIPS define
    let stops = |file: &str, names: &[&str]| {
        let mut options = vec!["-E", "-undef"];
        options.extend(names);
        let said = errors("gcc", file, &options);
        assert!(said.len() <= 1, "{said:?}");
        said.len() == 1
    };
    let arm = ["-D__arm__", "-D__ARM_ARCH_ISA_ARM=1", "-D__ARM_EABI__"];
    assert!(!stops("arm.S", &arm));
    assert!((0..3).all(|left_out| stops("arm.S", &[&arm[..left_out], &arm[left_out + 1..]].concat())));
    assert!(stops("arm.S", &[&arm[..], &["-D__ARMEB__"]].concat()));
    let mips = ["-D__mips__", "-D__MIPSEL__", "-D__mips_isa_rev=1", "-D_ABIO32=1", "-D_MIPS_SIM=_ABIO32"];
    assert!(!stops("m.S", &mips));
    assert!((0..3).all(|left_out| stops("m.S", &[&mips[..left_out], &mips[left_out + 1..]].concat())));
    for wrong in ["-D_MIPS_SIM=2", "-D__mips_isa_rev=6", "-D__mips16", "-D__mips_micromips"] {
        let name = wrong.split('=').next().unwrap();
        let others = mips.iter().filter(|own| own.split('=').next() != Some(name)).copied();
        assert!(stops("m.S", &others.chain([wrong]).collect::<Vec<_>>()), "{wrong}");
    }
}
