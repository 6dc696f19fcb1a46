/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * The places where something computed from a secret becomes public, by name; lib/README.md lists them and says why.
 *
 *     ARMSCRIBE_DECLASSIFY("name", p, n);         the n bytes at p
 *     ARMSCRIBE_DECLASSIFY_VALUE("name", x);      the variable x, an integer of at most 32 bits
 *
 * They are nothing, except with ARMSCRIBE_MARK_DECLASSIFIED: then each is a NOP, so that it has an address of its own,
 * and an entry in the section .debug_armscribe, which is not loaded: address, name, where p is, what n is (linkers
 * keep sections of that name for what they keep).
 */
#ifndef ARMSCRIBE_DECLASSIFY_H
#define ARMSCRIBE_DECLASSIFY_H

#if defined(ARMSCRIBE_MARK_DECLASSIFIED)
#define ARMSCRIBE_MARK(name)                                                                       \
    "0: nop\n\t"                                                                                   \
    ".pushsection .debug_armscribe,\"\",%%progbits\n\t"                                            \
    ".word 0b\n\t"                                                                                 \
    ".asciz \"" name "\"\n\t"                                                                      \
    ".asciz \"%0\"\n\t"                                                                            \
    ".asciz \"%1\"\n\t"                                                                            \
    ".popsection"
#define ARMSCRIBE_DECLASSIFY(name, p, n)                                                           \
    __asm__ __volatile__(ARMSCRIBE_MARK(name) : : "r"(p), "ri"(n) : "memory")
#define ARMSCRIBE_DECLASSIFY_VALUE(name, x)                                                        \
    __asm__ __volatile__(ARMSCRIBE_MARK(name) : "+r"(x) : "i"(0))
#else
#define ARMSCRIBE_DECLASSIFY(name, p, n)    ((void)0)
#define ARMSCRIBE_DECLASSIFY_VALUE(name, x) ((void)0)
#endif

#endif
