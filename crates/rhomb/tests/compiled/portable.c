/* Arithmetic as portable libraries write it in C, without flags: LIMB bits a limb, BITS bits a number, and the limbs of PRIME. */
#include <stdint.h>

#if LIMB == 8
typedef uint8_t limb;
typedef uint16_t wide;
typedef int16_t difference;
#else
typedef uint32_t limb;
typedef uint64_t wide;
typedef int64_t difference;
#endif

#define LIMBS (BITS / LIMB)
#define TOP (LIMB - 1)

/* Two comparisons a limb, joined by OR. */
uint8_t add_or(limb *r, const limb *a, const limb *b)
{
    limb carry = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb t = b[i] + carry;
        limb first = t < carry;
        limb s = a[i] + t;
        carry = first | (s < t);
        r[i] = s;
    }
    return carry;
}

uint8_t sub_or(limb *r, const limb *a, const limb *b)
{
    limb borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb t = b[i] + borrow;
        limb first = t < borrow;
        limb x = a[i];
        r[i] = x - t;
        borrow = first | (x < t);
    }
    return borrow;
}

/* The same, added. */
uint8_t add_plus(limb *r, const limb *a, const limb *b)
{
    limb carry = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb t = a[i] + carry;
        carry = t < carry;
        limb y = b[i];
        t += y;
        carry += t < y;
        r[i] = t;
    }
    return carry;
}

uint8_t sub_plus(limb *r, const limb *a, const limb *b)
{
    limb borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb x = a[i], y = b[i];
        limb first = x < borrow;
        limb t = x - borrow;
        borrow = (t < y) + first;
        r[i] = t - y;
    }
    return borrow;
}

/* A comparison only where the limb has changed. */
uint8_t add_changed(limb *r, const limb *a, const limb *b)
{
    limb carry = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb x = a[i];
        limb s = x + b[i] + carry;
        if (s != x)
            carry = s < x;
        r[i] = s;
    }
    return carry;
}

uint8_t sub_changed(limb *r, const limb *a, const limb *b)
{
    limb borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb x = a[i];
        limb s = x - b[i] - borrow;
        if (s != x)
            borrow = s > x;
        r[i] = s;
    }
    return borrow;
}

/* Words of twice the bits. */
uint8_t add_wide(limb *r, const limb *a, const limb *b)
{
    wide sum = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        sum += (wide)a[i] + b[i];
        r[i] = (limb)sum;
        sum >>= LIMB;
    }
    return (uint8_t)sum;
}

uint8_t sub_wide(limb *r, const limb *a, const limb *b)
{
    limb borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        wide t = (wide)a[i] - b[i] - borrow;
        r[i] = (limb)t;
        borrow = (t >> LIMB) & 1;
    }
    return borrow;
}

/* A sum with a sign that stays. */
uint8_t sub_signed(limb *r, const limb *a, const limb *b)
{
    difference sum = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        sum += (difference)a[i] - b[i];
        r[i] = (limb)sum;
        sum >>= LIMB;
    }
    return (uint8_t)-sum;
}

/* Carries from the highest bits. */
uint8_t add_tops(limb *r, const limb *a, const limb *b)
{
    limb carry = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb x = a[i], y = b[i];
        limb s = x + y + carry;
        carry = (limb)((x & y) | ((x | y) & (limb)~s)) >> TOP;
        r[i] = s;
    }
    return carry;
}

uint8_t sub_tops(limb *r, const limb *a, const limb *b)
{
    limb borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb x = a[i], y = b[i];
        limb d = x - y - borrow;
        borrow = (limb)(((limb)~x & y) | ((limb)~(x ^ y) & d)) >> TOP;
        r[i] = d;
    }
    return borrow;
}

static limb less(limb x, limb y)
{
    return (limb)(x ^ ((x ^ y) | ((limb)(x - y) ^ y))) >> TOP;
}

uint8_t sub_less(limb *r, const limb *a, const limb *b)
{
    limb borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb x = a[i], y = b[i];
        limb d = x - y;
        limb first = less(x, y), second = less(d, borrow);
        r[i] = d - borrow;
        borrow = first | second;
    }
    return borrow;
}

