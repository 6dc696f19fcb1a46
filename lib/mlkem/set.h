/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * The public functions of one parameter set: checks, randomness and erasure. Included
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

#define KEYGEN_BYTES ARMSCRIBE_MLKEM_KEYGEN(SET_K)
#define ENCAPS_BYTES ARMSCRIBE_MLKEM_ENCAPS(SET_K)
#if defined(ARMSCRIBE_SMALL)
#define POLYS_BYTES 0
#else
#define POLYS_BYTES (2 * SET_K * sizeof(armscribe_mlkem_poly))
#endif
#define SEED(dk) ((dk) + DK_BYTES - ARMSCRIBE_MLKEM_SEED_BYTES) /* its place before it is used up */

/* The work space is as large as the header says. */
typedef char NAME(_work_fits)[sizeof(armscribe_mlkem_work) + POLYS_BYTES == KEYGEN_BYTES &&
                                      KEYGEN_BYTES + sizeof(armscribe_mlkem_capsule) == ENCAPS_BYTES
                                  ? 1
                                  : -1];

static armscribe_mlkem_work *NAME(_open)(uint32_t *work)
{
    return (armscribe_mlkem_work *)(void *)work;
}

int NAME(_check_ek)(const uint8_t *ek, size_t ek_n)
{
    return armscribe_mlkem_check_ek(&NAME(_set), ek, ek_n);
}

int NAME(_check_dk)(const uint8_t *dk, size_t dk_n)
{
    armscribe_sha3_ctx hash;

    return armscribe_mlkem_check_dk(&NAME(_set), &hash, dk, dk_n);
}

/*
 * What has secrets in registers, and so in all that it and its callees push, is a function of its own without arguments
 * on the stack, which a callee may overwrite; then the public function erases the stack below itself.
 */

/* The key pair of the seed that stands in dk. */
static ARMSCRIBE_NOINLINE void NAME(_make)(uint8_t *ek, uint8_t *dk, uint32_t *work)
{
    armscribe_mlkem_keygen(NAME(_open)(work), &NAME(_set), ek, dk);
    armscribe_wipe(work, KEYGEN_BYTES);
}

int NAME(_keygen_derand)(uint8_t ek[EK_BYTES], uint8_t dk[DK_BYTES],
                         const uint8_t seed[ARMSCRIBE_MLKEM_SEED_BYTES], uint32_t *work)
{
    memcpy(SEED(dk), seed, ARMSCRIBE_MLKEM_SEED_BYTES);
    NAME(_make)(ek, dk, work);
    armscribe_wipe_stack();
    return ARMSCRIBE_OK;
}

int NAME(_keygen)(uint8_t ek[EK_BYTES], uint8_t dk[DK_BYTES], armscribe_rng rng, void *rng_ctx,
                  uint32_t *work)
{
    if (rng(rng_ctx, SEED(dk), ARMSCRIBE_MLKEM_SEED_BYTES) == 0) {
        NAME(_make)(ek, dk, work);
        armscribe_wipe_stack();
        return ARMSCRIBE_OK;
    }
    memset(ek, 0, EK_BYTES);
    armscribe_wipe(dk, DK_BYTES);
    return ARMSCRIBE_ERROR_RNG;
}

static uint8_t *NAME(_message)(uint32_t *work)
{
    return armscribe_mlkem_inside(NAME(_open)(work), SET_K)->message;
}

static int NAME(_refuse)(uint8_t *ct, uint8_t *ss, int error)
{
    memset(ct, 0, CT_BYTES);
    memset(ss, 0, ARMSCRIBE_MLKEM_SS_BYTES);
    return error;
}

/* A ciphertext of the message in the work space, under a checked key. */
static ARMSCRIBE_NOINLINE void NAME(_seal)(uint8_t *ct, uint8_t *ss, const uint8_t *ek,
                                           uint32_t *work)
{
    armscribe_mlkem_encaps(NAME(_open)(work), &NAME(_set), ct, ss, ek);
    armscribe_wipe(work, ENCAPS_BYTES);
}

int NAME(_encaps_derand)(uint8_t ct[CT_BYTES], uint8_t ss[ARMSCRIBE_MLKEM_SS_BYTES],
                         const uint8_t *ek, size_t ek_n,
                         const uint8_t m[ARMSCRIBE_MLKEM_MESSAGE_BYTES], uint32_t *work)
{
    const int result = NAME(_check_ek)(ek, ek_n);

    if (result != ARMSCRIBE_OK) {
        return NAME(_refuse)(ct, ss, result);
    }
    memcpy(NAME(_message)(work), m, ARMSCRIBE_MLKEM_MESSAGE_BYTES);
    NAME(_seal)(ct, ss, ek, work);
    armscribe_wipe_stack();
    return ARMSCRIBE_OK;
}

int NAME(_encaps)(uint8_t ct[CT_BYTES], uint8_t ss[ARMSCRIBE_MLKEM_SS_BYTES], const uint8_t *ek,
                  size_t ek_n, armscribe_rng rng, void *rng_ctx, uint32_t *work)
{
    uint8_t *m = NAME(_message)(work);
    const int result = NAME(_check_ek)(ek, ek_n);

    if (result != ARMSCRIBE_OK) {
        return NAME(_refuse)(ct, ss, result);
    }
    if (rng(rng_ctx, m, ARMSCRIBE_MLKEM_MESSAGE_BYTES) != 0) {
        armscribe_wipe(m, ARMSCRIBE_MLKEM_MESSAGE_BYTES);
        return NAME(_refuse)(ct, ss, ARMSCRIBE_ERROR_RNG);
    }
    NAME(_seal)(ct, ss, ek, work);
    armscribe_wipe_stack();
    return ARMSCRIBE_OK;
}

static ARMSCRIBE_NOINLINE void NAME(_unseal)(uint8_t *ss, const uint8_t *ct, const uint8_t *dk,
                                             uint32_t *work)
{
    armscribe_mlkem_decaps(NAME(_open)(work), &NAME(_set), ss, ct, dk);
    armscribe_wipe(work, ENCAPS_BYTES);
}

int NAME(_decaps_checked)(uint8_t ss[ARMSCRIBE_MLKEM_SS_BYTES], const uint8_t *ct, size_t ct_n,
                          const uint8_t *dk, size_t dk_n, uint32_t *work)
{
    if (ct_n != CT_BYTES || dk_n != DK_BYTES) {
        memset(ss, 0, ARMSCRIBE_MLKEM_SS_BYTES);
        return ct_n != CT_BYTES ? ARMSCRIBE_ERROR_CT_LENGTH : ARMSCRIBE_ERROR_DK_LENGTH;
    }
    NAME(_unseal)(ss, ct, dk, work);
    armscribe_wipe_stack();
    return ARMSCRIBE_OK;
}

int NAME(_decaps)(uint8_t ss[ARMSCRIBE_MLKEM_SS_BYTES], const uint8_t *ct, size_t ct_n,
                  const uint8_t *dk, size_t dk_n, uint32_t *work)
{
    armscribe_sha3_ctx *hash = &NAME(_open)(work)->hash;
    const int result = ct_n == CT_BYTES ? armscribe_mlkem_check_dk(&NAME(_set), hash, dk, dk_n)
                                        : ARMSCRIBE_ERROR_CT_LENGTH;

    if (result != ARMSCRIBE_OK) {
        memset(ss, 0, ARMSCRIBE_MLKEM_SS_BYTES);
        armscribe_wipe(hash, sizeof *hash);
        return result;
    }
    return NAME(_decaps_checked)(ss, ct, ct_n, dk, dk_n, work);
}
