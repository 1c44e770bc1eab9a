/* Numbers modulo 2^255 - 19 in ten limbs of 26 and 25 bits by turns, which are below zero at times. */
#include <stdint.h>

typedef int32_t limb;
typedef int64_t wide;

#define WIDTH(i) (26 - ((i) & 1))

void add_signed(limb *r, const limb *a, const limb *b)
{
    for (int i = 0; i < 10; i++)
        r[i] = a[i] + b[i];
}

void sub_signed(limb *r, const limb *a, const limb *b)
{
    for (int i = 0; i < 10; i++)
        r[i] = a[i] - b[i];
}

void neg_signed(limb *r, const limb *a)
{
    for (int i = 0; i < 10; i++)
        r[i] = -a[i];
}

void move_signed(limb *r, const limb *a, unsigned bit)
{
    uint32_t mask = -(uint32_t)bit;
    for (int i = 0; i < 10; i++)
        r[i] ^= (limb)(mask & (uint32_t)(r[i] ^ a[i]));
}

/* what is above half of a limb goes to the next, what is above the last comes back times 19 */
static void carried(limb *r, wide *h)
{
    wide c;
    for (int i = 0; i < 10; i++) {
        c = (h[i] + ((wide)1 << (WIDTH(i) - 1))) >> WIDTH(i);
        if (i < 9)
            h[i + 1] += c;
        else
            h[0] += c * 19;
        h[i] -= c << WIDTH(i);
    }
    c = (h[0] + ((wide)1 << 25)) >> 26;
    h[1] += c;
    h[0] -= c << 26;
    for (int i = 0; i < 10; i++)
        r[i] = (limb)h[i];
}

void times_signed(limb *r, const limb *a)
{
    wide h[10];
    for (int i = 0; i < 10; i++)
        h[i] = a[i] * (wide)121666;
    carried(r, h);
}

void mul_signed(limb *restrict r, const limb *a, const limb *b)
{
    wide h[10];
    for (int k = 0; k < 10; k++) {
        h[k] = 0;
        for (int i = 0; i < 10; i++) {
            int j = k - i;
            limb x = a[i], y = b[j < 0 ? j + 10 : j];
            if (j < 0)
                y *= 19;
            if (i & j & 1)
                x *= 2;
            h[k] += x * (wide)y;
        }
    }
    carried(r, h);
}
