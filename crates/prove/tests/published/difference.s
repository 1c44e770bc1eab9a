# a - b modulo 2^192 - 2^64 - 1; what is rarely left to add or to subtract comes behind a branch.
f:
    multu $0, $0
    lw $8, 20($5)
    lw $9, 20($6)
    lw $10, 0($5)
    lw $11, 0($6)
    lw $12, 4($5)
    lw $13, 4($6)
    lw $14, 8($5)
    lw $15, 8($6)
    lw $24, 12($5)
    lw $25, 12($6)
    lw $2, 16($5)
    lw $3, 16($6)
    sltu $1, $9, $8
    addiu $5, $1, -1
    nor $11, $11, $0
    nor $13, $13, $0
    nor $15, $15, $0
    nor $25, $25, $0
    nor $3, $3, $0
    nor $9, $9, $0
    addu $7, $8, $9
    addau $10, $11
    addau $1, $0
    mflo $6
    sha
    addau $12, $13
    mflo $8
    sha
    addau $14, $15
    addau $5, $0
    mflo $9
    sha
    addau $24, $25
    addau $5, $0
    mflo $10
    sha
    addau $2, $3
    addau $5, $0
    mflo $11
    sha
    addau $7, $5
    mflo $12
    sha
    mflo $13
    addu $13, $13, $5
    sw $6, 0($4)
    sw $8, 4($4)
    sw $9, 8($4)
    sw $10, 12($4)
    bne $13, $0, rare
    sw $11, 16($4)
end:
    jr $31
    sw $12, 20($4)
rare:
    multu $0, $0
    sra $14, $13, 31
    addu $15, $13, $14
    addau $6, $13
    mflo $6
    sha
    sw $6, 0($4)
    addau $8, $14
    mflo $8
    sha
    sw $8, 4($4)
    addau $9, $15
    mflo $9
    sha
    sw $9, 8($4)
    addau $10, $14
    mflo $10
    sha
    sw $10, 12($4)
    addau $11, $14
    mflo $11
    sha
    sw $11, 16($4)
    addau $12, $14
    mflo $12
    b end
    nop
