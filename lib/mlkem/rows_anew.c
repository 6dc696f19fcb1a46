/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLKEM) && defined(ARMSCRIBE_SMALL)

#include <string.h>

#include "routines.h"
#include "rows.h"

/* One half of w->u for the operand that is sampled, unpacked or read, the other for the vector's
 * polynomial; each serves while the other is made. */
static int16_t *entry_of(armscribe_mlkem_work *w)
{
    return w->u.coeff;
}

static int16_t *vector_of(armscribe_mlkem_work *w)
{
    return &w->u.coeff[MLKEM_N];
}

/* Polynomial j of the vector. */
static void sample_vector(armscribe_mlkem_work *w, const armscribe_mlkem_set *set, unsigned j)
{
    armscribe_mlkem_sample_noise(w, vector_of(w), w->u.bytes, j, set->eta1);
    mlkem_ntt(vector_of(w), MLKEM_NTT_ZETAS);
}

/* Product j of a sum, of both halves. */
static void multiply(armscribe_mlkem_work *w, unsigned j)
{
    if (j == 0) {
        mlkem_basemul(w->a.coeff, entry_of(w), vector_of(w), MLKEM_MUL_ZETAS);
    } else {
        mlkem_basemul_acc(w->a.coeff, entry_of(w), vector_of(w), MLKEM_MUL_ZETAS);
    }
}

void armscribe_mlkem_prepare(armscribe_mlkem_work *w, const armscribe_mlkem_set *set)
{
    (void)w;
    (void)set;
}

/* Adds entry (i, j) times the vector's polynomial j, as the entry's coefficients come. */
static void multiply_entry(armscribe_mlkem_work *w, const armscribe_mlkem_matrix *m, unsigned i,
                           unsigned j)
{
    uint32_t left = MLKEM_N / 2;
    uint32_t held = MLKEM_Q;

    armscribe_mlkem_begin_entry(w, m, i, j);
    while (left > 0) {
        const size_t at = MLKEM_N - 2 * left;

        armscribe_sponge_squeeze(&w->hash, m->block, ARMSCRIBE_SHAKE128_RATE);
        left = mlkem_sample_mul_acc(&w->a.coeff[at], &vector_of(w)[at], left, held, m->block,
                                    ARMSCRIBE_SHAKE128_RATE, MLKEM_MUL_ZETAS);
        held = left >> 16;
        left &= 0xffff;
    }
}

void armscribe_mlkem_multiply_row(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                  const armscribe_mlkem_matrix *m, unsigned i)
{
    memset(w->a.coeff, 0, sizeof w->a.coeff);
    for (unsigned j = 0; j < set->k; j++) {
        sample_vector(w, set, j);
        multiply_entry(w, m, i, j);
    }
}

void armscribe_mlkem_multiply_key(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                  const uint8_t *ek)
{
    for (unsigned j = 0; j < set->k; j++, ek += MLKEM_POLY_BYTES) {
        sample_vector(w, set, j);
        armscribe_mlkem_frombytes(entry_of(w), ek);
        multiply(w, j);
    }
}

void armscribe_mlkem_encode_vector(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                   uint8_t *dk)
{
    for (unsigned j = 0; j < set->k; j++, dk += MLKEM_POLY_BYTES) {
        sample_vector(w, set, j);
        armscribe_mlkem_encode(dk, vector_of(w));
    }
}

void armscribe_mlkem_multiply_ciphertext(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                         const uint8_t *dk, const uint8_t *ct)
{
    for (unsigned j = 0; j < set->k; j++, dk += MLKEM_POLY_BYTES) {
        armscribe_mlkem_decompress(vector_of(w), ct, set->du);
        mlkem_ntt(vector_of(w), MLKEM_NTT_ZETAS);
        armscribe_mlkem_frombytes(entry_of(w), dk);
        multiply(w, j);
        ct += MLKEM_COMPRESSED_BYTES(set->du);
    }
}

#endif
