/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FIELD_H
#define FIELD_H

#include <stdint.h>

/*
 * Numbers modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1, in 32 bytes, the least significant one first. Any number
 * below 2^256 stands for its remainder; field_finish makes it the remainder itself. Results may be operands.
 * No function branches on, or chooses an address by, what the numbers are.
 */
void field_mul(uint8_t *r, const uint8_t *a, const uint8_t *b);
void field_sqr(uint8_t *r, const uint8_t *a);

/* r = a + factor * b, for factors from -8 to 8 */
void field_add(uint8_t *r, const uint8_t *a, int8_t factor, const uint8_t *b);

/* r = 1 / a, and 0 when a is 0; r is not a */
void field_invert(uint8_t *r, const uint8_t *a);

/* a = a mod p; gives 1 when a was below p, else 0 */
uint8_t field_finish(uint8_t *a);

#endif
