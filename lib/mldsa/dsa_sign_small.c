/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * Signing in little memory: one polynomial p and the k of w, three bytes a coefficient. Whatever an attempt needs besides
 * is sampled or unpacked when it is needed, a few coefficients at a time: the matrix, the mask (twice), the secret key.
 * Products with the challenge, which has few coefficients that are not zero, are added up one by one.
 * J. W. Bos, J. Renes, A. Sprenkels, "Dilithium for Memory Constrained Devices" (AFRICACRYPT 2022), for the idea of
 * keeping w alone.
 */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLDSA_SIGN) && defined(ARMSCRIBE_SMALL)

#include <string.h>

#include "../common/ct.h"
#include "../common/declassify.h"
#include "dsa.h"
#include "routines.h"

#define W_BYTES 3  /* of a coefficient of w, canonical */
#define FEW     32 /* coefficients of the mask at once */
#define ENTRIES 8  /* of the matrix, at most, from 24 bytes */
#define NEGQINV 4236238847U

typedef struct {
    armscribe_mldsa_work *work;
    const armscribe_mldsa_set *set;
    const uint8_t *sk;
    int32_t *p;
    uint8_t *w;
} signer;

static uint8_t *row(const signer *s, unsigned i)
{
    return &s->w[(size_t)W_BYTES * MLDSA_N * i];
}

static int32_t get(const uint8_t *w, unsigned m)
{
    w += (size_t)W_BYTES * m;
    return (int32_t)((uint32_t)w[0] | ((uint32_t)w[1] << 8) | ((uint32_t)w[2] << 16));
}

static void put(uint8_t *w, unsigned m, int32_t x)
{
    w += (size_t)W_BYTES * m;
    w[0] = (uint8_t)x;
    w[1] = (uint8_t)(x >> 8);
    w[2] = (uint8_t)(x >> 16);
}

/* x + a * b / 2^32 modulo q, canonical as x is. |a| below 2^27, 0 <= b < q. */
static int32_t add_product(int32_t x, int32_t a, int32_t b)
{
    const int64_t product = (int64_t)a * b;
    const int32_t m = (int32_t)((uint32_t)product * NEGQINV);
    const int32_t sum = x + (int32_t)((product + (int64_t)m * MLDSA_Q) >> 32); /* -q < sum < 2q */
    const int32_t less = sum - MLDSA_Q;
    const int32_t low = less + (int32_t)(armscribe_barrier((uint32_t)(less >> 31)) & MLDSA_Q);

    return low + (int32_t)(armscribe_barrier((uint32_t)(low >> 31)) & MLDSA_Q);
}

