@ Sums of 64 bits that treat the stack as no interrupt forgives.
	.syntax unified
	.arm
	.text

	.macro function name
	.globl \name
	.type \name, %function
\name:
	.endm
	.macro sum
	ldm r1, {r1, r3}
	ldm r2, {r2, r12}
	adds r1, r1, r2
	adcs r3, r3, r12
	str r1, [r0]
	str r3, [r0, #4]
	mov r0, #0
	adc r0, r0, #0
	.endm

@ a saved register lies below the stack pointer for a while
	function revived
	str r4, [sp, #-4]!
	add sp, sp, #4
	mov r4, r2
	sum
	sub sp, sp, #4
	ldr r4, [sp], #4
	bx lr
	.size revived, . - revived

	function lowered
	sub sp, sp, #0x40000000
	sum
	add sp, sp, #0x40000000
	bx lr
	.size lowered, . - lowered

	function raised
	add sp, sp, #16
	sum
	sub sp, sp, #16
	bx lr
	.size raised, . - raised

@ the stack pointer as a register like any other
	function borrowed
	mov r12, sp
	mov sp, r0
	mov r0, sp
	mov sp, r12
	sum
	bx lr
	.size borrowed, . - borrowed

	function below
	str r4, [sp, #-4]
	mov r4, r2
	sum
	ldr r4, [sp, #-4]
	bx lr
	.size below, . - below

@ a frame of which a little is written
	function framed
	sub sp, sp, #64
	str r4, [sp, #60]
	mov r4, r2
	sum
	ldr r4, [sp, #60]
	add sp, sp, #64
	bx lr
	.size framed, . - framed
