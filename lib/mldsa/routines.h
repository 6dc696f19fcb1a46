/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* The generated routines, and which of their tables goes with which. */
#ifndef ARMSCRIBE_MLDSA_ROUTINES_H
#define ARMSCRIBE_MLDSA_ROUTINES_H

#include "armscribe_backend.h"
#include "armscribe_routines.h"

static inline void armscribe_mldsa_ntt(int32_t a[256])
{
    mldsa_ntt(a, mldsa_ntt_zetas);
}

static inline void armscribe_mldsa_invntt(int32_t a[256])
{
    mldsa_invntt(a, mldsa_invntt_zetas);
}

/* r = a + b, r = a - b; r may be either. Coefficients stay within 31 bits. */
static inline void armscribe_mldsa_add(int32_t r[256], const int32_t a[256], const int32_t b[256])
{
    for (unsigned i = 0; i < 256; i++) {
        r[i] = a[i] + b[i];
    }
}

static inline void armscribe_mldsa_sub(int32_t r[256], const int32_t a[256], const int32_t b[256])
{
    for (unsigned i = 0; i < 256; i++) {
        r[i] = a[i] - b[i];
    }
}

#endif
