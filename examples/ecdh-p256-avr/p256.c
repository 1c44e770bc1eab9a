/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "p256.h"

#include <string.h>

#include "field.h"

/* A point in Jacobian coordinates: x / z^2, y / z^3. */
struct point {
    uint8_t x[32], y[32], z[32];
};

/* A point to be added often, with powers of its z. */
struct addend {
    struct point point;
    uint8_t zz[32], zzz[32];
};

/* Of a window of four bits come the multiples by 1, 3, 5 to 15. */
#define MULTIPLES 8

static const uint8_t one[32] = {1};

static const uint8_t curve_b[32] = {
    0x4b, 0x60, 0xd2, 0x27, 0x3e, 0x3c, 0xce, 0x3b, 0xf6, 0xb0, 0x53, 0xcc, 0xb0, 0x06, 0x1d, 0x65,
    0xbc, 0x86, 0x98, 0x76, 0x55, 0xbd, 0xeb, 0xb3, 0xe7, 0x93, 0x3a, 0xaa, 0xd8, 0x35, 0xc6, 0x5a,
};

static const uint8_t order[32] = {
    0x51, 0x25, 0x63, 0xfc, 0xc2, 0xca, 0xb9, 0xf3, 0x84, 0x9e, 0x17, 0xa7, 0xad, 0xfa, 0xe6, 0xbc,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff,
};

static const uint8_t base_point[64] = {
    0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2,
    0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96,
    0x4f, 0xe3, 0x42, 0xe2, 0xfe, 0x1a, 0x7f, 0x9b, 0x8e, 0xe7, 0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16,
    0x2b, 0xce, 0x33, 0x57, 0x6b, 0x31, 0x5e, 0xce, 0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51, 0xf5,
};

static void reverse(uint8_t *r, const uint8_t *a)
{
    for (uint8_t i = 0; i < 32; i++)
        r[i] = a[31 - i];
}

/* All bits set when all of the bytes are zero, else none. */
static uint8_t zero_mask(const uint8_t *a)
{
    uint8_t any = 0;

    for (uint8_t i = 0; i < 32; i++)
        any |= a[i];
    return (uint8_t)((any - 1) >> 8);
}

/* r = a where the mask's bits are set, else r */
static void choose(void *r, const void *a, uint8_t mask, uint8_t count)
{
    const uint8_t *from = a;

    for (uint8_t *to = r; count != 0; count--, to++)
        *to ^= (*to ^ *from++) & mask;
}

/* r = -a; r is not a */
static void negate(uint8_t *r, const uint8_t *a)
{
    memset(r, 0, 32);
    field_add(r, r, -1, a);
}

/* p = 2 p, for p that is not the point at infinity */
static void double_point(struct point *p)
{
    uint8_t slope[32], beta[32], gamma[32];

    field_sqr(slope, p->z);
    field_add(beta, p->x, 1, slope);
    field_add(slope, slope, -1, p->x);
    field_mul(slope, slope, beta);
    field_add(slope, slope, 2, slope); /* 3 (z^4 - x^2), the negative of the tangent's */
    field_mul(p->z, p->y, p->z);
    field_add(p->z, p->z, 1, p->z);
    field_sqr(gamma, p->y);
    field_mul(beta, p->x, gamma);
    field_sqr(p->x, slope);
    field_add(p->x, p->x, -8, beta);
    field_add(beta, p->x, -4, beta);
    field_mul(p->y, slope, beta);
    field_sqr(gamma, gamma);
    field_add(p->y, p->y, -8, gamma);
}

/* p = p + a, which gives z = 0 when p and a are the same point or opposite ones; neither may be at infinity */
static void add_point(struct point *p, const struct addend *a)
{
    uint8_t h[32], slope[32], cube[32];

    field_sqr(h, p->z);
    field_mul(slope, p->z, h);
    field_mul(slope, slope, a->point.y);
    field_mul(p->y, p->y, a->zzz);
    field_add(slope, slope, -1, p->y);
    field_mul(h, h, a->point.x);
    field_mul(p->x, p->x, a->zz);
    field_add(h, h, -1, p->x);
    field_mul(p->z, p->z, a->point.z);
    field_mul(p->z, p->z, h);

    field_sqr(cube, h);
    field_mul(p->x, p->x, cube);
    field_mul(cube, cube, h);
    field_mul(p->y, p->y, cube);
    field_sqr(h, slope);
    field_add(h, h, -1, cube);
    field_add(h, h, -2, p->x);
    field_add(p->x, p->x, -1, h);
    field_mul(slope, slope, p->x);
    field_add(p->y, slope, -1, p->y);
    memcpy(p->x, h, 32);
}

static void set_addend(struct addend *a, const struct point *p)
{
    a->point = *p;
    field_sqr(a->zz, p->z);
    field_mul(a->zzz, a->zz, p->z);
}

