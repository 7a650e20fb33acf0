// SPDX-License-Identifier: Apache-2.0
// Watches are dispatches like others; only their flags are special.
#include "gpu/plan/guard.h"

#include <bit>
#include <cstddef>
#include <set>
#include <utility>

#include "base/str_cat.h"

namespace tern::gpu {
namespace {

constexpr float kLargestHalf = 65504.0f;

// Vectors are small sums for the node's next dispatch, which shows what went wrong in them.
bool IsWatched(const Plan& plan, const Binding& binding) {
  const PlanTensor& tensor = plan.tensors[binding.tensor];
  return binding.access != Access::kRead && tensor.narrowed &&
         tensor.desc.layout == Layout::kSlices && tensor.bytes > 0;
}

Dispatch WatchOf(const Plan& plan, const Dispatch& writer, TensorId tensor, int place,
                 TensorId flags) {
  const Box& box = plan.tensors[tensor].desc.box;
  Dispatch watch;
  watch.label = StrCat("guard of ", writer.label);
  watch.node = writer.node;
  watch.kernel = KernelId::guard;
  watch.bindings = {{"src", tensor, Access::kRead, box}, {"flags", flags, Access::kWrite, {}}};
  watch.uniforms = {{.name = "place", .i = place},
                    {.name = "largest", .i = std::bit_cast<int>(kLargestHalf)}};
  watch.grid = {box.w, box.h, box.b * box.slices(plan.tuning.slice_width)};
  return watch;
}

}  // namespace

void AddGuard(Plan& plan) {
  std::vector<Dispatch> all;
  const auto flags = static_cast<TensorId>(plan.tensors.size());
  for (Dispatch& dispatch : plan.dispatches) {
    std::vector<Dispatch> watches;
    const auto writer = static_cast<int>(all.size());
    for (const Binding& binding : dispatch.bindings) {
      if (!IsWatched(plan, binding)) continue;
      const auto place = static_cast<int>(plan.watches.size());
      watches.push_back(WatchOf(plan, dispatch, binding.tensor, place, flags));
      plan.watches.push_back({writer, binding.tensor});
    }
    all.push_back(std::move(dispatch));
    for (Dispatch& watch : watches) all.push_back(std::move(watch));
  }
  plan.dispatches = std::move(all);
  if (plan.watches.empty()) return;
  PlanTensor made;
  made.name = "flags of the guard";
  made.role = Role::kFlags;
  const int width = plan.tuning.slice_width;
  made.desc = {
      {1, 1, static_cast<int>(plan.watches.size()), width}, Layout::kVector, Element::kInt32};
  made.bytes = made.desc.Bytes(width);
  plan.flags = flags;
  for (Dispatch& dispatch : plan.dispatches) {
    for (Binding& binding : dispatch.bindings) {
      if (binding.tensor == flags) binding.box = made.desc.box;
    }
  }
  plan.tensors.push_back(std::move(made));
}

std::vector<int> FirstBad(const Plan& plan, const std::vector<int32_t>& flags) {
  std::set<int> flagged;
  for (size_t i = 0; i < plan.watches.size(); ++i) {
    if (flags[i] != 0) flagged.insert(plan.watches[i].dispatch);
  }
  std::vector<int> first;
  std::set<TensorId> reached;  // tensors that may have what an earlier dispatch began
  for (size_t d = 0; d < plan.dispatches.size(); ++d) {
    const Dispatch& dispatch = plan.dispatches[d];
    const bool handed =
        std::any_of(dispatch.bindings.begin(), dispatch.bindings.end(),
                    [&](const Binding& binding) { return reached.count(binding.tensor) != 0; });
    const bool bad = flagged.count(static_cast<int>(d)) != 0;
    if (bad && !handed) first.push_back(static_cast<int>(d));
    if (!bad && !handed) continue;
    for (const Binding& binding : dispatch.bindings) {
      if (binding.access != Access::kRead && binding.tensor != plan.flags)
        reached.insert(binding.tensor);
    }
  }
  return first;
}

}  // namespace tern::gpu
