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

/* All ones where nothing is set: the highest bit of what is set in 1 less, and not in the number. */
static limb none_set(limb x)
{
    return (limb)0 - (limb)((limb)(~x & (limb)(x - 1)) >> (LIMB - 1));
}

limb zero_top(const limb *a)
{
    limb any = 0;
    for (unsigned i = 0; i < LIMBS; i++)
        any |= a[i];
    return none_set(any);
}

/* The highest limb is left out: wrong. */
limb zero_top_most(const limb *a)
{
    limb any = 0;
    for (unsigned i = 0; i + 1 < LIMBS; i++)
        any |= a[i];
    return none_set(any);
}

/* A number that is set itself counts as none if it has but its highest bit: wrong. */
limb zero_top_twice(const limb *a)
{
    limb any = 0;
    for (unsigned i = 0; i < LIMBS; i++)
        any |= a[i];
    return none_set(any << 1);
}

/* By the highest bit of what differs, and of its negative. */
limb equal_top(const limb *a, const limb *b)
{
    limb any = 0;
    for (unsigned i = 0; i < LIMBS; i++)
        any |= a[i] ^ b[i];
    return (limb)((limb)(any | (limb)(0 - any)) >> (LIMB - 1)) ^ 1;
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

/* Up to the first limb that leaves no carry; what is above is copied, unless it is there. */
uint8_t add_until(limb *r, const limb *a, int8_t limbs, limb b)
{
    int8_t i = 1;
    limb s = a[0] + b;
    r[0] = s;
    if (s < b) {
        for (;; i++) {
            if (i >= limbs)
                return 1;
            r[i] = s = a[i] + 1;
            if (s != 0)
                break;
        }
        i++;
    }
    if (a != r)
        for (; i < limbs; i++)
            r[i] = a[i];
    return 0;
}

uint8_t sub_until(limb *r, const limb *a, int8_t limbs, limb b)
{
    int8_t i = 1;
    limb x = a[0];
    r[0] = x - b;
    if (x < b) {
        for (;; i++) {
            if (i >= limbs)
                return 1;
            x = a[i];
            r[i] = x - 1;
            if (x != 0)
                break;
        }
        i++;
    }
    if (a != r)
        for (; i < limbs; i++)
            r[i] = a[i];
    return 0;
}

/* One limb less is looked at: wrong. */
uint8_t add_short(limb *r, const limb *a, int8_t limbs, limb b)
{
    uint8_t carry = add_until(r, a, limbs - 1, b);
    r[limbs - 1] = a[limbs - 1];
    return carry;
}

/* Limbs that are zero stay; the first one that is not is negated, and what is above it is complemented. */
uint8_t neg_until(limb *r, const limb *a, int8_t limbs)
{
    for (; *a == 0; a++, r++) {
        *r = 0;
        if (--limbs == 0)
            return 0;
    }
    *r = -*a;
    while (--limbs)
        *++r = ~*++a;
    return 1;
}

/* Half of x, or of x + p where x is odd, in place: a branch and a carry that is set back behind it. */
static inline void halve(limb *x, const limb *p, int8_t limbs, uint8_t keeps)
{
    limb carry = 0, above = 0;
    if (x[0] & 1)
        for (int8_t i = 0; i < limbs; i++) {
            limb s = x[i] + p[i] + carry;
            if (s != x[i])
                carry = s < x[i];
            x[i] = s;
        }
    for (int8_t i = limbs - 1; i >= 0; i--) {
        limb own = x[i];
        x[i] = own >> 1 | above;
        above = own << (LIMB - 1);
    }
    if (carry && keeps)
        x[limbs - 1] |= (limb)1 << (LIMB - 1);
}

void halve_odd(limb *x, const limb *p, int8_t limbs)
{
    halve(x, p, limbs, 1);
}

void halve_dropped(limb *x, const limb *p, int8_t limbs)
{
    halve(x, p, limbs, 0);
}

/* From the highest limb down. */
void copy_down(limb *r, const limb *a, int8_t limbs)
{
    for (int8_t i = limbs - 1; i >= 0; i--)
        r[i] = a[i];
}

/* Byte by byte, whatever a limb is. */
void choose_bytes(uint8_t *r, const uint8_t *a, const uint8_t *b, uint8_t c)
{
    const uint8_t mask = -c;
    for (unsigned i = 0; i < BITS / 8; i++)
        r[i] = b[i] ^ (mask & (a[i] ^ b[i]));
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

/* A comparison only where the limb has changed: compilers take the second number, to which the borrow was added, for zero. */
uint8_t sub_unless(limb *r, const limb *a, const limb *b)
{
    limb borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb x = a[i], d = x - b[i] - borrow;
        if (d != x)
            borrow = d > x;
        r[i] = d;
    }
    return borrow;
}

/* Which has a bug: where nothing changed, nothing is borrowed. */
uint8_t sub_never(limb *r, const limb *a, const limb *b)
{
    limb borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb x = a[i], d = x - b[i] - borrow;
        borrow = d > x;
        r[i] = d;
    }
    return borrow;
}

