/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* What the library needs to keep secrets out of branches. Contract of armscribe_wipe:
 * armscribe/wipe.h. */
#ifndef ARMSCRIBE_CT_H
#define ARMSCRIBE_CT_H

#include <stddef.h>
#include <stdint.h>

#include "armscribe/wipe.h"

#if defined(__GNUC__) || defined(__clang__)
#define ARMSCRIBE_NOINLINE __attribute__((noinline))
#else
#define ARMSCRIBE_NOINLINE
#endif

/* The same x, but the compiler knows nothing about its value: a mask stays a mask and never becomes
 * a branch. */
static inline uint32_t armscribe_barrier(uint32_t x)
{
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__CC_ARM)
    __asm__("" : "+r"(x));
    return x;
#else
    volatile uint32_t hidden = x;
    return hidden;
#endif
}

/* All ones where x is not zero, else zero. */
static inline uint32_t armscribe_mask_nonzero(uint32_t x)
{
    x = armscribe_barrier(x);
    return 0U - ((x | (0U - x)) >> 31);
}

/* Zero where the n bytes at a and b are equal, else not zero; n is a multiple of four. Time depends on n alone. */
uint32_t armscribe_differ(const uint8_t *a, const uint8_t *b, size_t n);

/* r = b where mask is all ones, r unchanged where it is zero; n bytes; time depends on n alone. */
void armscribe_select(uint8_t *r, const uint8_t *b, size_t n, uint32_t mask);

/* Overwrites the stack below the caller, as deep as the library's own calls reach: what they
 * spilled there is gone. */
void armscribe_wipe_stack(void);

#endif
