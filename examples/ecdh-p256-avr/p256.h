/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef P256_H
#define P256_H

#include <stdint.h>

/*
 * Diffie and Hellman's key exchange on the curve P-256. A private key is a number from 1 to the curve's order less 1,
 * a public key a point x, y, the shared secret the x of a point: numbers of 32 bytes, the most significant one first.
 * Both functions give 0, or -1 when the private key is out of range or the public key no point of the curve; then the
 * result is not written.
 */
int p256_public_key(uint8_t public_key[64], const uint8_t private_key[32]);
int p256_shared_secret(uint8_t secret[32], const uint8_t private_key[32], const uint8_t public_key[64]);

#endif
