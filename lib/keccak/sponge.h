/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* The sponge of FIPS 202, section 4, for the library's own use: nothing is checked. Contracts otherwise as in
 * armscribe/sha3.h. */
#ifndef ARMSCRIBE_KECCAK_SPONGE_H
#define ARMSCRIBE_KECCAK_SPONGE_H

#include "armscribe/sha3.h"

void armscribe_sponge_sha3(armscribe_sha3_ctx *ctx, size_t digest_bytes);
void armscribe_sponge_shake(armscribe_sha3_ctx *ctx, size_t rate);
void armscribe_sponge_absorb(armscribe_sha3_ctx *ctx, const uint8_t *in, size_t n);
void armscribe_sponge_squeeze(armscribe_sha3_ctx *ctx, uint8_t *out, size_t n);

#endif
