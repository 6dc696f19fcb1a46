/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLKEM)

#include "kem.h"

#include <string.h>

#include "../common/ct.h"

static size_t vector_bytes(const armscribe_mlkem_set *set)
{
    return (size_t)MLKEM_POLY_BYTES * set->k;
}

size_t armscribe_mlkem_ek_bytes(const armscribe_mlkem_set *set)
{
    return vector_bytes(set) + 32;
}

size_t armscribe_mlkem_dk_bytes(const armscribe_mlkem_set *set)
{
    return 2 * vector_bytes(set) + 96;
}

size_t armscribe_mlkem_ct_bytes(const armscribe_mlkem_set *set)
{
    return MLKEM_COMPRESSED_BYTES((size_t)set->du * set->k + set->dv);
}

int armscribe_mlkem_check_ek(const armscribe_mlkem_set *set, const uint8_t *ek, size_t ek_n)
{
    if (ek_n != armscribe_mlkem_ek_bytes(set)) {
        return ARMSCRIBE_ERROR_EK_LENGTH;
    }
    if (ek == NULL) {
        return ARMSCRIBE_ERROR_ARGUMENT;
    }
    for (const uint8_t *end = ek + vector_bytes(set); ek < end; ek += 3) {
        const uint32_t pair = (uint32_t)ek[0] | ((uint32_t)ek[1] << 8) | ((uint32_t)ek[2] << 16);

        if ((pair & 0xfff) >= MLKEM_Q || (pair >> 12) >= MLKEM_Q) {
            return ARMSCRIBE_ERROR_EK_MODULUS;
        }
    }
    return ARMSCRIBE_OK;
}

/* H of an encapsulation key. */
static void hash_key(armscribe_sha3_ctx *hash, uint8_t digest[32], const uint8_t *ek, size_t ek_n)
{
    armscribe_sponge_sha3(hash, ARMSCRIBE_SHA3_256_BYTES);
    armscribe_sponge_absorb(hash, ek, ek_n);
    armscribe_sponge_squeeze(hash, digest, ARMSCRIBE_SHA3_256_BYTES);
}

int armscribe_mlkem_check_dk(const armscribe_mlkem_set *set, armscribe_sha3_ctx *hash,
                             const uint8_t *dk, size_t dk_n)
{
    const size_t ek_n = armscribe_mlkem_ek_bytes(set);
    const uint8_t *ek;
    uint8_t digest[32];

    if (dk_n != armscribe_mlkem_dk_bytes(set)) {
        return ARMSCRIBE_ERROR_DK_LENGTH;
    }
    if (dk == NULL) {
        return ARMSCRIBE_ERROR_ARGUMENT;
    }
    ek = dk + vector_bytes(set);
    hash_key(hash, digest, ek, ek_n);
    return memcmp(digest, ek + ek_n, sizeof digest) == 0 ? ARMSCRIBE_OK : ARMSCRIBE_ERROR_DK_HASH;
}

void armscribe_mlkem_keygen(armscribe_mlkem_work *w, const armscribe_mlkem_set *set, uint8_t *ek,
                            uint8_t *dk)
{
    const size_t ek_n = armscribe_mlkem_ek_bytes(set);
    uint8_t *copy = dk + vector_bytes(set);
    uint8_t *d = copy + ek_n; /* then the hash of ek; z stays behind it */

    armscribe_mlkem_pke_keygen(w, set, ek, dk, d);
    memcpy(copy, ek, ek_n);
    hash_key(&w->hash, d, ek, ek_n);
}

/* (K, r) = G(m || h). */
static void derive(armscribe_mlkem_work *w, armscribe_mlkem_capsule *inside, const uint8_t h[32])
{
    armscribe_sponge_sha3(&w->hash, ARMSCRIBE_SHA3_512_BYTES);
    armscribe_sponge_absorb(&w->hash, inside->message, 32);
    armscribe_sponge_absorb(&w->hash, h, 32);
    armscribe_sponge_squeeze(&w->hash, inside->key, 32);
    armscribe_sponge_squeeze(&w->hash, w->coins, 32);
}

void armscribe_mlkem_encaps(armscribe_mlkem_work *w, const armscribe_mlkem_set *set, uint8_t *ct,
                            uint8_t ss[32], const uint8_t *ek)
{
    armscribe_mlkem_capsule *inside = armscribe_mlkem_inside(w, set->k);
    armscribe_mlkem_sink sink = {NULL, NULL, 0};

    sink.out = ct;
    hash_key(&w->hash, inside->block, ek, armscribe_mlkem_ek_bytes(set));
    derive(w, inside, inside->block);
    memcpy(ss, inside->key, 32);
    armscribe_mlkem_pke_encrypt(w, set, ek, &sink);
}

void armscribe_mlkem_decaps(armscribe_mlkem_work *w, const armscribe_mlkem_set *set, uint8_t ss[32],
                            const uint8_t *ct, const uint8_t *dk)
{
    armscribe_mlkem_capsule *inside = armscribe_mlkem_inside(w, set->k);
    const uint8_t *ek = dk + vector_bytes(set);
    const uint8_t *h = ek + armscribe_mlkem_ek_bytes(set);
    armscribe_mlkem_sink sink = {NULL, NULL, 0};

    sink.expected = ct;
    armscribe_mlkem_pke_decrypt(w, set, dk, ct);
    derive(w, inside, h);
    armscribe_mlkem_pke_encrypt(w, set, ek, &sink);

    armscribe_sponge_shake(&w->hash, ARMSCRIBE_SHAKE256_RATE); /* J(z || c) */
    armscribe_sponge_absorb(&w->hash, h + 32, 32);
    armscribe_sponge_absorb(&w->hash, ct, armscribe_mlkem_ct_bytes(set));
    armscribe_sponge_squeeze(&w->hash, inside->message, 32);
    armscribe_select(inside->key, inside->message, 32, armscribe_mask_nonzero(sink.differ));
    memcpy(ss, inside->key, 32);
}

#endif
