//! Processors with their GNU tools, and right functions in several sections.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A processor.
pub(crate) struct Family {
    /// The core.
    pub(crate) target: &'static str,
    assembler: &'static [&'static str],
    linker: &'static [&'static str],
    /// Where the code is linked to.
    pub(crate) addresses: [u32; 2],
    /// Texts with a function `f`, and their contracts.
    pub(crate) functions: &'static [(&'static str, &'static str)],
}

impl Family {
    /// The object file of a text.
    pub(crate) fn assemble(&self, folder: &Path, text: &str) -> Vec<u8> {
        fs::write(folder.join("f.s"), text).unwrap();
        let output = Command::new(self.assembler[0])
            .args(&self.assembler[1..])
            .args(["-o", "f.o", "f.s"])
            .current_dir(folder)
            .output()
            .unwrap_or_else(|error| panic!("{}: {error}; run tests/oracles/setup", self.assembler[0]));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read(folder.join("f.o")).unwrap()
    }

    /// The program that GNU ld makes of an object file; `None` where it refuses.
    pub(crate) fn link(&self, folder: &Path, object: &[u8], address: u32) -> Option<Vec<u8>> {
        let program = folder.join("linked");
        let _ = fs::remove_file(&program);
        fs::write(folder.join("mutant.o"), object).unwrap();
        let start = format!("-Ttext={address:#x}");
        let status = Command::new(self.linker[0])
            .args(&self.linker[1..])
            .args([&*start, "-e", "f", "-o", "linked", "mutant.o"])
            .current_dir(folder)
            .output()
            .unwrap_or_else(|error| panic!("{}: {error}", self.linker[0]))
            .status;
        status.success().then(|| fs::read(program).unwrap())
    }
}

/// AVR, ARM, MIPS32.
pub(crate) const FAMILIES: [Family; 3] = [
    Family {
        target: "atmega128",
        assembler: &["avr-as", "-mmcu=avr51"],
        linker: &["avr-ld", "-m", "avr51"],
        addresses: [0x1234, 0x23f8],
        functions: &[(AVR_SUM, "add 16"), (AVR_PRODUCT, "mul 8"), (AVR_TABLE, "add 8")],
    },
    Family {
        target: "arm7tdmi",
        assembler: &["arm-none-eabi-as", "-march=armv4t"],
        linker: &["arm-none-eabi-ld"],
        addresses: [0x8000, 0x1_2340],
        functions: &[(ARM_SUM, "add 64"), (ARM_PRODUCT, "mul 32")],
    },
    Family {
        target: "mips32-4km",
        assembler: &["mipsel-linux-gnu-as", "-march=mips32", "-mabi=32", "-mno-pdr"],
        linker: &["mipsel-linux-gnu-ld", "-m", "elf32ltsmip"],
        addresses: [0x40_0000, 0x41_2340],
        functions: &[(MIPS_SUM, "add 32"), (MIPS_PRODUCT, "mul 32")],
    },
];

/// The addition stands in a section of its own and is called.
const AVR_SUM: &str = "
    .text
    .global f
    .type f, @function
f:  movw r26, r24
    movw r30, r22
    ld r18, Z
    ldd r19, Z+1
    movw r30, r20
    ld r20, Z
    ldd r21, Z+1
    call g
    st X+, r18
    st X, r19
    ret
    .size f, .-f
    .section .text.g, \"ax\", @progbits
    .type g, @function
g:  add r18, r20
    adc r19, r21
    rcall h
    ret
    .size g, .-g
    .text
    .type h, @function
h:  clr r24
    adc r24, r24
    ret
    .size h, .-h
";

/// One function jumps into another, behind which a third stands.
const AVR_PRODUCT: &str = "
    .text
    .type unused, @function
unused:
    ldi r24, 1
    ret
    .size unused, .-unused
    .global f
    .type f, @function
f:  movw r26, r24
    movw r30, r22
    ld r18, Z
    movw r30, r20
    ld r20, Z
    mul r18, r20
    jmp store
    .size f, .-f
    .section .text.store, \"ax\", @progbits
    nop
    .global store
    .type store, @function
store:
    st X+, r0
    st X, r1
    clr r1
    ret
    .size store, .-store
";

/// A constant comes from program memory.
const AVR_TABLE: &str = "
    .section .progmem.data, \"a\", @progbits
    .byte 0x55
    .type table, @object
table:
    .byte 0x00, 0x12, 0x34, 0x00
    .size table, .-table
    .byte 0
    .text
    .global f
    .type f, @function
f:  movw r26, r24
    movw r30, r22
    ld r18, Z
    movw r30, r20
    ld r20, Z
    ldi r30, lo8(table+3)
    ldi r31, hi8(table+3)
    lpm r24, Z
    add r18, r20
    adc r24, r24
    st X, r18
    ret
    .size f, .-f
";

/// The addition stands in a section of its own and is called; a constant comes from the pool.
const ARM_SUM: &str = "
    .text
    .global f
    .type f, %function
f:  stmfd sp!, {r4, lr}
    ldmia r1, {r3, r4}
    ldmia r2, {r1, r2}
    bl g
    ldr r0, =0x12345678
    ldr r1, =0x12345678
    sub r0, r0, r1
    movcs r0, #1
    adds r2, r0, #0
    ldmfd sp!, {r4, pc}
    .ltorg
    .size f, .-f
    .section .text.g, \"ax\", %progbits
    .type g, %function
g:  adds r3, r3, r1
    adcs r4, r4, r2
    stmia r0, {r3, r4}
    mov pc, lr
    .size g, .-g
";

/// One function jumps into another.
const ARM_PRODUCT: &str = "
    .text
    .global f
    .type f, %function
f:  ldr r1, [r1]
    ldr r2, [r2]
    umull r12, r3, r1, r2
    mov r1, r12
    b store
    .size f, .-f
    .section .text.store, \"ax\", %progbits
    nop
    .global store
    .type store, %function
store:
    stmia r0, {r1, r3}
    bx lr
    .size store, .-store
";

/// The addition stands in a section of its own and is called.
const MIPS_SUM: &str = "
    .set noreorder
    .set nomacro
    .text
    .globl f
    .type f, @function
f:  addiu $29, $29, -8
    sw $31, 4($29)
    lw $8, 0($5)
    lw $9, 0($6)
    jal g
    nop
    lw $31, 4($29)
    sw $8, 0($4)
    jr $31
    addiu $29, $29, 8
    .size f, .-f
    .section .text.g, \"ax\", @progbits
    .type g, @function
g:  addu $8, $8, $9
    jr $31
    sltu $2, $8, $9
    .size g, .-g
";

/// One function jumps into another.
const MIPS_PRODUCT: &str = "
    .set noreorder
    .set nomacro
    .text
    .globl f
    .type f, @function
f:  lw $8, 0($5)
    lw $9, 0($6)
    multu $8, $9
    j store
    mflo $8
    .size f, .-f
    .section .text.store, \"ax\", @progbits
    nop
    .globl store
    .type store, @function
store:
    mfhi $9
    sw $8, 0($4)
    jr $31
    sw $9, 4($4)
    .size store, .-store
";
