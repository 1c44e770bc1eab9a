//! What stands under the names of files that are read and written: devices, pipes, links, folders and modes.
#![cfg(unix)]

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const ADD16: [&str; 6] = ["generate", "add", "--bits", "16", "--target", "atmega128"];
const VERIFY: [&str; 6] = ["--symbol", "add16", "--contract", "add 16", "--target", "atmega128"];

/// Writes the two files of the routine and the certificate.
fn command(folder: &Path, certificate: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rhomb"));
    // what is not the routine's is replaced, too
    command.args(ADD16).args(["--force", "--certificate", certificate]).current_dir(folder);
    command
}

fn generate(folder: &Path, certificate: &str) -> Output {
    command(folder, certificate).output().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    names
}

/// One line that holds `fault`, a hint, status 2, and in the folder nothing but `left`.
fn assert_refused(output: &Output, fault: &str, folder: &Path, left: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.starts_with("error: ") && text.contains(fault), "{text}");
    assert_eq!(text.lines().count(), 2, "{text}");
    assert_eq!(names(folder), left);
}

fn is_certificate(text: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(text).is_ok_and(|value| value.get("code_sha256").is_some())
}

#[test]
fn devices_are_written_to_and_stay_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let null = folder.path().join("null");
    symlink("/dev/null", &null).unwrap();
    assert!(generate(folder.path(), "null").status.success());
    assert!(null.is_symlink());
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    assert_eq!(names(folder.path()), ["add16.S", "add16.h", "null"]);
}

#[test]
fn where_a_device_is_full_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    symlink("/dev/full", folder.path().join("full")).unwrap();
    let output = generate(folder.path(), "full");
    assert_refused(&output, "cannot write full: no space left on device", folder.path(), &["full"]);
}

/// The shell limits the size of files to a block and ignores the signal, so that writing fails in the middle.
#[test]
fn where_the_disk_is_full_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("add16.h"), "old").unwrap();
    let command = format!(
        "trap '' XFSZ; ulimit -f 1; {} {}",
        env!("CARGO_BIN_EXE_rhomb"),
        "generate mul --bits 160 --target atmega128 --no-proof --force --name add16"
    );
    let output = Command::new("bash").args(["-c", &command]).current_dir(folder.path()).output().unwrap();
    assert_refused(&output, "cannot write ./add16.S: file too large", folder.path(), &["add16.h"]);
    assert_eq!(fs::read_to_string(folder.path().join("add16.h")).unwrap(), "old");
}

#[test]
fn a_pipe_is_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    assert!(generate(folder.path(), "pipe").status.success());
    assert!(is_certificate(&reader.wait_with_output().unwrap().stdout));
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

/// Opened anew, the file behind standard output would be written from its start, by two.
#[test]
fn standard_output_has_the_certificate_before_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let piped = generate(folder.path(), "/dev/stdout").stdout;
    let out = folder.path().join("out");
    assert!(
        command(folder.path(), "/dev/stdout").stdout(File::create(&out).unwrap()).status().unwrap().success()
    );
    assert!(
        command(folder.path(), "same")
            .stdout(File::create(folder.path().join("same")).unwrap())
            .status()
            .unwrap()
            .success()
    );
    for text in [piped, fs::read(out).unwrap(), fs::read(folder.path().join("same")).unwrap()] {
        let mut values = serde_json::Deserializer::from_slice(&text).into_iter::<serde_json::Value>();
        assert!(values.next().unwrap().unwrap().get("code_sha256").is_some());
        let rest = String::from_utf8_lossy(&text[values.byte_offset()..]);
        assert!(rest.trim_start().starts_with("add16"), "{rest}");
    }
}

#[test]
fn a_link_stays_and_its_target_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("target"), folder.path().join("link"));
    fs::write(&target, "old").unwrap();
    fs::set_permissions(&target, Permissions::from_mode(0o640)).unwrap();
    symlink("target", &link).unwrap();
    assert!(generate(folder.path(), "link").status.success());
    assert!(link.is_symlink());
    assert!(is_certificate(&fs::read(&target).unwrap()));
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o7777, 0o640);
    assert_eq!(names(folder.path()), ["add16.S", "add16.h", "link", "target"]);
    symlink("nothing", folder.path().join("dangling")).unwrap();
    let before = names(folder.path());
    let before: Vec<&str> = before.iter().map(String::as_str).collect();
    assert_refused(&generate(folder.path(), "dangling"), "no such file", folder.path(), &before);
}

