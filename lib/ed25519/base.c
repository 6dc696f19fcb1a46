/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_ED25519)

#include "base.h"

#if defined(ARMSCRIBE_HAS_ED25519_SECRET) || defined(ARMSCRIBE_SMALL)
const uint32_t armscribe_ed25519_base[ED25519_TEETH][8 * 24] = {
#include "base_table0.h"
#include "base_table1.h"
#include "base_table2.h"
#include "base_table3.h"
};
#endif

#if defined(ARMSCRIBE_HAS_ED25519_VERIFY) && !defined(ARMSCRIBE_SMALL)
const uint32_t armscribe_ed25519_odd[1 << (ED25519_BASE_WIDTH - 2)][24] = {
#include "odd_table.h"
};
#endif

#endif
