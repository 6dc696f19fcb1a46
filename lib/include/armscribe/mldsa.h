/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * ML-DSA (FIPS 204): ML-DSA-44, ML-DSA-65, ML-DSA-87.
 *
 * For each NN of 44, 65, 87 (written out below by one macro):
 *
 * armscribe_mldsaNN_keygen(pk, sk, rng, rng_ctx, work)
 *     Makes a key pair (algorithm 1). Draws 32 bytes from rng.
 * armscribe_mldsaNN_keygen_derand(pk, sk, seed, work)
 *     The key pair of the 32-byte seed (algorithm 6; also how a key kept as seed is expanded).
 *
 * armscribe_mldsaNN_sign(sig, sk, sk_n, msg, msg_n, ctx, ctx_n, rng, rng_ctx, work)
 *     Signs a message (algorithm 2). ctx: the context, at most 255 bytes; NULL, 0 for none. rng draws the 32 bytes of the
 *     hedged variant; rng NULL takes the deterministic one.
 * armscribe_mldsaNN_sign_hash(sig, sk, sk_n, hash, digest, digest_n, ctx, ctx_n, rng, rng_ctx, work)
 *     HashML-DSA (algorithm 4): signs a digest that the caller made with the function ARMSCRIBE_MLDSA_HASH_*.
 * armscribe_mldsaNN_sign_mu(sig, sk, sk_n, mu, rng, rng_ctx, work)
 *     Signs the 64 bytes mu that stand for a message (algorithm 7, from line 7): external mu.
 * armscribe_mldsaNN_sign_internal(sig, sk, sk_n, msg, msg_n, rng, rng_ctx, work)
 *     Algorithm 7 on M' = msg, for protocols that format messages themselves, and for tests.
 *
 * armscribe_mldsaNN_verify(pk, pk_n, msg, msg_n, ctx, ctx_n, sig, sig_n, work)
 * armscribe_mldsaNN_verify_hash(pk, pk_n, hash, digest, digest_n, ctx, ctx_n, sig, sig_n, work)
 * armscribe_mldsaNN_verify_mu(pk, pk_n, mu, sig, sig_n, work)
 * armscribe_mldsaNN_verify_internal(pk, pk_n, msg, msg_n, sig, sig_n, work)
 *     The checks of these signatures (algorithms 3, 5, 8): ARMSCRIBE_OK means valid.
 * armscribe_mldsaNN_mu(mu, pk, pk_n, msg, msg_n, ctx, ctx_n)
 *     mu of a message for the key whose public part is pk, as sign_mu and verify_mu take it.
 *
 * Every function answers ARMSCRIBE_OK, ARMSCRIBE_ERROR_RNG, ARMSCRIBE_ERROR_ARGUMENT or one of the errors below; on an
 * error all output buffers that are not NULL are filled with zeros. pk_n, sk_n, sig_n are the lengths the caller holds,
 * compared with the constants below before anything is read. Byte pointers may stand at any address and may be NULL where
 * their length is 0. ARMSCRIBE_ERROR_ARGUMENT: another pointer (but rng_ctx, and rng of signing) is NULL, an output or work
 * overlaps another buffer, or work does not stand at a word. Nothing is allocated, nothing recurses; the functions keep no state.
 *
 * work is memory for the time of the call, its contents before do not matter: ARMSCRIBE_MLDSANN_KEYGEN_WORKSPACE, _SIGN_
 * or _VERIFY_WORKSPACE bytes, as an array of uint32_t. Where it held secrets it holds zeros afterwards, and so does the
 * stack. The caller erases seeds and sk when done (armscribe/wipe.h). Time depends on public data, on which secret
 * coefficients are refused while a key is made, and on how many attempts a signature took, never on the secrets that come
 * of them.
 */
#ifndef ARMSCRIBE_MLDSA_H
#define ARMSCRIBE_MLDSA_H

#include <stddef.h>
#include <stdint.h>

#include "armscribe/result.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARMSCRIBE_ERROR_MLDSA_PK_LENGTH 16 /* public key: wrong length */
#define ARMSCRIBE_ERROR_MLDSA_SK_LENGTH 17 /* secret key: wrong length */
#define ARMSCRIBE_ERROR_MLDSA_CONTEXT   18 /* context longer than 255 bytes */
#define ARMSCRIBE_ERROR_MLDSA_HASH      19 /* unknown hash function, or not its digest's length */
#define ARMSCRIBE_ERROR_MLDSA_SIGNATURE 20 /* the signature is not valid, or has a wrong length */
#define ARMSCRIBE_ERROR_MLDSA_ATTEMPTS  21 /* no signature in 9000 attempts: the key is damaged */

