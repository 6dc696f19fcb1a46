/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Numbers modulo the order L of the base point, eight words, least significant first. Time depends on no number.
 * a * b + c modulo L is the routine sc25519_muladd. */
#ifndef ARMSCRIBE_ED25519_SCALAR_H
#define ARMSCRIBE_ED25519_SCALAR_H

#include <stdint.h>

/* Space that armscribe_sc_reduce uses; who passes it erases it. */
typedef struct {
    uint32_t wide[16];
} armscribe_sc_work;

/* r = x modulo L, of any 64 bytes. */
void armscribe_sc_reduce(uint32_t r[8], const uint8_t x[64], armscribe_sc_work *w);

/* Whether x, any eight words, is below L. */
int armscribe_sc_is_reduced(const uint32_t x[8]);

#endif
