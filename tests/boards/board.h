/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * What a test program has on the board: files of the host, a console, an end. All by semihosting
 * (Arm's "Semihosting for AArch32 and AArch64", section 5), which QEMU offers with
 * -semihosting-config enable=on,target=native.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>

/* The arguments of the command line (arg=... of -semihosting-config), blanks between them, into
 * line[0..n-1]. */
int board_command_line(char *line, size_t n);

/* Opens a file for reading ("rb") or writing ("wb"); a handle, or a negative number. */
int board_open(const char *name, int write);

/* Reads up to n bytes; how many it were. */
size_t board_read(int handle, void *to, size_t n);

/* Writes n bytes; 0, or the number of bytes that were not written. */
size_t board_write(int handle, const void *from, size_t n);

void board_close(int handle);

void board_print(const char *text);

/* Ends the emulator with this exit code. */
void board_exit(int code);

#endif
