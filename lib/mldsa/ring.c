/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLDSA)

#include "ring.h"

#include <string.h>

#include "../common/bytes.h"
#include "../common/ct.h"
#include "../common/declassify.h"

/* All ones where x is negative, else zero; the compiler does not know that it is a mask. */
static inline uint32_t negative(int32_t x)
{
    return armscribe_barrier(0U - ((uint32_t)x >> 31));
}

/* Numbers sign * a[i] + top, sign one of 1 and -1, through words: 256 numbers fill whole ones. */
static void pack(uint8_t *out, const int32_t a[MLDSA_N], unsigned bits, int32_t sign, int32_t top)
{
    uint64_t word = 0;
    unsigned filled = 0;

    for (unsigned i = 0; i < MLDSA_N; i++) {
        word |= (uint64_t)(uint32_t)(top + sign * a[i]) << filled;
        filled += bits;
        if (filled >= 32) {
            armscribe_store32(out, (uint32_t)word);
            out += 4;
            word >>= 32;
            filled -= 32;
        }
    }
}

/* A number lies within four neighbouring bytes; the last four hold the end. */
static inline uint32_t bits_at(const uint8_t *in, unsigned n, unsigned at, unsigned bits)
{
    const unsigned byte = at / 8 < n - 4 ? at / 8 : n - 4;

    return (armscribe_load32(&in[byte]) >> (at - 8 * byte)) & ((1U << bits) - 1);
}

uint32_t armscribe_mldsa_bits(const uint8_t *in, unsigned n, unsigned at, unsigned bits)
{
    return bits_at(in, n, at, bits);
}

/* The inverse of pack. */
static void unpack(int32_t a[MLDSA_N], const uint8_t *in, unsigned bits, int32_t sign, int32_t top)
{
    for (unsigned i = 0; i < MLDSA_N; i++) {
        a[i] = top + sign * (int32_t)bits_at(in, 32 * bits, i * bits, bits);
    }
}

void armscribe_mldsa_pack(uint8_t *out, const int32_t a[MLDSA_N], unsigned bits)
{
    pack(out, a, bits, 1, 0);
}

void armscribe_mldsa_unpack(int32_t a[MLDSA_N], const uint8_t *in, unsigned bits)
{
    unpack(a, in, bits, 1, 0);
}

void armscribe_mldsa_pack_below(uint8_t *out, const int32_t a[MLDSA_N], unsigned bits, int32_t top)
{
    pack(out, a, bits, -1, top);
}

void armscribe_mldsa_unpack_below(int32_t a[MLDSA_N], const uint8_t *in, unsigned bits, int32_t top)
{
    unpack(a, in, bits, -1, top);
}

void armscribe_mldsa_power2round(int32_t t[MLDSA_N], int32_t t0[MLDSA_N])
{
    for (unsigned i = 0; i < MLDSA_N; i++) {
        const uint32_t x = (uint32_t)t[i];
        const uint32_t high = (x + (1U << (MLDSA_D - 1)) - 1) >> MLDSA_D;

        t0[i] = (int32_t)(x - (high << MLDSA_D));
        t[i] = (int32_t)high;
    }
}

/* How Decompose (algorithm 36) divides by 2 * gamma2, a multiple of 128: x / 128, rounded up, times 2^shift * 128 /
 * (2 * gamma2), to the nearest; all in 32 bits, since not every core has a longer product of fixed time. Right for every
 * x below q (tests/lib/test_poly.py tries them all). */
typedef struct {
    int32_t gamma2;
    int32_t most; /* (q-1) / (2 * gamma2): high bits are below it */
    uint32_t factor;
    uint32_t shift;
} divisor;

#define DIVISOR(most, shift)                                                                       \
    {(MLDSA_Q - 1) / (2 * (most)), (most),                                                         \
     (uint32_t)((((uint64_t)128 << (shift)) * (most) + (MLDSA_Q - 1) / 2) / (MLDSA_Q - 1)),        \
     (shift)}

static const divisor divisors[2] = {DIVISOR(16, 22), DIVISOR(44, 24)};

static const divisor *divisor_of(int32_t gamma2)
{
    return &divisors[gamma2 == divisors[1].gamma2];
}

/* Decompose of canonical x: high bits, and low bits in *low. */
static inline int32_t decompose(const divisor *d, int32_t x, int32_t *low)
{
    const uint32_t part = ((uint32_t)x + 127) >> 7;
    const int32_t high = (int32_t)((part * d->factor + (1U << (d->shift - 1))) >> d->shift);
    const uint32_t wraps = negative(d->most - 1 - high); /* x - low is q - 1 */

    *low = x - high * (2 * d->gamma2) - (int32_t)(wraps & 1);
    return (int32_t)((uint32_t)high & ~wraps);
}

