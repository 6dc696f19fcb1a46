/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * ML-DSA for all three sets, on messages that are already hashed to mu and on work space that the caller provides.
 * Contracts: armscribe/mldsa.h.
 */
#ifndef ARMSCRIBE_MLDSA_DSA_H
#define ARMSCRIBE_MLDSA_DSA_H

#include "../keccak/sponge.h"
#include "armscribe/mldsa.h"
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

/* How many of n polynomials of a vector are kept, and where the j-th stands: with ARMSCRIBE_SMALL there
 * is place for one, which is unpacked anew when it is needed. */
#if defined(ARMSCRIBE_SMALL)
#define MLDSA_KEPT(n) 1U
#define MLDSA_SLOT(j) 0U
#else
#define MLDSA_KEPT(n) (n)
#define MLDSA_SLOT(j) (j)
#endif

/* What stands first in the work space; polynomials follow. Its size is ARMSCRIBE_MLDSA_WORK_HEAD. */
typedef struct {
    armscribe_sha3_ctx hash;                /* samples, and hashes in one go */
    uint8_t block[ARMSCRIBE_SHAKE128_RATE]; /* its output while polynomials are sampled */
    uint8_t mu[64];                         /* the message's representative */
    uint8_t challenge[64];                  /* c~ */
    union {
        uint8_t seed[128]; /* making keys: rho, rho', K */
        struct {
            uint8_t mask[64]; /* rho'' */
            uint8_t rnd[32];
            uint8_t place[64]; /* of the challenge's coefficients that are not 0 */
            uint8_t sign[8];   /* a bit for each: whether it is -1 */
        } sign;
        struct {
            armscribe_sha3_ctx w1; /* takes the rows of w1 */
            uint8_t hint[MLDSA_N / 8];
        } verify;
    } u;
} armscribe_mldsa_work;

/* ML-DSA.KeyGen_internal (algorithm 6) of the 32 bytes at w->u.seed. */
void armscribe_mldsa_keygen(armscribe_mldsa_work *w, const armscribe_mldsa_set *set, uint8_t *pk,
                            uint8_t *sk);

/* The counter of masks has 16 bits (algorithm 34); FIPS 204, appendix C, allows to stop after 814
 * attempts. */
#define MLDSA_MOST_ATTEMPTS 9000U

/* ML-DSA.Sign_internal (algorithm 7) of w->mu and w->u.sign.rnd. ARMSCRIBE_OK or ARMSCRIBE_ERROR_MLDSA_ATTEMPTS. */
int armscribe_mldsa_sign(armscribe_mldsa_work *w, const armscribe_mldsa_set *set, uint8_t *sig,
                         const uint8_t *sk);

/* ML-DSA.Verify_internal (algorithm 8) of w->mu. ARMSCRIBE_OK or ARMSCRIBE_ERROR_MLDSA_SIGNATURE. */
int armscribe_mldsa_verify(armscribe_mldsa_work *w, const armscribe_mldsa_set *set,
                           const uint8_t *pk, const uint8_t *sig);

/* rho'' = H(K || rnd || mu) into w->u.sign.mask (algorithm 7, line 7). */
void armscribe_mldsa_mask_seed(armscribe_mldsa_work *w, const uint8_t *sk);

/* The polynomials behind the head of the work space. */
static inline armscribe_mldsa_poly *armscribe_mldsa_polys(armscribe_mldsa_work *w)
{
    return (armscribe_mldsa_poly *)(void *)((uint8_t *)w + ARMSCRIBE_MLDSA_WORK_HEAD);
}

/* RejNTTPoly (algorithm 30) of rho || column || row. Takes time by rho, which is public. */
void armscribe_mldsa_sample_matrix(armscribe_mldsa_work *w, int32_t a[MLDSA_N],
                                   const uint8_t rho[32], unsigned row, unsigned column);

#endif
