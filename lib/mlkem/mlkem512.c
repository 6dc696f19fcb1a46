/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* ML-KEM-512 (FIPS 203, table 2). */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLKEM512)

#define NAME(suffix) armscribe_mlkem512##suffix
#define SET_K        2
#define SET_ETA1     3
#define SET_DU       10
#define SET_DV       4

#include "set.h"

#endif
