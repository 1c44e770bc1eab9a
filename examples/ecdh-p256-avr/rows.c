/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "rows.h"

/* Each byte of b is loaded once for four products; the sum of one and of two bytes more is below 2^16. */
void add_rows(uint8_t *r, const uint8_t *a, const uint8_t *b, uint8_t count)
{
    const uint8_t a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    uint8_t r0 = 0, r1 = 0, r2 = 0, r3 = 0;

    for (; count != 0; count--) {
        uint8_t factor = *b++;
        unsigned sum = (unsigned)a0 * factor + r0 + *r;

        *r++ = (uint8_t)sum;
        sum = (unsigned)a1 * factor + r1 + (sum >> 8);
        r0 = (uint8_t)sum;
        sum = (unsigned)a2 * factor + r2 + (sum >> 8);
        r1 = (uint8_t)sum;
        sum = (unsigned)a3 * factor + r3 + (sum >> 8);
        r2 = (uint8_t)sum;
        r3 = (uint8_t)(sum >> 8);
    }
    r[0] = r0;
    r[1] = r1;
    r[2] = r2;
    r[3] = r3;
}
