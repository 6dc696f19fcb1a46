/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_ED25519)

#include "ge.h"

#include <string.h>

#include "armscribe_backend.h"
#include "armscribe_routines.h"

/* d = -121665/121666, twice d, and the root of -1 (RFC 8032, section 5.1). */
static const armscribe_fe curve_d = {0x135978a3U, 0x75eb4dcaU, 0x4141d8abU, 0x00700a4dU,
                                     0x7779e898U, 0x8cc74079U, 0x2b6ffe73U, 0x52036ceeU};
static const armscribe_fe curve_2d = {0x26b2f159U, 0xebd69b94U, 0x8283b156U, 0x00e0149aU,
                                      0xeef3d130U, 0x198e80f2U, 0x56dffce7U, 0x2406d9dcU};
static const armscribe_fe root_of_minus_1 = {0x4a0ea0b0U, 0xc4ee1b27U, 0xad2fe478U, 0x2f431806U,
                                             0x3dfbd7a7U, 0x2b4d0099U, 0x4fc1df0bU, 0x2b832480U};

void armscribe_ge_identity(armscribe_ge *p)
{
    fe25519_0(GE(p, GE_X));
    fe25519_1(GE(p, GE_Y));
    fe25519_1(GE(p, GE_Z));
    fe25519_0(GE(p, GE_T));
}

void armscribe_ge_cache(armscribe_ge_cached *q, const armscribe_ge *p)
{
    fe25519_add(GE(q, 0), GE(p, GE_Y), GE(p, GE_X));
    fe25519_sub(GE(q, 1), GE(p, GE_Y), GE(p, GE_X));
    fe25519_copy(GE(q, 2), GE(p, GE_Z));
    fe25519_mul(GE(q, 3), GE(p, GE_T), curve_2d);
}

void armscribe_ge_encode(uint8_t out[32], const armscribe_ge *p, armscribe_ge_work *w)
{
    fe25519_invert(w->a, GE(p, GE_Z));
    fe25519_mul(w->b, GE(p, GE_X), w->a);
    fe25519_mul(w->a, GE(p, GE_Y), w->a);
    fe25519_tobytes(out, w->a);
    out[31] = (uint8_t)(out[31] ^ (fe25519_isnegative(w->b) << 7));
}

/* Whether the bytes without the sign are a number below p. */
static int is_canonical(const uint8_t in[32], armscribe_ge_work *w)
{
    uint8_t again[32];

    fe25519_frombytes(w->a, in);
    fe25519_tobytes(again, w->a);
    again[31] = (uint8_t)(again[31] | (in[31] & 0x80));
    return memcmp(again, in, sizeof again) == 0;
}

int armscribe_ge_decode_negative(armscribe_ge *p, const uint8_t in[32], armscribe_ge_work *w)
{
    const uint32_t sign = in[31] >> 7;

    if (!is_canonical(in, w)) {
        return 0;
    }
    fe25519_frombytes(GE(p, GE_Y), in);
    fe25519_1(GE(p, GE_Z));
    fe25519_sq(w->u, GE(p, GE_Y));
    fe25519_mul(w->v, w->u, curve_d);
    fe25519_sub(w->u, w->u, GE(p, GE_Z)); /* u = y^2 - 1 */
    fe25519_add(w->v, w->v, GE(p, GE_Z)); /* v = d*y^2 + 1 */
    fe25519_sq(w->a, w->v);
    fe25519_mul(w->a, w->a, w->v); /* v^3 */
    fe25519_sq(w->b, w->a);
    fe25519_mul(w->b, w->b, w->v);
    fe25519_mul(w->b, w->b, w->u); /* u*v^7 */
    fe25519_pow22523(w->b, w->b);
    fe25519_mul(w->b, w->b, w->a);
    fe25519_mul(GE(p, GE_X), w->b, w->u); /* u*v^3 * (u*v^7)^((p - 5)/8) */
    fe25519_sq(w->b, GE(p, GE_X));
    fe25519_mul(w->b, w->b, w->v);
    fe25519_sub(w->check, w->b, w->u); /* v*x^2 - u */
    if (fe25519_isnonzero(w->check)) {
        fe25519_add(w->check, w->b, w->u);
        if (fe25519_isnonzero(w->check)) {
            return 0;
        }
        fe25519_mul(GE(p, GE_X), GE(p, GE_X), root_of_minus_1);
    }
    if (!fe25519_isnonzero(GE(p, GE_X)) && sign != 0) {
        return 0;
    }
    if (fe25519_isnegative(GE(p, GE_X)) == sign) {
        fe25519_neg(GE(p, GE_X), GE(p, GE_X));
    }
    fe25519_mul(GE(p, GE_T), GE(p, GE_X), GE(p, GE_Y));
    return 1;
}

#endif
