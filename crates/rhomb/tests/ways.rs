//! The ways through drafts of half words that are kept for common routines.
//!
//! `RHOMB_WAYS=overwrite` writes them anew; each is changed until `RHOMB_WAYS_ROUNDS` rounds, if any, make it no better.

use rhomb::{Request, generate};
use rhomb_arm::lower::halves::{Search, recorded};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const TARGET: &str = "cortex-m0plus";
const FILE: &str = "../processors/arm/src/lower/halves/found.txt";

/// Moduli of which the tests of ARM's crate multiply.
const MULTIPLIED: [&str; 2] = ["2^255-19", "0xfffb"];

fn request(operation: &str) -> Request {
    Request { operation: operation.into(), target: TARGET.into(), no_proof: true, ..Request::default() }
}

/// What has its ways kept.
fn requests() -> Vec<Request> {
    let sized = |operation: &'static str| {
        [128, 160, 192, 224, 256, 320, 384].map(|bits| Request { bits, ..request(operation) })
    };
    let modulo = |modulus: &'static str| {
        let operations =
            ["modmul", "modsqr", "modreduce", "modadd", "modsub", "montmul", "montsqr", "montreduce"];
        operations.map(|name| Request { modulus: Some(modulus.into()), ..request(name) })
    };
    let on = |curve: &'static str| {
        let operations = ["ecdh", "public", "ecdsa-sign", "ecdsa-verify"];
        operations.map(|name| Request { curve: Some(curve.into()), ..request(name) })
    };
    let mut all: Vec<Request> = ["mul", "sqr"].into_iter().flat_map(sized).collect();
    all.extend(["p192", "p224", "p256", "p25519", "secp256k1", "p384"].into_iter().flat_map(modulo));
    let measured = |contract: &str| {
        let (operation, modulus) = contract.split_once(' ').expect("an operation and a modulus");
        let own = Request { modulus: Some(modulus.into()), ..request(operation) };
        [own.clone(), Request { target: "cortex-m3".into(), constant_time: true, ..own }]
    };
    // what the tests of ARM's crate are made of
    let names = rhomb_oracles::modular::contracts().into_iter().map(|own| own.to_string());
    let is_wanted = |own: &String| {
        let multiplies = ["mul ", "sqr "].iter().any(|name| own.contains(name));
        !own.starts_with("gf2") && (!multiplies || MULTIPLIED.iter().any(|modulus| own.ends_with(modulus)))
    };
    all.extend(names.filter(is_wanted).flat_map(|own| measured(&own)));
    all.push(request("x25519"));
    all.extend(["p256", "secp256k1"].into_iter().flat_map(on));
    all
}

/// The searches that these take, and those of other tests beside this one.
fn searches() -> Vec<Search> {
    recorded();
    for request in requests() {
        generate(&request).unwrap_or_else(|error| panic!("{request:?}: {error:?}"));
    }
    recorded()
}

fn head(text: &str) -> String {
    text.lines().filter(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

#[test]
#[ignore = "generates all that has its ways kept, which takes a minute: ./test --all"]
fn what_is_kept_is_taken() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    if std::env::var("RHOMB_WAYS").as_deref() == Ok("overwrite") {
        return std::fs::write(&path, head(&text) + &longer()).unwrap();
    }
    let taken: BTreeSet<String> = searches().iter().map(Search::to_string).collect();
    let unused = text.lines().find(|line| !line.starts_with('#') && !taken.contains(*line));
    assert_eq!(unused, None, "this is of no use any more: run this test with RHOMB_WAYS=overwrite");
}

/// The lines of searches that go on for longer.
fn longer() -> String {
    let rounds: u64 = std::env::var("RHOMB_WAYS_ROUNDS").map_or(0, |text| text.parse().unwrap());
    // the last one of each fingerprint, with which a line begins
    let all: BTreeMap<String, Search> =
        searches().into_iter().map(|own| (own.to_string()[..16].to_owned(), own)).collect();
    let all: Vec<Search> = all.into_values().collect();
    let lines = rhomb_oracles::parallel::each(&all, |own| {
        let mut own = own.clone();
        let mut idle = 0;
        for round in 1.. {
            if idle == rounds {
                break;
            }
            idle = if own.refine(1000, round) { 0 } else { idle + 1 };
        }
        own.to_string()
    });
    lines.into_iter().map(|line| line + "\n").collect()
}
