/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* Operations 'a' to 'z': the public functions of armscribe/mlkem.h, and what is tested of their
 * parts. */
#include <string.h>

#include "armscribe/mlkem.h"
#include "driver.h"
#include "mlkem/poly.h"

#define UNKNOWN 0xffffU

typedef struct {
    size_t ek, dk, ct, keygen_work, encaps_work, decaps_work;
    int (*keygen)(uint8_t *ek, uint8_t *dk, armscribe_rng rng, void *rng_ctx, uint32_t *work);
    int (*keygen_derand)(uint8_t *ek, uint8_t *dk, const uint8_t *seed, uint32_t *work);
    int (*encaps)(uint8_t *ct, uint8_t *ss, const uint8_t *ek, size_t ek_n, armscribe_rng rng,
                  void *rng_ctx, uint32_t *work);
    int (*encaps_derand)(uint8_t *ct, uint8_t *ss, const uint8_t *ek, size_t ek_n, const uint8_t *m,
                         uint32_t *work);
    int (*decaps)(uint8_t *ss, const uint8_t *ct, size_t ct_n, const uint8_t *dk, size_t dk_n,
                  uint32_t *work);
    int (*decaps_checked)(uint8_t *ss, const uint8_t *ct, size_t ct_n, const uint8_t *dk,
                          size_t dk_n, uint32_t *work);
    int (*check_ek)(const uint8_t *ek, size_t ek_n);
    int (*check_dk)(const uint8_t *dk, size_t dk_n);
} functions;

#define FUNCTIONS(N)                                                                               \
    {ARMSCRIBE_MLKEM##N##_EK_BYTES,         ARMSCRIBE_MLKEM##N##_DK_BYTES,                         \
     ARMSCRIBE_MLKEM##N##_CT_BYTES,         ARMSCRIBE_MLKEM##N##_KEYGEN_WORKSPACE,                 \
     ARMSCRIBE_MLKEM##N##_ENCAPS_WORKSPACE, ARMSCRIBE_MLKEM##N##_DECAPS_WORKSPACE,                 \
     armscribe_mlkem##N##_keygen,           armscribe_mlkem##N##_keygen_derand,                    \
     armscribe_mlkem##N##_encaps,           armscribe_mlkem##N##_encaps_derand,                    \
     armscribe_mlkem##N##_decaps,           armscribe_mlkem##N##_decaps_checked,                   \
     armscribe_mlkem##N##_check_ek,         armscribe_mlkem##N##_check_dk}

static const functions sets[3] = {FUNCTIONS(512), FUNCTIONS(768), FUNCTIONS(1024)};

/* A generator that hands out the bytes of a buffer and fails when they are used up, having written
 * some rubbish. */
static int limited_rng(void *rng_ctx, uint8_t *out, size_t n)
{
    driver_buffer *left = (driver_buffer *)rng_ctx;

    if (left->size < n) {
        memset(out, 0x5C, n / 2);
        return -1;
    }
    memcpy(out, left->data, n);
    left->data += n;
    left->size -= n;
    return 0;
}

static uint32_t keys(driver_job *job, const functions *f)
{
    uint8_t *ek = driver_output(job, f->ek);
    uint8_t *dk = driver_output(job, f->dk);
    driver_buffer random = job->in[0];
    uint32_t *work = driver_work(f->keygen_work);

    if (job->operation == 'a') {
        return driver_worked(f->keygen_derand(ek, dk, job->in[0].data, work), 0);
    }
    return driver_worked(f->keygen(ek, dk, limited_rng, &random, work), 0);
}

static uint32_t encapsulate(driver_job *job, const functions *f)
{
    uint8_t *ct = driver_output(job, f->ct);
    uint8_t *ss = driver_output(job, ARMSCRIBE_MLKEM_SS_BYTES);
    const driver_buffer *ek = &job->in[0];
    driver_buffer random = job->in[1];
    uint32_t *work = driver_work(f->encaps_work);

    if (job->operation == 'c') {
        return driver_worked(f->encaps_derand(ct, ss, ek->data, ek->size, job->in[1].data, work),
                             0);
    }
    return driver_worked(f->encaps(ct, ss, ek->data, ek->size, limited_rng, &random, work), 0);
}

static uint32_t decapsulate(driver_job *job, const functions *f)
{
    uint8_t *ss = driver_output(job, ARMSCRIBE_MLKEM_SS_BYTES);
    const driver_buffer *ct = &job->in[0];
    const driver_buffer *dk = &job->in[1];
    uint32_t *work = driver_work(f->decaps_work);

    if (job->operation == 'e') {
        return driver_worked(f->decaps(ss, ct->data, ct->size, dk->data, dk->size, work), 0);
    }
    return driver_worked(f->decaps_checked(ss, ct->data, ct->size, dk->data, dk->size, work), 0);
}

/* Decapsulation with the key kept as seed. */
static uint32_t decapsulate_seed(driver_job *job, const functions *f)
{
    uint8_t *ss = driver_output(job, ARMSCRIBE_MLKEM_SS_BYTES);
    uint8_t *ek = driver_output(job, f->ek);
    uint8_t *dk = driver_output(job, f->dk);
    const uint32_t result =
        driver_worked(f->keygen_derand(ek, dk, job->in[1].data, driver_work(f->keygen_work)), 0);

    job->outputs = 1;
    return result | driver_worked(f->decaps(ss, job->in[0].data, job->in[0].size, dk, f->dk,
                                            driver_work(f->decaps_work)),
                                  0);
}

/* For each canonical coefficient in turn: Compress_d of it, and Decompress_d of that; d is the
 * parameter. */
static uint32_t compression(driver_job *job, unsigned d)
{
    int16_t a[MLKEM_N];
    uint8_t *out = driver_output(job, MLKEM_COMPRESSED_BYTES(d));
    uint8_t *back = driver_output(job, sizeof a);

    if (job->in[0].size != sizeof a) {
        return UNKNOWN;
    }
    memcpy(a, job->in[0].data, sizeof a);
    if (d == 1) {
        armscribe_mlkem_to_message(out, a);
        memset(a, 0, sizeof a);
        armscribe_mlkem_add_message(a, out);
    } else {
        armscribe_mlkem_compress(out, a, d);
        armscribe_mlkem_decompress(a, out, d);
    }
    memcpy(back, a, sizeof a);
    return 0;
}

/* SamplePolyCBD_eta of the bytes; eta is the parameter. */
static uint32_t noise(driver_job *job, unsigned eta)
{
    int16_t a[MLKEM_N];

    if (job->in[0].size != (size_t)64 * eta) {
        return UNKNOWN;
    }
    armscribe_mlkem_noise(a, job->in[0].data, eta);
    memcpy(driver_output(job, sizeof a), a, sizeof a);
    return 0;
}

uint32_t driver_mlkem(driver_job *job)
{
    const functions *f = &sets[job->set < 3 ? job->set : 0];

    switch (job->operation) {
    case 'a':
    case 'b':
        return keys(job, f);
    case 'c':
    case 'd':
        return encapsulate(job, f);
    case 'e':
    case 'f':
        return decapsulate(job, f);
    case 'g':
        return decapsulate_seed(job, f);
    case 'h':
        return (uint32_t)f->check_ek(job->in[0].data, job->in[0].size);
    case 'i':
        return (uint32_t)f->check_dk(job->in[0].data, job->in[0].size);
    case 'p':
        return compression(job, job->set);
    case 'q':
        return noise(job, job->set);
    default:
        return UNKNOWN;
    }
}
