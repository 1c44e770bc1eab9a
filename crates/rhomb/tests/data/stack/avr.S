; Sums of 16 bits that treat the stack as no interrupt forgives; `f(r, a, b)` gives the carry in r24.
#define SPL 0x3d
#define SPH 0x3e
#define SREG 0x3f

	.text
; r19:r18 = a, r21:r20 = b, X = r
.macro operands
	movw r26, r24
	movw r30, r22
	ld r18, Z
	ldd r19, Z+1
	movw r30, r20
	ld r20, Z
	ldd r21, Z+1
.endm
; r19:r18 = the sum, r24 = the carry
.macro sum
	ldi r24, 0
	add r18, r20
	adc r19, r21
	adc r24, r24
.endm
.macro store
	st X+, r18
	st X, r19
.endm
.macro get_sp
	in r30, SPL
	in r31, SPH
.endm
; as the compiler does it
.macro set_sp
	in r0, SREG
	cli
	out SPH, r31
	out SREG, r0
	out SPL, r30
.endm
.macro function name
	.global \name
	.type \name, @function
\name:
.endm

; a byte lies below the stack pointer for a while, and is taken up again
function revived
	operands
	sum
	push r18
	pop r0
	get_sp
	sbiw r30, 1
	set_sp
	pop r18
	store
	ret
	.size revived, . - revived

; the same with Y, without moving the pointer down again
function below
	operands
	sum
	push r18
	pop r0
	get_sp
	ld r18, Z
	store
	ret
	.size below, . - below

; the stack pointer stands above the return address for a while
function raised
	operands
	get_sp
	adiw r30, 4
	set_sp
	sum
	store
	get_sp
	sbiw r30, 4
	set_sp
	ret
	.size raised, . - raised

; a stack pointer far outside of the data memory, for a while
function lowered
	operands
	get_sp
	subi r30, lo8(0x2000)
	sbci r31, hi8(0x2000)
	set_sp
	sum
	store
	get_sp
	subi r30, lo8(-0x2000)
	sbci r31, hi8(-0x2000)
	set_sp
	ret
	.size lowered, . - lowered

; the instruction that writes the lower byte is sheltered by the one before it when it is executed first, and not when it
; is executed again
function halves
	operands
	get_sp
	sbiw r30, 32
	ldi r25, 2
	in r0, SREG
	cli
	out SPH, r31
	out SREG, r0
1:	out SPL, r30
	dec r25
	breq 2f
	sum
	store
	get_sp
	adiw r30, 32
	in r0, SREG
	cli
	out SPH, r31
	out SREG, r0
	rjmp 3f
3:	nop
	nop
	nop
	nop
	rjmp 1b
2:	ret
	.size halves, . - halves

; both bytes with interrupts on
function open
	operands
	get_sp
	sbiw r30, 32
	set_sp
	sum
	store
	get_sp
	adiw r30, 32
	out SPH, r31
	nop
	out SPL, r30
	ret
	.size open, . - open

; interrupts were on: writing SREG shelters nothing
function again
	operands
	get_sp
	sbiw r30, 32
	in r0, SREG
	cli
	out SPH, r31
	sei
	out SREG, r0
	out SPL, r30
	sum
	store
	get_sp
	adiw r30, 32
	set_sp
	ret
	.size again, . - again

; interrupts are off while it lies below
function closed
	operands
	sum
	in r0, SREG
	cli
	push r18
	pop r25
	get_sp
	ld r18, Z
	out SREG, r0
	store
	ret
	.size closed, . - closed

; a frame as the compiler makes it, on both sides of a branch on an operand
function framed
	operands
	sum
	get_sp
	sbiw r30, 4
	set_sp
	std Z+1, r18
	sbrs r18, 0
	rjmp 1f
	push r19
	pop r0
1:	ldd r18, Z+1
	adiw r30, 4
	set_sp
	store
	ret
	.size framed, . - framed

; a wrong sum, and a byte below the stack pointer
function wrong
	operands
	sum
	push r18
	pop r0
	get_sp
	ld r18, Z
	sbrc r19, 7
	inc r18
	store
	ret
	.size wrong, . - wrong
