; r = a * b, three bytes each, in a frame on the stack: SPL and SPH written with interrupts off.
        SPL = 0x3d
        SPH = 0x3e
        SREG = 0x3f

        .text
        .global mul
        .type   mul, @function
mul:    push    r16
        push    r17
        push    r28
        push    r29
        movw    r16, r24
        in      r28, SPL
        in      r29, SPH
        sbiw    r28, 6
        in      r0, SREG
        cli
        out     SPH, r29
        out     SREG, r0
        out     SPL, r28
        movw    r26, r22
        movw    r30, r20
        clr     r25
        .irp    place, 1, 2, 3
        std     Y + \place, r25
        .endr
        ldi     r24, 3          ; rows
1:      ld      r18, X+
        clr     r23             ; carry of the row
        .irp    place, 0, 1, 2
        ldd     r19, Z + \place
        mul     r18, r19
        ldd     r22, Y + \place + 1
        add     r0, r23
        adc     r1, r25
        add     r0, r22
        adc     r1, r25
        std     Y + \place + 1, r0
        mov     r23, r1
        .endr
        std     Y + 4, r23
        adiw    r28, 1
        dec     r24
        brne    1b
        sbiw    r28, 3
        movw    r30, r16
        ldi     r24, 6
        movw    r26, r28
        adiw    r26, 1
2:      ld      r0, X+
        st      Z+, r0
        dec     r24
        brne    2b
        clr     r1
        adiw    r28, 6
        in      r0, SREG
        cli
        out     SPH, r29
        out     SREG, r0
        out     SPL, r28
        pop     r29
        pop     r28
        pop     r17
        pop     r16
        ret
        .size   mul, . - mul
