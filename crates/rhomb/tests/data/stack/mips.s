# Sums of 32 bits by what is not a routine's own.
	.set noreorder
	.set noat
	.text

	.macro function name
	.globl \name
	.type \name, @function
\name:
	.endm

# the exception handler's registers
	function kernel
	lw $26, 0($5)
	lw $27, 0($6)
	addu $26, $26, $27
	sltu $2, $26, $27
	jr $31
	sw $26, 0($4)
	.size kernel, . - kernel

	function copied
	lw $8, 0($5)
	lw $9, 0($6)
	addu $8, $8, $9
	sltu $2, $8, $9
	move $26, $8
	move $10, $26
	jr $31
	sw $10, 0($4)
	.size copied, . - copied

# written and not read
	function harmless
	lw $8, 0($5)
	lw $9, 0($6)
	move $26, $8
	addu $8, $8, $9
	sltu $2, $8, $9
	jr $31
	sw $8, 0($4)
	.size harmless, . - harmless

# the caller's home of the arguments belongs to the callee
	function home
	sw $16, 12($29)
	lw $16, 0($5)
	lw $9, 0($6)
	addu $8, $16, $9
	sltu $2, $8, $9
	lw $16, 12($29)
	jr $31
	sw $8, 0($4)
	.size home, . - home

	function revived
	addiu $29, $29, -8
	sw $16, 0($29)
	addiu $29, $29, 8
	lw $16, 0($5)
	lw $9, 0($6)
	addu $8, $16, $9
	sltu $2, $8, $9
	sw $8, 0($4)
	addiu $29, $29, -8
	lw $16, 0($29)
	jr $31
	addiu $29, $29, 8
	.size revived, . - revived

	function raised
	lw $8, 0($5)
	lw $9, 0($6)
	addiu $29, $29, 8
	addu $8, $8, $9
	sltu $2, $8, $9
	sw $8, 0($4)
	jr $31
	addiu $29, $29, -8
	.size raised, . - raised
