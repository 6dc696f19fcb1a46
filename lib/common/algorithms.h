/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * Which algorithms the library holds. Without a choice all of them; else those that are named, each
 * by a macro ARMSCRIBE_WITH_* for the compiler, or with make lib ALGORITHMS="x25519 ed25519_verify":
 *
 *     SHA2       SHA256 SHA512
 *     SHA3
 *     X25519
 *     ED25519    ED25519_KEYGEN ED25519_SIGN ED25519_VERIFY
 *     MLKEM      MLKEM512 MLKEM768 MLKEM1024
 *     MLDSA      MLDSA44 MLDSA65 MLDSA87
 *     MLDSA44    MLDSA44_KEYGEN MLDSA44_SIGN MLDSA44_VERIFY
 *     MLDSA65    MLDSA65_KEYGEN MLDSA65_SIGN MLDSA65_VERIFY
 *     MLDSA87    MLDSA87_KEYGEN MLDSA87_SIGN MLDSA87_VERIFY
 *
 * The first name of a line stands for all that follow it. SHA256 includes SHA-224; SHA512 SHA-384
 * and SHA-512/t; SHA3 SHAKE; armscribe_mldsaNN_mu comes with signing and with verification. What an
 * algorithm needs comes with it: Ed25519 brings SHA512, ML-KEM and ML-DSA bring SHA3, and
 * ML-KEM's and ML-DSA's sets share what is not their own.
 *
 * After this header ARMSCRIBE_HAS_* are defined for what the library's files have to hold. Only
 * files of the library include it: the public headers declare everything always.
 */
#ifndef ARMSCRIBE_ALGORITHMS_H
#define ARMSCRIBE_ALGORITHMS_H

/* A file that holds nothing must not be empty (C99, 6.9). */
extern int armscribe_algorithms_are_chosen;

#if !(defined(ARMSCRIBE_WITH_SHA2) || defined(ARMSCRIBE_WITH_SHA256) ||                            \
      defined(ARMSCRIBE_WITH_SHA512) || defined(ARMSCRIBE_WITH_SHA3) ||                            \
      defined(ARMSCRIBE_WITH_X25519) || defined(ARMSCRIBE_WITH_ED25519) ||                         \
      defined(ARMSCRIBE_WITH_ED25519_KEYGEN) || defined(ARMSCRIBE_WITH_ED25519_SIGN) ||            \
      defined(ARMSCRIBE_WITH_ED25519_VERIFY) || defined(ARMSCRIBE_WITH_MLKEM) ||                   \
      defined(ARMSCRIBE_WITH_MLKEM512) || defined(ARMSCRIBE_WITH_MLKEM768) ||                      \
      defined(ARMSCRIBE_WITH_MLKEM1024) || defined(ARMSCRIBE_WITH_MLDSA) ||                        \
      defined(ARMSCRIBE_WITH_MLDSA44) || defined(ARMSCRIBE_WITH_MLDSA65) ||                        \
      defined(ARMSCRIBE_WITH_MLDSA87) || defined(ARMSCRIBE_WITH_MLDSA44_KEYGEN) ||                 \
      defined(ARMSCRIBE_WITH_MLDSA44_SIGN) || defined(ARMSCRIBE_WITH_MLDSA44_VERIFY) ||            \
      defined(ARMSCRIBE_WITH_MLDSA65_KEYGEN) || defined(ARMSCRIBE_WITH_MLDSA65_SIGN) ||            \
      defined(ARMSCRIBE_WITH_MLDSA65_VERIFY) || defined(ARMSCRIBE_WITH_MLDSA87_KEYGEN) ||          \
      defined(ARMSCRIBE_WITH_MLDSA87_SIGN) || defined(ARMSCRIBE_WITH_MLDSA87_VERIFY))
#define ARMSCRIBE_WITH_ALL
#endif

/* What is asked for. */
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_SHA256) || defined(ARMSCRIBE_WITH_SHA2)
#define ARMSCRIBE_HAS_SHA256
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_SHA512) || defined(ARMSCRIBE_WITH_SHA2)
#define ARMSCRIBE_HAS_SHA512
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_SHA3)
#define ARMSCRIBE_HAS_SHA3
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_X25519)
#define ARMSCRIBE_HAS_X25519
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_ED25519_KEYGEN) ||                       \
    defined(ARMSCRIBE_WITH_ED25519)
#define ARMSCRIBE_HAS_ED25519_KEYGEN
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_ED25519_SIGN) ||                         \
    defined(ARMSCRIBE_WITH_ED25519)
#define ARMSCRIBE_HAS_ED25519_SIGN
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_ED25519_VERIFY) ||                       \
    defined(ARMSCRIBE_WITH_ED25519)
#define ARMSCRIBE_HAS_ED25519_VERIFY
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_MLKEM512) || defined(ARMSCRIBE_WITH_MLKEM)
#define ARMSCRIBE_HAS_MLKEM512
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_MLKEM768) || defined(ARMSCRIBE_WITH_MLKEM)
#define ARMSCRIBE_HAS_MLKEM768
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_MLKEM1024) ||                            \
    defined(ARMSCRIBE_WITH_MLKEM)