/* By a difference that is kept, and whether any limb of it is not zero. */
int8_t order_stored(const limb *a, const limb *b)
{
    limb d[LIMBS], any = 0;
    int8_t borrow = (int8_t)sub_unless(d, a, b);
    for (unsigned i = 0; i < LIMBS; i++)
        any |= d[i];
    return (any != 0) - 2 * borrow;
}

/* From the highest limb on, under a mask that is all ones as long as all limbs were the same. */
limb order_masked(const limb *a, const limb *b)
{
    limb mask = (limb)-1, order = 0;
    for (unsigned i = LIMBS; i-- > 0;) {
        limb x = a[i] & mask, y = b[i] & mask;
        limb below = -(limb)(x < y), above = -(limb)(y < x);
        order += below;
        mask &= ~below;
        order -= above;
        mask &= ~above;
    }
    return order;
}

/* Where the limb above is not looked at: wrong. */
limb order_unmasked(const limb *a, const limb *b)
{
    limb order = 0;
    for (unsigned i = LIMBS; i-- > 0;)
        order += (limb)(b[i] < a[i]) - (limb)(a[i] < b[i]);
    return order;
}

/* Columns in three limbs, whose carry is told by comparing two of them at once. */
void mul_pairs(limb *r, const limb *a, const limb *b, uint8_t limbs)
{
    limb low = 0, middle = 0, high = 0;
    for (int8_t k = 0; k < 2 * limbs - 1; k++) {
        for (int8_t i = k < limbs ? 0 : k + 1 - limbs; i <= k && i < limbs; i++) {
            wide product = (wide)a[i] * b[k - i], sum = ((wide)middle << LIMB | low) + product;
            high += sum < product;
            middle = sum >> LIMB;
            low = (limb)sum;
        }
        r[k] = low, low = middle, middle = high, high = 0;
    }
    r[2 * limbs - 1] = low;
}

/* The product with one limb, all of it in the array. */
void mul_limb(limb *r, const limb *a, limb b)
{
    limb c = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        wide t = (wide)a[i] * b + c;
        r[i] = (limb)t;
        c = (limb)(t >> LIMB);
    }
    r[LIMBS] = c;
}

/* The modulus by pointer: it is subtracted where the sum has left a carry, or is not below it, which is told from the highest limb on. */
void modadd_above(limb *r, const limb *a, const limb *b, const limb *p)
{
    limb carry = 0, borrow = 0;
    int8_t at;
    for (unsigned i = 0; i < LIMBS; i++) {
        wide t = (wide)a[i] + b[i] + carry;
        r[i] = (limb)t;
        carry = t >> LIMB;
    }
    if (!carry) {
        for (at = LIMBS - 1; at >= 0; at--) {
            if (p[at] > r[at])
                return;
            if (p[at] < r[at])
                break;
        }
    }
    for (unsigned i = 0; i < LIMBS; i++) {
        wide t = (wide)r[i] - p[i] - borrow;
        r[i] = (limb)t;
        borrow = t >> LIMB & 1;
    }
}

/* Carries as micro-ecc tells them, and a modulus that is subtracted from several places: behind a carry, and behind each limb that is larger
 * than its. */
static inline void modadd_by(limb *r, const limb *a, const limb *b, const limb *p, int8_t limbs, int8_t unless)
{
    limb carry = 0;
    for (int8_t i = 0; i < limbs; i++) {
        limb sum = a[i] + b[i] + carry;
        if (sum != a[i])
            carry = sum < a[i];
        r[i] = sum;
    }
    if (carry || order_above(p, r, limbs) != unless) {
        limb borrow = 0;
        for (int8_t i = 0; i < limbs; i++) {
            limb difference = r[i] - p[i] - borrow;
            if (difference != r[i])
                borrow = difference > r[i];
            r[i] = difference;
        }
    }
}

