/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLDSA_SIGN) && !defined(ARMSCRIBE_SMALL)

#include <string.h>

#include "../common/ct.h"
#include "../common/declassify.h"
#include "dsa.h"
#include "routines.h"

/* Where the parts of signing stand. Matrix, s1, s2, t0 and c are in the NTT domain. */
typedef struct {
    armscribe_mldsa_poly *matrix; /* k rows of l */
    armscribe_mldsa_poly *s1;     /* l */
    armscribe_mldsa_poly *s2;     /* k */
    armscribe_mldsa_poly *t0;     /* k */
    armscribe_mldsa_poly *y;      /* l: the mask, then z */
    armscribe_mldsa_poly *w;      /* k: A y, then the hint */
    int32_t *c;                   /* the challenge */
    int32_t *p;                   /* on the way from one to another */
} parts;

static parts layout(armscribe_mldsa_work *w, const armscribe_mldsa_set *set)
{
    parts at;

    at.matrix = armscribe_mldsa_polys(w);
    at.s1 = at.matrix + set->k * set->l;
    at.s2 = at.s1 + set->l;
    at.t0 = at.s2 + set->k;
    at.y = at.t0 + set->k;
    at.w = at.y + set->l;
    at.c = at.w[set->k].coeff;
    at.p = at.w[set->k + 1].coeff;
    return at;
}

/* A vector of the secret key into the NTT domain; where the next one starts. */
static const uint8_t *unpack_vector(armscribe_mldsa_poly *v, unsigned n, const uint8_t *in,
                                    unsigned bits, int32_t top)
{
    for (unsigned i = 0; i < n; i++, in += MLDSA_PACKED_BYTES(bits)) {
        armscribe_mldsa_unpack_below(v[i].coeff, in, bits, top);
        armscribe_mldsa_ntt(v[i].coeff);
    }
    return in;
}

/* What does not change from attempt to attempt. */
static void prepare(armscribe_mldsa_work *w, const armscribe_mldsa_set *set, const parts *at,
                    const uint8_t *sk)
{
    const uint8_t *in = &sk[128];

    in = unpack_vector(at->s1, set->l, in, set->eta_bits, set->eta);
    in = unpack_vector(at->s2, set->k, in, set->eta_bits, set->eta);
    (void)unpack_vector(at->t0, set->k, in, MLDSA_D, 1 << (MLDSA_D - 1));
    for (unsigned i = 0; i < set->k; i++) {
        for (unsigned j = 0; j < set->l; j++) {
            armscribe_mldsa_sample_matrix(w, at->matrix[i * set->l + j].coeff, sk, i, j);
        }
    }
    armscribe_mldsa_mask_seed(w, sk);
}

/* ExpandMask (algorithm 34) into y, and w = A y, canonical. The packed mask stands in p. */
static void commit(armscribe_mldsa_work *w, const armscribe_mldsa_set *set, const parts *at,
                   unsigned kappa)
{
    const size_t mask_bytes = MLDSA_PACKED_BYTES(set->gamma1_bits);
    uint8_t *bytes = (uint8_t *)at->p;

    for (unsigned j = 0; j < set->l; j++) {
        const uint8_t place[2] = {(uint8_t)(kappa + j), (uint8_t)((kappa + j) >> 8)};

        armscribe_sponge_shake(&w->hash, ARMSCRIBE_SHAKE256_RATE);
        armscribe_sponge_absorb(&w->hash, w->u.sign.mask, sizeof w->u.sign.mask);
        armscribe_sponge_absorb(&w->hash, place, sizeof place);
        armscribe_sponge_squeeze(&w->hash, bytes, mask_bytes);
        armscribe_mldsa_unpack_below(at->y[j].coeff, bytes, set->gamma1_bits,
                                     (int32_t)1 << (set->gamma1_bits - 1));
        memcpy(at->p, at->y[j].coeff, sizeof at->y[j]);
        armscribe_mldsa_ntt(at->p);
        for (unsigned i = 0; i < set->k; i++) {
            const int32_t *a = at->matrix[i * set->l + j].coeff;

            if (j == 0) {
                mldsa_pointwise(at->w[i].coeff, at->p, a);
            } else {
                mldsa_pointwise_acc(at->w[i].coeff, at->p, a);
            }
        }
    }
    for (unsigned i = 0; i < set->k; i++) {
        armscribe_mldsa_invntt(at->w[i].coeff);
        mldsa_freeze(at->w[i].coeff);
    }
}

