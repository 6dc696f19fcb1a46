/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLKEM) && defined(ARMSCRIBE_SMALL)

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

void armscribe_mlkem_multiply_row(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                  const armscribe_mlkem_matrix *m, unsigned i)
{
    for (unsigned j = 0; j < set->k; j++) {
        sample_vector(w, set, j);
        armscribe_mlkem_sample_matrix(w, entry_of(w), m, i, j);
        multiply(w, j);
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
