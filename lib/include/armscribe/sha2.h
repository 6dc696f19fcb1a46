/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * SHA-2 (FIPS 180-4) on whole bytes, incremental.
 *
 * Two contexts serve the six functions: armscribe_sha256_ctx those on 32-bit words, SHA-224 and
 * SHA-256; armscribe_sha512_ctx those on 64-bit words, SHA-384, SHA-512, SHA-512/224 and
 * SHA-512/256. Life of a context: init, update any number of times, final. Every byte pointer may
 * stand at any address and may be NULL where its length is 0. No function allocates or recurses.
 * Every function answers ARMSCRIBE_OK, or ARMSCRIBE_ERROR_ARGUMENT where a pointer is NULL that must not be, or a context
 * overlaps the other buffer; update and final ARMSCRIBE_ERROR_STATE for a context that was not started or
 * gave its digest already. A context is left as it was on an error, and the output of a call that does everything is
 * filled with zeros. final erases the context and what lies below on the stack; a context that is given up
 * before is erased by armscribe_wipe(ctx, sizeof *ctx).
 */
#ifndef ARMSCRIBE_SHA2_H
#define ARMSCRIBE_SHA2_H

#include <stddef.h>
#include <stdint.h>

#include "armscribe/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Digest lengths in bytes (FIPS 180-4, section 1). */
#define ARMSCRIBE_SHA224_BYTES     28
#define ARMSCRIBE_SHA256_BYTES     32
#define ARMSCRIBE_SHA384_BYTES     48
#define ARMSCRIBE_SHA512_BYTES     64
#define ARMSCRIBE_SHA512_224_BYTES 28
#define ARMSCRIBE_SHA512_256_BYTES 32

/* Bytes a block. */
#define ARMSCRIBE_SHA256_BLOCK 64
#define ARMSCRIBE_SHA512_BLOCK 128

typedef struct {
    uint32_t state[8];                     /* H0 to H7 */
    uint64_t length;                       /* bytes so far */
    uint8_t block[ARMSCRIBE_SHA256_BLOCK]; /* the first length % 64 are waiting */
    uint8_t digest_bytes;                  /* what final writes; 0 once it did */
} armscribe_sha256_ctx;

typedef struct {
    uint32_t state[16];                    /* H0 to H7, each its low word first */
    uint64_t length;                       /* bytes so far */
    uint8_t block[ARMSCRIBE_SHA512_BLOCK]; /* the first length % 128 are waiting */
    uint8_t digest_bytes;                  /* what final writes; 0 once it did */
} armscribe_sha512_ctx;

/* Start one of the functions. */
int armscribe_sha224_init(armscribe_sha256_ctx *ctx);
int armscribe_sha256_init(armscribe_sha256_ctx *ctx);
int armscribe_sha384_init(armscribe_sha512_ctx *ctx);
int armscribe_sha512_init(armscribe_sha512_ctx *ctx);
int armscribe_sha512_224_init(armscribe_sha512_ctx *ctx);
int armscribe_sha512_256_init(armscribe_sha512_ctx *ctx);

/* Append n bytes to the message; at most 2^61 - 1 bytes in all for SHA-224 and SHA-256, 2^64 - 1
 * for the others. After final the call is without
 * effect. */
int armscribe_sha256_update(armscribe_sha256_ctx *ctx, const uint8_t *in, size_t n);
int armscribe_sha512_update(armscribe_sha512_ctx *ctx, const uint8_t *in, size_t n);

/* Write the digest, as many bytes as the function has that was started, and erase the context.
 * A second call writes nothing. */
int armscribe_sha256_final(armscribe_sha256_ctx *ctx, uint8_t *out);
int armscribe_sha512_final(armscribe_sha512_ctx *ctx, uint8_t *out);

/* Hash n bytes in one call. out may overlap in. */
int armscribe_sha224(uint8_t out[ARMSCRIBE_SHA224_BYTES], const uint8_t *in, size_t n);
int armscribe_sha256(uint8_t out[ARMSCRIBE_SHA256_BYTES], const uint8_t *in, size_t n);
int armscribe_sha384(uint8_t out[ARMSCRIBE_SHA384_BYTES], const uint8_t *in, size_t n);
int armscribe_sha512(uint8_t out[ARMSCRIBE_SHA512_BYTES], const uint8_t *in, size_t n);
int armscribe_sha512_224(uint8_t out[ARMSCRIBE_SHA512_224_BYTES], const uint8_t *in, size_t n);
int armscribe_sha512_256(uint8_t out[ARMSCRIBE_SHA512_256_BYTES], const uint8_t *in, size_t n);

#ifdef __cplusplus
}
#endif

#endif