/* Products by rows and by columns. */
void mul_rows(limb *r, const limb *a, const limb *b)
{
    for (unsigned i = 0; i < 2 * LIMBS; i++)
        r[i] = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb carry = 0;
        for (unsigned j = 0; j < LIMBS; j++) {
            wide t = (wide)a[i] * b[j] + r[i + j] + carry;
            r[i + j] = (limb)t;
            carry = t >> LIMB;
        }
        r[i + LIMBS] = carry;
    }
}

static void add_product(limb x, limb y, limb *low, limb *middle, limb *high)
{
    wide product = (wide)x * y;
    wide sum = ((wide)*middle << LIMB | *low) + product;
    *high += sum < product;
    *middle = sum >> LIMB;
    *low = (limb)sum;
}

static void add_product_twice(limb x, limb y, limb *low, limb *middle, limb *high)
{
    wide product = (wide)x * y;
    *high += product >> (2 * LIMB - 1);
    product *= 2;
    wide sum = ((wide)*middle << LIMB | *low) + product;
    *high += sum < product;
    *middle = sum >> LIMB;
    *low = (limb)sum;
}

void mul_columns(limb *r, const limb *a, const limb *b)
{
    limb low = 0, middle = 0, high = 0;
    for (unsigned k = 0; k < 2 * LIMBS - 1; k++) {
        for (unsigned i = k < LIMBS ? 0 : k + 1 - LIMBS; i <= k && i < LIMBS; i++)
            add_product(a[i], b[k - i], &low, &middle, &high);
        r[k] = low, low = middle, middle = high, high = 0;
    }
    r[2 * LIMBS - 1] = low;
}

void sqr_rows(limb *r, const limb *a)
{
    for (unsigned i = 0; i < 2 * LIMBS; i++)
        r[i] = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb carry = 0;
        for (unsigned j = i + 1; j < LIMBS; j++) {
            wide t = (wide)a[i] * a[j] + r[i + j] + carry;
            r[i + j] = (limb)t;
            carry = t >> LIMB;
        }
        r[i + LIMBS] = carry;
    }
    limb carry = 0;
    for (unsigned i = 0; i < 2 * LIMBS; i++) {
        limb t = r[i];
        r[i] = (limb)(t << 1) | carry;
        carry = t >> TOP;
    }
    carry = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        wide square = (wide)a[i] * a[i];
        wide sum = (wide)r[2 * i] + (limb)square + carry;
        r[2 * i] = (limb)sum;
        sum = (wide)r[2 * i + 1] + (limb)(square >> LIMB) + (limb)(sum >> LIMB);
        r[2 * i + 1] = (limb)sum;
        carry = sum >> LIMB;
    }
}

void sqr_columns(limb *r, const limb *a)
{
    limb low = 0, middle = 0, high = 0;
    for (unsigned k = 0; k < 2 * LIMBS - 1; k++) {
        for (unsigned i = k < LIMBS ? 0 : k + 1 - LIMBS; i < k - i; i++)
            add_product_twice(a[i], a[k - i], &low, &middle, &high);
        if (k % 2 == 0)
            add_product(a[k / 2], a[k / 2], &low, &middle, &high);
        r[k] = low, low = middle, middle = high, high = 0;
    }
    r[2 * LIMBS - 1] = low;
}

#ifdef PRIME
static const limb prime[LIMBS] = PRIME;

static limb sum_of(limb *s, const limb *a, const limb *b)
{
    wide sum = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        sum += (wide)a[i] + b[i];
        s[i] = (limb)sum;
        sum >>= LIMB;
    }
    return (limb)sum;
}

static limb difference_of(limb *d, const limb *a, const limb *b)
{
    limb borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        wide t = (wide)a[i] - b[i] - borrow;
        d[i] = (limb)t;
        borrow = (t >> LIMB) & 1;
    }
    return borrow;
}

/* The prime is subtracted where the sum has left a carry. */
void modadd_carry(limb *r, const limb *a, const limb *b)
{
    limb mask = -sum_of(r, a, b), borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        wide t = (wide)r[i] - (prime[i] & mask) - borrow;
        r[i] = (limb)t;
        borrow = (t >> LIMB) & 1;
    }
}

