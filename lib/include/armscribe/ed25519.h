/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * Ed25519, Ed25519ctx and Ed25519ph signatures (RFC 8032, section 5.1).
 *
 * armscribe_ed25519_keygen(key, rng, rng_ctx)
 *     Draws a 32-byte seed from rng and makes the key pair: seed || public key. On
 *     ARMSCRIBE_ERROR_RNG the key is filled with zeros.
 * armscribe_ed25519_keygen_derand(key, seed)
 *     The key pair of a given seed, RFC 8032's private key. The public key is the second half of
 *     key. seed may be the first half of key.
 * armscribe_ed25519_sign(signature, message, n, key)
 *     Ed25519. Deterministic: the same signature for the same message. The public key is taken from
 *     key; a key whose halves do not belong together betrays the secret, so store them together.
 * armscribe_ed25519ctx_sign(signature, message, n, context, context_n, key)
 *     Ed25519ctx, with a context of at most 255 bytes; RFC 8032 advises against an empty one.
 * armscribe_ed25519ph_sign(signature, digest, context, context_n, key)
 *     Ed25519ph: digest is SHA-512 of the message, the context may be empty.
 * armscribe_ed25519_verify, armscribe_ed25519ctx_verify, armscribe_ed25519ph_verify
 *     ARMSCRIBE_OK for a valid signature. What is checked: S below the order of the group; the public
 *     key canonical and on the curve (5.1.3); [S]B = R + [k]A without the cofactor, which RFC 8032,
 *     section 5.1.7, allows: [S]B - [k]A is encoded and compared with the bytes of R, so an R that is
 *     not canonical is refused too. Signatures that hold only after multiplication by 8 are refused.
 *     Public keys of small order are not: who needs signatures to bind to one key and message beyond
 *     RFC 8032 must exclude them.
 *
 * Every function answers ARMSCRIBE_OK or an error. On an error key or signature, where it is written
 * and not NULL, is filled with zeros. Pointers may stand at any address; the message and context may
 * be NULL where their length is 0. ARMSCRIBE_ERROR_ARGUMENT: another pointer (but rng_ctx) is NULL, or
 * the signature that is made overlaps an input.
 * Nothing is allocated, nothing recurses, no state is kept. Key generation and signing take time by
 * the lengths alone, and read the whole of every table they use; verification takes time by its
 * arguments, all public. Secrets are erased from the stack before return.
 */
#ifndef ARMSCRIBE_ED25519_H
#define ARMSCRIBE_ED25519_H

#include <stddef.h>
#include <stdint.h>

#include "armscribe/result.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARMSCRIBE_ERROR_ED25519_SIGNATURE 33 /* the signature is not valid */
#define ARMSCRIBE_ERROR_ED25519_KEY       34 /* the public key is no point of the curve */
#define ARMSCRIBE_ERROR_ED25519_CONTEXT   35 /* the context has more than 255 bytes */

#define ARMSCRIBE_ED25519_SEED_BYTES      32
#define ARMSCRIBE_ED25519_PUBLIC_BYTES    32
#define ARMSCRIBE_ED25519_KEY_BYTES       64 /* seed || public key */
#define ARMSCRIBE_ED25519_SIGNATURE_BYTES 64
#define ARMSCRIBE_ED25519_DIGEST_BYTES    64 /* of a message for Ed25519ph */

int armscribe_ed25519_keygen(uint8_t key[ARMSCRIBE_ED25519_KEY_BYTES], armscribe_rng rng,
                             void *rng_ctx);
int armscribe_ed25519_keygen_derand(uint8_t key[ARMSCRIBE_ED25519_KEY_BYTES],
                                    const uint8_t seed[ARMSCRIBE_ED25519_SEED_BYTES]);

int armscribe_ed25519_sign(uint8_t signature[ARMSCRIBE_ED25519_SIGNATURE_BYTES],
                           const uint8_t *message, size_t n,
                           const uint8_t key[ARMSCRIBE_ED25519_KEY_BYTES]);
int armscribe_ed25519ctx_sign(uint8_t signature[ARMSCRIBE_ED25519_SIGNATURE_BYTES],
                              const uint8_t *message, size_t n, const uint8_t *context,
                              size_t context_n, const uint8_t key[ARMSCRIBE_ED25519_KEY_BYTES]);
int armscribe_ed25519ph_sign(uint8_t signature[ARMSCRIBE_ED25519_SIGNATURE_BYTES],
                             const uint8_t digest[ARMSCRIBE_ED25519_DIGEST_BYTES],
                             const uint8_t *context, size_t context_n,
                             const uint8_t key[ARMSCRIBE_ED25519_KEY_BYTES]);

int armscribe_ed25519_verify(const uint8_t signature[ARMSCRIBE_ED25519_SIGNATURE_BYTES],
                             const uint8_t *message, size_t n,
                             const uint8_t public_key[ARMSCRIBE_ED25519_PUBLIC_BYTES]);
int armscribe_ed25519ctx_verify(const uint8_t signature[ARMSCRIBE_ED25519_SIGNATURE_BYTES],
                                const uint8_t *message, size_t n, const uint8_t *context,
                                size_t context_n,
                                const uint8_t public_key[ARMSCRIBE_ED25519_PUBLIC_BYTES]);
int armscribe_ed25519ph_verify(const uint8_t signature[ARMSCRIBE_ED25519_SIGNATURE_BYTES],
                               const uint8_t digest[ARMSCRIBE_ED25519_DIGEST_BYTES],
                               const uint8_t *context, size_t context_n,
                               const uint8_t public_key[ARMSCRIBE_ED25519_PUBLIC_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
