//! The pictures of `docs/gallery.md` are what its commands draw.
//!
//! After a change that is meant, `RHOMB_GALLERY=overwrite cargo test -p rhomb --test all gallery` makes them
//! anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// No picture that is kept is larger, in bytes.
const MOST_BYTES: u64 = 200_000;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document(name: &str) -> String {
    fs::read_to_string(workspace().join(name)).expect("readable")
}

/// The commands with the path that each writes.
fn commands() -> Vec<(String, String)> {
    let text = document("docs/gallery.md");
    let lines = text.lines().filter_map(|line| line.strip_prefix("rhomb "));
    let target = |line: &str| line.split_once(" -o ").expect("every command writes a file").1.to_owned();
    lines.map(|line| (line.to_owned(), target(line))).collect()
}

#[test]
fn every_command_draws_the_picture_that_is_kept() {
    let overwrite = std::env::var_os("RHOMB_GALLERY").is_some_and(|value| value == "overwrite");
    let scratch = tempfile::tempdir().expect("temporary folder");
    let folder = if overwrite { workspace() } else { scratch.path().to_owned() };
    for (arguments, picture) in commands() {
        let output = Command::new(env!("CARGO_BIN_EXE_rhomb"))
            .args(arguments.split_whitespace())
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
        let drawn = fs::read(folder.join(&picture)).unwrap();
        let kept = fs::read(workspace().join(&picture)).unwrap_or_default();
        assert!(drawn == kept, "{picture} is out of date: RHOMB_GALLERY=overwrite makes it anew");
        assert!(drawn.len() as u64 <= MOST_BYTES, "{picture}: {} bytes", drawn.len());
    }
    pictures_commands_and_pages_agree();
}