/* r = (2 * window - 15) times the point of the table, for windows from 0 to 15; all of the table is read */
static void look_up(struct addend *r, const struct addend *table, uint8_t window)
{
    uint8_t negative = (uint8_t)((window >> 3) - 1);
    uint8_t index = (window ^ negative) & 7;
    uint8_t minus_y[32];

    *r = table[0];
    for (uint8_t i = 1; i < MULTIPLES; i++)
        choose(r, &table[i], (uint8_t)(((i ^ index) - 1) >> 8), sizeof *r);
    negate(minus_y, r->point.y);
    choose(r->point.y, minus_y, negative, 32);
}

/*
 * p = scalar * p, for p with z = 1 and scalars from 1 to order - 1. The scalar, or order less scalar, is odd, and so a
 * sum of 64 odd digits from -15 to 15, times powers of 16: the lowest bit of each window of five bits is taken as 1.
 * No sum on the way is zero or the addend or its opposite, but for the last of order - 2, which is a doubling.
 */
static void multiply(struct point *p, uint8_t *scalar)
{
    struct addend table[MULTIPLES], addend;
    uint8_t other[32], even = (uint8_t)((scalar[0] & 1) - 1);
    int sum = 0;

    for (uint8_t i = 0; i < 32; i++) {
        sum += order[i] - scalar[i];
        other[i] = (uint8_t)sum;
        sum >>= 8;
    }
    choose(scalar, other, even, 32);

    set_addend(&table[0], p);
    double_point(p);
    set_addend(&addend, p);
    *p = table[0].point;
    for (uint8_t i = 1; i < MULTIPLES; i++) {
        add_point(p, &addend);
        set_addend(&table[i], p);
    }

    look_up(&addend, table, scalar[31] >> 5 | 8);
    *p = addend.point;
    for (uint8_t i = 62; i != 0xff; i--) {
        uint8_t bits = scalar[i / 2];
        uint8_t above = scalar[i / 2 + (i & 1)];
        uint8_t window = i & 1 ? (uint8_t)(bits >> 5 | above << 3) : bits >> 1;

        for (uint8_t doubling = 0; doubling < 4; doubling++)
            double_point(p);
        look_up(&addend, table, window & 15);
        add_point(p, &addend);
    }

    field_finish(p->z);
    if (zero_mask(p->z)) {
        *p = table[0].point;
        double_point(p);
        even = (uint8_t)~even;
    }
    negate(other, p->y);
    choose(p->y, other, even, 32);
}

/* z = 1 */
static void normalize(struct point *p)
{
    uint8_t inverse[32], power[32];

    field_invert(inverse, p->z);
    field_sqr(power, inverse);
    field_mul(p->x, p->x, power);
    field_mul(power, power, inverse);
    field_mul(p->y, p->y, power);
    memcpy(p->z, one, 32);
    field_finish(p->x);
    field_finish(p->y);
}

/* Reads a private key; gives 1 when it is from 1 to order - 1. */
static uint8_t read_scalar(uint8_t *scalar, const uint8_t *private_key)
{
    int sum = 0;

    reverse(scalar, private_key);
    for (uint8_t i = 0; i < 32; i++)
        sum = (sum + scalar[i] - order[i]) >> 8;
    return (uint8_t)(sum & 1 & ~zero_mask(scalar));
}

/* Reads a public key; gives 1 when x and y are below p, and y^2 = x^3 - 3 x + b. */
static uint8_t read_point(struct point *p, const uint8_t *public_key)
{
    uint8_t square[32], cubic[32], below;

    reverse(p->x, public_key);
    reverse(p->y, public_key + 32);
    memcpy(p->z, one, 32);
    field_sqr(square, p->y);
    field_sqr(cubic, p->x);
    field_mul(cubic, cubic, p->x);
    field_add(cubic, cubic, -3, p->x);
    field_add(cubic, cubic, 1, curve_b);
    field_add(square, square, -1, cubic);
    field_finish(square);
    below = field_finish(p->x) & field_finish(p->y);
    return below & zero_mask(square);
}

/* point = private_key * point in affine coordinates; 0, or -1 when one of the two is none. */
static int multiply_key(struct point *p, const uint8_t *private_key, const uint8_t *point)
{
    uint8_t scalar[32];

    if (!read_scalar(scalar, private_key) || !read_point(p, point))
        return -1;
    multiply(p, scalar);
    normalize(p);
    return 0;
}

int p256_public_key(uint8_t public_key[64], const uint8_t private_key[32])
{
    struct point p;

    if (multiply_key(&p, private_key, base_point) != 0)
        return -1;
    reverse(public_key, p.x);
    reverse(public_key + 32, p.y);
    return 0;
}

int p256_shared_secret(uint8_t secret[32], const uint8_t private_key[32], const uint8_t public_key[64])
{
    struct point p;

    if (multiply_key(&p, private_key, public_key) != 0)
        return -1;
    reverse(secret, p.x);
    return 0;
}
