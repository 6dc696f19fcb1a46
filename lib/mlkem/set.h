/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * The public functions of one parameter set: checks, randomness and erasure. Included
 * once by each of mlkem512.c, mlkem768.c, mlkem1024.c after defining NAME(suffix), SET_K, SET_ETA1,
 * SET_DU, SET_DV.
 */
#include <string.h>

#include "../common/ct.h"
#include "../common/judge.h"
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

/* Lengths are compared first; then these judge pointers. seed: NULL if there is none. */
static ARMSCRIBE_NOINLINE int NAME(_judge_keys)(const uint8_t *ek, const uint8_t *dk,
                                                const uint8_t *seed, const uint32_t *work)
{
    const armscribe_buffer b[] = {{ek, EK_BYTES},
                                  {dk, DK_BYTES},
                                  {armscribe_at_word(work), KEYGEN_BYTES},
                                  {seed, seed != NULL ? ARMSCRIBE_MLKEM_SEED_BYTES : 0}};

    return armscribe_judge(b, 3, 4);
}

/* m: NULL if there is none. */
static ARMSCRIBE_NOINLINE int NAME(_judge_encaps)(const uint8_t *ct, const uint8_t *ss,
                                                  const uint8_t *ek, const uint8_t *m,
                                                  const uint32_t *work)
{
    const armscribe_buffer b[] = {{ct, CT_BYTES},
                                  {ss, ARMSCRIBE_MLKEM_SS_BYTES},
                                  {armscribe_at_word(work), ENCAPS_BYTES},
                                  {ek, EK_BYTES},
                                  {m, m != NULL ? ARMSCRIBE_MLKEM_MESSAGE_BYTES : 0}};

    return armscribe_judge(b, 3, 5);
}

static ARMSCRIBE_NOINLINE int NAME(_judge_decaps)(const uint8_t *ss, const uint8_t *ct,
                                                  const uint8_t *dk, const uint32_t *work)
{
    const armscribe_buffer b[] = {{ss, ARMSCRIBE_MLKEM_SS_BYTES},
                                  {armscribe_at_word(work), ENCAPS_BYTES},
                                  {ct, CT_BYTES},
                                  {dk, DK_BYTES}};

    return armscribe_judge(b, 2, 4);
}

/* The key pair of the seed that stands in dk. */
static ARMSCRIBE_NOINLINE void NAME(_make)(uint8_t *ek, uint8_t *dk, uint32_t *work)
{
    armscribe_mlkem_keygen(NAME(_open)(work), &NAME(_set), ek, dk);
    armscribe_wipe(work, KEYGEN_BYTES);
}

static int NAME(_no_keys)(uint8_t *ek, uint8_t *dk, int error)
{
    armscribe_clear(ek, EK_BYTES);
    armscribe_clear(dk, DK_BYTES);
    return error;
}

int NAME(_keygen_derand)(uint8_t ek[EK_BYTES], uint8_t dk[DK_BYTES],
                         const uint8_t seed[ARMSCRIBE_MLKEM_SEED_BYTES], uint32_t *work)
{
    if (seed == NULL || NAME(_judge_keys)(ek, dk, seed, work) != ARMSCRIBE_OK) {
        return NAME(_no_keys)(ek, dk, ARMSCRIBE_ERROR_ARGUMENT);
    }
    memcpy(SEED(dk), seed, ARMSCRIBE_MLKEM_SEED_BYTES);
    NAME(_make)(ek, dk, work);
    armscribe_wipe_stack();
    return ARMSCRIBE_OK;
}

int NAME(_keygen)(uint8_t ek[EK_BYTES], uint8_t dk[DK_BYTES], armscribe_rng rng, void *rng_ctx,
                  uint32_t *work)
{
    if (rng == NULL || NAME(_judge_keys)(ek, dk, NULL, work) != ARMSCRIBE_OK) {
        return NAME(_no_keys)(ek, dk, ARMSCRIBE_ERROR_ARGUMENT);
    }
    if (rng(rng_ctx, SEED(dk), ARMSCRIBE_MLKEM_SEED_BYTES) != 0) {
        return NAME(_no_keys)(ek, dk, ARMSCRIBE_ERROR_RNG);
    }
    NAME(_make)(ek, dk, work);
    armscribe_wipe_stack();
    return ARMSCRIBE_OK;
}

