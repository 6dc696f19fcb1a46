/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#ifndef ARMSCRIBE_SHA2_FINISH_H
#define ARMSCRIBE_SHA2_FINISH_H

#include "armscribe/sha2.h"

/* armscribe_sha512_final for callers that erase the stack themselves or have nothing to hide. */
int armscribe_sha512_finish(armscribe_sha512_ctx *ctx, uint8_t *out);

#endif
