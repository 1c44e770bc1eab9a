# As avr.S, with the contract "add 32" on a MIPS32 4Km.
# mipsel-linux-gnu-as -march=mips32 -mabi=32 -mno-shared mips.s -o mips.o

        .set noreorder
        .set noat

        .macro function name
        .section .text.\name, "ax", @progbits
        .globl \name
        .type \name, @function
\name:
        .endm

        .macro load
        lw $8, 0($5)
        lw $9, 0($6)
        .endm

        .macro sum
        addu $8, $8, $9
        sltu $2, $8, $9
        jr $31
        sw $8, 0($4)
        .endm

        .macro end name
        .size \name, . - \name
        .endm

        function rest
        sltu $2, $8, $9
        jr $31
        sw $8, 0($4)
        nop
        end rest

        function to_number
        load
        addiu $10, $0, 20
        jr $10
        nop
        sum
        end to_number

        function direct_to_number
        load
        .word 0x08000004
        nop
        sum
        end direct_to_number

        # to the word before its section, where callers stood
        function before_itself
        load
        addu $8, $8, $9
        sltu $2, $8, $9
        .word 0x1000fffa
        sw $8, 0($4)
        end before_itself

        function run_off
        load
        addu $8, $8, $9
        bne $0, $0, 1f
        nop
        beq $0, $0, 2f
        nop
1:      j rest
        nop
2:      nop
        nop
        end run_off

        function stop_run
        jr $31
        nop
        end stop_run

        # the delay slot is outside
        function slot_off
        load
        addu $8, $8, $9
        sltu $2, $8, $9
        sw $8, 0($4)
        bne $0, $0, 1f
        nop
        beq $0, $0, 2f
        nop
1:      j rest
        nop
2:      jr $31
        end slot_off

        function stop_slot
        jr $31
        nop
        end stop_slot

        function through_weak
        load
        j weak_rest
        addu $8, $8, $9
        end through_weak

        .section .text.weak_rest, "ax", @progbits
        .weak weak_rest
        .type weak_rest, @function
weak_rest:
        sltu $2, $8, $9
        jr $31
        sw $8, 0($4)
        nop
        end weak_rest

        function through_other
        load
        j rest
        addu $8, $8, $9
        end through_other

        function calls
        load
        or $10, $31, $0
        jal get
        nop
        or $31, $10, $0
        sum
        end calls

        function get
        jr $31
        nop
        end get
