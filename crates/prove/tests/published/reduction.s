# Modulo 2^192 - 2^64 - 1 (Grossschaedl and Savas, CHES 2004, algorithm 2); what is rarely left above comes back behind a branch.
f:
    multu $0, $0
    lw $8, 20($5)
    lw $9, 36($5)
    lw $10, 44($5)
    lw $11, 0($5)
    lw $12, 24($5)
    lw $13, 40($5)
    lw $14, 4($5)
    lw $15, 28($5)
    lw $24, 8($5)
    lw $25, 32($5)
    lw $2, 12($5)
    lw $3, 16($5)
    addau $8, $9
    addau $10, $0
    mflo $7
    sha
    mflo $1
    addau $11, $12
    addau $13, $0
    mflo $5
    sha
    addau $14, $15
    addau $10, $0
    mflo $6
    sha
    addau $24, $12
    addau $25, $13
    addau $1, $0
    mflo $8
    sha
    addau $2, $15
    addau $9, $10
    mflo $11
    sha
    addau $3, $25
    addau $13, $0
    mflo $14
    sha
    addau $7, $0
    mflo $24
    sha
    mflo $12
    sw $5, 0($4)
    sw $6, 4($4)
    sw $8, 8($4)
    sw $11, 12($4)
    bne $12, $0, rare
    sw $14, 16($4)
end:
    jr $31
    sw $24, 20($4)
rare:
    addau $5, $0
    mflo $5
    sha
    sw $5, 0($4)
    addau $6, $0
    mflo $6
    sha
    sw $6, 4($4)
    addau $8, $12
    mflo $8
    sha
    sw $8, 8($4)
    addau $11, $0
    mflo $11
    sha
    sw $11, 12($4)
    addau $14, $0
    mflo $14
    sha
    sw $14, 16($4)
    addau $24, $0
    mflo $24
    b end
    nop