static uint8_t *NAME(_message)(uint32_t *work)
{
    return armscribe_mlkem_inside(NAME(_open)(work), SET_K)->message;
}

static int NAME(_no_capsule)(uint8_t *ct, uint8_t *ss, int error)
{
    armscribe_clear(ct, CT_BYTES);
    armscribe_clear(ss, ARMSCRIBE_MLKEM_SS_BYTES);
    return error;
}

/* Whether something can be encapsulated: lengths, pointers, then what stands in ek. */
static int NAME(_check_encaps)(const uint8_t *ct, const uint8_t *ss, const uint8_t *ek, size_t ek_n,
                               const uint8_t *m, const uint32_t *work)
{
    if (ek_n == EK_BYTES && NAME(_judge_encaps)(ct, ss, ek, m, work) != ARMSCRIBE_OK) {
        return ARMSCRIBE_ERROR_ARGUMENT;
    }
    return NAME(_check_ek)(ek, ek_n);
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
    const int result =
        m == NULL ? ARMSCRIBE_ERROR_ARGUMENT : NAME(_check_encaps)(ct, ss, ek, ek_n, m, work);

    if (result != ARMSCRIBE_OK) {
        return NAME(_no_capsule)(ct, ss, result);
    }
    memcpy(NAME(_message)(work), m, ARMSCRIBE_MLKEM_MESSAGE_BYTES);
    NAME(_seal)(ct, ss, ek, work);
    armscribe_wipe_stack();
    return ARMSCRIBE_OK;
}

int NAME(_encaps)(uint8_t ct[CT_BYTES], uint8_t ss[ARMSCRIBE_MLKEM_SS_BYTES], const uint8_t *ek,
                  size_t ek_n, armscribe_rng rng, void *rng_ctx, uint32_t *work)
{
    const int result =
        rng == NULL ? ARMSCRIBE_ERROR_ARGUMENT : NAME(_check_encaps)(ct, ss, ek, ek_n, NULL, work);

    if (result != ARMSCRIBE_OK) {
        return NAME(_no_capsule)(ct, ss, result);
    }
    if (rng(rng_ctx, NAME(_message)(work), ARMSCRIBE_MLKEM_MESSAGE_BYTES) != 0) {
        armscribe_wipe(NAME(_message)(work), ARMSCRIBE_MLKEM_MESSAGE_BYTES);
        return NAME(_no_capsule)(ct, ss, ARMSCRIBE_ERROR_RNG);
    }
    NAME(_seal)(ct, ss, ek, work);
    armscribe_wipe_stack();
    return ARMSCRIBE_OK;
}

static int NAME(_no_secret)(uint8_t *ss, int error)
{
    armscribe_clear(ss, ARMSCRIBE_MLKEM_SS_BYTES);
    return error;
}

static int NAME(_check_decaps)(const uint8_t *ss, const uint8_t *ct, size_t ct_n, const uint8_t *dk,
                               size_t dk_n, const uint32_t *work)
{
    if (ct_n != CT_BYTES) {
        return ARMSCRIBE_ERROR_CT_LENGTH;
    }
    return dk_n != DK_BYTES ? ARMSCRIBE_ERROR_DK_LENGTH : NAME(_judge_decaps)(ss, ct, dk, work);
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
    const int result = NAME(_check_decaps)(ss, ct, ct_n, dk, dk_n, work);

    if (result != ARMSCRIBE_OK) {
        return NAME(_no_secret)(ss, result);
    }
    NAME(_unseal)(ss, ct, dk, work);
    armscribe_wipe_stack();
    return ARMSCRIBE_OK;
}

int NAME(_decaps)(uint8_t ss[ARMSCRIBE_MLKEM_SS_BYTES], const uint8_t *ct, size_t ct_n,
                  const uint8_t *dk, size_t dk_n, uint32_t *work)
{
    armscribe_sha3_ctx *hash = &NAME(_open)(work)->hash;
    int result = NAME(_check_decaps)(ss, ct, ct_n, dk, dk_n, work);

    if (result == ARMSCRIBE_OK) {
        result = armscribe_mlkem_check_dk(&NAME(_set), hash, dk, dk_n);
        if (result == ARMSCRIBE_OK) {
            NAME(_unseal)(ss, ct, dk, work);
            armscribe_wipe_stack();
            return ARMSCRIBE_OK;
        }
        armscribe_wipe(hash, sizeof *hash);
    }
    return NAME(_no_secret)(ss, result);
}
