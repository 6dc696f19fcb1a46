/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Verification: all is public, time depends on it. */
#include "../common/algorithms.h"

#if defined(ARMSCRIBE_HAS_ED25519_VERIFY)

#include <string.h>

#include "../common/bytes.h"
#include "armscribe/ed25519.h"
#include "armscribe_backend.h"
#include "armscribe_routines.h"
#include "base.h"
#include "message.h"
#include "scalar.h"

#define BITS      256
#define KEY_WIDTH 5 /* digits of k: odd, below 16 in size */
#define MULTIPLES (1 << (KEY_WIDTH - 2))

/* A number as a sum of digit * 2^place: odd digits below 2^(width - 1) in size, rising places at
 * least width apart. */
typedef struct {
    uint8_t place;
    int8_t digit;
} term;

#define TERMS(width) ((BITS + (width) - 1) / (width))

/* What one stage needs takes the place of what another one did. */
typedef union {
    struct {
        union {
            armscribe_sha512_ctx hash;
            armscribe_sc_work sc;
            armscribe_ge_work ge;
        } w;
        uint8_t digest[64];
    } hashing;
    struct {
        armscribe_ge_cached multiple[MULTIPLES]; /* 1, 3, 5 ... times the key's point */
        term of_key[TERMS(KEY_WIDTH)];           /* k */
        term of_base[TERMS(ED25519_BASE_WIDTH)]; /* S */
    } adding;
} work;

/* The terms of k, which is below 2^255; their number. */
static unsigned recode(term *terms, const uint32_t k[8], unsigned width)
{
    unsigned n = 0;
    unsigned carry = 0;

    for (unsigned i = 0; i < BITS;) {
        unsigned d = 0;

        if (((k[i / 32] >> (i % 32)) & 1) == carry) {
            i++;
            continue;
        }
        for (unsigned j = 0; j < width && i + j < BITS; j++) {
            d |= ((k[(i + j) / 32] >> ((i + j) % 32)) & 1) << j;
        }
        d += carry;
        carry = d >> (width - 1);
        terms[n].place = (uint8_t)i;
        terms[n++].digit = (int8_t)((int)d - (int)(carry << width));
        i += width;
    }
    return n;
}

/* The digit at a place, which is not above that of the last of n terms; it is taken off. 0 if there is none. */
static int take(const term *terms, unsigned *n, unsigned place)
{
    if (*n == 0 || terms[*n - 1].place != place) {
        return 0;
    }
    return terms[--*n].digit;
}

/* multiple[i] = (2*i + 1) * p; p becomes 2 * p. */
static void odd_multiples(armscribe_ge_cached multiple[MULTIPLES], armscribe_ge *p)
{
    armscribe_ge_cache(&multiple[0], p);
    ge25519_double(p->word, 1);
    for (unsigned i = 1; i < MULTIPLES; i++) {
        armscribe_ge sum = *p;

        ge25519_add(sum.word, multiple[i - 1].word, 1);
        armscribe_ge_cache(&multiple[i], &sum);
    }
}

/* The d-fold base point, d odd. */
static const uint32_t *base_multiple(unsigned d)
{
#if defined(ARMSCRIBE_SMALL)
    return armscribe_ed25519_base[0] + 24 * (d - 1);
#else
    return armscribe_ed25519_odd[d / 2];
#endif
}

/* p = s times the base point plus k times p. */
static void combine(armscribe_ge *p, work *w, const uint32_t s[8], const uint32_t k[8])
{
    armscribe_ge_cached *multiple = w->adding.multiple;
    const term *of_key = w->adding.of_key;
    const term *of_base = w->adding.of_base;
    unsigned keys = recode(w->adding.of_key, k, KEY_WIDTH);
    unsigned bases = recode(w->adding.of_base, s, ED25519_BASE_WIDTH);
    int started = 0;

    odd_multiples(multiple, p);
    armscribe_ge_identity(p);
    for (unsigned i = BITS; i-- > 0;) {
        const int a = take(of_key, &keys, i);
        const int b = take(of_base, &bases, i);

        if (started) {
            ge25519_double(p->word, a != 0 || b != 0);
        }
        if (a > 0) {
            ge25519_add(p->word, multiple[a / 2].word, b != 0);
        } else if (a < 0) {
            ge25519_sub(p->word, multiple[-a / 2].word, b != 0);
        }
        if (b > 0) {
            ge25519_madd(p->word, base_multiple((unsigned)b), 0);
        } else if (b < 0) {
            ge25519_msub(p->word, base_multiple((unsigned)-b), 0);
        }
        started |= a != 0 || b != 0;
    }
}

/* RFC 8032, section 5.1.7. */
static int verify(const uint8_t signature[64], const armscribe_ed25519_message *m,
                  const uint8_t public_key[32])
{
    const int result =
        armscribe_ed25519_judge(m, signature, 0, public_key, ARMSCRIBE_ED25519_PUBLIC_BYTES);
    work w;
    uint32_t s[8], k[8];
    armscribe_ge p;

    if (result != ARMSCRIBE_OK) {
        return result;
    }
    for (unsigned i = 0; i < 8; i++) {
        s[i] = armscribe_load32(signature + 32 + 4 * i);
    }
    if (!armscribe_sc_is_reduced(s)) {
        return ARMSCRIBE_ERROR_ED25519_SIGNATURE;
    }
    if (!armscribe_ge_decode_negative(&p, public_key, &w.hashing.w.ge)) {
        return ARMSCRIBE_ERROR_ED25519_KEY;
    }
    armscribe_ed25519_hash(w.hashing.digest, &w.hashing.w.hash, m, signature, public_key);
    armscribe_sc_reduce(k, w.hashing.digest, &w.hashing.w.sc);
    combine(&p, &w, s, k);
    armscribe_ge_encode(w.hashing.digest, &p, &w.hashing.w.ge);
    return memcmp(w.hashing.digest, signature, 32) == 0 ? ARMSCRIBE_OK
                                                        : ARMSCRIBE_ERROR_ED25519_SIGNATURE;
}

int armscribe_ed25519_verify(const uint8_t signature[ARMSCRIBE_ED25519_SIGNATURE_BYTES],
                             const uint8_t *message, size_t n,
                             const uint8_t public_key[ARMSCRIBE_ED25519_PUBLIC_BYTES])
{
    const armscribe_ed25519_message m = {message, n, NULL, 0, -1};

    return verify(signature, &m, public_key);
}

int armscribe_ed25519ctx_verify(const uint8_t signature[ARMSCRIBE_ED25519_SIGNATURE_BYTES],
                                const uint8_t *message, size_t n, const uint8_t *context,
                                size_t context_n,
                                const uint8_t public_key[ARMSCRIBE_ED25519_PUBLIC_BYTES])
{
    const armscribe_ed25519_message m = {message, n, context, context_n, 0};

    return verify(signature, &m, public_key);
}

int armscribe_ed25519ph_verify(const uint8_t signature[ARMSCRIBE_ED25519_SIGNATURE_BYTES],
                               const uint8_t digest[ARMSCRIBE_ED25519_DIGEST_BYTES],
                               const uint8_t *context, size_t context_n,
                               const uint8_t public_key[ARMSCRIBE_ED25519_PUBLIC_BYTES])
{
    const armscribe_ed25519_message m = {digest, ARMSCRIBE_ED25519_DIGEST_BYTES, context, context_n,
                                         1};

    return verify(signature, &m, public_key);
}

#endif
