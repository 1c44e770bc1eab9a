; The source of sample.o and sample.elf, the two real files that the tests read.
;
;   avr-as -mmcu=atmega128 -o sample.o sample.S
;   avr-ld -m avr51 -e add16 -o sample.elf sample.o
;
; It has a function with type and size, one with neither (as hand-written code often is), a label
; inside a function, a local function, a call to a neighbour, and a call to another file.

        .text
        nop

        .global add16
        .type   add16, @function
add16:  add     r24, r22
        adc     r25, r23
        ret
        .size   add16, .-add16

        .global untyped
untyped:
        call    add16
        ldi     r18, 4
inner_loop:
        dec     r18
        brne    inner_loop
        lds     r19, counter
        ret

        .global calls_out
        .type   calls_out, @function
calls_out:
        rjmp    elsewhere
        .size   calls_out, .-calls_out

        .type   hidden, @function
hidden: ldi     r24, lo8(counter + 1)
        ret
        .size   hidden, .-hidden

        .weak   elsewhere

        .section .text.second, "ax", @progbits
        .global second
        .type   second, @function
second: call    hidden
        ret
        .size   second, .-second

        .data
        .global counter
        .type   counter, @object
counter: .byte  7, 8
        .size   counter, 2
