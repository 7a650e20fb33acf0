// SPDX-License-Identifier: Apache-2.0
// What this machine can do at best, measured next to what is compared with it.
#ifndef TERN_BENCH_FMA_PROBE_H_
#define TERN_BENCH_FMA_PROBE_H_

namespace tern::bench {

// Floating-point operations per second, in 1e9, of multiply-adds in registers on `threads` threads
// at once; a product and its sum count as two. Takes about `ms` milliseconds.
double FmaGflops(int threads, double ms);

// Bytes per second, in 1e9, that `threads` threads read from memory that fits in no cache.
double ReadGigabytes(int threads, double ms);

// "AVX-512", "AVX2" or "generic": the instructions that FmaGflops uses.
const char* FmaInstructions();

}  // namespace tern::bench

#endif  // TERN_BENCH_FMA_PROBE_H_
