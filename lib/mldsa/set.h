/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * The public functions of one parameter set: checks, randomness and erasure. Included once by each of mldsa44.c, mldsa65.c,
 * mldsa87.c after defining NAME(suffix), SET_K, SET_L, SET_ETA, SET_TAU, SET_OMEGA,
 * SET_SEED_BYTES, SET_GAMMA1_BITS, SET_GAMMA2, and for the operations that it shall have SET_KEYGEN,
 * SET_SIGN, SET_VERIFY.
 */
#if defined(SET_KEYGEN) || defined(SET_SIGN) || defined(SET_VERIFY)

#include <string.h>

#include "../common/ct.h"
#include "dsa.h"
#include "dsa_message.h"

#define PK_BYTES  (32 + 320 * SET_K)
#define SK_BYTES  (128 + 32 * (SET_ETA == 2 ? 3 : 4) * (SET_K + SET_L) + 416 * SET_K)
#define SIG_BYTES (SET_SEED_BYTES + 32 * SET_GAMMA1_BITS * SET_L + SET_OMEGA + SET_K)

static const armscribe_mldsa_set NAME(_set) = {SET_K,           SET_L,
                                               SET_ETA,         SET_ETA == 2 ? 3 : 4,
                                               SET_TAU,         SET_TAU * SET_ETA,
                                               SET_OMEGA,       SET_SEED_BYTES,
                                               SET_GAMMA1_BITS, SET_GAMMA2 == 95232 ? 6 : 4,
                                               SET_GAMMA2,      PK_BYTES,
                                               SK_BYTES,        SIG_BYTES};

/* The head of the work space is as large as the header says. */
typedef char NAME(_head_fits)[sizeof(armscribe_mldsa_work) == ARMSCRIBE_MLDSA_WORK_HEAD ? 1 : -1];

static armscribe_mldsa_work *NAME(_open)(uint32_t *work)
{
    return (armscribe_mldsa_work *)(void *)work;
}

#if defined(SET_SIGN) || defined(SET_VERIFY)

/* A number that names no hash function must not name a format of messages either. */
static int NAME(_kind)(int hash)
{
    return hash > 0 ? hash : MLDSA_RAW - 1;
}

#endif

#if defined(SET_KEYGEN)

int NAME(_keygen_derand)(uint8_t pk[PK_BYTES], uint8_t sk[SK_BYTES],
                         const uint8_t seed[ARMSCRIBE_MLDSA_SEED_BYTES], uint32_t *work)
{
    armscribe_mldsa_work *w = NAME(_open)(work);

    memcpy(w->u.seed, seed, ARMSCRIBE_MLDSA_SEED_BYTES);
    armscribe_mldsa_keygen(w, &NAME(_set), pk, sk);
    armscribe_wipe(work, ARMSCRIBE_MLDSA_KEYGEN(SET_L));
    armscribe_wipe_stack();
    return ARMSCRIBE_OK;
}

int NAME(_keygen)(uint8_t pk[PK_BYTES], uint8_t sk[SK_BYTES], armscribe_rng rng, void *rng_ctx,
                  uint32_t *work)
{
    uint8_t seed[ARMSCRIBE_MLDSA_SEED_BYTES];
    int result = ARMSCRIBE_OK;

    if (rng(rng_ctx, seed, sizeof seed) == 0) {
        (void)NAME(_keygen_derand)(pk, sk, seed, work);
    } else {
        memset(pk, 0, PK_BYTES);
        memset(sk, 0, SK_BYTES);
        result = ARMSCRIBE_ERROR_RNG;
    }
    armscribe_wipe(seed, sizeof seed);
    return result;
}

#endif

#if defined(SET_SIGN)

/* Signs a message, or where m is NULL the mu given. */
static int NAME(_sign_any)(uint8_t *sig, const uint8_t *sk, size_t sk_n,
                           const armscribe_mldsa_message *m, const uint8_t *mu, armscribe_rng rng,
                           void *rng_ctx, uint32_t *work)
{
    armscribe_mldsa_work *w = NAME(_open)(work);
    int result = sk_n != SK_BYTES ? ARMSCRIBE_ERROR_MLDSA_SK_LENGTH : ARMSCRIBE_OK;

    if (result == ARMSCRIBE_OK && m != NULL) {
        result = armscribe_mldsa_check_message(m);
    }
    if (result == ARMSCRIBE_OK) {
        memset(w->u.sign.rnd, 0, sizeof w->u.sign.rnd);
        if (rng != NULL && rng(rng_ctx, w->u.sign.rnd, sizeof w->u.sign.rnd) != 0) {
            result = ARMSCRIBE_ERROR_RNG;
        }
    }
    if (result == ARMSCRIBE_OK) {
        if (m != NULL) {
            armscribe_mldsa_represent(&w->hash, w->mu, &sk[64], m);
        } else {
            memcpy(w->mu, mu, sizeof w->mu);
        }
        result = armscribe_mldsa_sign(w, &NAME(_set), sig, sk);
    }
    if (result != ARMSCRIBE_OK) {
        memset(sig, 0, SIG_BYTES);
    }
    armscribe_wipe(work, ARMSCRIBE_MLDSA_SIGN(SET_K, SET_L));
    armscribe_wipe_stack();
    return result;
}

int NAME(_sign)(uint8_t sig[SIG_BYTES], const uint8_t *sk, size_t sk_n, const uint8_t *msg,
                size_t msg_n, const uint8_t *ctx, size_t ctx_n, armscribe_rng rng, void *rng_ctx,
                uint32_t *work)
{
    const armscribe_mldsa_message m = {MLDSA_PURE, msg, msg_n, ctx, ctx_n};

    return NAME(_sign_any)(sig, sk, sk_n, &m, NULL, rng, rng_ctx, work);
}

