/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Words from and to bytes at any address: little-endian, and where the name says so big-endian. */
#ifndef ARMSCRIBE_BYTES_H
#define ARMSCRIBE_BYTES_H

#include <stdint.h>
#include <string.h>

/* Where the core's order is known to be little-endian, a copy of four bytes: compilers make one access of it where the
 * core can, and of the four shifts they do not. */
#if defined(__BYTE_ORDER__) && defined(__ORDER_LITTLE_ENDIAN__)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARMSCRIBE_LITTLE_ENDIAN 1
#endif
#endif

static inline uint32_t armscribe_load32(const uint8_t *p)
{
#if defined(ARMSCRIBE_LITTLE_ENDIAN)
    uint32_t x;

    memcpy(&x, p, sizeof x);
    return x;
#else
    return (uint32_t)p[0] | ((uint32_t)p[1] << 8) | ((uint32_t)p[2] << 16) | ((uint32_t)p[3] << 24);
#endif
}

static inline void armscribe_store32(uint8_t *p, uint32_t x)
{
#if defined(ARMSCRIBE_LITTLE_ENDIAN)
    memcpy(p, &x, sizeof x);
#else
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
    p[2] = (uint8_t)(x >> 16);
    p[3] = (uint8_t)(x >> 24);
#endif
}

static inline uint32_t armscribe_load32_big(const uint8_t *p)
{
    return ((uint32_t)p[0] << 24) | ((uint32_t)p[1] << 16) | ((uint32_t)p[2] << 8) | (uint32_t)p[3];
}

static inline void armscribe_store32_big(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}

#endif
