//! Functions of C in whose code one bit is changed: none that is wrong is proved, though no call is tried before the proof.
#![cfg(feature = "oracles")]

use crate::compiled::{COMPILERS, Compiler, SIGNED, STRINGS, limbs_of_25519, of_string};
use rhomb::{Interrupts, Limits, Proof, Question, targets, verify_within};
use rhomb_machine::Random;
use rhomb_object::ObjectFile;

/// No calls before a proof, or nothing but calls.
const PROOF: Limits = Limits { steps: 20_000, first: 0, second: 0, effort: 3_000_000, whole: 3_000_000 };
const CALLS: Limits = Limits { steps: 20_000, first: 3_000_000, second: 0, effort: 0, whole: 0 };

fn verdict(
    compiler: &Compiler,
    file: &[u8],
    (symbol, contract): (&str, &str),
    limits: Limits,
) -> Option<Proof> {
    let target = targets::find(compiler.target).unwrap();
    let contract = rhomb::parse_contract(contract).unwrap();
    let question = Question { file, symbol, target, convention: None, interrupts: Interrupts::Any };
    verify_within(&question, &contract, limits).ok().map(|verification| verification.proof)
}

#[test]
fn no_wrong_function_is_proved() {
    let mutants = rhomb_oracles::sample(6, 400);
    let of_limbs = SIGNED.iter().map(|(symbol, kept, _)| ("signed.c", *symbol, limbs_of_25519(kept)));
    let of_strings = STRINGS.iter().map(|(symbol, kept, _)| ("strings.c", *symbol, of_string(kept, 64, 32)));
    let functions: Vec<(&str, &str, String)> = of_limbs.chain(of_strings).collect();
    let mut proved = 0;
    for compiler in
        COMPILERS.iter().filter(|compiler| compiler.limb == 32).step_by(rhomb_oracles::sample(3, 1))
    {
        let folder = tempfile::tempdir().unwrap();
        let mut random = Random::new(11);
        for (source, symbol, contract) in &functions {
            let defined = ["LIMB=32".to_owned(), "N=8".to_owned()];
            let file = std::fs::read(compiler.compiled(folder.path(), "-O2", source, &defined)).unwrap();
            let code = |symbol: &str| {
                let object = ObjectFile::parse(&file).unwrap();
                let code = object.function(symbol).ok()?.bytes();
                let start = code.as_ptr() as usize - file.as_ptr() as usize;
                Some(start..start + code.len())
            };
            // what it calls is changed, too, where a compiler has not written that out
            let own = code(symbol).unwrap();
            let called =
                code("carried").filter(|_| symbol.starts_with("times") || symbol.starts_with("mul_s"));
            let places: Vec<usize> = own.chain(called.into_iter().flatten()).collect();
            for _ in 0..mutants {
                let mut mutant = file.clone();
                let at = *random.pick(&places);
                mutant[at] ^= 1 << random.below(8);
                if verdict(compiler, &mutant, (symbol, contract), PROOF) != Some(Proof::Proved) {
                    continue;
                }
                proved += 1;
                let called = verdict(compiler, &mutant, (symbol, contract), CALLS);
                let who = format!(
                    "{} {} {symbol}: bit of byte {:#x} of the file",
                    compiler.name, compiler.target, at
                );
                assert_ne!(called, Some(Proof::Refuted), "{who}");
            }
        }
    }
    println!("{proved} proved, none of them refuted");
}
