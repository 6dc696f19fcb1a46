/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* K-PKE, the encryption under ML-KEM (FIPS 203, section 5), for all three parameter sets. */
#ifndef ARMSCRIBE_MLKEM_PKE_H
#define ARMSCRIBE_MLKEM_PKE_H

#include <stddef.h>
#include <stdint.h>

#include "../keccak/sponge.h"
#include "armscribe/mlkem.h"
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
 * The caller's work space, secrets included: this, unless it is sampled anew each time the secret
 * vector and its cache, 2 * k polynomials, and if something is encrypted an armscribe_mlkem_capsule.
 */
typedef struct {
    union {
        int32_t sum[MLKEM_N];       /* 32-bit sums of the products of a row */
        int16_t coeff[2 * MLKEM_N]; /* between rows: a polynomial, and in the upper half ... */
        uint8_t bytes[4 * MLKEM_N]; /* ... bytes to make noise of */
    } u;
    armscribe_mlkem_poly a;  /* matrix entry, then what becomes of its row */
    armscribe_sha3_ctx hash; /* the only sponge */
    uint8_t coins[32];       /* sigma or r, of which noise is made */
} armscribe_mlkem_work;

typedef struct {
    uint8_t
        block[ARMSCRIBE_SHAKE128_RATE]; /* output of the sponge that the matrix is sampled from */
    uint8_t key[32];                    /* K */
    uint8_t message[32];                /* m or m' */
} armscribe_mlkem_capsule;

/* The secret vector, s or r in the NTT domain; its mulcache; what follows. */
static inline armscribe_mlkem_poly *armscribe_mlkem_vector(armscribe_mlkem_work *w)
{
    return (armscribe_mlkem_poly *)(void *)(w + 1);
}

static inline armscribe_mlkem_poly *armscribe_mlkem_cache(armscribe_mlkem_work *w, unsigned k)
{
    return armscribe_mlkem_vector(w) + k;
}

static inline armscribe_mlkem_capsule *armscribe_mlkem_inside(armscribe_mlkem_work *w, unsigned k)
{
    return (armscribe_mlkem_capsule *)(void *)((uint8_t *)w + ARMSCRIBE_MLKEM_KEYGEN(k));
}

/* Where a ciphertext goes: to out, or nowhere but compared with expected (then out is NULL). */
typedef struct {
    uint8_t *out;
    const uint8_t *expected;
    uint32_t differ; /* not zero once a byte differed from expected */
} armscribe_mlkem_sink;

/* K-PKE.KeyGen (algorithm 13) of d. Writes 384*k + 32 bytes at ek and the 384*k bytes of s at dk. */
void armscribe_mlkem_pke_keygen(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                uint8_t *ek, uint8_t *dk, const uint8_t d[32]);

/* K-PKE.Encrypt (algorithm 14) of the message in the work space with the randomness w->coins. */
void armscribe_mlkem_pke_encrypt(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                 const uint8_t *ek, armscribe_mlkem_sink *sink);

/* K-PKE.Decrypt (algorithm 15) of ct with the 384*k bytes at dk, into the message in the work space. */
void armscribe_mlkem_pke_decrypt(armscribe_mlkem_work *w, const armscribe_mlkem_set *set,
                                 const uint8_t *dk, const uint8_t *ct);

#endif
