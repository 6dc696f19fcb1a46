/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_ED25519)

#include "scalar.h"

#include "../common/bytes.h"
#include "armscribe_backend.h"
#include "armscribe_routines.h"

void armscribe_sc_reduce(uint32_t r[8], const uint8_t x[64], armscribe_sc_work *w)
{
    for (unsigned i = 0; i < 16; i++) {
        w->wide[i] = armscribe_load32(x + 4 * i);
    }
    sc25519_reduce(r, w->wide);
}

int armscribe_sc_is_reduced(const uint32_t x[8])
{
    /* L = 2^252 + 27742317777372353535851937790883648493 (RFC 8032, section 5.1). */
    static const uint32_t order[8] = {0x5cf5d3edU, 0x5812631aU, 0xa2f79cd6U, 0x14def9deU,
                                      0,           0,           0,           0x10000000U};
    uint32_t borrow = 0;

    for (unsigned i = 0; i < 8; i++) {
        borrow = (uint32_t)(((uint64_t)x[i] - order[i] - borrow) >> 63);
    }
    return borrow != 0;
}

#endif
