/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_ED25519)

#include "message.h"

#include "../common/ct.h"
#include "../common/judge.h"
#include "../sha2/finish.h"

#define CONTEXT_MAX 255

ARMSCRIBE_NOINLINE int armscribe_ed25519_judge(const armscribe_ed25519_message *m,
                                               const uint8_t *signature, unsigned written,
                                               const uint8_t *key, size_t key_n)
{
    const armscribe_buffer b[] = {{signature, ARMSCRIBE_ED25519_SIGNATURE_BYTES},
                                  {m->text, m->n},
                                  {m->context, m->context_n},
                                  {key, key_n}};

    return m->context_n > CONTEXT_MAX ? ARMSCRIBE_ERROR_ED25519_CONTEXT
                                      : armscribe_judge(b, written, 4);
}

void armscribe_ed25519_hash(uint8_t digest[64], armscribe_sha512_ctx *hash,
                            const armscribe_ed25519_message *m, const uint8_t *first,
                            const uint8_t *second)
{
    static const char title[] = "SigEd25519 no Ed25519 collisions";

    armscribe_sha512_init(hash);
    if (m->flag >= 0) {
        const uint8_t tail[2] = {(uint8_t)m->flag, (uint8_t)m->context_n};

        armscribe_sha512_update(hash, (const uint8_t *)title, sizeof title - 1);
        armscribe_sha512_update(hash, tail, sizeof tail);
        armscribe_sha512_update(hash, m->context, m->context_n);
    }
    armscribe_sha512_update(hash, first, 32);
    if (second != NULL) {
        armscribe_sha512_update(hash, second, 32);
    }
    armscribe_sha512_update(hash, m->text, m->n);
    armscribe_sha512_finish(hash, digest);
}

#endif