/* c~ = H(mu || w1), and c of it. */
static void challenge(armscribe_mldsa_work *w, const armscribe_mldsa_set *set, const parts *at)
{
    uint8_t *bytes = (uint8_t *)at->c;

    armscribe_sponge_shake(&w->hash, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sponge_absorb(&w->hash, w->mu, sizeof w->mu);
    for (unsigned i = 0; i < set->k; i++) {
        armscribe_mldsa_high_bits(at->p, at->w[i].coeff, set->gamma2);
        armscribe_mldsa_pack(bytes, at->p, set->w1_bits);
        armscribe_sponge_absorb(&w->hash, bytes, MLDSA_PACKED_BYTES(set->w1_bits));
    }
    armscribe_sponge_squeeze(&w->hash, w->challenge, set->seed_bytes);
    ARMSCRIBE_DECLASSIFY("challenge", w->challenge, set->seed_bytes);
    armscribe_mldsa_in_ball(at->c, &w->hash, w->challenge, set->seed_bytes, set->tau);
    armscribe_mldsa_ntt(at->c);
}

/* p = c s, reduced: the product itself where it is small. */
static void times_challenge(const parts *at, const armscribe_mldsa_poly *s)
{
    mldsa_pointwise(at->p, at->c, s->coeff);
    armscribe_mldsa_invntt(at->p);
    mldsa_reduce(at->p);
}

/* z = y + c s1 in the place of y. Not zero where it must not be shown. */
static uint32_t respond(const armscribe_mldsa_set *set, const parts *at)
{
    const int32_t bound = ((int32_t)1 << (set->gamma1_bits - 1)) - set->beta;
    uint32_t refused = 0;

    for (unsigned j = 0; j < set->l && refused == 0; j++) {
        times_challenge(at, &at->s1[j]);
        armscribe_mldsa_add(at->y[j].coeff, at->y[j].coeff, at->p);
        refused |= armscribe_mldsa_reaches(at->y[j].coeff, bound);
        ARMSCRIBE_DECLASSIFY_VALUE("attempt refused", refused);
    }
    return refused;
}

/* The hint in the place of w. Not zero where the attempt must be given up. */
static uint32_t hint(const armscribe_mldsa_set *set, const parts *at)
{
    uint32_t refused = 0;
    uint32_t ones = 0;

    for (unsigned i = 0; i < set->k && refused == 0; i++) {
        int32_t *w = at->w[i].coeff;

        times_challenge(at, &at->s2[i]);
        armscribe_mldsa_sub(w, w, at->p);
        mldsa_freeze(w);
        refused |= armscribe_mldsa_low_bits_reach(w, set->gamma2, set->gamma2 - set->beta);
        ARMSCRIBE_DECLASSIFY_VALUE("attempt refused", refused);
    }
    for (unsigned i = 0; i < set->k && refused == 0; i++) {
        int32_t *w = at->w[i].coeff;

        times_challenge(at, &at->t0[i]);
        refused |= armscribe_mldsa_reaches(at->p, set->gamma2);
        ARMSCRIBE_DECLASSIFY_VALUE("attempt refused", refused);
        armscribe_mldsa_add(at->p, at->p, w);
        mldsa_freeze(at->p);
        ones += armscribe_mldsa_make_hint(w, at->p, set->gamma2);
    }
    refused |= (set->omega - ones) >> 31;
    ARMSCRIBE_DECLASSIFY_VALUE("attempt refused", refused);
    return refused;
}

/* sigEncode (algorithm 26). */
static void encode(const armscribe_mldsa_work *w, const armscribe_mldsa_set *set, const parts *at,
                   uint8_t *sig)
{
    uint8_t *places;
    unsigned n = 0;

    ARMSCRIBE_DECLASSIFY("hint", at->w, set->k * sizeof at->w[0]);
    memcpy(sig, w->challenge, set->seed_bytes);
    sig += set->seed_bytes;
    for (unsigned j = 0; j < set->l; j++, sig += MLDSA_PACKED_BYTES(set->gamma1_bits)) {
        armscribe_mldsa_pack_below(sig, at->y[j].coeff, set->gamma1_bits,
                                   (int32_t)1 << (set->gamma1_bits - 1));
    }
    places = sig;
    memset(places, 0, (size_t)set->omega + set->k);
    for (unsigned i = 0; i < set->k; i++) {
        for (unsigned m = 0; m < MLDSA_N; m++) {
            if (at->w[i].coeff[m] != 0) {
                places[n++] = (uint8_t)m;
            }
        }
        places[set->omega + i] = (uint8_t)n;
    }
}

int armscribe_mldsa_sign(armscribe_mldsa_work *w, const armscribe_mldsa_set *set, uint8_t *sig,
                         const uint8_t *sk)
{
    const parts at = layout(w, set);

    prepare(w, set, &at, sk);
    for (unsigned attempt = 0; attempt < MLDSA_MOST_ATTEMPTS; attempt++) {
        commit(w, set, &at, attempt * set->l);
        challenge(w, set, &at);
        if (respond(set, &at) == 0 && hint(set, &at) == 0) {
            encode(w, set, &at, sig);
            return ARMSCRIBE_OK;
        }
    }
    return ARMSCRIBE_ERROR_MLDSA_ATTEMPTS;
}

#endif
