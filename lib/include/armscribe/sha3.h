/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * SHA-3 and SHAKE (FIPS 202) on whole bytes, incremental.
 *
 * One context serves all six functions. Its life: init, absorb any number of times, squeeze any
 * number of times (the first squeeze pads; SHA-3 is a squeeze of the digest's length). Every byte
 * pointer may stand at any address and may be NULL where its length is 0. No function allocates
 * or recurses. Every function answers ARMSCRIBE_OK, or ARMSCRIBE_ERROR_ARGUMENT where a pointer is NULL
 * that must not be, a context overlaps the other buffer, or a length is not among those allowed; absorb
 * and squeeze ARMSCRIBE_ERROR_STATE for a context that was not started, and absorb after a squeeze. On an
 * error outputs that are not NULL are filled with zeros; a context is left as it was by absorb and squeeze, and not
 * started by init. A context fed with a secret holds it: armscribe_wipe(ctx, sizeof *ctx) when
 * done; the one-call functions do so themselves.
 */
#ifndef ARMSCRIBE_SHA3_H
#define ARMSCRIBE_SHA3_H

#include <stddef.h>
#include <stdint.h>

#include "armscribe/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Digest lengths in bytes (FIPS 202, section 6.1). */
#define ARMSCRIBE_SHA3_224_BYTES 28
#define ARMSCRIBE_SHA3_256_BYTES 32
#define ARMSCRIBE_SHA3_384_BYTES 48
#define ARMSCRIBE_SHA3_512_BYTES 64

/* Rates in bytes of the two extendable-output functions (FIPS 202, section 6.2). */
#define ARMSCRIBE_SHAKE128_RATE 168
#define ARMSCRIBE_SHAKE256_RATE 136

/* The state of Keccak-f[1600] as the permutation in use keeps it: not portable between builds. */
typedef struct {
    uint32_t word[50];
} armscribe_keccak_state;

typedef struct {
    armscribe_keccak_state state;
    uint8_t rate;      /* bytes a block, 72 to 168 */
    uint8_t position;  /* next byte of the block: 0 <= position <= rate */
    uint8_t suffix;    /* domain bits and the first padding bit: 0x06 SHA-3, 0x1f SHAKE */
    uint8_t squeezing; /* 0 while absorbing, 1 afterwards */
} armscribe_sha3_ctx;

/* Start SHA-3 with a digest of ARMSCRIBE_SHA3_nnn_BYTES bytes (one of the four). */
int armscribe_sha3_init(armscribe_sha3_ctx *ctx, size_t digest_bytes);

/* Start SHAKE128 or SHAKE256: rate is ARMSCRIBE_SHAKE128_RATE or ARMSCRIBE_SHAKE256_RATE. */
int armscribe_shake_init(armscribe_sha3_ctx *ctx, size_t rate);

/* Append n bytes to the message. Not after a squeeze: the call is then without effect. */
int armscribe_sha3_absorb(armscribe_sha3_ctx *ctx, const uint8_t *in, size_t n);

/* Write the next n bytes of output. After SHA-3's init, call it once, with the digest's length. */
int armscribe_sha3_squeeze(armscribe_sha3_ctx *ctx, uint8_t *out, size_t n);

/* Hash n bytes in one call. out may overlap in. */
int armscribe_sha3_224(uint8_t out[ARMSCRIBE_SHA3_224_BYTES], const uint8_t *in, size_t n);
int armscribe_sha3_256(uint8_t out[ARMSCRIBE_SHA3_256_BYTES], const uint8_t *in, size_t n);
int armscribe_sha3_384(uint8_t out[ARMSCRIBE_SHA3_384_BYTES], const uint8_t *in, size_t n);
int armscribe_sha3_512(uint8_t out[ARMSCRIBE_SHA3_512_BYTES], const uint8_t *in, size_t n);

/* out_n bytes of SHAKE output for n bytes of message, in one call. out may overlap in. */
int armscribe_shake128(uint8_t *out, size_t out_n, const uint8_t *in, size_t n);
int armscribe_shake256(uint8_t *out, size_t out_n, const uint8_t *in, size_t n);

#ifdef __cplusplus
}
#endif

#endif
