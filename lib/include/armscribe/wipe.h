/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Erasing of secrets. */
#ifndef ARMSCRIBE_WIPE_H
#define ARMSCRIBE_WIPE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes zeros to the n bytes at p, in a way no compiler removes although nothing reads them
 * afterwards. Nothing where p is NULL. */
void armscribe_wipe(void *p, size_t n);

#ifdef __cplusplus
}
#endif

#endif
