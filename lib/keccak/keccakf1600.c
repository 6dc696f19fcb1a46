/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * Keccak-f[1600] for 32-bit cores in C99, on a bit-interleaved state: lane (x, y) is the pair of
 * words 10*y + 2*x (its even bits) and 10*y + 2*x + 1 (its odd bits), so that a rotation of the
 * lane is two rotations of words (Keccak implementation overview, version 3.2, section 2.1). Rounds
 * work in place, plane by plane: each new plane overwrites exactly the words it was made from, and
 * after four rounds every word is back where it belongs (section 2.5 there).
 */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_SHA3)

#include "choice.h"
#include "keccakf1600.h"

#if defined(ARMSCRIBE_KECCAK_HEADER) || !defined(ARMSCRIBE_KECCAK_C)
extern int armscribe_keccakf1600_is_elsewhere;
#else

/* slot[r][10*y + 2*x + h]: where half h of lane (x, y) is kept before round r modulo 4. In round r
 * the plane y' is made of the lanes (x, x + 2*y'), and column x of it is stored where that lane
 * was; the halves change places where the lane's rotation is odd. */
static const uint8_t slot[4][50] = {
    {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
     17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33,
     34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49},
    {0,  1,  12, 13, 25, 24, 37, 36, 48, 49, 21, 20, 33, 32, 45, 44, 6,
     7,  18, 19, 40, 41, 3,  2,  14, 15, 27, 26, 38, 39, 10, 11, 22, 23,
     35, 34, 46, 47, 9,  8,  31, 30, 42, 43, 4,  5,  17, 16, 29, 28},
    {0,  1,  33, 32, 15, 14, 47, 46, 29, 28, 41, 40, 23, 22, 5,  4, 37,
     36, 18, 19, 31, 30, 13, 12, 45, 44, 26, 27, 9,  8,  21, 20, 3, 2,
     34, 35, 17, 16, 49, 48, 11, 10, 42, 43, 25, 24, 7,  6,  39, 38},
    {0,  1,  23, 22, 44, 45, 16, 17, 39, 38, 30, 31, 2,  3,  24, 25, 47,
     46, 18, 19, 11, 10, 32, 33, 5,  4,  27, 26, 49, 48, 41, 40, 13, 12,
     35, 34, 7,  6,  28, 29, 20, 21, 42, 43, 15, 14, 36, 37, 8,  9},
};

/* Rotation of lane (x, y) at 5*y + x (FIPS 202, table 2, modulo 64). */
static const uint8_t rho[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};

/* Round constants (FIPS 202, section 3.2.5), even bits and odd bits. */
static const uint32_t iota[24][2] = {
    {0x00000001U, 0x00000000U}, {0x00000000U, 0x00000089U}, {0x00000000U, 0x8000008bU},
    {0x00000000U, 0x80008080U}, {0x00000001U, 0x0000008bU}, {0x00000001U, 0x00008000U},
    {0x00000001U, 0x80008088U}, {0x00000001U, 0x80000082U}, {0x00000000U, 0x0000000bU},
    {0x00000000U, 0x0000000aU}, {0x00000001U, 0x00008082U}, {0x00000000U, 0x00008003U},
    {0x00000001U, 0x0000808bU}, {0x00000001U, 0x8000000bU}, {0x00000001U, 0x8000008aU},
    {0x00000001U, 0x80000081U}, {0x00000000U, 0x80000081U}, {0x00000000U, 0x80000008U},
    {0x00000000U, 0x00000083U}, {0x00000000U, 0x80008003U}, {0x00000001U, 0x80008088U},
    {0x00000000U, 0x80000088U}, {0x00000001U, 0x00008000U}, {0x00000000U, 0x80008082U},
};

/*
 * Forgets what registers hold of memory. Without it compilers remember all fifty words from plane
 * to plane, spill most of them, and come out slower by a fifth and with three times the stack (GCC
 * 12, Cortex-M4).
 */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__CC_ARM)
#define KEEP_IN_MEMORY() __asm__ __volatile__("" : : : "memory")
#else
#define KEEP_IN_MEMORY() ((void)0)
#endif

#define ROTL(v, n) (((v) << ((n) & 31)) | ((v) >> ((32 - (n)) & 31)))

#define WORD(r, x, y, h) s->word[slot[r][10 * (y) + 2 * (x) + (h)]]

