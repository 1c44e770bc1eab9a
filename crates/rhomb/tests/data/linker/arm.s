@ As avr.S, with the contract "add 32" on an ARM7TDMI.
@ arm-none-eabi-as -march=armv4t arm.s -o arm.o

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

        @ with the carry in r12, to which it is added
        .macro sum
        adds r3, r3, r2
        str r3, [r0]
        adc r0, r12, #0
        bx lr
        .endm

        .macro end name
        .ltorg
        .size \name, . - \name
        .endm

        function rest
        str r3, [r0]
        mov r0, #0
        adc r0, r0, #0
        bx lr
        end rest

        @ its own address is 0 where nothing is linked
        function own_address
        load
        ldr r12, =own_address
        sum
        end own_address

        function distance
        load
        ldr r12, 1f
        b 2f
1:      .word table - .
2:      sub r12, r12, #48
        sum
        end distance

        function from_table
        load
        ldr r12, =table
        ldr r12, [r12, #4]
        sum
        end from_table

        function bytes_from_table
        load
        ldr r12, =unaligned_table
        ldrb r12, [r12, #2]
        sum
        end bytes_from_table

        @ that stands at a word's address only by chance
        function word_from_unaligned_table
        load
        ldr r12, =unaligned_table
        ldr r12, [r12]
        mov r12, #0
        sum
        end word_from_unaligned_table

        function address_from_table
        load
        ldr r12, =addresses
        ldr r12, [r12]
        ldr r12, [r12, #4]
        sum
        end address_from_table

        function beyond_table
        load
        ldr r12, =table
        ldr r12, [r12, #16]
        mov r12, #0
        sum
        end beyond_table

        @ runs off the end of its section, behind which the one with the label stood
        function run_off
        load
        mov r12, #0
        movs r12, r12
        beq 2f
        b rest
2:      adds r3, r3, r2
        end run_off

        function to_number
        load
        mov r12, #0
        mov pc, #16
        nop
        sum
        end to_number

        function loaded_number
        load
        mov r12, #0
        ldr pc, =16
        nop
        sum
        end loaded_number

        function to_label
        load
        mov r12, #0
        ldr pc, =1f
        nop
1:      sum
        end to_label

        function through_weak
        load
        adds r3, r3, r2
        b weak_rest
        end through_weak

        .section .text.weak_rest, "ax", %progbits
        .weak weak_rest
        .type weak_rest, %function
weak_rest:
        str r3, [r0]
        mov r0, #0
        adc r0, r0, #0
        bx lr
        end weak_rest

        function through_other
        load
        adds r3, r3, r2
        b rest
        end through_other

        @ the linker's code between caller and called may change r12
        function keeps_ip
        stmfd sp!, {r4, lr}
        mov r12, #0
        bl get
        load
        ldmfd sp!, {r4, lr}
        sum
        end keeps_ip

        function get
        bx lr
        end get

        @ a place behind that where the caller goes on
        function past_return
        load
        mov r12, #0
        stmfd sp!, {lr}
        add lr, lr, #28
        bx lr
        ldmfd sp!, {lr}
        sum
        end past_return

        @ instructions by number are data for all that the file says
        function into_data
        load
        mov r12, #0
        b 1f
1:      .word 0xe0933002        @ adds r3, r3, r2
        str r3, [r0]
        adc r0, r12, #0
        bx lr
        end into_data

        function through_group
        load
        adds r3, r3, r2
        b grouped
        end through_group

        .section .text.grouped, "axG", %progbits, grouped, comdat
        .global grouped
        .type grouped, %function
grouped:
        str r3, [r0]
        mov r0, #0
        adc r0, r0, #0
        bx lr
        end grouped

        function from_merged
        load
        ldr r12, =merged
        ldr r12, [r12, #4]
        sum
        end from_merged

        .section .rodata.table, "a", %progbits
        .align 2
table:  .word 7, 0, 1, 2

        .section .rodata.addresses, "a", %progbits
        .align 2
addresses:
        .word table

        .section .rodata.unaligned, "a", %progbits
unaligned_table:
        .byte 1, 2, 0, 4, 5

        .section .rodata.merged, "aM", %progbits, 4
        .align 2
merged: .word 7, 0