/* Hash functions of HashML-DSA: the last byte of their object identifier 2.16.840.1.101.3.4.2.x. */
#define ARMSCRIBE_MLDSA_HASH_SHA256     1
#define ARMSCRIBE_MLDSA_HASH_SHA384     2
#define ARMSCRIBE_MLDSA_HASH_SHA512     3
#define ARMSCRIBE_MLDSA_HASH_SHA224     4
#define ARMSCRIBE_MLDSA_HASH_SHA512_224 5
#define ARMSCRIBE_MLDSA_HASH_SHA512_256 6
#define ARMSCRIBE_MLDSA_HASH_SHA3_224   7
#define ARMSCRIBE_MLDSA_HASH_SHA3_256   8
#define ARMSCRIBE_MLDSA_HASH_SHA3_384   9
#define ARMSCRIBE_MLDSA_HASH_SHA3_512   10
#define ARMSCRIBE_MLDSA_HASH_SHAKE128   11 /* 32 bytes of output */
#define ARMSCRIBE_MLDSA_HASH_SHAKE256   12 /* 64 bytes of output */

#define ARMSCRIBE_MLDSA_SEED_BYTES 32
#define ARMSCRIBE_MLDSA_MU_BYTES   64

/* Lengths in bytes (FIPS 204, table 2). */
#define ARMSCRIBE_MLDSA44_PK_BYTES  1312
#define ARMSCRIBE_MLDSA44_SK_BYTES  2560
#define ARMSCRIBE_MLDSA44_SIG_BYTES 2420
#define ARMSCRIBE_MLDSA65_PK_BYTES  1952
#define ARMSCRIBE_MLDSA65_SK_BYTES  4032
#define ARMSCRIBE_MLDSA65_SIG_BYTES 3309
#define ARMSCRIBE_MLDSA87_PK_BYTES  2592
#define ARMSCRIBE_MLDSA87_SK_BYTES  4896
#define ARMSCRIBE_MLDSA87_SIG_BYTES 4627

/* Bytes of work space, for a matrix of k rows of l: the head, then polynomials. ARMSCRIBE_SMALL is a
 * choice for the library and its callers alike. */
#define ARMSCRIBE_MLDSA_WORK_HEAD   736
#define ARMSCRIBE_MLDSA_WORK(polys) (ARMSCRIBE_MLDSA_WORK_HEAD + 1024 * (polys))
#if defined(ARMSCRIBE_SMALL)
#define ARMSCRIBE_MLDSA_KEYGEN(l)  (ARMSCRIBE_MLDSA_WORK(3) + 0 * (l))
#define ARMSCRIBE_MLDSA_SIGN(k, l) (ARMSCRIBE_MLDSA_WORK(1) + 768 * (k) + 0 * (l))
#define ARMSCRIBE_MLDSA_VERIFY(l)  (ARMSCRIBE_MLDSA_WORK(4) + 0 * (l))
#else
#define ARMSCRIBE_MLDSA_KEYGEN(l)  ARMSCRIBE_MLDSA_WORK((l) + 2)
#define ARMSCRIBE_MLDSA_SIGN(k, l) ARMSCRIBE_MLDSA_WORK((k) * (l) + 2 * (l) + 3 * (k) + 2)
#define ARMSCRIBE_MLDSA_VERIFY(l)  ARMSCRIBE_MLDSA_WORK((l) + 3)
#endif

#define ARMSCRIBE_MLDSA44_KEYGEN_WORKSPACE ARMSCRIBE_MLDSA_KEYGEN(4)
#define ARMSCRIBE_MLDSA44_SIGN_WORKSPACE   ARMSCRIBE_MLDSA_SIGN(4, 4)
#define ARMSCRIBE_MLDSA44_VERIFY_WORKSPACE ARMSCRIBE_MLDSA_VERIFY(4)
#define ARMSCRIBE_MLDSA65_KEYGEN_WORKSPACE ARMSCRIBE_MLDSA_KEYGEN(5)
#define ARMSCRIBE_MLDSA65_SIGN_WORKSPACE   ARMSCRIBE_MLDSA_SIGN(6, 5)
#define ARMSCRIBE_MLDSA65_VERIFY_WORKSPACE ARMSCRIBE_MLDSA_VERIFY(5)
#define ARMSCRIBE_MLDSA87_KEYGEN_WORKSPACE ARMSCRIBE_MLDSA_KEYGEN(7)
#define ARMSCRIBE_MLDSA87_SIGN_WORKSPACE   ARMSCRIBE_MLDSA_SIGN(8, 7)
#define ARMSCRIBE_MLDSA87_VERIFY_WORKSPACE ARMSCRIBE_MLDSA_VERIFY(7)

