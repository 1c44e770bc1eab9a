/* Numbers modulo 2^255 - 19 in ten limbs of 26 and 25 bits by turns, and of N limbs of 31 bits modulo an odd number. */
#include <stdint.h>

typedef uint32_t limb;

#define WIDTH(i) (26 - ((i) & 1))
#define MASK(i) (((limb)1 << WIDTH(i)) - 1)

/* limbs may become one bit longer */
void add26(limb *r, const limb *a, const limb *b)
{
    for (int i = 0; i < 10; i++)
        r[i] = a[i] + b[i];
}

/* with 2 p, none of whose limbs is below one of b */
void sub26(limb *r, const limb *a, const limb *b)
{
    for (int i = 0; i < 10; i++)
        r[i] = 2 * MASK(i) - (i == 0 ? 36 : 0) + a[i] - b[i];
}

/* what is above a limb goes to the next, what is above the last comes back times 19 */
void carry26(limb *r, const limb *a)
{
    limb c = 0;
    for (int i = 0; i < 10; i++) {
        limb t = a[i] + c;
        r[i] = t & MASK(i);
        c = t >> WIDTH(i);
    }
    c = r[0] + 19 * c;
    r[0] = c & MASK(0);
    r[1] += c >> WIDTH(0);
}

void mul26(limb *restrict r, const limb *a, const limb *b)
{
    uint64_t s = 0;
    for (int k = 0; k < 10; k++) {
        for (int i = 0; i < 10; i++) {
            int j = k - i;
            limb x = a[i], y = b[j < 0 ? j + 10 : j];
            if (j < 0)
                y *= 19;
            if (i & j & 1)
                x *= 2;
            s += (uint64_t)x * y;
        }
        r[k] = (limb)s & MASK(k);
        s >>= WIDTH(k);
    }
    s = r[0] + 19 * s;
    r[0] = (limb)s & MASK(0);
    r[1] += (limb)(s >> WIDTH(0));
}

void sqr26(limb *restrict r, const limb *a)
{
    mul26(r, a, a);
}

/* The same in nine limbs of 30 bits, of which the highest one of 2 p has 16: b must be below 2^255. */
void sub30(limb *r, const limb *a, const limb *b)
{
    for (int i = 0; i < 9; i++)
        r[i] = 2 * ((limb)(i == 8 ? 0x8000 : 0x40000000) - 1) - (i == 0 ? 36 : 0) + a[i] - b[i];
}

/* a - b + 2 p modulo 2^45 - 19 in limbs of 15 bits, of which the highest may have a bit more: what goes on from limb to limb may be below
   zero, and so may what comes back times 19. */
void sub15(limb *r, const limb *a, const limb *b)
{
    int32_t c = -38;
    for (int i = 0; i < 3; i++) {
        int32_t t = (int32_t)(a[i] - b[i]) + c;
        r[i] = (limb)t & 0x7fff;
        c = (t >> 15) + (i == 1 ? 0x10000 : 0);
    }
    c = 19 * c;
    for (int i = 0; i < 3; i++) {
        int32_t t = (int32_t)r[i] + c;
        r[i] = i == 2 ? (limb)t : (limb)t & 0x7fff;
        c = t >> 15;
    }
}

/* A product of words by their halves, as libraries make it for processors without a long one: the sum in the middle may be a bit longer, but
   not of limbs that are shorter than words. */
static inline uint64_t product_by_halves(limb x, limb y)
{
    limb low = (x & 0xffff) * (y & 0xffff), one = (x >> 16) * (y & 0xffff), other = (x & 0xffff) * (y >> 16);
    limb high = (x >> 16) * (y >> 16), middle = (low >> 16) + (one + other);
    if (middle < one)
        high += 0x10000;
    return (uint64_t)(high + (middle >> 16)) << 32 | (middle << 16 | (low & 0xffff));
}

/* The product of two limbs of 30 bits modulo 2^60 - 93. */
void mul30(limb *restrict r, const limb *a, const limb *b)
{
    const limb mask = 0x3fffffff;
    uint64_t s = product_by_halves(a[0], b[0]);
    limb t0 = (limb)s & mask;
    s = (s >> 30) + product_by_halves(a[0], b[1]) + product_by_halves(a[1], b[0]);
    limb t1 = (limb)s & mask;
    s = (s >> 30) + product_by_halves(a[1], b[1]);
    uint64_t low = t0 + 93 * (s & mask);
    uint64_t high = t1 + 93 * (s >> 30) + (low >> 30);
    low = (low & mask) + 93 * (high >> 30);
    r[0] = (limb)low & mask;
    r[1] = ((limb)high & mask) + (limb)(low >> 30);
}