/* It is subtracted, and one of both is taken. */
void modadd_mask(limb *r, const limb *a, const limb *b)
{
    limb s[LIMBS], d[LIMBS];
    limb carry = sum_of(s, a, b), borrow = difference_of(d, s, prime);
    limb mask = -(limb)(carry < borrow);
    for (unsigned i = 0; i < LIMBS; i++)
        r[i] = (s[i] & mask) | (d[i] & (limb)~mask);
}

void modadd_xor(limb *r, const limb *a, const limb *b)
{
    limb s[LIMBS], d[LIMBS];
    limb carry = sum_of(s, a, b), borrow = difference_of(d, s, prime);
    limb mask = -(limb)(carry | (borrow ^ 1));
    for (unsigned i = 0; i < LIMBS; i++)
        r[i] = s[i] ^ (mask & (s[i] ^ d[i]));
}

/* It is subtracted, and added again. */
void modadd_back(limb *r, const limb *a, const limb *b)
{
    limb s[LIMBS];
    limb carry = sum_of(s, a, b);
    limb mask = carry - difference_of(s, s, prime);
    wide sum = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        sum += (wide)s[i] + (prime[i] & mask);
        r[i] = (limb)sum;
        sum >>= LIMB;
    }
}

void modsub_back(limb *r, const limb *a, const limb *b)
{
    limb mask = -difference_of(r, a, b);
    wide sum = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        sum += (wide)r[i] + (prime[i] & mask);
        r[i] = (limb)sum;
        sum >>= LIMB;
    }
}

void modsub_if(limb *r, const limb *a, const limb *b)
{
    if (difference_of(r, a, b))
        sum_of(r, r, prime);
}

void modhalf_mask(limb *r, const limb *a)
{
    limb mask = -(a[0] & 1);
    wide sum = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        sum += (wide)a[i] + (prime[i] & mask);
        r[i] = (limb)sum;
        sum >>= LIMB;
    }
    for (unsigned i = 0; i < LIMBS - 1; i++)
        r[i] = (r[i] >> 1) | (limb)(r[i + 1] << TOP);
    r[LIMBS - 1] = (r[LIMBS - 1] >> 1) | (limb)((limb)sum << TOP);
}

/* Montgomery's product, word by word. */
void montmul_words(limb *r, const limb *a, const limb *b)
{
    limb t[LIMBS + 2];
    for (unsigned i = 0; i < LIMBS + 2; i++)
        t[i] = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        wide sum = 0;
        for (unsigned j = 0; j < LIMBS; j++) {
            sum += (wide)a[j] * b[i] + t[j];
            t[j] = (limb)sum;
            sum >>= LIMB;
        }
        sum += t[LIMBS];
        t[LIMBS] = (limb)sum;
        t[LIMBS + 1] = sum >> LIMB;
        limb quotient = t[0] * (limb)INVERSE;
        sum = ((wide)quotient * prime[0] + t[0]) >> LIMB;
        for (unsigned j = 1; j < LIMBS; j++) {
            sum += (wide)quotient * prime[j] + t[j];
            t[j - 1] = (limb)sum;
            sum >>= LIMB;
        }
        sum += t[LIMBS];
        t[LIMBS - 1] = (limb)sum;
        t[LIMBS] = t[LIMBS + 1] + (limb)(sum >> LIMB);
    }
    limb d[LIMBS];
    limb borrow = difference_of(d, t, prime);
    limb mask = -(limb)(t[LIMBS] < borrow);
    for (unsigned i = 0; i < LIMBS; i++)
        r[i] = (t[i] & mask) | (d[i] & (limb)~mask);
}

static limb carry_of_sum(limb *sum, limb carry, limb x, limb y)
{
    wide all = (wide)((wide)carry + x) + y;
    *sum = (limb)all;
    return all >> LIMB;
}

/* x[0] to x[LIMBS] += y * z; what leaves them. */
static inline limb added_row(limb *x, limb y, const limb *z)
{
    limb row[LIMBS + 1], above = 0, carry = 0;
    for (unsigned j = 0; j < LIMBS; j++) {
        wide product = (wide)y * z[j];
        carry = carry_of_sum(&row[j], carry, above, (limb)product);
        above = product >> LIMB;
    }
    row[LIMBS] = above + carry;
    carry = 0;
    for (unsigned j = 0; j <= LIMBS; j++)
        carry = carry_of_sum(&x[j], carry, x[j], row[j]);
    return carry;
}

