// SPDX-License-Identifier: Apache-2.0
// The peak of this machine, measured next to the figures that are compared with it.
#ifndef TERN_BENCH_FMA_PROBE_H_
#define TERN_BENCH_FMA_PROBE_H_

namespace tern::bench {

// The peak of the machine for `threads` threads at once that multiply and add in registers for
// about `ms` milliseconds. Time in which another program had the processor does not count, and of
// the rest only the best stretch of some milliseconds does: no kernel can be faster.
struct FmaPeak {
  double gflops = 0;   // a product and its sum count as two
  double running = 0;  // share of the time in which the threads had a processor
};
FmaPeak MeasureFmaPeak(int threads, double ms);

// Processors that this process may use.
int UsableCpus();

// Bytes per second, in 1e9, that `threads` threads read from memory that fits in no cache.
double ReadGigabytes(int threads, double ms);

// "AVX-512", "AVX2" or "generic": the instructions that MeasureFmaPeak uses.
const char* FmaInstructions();

}  // namespace tern::bench

#endif  // TERN_BENCH_FMA_PROBE_H_
