@ Multiplication modulo 2^64 - 0x1000001, in the way of hand-written field arithmetic: the product goes on in a routine of its own
@ section, which takes a constant from a literal pool.
	.syntax unified
	.cpu cortex-m4
	.thumb
	.section .text.multiply,"ax",%progbits
	.balign 4
	.global multiply
	.type multiply,%function
	.thumb_func
multiply:
	push {r4-r8, lr}
	ldrd r4, r5, [r1]
	ldrd r6, r7, [r2]
	umull r2, r3, r4, r6
	mov r8, #0
	umaal r3, r8, r5, r6
	mov r1, #0
	umaal r3, r1, r4, r7
	umaal r8, r1, r5, r7
	b.w reduce
	.size multiply, . - multiply

	.section .text.reduce,"ax",%progbits
	.balign 4
	.global reduce
	.type reduce,%function
	.thumb_func
reduce:
	ldr r4, =0x1000001
	mov r5, #0
	umaal r2, r5, r8, r4
	umaal r3, r5, r1, r4
	mov r6, #0
	umaal r2, r6, r5, r4
	adds r3, r3, r6
	mov r5, #0
	it cs
	movcs r5, r4
	adds r2, r2, r5
	adc r3, r3, #0
	strd r2, r3, [r0]
	pop {r4-r8, pc}
	.ltorg
	.size reduce, . - reduce
