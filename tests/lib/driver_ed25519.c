/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Operations '5' to '9' and ':': armscribe/ed25519.h. The parameter: 0 Ed25519, 1 Ed25519ctx, 2
 * Ed25519ph. */
#include <string.h>

#include "armscribe/ed25519.h"
#include "armscribe_backend.h"
#include "armscribe_routines.h"
#include "driver.h"
#include "ed25519/scalar.h"

#define UNKNOWN 0xffffU

/* Fields: key, message, context. */
static uint32_t sign(driver_job *job)
{
    uint8_t *signature = driver_output(job, ARMSCRIBE_ED25519_SIGNATURE_BYTES);
    const uint8_t *key = job->in[0].data;
    const driver_buffer m = job->in[1];
    const driver_buffer c = job->in[2];

    if (job->set == 2) {
        return (uint32_t)armscribe_ed25519ph_sign(signature, m.data, c.data, c.size, key);
    }
    if (job->set == 1) {
        return (uint32_t)armscribe_ed25519ctx_sign(signature, m.data, m.size, c.data, c.size, key);
    }
    return (uint32_t)armscribe_ed25519_sign(signature, m.data, m.size, key);
}

/* Fields: public key, message, context, signature. */
static uint32_t verify(const driver_job *job)
{
    const uint8_t *key = job->in[0].data;
    const driver_buffer m = job->in[1];
    const driver_buffer c = job->in[2];
    const uint8_t *signature = job->in[3].data;

    if (job->in[0].size != ARMSCRIBE_ED25519_PUBLIC_BYTES ||
        job->in[3].size != ARMSCRIBE_ED25519_SIGNATURE_BYTES) {
        return UNKNOWN;
    }
    if (job->set == 2) {
        return (uint32_t)armscribe_ed25519ph_verify(signature, m.data, c.data, c.size, key);
    }
    if (job->set == 1) {
        return (uint32_t)armscribe_ed25519ctx_verify(signature, m.data, m.size, c.data, c.size,
                                                     key);
    }
    return (uint32_t)armscribe_ed25519_verify(signature, m.data, m.size, key);
}

/* 64 bytes modulo L; a, b and c to a * b + c modulo L. */
static uint32_t scalar(driver_job *job)
{
    uint32_t number[4][8];
    armscribe_sc_work w;
    const int reduces = job->operation == '8';

    for (unsigned i = 0; !reduces && i < 3; i++) {
        memcpy(number[i], job->in[i].data, 32);
    }
    if (reduces) {
        armscribe_sc_reduce(number[3], job->in[0].data, &w);
    } else {
        sc25519_muladd(number[3], number[0], number[1], number[2]);
    }
    memcpy(driver_output(job, 32), number[3], 32);
    return (uint32_t)armscribe_sc_is_reduced(number[3]);
}

uint32_t driver_ed25519(driver_job *job)
{
    switch (job->operation) {
    case '5':
        return (uint32_t)armscribe_ed25519_keygen_derand(
            driver_output(job, ARMSCRIBE_ED25519_KEY_BYTES), job->in[0].data);
    case '6':
        return sign(job);
    case '7':
        return verify(job);
    case '8':
    case '9':
        return scalar(job);
    default:
        return (uint32_t)armscribe_ed25519_keygen(driver_output(job, ARMSCRIBE_ED25519_KEY_BYTES),
                                                  driver_rng, &job->in[0]);
    }
}
