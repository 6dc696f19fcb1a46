/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLDSA_KEYGEN)

#include <string.h>

#include "dsa.h"
#include "routines.h"

#define T1_BITS 10

/* RejBoundedPoly (algorithm 31) of rho' || nonce. */
static void sample_secret(armscribe_mldsa_work *w, const armscribe_mldsa_set *set,
                          int32_t a[MLDSA_N], const uint8_t rho[64], unsigned nonce)
{
    const uint8_t place[2] = {(uint8_t)nonce, (uint8_t)(nonce >> 8)};
    unsigned n = 0;

    armscribe_shake_init(&w->hash, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sha3_absorb(&w->hash, rho, 64);
    armscribe_sha3_absorb(&w->hash, place, sizeof place);
    while (n < MLDSA_N) {
        armscribe_sha3_squeeze(&w->hash, w->block, ARMSCRIBE_SHAKE256_RATE);
        n = armscribe_mldsa_bounded(a, n, w->block, ARMSCRIBE_SHAKE256_RATE, set->eta);
    }
}

/* Row i of A s1, out of the NTT domain, into t; s1 in the NTT domain, a to sample into. */
static void multiply_row(armscribe_mldsa_work *w, int32_t t[MLDSA_N], int32_t a[MLDSA_N],
                         const armscribe_mldsa_poly *s1, unsigned row, unsigned l)
{
    for (unsigned j = 0; j < l; j++) {
        armscribe_mldsa_sample_matrix(w, a, w->seed, row, j);
        if (j == 0) {
            mldsa_pointwise(t, s1[j].coeff, a);
        } else {
            mldsa_pointwise_acc(t, s1[j].coeff, a);
        }
    }
    armscribe_mldsa_invntt(t);
}

void armscribe_mldsa_keygen(armscribe_mldsa_work *w, const armscribe_mldsa_set *set, uint8_t *pk,
                            uint8_t *sk)
{
    const size_t secret_bytes = MLDSA_PACKED_BYTES(set->eta_bits);
    armscribe_mldsa_poly *s1 = armscribe_mldsa_polys(w);
    int32_t *t = s1[set->l].coeff;
    int32_t *a = s1[set->l + 1].coeff;
    const uint8_t place[2] = {set->k, set->l};
    uint8_t *secret = &sk[128];
    uint8_t *t0 = &secret[secret_bytes * (set->l + set->k)];
    uint8_t *t1 = &pk[32];

    armscribe_shake_init(&w->hash, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sha3_absorb(&w->hash, w->seed, 32);
    armscribe_sha3_absorb(&w->hash, place, sizeof place);
    armscribe_sha3_squeeze(&w->hash, w->seed, 128); /* rho, rho', K */
    memcpy(pk, w->seed, 32);
    memcpy(sk, w->seed, 32);
    memcpy(&sk[32], &w->seed[96], 32);

    for (unsigned j = 0; j < set->l; j++, secret += secret_bytes) {
        sample_secret(w, set, s1[j].coeff, &w->seed[32], j);
        armscribe_mldsa_pack_below(secret, s1[j].coeff, set->eta_bits, set->eta);
        armscribe_mldsa_ntt(s1[j].coeff);
    }
    for (unsigned i = 0; i < set->k; i++, secret += secret_bytes) {
        multiply_row(w, t, a, s1, i, set->l);
        sample_secret(w, set, a, &w->seed[32], set->l + i);
        armscribe_mldsa_pack_below(secret, a, set->eta_bits, set->eta);
        armscribe_mldsa_add(t, t, a);
        mldsa_freeze(t);
        armscribe_mldsa_power2round(t, a);
        armscribe_mldsa_pack(t1, t, T1_BITS);
        armscribe_mldsa_pack_below(t0, a, MLDSA_D, 1 << (MLDSA_D - 1));
        t1 += MLDSA_PACKED_BYTES(T1_BITS);
        t0 += MLDSA_PACKED_BYTES(MLDSA_D);
    }
    armscribe_shake_init(&w->hash, ARMSCRIBE_SHAKE256_RATE); /* tr = H(pk) */
    armscribe_sha3_absorb(&w->hash, pk, set->pk_bytes);
    armscribe_sha3_squeeze(&w->hash, &sk[64], 64);
}

#endif
