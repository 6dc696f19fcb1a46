/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * ML-DSA for all three sets, on messages that are already hashed to mu and on work space that the caller provides.
 * Contracts: armscribe/mldsa.h.
 */
#ifndef ARMSCRIBE_MLDSA_DSA_H
#define ARMSCRIBE_MLDSA_DSA_H

#include "armscribe/mldsa.h"
#include "armscribe/sha3.h"
#include "ring.h"

/* FIPS 204, table 1, and what follows from it. */
typedef struct {
    uint8_t k;
    uint8_t l;
    uint8_t eta;
    uint8_t eta_bits; /* of a packed coefficient of s1, s2 */
    uint8_t tau;
    uint8_t beta; /* tau * eta */
    uint8_t omega;
    uint8_t seed_bytes;  /* of the challenge: lambda / 4 */
    uint8_t gamma1_bits; /* of a packed coefficient of z: gamma1 = 2^(gamma1_bits - 1) */
    uint8_t w1_bits;
    int32_t gamma2;
    size_t pk_bytes;
    size_t sk_bytes;
    size_t sig_bytes;
} armscribe_mldsa_set;

typedef struct {
    int32_t coeff[MLDSA_N];
} armscribe_mldsa_poly;

/* What stands first in the work space; polynomials follow. */
typedef struct {
    armscribe_sha3_ctx hash;                /* samples, and hashes in one go */
    armscribe_sha3_ctx w1;                  /* takes the rows of w1 when verifying */
    uint8_t block[ARMSCRIBE_SHAKE128_RATE]; /* its output while polynomials are sampled */
    uint8_t seed[128];                      /* rho, rho', K while keys are made */
    uint8_t mu[64];                         /* the message's representative */
    uint8_t mask[64];                       /* rho'' */
    uint8_t challenge[64];                  /* c~ */
    uint8_t rnd[32];
    uint8_t hint[MLDSA_N / 8];
} armscribe_mldsa_work;

/* ML-DSA.KeyGen_internal (algorithm 6) of the 32 bytes at w->seed. */
void armscribe_mldsa_keygen(armscribe_mldsa_work *w, const armscribe_mldsa_set *set, uint8_t *pk,
                            uint8_t *sk);

/* ML-DSA.Sign_internal (algorithm 7) of w->mu and w->rnd. ARMSCRIBE_OK or ARMSCRIBE_ERROR_MLDSA_ATTEMPTS. */
int armscribe_mldsa_sign(armscribe_mldsa_work *w, const armscribe_mldsa_set *set, uint8_t *sig,
                         const uint8_t *sk);

/* ML-DSA.Verify_internal (algorithm 8) of w->mu. ARMSCRIBE_OK or ARMSCRIBE_ERROR_MLDSA_SIGNATURE. */
int armscribe_mldsa_verify(armscribe_mldsa_work *w, const armscribe_mldsa_set *set,
                           const uint8_t *pk, const uint8_t *sig);

/* The polynomials behind the head of the work space. */
static inline armscribe_mldsa_poly *armscribe_mldsa_polys(armscribe_mldsa_work *w)
{
    return (armscribe_mldsa_poly *)(void *)((uint8_t *)w + ARMSCRIBE_MLDSA_WORK_HEAD);
}

/* RejNTTPoly (algorithm 30) of rho || column || row. Takes time by rho, which is public. */
void armscribe_mldsa_sample_matrix(armscribe_mldsa_work *w, int32_t a[MLDSA_N],
                                   const uint8_t rho[32], unsigned row, unsigned column);

#endif
