/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Multiples of Ed25519's base point. */
#ifndef ARMSCRIBE_ED25519_BASE_H
#define ARMSCRIBE_ED25519_BASE_H

#include "ge.h"

/* A scalar has 64 digits in base 16. Tooth t of the comb is responsible for ED25519_COLUMNS of
 * them, from digit t * ED25519_COLUMNS on. */
#if defined(ARMSCRIBE_SMALL)
#define ED25519_TEETH 4
#else
#define ED25519_TEETH 32
#endif
#define ED25519_COLUMNS (64 / ED25519_TEETH)

/* For each tooth t the 1- to 8-fold of 16^(t * ED25519_COLUMNS) times the base point, affine:
 * y + x, y - x, 2*d*x*y. 24 KB, or 3 KB with ARMSCRIBE_SMALL. */
extern const uint32_t armscribe_ed25519_base[ED25519_TEETH][8 * 24];

/* Verification, where nothing is secret, has odd digits of S below 2^(ED25519_BASE_WIDTH - 1) and takes their multiples
 * from a table of its own: entry i is the (2 * i + 1)-fold, affine. 6 KB; with ARMSCRIBE_SMALL the first row above
 * must do. */
#if defined(ARMSCRIBE_SMALL)
#define ED25519_BASE_WIDTH 4
#else
#define ED25519_BASE_WIDTH 8
extern const uint32_t armscribe_ed25519_odd[1 << (ED25519_BASE_WIDTH - 2)][24];
#endif

#endif
