/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * Which folder of generated/ this build takes, decided from the ACLE macros of the compiler.
 *
 *     ARMSCRIBE_BACKEND              folder
 *     ARMSCRIBE_BACKEND_CORTEX_M4    generated/cortex-m4     Thumb-2 with the DSP extension,
 * little-endian ARMSCRIBE_BACKEND_CORTEX_M4F   generated/cortex-m4f    the same, and routines park
 * values in FP registers ARMSCRIBE_BACKEND_PORTABLE     generated/portable      C99
 *
 * To override, compile everything with -DARMSCRIBE_BACKEND=ARMSCRIBE_BACKEND_... . cortex-m4f is
 * never chosen by itself: an interrupt handler or RTOS that does not save FP registers would break
 * it.
 */
#ifndef ARMSCRIBE_BACKEND_H
#define ARMSCRIBE_BACKEND_H

#define ARMSCRIBE_BACKEND_PORTABLE   1
#define ARMSCRIBE_BACKEND_CORTEX_M4  2
#define ARMSCRIBE_BACKEND_CORTEX_M4F 3

/* What the compiler says of the target. Arm Compiler 5 says nothing, and takes no GNU inline
 * assembly either. */
#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_ISA_THUMB) && !defined(__ARM_BIG_ENDIAN) &&   \
    !defined(__CC_ARM)
#if (__ARM_ARCH_ISA_THUMB >= 2) && !defined(__aarch64__) && !defined(__ARM_ARCH_ISA_ARM)
#define ARMSCRIBE_TARGET_THUMB2_DSP 1
#endif
#endif

#if !defined(ARMSCRIBE_BACKEND)
#if defined(ARMSCRIBE_TARGET_THUMB2_DSP)
#define ARMSCRIBE_BACKEND ARMSCRIBE_BACKEND_CORTEX_M4
#else
#define ARMSCRIBE_BACKEND ARMSCRIBE_BACKEND_PORTABLE
#endif
#endif

#if ARMSCRIBE_BACKEND == ARMSCRIBE_BACKEND_CORTEX_M4
#if !defined(ARMSCRIBE_TARGET_THUMB2_DSP)
#error                                                                                             \
    "armscribe: backend cortex-m4 needs little-endian Thumb-2 with DSP: set -mcpu (cortex-m4, -m7, -m33+dsp) or take ARMSCRIBE_BACKEND_PORTABLE"
#endif
#elif ARMSCRIBE_BACKEND == ARMSCRIBE_BACKEND_CORTEX_M4F
#if !defined(ARMSCRIBE_TARGET_THUMB2_DSP) || !defined(__ARM_FP)
#error                                                                                             \
    "armscribe: backend cortex-m4f needs little-endian Thumb-2 with DSP and an FPU: set -mcpu and -mfloat-abi=hard or softfp, or take ARMSCRIBE_BACKEND_PORTABLE"
#endif
#elif ARMSCRIBE_BACKEND != ARMSCRIBE_BACKEND_PORTABLE
#error "armscribe: unknown ARMSCRIBE_BACKEND; lib/backend.h lists the choices"
#endif

#endif
