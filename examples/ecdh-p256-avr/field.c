/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "field.h"

#include <string.h>

#include "product.h"

/*
 * Sums of bytes are signed, and what does not fit in a byte goes on to the next one by a right shift. That it keeps
 * the sign is left open by C, and promised by gcc and clang.
 */
static int add_bytes(uint8_t *r, const uint8_t *a, int sum, uint8_t count)
{
    do {
        sum += *a++;
        *r++ = (uint8_t)sum;
        sum >>= 8;
    } while (--count != 0);
    return sum;
}

/* r = a - times * p + times * 2^256, but for what leaves the 32 bytes, which is given back */
static int add_complement(uint8_t *r, const uint8_t *a, int times)
{
    int sum = add_bytes(r, a, times, 12);

    sum = add_bytes(r + 12, a + 12, sum - times, 12);
    sum = add_bytes(r + 24, a + 24, sum - times, 4);
    return add_bytes(r + 28, a + 28, sum + times, 4);
}

/*
 * a = a + carry * 2^256 modulo p. The multiple of p to be taken away is carry, or by one off where the sum would
 * leave the 32 bytes; that depends on the four highest bytes only, because 2^256 - p is about 2^224.
 */
static void fold(uint8_t *a, int carry)
{
    int sum = carry;

    for (uint8_t i = 28; i < 32; i++)
        sum = (sum + a[i]) >> 8;
    add_complement(a, a, carry + sum);
}

/*
 * The remainder of 64 bytes. Each of the words of 32 bits above 2^256 is added to some words below and subtracted from
 * others, as 2^256 = 2^224 - 2^192 - 2^96 + 1 modulo p says.
 */
static void reduce(uint8_t *r, const uint8_t *t)
{
    int sum = 0;

/* r and t walk: they stand at a byte of word `at` */
#define W(word) t[4 * ((word) - at)]
#define SUM(word, above)                            \
    for (uint8_t i = 0; i < 4; i++) {               \
        enum { at = word };                         \
        sum += W(word) + (above);                   \
        *r++ = (uint8_t)sum, t++;                   \
        sum >>= 8;                                  \
    }
    SUM(0, W(8) + W(9) - W(11) - W(12) - W(13) - W(14))
    SUM(1, W(9) + W(10) - W(12) - W(13) - W(14) - W(15))
    SUM(2, W(10) + W(11) - W(13) - W(14) - W(15))
    SUM(3, 2 * (W(11) + W(12)) + W(13) - W(15) - W(8) - W(9))
    SUM(4, 2 * (W(12) + W(13)) + W(14) - W(9) - W(10))
    SUM(5, 2 * (W(13) + W(14)) + W(15) - W(10) - W(11))
    SUM(6, 2 * (W(14) + W(15)) + W(14) + W(13) - W(8) - W(9))
    SUM(7, 2 * W(15) + W(15) + W(8) - W(10) - W(11) - W(12) - W(13))
#undef SUM
#undef W
    fold(r - 32, sum);
}

void field_mul(uint8_t *r, const uint8_t *a, const uint8_t *b)
{
    uint8_t product[64];

    mul256(product, a, b);
    reduce(r, product);
}

void field_sqr(uint8_t *r, const uint8_t *a)
{
    uint8_t square[64];

    sqr256(square, a);
    reduce(r, square);
}

void field_add(uint8_t *r, const uint8_t *a, int8_t factor, const uint8_t *b)
{
    int sum = 0;

    for (uint8_t i = 0; i < 32; i++) {
        sum += a[i] + factor * b[i];
        r[i] = (uint8_t)sum;
        sum >>= 8;
    }
    fold(r, sum);
}

/* r = r^(2^count) * a */
static void shift_exponent(uint8_t *r, uint8_t count, const uint8_t *a)
{
    do
        field_sqr(r, r);
    while (--count != 0);
    field_mul(r, r, a);
}

/* The power p - 2, whose bits are mostly runs of ones: onesN is a to the power 2^N - 1. */
void field_invert(uint8_t *r, const uint8_t *a)
{
    uint8_t ones2[32], ones4[32], ones8[32], ones30[32], ones32[32];

    memcpy(ones2, a, 32);
    shift_exponent(ones2, 1, a);
    memcpy(ones4, ones2, 32);
    shift_exponent(ones4, 2, ones2);
    memcpy(ones8, ones4, 32);
    shift_exponent(ones8, 4, ones4);
    memcpy(ones30, ones8, 32);
    shift_exponent(ones30, 8, ones8);
    shift_exponent(ones30, 8, ones8);
    shift_exponent(ones30, 4, ones4);
    shift_exponent(ones30, 2, ones2);
    memcpy(ones32, ones30, 32);
    shift_exponent(ones32, 2, ones2);

    memcpy(r, ones32, 32);
    shift_exponent(r, 32, a);
    shift_exponent(r, 128, ones32);
    shift_exponent(r, 32, ones32);
    shift_exponent(r, 30, ones30);
    shift_exponent(r, 2, a);
}

uint8_t field_finish(uint8_t *a)
{
    uint8_t reduced[32];
    int above = add_complement(reduced, a, 1);

    add_complement(a, a, above);
    return (uint8_t)(1 - above);
}
