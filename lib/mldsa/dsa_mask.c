/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLDSA_SIGN)

#include "dsa.h"

void armscribe_mldsa_mask_seed(armscribe_mldsa_work *w, const uint8_t *sk)
{
    armscribe_sponge_shake(&w->hash, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sponge_absorb(&w->hash, &sk[32], 32);
    armscribe_sponge_absorb(&w->hash, w->u.sign.rnd, sizeof w->u.sign.rnd);
    armscribe_sponge_absorb(&w->hash, w->mu, sizeof w->mu);
    armscribe_sponge_squeeze(&w->hash, w->u.sign.mask, sizeof w->u.sign.mask);
}

#endif
