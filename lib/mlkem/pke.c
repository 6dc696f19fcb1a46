/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLKEM)

#include "pke.h"

#include <string.h>

#include "../common/ct.h"
#include "routines.h"

/* A matrix as it is sampled: A of rho or its transpose, through a block of 168 bytes. */
typedef struct {
    const uint8_t *rho;
    uint8_t *block;
    unsigned k;
    int transposed;
} matrix;

/* SampleNTT (algorithm 7) of rho || first || second, into w->a. Takes time by rho, which is public.
 */
static void sample_matrix(armscribe_mlkem_work *w, const matrix *m, unsigned first, unsigned second)
{
    const uint8_t place[2] = {(uint8_t)first, (uint8_t)second};
    uint32_t n = 0;

    armscribe_shake_init(&w->hash, ARMSCRIBE_SHAKE128_RATE);
    armscribe_sha3_absorb(&w->hash, m->rho, 32);
    armscribe_sha3_absorb(&w->hash, place, sizeof place);
    while (n < MLKEM_N) {
        armscribe_sha3_squeeze(&w->hash, m->block, ARMSCRIBE_SHAKE128_RATE);
        n += mlkem_rej_uniform(&w->a.coeff[n], MLKEM_N - n, m->block, ARMSCRIBE_SHAKE128_RATE);
    }
}

