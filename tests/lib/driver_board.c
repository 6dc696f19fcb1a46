/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* The driver's bytes through semihosting, a few kilobytes at a time. */
#include <string.h>

#include "board.h"
#include "driver.h"

#define EXIT_NO_ARGUMENTS 4
#define EXIT_NOT_WRITTEN  5
#define WINDOW            16384U

static int requests_file;
static int answers_file;
static uint8_t incoming[WINDOW];
static uint8_t outgoing[WINDOW];
static size_t incoming_start;
static size_t incoming_end;
static size_t outgoing_end;

int driver_open(const char *requests, const char *answers)
{
    requests_file = board_open(requests, 0);
    answers_file = board_open(answers, 1);
    return requests_file < 0 || answers_file < 0;
}

size_t driver_read(void *to, size_t n)
{
    size_t done = 0;

    while (done < n) {
        size_t chunk = incoming_end - incoming_start;

        if (chunk == 0) {
            incoming_start = 0;
            incoming_end = board_read(requests_file, incoming, sizeof incoming);
            chunk = incoming_end;
            if (chunk == 0) {
                break;
            }
        }
        chunk = chunk < n - done ? chunk : n - done;
        memcpy((uint8_t *)to + done, &incoming[incoming_start], chunk);
        incoming_start += chunk;
        done += chunk;
    }
    return done;
}

static void flush(void)
{
    if (board_write(answers_file, outgoing, outgoing_end) != 0) {
        board_exit(EXIT_NOT_WRITTEN);
    }
    outgoing_end = 0;
}

void driver_write(const void *from, size_t n)
{
    const uint8_t *bytes = (const uint8_t *)from;

    while (n > 0) {
        size_t chunk = sizeof outgoing - outgoing_end;

        chunk = chunk < n ? chunk : n;
        memcpy(&outgoing[outgoing_end], bytes, chunk);
        outgoing_end += chunk;
        bytes += chunk;
        n -= chunk;
        if (outgoing_end == sizeof outgoing) {
            flush();
        }
    }
}

void driver_close(void)
{
    flush();
    board_close(answers_file);
}

int main(void)
{
    static char line[1024];
    char *requests;
    char *answers;

    /* "driver REQUESTS ANSWERS", and no blanks in the names */
    if (board_command_line(line, sizeof line) != 0 || (requests = strchr(line, ' ')) == NULL ||
        (answers = strchr(requests + 1, ' ')) == NULL) {
        return EXIT_NO_ARGUMENTS;
    }
    *requests++ = '\0';
    *answers++ = '\0';
    return driver_run(requests, answers);
}
