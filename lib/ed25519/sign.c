/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Key generation and signing: everything that touches secrets. */
#include <string.h>

#include "../common/bytes.h"
#include "../common/ct.h"
#include "armscribe/ed25519.h"
#include "armscribe_backend.h"
#include "armscribe_routines.h"
#include "base.h"
#include "message.h"
#include "scalar.h"

#define DIGITS 64

/* All that is secret, in one object that is erased at the end. */
typedef struct {
    armscribe_sha512_ctx hash;
    uint8_t expanded[64]; /* the scalar's bytes and the prefix for nonces */
    uint8_t digest[64];
    uint32_t a[8], r[8], k[8], s[8];
    int8_t digit[DIGITS];
    armscribe_ge point;
    uint32_t multiple[24];
    union {
        armscribe_ge_work ge;
        armscribe_sc_work sc;
    } w;
} work;

/* Digits in base 16 from -8 to 7, the last up to 8, of a number below 2^255. */
static void recode(int8_t digit[DIGITS], const uint32_t k[8])
{
    int carry = 0;

    for (unsigned i = 0; i < DIGITS; i++) {
        const int d = (int)((k[i / 8] >> (4 * (i % 8))) & 15) + carry;

        carry = i < DIGITS - 1 ? (d + 8) >> 4 : 0;
        digit[i] = (int8_t)(d - 16 * carry);
    }
}

/* point = k times the base point: a comb whose columns are added up from the last one. */
static void base_times(work *w, const uint32_t k[8])
{
    recode(w->digit, k);
    armscribe_ge_identity(&w->point);
    for (unsigned column = ED25519_COLUMNS; column-- > 0;) {
        for (unsigned tooth = 0; tooth < ED25519_TEETH; tooth++) {
            fe25519_cmov_table(w->multiple, armscribe_ed25519_base[tooth],
                               w->digit[ED25519_COLUMNS * tooth + column]);
            ge25519_madd(w->point.word, w->multiple);
        }
        for (unsigned i = 0; column > 0 && i < 4; i++) {
            ge25519_double(w->point.word, i == 3);
        }
    }
}

/* The scalar and the prefix of a seed (RFC 8032, section 5.1.5). */
static void expand(work *w, const uint8_t seed[32])
{
    armscribe_sha512_init(&w->hash);
    armscribe_sha512_update(&w->hash, seed, 32);
    armscribe_sha512_final(&w->hash, w->expanded);
    w->expanded[0] &= 248;
    w->expanded[31] = (uint8_t)((w->expanded[31] & 63) | 64);
    for (unsigned i = 0; i < 8; i++) {
        w->a[i] = armscribe_load32(w->expanded + 4 * i);
    }
}

static void finish(work *w)
{
    armscribe_wipe(w, sizeof *w);
    armscribe_wipe_stack();
}

int armscribe_ed25519_keygen_derand(uint8_t key[ARMSCRIBE_ED25519_KEY_BYTES],
                                    const uint8_t seed[ARMSCRIBE_ED25519_SEED_BYTES])
{
    work w;

    memmove(key, seed, ARMSCRIBE_ED25519_SEED_BYTES);
    expand(&w, key);
    base_times(&w, w.a);
    armscribe_ge_encode(key + 32, &w.point, &w.w.ge);
    finish(&w);
    return ARMSCRIBE_OK;
}

int armscribe_ed25519_keygen(uint8_t key[ARMSCRIBE_ED25519_KEY_BYTES], armscribe_rng rng,
                             void *rng_ctx)
{
    if (rng(rng_ctx, key, ARMSCRIBE_ED25519_SEED_BYTES) != 0) {
        armscribe_wipe(key, ARMSCRIBE_ED25519_KEY_BYTES);
        return ARMSCRIBE_ERROR_RNG;
    }
    return armscribe_ed25519_keygen_derand(key, key);
}

/* RFC 8032, section 5.1.6. */
static int sign(uint8_t signature[64], const armscribe_ed25519_message *m, const uint8_t key[64])
{
    work w;

    if (m->context_n > ED25519_CONTEXT_MAX) {
        memset(signature, 0, ARMSCRIBE_ED25519_SIGNATURE_BYTES);
        return ARMSCRIBE_ERROR_ED25519_CONTEXT;
    }
    expand(&w, key);
    armscribe_ed25519_hash(w.digest, &w.hash, m, w.expanded + 32, NULL);
    armscribe_sc_reduce(w.r, w.digest, &w.w.sc);
    base_times(&w, w.r);
    armscribe_ge_encode(signature, &w.point, &w.w.ge);
    armscribe_ed25519_hash(w.digest, &w.hash, m, signature, key + 32);
    armscribe_sc_reduce(w.k, w.digest, &w.w.sc);
    armscribe_sc_muladd(w.s, w.k, w.a, w.r, &w.w.sc);
    for (unsigned i = 0; i < 8; i++) {
        armscribe_store32(signature + 32 + 4 * i, w.s[i]);
    }
    finish(&w);
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
