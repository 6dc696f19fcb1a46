/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * K-PKE's products with a vector: where it is kept (rows_kept.c), or with ARMSCRIBE_SMALL sampled anew
 * each time it is needed (rows_anew.c). The vector is the noise of w->coins with nonces 0 to k - 1, in
 * the NTT domain. Sums of products stand in w->a and have basemul's factor; w->u is overwritten.
 */
#ifndef ARMSCRIBE_MLKEM_ROWS_H
#define ARMSCRIBE_MLKEM_ROWS_H

#include "pke.h"

/* A matrix as it is sampled: A of rho or its transpose, through a block of 168 bytes at a multiple of four. */
typedef struct {
    const uint8_t *rho;
    uint8_t *block;
    int transposed;
} armscribe_mlkem_matrix;

/* w->hash is to squeeze what entry (i, j) is sampled from (SampleNTT, algorithm 7). That takes time by rho, which is
 * public. */
void armscribe_mlkem_begin_entry(armscribe_mlkem_work *w, const armscribe_mlkem_matrix *m,
                                 unsigned i, unsigned j);

/* SamplePolyCBD_eta(PRF_eta(w->coins, nonce)) (4.1, algorithm 8) by way of 64*eta bytes. */
void armscribe_mlkem_sample_noise(armscribe_mlkem_work *w, int16_t r[MLKEM_N], uint8_t *bytes,
                                  unsigned nonce, unsigned eta);

/* ByteEncode_12 of any polynomial, which becomes canonical. */
void armscribe_mlkem_encode(uint8_t out[MLKEM_POLY_BYTES], int16_t a[MLKEM_N]);

/* Before any product with the vector. */
void armscribe_mlkem_prepare(armscribe_mlkem_work *w, const armscribe_mlkem_set *set);

/* Row i of the matrix times the vector. */
void armscribe_mlkem_multiply_row(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                  const armscribe_mlkem_matrix *m, unsigned i);

/* t of an encapsulation key times the vector. */
void armscribe_mlkem_multiply_key(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                  const uint8_t *ek);

/* ByteEncode_12 of the vector, after which it is gone. */
void armscribe_mlkem_encode_vector(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                   uint8_t *dk);

/* s of a decapsulation key times u of a ciphertext. */
void armscribe_mlkem_multiply_ciphertext(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                         const uint8_t *dk, const uint8_t *ct);

#endif
