/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* What the three kinds of Ed25519 sign (RFC 8032, section 5.1). */
#ifndef ARMSCRIBE_ED25519_MESSAGE_H
#define ARMSCRIBE_ED25519_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "armscribe/ed25519.h"
#include "armscribe/sha2.h"

typedef struct {
    const uint8_t *text; /* the message, or its digest */
    size_t n;
    const uint8_t *context;
    size_t context_n;
    int flag; /* 0 Ed25519ctx, 1 Ed25519ph, -1 Ed25519: no prefix */
} armscribe_ed25519_message;

/* What is wrong with the context, or with pointers: the signature, which is written unless `written` is 0, and a key of
 * key_n bytes. */
int armscribe_ed25519_judge(const armscribe_ed25519_message *m, const uint8_t *signature,
                            unsigned written, const uint8_t *key, size_t key_n);

/* The digest of dom2(flag, context), 32 bytes, 32 more unless second is NULL, and the text. */
void armscribe_ed25519_hash(uint8_t digest[64], armscribe_sha512_ctx *hash,
                            const armscribe_ed25519_message *m, const uint8_t *first,
                            const uint8_t *second);

#endif