/* The carry, below zero or not, of three limbs of 13 bits. */
static inline int32_t carried13(int32_t *s)
{
    int32_t c = 0;
    for (int i = 0; i < 3; i++) {
        c += s[i];
        s[i] = c & 0x1fff;
        c >>= 13;
    }
    return c;
}

/* The product of three limbs of 13 bits modulo 2^36 - 2^12 + 2^9 - 1. What is above comes back at several places, with both signs: 2^39 is
   2^15 - 2^12 + 2^3, as 2^36 is 2^12 - 2^9 + 1. Where that is below zero in the end, the modulus is added. */
void mul13(limb *restrict r, const limb *a, const limb *b)
{
    int32_t s[6], c = 0;
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < 3; i++)
            if (k - i >= 0 && k - i < 3)
                c += (int32_t)(a[i] * b[k - i]);
        s[k] = c & 0x1fff;
        c = (int32_t)((limb)c >> 13);
    }
    s[5] = c;
    for (int i = 5; i >= 3; i--) {
        int32_t y = s[i];
        s[i - 2] += (int32_t)((limb)y << 2);
        s[i - 3] -= ((limb)y << 12) & 0x1fff;
        s[i - 2] -= y >> 1;
        s[i - 3] += ((limb)y << 3) & 0x1fff;
        s[i - 2] += y >> 10;
    }
    int32_t y = (int32_t)((limb)carried13(s) << 3) | s[2] >> 10;
    s[2] &= 0x3ff;
    s[0] += (int32_t)(((limb)y << 12) - ((limb)y << 9)) + y;
    y >>= 31;
    s[0] += (int32_t)(((limb)y << 12) - ((limb)y << 9)) + y;
    s[2] -= (int32_t)((limb)y << 10);
    carried13(s);
    for (int i = 0; i < 3; i++)
        r[i] = (limb)s[i];
}

void swap_mask(limb *a, limb *b, limb bit)
{
    for (int i = 0; i < 10; i++) {
        limb t = (a[i] ^ b[i]) & -bit;
        a[i] ^= t;
        b[i] ^= t;
    }
}

/* Montgomery's product in limbs of 31 bits; the modulus comes by pointer, and -1/p modulo 2^31 */
void mul31(limb *restrict r, const limb *a, const limb *b, const limb *p, limb n0)
{
    for (int i = 0; i < N; i++)
        r[i] = 0;
    for (int i = 0; i < N; i++) {
        uint64_t t = (uint64_t)a[i] * b[0] + r[0];
        limb f = ((limb)t * n0) & 0x7fffffff;
        uint64_t u = (uint64_t)f * p[0] + ((limb)t & 0x7fffffff);
        uint64_t c = (t >> 31) + (u >> 31);
        for (int j = 1; j < N; j++) {
            t = (uint64_t)a[i] * b[j] + r[j] + c;
            u = (uint64_t)f * p[j] + ((limb)t & 0x7fffffff);
            r[j - 1] = (limb)u & 0x7fffffff;
            c = (t >> 31) + (u >> 31);
        }
        r[N - 1] = (limb)c;
    }
}

/* whole numbers in nine limbs of 29 bits */
void mul29(limb *restrict r, const limb *a, const limb *b)
{
    uint64_t s = 0;
    for (int k = 0; k < 17; k++) {
        for (int i = k < 9 ? 0 : k - 8; i <= k && i < 9; i++)
            s += (uint64_t)a[i] * b[k - i];
        r[k] = (limb)s & 0x1fffffff;
        s >>= 29;
    }
    r[17] = (limb)s;
}

void add29(limb *r, const limb *a, const limb *b)
{
    for (int i = 0; i < 9; i++)
        r[i] = a[i] + b[i];
}

void select29(limb *r, const limb *a, const limb *b, limb mask)
{
    for (int i = 0; i < 9; i++)
        r[i] = b[i] ^ (mask & (a[i] ^ b[i]));
}

int less29(const limb *a, const limb *b)
{
    limb borrow = 0;
    for (int i = 0; i < 9; i++)
        borrow = (a[i] - b[i] - borrow) >> 31;
    return (int)borrow;
}
