/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLDSA_KEYGEN)

#include <string.h>

#include "../common/declassify.h"
#include "dsa.h"
#include "routines.h"

#define T1_BITS 10

/* RejBoundedPoly (algorithm 31) of rho' || nonce. */
static void sample_secret(armscribe_mldsa_work *w, const armscribe_mldsa_set *set,
                          int32_t a[MLDSA_N], const uint8_t rho[64], unsigned nonce)
{
    const uint8_t place[2] = {(uint8_t)nonce, (uint8_t)(nonce >> 8)};
    unsigned n = 0;

    armscribe_sponge_shake(&w->hash, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sponge_absorb(&w->hash, rho, 64);
    armscribe_sponge_absorb(&w->hash, place, sizeof place);
    while (n < MLDSA_N) {
        armscribe_sponge_squeeze(&w->hash, w->block, ARMSCRIBE_SHAKE256_RATE);
        n = armscribe_mldsa_bounded(a, n, w->block, ARMSCRIBE_SHAKE256_RATE, set->eta);
    }
}

/* Polynomial j of s1 in the NTT domain. */
static const int32_t *s1_of(armscribe_mldsa_poly *s1, const armscribe_mldsa_set *set,
                            const uint8_t *sk, unsigned j)
{
#if defined(ARMSCRIBE_SMALL)
    armscribe_mldsa_unpack_below(s1->coeff, &sk[128 + MLDSA_PACKED_BYTES(set->eta_bits) * j],
                                 set->eta_bits, set->eta);
    armscribe_mldsa_ntt(s1->coeff);
#else
    (void)set;
    (void)sk;
#endif
    return s1[MLDSA_SLOT(j)].coeff;
}

/* Row i of A s1, out of the NTT domain, into t; a to sample into. */
static void multiply_row(armscribe_mldsa_work *w, const armscribe_mldsa_set *set, const uint8_t *sk,
                         unsigned i)
{
    armscribe_mldsa_poly *s1 = armscribe_mldsa_polys(w);
    int32_t *t = s1[MLDSA_KEPT(set->l)].coeff;
    int32_t *a = s1[MLDSA_KEPT(set->l) + 1].coeff;

    for (unsigned j = 0; j < set->l; j++) {
        const int32_t *s = s1_of(s1, set, sk, j);

        armscribe_mldsa_sample_matrix(w, a, w->u.seed, i, j);
        if (j == 0) {
            mldsa_pointwise(t, s, a);
        } else {
            mldsa_pointwise_acc(t, s, a);
        }
    }
    armscribe_mldsa_invntt(t);
}

void armscribe_mldsa_keygen(armscribe_mldsa_work *w, const armscribe_mldsa_set *set, uint8_t *pk,
                            uint8_t *sk)
{
    const size_t secret_bytes = MLDSA_PACKED_BYTES(set->eta_bits);
    armscribe_mldsa_poly *s1 = armscribe_mldsa_polys(w);
    int32_t *t = s1[MLDSA_KEPT(set->l)].coeff;
    int32_t *a = s1[MLDSA_KEPT(set->l) + 1].coeff;
    const uint8_t place[2] = {set->k, set->l};
    uint8_t *secret = &sk[128];
    uint8_t *t0 = &secret[secret_bytes * (set->l + set->k)];
    uint8_t *t1 = &pk[32];

    armscribe_sponge_shake(&w->hash, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sponge_absorb(&w->hash, w->u.seed, 32);
    armscribe_sponge_absorb(&w->hash, place, sizeof place);
    armscribe_sponge_squeeze(&w->hash, w->u.seed, 128); /* rho, rho', K */
    ARMSCRIBE_DECLASSIFY("rho", w->u.seed, 32);
    memcpy(pk, w->u.seed, 32);
    memcpy(sk, w->u.seed, 32);
    memcpy(&sk[32], &w->u.seed[96], 32);

    for (unsigned j = 0; j < set->l; j++, secret += secret_bytes) {
        int32_t *s = s1[MLDSA_SLOT(j)].coeff;

        sample_secret(w, set, s, &w->u.seed[32], j);
        armscribe_mldsa_pack_below(secret, s, set->eta_bits, set->eta);
        armscribe_mldsa_ntt(s);
    }
    for (unsigned i = 0; i < set->k; i++, secret += secret_bytes) {
        multiply_row(w, set, sk, i);
        sample_secret(w, set, a, &w->u.seed[32], set->l + i);
        armscribe_mldsa_pack_below(secret, a, set->eta_bits, set->eta);
        armscribe_mldsa_add(t, t, a);
        mldsa_freeze(t);
        armscribe_mldsa_power2round(t, a);
        armscribe_mldsa_pack(t1, t, T1_BITS);
        armscribe_mldsa_pack_below(t0, a, MLDSA_D, 1 << (MLDSA_D - 1));
        t1 += MLDSA_PACKED_BYTES(T1_BITS);
        t0 += MLDSA_PACKED_BYTES(MLDSA_D);
    }
    armscribe_sponge_shake(&w->hash, ARMSCRIBE_SHAKE256_RATE); /* tr = H(pk) */
    armscribe_sponge_absorb(&w->hash, pk, set->pk_bytes);
    armscribe_sponge_squeeze(&w->hash, &sk[64], 64);
}

#endif