/* The sponge at the start of mask j (algorithm 34). */
static void start_mask(const signer *s, unsigned kappa)
{
    const uint8_t place[2] = {(uint8_t)kappa, (uint8_t)(kappa >> 8)};
    armscribe_sha3_ctx *hash = &s->work->hash;

    armscribe_sponge_shake(hash, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sponge_absorb(hash, s->work->u.sign.mask, sizeof s->work->u.sign.mask);
    armscribe_sponge_absorb(hash, place, sizeof place);
}

/* p += the mask. */
static void add_mask(const signer *s, unsigned kappa)
{
    const unsigned bits = s->set->gamma1_bits;
    uint8_t *bytes = s->work->block;

    start_mask(s, kappa);
    for (unsigned m = 0; m < MLDSA_N; m += FEW) {
        armscribe_sponge_squeeze(&s->work->hash, bytes, (size_t)FEW / 8 * bits);
        for (unsigned i = 0; i < FEW; i++) {
            s->p[m + i] += ((int32_t)1 << (bits - 1)) -
                           (int32_t)armscribe_mldsa_bits(bytes, FEW / 8 * bits, i * bits, bits);
        }
    }
}

/* w[i] += entry (i, j) of the matrix times p, in the NTT domain. */
static void add_entry(const signer *s, unsigned i, unsigned j)
{
    const uint8_t place[2] = {(uint8_t)j, (uint8_t)i};
    armscribe_sha3_ctx *hash = &s->work->hash;
    uint8_t *w = row(s, i);
    int32_t a[ENTRIES];
    unsigned m = 0;

    armscribe_sponge_shake(hash, ARMSCRIBE_SHAKE128_RATE);
    armscribe_sponge_absorb(hash, s->sk, 32);
    armscribe_sponge_absorb(hash, place, sizeof place);
    while (m < MLDSA_N) {
        const uint32_t most = MLDSA_N - m < ENTRIES ? MLDSA_N - m : ENTRIES;
        uint32_t n;

        armscribe_sponge_squeeze(hash, s->work->block, 3 * ENTRIES);
        n = mldsa_rej_uniform(a, most, s->work->block, 3 * ENTRIES);
        for (unsigned e = 0; e < n; e++, m++) {
            put(w, m, add_product(get(w, m), s->p[m], a[e]));
        }
    }
}

/* w = A y, canonical. */
static void commit(const signer *s, unsigned kappa)
{
    memset(s->w, 0, (size_t)W_BYTES * MLDSA_N * s->set->k);
    for (unsigned j = 0; j < s->set->l; j++) {
        memset(s->p, 0, MLDSA_N * sizeof s->p[0]);
        add_mask(s, kappa + j);
        armscribe_mldsa_ntt(s->p);
        for (unsigned i = 0; i < s->set->k; i++) {
            add_entry(s, i, j);
        }
    }
}

/* c~ = H(mu || w1) while w leaves the NTT domain; and c of it, as places and signs. */
static void challenge(const signer *s)
{
    armscribe_mldsa_work *work = s->work;
    const size_t bytes = MLDSA_PACKED_BYTES(s->set->w1_bits);
    unsigned n = 0;

    armscribe_sponge_shake(&work->hash, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sponge_absorb(&work->hash, work->mu, sizeof work->mu);
    for (unsigned i = 0; i < s->set->k; i++) {
        for (unsigned m = 0; m < MLDSA_N; m++) {
            s->p[m] = get(row(s, i), m);
        }
        armscribe_mldsa_invntt(s->p);
        mldsa_freeze(s->p);
        for (unsigned m = 0; m < MLDSA_N; m++) {
            put(row(s, i), m, s->p[m]);
        }
        armscribe_mldsa_high_bits(s->p, s->p, s->set->gamma2);
        armscribe_mldsa_pack((uint8_t *)s->p, s->p, s->set->w1_bits); /* behind what it reads */
        armscribe_sponge_absorb(&work->hash, (const uint8_t *)s->p, bytes);
    }
    armscribe_sponge_squeeze(&work->hash, work->challenge, s->set->seed_bytes);
    ARMSCRIBE_DECLASSIFY("challenge", work->challenge, s->set->seed_bytes);
    armscribe_mldsa_in_ball(s->p, &work->hash, work->challenge, s->set->seed_bytes, s->set->tau);
    memset(work->u.sign.sign, 0, sizeof work->u.sign.sign);
    for (unsigned m = 0; m < MLDSA_N; m++) {
        if (s->p[m] != 0) {
            work->u.sign.place[n] = (uint8_t)m;
            work->u.sign.sign[n / 8] |= (uint8_t)((s->p[m] < 0) << (n % 8));
            n++;
        }
    }
}

/* p = c times the polynomial of `bits` bits a coefficient, packed as top less it. */
static void times_challenge(const signer *s, const uint8_t *packed, unsigned bits, int32_t top)
{
    const uint8_t *place = s->work->u.sign.place;
    const uint8_t *sign = s->work->u.sign.sign;

    memset(s->p, 0, MLDSA_N * sizeof s->p[0]);
    for (unsigned m = 0; m < MLDSA_N; m++) {
        const int32_t x = top - (int32_t)armscribe_mldsa_bits(packed, 32 * bits, m * bits, bits);

        for (unsigned t = 0; t < s->set->tau; t++) {
            const unsigned at = m + place[t];
            const unsigned negative = (at >> 8) ^ (unsigned)(sign[t / 8] >> (t % 8) & 1);

            s->p[at % MLDSA_N] += negative != 0 ? -x : x;
        }
    }
}

/* z = y + c s1, packed into sig. Not zero where it must not be shown. */
static uint32_t respond(const signer *s, uint8_t *sig, unsigned kappa)
{
    const armscribe_mldsa_set *set = s->set;
    const int32_t gamma1 = (int32_t)1 << (set->gamma1_bits - 1);
    const uint8_t *s1 = &s->sk[128];
    uint32_t refused = 0;

    sig += set->seed_bytes;
    for (unsigned j = 0; j < set->l && refused == 0; j++) {
        times_challenge(s, s1, set->eta_bits, set->eta);
        add_mask(s, kappa + j);
        refused |= armscribe_mldsa_reaches(s->p, gamma1 - set->beta);
        ARMSCRIBE_DECLASSIFY_VALUE("attempt refused", refused);
        armscribe_mldsa_pack_below(sig, s->p, set->gamma1_bits, gamma1);
        s1 += MLDSA_PACKED_BYTES(set->eta_bits);
        sig += MLDSA_PACKED_BYTES(set->gamma1_bits);
    }
    return refused;
}

/* w -= c s2, canonical. Not zero where low bits reach too far. */
static uint32_t subtract(const signer *s, const uint8_t *s2)
{
    const armscribe_mldsa_set *set = s->set;
    uint32_t refused = 0;

    for (unsigned i = 0; i < set->k && refused == 0; i++) {
        times_challenge(s, s2, set->eta_bits, set->eta);
        for (unsigned m = 0; m < MLDSA_N; m++) {
            s->p[m] = get(row(s, i), m) - s->p[m];
        }
        mldsa_freeze(s->p);
        refused |= armscribe_mldsa_low_bits_reach(s->p, set->gamma2, set->gamma2 - set->beta);
        ARMSCRIBE_DECLASSIFY_VALUE("attempt refused", refused);
        for (unsigned m = 0; m < MLDSA_N; m++) {
            put(row(s, i), m, s->p[m]);
        }
        s2 += MLDSA_PACKED_BYTES(set->eta_bits);
    }
    return refused;
}

/* The bits of MakeHint in the place of a row of w, of which what is overwritten was read; p is c t0. Their number. */
static uint32_t make_hint(const signer *s, uint8_t *w)
{
    uint32_t ones = 0;
    uint32_t bits = 0;

    for (unsigned m = 0; m < MLDSA_N; m++) {
        s->p[m] += get(w, m);
    }
    mldsa_freeze(s->p);
    for (unsigned m = 0; m < MLDSA_N; m++) {
        const uint32_t bit = armscribe_mldsa_hint_bit(get(w, m), s->p[m], s->set->gamma2);

        ones += bit;
        bits = (bits >> 1) | (bit << 7);
        if (m % 8 == 7) {
            w[m / 8] = (uint8_t)bits;
        }
    }
    return ones;
}

/* The hint in the place of w. Not zero where the attempt must be given up. */
static uint32_t hint(const signer *s)
{
    const armscribe_mldsa_set *set = s->set;
    const uint8_t *s2 = &s->sk[128 + MLDSA_PACKED_BYTES(set->eta_bits) * set->l];
    const uint8_t *t0 = s2 + MLDSA_PACKED_BYTES(set->eta_bits) * set->k;
    uint32_t refused = subtract(s, s2);
    uint32_t ones = 0;

    for (unsigned i = 0; i < set->k && refused == 0; i++) {
        times_challenge(s, t0, MLDSA_D, 1 << (MLDSA_D - 1));
        refused |= armscribe_mldsa_reaches(s->p, set->gamma2);
        ARMSCRIBE_DECLASSIFY_VALUE("attempt refused", refused);
        ones += make_hint(s, row(s, i));
        t0 += MLDSA_PACKED_BYTES(MLDSA_D);
    }
    refused |= (set->omega - ones) >> 31;
    ARMSCRIBE_DECLASSIFY_VALUE("attempt refused", refused);
    return refused;
}

/* What sigEncode (algorithm 26) adds to z: c~ before it, the hint behind. */
static void encode(const signer *s, uint8_t *sig)
{
    const armscribe_mldsa_set *set = s->set;
    uint8_t *places = &sig[set->seed_bytes + MLDSA_PACKED_BYTES(set->gamma1_bits) * set->l];
    unsigned n = 0;

    memcpy(sig, s->work->challenge, set->seed_bytes);
    memset(places, 0, (size_t)set->omega + set->k);
    for (unsigned i = 0; i < set->k; i++) {
        const uint8_t *bits = row(s, i);

        ARMSCRIBE_DECLASSIFY("hint", bits, MLDSA_N / 8);
        for (unsigned m = 0; m < MLDSA_N; m++) {
            if ((bits[m / 8] >> (m % 8) & 1) != 0) {
                places[n++] = (uint8_t)m;
            }
        }
        places[set->omega + i] = (uint8_t)n;
    }
}

int armscribe_mldsa_sign(armscribe_mldsa_work *w, const armscribe_mldsa_set *set, uint8_t *sig,
                         const uint8_t *sk)
{
    armscribe_mldsa_poly *p = armscribe_mldsa_polys(w);
    const signer s = {w, set, sk, p->coeff, (uint8_t *)(p + 1)};

    armscribe_mldsa_mask_seed(w, sk);
    for (unsigned attempt = 0; attempt < MLDSA_MOST_ATTEMPTS; attempt++) {
        commit(&s, attempt * set->l);
        challenge(&s);
        if (respond(&s, sig, attempt * set->l) == 0 && hint(&s) == 0) {
            encode(&s, sig);
            return ARMSCRIBE_OK;
        }
    }
    return ARMSCRIBE_ERROR_MLDSA_ATTEMPTS;
}

#endif
