/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/*
 * Polynomials between bytes and coefficients (FIPS 203, section 4.2.1). A polynomial is 256
 * coefficients, 4-byte aligned for the routines; "canonical" means 0 <= r[i] < q. Byte pointers
 * stand anywhere. All run in constant time.
 */
#ifndef ARMSCRIBE_MLKEM_POLY_H
#define ARMSCRIBE_MLKEM_POLY_H

#include <stdint.h>

#define MLKEM_N          256
#define MLKEM_Q          3329
#define MLKEM_POLY_BYTES 384 /* 256 coefficients of 12 bits */

/* Bytes of a polynomial compressed to d bits a coefficient. */
#define MLKEM_COMPRESSED_BYTES(d) (32U * (d))

/* ByteEncode_12 of a canonical polynomial. */
void armscribe_mlkem_tobytes(uint8_t out[MLKEM_POLY_BYTES], const int16_t a[MLKEM_N]);

/* ByteDecode_12: 0 <= r[i] < 4096. */
void armscribe_mlkem_frombytes(int16_t r[MLKEM_N], const uint8_t in[MLKEM_POLY_BYTES]);

/* ByteEncode_d(Compress_d(a)) of a canonical polynomial, d one of 4, 5, 10, 11. out may be the
 * bytes of a itself. */
void armscribe_mlkem_compress(uint8_t *out, const int16_t *a, unsigned d);

/* Decompress_d(ByteDecode_d(in)), canonical; d one of 4, 5, 10, 11. */
void armscribe_mlkem_decompress(int16_t r[MLKEM_N], const uint8_t *in, unsigned d);

/* r += Decompress_1(ByteDecode_1(m)). |r[i]| <= 32767 - 1665 before. */
void armscribe_mlkem_add_message(int16_t r[MLKEM_N], const uint8_t m[32]);

/* ByteEncode_1(Compress_1(a)) of a canonical polynomial. */
void armscribe_mlkem_to_message(uint8_t m[32], const int16_t a[MLKEM_N]);

/* SamplePolyCBD_eta(bytes) (algorithm 8) with eta one of 2, 3 and 64*eta bytes: |r[i]| <= eta. */
void armscribe_mlkem_noise(int16_t r[MLKEM_N], const uint8_t *bytes, unsigned eta);

#endif
