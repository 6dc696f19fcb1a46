/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Operations '0' to '4': armscribe/x25519.h. */
#include <string.h>

#include "armscribe/x25519.h"
#include "driver.h"

#define UNKNOWN 0xffffU
#define KEY     ARMSCRIBE_X25519_BYTES

/* RFC 7748, section 5.2: (k, u) = (X25519(k, u), k), as often as the third field says. */
static uint32_t iterated(driver_job *job)
{
    uint8_t *k = driver_output(job, KEY);
    uint8_t *u = driver_output(job, KEY);
    const uint8_t *count = job->in[2].data;
    const uint32_t rounds = count[0] | ((uint32_t)count[1] << 8) | ((uint32_t)count[2] << 16);
    uint32_t result = 0;

    memcpy(k, job->in[0].data, KEY);
    memcpy(u, job->in[1].data, KEY);
    for (uint32_t i = 0; i < rounds; i++) {
        uint8_t last[KEY];

        memcpy(last, k, KEY);
        result |= (uint32_t)armscribe_x25519(k, k, u);
        memcpy(u, last, KEY);
    }
    return result;
}

uint32_t driver_x25519(driver_job *job)
{
    uint8_t *first;

    switch (job->operation) {
    case '0':
        return (uint32_t)armscribe_x25519(driver_output(job, KEY), job->in[0].data,
                                          job->in[1].data);
    case '1':
        return (uint32_t)armscribe_x25519_public(driver_output(job, KEY), job->in[0].data);
    case '2':
        first = driver_output(job, KEY);
        return (uint32_t)armscribe_x25519_keygen(first, driver_output(job, KEY), driver_rng,
                                                 &job->in[0]);
    case '3':
        return iterated(job);
    case '4': /* the output in the place of the peer's key */
        first = driver_output(job, KEY);
        memcpy(first, job->in[1].data, KEY);
        return (uint32_t)armscribe_x25519(first, job->in[0].data, first);
    default:
        return UNKNOWN;
    }
}
