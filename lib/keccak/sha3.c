/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* The public functions of SHA-3 and SHAKE: what they are given is judged here. */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_SHA3)

#include <string.h>

#include "../common/ct.h"
#include "../common/judge.h"
#include "sponge.h"

#define LEAST_RATE 72U /* of SHA3-512 */
#define MOST_RATE  ARMSCRIBE_SHAKE128_RATE

int armscribe_sha3_init(armscribe_sha3_ctx *ctx, size_t digest_bytes)
{
    if (ctx == NULL) {
        return ARMSCRIBE_ERROR_ARGUMENT;
    }
    if (digest_bytes != ARMSCRIBE_SHA3_224_BYTES && digest_bytes != ARMSCRIBE_SHA3_256_BYTES &&
        digest_bytes != ARMSCRIBE_SHA3_384_BYTES && digest_bytes != ARMSCRIBE_SHA3_512_BYTES) {
        memset(ctx, 0, sizeof *ctx);
        return ARMSCRIBE_ERROR_ARGUMENT;
    }
    armscribe_sponge_sha3(ctx, digest_bytes);
    return ARMSCRIBE_OK;
}

int armscribe_shake_init(armscribe_sha3_ctx *ctx, size_t rate)
{
    if (ctx == NULL) {
        return ARMSCRIBE_ERROR_ARGUMENT;
    }
    if (rate != ARMSCRIBE_SHAKE128_RATE && rate != ARMSCRIBE_SHAKE256_RATE) {
        memset(ctx, 0, sizeof *ctx);
        return ARMSCRIBE_ERROR_ARGUMENT;
    }
    armscribe_sponge_shake(ctx, rate);
    return ARMSCRIBE_OK;
}

/* What is wrong with a call that takes or gives n bytes at p. */
static ARMSCRIBE_NOINLINE int judge(const armscribe_sha3_ctx *ctx, const uint8_t *p, size_t n)
{
    const armscribe_buffer b[] = {{ctx, sizeof *ctx}, {p, n}};
    const int result = armscribe_judge(b, 1, 2);

    if (result == ARMSCRIBE_OK && (ctx->rate < LEAST_RATE || ctx->rate > MOST_RATE ||
                                   ctx->position > ctx->rate || ctx->squeezing > 1)) {
        return ARMSCRIBE_ERROR_STATE;
    }
    return result;
}

int armscribe_sha3_absorb(armscribe_sha3_ctx *ctx, const uint8_t *in, size_t n)
{
    const int result = judge(ctx, in, n);

    if (result != ARMSCRIBE_OK) {
        return result;
    }
    if (ctx->squeezing != 0) {
        return ARMSCRIBE_ERROR_STATE;
    }
    armscribe_sponge_absorb(ctx, in, n);
    return ARMSCRIBE_OK;
}

int armscribe_sha3_squeeze(armscribe_sha3_ctx *ctx, uint8_t *out, size_t n)
{
    const int result = judge(ctx, out, n);

    if (result != ARMSCRIBE_OK) {
        armscribe_clear(out, n);
        return result;
    }
    armscribe_sponge_squeeze(ctx, out, n);
    return ARMSCRIBE_OK;
}

/* Absorb, squeeze and forget; `ctx` is started. */
static int hash(armscribe_sha3_ctx *ctx, uint8_t *out, size_t out_n, const uint8_t *in, size_t n)
{
    const armscribe_buffer b[] = {{out, out_n}, {in, n}};
    const int result = armscribe_judge(b, 0, 2);

    if (result != ARMSCRIBE_OK) {
        armscribe_clear(out, out_n);
        return result;
    }
    armscribe_sponge_absorb(ctx, in, n);
    armscribe_sponge_squeeze(ctx, out, out_n);
    armscribe_wipe(ctx, sizeof *ctx);
    return ARMSCRIBE_OK;
}

static int sha3(uint8_t *out, size_t digest_bytes, const uint8_t *in, size_t n)
{
    armscribe_sha3_ctx ctx;

    armscribe_sponge_sha3(&ctx, digest_bytes);
    return hash(&ctx, out, digest_bytes, in, n);
}

int armscribe_sha3_224(uint8_t out[ARMSCRIBE_SHA3_224_BYTES], const uint8_t *in, size_t n)
{
    return sha3(out, ARMSCRIBE_SHA3_224_BYTES, in, n);
}

int armscribe_sha3_256(uint8_t out[ARMSCRIBE_SHA3_256_BYTES], const uint8_t *in, size_t n)
{
    return sha3(out, ARMSCRIBE_SHA3_256_BYTES, in, n);
}

int armscribe_sha3_384(uint8_t out[ARMSCRIBE_SHA3_384_BYTES], const uint8_t *in, size_t n)
{
    return sha3(out, ARMSCRIBE_SHA3_384_BYTES, in, n);
}

int armscribe_sha3_512(uint8_t out[ARMSCRIBE_SHA3_512_BYTES], const uint8_t *in, size_t n)
{
    return sha3(out, ARMSCRIBE_SHA3_512_BYTES, in, n);
}

static int shake(size_t rate, uint8_t *out, size_t out_n, const uint8_t *in, size_t n)
{
    armscribe_sha3_ctx ctx;

    armscribe_sponge_shake(&ctx, rate);
    return hash(&ctx, out, out_n, in, n);
}

int armscribe_shake128(uint8_t *out, size_t out_n, const uint8_t *in, size_t n)
{
    return shake(ARMSCRIBE_SHAKE128_RATE, out, out_n, in, n);
}

int armscribe_shake256(uint8_t *out, size_t out_n, const uint8_t *in, size_t n)
{
    return shake(ARMSCRIBE_SHAKE256_RATE, out, out_n, in, n);
}

#endif
