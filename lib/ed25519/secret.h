/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* What key generation and signing share: everything that touches secrets. */
#ifndef ARMSCRIBE_ED25519_SECRET_H
#define ARMSCRIBE_ED25519_SECRET_H

#include "armscribe/sha2.h"
#include "ge.h"
#include "scalar.h"

#define ED25519_DIGITS 64

/* All that is secret, in one object that is erased at the end. */
typedef struct {
    armscribe_sha512_ctx hash;
    uint8_t expanded[64]; /* the scalar's bytes and the prefix for nonces */
    uint8_t digest[64];
    uint32_t a[8], r[8], k[8], s[8];
    int8_t digit[ED25519_DIGITS];
    armscribe_ge point;
    uint32_t multiple[24];
    union {
        armscribe_ge_work ge;
        armscribe_sc_work sc;
    } w;
} armscribe_ed25519_secret;

/* The scalar w->a and the prefix in w->expanded of a seed (RFC 8032, section 5.1.5). */
void armscribe_ed25519_expand(armscribe_ed25519_secret *w, const uint8_t seed[32]);

/* w->point = k times the base point, for k below 2^255. */
void armscribe_ed25519_base_times(armscribe_ed25519_secret *w, const uint32_t k[8]);

/* Erases w and the stack below the caller. */
void armscribe_ed25519_forget(armscribe_ed25519_secret *w);

#endif
