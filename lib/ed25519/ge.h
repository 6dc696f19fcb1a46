/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * Points of Ed25519's curve -x^2 + y^2 = 1 + d*x^2*y^2 over the field routines (Hisil, Wong, Carter,
 * Dawson: Twisted Edwards curves revisited, ASIACRYPT 2008). Elements are numbers below 2^256, right
 * modulo p.
 */
#ifndef ARMSCRIBE_GE_H
#define ARMSCRIBE_GE_H

#include <stdint.h>

typedef uint32_t armscribe_fe[8];

/* X, Y, Z, T: x = X/Z, y = Y/Z, and where T is of use, T = X*Y/Z. */
typedef struct {
    uint32_t word[32];
} armscribe_ge;

/* What an addition wants to have of its second operand: Y + X, Y - X, Z, 2*d*T. */
typedef struct {
    uint32_t word[32];
} armscribe_ge_cached;

/* Element i of either. */
#define GE(p, i) ((p)->word + 8 * (i))
#define GE_X     0
#define GE_Y     1
#define GE_Z     2
#define GE_T     3

/* Space that the functions below use; who passes it erases it. */
typedef struct {
    armscribe_fe a, b, u, v, check;
} armscribe_ge_work;

void armscribe_ge_identity(armscribe_ge *p);

void armscribe_ge_cache(armscribe_ge_cached *q, const armscribe_ge *p);

/* The 32 bytes of RFC 8032, section 5.1.2. */
void armscribe_ge_encode(uint8_t out[32], const armscribe_ge *p, armscribe_ge_work *w);

/* -P of the point P that 32 bytes stand for. 0 if they stand for none: y not below p, no such x, or
 * x = 0 with the sign set (section 5.1.3). Time depends on the bytes. */
int armscribe_ge_decode_negative(armscribe_ge *p, const uint8_t in[32], armscribe_ge_work *w);

#endif