void modadd_places(limb *r, const limb *a, const limb *b, const limb *p, int8_t limbs)
{
    modadd_by(r, a, b, p, limbs, 1);
}

/* Which has a bug: the modulus is subtracted from what is below it, but not from what is above. */
void modadd_opposite(limb *r, const limb *a, const limb *b, const limb *p, int8_t limbs)
{
    modadd_by(r, a, b, p, limbs, -1);
}

/* What is left above the difference is returned, and is nothing where both numbers are below the modulus. */
limb modadd_rest(limb *r, const limb *a, const limb *b, const limb *p)
{
    limb carry = 0, borrow = 0, mask, difference[LIMBS];
    for (unsigned i = 0; i < LIMBS; i++) {
        wide t = (wide)a[i] + b[i] + carry;
        r[i] = (limb)t;
        carry = t >> LIMB;
    }
    for (unsigned i = 0; i < LIMBS; i++) {
        wide t = (wide)r[i] - p[i] - borrow;
        difference[i] = (limb)t;
        borrow = t >> LIMB & 1;
    }
    mask = (limb)0 - (carry | (borrow ^ 1));
    for (unsigned i = 0; i < LIMBS; i++)
        r[i] = (difference[i] & mask) | (r[i] & ~mask);
    return (carry ^ borrow) & mask;
}

/* The product of two limbs by those of their halves, without a type twice as wide: what the middle leaves is told by a comparison. */
static inline limb mul_by_halves(limb *low, limb a, limb b, uint8_t keeps)
{
    const limb mask = (limb)-1 >> LIMB / 2, al = a & mask, ah = a >> LIMB / 2, bl = b & mask, bh = b >> LIMB / 2;
    limb x0 = al * bl, x1 = al * bh, x2 = ah * bl, x3 = ah * bh;
    x1 += x0 >> LIMB / 2;
    x1 += x2;
    if (x1 < x2 && keeps)
        x3 += (limb)1 << LIMB / 2;
    *low = (x1 << LIMB / 2) + (x0 & mask);
    return x3 + (x1 >> LIMB / 2);
}

static inline limb row_by_halves(limb *r, const limb *a, int8_t limbs, limb b, uint8_t adds, uint8_t keeps)
{
    limb carry = 0;
    for (int8_t i = 0; i < limbs; i++) {
        limb low, high = mul_by_halves(&low, a[i], b, keeps);
        low += carry;
        carry = (low < carry) + high;
        if (adds) {
            low += r[i];
            carry += low < r[i];
        }
        r[i] = low;
    }
    return carry;
}

limb mul_halves(limb *r, const limb *a, int8_t limbs, limb b)
{
    return row_by_halves(r, a, limbs, b, 0, 1);
}

limb mac_halves(limb *r, const limb *a, int8_t limbs, limb b)
{
    return row_by_halves(r, a, limbs, b, 1, 1);
}

/* Which has a bug: what the middle leaves is lost. */
limb mul_middle(limb *r, const limb *a, int8_t limbs, limb b)
{
    return row_by_halves(r, a, limbs, b, 0, 0);
}

/* Each limb's own square by halves, of which the middle counts twice. */
void square_halves(limb *r, const limb *a, int8_t limbs)
{
    const limb mask = (limb)-1 >> LIMB / 2;
    for (int8_t i = 0; i < limbs; i++) {
        limb al = a[i] & mask, ah = a[i] >> LIMB / 2;
        limb x0 = al * al, x1 = al * ah, x3 = ah * ah, middle = x1 + (x0 >> LIMB / 2);
        middle += x1;
        if (middle < x1)
            x3 += (limb)1 << LIMB / 2;
        r[2 * i] = (middle << LIMB / 2) + (x0 & mask);
        r[2 * i + 1] = x3 + (middle >> LIMB / 2);
    }
    limb carry = 0, twice[2 * LIMBS];
    for (int8_t i = 0; i < 2 * limbs; i++)
        twice[i] = 0;
    for (int8_t i = 0; i < limbs - 1; i++)
        twice[i + limbs] = row_by_halves(twice + 2 * i + 1, a + i + 1, limbs - 1 - i, a[i], 1, 1);
    for (int8_t i = 0; i < 2 * limbs; i++) {
        wide sum = (wide)twice[i] * 2 + r[i] + carry;
        r[i] = sum;
        carry = sum >> LIMB;
    }
}

