//! Functions that call others, in C, compiled afresh: the called ones are proved by contracts of their own, and then followed by
//! them.
#![cfg(feature = "oracles")]

use crate::compiled::{COMPILERS, Compiler, prime};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};

const PRODUCT: &str = "product=mul B";
const REDUCE: &str = "reduce=modreduce P";
const PLUS: &str = "plus=add B (r, a, b, words)";

/// A function of `calls.c`, its contract, and what it calls.
type Function = (&'static str, &'static str, &'static [&'static str]);

const RIGHT: [Function; 5] = [
    ("product_mod", "modmul P", &[PRODUCT, REDUCE]),
    ("square_mod", "modsqr P", &["product_mod=modmul P"]),
    ("sum_mod", "modadd P a<p b<p", &[PLUS]),
    ("doubled", "shl B 1 -> carry", &[PLUS]),
    ("product_low", "mullow B", &[PRODUCT]),
];

fn written(text: &str, bits: u32) -> String {
    text.replacen(" B", &format!(" {bits}"), 1).replacen(" P", &format!(" {:#x}", prime(bits)), 1)
}

fn rhomb(command: &str, file: &Path, symbol: &str, compiler: &Compiler, more: &[String]) -> Output {
    let mut own = Command::new(env!("CARGO_BIN_EXE_rhomb"));
    own.arg(command).arg(file).args(more).args(["--symbol", symbol, "--target", compiler.target]);
    own.env("RHOMB_PROGRESS", "off").output().unwrap()
}

fn verified(
    file: &Path,
    compiler: &Compiler,
    bits: u32,
    (symbol, contract, calls): Function,
    more: &[&str],
) -> Output {
    let mut arguments = vec!["--contract".to_owned(), written(contract, bits)];
    for call in calls {
        arguments.extend(["--calls".to_owned(), written(call, bits)]);
    }
    arguments.extend(more.iter().map(|text| (*text).to_owned()));
    rhomb("verify", file, symbol, compiler, &arguments)
}

fn objects(compilers: &[&Compiler], bits: u32, level: &str, check: impl Fn(&Path, &Path, &Compiler)) {
    for compiler in compilers {
        let folder = tempfile::tempdir().unwrap();
        let factor = (num_bigint::BigUint::from(1u8) << bits) - prime(bits);
        let defined = [format!("LIMB={}", compiler.limb), format!("BITS={bits}"), format!("FACTOR={factor}")];
        let file = compiler.compiled(folder.path(), level, "calls.c", &defined);
        check(&file, folder.path(), compiler);
    }
}

/// They are proved, with certificates that hold, and that do not when anything in them is changed.
#[test]
fn compositions_are_proved() {
    for (bits, level) in
        [(64, "-O2"), (128, "-Os"), (256, "-O1")].into_iter().take(rhomb_oracles::sample(2, 3))
    {
        objects(&COMPILERS.each_ref(), bits, level, |file, folder, compiler| {
            for function in RIGHT {
                let path = folder.join("certificate.json").display().to_string();
                let output = verified(file, compiler, bits, function, &["--certificate", &path]);
                let text = String::from_utf8_lossy(&output.stdout);
                let named = (function.0, compiler.name, compiler.target, bits);
                assert_eq!(output.status.code(), Some(0), "{named:?}: {text}");
                let replayed = |certificate: &Value| {
                    std::fs::write(&path, certificate.to_string()).unwrap();
                    rhomb("certificate", file, function.0, compiler, std::slice::from_ref(&path))
                        .status
                        .code()
                };
                let mut certificate: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
                assert_eq!(replayed(&certificate), Some(0), "{named:?}");
                // a jump at the end is no call, and needs nothing of what is said of one
                if function.0 == "doubled" {
                    continue;
                }
                for (pointer, other) in [
                    ("/calls/0/stack_bytes", json!(1_000_000)),
                    ("/calls/0/entry", json!(0)),
                    ("/calls/0/certificate/patterns", json!([])),
                    ("/calls/0/certificate/contract", json!(format!("sub {bits}"))),
                    ("/calls", json!([])),
                ] {
                    let place = certificate.pointer_mut(pointer).unwrap();
                    if *place == other {
                        continue;
                    }
                    let own = std::mem::replace(place, other);
                    // without its calls a small function may be proved by the same steps
                    let is_alone = pointer == "/calls";
                    let code = replayed(&certificate);
                    assert!(is_alone || code != Some(0), "{named:?} {pointer}");
                    *certificate.pointer_mut(pointer).unwrap() = own;
                }
            }
        });
    }
}

