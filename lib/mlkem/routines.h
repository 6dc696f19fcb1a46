/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* The generated routines, and which of their tables goes with which. */
#ifndef ARMSCRIBE_MLKEM_ROUTINES_H
#define ARMSCRIBE_MLKEM_ROUTINES_H

#include "armscribe_backend.h"
#include "armscribe_routines.h"

#define MLKEM_NTT_ZETAS    mlkem_ntt_zetas
#define MLKEM_INVNTT_ZETAS mlkem_invntt_zetas
#define MLKEM_MUL_ZETAS    mlkem_zetas

#endif
