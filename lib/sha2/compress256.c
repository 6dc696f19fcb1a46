/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* The compression function on 32-bit words: the core's routine, or C99 with eight words of state in
 * an array whose start moves and sixteen words of schedule that are replaced as they are used. */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_SHA256)

#include "compress.h"

#include "../common/bytes.h"
#include "armscribe_backend.h"
#include "armscribe_routines.h"
#include "logical.h"

#if defined(ARMSCRIBE_SHA2_HEADER)
extern int armscribe_sha256_compress_is_elsewhere;
#elif !defined(ARMSCRIBE_BACKEND_PORTABLE) && !defined(ARMSCRIBE_SHA2_C)

void armscribe_sha256_compress(uint32_t state[8], const uint8_t *in, size_t blocks)
{
    for (; blocks > 0; blocks--, in += 64) {
        sha256_block(state, in, sha256_round_constants);
    }
}

#else

/* FIPS 180-4, section 4.2.2. */
static const uint32_t k256[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t ror32(uint32_t x, unsigned n)
{
    return (x >> n) | (x << (32 - n));
}

/* The word that replaces w[i % 16] for round i + 16. */
static inline uint32_t next256(const uint32_t w[16], unsigned i)
{
    const uint32_t x = w[(i + 1) % 16];
    const uint32_t y = w[(i + 14) % 16];

    return w[i % 16] + (ror32(x, 7) ^ ror32(x, 18) ^ (x >> 3)) + w[(i + 9) % 16] +
           (ror32(y, 17) ^ ror32(y, 19) ^ (y >> 10));
}

/* Round i on words a to h, which stand at s[(j - i) % 8] for j = 0 to 7; kw = K[i] + W[i]. */
static inline void round256(uint32_t s[8], unsigned i, uint32_t kw)
{
    const uint32_t a = s[(0 - i) % 8];
    const uint32_t e = s[(4 - i) % 8];
    const uint32_t t = s[(7 - i) % 8] + (ror32(e, 6) ^ ror32(e, 11) ^ ror32(e, 25)) +
                       CH(e, s[(5 - i) % 8], s[(6 - i) % 8]) + kw;

    s[(3 - i) % 8] += t;
    s[(7 - i) % 8] =
        t + (ror32(a, 2) ^ ror32(a, 13) ^ ror32(a, 22)) + MAJ(a, s[(1 - i) % 8], s[(2 - i) % 8]);
}

void armscribe_sha256_compress(uint32_t state[8], const uint8_t *in, size_t blocks)
{
    uint32_t w[16];
    uint32_t s[8];

    for (; blocks > 0; blocks--, in += 64) {
        for (unsigned i = 0; i < 16; i++) {
            w[i] = armscribe_load32_big(in + 4 * i);
        }
        for (unsigned i = 0; i < 8; i++) {
            s[i] = state[i];
        }
        for (unsigned i = 0; i < 64; i++) {
            round256(s, i, k256[i] + w[i % 16]);
            w[i % 16] = next256(w, i);
        }
        for (unsigned i = 0; i < 8; i++) {
            state[i] += s[i];
        }
    }
}

#endif

#endif
