/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Operations 'N' to 'Z': armscribe/sha2.h. The parameter is the digest's length; 1 and 2 stand for
 * SHA-512/224 and SHA-512/256. */
#include <string.h>

#include "armscribe/sha2.h"
#include "driver.h"

#define UNKNOWN    0xffffU
#define SHA512_224 1
#define SHA512_256 2
#define ROUNDS     1000U
#define PART_BYTES 512 /* no seed is longer */

static uint64_t number(const driver_buffer *field)
{
    uint64_t x = 0;

    for (size_t i = field->size; i-- > 0;) {
        x = (x << 8) | field->data[i];
    }
    return x;
}

static size_t length(unsigned code)
{
    return code == SHA512_224   ? ARMSCRIBE_SHA512_224_BYTES
           : code == SHA512_256 ? ARMSCRIBE_SHA512_256_BYTES
                                : code;
}

static void one_call(unsigned code, uint8_t *out, const uint8_t *in, size_t n)
{
    switch (code) {
    case ARMSCRIBE_SHA224_BYTES:
        armscribe_sha224(out, in, n);
        break;
    case ARMSCRIBE_SHA256_BYTES:
        armscribe_sha256(out, in, n);
        break;
    case ARMSCRIBE_SHA384_BYTES:
        armscribe_sha384(out, in, n);
        break;
    case ARMSCRIBE_SHA512_BYTES:
        armscribe_sha512(out, in, n);
        break;
    case SHA512_224:
        armscribe_sha512_224(out, in, n);
        break;
    default:
        armscribe_sha512_256(out, in, n);
        break;
    }
}

/* The same with the digest in the place of the message, where there is room. Not zero where it differs. */
static uint32_t in_place(const driver_job *job, const uint8_t *digest)
{
    const driver_buffer *in = &job->in[0];

    if (in->size < length(job->set)) {
        return 0;
    }
    one_call(job->set, in->data, in->data, in->size);
    return memcmp(in->data, digest, length(job->set)) != 0;
}

/* Either context. */
typedef struct {
    unsigned code;
    armscribe_sha256_ctx small;
    armscribe_sha512_ctx large;
} context;

static int is_small(const context *ctx)
{
    return ctx->code == ARMSCRIBE_SHA224_BYTES || ctx->code == ARMSCRIBE_SHA256_BYTES;
}

static void start(context *ctx, unsigned code)
{
    ctx->code = code;
    switch (code) {
    case ARMSCRIBE_SHA224_BYTES:
        armscribe_sha224_init(&ctx->small);
        break;
    case ARMSCRIBE_SHA256_BYTES:
        armscribe_sha256_init(&ctx->small);
        break;
    case ARMSCRIBE_SHA384_BYTES:
        armscribe_sha384_init(&ctx->large);
        break;
    case ARMSCRIBE_SHA512_BYTES:
        armscribe_sha512_init(&ctx->large);
        break;
    case SHA512_224:
        armscribe_sha512_224_init(&ctx->large);
        break;
    default:
        armscribe_sha512_256_init(&ctx->large);
        break;
    }
}

static int update(context *ctx, const uint8_t *in, size_t n)
{
    if (is_small(ctx)) {
        return armscribe_sha256_update(&ctx->small, in, n);
    }
    return armscribe_sha512_update(&ctx->large, in, n);
}

/* 1 where the result is as wanted and the context all zero, else 0. */
static uint32_t final(context *ctx, uint8_t *out, int wanted)
{
    const uint8_t *bytes = (const uint8_t *)&ctx->large;
    size_t n = sizeof ctx->large;
    uint8_t any = 0;
    int result;

    if (is_small(ctx)) {
        result = armscribe_sha256_final(&ctx->small, out);
        bytes = (const uint8_t *)&ctx->small;
        n = sizeof ctx->small;
    } else {
        result = armscribe_sha512_final(&ctx->large, out);
    }
    for (size_t i = 0; i < n; i++) {
        any |= bytes[i];
    }
    return any == 0 && result == wanted;
}

/* In pieces of `step` bytes. */
static uint32_t in_pieces(const driver_job *job, uint8_t *out, size_t step)
{
    context ctx;
    const driver_buffer *in = &job->in[0];
    uint8_t digest[ARMSCRIBE_SHA512_BYTES];
    uint32_t erased;

    start(&ctx, job->set);
    for (size_t i = 0; i < in->size; i += step) {
        update(&ctx, in->data + i, in->size - i < step ? in->size - i : step);
    }
    erased = final(&ctx, digest, ARMSCRIBE_OK);
    memcpy(out, digest, length(job->set));
    if (update(&ctx, in->data, in->size) != ARMSCRIBE_ERROR_STATE ||
        update(&ctx, NULL, 0) != ARMSCRIBE_ERROR_STATE) {
        return 0; /* too late: without effect */
    }
    return erased & final(&ctx, digest, ARMSCRIBE_ERROR_STATE);
}

/* NIST's Monte Carlo test: a thousand digests in a row. A message is the last three, or the seed in
 * field 0 for those that are not there yet, cut or filled up to the length in field 1. */
static void chain(const driver_job *job, uint8_t *out)
{
    static uint8_t part[3][PART_BYTES];
    static uint8_t message[3 * PART_BYTES];
    const size_t size = (size_t)number(&job->in[1]);
    size_t sizes[3];

    for (unsigned j = 0; j < 3; j++) {
        sizes[j] = job->in[0].size;
        memcpy(part[j], job->in[0].data, sizes[j]);
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        size_t n = 0;

        memset(message, 0, sizeof message);
        for (unsigned j = 0; j < 3; j++) {
            memcpy(message + n, part[(i + j) % 3], sizes[(i + j) % 3]);
            n += sizes[(i + j) % 3];
        }
        memset(message + size, 0, sizeof message - size);
        one_call(job->set, out, message, size);
        sizes[i % 3] = length(job->set);
        memcpy(part[i % 3], out, sizes[i % 3]);
    }
}

/* A message of field 0 repeated to the length in field 1 (up to 8 bytes of number). */
static void long_message(const driver_job *job, uint8_t *out)
{
    static uint8_t repeated[8192];
    context ctx;
    const driver_buffer *content = &job->in[0];
    const size_t whole = sizeof repeated / content->size * content->size;

    for (size_t i = 0; i < whole; i++) {
        repeated[i] = content->data[i % content->size];
    }
    start(&ctx, job->set);
    for (uint64_t left = number(&job->in[1]); left > 0;) {
        const size_t n = left < whole ? (size_t)left : whole;

        update(&ctx, repeated, n);
        left -= n;
    }
    (void) final(&ctx, out, ARMSCRIBE_OK);
}

uint32_t driver_sha2(driver_job *job)
{
    uint8_t *out = driver_output(job, length(job->set));

    switch (job->operation) {
    case 'N':
        one_call(job->set, out, job->in[0].data, job->in[0].size);
        return in_place(job, out);
    case 'O':
        return in_pieces(job, out, (size_t)number(&job->in[1]));
    case 'P':
        chain(job, out);
        return 0;
    case 'Q':
        long_message(job, out);
        return 0;
    default:
        return UNKNOWN;
    }
}
