/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_ED25519_KEYGEN)

#include <string.h>

#include "../common/judge.h"
#include "armscribe/ed25519.h"
#include "armscribe/wipe.h"
#include "secret.h"

int armscribe_ed25519_keygen_derand(uint8_t key[ARMSCRIBE_ED25519_KEY_BYTES],
                                    const uint8_t seed[ARMSCRIBE_ED25519_SEED_BYTES])
{
    armscribe_ed25519_secret w;

    if (key == NULL || seed == NULL) {
        armscribe_clear(key, ARMSCRIBE_ED25519_KEY_BYTES);
        return ARMSCRIBE_ERROR_ARGUMENT;
    }
    memmove(key, seed, ARMSCRIBE_ED25519_SEED_BYTES);
    armscribe_ed25519_expand(&w, key);
    armscribe_ed25519_base_times(&w, w.a);
    armscribe_ge_encode(key + 32, &w.point, &w.w.ge);
    armscribe_ed25519_forget(&w);
    return ARMSCRIBE_OK;
}

int armscribe_ed25519_keygen(uint8_t key[ARMSCRIBE_ED25519_KEY_BYTES], armscribe_rng rng,
                             void *rng_ctx)
{
    if (key == NULL || rng == NULL) {
        armscribe_clear(key, ARMSCRIBE_ED25519_KEY_BYTES);
        return ARMSCRIBE_ERROR_ARGUMENT;
    }
    if (rng(rng_ctx, key, ARMSCRIBE_ED25519_SEED_BYTES) != 0) {
        armscribe_wipe(key, ARMSCRIBE_ED25519_KEY_BYTES);
        return ARMSCRIBE_ERROR_RNG;
    }
    return armscribe_ed25519_keygen_derand(key, key);
}

#endif
