; Functions with faults, for the tests of source lines. The files beside this one are made by
;     avr-gcc -mmcu=atmega128 -g -gdwarf-2 -c lines.S -o lines.o
;     avr-gcc -mmcu=atmega128 -g -nostartfiles -Wl,--entry=lost_register lines.o -o lines.elf
; in this folder, with -fdebug-prefix-map=$PWD=. added to the first.
; void f(uint8_t r[1], const uint8_t a[1], const uint8_t b[1]), contract add 8

	.macro sum
	movw r30, r22
	ld r18, Z
	movw r30, r20
	ld r19, Z
	add r18, r19
	movw r30, r24
	st Z, r18
	sbc r24, r24
	neg r24
	.endm

	.text
	.global right
	.type right, @function
right:
	sum
	ret
	.size right, . - right

; r16 is overwritten
	.global lost_register
	.type lost_register, @function
lost_register:
	mov r16, r24
	sum
	nop
	ret
	.size lost_register, . - lost_register

; the result is one too much
	.section .text.second, "ax", @progbits
	.global wrong_word
	.type wrong_word, @function
wrong_word:
	movw r30, r22
	ld r18, Z
	movw r30, r20
	ld r19, Z
	add r18, r19
	movw r30, r24
	st Z, r18
	sbc r24, r24
	neg r24
	inc r18
	st Z, r18 ; stored
	ret
	.size wrong_word, . - wrong_word

; a second word is written
	.global past_the_end
	.type past_the_end, @function
past_the_end:
	sum
	std Z+1, r18
	ret
	.size past_the_end, . - past_the_end
