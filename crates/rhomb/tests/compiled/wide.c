/* Numbers of many words on an 8-bit processor, also as limbs or by value. */
#include <stdint.h>

uint32_t add_wide(uint32_t *r, const uint32_t *a, const uint32_t *b)
{
    uint32_t carry = 0;
    for (uint8_t i = 0; i < 4; i++) {
        uint32_t sum = a[i] + carry;
        carry = sum < carry;
        r[i] = sum + b[i];
        carry += r[i] < sum;
    }
    return carry;
}

int compare_wide(const uint8_t *a, const uint8_t *b)
{
    for (int8_t i = 7; i >= 0; i--)
        if (a[i] != b[i])
            return a[i] > b[i] ? 1 : -1;
    return 0;
}

static inline uint8_t difference(uint8_t *r, const uint8_t *a, const uint8_t *b, uint8_t bytes)
{
    uint8_t borrow = 0;
    for (uint8_t i = 0; i < bytes; i++) {
        uint16_t t = (uint16_t)a[i] - b[i] - borrow;
        r[i] = (uint8_t)t;
        borrow = (t >> 8) & 1;
    }
    return borrow;
}

/* All ones where there is a borrow. */
uint16_t sub_wide(uint8_t *r, const uint8_t *a, const uint8_t *b)
{
    return -(uint16_t)difference(r, a, b, 8);
}

void swap_wide(uint8_t *a, uint8_t *b, unsigned bit)
{
    for (uint8_t i = 0; i < 16; i++) {
        uint8_t t = (a[i] ^ b[i]) & (uint8_t)-bit;
        a[i] ^= t;
        b[i] ^= t;
    }
}

void select_wide(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t mask)
{
    for (uint8_t i = 0; i < 9; i++)
        r[i] = b[i] ^ (mask & (a[i] ^ b[i]));
}

/* Limbs of 28 bits, by turns with 27. */
void carry_wide(uint32_t *r, const uint32_t *a)
{
    uint32_t carry = 0;
    for (uint8_t i = 0; i < 4; i += 2) {
        carry += a[i];
        r[i] = carry & 0xfffffff;
        carry = (carry >> 28) + a[i + 1];
        r[i + 1] = carry & 0x7ffffff;
        carry >>= 27;
    }
    r[4] = a[4] + carry;
}

/* From the highest limb first to the lowest first. */
void turn_wide(uint32_t *r, const uint32_t *a)
{
    for (uint8_t i = 0; i < 4; i++)
        r[i] = a[3 - i];
}

/* Modulo 2^96 - 2^32 - 1: what is above it is taken away where there is a borrow. */
void modsub_wide(uint8_t *r, const uint8_t *a, const uint8_t *b)
{
    static const uint8_t above[12] = {1, 0, 0, 0, 1};
    if (difference(r, a, b, 12))
        difference(r, r, above, 12);
}

/* Interrupts are off for a while where a bit is 1. */
void guarded_wide(uint8_t *r, const uint8_t *a)
{
    if (a[0] & 1)
        __asm__ volatile("in __tmp_reg__, __SREG__\n\tcli\n\tout __SREG__, __tmp_reg__");
    r[0] = a[0];
}
