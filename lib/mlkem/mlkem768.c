/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* ML-KEM-768 (FIPS 203, table 2). */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLKEM768)

#define NAME(suffix) armscribe_mlkem768##suffix
#define SET_K        3
#define SET_ETA1     2
#define SET_DU       10
#define SET_DV       4

#include "set.h"

#endif
