/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Messages on their way to mu: the formats of FIPS 204, section 5, and the hash over them. */
#ifndef ARMSCRIBE_MLDSA_DSA_MESSAGE_H
#define ARMSCRIBE_MLDSA_DSA_MESSAGE_H

#include "../keccak/sponge.h"
#include "armscribe/mldsa.h"

#define MLDSA_RAW  (-1) /* M' is the message */
#define MLDSA_PURE 0    /* M' = 0 || length of ctx || ctx || message */

/* A message: `kind` is one of the above, or the hash function (ARMSCRIBE_MLDSA_HASH_*) that made a digest of it. */
typedef struct {
    int kind;
    const uint8_t *bytes;
    size_t n;
    const uint8_t *ctx;
    size_t ctx_n;
} armscribe_mldsa_message;

/* ARMSCRIBE_OK, or what is wrong with the context or the digest. */
int armscribe_mldsa_check_message(const armscribe_mldsa_message *m);

/* mu = H(tr || M') (algorithm 7, line 6), of a message that passed its check. */
void armscribe_mldsa_represent(armscribe_sha3_ctx *hash, uint8_t mu[64], const uint8_t tr[64],
                               const armscribe_mldsa_message *m);

#endif
