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
#include "../common/judge.h"
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

/* What is signed as a buffer: the message, or where m is NULL mu; and its context. */
static armscribe_buffer NAME(_text)(const armscribe_mldsa_message *m, const uint8_t *mu)
{
    const armscribe_buffer text = {m != NULL ? m->bytes : mu,
                                   m != NULL ? m->n : ARMSCRIBE_MLDSA_MU_BYTES};

    return text;
}

static armscribe_buffer NAME(_context)(const armscribe_mldsa_message *m)
{
    const armscribe_buffer context = {m != NULL ? m->ctx : NULL, m != NULL ? m->ctx_n : 0};

    return context;
}

#endif

#if defined(SET_KEYGEN)

/* seed: NULL if there is none. */
static ARMSCRIBE_NOINLINE int NAME(_judge_keys)(const uint8_t *pk, const uint8_t *sk,
                                                const uint8_t *seed, const uint32_t *work)
{
    const armscribe_buffer b[] = {{pk, PK_BYTES},
                                  {sk, SK_BYTES},
                                  {armscribe_at_word(work), ARMSCRIBE_MLDSA_KEYGEN(SET_L)},
                                  {seed, seed != NULL ? ARMSCRIBE_MLDSA_SEED_BYTES : 0}};

    return armscribe_judge(b, 3, 4);
}

static int NAME(_no_keys)(uint8_t *pk, uint8_t *sk, int error)
{
    armscribe_clear(pk, PK_BYTES);
    armscribe_clear(sk, SK_BYTES);
    return error;
}

int NAME(_keygen_derand)(uint8_t pk[PK_BYTES], uint8_t sk[SK_BYTES],
                         const uint8_t seed[ARMSCRIBE_MLDSA_SEED_BYTES], uint32_t *work)
{
    armscribe_mldsa_work *w = NAME(_open)(work);

    if (seed == NULL || NAME(_judge_keys)(pk, sk, seed, work) != ARMSCRIBE_OK) {
        return NAME(_no_keys)(pk, sk, ARMSCRIBE_ERROR_ARGUMENT);
    }
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
    int result;

    if (rng == NULL || NAME(_judge_keys)(pk, sk, NULL, work) != ARMSCRIBE_OK) {
        return NAME(_no_keys)(pk, sk, ARMSCRIBE_ERROR_ARGUMENT);
    }
    result = rng(rng_ctx, seed, sizeof seed) == 0 ? NAME(_keygen_derand)(pk, sk, seed, work)
                                                  : NAME(_no_keys)(pk, sk, ARMSCRIBE_ERROR_RNG);
    armscribe_wipe(seed, sizeof seed);
    return result;
}

#endif

#if defined(SET_SIGN)

