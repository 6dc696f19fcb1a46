/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Where arguments of public functions are judged: by pointers and lengths alone, which are public. */
#ifndef ARMSCRIBE_JUDGE_H
#define ARMSCRIBE_JUDGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "armscribe/result.h"

typedef struct {
    const void *p;
    size_t n;
} armscribe_buffer;

/*
 * ARMSCRIBE_OK or ARMSCRIBE_ERROR_ARGUMENT for `count` buffers: each that is not empty must be there, and the first
 * `written` must not overlap any other.
 */
int armscribe_judge(const armscribe_buffer *b, unsigned written, unsigned count);

/* A work space; NULL, as if there were none, where it does not stand at a word. */
static inline const void *armscribe_at_word(const uint32_t *work)
{
    return ((uintptr_t)work & 3) == 0 ? work : NULL;
}

/* Zeros in an output of a call that is refused, if it is there. */
static inline void armscribe_clear(uint8_t *out, size_t n)
{
    if (out != NULL) {
        memset(out, 0, n);
    }
}

#endif