/* Modulo 2^BITS - 2^31 - 1: the upper half times 2^31 + 1 is added to the lower one, and what that leaves above; once more. */
#if LIMB == 32
#define LESS 0x80000001u

static limb fold(limb *r, const limb *a)
{
    wide sum = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        sum += (wide)a[LIMBS + i] * LESS;
        r[i] = sum;
        sum >>= LIMB;
    }
    limb above = sum, carry = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        sum = (wide)r[i] + a[i] + carry;
        r[i] = sum;
        carry = sum >> LIMB;
    }
    return above + carry;
}

static limb fold_above(limb *r, limb above)
{
    wide sum = (wide)above * LESS;
    for (unsigned i = 0; i < LIMBS; i++) {
        sum += r[i];
        r[i] = sum;
        sum >>= LIMB;
    }
    return sum;
}

void fold_thrice(limb *r, const limb *a)
{
    limb above = fold_above(r, fold(r, a));
    fold_above(r, above);
}

/* Which has a bug that few numbers show: what is added then may carry once more. */
void fold_twice(limb *r, const limb *a)
{
    fold_above(r, fold(r, a));
}
#endif

/* p - a, or 0, by a difference of twice the bits from which the borrow below is taken first: where that is all that there is, a mask
   stays of which a limb is taken. What was borrowed in the end brings p back. */
#if LIMB == 32
static void less_of_nothing(limb *r, limb *borrow, limb x)
{
    int64_t t = (0 - (int64_t)*borrow) - x;
    r[0] = (limb)t;
    *borrow = (uint8_t)(0 - (int8_t)(t >> LIMB));
}

static void add_back(limb *r, const limb *p, limb mask)
{
    limb carry = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        wide s = (wide)r[i] + (p[i] & mask) + carry;
        r[i] = (limb)s;
        carry = (limb)(s >> LIMB);
    }
}

void modneg_masks(limb *restrict r, const limb *a, const limb *p)
{
    limb borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++)
        less_of_nothing(r + i, &borrow, a[i]);
    add_back(r, p, 0 - borrow);
}

/* The borrow into the highest limb is lost: wrong. */
void modneg_lost(limb *restrict r, const limb *a, const limb *p)
{
    limb borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        if (i + 1 == LIMBS)
            borrow = 0;
        less_of_nothing(r + i, &borrow, a[i]);
    }
    add_back(r, p, 0 - borrow);
}
#endif

/* One after the other, all in masks: what was the same until now, if these limbs are. */
limb equal_masks(const limb *a, const limb *b)
{
    limb same = (limb)-1;
    for (unsigned i = 0; i < LIMBS; i++)
        same &= none_set(a[i] ^ b[i]);
    return same;
}

/* All ones for x < y: by the difference where the highest bits are the same, and else by that of y. */
static limb below(limb x, limb y)
{
    limb differ = (limb)0 - (limb)((limb)(x ^ y) >> (LIMB - 1));
    limb top = (limb)((y & differ) | ((limb)(x - y) & ~differ));
    return (limb)0 - (limb)(top >> (LIMB - 1));
}

/* From the highest limb on until one differs; without keeping that in mind, wrong. */
static inline limb less_from_top(const limb *a, const limb *b, uint8_t keeps)
{
    limb less = 0, decided = 0;
    for (unsigned i = LIMBS; i-- > 0;) {
        if (keeps)
            decided |= below(b[i], a[i]);
        less |= below(a[i], b[i]) & ~decided;
        decided |= below(a[i], b[i]);
    }
    return less;
}

limb less_masks(const limb *a, const limb *b)
{
    return less_from_top(a, b, 1);
}

limb less_anywhere(const limb *a, const limb *b)
{
    return less_from_top(a, b, 0);
}