static ARMSCRIBE_NOINLINE int NAME(_judge_sign)(const uint8_t *sig, const uint8_t *sk,
                                                const armscribe_mldsa_message *m, const uint8_t *mu,
                                                const uint32_t *work)
{
    const armscribe_buffer b[] = {{sig, SIG_BYTES},
                                  {armscribe_at_word(work), ARMSCRIBE_MLDSA_SIGN(SET_K, SET_L)},
                                  {sk, SK_BYTES},
                                  NAME(_text)(m, mu),
                                  NAME(_context)(m)};

    return armscribe_judge(b, 2, 5);
}

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
        result = NAME(_judge_sign)(sig, sk, m, mu, work);
    }
    if (result != ARMSCRIBE_OK) {
        armscribe_clear(sig, SIG_BYTES);
        return result;
    }
    memset(w->u.sign.rnd, 0, sizeof w->u.sign.rnd);
    if (rng != NULL && rng(rng_ctx, w->u.sign.rnd, sizeof w->u.sign.rnd) != 0) {
        result = ARMSCRIBE_ERROR_RNG;
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

/* mu of a message that passed its check, for the holder of pk. */
static void NAME(_mu_of)(armscribe_sha3_ctx *hash, uint8_t mu[ARMSCRIBE_MLDSA_MU_BYTES],
                         const uint8_t *pk, const armscribe_mldsa_message *m)
{
    uint8_t tr[64];

    armscribe_sponge_shake(hash, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sponge_absorb(hash, pk, PK_BYTES);
    armscribe_sponge_squeeze(hash, tr, sizeof tr);
    armscribe_mldsa_represent(hash, mu, tr, m);
}

static ARMSCRIBE_NOINLINE int NAME(_judge_mu)(const uint8_t *mu, const uint8_t *pk, size_t pk_n,
                                              const armscribe_mldsa_message *m)
{
    const armscribe_buffer b[] = {
        {mu, ARMSCRIBE_MLDSA_MU_BYTES}, {pk, PK_BYTES}, NAME(_text)(m, NULL), NAME(_context)(m)};
    const int result =
        pk_n != PK_BYTES ? ARMSCRIBE_ERROR_MLDSA_PK_LENGTH : armscribe_mldsa_check_message(m);

    return result != ARMSCRIBE_OK ? result : armscribe_judge(b, 1, 4);
}

int NAME(_mu)(uint8_t mu[ARMSCRIBE_MLDSA_MU_BYTES], const uint8_t *pk, size_t pk_n,
              const uint8_t *msg, size_t msg_n, const uint8_t *ctx, size_t ctx_n)
{
    const armscribe_mldsa_message m = {MLDSA_PURE, msg, msg_n, ctx, ctx_n};
    const int result = NAME(_judge_mu)(mu, pk, pk_n, &m);
    armscribe_sha3_ctx hash;

    if (result != ARMSCRIBE_OK) {
        armscribe_clear(mu, ARMSCRIBE_MLDSA_MU_BYTES);
        return result;
    }
    NAME(_mu_of)(&hash, mu, pk, &m);
    return ARMSCRIBE_OK;
}

#endif

#if defined(SET_VERIFY)

static ARMSCRIBE_NOINLINE int NAME(_judge_verify)(const uint8_t *pk,
                                                  const armscribe_mldsa_message *m,
                                                  const uint8_t *mu, const uint8_t *sig,
                                                  const uint32_t *work)
{
    const armscribe_buffer b[] = {{armscribe_at_word(work), ARMSCRIBE_MLDSA_VERIFY(SET_L)},
                                  {pk, PK_BYTES},
                                  {sig, SIG_BYTES},
                                  NAME(_text)(m, mu),
                                  NAME(_context)(m)};

    return armscribe_judge(b, 1, 5);
}

/* Verifies the signature of a message, or where m is NULL of the mu given. */
static int NAME(_verify_any)(const uint8_t *pk, size_t pk_n, const armscribe_mldsa_message *m,
                             const uint8_t *mu, const uint8_t *sig, size_t sig_n, uint32_t *work)
{
    armscribe_mldsa_work *w = NAME(_open)(work);
    int result = pk_n != PK_BYTES ? ARMSCRIBE_ERROR_MLDSA_PK_LENGTH : ARMSCRIBE_OK;

    if (result == ARMSCRIBE_OK && m != NULL) {
        result = armscribe_mldsa_check_message(m);
    }
    if (result == ARMSCRIBE_OK) {
        result = sig_n != SIG_BYTES ? ARMSCRIBE_ERROR_MLDSA_SIGNATURE
                                    : NAME(_judge_verify)(pk, m, mu, sig, work);
    }
    if (result != ARMSCRIBE_OK) {
        return result;
    }
    if (m != NULL) {
        NAME(_mu_of)(&w->hash, w->mu, pk, m);
    } else {
        memcpy(w->mu, mu, sizeof w->mu);
    }
    return armscribe_mldsa_verify(w, &NAME(_set), pk, sig);
}

int NAME(_verify)(const uint8_t *pk, size_t pk_n, const uint8_t *msg, size_t msg_n,
                  const uint8_t *ctx, size_t ctx_n, const uint8_t *sig, size_t sig_n,
                  uint32_t *work)
{
    const armscribe_mldsa_message m = {MLDSA_PURE, msg, msg_n, ctx, ctx_n};

    return NAME(_verify_any)(pk, pk_n, &m, NULL, sig, sig_n, work);
}

int NAME(_verify_hash)(const uint8_t *pk, size_t pk_n, int hash, const uint8_t *digest,
                       size_t digest_n, const uint8_t *ctx, size_t ctx_n, const uint8_t *sig,
                       size_t sig_n, uint32_t *work)
{
    const armscribe_mldsa_message m = {NAME(_kind)(hash), digest, digest_n, ctx, ctx_n};

    return NAME(_verify_any)(pk, pk_n, &m, NULL, sig, sig_n, work);
}

int NAME(_verify_mu)(const uint8_t *pk, size_t pk_n, const uint8_t mu[ARMSCRIBE_MLDSA_MU_BYTES],
                     const uint8_t *sig, size_t sig_n, uint32_t *work)
{
    return NAME(_verify_any)(pk, pk_n, NULL, mu, sig, sig_n, work);
}

int NAME(_verify_internal)(const uint8_t *pk, size_t pk_n, const uint8_t *msg, size_t msg_n,
                           const uint8_t *sig, size_t sig_n, uint32_t *work)
{
    const armscribe_mldsa_message m = {MLDSA_RAW, msg, msg_n, NULL, 0};

    return NAME(_verify_any)(pk, pk_n, &m, NULL, sig, sig_n, work);
}

#endif

#endif
