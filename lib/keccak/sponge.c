/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* The sponge over whichever permutation keccakf1600.h names. */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_SHA3)

#include "sponge.h"

#include <string.h>

#include "keccakf1600.h"

#define SHA3_SUFFIX  0x06U /* bits 01, then the first bit of pad10*1 (FIPS 202, appendix B.2) */
#define SHAKE_SUFFIX 0x1fU /* bits 1111, then the same */
#define LAST_PAD_BIT 0x80U
#define STATE_BYTES  200U

static void start(armscribe_sha3_ctx *ctx, size_t rate, uint8_t suffix)
{
    memset(ctx, 0, sizeof *ctx);
    ctx->rate = (uint8_t)rate;
    ctx->suffix = suffix;
}

void armscribe_sponge_sha3(armscribe_sha3_ctx *ctx, size_t digest_bytes)
{
    start(ctx, STATE_BYTES - 2 * digest_bytes, SHA3_SUFFIX);
}

void armscribe_sponge_shake(armscribe_sha3_ctx *ctx, size_t rate)
{
    start(ctx, rate, SHAKE_SUFFIX);
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

void armscribe_sponge_absorb(armscribe_sha3_ctx *ctx, const uint8_t *in, size_t n)
{
    while (n > 0) {
        size_t chunk = next_chunk(ctx, n);

        armscribe_keccak_xor(&ctx->state, in, ctx->position, chunk);
        ctx->position = (uint8_t)(ctx->position + chunk);
        in += chunk;
        n -= chunk;
    }
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

void armscribe_sponge_squeeze(armscribe_sha3_ctx *ctx, uint8_t *out, size_t n)
{
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
}

#endif
