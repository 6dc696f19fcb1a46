/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLDSA_VERIFY)

#include <string.h>

#include "dsa.h"
#include "routines.h"

#define T1_BITS 10

/* Whether the hint of a signature is encoded as HintBitUnpack (algorithm 21) wants it: positions of each row rise, what
 * is not used is zero. */
static int well_formed(const armscribe_mldsa_set *set, const uint8_t *places)
{
    unsigned n = 0;

    for (unsigned i = 0; i < set->k; i++) {
        const unsigned end = places[set->omega + i];

        if (end < n || end > set->omega) {
            return 0;
        }
        for (unsigned m = n + 1; m < end; m++) {
            if (places[m] <= places[m - 1]) {
                return 0;
            }
        }
        n = end;
    }
    for (; n < set->omega; n++) {
        if (places[n] != 0) {
            return 0;
        }
    }
    return 1;
}

/* The hint of row i, a bit a coefficient. */
static void unpack_hint(uint8_t bits[MLDSA_N / 8], const armscribe_mldsa_set *set,
                        const uint8_t *places, unsigned i)
{
    unsigned n = i == 0 ? 0 : places[set->omega + i - 1];

    memset(bits, 0, MLDSA_N / 8);
    for (; n < places[set->omega + i]; n++) {
        bits[places[n] / 8] = (uint8_t)(bits[places[n] / 8] | 1 << (places[n] % 8));
    }
}

/* t1 * 2^13 of row i in the NTT domain. */
static void unpack_t1(int32_t a[MLDSA_N], const uint8_t *pk, unsigned i)
{
    armscribe_mldsa_unpack(a, &pk[32 + MLDSA_PACKED_BYTES(T1_BITS) * i], T1_BITS);
    for (unsigned m = 0; m < MLDSA_N; m++) {
        a[m] = a[m] * (1 << MLDSA_D);
    }
    armscribe_mldsa_ntt(a);
}

/* Row i of A z - c t1 2^d, canonical; negated is -c in the NTT domain, a a polynomial to work on. */
static void recover_row(armscribe_mldsa_work *w, const armscribe_mldsa_set *set, int32_t r[MLDSA_N],
                        int32_t a[MLDSA_N], const armscribe_mldsa_poly *z,
                        const int32_t negated[MLDSA_N], const uint8_t *pk, unsigned i)
{
    unpack_t1(a, pk, i);
    mldsa_pointwise(r, negated, a);
    for (unsigned j = 0; j < set->l; j++) {
        armscribe_mldsa_sample_matrix(w, a, pk, i, j);
        mldsa_pointwise_acc(r, z[j].coeff, a);
    }
    mldsa_reduce(r);
    armscribe_mldsa_invntt(r);
    mldsa_freeze(r);
}

int armscribe_mldsa_verify(armscribe_mldsa_work *w, const armscribe_mldsa_set *set,
                           const uint8_t *pk, const uint8_t *sig)
{
    const int32_t gamma1 = (int32_t)1 << (set->gamma1_bits - 1);
    const size_t z_bytes = MLDSA_PACKED_BYTES(set->gamma1_bits);
    const uint8_t *packed = &sig[set->seed_bytes];
    const uint8_t *places = &packed[z_bytes * set->l];
    armscribe_mldsa_poly *z = armscribe_mldsa_polys(w);
    int32_t *c = z[set->l].coeff;
    int32_t *r = z[set->l + 1].coeff;
    int32_t *a = z[set->l + 2].coeff;

    if (!well_formed(set, places)) {
        return ARMSCRIBE_ERROR_MLDSA_SIGNATURE;
    }
    for (unsigned j = 0; j < set->l; j++) {
        armscribe_mldsa_unpack_below(z[j].coeff, &packed[z_bytes * j], set->gamma1_bits, gamma1);
        if (armscribe_mldsa_reaches(z[j].coeff, gamma1 - set->beta) != 0) {
            return ARMSCRIBE_ERROR_MLDSA_SIGNATURE;
        }
        armscribe_mldsa_ntt(z[j].coeff);
    }
    armscribe_mldsa_in_ball(r, &w->hash, sig, set->seed_bytes, set->tau);
    memset(c, 0, MLDSA_N * sizeof c[0]);
    armscribe_mldsa_sub(c, c, r);
    armscribe_mldsa_ntt(c);

    /* Two sponges take turns: one is fed the rows, the other gives the matrix. */
    armscribe_shake_init(&w->w1, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sha3_absorb(&w->w1, w->mu, sizeof w->mu);
    for (unsigned i = 0; i < set->k; i++) {
        recover_row(w, set, r, a, z, c, pk, i);
        unpack_hint(w->hint, set, places, i);
        armscribe_mldsa_use_hint(r, w->hint, set->gamma2);
        armscribe_mldsa_pack((uint8_t *)a, r, set->w1_bits);
        armscribe_sha3_absorb(&w->w1, (const uint8_t *)a, MLDSA_PACKED_BYTES(set->w1_bits));
    }
    armscribe_sha3_squeeze(&w->w1, w->challenge, set->seed_bytes);
    return memcmp(w->challenge, sig, set->seed_bytes) == 0 ? ARMSCRIBE_OK
                                                           : ARMSCRIBE_ERROR_MLDSA_SIGNATURE;
}

#endif
