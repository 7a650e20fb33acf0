// SPDX-License-Identifier: Apache-2.0
// The interface of what places a graph's tensors in memory.
#ifndef TERN_TENSORFLOW_LITE_MEMORY_PLANNER_H_
#define TERN_TENSORFLOW_LITE_MEMORY_PLANNER_H_

#include <cstddef>
#include <vector>

#include "tensorflow/lite/core/c/common.h"

namespace tflite {

class MemoryPlanner {
 public:
  virtual ~MemoryPlanner() = default;

  // Finds out when each tensor is needed.
  virtual TfLiteStatus PlanAllocations() = 0;
  // Takes memory for the tensors of nodes first_node..last_node (positions in the plan).
  virtual TfLiteStatus ExecuteAllocations(int first_node, int last_node) = 0;
  // Forgets all allocations, or those that nodes after `node` made.
  virtual TfLiteStatus ResetAllocations() = 0;
  virtual TfLiteStatus ResetAllocationsAfter(int node) = 0;

  // Memory that does not outlive a run.
  virtual TfLiteStatus ReleaseNonPersistentMemory() = 0;
  virtual TfLiteStatus AcquireNonPersistentMemory() = 0;
  virtual bool HasNonPersistentMemory() = 0;

  // Prints the plan for these positions.
  virtual void DumpDebugInfo(const std::vector<int>& execution_plan) const = 0;
  // Bytes of the two arenas.
  virtual void GetAllocInfo(size_t* arena_size, size_t* arena_persist_size) const = 0;
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_MEMORY_PLANNER_H_
