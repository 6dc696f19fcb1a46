/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* A permutation layer as a user of the library would supply it: on bytes, the permutation elsewhere. */
#ifndef OTHER_KECCAK_H
#define OTHER_KECCAK_H

void other_permutation(uint8_t state[200]);

static inline void armscribe_keccak_permute(armscribe_keccak_state *s)
{
    other_permutation((uint8_t *)s->word);
}

static inline void armscribe_keccak_xor(armscribe_keccak_state *s, const uint8_t *in, size_t offset,
                                        size_t n)
{
    uint8_t *bytes = (uint8_t *)s->word;

    for (size_t i = 0; i < n; i++) {
        bytes[offset + i] ^= in[i];
    }
}

static inline void armscribe_keccak_read(const armscribe_keccak_state *s, uint8_t *out,
                                         size_t offset, size_t n)
{
    const uint8_t *bytes = (const uint8_t *)s->word;

    for (size_t i = 0; i < n; i++) {
        out[i] = bytes[offset + i];
    }
}

#endif
