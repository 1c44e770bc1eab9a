/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PRODUCT_H
#define PRODUCT_H

#include <stdint.h>

/*
 * The two functions that take most of the time: mul256.c and sqr256.c in C, or mul256.S and sqr256.S that Rhomb
 * writes. Numbers are 32 bytes, the least significant one first; the result is 64 bytes and overlaps no operand.
 */
void mul256(uint8_t *r, const uint8_t *a, const uint8_t *b);
void sqr256(uint8_t *r, const uint8_t *a);

#endif
