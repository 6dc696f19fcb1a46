/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include <string.h>

#include "armscribe/mldsa.h"
#include "armscribe/mlkem.h"
#include "driver.h"

#define RUBBISH 0xC3C3C3C3U
#define MOST    ARMSCRIBE_MLDSA87_SIGN_WORKSPACE /* no operation needs more */

static uint32_t work[(MOST + DRIVER_GUARD) / 4];
static size_t words;

uint32_t *driver_work(size_t n)
{
    memset(work, RUBBISH & 0xff, sizeof work);
    words = n <= MOST && n % 4 == 0 ? n / 4 : 0;
    return words != 0 ? work : NULL;
}

uint32_t driver_worked(int result, int is_public)
{
    uint32_t marked = (uint32_t)result;

    for (size_t i = 0; i < words && !is_public; i++) {
        if (work[i] != 0 && (result == 0 || work[i] != RUBBISH)) {
            marked |= DRIVER_NOT_WIPED;
        }
    }
    for (size_t i = 0; i < DRIVER_GUARD / 4; i++) {
        if (work[words + i] != RUBBISH) {
            marked |= DRIVER_OVERRUN;
        }
    }
    return marked;
}
