/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * The driver runs requests against the library: the same program on the host and on the emulated
 * board.
 *
 *     driver REQUESTS ANSWERS
 *
 * A request: u8 operation, u8 parameter set (0, 1, 2 for 512, 768, 1024) or digest code, u8
 * misalignment of every buffer (0..7), u8 number of fields, then each field as u32 length and
 * bytes. An answer: u32 result, u8 number of outputs, then each as u32 length and bytes. Numbers
 * are little-endian. tests/lib/driver.py is the other end.
 */
#ifndef DRIVER_H
#define DRIVER_H

#include <stddef.h>
#include <stdint.h>

#define DRIVER_FIELDS      4
#define DRIVER_FIELD_BYTES 16384
#define DRIVER_GUARD       16          /* bytes around every buffer that must keep their value */
#define DRIVER_OVERRUN     0x80000000U /* added to the result where they did not */
#define DRIVER_NOT_WIPED   0x40000000U /* added where a work space still holds something */

typedef struct {
    uint8_t *data;
    size_t size;
} driver_buffer;

typedef struct {
    uint8_t operation;
    uint8_t set;
    driver_buffer in[DRIVER_FIELDS];
    driver_buffer out[DRIVER_FIELDS];
    unsigned inputs;
    unsigned outputs;
} driver_job;

/* Adds an output buffer of n bytes, filled with rubbish; its address. */
uint8_t *driver_output(driver_job *job, size_t n);

/* n bytes of rubbish as a work space, with a guard behind. Each call takes the same memory. */
uint32_t *driver_work(size_t n);

/* The result of the call that had the work space, marked where it wrote behind it, and unless all is
 * public where something but zeros is left; what a refused call did not touch may stay. */
uint32_t driver_worked(int result, int is_public);

/* Randomness out of a driver_buffer, always from its start; fails after some rubbish when n bytes are too many. */
int driver_rng(void *rng_ctx, uint8_t *out, size_t n);

/* Runs the job's operation; its result. 0xffff for an operation that does not exist. */
uint32_t driver_mlkem(driver_job *job);
uint32_t driver_sha3(driver_job *job);
uint32_t driver_x25519(driver_job *job);
uint32_t driver_ed25519(driver_job *job);
uint32_t driver_sha2(driver_job *job);
uint32_t driver_mldsa(driver_job *job);

/* Bytes in and out: the host's files, or the board's. n bytes or the program ends. */
int driver_open(const char *requests, const char *answers);
size_t driver_read(void *to, size_t n);
void driver_write(const void *from, size_t n);
void driver_close(void);

/* Answers everything in the request file. 0, or an exit code. */
int driver_run(const char *requests, const char *answers);

#endif
