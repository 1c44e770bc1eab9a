; r = a * b, four bytes each, column by column: macros, repetition, pushes, ADIW.
        .macro  column first, last, n
        .set    i, \first
        .rept   \last - \first + 1
        ldd     r18, Y + i
        ldd     r19, Z + (\n - i)
        mul     r18, r19
        add     r20, r0
        adc     r21, r1
        adc     r22, r23
        .set    i, i + 1
        .endr
        st      X+, r20
        mov     r20, r21
        mov     r21, r22
        clr     r22
        .endm

        .text
        .global mul
        .type   mul, @function
mul:    push    r28
        push    r29
        movw    r26, r24
        movw    r28, r22
        movw    r30, r20
        clr     r20
        clr     r21
        clr     r22
        clr     r23
        column  0, 0, 0
        column  0, 1, 1
        column  0, 2, 2
        column  0, 3, 3
        column  1, 3, 4
        column  2, 3, 5
        ; the last column by other pointers
        adiw    r28, 3
        adiw    r30, 3
        ld      r18, Y
        ld      r19, Z
        mul     r18, r19
        add     r20, r0
        adc     r21, r1
        st      X+, r20
        st      X, r21
        clr     r1
        pop     r29
        pop     r28
        ret
        .size   mul, . - mul
