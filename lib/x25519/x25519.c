/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_X25519)

#include "armscribe/x25519.h"

#include "../common/bytes.h"
#include "../common/ct.h"
#include "../common/judge.h"
#include "armscribe_backend.h"
#include "armscribe_routines.h"

#define WORDS (ARMSCRIBE_X25519_BYTES / 4)

/* Bytes to words, X25519, words to bytes. All ones where the result is zero, else zero. */
static uint32_t scalarmult(uint8_t *r, const uint8_t *k, const uint8_t *u)
{
    struct {
        uint32_t k[WORDS];
        uint32_t u[WORDS];
    } w;
    uint32_t any = 0;

    for (size_t i = 0; i < WORDS; i++) {
        w.k[i] = armscribe_load32(k + 4 * i);
        w.u[i] = armscribe_load32(u + 4 * i);
    }
#if defined(ARMSCRIBE_X25519_FAST)
    x25519_scalarmult_fast(w.u, w.k, w.u);
#elif defined(ARMSCRIBE_SMALL)
    x25519_scalarmult_small(w.u, w.k, w.u);
#else
    x25519_scalarmult(w.u, w.k, w.u);
#endif
    for (size_t i = 0; i < WORDS; i++) {
        any |= w.u[i];
        armscribe_store32(r + 4 * i, w.u[i]);
    }
    armscribe_wipe(&w, sizeof w);
    armscribe_wipe_stack();
    return ~armscribe_mask_nonzero(any);
}

int armscribe_x25519(uint8_t shared[ARMSCRIBE_X25519_BYTES],
                     const uint8_t secret_key[ARMSCRIBE_X25519_BYTES],
                     const uint8_t peer_key[ARMSCRIBE_X25519_BYTES])
{
    if (shared == NULL || secret_key == NULL || peer_key == NULL) {
        armscribe_clear(shared, ARMSCRIBE_X25519_BYTES);
        return ARMSCRIBE_ERROR_ARGUMENT;
    }
    return (int)(scalarmult(shared, secret_key, peer_key) & ARMSCRIBE_ERROR_X25519_ZERO);
}

int armscribe_x25519_public(uint8_t public_key[ARMSCRIBE_X25519_BYTES],
                            const uint8_t secret_key[ARMSCRIBE_X25519_BYTES])
{
    static const uint8_t base[ARMSCRIBE_X25519_BYTES] = {9}; /* RFC 7748, section 4.1 */

    if (public_key == NULL || secret_key == NULL) {
        armscribe_clear(public_key, ARMSCRIBE_X25519_BYTES);
        return ARMSCRIBE_ERROR_ARGUMENT;
    }
    (void)scalarmult(public_key, secret_key, base);
    return ARMSCRIBE_OK;
}

int armscribe_x25519_keygen(uint8_t public_key[ARMSCRIBE_X25519_BYTES],
                            uint8_t secret_key[ARMSCRIBE_X25519_BYTES], armscribe_rng rng,
                            void *rng_ctx)
{
    const armscribe_buffer b[] = {{public_key, ARMSCRIBE_X25519_BYTES},
                                  {secret_key, ARMSCRIBE_X25519_BYTES}};
    int result = rng == NULL ? ARMSCRIBE_ERROR_ARGUMENT : armscribe_judge(b, 2, 2);

    if (result == ARMSCRIBE_OK && rng(rng_ctx, secret_key, ARMSCRIBE_X25519_BYTES) != 0) {
        result = ARMSCRIBE_ERROR_RNG;
    }
    if (result != ARMSCRIBE_OK) {
        armscribe_clear(public_key, ARMSCRIBE_X25519_BYTES);
        armscribe_clear(secret_key, ARMSCRIBE_X25519_BYTES);
        return result;
    }
    return armscribe_x25519_public(public_key, secret_key);
}

#endif
