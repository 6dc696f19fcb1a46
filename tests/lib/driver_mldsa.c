/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Operations from 128: the public functions of armscribe/mldsa.h. The parameter is the set (0, 1, 2 for 44, 65, 87), plus
 * 16 times the hash function. */
#include <string.h>

#include "armscribe/mldsa.h"
#include "driver.h"

#define UNKNOWN 0xffffU

typedef struct {
    size_t pk, sk, sig, keygen_work, sign_work, verify_work;
    int (*keygen)(uint8_t *pk, uint8_t *sk, armscribe_rng rng, void *rng_ctx, uint32_t *work);
    int (*keygen_derand)(uint8_t *pk, uint8_t *sk, const uint8_t *seed, uint32_t *work);
    int (*sign)(uint8_t *sig, const uint8_t *sk, size_t sk_n, const uint8_t *msg, size_t msg_n,
                const uint8_t *ctx, size_t ctx_n, armscribe_rng rng, void *rng_ctx, uint32_t *work);
    int (*sign_hash)(uint8_t *sig, const uint8_t *sk, size_t sk_n, int hash, const uint8_t *digest,
                     size_t digest_n, const uint8_t *ctx, size_t ctx_n, armscribe_rng rng,
                     void *rng_ctx, uint32_t *work);
    int (*sign_mu)(uint8_t *sig, const uint8_t *sk, size_t sk_n, const uint8_t *mu,
                   armscribe_rng rng, void *rng_ctx, uint32_t *work);
    int (*sign_internal)(uint8_t *sig, const uint8_t *sk, size_t sk_n, const uint8_t *msg,
                         size_t msg_n, armscribe_rng rng, void *rng_ctx, uint32_t *work);
    int (*verify)(const uint8_t *pk, size_t pk_n, const uint8_t *msg, size_t msg_n,
                  const uint8_t *ctx, size_t ctx_n, const uint8_t *sig, size_t sig_n,
                  uint32_t *work);
    int (*verify_hash)(const uint8_t *pk, size_t pk_n, int hash, const uint8_t *digest,
                       size_t digest_n, const uint8_t *ctx, size_t ctx_n, const uint8_t *sig,
                       size_t sig_n, uint32_t *work);
    int (*verify_mu)(const uint8_t *pk, size_t pk_n, const uint8_t *mu, const uint8_t *sig,
                     size_t sig_n, uint32_t *work);
    int (*verify_internal)(const uint8_t *pk, size_t pk_n, const uint8_t *msg, size_t msg_n,
                           const uint8_t *sig, size_t sig_n, uint32_t *work);
    int (*mu)(uint8_t *mu, const uint8_t *pk, size_t pk_n, const uint8_t *msg, size_t msg_n,
              const uint8_t *ctx, size_t ctx_n);
} functions;

#define FUNCTIONS(N)                                                                               \
    {ARMSCRIBE_MLDSA##N##_PK_BYTES,                                                                \
     ARMSCRIBE_MLDSA##N##_SK_BYTES,                                                                \
     ARMSCRIBE_MLDSA##N##_SIG_BYTES,                                                               \
     ARMSCRIBE_MLDSA##N##_KEYGEN_WORKSPACE,                                                        \
     ARMSCRIBE_MLDSA##N##_SIGN_WORKSPACE,                                                          \
     ARMSCRIBE_MLDSA##N##_VERIFY_WORKSPACE,                                                        \
     armscribe_mldsa##N##_keygen,                                                                  \
     armscribe_mldsa##N##_keygen_derand,                                                           \
     armscribe_mldsa##N##_sign,                                                                    \
     armscribe_mldsa##N##_sign_hash,                                                               \
     armscribe_mldsa##N##_sign_mu,                                                                 \
     armscribe_mldsa##N##_sign_internal,                                                           \
     armscribe_mldsa##N##_verify,                                                                  \
     armscribe_mldsa##N##_verify_hash,                                                             \
     armscribe_mldsa##N##_verify_mu,                                                               \
     armscribe_mldsa##N##_verify_internal,                                                         \
     armscribe_mldsa##N##_mu}

static const functions sets[3] = {FUNCTIONS(44), FUNCTIONS(65), FUNCTIONS(87)};

static uint32_t keys(driver_job *job, const functions *f)
{
    uint8_t *pk = driver_output(job, f->pk);
    uint8_t *sk = driver_output(job, f->sk);
    uint32_t *work = driver_work(f->keygen_work);

    if (job->operation == 128) {
        return driver_worked(f->keygen_derand(pk, sk, job->in[0].data, work), 0);
    }
    return driver_worked(f->keygen(pk, sk, driver_rng, &job->in[0], work), 0);
}

static uint32_t sign(driver_job *job, const functions *f, int hash)
{
    uint8_t *sig = driver_output(job, f->sig);
    const driver_buffer *sk = &job->in[0];
    const driver_buffer *m = &job->in[1];
    const driver_buffer *ctx = &job->in[2];
    driver_buffer *random = &job->in[job->inputs - 1];
    const armscribe_rng rng = random->size != 0 ? driver_rng : NULL;
    uint32_t *work = driver_work(f->sign_work);
    int result;

    switch (job->operation) {
    case 130:
        result = f->sign(sig, sk->data, sk->size, m->data, m->size, ctx->data, ctx->size, rng,
                         random, work);
        break;
    case 131:
        result = f->sign_hash(sig, sk->data, sk->size, hash, m->data, m->size, ctx->data, ctx->size,
                              rng, random, work);
        break;
    case 132:
        result = f->sign_mu(sig, sk->data, sk->size, m->data, rng, random, work);
        break;
    default:
        result = f->sign_internal(sig, sk->data, sk->size, m->data, m->size, rng, random, work);
    }
    return driver_worked(result, 0);
}

static uint32_t verify(driver_job *job, const functions *f, int hash)
{
    const driver_buffer *pk = &job->in[0];
    const driver_buffer *m = &job->in[1];
    const driver_buffer *ctx = &job->in[2];
    const driver_buffer *sig = &job->in[job->inputs - 1];
    uint32_t *work = driver_work(f->verify_work);
    int result;

    switch (job->operation) {
    case 134:
        result = f->verify(pk->data, pk->size, m->data, m->size, ctx->data, ctx->size, sig->data,
                           sig->size, work);
        break;
    case 135:
        result = f->verify_hash(pk->data, pk->size, hash, m->data, m->size, ctx->data, ctx->size,
                                sig->data, sig->size, work);
        break;
    case 136:
        result = f->verify_mu(pk->data, pk->size, m->data, sig->data, sig->size, work);
        break;
    default:
        result =
            f->verify_internal(pk->data, pk->size, m->data, m->size, sig->data, sig->size, work);
    }
    return driver_worked(result, 1);
}

uint32_t driver_mldsa(driver_job *job)
{
    const functions *f = &sets[job->set % 16 < 3 ? job->set % 16 : 0];
    const int hash = job->set / 16;

    if (job->operation < 130) {
        return keys(job, f);
    }
    if (job->operation < 134) {
        return sign(job, f, hash);
    }
    if (job->operation < 138) {
        return verify(job, f, hash);
    }
    if (job->operation == 138) {
        return (uint32_t)f->mu(driver_output(job, ARMSCRIBE_MLDSA_MU_BYTES), job->in[0].data,
                               job->in[0].size, job->in[1].data, job->in[1].size, job->in[2].data,
                               job->in[2].size);
    }
    return UNKNOWN;
}
