/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* ML-DSA-65 (FIPS 204, table 1). */
#include "../common/algorithms.h"

#define NAME(suffix)    armscribe_mldsa65##suffix
#define SET_K           6
#define SET_L           5
#define SET_ETA         4
#define SET_TAU         49
#define SET_OMEGA       55
#define SET_SEED_BYTES  48
#define SET_GAMMA1_BITS 20
#define SET_GAMMA2      261888

#if defined(ARMSCRIBE_HAS_MLDSA65_KEYGEN)
#define SET_KEYGEN
#endif
#if defined(ARMSCRIBE_HAS_MLDSA65_SIGN)
#define SET_SIGN
#endif
#if defined(ARMSCRIBE_HAS_MLDSA65_VERIFY)
#define SET_VERIFY
#endif

#include "set.h"
