/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* K-PKE, the encryption under ML-KEM (FIPS 203, section 5), for all three parameter sets. */
#ifndef ARMSCRIBE_MLKEM_PKE_H
#define ARMSCRIBE_MLKEM_PKE_H

#include <stddef.h>
#include <stdint.h>

#include "armscribe/sha3.h"
#include "poly.h"

/* FIPS 203, table 2; eta2 is 2 in every set. */
typedef struct {
    uint8_t k;
    uint8_t eta1;
    uint8_t du;
    uint8_t dv;
} armscribe_mlkem_set;

#define MLKEM_ETA2 2U

typedef struct {
    int16_t coeff[MLKEM_N];
} armscribe_mlkem_poly;

/*
 * All that an operation keeps on the stack, secrets included: one object, erased in one place. The
 * vectors of k polynomials stand outside, behind the pointers, so that a set pays for its own k.
 */
typedef struct {
    union {
        int32_t sum[MLKEM_N];       /* 32-bit sums of the products of a row */
        int16_t coeff[2 * MLKEM_N]; /* between rows: a polynomial, and in the upper half ... */
        uint8_t bytes[4 * MLKEM_N]; /* ... bytes to make noise of */
    } u;
    armscribe_mlkem_poly a;                 /* matrix entry, then what becomes of its row */
    armscribe_sha3_ctx hash;                /* the only sponge */
    uint8_t block[ARMSCRIBE_SHAKE128_RATE]; /* its output while the matrix is sampled */
    uint8_t seed[64];                       /* (rho, sigma) or (K, r) */
    uint8_t message[32];                    /* m or m' */
    armscribe_mlkem_poly *vector;           /* k polynomials: s or r, in the NTT domain */
    armscribe_mlkem_poly *cache;            /* their mulcache */
} armscribe_mlkem_work;

/* Where a ciphertext goes: to out, or nowhere but compared with expected (then out is NULL). */
typedef struct {
    uint8_t *out;
    const uint8_t *expected;
    uint32_t differ; /* not zero once a byte differed from expected */
} armscribe_mlkem_sink;

/* K-PKE.KeyGen (algorithm 13) of w->message = d. Writes 384*k + 32 bytes at ek and the 384*k bytes
 * of s at dk. */
void armscribe_mlkem_pke_keygen(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                uint8_t *ek, uint8_t *dk);

/* K-PKE.Encrypt (algorithm 14) of w->message with the randomness w->seed[32..63]. */
void armscribe_mlkem_pke_encrypt(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                 const uint8_t *ek, armscribe_mlkem_sink *sink);

/* K-PKE.Decrypt (algorithm 15) of ct with the 384*k bytes at dk, into w->message. */
void armscribe_mlkem_pke_decrypt(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                 const uint8_t *dk, const uint8_t *ct);

#endif
