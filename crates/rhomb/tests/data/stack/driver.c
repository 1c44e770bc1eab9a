/* Calls `f` under a timer's interrupts, whose handler pushes registers, and counts the calls that give a wrong result or
 * change what the caller has on its stack. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

uint8_t f(uint8_t *r, const uint8_t *a, const uint8_t *b);

ISR(TIMER0_COMP_vect)
{
	/* pushes these registers, changes them, and takes them back */
	__asm volatile("ldi r16, 0x55\n\tmov r2, r16\n\tmov r10, r16" ::: "r2", "r10", "r16", "r17", "r18", "r19");
}

#define GUARD 200

static uint8_t expected(uint8_t *r, const uint8_t *a, const uint8_t *b)
{
	uint8_t carry = 0;
#ifdef PRODUCT
	for (uint8_t i = 0; i < 2 * WORDS; i++)
		r[i] = 0;
	for (uint8_t i = 0; i < WORDS; i++) {
		carry = 0;
		for (uint8_t j = 0; j < WORDS; j++) {
			uint16_t sum = (uint16_t)a[i] * b[j] + r[i + j] + carry;
			r[i + j] = (uint8_t)sum;
			carry = sum >> 8;
		}
		r[i + WORDS] = carry;
	}
	return 0;
#else
	for (uint8_t i = 0; i < WORDS; i++) {
		uint16_t sum = (uint16_t)a[i] + b[i] + carry;
		r[i] = (uint8_t)sum;
		carry = sum >> 8;
	}
	return carry;
#endif
}

/* Far from the stack, as main's data would be. */
static uint8_t a[WORDS], b[WORDS], r[2 * WORDS], right[2 * WORDS];

uint16_t trial(uint16_t calls)
{
	uint16_t wrong = 0, state = 12345;
	/* what lies above the frame of f */
	volatile uint8_t guard[GUARD];

	for (uint8_t i = 0; i < GUARD; i++)
		guard[i] = i;

	OCR0 = PERIOD - 1;
	TCCR0 = 1 << WGM01 | 1 << CS00;
	TIMSK = 1 << OCIE0;
	sei();
	while (calls-- != 0) {
		for (uint8_t i = 0; i < WORDS; i++) {
			state = state * 25173u + 13849u;
			a[i] = state >> 8;
			state = state * 25173u + 13849u;
			b[i] = state >> 8;
		}
		uint8_t carry = f(r, a, b), wanted = expected(right, a, b), differs = 0;
#ifdef PRODUCT
		carry = wanted;
		for (uint8_t i = 0; i < 2 * WORDS; i++)
			differs |= r[i] ^ right[i];
#else
		for (uint8_t i = 0; i < WORDS; i++)
			differs |= r[i] ^ right[i];
#endif
		for (uint8_t i = 0; i < GUARD; i++) {
			differs |= guard[i] ^ i;
			guard[i] = i;
		}
		wrong += differs != 0 || carry != wanted;
	}
	TIMSK = 0;
	cli();
	return wrong;
}

int main(void)
{
	return (int)trial(1);
}