/* The XOR of half h of column x. */
#define PARITY(r, x, h)                                                                            \
    (WORD(r, x, 0, h) ^ WORD(r, x, 1, h) ^ WORD(r, x, 2, h) ^ WORD(r, x, 3, h) ^ WORD(r, x, 4, h))

/* Theta's part for column x: the parity of the column before and that of the column after, rotated
 * by one. */
#define THETA(x)                                                                                   \
    d[2 * (x)] = c[2 * (((x) + 4) % 5)] ^ ROTL(c[2 * (((x) + 1) % 5) + 1], 1);                     \
    d[2 * (x) + 1] = c[2 * (((x) + 4) % 5) + 1] ^ c[2 * (((x) + 1) % 5)]

/* Half h of column x of the new plane y, before chi: theta, rho and pi. It comes from lane (x +
 * 3*y, x), whose halves have changed places where its rotation is odd. */
#define RHO_AT(x, y)       rho[5 * (x) + ((x) + 3 * (y)) % 5]
#define FROM_HALF(x, y, h) ((h) ^ (RHO_AT(x, y) & 1))
#define MOVED(r, x, y, h)                                                                          \
    ROTL(WORD(r, ((x) + 3 * (y)) % 5, x, FROM_HALF(x, y, h)) ^                                     \
             d[2 * (((x) + 3 * (y)) % 5) + FROM_HALF(x, y, h)],                                    \
         (RHO_AT(x, y) + 1 - (h)) / 2)

/* Half h of the new plane y, with chi; the new plane belongs to round r + 1. */
#define PLANE(r, y, h, constant)                                                                   \
    do {                                                                                           \
        const uint32_t b0 = MOVED(r, 0, y, h);                                                     \
        const uint32_t b1 = MOVED(r, 1, y, h);                                                     \
        const uint32_t b2 = MOVED(r, 2, y, h);                                                     \
        const uint32_t b3 = MOVED(r, 3, y, h);                                                     \
        const uint32_t b4 = MOVED(r, 4, y, h);                                                     \
        WORD(((r) + 1) % 4, 0, y, h) = b0 ^ (~b1 & b2) ^ (constant);                               \
        WORD(((r) + 1) % 4, 1, y, h) = b1 ^ (~b2 & b3);                                            \
        WORD(((r) + 1) % 4, 2, y, h) = b2 ^ (~b3 & b4);                                            \
        WORD(((r) + 1) % 4, 3, y, h) = b3 ^ (~b4 & b0);                                            \
        WORD(((r) + 1) % 4, 4, y, h) = b4 ^ (~b0 & b1);                                            \
        KEEP_IN_MEMORY();                                                                          \
    } while (0)

#define ROUND(r)                                                                                   \
    do {                                                                                           \
        c[0] = PARITY(r, 0, 0);                                                                    \
        c[1] = PARITY(r, 0, 1);                                                                    \
        c[2] = PARITY(r, 1, 0);                                                                    \
        c[3] = PARITY(r, 1, 1);                                                                    \
        c[4] = PARITY(r, 2, 0);                                                                    \
        c[5] = PARITY(r, 2, 1);                                                                    \
        c[6] = PARITY(r, 3, 0);                                                                    \
        c[7] = PARITY(r, 3, 1);                                                                    \
        c[8] = PARITY(r, 4, 0);                                                                    \
        c[9] = PARITY(r, 4, 1);                                                                    \
        THETA(0);                                                                                  \
        THETA(1);                                                                                  \
        THETA(2);                                                                                  \
        THETA(3);                                                                                  \
        THETA(4);                                                                                  \
        PLANE(r, 0, 0, iota[round + (r)][0]);                                                      \
        PLANE(r, 0, 1, iota[round + (r)][1]);                                                      \
        PLANE(r, 1, 0, 0U);                                                                        \
        PLANE(r, 1, 1, 0U);                                                                        \
        PLANE(r, 2, 0, 0U);                                                                        \
        PLANE(r, 2, 1, 0U);                                                                        \
        PLANE(r, 3, 0, 0U);                                                                        \
        PLANE(r, 3, 1, 0U);                                                                        \
        PLANE(r, 4, 0, 0U);                                                                        \
        PLANE(r, 4, 1, 0U);                                                                        \
    } while (0)

void armscribe_keccak_permute(armscribe_keccak_state *s)
{
    uint32_t c[10];
    uint32_t d[10];

    for (unsigned round = 0; round < 24; round += 4) {
        ROUND(0);
        ROUND(1);
        ROUND(2);
        ROUND(3);
    }
}

#endif

#endif
