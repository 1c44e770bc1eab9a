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