/// What is wrong, or rests on what the called functions do not keep, is not proved.
#[test]
fn wrong_compositions_are_not_proved() {
    let wrong: [(Function, i32, &str); 9] = [
        (("product_low", "modmul P", &[PRODUCT]), 1, "REFUTED"),
        (("product_mod", "modsqr P", &[PRODUCT, REDUCE]), 3, "more arguments"),
        (("sum_short", "add B", &[PLUS]), 1, "REFUTED"),
        // what is called does not keep that
        (("product_mod", "modmul P", &["product=mul B", "reduce=modhalf P"]), 3, "modhalf"),
        (("product_mod", "modmul P", &["product=mullow B"]), 3, "mullow"),
        (("square_mod", "modsqr P", &["product_mod=modmul P r<p"]), 3, "r<p"),
        // the number of limbs is another one
        (("sum_mod", "modadd P a<p b<p", &["plus=add B (r, a, b, 1)"]), 3, "plus"),
        // nothing is known of the operands
        (("square_mod", "modsqr P", &["product_mod=modmul P a<p b<p"]), 3, "not shown to be below"),
        (("sum_mod", "modadd P", &[PLUS]), 1, "REFUTED"),
    ];
    let compilers = [&COMPILERS[2], &COMPILERS[0], &COMPILERS[6]];
    objects(&compilers[..rhomb_oracles::sample(1, 3)], 64, "-O2", |file, _, compiler| {
        for (function, status, says) in wrong {
            let output = verified(file, compiler, 64, function, &[]);
            let text = String::from_utf8_lossy(&output.stdout);
            let named = (function, compiler.name, compiler.target);
            assert_eq!(output.status.code(), Some(status), "{named:?}: {text}");
            assert!(status != 3 || says == "plus" || text.contains(says), "{named:?}: {text}");
        }
    });
}

/// A bound that the caller grants is one that the called function may rest on.
#[test]
fn bounds_are_handed_on() {
    objects(&COMPILERS.each_ref(), 64, "-O2", |file, _, compiler| {
        let function: Function = ("square_mod", "modsqr P a<p", &["product_mod=modmul P a<p b<p"]);
        let output = verified(file, compiler, 64, function, &[]);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}: {}",
            compiler.target,
            String::from_utf8_lossy(&output.stdout)
        );
    });
}

/// What is asked wrongly gets a line that says so.
#[test]
fn bad_calls_are_refused() {
    let compiler = &COMPILERS[1];
    let folder = tempfile::tempdir().unwrap();
    let defined = ["LIMB=32".to_owned(), "BITS=64".to_owned(), "FACTOR=59".to_owned()];
    let file = compiler.compiled(folder.path(), "-O2", "calls.c", &defined);
    let bad: [(&'static [&'static str], &str); 4] = [
        (&["product"], "names no function and contract"),
        (&["=mul 64"], "names no function and contract"),
        (&["other=mul 64"], "other"),
        (&["product=times 64"], "times"),
    ];
    for (calls, says) in bad {
        let output = verified(&file, compiler, 64, ("product_mod", "modmul P", calls), &[]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{calls:?}: {text}");
        assert!(text.contains(says), "{calls:?}: {text}");
    }
}
