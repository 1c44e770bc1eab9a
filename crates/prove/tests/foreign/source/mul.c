/* Operand scanning over limbs of 8, 16 or 32 bits, as anybody would write it in C. */
#include <stdint.h>

#if LIMB == 8
typedef uint8_t limb;
typedef uint16_t wide;
#elif LIMB == 16
typedef uint16_t limb;
typedef uint32_t wide;
#else
typedef uint32_t limb;
typedef uint64_t wide;
#endif

#define COUNT (BITS / LIMB)

void mul(limb *r, const limb *a, const limb *b)
{
    for (uint8_t i = 0; i < COUNT; i++)
        r[i] = 0;
    for (uint8_t i = 0; i < COUNT; i++) {
        limb carry = 0;
        for (uint8_t j = 0; j < COUNT; j++) {
            wide sum = (wide)a[i] * b[j] + r[i + j] + carry;
            r[i + j] = (limb)sum;
            carry = (limb)(sum >> LIMB);
        }
        r[i + COUNT] = carry;
    }
}