/// Each picture is shown, no command or picture is left over, and the README's is one of them.
fn pictures_commands_and_pages_agree() {
    let drawn: BTreeSet<String> = commands().into_iter().map(|(_, picture)| picture).collect();
    assert!(drawn.len() >= 6, "{drawn:?}");
    let kept: BTreeSet<String> = fs::read_dir(workspace().join("docs/pictures"))
        .expect("the pictures")
        .map(|entry| format!("docs/pictures/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    assert_eq!(drawn, kept);
    let gallery = document("docs/gallery.md");
    for picture in &drawn {
        let link = format!("]({})", picture.trim_start_matches("docs/"));
        assert_eq!(gallery.matches(&link).count(), 1, "{picture}");
    }
    assert!(drawn.iter().any(|picture| document("README.md").contains(&format!("]({picture})"))));
}

/// Pictures go where other files go: into this folder, another one, a file, or to standard output.
#[test]
fn a_picture_goes_where_it_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |more: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_rhomb"))
            .args(["draw", "mul", "--bits", "32", "--target", "atmega128"])
            .args(more)
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    let printed = draw(&["-o", "-"]);
    assert!(printed.status.success() && printed.stderr.is_empty());
    assert!(printed.stdout.starts_with(b"<svg "));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    for (options, path) in
        [(&[][..], "mul32.svg"), (&["-o", "sub"], "sub/mul32.svg"), (&["-o", "x.svg"], "x.svg")]
    {
        let written = draw(options);
        assert!(written.status.success() && written.stderr.is_empty());
        assert_eq!(written.stdout, format!("{path}\n").into_bytes());
        assert!(printed.stdout == fs::read(folder.path().join(path)).unwrap(), "{path}");
    }
}

/// The name's ending, or `--format`, says how a picture is written; another's file is not replaced.
#[test]
fn pictures_are_written_in_three_formats() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |more: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_rhomb"))
            .args(["draw", "mul", "--bits", "16", "--target", "atmega128"])
            .args(more)
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    for (format, ending, top) in [
        ("svg", "svg", &b"<svg "[..]),
        ("png", "png", &b"\x89PNG\r\n\x1a\n"[..]),
        ("tikz", "tex", &b"% drawn by rhomb"[..]),
    ] {
        let own = format!("own.{}", ending.to_uppercase());
        let printed = draw(&["--format", format, "-o", "-"]).stdout;
        assert!(printed.starts_with(top), "{format}");
        // the second time over the first
        for _ in 0..2 {
            assert!(draw(&["-o", &own]).status.success() && draw(&["--format", format]).status.success());
        }
        for path in [own.clone(), format!("mul16.{ending}")] {
            assert!(printed == fs::read(folder.path().join(&path)).unwrap(), "{path}");
        }
        fs::write(folder.path().join(&own), "another's").unwrap();
        let refused = draw(&["-o", &own]);
        assert_eq!(refused.status.code(), Some(2), "{own}");
        assert_eq!(fs::read(folder.path().join(&own)).unwrap(), b"another's");
        assert!(draw(&["-o", &own, "--force"]).status.success());
        assert!(printed == fs::read(folder.path().join(&own)).unwrap(), "{own}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6);
}

/// Whatever is made is drawn, and drawn well-formed.
#[test]
fn what_is_made_is_drawn() {
    use rhomb::{Family, Request};
    const CORES: [&str; 9] = [
        "atmega128",
        "attiny85",
        "arm7tdmi",
        "cortex-m0plus",
        "cortex-m3",
        "cortex-m4",
        "mips32-ise",
        "rv32im",
        "tms320vc5510",
    ];
    let every = rhomb_oracles::sample(9, 1);
    let mut drawn = 0;
    // inversions, exponentiations and key agreements take long
    let long = |name: &str| name.ends_with("inv") || ["ecdh", "x25519", "modexp"].contains(&name);
    let operations: Vec<&str> =
        rhomb::operations().map(|(name, _)| name).filter(|name| every == 1 || !long(name)).collect();
    let wanted = CORES.iter().flat_map(|target| operations.iter().map(move |operation| (target, operation)));
    for (target, operation) in wanted.step_by(every) {
        let mut request = Request {
            operation: (*operation).into(),
            target: (*target).into(),
            no_proof: true,
            ..Request::default()
        };
        match rhomb::Operation::generated(operation).map(rhomb::Operation::family) {
            Some(Family::Modular) => request.modulus = Some("p192".into()),
            Some(Family::BinaryModular) => request.polynomial = Some("b163".into()),
            None if *operation == "ecdh" => request.curve = Some("p192".into()),
            None if *operation == "x25519" => {}
            Some(_) | None => request.bits = 64,
        }
        let made = rhomb::planned(&request);
        match (made, rhomb::draw(&request)) {
            (Err(_), _) => {}
            // of a whole program only the drawing tells whether it is made
            (Ok(None), Err(error)) => {
                let measured = rhomb::measure(&request);
                assert!(measured.is_err(), "{operation} on {target}: {}", error.fault);
            }
            (Ok(Some(_)), Err(error)) => panic!("{operation} on {target}: {}", error.fault),
            (Ok(_), Ok(svg)) => {
                assert!(roxmltree::Document::parse(&svg).is_ok(), "{operation} on {target}");
                let shown = ["products", "band", "part"].map(|class| format!("class=\"{class}\""));
                assert!(shown.iter().any(|class| svg.contains(class)), "{operation} on {target}");
                drawn += 1;
            }
        }
    }
    assert!(drawn >= 100 / every, "{drawn}");
}

/// Machine code tells which products it makes: three quarters in a split, half in a square.
#[test]
fn products_are_those_of_the_machine_code() {
    use rhomb::{Parameters, Request};
    let drawn = |operation: &str, target: &str, bits, levels: Option<usize>| {
        let request = Request {
            operation: operation.into(),
            target: target.into(),
            bits,
            method: levels.map(|_| "split".into()),
            parameters: Parameters { levels, ..Default::default() },
            ..Default::default()
        };
        let svg = rhomb::draw(&request).unwrap();
        (svg.matches("<circle cx").count() - 3, svg.matches("differences that end with these").count())
    };
    assert_eq!(drawn("mul", "atmega128", 160, Some(1)), (200, 100));
    // of nine products of eight words five are of two parts themselves
    assert_eq!(drawn("mul", "atmega128", 256, Some(2)), (192, 304));
    assert_eq!(drawn("sqr", "atmega128", 256, Some(1)), (272, 136));
    assert_eq!(drawn("sqr", "atmega128", 160, None), (210, 0));
    assert_eq!(drawn("mul", "cortex-m0plus", 128, None), (8, 4));
    assert_eq!(drawn("sqr", "cortex-m4", 160, None), (15, 0));
    assert_eq!(drawn("mul", "tms320vc5510", 128, None), (64, 0));
}
