//! The reader of certificates and their checker: nothing that it reads shows a wrong routine to be right.

use rhomb_avr::instructions::{Instruction, Op};
use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core};
use rhomb_certificate::{Certificate, Contract, FORMAT, check, sha256};
use rhomb_composition::{Composition, check_composition};
use rhomb_machine::MachineCode;
use rhomb_prove::refute;
use rhomb_samples::karatsuba::{karatsuba, shape};
use rhomb_samples::shift_add::{Test, strip};
use rhomb_samples::{add_sub, squaring};
use std::sync::{Arc, LazyLock};

/// A routine that is right, and the same with one instruction left out.
struct Pair {
    right: Function,
    wrong: Function,
    contract: Contract,
}

static PAIRS: LazyLock<Vec<Pair>> = LazyLock::new(|| {
    vec![
        pair("sqr 32", squaring::sqr(4, 2), Op::Adc),
        pair("add 16", add_sub::add(2, add_sub::Form::Parked), Op::Adc),
        pair("sub 16", add_sub::sub(2, add_sub::Form::Looped), Op::Sbc),
        pair("mul 16", strip(2, 2, Test::Skip), Op::Add),
        pair("mul 32", karatsuba(4, shape(1)), Op::Add),
    ]
});

/// The last such instruction makes the difference.
fn pair(contract: &str, code: Vec<Instruction>, left_out: Op) -> Pair {
    let at = code.iter().rposition(|one| one.op == left_out).expect("such an instruction");
    let mut wrong = code.clone();
    wrong[at] = Instruction::new(Op::Nop);
    let contract = contract.parse().expect("a contract");
    let (right, wrong) = (function(&code), function(&wrong));
    assert!(refute(&wrong, &contract, 1_000_000).found.is_some());
    Pair { right, wrong, contract }
}

fn function(code: &[Instruction]) -> Function {
    let core = core("atmega128").expect("a core");
    let program = Arc::new(Program::assemble(core, 0, code).expect("code"));
    Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 64, step_limit: 20_000 }
}

/// The same of a program, of which these routines are none, whatever the certificate says.
fn composed(read: &Composition) -> String {
    let text = serde_json::to_string(read).expect("plain data");
    assert_eq!(&serde_json::from_str::<Composition>(&text).expect("what was written"), read);
    let mut answers = Vec::new();
    for function in PAIRS.iter().flat_map(|pair| [&pair.right, &pair.wrong]) {
        let own = Composition {
            format: rhomb_composition::FORMAT.to_owned(),
            routine: function.identity(),
            code_sha256: sha256(&function.code()),
            ..read.clone()
        };
        answers.push(check_composition(function, &own).expect_err("what is no program passes").to_string());
    }
    answers.dedup();
    answers.join("; ")
}

pub(crate) fn run(bytes: &[u8]) -> String {
    if let Ok(read) = serde_json::from_slice(bytes) {
        return composed(&read);
    }
    let read: Certificate = match serde_json::from_slice(bytes) {
        Ok(read) => read,
        Err(error) => return error.to_string(),
    };
    let text = serde_json::to_string(&read).expect("plain data");
    assert_eq!(serde_json::from_str::<Certificate>(&text).expect("what was written"), read);
    let mut answers = Vec::new();
    for pair in PAIRS.iter() {
        // a contract that cannot be read is for any of them
        if read.contract.parse().is_ok_and(|contract: Contract| contract != pair.contract) {
            continue;
        }
        let certificate = |function: &Function| Certificate {
            format: FORMAT.to_owned(),
            routine: function.identity(),
            code_sha256: sha256(&function.code()),
            ..read.clone()
        };
        assert!(check(&pair.wrong, &certificate(&pair.wrong)).is_err(), "a wrong routine passes");
        answers.push(match check(&pair.right, &certificate(&pair.right)) {
            Ok(_) => "it holds".to_owned(),
            Err(error) => error.to_string(),
        });
    }
    answers.push(format!(
        "of {}",
        read.contract.chars().take(40).flat_map(char::escape_debug).collect::<String>()
    ));
    answers.join("; ")
}
