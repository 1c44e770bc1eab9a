//! Products that take two words, UMAAL, in ARM state on a core that has it.

use crate::programs::arm_on;
use rhomb_arm::cores::{Core, core};
use rhomb_arm::lower::{self, Accumulation, Kernel, Making};
use rhomb_arm::{Function, Program, conventions::AAPCS};
use rhomb_contract::Modulus;
use rhomb_field::reduce::{ways, ways_without_carry};
use rhomb_kernel::{Form, Operation, Parameters, Shape, Task, method};
use rhomb_prove::{Budget, Timing, Verdict, decide, timing};
use std::sync::{Arc, LazyLock};

/// ARM9EJ-S with UMAAL.
static CORE: LazyLock<Core> = LazyLock::new(|| {
    let like = core("arm9ej-s").unwrap();
    Core { name: "arm9ej-s-umaal", umaal: true, ram: like.ram.clone(), ..*like }
});

fn verdict(text: &str, contract: &str) -> Verdict {
    let budget = Budget { first: 100_000, second: 1_000_000, ..Budget::default() };
    decide(&arm_on(&CORE, text), &contract.parse().unwrap(), budget)
}

/// Two words by two: no zero and no addition.
const MUL: &str = "push {r4, r5, r6, r7, r8, lr}
    ldmia r1, {r4, r5}
    ldmia r2, {r6, r7}
    umull r3, r8, r4, r6
    umull r12, lr, r5, r6
    umaal r8, r12, r4, r7
    umaal r12, lr, r5, r7
    stmia r0, {r3, r8, r12, lr}
    pop {r4, r5, r6, r7, r8, pc}
";

#[test]
fn a_product_is_proved_and_takes_the_same_time_always() {
    assert!(matches!(verdict(MUL, "mul 64"), Verdict::Proved(_)));
    assert!(matches!(timing(&arm_on(&CORE, MUL), &"mul 64".parse().unwrap()), Timing::Constant));
    // a word twice, and a word too early
    for wrong in ["umaal r8, lr, r4, r7", "umaal r12, r8, r4, r7"] {
        let wrong = MUL.replace("umaal r8, r12, r4, r7", wrong);
        assert!(matches!(verdict(&wrong, "mul 64"), Verdict::Refuted(..)), "{wrong}");
    }
}

/// A square whose mixed product is doubled by a product with 2.
#[test]
fn a_square_is_proved() {
    let text = "push {r4, r5, r6, r7, r8, lr}
    ldmia r1, {r4, r5}
    mov r6, #2
    mov r7, #0
    umull r1, r2, r4, r5
    umull r3, r8, r4, r4
    umull r12, lr, r5, r5
    umaal r8, r7, r1, r6
    umaal r12, r7, r2, r6
    add lr, lr, r7
    stmia r0, {r3, r8, r12, lr}
    pop {r4, r5, r6, r7, r8, pc}
";
    assert!(matches!(verdict(text, "sqr 64"), Verdict::Proved(_)));
    let wrong = text.replace("mov r7, #0", "mov r7, #1");
    assert!(matches!(verdict(&wrong, "sqr 64"), Verdict::Refuted(..)));
}

fn task(operation: Operation, words: usize) -> Task {
    let name = if operation == Operation::Sqr { "product-scanning" } else { "hybrid" };
    let parameters = Parameters::default();
    let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
    method(operation, name).and_then(|method| method.task(&shape)).unwrap()
}

/// That it is proved and takes the same time always.
fn holds(kernel: &Kernel, contract: &str) {
    let program = Arc::new(Program::assemble(&CORE, 0, &kernel.program).unwrap());
    let function = Function { program, entry: 0, convention: &AAPCS, stack_limit: 512, step_limit: 10_000 };
    let own = contract.parse().unwrap();
    let verdict = decide(&function, &own, Budget { second: 1_000_000, ..Budget::default() });
    assert!(matches!(verdict, Verdict::Proved(_)), "{contract}: {verdict:?}");
    assert!(matches!(timing(&function, &own), Timing::Constant), "{contract}");
}

/// What searches find.
#[test]
fn products_and_squares_of_searches_are_proved() {
    let making = Making { accumulation: Some(Accumulation::Tied), ..Making::default() };
    for words in [1, 2, 3, 5, 6, 7, 8, 12, 16].into_iter().step_by(rhomb_oracles::sample(3, 1)) {
        for operation in [Operation::Mul, Operation::Sqr] {
            let kernel = lower::routine_by(&task(operation, words), &CORE, &AAPCS, &making).unwrap();
            holds(&kernel, &format!("{} {}", operation.name(), 32 * words));
        }
    }
}

/// Products and their reductions in one: columns of a reduction are products that take two words, and carries between columns.
#[test]
fn a_reduction_in_one_with_its_product_is_proved() {
    let folded = [(Operation::ModMul, Operation::Mul), (Operation::ModSqr, Operation::Sqr)];
    let divided = [(Operation::MontMul, Operation::Mul), (Operation::MontSqr, Operation::Sqr)];
    for (operations, modulus) in [
        (folded, "2^255-19"),
        (folded, "2^256-2^32-977"),
        (folded, "2^192-2^64-1"),
        (divided, "2^192-2^64-1"),
        (divided, "2^256-2^224+2^192+2^96-1"),
    ] {
        let own: Modulus = modulus.parse().unwrap();
        for (operation, product) in operations {
            let [plain, more] = [ways, ways_without_carry].map(|ways| ways(operation, &own.number(), 32));
            let words = own.words(32) as usize;
            let made = plain
                .iter()
                .chain(&more)
                .filter_map(|way| lower::reduced(&task(product, words), &way.line, &CORE, &AAPCS))
                .min_by_key(|kernel| kernel.program.len());
            holds(&made.unwrap(), &format!("{} {modulus}", operation.name()));
        }
    }
}
