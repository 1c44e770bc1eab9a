//! Requests on the command line: good ones keep their promises, bad ones leave nothing behind.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn rhomb(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rhomb"))
        .args(arguments)
        .current_dir(folder)
        .env("RHOMB_PROGRESS", "off")
        .output()
        .unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = rhomb(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

const MUL160: [&str; 6] = ["mul", "--bits", "160", "--target", "atmega128", "--format"];

#[test]
fn the_keys_of_the_json_are_stable() {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = vec!["generate"];
    arguments.extend(MUL160);
    arguments.extend(["json", "-o", "out"]);
    let report = json(folder.path(), &arguments);
    let keys = |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    let mut expected = vec![
        "operation",
        "bits",
        "target",
        "method",
        "parameters",
        "accumulation",
        "form",
        "format",
        "convention",
        "syntax",
        "cycles",
        "floor",
        "instructions",
        "code_bytes",
        "stack_bytes",
        "residue_bytes",
        "interrupts",
        "constant_time",
        "proof",
        "files",
    ];
    expected.sort_unstable();
    let mut found = keys(&report);
    found.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(keys(&report["parameters"]), ["cache", "levels", "pairs", "parts"]);
    let mut cycles = keys(&report["cycles"]);
    cycles.sort_unstable();
    assert_eq!(cycles, ["body", "body_min", "from", "function", "function_max", "function_min"]);
    let mut instructions = keys(&report["instructions"]);
    instructions.sort_unstable();
    assert_eq!(instructions, ["add", "load", "multiply", "other", "store"]);
    assert_eq!(report["files"], serde_json::json!(["out/mul160.S", "out/mul160.h"]));
    assert_eq!(report["constant_time"], "constant");
    assert_eq!(report["proof"], "proved");
    assert_eq!(report["instructions"]["multiply"], 225);
    // measure says the same but for files and proof
    let mut arguments = vec!["measure"];
    arguments.extend(MUL160);
    arguments.push("json");
    let mut measured = json(folder.path(), &arguments);
    assert_eq!(measured["proof"], "not-run");
    measured["proof"] = report["proof"].clone();
    measured["files"] = report["files"].clone();
    assert_eq!(measured, report);
}

/// The command line in a file's header makes the same file.
#[test]
fn headers_reproduce_their_files() {
    let check = |arguments: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let mut first = vec!["generate", "mul"];
        first.extend(arguments);
        first.extend(["--format", "json"]);
        let report = json(folder.path(), &first);
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        let (assembly, header) = (report["files"][0].as_str().unwrap(), report["files"][1].as_str().unwrap());
        let (text, header_text) = (read(assembly), read(header));
        let line = text.lines().find_map(|line| line.strip_prefix(" *     rhomb ")).expect("a command line");
        assert!(header_text.contains(line));
        let mut again: Vec<&str> = line.split_whitespace().collect();
        again.extend(["-o", "again"]);
        let output = rhomb(folder.path(), &again);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(read(&format!("again/{assembly}")), text);
        assert_eq!(read(&format!("again/{header}")), header_text);
    };
    check(&["--bits", "160", "--target", "atmega128"]);
    check(&["--bits", "1", "--target", "atmega328p"]);
    check(&["--bits", "61", "--target", "avr128da48", "--name", "product_61"]);
    check(&["--bits", "256", "--target", "atmega2560"]);
    check(&["--bits", "96", "--target", "atmega128", "--method", "hybrid", "--rows", "3"]);
    check(&["--bits", "96", "--target", "atmega128", "--method", "operand-scanning", "--carry-once", "5"]);
    check(&["--bits", "48", "--target", "atmega128", "--method", "operand-caching", "--cache", "6"]);
    check(&["--bits", "200", "--target", "atmega128", "--method", "product-scanning", "--cache", "3"]);
    check(&["--bits", "32", "--target", "atmega128", "--no-proof"]);
}

/// The certificate's hash stands in the file; without a proof the file says so.
#[test]
fn files_say_whether_they_are_proved() {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = vec!["generate"];
    arguments.extend(MUL160);
    arguments.extend(["json", "--certificate", "proofs/mul160.json"]);
    let report = json(folder.path(), &arguments);
    assert_eq!(report["files"], serde_json::json!(["mul160.S", "mul160.h", "proofs/mul160.json"]));
    let text = fs::read_to_string(folder.path().join("mul160.S")).unwrap();
    let certificate = fs::read(folder.path().join("proofs/mul160.json")).unwrap();
    assert!(text.contains(&format!("certificate SHA-256 {}\n", rhomb_certificate::sha256(&certificate))));
    assert!(text.contains("proof       proved"));
    let certificate: Value = serde_json::from_slice(&certificate).unwrap();
    assert_eq!(certificate["contract"], "mul 160");
    let report = json(folder.path(), &[&["generate"], &MUL160[..], &["json", "--no-proof"]].concat());
    assert_eq!((&report["proof"], &report["constant_time"]), (&"not-run".into(), &"constant".into()));
    let text = fs::read_to_string(folder.path().join("mul160.S")).unwrap();
    assert!(text.contains("NOT PROVED: not run") && !text.contains("SHA-256"));
}

