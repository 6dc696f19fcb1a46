/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Blocks, padding and digests of the functions of FIPS 180-4 on 64-bit words. */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_SHA512)

#include <string.h>

#include "armscribe/sha2.h"

#include "../common/bytes.h"
#include "../common/ct.h"
#include "../common/judge.h"
#include "compress.h"
#include "finish.h"

#define FIRST_PAD_BYTE 0x80U
#define LENGTH_BYTES   16U /* of the message length at the end (FIPS 180-4, section 5.1) */

/* FIPS 180-4, section 5.3.4. */
static const uint32_t sha384_start[16] = {
    0xc1059ed8, 0xcbbb9d5d, 0x367cd507, 0x629a292a, 0x3070dd17, 0x9159015a, 0xf70e5939, 0x152fecd8,
    0xffc00b31, 0x67332667, 0x68581511, 0x8eb44a87, 0x64f98fa7, 0xdb0c2e0d, 0xbefa4fa4, 0x47b5481d,
};

/* FIPS 180-4, section 5.3.5. */
static const uint32_t sha512_start[16] = {
    0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
    0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
};

/* FIPS 180-4, section 5.3.6.1. */
static const uint32_t sha512_224_start[16] = {
    0x19544da2, 0x8c3d37c8, 0x89dcd4d6, 0x73e19966, 0x32ff9c82, 0x1dfab7ae, 0x582f9fcf, 0x679dd514,
    0x7bd44da8, 0x0f6d2b69, 0x04c48942, 0x77e36f73, 0x6a1d36c8, 0x3f9d85a8, 0x91d692a1, 0x1112e6ad,
};

/* FIPS 180-4, section 5.3.6.2. */
static const uint32_t sha512_256_start[16] = {
    0xfc2bf72c, 0x22312194, 0xc84c64c2, 0x9f555fa3, 0x6f53b151, 0x2393b86b, 0x5940eabd, 0x96387719,
    0xa88effe3, 0x96283ee2, 0x53863992, 0xbe5e1e25, 0x2c85b8aa, 0x2b0199fc, 0x81c52ca2, 0x0eb72ddc,
};

static int start(armscribe_sha512_ctx *ctx, const uint32_t *state, size_t digest_bytes)
{
    if (ctx == NULL) {
        return ARMSCRIBE_ERROR_ARGUMENT;
    }
    memset(ctx, 0, sizeof *ctx);
    memcpy(ctx->state, state, sizeof ctx->state);
    ctx->digest_bytes = (uint8_t)digest_bytes;
    return ARMSCRIBE_OK;
}

int armscribe_sha384_init(armscribe_sha512_ctx *ctx)
{
    return start(ctx, sha384_start, ARMSCRIBE_SHA384_BYTES);
}

int armscribe_sha512_init(armscribe_sha512_ctx *ctx)
{
    return start(ctx, sha512_start, ARMSCRIBE_SHA512_BYTES);
}

int armscribe_sha512_224_init(armscribe_sha512_ctx *ctx)
{
    return start(ctx, sha512_224_start, ARMSCRIBE_SHA512_224_BYTES);
}

int armscribe_sha512_256_init(armscribe_sha512_ctx *ctx)
{
    return start(ctx, sha512_256_start, ARMSCRIBE_SHA512_256_BYTES);
}

/* What is wrong with a call that takes or gives n bytes at p. */
static ARMSCRIBE_NOINLINE int judge(const armscribe_sha512_ctx *ctx, const uint8_t *p, size_t n)
{
    const armscribe_buffer b[] = {{ctx, sizeof *ctx}, {p, n}};
    const int result = armscribe_judge(b, 1, 2);

    if (result == ARMSCRIBE_OK && ctx->digest_bytes != ARMSCRIBE_SHA384_BYTES &&
        ctx->digest_bytes != ARMSCRIBE_SHA512_BYTES &&
        ctx->digest_bytes != ARMSCRIBE_SHA512_224_BYTES &&
        ctx->digest_bytes != ARMSCRIBE_SHA512_256_BYTES) {
        return ARMSCRIBE_ERROR_STATE;
    }
    return result;
}

/* Takes n bytes of whole blocks; those that are not word aligned by way of ctx->block. */
static void take(armscribe_sha512_ctx *ctx, const uint8_t *in, size_t n)
{
    if ((uintptr_t)in % 4 == 0) {
        armscribe_sha512_compress(ctx->state, in, n / ARMSCRIBE_SHA512_BLOCK);
        return;
    }
    for (size_t i = 0; i < n; i += ARMSCRIBE_SHA512_BLOCK) {
        memcpy(ctx->block, in + i, ARMSCRIBE_SHA512_BLOCK);
        armscribe_sha512_compress(ctx->state, ctx->block, 1);
    }
}