void armscribe_mldsa_high_bits(int32_t r[MLDSA_N], const int32_t a[MLDSA_N], int32_t gamma2)
{
    const divisor *d = divisor_of(gamma2);
    int32_t low;

    for (unsigned i = 0; i < MLDSA_N; i++) {
        r[i] = decompose(d, a[i], &low);
    }
}

/* Sign bit set where |x| >= bound. */
static inline uint32_t reach(int32_t x, int32_t bound)
{
    return (uint32_t)((bound - 1 - x) | (bound - 1 + x));
}

uint32_t armscribe_mldsa_low_bits_reach(const int32_t a[MLDSA_N], int32_t gamma2, int32_t bound)
{
    const divisor *d = divisor_of(gamma2);
    uint32_t over = 0;

    for (unsigned i = 0; i < MLDSA_N; i++) {
        int32_t low;

        (void)decompose(d, a[i], &low);
        over |= reach(low, bound);
    }
    return armscribe_barrier(0U - (over >> 31));
}

uint32_t armscribe_mldsa_reaches(const int32_t a[MLDSA_N], int32_t bound)
{
    uint32_t over = 0;

    for (unsigned i = 0; i < MLDSA_N; i++) {
        over |= reach(a[i], bound);
    }
    return armscribe_barrier(0U - (over >> 31));
}

uint32_t armscribe_mldsa_hint_bit(int32_t r, int32_t sum, int32_t gamma2)
{
    const divisor *d = divisor_of(gamma2);
    int32_t low;

    return armscribe_mask_nonzero((uint32_t)(decompose(d, r, &low) ^ decompose(d, sum, &low))) & 1;
}

uint32_t armscribe_mldsa_make_hint(int32_t r[MLDSA_N], const int32_t sum[MLDSA_N], int32_t gamma2)
{
    uint32_t ones = 0;

    for (unsigned i = 0; i < MLDSA_N; i++) {
        r[i] = (int32_t)armscribe_mldsa_hint_bit(r[i], sum[i], gamma2);
        ones += (uint32_t)r[i];
    }
    return ones;
}

void armscribe_mldsa_use_hint(int32_t a[MLDSA_N], const uint8_t hint[MLDSA_N / 8], int32_t gamma2)
{
    const divisor *d = divisor_of(gamma2);

    for (unsigned i = 0; i < MLDSA_N; i++) {
        int32_t low;
        int32_t high = decompose(d, a[i], &low);

        if ((hint[i / 8] >> (i % 8) & 1) != 0) {
            high += low > 0 ? 1 : -1;
            high = high == d->most ? 0 : high < 0 ? d->most - 1 : high;
        }
        a[i] = high;
    }
}

/* CoeffFromHalfByte (algorithm 15); below is how many half-bytes are accepted: 15 or 9. */
static unsigned from_half_byte(int32_t a[MLDSA_N], unsigned have, uint32_t half, unsigned eta)
{
    const uint32_t below = eta == 2 ? 15 : 9;
    uint32_t accepted = (half - below) >> 31;

    ARMSCRIBE_DECLASSIFY_VALUE("coefficient accepted", accepted);
    if (accepted != 0 && have < MLDSA_N) {
        if (eta == 2) {
            half -= ((half * 205) >> 10) * 5; /* modulo 5 */
        }
        a[have++] = (int32_t)eta - (int32_t)half;
    }
    return have;
}

unsigned armscribe_mldsa_bounded(int32_t a[MLDSA_N], unsigned have, const uint8_t *bytes, size_t n,
                                 unsigned eta)
{
    for (size_t i = 0; i < n && have < MLDSA_N; i++) {
        have = from_half_byte(a, have, bytes[i] & 15U, eta);
        have = from_half_byte(a, have, (uint32_t)bytes[i] >> 4, eta);
    }
    return have;
}

void armscribe_mldsa_in_ball(int32_t c[MLDSA_N], armscribe_sha3_ctx *hash, const uint8_t *seed,
                             size_t n, unsigned tau)
{
    uint8_t signs[8];

    armscribe_sponge_shake(hash, ARMSCRIBE_SHAKE256_RATE);
    armscribe_sponge_absorb(hash, seed, n);
    armscribe_sponge_squeeze(hash, signs, sizeof signs);
    memset(c, 0, MLDSA_N * sizeof c[0]);
    for (unsigned i = MLDSA_N - tau, k = 0; i < MLDSA_N; i++, k++) {
        uint8_t j;

        do {
            armscribe_sponge_squeeze(hash, &j, 1);
        } while (j > i);
        c[i] = c[j];
        c[j] = 1 - 2 * (int32_t)(signs[k / 8] >> (k % 8) & 1);
    }
}

#endif
