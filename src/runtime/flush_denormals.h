// SPDX-License-Identifier: Apache-2.0
//
// While it lives, the processor treats denormal floats as zero: they are slow and mean nothing in
// a network.
#ifndef TERN_RUNTIME_FLUSH_DENORMALS_H_
#define TERN_RUNTIME_FLUSH_DENORMALS_H_

#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace tern {

class FlushDenormals {
 public:
  FlushDenormals() : saved_(Read()) { Write(saved_ | kBits); }
  ~FlushDenormals() { Write(saved_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#if defined(__SSE__)
  static constexpr uint64_t kBits = 0x8040;  // flush to zero, denormals are zero
  static uint64_t Read() { return _mm_getcsr(); }
  static void Write(uint64_t bits) { _mm_setcsr(static_cast<unsigned>(bits)); }
#elif defined(__aarch64__)
  static constexpr uint64_t kBits = uint64_t{1} << 24;  // FPCR.FZ
  static uint64_t Read() {
    uint64_t bits;
    asm volatile("mrs %0, fpcr" : "=r"(bits));
    return bits;
  }
  static void Write(uint64_t bits) { asm volatile("msr fpcr, %0" : : "r"(bits)); }
#else
  static constexpr uint64_t kBits = 0;
  static uint64_t Read() { return 0; }
  static void Write(uint64_t) {}
#endif

  const uint64_t saved_;
};

}  // namespace tern

#endif  // TERN_RUNTIME_FLUSH_DENORMALS_H_
