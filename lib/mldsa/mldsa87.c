/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* ML-DSA-87 (FIPS 204, table 1). */
#include "../common/algorithms.h"

#define NAME(suffix)    armscribe_mldsa87##suffix
#define SET_K           8
#define SET_L           7
#define SET_ETA         2
#define SET_TAU         60
#define SET_OMEGA       75
#define SET_SEED_BYTES  64
#define SET_GAMMA1_BITS 20
#define SET_GAMMA2      261888

#if defined(ARMSCRIBE_HAS_MLDSA87_KEYGEN)
#define SET_KEYGEN
#endif
#if defined(ARMSCRIBE_HAS_MLDSA87_SIGN)
#define SET_SIGN
#endif
#if defined(ARMSCRIBE_HAS_MLDSA87_VERIFY)
#define SET_VERIFY
#endif

#include "set.h"
