/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* A random generator for tests on the emulated core: hands out the bytes that its context points to. */
#include <string.h>

#include "armscribe/result.h"

int copy_random(void *rng_ctx, uint8_t *out, size_t n);

int copy_random(void *rng_ctx, uint8_t *out, size_t n)
{
    memcpy(out, rng_ctx, n);
    return 0;
}

/* Another, which fails after some rubbish. */
int fail_random(void *rng_ctx, uint8_t *out, size_t n);

int fail_random(void *rng_ctx, uint8_t *out, size_t n)
{
    (void)rng_ctx;
    memset(out, 0x5C, n / 2);
    return -1;
}
