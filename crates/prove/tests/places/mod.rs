//! Time that depends on where the arrays lie: never constant, and its range is that of calls at many places.

mod leaks;

use crate::programs::{arm, avr, c55x, mips};
use rhomb_certificate::Contract;
use rhomb_machine::{Concrete, Cycles, Domain, Limb, MachineCode, Routine, Surroundings};
use rhomb_prove::{Spread, Time, Timing, time};

/// Least and most cycles of calls at so many places.
fn seen<W: Limb, R: Routine>(routine: &R, contract: &Contract, places: u32) -> Cycles {
    let bits = routine.word_bits();
    let pattern = &contract.patterns()[0];
    let call = |place: u32| {
        let mut domain = Concrete::<W>::new();
        let mut words = |count: &u32| (0..*count).map(|_| domain.arbitrary()).collect();
        let operands: Vec<Vec<W>> = contract.operands(bits).iter().map(&mut words).collect();
        let buffers = contract.buffers(bits, pattern, &pattern.fitting(&operands));
        let surroundings = Surroundings { place, filled: true, ..Surroundings::default() };
        let finished = routine.call_in(Concrete::<W>::new(), &buffers, surroundings);
        finished.unwrap_or_else(|stopped| panic!("{stopped}")).tally.cycles
    };
    (0..places).map(call).reduce(Cycles::hull).unwrap()
}

/// The verdict is about addresses, at this instruction, and the bounds are those of calls.
fn places<W: Limb, R: Routine>(routine: &R, contract: &str, at_address: u64) -> Cycles {
    let contract = contract.parse().unwrap();
    let Time { timing, bounds, .. } = time(routine, &contract);
    let Timing::Places { at, .. } = &timing else { panic!("{timing:?}") };
    assert_eq!(at.address, at_address, "{at}");
    let bounds = bounds.unwrap().function;
    assert!(bounds.min < bounds.max);
    assert_eq!(bounds, seen::<W, R>(routine, &contract, 3 * 256));
    bounds
}

fn constant<W: Limb, R: Routine>(routine: &R, contract: &str) {
    let contract = contract.parse().unwrap();
    let Time { timing, bounds, .. } = time(routine, &contract);
    assert_eq!(timing, Timing::Constant);
    let function = bounds.unwrap().function;
    assert!(function.is_exact());
    assert_eq!(function, seen::<W, R>(routine, &contract, 40));
}

