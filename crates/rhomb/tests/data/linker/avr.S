; Code whose result depends on where a linker puts it, and code that uses addresses as they are meant. Each function
; is to keep the contract "add 16" on an ATmega128; tests/linker.rs says which does.
; avr-gcc -mmcu=atmega128 -c avr.S -o avr.o

.macro function name
        .section .text.\name, "ax", @progbits
        .global \name
        .type \name, @function
\name:
.endm

.macro load
        movw r26, r24
        movw r30, r22
        ld r18, Z
        ldd r19, Z+1
        movw r30, r20
        ld r20, Z
        ldd r21, Z+1
.endm

; with the carry in r24, to which it is added
.macro sum
        add r18, r20
        adc r19, r21
        adc r24, r1
        st X+, r18
        st X, r19
        ret
.endm

.macro end name
        .size \name, . - \name
.endm

        function rest
        adc r19, r21
        adc r24, r1
        st X+, r18
        st X, r19
        ret
        end rest

; its own address is 0 where nothing is linked
        function own_address
        load
        ldi r24, lo8(own_address)
        ldi r25, hi8(own_address)
        add r24, r25
        sum
        end own_address

; and so is half of the distance between two sections
        function distance
        load
        ldi r24, lo8(table)
        ldi r25, lo8(other_table)
        sub r24, r25
        subi r24, lo8(-272)
        sum
        end distance

; reads its own first byte where nothing is linked
        function own_byte
        load
        ldi r30, 0
        ldi r31, 0
        lpm r24, Z
        subi r24, 0xdc
        sum
        end own_byte

; loses the carry of the index
        function index_without_carry
        load
        ldi r30, lo8(table)
        ldi r31, hi8(table)
        ldi r25, 200
        add r30, r25
        lpm r24, Z
        sum
        end index_without_carry

        function index
        load
        ldi r30, lo8(table)
        ldi r31, hi8(table)
        ldi r25, 200
        add r30, r25
        adc r31, r1
        lpm r24, Z+
        lpm r25, Z
        or r24, r25
        sum
        end index

; as avr-gcc writes it
        function index_by_subtraction
        load
        ldi r30, 200
        ldi r31, 0
        subi r30, lo8(-(table))
        sbci r31, hi8(-(table))
        lpm r24, Z
        sum
        end index_by_subtraction

; the borrow of the subtraction is not that of the index
        function borrow_of_subtraction
        load
        ldi r30, 200
        subi r30, lo8(-(own_address))
        ldi r24, 0
        adc r24, r1
        sum
        end borrow_of_subtraction

; what is behind the table
        function beyond_table
        load
        ldi r30, lo8(table + 256)
        ldi r31, hi8(table + 256)
        lpm r24, Z
        ldi r24, 0
        sum
        end beyond_table

; a table of addresses
        function address_from_table
        load
        ldi r30, lo8(addresses)
        ldi r31, hi8(addresses)
        lpm r22, Z+
        lpm r23, Z
        movw r30, r22
        lpm r24, Z
        sum
        end address_from_table

; a relocated instruction, read
        function own_code
        load
        ldi r30, lo8(own_address + 14)
        ldi r31, hi8(own_address + 14)
        lpm r24, Z
        subi r24, 0x80
        sum
        end own_code

; runs off the end of its section, behind which the one with the label stood
        function run_off
        load
        clr r24
        clt
        brtc 2f
        rjmp rest
2:      add r18, r20
        end run_off

; the same by a skip
        function skip_off
        load
        clr r24
        clt
        brtc 2f
        rjmp rest
2:      add r18, r20
        sbrs r1, 0
        end skip_off

; a distance that no relocation gives
        function jump_beyond
        load
        clr r24
        clt
        brtc 2f
        rjmp rest
2:      add r18, r20
        .word 0xc000 | 8        ; rjmp to the end of the gap
        end jump_beyond

        function to_number
        load
        ldi r24, 0
        .word 0x940c, 10        ; jmp
        sum
        end to_number

        function indirect_to_number
        load
        ldi r24, 0
        ldi r30, 11
        ldi r31, 0
        ijmp
        sum
        end indirect_to_number

        function indirect_to_label
        load
        ldi r24, 0
        ldi r30, pm_lo8(1f)
        ldi r31, pm_hi8(1f)
        ijmp
1:      sum
        end indirect_to_label

; the address in bytes
        function indirect_to_bytes
        load
        ldi r24, 0
        ldi r30, lo8(1f)
        ldi r31, hi8(1f)
        lsr r30
        ijmp
1:      sum
        end indirect_to_bytes

        function through_weak
        load
        clr r24
        add r18, r20
        jmp weak_rest
        end through_weak

        .weak weak_rest
        .type weak_rest, @function
weak_rest:
        adc r19, r21
        adc r24, r1
        st X+, r18
        st X, r19
        ret
        end weak_rest

        function through_other
        load
        clr r24
        add r18, r20
        jmp rest
        end through_other

        .section .text.weak_sum, "ax", @progbits
        .weak weak_sum
        .type weak_sum, @function
weak_sum:
        load
        clr r24
        sum
        end weak_sum

; the second word is add r18, r20
        function second_word
        load
        clr r24
        rjmp 1f + 2
1:      lds r25, 0x0f24
        adc r19, r21
        adc r24, r1
        st X+, r18
        st X, r19
        ret
        end second_word

; the second word is for the linker
        function second_word_of_call
        load
        clr r24
        clt
        rjmp 1f + 2
1:      call rest
        sum
        end second_word_of_call

        .section .progmem.data.addresses, "a", @progbits
addresses:
        .word table

        .section .progmem.data.table, "a", @progbits
table:  .space 256

        .section .progmem.data.other, "a", @progbits
other_table:
        .space 256
