/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLKEM)

#include "poly.h"

#include "../common/bytes.h"
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

/* Decompress_d(y mod 2^d) = round(q * (y mod 2^d) / 2^d). */
static inline int16_t decompress(uint32_t y, unsigned d)
{
    return (int16_t)(((y & ((1U << d) - 1)) * MLKEM_Q + (1U << (d - 1))) >> d);
}

static inline uint32_t coefficient(int16_t x)
{
    return (uint32_t)(uint16_t)x;
}

void armscribe_mlkem_tobytes(uint8_t out[MLKEM_POLY_BYTES], const int16_t a[MLKEM_N])
{
    for (unsigned i = 0; i < MLKEM_N; i += 8, out += 12) {
        const uint32_t a2 = coefficient(a[i + 2]);
        const uint32_t a5 = coefficient(a[i + 5]);

        armscribe_store32(out, coefficient(a[i]) | (coefficient(a[i + 1]) << 12) | (a2 << 24));
        armscribe_store32(out + 4, (a2 >> 8) | (coefficient(a[i + 3]) << 4) |
                                       (coefficient(a[i + 4]) << 16) | (a5 << 28));
        armscribe_store32(out + 8,
                          (a5 >> 4) | (coefficient(a[i + 6]) << 8) | (coefficient(a[i + 7]) << 20));
    }
}

void armscribe_mlkem_frombytes(int16_t r[MLKEM_N], const uint8_t in[MLKEM_POLY_BYTES])
{
    for (unsigned i = 0; i < MLKEM_N; i += 2, in += 3) {
        const uint32_t pair = (uint32_t)in[0] | ((uint32_t)in[1] << 8) | ((uint32_t)in[2] << 16);

        r[i] = (int16_t)(pair & 0xfff);
        r[i + 1] = (int16_t)(pair >> 12);
    }
}

/*
 * Each packs or unpacks the coefficients that fill whole bytes, through 32-bit words. All of them are read before the
 * first byte is written, and d < 16 bits take the place of 16, so compression may write over its input.
 */

static void compress_4(uint8_t *out, const int16_t *a)
{
    for (unsigned i = 0; i < MLKEM_N; i += 8, out += 4) {
        uint32_t word = 0;

        for (unsigned j = 0; j < 8; j++) {
            word |= compress(a[i + j], 4) << (4 * j);
        }
        armscribe_store32(out, word);
    }
}

static void compress_5(uint8_t *out, const int16_t *a)
{
    for (unsigned i = 0; i < MLKEM_N; i += 8, out += 5) {
        const uint32_t last = compress(a[i + 7], 5);
        uint32_t word = 0;

        for (unsigned j = 0; j < 6; j++) {
            word |= compress(a[i + j], 5) << (5 * j);
        }
        const uint32_t split = compress(a[i + 6], 5);
        armscribe_store32(out, word | (split << 30));
        out[4] = (uint8_t)((split >> 2) | (last << 3));
    }
}

static void compress_10(uint8_t *out, const int16_t *a)
{
    for (unsigned i = 0; i < MLKEM_N; i += 4, out += 5) {
        const uint32_t low = compress(a[i], 10) | (compress(a[i + 1], 10) << 10);
        const uint32_t high = compress(a[i + 2], 10) | (compress(a[i + 3], 10) << 10);

        armscribe_store32(out, low | (high << 20));
        out[4] = (uint8_t)(high >> 12);
    }
}

static void compress_11(uint8_t *out, const int16_t *a)
{
    for (unsigned i = 0; i < MLKEM_N; i += 8, out += 11) {
        const uint32_t t2 = compress(a[i + 2], 11);
        const uint32_t t5 = compress(a[i + 5], 11);
        const uint32_t last =
            (t5 >> 9) | (compress(a[i + 6], 11) << 2) | (compress(a[i + 7], 11) << 13);
        const uint32_t middle = (t2 >> 10) | (compress(a[i + 3], 11) << 1) |
                                (compress(a[i + 4], 11) << 12) | (t5 << 23);

        armscribe_store32(out, compress(a[i], 11) | (compress(a[i + 1], 11) << 11) | (t2 << 22));
        armscribe_store32(out + 4, middle);
        out[8] = (uint8_t)last;
        out[9] = (uint8_t)(last >> 8);
        out[10] = (uint8_t)(last >> 16);
    }
}

void armscribe_mlkem_compress(uint8_t *out, const int16_t *a, unsigned d)
{
    if (d == 4) {
        compress_4(out, a);
    } else if (d == 5) {
        compress_5(out, a);
    } else if (d == 10) {
        compress_10(out, a);
    } else {
        compress_11(out, a);
    }
}

