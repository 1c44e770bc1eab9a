/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <string.h>

#include "product.h"
#include "rows.h"

/* Products of different groups of four bytes, which come twice, then the groups' squares. */
void sqr256(uint8_t *r, const uint8_t *a)
{
    uint8_t squares[64];
    unsigned sum = 0;

    memset(r, 0, 64);
    memset(squares, 0, 64);
    for (uint8_t i = 0; i < 32; i += 4) {
        add_rows(r + 2 * i + 4, a + i, a + i + 4, 28 - i);
        add_rows(squares + 2 * i, a + i, a + i, 4);
    }
    for (uint8_t i = 0; i < 64; i++) {
        sum += 2u * r[i] + squares[i];
        r[i] = (uint8_t)sum;
        sum >>= 8;
    }
}
