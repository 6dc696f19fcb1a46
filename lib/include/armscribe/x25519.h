/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * X25519 key agreement (RFC 7748, sections 5 and 6.1).
 *
 * armscribe_x25519_keygen(public_key, secret_key, rng, rng_ctx)
 *     Draws 32 bytes from rng as secret key and makes its public key. On ARMSCRIBE_ERROR_RNG both
 *     are filled with zeros.
 * armscribe_x25519_public(public_key, secret_key)
 *     The public key of a secret key.
 * armscribe_x25519(shared, secret_key, peer_key)
 *     The value X25519(secret_key, peer_key), both sides' shared secret. If the peer's key is one of
 *     the points of small order, the value is all zeros whatever the secret key is, and
 *     ARMSCRIBE_ERROR_X25519_ZERO is answered; shared is written also then. A protocol that takes
 *     both sides' keys into its key derivation may go on (RFC 7748, section 6.1); others must stop.
 *
 * All keys are 32 bytes. Any 32 bytes are a secret key: the bits that RFC 7748 fixes are set on the
 * way, the buffer stays as it is. Of a public key the topmost bit is ignored, and a number not below
 * 2^255 - 19 is taken modulo that, as section 5 asks. shared is a secret number, not yet a key: hash
 * it together with both public keys.
 *
 * Pointers may stand at any address; an output may overlap an input. ARMSCRIBE_ERROR_ARGUMENT, and
 * zeros in outputs that are not NULL: a pointer (but rng_ctx) is NULL, or keygen's two keys overlap. Nothing is allocated, nothing recurses, no state is kept. Time and addresses depend on no argument but what
 * rng does; secrets are erased from the stack before return.
 */
#ifndef ARMSCRIBE_X25519_H
#define ARMSCRIBE_X25519_H

#include <stdint.h>

#include "armscribe/result.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARMSCRIBE_ERROR_X25519_ZERO 32 /* the peer's key has small order: the secret is zero */

#define ARMSCRIBE_X25519_BYTES 32 /* of each key and of the shared secret */

int armscribe_x25519_keygen(uint8_t public_key[ARMSCRIBE_X25519_BYTES],
                            uint8_t secret_key[ARMSCRIBE_X25519_BYTES], armscribe_rng rng,
                            void *rng_ctx);
int armscribe_x25519_public(uint8_t public_key[ARMSCRIBE_X25519_BYTES],
                            const uint8_t secret_key[ARMSCRIBE_X25519_BYTES]);
int armscribe_x25519(uint8_t shared[ARMSCRIBE_X25519_BYTES],
                     const uint8_t secret_key[ARMSCRIBE_X25519_BYTES],
                     const uint8_t peer_key[ARMSCRIBE_X25519_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
