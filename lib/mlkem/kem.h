/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* ML-KEM for all three sets, on work space that the caller provides and erases. Contracts:
 * armscribe/mlkem.h. */
#ifndef ARMSCRIBE_MLKEM_KEM_H
#define ARMSCRIBE_MLKEM_KEM_H

#include "armscribe/mlkem.h"
#include "pke.h"

/* Bytes of an encapsulation key, a decapsulation key, a ciphertext (FIPS 203, table 3). */
size_t armscribe_mlkem_ek_bytes(const armscribe_mlkem_set *set);
size_t armscribe_mlkem_dk_bytes(const armscribe_mlkem_set *set);
size_t armscribe_mlkem_ct_bytes(const armscribe_mlkem_set *set);

int armscribe_mlkem_check_ek(const armscribe_mlkem_set *set, const uint8_t *ek, size_t ek_n);
/* With a sponge to hash with; what it holds afterwards is public. */
int armscribe_mlkem_check_dk(const armscribe_mlkem_set *set, armscribe_sha3_ctx *hash,
                             const uint8_t *dk, size_t dk_n);

/* Algorithm 16 of (d, z), the last 64 bytes of dk. */
void armscribe_mlkem_keygen(armscribe_mlkem_work *w, const armscribe_mlkem_set *set, uint8_t *ek,
                            uint8_t *dk);

/* Algorithm 17 of the message in the work space, for an ek that passed its check. */
void armscribe_mlkem_encaps(armscribe_mlkem_work *w, const armscribe_mlkem_set *set, uint8_t *ct,
                            uint8_t ss[32], const uint8_t *ek);

/* Algorithm 18, for lengths that passed their check. */
void armscribe_mlkem_decaps(armscribe_mlkem_work *w, const armscribe_mlkem_set *set, uint8_t ss[32],
                            const uint8_t *ct, const uint8_t *dk);

#endif