#[test]
fn branches_on_addresses_on_avr() {
    // the low byte of a pointer, and a loop behind it
    let t4 = avr("
        movw r26, r24
        cpi r22, 0x77
        brne l2
        ldi r24, 200
    l1: dec r24
        brne l1
    l2: movw r30, r22
        ld r18, Z
        ldd r19, Z+1
        movw r30, r20
        ld r20, Z
        ldd r21, Z+1
        add r18, r20
        adc r19, r21
        st X+, r18
        st X, r19
        clr r24
        adc r24, r1
        ret
    ");
    let bounds = places::<u8, _>(&t4, "add 16", 4);
    assert_eq!((bounds.min, bounds.max), (26, 625));
    // its parity, by a skip; the carry of an address; a byte of the stack pointer
    places::<u8, _>(&avr("sbrs r22, 0\n rjmp l1\n mul r1, r1\n mul r1, r1\nl1: ret"), "add 16", 0);
    places::<u8, _>(&avr("subi r22, 0x80\n brcs l1\n nop\n nop\nl1: ret"), "add 16", 2);
    places::<u8, _>(&avr("cp r22, r24\n brcs l1\n nop\n nop\nl1: ret"), "add 16", 2);
}

#[test]
fn what_is_known_of_addresses_is_constant_on_avr() {
    // a pointer moved by an addition with carry, an end that is compared with, pointers on the stack, a distance
    let looped = avr("
        movw r26, r24
        movw r30, r22
        movw r18, r22
        subi r18, 0xfe
        sbci r19, 0xff
        push r30
        push r31
        pop r31
        pop r30
    l1: ld r0, Z+
        st X+, r0
        cp r30, r18
        cpc r31, r19
        brne l1
        movw r30, r22
    l2: ld r0, Z+
        cp r30, r18
        cpc r31, r19
        brcs l2
        sub r18, r22
        sbc r19, r23
    l3: dec r18
        brne l3
        clr r1
        ret
    ");
    constant::<u8, _>(&looped, "add 16");
    // a frame by way of the stack pointer
    let framed = avr("
        push r28
        push r29
        in r28, 0x3d
        in r29, 0x3e
        sbiw r28, 2
        in r0, 0x3f
        cli
        out 0x3e, r29
        out 0x3f, r0
        out 0x3d, r28
        std Y+1, r22
        std Y+2, r23
        ldd r30, Y+1
        ldd r31, Y+2
        ld r18, Z
        adiw r28, 2
        in r0, 0x3f
        cli
        out 0x3e, r29
        out 0x3f, r0
        out 0x3d, r28
        pop r29
        pop r28
        ret
    ");
    constant::<u8, _>(&framed, "add 16");
}

#[test]
fn branches_on_addresses_on_arm() {
    for core in ["arm7tdmi", "arm9ej-s"] {
        // arrays of words are aligned to words, and to no more
        let aligned = arm(
            core,
            "
            orr r3, r1, r2
            tst r3, #3
            bne l2
            tst r1, #4
            bne l1
            ldmia r1, {r1, r3}
            bx lr
        l1:  ldr r3, [r1], #4
            ldr r1, [r1]
            mov r3, r3
            bx lr
        l2:  ldrb r3, [r1]
            b l2
        ",
        );
        places::<u32, _>(&aligned, "add 64", 16);
        let skipped = arm(core, "tst r1, #8\n ldmiane r1, {r1, r2, r3}\n bx lr");
        places::<u32, _>(&skipped, "add 96", 4);
        let frame = arm(
            core,
            "
            push {r4, lr}
            mov r4, sp
            sub sp, sp, #12
            bic sp, sp, #7
            str r1, [sp]
            str r2, [sp, #4]
            ldr r12, [sp]
            add r3, r12, #8
        l1:  ldr r2, [r12], #4
            cmp r12, r3
            bne l1
        l2:  ldr r2, [r12, #-4]!
            cmp r12, r1
            bhi l2
            mov sp, r4
            pop {r4, lr}
            bx lr
        ",
        );
        constant::<u32, _>(&frame, "add 64");
    }
    // a multiplication by an address takes the time of the address
    let product = arm("arm7tdmi", "mul r0, r3, r1\n bx lr".replace("r3", "r2").as_str());
    let Timing::Places { at, cycles: Spread::Instruction(cycles) } =
        time(&product, &"add 32".parse().unwrap()).timing
    else {
        panic!()
    };
    assert_eq!((at.address, cycles.min, cycles.max), (0, 2, 5));
}

#[test]
fn branches_on_addresses_on_mips() {
    let aligned = mips(
        "
        f:  andi $8, $5, 7
            bne $8, $0, l1
            nop
            lw $9, 0($5)
            jr $31
            nop
        l1:  lw $9, 4($5)
            lw $10, 0($5)
            addu $9, $9, $10
            jr $31
            nop
    ",
    );
    places::<u32, _>(&aligned, "modadd 0xfffffffffffffffb", 4);
    let looped = mips(
        "
        f:  addiu $29, $29, -8
            addi $29, $29, -8
            sw $5, 0($29)
            lw $8, 0($29)
            addiu $9, $8, 8
        l1:  lw $10, 0($8)
            addiu $8, $8, 4
            bne $8, $9, l1
            nop
        l2:  addiu $8, $8, -4
            sltu $11, $5, $8
            bne $11, $0, l2
            lw $10, 0($8)
            addi $29, $29, 8
            jr $31
            addiu $29, $29, 8
    ",
    );
    constant::<u32, _>(&looped, "modadd 0xfffffffffffffffb");
}

#[test]
fn branches_on_addresses_on_c55x() {
    // arrays lie at even addresses, and at no others
    let aligned = c55x(
        "
    _f: MOV AR1, T0
        AND #1, T0, T0
        BCC L2, T0 != #0
        MOV AR1, T0
        AND #2, T0, T0
        BCC L1, T0 == #0
        MOV *AR1, T1
        MOV *AR1, T1
    L1: MOV *AR1, T1
        RET
    L2: B L2
    ",
    );
    let first = rhomb_machine::MachineCode::instruction(&aligned, 0).unwrap();
    assert!(first.contains("AR1"), "{first}");
    let address = (0..64).find(|at| {
        aligned.instruction(*at).is_some_and(|text| text.contains("BCC") && text.contains("T0 == #0"))
    });
    places::<u16, _>(&aligned, "add 64", address.unwrap());
}
