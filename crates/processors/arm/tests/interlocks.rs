//! Waits for results that come late: the examples of the manuals, on the machine.

use rhomb_arm::cores::core;
use rhomb_arm::syntax::{dialects, parse};
use rhomb_arm::{Machine, Program};
use rhomb_machine::{Access, Concrete, Processor};
use std::sync::Arc;

/// Cycles of the lines on a core, one after the other, every register a place in memory.
fn cycles_on(name: &str, lines: &str) -> u64 {
    let core = core(name).unwrap();
    let dialect = dialects(core.thumb).iter().find(|dialect| dialect.name == "gnu");
    let read = parse(dialect.unwrap(), 0, &lines.replace(';', "\n")).unwrap();
    let program = Arc::new(Program::assemble(core, 0, &read.instructions).unwrap());
    let mut machine = Machine::new(program, Concrete::<u32>::new());
    let first = core.ram.start / 4;
    machine.memory.own("all", first..first + 256, Access::Store).unwrap();
    // whatever is loaded is a place in memory, too
    machine.memory.fill(first, &[core.ram.start + 64; 256]).unwrap();
    for register in 0..15 {
        machine.set_register(register, core.ram.start + 16 * u32::from(register) + 256);
    }
    machine.set_flags(0);
    for _ in &read.instructions {
        machine.step().unwrap();
    }
    let cycles = machine.cycles();
    assert_eq!(cycles.min, cycles.max);
    // a line of known conditions takes what is counted without running it
    if !lines.contains("eq") {
        assert_eq!(core.straight(&read.instructions), Some(cycles.max));
    }
    cycles.min
}

fn cycles(lines: &str) -> u64 {
    cycles_on("arm9ej-s", lines)
}

/// Asserts the cycles of the lines without a wait, and how long they wait.
fn waits(lines: &str, plain: u64, waited: u64) {
    assert_eq!(cycles(lines), plain + waited, "{lines}");
}

/// ARM DDI 0222B, table 8.2, "1 cycle load-use interlock", "2-cycle load-use interlock", "scaled offset".
#[test]
fn loads_and_uses() {
    waits("ldr r0, [r1]; add r2, r3, r4", 2, 0);
    waits("ldr r0, [r1]; add r2, r0, r3", 2, 1);
    waits("ldr r0, [r1]; add r2, r3, r0, lsl #2", 2, 1);
    waits("ldr r0, [r1]; mov r5, r6; add r2, r0, r3", 3, 0);
    assert_eq!(cycles("mov r2, #0; ldr r0, [r1, r2, lsl #2]; add r2, r0, r3"), 1 + 3 + 1);
    waits("ldrb r0, [r1]; add r2, r0, r3", 2, 2);
    waits("ldrh r0, [r1]; mov r5, r6; add r2, r0, r3", 3, 1);
    waits("str r0, [r1]; str r2, [r3]", 2, 0);
    // a base that was written back is no late result
    waits("ldr r0, [r1], #4; ldr r2, [r1]", 2, 0);
    // what was written again is there
    waits("ldr r0, [r1]; mov r0, r2; add r3, r0, r4", 3, 0);
}

/// ARM DDI 0165B, page 8-22.
#[test]
fn examples_of_the_arm9e_s() {
    waits("ldrb r0, [r1, #1]; add r2, r0, r3; add r4, r0, r5", 3, 2);
    waits("ldrb r0, [r1]; mul r6, r7, r8; add r4, r0, r5", 4, 0);
    waits("ldr r0, [r1]; str r0, [r2]", 2, 1);
    waits("ldr r0, [r1]; mla r2, r3, r4, r0", 3, 1);
    waits("ldr r0, [r1]; mov r6, r6; str r0, [r2]", 3, 0);
    waits("ldr r0, [r1]; stmia r0, {r1-r2}", 3, 1);
    // the first register to be stored; not the second
    waits("ldr r3, [r1]; stmia r0, {r3-r4}", 3, 1);
    waits("ldr r4, [r1]; stmia r0, {r3-r4}", 3, 0);
}

/// ARM DDI 0214B, 9.9.1: the multiplier of the ARM9EJ-S, too.
#[test]
fn examples_of_multiplications() {
    waits("mul r0, r1, r2; sub r4, r0, r3", 3, 1);
    waits("mla r0, r1, r2, r3; str r0, [r8]", 3, 1);
    waits("mla r0, r1, r2, r0; mla r0, r3, r4, r0", 4, 0);
    waits("mul r0, r1, r2; mul r5, r0, r3", 4, 1);
    // flags set: four and five cycles, and no wait
    waits("muls r0, r1, r2; sub r4, r0, r3", 5, 0);
    waits("umulls r0, r1, r2, r3; sub r4, r0, r3", 6, 0);
    waits("umull r0, r1, r2, r3; adds r4, r0, r5", 4, 1);
    waits("umull r0, r1, r2, r3; adds r4, r1, r5", 4, 1);
    waits("umull r0, r1, r2, r3; adds r4, r5, r6; adds r7, r0, r1", 5, 0);
    waits("umull r0, r1, r2, r3; umlal r0, r1, r4, r5; mov r6, r1", 7, 1);
}