#[test]
fn assembly_on_standard_output_is_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["generate", "mul", "--bits", "32", "--target", "atmega128", "-o"];
    let printed = rhomb(folder.path(), &[&arguments[..], &["-"]].concat());
    assert!(printed.status.success());
    assert_eq!(entries(folder.path()), 0);
    assert!(rhomb(folder.path(), &[&arguments[..], &["."]].concat()).status.success());
    assert_eq!(fs::read(folder.path().join("mul32.S")).unwrap(), printed.stdout);
}

/// One line that names the fault, one hint, status 2, and an untouched folder.
#[test]
fn bad_requests_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("text.o"), "no object").unwrap();
    fs::write(folder.path().join("sample.o"), include_bytes!("../../object/tests/data/sample.o")).unwrap();
    fs::write(folder.path().join("file"), "in the way").unwrap();
    let before = entries(folder.path());
    let check = |arguments: &str, fault: &str| {
        let arguments: Vec<&str> =
            arguments.split('\'').enumerate().fold(Vec::new(), |mut list, (index, part)| {
                if index % 2 == 0 {
                    list.extend(part.split_whitespace())
                } else {
                    list.push(part)
                }
                list
            });
        let output = rhomb(folder.path(), &arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        let lines: Vec<&str> = error.lines().collect();
        let [first, second] = lines[..] else { panic!("{arguments:?}: {error}") };
        assert!(first.starts_with("error: ") && first.contains(fault), "{arguments:?}: {first}");
        assert!(second.starts_with("hint: ") && second.len() > 10, "{arguments:?}: {second}");
        assert!(lines.iter().all(|line| !line.ends_with('.')), "{error}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(entries(folder.path()), before, "{arguments:?}");
    };
    let mul = "generate mul --bits 160 --target atmega128";
    check("generate mul --bits 160 --target z80", "unknown target 'z80'; valid: atmega128, ");
    check(
        "generate sqrt --bits 160 --target atmega128",
        "unknown operation 'sqrt'; valid: mul, sqr, add, sub",
    );
    check(
        "generate modinv --modulus p25519 --target cortex-m0 --form unrolled",
        "modinv on cortex-m0: it is not made unrolled; valid: looped",
    );
    check("generate mul --bits 0 --target atmega128", "0 bits; valid: 1 to 32768");
    check("generate mul --bits 99999 --target atmega128", "99999 bits; valid: 1 to 32768");
    check("generate mul --bits -5 --target atmega128", "");
    check("generate mul --bits ten --target atmega128", "'ten'");
    check("generate mul --target atmega128", "no --bits");
    check("generate mul --bits 160", "no --target; valid: atmega128");
    check("generate", "<OPERATION>");
    check("create mul", "'create'");
    check(&format!("{mul} --method toom"), "unknown method 'toom'; valid: operand-scanning, ");
    check(&format!("{mul} --method hybrid --cache 4"), "hybrid has no parameter --cache; valid: --rows");
    check(&format!("{mul} --method operand-caching --cache 11"), "valid: 1 to 10");
    check(&format!("{mul} --method operand-caching --cache 1000000"), "valid: 1 to 20");
    check(&format!("{mul} --method hybrid --rows 20"), "valid: 1 to 7");
    check(&format!("{mul} --cache 0"), "--cache 0; valid: 1 or more");
    check(&format!("{mul} --cache 3 --rows 3"), "no method has all of --cache, --rows");
    check(&format!("{mul} --speed 3"), "'--speed'");
    check(
        "generate sqr --bits 64 --target atmega128 --form looped --method product-scanning",
        "accumulators that hold a whole column; valid: operand-caching (unrolled, looped), product-scanning",
    );
    check(&format!("{mul} --registers 2"), "--registers 2 are too few on atmega128; valid: ");
    check(&format!("{mul} --max-code 50"), "no routine keeps --max-code 50 (the least found is ");
    check(&format!("{mul} --form rolled"), "unknown form 'rolled'; valid: unrolled, looped");
    check(&format!("{mul} --convention ccs"), "unknown convention 'ccs'; valid: avr-gcc, iar, crossworks");
    check(&format!("{mul} --syntax armasm"), "unknown syntax 'armasm'; valid: gnu, iar, crossworks");
    check(&format!("{mul} --name r24"), "name 'r24'");
    check(&format!("{mul} --name ../mul"), "name '../mul'");
    check(&format!("{mul} -o file"), "cannot write file");
    check(&format!("{mul} -o file/below/it"), "cannot write ");
    check(&format!("{mul} -o /proc/rhomb"), "cannot write ");
    check(&format!("{mul} -o - --format json"), "-o - and --format json");
    let tiny = "generate mul --bits 160 --target attiny85";
    check(&format!("{tiny} --form unrolled"), "attiny85 has no multiplication instruction (MUL)");
    check(&format!("{tiny} --method hybrid"), "valid: atmega128, atmega2560, ");
    check(&format!("{tiny} --method strip --cache 13"), "valid: 1 to 12");
    check("generate mul --bits 1024 --target attiny85", "512 bytes of data memory");
    check("generate add --bits 160 --target atmega128 --cache 3", "no method has all of --cache");
    check("generate sqr --bits 1280 --target atmega328p --method operand-caching", "bytes of program memory");
    check("measure mul --bits 8192 --target atmega128", "4096 bytes of data memory");
    let object = "--contract 'mul 160' --target atmega128";
    check("measure sample.o", "sample.o is a file");
    check("measure sample.o --symbol add16", "--contract");
    check(&format!("measure sample.o --symbol mul160 {object}"), "no function 'mul160'");
    check(&format!("measure text.o --symbol mul160 {object}"), "not an ELF file");
    check(&format!("measure none.o --symbol mul160 {object}"), "cannot read none.o");
    check(
        "measure sample.o --symbol add16 --contract 'div 16' --target atmega128",
        "contract 'div 16' names no operation; valid: mul BITS",
    );
    check(
        "measure sample.o --symbol add16 --contract mul --target atmega128",
        "mul takes one or two, not 0 sizes",
    );
    check(&format!("{mul} --no-proof --certificate mul160.cert"), "--certificate");
    check(&format!("{mul} --certificate file/below/it"), "cannot write ");
    check("list things", "valid: targets, methods, operations, conventions");
    check("completions cmd.com", "valid: bash");
}

/// A folder that cannot be written into, and a file name that is taken: nothing changes.
#[test]
fn an_output_that_fails_half_way_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mul16.S"), "mine").unwrap();
    fs::create_dir(folder.path().join("mul16.h")).unwrap();
    let output = rhomb(folder.path(), &["generate", "mul", "--bits", "16", "--target", "atmega128"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(entries(folder.path()), 2);
    assert_eq!(fs::read_to_string(folder.path().join("mul16.S")).unwrap(), "mine");
}

/// Code that does something else than its contract says: status 1.
#[test]
fn failed_evidence_has_its_own_status() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sample.o"), include_bytes!("../../object/tests/data/sample.o")).unwrap();
    let arguments =
        ["measure", "sample.o", "--symbol", "add16", "--contract", "mul 16", "--target", "atmega128"];
    let output = rhomb(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("error: the code fails mul 16 on atmega128: "), "{error}");
    assert_eq!(error.lines().count(), 2);
}

#[test]
fn manual_pages_and_completions_know_the_commands() {
    let folder = tempfile::tempdir().unwrap();
    let page = rhomb(folder.path(), &["man"]);
    assert!(String::from_utf8_lossy(&page.stdout).contains("generate"));
    let pages = rhomb(folder.path(), &["man", "pages"]);
    assert_eq!(String::from_utf8_lossy(&pages.stdout).lines().count(), 14);
    let text = fs::read_to_string(folder.path().join("pages/rhomb-measure.1")).unwrap();
    assert!(text.contains("contract"), "{text}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = rhomb(folder.path(), &["completions", shell]);
        assert!(String::from_utf8_lossy(&script.stdout).contains("initial-block"), "{shell}");
    }
}

/// A copy of an operand that a routine makes on the stack is still there when it has returned.
#[test]
fn copies_of_operands_are_named_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = |bits: &str| {
        let options = ["--target", "arm7tdmi", "--method", "hybrid", "--rows", "5", "--no-proof", "-o", "-"];
        let arguments = [&["generate", "mul", "--bits", bits][..], &options].concat();
        String::from_utf8(rhomb(folder.path(), &arguments).stdout).unwrap()
    };
    let said = "bytes below the stack pointer depend on the operands after the return: not wiped";
    assert!(text("1024").contains(&format!("128 {said}")));
    let small = text("160");
    assert!(small.contains("mul160") && !small.contains(said));
}
