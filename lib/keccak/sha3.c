/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* The sponge of FIPS 202, section 4, over whichever permutation keccakf1600.h names. */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_SHA3)

#include <string.h>

#include "armscribe/wipe.h"
#include "keccakf1600.h"

#define SHA3_SUFFIX  0x06U /* bits 01, then the first bit of pad10*1 (FIPS 202, appendix B.2) */
#define SHAKE_SUFFIX 0x1fU /* bits 1111, then the same */
#define LAST_PAD_BIT 0x80U
#define STATE_BYTES  200U

static void sponge_init(armscribe_sha3_ctx *ctx, size_t rate, uint8_t suffix)
{
    memset(ctx, 0, sizeof *ctx);
    ctx->rate = (uint8_t)rate;
    ctx->suffix = suffix;
}

void armscribe_sha3_init(armscribe_sha3_ctx *ctx, size_t digest_bytes)
{
    sponge_init(ctx, STATE_BYTES - 2 * digest_bytes, SHA3_SUFFIX);
}

void armscribe_shake_init(armscribe_sha3_ctx *ctx, size_t rate)
{
    sponge_init(ctx, rate, SHAKE_SUFFIX);
}

/* Bytes to process now: up to n, up to the end of the block. A full block is permuted first. */
static size_t next_chunk(armscribe_sha3_ctx *ctx, size_t n)
{
    size_t room;

    if (ctx->position == ctx->rate) {
        armscribe_keccak_permute(&ctx->state);
        ctx->position = 0;
    }
    room = (size_t)ctx->rate - ctx->position;
    return n < room ? n : room;
}

int armscribe_sha3_absorb(armscribe_sha3_ctx *ctx, const uint8_t *in, size_t n)
{
    if (ctx->rate == 0 || ctx->squeezing != 0) {
        return ARMSCRIBE_ERROR_STATE;
    }
    while (n > 0) {
        size_t chunk = next_chunk(ctx, n);

        armscribe_keccak_xor(&ctx->state, in, ctx->position, chunk);
        ctx->position = (uint8_t)(ctx->position + chunk);
        in += chunk;
        n -= chunk;
    }
    return ARMSCRIBE_OK;
}

static void pad(armscribe_sha3_ctx *ctx)
{
    const uint8_t last = LAST_PAD_BIT;

    (void)next_chunk(ctx, 0);
    armscribe_keccak_xor(&ctx->state, &ctx->suffix, ctx->position, 1);
    armscribe_keccak_xor(&ctx->state, &last, (size_t)ctx->rate - 1, 1);
    ctx->position = ctx->rate;
    ctx->squeezing = 1;
}

int armscribe_sha3_squeeze(armscribe_sha3_ctx *ctx, uint8_t *out, size_t n)
{
    if (ctx->rate == 0) {
        memset(out, 0, n);
        return ARMSCRIBE_ERROR_STATE;
    }
    if (ctx->squeezing == 0) {
        pad(ctx);
    }
    while (n > 0) {
        size_t chunk = next_chunk(ctx, n);

        armscribe_keccak_read(&ctx->state, out, ctx->position, chunk);
        ctx->position = (uint8_t)(ctx->position + chunk);
        out += chunk;
        n -= chunk;
    }
    return ARMSCRIBE_OK;
}

/* Absorb, squeeze and forget. */
static void hash(armscribe_sha3_ctx *ctx, uint8_t *out, size_t out_n, const uint8_t *in, size_t n)
{
    (void)armscribe_sha3_absorb(ctx, in, n);
    (void)armscribe_sha3_squeeze(ctx, out, out_n);
    armscribe_wipe(ctx, sizeof *ctx);
}

static void sha3(uint8_t *out, size_t digest_bytes, const uint8_t *in, size_t n)
{
    armscribe_sha3_ctx ctx;

    armscribe_sha3_init(&ctx, digest_bytes);
    hash(&ctx, out, digest_bytes, in, n);
}

void armscribe_sha3_224(uint8_t out[ARMSCRIBE_SHA3_224_BYTES], const uint8_t *in, size_t n)
{
    sha3(out, ARMSCRIBE_SHA3_224_BYTES, in, n);
}

void armscribe_sha3_256(uint8_t out[ARMSCRIBE_SHA3_256_BYTES], const uint8_t *in, size_t n)
{
    sha3(out, ARMSCRIBE_SHA3_256_BYTES, in, n);
}

void armscribe_sha3_384(uint8_t out[ARMSCRIBE_SHA3_384_BYTES], const uint8_t *in, size_t n)
{
    sha3(out, ARMSCRIBE_SHA3_384_BYTES, in, n);
}

void armscribe_sha3_512(uint8_t out[ARMSCRIBE_SHA3_512_BYTES], const uint8_t *in, size_t n)
{
    sha3(out, ARMSCRIBE_SHA3_512_BYTES, in, n);
}

static void shake(size_t rate, uint8_t *out, size_t out_n, const uint8_t *in, size_t n)
{
    armscribe_sha3_ctx ctx;

    armscribe_shake_init(&ctx, rate);
    hash(&ctx, out, out_n, in, n);
}

void armscribe_shake128(uint8_t *out, size_t out_n, const uint8_t *in, size_t n)
{
    shake(ARMSCRIBE_SHAKE128_RATE, out, out_n, in, n);
}

void armscribe_shake256(uint8_t *out, size_t out_n, const uint8_t *in, size_t n)
{
    shake(ARMSCRIBE_SHAKE256_RATE, out, out_n, in, n);
}

#endif
