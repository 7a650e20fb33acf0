// SPDX-License-Identifier: Apache-2.0
// Private to src/cpu: what every XNNPACK wrapper needs to set up and run its operator.
#ifndef TERN_CPU_XNN_RUN_H_
#define TERN_CPU_XNN_RUN_H_

#include <pthreadpool.h>
#include <xnnpack.h>

#include "cpu/xnn_op.h"

namespace tern {

// On the calling thread alone.
inline pthreadpool_t XnnPool(ThreadPool*) { return nullptr; }

inline xnn_operator_t XnnHandle(const XnnOp& op) {
  return static_cast<xnn_operator_t>(op.handle());
}

// Runs `op` after `setup` (a call that returns an xnn_status), which is made only when `key` has
// changed.
template <class Setup>
bool SetUpAndRun(XnnOp& op, std::initializer_list<size_t> key, ThreadPool* pool,
                 const Setup& setup) {
  if (op.NeedsSetup(key) && setup() != xnn_status_success) {
    op.Forget();
    return false;
  }
  const xnn_status ran = xnn_run_operator(XnnHandle(op), XnnPool(pool));
  if (ran == xnn_status_success) CountXnnRun();
  return ran == xnn_status_success;
}

}  // namespace tern

#endif  // TERN_CPU_XNN_RUN_H_
