@ Functions that need each other, constants, and things that are not there.
@ arm-none-eabi-as -march=armv4t -o linked.o linked.s
	.syntax unified
	.arm

	.section .text.sum, "ax", %progbits
	.global sum
	.type sum, %function
sum:
	push {r4, lr}
	ldr r4, .Lpool
	ldr r0, [r4, #4]
	bl twice
	ldr r1, .Lpool + 4
	add r0, r0, r1
	ldr r1, [r4, #8]
	ldr r2, .Lpool + 8
	pop {r4, lr}
	bx lr
.Lpool:
	.word table
	.word 0x12345678
	.word twice - .
	.size sum, . - sum

	.section .text.twice, "ax", %progbits
	.global twice
	.type twice, %function
twice:
	add r0, r0, r0
	b finish
	.size twice, . - twice

@ never called, and cannot be linked
	.type beside, %function
beside:
	bl elsewhere
	bx lr
	.size beside, . - beside

	.section .text.finish, "ax", %progbits
	.global finish
	.type finish, %function
finish:
	bx lr
	.size finish, . - finish

	.section .rodata
	.align 2
	.word 0
table:
	.word 1, 5, sum

	.section .text.calls_elsewhere, "ax", %progbits
	.global calls_elsewhere
	.type calls_elsewhere, %function
calls_elsewhere:
	b elsewhere
	.size calls_elsewhere, . - calls_elsewhere

	.section .text.calls_beside, "ax", %progbits
	.global calls_beside
	.type calls_beside, %function
calls_beside:
	b beside
	.size calls_beside, . - calls_beside

	.section .text.names_data, "ax", %progbits
	.global names_data
	.type names_data, %function
names_data:
	ldr r0, =variable
	bx lr
	.ltorg
	.size names_data, . - names_data

	.section .text.unknown_kind, "ax", %progbits
	.global unknown_kind
	.type unknown_kind, %function
unknown_kind:
	bx lr
	.word variable(GOT)
	.size unknown_kind, . - unknown_kind

	.section .text.small, "ax", %progbits
	.thumb
	.global small
	.thumb_func
	.type small, %function
small:
	bx lr
	.size small, . - small
@ Thumb that only its mapping symbol shows
	.global untyped
	.balign 4
untyped:
	bx lr
	nop

	.arm
	.section .text.calls_small, "ax", %progbits
	.global calls_small
	.type calls_small, %function
calls_small:
	bl small
	.size calls_small, . - calls_small

	.section .text.ragged, "ax", %progbits
	.global ragged
	.type ragged, %function
ragged:
	bx lr
	.byte 1
	.size ragged, . - ragged

	.data
variable:
	.word 7
