; r = a - b, five bytes, the borrow returned: between the bytes the borrow waits in T or in a mask.
        .text
        .global sub
        .type   sub, @function
sub:    push    r28
        push    r29
        movw    r30, r24
        movw    r26, r22
        movw    r28, r20
        ldi     r24, 4
        ld      r18, X+
        ld      r19, Y+
        sub     r18, r19
        sbc     r25, r25        ; mask of the borrow
        st      Z+, r18
1:      bst     r25, 0          ; and T from it
        ld      r18, X+
        ld      r19, Y+
        clr     r0
        bld     r0, 7
        lsl     r0              ; C from T
        sbc     r18, r19
        sbc     r25, r25
        st      Z+, r18
        dec     r24
        brne    1b
        mov     r24, r25
        neg     r24
        pop     r29
        pop     r28
        ret
        .size   sub, . - sub
