// SPDX-License-Identifier: Apache-2.0
// Tells kernels, in their Prepare, whether the graph is about to run as it is. A delegate that
// looks at a graph first has its nodes prepared as well, and may then take them away: work and
// memory for their first run would be lost.
#ifndef TERN_BASE_FINAL_PREPARE_H_
#define TERN_BASE_FINAL_PREPARE_H_

namespace tern {

// Prepares on this thread are final as long as one of these lives.
class FinalPrepare {
 public:
  FinalPrepare() { ++depth_; }
  ~FinalPrepare() { --depth_; }
  FinalPrepare(const FinalPrepare&) = delete;
  FinalPrepare& operator=(const FinalPrepare&) = delete;

  static bool Active() { return depth_ > 0; }

 private:
  static inline thread_local int depth_ = 0;
};

}  // namespace tern

#endif  // TERN_BASE_FINAL_PREPARE_H_
