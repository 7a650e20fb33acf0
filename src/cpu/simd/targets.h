// SPDX-License-Identifier: Apache-2.0
// Included first by every file of src/cpu/simd: which instruction sets the vector library compiles
// for, and what differs between its releases (1.0.3 in Debian 12, 1.0.7 in Ubuntu 24.04, 1.2.0 in
// Debian 13).
//
// Such a file is compiled once per instruction set:
//
//   #include "cpu/simd/targets.h"
//   #undef HWY_TARGET_INCLUDE
//   #define HWY_TARGET_INCLUDE "cpu/simd/this_file.cc"
//   #include <hwy/foreach_target.h>
//   #include <hwy/highway.h>
//
// and exports a table of functions. It defines TERN_NEEDS_NO_VNNI before where its AVX-512 form is
// as good on processors with VNNI. Where TERN_SIMD is 0, on processors without vectors of 256 bits
// (x86) or NEON (Arm), the table is null and operators run their reference kernel.
#ifndef TERN_CPU_SIMD_TARGETS_H_
#define TERN_CPU_SIMD_TARGETS_H_

// AVX-512 with VNNI is compiled only where it is asked for.
#define HWY_WANT_AVX3_DL 1

// Left are AVX2, AVX3 (AVX-512), AVX3_DL (with VNNI), NEON and the baseline. The bits of SSE2,
// SSSE3, SSE4, AVX3_ZEN4, AVX3_SPR, AVX10.2 and of Arm's scalable vectors, which cannot be held in
// arrays; older releases do not name all of them.
#define TERN_UNUSED_TARGETS                                                                      \
  ((1LL << 14) | (1LL << 12) | (1LL << 11) | (1LL << 6) | (1LL << 5) | (1LL << 4) | (1LL << 3) | \
   (1LL << 23) | (1LL << 24) | (1LL << 25) | (1LL << 26) | (1LL << 27))
#ifdef TERN_NEEDS_NO_VNNI
#define HWY_DISABLED_TARGETS (TERN_UNUSED_TARGETS | (1LL << 7))
#else
#define HWY_DISABLED_TARGETS TERN_UNUSED_TARGETS
#endif

#define TERN_SIMD                                                                   \
  (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || \
   (HWY_ARCH_ARM_A64 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128))

#endif  // TERN_CPU_SIMD_TARGETS_H_
