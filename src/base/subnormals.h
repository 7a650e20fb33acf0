// SPDX-License-Identifier: Apache-2.0
// Whether the processor takes subnormal floats for zero on this thread. They are slow, and sums and
// products lose nothing by it; what compares numbers must see them (docs/numbers.md).
#ifndef TERN_BASE_SUBNORMALS_H_
#define TERN_BASE_SUBNORMALS_H_

#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace tern {

// Says so while it lives.
class SubnormalMode {
 public:
  explicit SubnormalMode(bool flushes) : saved_(Read()) {
    const uint64_t wanted = flushes ? saved_ | kBits : saved_ & ~kBits;
    changed_ = wanted != saved_;
    if (changed_) Write(wanted);
  }
  ~SubnormalMode() {
    if (changed_) Write(saved_);
  }
  SubnormalMode(const SubnormalMode&) = delete;
  SubnormalMode& operator=(const SubnormalMode&) = delete;

  static bool Flushes() { return kBits != 0 && (Read() & kBits) == kBits; }

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
#elif defined(__arm__) && defined(__ARM_FP)
  static constexpr uint64_t kBits = uint64_t{1} << 24;  // FPSCR.FZ; vectors flush always
  static uint64_t Read() {
    uint32_t bits;
    asm volatile("vmrs %0, fpscr" : "=r"(bits));
    return bits;
  }
  static void Write(uint64_t bits) {
    asm volatile("vmsr fpscr, %0" : : "r"(static_cast<uint32_t>(bits)));
  }
#else
  static constexpr uint64_t kBits = 0;
  static uint64_t Read() { return 0; }
  static void Write(uint64_t) {}
#endif

  const uint64_t saved_;
  bool changed_;
};

}  // namespace tern

#endif  // TERN_BASE_SUBNORMALS_H_
