/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* What functions of several algorithms answer, and where they get randomness. */
#ifndef ARMSCRIBE_RESULT_H
#define ARMSCRIBE_RESULT_H

#include <stddef.h>
#include <stdint.h>

#define ARMSCRIBE_OK             0
#define ARMSCRIBE_ERROR_RNG      1 /* the random generator reported a failure */
#define ARMSCRIBE_ERROR_ARGUMENT 7 /* a NULL pointer, or buffers that overlap where they must not */
#define ARMSCRIBE_ERROR_STATE                                                                      \
    8 /* a context that was not started, or is used after it gave its digest */

/* Fills out with n random bytes from a generator approved for keys; answers 0, or anything else on
 * failure. */
typedef int (*armscribe_rng)(void *rng_ctx, uint8_t *out, size_t n);

#endif
