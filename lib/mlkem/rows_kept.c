/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLKEM) && !defined(ARMSCRIBE_SMALL)

#include <string.h>

#include "routines.h"
#include "rows.h"

void armscribe_mlkem_prepare(armscribe_mlkem_work *w, const armscribe_mlkem_set *set)
{
    for (unsigned i = 0; i < set->k; i++) {
        int16_t *s = armscribe_mlkem_vector(w)[i].coeff;

        armscribe_mlkem_sample_noise(w, s, w->u.bytes, i, set->eta1);
        mlkem_ntt(s, MLKEM_NTT_ZETAS);
        mlkem_mulcache(armscribe_mlkem_cache(w, set->k)[i].coeff, s, MLKEM_MUL_ZETAS);
    }
}

/* Entry j of a row: w->u.sum += w->a * vector[j]; the last one leaves the row's sum in w->a. */
static void multiply_entry(armscribe_mlkem_work *w, unsigned j, unsigned k)
{
    const int16_t *b = armscribe_mlkem_vector(w)[j].coeff;
    const int16_t *c = armscribe_mlkem_cache(w, k)[j].coeff;

    if (j == 0) {
        mlkem_basemul_16_32(w->u.sum, w->a.coeff, b, c);
    } else if (j < k - 1) {
        mlkem_basemul_acc_32_32(w->u.sum, w->a.coeff, b, c);
    } else {
        mlkem_basemul_acc_32_16(w->a.coeff, w->a.coeff, b, c, w->u.sum);
    }
}

/* w->a is entry (i, j). */
static void sample_entry(armscribe_mlkem_work *w, const armscribe_mlkem_matrix *m, unsigned i,
                         unsigned j)
{
    uint32_t n = 0;

    armscribe_mlkem_begin_entry(w, m, i, j);
    while (n < MLKEM_N) {
        armscribe_sponge_squeeze(&w->hash, m->block, ARMSCRIBE_SHAKE128_RATE);
        n += mlkem_rej_uniform(&w->a.coeff[n], MLKEM_N - n, m->block, ARMSCRIBE_SHAKE128_RATE);
    }
}

void armscribe_mlkem_multiply_row(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                  const armscribe_mlkem_matrix *m, unsigned i)
{
    for (unsigned j = 0; j < set->k; j++) {
        sample_entry(w, m, i, j);
        multiply_entry(w, j, set->k);
    }
}

/* The same with the entry read from 384 bytes, which the routines want aligned: else by way of the
 * cache, which no product needs any more. */
static void multiply_bytes(armscribe_mlkem_work *w, const int16_t b[MLKEM_N], const uint8_t *bytes,
                           unsigned j, unsigned k)
{
    if (((uintptr_t)bytes & 3U) != 0) {
        uint8_t *copy = (uint8_t *)armscribe_mlkem_cache(w, k);

        memcpy(copy, bytes, MLKEM_POLY_BYTES);
        bytes = copy;
    }
    if (j == 0) {
        mlkem_frombytes_mul_16_32(w->u.sum, b, bytes, MLKEM_MUL_ZETAS);
    } else if (j < k - 1) {
        mlkem_frombytes_mul_acc_32_32(w->u.sum, b, bytes, MLKEM_MUL_ZETAS);
    } else {
        mlkem_frombytes_mul_acc_32_16(w->a.coeff, b, bytes, MLKEM_MUL_ZETAS, w->u.sum);
    }
}

void armscribe_mlkem_multiply_key(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                  const uint8_t *ek)
{
    for (unsigned j = 0; j < set->k; j++, ek += MLKEM_POLY_BYTES) {
        multiply_bytes(w, armscribe_mlkem_vector(w)[j].coeff, ek, j, set->k);
    }
}

void armscribe_mlkem_encode_vector(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                   uint8_t *dk)
{
    for (unsigned j = 0; j < set->k; j++, dk += MLKEM_POLY_BYTES) {
        armscribe_mlkem_encode(dk, armscribe_mlkem_vector(w)[j].coeff);
    }
}

void armscribe_mlkem_multiply_ciphertext(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                         const uint8_t *dk, const uint8_t *ct)
{
    int16_t *u = armscribe_mlkem_vector(w)[0].coeff;

    for (unsigned j = 0; j < set->k; j++, dk += MLKEM_POLY_BYTES) {
        armscribe_mlkem_decompress(u, ct, set->du);
        mlkem_ntt(u, MLKEM_NTT_ZETAS);
        multiply_bytes(w, u, dk, j, set->k);
        ct += MLKEM_COMPRESSED_BYTES(set->du);
    }
}

#endif
