// SPDX-License-Identifier: Apache-2.0
// Finds the nodes that must leave the device so that the others can stay.
#ifndef TERN_GPU_MISFIT_H_
#define TERN_GPU_MISFIT_H_

#include <set>
#include <vector>

#include "absl/status/status.h"
#include "gpu/desc/plan.h"
#include "gpu/graph/graph.h"
#include "gpu/plan/validate_plan.h"

namespace tern::gpu {

struct Misfit {
  absl::Status status;  // with its reason, whose tensor is the graph's
  std::set<int> nodes;  // Node::index; none where no node of the graph is to blame
};

// A plan with the graphs that it comes from.
struct PlanOrigin {
  const Graph& given;
  const Graph& passed;                   // what passes made of it; has the tensors of `given`
  const std::vector<TensorId>& origins;  // Lowered::origins
};

// A tensor takes those nodes with it that touch it. One that only lowering knows, or a constant
// that is packed for a node, takes the nodes whose dispatches bind it.
std::vector<Misfit> MisfitsOf(const std::vector<Excess>& excesses, const Plan& plan,
                              const PlanOrigin& origin);

}  // namespace tern::gpu

#endif  // TERN_GPU_MISFIT_H_
