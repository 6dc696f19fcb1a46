/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Operations 'A' to 'M': armscribe/sha3.h. The parameter is the digest's length, or 128 or 0 for
 * SHAKE128, SHAKE256. */
#include <string.h>

#include "armscribe/sha3.h"
#include "driver.h"
#include "keccak/keccakf1600.h"

#define UNKNOWN  0xffffU
#define SHAKE128 128
#define SHAKE256 0
#define ROUNDS   1000U

static uint32_t number(const driver_buffer *field)
{
    uint32_t x = 0;

    for (size_t i = field->size; i-- > 0;) {
        x = (x << 8) | field->data[i];
    }
    return x;
}

static void put32(uint8_t to[4], size_t x)
{
    for (unsigned i = 0; i < 4; i++) {
        to[i] = (uint8_t)(x >> (8 * i));
    }
}

static void one_call(unsigned code, uint8_t *out, size_t out_n, const uint8_t *in, size_t n)
{
    switch (code) {
    case ARMSCRIBE_SHA3_224_BYTES:
        armscribe_sha3_224(out, in, n);
        break;
    case ARMSCRIBE_SHA3_256_BYTES:
        armscribe_sha3_256(out, in, n);
        break;
    case ARMSCRIBE_SHA3_384_BYTES:
        armscribe_sha3_384(out, in, n);
        break;
    case ARMSCRIBE_SHA3_512_BYTES:
        armscribe_sha3_512(out, in, n);
        break;
    case SHAKE128:
        armscribe_shake128(out, out_n, in, n);
        break;
    default:
        armscribe_shake256(out, out_n, in, n);
        break;
    }
}

static void start(armscribe_sha3_ctx *ctx, unsigned code)
{
    if (code == SHAKE128) {
        armscribe_shake_init(ctx, ARMSCRIBE_SHAKE128_RATE);
    } else if (code == SHAKE256) {
        armscribe_shake_init(ctx, ARMSCRIBE_SHAKE256_RATE);
    } else {
        armscribe_sha3_init(ctx, code);
    }
}

/* In pieces of `step` bytes, in and out. */
/* Not zero where misuse is not answered as the header says. */
static uint32_t in_pieces(const driver_job *job, uint8_t *out, size_t out_n, size_t step)
{
    armscribe_sha3_ctx ctx;
    uint8_t rest[2];
    const driver_buffer *in = &job->in[0];

    start(&ctx, job->set);
    for (size_t i = 0; i < in->size; i += step) {
        armscribe_sha3_absorb(&ctx, in->data + i, in->size - i < step ? in->size - i : step);
    }
    for (size_t i = 0; i < out_n; i += step) {
        armscribe_sha3_squeeze(&ctx, out + i, out_n - i < step ? out_n - i : step);
    }
    if (armscribe_sha3_absorb(&ctx, in->data, in->size) != ARMSCRIBE_ERROR_STATE) {
        return 1; /* too late: without effect */
    }
    memset(&ctx, 0, sizeof ctx);
    memset(rest, 0xFF, sizeof rest);
    if (armscribe_sha3_absorb(&ctx, in->data, in->size) != ARMSCRIBE_ERROR_STATE ||
        armscribe_sha3_squeeze(&ctx, rest, sizeof rest) != ARMSCRIBE_ERROR_STATE) {
        return 2; /* never started */
    }
    return rest[0] | rest[1];
}

/* NIST's Monte Carlo test of SHA-3: a thousand digests in a row. */
static void chain_sha3(const driver_job *job, uint8_t *out)
{
    const size_t n = job->set;

    one_call(job->set, out, n, job->in[0].data, job->in[0].size);
    for (unsigned i = 1; i < ROUNDS; i++) {
        uint8_t digest[ARMSCRIBE_SHA3_512_BYTES];

        one_call(job->set, digest, n, out, n);
        memcpy(out, digest, n);
    }
}

/* The same of SHAKE: the last output's last two bytes give the next one's length. Fields: message,
 * first length, lowest and highest length, all in bytes. Answers the last output, filled up to the
 * highest length, its length, and the next. */
static void chain_shake(driver_job *job)
{
    const size_t least = number(&job->in[2]);
    const size_t most = number(&job->in[3]);
    size_t n = number(&job->in[1]);
    uint8_t *out = driver_output(job, most);
    uint8_t *last = driver_output(job, 4);
    uint8_t *next = driver_output(job, 4);
    uint8_t message[16] = {0};

    memcpy(message, job->in[0].data, job->in[0].size < 16 ? job->in[0].size : 16);
    for (unsigned i = 0; i < ROUNDS; i++) {
        one_call(job->set, out, n, message, sizeof message);
        memset(message, 0, sizeof message);
        memcpy(message, out, n < sizeof message ? n : sizeof message);
        put32(last, n);
        n = least + (((size_t)out[n - 2] << 8) | out[n - 1]) % (most - least + 1);
    }
    put32(next, n);
}

/* A message of field 0 repeated to the length in field 1 (up to 8 bytes of number). */
static void long_message(const driver_job *job, uint8_t *out)
{
    static uint8_t repeated[8192];
    armscribe_sha3_ctx ctx;
    const driver_buffer *content = &job->in[0];
    const size_t whole = sizeof repeated / content->size * content->size;
    uint64_t left = 0;

    for (size_t i = job->in[1].size; i-- > 0;) {
        left = (left << 8) | job->in[1].data[i];
    }
    for (size_t i = 0; i < whole; i++) {
        repeated[i] = content->data[i % content->size];
    }
    start(&ctx, job->set);
    while (left > 0) {
        const size_t n = left < whole ? (size_t)left : whole;

        armscribe_sha3_absorb(&ctx, repeated, n);
        left -= n;
    }
    armscribe_sha3_squeeze(&ctx, out, job->set);
}

/* Keccak-f[1600] of the 200 bytes of field 0. */
static void permutation(const driver_job *job, uint8_t out[200])
{
    armscribe_keccak_state state;

    memset(&state, 0, sizeof state);
    armscribe_keccak_xor(&state, job->in[0].data, 0, 200);
    armscribe_keccak_permute(&state);
    armscribe_keccak_read(&state, out, 0, 200);
}

/* Field 0 XORed in from the parameter on, then all 200 bytes. */
static void lanes(const driver_job *job, uint8_t out[200])
{
    armscribe_keccak_state state;

    memset(&state, 0, sizeof state);
    armscribe_keccak_xor(&state, job->in[0].data, job->set, job->in[0].size);
    for (size_t i = 0; i < 200; i += 40) {
        armscribe_keccak_read(&state, out + i, i, 3);
        armscribe_keccak_read(&state, out + i + 3, i + 3, 37);
    }
}

uint32_t driver_sha3(driver_job *job)
{
    const size_t out_n = number(&job->in[1]);

    switch (job->operation) {
    case 'A':
        one_call(job->set, driver_output(job, out_n), out_n, job->in[0].data, job->in[0].size);
        return 0;
    case 'B':
        return in_pieces(job, driver_output(job, out_n), out_n, number(&job->in[2]));
    case 'C':
        chain_sha3(job, driver_output(job, job->set));
        return 0;
    case 'D':
        chain_shake(job);
        return 0;
    case 'E':
        long_message(job, driver_output(job, job->set));
        return 0;
    case 'F':
        permutation(job, driver_output(job, 200));
        return 0;
    case 'G':
        lanes(job, driver_output(job, 200));
        return 0;
    default:
        return UNKNOWN;
    }
}
