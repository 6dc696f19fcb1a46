/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "ct.h"

#include <string.h>

#include "armscribe_backend.h"
#include "bytes.h"

/* Bytes of stack that the deepest call below a public function uses, and some more; tests/lib looks for what is left
 * below. May be set by the user for a compiler that needs more. */
#if !defined(ARMSCRIBE_STACK_BELOW)
#if defined(__GNUC__) && !defined(__OPTIMIZE__)
#define ARMSCRIBE_STACK_BELOW 1536
#elif defined(ARMSCRIBE_BACKEND_PORTABLE)
#define ARMSCRIBE_STACK_BELOW 576
#elif defined(ARMSCRIBE_BACKEND_CORTEX_M4F_GAS) || defined(ARMSCRIBE_BACKEND_CORTEX_M4F_INLINE)
#define ARMSCRIBE_STACK_BELOW 704
#else
#define ARMSCRIBE_STACK_BELOW 528
#endif
#endif

void armscribe_wipe(void *p, size_t n)
{
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__CC_ARM)
    if (p != NULL && n != 0) {
        memset(p, 0, n);
    }
    /* Claims to read all memory through p, so the stores above are not dead, whatever is inlined
     * where. */
    __asm__ __volatile__("" : : "r"(p) : "memory");
#else
    volatile uint8_t *byte = (volatile uint8_t *)p;
    while (p != NULL && n-- > 0) {
        *byte++ = 0;
    }
#endif
}

ARMSCRIBE_NOINLINE void armscribe_wipe_stack(void)
{
    /* Written without a call, whose own frame would lie below and deepen the stack. */
    volatile uint32_t below[ARMSCRIBE_STACK_BELOW / 4];

    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
        below[i] = 0;
    }
}

uint32_t armscribe_differ(const uint8_t *a, const uint8_t *b, size_t n)
{
    uint32_t difference = 0;

    for (size_t i = 0; i < n; i += 4) {
        difference |= armscribe_load32(a + i) ^ armscribe_load32(b + i);
    }
    return armscribe_barrier(difference);
}

void armscribe_select(uint8_t *r, const uint8_t *b, size_t n, uint32_t mask)
{
    mask = armscribe_barrier(mask);
    for (size_t i = 0; i < n; i++) {
        r[i] = (uint8_t)(r[i] ^ ((r[i] ^ b[i]) & mask));
    }
}