int NAME(_sign_hash)(uint8_t sig[SIG_BYTES], const uint8_t *sk, size_t sk_n, int hash,
                     const uint8_t *digest, size_t digest_n, const uint8_t *ctx, size_t ctx_n,
                     armscribe_rng rng, void *rng_ctx, uint32_t *work)
{
    const armscribe_mldsa_message m = {NAME(_kind)(hash), digest, digest_n, ctx, ctx_n};

    return NAME(_sign_any)(sig, sk, sk_n, &m, NULL, rng, rng_ctx, work);
}

int NAME(_sign_mu)(uint8_t sig[SIG_BYTES], const uint8_t *sk, size_t sk_n,
                   const uint8_t mu[ARMSCRIBE_MLDSA_MU_BYTES], armscribe_rng rng, void *rng_ctx,
                   uint32_t *work)
{
    return NAME(_sign_any)(sig, sk, sk_n, NULL, mu, rng, rng_ctx, work);
}

int NAME(_sign_internal)(uint8_t sig[SIG_BYTES], const uint8_t *sk, size_t sk_n, const uint8_t *msg,
                         size_t msg_n, armscribe_rng rng, void *rng_ctx, uint32_t *work)
{
    const armscribe_mldsa_message m = {MLDSA_RAW, msg, msg_n, NULL, 0};

    return NAME(_sign_any)(sig, sk, sk_n, &m, NULL, rng, rng_ctx, work);
}

#endif

#if defined(SET_SIGN) || defined(SET_VERIFY)

/* mu of a message for the holder of pk. */
static int NAME(_mu_of)(armscribe_sha3_ctx *hash, uint8_t mu[ARMSCRIBE_MLDSA_MU_BYTES],
                        const uint8_t *pk, size_t pk_n, const armscribe_mldsa_message *m)
{
    const int result =
        pk_n != PK_BYTES ? ARMSCRIBE_ERROR_MLDSA_PK_LENGTH : armscribe_mldsa_check_message(m);
    uint8_t tr[64];

    if (result != ARMSCRIBE_OK) {
        memset(mu, 0, ARMSCRIBE_MLDSA_MU_BYTES);
        return result;
    }
    armscribe_shake_init(hash, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sha3_absorb(hash, pk, PK_BYTES);
    armscribe_sha3_squeeze(hash, tr, sizeof tr);
    armscribe_mldsa_represent(hash, mu, tr, m);
    return ARMSCRIBE_OK;
}

int NAME(_mu)(uint8_t mu[ARMSCRIBE_MLDSA_MU_BYTES], const uint8_t *pk, size_t pk_n,
              const uint8_t *msg, size_t msg_n, const uint8_t *ctx, size_t ctx_n)
{
    const armscribe_mldsa_message m = {MLDSA_PURE, msg, msg_n, ctx, ctx_n};
    armscribe_sha3_ctx hash;

    return NAME(_mu_of)(&hash, mu, pk, pk_n, &m);
}

#endif

#if defined(SET_VERIFY)

/* Verifies the signature of a message, or where m is NULL of what stands in mu already. */
static int NAME(_verify_any)(const uint8_t *pk, size_t pk_n, const armscribe_mldsa_message *m,
                             const uint8_t *sig, size_t sig_n, uint32_t *work)
{
    armscribe_mldsa_work *w = NAME(_open)(work);
    int result = pk_n != PK_BYTES ? ARMSCRIBE_ERROR_MLDSA_PK_LENGTH : ARMSCRIBE_OK;

    if (result == ARMSCRIBE_OK && m != NULL) {
        result = NAME(_mu_of)(&w->hash, w->mu, pk, pk_n, m);
    }
    if (result == ARMSCRIBE_OK && sig_n != SIG_BYTES) {
        result = ARMSCRIBE_ERROR_MLDSA_SIGNATURE;
    }
    return result == ARMSCRIBE_OK ? armscribe_mldsa_verify(w, &NAME(_set), pk, sig) : result;
}

int NAME(_verify)(const uint8_t *pk, size_t pk_n, const uint8_t *msg, size_t msg_n,
                  const uint8_t *ctx, size_t ctx_n, const uint8_t *sig, size_t sig_n,
                  uint32_t *work)
{
    const armscribe_mldsa_message m = {MLDSA_PURE, msg, msg_n, ctx, ctx_n};

    return NAME(_verify_any)(pk, pk_n, &m, sig, sig_n, work);
}

int NAME(_verify_hash)(const uint8_t *pk, size_t pk_n, int hash, const uint8_t *digest,
                       size_t digest_n, const uint8_t *ctx, size_t ctx_n, const uint8_t *sig,
                       size_t sig_n, uint32_t *work)
{
    const armscribe_mldsa_message m = {NAME(_kind)(hash), digest, digest_n, ctx, ctx_n};

    return NAME(_verify_any)(pk, pk_n, &m, sig, sig_n, work);
}

int NAME(_verify_mu)(const uint8_t *pk, size_t pk_n, const uint8_t mu[ARMSCRIBE_MLDSA_MU_BYTES],
                     const uint8_t *sig, size_t sig_n, uint32_t *work)
{
    memcpy(NAME(_open)(work)->mu, mu, ARMSCRIBE_MLDSA_MU_BYTES);
    return NAME(_verify_any)(pk, pk_n, NULL, sig, sig_n, work);
}

int NAME(_verify_internal)(const uint8_t *pk, size_t pk_n, const uint8_t *msg, size_t msg_n,
                           const uint8_t *sig, size_t sig_n, uint32_t *work)
{
    const armscribe_mldsa_message m = {MLDSA_RAW, msg, msg_n, NULL, 0};

    return NAME(_verify_any)(pk, pk_n, &m, sig, sig_n, work);
}

#endif

#endif
