// SPDX-License-Identifier: Apache-2.0
// Runs a part of a graph again, in floats the nodes whose numbers halves did not hold.
#ifndef TERN_GPU_PARTITION_HALF_GUARD_H_
#define TERN_GPU_PARTITION_HALF_GUARD_H_

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/device/executor.h"

namespace tern::gpu {

// A node that is computed in floats because halves do not hold its results.
struct PromotedNode {
  int node = -1;      // of the model; -1: of none
  std::string label;  // "CONV_2D #17"
};

class HalfGuard {
 public:
  // The part, with nodes that stay in floats.
  using Build = std::function<absl::StatusOr<std::unique_ptr<Executor>>(const std::set<int>&)>;
  using Tell = std::function<void(const PromotedNode&)>;

  HalfGuard(Build build, Tell tell) : build_(std::move(build)), tell_(std::move(tell)) {}

  // After `executor` ran: as long as it found numbers that halves do not hold, puts one with more
  // nodes in floats in its place and calls `run`. An error when that cannot be made; the results
  // are then not to be used.
  absl::Status Settle(std::unique_ptr<Executor>& executor,
                      const std::function<absl::Status(Executor&)>& run);

 private:
  Build build_;
  Tell tell_;
  std::set<int> floats_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_PARTITION_HALF_GUARD_H_
