// SPDX-License-Identifier: Apache-2.0
// A handle on one XNNPACK operator. XNNPACK's own types stay inside src/cpu; an empty handle means
// that XNNPACK is not built in or does not take these parameters, and the caller then runs its
// plain form.
//
// XNNPACK reads up to kXnnExtraBytes past the end of an input (never of weights, which are packed
// at creation).
#ifndef TERN_CPU_XNN_OP_H_
#define TERN_CPU_XNN_OP_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "cpu/thread_pool.h"

namespace tern {

inline constexpr size_t kXnnExtraBytes = 16;

// True when XNNPACK is built in and works on this machine.
bool XnnAvailable();

// How many operators XNNPACK has run in this process, to tell whether it does the work.
int64_t XnnRuns();
void CountXnnRun();

class XnnOp {
 public:
  XnnOp() = default;
  explicit XnnOp(void* handle) : handle_(handle) {}
  ~XnnOp();
  XnnOp(XnnOp&& other) noexcept;
  XnnOp& operator=(XnnOp&& other) noexcept;

  explicit operator bool() const { return handle_ != nullptr; }
  void* handle() const { return handle_; }

  // True when `key` (sizes and addresses) differs from the last call's, so that the operator must
  // be set up again.
  bool NeedsSetup(std::initializer_list<size_t> key);
  // Forgets the last setup.
  void Forget() { key_.clear(); }

 private:
  void* handle_ = nullptr;
  std::vector<size_t> key_;
};

inline size_t XnnKey(const void* address) { return reinterpret_cast<size_t>(address); }

}  // namespace tern

#endif  // TERN_CPU_XNN_OP_H_
