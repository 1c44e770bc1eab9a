//! Functions of C in whose code one bit is changed: none that is wrong is proved, though no call is tried before the proof.
#![cfg(feature = "oracles")]

use crate::compiled::{COMPILERS, Compiler};
use rhomb::{Interrupts, Limits, Proof, Question, targets, verify_within};
use rhomb_machine::Random;
use rhomb_object::ObjectFile;

/// Sources, functions and what they are to compute.
const FUNCTIONS: [(&str, &str, &str); 9] = [
    ("signed.c", "mul_signed", "modmul Q a[i]<1.65*limb b[i]<1.65*limb r[i]<0.51*limb"),
    ("signed.c", "times_signed", "modmul Q b=121666 r[i]<0.51*limb"),
    ("signed.c", "carried", "modmul Q b=121666 r[i]<0.51*limb"),
    ("signed.c", "sub_signed", "modsub Q r[i]<2*limb"),
    ("signed.c", "move_signed", "select 255 signed limbs 26,25 of 32 (r=b, a, c)"),
    ("strings.c", "add_string", "add 64 big-endian"),
    ("strings.c", "from_string", "shl 64 0 big-endian a"),
    ("strings.c", "to_string", "shl 64 0 big-endian r"),
    ("strings.c", "cmp_string", "cmp 64 big-endian"),
];

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
    let contract = contract.replacen('Q', "2^255-19 signed limbs 26,25 of 32", 1);
    let contract = rhomb::parse_contract(&contract).unwrap();
    let question = Question { file, symbol, target, convention: None, interrupts: Interrupts::Any };
    verify_within(&question, &contract, limits).ok().map(|verification| verification.proof)
}

#[test]
fn no_wrong_function_is_proved() {
    let mutants = rhomb_oracles::sample(6, 400);
    let (mut proved, mut right) = (0, 0);
    for compiler in
        COMPILERS.iter().filter(|compiler| compiler.limb == 32).step_by(rhomb_oracles::sample(3, 1))
    {
        let folder = tempfile::tempdir().unwrap();
        let mut random = Random::new(11);
        for (source, symbol, contract) in FUNCTIONS {
            let defined = ["LIMB=32".to_owned(), "N=8".to_owned()];
            let file = std::fs::read(compiler.compiled(folder.path(), "-O2", source, &defined)).unwrap();
            // what another one calls is changed there; a compiler may have written it out
            let Ok(code) = ObjectFile::parse(&file).unwrap().function(symbol).map(|code| {
                let start = code.bytes().as_ptr() as usize - file.as_ptr() as usize;
                start..start + code.bytes().len()
            }) else {
                continue;
            };
            let symbol = if symbol == "carried" { "times_signed" } else { symbol };
            for _ in 0..mutants {
                let mut mutant = file.clone();
                let at = code.start + random.below(code.len() as u64) as usize;
                mutant[at] ^= 1 << random.below(8);
                if verdict(compiler, &mutant, (symbol, contract), PROOF) != Some(Proof::Proved) {
                    continue;
                }
                proved += 1;
                let called = verdict(compiler, &mutant, (symbol, contract), CALLS);
                let who = format!(
                    "{} {} {symbol}: bit of byte {:#x}",
                    compiler.name,
                    compiler.target,
                    at - code.start
                );
                assert_ne!(called, Some(Proof::Refuted), "{who}");
                right += 1;
            }
        }
    }
    println!("{proved} proved, {right} of them not refuted");
}
