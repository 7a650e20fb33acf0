// SPDX-License-Identifier: Apache-2.0
// From tensors of a plan back to those of the graph, and to the nodes around them.
#include "gpu/misfit.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/status.h"
#include "gpu/desc/reason.h"

namespace tern::gpu {
namespace {

class Blame {
 public:
  Blame(const Plan& plan, const PlanOrigin& origin) : plan_(plan), origin_(origin) {}

  Misfit Of(const Excess& excess) const {
    if (excess.tensor < 0)
      return {excess.status, NodesOf(plan_.dispatches[static_cast<size_t>(excess.dispatch)])};
    const TensorId id = GivenTensor(excess.tensor);
    if (id < 0) return {excess.status, NodesBinding(excess.tensor)};
    const bool packed = plan_.tensors[excess.tensor].desc.layout == Layout::kVector;
    return {Named(excess, id), packed ? NodesBinding(excess.tensor) : NodesTouching(id)};
  }

 private:
  // The tensor of the given graph behind one of the plan; -1: none.
  TensorId GivenTensor(TensorId in_plan) const {
    for (size_t i = 0; i < plan_.inputs.size(); ++i) {
      if (plan_.inputs[i] == in_plan) return origin_.given.inputs[i];
    }
    for (size_t i = 0; i < plan_.outputs.size(); ++i) {
      if (plan_.outputs[i] == in_plan) return origin_.given.outputs[i];
    }
    if (in_plan >= static_cast<TensorId>(origin_.origins.size())) return -1;
    TensorId id = origin_.origins[in_plan];
    if (id >= 0 && origin_.passed.tensors[id].low >= 0) id = origin_.passed.tensors[id].low;
    return id < static_cast<TensorId>(origin_.given.tensors.size()) ? id : -1;
  }

  // Reports the excess by the name of the tensor in the graph.
  absl::Status Named(const Excess& excess, TensorId id) const {
    const std::string& own = origin_.given.tensors[id].name;
    const std::string& in_plan = plan_.tensors[excess.tensor].name;
    const std::optional<RefusalReason> refusal_reason = RefusalReasonOf(excess.status);
    absl::Status status = excess.status;
    if (own != in_plan) {
      status = Annotate(
          WithPrefix(absl::Status(status.code(), status.message()), StrCat("tensor '", own, "'")),
          refusal_reason.value_or(RefusalReason{Reason::kDeviceLimit}));
    }
    return Annotate(status, {.tensor = id});
  }

  // Nodes that have it, or what shares its memory, among their operands and results.
  std::set<int> NodesTouching(TensorId id) const {
    const TensorId root = origin_.passed.Root(id);
    const auto shares = [&](TensorId other) {
      return other >= 0 && (other == id || origin_.passed.Root(other) == root);
    };
    std::set<int> nodes;
    for (const Node& node : origin_.given.nodes) {
      for (const std::vector<TensorId>* ids : {&node.inputs, &node.outputs}) {
        if (std::any_of(ids->begin(), ids->end(), shares)) nodes.insert(node.index);
      }
    }
    return nodes;
  }

  std::set<int> NodesBinding(TensorId in_plan) const {
    std::set<int> nodes;
    for (const Dispatch& dispatch : plan_.dispatches) {
      const bool binds =
          std::any_of(dispatch.bindings.begin(), dispatch.bindings.end(),
                      [&](const Binding& binding) { return binding.tensor == in_plan; });
      if (binds) nodes.merge(NodesOf(dispatch));
    }
    return nodes;
  }

  static std::set<int> NodesOf(const Dispatch& dispatch) {
    return dispatch.node < 0 ? std::set<int>() : std::set<int>{dispatch.node};
  }

  const Plan& plan_;
  const PlanOrigin& origin_;
};

}  // namespace

std::vector<Misfit> MisfitsOf(const std::vector<Excess>& excesses, const Plan& plan,
                              const PlanOrigin& origin) {
  const Blame blame(plan, origin);
  std::vector<Misfit> misfits;
  misfits.reserve(excesses.size());
  for (const Excess& excess : excesses) misfits.push_back(blame.Of(excess));
  return misfits;
}

}  // namespace tern::gpu
