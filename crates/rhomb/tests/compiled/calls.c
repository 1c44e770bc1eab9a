/* Functions that call others: LIMB bits a limb, BITS bits a number, modulo 2^BITS - FACTOR. */
#if LIMB == 8
typedef unsigned char limb;
typedef unsigned short wide;
#else
typedef unsigned int limb;
typedef unsigned long long wide;
#endif

#define LIMBS (BITS / LIMB)
/* without what gcc takes from one function into another */
#ifdef __clang__
#define APART __attribute__((noinline))
#elif __GNUC__ < 8
#define APART __attribute__((noinline, noclone))
#else
#define APART __attribute__((noipa))
#endif

APART void product(limb *r, const limb *a, const limb *b)
{
    for (unsigned i = 0; i < LIMBS; i++) {
        limb carry = 0;
        for (unsigned j = 0; j < LIMBS; j++) {
            wide t = (wide)a[i] * b[j] + (i ? r[i + j] : 0) + carry;
            r[i + j] = (limb)t;
            carry = (limb)(t >> LIMB);
        }
        r[i + LIMBS] = carry;
    }
}

APART limb plus(limb *r, const limb *a, const limb *b, int limbs)
{
    limb carry = 0;
    for (int i = 0; i < limbs; i++) {
        wide t = (wide)a[i] + b[i] + carry;
        r[i] = (limb)t;
        carry = (limb)(t >> LIMB);
    }
    return carry;
}

/* r + factor * FACTOR, with the limb that is carried out of it */
static inline limb folded(limb *r, limb factor)
{
    wide t = (wide)factor * FACTOR;
    for (unsigned i = 0; i < LIMBS; i++) {
        t += r[i];
        r[i] = (limb)t;
        t >>= LIMB;
    }
    return (limb)t;
}

APART void reduce(limb *r, const limb *a)
{
    limb carry = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        wide t = (wide)a[LIMBS + i] * FACTOR + a[i] + carry;
        r[i] = (limb)t;
        carry = (limb)(t >> LIMB);
    }
    folded(r, folded(r, carry));
}

APART void product_mod(limb *r, const limb *a, const limb *b)
{
    limb t[2 * LIMBS];
    product(t, a, b);
    reduce(r, t);
}

/* returns something, so that the call is no jump */
limb square_mod(limb *r, const limb *a)
{
    product_mod(r, a, a);
    return 1;
}

/* keeps the lower half of the product */
void product_low(limb *r, const limb *a, const limb *b)
{
    limb t[2 * LIMBS];
    product(t, a, b);
    for (unsigned i = 0; i < LIMBS; i++)
        r[i] = t[i];
}

void sum_mod(limb *r, const limb *a, const limb *b)
{
    folded(r, plus(r, a, b, LIMBS));
}

limb doubled(limb *r, const limb *a)
{
    return plus(r, a, a, LIMBS);
}

/* adds one limb less */
limb sum_short(limb *r, const limb *a, const limb *b)
{
    r[LIMBS - 1] = 0;
    return plus(r, a, b, LIMBS - 1);
}
