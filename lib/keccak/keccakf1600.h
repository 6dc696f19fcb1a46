/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * The permutation layer under SHA-3: everything that knows how a lane is stored.
 *
 * To use another permutation (hardware, a vendor's library), compile the library with
 * -DARMSCRIBE_KECCAK_HEADER='"my_keccak.h"': that header declares or defines the three functions
 * below with the same contracts, and keccakf1600.c and state.c become empty units. Which of the
 * library's own is taken otherwise: choice.h.
 */
#ifndef ARMSCRIBE_KECCAKF1600_H
#define ARMSCRIBE_KECCAKF1600_H

#include "armscribe/sha3.h"

#if defined(ARMSCRIBE_KECCAK_HEADER)
#include ARMSCRIBE_KECCAK_HEADER
#else

/* Keccak-f[1600] (FIPS 202, section 3.3) in place. */
void armscribe_keccak_permute(armscribe_keccak_state *s);

/* XORs n bytes into the state from byte offset on; offset + n <= 200. Byte order of FIPS 202,
 * appendix B.1. */
void armscribe_keccak_xor(armscribe_keccak_state *s, const uint8_t *in, size_t offset, size_t n);

/* Copies n bytes of the state from byte offset on; offset + n <= 200. */
void armscribe_keccak_read(const armscribe_keccak_state *s, uint8_t *out, size_t offset, size_t n);

#endif

#endif