#define ARMSCRIBE_MLDSA_DECLARE(NAME, PK, SK, SIG)                                                 \
    int NAME##_keygen(uint8_t pk[PK], uint8_t sk[SK], armscribe_rng rng, void *rng_ctx,            \
                      uint32_t *work);                                                             \
    int NAME##_keygen_derand(uint8_t pk[PK], uint8_t sk[SK],                                       \
                             const uint8_t seed[ARMSCRIBE_MLDSA_SEED_BYTES], uint32_t *work);      \
    int NAME##_sign(uint8_t sig[SIG], const uint8_t *sk, size_t sk_n, const uint8_t *msg,          \
                    size_t msg_n, const uint8_t *ctx, size_t ctx_n, armscribe_rng rng,             \
                    void *rng_ctx, uint32_t *work);                                                \
    int NAME##_sign_hash(uint8_t sig[SIG], const uint8_t *sk, size_t sk_n, int hash,               \
                         const uint8_t *digest, size_t digest_n, const uint8_t *ctx, size_t ctx_n, \
                         armscribe_rng rng, void *rng_ctx, uint32_t *work);                        \
    int NAME##_sign_mu(uint8_t sig[SIG], const uint8_t *sk, size_t sk_n,                           \
                       const uint8_t mu[ARMSCRIBE_MLDSA_MU_BYTES], armscribe_rng rng,              \
                       void *rng_ctx, uint32_t *work);                                             \
    int NAME##_sign_internal(uint8_t sig[SIG], const uint8_t *sk, size_t sk_n, const uint8_t *msg, \
                             size_t msg_n, armscribe_rng rng, void *rng_ctx, uint32_t *work);      \
    int NAME##_verify(const uint8_t *pk, size_t pk_n, const uint8_t *msg, size_t msg_n,            \
                      const uint8_t *ctx, size_t ctx_n, const uint8_t *sig, size_t sig_n,          \
                      uint32_t *work);                                                             \
    int NAME##_verify_hash(const uint8_t *pk, size_t pk_n, int hash, const uint8_t *digest,        \
                           size_t digest_n, const uint8_t *ctx, size_t ctx_n, const uint8_t *sig,  \
                           size_t sig_n, uint32_t *work);                                          \
    int NAME##_verify_mu(const uint8_t *pk, size_t pk_n,                                           \
                         const uint8_t mu[ARMSCRIBE_MLDSA_MU_BYTES], const uint8_t *sig,           \
                         size_t sig_n, uint32_t *work);                                            \
    int NAME##_verify_internal(const uint8_t *pk, size_t pk_n, const uint8_t *msg, size_t msg_n,   \
                               const uint8_t *sig, size_t sig_n, uint32_t *work);                  \
    int NAME##_mu(uint8_t mu[ARMSCRIBE_MLDSA_MU_BYTES], const uint8_t *pk, size_t pk_n,            \
                  const uint8_t *msg, size_t msg_n, const uint8_t *ctx, size_t ctx_n)

ARMSCRIBE_MLDSA_DECLARE(armscribe_mldsa44, ARMSCRIBE_MLDSA44_PK_BYTES, ARMSCRIBE_MLDSA44_SK_BYTES,
                        ARMSCRIBE_MLDSA44_SIG_BYTES);
ARMSCRIBE_MLDSA_DECLARE(armscribe_mldsa65, ARMSCRIBE_MLDSA65_PK_BYTES, ARMSCRIBE_MLDSA65_SK_BYTES,
                        ARMSCRIBE_MLDSA65_SIG_BYTES);
ARMSCRIBE_MLDSA_DECLARE(armscribe_mldsa87, ARMSCRIBE_MLDSA87_PK_BYTES, ARMSCRIBE_MLDSA87_SK_BYTES,
                        ARMSCRIBE_MLDSA87_SIG_BYTES);

#ifdef __cplusplus
}
#endif

#endif