int armscribe_sha512_update(armscribe_sha512_ctx *ctx, const uint8_t *in, size_t n)
{
    const int result = judge(ctx, in, n);
    size_t waiting;

    if (result != ARMSCRIBE_OK || n == 0) {
        return result;
    }
    waiting = (size_t)(ctx->length % ARMSCRIBE_SHA512_BLOCK);
    ctx->length += n;
    if (waiting != 0) {
        const size_t room = ARMSCRIBE_SHA512_BLOCK - waiting;
        const size_t chunk = n < room ? n : room;

        memcpy(ctx->block + waiting, in, chunk);
        if (chunk < room) {
            return ARMSCRIBE_OK;
        }
        armscribe_sha512_compress(ctx->state, ctx->block, 1);
        in += chunk;
        n -= chunk;
    }
    if (n >= ARMSCRIBE_SHA512_BLOCK) {
        const size_t whole = n - n % ARMSCRIBE_SHA512_BLOCK;

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
static void pad(armscribe_sha512_ctx *ctx)
{
    size_t position = (size_t)(ctx->length % ARMSCRIBE_SHA512_BLOCK);

    ctx->block[position++] = FIRST_PAD_BYTE;
    memset(ctx->block + position, 0, ARMSCRIBE_SHA512_BLOCK - position);
    if (position > ARMSCRIBE_SHA512_BLOCK - LENGTH_BYTES) {
        armscribe_sha512_compress(ctx->state, ctx->block, 1);
        memset(ctx->block, 0, ARMSCRIBE_SHA512_BLOCK);
    }
    armscribe_store32_big(ctx->block + ARMSCRIBE_SHA512_BLOCK - 4, (uint32_t)(ctx->length << 3));
    armscribe_store32_big(ctx->block + ARMSCRIBE_SHA512_BLOCK - 8, (uint32_t)(ctx->length >> 29));
    ctx->block[ARMSCRIBE_SHA512_BLOCK - 9] = (uint8_t)(ctx->length >> 61);
    armscribe_sha512_compress(ctx->state, ctx->block, 1);
}

int armscribe_sha512_finish(armscribe_sha512_ctx *ctx, uint8_t *out)
{
    const int result = judge(ctx, out, ctx == NULL ? 1U : ctx->digest_bytes);

    if (result != ARMSCRIBE_OK) {
        return result;
    }
    pad(ctx);
    for (size_t i = 0; i < ctx->digest_bytes / 4; i++) {
        armscribe_store32_big(out + 4 * i, ctx->state[i ^ 1]); /* the high word of each first */
    }
    armscribe_wipe(ctx, sizeof *ctx);
    return ARMSCRIBE_OK;
}

int armscribe_sha512_final(armscribe_sha512_ctx *ctx, uint8_t *out)
{
    const int result = armscribe_sha512_finish(ctx, out);

    armscribe_wipe_stack();
    return result;
}

/* The rest of a call that does everything. */
static int finish(armscribe_sha512_ctx *ctx, uint8_t *out, const uint8_t *in, size_t n)
{
    const size_t digest_bytes = ctx->digest_bytes;
    int result = armscribe_sha512_update(ctx, in, n);

    if (result == ARMSCRIBE_OK) {
        result = armscribe_sha512_final(ctx, out);
    }
    if (result != ARMSCRIBE_OK) {
        armscribe_clear(out, digest_bytes);
        armscribe_wipe(ctx, sizeof *ctx);
    }
    return result;
}

int armscribe_sha384(uint8_t out[ARMSCRIBE_SHA384_BYTES], const uint8_t *in, size_t n)
{
    armscribe_sha512_ctx ctx;

    (void)armscribe_sha384_init(&ctx);
    return finish(&ctx, out, in, n);
}

int armscribe_sha512(uint8_t out[ARMSCRIBE_SHA512_BYTES], const uint8_t *in, size_t n)
{
    armscribe_sha512_ctx ctx;

    (void)armscribe_sha512_init(&ctx);
    return finish(&ctx, out, in, n);
}

int armscribe_sha512_224(uint8_t out[ARMSCRIBE_SHA512_224_BYTES], const uint8_t *in, size_t n)
{
    armscribe_sha512_ctx ctx;

    (void)armscribe_sha512_224_init(&ctx);
    return finish(&ctx, out, in, n);
}

int armscribe_sha512_256(uint8_t out[ARMSCRIBE_SHA512_256_BYTES], const uint8_t *in, size_t n)
{
    armscribe_sha512_ctx ctx;

    (void)armscribe_sha512_256_init(&ctx);
    return finish(&ctx, out, in, n);
}

#endif
