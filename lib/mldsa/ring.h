/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * Polynomials between bytes and coefficients (FIPS 204, sections 7.1 to 7.4). A polynomial is 256 coefficients, 4-byte
 * aligned for the routines; "canonical" means 0 <= a[i] < q. Byte pointers stand anywhere. All run in constant time but
 * for the two that say so.
 */
#ifndef ARMSCRIBE_MLDSA_RING_H
#define ARMSCRIBE_MLDSA_RING_H

#include <stddef.h>
#include <stdint.h>

#include "../keccak/sponge.h"

#define MLDSA_N 256
#define MLDSA_Q 8380417
#define MLDSA_D 13 /* dropped bits of t */

/* Bytes of a polynomial of `bits` bits a coefficient. */
#define MLDSA_PACKED_BYTES(bits) ((size_t)32 * (bits))

/* SimpleBitPack and SimpleBitUnpack (algorithms 16, 18): coefficients of `bits` bits, at most 20. */
void armscribe_mldsa_pack(uint8_t *out, const int32_t a[MLDSA_N], unsigned bits);
void armscribe_mldsa_unpack(int32_t a[MLDSA_N], const uint8_t *in, unsigned bits);

/* The number of `bits` bits, at most 25, from bit `at` on of n bytes, n at least four. */
uint32_t armscribe_mldsa_bits(const uint8_t *in, unsigned n, unsigned at, unsigned bits);

/* BitPack and BitUnpack (algorithms 17, 19): the packed number is top - a[i]. Unpacking accepts every number. */
void armscribe_mldsa_pack_below(uint8_t *out, const int32_t a[MLDSA_N], unsigned bits, int32_t top);
void armscribe_mldsa_unpack_below(int32_t a[MLDSA_N], const uint8_t *in, unsigned bits,
                                  int32_t top);

/* Power2Round (algorithm 35) of canonical t: t[i] = t1 * 2^13 + t0[i]; t becomes t1. */
void armscribe_mldsa_power2round(int32_t t[MLDSA_N], int32_t t0[MLDSA_N]);

/* HighBits (algorithm 37) of canonical a, into r (which may be a). gamma2 is (q-1)/32 or (q-1)/88. */
void armscribe_mldsa_high_bits(int32_t r[MLDSA_N], const int32_t a[MLDSA_N], int32_t gamma2);

/* All ones where a low part (LowBits, algorithm 38) of canonical a is not below bound in size, else zero. */
uint32_t armscribe_mldsa_low_bits_reach(const int32_t a[MLDSA_N], int32_t gamma2, int32_t bound);

/* All ones where some |a[i]| >= bound, else zero. */
uint32_t armscribe_mldsa_reaches(const int32_t a[MLDSA_N], int32_t bound);

/* MakeHint (algorithm 39) of canonical r and r + z: r[i] becomes 1 where their high bits differ, else 0. The number of
 * ones. */
uint32_t armscribe_mldsa_make_hint(int32_t r[MLDSA_N], const int32_t sum[MLDSA_N], int32_t gamma2);

/* MakeHint of one canonical r and sum: 1 or 0. */
uint32_t armscribe_mldsa_hint_bit(int32_t r, int32_t sum, int32_t gamma2);

/* UseHint (algorithm 40) on canonical a: high bits, corrected where a byte of hint, a bit a coefficient, says so. */
void armscribe_mldsa_use_hint(int32_t a[MLDSA_N], const uint8_t hint[MLDSA_N / 8], int32_t gamma2);

/* The next coefficients of RejBoundedPoly (algorithm 31) from n bytes: how many of a are filled after `have` were. Takes
 * time by which half-bytes are refused. */
unsigned armscribe_mldsa_bounded(int32_t a[MLDSA_N], unsigned have, const uint8_t *bytes, size_t n,
                                 unsigned eta);

/* SampleInBall (algorithm 29) of n bytes of seed, with the sponge given. Takes time by the seed. */
void armscribe_mldsa_in_ball(int32_t c[MLDSA_N], armscribe_sha3_ctx *hash, const uint8_t *seed,
                             size_t n, unsigned tau);

#endif
