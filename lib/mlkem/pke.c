/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLKEM)

#include "pke.h"

#include <string.h>

#include "../common/ct.h"
#include "../common/declassify.h"
#include "routines.h"
#include "rows.h"

/* The first multiple of four from p on. */
static uint8_t *word_aligned(uint8_t *p)
{
    return p + ((0U - (uintptr_t)p) & 3U);
}

void armscribe_mlkem_pke_keygen(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                uint8_t *ek, uint8_t *dk, const uint8_t d[32])
{
    const unsigned k = set->k;
    uint8_t *rho = &ek[(size_t)MLKEM_POLY_BYTES * k];
    armscribe_mlkem_matrix m = {rho, ek, 0};

    armscribe_sponge_sha3(&w->hash, ARMSCRIBE_SHA3_512_BYTES); /* (rho, sigma) = G(d || k) */
    armscribe_sponge_absorb(&w->hash, d, 32);
    armscribe_sponge_absorb(&w->hash, &set->k, 1);
    armscribe_sponge_squeeze(&w->hash, rho, 32);
    ARMSCRIBE_DECLASSIFY("rho", rho, 32);
    armscribe_sponge_squeeze(&w->hash, w->coins, 32);

    armscribe_mlkem_prepare(w, set);
    for (unsigned i = 0; i < k; i++) {
        int16_t *e = w->u.coeff;

        m.block = word_aligned(&ek[(size_t)MLKEM_POLY_BYTES * i]); /* public, and filled later */
        armscribe_mlkem_multiply_row(w, set, &m, i);
        mlkem_tomont(w->a.coeff);
        armscribe_mlkem_sample_noise(w, e, &w->u.bytes[2 * MLKEM_N], k + i, set->eta1);
        mlkem_ntt(e, MLKEM_NTT_ZETAS);
        mlkem_add(w->a.coeff, e, w->a.coeff);
        armscribe_mlkem_encode(&ek[(size_t)MLKEM_POLY_BYTES * i], w->a.coeff);
    }
    armscribe_mlkem_encode_vector(w, set, dk);
}

/* Sends the next part of the ciphertext, w->a compressed to d bits, on its way. */
static void put(armscribe_mlkem_work *w, armscribe_mlkem_sink *sink, unsigned d)
{
    const size_t n = MLKEM_COMPRESSED_BYTES(d);
    uint8_t *bytes = (uint8_t *)w->a.coeff;

    mlkem_reduce(w->a.coeff);
    armscribe_mlkem_compress(bytes, w->a.coeff, d);
    if (sink->out != NULL) {
        memcpy(sink->out, bytes, n);
        sink->out += n;
    } else {
        sink->differ |= armscribe_differ(bytes, sink->expected, n);
        sink->expected += n;
    }
}

/* A row of the ciphertext: w->a out of the NTT domain, plus noise. */
static void finish_row(armscribe_mlkem_work *w, unsigned nonce)
{
    mlkem_invntt(w->a.coeff, MLKEM_INVNTT_ZETAS);
    armscribe_mlkem_sample_noise(w, w->u.coeff, &w->u.bytes[2 * MLKEM_N], nonce, MLKEM_ETA2);
    mlkem_add(w->a.coeff, w->a.coeff, w->u.coeff);
}

void armscribe_mlkem_pke_encrypt(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                 const uint8_t *ek, armscribe_mlkem_sink *sink)
{
    const unsigned k = set->k;
    armscribe_mlkem_capsule *inside = armscribe_mlkem_inside(w, k);
    const armscribe_mlkem_matrix m = {&ek[(size_t)MLKEM_POLY_BYTES * k], inside->block, 1};

    armscribe_mlkem_prepare(w, set);
    for (unsigned i = 0; i < k; i++) {
        armscribe_mlkem_multiply_row(w, set, &m, i);
        finish_row(w, k + i);
        put(w, sink, set->du);
    }
    armscribe_mlkem_multiply_key(w, set, ek);
    finish_row(w, 2 * k);
    armscribe_mlkem_add_message(w->a.coeff, inside->message);
    put(w, sink, set->dv);
}

void armscribe_mlkem_pke_decrypt(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                 const uint8_t *dk, const uint8_t *ct)
{
    int16_t *v = w->u.coeff;

    armscribe_mlkem_multiply_ciphertext(w, set, dk, ct);
    mlkem_invntt(w->a.coeff, MLKEM_INVNTT_ZETAS);
    armscribe_mlkem_decompress(v, &ct[MLKEM_COMPRESSED_BYTES((size_t)set->du * set->k)], set->dv);
    /* s * u - v in place of v - s * u, as mlkem_sub wants the larger range first: Compress_1 is even, since q is odd. */
    mlkem_sub(w->a.coeff, w->a.coeff, v);
    mlkem_reduce(w->a.coeff);
    armscribe_mlkem_to_message(armscribe_mlkem_inside(w, set->k)->message, w->a.coeff);
}

#endif
