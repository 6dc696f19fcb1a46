/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * ML-KEM (FIPS 203): ML-KEM-512, ML-KEM-768, ML-KEM-1024.
 *
 * For each NNN of 512, 768, 1024 (written out below by one macro):
 *
 * armscribe_mlkemNNN_keygen(ek, dk, rng, rng_ctx, work)
 *     Makes a key pair (algorithm 19). Draws 64 bytes from rng.
 * armscribe_mlkemNNN_keygen_derand(ek, dk, seed, work)
 *     The key pair of the 64-byte seed d || z (algorithm 16; also how a key kept as seed is
 *     expanded).
 * armscribe_mlkemNNN_encaps(ct, ss, ek, ek_n, rng, rng_ctx, work)
 *     Checks ek (section 7.2), then makes a shared secret and its ciphertext (algorithm 20). Draws
 *     32 bytes from rng.
 * armscribe_mlkemNNN_encaps_derand(ct, ss, ek, ek_n, m, work)
 *     The same with the 32 bytes m in place of randomness (algorithm 17).
 * armscribe_mlkemNNN_decaps(ss, ct, ct_n, dk, dk_n, work)
 *     Checks lengths and dk's hash (section 7.3), then recovers the shared secret (algorithm 21). A
 *     ciphertext that was tampered with is no error: ss is then a secret pseudorandom value
 *     (implicit rejection), in the same time.
 * armscribe_mlkemNNN_decaps_checked(ss, ct, ct_n, dk, dk_n, work)
 *     The same without hashing dk, for a dk that passed check_dk (or came from keygen) since it was
 *     stored.
 * armscribe_mlkemNNN_check_ek(ek, ek_n), armscribe_mlkemNNN_check_dk(dk, dk_n)
 *     The checks of sections 7.2 and 7.3 alone.
 *
 * Every function answers ARMSCRIBE_OK, ARMSCRIBE_ERROR_RNG, ARMSCRIBE_ERROR_ARGUMENT or one of the
 * errors below; on an error all output buffers that are not NULL are filled with zeros. ek_n, dk_n
 * and ct_n are the lengths the caller holds, compared with the constants below before anything is
 * read. Byte pointers may stand at any address. ARMSCRIBE_ERROR_ARGUMENT: a pointer (but rng_ctx) is
 * NULL, an output or work overlaps another buffer, or work does not stand at a word. Nothing is allocated, nothing recurses;
 * the functions keep no state and may run at the same time on different outputs and work spaces.
 *
 * work is memory for the time of the call, its contents before do not matter:
 * ARMSCRIBE_MLKEMNNN_KEYGEN_WORKSPACE, _ENCAPS_ or _DECAPS_WORKSPACE bytes, as an array of uint32_t.
 * Where it held secrets it holds zeros afterwards, and so does the stack; the caller erases seeds,
 * dk and ss when done (armscribe/wipe.h). Time depends on public data only: lengths, ek and the
 * ciphertext's acceptance by length, never dk, seeds, m or ss.
 */
#ifndef ARMSCRIBE_MLKEM_H
#define ARMSCRIBE_MLKEM_H

#include <stddef.h>
#include <stdint.h>

#include "armscribe/result.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARMSCRIBE_ERROR_EK_LENGTH 2 /* encapsulation key: wrong length (7.2, check 1) */
#define ARMSCRIBE_ERROR_EK_MODULUS                                                                 \
    3 /* encapsulation key: a coefficient is not below q (7.2, check 2) */
#define ARMSCRIBE_ERROR_CT_LENGTH 4 /* ciphertext: wrong length (7.3, check 1) */
#define ARMSCRIBE_ERROR_DK_LENGTH 5 /* decapsulation key: wrong length (7.3, check 2) */
#define ARMSCRIBE_ERROR_DK_HASH                                                                    \
    6 /* decapsulation key: does not hold the hash of its encapsulation key (7.3, check 3) */

#define ARMSCRIBE_MLKEM_SEED_BYTES    64 /* d || z */
#define ARMSCRIBE_MLKEM_MESSAGE_BYTES 32 /* m */
#define ARMSCRIBE_MLKEM_SS_BYTES      32 /* shared secret */

/* Lengths in bytes (FIPS 203, table 3). */
#define ARMSCRIBE_MLKEM512_EK_BYTES  800
#define ARMSCRIBE_MLKEM512_DK_BYTES  1632
#define ARMSCRIBE_MLKEM512_CT_BYTES  768
#define ARMSCRIBE_MLKEM768_EK_BYTES  1184
#define ARMSCRIBE_MLKEM768_DK_BYTES  2400
#define ARMSCRIBE_MLKEM768_CT_BYTES  1088
#define ARMSCRIBE_MLKEM1024_EK_BYTES 1568
#define ARMSCRIBE_MLKEM1024_DK_BYTES 3168
#define ARMSCRIBE_MLKEM1024_CT_BYTES 1568

