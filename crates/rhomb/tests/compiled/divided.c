/* Remainders by shifts and subtractions, as portable libraries make them: of two buffers one holds what is left and the other one takes the
   difference, and an index says which. FAULT makes one of these faults. */
#include <stdint.h>

typedef uint32_t limb;

#define MOST 16

/* One place to the right. */
static void halve(limb *a, int8_t limbs)
{
    limb above = 0;
    while (limbs-- > 0) {
        limb own = a[limbs];
        a[limbs] = own >> 1 | above;
        above = own << 31;
    }
}

static void reduce(limb *r, limb *a, const limb *p, int8_t limbs)
{
    limb multiple[MOST], other[MOST];
    limb *both[2] = {other, a};
    limb index = 1;
    for (int8_t i = 0; i < limbs; i++) {
        multiple[i] = 0;
        multiple[i + limbs] = p[i];
    }
    int16_t steps = 32 * limbs;
#if FAULT == 1 /* one step too few */
    steps--;
#endif
    for (; steps >= 0; steps--) {
        limb borrow = 0;
        for (int8_t i = 0; i < 2 * limbs; i++) {
            limb word = both[index][i], left = word - multiple[i] - borrow;
            if (left != word)
                borrow = left > word;
            both[1 - index][i] = left;
        }
#if FAULT == 2 /* what borrowed is kept */
        index = !(index ^ !borrow);
#elif FAULT == 3 /* the buffers are exchanged where nothing is to be taken */
        index = index ^ borrow;
#else
        index = !(index ^ borrow);
#endif
        halve(multiple, limbs);
#if FAULT != 4 /* the lowest bit of the upper half is lost */
        multiple[limbs - 1] |= multiple[limbs] << 31;
#endif
        halve(multiple + limbs, limbs);
    }
    for (int8_t i = 0; i < limbs; i++)
        r[i] = both[index][i];
}

void remainder_swapped(limb *r, limb *a, const limb *p, int8_t limbs)
{
    reduce(r, a, p, limbs);
}

void modmul_swapped(limb *r, const limb *a, const limb *b, const limb *p, int8_t limbs)
{
    limb product[MOST];
    for (int8_t i = 0; i < limbs; i++)
        product[i] = 0;
    for (int8_t i = 0; i < limbs; i++) {
        limb carry = 0;
        for (int8_t j = 0; j < limbs; j++) {
            uint64_t sum = (uint64_t)a[i] * b[j] + product[i + j] + carry;
            product[i + j] = sum;
            carry = sum >> 32;
        }
        product[i + limbs] = carry;
    }
    reduce(r, product, p, limbs);
}
