/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "judge.h"

/* Neither is empty. */
static int overlap(const armscribe_buffer *a, const armscribe_buffer *b)
{
    const uintptr_t first = (uintptr_t)a->p;
    const uintptr_t second = (uintptr_t)b->p;

    return first - second < b->n || second - first < a->n;
}

int armscribe_judge(const armscribe_buffer *b, unsigned written, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (b[i].n == 0) {
            continue;
        }
        if (b[i].p == NULL) {
            return ARMSCRIBE_ERROR_ARGUMENT;
        }
        for (unsigned j = 0; j < i && j < written; j++) {
            if (b[j].n != 0 && overlap(&b[i], &b[j])) {
                return ARMSCRIBE_ERROR_ARGUMENT;
            }
        }
    }
    return ARMSCRIBE_OK;
}
