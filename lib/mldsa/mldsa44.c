/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* ML-DSA-44 (FIPS 204, table 1). */
#include "../common/algorithms.h"

#define NAME(suffix)    armscribe_mldsa44##suffix
#define SET_K           4
#define SET_L           4
#define SET_ETA         2
#define SET_TAU         39
#define SET_OMEGA       80
#define SET_SEED_BYTES  32
#define SET_GAMMA1_BITS 18
#define SET_GAMMA2      95232

#if defined(ARMSCRIBE_HAS_MLDSA44_KEYGEN)
#define SET_KEYGEN
#endif
#if defined(ARMSCRIBE_HAS_MLDSA44_SIGN)
#define SET_SIGN
#endif
#if defined(ARMSCRIBE_HAS_MLDSA44_VERIFY)
#define SET_VERIFY
#endif

#include "set.h"
