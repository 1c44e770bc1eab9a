; 16-bit multiplications, right and wrong, for the tests of `rhomb verify`. The object file beside this one is
; made by
;     avr-gcc -mmcu=atmega128 -c museum.S -o museum.o
; void f(uint8_t r[4], const uint8_t a[2], const uint8_t b[2]): r in R25:R24, a in R23:R22, b in R21:R20

	.macro function name
	.global \name
	.type \name, @function
\name:
	.endm

	.macro operands
	movw r30, r22
	ld r18, Z
	ldd r19, Z+1
	movw r30, r20
	ld r22, Z
	ldd r23, Z+1
	movw r30, r24
	.endm

; r21:r20 and r25:r24 take the four bytes, r26 is zero
	.macro product
	clr r26
	mul r18, r22
	movw r20, r0
	mul r19, r23
	movw r24, r0
	.endm

	.macro cross x, y
	mul \x, \y
	add r21, r0
	adc r24, r1
	adc r25, r26
	.endm

	.macro result
	st Z, r20
	std Z+1, r21
	std Z+2, r24
	std Z+3, r25
	clr r1
	.endm

	.text
function mul16
	operands
	product
	cross r18, r23
	cross r19, r22
	result
	ret
	.size mul16, . - mul16

; the last carry of a cross product is lost
function lost_carry
	operands
	product
	cross r18, r23
	mul r19, r22
	add r21, r0
	adc r24, r1
	result
	ret
	.size lost_carry, . - lost_carry

; the carry into a cross product is forgotten
function forgotten_carry
	operands
	product
	cross r18, r23
	mul r19, r22
	add r21, r0
	add r24, r1
	adc r25, r26
	result
	ret
	.size forgotten_carry, . - forgotten_carry

; one byte too many is written
function past_the_end
	operands
	product
	cross r18, r23
	cross r19, r22
	std Z+4, r26
	result
	ret
	.size past_the_end, . - past_the_end

; r16 belongs to the caller
function lost_register
	operands
	product
	cross r18, r23
	cross r19, r22
	mov r16, r20
	result
	ret
	.size lost_register, . - lost_register

; r1 is zero on return by convention
function zero_register
	operands
	product
	cross r18, r23
	cross r19, r22
	st Z, r20
	std Z+1, r21
	std Z+2, r24
	std Z+3, r25
	ret
	.size zero_register, . - zero_register

; a secret decides what is executed, and how long it takes
function secret_branch
	operands
	product
	cross r18, r23
	tst r19
	breq 1f
	cross r19, r22
1:	result
	ret
	.size secret_branch, . - secret_branch

; no end
function endless
	rjmp endless
	.size endless, . - endless

; the additions are in a section of their own
function calls
	operands
	product
	mul r18, r23
	call add_cross
	mul r19, r22
	rcall near_cross
	result
	ret
	.size calls, . - calls

	.type near_cross, @function
near_cross:
	ldi r27, 3
1:	dec r27
	brne 1b
	add r21, r0
	adc r24, r1
	adc r25, r26
	ret
	.size near_cross, . - near_cross

	.section .text.other,"ax",@progbits
	.type add_cross, @function
add_cross:
	add r21, r0
	adc r24, r1
	adc r25, r26
	ret
	.size add_cross, . - add_cross

	.text
; in another file
function needs_more
	rcall somewhere_else
	ret
	.size needs_more, . - needs_more

; in the data memory, whose addresses the linker chooses
function needs_data
	lds r18, variable
	ret
	.size needs_data, . - needs_data

; the bit that is set follows from a table in program memory: a public address
function table
	operands
	ldi r30, lo8(zeros)
	ldi r31, hi8(zeros)
	lpm r26, Z
	movw r30, r24
	mul r18, r22
	movw r20, r0
	mul r19, r23
	movw r24, r0
	cross r18, r23
	cross r19, r22
	result
	ret
	.size table, . - table

	.section .progmem.data.zeros,"a",@progbits
	.byte 7
zeros:
	.byte 0

	.data
variable:
	.byte 1