/* Bytes of work space for k rows. ARMSCRIBE_SMALL is a choice for the library and its callers alike. */
#if defined(ARMSCRIBE_SMALL)
#define ARMSCRIBE_MLKEM_KEYGEN(k) (1772 + 0 * (k))
#else
#define ARMSCRIBE_MLKEM_KEYGEN(k) (1772 + 1024 * (k))
#endif
#define ARMSCRIBE_MLKEM_ENCAPS(k) (ARMSCRIBE_MLKEM_KEYGEN(k) + 232)

#define ARMSCRIBE_MLKEM512_KEYGEN_WORKSPACE  ARMSCRIBE_MLKEM_KEYGEN(2)
#define ARMSCRIBE_MLKEM512_ENCAPS_WORKSPACE  ARMSCRIBE_MLKEM_ENCAPS(2)
#define ARMSCRIBE_MLKEM512_DECAPS_WORKSPACE  ARMSCRIBE_MLKEM_ENCAPS(2)
#define ARMSCRIBE_MLKEM768_KEYGEN_WORKSPACE  ARMSCRIBE_MLKEM_KEYGEN(3)
#define ARMSCRIBE_MLKEM768_ENCAPS_WORKSPACE  ARMSCRIBE_MLKEM_ENCAPS(3)
#define ARMSCRIBE_MLKEM768_DECAPS_WORKSPACE  ARMSCRIBE_MLKEM_ENCAPS(3)
#define ARMSCRIBE_MLKEM1024_KEYGEN_WORKSPACE ARMSCRIBE_MLKEM_KEYGEN(4)
#define ARMSCRIBE_MLKEM1024_ENCAPS_WORKSPACE ARMSCRIBE_MLKEM_ENCAPS(4)
#define ARMSCRIBE_MLKEM1024_DECAPS_WORKSPACE ARMSCRIBE_MLKEM_ENCAPS(4)

#define ARMSCRIBE_MLKEM_DECLARE(NAME, EK, DK, CT)                                                  \
    int NAME##_keygen(uint8_t ek[EK], uint8_t dk[DK], armscribe_rng rng, void *rng_ctx,            \
                      uint32_t *work);                                                             \
    int NAME##_keygen_derand(uint8_t ek[EK], uint8_t dk[DK],                                       \
                             const uint8_t seed[ARMSCRIBE_MLKEM_SEED_BYTES], uint32_t *work);      \
    int NAME##_encaps(uint8_t ct[CT], uint8_t ss[ARMSCRIBE_MLKEM_SS_BYTES], const uint8_t *ek,     \
                      size_t ek_n, armscribe_rng rng, void *rng_ctx, uint32_t *work);              \
    int NAME##_encaps_derand(uint8_t ct[CT], uint8_t ss[ARMSCRIBE_MLKEM_SS_BYTES],                 \
                             const uint8_t *ek, size_t ek_n,                                       \
                             const uint8_t m[ARMSCRIBE_MLKEM_MESSAGE_BYTES], uint32_t *work);      \
    int NAME##_decaps(uint8_t ss[ARMSCRIBE_MLKEM_SS_BYTES], const uint8_t *ct, size_t ct_n,        \
                      const uint8_t *dk, size_t dk_n, uint32_t *work);                             \
    int NAME##_decaps_checked(uint8_t ss[ARMSCRIBE_MLKEM_SS_BYTES], const uint8_t *ct,             \
                              size_t ct_n, const uint8_t *dk, size_t dk_n, uint32_t *work);        \
    int NAME##_check_ek(const uint8_t *ek, size_t ek_n);                                           \
    int NAME##_check_dk(const uint8_t *dk, size_t dk_n)

ARMSCRIBE_MLKEM_DECLARE(armscribe_mlkem512, ARMSCRIBE_MLKEM512_EK_BYTES,
                        ARMSCRIBE_MLKEM512_DK_BYTES, ARMSCRIBE_MLKEM512_CT_BYTES);
ARMSCRIBE_MLKEM_DECLARE(armscribe_mlkem768, ARMSCRIBE_MLKEM768_EK_BYTES,
                        ARMSCRIBE_MLKEM768_DK_BYTES, ARMSCRIBE_MLKEM768_CT_BYTES);
ARMSCRIBE_MLKEM_DECLARE(armscribe_mlkem1024, ARMSCRIBE_MLKEM1024_EK_BYTES,
                        ARMSCRIBE_MLKEM1024_DK_BYTES, ARMSCRIBE_MLKEM1024_CT_BYTES);

#ifdef __cplusplus
}
#endif

#endif
