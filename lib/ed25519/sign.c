/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_ED25519_SIGN)

#include "../common/bytes.h"
#include "../common/judge.h"
#include "armscribe/ed25519.h"
#include "armscribe_backend.h"
#include "armscribe_routines.h"
#include "message.h"
#include "secret.h"

/* RFC 8032, section 5.1.6. */
static int sign(uint8_t signature[64], const armscribe_ed25519_message *m, const uint8_t key[64])
{
    const int result = armscribe_ed25519_judge(m, signature, 1, key, ARMSCRIBE_ED25519_KEY_BYTES);
    armscribe_ed25519_secret w;

    if (result != ARMSCRIBE_OK) {
        armscribe_clear(signature, ARMSCRIBE_ED25519_SIGNATURE_BYTES);
        return result;
    }
    armscribe_ed25519_expand(&w, key);
    armscribe_ed25519_hash(w.digest, &w.hash, m, w.expanded + 32, NULL);
    armscribe_sc_reduce(w.r, w.digest, &w.w.sc);
    armscribe_ed25519_base_times(&w, w.r);
    armscribe_ge_encode(signature, &w.point, &w.w.ge);
    armscribe_ed25519_hash(w.digest, &w.hash, m, signature, key + 32);
    armscribe_sc_reduce(w.k, w.digest, &w.w.sc);
    sc25519_muladd(w.s, w.k, w.a, w.r);
    for (unsigned i = 0; i < 8; i++) {
        armscribe_store32(signature + 32 + 4 * i, w.s[i]);
    }
    armscribe_ed25519_forget(&w);
    return ARMSCRIBE_OK;
}

int armscribe_ed25519_sign(uint8_t signature[ARMSCRIBE_ED25519_SIGNATURE_BYTES],
                           const uint8_t *message, size_t n,
                           const uint8_t key[ARMSCRIBE_ED25519_KEY_BYTES])
{
    const armscribe_ed25519_message m = {message, n, NULL, 0, -1};

    return sign(signature, &m, key);
}

int armscribe_ed25519ctx_sign(uint8_t signature[ARMSCRIBE_ED25519_SIGNATURE_BYTES],
                              const uint8_t *message, size_t n, const uint8_t *context,
                              size_t context_n, const uint8_t key[ARMSCRIBE_ED25519_KEY_BYTES])
{
    const armscribe_ed25519_message m = {message, n, context, context_n, 0};

    return sign(signature, &m, key);
}

int armscribe_ed25519ph_sign(uint8_t signature[ARMSCRIBE_ED25519_SIGNATURE_BYTES],
                             const uint8_t digest[ARMSCRIBE_ED25519_DIGEST_BYTES],
                             const uint8_t *context, size_t context_n,
                             const uint8_t key[ARMSCRIBE_ED25519_KEY_BYTES])
{
    const armscribe_ed25519_message m = {digest, ARMSCRIBE_ED25519_DIGEST_BYTES, context, context_n,
                                         1};

    return sign(signature, &m, key);
}

#endif
