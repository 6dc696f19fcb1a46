/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLDSA)

#include "dsa_message.h"

/* Digest lengths by ARMSCRIBE_MLDSA_HASH_* (FIPS 204, section 5.4.1). */
static const uint8_t digest_bytes[13] = {0, 32, 48, 64, 28, 28, 32, 28, 32, 48, 64, 32, 64};

int armscribe_mldsa_check_message(const armscribe_mldsa_message *m)
{
    if (m->ctx_n > 255) {
        return ARMSCRIBE_ERROR_MLDSA_CONTEXT;
    }
    if (m->kind > 0 && (m->kind >= (int)sizeof digest_bytes || m->n != digest_bytes[m->kind])) {
        return ARMSCRIBE_ERROR_MLDSA_HASH;
    }
    return m->kind < MLDSA_RAW ? ARMSCRIBE_ERROR_MLDSA_HASH : ARMSCRIBE_OK;
}

void armscribe_mldsa_represent(armscribe_sha3_ctx *hash, uint8_t mu[64], const uint8_t tr[64],
                               const armscribe_mldsa_message *m)
{
    armscribe_sponge_shake(hash, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sponge_absorb(hash, tr, 64);
    if (m->kind != MLDSA_RAW) {
        const uint8_t head[2] = {m->kind != MLDSA_PURE, (uint8_t)m->ctx_n};

        armscribe_sponge_absorb(hash, head, sizeof head);
        armscribe_sponge_absorb(hash, m->ctx, m->ctx_n);
    }
    if (m->kind > MLDSA_PURE) { /* the object identifier 2.16.840.1.101.3.4.2.kind in DER */
        const uint8_t oid[11] = {6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, (uint8_t)m->kind};

        armscribe_sponge_absorb(hash, oid, sizeof oid);
    }
    armscribe_sponge_absorb(hash, m->bytes, m->n);
    armscribe_sponge_squeeze(hash, mu, 64);
}

#endif
