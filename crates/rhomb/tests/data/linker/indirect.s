@ A function that is chosen when the program starts, for the contract "add 32" on an ARM7TDMI.
@ arm-none-eabi-as -march=armv4t indirect.s -o indirect.o

        .arm

        .macro function name
        .section .text.\name, "ax", %progbits
        .global \name
        .type \name, %function
\name:
        .endm

        .macro load
        ldr r3, [r1]
        ldr r2, [r2]
        .endm

        .macro end name
        .ltorg
        .size \name, . - \name
        .endm

        function through_indirect
        load
        adds r3, r3, r2
        b indirect
        end through_indirect

        .section .text.indirect, "ax", %progbits
        .global indirect
        .type indirect, %gnu_indirect_function
indirect:
        str r3, [r0]
        mov r0, #0
        adc r0, r0, #0
        bx lr
        end indirect
