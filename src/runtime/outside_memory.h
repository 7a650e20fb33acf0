// SPDX-License-Identifier: Apache-2.0
//
// Tensors in memory that is not the runtime's: an application's, or that of the argument of an
// operator that runs the graph.
#ifndef TERN_RUNTIME_OUTSIDE_MEMORY_H_
#define TERN_RUNTIME_OUTSIDE_MEMORY_H_

#include <cstdint>
#include <map>
#include <vector>

#include "runtime/graph_state.h"

namespace tern {

class OutsideMemory {
 public:
  explicit OutsideMemory(GraphState& graph) : graph_(graph) {}

  // ---- Of the application.
  TfLiteStatus Set(int tensor_index, const TfLiteCustomAllocation& allocation, int64_t flags);
  // The tensor gets memory of the runtime again, with the next allocation.
  void Clear(int tensor_index);
  // Points tensors to their memory. Reports memory that is too small.
  TfLiteStatus Use();
  // Checks an output whose size follows from the run only, before its node runs.
  TfLiteStatus CheckLate(int tensor_index);

  // ---- Of a caller, which points the tensor to the argument before each run.
  void Borrow(int tensor_index);
  bool IsBorrowed(int tensor_index) const;
  void EndBorrowing(int tensor_index);
  void ReturnBorrowed();

 private:
  bool IsLate(int tensor_index) const;
  TfLiteStatus Check(int tensor_index);

  GraphState& graph_;
  std::map<int, TfLiteCustomAllocation> custom_allocations_;
  std::vector<bool> borrowed_;  // by tensor: an input in the memory of a caller's argument
};

}  // namespace tern

#endif  // TERN_RUNTIME_OUTSIDE_MEMORY_H_