static inline void montgomery_by_carries(limb *r, const limb *a, const limb *b, limb has_top)
{
    limb t[LIMBS + 2], d[LIMBS], borrow = 0;
    for (unsigned i = 0; i < LIMBS + 2; i++)
        t[i] = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        t[LIMBS + 1] = added_row(t, a[i], b);
        limb carry = added_row(t, t[0] * (limb)INVERSE, prime);
        for (unsigned j = 0; j < LIMBS; j++)
            t[j] = t[j + 1];
        t[LIMBS] = t[LIMBS + 1] + carry;
    }
    for (unsigned i = 0; i < LIMBS; i++) {
        wide left = (wide)t[i] - prime[i] - borrow;
        d[i] = (limb)left;
        borrow = (left >> LIMB) & 1;
    }
    borrow = ((wide)(t[LIMBS] & has_top) - borrow) >> LIMB & 1;
    limb mask = -borrow;
    for (unsigned i = 0; i < LIMBS; i++)
        r[i] = (t[i] & mask) | (d[i] & (limb)~mask);
}

/* Rows and their sums by the carries of wide words; the product is below the prime. */
void montmul_carries(limb *r, const limb *a, const limb *b)
{
    montgomery_by_carries(r, a, b, 1);
}

void montsqr_carries(limb *r, const limb *a)
{
    montgomery_by_carries(r, a, a, 1);
}

/* Wrong: what is above the highest limb is forgotten. */
void montmul_forgotten(limb *r, const limb *a, const limb *b)
{
    montgomery_by_carries(r, a, b, 0);
}
#endif

/* The length behind the arrays. */
limb add_length(limb *r, const limb *a, const limb *b, unsigned char n)
{
    limb carry = 0;
    for (unsigned char i = 0; i < n; i++) {
        limb s = a[i] + b[i] + carry;
        if (s != a[i])
            carry = s < a[i];
        r[i] = s;
    }
    return carry;
}

limb sub_length(limb *r, const limb *a, const limb *b, unsigned char n)
{
    limb borrow = 0;
    for (unsigned char i = 0; i < n; i++) {
        limb d = a[i] - b[i] - borrow;
        if (d != a[i])
            borrow = d > a[i];
        r[i] = d;
    }
    return borrow;
}

/* The length first, the result behind. */
void mul_behind(unsigned char n, const limb *a, const limb *b, limb *r)
{
    for (unsigned char i = 0; i < n; i++)
        r[i] = 0;
    for (unsigned char i = 0; i < n; i++) {
        limb c = 0;
        for (unsigned char j = 0; j < n; j++) {
            wide t = (wide)a[i] * b[j] + r[i + j] + c;
            r[i + j] = (limb)t;
            c = (limb)(t >> LIMB);
        }
        r[i + n] = c;
    }
}

/* A factor of one limb, by value, and the limb above the result returned. */
limb mul_word(limb *r, const limb *a, unsigned n, limb b)
{
    limb c = 0;
    for (unsigned i = 0; i < n; i++) {
        wide t = (wide)a[i] * b + c;
        r[i] = (limb)t;
        c = (limb)(t >> LIMB);
    }
    return c;
}

limb mac_word(limb *r, const limb *a, unsigned n, limb b)
{
    limb c = 0;
    for (unsigned i = 0; i < n; i++) {
        wide t = (wide)a[i] * b + r[i] + c;
        r[i] = (limb)t;
        c = (limb)(t >> LIMB);
    }
    return c;
}

limb msub_word(limb *r, const limb *a, unsigned n, limb b)
{
    limb c = 0;
    for (unsigned i = 0; i < n; i++) {
        wide t = (wide)a[i] * b + c;
        limb low = (limb)t, x = r[i];
        c = (limb)(t >> LIMB) + (x < low);
        r[i] = x - low;
    }
    return c;
}

/* On one of the operands. */
limb add_to(limb *a, const limb *b)
{
    limb c = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        wide t = (wide)a[i] + b[i] + c;
        a[i] = (limb)t;
        c = (limb)(t >> LIMB);
    }
    return c;
}

void halve(limb *a)
{
    limb c = 0;
    for (unsigned i = LIMBS; i-- > 0;) {
        limb x = a[i];
        a[i] = (x >> 1) | c;
        c = x << (LIMB - 1);
    }
}

