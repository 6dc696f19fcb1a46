/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "poly.h"

#include "../common/ct.h"

#define Q_HALF_UP ((MLKEM_Q + 1) / 2) /* Decompress_1(1) */

/* 2^32 / q: its integer part and the first 16 bits after the point. */
#define RECIPROCAL          1290167U
#define RECIPROCAL_FRACTION 20768U

/*
 * Compress_d(x) = round(2^d * x / q) mod 2^d for canonical x and 1 <= d <= 11, without a division,
 * which compilers turn into UDIV, whose time depends on x. x * 2^32 / q is formed modulo 2^32 with
 * an error below 1.5, far less than the distance 2^32 / (2 * q) / 2^d of 2^d * x / q from the next
 * half-integer (exhaustive test in tests/lib).
 */
static inline uint32_t compress(int16_t x, unsigned d)
{
    const uint32_t u = (uint32_t)(uint16_t)x;

    return (u * RECIPROCAL + ((u * RECIPROCAL_FRACTION) >> 16) + (1U << (31 - d))) >> (32 - d);
}

/* Decompress_d(y) = round(q * y / 2^d) for 0 <= y < 2^d. */
static inline int16_t decompress(uint32_t y, unsigned d)
{
    return (int16_t)((y * MLKEM_Q + (1U << (d - 1))) >> d);
}

void armscribe_mlkem_tobytes(uint8_t out[MLKEM_POLY_BYTES], const int16_t a[MLKEM_N])
{
    for (unsigned i = 0; i < MLKEM_N; i += 2) {
        const uint32_t pair = (uint32_t)(uint16_t)a[i] | ((uint32_t)(uint16_t)a[i + 1] << 12);

        out[0] = (uint8_t)pair;
        out[1] = (uint8_t)(pair >> 8);
        out[2] = (uint8_t)(pair >> 16);
        out += 3;
    }
}

/* d is a constant in each call. A byte is written only when all its bits have been read, and d < 16
 * bits take the place of 16, so out may be the bytes of a. */
static inline void compress_with(uint8_t *out, const int16_t *a, unsigned d)
{
    uint32_t window = 0;
    unsigned bits = 0;

    for (unsigned i = 0; i < MLKEM_N; i++) {
        window |= compress(a[i], d) << bits;
        for (bits += d; bits >= 8; bits -= 8) {
            *out++ = (uint8_t)window;
            window >>= 8;
        }
    }
}

void armscribe_mlkem_compress(uint8_t *out, const int16_t *a, unsigned d)
{
    if (d == 4) {
        compress_with(out, a, 4);
    } else if (d == 5) {
        compress_with(out, a, 5);
    } else if (d == 10) {
        compress_with(out, a, 10);
    } else {
        compress_with(out, a, 11);
    }
}

static inline void decompress_with(int16_t r[MLKEM_N], const uint8_t *in, unsigned d)
{
    uint32_t window = 0;
    unsigned bits = 0;

    for (unsigned i = 0; i < MLKEM_N; i++) {
        for (; bits < d; bits += 8) {
            window |= (uint32_t)*in++ << bits;
        }
        r[i] = decompress(window & ((1U << d) - 1), d);
        window >>= d;
        bits -= d;
    }
}

void armscribe_mlkem_decompress(int16_t r[MLKEM_N], const uint8_t *in, unsigned d)
{
    if (d == 4) {
        decompress_with(r, in, 4);
    } else if (d == 5) {
        decompress_with(r, in, 5);
    } else if (d == 10) {
        decompress_with(r, in, 10);
    } else {
        decompress_with(r, in, 11);
    }
}

void armscribe_mlkem_add_message(int16_t r[MLKEM_N], const uint8_t m[32])
{
    for (unsigned i = 0; i < MLKEM_N; i++) {
        const uint32_t bit = ((uint32_t)m[i / 8] >> (i % 8)) & 1;
        const uint32_t mask = armscribe_barrier(0U - bit);

        r[i] = (int16_t)(r[i] + (int16_t)(mask & Q_HALF_UP));
    }
}

void armscribe_mlkem_to_message(uint8_t m[32], const int16_t a[MLKEM_N])
{
    for (unsigned i = 0; i < MLKEM_N / 8; i++) {
        uint32_t byte = 0;

        for (unsigned j = 0; j < 8; j++) {
            byte |= compress(a[8 * i + j], 1) << j;
        }
        m[i] = (uint8_t)byte;
    }
}

/* Eight coefficients from 32 bits: the sums of neighbouring bits, then first sum less second. */
static void add_noise_2(int16_t r[MLKEM_N], const uint8_t *bytes)
{
    for (unsigned i = 0; i < MLKEM_N; i += 8) {
        const uint32_t x = (uint32_t)bytes[0] | ((uint32_t)bytes[1] << 8) |
                           ((uint32_t)bytes[2] << 16) | ((uint32_t)bytes[3] << 24);
        uint32_t sums = (x & 0x55555555U) + ((x >> 1) & 0x55555555U);

        for (unsigned j = 0; j < 8; j++) {
            r[i + j] = (int16_t)(r[i + j] + (int16_t)(sums & 3) - (int16_t)((sums >> 2) & 3));
            sums >>= 4;
        }
        bytes += 4;
    }
}

/* Four coefficients from 24 bits: the sums of three neighbouring bits, then first sum less second.
 */
static void add_noise_3(int16_t r[MLKEM_N], const uint8_t *bytes)
{
    for (unsigned i = 0; i < MLKEM_N; i += 4) {
        const uint32_t x =
            (uint32_t)bytes[0] | ((uint32_t)bytes[1] << 8) | ((uint32_t)bytes[2] << 16);
        uint32_t sums = (x & 0x249249U) + ((x >> 1) & 0x249249U) + ((x >> 2) & 0x249249U);

        for (unsigned j = 0; j < 4; j++) {
            r[i + j] = (int16_t)(r[i + j] + (int16_t)(sums & 7) - (int16_t)((sums >> 3) & 7));
            sums >>= 6;
        }
        bytes += 3;
    }
}

void armscribe_mlkem_add_noise(int16_t r[MLKEM_N], const uint8_t *bytes, unsigned eta)
{
    if (eta == 2) {
        add_noise_2(r, bytes);
    } else {
        add_noise_3(r, bytes);
    }
}