/// ARM DDI 0222B, table 8.2: LDM of one register takes two cycles, of more one each; the last word comes late.
#[test]
fn blocks() {
    waits("ldmia r0, {r1}; mov r2, r1", 3, 0);
    waits("ldmia r0, {r1-r4}; mov r5, r3", 5, 0);
    waits("ldmia r0, {r1-r4}; mov r5, r4", 5, 1);
    waits("ldmia r0, {r1-r4}; mov r6, r2; mov r5, r4", 6, 0);
    waits("stmia r0, {r1}", 2, 0);
    waits("stmia r0, {r1-r4}", 4, 0);
}

/// An instruction that is skipped has waited as it was decoded, and its result is not late.
#[test]
fn skipped_instructions() {
    waits("ldr r0, [r1]; addeq r2, r0, r3", 2, 1);
    waits("ldreq r0, [r1]; add r2, r0, r3", 2, 0);
}

/// Without interlocks nothing waits.
#[test]
fn other_cores_never_wait() {
    assert_eq!(cycles_on("arm7tdmi-paper", "ldrb r0, [r1]; add r2, r0, r3"), 4);
    assert_eq!(cycles_on("arm7tdmi-paper", "umull r0, r1, r2, r3; adds r4, r0, r5"), 5);
}

/// The examples of jnk0le's cortex_m33.md.
#[test]
fn cortex_m33() {
    let takes = |lines, cycles| assert_eq!(cycles_on("cortex-m33", lines), cycles, "{lines}");
    takes("ldr r0, [r1]; add r2, r0, r3", 3);
    takes("ldr r0, [r1]; umaal r0, r3, r4, r5", 2);
    takes("ldr r0, [r1]; umaal r3, r4, r0, r5", 3);
    takes("ldr r0, [r1]; str r0, [r2]", 2);
    takes("umaal r0, r1, r2, r3; umaal r0, r1, r4, r5", 2);
    takes("umaal r0, r1, r2, r3; umaal r4, r5, r0, r6", 3);
    takes("umaal r0, r1, r2, r3; str r0, [r8]", 2);
    takes("umaal r0, r1, r2, r3; adds r4, r0, r5", 3);
    takes("add r0, r1, r2, ror #24; add r3, r0, r4", 3);
    takes("add r0, r1, r2, ror #24; mla r3, r4, r5, r0", 2);
    takes("adds r0, r1, r2, ror #24; adc r3, r4, r5", 3);
    takes("muls r0, r1, r0", 2);
    takes("ldrd r2, r3, [r1]", 2);
    takes("ldmia r0, {r1-r4}", 4);
    takes("push {r4-r11, lr}", 9);
}

/// The rules of jnk0le's cortex_m7.md.
#[test]
fn cortex_m7() {
    let takes = |lines, cycles| assert_eq!(cycles_on("cortex-m7", lines), cycles, "{lines}");
    takes("add r0, r1, r2; add r3, r4, r5", 1);
    takes("add r0, r1, r2; add r3, r4, r5; add r6, r7, r8", 2);
    takes("add r0, r1, r2; add r3, r0, r5", 2);
    // a carry passes once a cycle
    takes("adds r0, r1, r2; adc r3, r4, r5", 2);
    takes("umull r0, r1, r2, r3; umull r4, r5, r2, r3", 2);
    takes("umull r0, r1, r2, r3; str r4, [r5]", 2);
    takes("str r4, [r5]; umull r0, r1, r2, r3", 2);
    takes("umull r0, r1, r2, r3; ldr r4, [r5]", 1);
    takes("umull r0, r1, r2, r3; add r4, r5, r6", 1);
    takes("umaal r0, r1, r2, r3; umaal r0, r1, r4, r5", 2);
    takes("umull r0, r1, r2, r3; add r4, r0, r5", 3);
    takes("ldr r0, [r2]; ldr r1, [r2, #4]", 1);
    takes("ldr r0, [r2]; ldr r1, [r2, #8]", 2);
    takes("ldr r0, [r2]; ldr r1, [r3, #4]", 2);
    takes("ldr r0, [r2]; str r1, [r3]", 1);
    takes("ldr r0, [r2]; str r0, [r3]", 1);
    takes("str r0, [r2]; str r1, [r3]", 2);
    takes("ldr r0, [r2]; add r1, r0, r3", 2);
    takes("ldr r0, [r2]; mul r1, r0, r3", 3);
    takes("ldr r0, [r2]; add r1, r3, r0, lsl #2", 3);
    takes("ldr r0, [r2]; umaal r0, r1, r3, r4", 1);
    takes("adc r0, r1, r2; add r3, r4, r0, lsl #2", 3);
    takes("add r0, r1, r2, lsl #3; add r3, r4, r5, lsl #3", 2);
    takes("uxth r0, r1; uxth r2, r3", 2);
    takes("ldmia r0, {r1-r5}", 3);
    takes("ldrd r2, r3, [r1]; add r4, r5, r6", 2);
}