#define ARMSCRIBE_HAS_MLKEM1024
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_MLDSA44_KEYGEN) ||                       \
    defined(ARMSCRIBE_WITH_MLDSA44) || defined(ARMSCRIBE_WITH_MLDSA)
#define ARMSCRIBE_HAS_MLDSA44_KEYGEN
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_MLDSA44_SIGN) ||                         \
    defined(ARMSCRIBE_WITH_MLDSA44) || defined(ARMSCRIBE_WITH_MLDSA)
#define ARMSCRIBE_HAS_MLDSA44_SIGN
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_MLDSA44_VERIFY) ||                       \
    defined(ARMSCRIBE_WITH_MLDSA44) || defined(ARMSCRIBE_WITH_MLDSA)
#define ARMSCRIBE_HAS_MLDSA44_VERIFY
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_MLDSA65_KEYGEN) ||                       \
    defined(ARMSCRIBE_WITH_MLDSA65) || defined(ARMSCRIBE_WITH_MLDSA)
#define ARMSCRIBE_HAS_MLDSA65_KEYGEN
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_MLDSA65_SIGN) ||                         \
    defined(ARMSCRIBE_WITH_MLDSA65) || defined(ARMSCRIBE_WITH_MLDSA)
#define ARMSCRIBE_HAS_MLDSA65_SIGN
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_MLDSA65_VERIFY) ||                       \
    defined(ARMSCRIBE_WITH_MLDSA65) || defined(ARMSCRIBE_WITH_MLDSA)
#define ARMSCRIBE_HAS_MLDSA65_VERIFY
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_MLDSA87_KEYGEN) ||                       \
    defined(ARMSCRIBE_WITH_MLDSA87) || defined(ARMSCRIBE_WITH_MLDSA)
#define ARMSCRIBE_HAS_MLDSA87_KEYGEN
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_MLDSA87_SIGN) ||                         \
    defined(ARMSCRIBE_WITH_MLDSA87) || defined(ARMSCRIBE_WITH_MLDSA)
#define ARMSCRIBE_HAS_MLDSA87_SIGN
#endif
#if defined(ARMSCRIBE_WITH_ALL) || defined(ARMSCRIBE_WITH_MLDSA87_VERIFY) ||                       \
    defined(ARMSCRIBE_WITH_MLDSA87) || defined(ARMSCRIBE_WITH_MLDSA)
#define ARMSCRIBE_HAS_MLDSA87_VERIFY
#endif

/* What is shared, and what comes with others. */
#if defined(ARMSCRIBE_HAS_ED25519_KEYGEN) || defined(ARMSCRIBE_HAS_ED25519_SIGN)
#define ARMSCRIBE_HAS_ED25519_SECRET
#endif
#if defined(ARMSCRIBE_HAS_ED25519_SECRET) || defined(ARMSCRIBE_HAS_ED25519_VERIFY)
#define ARMSCRIBE_HAS_ED25519
#endif
#if defined(ARMSCRIBE_HAS_MLKEM512) || defined(ARMSCRIBE_HAS_MLKEM768) ||                          \
    defined(ARMSCRIBE_HAS_MLKEM1024)
#define ARMSCRIBE_HAS_MLKEM
#endif
#if defined(ARMSCRIBE_HAS_MLDSA44_KEYGEN) || defined(ARMSCRIBE_HAS_MLDSA65_KEYGEN) ||              \
    defined(ARMSCRIBE_HAS_MLDSA87_KEYGEN)
#define ARMSCRIBE_HAS_MLDSA_KEYGEN
#endif
#if defined(ARMSCRIBE_HAS_MLDSA44_SIGN) || defined(ARMSCRIBE_HAS_MLDSA65_SIGN) ||                  \
    defined(ARMSCRIBE_HAS_MLDSA87_SIGN)
#define ARMSCRIBE_HAS_MLDSA_SIGN
#endif
#if defined(ARMSCRIBE_HAS_MLDSA44_VERIFY) || defined(ARMSCRIBE_HAS_MLDSA65_VERIFY) ||              \
    defined(ARMSCRIBE_HAS_MLDSA87_VERIFY)
#define ARMSCRIBE_HAS_MLDSA_VERIFY
#endif
#if defined(ARMSCRIBE_HAS_MLDSA_KEYGEN) || defined(ARMSCRIBE_HAS_MLDSA_SIGN) ||                    \
    defined(ARMSCRIBE_HAS_MLDSA_VERIFY)
#define ARMSCRIBE_HAS_MLDSA
#endif
#if !defined(ARMSCRIBE_HAS_SHA512) && defined(ARMSCRIBE_HAS_ED25519)
#define ARMSCRIBE_HAS_SHA512
#endif
#if !defined(ARMSCRIBE_HAS_SHA3) && (defined(ARMSCRIBE_HAS_MLKEM) || defined(ARMSCRIBE_HAS_MLDSA))
#define ARMSCRIBE_HAS_SHA3
#endif

#endif
