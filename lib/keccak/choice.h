/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * Which Keccak-f[1600] the library takes: exactly one ARMSCRIBE_KECCAK_* is defined after this
 * header. To choose, define one of these for the compiler:
 *     ARMSCRIBE_KECCAK_FAST      the fastest
 *     ARMSCRIBE_KECCAK_INPLACE   nearly as fast with a quarter of the stack
 *     ARMSCRIBE_KECCAK_BALANCED  nearly as fast in half the code
 *     ARMSCRIBE_KECCAK_SMALL     the smallest; ARMSCRIBE_SMALL takes it too
 *     ARMSCRIBE_KECCAK_LANES     on plain lanes: a state is 200 bytes as FIPS 202 numbers them
 *     ARMSCRIBE_KECCAK_U64       AArch64, plain lanes in 64-bit registers; the default there
 *     ARMSCRIBE_KECCAK_C         C99
 * Otherwise it is the fastest of the core's own routines, or C where the routines are C themselves.
 */
#ifndef ARMSCRIBE_KECCAK_CHOICE_H
#define ARMSCRIBE_KECCAK_CHOICE_H

#include "armscribe_backend.h"

#if !(defined(ARMSCRIBE_KECCAK_FAST) || defined(ARMSCRIBE_KECCAK_INPLACE) ||                       \
      defined(ARMSCRIBE_KECCAK_BALANCED) || defined(ARMSCRIBE_KECCAK_SMALL) ||                     \
      defined(ARMSCRIBE_KECCAK_LANES) || defined(ARMSCRIBE_KECCAK_U64) ||                          \
      defined(ARMSCRIBE_KECCAK_C))
#if defined(__aarch64__) && !defined(ARMSCRIBE_BACKEND_PORTABLE)
#define ARMSCRIBE_KECCAK_U64
#elif defined(ARMSCRIBE_SMALL)
#define ARMSCRIBE_KECCAK_SMALL
#elif defined(ARMSCRIBE_BACKEND_PORTABLE)
#define ARMSCRIBE_KECCAK_C
#else
#define ARMSCRIBE_KECCAK_FAST
#endif
#endif

#if defined(ARMSCRIBE_KECCAK_FAST) + defined(ARMSCRIBE_KECCAK_INPLACE) +                           \
        defined(ARMSCRIBE_KECCAK_BALANCED) + defined(ARMSCRIBE_KECCAK_SMALL) +                     \
        defined(ARMSCRIBE_KECCAK_LANES) + defined(ARMSCRIBE_KECCAK_U64) +                          \
        defined(ARMSCRIBE_KECCAK_C) !=                                                             \
    1
#error "define only one ARMSCRIBE_KECCAK_*"
#endif

#if defined(ARMSCRIBE_KECCAK_U64) && (!defined(__aarch64__) || defined(ARMSCRIBE_BACKEND_PORTABLE))
#error "ARMSCRIBE_KECCAK_U64 is a routine of AArch64 cores"
#endif

#endif
