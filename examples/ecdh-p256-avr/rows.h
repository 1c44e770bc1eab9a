/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ROWS_H
#define ROWS_H

#include <stdint.h>

/* Adds the product of four bytes a and `count` bytes b to r, which has so many bytes, and then gets four more. */
void add_rows(uint8_t *r, const uint8_t *a, const uint8_t *b, uint8_t count);

#endif