#[test]
fn all_names_of_a_file_lead_to_the_new_content() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    fs::write(&one, "old").unwrap();
    fs::hard_link(&one, &other).unwrap();
    // the routine's files come first and are taken back
    fs::create_dir(folder.path().join("smt")).unwrap();
    assert!(generate(folder.path(), "one").status.success());
    assert!(is_certificate(&fs::read(&other).unwrap()));
    assert_eq!(names(folder.path()), ["add16.S", "add16.h", "one", "other", "smt"]);
}

#[test]
fn a_folder_is_no_file_and_two_files_need_two_names() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("sub")).unwrap();
    fs::write(folder.join("add16.h"), "old").unwrap();
    let left = ["add16.h", "sub"];
    assert_refused(&generate(folder, "sub"), "cannot write sub: is a directory", folder, &left);
    assert_refused(&generate(folder, "new/"), "cannot write new/: is a directory", folder, &left);
    assert_refused(&generate(folder, "sub/../add16.h"), "two files at once", folder, &left);
    assert_eq!(fs::read_to_string(folder.join("add16.h")).unwrap(), "old");
}

#[test]
fn what_may_not_be_written_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (file, locked) = (folder.path().join("file"), folder.path().join("locked"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, Permissions::from_mode(0o555)).unwrap();
    // nothing is forbidden to root
    if File::create(locked.join("try")).is_ok() {
        return;
    }
    let left = ["file", "locked"];
    assert_refused(&generate(folder.path(), "file"), "permission denied", folder.path(), &left);
    assert_refused(&generate(folder.path(), "locked/new"), "permission denied", folder.path(), &left);
    assert_eq!(fs::read_to_string(file).unwrap(), "old");
}

fn verify(folder: &Path, file: &str, stdin: Stdio) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rhomb"));
    command.arg("verify").arg(file).args(VERIFY).current_dir(folder).stdin(stdin).output().unwrap()
}

#[test]
fn what_has_no_end_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    File::create(folder.join("large")).unwrap().set_len((256 << 20) + 1).unwrap();
    for (file, fault) in [
        ("/dev/zero", "cannot read /dev/zero: it is neither a file nor a pipe"),
        ("/dev/null", "cannot read /dev/null: it is neither a file nor a pipe"),
        (".", "cannot read .: is a directory"),
        ("large", "cannot read large: it has more than 268435456 bytes"),
    ] {
        assert_refused(&verify(folder, file, Stdio::null()), fault, folder, &["large"]);
    }
    let mut endless = Command::new("yes").stdout(Stdio::piped()).spawn().unwrap();
    let output = verify(folder, "/dev/stdin", endless.stdout.take().unwrap().into());
    assert_refused(&output, "cannot read /dev/stdin: it has more than 268435456 bytes", folder, &["large"]);
    endless.wait().unwrap();
    for (option, fault) in [
        (["certificate", "large", "large"].as_slice(), "it has more than 268435456 bytes"),
        (&["verify", "x", "--contract", "add 16", "--extension", "/dev/zero"], "cannot read x"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rhomb"));
        command.args(option).args(["--symbol", "f", "--target", "mips32-4km"]).current_dir(folder);
        assert_refused(&command.output().unwrap(), fault, folder, &["large"]);
    }
    fs::write(folder.join("object"), "x").unwrap();
    File::create(folder.join("large")).unwrap().set_len((64 << 20) + 1).unwrap();
    for (arguments, fault) in [
        (["certificate", "object", "large"].as_slice(), "cannot read large: it has more than 67108864 bytes"),
        (
            &["verify", "object", "--contract", "add 16", "--extension", "large"],
            "cannot read large: it has more than 1048576 bytes",
        ),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rhomb"));
        command.args(arguments).args(["--symbol", "f", "--target", "mips32-4km"]).current_dir(folder);
        assert_refused(&command.output().unwrap(), fault, folder, &["large", "object"]);
    }
}

#[test]
fn an_object_file_may_come_through_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let museum = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/museum.o");
    let by_file = verify(folder.path(), museum, Stdio::null());
    let mut cat = Command::new("cat").arg(museum).stdout(Stdio::piped()).spawn().unwrap();
    let by_pipe = verify(folder.path(), "/dev/stdin", cat.stdout.take().unwrap().into());
    cat.wait().unwrap();
    assert_eq!(by_pipe.stderr, by_file.stderr);
    let text = String::from_utf8_lossy(&by_file.stderr);
    assert!(text.contains("add16"), "{text}");
}
