// SPDX-License-Identifier: Apache-2.0
// A compiled graph as a value: tensors with their places in memory, and dispatches in order. It
// holds no pointers and names no device object, so it can be printed, compared, checked and saved.
#ifndef TERN_GPU_DESC_PLAN_H_
#define TERN_GPU_DESC_PLAN_H_

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "gpu/desc/device_info.h"
#include "gpu/desc/dispatch.h"
#include "gpu/desc/plan_tensor.h"
#include "gpu/desc/precision.h"

namespace tern::gpu {

// A place where a plan with a guard looks for what halves do not hold.
struct Watch {
  int dispatch = -1;  // that wrote the tensor just before
  TensorId tensor = -1;
};

struct Plan {
  Storage storage;
  Tuning tuning;
  std::vector<PlanTensor> tensors;
  std::vector<Dispatch> dispatches;  // every group size is set
  std::vector<TensorId> inputs;      // in the order of the graph's inputs
  std::vector<TensorId> outputs;     // in the order of the graph's outputs
  std::vector<std::string> views;    // labels of the nodes that need no dispatch: equal memory
  std::vector<Watch> watches;        // of the guard; watch i sets slice i of the flags
  TensorId flags = -1;               // Role::kFlags, where there are watches
  // Bytes of the buffers that kTemp and kConstant tensors lie in: one of each, unless all that it
  // has to hold is more than the device allows for one buffer.
  std::vector<int64_t> arenas, constants;

  int64_t arena_bytes() const { return std::accumulate(arenas.begin(), arenas.end(), int64_t{0}); }
  int64_t constant_bytes() const {
    return std::accumulate(constants.begin(), constants.end(), int64_t{0});
  }
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_PLAN_H_
