/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * The public functions of one parameter set: work space of its size, checks, and erasure. Included
 * once by each of mlkem512.c, mlkem768.c, mlkem1024.c after defining NAME(suffix), SET_K, SET_ETA1,
 * SET_DU, SET_DV.
 */
#include <string.h>

#include "../common/ct.h"
#include "kem.h"

static const armscribe_mlkem_set NAME(_set) = {SET_K, SET_ETA1, SET_DU, SET_DV};

#define EK_BYTES (MLKEM_POLY_BYTES * SET_K + 32)
#define DK_BYTES (2 * MLKEM_POLY_BYTES * SET_K + 96)
#define CT_BYTES (32 * (SET_DU * SET_K + SET_DV))

/* Everything secret an operation has on the stack. */
typedef struct {
    armscribe_mlkem_work work;
    armscribe_mlkem_poly vector[SET_K];
    armscribe_mlkem_poly cache[SET_K];
} NAME(_space);

static armscribe_mlkem_work *NAME(_open)(NAME(_space) * space)
{
    space->work.vector = space->vector;
    space->work.cache = space->cache;
    return &space->work;
}

static void NAME(_close)(NAME(_space) * space)
{
    armscribe_wipe(space, sizeof *space);
    armscribe_wipe_stack();
}

int NAME(_check_ek)(const uint8_t *ek, size_t ek_n)
{
    return armscribe_mlkem_check_ek(&NAME(_set), ek, ek_n);
}

int NAME(_check_dk)(const uint8_t *dk, size_t dk_n)
{
    return armscribe_mlkem_check_dk(&NAME(_set), dk, dk_n);
}

int NAME(_keygen_derand)(uint8_t ek[EK_BYTES], uint8_t dk[DK_BYTES],
                         const uint8_t seed[ARMSCRIBE_MLKEM_SEED_BYTES])
{
    NAME(_space) space;
    armscribe_mlkem_work *w = NAME(_open)(&space);

    memcpy(w->message, seed, 32);
    armscribe_mlkem_keygen(w, &NAME(_set), ek, dk, seed + 32);
    NAME(_close)(&space);
    return ARMSCRIBE_OK;
}

int NAME(_keygen)(uint8_t ek[EK_BYTES], uint8_t dk[DK_BYTES], armscribe_rng rng, void *rng_ctx)
{
    uint8_t seed[ARMSCRIBE_MLKEM_SEED_BYTES];
    int result = ARMSCRIBE_OK;

    if (rng(rng_ctx, seed, sizeof seed) == 0) {
        (void)NAME(_keygen_derand)(ek, dk, seed);
    } else {
        memset(ek, 0, EK_BYTES);
        memset(dk, 0, DK_BYTES);
        result = ARMSCRIBE_ERROR_RNG;
    }
    armscribe_wipe(seed, sizeof seed);
    return result;
}

int NAME(_encaps_derand)(uint8_t ct[CT_BYTES], uint8_t ss[ARMSCRIBE_MLKEM_SS_BYTES],
                         const uint8_t *ek, size_t ek_n,
                         const uint8_t m[ARMSCRIBE_MLKEM_MESSAGE_BYTES])
{
    const int result = NAME(_check_ek)(ek, ek_n);
    NAME(_space) space;
    armscribe_mlkem_work *w = NAME(_open)(&space);

    if (result != ARMSCRIBE_OK) {
        memset(ct, 0, CT_BYTES);
        memset(ss, 0, ARMSCRIBE_MLKEM_SS_BYTES);
        return result;
    }
    memcpy(w->message, m, sizeof w->message);
    armscribe_mlkem_encaps(w, &NAME(_set), ct, ss, ek);
    NAME(_close)(&space);
    return ARMSCRIBE_OK;
}

int NAME(_encaps)(uint8_t ct[CT_BYTES], uint8_t ss[ARMSCRIBE_MLKEM_SS_BYTES], const uint8_t *ek,
                  size_t ek_n, armscribe_rng rng, void *rng_ctx)
{
    uint8_t m[ARMSCRIBE_MLKEM_MESSAGE_BYTES];
    int result;

    if (rng(rng_ctx, m, sizeof m) == 0) {
        result = NAME(_encaps_derand)(ct, ss, ek, ek_n, m);
    } else {
        memset(ct, 0, CT_BYTES);
        memset(ss, 0, ARMSCRIBE_MLKEM_SS_BYTES);
        result = ARMSCRIBE_ERROR_RNG;
    }
    armscribe_wipe(m, sizeof m);
    return result;
}

int NAME(_decaps_checked)(uint8_t ss[ARMSCRIBE_MLKEM_SS_BYTES], const uint8_t *ct, size_t ct_n,
                          const uint8_t *dk, size_t dk_n)
{
    NAME(_space) space;
    armscribe_mlkem_work *w = NAME(_open)(&space);

    if (ct_n != CT_BYTES || dk_n != DK_BYTES) {
        memset(ss, 0, ARMSCRIBE_MLKEM_SS_BYTES);
        return ct_n != CT_BYTES ? ARMSCRIBE_ERROR_CT_LENGTH : ARMSCRIBE_ERROR_DK_LENGTH;
    }
    armscribe_mlkem_decaps(w, &NAME(_set), ss, ct, dk);
    NAME(_close)(&space);
    return ARMSCRIBE_OK;
}

int NAME(_decaps)(uint8_t ss[ARMSCRIBE_MLKEM_SS_BYTES], const uint8_t *ct, size_t ct_n,
                  const uint8_t *dk, size_t dk_n)
{
    const int result = ct_n == CT_BYTES ? NAME(_check_dk)(dk, dk_n) : ARMSCRIBE_ERROR_CT_LENGTH;

    if (result != ARMSCRIBE_OK) {
        memset(ss, 0, ARMSCRIBE_MLKEM_SS_BYTES);
        return result;
    }
    return NAME(_decaps_checked)(ss, ct, ct_n, dk, dk_n);
}
