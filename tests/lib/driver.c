/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "driver.h"

#include <string.h>

#define RUBBISH     0xA5
#define SLOT_BYTES  (DRIVER_FIELD_BYTES + 2 * DRIVER_GUARD + 8)
#define BAD_REQUEST 3

/* Buffers of one request, aligned to 8 and then moved off by the wanted misalignment. */
static union {
    uint64_t align;
    uint8_t bytes[2 * DRIVER_FIELDS][SLOT_BYTES];
} arena;

static uint8_t *slot(unsigned number, unsigned misalign)
{
    return &arena.bytes[number][DRIVER_GUARD + misalign];
}

static unsigned misalignment;

uint8_t *driver_output(driver_job *job, size_t n)
{
    const unsigned number = job->outputs++;

    job->out[number].data = slot(DRIVER_FIELDS + number, misalignment);
    job->out[number].size = n;
    return job->out[number].data;
}

int driver_rng(void *rng_ctx, uint8_t *out, size_t n)
{
    const driver_buffer *left = (const driver_buffer *)rng_ctx;

    memset(out, 0x5C, n / 2);
    if (left->size < n) {
        return -1;
    }
    memcpy(out, left->data, n);
    return 0;
}

static uint32_t number32(const uint8_t b[4])
{
    return (uint32_t)b[0] | ((uint32_t)b[1] << 8) | ((uint32_t)b[2] << 16) | ((uint32_t)b[3] << 24);
}

static void write32(uint32_t x)
{
    uint8_t b[4];

    for (unsigned i = 0; i < 4; i++) {
        b[i] = (uint8_t)(x >> (8 * i));
    }
    driver_write(b, sizeof b);
}

/* Whether the bytes around a buffer still hold what they were filled with. */
static int intact(const driver_buffer *buffer)
{
    for (size_t i = 0; buffer->data != NULL && i < DRIVER_GUARD; i++) {
        if (buffer->data[buffer->size + i] != RUBBISH ||
            buffer->data[-1 - (ptrdiff_t)i] != RUBBISH) {
            return 0;
        }
    }
    return 1;
}

/* Reads the next request. 1, or 0 at the end of the file, or -1. */
static int next(driver_job *job)
{
    uint8_t head[4];

    memset(job, 0, sizeof *job);
    if (driver_read(head, sizeof head) != sizeof head) {
        return 0;
    }
    memset(&arena, RUBBISH, sizeof arena);
    job->operation = head[0];
    job->set = head[1];
    misalignment = head[2];
    job->inputs = head[3];
    if (job->inputs > DRIVER_FIELDS || misalignment > 7) {
        return -1;
    }
    for (unsigned i = 0; i < job->inputs; i++) {
        driver_buffer *in = &job->in[i];

        (void)driver_read(head, sizeof head);
        in->size = number32(head);
        in->data =
            in->size != 0 ? slot(i, misalignment) : NULL; /* allowed where there is nothing */
        if (in->size > DRIVER_FIELD_BYTES ||
            (in->size != 0 && driver_read(in->data, in->size) != in->size)) {
            return -1;
        }
    }
    return 1;
}

static void answer(const driver_job *job, uint32_t result)
{
    const uint8_t outputs = (uint8_t)job->outputs;

    for (unsigned i = 0; i < job->inputs; i++) {
        result |= intact(&job->in[i]) ? 0 : DRIVER_OVERRUN;
    }
    for (unsigned i = 0; i < job->outputs; i++) {
        result |= intact(&job->out[i]) ? 0 : DRIVER_OVERRUN;
    }
    write32(result);
    driver_write(&outputs, 1);
    for (unsigned i = 0; i < job->outputs; i++) {
        write32((uint32_t)job->out[i].size);
        driver_write(job->out[i].data, job->out[i].size);
    }
}

int driver_run(const char *requests, const char *answers)
{
    driver_job job;
    int more;

    if (driver_open(requests, answers) != 0) {
        return BAD_REQUEST;
    }
    while ((more = next(&job)) > 0) {
        answer(&job, job.operation >= 128   ? driver_mldsa(&job)
                     : job.operation >= 'a' ? driver_mlkem(&job)
                     : job.operation >= 'N' ? driver_sha2(&job)
                     : job.operation >= 'A' ? driver_sha3(&job)
                     : job.operation >= '5' ? driver_ed25519(&job)
                                            : driver_x25519(&job));
    }
    driver_close();
    return more == 0 ? 0 : BAD_REQUEST;
}
