/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* The compression function on 64-bit words: the core's routine, or C99 with eight words of state in
 * an array whose start moves and sixteen words of schedule that are replaced as they are used. */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_SHA512)

#include "compress.h"

#include "../common/bytes.h"
#include "armscribe_backend.h"
#include "armscribe_routines.h"
#include "logical.h"

#if defined(ARMSCRIBE_SHA2_HEADER)
extern int armscribe_sha512_compress_is_elsewhere;
#elif !defined(ARMSCRIBE_BACKEND_PORTABLE) && !defined(ARMSCRIBE_SHA2_C)

void armscribe_sha512_compress(uint32_t state[16], const uint8_t *in, size_t blocks)
{
    for (; blocks > 0; blocks--, in += 128) {
        sha512_block(state, in, sha512_round_constants);
    }
}

#else

/* FIPS 180-4, section 4.2.3. */
static const uint64_t k512[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

static inline uint64_t ror64(uint64_t x, unsigned n)
{
    return (x >> n) | (x << (64 - n));
}

/* The word that replaces w[i % 16] for round i + 16. */
static inline uint64_t next512(const uint64_t w[16], unsigned i)
{
    const uint64_t x = w[(i + 1) % 16];
    const uint64_t y = w[(i + 14) % 16];

    return w[i % 16] + (ror64(x, 1) ^ ror64(x, 8) ^ (x >> 7)) + w[(i + 9) % 16] +
           (ror64(y, 19) ^ ror64(y, 61) ^ (y >> 6));
}

/* Round i on words a to h, which stand at s[(j - i) % 8] for j = 0 to 7; kw = K[i] + W[i]. */
static inline void round512(uint64_t s[8], unsigned i, uint64_t kw)
{
    const uint64_t a = s[(0 - i) % 8];
    const uint64_t e = s[(4 - i) % 8];
    const uint64_t t = s[(7 - i) % 8] + (ror64(e, 14) ^ ror64(e, 18) ^ ror64(e, 41)) +
                       CH(e, s[(5 - i) % 8], s[(6 - i) % 8]) + kw;

    s[(3 - i) % 8] += t;
    s[(7 - i) % 8] =
        t + (ror64(a, 28) ^ ror64(a, 34) ^ ror64(a, 39)) + MAJ(a, s[(1 - i) % 8], s[(2 - i) % 8]);
}

void armscribe_sha512_compress(uint32_t state[16], const uint8_t *in, size_t blocks)
{
    uint64_t w[16];
    uint64_t s[8];

    for (; blocks > 0; blocks--, in += 128) {
        for (unsigned i = 0; i < 16; i++) {
            w[i] = ((uint64_t)armscribe_load32_big(in + 8 * i) << 32) |
                   armscribe_load32_big(in + 8 * i + 4);
        }
        for (unsigned i = 0; i < 8; i++) {
            s[i] = ((uint64_t)state[2 * i + 1] << 32) | state[2 * i];
        }
        for (unsigned i = 0; i < 80; i++) {
            round512(s, i, k512[i] + w[i % 16]);
            w[i % 16] = next512(w, i);
        }
        for (unsigned i = 0; i < 8; i++) {
            s[i] += ((uint64_t)state[2 * i + 1] << 32) | state[2 * i];
            state[2 * i] = (uint32_t)s[i];
            state[2 * i + 1] = (uint32_t)(s[i] >> 32);
        }
    }
}

#endif

#endif
