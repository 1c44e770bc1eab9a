/* Comparisons, and sums under a condition, as portable libraries write them in C: LIMB bits a limb, BITS bits a number. */
#include <stdint.h>

#if LIMB == 8
typedef uint8_t limb;
typedef uint16_t wide;
#else
typedef uint32_t limb;
typedef uint64_t wide;
#endif

#define LIMBS (BITS / LIMB)

/* The borrow of a difference that nobody keeps. */
uint8_t less_borrow(const limb *a, const limb *b)
{
    limb borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++)
        borrow = ((wide)a[i] - b[i] - borrow) >> LIMB & 1;
    return borrow;
}

/* Which has a bug: equal numbers are less, too. */
uint8_t less_wrong(const limb *a, const limb *b)
{
    limb borrow = 1;
    for (unsigned i = 0; i < LIMBS; i++)
        borrow = ((wide)a[i] - b[i] - borrow) >> LIMB & 1;
    return borrow;
}

/* From the highest limb on, up to the first that is another one. */
int8_t order_above(const limb *a, const limb *b, int8_t limbs)
{
    for (int8_t i = limbs - 1; i >= 0; i--) {
        if (a[i] > b[i])
            return 1;
        if (a[i] < b[i])
            return -1;
    }
    return 0;
}

/* From the lowest one on: wrong. */
int8_t order_below(const limb *a, const limb *b, int8_t limbs)
{
    for (int8_t i = 0; i < limbs; i++) {
        if (a[i] > b[i])
            return 1;
        if (a[i] < b[i])
            return -1;
    }
    return 0;
}

/* By the difference, and whether it is zero. */
int8_t order_difference(const limb *a, const limb *b)
{
    limb borrow = 0, any = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        wide t = (wide)a[i] - b[i] - borrow;
        any |= (limb)t;
        borrow = t >> LIMB & 1;
    }
    return (any != 0) - 2 * borrow;
}

/* What differs, joined by OR. */
uint8_t equal_or(const limb *a, const limb *b)
{
    limb any = 0;
    for (unsigned i = 0; i < LIMBS; i++)
        any |= a[i] ^ b[i];
    return any == 0;
}

/* But for the highest limb: wrong. */
uint8_t equal_most(const limb *a, const limb *b)
{
    limb any = 0;
    for (unsigned i = 0; i + 1 < LIMBS; i++)
        any |= a[i] ^ b[i];
    return any == 0;
}

uint8_t zero_or(const limb *a)
{
    limb any = 0;
    for (unsigned i = 0; i < LIMBS; i++)
        any |= a[i];
    return !any;
}

uint8_t zero_until(const limb *a)
{
    for (unsigned i = 0; i < LIMBS; i++)
        if (a[i])
            return 0;
    return 1;
}

/* One limb, whose carry goes through all of them. */
uint8_t add_limb(limb *r, const limb *a, limb b)
{
    for (unsigned i = 0; i < LIMBS; i++) {
        limb s = a[i] + b;
        b = s < b;
        r[i] = s;
    }
    return b;
}

uint8_t sub_limb(limb *r, const limb *a, limb b)
{
    for (unsigned i = 0; i < LIMBS; i++) {
        limb x = a[i];
        r[i] = x - b;
        b = x < b;
    }
    return b;
}

/* Under a bit, of which a mask is made. */
uint8_t add_masked(limb *r, const limb *a, const limb *b, uint8_t bit)
{
    limb mask = -(limb)bit;
    wide sum = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        sum += (wide)a[i] + (b[i] & mask);
        r[i] = (limb)sum;
        sum >>= LIMB;
    }
    return (uint8_t)sum;
}

/* The borrow as a mask. */
limb sub_mask(limb *r, const limb *a, const limb *b)
{
    limb borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        wide t = (wide)a[i] - b[i] - borrow;
        r[i] = (limb)t;
        borrow = t >> LIMB & 1;
    }
    return -borrow;
}

/* From a pointer behind the number down to its beginning. */
void halve_down(limb *a, int8_t limbs)
{
    limb *from = a, above = 0;
    a += limbs;
    while (a-- > from) {
        limb x = *a;
        *a = (x >> 1) | above;
        above = x << (LIMB - 1);
    }
}