/* p - a under a mask, so that 0 stays 0; and with a mask that looks at the lowest limb alone, wrong. */
static inline void negate(limb *restrict r, const limb *a, const limb *p, unsigned looked_at)
{
    limb any = 0, borrow = 0;
    for (unsigned i = 0; i < looked_at; i++)
        any |= a[i];
    for (unsigned i = 0; i < LIMBS; i++) {
        wide t = (wide)p[i] - a[i] - borrow;
        r[i] = (limb)t & (limb)~none_set(any);
        borrow = (limb)(t >> LIMB) & 1;
    }
}

void modneg_none(limb *restrict r, const limb *a, const limb *p)
{
    negate(r, a, p, LIMBS);
}

void modneg_lowest(limb *restrict r, const limb *a, const limb *p)
{
    negate(r, a, p, 1);
}

/* p + ~a + 1, cleared where a is zero. */
void modneg_ones(limb *restrict r, const limb *a, const limb *p)
{
    limb any = 0;
    for (unsigned i = 0; i < LIMBS; i++)
        any |= a[i];
    limb mask = -(limb)(any != 0);
    wide sum = 1;
    for (unsigned i = 0; i < LIMBS; i++) {
        sum += (wide)(limb)~a[i] + p[i];
        r[i] = (limb)sum & mask;
        sum >>= LIMB;
    }
}

/* Adds the product with one limb. */
__attribute__((noinline)) static limb add_product(limb *r, const limb *a, limb b, uint8_t limbs)
{
    limb carry = 0;
    for (uint8_t i = 0; i < limbs; i++) {
        wide t = (wide)a[i] * b + r[i] + carry;
        r[i] = (limb)t;
        carry = (limb)(t >> LIMB);
    }
    return carry;
}

/* By rows; one is left out where its limb is 0, and it is only added where that is 1 (or, wrong, where it is more). */
static inline void rows(limb *r, const limb *a, const limb *b, uint8_t limbs, limb few)
{
    for (uint8_t i = 0; i < limbs; i++)
        r[i] = 0;
    for (uint8_t j = 0; j < limbs; j++, r++) {
        limb carry = 0;
        if (b[j] <= few) {
            if (b[j] == few)
                for (uint8_t i = 0; i < limbs; i++) {
                    limb sum = a[i] + carry;
                    carry = sum < carry;
                    sum += r[i];
                    carry += sum < r[i];
                    r[i] = sum;
                }
        } else
            carry = add_product(r, a, b[j], limbs);
        r[limbs] = carry;
    }
}

void mul_rows(limb *r, const limb *a, const limb *b, uint8_t limbs)
{
    rows(r, a, b, limbs, 1);
}

void mul_few_rows(limb *r, const limb *a, const limb *b, uint8_t limbs)
{
    rows(r, a, b, limbs, 2);
}

/* The limbs of a number that begins with ones, and those of what it lacks to 2^BITS. */
#if LIMB == 8
static const limb number[] = {0x41, 0x8c, 0xfe, 0xff}, lacking[] = {0xbf, 0x73, 1, 0};
#else
static const limb number[] = {0xd0364141, 0xbfd25e8c, 0xfffffffe, 0xffffffff}, lacking[] = {0x2fc9bebf, 0x402da173, 1, 0};
#endif

/* Whether four limbs are that number or more: from the top, asking of the highest one only whether it is less. */
static inline limb no_less(const limb *a)
{
    limb no = a[3] < number[3], yes = 0;
    for (unsigned i = 3; i-- > 0;) {
        no |= (a[i] < number[i]) & ~yes;
        yes |= (a[i] > number[i]) & ~no;
    }
    return yes | (~no & 1);
}

/* Sums from which it is taken, as often as what left them and that comparison say; less 1, wrong, the number itself stays. */
static inline void add_ordered(limb *r, const limb *a, const limb *b, limb less)
{
    limb sum[4], compared[4];
    wide t = 0;
    for (unsigned i = 0; i < 4; i++) {
        t += (wide)a[i] + b[i];
        sum[i] = compared[i] = (limb)t;
        t >>= LIMB;
    }
    compared[0] -= less;
    limb times = (limb)t + no_less(compared);
    t = 0;
    for (unsigned i = 0; i < 4; i++) {
        t += (wide)times * lacking[i] + sum[i];
        r[i] = (limb)t;
        t >>= LIMB;
    }
}

void modadd_ordered(limb *r, const limb *a, const limb *b)
{
    add_ordered(r, a, b, 0);
}

void modadd_equal(limb *r, const limb *a, const limb *b)
{
    add_ordered(r, a, b, 1);
}
