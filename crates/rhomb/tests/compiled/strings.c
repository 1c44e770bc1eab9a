/* Numbers of N bytes, the highest byte first, as protocols write them; and their words in the processor's own order. */
#include <stdint.h>

#define WORDS (N / (LIMB / 8))

#if LIMB == 8
typedef uint8_t limb;
#else
typedef uint32_t limb;
#endif

uint8_t add_string(uint8_t *r, const uint8_t *a, const uint8_t *b)
{
    unsigned t = 0;
    for (int i = N - 1; i >= 0; i--) {
        t += a[i] + b[i];
        r[i] = (uint8_t)t;
        t >>= 8;
    }
    return (uint8_t)t;
}

uint8_t sub_string(uint8_t *r, const uint8_t *a, const uint8_t *b)
{
    uint8_t borrow = 0;
    for (int i = N - 1; i >= 0; i--) {
        unsigned t = (unsigned)a[i] - b[i] - borrow;
        r[i] = (uint8_t)t;
        borrow = (t >> 8) & 1;
    }
    return borrow;
}

int cmp_string(const uint8_t *a, const uint8_t *b)
{
    for (int i = 0; i < N; i++)
        if (a[i] != b[i])
            return a[i] > b[i] ? 1 : -1;
    return 0;
}

void from_string(limb *r, const uint8_t *a)
{
    for (int i = 0; i < WORDS; i++) {
        const uint8_t *own = a + N - (i + 1) * (LIMB / 8);
#if LIMB == 8
        r[i] = own[0];
#else
        r[i] = (limb)own[0] << 24 | (limb)own[1] << 16 | (limb)own[2] << 8 | own[3];
#endif
    }
}

void to_string(uint8_t *r, const limb *a)
{
    for (int i = 0; i < N; i++)
        r[i] = (uint8_t)(a[(N - 1 - i) / (LIMB / 8)] >> 8 * ((N - 1 - i) % (LIMB / 8)));
}

/* words, too, the highest first */
void mul_down(limb *restrict r, const limb *a, const limb *b)
{
    for (int i = 0; i < 2 * WORDS; i++)
        r[i] = 0;
    for (int i = WORDS - 1; i >= 0; i--) {
        limb carry = 0;
        for (int j = WORDS - 1; j >= 0; j--) {
#if LIMB == 8
            uint16_t t = (uint16_t)(a[i] * b[j] + r[i + j + 1] + carry);
#else
            uint64_t t = (uint64_t)a[i] * b[j] + r[i + j + 1] + carry;
#endif
            r[i + j + 1] = (limb)t;
            carry = (limb)(t >> LIMB);
        }
        r[i] = carry;
    }
}

void swap_string(uint8_t *a, uint8_t *b, uint8_t bit)
{
    uint8_t mask = (uint8_t)-bit;
    for (int i = 0; i < N; i++) {
        uint8_t t = mask & (a[i] ^ b[i]);
        a[i] ^= t;
        b[i] ^= t;
    }
}
