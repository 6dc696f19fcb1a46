/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLDSA)

#include "dsa.h"
#include "routines.h"

void armscribe_mldsa_sample_matrix(armscribe_mldsa_work *w, int32_t a[MLDSA_N],
                                   const uint8_t rho[32], unsigned row, unsigned column)
{
    const uint8_t place[2] = {(uint8_t)column, (uint8_t)row};
    uint32_t n = 0;

    armscribe_sponge_shake(&w->hash, ARMSCRIBE_SHAKE128_RATE);
    armscribe_sponge_absorb(&w->hash, rho, 32);
    armscribe_sponge_absorb(&w->hash, place, sizeof place);
    while (n < MLDSA_N) {
        armscribe_sponge_squeeze(&w->hash, w->block, sizeof w->block);
        n += mldsa_rej_uniform(&a[n], MLDSA_N - n, w->block, sizeof w->block);
    }
}

#endif
