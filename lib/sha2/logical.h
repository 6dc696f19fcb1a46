/* SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT */
/* FIPS 180-4, sections 4.1.2 and 4.1.3: what both families share. */
#ifndef ARMSCRIBE_SHA2_LOGICAL_H
#define ARMSCRIBE_SHA2_LOGICAL_H

#define CH(x, y, z)  ((z) ^ ((x) & ((y) ^ (z))))
#define MAJ(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))

#endif
