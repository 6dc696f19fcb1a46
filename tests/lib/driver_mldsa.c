/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Operations from 128: the public functions of armscribe/mldsa.h. The parameter is the set (0, 1, 2 for 44, 65, 87), plus
 * 16 times the hash function. */
#include <string.h>

#include "armscribe/mldsa.h"
#include "driver.h"

#define UNKNOWN   0xffffU
#define NOT_WIPED 0x40000000U /* added to the result where the work space still holds something */

typedef struct {
    size_t pk, sk, sig, keygen_work, sign_work;
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
    {ARMSCRIBE_MLDSA##N##_PK_BYTES,        ARMSCRIBE_MLDSA##N##_SK_BYTES,                          \
     ARMSCRIBE_MLDSA##N##_SIG_BYTES,       ARMSCRIBE_MLDSA##N##_KEYGEN_WORKSPACE,                  \
     ARMSCRIBE_MLDSA##N##_SIGN_WORKSPACE,  armscribe_mldsa##N##_keygen,                            \
     armscribe_mldsa##N##_keygen_derand,   armscribe_mldsa##N##_sign,                              \
     armscribe_mldsa##N##_sign_hash,       armscribe_mldsa##N##_sign_mu,                           \
     armscribe_mldsa##N##_sign_internal,   armscribe_mldsa##N##_verify,                            \
     armscribe_mldsa##N##_verify_hash,     armscribe_mldsa##N##_verify_mu,                         \
     armscribe_mldsa##N##_verify_internal, armscribe_mldsa##N##_mu}

static const functions sets[3] = {FUNCTIONS(44), FUNCTIONS(65), FUNCTIONS(87)};

/* Verification needs the least, keys less than signatures. */
static uint32_t work[ARMSCRIBE_MLDSA87_SIGN_WORKSPACE / 4];

/* Hands out 32 bytes if it has them, else fails after some rubbish. */
static int limited_rng(void *rng_ctx, uint8_t *out, size_t n)
{
    const driver_buffer *left = (const driver_buffer *)rng_ctx;

    memset(out, 0x5C, n / 2);
    if (left->size < n) {
        return -1;
    }
    memcpy(out, left->data, n);
    return 0;
}

/* The result, and whether the first n bytes of the work space were erased. */
static uint32_t erased(int result, size_t n)
{
    uint32_t rest = 0;

    for (size_t i = 0; i < n / 4; i++) {
        rest |= work[i];
    }
    return (uint32_t)result | (rest != 0 ? NOT_WIPED : 0);
}

static uint32_t keys(driver_job *job, const functions *f)
{
    uint8_t *pk = driver_output(job, f->pk);
    uint8_t *sk = driver_output(job, f->sk);

    if (job->operation == 128) {
        return erased(f->keygen_derand(pk, sk, job->in[0].data, work), f->keygen_work);
    }
    /* where it draws nothing it leaves the work space alone */
    return erased(f->keygen(pk, sk, limited_rng, &job->in[0], work),
                  job->in[0].size < 32 ? 0 : f->keygen_work);
}

static uint32_t sign(driver_job *job, const functions *f, int hash)
{
    uint8_t *sig = driver_output(job, f->sig);
    const driver_buffer *sk = &job->in[0];
    const driver_buffer *m = &job->in[1];
    const driver_buffer *ctx = &job->in[2];
    driver_buffer *random = &job->in[job->inputs - 1];
    const armscribe_rng rng = random->size != 0 ? limited_rng : NULL;
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
    return erased(result, f->sign_work);
}

static uint32_t verify(driver_job *job, const functions *f, int hash)
{
    const driver_buffer *pk = &job->in[0];
    const driver_buffer *m = &job->in[1];
    const driver_buffer *ctx = &job->in[2];
    const driver_buffer *sig = &job->in[job->inputs - 1];

    switch (job->operation) {
    case 134:
        return (uint32_t)f->verify(pk->data, pk->size, m->data, m->size, ctx->data, ctx->size,
                                   sig->data, sig->size, work);
    case 135:
        return (uint32_t)f->verify_hash(pk->data, pk->size, hash, m->data, m->size, ctx->data,
                                        ctx->size, sig->data, sig->size, work);
    case 136:
        return (uint32_t)f->verify_mu(pk->data, pk->size, m->data, sig->data, sig->size, work);
    default:
        return (uint32_t)f->verify_internal(pk->data, pk->size, m->data, m->size, sig->data,
                                            sig->size, work);
    }
}

uint32_t driver_mldsa(driver_job *job)
{
    const functions *f = &sets[job->set % 16 < 3 ? job->set % 16 : 0];
    const int hash = job->set / 16;

    memset(work, 0xC3, sizeof work);
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
