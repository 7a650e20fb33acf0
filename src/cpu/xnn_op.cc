// SPDX-License-Identifier: Apache-2.0
// Life of an XNNPACK operator, and the one-time start of the library.
#include "cpu/xnn_op.h"

#include <algorithm>
#include <atomic>
#include <utility>

#if TERN_WITH_XNNPACK
#include <xnnpack.h>
#endif

namespace tern {
namespace {

std::atomic<int64_t> runs = 0;

}  // namespace

int64_t XnnRuns() { return runs.load(std::memory_order_relaxed); }
void CountXnnRun() { runs.fetch_add(1, std::memory_order_relaxed); }

#if TERN_WITH_XNNPACK

bool XnnAvailable() {
  static const bool ready = xnn_initialize(nullptr) == xnn_status_success;
  return ready;
}

XnnOp::~XnnOp() {
  if (handle_ != nullptr) xnn_delete_operator(static_cast<xnn_operator_t>(handle_));
}

#else

bool XnnAvailable() { return false; }
XnnOp::~XnnOp() = default;

#endif  // TERN_WITH_XNNPACK

XnnOp::XnnOp(XnnOp&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), key_(std::move(other.key_)) {}

XnnOp& XnnOp::operator=(XnnOp&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(key_, other.key_);
  return *this;
}

bool XnnOp::NeedsSetup(std::initializer_list<size_t> key) {
  if (std::equal(key.begin(), key.end(), key_.begin(), key_.end())) return false;
  key_.assign(key);
  return true;
}

}  // namespace tern
