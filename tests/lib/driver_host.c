/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include <stdio.h>
#include <stdlib.h>

#include "driver.h"

static FILE *requests_file;
static FILE *answers_file;

int driver_open(const char *requests, const char *answers)
{
    requests_file = fopen(requests, "rb");
    answers_file = fopen(answers, "wb");
    return requests_file == NULL || answers_file == NULL;
}

size_t driver_read(void *to, size_t n)
{
    return fread(to, 1, n, requests_file);
}

void driver_write(const void *from, size_t n)
{
    if (fwrite(from, 1, n, answers_file) != n) {
        exit(EXIT_FAILURE);
    }
}

void driver_close(void)
{
    if (fclose(answers_file) != 0) {
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv)
{
    return argc == 3 ? driver_run(argv[1], argv[2]) : EXIT_FAILURE;
}
