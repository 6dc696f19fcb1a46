/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_ED25519_SECRET)

#include "../common/bytes.h"
#include "../common/ct.h"
#include "../sha2/finish.h"
#include "armscribe_backend.h"
#include "armscribe_routines.h"
#include "base.h"
#include "secret.h"

/* Digits in base 16 from -8 to 7, the last up to 8, of a number below 2^255. */
static void recode(int8_t digit[ED25519_DIGITS], const uint32_t k[8])
{
    int carry = 0;

    for (unsigned i = 0; i < ED25519_DIGITS; i++) {
        const int d = (int)((k[i / 8] >> (4 * (i % 8))) & 15) + carry;

        carry = i < ED25519_DIGITS - 1 ? (d + 8) >> 4 : 0;
        digit[i] = (int8_t)(d - 16 * carry);
    }
}

/* A comb whose columns are added up from the last one. */
void armscribe_ed25519_base_times(armscribe_ed25519_secret *w, const uint32_t k[8])
{
    recode(w->digit, k);
    armscribe_ge_identity(&w->point);
    for (unsigned column = ED25519_COLUMNS; column-- > 0;) {
        for (unsigned tooth = 0; tooth < ED25519_TEETH; tooth++) {
            fe25519_cmov_table(w->multiple, armscribe_ed25519_base[tooth],
                               w->digit[ED25519_COLUMNS * tooth + column]);
            ge25519_madd(w->point.word, w->multiple, tooth + 1 < ED25519_TEETH);
        }
        for (unsigned i = 0; column > 0 && i < 4; i++) {
            ge25519_double(w->point.word, i == 3);
        }
    }
}

void armscribe_ed25519_expand(armscribe_ed25519_secret *w, const uint8_t seed[32])
{
    armscribe_sha512_init(&w->hash);
    armscribe_sha512_update(&w->hash, seed, 32);
    armscribe_sha512_finish(&w->hash, w->expanded);
    w->expanded[0] &= 248;
    w->expanded[31] = (uint8_t)((w->expanded[31] & 63) | 64);
    for (unsigned i = 0; i < 8; i++) {
        w->a[i] = armscribe_load32(w->expanded + 4 * i);
    }
}

void armscribe_ed25519_forget(armscribe_ed25519_secret *w)
{
    armscribe_wipe(w, sizeof *w);
    armscribe_wipe_stack();
}

#endif