static void decompress_4(int16_t r[MLKEM_N], const uint8_t *in)
{
    for (unsigned i = 0; i < MLKEM_N; i += 2, in++) {
        r[i] = decompress(in[0], 4);
        r[i + 1] = decompress((uint32_t)in[0] >> 4, 4);
    }
}

static void decompress_5(int16_t r[MLKEM_N], const uint8_t *in)
{
    for (unsigned i = 0; i < MLKEM_N; i += 8, in += 5) {
        const uint32_t word = armscribe_load32(in);

        for (unsigned j = 0; j < 6; j++) {
            r[i + j] = decompress(word >> (5 * j), 5);
        }
        r[i + 6] = decompress((word >> 30) | ((uint32_t)in[4] << 2), 5);
        r[i + 7] = decompress((uint32_t)in[4] >> 3, 5);
    }
}

static void decompress_10(int16_t r[MLKEM_N], const uint8_t *in)
{
    for (unsigned i = 0; i < MLKEM_N; i += 4, in += 5) {
        const uint32_t word = armscribe_load32(in);

        r[i] = decompress(word, 10);
        r[i + 1] = decompress(word >> 10, 10);
        r[i + 2] = decompress(word >> 20, 10);
        r[i + 3] = decompress((word >> 30) | ((uint32_t)in[4] << 2), 10);
    }
}

static void decompress_11(int16_t r[MLKEM_N], const uint8_t *in)
{
    for (unsigned i = 0; i < MLKEM_N; i += 8, in += 11) {
        const uint32_t first = armscribe_load32(in);
        const uint32_t middle = armscribe_load32(in + 4);
        const uint32_t last = (uint32_t)in[8] | ((uint32_t)in[9] << 8) | ((uint32_t)in[10] << 16);

        r[i] = decompress(first, 11);
        r[i + 1] = decompress(first >> 11, 11);
        r[i + 2] = decompress((first >> 22) | (middle << 10), 11);
        r[i + 3] = decompress(middle >> 1, 11);
        r[i + 4] = decompress(middle >> 12, 11);
        r[i + 5] = decompress((middle >> 23) | (last << 9), 11);
        r[i + 6] = decompress(last >> 2, 11);
        r[i + 7] = decompress(last >> 13, 11);
    }
}

void armscribe_mlkem_decompress(int16_t r[MLKEM_N], const uint8_t *in, unsigned d)
{
    if (d == 4) {
        decompress_4(r, in);
    } else if (d == 5) {
        decompress_5(r, in);
    } else if (d == 10) {
        decompress_10(r, in);
    } else {
        decompress_11(r, in);
    }
}

void armscribe_mlkem_add_message(int16_t r[MLKEM_N], const uint8_t m[32])
{
    for (unsigned i = 0; i < MLKEM_N / 8; i++, r += 8) {
        const uint32_t byte = m[i];

        for (unsigned j = 0; j < 8; j++) {
            const uint32_t mask = armscribe_barrier(0U - ((byte >> j) & 1));

            r[j] = (int16_t)(r[j] + (int16_t)(mask & Q_HALF_UP));
        }
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
static void noise_2(int16_t r[MLKEM_N], const uint8_t *bytes)
{
    for (unsigned i = 0; i < MLKEM_N; i += 8) {
        const uint32_t x = armscribe_load32(bytes);
        uint32_t sums = (x & 0x55555555U) + ((x >> 1) & 0x55555555U);

        for (unsigned j = 0; j < 8; j++) {
            r[i + j] = (int16_t)((int)(sums & 3) - (int)((sums >> 2) & 3));
            sums >>= 4;
        }
        bytes += 4;
    }
}

/* Four coefficients from 24 bits: the sums of three neighbouring bits, then first sum less second.
 */
static void noise_3(int16_t r[MLKEM_N], const uint8_t *bytes)
{
    for (unsigned i = 0; i < MLKEM_N; i += 4) {
        const uint32_t x =
            (uint32_t)bytes[0] | ((uint32_t)bytes[1] << 8) | ((uint32_t)bytes[2] << 16);
        uint32_t sums = (x & 0x249249U) + ((x >> 1) & 0x249249U) + ((x >> 2) & 0x249249U);

        for (unsigned j = 0; j < 4; j++) {
            r[i + j] = (int16_t)((int)(sums & 7) - (int)((sums >> 3) & 7));
            sums >>= 6;
        }
        bytes += 3;
    }
}

void armscribe_mlkem_noise(int16_t r[MLKEM_N], const uint8_t *bytes, unsigned eta)
{
    if (eta == 2) {
        noise_2(r, bytes);
    } else {
        noise_3(r, bytes);
    }
}

#endif
