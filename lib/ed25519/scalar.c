/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_ED25519)

#include "scalar.h"

#include <stddef.h>

#include "../common/bytes.h"
#include "../common/ct.h"

/* L = 2^252 + 27742317777372353535851937790883648493 (RFC 8032, section 5.1), and Barrett's constant, 2^512 / L rounded
 * down. */
static const uint32_t order[9] = {
    0x5cf5d3edU, 0x5812631aU, 0xa2f79cd6U, 0x14def9deU, 0, 0, 0, 0x10000000U, 0};
static const uint32_t barrett[9] = {0x0a2c131bU, 0xed9ce5a3U, 0x086329a7U, 0x2106215dU, 0xffffffebU,
                                    0xffffffffU, 0xffffffffU, 0xffffffffU, 0x0000000fU};

/* r, of an + bn words, = a * b. */
static void multiply(uint32_t *r, const uint32_t *a, size_t an, const uint32_t *b, size_t bn)
{
    for (size_t i = 0; i < an + bn; i++) {
        r[i] = 0;
    }
    for (size_t i = 0; i < an; i++) {
        uint64_t carry = 0;

        for (size_t j = 0; j < bn; j++) {
            carry += (uint64_t)a[i] * b[j] + r[i + j];
            r[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        r[i + bn] = (uint32_t)carry;
    }
}

/* r = a - b on n words; the borrow, 0 or 1. */
static uint32_t subtract(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n)
{
    uint32_t borrow = 0;

    for (size_t i = 0; i < n; i++) {
        const uint64_t d = (uint64_t)a[i] - b[i] - borrow;

        r[i] = (uint32_t)d;
        borrow = (uint32_t)(d >> 63);
    }
    return borrow;
}

/* r = wide modulo L, where wide is below 2^512. Menezes, van Oorschot, Vanstone, Handbook of Applied Cryptography,
 * algorithm 14.42 with b = 2^32, k = 8: the estimated quotient is at most 2 too small. */
static void reduce(uint32_t r[8], armscribe_sc_work *w)
{
    multiply(w->quotient, w->wide + 7, 9, barrett, 9);
    multiply(w->part, w->quotient + 9, 9, order, 9);
    (void)subtract(w->wide, w->wide, w->part, 9);
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t keep = armscribe_barrier(0U - subtract(w->part, w->wide, order, 9));

        for (unsigned j = 0; j < 9; j++) {
            w->wide[j] = (w->wide[j] & keep) | (w->part[j] & ~keep);
        }
    }
    for (unsigned j = 0; j < 8; j++) {
        r[j] = w->wide[j];
    }
}

void armscribe_sc_reduce(uint32_t r[8], const uint8_t x[64], armscribe_sc_work *w)
{
    for (size_t i = 0; i < 16; i++) {
        w->wide[i] = armscribe_load32(x + 4 * i);
    }
    reduce(r, w);
}

void armscribe_sc_muladd(uint32_t r[8], const uint32_t a[8], const uint32_t b[8],
                         const uint32_t c[8], armscribe_sc_work *w)
{
    uint64_t carry = 0;

    multiply(w->wide, a, 8, b, 8);
    for (unsigned i = 0; i < 16; i++) {
        carry += (uint64_t)w->wide[i] + (i < 8 ? c[i] : 0U);
        w->wide[i] = (uint32_t)carry;
        carry >>= 32;
    }
    reduce(r, w);
}

int armscribe_sc_is_reduced(const uint32_t x[8])
{
    uint32_t rest[8];

    return subtract(rest, x, order, 8) != 0;
}

#endif
