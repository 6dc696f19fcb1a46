/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Blocks, padding and digests of the functions of FIPS 180-4 on 32-bit words. */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_SHA256)

#include <string.h>

#include "armscribe/sha2.h"

#include "../common/bytes.h"
#include "../common/ct.h"
#include "../common/judge.h"
#include "compress.h"

#define FIRST_PAD_BYTE 0x80U
#define LENGTH_BYTES   8U /* of the message length at the end (FIPS 180-4, section 5.1) */

/* FIPS 180-4, section 5.3.2. */
static const uint32_t sha224_start[8] = {
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
};

/* FIPS 180-4, section 5.3.3. */
static const uint32_t sha256_start[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static int start(armscribe_sha256_ctx *ctx, const uint32_t *state, size_t digest_bytes)
{
    if (ctx == NULL) {
        return ARMSCRIBE_ERROR_ARGUMENT;
    }
    memset(ctx, 0, sizeof *ctx);
    memcpy(ctx->state, state, sizeof ctx->state);
    ctx->digest_bytes = (uint8_t)digest_bytes;
    return ARMSCRIBE_OK;
}

int armscribe_sha224_init(armscribe_sha256_ctx *ctx)
{
    return start(ctx, sha224_start, ARMSCRIBE_SHA224_BYTES);
}

int armscribe_sha256_init(armscribe_sha256_ctx *ctx)
{
    return start(ctx, sha256_start, ARMSCRIBE_SHA256_BYTES);
}

/* What is wrong with a call that takes or gives n bytes at p. */
static ARMSCRIBE_NOINLINE int judge(const armscribe_sha256_ctx *ctx, const uint8_t *p, size_t n)
{
    const armscribe_buffer b[] = {{ctx, sizeof *ctx}, {p, n}};
    const int result = armscribe_judge(b, 1, 2);

    if (result == ARMSCRIBE_OK && ctx->digest_bytes != ARMSCRIBE_SHA224_BYTES &&
        ctx->digest_bytes != ARMSCRIBE_SHA256_BYTES) {
        return ARMSCRIBE_ERROR_STATE;
    }
    return result;
}

/* Takes n bytes of whole blocks; those that are not word aligned by way of ctx->block. */
static void take(armscribe_sha256_ctx *ctx, const uint8_t *in, size_t n)
{
    if ((uintptr_t)in % 4 == 0) {
        armscribe_sha256_compress(ctx->state, in, n / ARMSCRIBE_SHA256_BLOCK);
        return;
    }
    for (size_t i = 0; i < n; i += ARMSCRIBE_SHA256_BLOCK) {
        memcpy(ctx->block, in + i, ARMSCRIBE_SHA256_BLOCK);
        armscribe_sha256_compress(ctx->state, ctx->block, 1);
    }
}

int armscribe_sha256_update(armscribe_sha256_ctx *ctx, const uint8_t *in, size_t n)
{
    const int result = judge(ctx, in, n);
    size_t waiting;

    if (result != ARMSCRIBE_OK || n == 0) {
        return result;
    }
    waiting = (size_t)(ctx->length % ARMSCRIBE_SHA256_BLOCK);
    ctx->length += n;
    if (waiting != 0) {
        const size_t room = ARMSCRIBE_SHA256_BLOCK - waiting;
        const size_t chunk = n < room ? n : room;

        memcpy(ctx->block + waiting, in, chunk);
        if (chunk < room) {
            return ARMSCRIBE_OK;
        }
        armscribe_sha256_compress(ctx->state, ctx->block, 1);
        in += chunk;
        n -= chunk;
    }
    if (n >= ARMSCRIBE_SHA256_BLOCK) {
        const size_t whole = n - n % ARMSCRIBE_SHA256_BLOCK;

        take(ctx, in, whole);
        in += whole;
        n -= whole;
    }
    if (n != 0) {
        memcpy(ctx->block, in, n);
    }
    return ARMSCRIBE_OK;
}

/* Fills the last block, or the last two, and takes them. */
static void pad(armscribe_sha256_ctx *ctx)
{
    size_t position = (size_t)(ctx->length % ARMSCRIBE_SHA256_BLOCK);

    ctx->block[position++] = FIRST_PAD_BYTE;
    memset(ctx->block + position, 0, ARMSCRIBE_SHA256_BLOCK - position);
    if (position > ARMSCRIBE_SHA256_BLOCK - LENGTH_BYTES) {
        armscribe_sha256_compress(ctx->state, ctx->block, 1);
        memset(ctx->block, 0, ARMSCRIBE_SHA256_BLOCK);
    }
    armscribe_store32_big(ctx->block + ARMSCRIBE_SHA256_BLOCK - 4, (uint32_t)(ctx->length << 3));
    armscribe_store32_big(ctx->block + ARMSCRIBE_SHA256_BLOCK - 8, (uint32_t)(ctx->length >> 29));
    armscribe_sha256_compress(ctx->state, ctx->block, 1);
}

int armscribe_sha256_final(armscribe_sha256_ctx *ctx, uint8_t *out)
{
    const int result = judge(ctx, out, ctx == NULL ? 1U : ctx->digest_bytes);

    if (result != ARMSCRIBE_OK) {
        return result;
    }
    pad(ctx);
    for (size_t i = 0; i < ctx->digest_bytes / 4; i++) {
        armscribe_store32_big(out + 4 * i, ctx->state[i]);
    }
    armscribe_wipe(ctx, sizeof *ctx);
    armscribe_wipe_stack();
    return ARMSCRIBE_OK;
}

/* The rest of a call that does everything. */
static int finish(armscribe_sha256_ctx *ctx, uint8_t *out, const uint8_t *in, size_t n)
{
    const size_t digest_bytes = ctx->digest_bytes;
    int result = armscribe_sha256_update(ctx, in, n);

    if (result == ARMSCRIBE_OK) {
        result = armscribe_sha256_final(ctx, out);
    }
    if (result != ARMSCRIBE_OK) {
        armscribe_clear(out, digest_bytes);
        armscribe_wipe(ctx, sizeof *ctx);
    }
    return result;
}

int armscribe_sha224(uint8_t out[ARMSCRIBE_SHA224_BYTES], const uint8_t *in, size_t n)
{
    armscribe_sha256_ctx ctx;

    (void)armscribe_sha224_init(&ctx);
    return finish(&ctx, out, in, n);
}

int armscribe_sha256(uint8_t out[ARMSCRIBE_SHA256_BYTES], const uint8_t *in, size_t n)
{
    armscribe_sha256_ctx ctx;

    (void)armscribe_sha256_init(&ctx);
    return finish(&ctx, out, in, n);
}

#endif
