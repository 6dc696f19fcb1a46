/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Words from bytes at any address, little-endian. Compilers make one access of it where the core can. */
#ifndef ARMSCRIBE_BYTES_H
#define ARMSCRIBE_BYTES_H

#include <stdint.h>

static inline uint32_t armscribe_load32(const uint8_t *p)
{
    return (uint32_t)p[0] | ((uint32_t)p[1] << 8) | ((uint32_t)p[2] << 16) | ((uint32_t)p[3] << 24);
}

static inline void armscribe_store32(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
    p[2] = (uint8_t)(x >> 16);
    p[3] = (uint8_t)(x >> 24);
}

#endif
