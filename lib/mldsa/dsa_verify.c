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

/* Polynomial j of z, of the signature, in its place. All ones if it is too large. */
static uint32_t unpack_z(int32_t z[MLDSA_N], const armscribe_mldsa_set *set, const uint8_t *sig,
                         unsigned j)
{
    const unsigned bits = set->gamma1_bits;
    const int32_t gamma1 = (int32_t)1 << (bits - 1);

    armscribe_mldsa_unpack_below(z, &sig[set->seed_bytes + MLDSA_PACKED_BYTES(bits) * j], bits,
                                 gamma1);
    return armscribe_mldsa_reaches(z, gamma1 - set->beta);
}

/* Polynomial j of z in the NTT domain. */
static const int32_t *z_of(armscribe_mldsa_poly *z, const armscribe_mldsa_set *set,
                           const uint8_t *sig, unsigned j)
{
#if defined(ARMSCRIBE_SMALL)
    (void)unpack_z(z->coeff, set, sig, j);
    armscribe_mldsa_ntt(z->coeff);
#else
    (void)set;
    (void)sig;
#endif
    return z[MLDSA_SLOT(j)].coeff;
}

/* Row i of A z - c t1 2^d, canonical, into at[1]; at[0] is -c in the NTT domain, at[2] is worked on. */
static void recover_row(armscribe_mldsa_work *w, const armscribe_mldsa_set *set,
                        armscribe_mldsa_poly at[3], const uint8_t *pk, const uint8_t *sig,
                        unsigned i)
{
    int32_t *r = at[1].coeff;
    int32_t *a = at[2].coeff;

    unpack_t1(a, pk, i);
    mldsa_pointwise(r, at[0].coeff, a);
    for (unsigned j = 0; j < set->l; j++) {
        const int32_t *z = z_of(armscribe_mldsa_polys(w), set, sig, j);

        armscribe_mldsa_sample_matrix(w, a, pk, i, j);
        mldsa_pointwise_acc(r, z, a);
    }
    mldsa_reduce(r);
    armscribe_mldsa_invntt(r);
    mldsa_freeze(r);
}

int armscribe_mldsa_verify(armscribe_mldsa_work *w, const armscribe_mldsa_set *set,
                           const uint8_t *pk, const uint8_t *sig)
{
    const uint8_t *places = &sig[set->seed_bytes + MLDSA_PACKED_BYTES(set->gamma1_bits) * set->l];
    armscribe_mldsa_poly *z = armscribe_mldsa_polys(w);
    armscribe_mldsa_poly *at = &z[MLDSA_KEPT(set->l)];
    int32_t *c = at[0].coeff;
    int32_t *r = at[1].coeff;
    int32_t *a = at[2].coeff;

    if (!well_formed(set, places)) {
        return ARMSCRIBE_ERROR_MLDSA_SIGNATURE;
    }
    for (unsigned j = 0; j < set->l; j++) {
        int32_t *one = z[MLDSA_SLOT(j)].coeff;

        if (unpack_z(one, set, sig, j) != 0) {
            return ARMSCRIBE_ERROR_MLDSA_SIGNATURE;
        }
        armscribe_mldsa_ntt(one);
    }
    armscribe_mldsa_in_ball(r, &w->hash, sig, set->seed_bytes, set->tau);
    memset(c, 0, MLDSA_N * sizeof c[0]);
    armscribe_mldsa_sub(c, c, r);
    armscribe_mldsa_ntt(c);

    /* Two sponges take turns: one is fed the rows, the other gives the matrix. */
    armscribe_sponge_shake(&w->u.verify.w1, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sponge_absorb(&w->u.verify.w1, w->mu, sizeof w->mu);
    for (unsigned i = 0; i < set->k; i++) {
        recover_row(w, set, at, pk, sig, i);
        unpack_hint(w->u.verify.hint, set, places, i);
        armscribe_mldsa_use_hint(r, w->u.verify.hint, set->gamma2);
        armscribe_mldsa_pack((uint8_t *)a, r, set->w1_bits);
        armscribe_sponge_absorb(&w->u.verify.w1, (const uint8_t *)a,
                                MLDSA_PACKED_BYTES(set->w1_bits));
    }
    armscribe_sponge_squeeze(&w->u.verify.w1, w->challenge, set->seed_bytes);
    return memcmp(w->challenge, sig, set->seed_bytes) == 0 ? ARMSCRIBE_OK
                                                           : ARMSCRIBE_ERROR_MLDSA_SIGNATURE;
}

#endif
