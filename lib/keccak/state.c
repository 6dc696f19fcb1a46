/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Bytes into and out of a state of Keccak-f[1600]; the permutation where a routine of the core does
 * it. Whole lanes go through routines, what is left of a lane through eight bytes of its own. */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_SHA3)

#include <string.h>

#include "armscribe_routines.h"
#include "choice.h"
#include "keccakf1600.h"

#include "../common/bytes.h"

#if defined(ARMSCRIBE_KECCAK_HEADER)
extern int armscribe_keccak_state_is_elsewhere;
#else

#if defined(ARMSCRIBE_KECCAK_FAST)
#define PERMUTATION keccak_f1600_fast
#elif defined(ARMSCRIBE_KECCAK_INPLACE)
#define PERMUTATION keccak_f1600_inplace
#elif defined(ARMSCRIBE_KECCAK_BALANCED)
#define PERMUTATION keccak_f1600_balanced
#elif defined(ARMSCRIBE_KECCAK_SMALL)
#define PERMUTATION keccak_f1600_small
#elif defined(ARMSCRIBE_KECCAK_LANES)
#define PERMUTATION keccak_f1600_lanes
#endif

#if defined(ARMSCRIBE_KECCAK_U64)
void armscribe_keccak_permute(armscribe_keccak_state *s)
{
    void *lanes = s->word; /* the routine asks for the alignment of words */

    keccak_f1600_u64(lanes, keccak_round_constants64);
}
#elif defined(PERMUTATION)
void armscribe_keccak_permute(armscribe_keccak_state *s)
{
    PERMUTATION(s->word, keccak_round_constants);
}
#endif

#if defined(ARMSCRIBE_KECCAK_LANES) || defined(ARMSCRIBE_KECCAK_U64)
#define PLAIN_LANES
#endif

/* n is a multiple of eight and not zero. */
static void xor_lanes(uint32_t *lane, const uint8_t *in, size_t n)
{
#if defined(PLAIN_LANES)
    for (size_t i = 0; i < n; i += 4) {
        lane[i / 4] ^= armscribe_load32(in + i);
    }
#else
    uint32_t words[2];

    if (((uintptr_t)in & 3u) == 0) {
        keccak_absorb(lane, in, (uint32_t)n);
        return;
    }
    for (size_t i = 0; i < n; i += sizeof words) { /* unaligned accesses may trap */
        memcpy(words, in + i, sizeof words);
        keccak_absorb(lane + i / 4, (const uint8_t *)words, sizeof words);
    }
#endif
}

static void read_lanes(uint8_t *out, const uint32_t *lane, size_t n)
{
#if defined(PLAIN_LANES)
    for (size_t i = 0; i < n; i += 4) {
        armscribe_store32(out + i, lane[i / 4]);
    }
#else
    uint32_t words[2];

    if (((uintptr_t)out & 3u) == 0) {
        keccak_squeeze(out, lane, (uint32_t)n);
        return;
    }
    for (size_t i = 0; i < n; i += sizeof words) {
        keccak_squeeze((uint8_t *)words, lane + i / 4, sizeof words);
        memcpy(out + i, words, sizeof words);
    }
#endif
}

/* How many of the n bytes from offset on to take at once: whole lanes, or what the lane has. */
static size_t portion(size_t offset, size_t n)
{
    const size_t room = 8 - offset % 8;

    if (room == 8 && n >= 8) {
        return n - n % 8;
    }
    return n < room ? n : room;
}

void armscribe_keccak_xor(armscribe_keccak_state *s, const uint8_t *in, size_t offset, size_t n)
{
    while (n > 0) {
        uint32_t *lane = &s->word[2 * (offset / 8)];
        const size_t used = portion(offset, n);

        if (used >= 8) {
            xor_lanes(lane, in, used);
        } else {
            uint8_t padded[8] = {0};

            for (size_t i = 0; i < used; i++) {
                padded[offset % 8 + i] = in[i];
            }
            xor_lanes(lane, padded, sizeof padded);
        }
        in += used;
        offset += used;
        n -= used;
    }
}

void armscribe_keccak_read(const armscribe_keccak_state *s, uint8_t *out, size_t offset, size_t n)
{
    while (n > 0) {
        const uint32_t *lane = &s->word[2 * (offset / 8)];
        const size_t used = portion(offset, n);

        if (used >= 8) {
            read_lanes(out, lane, used);
        } else {
            uint8_t whole[8];

            read_lanes(whole, lane, sizeof whole);
            for (size_t i = 0; i < used; i++) {
                out[i] = whole[offset % 8 + i];
            }
        }
        out += used;
        offset += used;
        n -= used;
    }
}

#endif

#endif
