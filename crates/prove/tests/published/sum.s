# A sum with loops, modulo N: the words of N stand MODULUS bytes behind $a3, up to END, and N is subtracted twice at most.
g:
    multu $0, $0
    addiu $t4, $a1, BYTES
g_loop:
    lw $t0, 0($a1)
    lw $t1, 0($a2)
    addiu $a1, $a1, 4
    addiu $a2, $a2, 4
    addau $t0, $t1
    mflo $t8
    sha
    addiu $a0, $a0, 4
    bne $a1, $t4, g_loop
    sw $t8, -4($a0)
    mflo $t8
    bne $t8, $0, g_again
    nop
g_end:
    jr $ra
    nop
g_again:
    addiu $t9, $0, 1
    multu $t9, $t9
    addiu $a0, $a0, -BYTES
    addiu $t3, $a3, MODULUS
    addiu $t4, $a3, END
g_again_word:
    lw $t1, 0($t3)
    lw $t0, 0($a0)
    nor $t1, $t1, $0
    addiu $t3, $t3, 4
    addau $t0, $t1
    mflo $t0
    sha
    addiu $a0, $a0, 4
    bne $t3, $t4, g_again_word
    sw $t0, -4($a0)
    mflo $t8
    bne $t8, $0, g_second
    nop
    jr $ra
    nop
g_second:
    addiu $t9, $0, 1
    multu $t9, $t9
    addiu $a0, $a0, -BYTES
    addiu $t3, $a3, MODULUS
    addiu $t4, $a3, END
g_second_word:
    lw $t1, 0($t3)
    lw $t0, 0($a0)
    nor $t1, $t1, $0
    addiu $t3, $t3, 4
    addau $t0, $t1
    mflo $t0
    sha
    addiu $a0, $a0, 4
    bne $t3, $t4, g_second_word
    sw $t0, -4($a0)
    jr $ra
    nop