limb shift_left(limb *r, const limb *a)
{
    limb c = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb x = a[i];
        r[i] = (limb)(x << 3) | c;
        c = x >> (LIMB - 3);
    }
    return c;
}

void negate(limb *r, const limb *a)
{
    limb c = 1;
    for (unsigned i = 0; i < LIMBS; i++) {
        wide t = (wide)(limb)~a[i] + c;
        r[i] = (limb)t;
        c = (limb)(t >> LIMB);
    }
}

void mul_low(limb *r, const limb *a, const limb *b)
{
    for (unsigned i = 0; i < LIMBS; i++)
        r[i] = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb c = 0;
        for (unsigned j = 0; i + j < LIMBS; j++) {
            wide t = (wide)a[i] * b[j] + r[i + j] + c;
            r[i + j] = (limb)t;
            c = (limb)(t >> LIMB);
        }
    }
}

/* Replaces r where the bit is 1. */
void move_bit(limb *r, const limb *a, limb bit)
{
    limb mask = (limb)0 - bit;
    for (unsigned i = 0; i < LIMBS; i++)
        r[i] ^= mask & (r[i] ^ a[i]);
}

void choose_mask(limb *r, const limb *a, const limb *b, limb mask)
{
    for (unsigned i = 0; i < LIMBS; i++)
        r[i] = (a[i] & mask) | (b[i] & ~mask);
}

/* The modulus by pointer, and a length. */
void modadd_pointer(limb *r, const limb *a, const limb *b, const limb *p, unsigned char n)
{
    limb carry = 0, borrow = 0, t[LIMBS], mask;
    for (unsigned char i = 0; i < n; i++) {
        wide s = (wide)a[i] + b[i] + carry;
        r[i] = (limb)s;
        carry = (limb)(s >> LIMB);
    }
    for (unsigned char i = 0; i < n; i++) {
        wide s = (wide)r[i] - p[i] - borrow;
        t[i] = (limb)s;
        borrow = (limb)(s >> LIMB) & 1;
    }
    mask = (limb)0 - (limb)(borrow & (carry ^ 1));
    for (unsigned char i = 0; i < n; i++)
        r[i] = (r[i] & mask) | (t[i] & ~mask);
}

int modneg_status(limb *r, const limb *a, const limb *p)
{
    limb borrow = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        wide s = (wide)p[i] - a[i] - borrow;
        r[i] = (limb)s;
        borrow = (limb)(s >> LIMB) & 1;
    }
    return 0;
}

/* Montgomery's product, with the modulus and -1/p among the arguments: below 2^BITS, and not below the modulus. */
void montmul_pointer(limb *r, const limb *a, const limb *b, const limb *p, limb n0)
{
    limb t[LIMBS + 2];
    for (unsigned i = 0; i < LIMBS + 2; i++)
        t[i] = 0;
    for (unsigned i = 0; i < LIMBS; i++) {
        limb c = 0, m;
        wide s;
        for (unsigned j = 0; j < LIMBS; j++) {
            s = (wide)a[j] * b[i] + t[j] + c;
            t[j] = (limb)s;
            c = (limb)(s >> LIMB);
        }
        s = (wide)t[LIMBS] + c;
        t[LIMBS] = (limb)s;
        t[LIMBS + 1] = (limb)(s >> LIMB);
        m = t[0] * n0;
        s = (wide)m * p[0] + t[0];
        c = (limb)(s >> LIMB);
        for (unsigned j = 1; j < LIMBS; j++) {
            s = (wide)m * p[j] + t[j] + c;
            t[j - 1] = (limb)s;
            c = (limb)(s >> LIMB);
        }
        s = (wide)t[LIMBS] + c;
        t[LIMBS - 1] = (limb)s;
        t[LIMBS] = t[LIMBS + 1] + (limb)(s >> LIMB);
    }
    {
        limb mask = (limb)0 - t[LIMBS], borrow = 0;
        for (unsigned i = 0; i < LIMBS; i++) {
            wide s = (wide)t[i] - (p[i] & mask) - borrow;
            r[i] = (limb)s;
            borrow = (limb)(s >> LIMB) & 1;
        }
    }
}