/* SamplePolyCBD_eta(PRF_eta(w->coins, nonce)) (4.1, algorithm 8). r may be w->u.coeff. */
static void sample_noise(armscribe_mlkem_work *w, int16_t r[MLKEM_N], unsigned nonce, unsigned eta)
{
    const uint8_t n = (uint8_t)nonce;
    uint8_t *bytes = &w->u.bytes[2 * MLKEM_N];

    armscribe_shake_init(&w->hash, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sha3_absorb(&w->hash, w->coins, 32);
    armscribe_sha3_absorb(&w->hash, &n, 1);
    armscribe_sha3_squeeze(&w->hash, bytes, (size_t)64 * eta);
    armscribe_mlkem_noise(r, bytes, eta);
}

/* The secret vector: noise with nonces 0 .. k-1 in the NTT domain, and its cache. */
static void sample_vector(armscribe_mlkem_work *w, const armscribe_mlkem_set *set)
{
    for (unsigned i = 0; i < set->k; i++) {
        int16_t *s = armscribe_mlkem_vector(w)[i].coeff;

        sample_noise(w, s, i, set->eta1);
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

/* The same with the entry read from 384 bytes. */
static void multiply_bytes(armscribe_mlkem_work *w, const int16_t b[MLKEM_N], const uint8_t *bytes,
                           unsigned j, unsigned k)
{
    if (j == 0) {
        mlkem_frombytes_mul_16_32(w->u.sum, b, bytes, MLKEM_MUL_ZETAS);
    } else if (j < k - 1) {
        mlkem_frombytes_mul_acc_32_32(w->u.sum, b, bytes, MLKEM_MUL_ZETAS);
    } else {
        mlkem_frombytes_mul_acc_32_16(w->a.coeff, b, bytes, MLKEM_MUL_ZETAS, w->u.sum);
    }
}

/* Row i of the matrix times the vector, into w->a, with basemul's factor. */
static void multiply_row(armscribe_mlkem_work *w, const matrix *m, unsigned i)
{
    for (unsigned j = 0; j < m->k; j++) {
        /* Entry (i, j) of A is sampled from rho || j || i (algorithm 13, line 5). */
        sample_matrix(w, m, m->transposed ? i : j, m->transposed ? j : i);
        multiply_entry(w, j, m->k);
    }
}

/* ByteEncode_12 of any polynomial, which becomes canonical. */
static void encode(uint8_t *out, int16_t a[MLKEM_N])
{
    mlkem_reduce(a);
    armscribe_mlkem_tobytes(out, a);
}

void armscribe_mlkem_pke_keygen(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                uint8_t *ek, uint8_t *dk, const uint8_t d[32])
{
    const unsigned k = set->k;
    uint8_t *rho = &ek[(size_t)MLKEM_POLY_BYTES * k];
    matrix m = {rho, ek, k, 0};

    armscribe_sha3_init(&w->hash, ARMSCRIBE_SHA3_512_BYTES); /* (rho, sigma) = G(d || k) */
    armscribe_sha3_absorb(&w->hash, d, 32);
    armscribe_sha3_absorb(&w->hash, &set->k, 1);
    armscribe_sha3_squeeze(&w->hash, rho, 32);
    armscribe_sha3_squeeze(&w->hash, w->coins, 32);

    sample_vector(w, set);
    for (unsigned i = 0; i < k; i++) {
        int16_t *e = w->u.coeff;

        m.block = &ek[(size_t)MLKEM_POLY_BYTES * i]; /* both are public, and this comes later */
        multiply_row(w, &m, i);
        mlkem_tomont(w->a.coeff);
        sample_noise(w, e, k + i, set->eta1);
        mlkem_ntt(e, MLKEM_NTT_ZETAS);
        mlkem_add(w->a.coeff, e, w->a.coeff);
        encode(m.block, w->a.coeff);
    }
    for (unsigned i = 0; i < k; i++) {
        encode(&dk[(size_t)MLKEM_POLY_BYTES * i], armscribe_mlkem_vector(w)[i].coeff);
    }
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
    sample_noise(w, w->u.coeff, nonce, MLKEM_ETA2);
    mlkem_add(w->a.coeff, w->a.coeff, w->u.coeff);
}

void armscribe_mlkem_pke_encrypt(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                 const uint8_t *ek, armscribe_mlkem_sink *sink)
{
    const unsigned k = set->k;
    armscribe_mlkem_capsule *inside = armscribe_mlkem_inside(w, k);
    const matrix m = {&ek[(size_t)MLKEM_POLY_BYTES * k], inside->block, k, 1};

    sample_vector(w, set);
    for (unsigned i = 0; i < k; i++) {
        multiply_row(w, &m, i);
        finish_row(w, k + i);
        put(w, sink, set->du);
    }
    for (unsigned j = 0; j < k; j++) {
        multiply_bytes(w, armscribe_mlkem_vector(w)[j].coeff, &ek[(size_t)MLKEM_POLY_BYTES * j], j,
                       k);
    }
    finish_row(w, 2 * k);
    armscribe_mlkem_add_message(w->a.coeff, inside->message);
    put(w, sink, set->dv);
}

void armscribe_mlkem_pke_decrypt(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                 const uint8_t *dk, const uint8_t *ct)
{
    const unsigned k = set->k;
    const size_t u_bytes = MLKEM_COMPRESSED_BYTES(set->du);
    int16_t *u = armscribe_mlkem_vector(w)[0].coeff;
    int16_t *v = armscribe_mlkem_vector(w)[1].coeff;

    for (unsigned j = 0; j < k; j++) {
        armscribe_mlkem_decompress(u, &ct[u_bytes * j], set->du);
        mlkem_ntt(u, MLKEM_NTT_ZETAS);
        multiply_bytes(w, u, &dk[(size_t)MLKEM_POLY_BYTES * j], j, k);
    }
    mlkem_invntt(w->a.coeff, MLKEM_INVNTT_ZETAS);
    armscribe_mlkem_decompress(v, &ct[u_bytes * k], set->dv);
    /* s * u - v in place of v - s * u, as mlkem_sub wants the larger range first: Compress_1 is even, since q is odd. */
    mlkem_sub(w->a.coeff, w->a.coeff, v);
    mlkem_reduce(w->a.coeff);
    armscribe_mlkem_to_message(armscribe_mlkem_inside(w, k)->message, w->a.coeff);
}

#endif
