/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
#include "board.h"

#include <stdint.h>
#include <string.h>

#define SYS_OPEN          0x01
#define SYS_CLOSE         0x02
#define SYS_WRITE0        0x04
#define SYS_WRITE         0x05
#define SYS_READ          0x06
#define SYS_GET_CMDLINE   0x15
#define SYS_EXIT_EXTENDED 0x20
#define STOPPED_BY_EXIT   0x20026U /* ADP_Stopped_ApplicationExit */
#define OPEN_READ_BINARY  1U
#define OPEN_WRITE_BINARY 5U
#define EXIT_FAULT        99

extern uint32_t board_data_start[];
extern uint32_t board_data_end[];
extern const uint32_t board_data_source[];
extern uint32_t board_bss_start[];
extern uint32_t board_bss_end[];
extern uint32_t board_stack_top[];

int main(void);
void board_reset(void);

static int semihost(int operation, const void *parameters)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = parameters;

    __asm__ __volatile__("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static uintptr_t word_of(const void *p)
{
    return (uintptr_t)p;
}

int board_command_line(char *line, size_t n)
{
    uintptr_t block[2];

    block[0] = word_of(line);
    block[1] = n;
    return semihost(SYS_GET_CMDLINE, block);
}

int board_open(const char *name, int write)
{
    uintptr_t block[3];

    block[0] = word_of(name);
    block[1] = write ? OPEN_WRITE_BINARY : OPEN_READ_BINARY;
    block[2] = strlen(name);
    return semihost(SYS_OPEN, block);
}

size_t board_read(int handle, void *to, size_t n)
{
    uintptr_t block[3];

    block[0] = (uintptr_t)handle;
    block[1] = word_of(to);
    block[2] = n;
    return n - (size_t)semihost(SYS_READ, block);
}

size_t board_write(int handle, const void *from, size_t n)
{
    uintptr_t block[3];

    block[0] = (uintptr_t)handle;
    block[1] = word_of(from);
    block[2] = n;
    return (size_t)semihost(SYS_WRITE, block);
}

void board_close(int handle)
{
    uintptr_t block[1];

    block[0] = (uintptr_t)handle;
    (void)semihost(SYS_CLOSE, block);
}

void board_print(const char *text)
{
    (void)semihost(SYS_WRITE0, text);
}

void board_exit(int code)
{
    uintptr_t block[2];

    block[0] = STOPPED_BY_EXIT;
    block[1] = (uintptr_t)code;
    (void)semihost(SYS_EXIT_EXTENDED, block);
    for (;;) {
    }
}

static void fault(void)
{
    board_print("fault\n");
    board_exit(EXIT_FAULT);
}

/* Coprocessor access control: full access to the FPU, for programs built for it. */
static void enable_fpu(void)
{
#if defined(__ARM_FP)
    *(volatile uint32_t *)0xE000ED88U |= 0xFU << 20;
    __asm__ __volatile__("dsb\n\tisb" : : : "memory");
#endif
}

/* With BOARD_UNALIGNED_TRAPS every access to a word or half-word must be aligned (Armv7-M, B3.2.8), and memcpy is one that
 * sees to that: the C library's does not. */
#if defined(BOARD_UNALIGNED_TRAPS)
static void trap_unaligned(void)
{
    *(volatile uint32_t *)0xE000ED14U |= 1U << 3;
    __asm__ __volatile__("dsb\n\tisb" : : : "memory");
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    volatile uint8_t *out = (volatile uint8_t *)to;
    const uint8_t *in = (const uint8_t *)from;

    while (n-- > 0) {
        *out++ = *in++;
    }
    return to;
}
#else
static void trap_unaligned(void)
{
}
#endif

void board_reset(void)
{
    enable_fpu();
    trap_unaligned();
    memcpy(board_data_start, board_data_source,
           (size_t)((char *)board_data_end - (char *)board_data_start));
    memset(board_bss_start, 0, (size_t)((char *)board_bss_end - (char *)board_bss_start));
    board_exit(main());
}

typedef void (*handler)(void);

/* Initial stack pointer, reset, and the system exceptions (Armv7-M, section B1.5.2). */
__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack_top;
    handler reset;
    handler exceptions[14];
} vectors = {
    board_stack_top,
    board_reset,
    {fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault,
     fault},
};
