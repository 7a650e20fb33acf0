// SPDX-License-Identifier: Apache-2.0
// Tells kernels, in their Prepare, whether the graph is about to run as it is. A delegate that
// looks at a graph first has its nodes prepared as well, and may then take them away: work and
// memory for their first run would be lost.
#ifndef TERN_ABI_PREPARE_SCOPE_H_
#define TERN_ABI_PREPARE_SCOPE_H_

namespace tern {

// One preparation of a graph on this thread. Those of the graphs that its operators run are not
// final either where this one is not.
class PrepareScope {
 public:
  enum Kind { kFinal, kTrial };

  explicit PrepareScope(Kind kind) : outer_(state_) {
    if (outer_ != kInTrial) state_ = kind == kFinal ? kInFinal : kInTrial;
  }
  ~PrepareScope() { state_ = outer_; }
  PrepareScope(const PrepareScope&) = delete;
  PrepareScope& operator=(const PrepareScope&) = delete;

  static bool IsFinal() { return state_ == kInFinal; }

 private:
  enum State { kNone, kInFinal, kInTrial };

  static inline thread_local State state_ = kNone;
  const State outer_;
};

}  // namespace tern

#endif  // TERN_ABI_PREPARE_SCOPE_H_
