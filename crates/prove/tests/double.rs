//! Products that take two words, UMAAL, in ARM state on a core that has it.

use crate::programs::arm_on;
use rhomb_arm::cores::{Core, core};
use rhomb_prove::{Budget, Timing, Verdict, decide, timing};
use std::sync::LazyLock;

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
