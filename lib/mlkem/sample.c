/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLKEM)

#include "routines.h"
#include "rows.h"

void armscribe_mlkem_begin_entry(armscribe_mlkem_work *w, const armscribe_mlkem_matrix *m,
                                 unsigned i, unsigned j)
{
    /* Entry (i, j) of A is sampled from rho || j || i (algorithm 13, line 5). */
    const uint8_t place[2] = {(uint8_t)(m->transposed ? i : j), (uint8_t)(m->transposed ? j : i)};

    armscribe_sponge_shake(&w->hash, ARMSCRIBE_SHAKE128_RATE);
    armscribe_sponge_absorb(&w->hash, m->rho, 32);
    armscribe_sponge_absorb(&w->hash, place, sizeof place);
}

void armscribe_mlkem_sample_noise(armscribe_mlkem_work *w, int16_t r[MLKEM_N], uint8_t *bytes,
                                  unsigned nonce, unsigned eta)
{
    const uint8_t n = (uint8_t)nonce;

    armscribe_sponge_shake(&w->hash, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sponge_absorb(&w->hash, w->coins, 32);
    armscribe_sponge_absorb(&w->hash, &n, 1);
    armscribe_sponge_squeeze(&w->hash, bytes, (size_t)64 * eta);
    armscribe_mlkem_noise(r, bytes, eta);
}

void armscribe_mlkem_encode(uint8_t out[MLKEM_POLY_BYTES], int16_t a[MLKEM_N])
{
    mlkem_reduce(a);
    armscribe_mlkem_tobytes(out, a);
}

#endif
