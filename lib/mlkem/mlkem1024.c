/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* ML-KEM-1024 (FIPS 203, table 2). */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_MLKEM1024)

#define NAME(suffix) armscribe_mlkem1024##suffix
#define SET_K        4
#define SET_ETA1     2
#define SET_DU       11
#define SET_DV       5

#include "set.h"

#endif
