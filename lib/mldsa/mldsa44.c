/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* ML-DSA-44 (FIPS 204, table 1). */
#define NAME(suffix)    armscribe_mldsa44##suffix
#define SET_K           4
#define SET_L           4
#define SET_ETA         2
#define SET_TAU         39
#define SET_OMEGA       80
#define SET_SEED_BYTES  32
#define SET_GAMMA1_BITS 18
#define SET_GAMMA2      95232

#include "set.h"
