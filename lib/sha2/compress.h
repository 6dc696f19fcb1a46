/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * The layer under SHA-2 that takes whole blocks (FIPS 180-4, sections 6.1.2 and 6.4.2).
 *
 * To use another one (hardware, a vendor's library), compile the library with
 * -DARMSCRIBE_SHA2_HEADER='"my_sha2.h"': that header declares or defines the two functions below
 * with the same contracts, and compress256.c and compress512.c become empty units. Otherwise the core's own routines
 * are taken, or C99 where the routines are C themselves or with -DARMSCRIBE_SHA2_C.
 */
#ifndef ARMSCRIBE_SHA2_COMPRESS_H
#define ARMSCRIBE_SHA2_COMPRESS_H

#include <stddef.h>
#include <stdint.h>

#if defined(ARMSCRIBE_SHA2_HEADER)
#include ARMSCRIBE_SHA2_HEADER
#else

/* Takes 64 * blocks bytes into the state H0 to H7; `in` is a multiple of four, blocks >= 1. */
void armscribe_sha256_compress(uint32_t state[8], const uint8_t *in, size_t blocks);

/* Takes 128 * blocks bytes into the state H0 to H7, each its low word first; `in` is a multiple of
 * four, blocks >= 1. */
void armscribe_sha512_compress(uint32_t state[16], const uint8_t *in, size_t blocks);

#endif

#endif
